//! What can go wrong with a file, in words a modder can act on.
//!
//! A broken file gives one [`LoadError`]: format, field (in the format's own spelling), place and reason in a single
//! sentence. What is odd but usable becomes a [`Warning`] and loading goes on.

#![forbid(unsafe_code)]

use crate::limits::MAX_WARNINGS;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePosition {
    /// Bytes from the start of the file, for binary formats.
    Byte(u64),
    /// Line and column, both from 1, for text formats.
    Line {
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
    },
    /// The file as a whole.
    Whole,
}

/// Why a file cannot be loaded.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The file ends inside a field.
    UnexpectedEnd {
        /// Bytes the field needs.
        wanted: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// The first bytes are not the format's.
    WrongMagic {
        /// What stands there, printable.
        found: String,
    },
    /// The format is known, this version of it is not.
    UnsupportedVersion {
        /// Version in the file.
        found: i64,
        /// Version we read.
        supported: i64,
    },
    /// A count is negative or beyond what any real file holds.
    CountOutOfRange {
        /// Count in the file.
        count: i64,
        /// Largest count accepted.
        max: u64,
    },
    /// A table begins or ends outside the file.
    TableOutsideFile {
        /// First byte of the table.
        offset: i64,
        /// Length of the table in bytes.
        bytes: u64,
        /// Length of the file in bytes.
        file: u64,
    },
    /// A text format has another word here than its grammar asks for.
    Expected {
        /// What the grammar asks for.
        wanted: String,
        /// What stands there.
        found: String,
    },
    /// The tables of the file together claim far more bytes than the file has.
    TooMuchData {
        /// Bytes claimed.
        claimed: u64,
        /// Length of the file in bytes.
        file: u64,
    },
    /// A file of another format, which is known by name.
    UnsupportedFormat {
        /// What it is: `a Quake model (MDL)`.
        what: &'static str,
    },
    /// There is nothing in the file.
    Empty,
    /// An animation that shares no joint with the mesh: it is sound, but another model's.
    OtherModel,
    /// Anything else, in a few words.
    Broken(String),
}

/// Why a file could not be loaded: one sentence, see [`fmt::Display`].
#[derive(Clone, Debug, PartialEq)]
pub struct LoadError {
    /// Short name of the format, as `md3`; empty if the format is not known.
    pub format: &'static str,
    /// Field in the file's own spelling, with what it lies in: `surface 2 “u_torso”: numVerts`.
    pub field: String,
    /// Where it is.
    pub place: FilePosition,
    /// The byte at which reading broke, where that is not the field itself: where an offset leads.
    pub reached: Option<u64>,
    /// What is wrong with it.
    pub reason: Reason,
}

impl LoadError {
    /// An error about `field` at `place`.
    pub fn new(format: &'static str, field: impl Into<String>, place: FilePosition, reason: Reason) -> Self {
        Self { format, field: field.into(), place, reached: None, reason }
    }

    /// Field, place and reason, as [`fmt::Display`] has them after the format.
    pub(crate) fn without_format(&self) -> String {
        Self { format: "", ..self.clone() }.to_string()
    }

    /// Puts what the field lies in before the field; used as an error travels up, so that the good path pays nothing.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        self.field = if self.field.is_empty() { outer.to_owned() } else { format!("{outer}: {}", self.field) };
        self
    }
}

/// Text from a file with control characters, line separators and bidirectional formatting characters escaped, so that it
/// cannot control a terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// An error of the system without its number: `No such file or directory`.
#[must_use]
pub fn system_reason(error: &io::Error) -> String {
    let text = error.to_string();
    let number = error.raw_os_error().map(|number| format!(" (os error {number})"));
    number.and_then(|number| text.strip_suffix(&number)).map_or(text.clone(), str::to_owned)
}

/// A number with its noun: `1 vertex`, `3 vertices`.
#[must_use]
pub fn counted<N: fmt::Display + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

