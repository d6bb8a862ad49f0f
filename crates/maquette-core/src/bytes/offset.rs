//! Offsets with the fields they stand in: an error at the target is reported for the field.

use super::{ByteReader, Source};
use crate::error::{LoadError, Reason};

/// An offset as the file has it, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// Its field, in the format's own spelling.
    pub field: &'static str,
    /// Where the field stands, in bytes from the start of the file.
    pub at: u64,
    /// What it says.
    pub value: i32,
    /// The field that says how many records are where it leads, and where that stands.
    counted_by: Option<(&'static str, u64)>,
}

impl Offset {
    /// The offset `value` of a field at this byte.
    #[must_use]
    pub const fn new(field: &'static str, at: u64, value: i32) -> Self {
        Self { field, at, value, counted_by: None }
    }

    /// The same; the count of what lies there stands in this field. Where the file is too short for so many, wherever
    /// they lie, it is the count that is wrong.
    #[must_use]
    pub const fn counted_by(self, field: &'static str, at: u64) -> Self {
        Self { counted_by: Some((field, at)), ..self }
    }

    /// The field that says how many records are where it leads, and where that stands; the offset's own if none is known.
    #[must_use]
    pub fn counter(&self) -> (&'static str, u64) {
        self.counted_by.unwrap_or((self.field, self.at))
    }

    /// The same field, read as another offset.
    #[must_use]
    pub const fn read_as(self, value: i32) -> Self {
        Self { value, ..self }
    }

    /// The byte it leads to from `base`; below 0 before the file.
    #[must_use]
    pub const fn target(&self, base: u64) -> i64 {
        base.cast_signed().saturating_add(self.value as i64)
    }
}

impl Source<'_> {
    /// The error that so many `bytes` are not whole in the file where an offset from `base` leads.
    #[must_use]
    pub fn outside(&self, base: u64, offset: Offset, bytes: u64) -> LoadError {
        let (start, file) = (offset.target(base), self.len());
        let inside = u64::try_from(start).ok().filter(|start| *start < file);
        let count = offset.counted_by.filter(|_| inside.is_some() && bytes > file);
        let (field, at) = count.unwrap_or((offset.field, offset.at));
        let error = self.error(field, at, Reason::TableOutsideFile { offset: start, bytes, file });
        LoadError { reached: inside, ..error }
    }
}

impl ByteReader<'_> {
    /// Signed 32 bits that lead to another place of the file.
    pub fn offset(&mut self, field: &'static str) -> Result<Offset, LoadError> {
        let at = self.position();
        Ok(Offset::new(field, at, self.i32(field)?))
    }
}
