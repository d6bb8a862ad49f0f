//! Joints of an IQM animation: decoding, blending relative to the parents, composition.

use fearless_simd::{Level, Simd, dispatch};
use glam::{Affine3A, Mat3A, Vec3};

use super::bone::slerp;
use super::lanes::{BLOCK, Columns, Sums, by_component, each, four};
use super::skin_vertices::row;
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

/// Replaces `normals`, those of the vertices from `first` on, by those of ioquake3 (`tr_model_iqm.c`,
/// `RB_IQMSurfaceAnim`): the cofactors of the weighted sum of the changes transform the normal of the bind pose. Normals
/// without a direction are kept.
pub(super) fn turn_normals(binding: &Binding, changes: &[Mat3A], first: usize, normals: &mut [Vec3]) {
    dispatch!(Level::new(), simd => turn_in(simd, binding, changes, first, normals));
}

#[inline(always)]
fn turn_in<S: Simd>(simd: S, binding: &Binding, changes: &[Mat3A], first: usize, normals: &mut [Vec3]) {
    let vertices = binding.vertices.get(first..).unwrap_or_default();
    let bind = binding.bind.get(first..).unwrap_or_default();
    let mut sums = Sums::new();
    for ((vertices, bind), normals) in vertices.chunks(BLOCK).zip(bind.chunks(BLOCK)).zip(normals.chunks_mut(BLOCK)) {
        // Pad the last block with vertices that have no weights.
        let mut whole = [(0, 0); BLOCK];
        let mut stored = [Vec3::Z; BLOCK];
        whole.iter_mut().zip(vertices).for_each(|(to, vertex)| *to = *vertex);
        stored.iter_mut().zip(bind).for_each(|(to, bind)| *to = bind.normal);
        for ((vertices, stored), sum) in whole.as_chunks().0.iter().zip(stored.as_chunks().0).zip(sums.each()) {
            let [[a, e, i], [b, f, j], [c, g, k], [d, h, l]] =
                each(*vertices, |vertex| changed(simd, binding, vertex, changes));
            let x = by_component(simd, [a, b, c, d]);
            let y = by_component(simd, [e, f, g, h]);
            let z = by_component(simd, [i, j, k, l]);
            let normal = by_component(simd, each(*stored, |normal: Vec3| row(simd, normal.into())));
            let [along_x, along_y, along_z] = [cross(y, z), cross(z, x), cross(x, y)];
            let turned =
                |axis: usize| along_x[axis] * normal[0] + along_y[axis] * normal[1] + along_z[axis] * normal[2];
            sum.keep(simd, [turned(0), turned(1), turned(2)]);
        }
        let mut turned = [Vec3::ZERO; BLOCK];
        sums.write_unit(simd, &mut turned);
        for ((to, turned), length) in normals.iter_mut().zip(turned).zip(sums.lengths()) {
            if Sums::has_length(*length) {
                *to = turned;
            }
        }
    }
}

/// Returns the columns of the weighted sum of the changes.
#[inline(always)]
fn changed<S: Simd>(simd: S, binding: &Binding, vertex: (u32, u32), changes: &[Mat3A]) -> Columns<S> {
    let mut sum = [four(simd, 0.0); 3];
    for weight in binding.weights_of(vertex) {
        if let Some(Mat3A { x_axis, y_axis, z_axis }) = changes.get(weight.joint as usize) {
            for (sum, axis) in sum.iter_mut().zip([x_axis, y_axis, z_axis]) {
                *sum += row(simd, *axis) * weight.bias;
            }
        }
    }
    sum
}

#[inline(always)]
fn cross<S: Simd>(a: Columns<S>, b: Columns<S>) -> Columns<S> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
