//! Numbers of text files that are not finite or too large.

use crate::error::{Fault, FilePosition, Warning, WarningKind, Warnings};
use crate::model::is_usable;

/// Message about numbers in a list, for one and for several.
pub(super) const UNUSABLE: [&str; 2] = [
    "number is not finite or beyond a billion; replaced by 0",
    "numbers are not finite or beyond a billion; replaced by 0",
];

/// Returns a number that can be used, or 0, which is then counted.
pub(super) fn finite(number: f32, broken: &mut UnusableNumbers) -> f32 {
    broken.count += usize::from(!is_usable(number));
    broken.are_infinite |= !number.is_finite();
    if is_usable(number) { number } else { 0.0 }
}

/// Numbers that are not finite or beyond a billion.
#[derive(Default)]
pub(super) struct UnusableNumbers {
    count: usize,
    /// Whether one of them is not finite, so that Doom 3 cannot read it (`Lexer.cpp`, `ReadNumber`).
    are_infinite: bool,
    /// Name and position of the first element with such a number.
    first: Option<(String, FilePosition)>,
}

impl UnusableNumbers {
    /// Stores name and position of the first element with an unusable number. Call this after each element.
    pub fn locate(&mut self, position: FilePosition, name: impl FnOnce() -> String) {
        if self.count > 0 && self.first.is_none() {
            let line = match position {
                FilePosition::Line { line, .. } => format!(", line {line}"),
                _ => String::new(),
            };
            self.first = Some((name() + &line, position));
        }
    }

    pub fn warn(&self, warnings: &mut Warnings) {
        let message = match self.count {
            0 => return,
            1 => "a number is not finite or beyond a billion; replaced by 0".to_owned(),
            count => {
                format!("{count} numbers, the first here, are not finite or beyond a billion; replaced by 0")
            }
        };
        let (about, position) = match &self.first {
            Some((name, position)) => (name.as_str(), *position),
            None => ("numbers", FilePosition::Whole),
        };
        let fault = self.are_infinite.then_some(Fault::NotFinite);
        warnings.push(Warning { fault, position, ..Warning::new(WarningKind::Substituted, about, message) });
    }
}