/// Whether [`printable`] escapes a character. Line feeds and tabs are among them.
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The name of a format as people write it: abbreviations of three letters in capitals (MD3, PAK), words as they are (skin,
/// animation.cfg).
fn as_written(format: &str) -> Cow<'_, str> {
    if format.len() == 3 { format.to_ascii_uppercase().into() } else { format.into() }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.format.is_empty() {
            write!(f, "{}: ", as_written(self.format))?;
        }
        if !self.field.is_empty() {
            f.write_str(&printable(&self.field))?;
        }
        match self.place {
            FilePosition::Byte(at) => write!(f, " at byte {at:#x}: ")?,
            FilePosition::Line { line, column } if self.field.is_empty() => {
                write!(f, "line {line}, column {column}: ")?
            }
            FilePosition::Line { line, column } => write!(f, " at line {line}, column {column}: ")?,
            FilePosition::Whole if self.field.is_empty() => {}
            FilePosition::Whole => f.write_str(": ")?,
        }
        f.write_str(&printable(&self.reason.to_string()))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnexpectedEnd { wanted, left } => {
                write!(f, "the file ends here; {wanted} bytes are needed, {left} are left")
            }
            Self::WrongMagic { found } => write!(f, "not a model file this program knows (it begins with {found})"),
            Self::UnsupportedVersion { found, supported } => {
                write!(f, "version {found} is not supported; version {supported} is")
            }
            Self::CountOutOfRange { count, max } => write!(f, "the count {count} is outside 0 to {max}"),
            Self::TableOutsideFile { offset, bytes, file } if *offset < 0 => {
                write!(f, "the table of {bytes} bytes begins before the file ({offset}); the file has {file} bytes")
            }
            Self::TableOutsideFile { offset, bytes, file } => {
                let end = i128::from(*offset) + i128::from(*bytes);
                if i128::from(*offset) >= i128::from(*file) {
                    write!(f, "the table begins at byte {offset:#x}, but the file ends at byte {file:#x}")
                } else {
                    write!(
                        f,
                        "the table at byte {offset:#x} ends at byte {end:#x}, but the file ends at byte {file:#x}"
                    )
                }
            }
            Self::Expected { wanted, found } => write!(f, "{wanted} was expected, {found} was found"),
            Self::TooMuchData { claimed, file } => {
                write!(f, "its tables overlap: together they claim {claimed} bytes of a file of {file}")
            }
            Self::UnsupportedFormat { what } => write!(f, "this is {what}, which is not supported"),
            Self::Empty => f.write_str("the file is empty"),
            Self::OtherModel => f.write_str("none of its joints is a joint of the mesh; it belongs to another model"),
            Self::Broken(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for LoadError {}

/// What was done about something odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// A part of the file is not used: triangles, tags, frames, a line.
    LeftOut,
    /// Something that cannot be used, or is missing, was replaced by what can.
    Substituted,
    /// The file contradicts itself; nothing of it is lost.
    Inconsistent,
    /// It is about a file beside the model, or about one that is not there.
    Companion,
}

/// Something odd in a file that loads all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What was done about it, for programs.
    pub kind: WarningKind,
    /// What it is about: a field, a surface, a file.
    pub about: String,
    /// What is odd, and what was done about it.
    pub message: String,
    /// Where the field stands that it is about; the file as a whole if no single one is.
    pub place: FilePosition,
    /// The byte at which reading broke, where that is not the field itself: where an offset leads.
    pub reached: Option<u64>,
    /// The file beside the model in which that place is; none if it is the model's own.
    pub file: Option<PathBuf>,
}

impl Warning {
    /// A warning about a file beside the model.
    #[must_use]
    pub fn companion(about: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(WarningKind::Companion, about, message)
    }

    /// What is odd in a file beside the model, as a warning about the model: that file is called `name` and lies at `file`.
    #[must_use]
    pub fn of_companion(self, name: impl Into<String>, file: Option<PathBuf>) -> Self {
        Self { kind: WarningKind::Companion, message: self.to_string(), about: name.into(), file, ..self }
    }

