//! Offsets with the field that stores them, so that errors at the target name the field.

use super::{ByteReader, Source};
use crate::error::{LoadError, Reason};

/// Offset as stored in the file, and the position of its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// Name of the field in the format's own spelling.
    pub field: &'static str,
    /// Position of the field in bytes from the start of the file.
    pub at: u64,
    /// Stored value.
    pub value: i32,
    counted_by: Option<(&'static str, u64)>,
}

impl Offset {
    /// Creates the offset `value` of a field at byte `at`.
    #[must_use]
    pub const fn new(field: &'static str, at: u64, value: i32) -> Self {
        Self { field, at, value, counted_by: None }
    }

    /// Sets the field with the number of records. Errors name that field if the records are larger than the whole file.
    #[must_use]
    pub const fn counted_by(self, field: &'static str, at: u64) -> Self {
        Self { counted_by: Some((field, at)), ..self }
    }

    /// Returns the name and position of the field with the number of records, or of the offset itself.
    pub fn counter(&self) -> (&'static str, u64) {
        self.counted_by.unwrap_or((self.field, self.at))
    }

    /// Returns the offset with another value.
    #[must_use]
    pub const fn read_as(self, value: i32) -> Self {
        Self { value, ..self }
    }

    /// Returns the absolute position of the target, if the offset counts from `base`. Negative before the start of the
    /// file.
    pub const fn target(&self, base: u64) -> i64 {
        base.cast_signed().saturating_add(self.value as i64)
    }
}

impl Source<'_> {
    /// Returns the error for a table of `bytes` bytes outside the file. `offset` counts from `base`.
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
    /// Reads a signed 32-bit offset.
    pub fn offset(&mut self, field: &'static str) -> Result<Offset, LoadError> {
        let at = self.position();
        Ok(Offset::new(field, at, self.i32(field)?))
    }
}
