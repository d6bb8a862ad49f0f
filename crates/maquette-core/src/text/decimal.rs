//! Numbers from their digits. All functions agree with [`str::parse`] to the bit.

/// Number of digits that 63 bits hold, whatever the digits are.
const SAFE_DIGITS: usize = 18;

/// The number that these bytes are. `None` if they are not a number.
pub(super) fn number(bytes: &[u8]) -> Option<f32> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// The whole number that these bytes are. `None` if they are not a whole number.
pub(super) fn integer(bytes: &[u8]) -> Option<i64> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// The number that bytes begin with, and its length in bytes. What follows can still make a word of both.
#[inline]
pub(super) fn plain_number(bytes: &[u8]) -> Option<(f32, usize)> {
    fast_float2::parse_partial(bytes).ok()
}

/// Like [`plain_number`], but reads a whole number: at most [`SAFE_DIGITS`] digits, with or without a minus before them.
#[inline]
pub(super) fn plain_integer(bytes: &[u8]) -> Option<(i64, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let (mut value, mut count) = (0_i64, 0);
    for digit in bytes.get(start..)?.iter().map(|byte| byte.wrapping_sub(b'0')).take_while(|digit| *digit <= 9) {
        value = value.wrapping_mul(10).wrapping_add(digit.into());
        count += 1;
    }
    (1..=SAFE_DIGITS).contains(&count).then_some((if negative { -value } else { value }, start + count))
}