    /// A warning about the whole file; `about` names the part of the model, and may be empty.
    pub fn new(kind: WarningKind, about: impl Into<String>, message: impl Into<String>) -> Self {
        let (about, message) = (about.into(), message.into());
        Self { kind, about, message, place: FilePosition::Whole, reached: None, file: None }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = printable(&self.message);
        if self.about.is_empty() { f.write_str(&message) } else { write!(f, "{}: {message}", printable(&self.about)) }
    }
}

/// Warnings of one file. A hostile file can have a million oddities; the first [`MAX_WARNINGS`] are kept.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    list: Vec<Warning>,
    dropped: usize,
}

/// How many warnings there were at some time.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    kept: usize,
    dropped: usize,
}

impl Warnings {
    /// Adds a warning about `about`, which says what is odd and what was done about it.
    pub fn add(&mut self, kind: WarningKind, about: impl Into<String>, message: impl Into<String>) {
        self.push(Warning::new(kind, about, message));
    }

    /// The same of a field at this place.
    pub fn add_at(
        &mut self,
        kind: WarningKind,
        about: impl Into<String>,
        message: impl Into<String>,
        place: FilePosition,
    ) {
        self.push(Warning { place, ..Warning::new(kind, about, message) });
    }

    /// The same of a line of a text, counted from 1.
    pub fn add_line(&mut self, kind: WarningKind, line: u32, message: impl Into<String>) {
        self.add_at(kind, format!("line {line}"), message, FilePosition::Line { line, column: 1 });
    }

    /// Of a text that breaks off with this `error`: the rest is passed over.
    pub fn add_rest(&mut self, error: &LoadError) {
        let message = format!("{}; the rest of the file is passed over", error.reason);
        match error.place {
            FilePosition::Line { line, .. } => self.add_line(WarningKind::LeftOut, line, message),
            _ => self.add(WarningKind::LeftOut, "", message),
        }
    }

    /// The same of what is wrong for this `error`, whose places it has.
    pub fn add_error(
        &mut self,
        kind: WarningKind,
        about: impl Into<String>,
        message: impl Into<String>,
        error: &LoadError,
    ) {
        self.push(Warning { place: error.place, reached: error.reached, ..Warning::new(kind, about, message) });
    }

    /// Adds a warning.
    pub fn push(&mut self, warning: Warning) {
        if self.list.len() < MAX_WARNINGS {
            self.list.push(warning);
        } else {
            self.dropped += 1;
        }
    }

    /// What there is by now, to come back to.
    #[must_use]
    pub fn mark(&self) -> Checkpoint {
        Checkpoint { kept: self.list.len(), dropped: self.dropped }
    }

    /// Takes back what was added since then.
    pub fn rollback(&mut self, mark: Checkpoint) {
        self.list.truncate(mark.kept);
        self.dropped = mark.dropped;
    }

    /// Adds all of `others`.
    pub fn append(&mut self, others: Vec<Warning>) {
        others.into_iter().for_each(|warning| self.push(warning));
    }

    /// The list, with a last line that counts those not kept.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Warning> {
        if self.dropped > 0 {
            let message = format!("and {} more warnings", self.dropped);
            self.list.push(Warning::new(WarningKind::Inconsistent, "", message));
        }
        self.list
    }
}

/// Why a model cannot be written in a format: format, field and reason in a single sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// Short name of the format.
    pub format: &'static str,
    /// The field in the format's own spelling, and what it belongs to; empty for the file as a whole.
    pub field: String,
    /// Why.
    pub why: String,
}

impl WriteError {
    /// The same of a part of the file, named before the field.
    #[must_use]
    pub fn within(mut self, part: &str) -> Self {
        self.field = if self.field.is_empty() { part.to_owned() } else { format!("{part}: {}", self.field) };
        self
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", as_written(self.format))?;
        if !self.field.is_empty() {
            write!(f, "{}: ", printable(&self.field))?;
        }
        f.write_str(&printable(&self.why))
    }
}

impl std::error::Error for WriteError {}
