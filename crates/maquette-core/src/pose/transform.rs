//! Decomposition of transforms into translation, rotation and scale.

use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3A, Quat, Vec3, Vec3A};

use crate::model::LocalTransform;

/// Scales within this distance of 1 become 1; floats are not more precise.
const NO_SCALE: f32 = 1e-6;
/// Iterations of the polar decomposition; each about doubles the number of correct digits.
const STEPS: usize = 12;

impl LocalTransform {
    pub(crate) fn from_affine(transform: &Affine3A) -> Self {
        let columns = [transform.matrix3.x_axis, transform.matrix3.y_axis, transform.matrix3.z_axis];
        let columns = columns.map(|column| column.as_dvec3());
        let is_sound = |column: &DVec3| column.is_finite() && column.length_squared() > 1e-20;
        let translation = if transform.translation.is_finite() { transform.translation.into() } else { Vec3::ZERO };
        if !columns.iter().all(is_sound) {
            let scale =
                Vec3::from_array(columns.map(|column| if is_sound(&column) { column.length() as f32 } else { 0.0 }));
            return Self { translation, rotation: Quat::IDENTITY, scale };
        }
        let [x, y, z] = columns.map(DVec3::normalize);
        // A mirrored matrix is a rotation of a mirror image.
        let mirror = if x.cross(y).dot(z) < 0.0 { -1.0 } else { 1.0 };
        let mut rotation = DMat3::from_cols(x, y, z * mirror);
        for _ in 0..STEPS {
            if rotation.determinant().abs() < 1e-9 {
                // Degenerate: pick any rotation that keeps the first two axes.
                rotation = DMat3::from_cols(x, y, x.any_orthonormal_vector());
                let side = x.cross(y).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
                rotation = DMat3::from_cols(rotation.x_axis, side.cross(x), side);
                break;
            }
            rotation = (rotation + rotation.inverse().transpose()) * 0.5;
        }
        let along = |axis: DVec3, column: DVec3| axis.dot(column) as f32;
        let scale = [
            along(rotation.x_axis, columns[0]),
            along(rotation.y_axis, columns[1]),
            along(rotation.z_axis, columns[2]),
        ];
        let scale = scale.map(|scale| if (scale - 1.0).abs() < NO_SCALE { 1.0 } else { scale });
        let rotation = DQuat::from_mat3(&rotation).normalize().as_quat();
        Self { translation, rotation, scale: Vec3::from_array(scale) }
    }

    /// Divides the transform of a joint relative to its parent, both in model space. If a scale of 0 removed the rotation,
    /// it is that of `before`, the result of the frame before. If the transform is mirrored, the axis is chosen whose
    /// rotation is nearest to that of `before`.
    pub(crate) fn relative(parent: Option<&Affine3A>, own: &Affine3A, before: Option<&Self>) -> Self {
        let local = match (parent, before) {
            (None, _) => *own,
            // Every transform of the joint gives the same points.
            (Some(parent), Some(before)) if is_flat(parent) => return *before,
            (Some(parent), _) => parent.inverse() * *own,
        };
        let columns = [local.matrix3.x_axis, local.matrix3.y_axis, local.matrix3.z_axis].map(|axis| axis.as_dvec3());
        let Some(before) = before.filter(|_| local.is_finite() && determinant_of_axes(&local) <= FLAT) else {
            return Self::from_affine(&local);
        };
        let old = before.rotation.as_dquat();
        let candidates = (0..8_u8).filter_map(|signs| {
            let sign = |axis: usize| if signs >> axis & 1 == 1 { -1.0 } else { 1.0 };
            rotation_along(std::array::from_fn(|axis| columns[axis] * sign(axis)), old)
        });
        let nearest = candidates.max_by(|a, b| a.dot(old).abs().total_cmp(&b.dot(old).abs()));
        let Some(rotation) = nearest else { return Self::from_affine(&local) };
        let axes = DMat3::from_quat(rotation);
        let along = |axis: DVec3, column: DVec3| axis.dot(column) as f32;
        let scale =
            Vec3::new(along(axes.x_axis, columns[0]), along(axes.y_axis, columns[1]), along(axes.z_axis, columns[2]));
        Self { translation: local.translation.into(), rotation: rotation.as_quat(), scale }
    }

    pub(crate) fn rigid(self) -> Self {
        Self { scale: self.scale.signum(), ..self }
    }

    pub(crate) fn unscaled(self) -> Self {
        Self { scale: Vec3::ONE, ..self }
    }

