//! Quaternions of which only three numbers are stored.

use glam::{Quat, Vec3};

/// The quaternion of which an MD5 file stores x, y and z: w = −√|1 − (x² + y² + z²)|, then all four to unit length.
///
/// The sum is taken in single precision as the engine does: near 1 its last bit matters, and where rounding makes it
/// larger than 1 the engine's w is not 0.
#[must_use]
pub fn quaternion_of_xyz(xyz: Vec3) -> Quat {
    let [x, y, z] = xyz.to_array();
    let w = -(1.0 - (x * x + y * y + z * z)).abs().sqrt();
    let quaternion = Quat::from_xyzw(x, y, z, w);
    let length = quaternion.length();
    if length.is_finite() && length > 0.0 { quaternion / length } else { Quat::IDENTITY }
}
