//! Errors and warnings about files, in words a modder can act on.
//!
//! A file that cannot be loaded produces one [`LoadError`] with format, field (in the format's own spelling), position
//! and reason. Recoverable errors become [`Warning`]s.

mod fault;

use crate::limits::MAX_WARNINGS;
use crate::model::Format;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::PathBuf;

pub use fault::Fault;

/// Position of an error in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePosition {
    /// Bytes from the start of a binary file.
    Byte(u64),
    /// Line and column of a text file.
    Line {
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
    },
    /// The whole file.
    Whole,
}

/// Reason why a file cannot be loaded.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The file ends inside a field.
    UnexpectedEnd {
        /// Number of bytes the field needs.
        wanted: u64,
        /// Number of remaining bytes.
        left: u64,
    },
    /// The signature is not the format's.
    WrongMagic {
        /// Signature in the file, printable.
        found: String,
    },
    /// The version of the format is not supported.
    UnsupportedVersion {
        /// Version in the file.
        found: i64,
        /// Supported versions: `1 or 2`.
        supported: String,
    },
    /// A count is negative or larger than in any real file.
    CountOutOfRange {
        /// Count in the file.
        count: i64,
        /// Largest accepted count.
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
    /// A text format contains an unexpected word.
    Expected {
        /// Description of what the grammar expects.
        wanted: String,
        /// Word in the file.
        found: String,
    },
    /// The tables together claim far more bytes than the file has.
    TooMuchData {
        /// Number of claimed bytes.
        claimed: u64,
        /// Length of the file in bytes.
        file: u64,
    },
    /// The file has a format that is recognised, but not supported.
    UnsupportedFormat {
        /// Name of that format: `a Quake model (MDL)`.
        what: &'static str,
    },
    /// The file is empty.
    Empty,
    /// The file names another file, which was not read (glTF).
    Unread {
        /// Path of the other file.
        path: String,
    },
    /// A valid animation that shares no joint with the mesh and so belongs to another model.
    OtherModel,
    /// The file is shorter than its header states, which explains the inner reason.
    Truncated {
        /// Size that the header states; `None` if the file ends before that number.
        stated: Option<u64>,
        /// Size of the file in bytes.
        size: u64,
        /// Reason that the size explains.
        reason: Box<Self>,
    },
    /// Reason that no other variant covers, in a few words.
    Broken(String),
}

/// Error of a file that could not be loaded. [`fmt::Display`] formats one sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadError {
    /// Short name of the format, for example `md3`; empty if unknown.
    pub format: &'static str,
    /// Field in the format's own spelling, with its parents: `surface 2 “u_torso”: numVerts`.
    pub field: String,
    /// Position of the field.
    pub position: FilePosition,
    /// Byte at which reading failed, if an offset led there from the field.
    pub reached: Option<u64>,
    /// Reason of the failure.
    pub reason: Reason,
}

impl LoadError {
    /// Creates an error about `field` at `position`.
    pub fn new(format: &'static str, field: impl Into<String>, position: FilePosition, reason: Reason) -> Self {
        Self { format, field: field.into(), position, reached: None, reason }
    }

    pub(crate) fn without_format(&self) -> String {
        Self { format: "", ..self.clone() }.to_string()
    }

    /// Prepends a parent to the field. Callers add it as the error propagates, so that successful reads build no path.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        self.field = if self.field.is_empty() { outer.to_owned() } else { format!("{outer}: {}", self.field) };
        self
    }
}

/// Escapes control, line separator and bidirectional characters, so that a file's text cannot control a terminal.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// Formats a system error without its number: `No such file or directory`.
pub fn system_reason(error: &io::Error) -> String {
    let text = error.to_string();
    let number = error.raw_os_error().map(|number| format!(" (os error {number})"));
    number.and_then(|number| text.strip_suffix(&number)).map_or(text.clone(), str::to_owned)
}

/// Formats a number with its noun: `1 vertex`, `3 vertices`.
#[must_use]
pub fn counted<N: fmt::Display + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

/// Returns whether [`printable`] escapes a character, including line feeds and tabs.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Converts the short name of a format to its usual spelling: `MD3`, `glTF`. Other names of three letters are in upper
/// case (`GLA`, `PAK`).
fn as_written(name: &str) -> Cow<'_, str> {
    match Format::by_name(name) {
        Some(format) => format.title().into(),
        None if name.len() == 3 => name.to_ascii_uppercase().into(),
        None => name.into(),
    }
}