    pub(crate) fn degrees_from(self, transform: &Affine3A) -> f32 {
        let own: Mat3A = self.matrix().matrix3;
        let pairs = [
            (own.x_axis, transform.matrix3.x_axis),
            (own.y_axis, transform.matrix3.y_axis),
            (own.z_axis, transform.matrix3.z_axis),
        ];
        let angles = pairs.map(|(own, theirs)| {
            if own.length_squared() > 0.0 && theirs.length_squared() > 0.0 { own.angle_between(theirs) } else { 0.0 }
        });
        angles.into_iter().fold(0.0, f32::max).to_degrees()
    }
}

/// Determinant of unit axes below which a transform is flat: it removes a direction.
const FLAT: f32 = 1e-6;
/// Length of an axis below which it has no direction.
const NO_LENGTH: f64 = 1e-6;

/// Returns whether a transform has no inverse.
pub(crate) fn is_flat(transform: &Affine3A) -> bool {
    determinant_of_axes(transform).abs() <= FLAT
}

/// Returns the determinant of the axes at unit length; 0 if an axis has no direction.
fn determinant_of_axes(transform: &Affine3A) -> f32 {
    let axes = [transform.matrix3.x_axis, transform.matrix3.y_axis, transform.matrix3.z_axis];
    let unit = |axis: Vec3A| if f64::from(axis.length()) < NO_LENGTH { Vec3A::ZERO } else { axis.normalize() };
    let [x, y, z] = axes.map(unit);
    Mat3A::from_cols(x, y, z).determinant()
}

/// Returns the rotation of these axes. Axes without length are free, and follow `before` as far as the others allow.
/// `None` if the axes are mirrored.
fn rotation_along(axes: [DVec3; 3], before: DQuat) -> Option<DQuat> {
    let unit = axes.map(|axis| (axis.length() >= NO_LENGTH).then(|| axis.normalize()));
    let rotation = match unit {
        [None, None, None] => return Some(before),
        [Some(axis), None, None] => return Some(DQuat::from_rotation_arc(before * DVec3::X, axis) * before),
        [None, Some(axis), None] => return Some(DQuat::from_rotation_arc(before * DVec3::Y, axis) * before),
        [None, None, Some(axis)] => return Some(DQuat::from_rotation_arc(before * DVec3::Z, axis) * before),
        [None, Some(y), Some(z)] => DMat3::from_cols(y.cross(z), y, z),
        [Some(x), None, Some(z)] => DMat3::from_cols(x, z.cross(x), z),
        [Some(x), Some(y), None] => DMat3::from_cols(x, y, x.cross(y)),
        [Some(x), Some(y), Some(z)] => DMat3::from_cols(x, y, z),
    };
    let rotation = LocalTransform::from_affine(&Affine3A::from_mat3(rotation.as_mat3()));
    (rotation.scale.min_element() > 0.0).then(|| rotation.rotation.as_dquat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_through_zero_keeps_the_rotation() {
        let rotation = Quat::from_rotation_y(0.7);
        let at = |scale: Vec3| Affine3A::from_scale_rotation_translation(scale, rotation, Vec3::X);
        let mut before = LocalTransform::relative(None, &at(Vec3::ONE), None);
        for (y, z) in [(0.5, 1.0), (0.0, 1.0), (-0.5, 1.0), (-1.0, 0.0), (0.0, 0.0), (1.0, 1.0)] {
            let wanted = Vec3::new(1.0, y, z);
            let own = LocalTransform::relative(None, &at(wanted), Some(&before));
            assert!(own.rotation.dot(rotation).abs() > 1.0 - 1e-6, "{wanted}: {}", own.rotation);
            assert!(own.scale.abs_diff_eq(wanted, 1e-5), "{wanted}: {}", own.scale);
            before = own;
        }
    }

    #[test]
    fn child_of_a_flat_joint_stays_as_before() {
        let parent = |scale: f32| Affine3A::from_scale(Vec3::new(1.0, scale, 1.0));
        let child = Affine3A::from_rotation_translation(Quat::from_rotation_x(1.2), Vec3::new(1.0, 2.0, 3.0));
        let before = LocalTransform::relative(Some(&parent(1.0)), &child, None);
        let flat = LocalTransform::relative(Some(&parent(0.0)), &(parent(0.0) * child), Some(&before));
        assert!(flat.matrix().abs_diff_eq(child, 1e-5), "{flat:?}");
    }
}
