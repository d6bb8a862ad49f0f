//! Measurement of losses: evaluates the written joints and weights and compares them with the model's poses.

use glam::DVec3;

use super::bind_pose::Bind;
use super::joint_weights::shares;
use super::sampler::FrameSampler;
use crate::export::Losses;
use crate::export::scene::ExportScene;
use crate::limits::MAX_REPORTED_VERTICES;
use crate::model::SkeletalMotion;
use crate::pose::{FrameBlend, Pose, Sampling, cost_of_frame, frame_step, sample};

/// Distances below this are rounding errors, in units.
const ROUNDING: f64 = 0.002;
/// Angles below this are rounding errors, in degrees.
const ROUNDING_DEGREES: f64 = 0.1;

fn frames_of(subject: &ExportScene<'_>, part: usize) -> Vec<u32> {
    let mut frames: Vec<u32> = subject.shown_frames(part).into_iter().collect();
    if frames.is_empty() {
        frames.extend(subject.parts.get(part).map(|part| part.blend.from));
    }
    frames
}

pub(super) fn report_skin_loss(
    subject: &ExportScene<'_>,
    index: usize,
    motion: &SkeletalMotion,
    bind: &Bind,
    losses: &mut Losses,
) {
    let Some(part) = subject.parts.get(index) else { return };
    let frames = frames_of(subject, index);
    let surfaces: Vec<usize> = part.surfaces().collect();
    let step = frame_step(frames.len(), cost_of_frame(part.model), MAX_REPORTED_VERTICES);
    let mut sampler = FrameSampler::new(part.model);
    let mut pose = Pose::default();
    let mut worst = (ROUNDING, 0, 0);
    let mut most_turned = (ROUNDING_DEGREES, 0, 0);
    for frame in frames.iter().step_by(step) {
        let palette = sampler.palette(*frame, &bind.inverses);
        sample(part.model, &Sampling { lod: part.lod, ..Sampling::at(FrameBlend::single(*frame)) }, &mut pose);
        for surface in &surfaces {
            let (Some(rest), Some(now), Some(binding)) =
                (bind.surfaces.get(*surface), pose.surfaces.get(*surface), motion.bindings.get(*surface))
            else {
                continue;
            };
            let rests = rest.positions.iter().zip(&rest.normals);
            let targets = now.positions.iter().zip(&now.normals);
            for ((rest, now), vertex) in rests.zip(targets).zip(&binding.vertices) {
                let (mut position, mut normal) = (DVec3::ZERO, DVec3::ZERO);
                for (joint, share) in shares(binding.weights_of(*vertex)) {
                    let joint = palette.get(usize::from(joint)).copied().unwrap_or_default();
                    position += joint.transform_point3(rest.0.as_dvec3()) * f64::from(share);
                    normal += joint.transform_vector3(rest.1.as_dvec3()) * f64::from(share);
                }
                let distance = position.distance(now.0.as_dvec3());
                if distance > worst.0 {
                    worst = (distance, *surface, *frame);
                }
                let degrees = normal.angle_between(now.1.as_dvec3()).to_degrees();
                if degrees > most_turned.0 {
                    most_turned = (degrees, *surface, *frame);
                }
            }
        }
    }
    let (distance, surface, frame) = worst;
    if distance > ROUNDING {
        let name = super::surface_name(part, surface);
        losses.push(format!(
            "{}: vertices are off by up to {distance:.3} units (surface {name}, frame {frame}): glTF has no offsets per \
             weight and no sheared bones",
            part.name
        ));
    }
    let (degrees, surface, frame) = most_turned;
    if degrees > ROUNDING_DEGREES {
        let name = super::surface_name(part, surface);
        losses.push(format!(
            "{}: normals are off by up to {degrees:.1}° (surface {name}, frame {frame}): glTF turns normals like \
             vertices",
            part.name
        ));
    }
}

pub(super) fn report_tag_loss(subject: &ExportScene<'_>, index: usize, losses: &mut Losses) {
    let Some(part) = subject.parts.get(index) else { return };
    let frames = frames_of(subject, index);
    let mut sampler = FrameSampler::new(part.model);
    let mut worst = vec![(0.0_f64, 0_u32); part.model.tags().len()];
    for frame in frames {
        let written = sampler.at(FrameBlend::single(frame)).to_vec();
        for ((written, tag), worst) in written.iter().zip(&sampler.pose().tags).zip(&mut worst) {
            let degrees = f64::from(written.degrees_from(tag));
            if degrees > worst.0 {
                *worst = (degrees, frame);
            }
        }
    }
    for (name, (degrees, frame)) in part.model.tags().iter().zip(worst) {
        if degrees > ROUNDING_DEGREES {
            losses.push(format!(
                "{}: the axes of {name} are not perpendicular, which glTF cannot store; they are off by up to {degrees:.1}° (frame {frame})",
                part.name
            ));
        }
    }
}
