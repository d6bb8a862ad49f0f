//! Numbers from their digits, to the bit as [`str::parse`] gives them: what is written plainly in a few operations, all
//! else the long way.

/// Powers of ten that double precision holds exactly.
const POWERS: [f64; 19] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];
/// What one over each of them is rounded to: to multiply takes a third of the time that to divide does.
const INVERSE_POWERS: [f64; 19] = [
    1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17,
    1e-18,
];
/// Digits that 63 bits hold, whichever they are.
const MOST_DIGITS: usize = 18;

/// The number that these bytes are; none if they are no number.
pub(super) fn number(bytes: &[u8]) -> Option<f32> {
    match plain_number(bytes) {
        Some((number, length)) if length == bytes.len() => Some(number),
        _ => std::str::from_utf8(bytes).ok()?.parse().ok(),
    }
}

/// The whole number that these bytes are; none if they are none.
pub(super) fn integer(bytes: &[u8]) -> Option<i64> {
    match plain_integer(bytes) {
        Some((integer, length)) if length == bytes.len() => Some(integer),
        _ => std::str::from_utf8(bytes).ok()?.parse().ok(),
    }
}

/// The decimal number that bytes begin with, and how many of them it takes. None where there is no such number, or one that
/// takes more thought: what follows it may still make another of it.
#[inline]
pub(super) fn plain_number(bytes: &[u8]) -> Option<(f32, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let mut at = usize::from(negative);
    let mut digits = 0;
    let mut count = take_digits(bytes.get(at..)?, &mut digits);
    at += count;
    let mut exponent = 0;
    if bytes.get(at) == Some(&b'.') {
        let places = take_many_digits(bytes.get(at + 1..)?, &mut digits);
        at += 1 + places;
        count += places;
        exponent = -i32::try_from(places).ok()?;
    }
    if count == 0 || count > MOST_DIGITS {
        return None;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let (power, length) = power_of_ten(bytes.get(at + 1..)?)?;
        at += 1 + length;
        exponent += power;
    }
    let single = nearest(digits, exponent)?;
    Some((if negative { -single } else { single }, at))
}

/// The same of a whole number.
#[inline]
pub(super) fn plain_integer(bytes: &[u8]) -> Option<(i64, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut digits = 0;
    let count = take_digits(bytes.get(start..)?, &mut digits);
    let value = i64::try_from(digits).ok().filter(|_| (1..=MOST_DIGITS).contains(&count))?;
    Some((if negative { -value } else { value }, start + count))
}

/// What follows an `e`, and how many bytes it takes.
fn power_of_ten(bytes: &[u8]) -> Option<(i32, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let mut digits = 0;
    let count = take_digits(bytes.get(start..)?, &mut digits);
    let power = i32::try_from(digits).ok().filter(|_| (1..=MOST_DIGITS).contains(&count) && digits < 1000)?;
    Some((if negative { -power } else { power }, start + count))
}

/// The single nearest to `digits` times a power of ten; none where that takes more thought.
fn nearest(digits: u64, exponent: i32) -> Option<f32> {
    /// Bits of a double that a single does not have, and what they are halfway between two singles.
    const SURPLUS: u64 = (1 << 29) - 1;
    const MIDDLE: u64 = 1 << 28;
    if digits == 0 {
        return Some(0.0);
    }
    let powers = if exponent < 0 { &INVERSE_POWERS } else { &POWERS };
    // Each is rounded at most once, and so is what comes of them: together no more than three of the last bits.
    let value = digits.cast_signed() as f64 * powers.get(exponent.unsigned_abs() as usize)?;
    // To round again is wrong only where those bits decide which of two singles is nearer.
    let near_middle = (value.to_bits() & SURPLUS).abs_diff(MIDDLE) <= 4;
    let is_normal = (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&value);
    #[allow(clippy::cast_possible_truncation, reason = "it is rounded to the nearest")]
    (is_normal && !near_middle).then_some(value as f32)
}

/// Adds the digits that bytes begin with to those that came before; how many there are.
fn take_digits(bytes: &[u8], digits: &mut u64) -> usize {
    let mut count = 0;
    for byte in bytes {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *digits = digits.wrapping_mul(10).wrapping_add(digit.into());
        count += 1;
    }
    count
}

/// The same where many are likely.
fn take_many_digits(bytes: &[u8], digits: &mut u64) -> usize {
    let mut rest = bytes;
    while let Some((eight, after)) = rest.split_first_chunk::<8>()
        && let Some(value) = eight_digits(*eight)
    {
        *digits = digits.wrapping_mul(100_000_000).wrapping_add(value);
        rest = after;
    }
    bytes.len() - rest.len() + take_digits(rest, digits)
}

/// The number that eight digits make, if that is what they are: all at once, the first in the lowest byte.
fn eight_digits(bytes: [u8; 8]) -> Option<u64> {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    // Digits become 0 to 9; of those alone adding 0x76 leaves the highest bit of every byte clear.
    let values = u64::from_le_bytes(bytes) ^ (EACH * 0x30);
    if (values.wrapping_add(EACH * 0x76) | values) & (EACH * 0x80) != 0 {
        return None;
    }
    // Two digits in every other byte, then four, then all of them.
    let pairs = (values * 10 + (values >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some((fours & 0xffff) * 10_000 + (fours >> 32))
}
