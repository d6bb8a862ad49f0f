//! Unpacking and packing of joints.

use std::sync::Arc;

use glam::{Affine3A, Mat3, Quat, Vec3};

use super::frame_list::of;
use super::transform::Transform;
use crate::convert::{BonePacking, iqm, md5, mdr};
use crate::model::{
    ChannelJoint, Joint, JointChannels, JointFrames, JointTransform, LocalFrames, LocalSkeleton, LocalTransform, Model,
    SkeletalMotion, SkeletalTag, matrix_rows, quaternion_of_xyz,
};
use crate::pose::{FrameBlend, Pose, sample_joints};

/// Returns the local transforms of the joints of an MD5 animation in a frame.
fn channels_at(channels: &JointChannels, frame: usize) -> Vec<JointTransform> {
    let numbers = channels.components.get(frame * channels.stride as usize..).unwrap_or_default();
    let joint = |joint: &ChannelJoint| {
        let (translation, xyz) = (joint.translation.to_array(), joint.rotation_xyz.to_array());
        let mut all = [translation, xyz].concat();
        let mut own = numbers.iter().skip(joint.first as usize);
        for (bit, number) in all.iter_mut().enumerate() {
            if joint.flags >> bit & 1 == 1 {
                *number = own.next().copied().unwrap_or(*number);
            }
        }
        let [x, y, z, a, b, c] = all.try_into().unwrap_or_default();
        JointTransform { translation: Vec3::new(x, y, z), rotation: quaternion_of_xyz(Vec3::new(a, b, c)) }
    };
    channels.joints.iter().map(joint).collect()
}

/// Packs local transforms like the animation `like`.
fn with_channels(like: &JointChannels, frames: &[Vec<JointTransform>]) -> JointFrames {
    let joint = |joint: &ChannelJoint| Joint {
        name: String::new(),
        parent: joint.parent,
        bind: JointTransform::IDENTITY,
        is_added: false,
    };
    let joints: Vec<Joint> = like.joints.iter().map(joint).collect();
    let packed = md5::channels(frames, &joints);
    JointFrames::Channels(JointChannels { joint_of_mesh: like.joint_of_mesh.clone(), ..packed })
}

fn locals_at(local: &LocalFrames, frame: usize) -> Vec<LocalTransform> {
    let unit = |transform: LocalTransform| LocalTransform { rotation: transform.unit_rotation(), ..transform };
    (0..local.skeleton.bind().len()).map(|joint| unit(local.transform(joint, frame))).collect()
}

/// Returns the frames of a track at times within the track. Fails if the joints cannot be blended.
pub(super) fn resampled(
    model: &Model,
    frames: &JointFrames,
    first: u32,
    times: &[FrameBlend],
) -> Result<JointFrames, String> {
    let within = |time: &FrameBlend| ((time.from - first) as usize, (time.to.max(first) - first) as usize, time.t);
    let posed = || {
        let mut pose = Pose::default();
        let rows = times.iter().flat_map(|time| {
            sample_joints(model, *time, &mut pose);
            pose.joints.iter().map(matrix_rows).collect::<Vec<_>>()
        });
        JointFrames::Matrices(rows.collect())
    };
    Ok(match frames {
        JointFrames::Bind => JointFrames::Bind,
        JointFrames::Matrices(_) => posed(),
        JointFrames::PackedMatrices(_) => {
            let mut frames = posed();
            repack(&mut frames)?;
            frames
        }
        JointFrames::Channels(channels) => {
            let at = |time: &FrameBlend| {
                let (from, to, t) = within(time);
                let next = channels_at(channels, to);
                let mix = |(a, b): (JointTransform, JointTransform)| JointTransform {
                    translation: a.translation.lerp(b.translation, t),
                    rotation: a.rotation.slerp(b.rotation, t),
                };
                channels_at(channels, from).into_iter().zip(next).map(mix).collect()
            };
            with_channels(channels, &times.iter().map(at).collect::<Vec<_>>())
        }
        JointFrames::Local(local) => {
            let at = |time: &FrameBlend| {
                let (from, to, t) = within(time);
                let next = locals_at(local, to);
                let mix = |(a, b): (LocalTransform, LocalTransform)| LocalTransform {
                    translation: a.translation.lerp(b.translation, t),
                    rotation: a.rotation.slerp(b.rotation, t),
                    scale: a.scale.lerp(b.scale, t),
                };
                locals_at(local, from).into_iter().zip(next).map(mix).collect()
            };
            let frames: Vec<Vec<LocalTransform>> = times.iter().map(at).collect();
            JointFrames::Local(iqm::packed(Arc::clone(&local.skeleton), &frames))
        }
        _ => return Err(UNSUPPORTED.to_owned()),
    })
}

