//! Decomposition of transforms into translation, rotation and scale.

use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3A, Quat, Vec3};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transform {
    pub translation: Vec3,
    pub rotation: Quat,
    pub scale: Vec3,
}

/// Scales within this distance of 1 become 1; floats are not more precise.
const NO_SCALE: f32 = 1e-6;
/// Iterations of the polar decomposition; each about doubles the number of correct digits.
const STEPS: usize = 12;

impl Transform {
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    pub fn from_affine(transform: &Affine3A) -> Self {
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

    pub fn rigid(self) -> Self {
        Self { scale: self.scale.signum(), ..self }
    }

    pub fn unscaled(self) -> Self {
        Self { scale: Vec3::ONE, ..self }
    }

    pub fn matrix(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    pub fn degrees_from(self, transform: &Affine3A) -> f32 {
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
