//! Keywords before the animations.

use super::tokens::{Words, number};
use crate::text::Token;

const ELITE_FORCE_STEPS: [&str; 4] = ["borg", "reaver", "species", "warbot"];

#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    pub fixed_legs: bool,
    pub fixed_torso: bool,
    pub quake_three: bool,
    pub elite_force: bool,
    pub skeletal: bool,
    pub version: Option<f64>,
}

impl Header {
    pub fn read<'a>(&mut self, word: &Token<'a>, words: &mut Words<'a>) -> bool {
        if word.is("fixedlegs") {
            self.fixed_legs = true;
        } else if word.is("fixedtorso") {
            self.fixed_torso = true;
        } else if word.is("headoffset") {
            words.skip_numbers(3);
        } else if word.is("sex") {
            // Gender of the sounds.
            words.next();
        } else if word.is("footsteps") {
            self.elite_force |= words.next().is_some_and(|steps| steps.is_any(&ELITE_FORCE_STEPS));
        } else if word.is("soundpath") {
            self.elite_force = true;
            words.next();
        } else {
            return self.read_wolfenstein(word, words);
        }
        self.quake_three = true;
        true
    }

    fn read_wolfenstein<'a>(&mut self, word: &Token<'a>, words: &mut Words<'a>) -> bool {
        if word.is("version") {
            self.version = words.next().and_then(|version| number(&version)).or(Some(0.0));
        } else if word.is("skeletal") {
            self.skeletal = true;
        } else {
            return false;
        }
        true
    }

    pub fn is_wolfenstein(&self) -> bool {
        self.skeletal || self.version.is_some()
    }
}
