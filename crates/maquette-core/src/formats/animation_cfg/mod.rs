//! `animation.cfg` and `wolfanim.cfg`: which frames of a player's parts are which animation.
//!
//! Five dialects, told apart by content. Sources: Quake III `cg_players.c` (`CG_ParseAnimationFile`), Elite Force
//! multiplayer `cg_players.c`, Elite Force single player `NPC_stats.cpp` (`G_ParseAnimationFile`), Return to Castle
//! Wolfenstein `bg_animation.c` (`BG_AnimParseAnimConfig`).
//!
//! - `positional`: rows of four numbers in a fixed order of animations.
//! - `named`: `NAME first count loop fps`.
//! - `wolfenstein`: either of them between `STARTANIMS` and `ENDANIMS`, and frames of the head.
//! - `clips`: what of it a model of so many frames plays.
//!
//! There is always a result: what is not understood is passed over and told.

mod clips;
mod header;
mod named;
mod positional;
mod row;
mod tokens;
mod wolfenstein;

pub use clips::BodyPart;

use crate::error::{LoadError, WarningKind, Warnings};
use header::Header;
use tokens::Words;

use crate::bytes::Source;
use crate::limits::MAX_TEXT_BYTES;
use crate::text::{Statements, readable};

/// How a file counts and orders its animations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Quake III: rows in a fixed order, 25 or 31 of them; a loop is a number of frames at the end.
    #[default]
    QuakeThree,
    /// Elite Force multiplayer: the first 25 rows of Quake III, known by words that only this game has.
    EliteForceMultiplayer,
    /// Elite Force single player and Jedi Academy: named lines; a loop is the frame to return to, −1 for none.
    EliteForce,
    /// Named lines whose loops are counted as in Quake III (Turtle Arena).
    Named,
    /// Return to Castle Wolfenstein: `wolfanim.cfg`.
    Wolfenstein,
}

impl Dialect {
    /// Whether animations are known by their place in the file.
    #[must_use]
    pub fn is_positional(self) -> bool {
        matches!(self, Self::QuakeThree | Self::EliteForceMultiplayer)
    }
}

/// What an `animation.cfg` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationConfig {
    /// How it was read.
    pub dialect: Dialect,
    /// The animations of the body, in file order.
    pub entries: Vec<Entry>,
    /// Those of the head's own model, counted from its first frame (Wolfenstein).
    pub head_entries: Vec<Entry>,
    /// The legs keep the torso's yaw.
    pub fixed_legs: bool,
    /// The torso does not bend up and down.
    pub fixed_torso: bool,
}

/// One animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name, as in the file or as the games call its place.
    pub name: String,
    /// First frame, after the offset of the legs.
    pub first: u32,
    /// Number of frames; may be 0.
    pub count: u32,
    /// How many frames at the end repeat, at most `count`; 0 holds the last.
    pub loop_frames: u32,
    /// 0.1 to 1000.
    pub frames_per_second: f32,
    /// Played from its last frame to its first.
    pub reversed: bool,
}

impl AnimationConfig {
    /// Reads a file of any dialect.
    #[must_use]
    pub fn parse(bytes: &[u8], warnings: &mut Warnings) -> Self {
        Self::parse_from(&Source::new("animation.cfg", bytes), warnings).0
    }

    /// The same of a source, whose recorder notes what is read: keywords, and every animation by its name. With
    /// a recorder also why it was not read to its end, if it was not.
    #[must_use]
    pub fn parse_from(source: &Source, warnings: &mut Warnings) -> (Self, Option<LoadError>) {
        let (bytes, statements) = (source.bytes(), Statements::of(source));
        let bytes = readable(bytes, MAX_TEXT_BYTES, warnings);
        statements.read_to(bytes.len() as u64);
        let words = Words::new(bytes);
        let noted = || words.clone().noted(&statements);
        let (mut rest, mut header) = (words.clone(), Header::default());
        let config = match Shape::find(&mut rest, &mut header) {
            Shape::Rows => {
                if statements.are_noted() {
                    // What was looked at was the header.
                    Shape::find(&mut noted(), &mut Header::default());
                }
                positional::read(rest.noted(&statements), header, warnings)
            }
            Shape::Names => named::read(noted(), warnings),
            Shape::Wolfenstein => wolfenstein::read(noted(), warnings),
        };
        if config.entries.is_empty() && config.head_entries.is_empty() {
            warnings.add(WarningKind::Inconsistent, "", "there is no animation in the file");
        }
        (config, if statements.are_noted() { words.fault() } else { None })
    }
}

/// What kind of lines a file has.
enum Shape {
    Rows,
    Names,
    Wolfenstein,
}

impl Shape {
    /// The first thing that is no keyword of a header decides. Rows begin where `words` then are.
    fn find(words: &mut Words, header: &mut Header) -> Self {
        loop {
            let here = words.clone();
            let Some(word) = words.next() else { return Self::Names };
            if word.is_any(&["STARTANIMS", "ENDANIMS", "HEADFRAMES"]) {
                return Self::Wolfenstein;
            }
            if tokens::number(&word).is_some() {
                *words = here;
                return Self::Rows;
            }
            if header.read(&word, words) {
                if header.is_wolfenstein() {
                    return Self::Wolfenstein;
                }
                words.end(&word);
                continue;
            }
            // An unknown keyword may have values of its own. More numbers than any keyword has are rows in one long line; four
            // on its line and more below are a row after it, as the games take it.
            let values = match words.numbers_ahead(word.line) {
                (_, 4) => return Self::Names,
                (_, all @ 0..=3) => all,
                (on_line @ (1..=3 | 5..=8), _) => on_line,
                _ => {
                    words.end(&word);
                    words.pass_over(&word);
                    return Self::Rows;
                }
            };
            words.skip_numbers(values);
            words.end(&word);
            words.pass_over(&word);
        }
    }
}