/// Returns chosen frames of a track, counted within the track.
pub(super) fn selected(frames: &JointFrames, joints: usize, chosen: &[usize]) -> Result<JointFrames, String> {
    Ok(match frames {
        JointFrames::Bind => JointFrames::Bind,
        JointFrames::Matrices(all) => JointFrames::Matrices(of(all, joints, chosen)),
        JointFrames::Relative(all) => JointFrames::Relative(of(all, joints, chosen)),
        JointFrames::PackedMatrices(all) => JointFrames::PackedMatrices(of(all, joints, chosen)),
        JointFrames::Channels(all) => {
            let components = of(&all.components, all.stride as usize, chosen);
            JointFrames::Channels(JointChannels { components, ..all.clone() })
        }
        JointFrames::Local(all) => {
            JointFrames::Local(LocalFrames { words: of(&all.words, all.stride as usize, chosen), ..all.clone() })
        }
        JointFrames::Pool(_) | JointFrames::Angles(_) | JointFrames::Missing => return Err(UNSUPPORTED.to_owned()),
    })
}

const UNSUPPORTED: &str =
    "the joints of this format cannot be changed; convert the model first, then change the result";

fn repack(frames: &mut JointFrames) -> Result<(), String> {
    mdr::pack(frames, BonePacking::Compressed, &mut Vec::new()).map_err(|error| error.to_string())
}

/// Moves joints, weights and tags of a whole model. The scale is equal along all axes.
pub(super) fn transform(motion: &mut SkeletalMotion, transform: &Transform) -> Result<(), String> {
    let (root, child) = (Change::new(transform, true), Change::new(transform, false));
    let triangles = motion.tags.iter_mut().filter_map(|tag| match tag {
        SkeletalTag::Triangle(binding) => Some(binding),
        _ => None,
    });
    for binding in motion.bindings.iter_mut().chain(triangles) {
        for weight in &mut binding.weights {
            weight.offset = child.translation(weight.offset);
            weight.normal = child.flip * weight.normal;
        }
        for vertex in &mut binding.bind {
            vertex.position = transform.point(vertex.position);
            vertex.normal = transform.turn * vertex.normal;
        }
    }
    for tag in &mut motion.tags {
        if let SkeletalTag::Offset(_, offset) = tag {
            *offset = child.joint(offset);
        }
    }
    for joint in &mut motion.joints {
        joint.bind = JointTransform {
            rotation: root.rotation(joint.bind.rotation),
            translation: root.translation(joint.bind.translation),
        };
    }
    let is_root: Vec<bool> = motion.joints.iter().map(|joint| joint.parent.is_none()).collect();
    for track in &mut motion.tracks {
        transform_track(&mut track.frames, &motion.joints, &is_root, transform)?;
    }
    Ok(())
}

/// Change of a joint in model space (a root), or relative to its parent. Joints stay rotations.
struct Change<'a> {
    transform: &'a Transform,
    is_root: bool,
    /// Change of the joint's own space.
    flip: Mat3,
    turn: Mat3,
}

