//! Conversion to MD5: a skeleton and its animations.

use std::convert::Infallible;

use glam::{Affine3A, DMat3, DQuat, DVec3, Quat, Vec3};

use super::names::report_lost_frame_names;
use super::skeleton::Skeleton;
use super::{Conversion, ConvertError, ConvertOptions, SurfaceLimits, UniqueNames, built, clips};
use crate::error::counted;
use crate::model::{
    ChannelJoint, Clip, ClipSource, Detail, FrameInfo, Joint, JointChannels, JointFrames, JointStorage, JointTrack,
    JointTransform, Model, ModelParts, Motion, SkeletalMotion, Wrap, u32_or_max,
};
use crate::pose::{FrameBlend, Pose, Sampling, sample};

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    // MD5 surfaces have no size limit.
    let whole = ConvertOptions { limits: SurfaceLimits::NONE, ..*options };
    let mut skeleton = Skeleton::from_model(model, &whole, 1, &mut losses)?;
    losses.push("normals were dropped: the game computes them from the triangles".to_owned());
    let bare = skeleton.surfaces.iter().filter(|surface| surface.materials.iter().all(String::is_empty)).count();
    if bare > 0 {
        losses.push(format!("{} no material, but Doom 3 needs one", counted(bare, "surface has", "surfaces have")));
    }
    let parents = parents(model);
    if model.format().traits().joints == JointStorage::Bones {
        losses.push("bones were converted to joints without parents".to_owned());
    }
    let rigid = RigidFrames::new(model, &skeleton, &skeleton.origin.frames);
    // A model without a bind pose gets its first converted frame as one.
    let first = skeleton.origin.frames.first().copied().unwrap_or(0);
    let stored = model.clips().iter().find(|clip| clip.source == ClipSource::BindPose && options.frame.is_none());
    let bind_frame = stored.map_or(first, |clip| clip.first);
    let bind = RigidFrames::new(model, &skeleton, &[bind_frame]);
    if rigid.mirrored > 0 {
        losses.push(format!(
            "{} joints are mirrored in some frame; MD5 stores rotations only, so the mirroring was dropped",
            rigid.mirrored
        ));
    }
    if matches!(model.motion(), Motion::Skeletal(motion) if motion.is_scaled()) {
        losses.push("scales of joints were dropped: MD5 stores no scale".to_owned());
    }
    let names = unique_names(&skeleton.names);
    let joints = names.into_iter().zip(bind.frame(0)).zip(&parents);
    let joints: Vec<Joint> =
        joints.map(|((name, bind), parent)| Joint { name, parent: *parent, bind: *bind }).collect();
    let mut frames = vec![FrameInfo::default()];
    let mut origin_frames = vec![bind_frame];
    let mut all_clips = vec![Clip::new("bind pose", 0, 1, options.format.usual_rate(), ClipSource::BindPose)];
    let mut tracks = vec![JointTrack { first: 0, frame_count: 1, frames: JointFrames::Bind }];
    let moving = if skeleton.origin.frames.len() > 1 { played(model, &skeleton.origin.frames) } else { Vec::new() };
    let mut pose = Pose::default();
    let mut clip_names = UniqueNames::default();
    for clip in &moving {
        let mut order = order(clip);
        let mut local: Vec<Vec<JointTransform>> = order.iter().map(|frame| rigid.local(*frame, &joints)).collect();
        let is_still = local.windows(2).all(|pair| pair.first() == pair.last());
        if is_still && order.len() > clip.count as usize {
            order.pop();
            local.pop();
        }
        let start = u32_or_max(frames.len());
        let count = u32_or_max(local.len());
        let source = |frame: &u32| skeleton.origin.frames.get(*frame as usize).copied().unwrap_or(0);
        for frame in &order {
            let stored = model.frames().get(source(frame) as usize).and_then(|info| info.bounds);
            let bounds = Some(stored.unwrap_or_else(|| {
                sample(model, &Sampling::at(FrameBlend::single(source(frame))), &mut pose);
                pose.bounds
            }));
            frames.push(FrameInfo { bounds, ..FrameInfo::default() });
        }
        origin_frames.extend(order.iter().map(source));
        // Clips become files, whose names some systems compare without case.
        let name = clip.name.replace(char::is_whitespace, "_");
        let name = clip_names.claim(name, str::to_lowercase, "_");
        all_clips.push(Clip::new(name, start, count, clip.frames_per_second, ClipSource::AnimationFile));
        tracks.push(JointTrack {
            first: start,
            frame_count: count,
            frames: JointFrames::Channels(channels(&local, &joints)),
        });
    }
    report_unplayed(&skeleton, &moving, &mut losses);
    let converted = skeleton.origin.frames.iter().filter_map(|frame| model.frames().get(*frame as usize));
    report_lost_frame_names(converted.map(|info| info.name.as_str()), "MD5 stores no frame names", &mut losses);
    skeleton.origin.frames = origin_frames;
    skeleton.origin.tags = Vec::new();
    let parts = ModelParts {
        format: options.format,
        version: Some(options.format.traits().version),
        name: String::new(),
        surfaces: skeleton.surfaces,
        frames,
        tags: Vec::new(),
        clips: all_clips,
        alternative_clips: Vec::new(),
        skins: Vec::new(),
        motion: Motion::Skeletal(SkeletalMotion { joints, bindings: skeleton.bindings, tracks, tags: Vec::new() }),
        details: vec![Detail::text("commandline", "")],
    };
    Ok(Conversion { model: built(parts)?, losses, origin: skeleton.origin })
}

