//! Checks and conversions of stored numbers.

use glam::Vec3;

use crate::limits::MAX_COORDINATE;

/// Returns whether a stored number is finite and within [`MAX_COORDINATE`].
pub fn is_usable(number: f32) -> bool {
    number.abs() <= MAX_COORDINATE
}

/// Converts a count or an index to 32 bits. Numbers out of range, including negative ones, become `u32::MAX`.
pub fn u32_or_max(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// Returns the coordinates of a vector, with 0 for those that are infinite or NaN.
pub fn finite(vector: Vec3) -> [f32; 3] {
    vector.to_array().map(|number| if number.is_finite() { number } else { 0.0 })
}

/// Returns whether all numbers are usable. Branch-free, so that it vectorises.
pub(crate) fn are_usable(numbers: &[f32]) -> bool {
    // Without the sign bit, floats order like their bits, and infinity and NaN are above all others. A difference is
    // negative if its number exceeds the limit.
    let left =
        |number: &f32| (MAX_COORDINATE.to_bits().cast_signed()) - (number.to_bits() & (u32::MAX >> 1)).cast_signed();
    numbers.iter().fold(0, |all, number| all | left(number)) >= 0
}
