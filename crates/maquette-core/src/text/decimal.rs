//! Number parsing. All functions agree with [`str::parse`] to the bit.

/// Number of decimal digits that always fit 63 bits.
const SAFE_DIGITS: usize = 18;

pub(super) fn number(bytes: &[u8]) -> Option<f32> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

pub(super) fn integer(bytes: &[u8]) -> Option<i64> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// Parses the number at the start, and returns it with its length in bytes. The word may continue after it.
#[inline]
pub(super) fn plain_number(bytes: &[u8]) -> Option<(f32, usize)> {
    fast_float2::parse_partial(bytes).ok()
}

/// Like [`plain_number`], for a whole number of at most [`SAFE_DIGITS`] digits after an optional minus.
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