pub(super) fn parents(model: &Model) -> Vec<Option<u32>> {
    let own = model.joints().iter().map(|joint| joint.parent);
    own.chain(std::iter::repeat_n(None, model.tags().len() + 1)).collect()
}

/// Makes joint names unique, because animations refer to joints by name.
fn unique_names(names: &[String]) -> Vec<String> {
    let mut unique = UniqueNames::default();
    names.iter().map(|name| unique.claim(name.replace('"', "'"), str::to_ascii_lowercase, "_")).collect()
}

pub(super) fn played(model: &Model, frames: &[u32]) -> Vec<Clip> {
    clips::named_or_all(model, frames, model.format().usual_rate())
}

/// Returns the frames in playing order. A looping clip ends with its first frame, because the game treats the last
/// frame of an animation as its first.
fn order(clip: &Clip) -> Vec<u32> {
    let mut order: Vec<u32> = (clip.first..clip.end()).collect();
    if clip.reversed {
        order.reverse();
    }
    if clip.loop_frames >= clip.count && clip.wrap == Wrap::LastToFirst && clip.count > 1 {
        order.extend(order.first().copied());
    }
    order
}

fn report_unplayed(skeleton: &Skeleton, clips: &[Clip], losses: &mut Vec<String>) {
    let count = u32_or_max(skeleton.origin.frames.len());
    let left = (0..count).filter(|frame| !clips.iter().any(|clip| clip.contains(*frame))).count();
    if count > 1 && left > 0 {
        losses.push(format!("{left} frames were dropped: they belong to no clip"));
    }
}

struct RigidFrames {
    joints: Vec<JointTransform>,
    joint_count: usize,
    mirrored: usize,
}

impl RigidFrames {
    fn new(model: &Model, skeleton: &Skeleton, frames_of_model: &[u32]) -> Self {
        let mut frames = Self { joints: Vec::new(), joint_count: skeleton.names.len(), mirrored: 0 };
        let Ok(()) = skeleton.each_of(model, frames_of_model, |joints| {
            frames.mirrored += joints.iter().filter(|joint| joint.matrix3.determinant() < 0.0).count();
            frames.joints.extend(joints.iter().map(rigid));
            Ok::<_, Infallible>(())
        });
        frames
    }

