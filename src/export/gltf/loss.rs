//! What cannot be kept, measured: the written joints and weights are put together again and held against the model's poses.

use glam::Vec3;

use super::bind::Bind;
use super::shares::shares;
use super::walk::Walk;
use crate::export::ExportReport;
use crate::export::subject::{Placed, Subject};
use crate::model::{Motion, SkeletalMotion};
use crate::pose::{FrameBlend, Pose, Sampling, sample};

/// Vertices that are measured in all frames together; of more, frames are left out evenly.
const MOST_VERTICES: usize = 4_000_000;
/// Distances below this are rounding, in units.
const ROUNDING: f32 = 0.002;
/// Angles below this are rounding, in degrees.
const ROUNDING_DEGREES: f32 = 0.1;

/// Tells what the parts lose.
pub(super) fn tell(subject: &Subject<'_>, report: &mut ExportReport) {
    for (index, part) in subject.parts.iter().enumerate() {
        let tracks = subject.animations.iter().flat_map(|animation| &animation.tracks);
        let keys = tracks.filter(|track| track.part == index).flat_map(|track| &track.keys);
        let mut frames: Vec<u32> = keys.map(|key| key.frame).collect();
        frames.sort_unstable();
        frames.dedup();
        if frames.is_empty() {
            frames.push(part.blend.from);
        }
        match part.model.motion() {
            Motion::Skeletal(motion) => tell_of_skin(part, motion, &frames, report),
            Motion::Morph(_) => tell_of_tags(part, &frames, report),
        }
    }
}

fn tell_of_skin(part: &Placed<'_>, motion: &SkeletalMotion, frames: &[u32], report: &mut ExportReport) {
    let surfaces: Vec<usize> = part.surfaces().collect();
    let vertices: usize =
        surfaces.iter().filter_map(|surface| part.model.surfaces().get(*surface)).map(|s| s.vertex_count()).sum();
    let step = (frames.len().saturating_mul(vertices) / MOST_VERTICES + 1).max(1);
    let bind = Bind::of(part, motion);
    let mut walk = Walk::of(part.model);
    let mut pose = Pose::default();
    let mut worst = (ROUNDING, 0, 0);
    for frame in frames.iter().step_by(step) {
        let palette = walk.palette(*frame, &bind.inverses);
        sample(part.model, &Sampling { lod: part.lod, ..Sampling::at(FrameBlend::still(*frame)) }, &mut pose);
        for surface in &surfaces {
            let (Some(rest), Some(now), Some(binding)) =
                (bind.surfaces.get(*surface), pose.surfaces.get(*surface), motion.bindings.get(*surface))
            else {
                continue;
            };
            for ((rest, now), vertex) in rest.positions.iter().zip(&now.positions).zip(&binding.vertices) {
                let moved = |(joint, share): (u16, f32)| {
                    palette.get(usize::from(joint)).map_or(Vec3::ZERO, |joint| joint.transform_point3(*rest)) * share
                };
                let written: Vec3 = shares(binding, *vertex).into_iter().map(moved).sum();
                let distance = written.distance(*now);
                if distance > worst.0 {
                    worst = (distance, *surface, *frame);
                }
            }
        }
    }
    if worst.1 > 0 || worst.0 > ROUNDING {
        let (distance, surface, frame) = worst;
        let name = super::surface_name(part, surface);
        report.losses.push(format!(
            "{}: vertices lie up to {distance:.3} units from their place (surface {name}, frame {frame}): weights with offsets \
             of their own and sheared bones are not kept",
            part.name
        ));
    }
}

fn tell_of_tags(part: &Placed<'_>, frames: &[u32], report: &mut ExportReport) {
    let mut walk = Walk::of(part.model);
    let mut worst = vec![(0.0_f32, 0_u32); part.model.tags().len()];
    for frame in frames {
        let written = walk.at(FrameBlend::still(*frame)).to_vec();
        for ((written, tag), worst) in written.iter().zip(&walk.pose().tags).zip(&mut worst) {
            let degrees = written.degrees_from(tag);
            if degrees > worst.0 {
                *worst = (degrees, *frame);
            }
        }
    }
    for (name, (degrees, frame)) in part.model.tags().iter().zip(worst) {
        if degrees > ROUNDING_DEGREES {
            report.losses.push(format!(
                "{}: the axes of {name} are not perpendicular: they are up to {degrees:.1}° from where they were (frame {frame})",
                part.name
            ));
        }
    }
}
