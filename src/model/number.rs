//! Which stored numbers can be calculated with.

/// Largest number of a position, a scale or a weight that is used, in either direction: a product of four of them is still
/// finite, and no model is a billionth of it.
pub const LARGEST: f32 = 1e9;

/// Whether a stored number can be calculated with: finite, and not absurdly large.
#[must_use]
pub fn is_usable(number: f32) -> bool {
    number.abs() <= LARGEST
}
