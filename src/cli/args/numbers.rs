//! Parsers of numbers. Every message states the accepted values.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// Returns a parser of numbers in a range.
pub(super) fn within<T>(min: T, max: T, what: &'static str) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Copy + PartialOrd + FromStr + Display,
{
    move |text| {
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| format!("expected {min} to {max} {what}"))
    }
}

/// Returns a parser of numbers that are at least `min`. `expected` describes them.
pub(super) fn at_least<T>(min: T, expected: &'static str) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Copy + PartialOrd + FromStr,
{
    move |text| {
        let number = text.parse().ok().filter(|number| *number >= min);
        number.ok_or_else(|| format!("expected {expected}"))
    }
}

/// Returns a parser of frame numbers. The command compares them with the frames of the model.
pub(super) fn frame() -> impl Fn(&str) -> Result<f64, String> + Clone {
    at_least(f64::NEG_INFINITY, "a frame number from 0, for example 12 or 2.5")
}

/// Returns a parser of LODs. The command compares them with the LODs of the model.
pub(super) fn lod() -> impl Fn(&str) -> Result<u32, String> + Clone {
    at_least(0, "a whole number from 0, the finest LOD")
}

/// Returns a parser of numbers of threads.
pub(super) fn jobs() -> impl Fn(&str) -> Result<NonZeroUsize, String> + Clone {
    at_least(NonZeroUsize::MIN, "a whole number of 1 or more models")
}
