//! The only code that slices the bytes of a binary file.
//!
//! [`Source`] is a whole file, [`ByteReader`] a place in it. Every read is checked, every offset is added in 64 bits, and
//! [`ByteReader::table`] checks a *whole* table against the file before anything is read or allocated: no allocation is
//! larger than the bytes that are there. A file whose tables overlap so that they claim many times its own size is
//! refused ([`MAX_CLAIMED_PER_BYTE`](crate::limits::MAX_CLAIMED_PER_BYTE)).
//!
//! A [`Recorder`] on a source notes every field and table that is read, by its name; without one that costs nothing. With
//! a [`Salvage`] on it what is intact of a damaged file is read: of a table that is cut, the records that are whole.

#![forbid(unsafe_code)]

mod layout;
mod offset;
mod recorder;
mod salvage;
mod writer;

use std::cell::Cell;

use glam::Vec3;

pub use layout::{Column, Count, Kind, Part, PartKind, Record, Tail};
pub use offset::Offset;
pub use recorder::{Entry, RecordedItem, Recorder, StructScope};
pub use salvage::Salvage;
pub use writer::{ByteWriter, OffsetSlot, latin1_bytes};

use crate::budget::Budget;
use crate::error::{FilePosition, LoadError, Reason};

/// The bytes of a file and the name of the format they are read as.
pub struct Source<'a> {
    format: &'static str,
    bytes: &'a [u8],
    /// Bytes that tables may still claim. Overlapping tables are legal, but amplify without limit.
    budget: Cell<Budget>,
    recorder: Option<&'a Recorder>,
    salvage: Option<&'a Salvage>,
}

impl<'a> Source<'a> {
    /// A file read as `format` (short name, for messages).
    #[must_use]
    pub fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        let budget = Cell::new(Budget::for_file(bytes.len() as u64));
        Self { format, bytes, budget, recorder: None, salvage: None }
    }

    /// The same; `recorder` notes what is read.
    #[must_use]
    pub fn recorded(format: &'static str, bytes: &'a [u8], recorder: &'a Recorder) -> Self {
        Self::new(format, bytes).with_recorder(recorder)
    }

    /// Adds a recorder, which notes what is read.
    #[must_use]
    pub fn with_recorder(self, recorder: &'a Recorder) -> Self {
        recorder.set_limit(self.bytes.len());
        Self { recorder: Some(recorder), ..self }
    }

    /// All bytes, for formats that are text.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Notes the statement of a text format that was read from `start` to `end`, in bytes from the start of the file.
    pub fn note_statement(&self, part: Option<Part>, name: impl FnOnce() -> String, start: u64, end: u64) {
        if let Some(recorder) = self.recorder {
            let size = end.saturating_sub(start);
            recorder.note(part, &name(), start, size, RecordedItem::Field(Kind::Statement, size));
        }
    }

    /// Whether someone notes what is read.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }

    /// What is read until the group is dropped belongs to a structure of this name.
    pub fn group(&self, name: impl FnOnce() -> String) -> StructScope<'a> {
        self.group_of(None, name)
    }

    /// Like [`Self::group`], for a structure that is this part of the model.
    pub fn group_of(&self, part: impl Into<Option<Part>>, name: impl FnOnce() -> String) -> StructScope<'a> {
        if self.recorder.is_some() || self.salvage.is_some() {
            let name = name();
            if let Some(salvage) = self.salvage {
                salvage.open(&name);
            }
            if let Some(recorder) = self.recorder {
                recorder.open(part.into(), name);
            }
        }
        StructScope { recorder: self.recorder, salvage: self.salvage }
    }

    /// Length of the file in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether the file is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A reader at the start of the file.
    #[must_use]
    pub fn start(&'a self) -> ByteReader<'a> {
        ByteReader { source: self, position: 0 }
    }

    /// A reader at an absolute offset, which may lie outside the file; the first read then fails.
    #[must_use]
    pub fn at(&'a self, offset: u64) -> ByteReader<'a> {
        ByteReader { source: self, position: offset }
    }

    /// Returns the signed 32-bit number at this byte, if the file reaches that far. The recorder does not note it.
    #[must_use]
    pub fn number_at(&self, offset: u64) -> Option<i32> {
        let start = usize::try_from(offset).ok()?;
        self.bytes.get(start..)?.first_chunk().map(|bytes| i32::from_le_bytes(*bytes))
    }

    /// An error about `field` at absolute `offset`.
    #[must_use]
    pub fn error(&self, field: &str, offset: u64, reason: Reason) -> LoadError {
        LoadError::new(self.format, field, FilePosition::Byte(offset), reason)
    }

    fn claim(&self, field: &str, offset: u64, bytes: u64) -> Result<(), LoadError> {
        let mut budget = self.budget.get();
        let taken = budget.take(bytes);
        self.budget.set(budget);
        taken.map_err(|over| self.error(field, offset, Reason::TooMuchData { claimed: over.total, file: self.len() }))
    }
}

/// A place in a [`Source`]; reads little-endian fields and moves on. Cheap to copy.
#[derive(Clone, Copy)]
pub struct ByteReader<'a> {
    source: &'a Source<'a>,
    position: u64,
}

