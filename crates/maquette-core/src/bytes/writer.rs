//! Writer of binary files: little-endian numbers, fixed-size text fields, and offsets filled in later.

use glam::{Vec2, Vec3};

use crate::error::WriteError;

/// Binary file under construction.
#[derive(Debug, Default)]
pub struct ByteWriter {
    format: &'static str,
    bytes: Vec<u8>,
    is_latin1: bool,
}

/// Position of an offset whose value is filled in later.
#[derive(Clone, Copy, Debug)]
pub struct OffsetSlot(usize);

impl ByteWriter {
    /// Creates an empty file. `format` is the name for messages.
    #[must_use]
    pub fn new(format: &'static str) -> Self {
        Self { format, bytes: Vec::new(), is_latin1: false }
    }

    /// Writes texts as Latin-1 if possible.
    #[must_use]
    pub fn with_latin1(self, is_latin1: bool) -> Self {
        Self { is_latin1, ..self }
    }

    /// Returns the whole file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the number of bytes written.
    pub fn position(&self) -> usize {
        self.bytes.len()
    }

    /// Returns an error about `field` with the reason `why`.
    pub fn error(&self, field: &str, why: impl Into<String>) -> WriteError {
        WriteError { format: self.format, field: field.to_owned(), why: why.into() }
    }

    /// Appends bytes.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a signed 16-bit number.
    pub fn i16(&mut self, value: i16) {
        self.raw(&value.to_le_bytes());
    }

    /// Appends an unsigned 16-bit number.
    pub fn u16(&mut self, value: u16) {
        self.raw(&value.to_le_bytes());
    }

    /// Appends a signed 32-bit number.
    pub fn i32(&mut self, value: i32) {
        self.raw(&value.to_le_bytes());
    }

    /// Appends a 32-bit float.
    pub fn f32(&mut self, value: f32) {
        self.raw(&value.to_le_bytes());
    }

    /// Appends two 32-bit floats.
    pub fn vec2(&mut self, value: Vec2) {
        value.to_array().into_iter().for_each(|number| self.f32(number));
    }

    /// Appends three 32-bit floats.
    pub fn vec3(&mut self, value: Vec3) {
        value.to_array().into_iter().for_each(|number| self.f32(number));
    }

    /// Appends a count or an index as a signed 32-bit number. Fails if `count` does not fit.
    pub fn count(&mut self, field: &str, count: usize) -> Result<(), WriteError> {
        let value = i32::try_from(count).map_err(|_| self.error(field, format!("{count} exceeds 32 bits")))?;
        self.i32(value);
        Ok(())
    }

    /// Appends text as UTF-8 or Latin-1, padded with NUL to `size` bytes. Text of exactly `size` bytes has no NUL. Maquette reads
    /// such text in full; games cut off the last byte. Fails if the text is longer.
    pub fn text(&mut self, field: &str, text: &str, size: usize) -> Result<(), WriteError> {
        let mut bytes = super::encoded(text, self.is_latin1);
        if bytes.len() > size {
            let length = bytes.len();
            return Err(self.error(field, format!("“{text}” has {length} bytes; the field holds at most {size}")));
        }
        bytes.resize(size, 0);
        self.raw(&bytes);
        Ok(())
    }

    /// Reserves an offset that [`ByteWriter::here`] fills in.
    pub fn later(&mut self) -> OffsetSlot {
        let at = OffsetSlot(self.position());
        self.i32(0);
        at
    }

    /// Fills in an offset with the distance from `base` to the current end of the file. Fails if the file exceeds 2 GB.
    pub fn here(&mut self, field: &str, at: OffsetSlot, base: usize) -> Result<(), WriteError> {
        let offset = self.position().saturating_sub(base);
        let value = i32::try_from(offset).map_err(|_| self.error(field, "the file is larger than 2 GB"))?;
        self.set(at, value);
        Ok(())
    }

    /// Fills in a reserved number.
    pub fn set(&mut self, OffsetSlot(at): OffsetSlot, value: i32) {
        if let Some(field) = self.bytes.get_mut(at..at + 4) {
            field.copy_from_slice(&value.to_le_bytes());
        }
    }
}
