//! Number parsing. All functions agree with [`str::parse`] to the bit.

/// Number of decimal digits that always fit 63 bits.
const SAFE_DIGITS: usize = 18;

pub(super) fn number(bytes: &[u8]) -> Option<f32> {
    whole(plain_number(bytes), bytes).or_else(|| std::str::from_utf8(bytes).ok()?.parse().ok())
}

pub(super) fn integer(bytes: &[u8]) -> Option<i64> {
    whole(plain_integer(bytes), bytes).or_else(|| std::str::from_utf8(bytes).ok()?.parse().ok())
}

/// Returns the number if it has all bytes.
fn whole<T>(parsed: Option<(T, usize)>, bytes: &[u8]) -> Option<T> {
    parsed.filter(|(_, length)| *length == bytes.len()).map(|(number, _)| number)
}

/// Returns whether a word is a number without value as C libraries write it: `1.#INF` and `-1.#IND00` (Microsoft until
/// 2013), `-nan(ind)` (Microsoft since), `nan(0x7)`, `NaNQ` and `NaNS` (AIX).
pub(super) fn is_not_a_number(bytes: &[u8]) -> bool {
    let word = bytes.strip_prefix(b"-").or(bytes.strip_prefix(b"+")).unwrap_or(bytes).to_ascii_lowercase();
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match word.get(..3) {
        Some(b"nan") => matches!(word.get(3..), Some(b"q" | b"s")) || word.len() == 3 + payload(&word, 3),
        _ => digits > 0 && word.get(digits..).is_some_and(|rest| rest.starts_with(b".#")),
    }
}

/// Returns the length of a payload in brackets after a NaN, whose sign and name are the first `length` bytes.
pub(super) fn payload(bytes: &[u8], length: usize) -> usize {
    let Some(inside) = bytes.get(length..).and_then(|rest| rest.strip_prefix(b"(")) else { return 0 };
    let name = bytes.get(length.saturating_sub(3)..length);
    if !name.is_some_and(|name| name.eq_ignore_ascii_case(b"nan")) {
        return 0;
    }
    let inner = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    if inside.get(inner) == Some(&b')') { inner + 2 } else { 0 }
}

/// Parses the number at the start, and returns it with its length in bytes. The word may continue after it.
#[inline]
pub(crate) fn plain_number(bytes: &[u8]) -> Option<(f32, usize)> {
    fast_float2::parse_partial(bytes).ok()
}

/// Like [`plain_number`], for a whole number of at most [`SAFE_DIGITS`] digits after an optional minus.
#[inline]
pub(crate) fn plain_integer(bytes: &[u8]) -> Option<(i64, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let (mut value, mut count) = (0_i64, 0);
    for digit in bytes.get(start..)?.iter().map(|byte| byte.wrapping_sub(b'0')).take_while(|digit| *digit <= 9) {
        value = value.wrapping_mul(10).wrapping_add(digit.into());
        count += 1;
    }
    (1..=SAFE_DIGITS).contains(&count).then_some((if negative { value.wrapping_neg() } else { value }, start + count))
}