impl<'a> ByteReader<'a> {
    /// Bytes from the start of the file.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Length of the whole file in bytes.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.source.len()
    }

    /// An error about `field`, which lies at the current position.
    #[must_use]
    pub fn error(&self, field: &str, reason: Reason) -> LoadError {
        self.source.error(field, self.position, reason)
    }

    /// A field of so many of a kind.
    fn field<const N: usize>(&mut self, field: &str, kind: Kind) -> Result<[u8; N], LoadError> {
        let offset = self.position;
        let bytes = self.array(field)?;
        if let Some(recorder) = self.source.recorder {
            recorder.note(None, field, offset, N as u64, RecordedItem::Field(kind, N as u64 / kind.size()));
        }
        Ok(bytes)
    }

    fn take(&mut self, field: &str, count: u64) -> Result<&'a [u8], LoadError> {
        let len = self.source.len();
        let end = self.position.saturating_add(count);
        if self.position > len {
            #[allow(clippy::cast_possible_wrap, reason = "positions are sums of 32-bit offsets")]
            let offset = self.position as i64;
            return Err(self.error(field, Reason::TableOutsideFile { offset, bytes: count, file: len }));
        }
        if end > len {
            let left = len - self.position;
            return Err(self.error(field, Reason::UnexpectedEnd { wanted: count, left }));
        }
        #[allow(clippy::cast_possible_truncation, reason = "both are at most the length of a slice")]
        let (start, stop) = (self.position as usize, end as usize);
        self.position = end;
        Ok(self.source.bytes.get(start..stop).unwrap_or_default())
    }

    fn array<const N: usize>(&mut self, field: &str) -> Result<[u8; N], LoadError> {
        let bytes = self.take(field, N as u64)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }

    /// One byte.
    pub fn u8(&mut self, field: &str) -> Result<u8, LoadError> {
        Ok(self.field::<1>(field, Kind::U8)?[0])
    }

    /// Unsigned 16 bits.
    pub fn u16(&mut self, field: &str) -> Result<u16, LoadError> {
        Ok(u16::from_le_bytes(self.field(field, Kind::U16)?))
    }

    /// Signed 16 bits.
    pub fn i16(&mut self, field: &str) -> Result<i16, LoadError> {
        Ok(i16::from_le_bytes(self.field(field, Kind::I16)?))
    }

    /// Unsigned 32 bits.
    pub fn u32(&mut self, field: &str) -> Result<u32, LoadError> {
        Ok(u32::from_le_bytes(self.field(field, Kind::U32)?))
    }

    /// Signed 32 bits: every count and offset of these formats.
    pub fn i32(&mut self, field: &str) -> Result<i32, LoadError> {
        Ok(i32::from_le_bytes(self.field(field, Kind::I32)?))
    }

    /// Single precision; may be infinite or not a number.
    pub fn f32(&mut self, field: &str) -> Result<f32, LoadError> {
        Ok(f32::from_le_bytes(self.field(field, Kind::F32)?))
    }

    /// Three single-precision numbers.
    pub fn vec3(&mut self, field: &str) -> Result<Vec3, LoadError> {
        let bytes = self.field::<12>(field, Kind::F32)?;
        let mut numbers = bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number));
        Ok(Vec3::from_array(std::array::from_fn(|_| numbers.next().unwrap_or(0.0))))
    }

    /// A text field of `width` bytes, cut at its first NUL (what follows it is garbage in many files). Bytes are taken
    /// as Latin-1, so no byte is refused.
    pub fn name(&mut self, field: &str, width: u64) -> Result<String, LoadError> {
        self.name_of(None, field, width)
    }

    /// Like [`Self::name`], for a field that holds this part of the model.
    pub fn name_of(&mut self, part: impl Into<Option<Part>>, field: &str, width: u64) -> Result<String, LoadError> {
        let offset = self.position;
        let bytes = self.take(field, width)?;
        if let Some(recorder) = self.source.recorder {
            recorder.note(part.into(), field, offset, width, RecordedItem::Field(Kind::Text, width));
        }
        Ok(latin1(bytes.split(|byte| *byte == 0).next().unwrap_or_default()))
    }

    /// Steps over `count` bytes.
    pub fn skip(&mut self, field: &str, count: u64) -> Result<(), LoadError> {
        let offset = self.position;
        self.take(field, count)?;
        if let Some(recorder) = self.source.recorder {
            recorder.note(None, field, offset, count, RecordedItem::Field(Kind::Bytes, count));
        }
        Ok(())
    }

    /// A count: signed in the file, refused when negative or above `max`.
    pub fn count(&mut self, field: &str, max: u32) -> Result<u32, LoadError> {
        let at = *self;
        let count = self.i32(field)?;
        match u32::try_from(count) {
            Ok(count) if count <= max => Ok(count),
            _ => Err(at.error(field, Reason::CountOutOfRange { count: count.into(), max: max.into() })),
        }
    }

    /// The bytes of a table of `count` records at `offset` from `base` (both in bytes; `base` is the start of the file, of
    /// a surface or of a LOD, as the format has it). The whole table lies inside the file; of a damaged file whose intact
    /// part is wanted, as much of it as does. An error names the field that holds the offset.
    pub fn table(&self, base: u64, offset: Offset, count: u64, record: &Record) -> Result<&'a [u8], LoadError> {
        self.walked_table(base, offset, count, count.saturating_mul(record.stride()), record)
    }

    /// The same of records of different lengths, which together take so many `bytes`.
    pub fn walked_table(
        &self,
        base: u64,
        offset: Offset,
        count: u64,
        bytes: u64,
        record: &Record,
    ) -> Result<&'a [u8], LoadError> {
        let file = self.source.len();
        let outside = || self.source.outside(base, offset, bytes);
        let from = u64::try_from(offset.target(base)).map_err(|_| outside())?;
        let (mut count, mut bytes) = (count, bytes);
        if from.saturating_add(bytes) > file {
            let whole = file.saturating_sub(from) / record.stride().max(1);
            if whole == 0 || record.varies() {
                return Err(outside());
            }
            self.source.forgive(outside(), || format!("{whole} of {count} are kept"))?;
            (count, bytes) = (whole, whole * record.stride());
        }
        self.source.claim(offset.field, offset.at, bytes)?;
        if let Some(recorder) = self.source.recorder {
            recorder.note(None, record.name, from, bytes, RecordedItem::Table(Box::new(*record), count));
        }
        self.source.at(from).take(offset.field, bytes)
    }

    /// Counts so many bytes from here on among what the file claims, without reading them.
    pub fn claim(&self, field: &str, bytes: u64) -> Result<(), LoadError> {
        let file = self.source.len();
        if self.position.saturating_add(bytes) > file {
            let offset = i64::try_from(self.position).unwrap_or(i64::MAX);
            return Err(self.error(field, Reason::TableOutsideFile { offset, bytes, file }));
        }
        self.source.claim(field, self.position, bytes)
    }

    /// All bytes from `offset` (from `base`) to the end of the file, for records that have to be walked before their length
    /// is known; what is then kept must be asked for with [`Self::table`], which counts it.
    pub fn rest_of_file(&self, base: u64, offset: Offset) -> Result<&'a [u8], LoadError> {
        let start = usize::try_from(offset.target(base)).ok();
        start.and_then(|start| self.source.bytes.get(start..)).ok_or_else(|| self.source.outside(base, offset, 0))
    }
}

/// Text from bytes, each byte one character: these files were written long before UTF-8 was usual.
#[must_use]
pub fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
