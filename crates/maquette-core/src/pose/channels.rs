//! Joints of an MD5 animation: decoding, blending relative to the parents, composition.

use glam::Vec3;

use super::bone::slerp;
use crate::model::quaternion_of_xyz;
use crate::model::{ChannelJoint, Joint, JointChannels, JointTransform};

/// Composes the animation's skeleton with the animation's own parents. Mesh joints that the animation lacks keep their
/// bind pose relative to their parent in the mesh.
pub(super) fn sample_channels(
    joints: &[Joint],
    channels: &JointChannels,
    from: usize,
    to: usize,
    t: f32,
    [animated, posed]: &mut [Vec<JointTransform>; 2],
) {
    let stride = channels.stride as usize;
    let numbers = |frame: usize| channels.components.get(frame * stride..(frame + 1) * stride).unwrap_or_default();
    let (from, to) = (numbers(from), numbers(to));
    animated.clear();
    for joint in &channels.joints {
        let local = match t {
            _ if t <= 0.0 => local_joint(joint, from),
            _ if t >= 1.0 => local_joint(joint, to),
            _ => blend_joints(local_joint(joint, from), local_joint(joint, to), t),
        };
        let parent = joint.parent.and_then(|parent| animated.get(parent as usize));
        animated.push(parent.map_or(local, |parent| parent.then_inner(local)));
    }
    posed.clear();
    for (joint, own) in joints.iter().zip(&channels.joint_of_mesh) {
        let own = own.and_then(|own| animated.get(own as usize)).copied();
        let transform = own.unwrap_or_else(|| {
            let parent = |list: fn(&Joint) -> JointTransform| {
                joint.parent.and_then(|parent| joints.get(parent as usize)).map(list)
            };
            let parent_posed = joint.parent.and_then(|parent| posed.get(parent as usize));
            match (parent(|parent| parent.bind), parent_posed) {
                (Some(bind), Some(parent)) => parent.then_inner(bind.inverse().then_inner(joint.bind)),
                _ => joint.bind,
            }
        });
        posed.push(transform);
    }
}

/// Blends two transforms relative to the same parent.
pub(crate) fn blend_joints(a: JointTransform, b: JointTransform, t: f32) -> JointTransform {
    JointTransform { rotation: slerp(a.rotation, b.rotation, t), translation: a.translation.lerp(b.translation, t) }
}

fn local_joint(joint: &ChannelJoint, frame: &[f32]) -> JointTransform {
    let [x, y, z] = joint.translation.to_array();
    let [i, j, k] = joint.rotation_xyz.to_array();
    let mut components = [x, y, z, i, j, k];
    let mut numbers = frame.get(joint.first as usize..).unwrap_or_default().iter();
    for (bit, component) in components.iter_mut().enumerate() {
        if joint.flags >> bit & 1 != 0
            && let Some(number) = numbers.next()
        {
            *component = *number;
        }
    }
    let [x, y, z, i, j, k] = components;
    JointTransform { rotation: quaternion_of_xyz(Vec3::new(i, j, k)), translation: Vec3::new(x, y, z) }
}
