//! Bytes of a file that is written: little-endian numbers, names in fields of fixed size, offsets that are known later.

use glam::{Vec2, Vec3};

use crate::error::WriteError;

/// A binary file as it grows.
#[derive(Debug, Default)]
pub struct ByteWriter {
    format: &'static str,
    bytes: Vec<u8>,
}

/// Where an offset stands whose value is known later.
#[derive(Clone, Copy, Debug)]
pub struct OffsetSlot(usize);

impl ByteWriter {
    /// An empty file of a format, by the name that messages give it.
    #[must_use]
    pub fn new(format: &'static str) -> Self {
        Self { format, bytes: Vec::new() }
    }

    /// The whole file.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Bytes written by now.
    #[must_use]
    pub fn position(&self) -> usize {
        self.bytes.len()
    }

    /// Why the file cannot be written.
    #[must_use]
    pub fn error(&self, field: &str, why: impl Into<String>) -> WriteError {
        WriteError { format: self.format, field: field.to_owned(), why: why.into() }
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Signed 16 bits.
    pub fn i16(&mut self, value: i16) {
        self.raw(&value.to_le_bytes());
    }

    /// Unsigned 16 bits.
    pub fn u16(&mut self, value: u16) {
        self.raw(&value.to_le_bytes());
    }

    /// Signed 32 bits.
    pub fn i32(&mut self, value: i32) {
        self.raw(&value.to_le_bytes());
    }

    /// Single precision.
    pub fn f32(&mut self, value: f32) {
        self.raw(&value.to_le_bytes());
    }

    /// Two numbers of single precision.
    pub fn vec2(&mut self, value: Vec2) {
        value.to_array().into_iter().for_each(|number| self.f32(number));
    }

    /// Three numbers of single precision.
    pub fn vec3(&mut self, value: Vec3) {
        value.to_array().into_iter().for_each(|number| self.f32(number));
    }

    /// A count or an index, in 32 bits.
    ///
    /// # Errors
    ///
    /// If it is beyond what 32 signed bits hold.
    pub fn count(&mut self, field: &str, count: usize) -> Result<(), WriteError> {
        let value = i32::try_from(count).map_err(|_| self.error(field, format!("{count} is beyond 32 bits")))?;
        self.i32(value);
        Ok(())
    }

    /// A text in a field of `size` bytes, filled with NUL. A text as long as its field has no NUL after it: every loader of
    /// these formats reads such a field to its end, and games cut the last character off.
    ///
    /// # Errors
    ///
    /// If the text is longer than the field, or has a character that is not Latin-1, the formats' own.
    pub fn text(&mut self, field: &str, text: &str, size: usize) -> Result<(), WriteError> {
        let narrow: Result<Vec<u8>, char> = text.chars().map(|c| u8::try_from(u32::from(c)).map_err(|_| c)).collect();
        let mut bytes =
            narrow.map_err(|c| self.error(field, format!("“{text}” has the character {c}, not Latin-1")))?;
        if bytes.len() > size {
            let length = bytes.len();
            return Err(self.error(field, format!("“{text}” has {length} characters; the field holds {size}")));
        }
        bytes.resize(size, 0);
        self.raw(&bytes);
        Ok(())
    }

    /// Room for an offset that [`ByteWriter::here`] fills in.
    pub fn later(&mut self) -> OffsetSlot {
        let at = OffsetSlot(self.position());
        self.i32(0);
        at
    }

    /// Fills in an offset: the bytes from `base` to where the file ends now.
    ///
    /// # Errors
    ///
    /// If the file is beyond what 32 signed bits hold.
    pub fn here(&mut self, field: &str, at: OffsetSlot, base: usize) -> Result<(), WriteError> {
        let offset = self.position().saturating_sub(base);
        let value = i32::try_from(offset).map_err(|_| self.error(field, "the file is larger than 2 GB"))?;
        self.set(at, value);
        Ok(())
    }

    /// Fills in what is no offset from the file's end.
    pub fn set(&mut self, OffsetSlot(at): OffsetSlot, value: i32) {
        if let Some(field) = self.bytes.get_mut(at..at + 4) {
            field.copy_from_slice(&value.to_le_bytes());
        }
    }
}

/// The bytes of a text in Latin-1, the formats' own characters: the way back of [`latin1`](super::latin1).
///
/// # Errors
///
/// Which character is not one of them, in a sentence.
pub fn latin1_bytes(text: &str) -> Result<Vec<u8>, String> {
    let narrow = |c: char| u8::try_from(u32::from(c)).map_err(|_| c);
    text.chars().map(narrow).collect::<Result<_, _>>().map_err(|c| {
        let shown: String = text.chars().take(80).collect();
        format!("“{shown}” has the character {c}, which is not Latin-1")
    })
}
