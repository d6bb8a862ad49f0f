//! Which stored numbers can be calculated with.

use glam::Vec3;

use crate::limits::MAX_COORDINATE;

/// Whether a stored number can be calculated with: finite, and not absurdly large.
#[must_use]
pub fn is_usable(number: f32) -> bool {
    number.abs() <= MAX_COORDINATE
}

/// A count or an index in 32 bits. Numbers that 32 bits cannot hold, also negative ones, become `u32::MAX`.
#[must_use]
pub fn u32_or_max(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// The coordinates of a vector, with 0 for those that are infinite or not a number.
#[must_use]
pub fn finite(vector: Vec3) -> [f32; 3] {
    vector.to_array().map(|number| if number.is_finite() { number } else { 0.0 })
}

/// Whether all of these can be calculated with. All are looked at, several at a time.
pub(crate) fn are_usable(numbers: &[f32]) -> bool {
    // Without its sign a number has the greater bits the larger it is; those of what is not finite are greater still. What is
    // left to the largest is negative if one of them is.
    let left =
        |number: &f32| (MAX_COORDINATE.to_bits().cast_signed()) - (number.to_bits() & (u32::MAX >> 1)).cast_signed();
    numbers.iter().fold(0, |all, number| all | left(number)) >= 0
}
