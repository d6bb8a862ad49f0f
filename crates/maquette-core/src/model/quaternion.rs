//! Quaternions with three stored components.

use glam::{Quat, Vec3};

/// Returns the quaternion of the x, y and z in an MD5 file: w = −√|1 − (x² + y² + z²)|, then normalised. The sum is in
/// single precision as in the engine: if rounding makes it larger than 1, the engine's w is not 0.
pub fn quaternion_of_xyz(xyz: Vec3) -> Quat {
    let [x, y, z] = xyz.to_array();
    let w = -(1.0 - (x * x + y * y + z * z)).abs().sqrt();
    let quaternion = Quat::from_xyzw(x, y, z, w);
    let length = quaternion.length();
    if length.is_finite() && length > 0.0 { quaternion / length } else { Quat::IDENTITY }
}