    /// Returns the joints of a frame relative to their parents.
    fn local(&self, index: u32, joints: &[Joint]) -> Vec<JointTransform> {
        let frame = self.frame(index);
        let relative = |(transform, joint): (&JointTransform, &Joint)| {
            let parent = joint.parent.and_then(|parent| frame.get(parent as usize));
            parent.map_or(*transform, |parent| parent.inverse().then_inner(*transform))
        };
        frame.iter().zip(joints).map(relative).collect()
    }

    fn frame(&self, index: u32) -> &[JointTransform] {
        let joints = index as usize * self.joint_count..(index as usize + 1) * self.joint_count;
        self.joints.get(joints).unwrap_or_default()
    }
}

/// Returns the nearest rotation, because packing may have scaled and sheared the axes. Mirrored transforms are not near
/// any rotation.
fn rigid(transform: &Affine3A) -> JointTransform {
    let mut matrix = DMat3::from_cols(
        transform.matrix3.x_axis.as_dvec3().normalize_or(DVec3::X),
        transform.matrix3.y_axis.as_dvec3().normalize_or(DVec3::Y),
        transform.matrix3.z_axis.as_dvec3().normalize_or(DVec3::Z),
    );
    // Polar decomposition (N. Higham, 1986). Converges quadratically.
    for _ in 0..ROUNDS {
        let inverse = matrix.inverse();
        if matrix.determinant() > 1e-3 && inverse.is_finite() {
            matrix = (matrix + inverse.transpose()) * 0.5;
        }
    }
    let rotation = DQuat::from_mat3(&matrix).normalize().as_quat();
    JointTransform {
        rotation: if rotation.is_finite() { rotation } else { Quat::IDENTITY },
        translation: transform.translation.into(),
    }
}

/// Iterations until any rotation converges to single precision.
const ROUNDS: usize = 8;

/// Smallest change of a component that is stored. Relative transforms of joints that do not move differ by rounding.
const CHANGE: f32 = 1e-6;

/// Returns the channels of `frames`, whose transforms are relative to the parents of `joints`.
fn channels(frames: &[Vec<JointTransform>], own_joints: &[Joint]) -> JointChannels {
    let numbers = |joint: &JointTransform| {
        // The file stores three components; readers compute the fourth as a number of at most 0.
        let rotation = if joint.rotation.w > 0.0 { -joint.rotation } else { joint.rotation };
        let (Vec3 { x, y, z }, xyz) = (joint.translation, rotation.xyz());
        [x, y, z, xyz.x, xyz.y, xyz.z]
    };
    let base: Vec<[f32; 6]> = frames.first().into_iter().flatten().map(numbers).collect();
    let mut changing = vec![0_u8; base.len()];
    for frame in frames {
        for ((joint, base), flags) in frame.iter().zip(&base).zip(&mut changing) {
            let is_changed = |number: f32, base: f32| (number - base).abs() > CHANGE * base.abs().max(1.0);
            let differs = numbers(joint).into_iter().zip(base).map(|(number, base)| is_changed(number, *base));
            *flags |= differs.enumerate().fold(0, |flags, (bit, differs)| flags | u8::from(differs) << bit);
        }
    }
    let mut stride = 0;
    let joints = base.iter().zip(&changing).zip(own_joints).map(|(([x, y, z, a, b, c], flags), joint)| {
        let first = if *flags == 0 { 0 } else { stride };
        stride += flags.count_ones();
        ChannelJoint {
            parent: joint.parent,
            flags: *flags,
            first,
            translation: Vec3::new(*x, *y, *z),
            rotation_xyz: Vec3::new(*a, *b, *c),
        }
    });
    let joints: Vec<ChannelJoint> = joints.collect();
    let changing_parts = |(joint, flags): (&JointTransform, &u8)| {
        let flags = *flags;
        numbers(joint).into_iter().enumerate().filter(move |(bit, _)| flags >> bit & 1 == 1).map(|(_, number)| number)
    };
    let components = frames.iter().flat_map(|frame| frame.iter().zip(&changing).flat_map(changing_parts)).collect();
    let count = u32_or_max(base.len());
    JointChannels { joints, stride, components, joint_of_mesh: (0..count).map(Some).collect() }
}
