//! Decoding and blending of bones stored as matrices (MDR).
//!
//! The game blends each matrix entry separately, which shrinks a mesh by the cosine of half the angle between two
//! frames. Here rotations are slerped and translations lerped if the matrices are rotations, with or without scale.
//! Sheared, mirrored and flat matrices are blended as in the game.

use glam::{Affine3A, Mat3A, Quat, Vec3A};

use super::BoneBlend;
use crate::model::PackedMatrix;

/// Decodes a plain bone: three rows of (r r r t).
pub(super) fn plain_bone(rows: &[f32; 12]) -> Affine3A {
    let [a, b, c, x, d, e, f, y, g, h, i, z] = *rows;
    Affine3A {
        matrix3: Mat3A::from_cols(Vec3A::new(a, d, g), Vec3A::new(b, e, h), Vec3A::new(c, f, i)),
        translation: Vec3A::new(x, y, z),
    }
}

/// Decodes a compressed bone: translation in 1/64 unit, then rows of the rotation in 1/32766, all biased by 32768.
pub(super) fn packed_bone(words: &PackedMatrix) -> Affine3A {
    let [x, y, z, a, b, c, d, e, f, g, h, i] = words.map(|word| f32::from(word) - 32768.0);
    let rotation = Mat3A::from_cols(Vec3A::new(a, d, g), Vec3A::new(b, e, h), Vec3A::new(c, f, i));
    Affine3A { matrix3: rotation * (1.0 / 32766.0), translation: Vec3A::new(x, y, z) / 64.0 }
}

pub(super) fn blend_bones(
    from: impl Fn() -> Affine3A,
    to: impl Fn() -> Affine3A,
    t: f32,
    blend: BoneBlend,
) -> Affine3A {
    if t <= 0.0 {
        return from();
    }
    if t >= 1.0 {
        return to();
    }
    let (from, to) = (from(), to());
    let matrix3 = match blend {
        BoneBlend::Slerp => turned(from.matrix3, to.matrix3, t),
        BoneBlend::Engine => None,
    };
    Affine3A {
        matrix3: matrix3.unwrap_or_else(|| from.matrix3 * (1.0 - t) + to.matrix3 * t),
        translation: from.translation.lerp(to.translation, t),
    }
}

/// Blends two bones relative to their parent as dual quaternions, as DarkPlaces does (`mod_skeletal_animatevertices`), so
/// that a bone moves along an arc. Scales are blended linearly; flat and mirrored matrices entry by entry.
pub(super) fn blend_relative(from: Affine3A, to: Affine3A, t: f32) -> Affine3A {
    if t <= 0.0 || from == to {
        return from;
    }
    if t >= 1.0 {
        return to;
    }
    let (Some((a, from_scale)), Some((mut b, to_scale))) = (row_scale(from.matrix3), row_scale(to.matrix3)) else {
        return Affine3A {
            matrix3: from.matrix3 * (1.0 - t) + to.matrix3 * t,
            translation: from.translation.lerp(to.translation, t),
        };
    };
    if a.dot(b) < 0.0 {
        b = -b;
    }
    // Twice the dual part: the translation as a pure quaternion, times the rotation.
    let dual = |translation: Vec3A, rotation: Quat| Quat::from_vec4(translation.extend(0.0)) * rotation;
    let rotation = a * (1.0 - t) + b * t;
    let dual = dual(from.translation, a) * (1.0 - t) + dual(to.translation, b) * t;
    let moved = dual * rotation.conjugate();
    let turn = Mat3A::from_quat(rotation.normalize());
    Affine3A {
        matrix3: Mat3A::from_diagonal(from_scale.lerp(to_scale, t).into()) * turn,
        translation: Vec3A::new(moved.x, moved.y, moved.z) / rotation.length_squared(),
    }
}

/// Returns the rotation of a matrix and the lengths of its rows. `None` if it is flat or mirrored.
fn row_scale(matrix: Mat3A) -> Option<(Quat, Vec3A)> {
    let rows = matrix.transpose();
    let lengths = Vec3A::new(rows.x_axis.length(), rows.y_axis.length(), rows.z_axis.length());
    let unit = Mat3A::from_cols(rows.x_axis / lengths.x, rows.y_axis / lengths.y, rows.z_axis / lengths.z).transpose();
    (unit.determinant() > 0.5).then(|| (Quat::from_mat3a(&unit).normalize(), lengths))
}

fn turned(from: Mat3A, to: Mat3A, t: f32) -> Option<Mat3A> {
    let ((from, from_scale), (to, to_scale)) = (decompose(from)?, decompose(to)?);
    let rotation = Mat3A::from_quat(slerp(from, to, t));
    let scale = from_scale.lerp(to_scale, t);
    Some(Mat3A::from_cols(rotation.x_axis * scale.x, rotation.y_axis * scale.y, rotation.z_axis * scale.z))
}

fn decompose(matrix: Mat3A) -> Option<(Quat, Vec3A)> {
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let [x, y, z] = columns.map(Vec3A::length);
    let dots = [(0, 1), (0, 2), (1, 2)].map(|(a, b): (usize, usize)| columns[a].dot(columns[b]));
    let determinant = matrix.determinant();
    let rigid = [x, y, z].iter().all(|length| (length - 1.0).abs() <= 0.01)
        && dots.iter().all(|dot| dot.abs() <= 0.01)
        && determinant > 0.9;
    let scaled = [x, y, z].iter().all(|length| (0.2..=5.0).contains(length))
        && dots.iter().zip([x * y, x * z, y * z]).all(|(dot, product)| dot.abs() <= 0.05 * product)
        && determinant > 0.0;
    if !rigid && !scaled {
        return None;
    }
    let [a, b, c] = [columns[0] / x, columns[1] / y, columns[2] / z];
    let rotation = Quat::from_mat3a(&Mat3A::from_cols(a, b, c)).normalize();
    // Rounding of a compressed rotation is not scale.
    Some((rotation, if rigid { Vec3A::ONE } else { Vec3A::new(x, y, z) }))
}

/// Interpolates two rotations along the shorter arc. Uses double precision, because the angle between close quaternions
/// loses half its digits in single precision.
pub(super) fn slerp(from: Quat, to: Quat, t: f32) -> Quat {
    let (a, mut b, t) = (from.as_dquat(), to.as_dquat(), f64::from(t));
    let mut cosine = a.dot(b);
    if cosine < 0.0 {
        (b, cosine) = (-b, -cosine);
    }
    let (weight_a, weight_b) = if 1.0 - cosine < 1e-6 {
        (1.0 - t, t)
    } else {
        let angle = cosine.min(1.0).acos();
        let sine = angle.sin();
        (((1.0 - t) * angle).sin() / sine, (t * angle).sin() / sine)
    };
    (a * weight_a + b * weight_b).normalize().as_quat()
}