fn truncation(stated: Option<u64>, size: u64) -> String {
    match stated {
        Some(stated) => format!("the file is truncated: it should have {stated} bytes, but ends after {size}"),
        None => format!("the file is truncated: its header ends after {size} bytes"),
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.format.is_empty() {
            write!(f, "{}: ", as_written(self.format))?;
        }
        let reason = match &self.reason {
            Reason::Truncated { stated, size, reason } => {
                write!(f, "{}; ", truncation(*stated, *size))?;
                reason
            }
            reason => reason,
        };
        if !self.field.is_empty() {
            f.write_str(&printable(&self.field))?;
        }
        match self.position {
            FilePosition::Byte(at) => write!(f, " at byte {at:#x}: ")?,
            FilePosition::Line { line, column } if self.field.is_empty() => {
                write!(f, "line {line}, column {column}: ")?
            }
            FilePosition::Line { line, column } => write!(f, " at line {line}, column {column}: ")?,
            FilePosition::Whole if self.field.is_empty() => {}
            FilePosition::Whole => f.write_str(": ")?,
        }
        f.write_str(&printable(&reason.to_string()))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnexpectedEnd { wanted, left } => {
                write!(f, "the file ends here; {wanted} bytes are needed, but only {left} are left")
            }
            Self::WrongMagic { found } => write!(f, "not a known model file (it begins with {found})"),
            Self::UnsupportedVersion { found, supported } => {
                write!(f, "version {found} is not supported; expected version {supported}")
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
            Self::Expected { wanted, found } => write!(f, "expected {wanted}, found {found}"),
            Self::TooMuchData { claimed, file } => {
                write!(f, "the tables overlap: together they claim {claimed} bytes of a file of {file} bytes")
            }
            Self::UnsupportedFormat { what } => write!(f, "this is {what}, which is not supported"),
            Self::Empty => f.write_str("the file is empty"),
            Self::Unread { path } => write!(f, "the data is in “{path}”, which was not read"),
            Self::OtherModel => {
                f.write_str("no joint of the animation matches a joint of the mesh; it belongs to another model")
            }
            Self::Truncated { stated, size, reason } => write!(f, "{}; {reason}", truncation(*stated, *size)),
            Self::Broken(why) => f.write_str(why),
        }
    }
}

impl Reason {
    /// Returns whether data is missing because the file ends.
    pub fn ends_early(&self) -> bool {
        matches!(self, Self::UnexpectedEnd { .. } | Self::TableOutsideFile { .. } | Self::Truncated { .. })
    }
}

impl std::error::Error for LoadError {}

/// Action that was taken after a recoverable error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// Part of the file was skipped: triangles, tags, frames, a line.
    LeftOut,
    /// The file ends before its data, of which a part was skipped.
    Truncated,
    /// Unusable or missing data was replaced.
    Substituted,
    /// The file contradicts itself; no data is lost.
    Inconsistent,
    /// The file is sound, but a part of it is of a kind that is not shown.
    NotShown,
    /// The file is sound, but its unit of length is unlikely. The user may choose another one.
    Unit,
    /// The warning is about a companion file, present or missing.
    Companion,
}

impl WarningKind {
    /// Returns whether a part of the file is not shown.
    pub fn loses_data(self) -> bool {
        matches!(self, Self::LeftOut | Self::Truncated)
    }
}

/// Recoverable error in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Action taken, for programs.
    pub kind: WarningKind,
    /// Subject of the warning: a field, a surface, a file.
    pub about: String,
    /// Description of the error and of the action taken.
    pub message: String,
    /// Position of the field; the whole file if there is no single field.
    pub position: FilePosition,
    /// Byte at which reading failed, if an offset led there from the field.
    pub reached: Option<u64>,
    /// Companion file that `position` refers to; `None` for the model's own file.
    pub file: Option<PathBuf>,
    /// Fault for which some engines refuse the file. `None` if there is none.
    pub fault: Option<Fault>,
    /// Number of equal warnings, at least 1.
    pub count: usize,
}

impl Warning {
    /// Creates a warning about a companion file.
    #[must_use]
    pub fn companion(about: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(WarningKind::Companion, about, message)
    }

    /// Turns a warning about a companion file into a warning of the model. `name` and `file` are the name and the path
    /// of the companion file.
    #[must_use]
    pub fn of_companion(self, name: impl Into<String>, file: Option<PathBuf>) -> Self {
        Self { kind: WarningKind::Companion, message: self.to_string(), about: name.into(), file, count: 1, ..self }
    }

    /// Returns the message, with the number of equal warnings if there are several: `not found (20×)`.
    pub fn text(&self) -> Cow<'_, str> {
        if self.count > 1 {
            format!("{} ({}×)", self.message, self.count).into()
        } else {
            self.message.as_str().into()
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        (self.kind, &self.about, &self.message, self.position)
            == (other.kind, &other.about, &other.message, other.position)
            && (self.reached, &self.file, self.fault) == (other.reached, &other.file, other.fault)
    }

