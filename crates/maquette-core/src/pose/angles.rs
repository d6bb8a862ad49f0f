//! Conversion of axes to the angles of the games' engines.

use glam::{Mat3A, Vec3};

/// Returns pitch, yaw and roll in degrees of axes whose columns are forward, left and up. Inverse of Quake's
/// `AngleVectors`, where a positive pitch looks down. Mirrored axes get the angles of forward and up. If forward is
/// straight up or down, roll is 0.
pub fn angles(axes: &Mat3A) -> Vec3 {
    let forward = axes.x_axis.normalize_or_zero();
    let up = axes.z_axis.normalize_or_zero();
    let left = up.cross(forward);
    let pitch = -forward.z.clamp(-1.0, 1.0).asin();
    let flat = forward.x.hypot(forward.y);
    let (yaw, roll) =
        if flat > 1e-4 { (forward.y.atan2(forward.x), left.z.atan2(up.z)) } else { ((-left.x).atan2(left.y), 0.0) };
    Vec3::new(pitch, yaw, roll).map(f32::to_degrees)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the axes like Quake's `AngleVectors`, but with left instead of right.
    fn angle_vectors(angles: Vec3) -> Mat3A {
        let [(sp, cp), (sy, cy), (sr, cr)] = angles.map(f32::to_radians).to_array().map(f32::sin_cos);
        Mat3A::from_cols_array(&[
            cp * cy,
            cp * sy,
            -sp,
            sr * sp * cy - cr * sy,
            sr * sp * sy + cr * cy,
            sr * cp,
            cr * sp * cy + sr * sy,
            cr * sp * sy - sr * cy,
            cr * cp,
        ])
    }

    #[test]
    fn angles_invert_angle_vectors() {
        for given in [[0.0, 0.0, 0.0], [-4.0, -7.3, -1.1], [30.0, 170.0, -120.0], [-80.0, 90.0, 45.0]] {
            let given = Vec3::from_array(given);
            assert!((angles(&angle_vectors(given)) - given).length() < 0.01, "{given}");
        }
        for given in [Vec3::new(90.0, 30.0, 0.0), Vec3::new(-90.0, -60.0, 0.0)] {
            assert!((angles(&angle_vectors(given)) - given).length() < 0.1, "{given}");
        }
        let mut mirrored = angle_vectors(Vec3::new(10.0, 20.0, 30.0));
        mirrored.y_axis = -mirrored.y_axis;
        assert!((angles(&mirrored) - Vec3::new(10.0, 20.0, 30.0)).length() < 0.01);
    }
}
