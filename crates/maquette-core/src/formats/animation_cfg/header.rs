//! Keywords before the animations.

use glam::Vec3;

use super::JointTag;
use super::tokens::{Words, name_of, number};
use crate::limits::MAX_CLIPS;
use crate::model::is_usable;
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
    pub qfusion: bool,
    pub tags: Vec<JointTag>,
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
            return self.read_wolfenstein(word, words) || self.read_qfusion(word, words);
        }
        self.quake_three = true;
        true
    }

    /// Reads words about the joints of a qfusion player: roots of the parts, joints that turn with the view, and tags.
    fn read_qfusion<'a>(&mut self, word: &Token<'a>, words: &mut Words<'a>) -> bool {
        if word.is_any(&["rootanim", "rotationbone"]) {
            words.next();
            words.next();
        } else if word.is("tagmask") {
            let names = (words.next(), words.next());
            let mut numbers = [0.0; 6];
            let (on_line, _) = words.numbers_ahead(word.line);
            for slot in numbers.iter_mut().take(on_line) {
                *slot = words.next_number().map_or(0.0, |(_, number)| number as f32);
            }
            let [x, y, z, angles @ ..] = numbers;
            if let (Some(joint), Some(name)) = names
                && numbers.iter().all(|number| is_usable(*number))
                && self.tags.len() < MAX_CLIPS
            {
                let (joint, name) = (name_of(&joint), name_of(&name));
                self.tags.push(JointTag { joint, name, offset: Vec3::new(x, y, z), angles });
            }
        } else {
            return false;
        }
        self.qfusion = true;
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