    /// Creates a warning about the whole file. `about` names the part of the model and may be empty.
    pub fn new(kind: WarningKind, about: impl Into<String>, message: impl Into<String>) -> Self {
        let (about, message) = (about.into(), message.into());
        Self { kind, about, message, position: FilePosition::Whole, reached: None, file: None, fault: None, count: 1 }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = printable(&self.text());
        if self.about.is_empty() { f.write_str(&message) } else { write!(f, "{}: {message}", printable(&self.about)) }
    }
}

/// First [`MAX_WARNINGS`] warnings of a file, and the number of further ones.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    list: Vec<Warning>,
    dropped: usize,
}

impl Warnings {
    /// Adds a warning. `message` describes the error and the action taken.
    pub fn add(&mut self, kind: WarningKind, about: impl Into<String>, message: impl Into<String>) {
        self.push(Warning::new(kind, about, message));
    }

    /// Adds a warning about a fault for which some engines refuse the file.
    pub fn add_fault(&mut self, fault: Fault, kind: WarningKind, about: impl Into<String>, message: impl Into<String>) {
        self.push(Warning { fault: Some(fault), ..Warning::new(kind, about, message) });
    }

    /// Adds a warning about `count` cases, if there are any. The message begins with their number, and continues with
    /// the text for one case or for many.
    pub fn add_counted(&mut self, kind: WarningKind, about: &str, count: usize, texts: [&str; 2]) {
        self.add_counted_fault(None, kind, about, count, texts);
    }

    /// Like [`Self::add_counted`], about a fault for which some engines refuse the file.
    pub fn add_counted_fault(
        &mut self,
        fault: impl Into<Option<Fault>>,
        kind: WarningKind,
        about: &str,
        count: usize,
        [one, many]: [&str; 2],
    ) {
        if count > 0 {
            let message = format!("{count} {}", if count == 1 { one } else { many });
            self.push(Warning { fault: fault.into(), ..Warning::new(kind, about, message) });
        }
    }

    /// Adds a warning that points at a field.
    pub fn add_at(
        &mut self,
        kind: WarningKind,
        about: impl Into<String>,
        message: impl Into<String>,
        position: FilePosition,
    ) {
        self.push(Warning { position, ..Warning::new(kind, about, message) });
    }

    /// Adds a warning that points at a line, counted from 1.
    pub fn add_line(&mut self, kind: WarningKind, line: u32, message: impl Into<String>) {
        self.add_at(kind, format!("line {line}"), message, FilePosition::Line { line, column: 1 });
    }

    /// Adds a warning that the rest of a text file was skipped because of `error`.
    pub fn add_rest(&mut self, error: &LoadError) {
        let message = format!("{}; the rest of the file is skipped", error.reason);
        match error.position {
            FilePosition::Line { line, .. } => self.add_line(WarningKind::LeftOut, line, message),
            _ => self.add(WarningKind::LeftOut, "", message),
        }
    }

    /// Adds a warning with the positions of `error`.
    pub fn add_error(
        &mut self,
        kind: WarningKind,
        about: impl Into<String>,
        message: impl Into<String>,
        error: &LoadError,
    ) {
        let kind =
            if kind == WarningKind::LeftOut && error.reason.ends_early() { WarningKind::Truncated } else { kind };
        self.push(Warning { position: error.position, reached: error.reached, ..Warning::new(kind, about, message) });
    }

    /// Adds a warning.
    pub fn push(&mut self, warning: Warning) {
        if self.list.len() < MAX_WARNINGS {
            self.list.push(warning);
        } else {
            self.dropped += 1;
        }
    }

    /// Returns the number of warnings, with the dropped ones.
    pub fn count(&self) -> usize {
        self.list.len() + self.dropped
    }

    /// Removes all warnings but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.list.truncate(count);
        self.dropped = count - self.list.len();
    }

    /// Adds all of `others`.
    pub fn append(&mut self, others: Vec<Warning>) {
        others.into_iter().for_each(|warning| self.push(warning));
    }

    /// Returns the list, in which equal warnings are one. A last entry counts the dropped warnings.
    pub fn into_vec(self) -> Vec<Warning> {
        let mut list: Vec<Warning> = Vec::with_capacity(self.list.len());
        for warning in self.list {
            match list.iter_mut().find(|known| known.is_same(&warning)) {
                Some(known) => known.count += warning.count,
                None => list.push(warning),
            }
        }
        if self.dropped > 0 {
            let message = format!("and {}", counted(self.dropped as u64, "more warning", "more warnings"));
            list.push(Warning::new(WarningKind::Inconsistent, "", message));
        }
        list
    }
}

/// Reason why a model cannot be written: format, field and reason in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// Short name of the format.
    pub format: &'static str,
    /// Field in the format's own spelling, with its parent; empty for the whole file.
    pub field: String,
    /// Reason of the failure.
    pub why: String,
}

impl WriteError {
    /// Prepends a parent to the field.
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
