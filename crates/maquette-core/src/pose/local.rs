//! Joints of an IQM animation: decoding, blending relative to the parents, composition.

use glam::{Affine3A, Mat3A, Vec3};

use super::bone::slerp;
use super::chunk::Chunk;
use crate::model::{Binding, Joint, LocalFrames, LocalTransform, push_child};

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

/// Computes the change of each joint since the bind pose, for vectors.
pub(super) fn changes(frames: &LocalFrames, joints: &[Affine3A], changes: &mut Vec<Mat3A>) {
    changes.clear();
    let change = |(index, joint): (usize, &Affine3A)| joint.matrix3 * frames.skeleton.to_joint(index).matrix3;
    changes.extend(joints.iter().enumerate().map(change));
}

/// Replaces the normals of `part` by those of ioquake3 (`tr_model_iqm.c`, `RB_IQMSurfaceAnim`): the cofactors of the
/// weighted sum of the changes transform the normal of the bind pose. Normals without a direction are kept.
pub(super) fn turn_normals(binding: &Binding, changes: &[Mat3A], part: Chunk<'_>) {
    let vertices = binding.vertices.iter().zip(&binding.bind).skip(part.first);
    for ((vertex, bind), to) in vertices.zip(part.normals) {
        let mut sum = Mat3A::ZERO;
        for weight in binding.weights_of(*vertex) {
            if let Some(change) = changes.get(weight.joint as usize) {
                sum += *change * weight.bias;
            }
        }
        let (Mat3A { x_axis: x, y_axis: y, z_axis: z }, normal) = (sum, bind.normal);
        let turned = y.cross(z) * normal.x + z.cross(x) * normal.y + x.cross(y) * normal.z;
        if let Some(unit) = Vec3::from(turned).try_normalize() {
            *to = unit;
        }
    }
}