impl<'a> Change<'a> {
    fn new(transform: &'a Transform, is_root: bool) -> Self {
        let flip = if transform.is_mirrored() { Vec3::new(1.0, -1.0, 1.0) } else { Vec3::ONE };
        let flip = Mat3::from_diagonal(flip);
        Self { transform, is_root, flip, turn: if is_root { transform.turn } else { flip } }
    }

    fn translation(&self, translation: Vec3) -> Vec3 {
        if self.is_root {
            return self.transform.point(translation);
        }
        self.flip * translation * self.transform.scale.x
    }

    fn rotation(&self, rotation: Quat) -> Quat {
        if self.turn == Mat3::IDENTITY {
            return rotation;
        }
        Quat::from_mat3(&(self.turn * Mat3::from_quat(rotation.normalize()) * self.flip)).normalize()
    }

    fn joint(&self, joint: &Affine3A) -> Affine3A {
        let matrix = self.turn * Mat3::from(joint.matrix3) * self.flip;
        Affine3A::from_mat3_translation(matrix, self.translation(joint.translation.into()))
    }
}

fn transform_track(
    frames: &mut JointFrames,
    joints: &[Joint],
    is_root: &[bool],
    transform: &Transform,
) -> Result<(), String> {
    let change = |is_root| Change::new(transform, is_root);
    match frames {
        JointFrames::Bind => {}
        JointFrames::Matrices(all) => {
            all.iter_mut().for_each(|rows| *rows = matrix_rows(&change(true).joint(&affine(rows))));
        }
        JointFrames::Relative(all) => {
            for (rows, is_root) in all.iter_mut().zip(is_root.iter().cycle()) {
                *rows = matrix_rows(&change(*is_root).joint(&affine(rows)));
            }
        }
        JointFrames::PackedMatrices(_) => {
            mdr::pack(frames, BonePacking::Plain, &mut Vec::new()).map_err(|error| error.to_string())?;
            transform_track(frames, joints, is_root, transform)?;
            repack(frames)?;
        }
        JointFrames::Channels(channels) => {
            let count = channels.components.len().checked_div(channels.stride as usize).unwrap_or(0).max(1);
            let mut all: Vec<Vec<JointTransform>> = (0..count).map(|frame| channels_at(channels, frame)).collect();
            for frame in &mut all {
                for (joint, own) in frame.iter_mut().zip(&channels.joints) {
                    let change = change(own.parent.is_none());
                    joint.translation = change.translation(joint.translation);
                    joint.rotation = change.rotation(joint.rotation);
                }
            }
            *frames = with_channels(channels, &all);
        }
        JointFrames::Local(own) => {
            let moved = |(joint, is_root): (&LocalTransform, &bool)| {
                let change = change(*is_root);
                LocalTransform {
                    translation: change.translation(joint.translation),
                    rotation: change.rotation(joint.unit_rotation()),
                    ..*joint
                }
            };
            let bind = own.skeleton.bind().iter().zip(is_root).map(moved).collect();
            let skeleton = Arc::new(LocalSkeleton::new(joints, bind));
            if own.poses.is_empty() {
                own.skeleton = skeleton;
                return Ok(());
            }
            let count = own.words.len().checked_div(own.stride as usize).unwrap_or(0).max(1);
            let all: Vec<Vec<LocalTransform>> =
                (0..count).map(|frame| locals_at(own, frame).iter().zip(is_root).map(moved).collect()).collect();
            *frames = JointFrames::Local(iqm::packed(skeleton, &all));
        }
        JointFrames::Pool(_) | JointFrames::Angles(_) | JointFrames::Missing => return Err(UNSUPPORTED.to_owned()),
    }
    Ok(())
}

fn affine([a, b, c, x, d, e, f, y, g, h, i, z]: &[f32; 12]) -> Affine3A {
    let (first, second, third) = (Vec3::new(*a, *d, *g), Vec3::new(*b, *e, *h), Vec3::new(*c, *f, *i));
    Affine3A::from_mat3_translation(Mat3::from_cols(first, second, third), Vec3::new(*x, *y, *z))
}
