//! Parser of `animation.cfg` and `wolfanim.cfg`, which name ranges of a player's frames.
//!
//! The parser distinguishes six dialects by content. Sources: Quake III `cg_players.c` (`CG_ParseAnimationFile`),
//! Elite Force multiplayer `cg_players.c`, Elite Force single player `NPC_stats.cpp` (`G_ParseAnimationFile`), Return
//! to Castle Wolfenstein `bg_animation.c` (`BG_AnimParseAnimConfig`), qfusion `cg_pmodels.cpp`
//! (`CG_ParseAnimationScript`).
//!
//! - `positional`: rows of four numbers in a fixed order of animations.
//! - `named`: `NAME first count loop fps`.
//! - `wolfenstein`: rows or named lines between `STARTANIMS` and `ENDANIMS`, and frames of the head.
//! - [`enemy_territory`]: lists of clips in MDX files.
//! - `clips`: the animations that a model of a given length plays.
//!
//! Parsing never fails: unknown text is skipped with a warning.

mod clips;
pub mod enemy_territory;
mod header;
mod named;
mod positional;
mod row;
mod tokens;
mod wolfenstein;

pub use clips::BodyPart;
pub(crate) use positional::{quake_three_clips, team_arena_clips};

use glam::{Affine3A, Quat, Vec3};

use crate::error::{LoadError, WarningKind, Warnings};
use header::Header;
use tokens::Words;

use crate::bytes::Source;
use crate::limits::MAX_TEXT_BYTES;
use crate::text::{Statements, readable};

/// Dialect of an animation file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Quake III: 25 or 31 rows in a fixed order; loops are a number of frames at the end.
    #[default]
    QuakeThree,
    /// Elite Force multiplayer: the first 25 rows of Quake III, detected by words that only this game has.
    EliteForceMultiplayer,
    /// Elite Force single player and Jedi Academy: named lines; loops are the frame to return to, −1 for none.
    EliteForce,
    /// Named lines with loops as in Quake III (Turtle Arena).
    Named,
    /// Return to Castle Wolfenstein: `wolfanim.cfg`.
    Wolfenstein,
    /// qfusion (Warsow, Warfork): rows in a fixed order for one skeletal model; the second number is the last frame.
    Qfusion,
}

impl Dialect {
    /// Returns whether animations are identified by their row, and numbered through the parts of a player.
    pub fn is_positional(self) -> bool {
        matches!(self, Self::QuakeThree | Self::EliteForceMultiplayer)
    }
}

/// Contents of an `animation.cfg`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationConfig {
    /// Detected dialect.
    pub dialect: Dialect,
    /// Animations of the body, in file order.
    pub entries: Vec<Entry>,
    /// Animations of the head's model, counted from its first frame (Wolfenstein).
    pub head_entries: Vec<Entry>,
    /// Whether `entries` are for a skeleton (MDS), and not for models that are attached to it.
    pub skeletal: bool,
    /// Whether the legs keep the torso's yaw.
    pub fixed_legs: bool,
    /// Whether the torso keeps its pitch.
    pub fixed_torso: bool,
    /// Number of frames that were subtracted from the frames of the legs, because the legs' model lacks them.
    pub legs_shift: i64,
    /// Tags at joints (qfusion).
    pub tags: Vec<JointTag>,
}

/// Tag at a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTag {
    /// Name of the joint.
    pub joint: String,
    /// Name of the tag.
    pub name: String,
    /// Position in the space of the joint, in units.
    pub offset: Vec3,
    /// Pitch, yaw and roll in degrees. A positive pitch turns the nose down.
    pub angles: [f32; 3],
}

impl JointTag {
    /// Returns the transform from tag space to joint space.
    pub fn transform(&self) -> Affine3A {
        let [pitch, yaw, roll] = self.angles.map(f32::to_radians);
        let rotation = Quat::from_rotation_z(yaw) * Quat::from_rotation_y(pitch) * Quat::from_rotation_x(roll);
        Affine3A::from_rotation_translation(rotation, self.offset)
    }
}

/// Animation in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name in the file, or the games' name for the row.
    pub name: String,
    /// First frame. In files of rows, the frames of the legs are already shifted to the legs' model
    /// ([`AnimationConfig::legs_shift`]).
    pub first: u32,
    /// Number of frames; may be 0.
    pub count: u32,
    /// Number of looping frames at the end, at most `count`; 0 holds the last frame.
    pub loop_frames: u32,
    /// Frames per second, 0.1 to 1000.
    pub frames_per_second: f32,
    /// Whether the animation plays backwards.
    pub reversed: bool,
}

impl AnimationConfig {
    /// Parses a file of any dialect.
    #[must_use]
    pub fn parse(bytes: &[u8], warnings: &mut Warnings) -> Self {
        Self::parse_from(&Source::new("animation.cfg", bytes), warnings).0
    }

    /// Like [`Self::parse`], for a player of qfusion, also without the words that only its files have.
    #[must_use]
    pub fn parse_qfusion(bytes: &[u8], warnings: &mut Warnings) -> Self {
        let header = Header { qfusion: true, ..Header::default() };
        Self::parse_with(&Source::new("animation.cfg", bytes), header, warnings).0
    }

    /// Like [`Self::parse`], and records keywords and animations in the recorder of `source`. With a recorder, also
    /// returns the error that ended parsing early, if any.
    #[must_use]
    pub fn parse_from(source: &Source, warnings: &mut Warnings) -> (Self, Option<LoadError>) {
        Self::parse_with(source, Header::default(), warnings)
    }

    fn parse_with(source: &Source, mut header: Header, warnings: &mut Warnings) -> (Self, Option<LoadError>) {
        let (bytes, statements) = (source.bytes(), Statements::new(source));
        let bytes = readable(bytes, MAX_TEXT_BYTES, warnings);
        statements.read_to(bytes.len() as u64);
        let words = Words::new(bytes);
        let noted = || words.clone().noted(&statements);
        let mut rest = words.clone();
        let config = match Shape::find(&mut rest, &mut header) {
            Shape::Rows => {
                if statements.are_noted() {
                    Shape::find(&mut noted(), &mut Header::default());
                }
                positional::read(rest.noted(&statements), header, warnings)
            }
            Shape::Names => named::read(noted(), warnings),
            Shape::Wolfenstein => wolfenstein::read(noted(), warnings),
        };
        if config.entries.is_empty() && config.head_entries.is_empty() {
            warnings.add(WarningKind::Inconsistent, "", "the file has no animations");
        }
        (config, if statements.are_noted() { words.fault() } else { None })
    }
}

enum Shape {
    Rows,
    Names,
    Wolfenstein,
}

impl Shape {
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
            // An unknown word with exactly four numbers is an animation. Otherwise it is a keyword, and up to three
            // numbers, or those on its line, are its values. Rows begin after a keyword if its line has no numbers,
            // exactly four or more than any keyword has.
            let values = match words.numbers_ahead(word.line) {
                (_, 4) => return Self::Names,
                (_, all @ 0..=3) => all,
                (on_line @ (1..=3 | 5..=8), _) => on_line,
                _ => {
                    words.end(&word);
                    words.count_unknown(&word);
                    return Self::Rows;
                }
            };
            words.skip_numbers(values);
            words.end(&word);
            words.count_unknown(&word);
        }
    }
}
