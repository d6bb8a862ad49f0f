//! Joints of an IQM animation: decoding, blending relative to the parents, composition.

use glam::Affine3A;

use super::bone::slerp;
use crate::model::{Joint, LocalFrames, LocalTransform, push_child, usable};

pub(super) fn sample_local(
    joints: &[Joint],
    frames: &LocalFrames,
    from: usize,
    to: usize,
    t: f32,
    posed: &mut Vec<Affine3A>,
) {
    for (index, joint) in joints.iter().enumerate() {
        let local = match t {
            _ if t <= 0.0 => frames.transform(index, from),
            _ if t >= 1.0 => frames.transform(index, to),
            _ => {
                let (a, b) = (frames.transform(index, from), frames.transform(index, to));
                LocalTransform {
                    translation: a.translation.lerp(b.translation, t),
                    rotation: slerp(a.unit_rotation(), b.unit_rotation(), t),
                    scale: a.scale.lerp(b.scale, t),
                }
            }
        };
        push_child(joint, local, posed);
    }
}

/// Computes the change of each joint since the bind pose. Changes beyond the range of coordinates become the identity, so
/// that positions are finite.
pub(super) fn changes(frames: &LocalFrames, joints: &[Affine3A], changes: &mut Vec<Affine3A>) {
    changes.clear();
    let change = |(index, joint): (usize, &Affine3A)| usable(*joint * frames.skeleton.to_joint(index));
    changes.extend(joints.iter().enumerate().map(change));
}
