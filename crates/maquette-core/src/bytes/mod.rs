//! Bounds-checked access to the bytes of a binary file.
//!
//! [`Source`] is a whole file, [`ByteReader`] a position in it. Offsets are added in 64 bits. [`ByteReader::table`]
//! checks a whole table against the file before anything is read or allocated, so no allocation exceeds the bytes
//! present. Files whose overlapping tables claim many times the file size are refused
//! ([`MAX_CLAIMED_PER_BYTE`](crate::limits::MAX_CLAIMED_PER_BYTE)).
//!
//! A [`Recorder`] records every field and table that is read. A [`Salvage`] makes loaders read the intact part of a
//! damaged file: of a truncated table, the complete records.

mod layout;
mod load_options;
mod offset;
mod recorder;
mod salvage;
mod writer;

use std::cell::Cell;
use std::rc::Rc;

use glam::Vec3;

pub use layout::{Column, Count, Kind, Part, PartKind, Record, Tail};
pub use load_options::{Forward, LoadOptions};
pub use offset::Offset;
pub use recorder::{Entry, RecordedItem, Recorder, StructScope};
pub use salvage::Salvage;
pub use writer::{ByteWriter, OffsetSlot};

use crate::budget::Budget;
use crate::error::{FilePosition, LoadError, Reason};

/// Bytes of a file, and the name of its format.
pub struct Source<'a> {
    format: &'static str,
    bytes: &'a [u8],
    /// Bytes that tables may still claim. Overlapping tables are legal, but a small file could claim unlimited memory
    /// with them.
    budget: Cell<Budget>,
    recorder: Option<&'a Recorder>,
    salvage: Option<&'a Salvage>,
    options: LoadOptions,
    companions: Option<CompanionReader<'a>>,
    /// Whether a text that was decoded is not UTF-8.
    has_latin1: Cell<bool>,
}

/// Function that reads a file next to a model by its relative path, or returns why it cannot. It returns the same
/// allocation for all paths that lead to one file, so that a file that is named repeatedly is read and counted once.
pub type CompanionReader<'a> = &'a dyn Fn(&str) -> Result<Rc<Vec<u8>>, String>;

impl<'a> Source<'a> {
    /// Creates a source for a file in `format` (short name, for messages).
    #[must_use]
    pub fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        let budget = Cell::new(Budget::for_file(bytes.len() as u64));
        let (options, has_latin1) = (LoadOptions::default(), Cell::new(false));
        Self { format, bytes, budget, recorder: None, salvage: None, options, companions: None, has_latin1 }
    }

    /// Like [`Self::new`], and records every read in `recorder`.
    #[must_use]
    pub fn recorded(format: &'static str, bytes: &'a [u8], recorder: &'a Recorder) -> Self {
        Self::new(format, bytes).with_recorder(recorder)
    }

    /// Sets the recorder of all reads.
    #[must_use]
    pub fn with_recorder(self, recorder: &'a Recorder) -> Self {
        recorder.set_limit(self.bytes.len());
        Self { recorder: Some(recorder), ..self }
    }

    /// Sets the interpretation of the file, and the reader of files next to it. Without a reader, they count as missing.
    #[must_use]
    pub fn with_options(self, options: LoadOptions, companions: Option<CompanionReader<'a>>) -> Self {
        Self { options, companions, ..self }
    }

    /// Returns the interpretation of the file.
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }

    /// Reads a file next to the model, or returns why it cannot be read.
    pub fn read_companion(&self, path: &str) -> Result<Rc<Vec<u8>>, Reason> {
        let read = self.companions.ok_or_else(|| Reason::Unread { path: path.to_owned() })?;
        read(path).map_err(Reason::Broken)
    }

    /// Returns all bytes, for text formats.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Records a statement of a text format at the bytes `start` to `end` of the file.
    pub fn note_statement(&self, part: Option<Part>, name: impl FnOnce() -> String, start: u64, end: u64) {
        if let Some(recorder) = self.recorder {
            let size = end.saturating_sub(start);
            recorder.note(part, &name(), start, size, RecordedItem::Field(Kind::Statement, size));
        }
    }

    /// Returns whether reads are recorded.
    pub fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }

    /// Opens a structure with this name. Reads belong to it until the returned scope is dropped.
    pub fn group(&self, name: impl FnOnce() -> String) -> StructScope<'a> {
        self.group_of(None, name)
    }

    /// Like [`Self::group`], for a structure that holds `part` of the model.
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

    /// Decodes a text of the file up to the first NUL, because many files contain garbage after it. Notes whether it is
    /// Latin-1.
    pub fn text(&self, bytes: &[u8]) -> String {
        let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        let is_utf8 = std::str::from_utf8(bytes).is_ok();
        self.has_latin1.set(self.has_latin1.get() || !is_utf8);
        utf8_or_latin1(bytes)
    }

    /// Returns whether a text that [`Self::text`] decoded is Latin-1.
    pub fn has_latin1(&self) -> bool {
        self.has_latin1.get()
    }

    /// Returns the length of the file in bytes.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns whether the file is empty.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns a reader at the start of the file.
    pub fn start(&'a self) -> ByteReader<'a> {
        self.at(0)
    }

    /// Returns a reader at an absolute offset. If the offset lies outside the file, the first read fails.
    pub fn at(&'a self, offset: u64) -> ByteReader<'a> {
        ByteReader { source: self, position: offset, limit: None }
    }

    /// Returns the signed 32-bit number at `offset`, or `None` beyond the end of the file. The read is not recorded.
    pub fn number_at(&self, offset: u64) -> Option<i32> {
        let start = usize::try_from(offset).ok()?;
        self.bytes.get(start..)?.first_chunk().map(|bytes| i32::from_le_bytes(*bytes))
    }

    /// Returns an error about `field` at absolute `offset`.
    pub fn error(&self, field: &str, offset: u64, reason: Reason) -> LoadError {
        LoadError::new(self.format, field, FilePosition::Byte(offset), reason)
    }

    fn claim(&self, field: &str, offset: u64, bytes: u64) -> Result<(), LoadError> {
        let mut budget = self.budget.get();
        let taken = budget.take(bytes);
        self.budget.set(budget);
        taken.map_err(|claimed| self.error(field, offset, Reason::TooMuchData { claimed, file: self.len() }))
    }
}

/// Position in a [`Source`]. Reads little-endian fields and advances. Cheap to copy.
#[derive(Clone, Copy)]
pub struct ByteReader<'a> {
    source: &'a Source<'a>,
    position: u64,
    /// End of the bytes that are read, if the fields are not recorded.
    limit: Option<u64>,
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $type:ty, $kind:ident, $from:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name(&mut self, field: &str) -> Result<$type, LoadError> {
            Ok(<$type>::$from(self.field(field, Kind::$kind)?))
        }
    )*};
}

impl<'a> ByteReader<'a> {
    /// Returns the position in bytes from the start of the file.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Reads the next `count` bytes as one field, and returns a reader for the numbers in them.
    pub fn within(&mut self, field: &str, count: u64) -> Result<Self, LoadError> {
        let start = *self;
        self.bytes(field, count)?;
        Ok(Self { limit: Some(self.position), ..start })
    }

    /// Returns the number of bytes up to the end.
    pub fn left(&self) -> u64 {
        self.limit.unwrap_or(self.source.len()).saturating_sub(self.position)
    }

    fn recorder(&self) -> Option<&'a Recorder> {
        self.source.recorder.filter(|_| self.limit.is_none())
    }

    /// Returns the length of the whole file in bytes.
    pub fn file_len(&self) -> u64 {
        self.source.len()
    }

    /// Returns an error about `field` at the current position.
    pub fn error(&self, field: &str, reason: Reason) -> LoadError {
        self.source.error(field, self.position, reason)
    }

    fn field<const N: usize>(&mut self, field: &str, kind: Kind) -> Result<[u8; N], LoadError> {
        let offset = self.position;
        let bytes = self.array(field)?;
        if let Some(recorder) = self.recorder() {
            recorder.note(None, field, offset, N as u64, RecordedItem::Field(kind, N as u64 / kind.size()));
        }
        Ok(bytes)
    }

    fn take(&mut self, field: &str, count: u64) -> Result<&'a [u8], LoadError> {
        let len = self.limit.unwrap_or(self.source.len());
        let end = self.position.saturating_add(count);
        if self.position > len {
            let offset = self.position as i64;
            return Err(self.error(field, Reason::TableOutsideFile { offset, bytes: count, file: len }));
        }
        if end > len {
            let left = len - self.position;
            return Err(self.error(field, Reason::UnexpectedEnd { wanted: count, left }));
        }
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

    /// Reads an unsigned 8-bit number.
    pub fn u8(&mut self, field: &str) -> Result<u8, LoadError> {
        Ok(self.field::<1>(field, Kind::U8)?[0])
    }

    /// Reads `N` unsigned 8-bit numbers.
    pub fn u8s<const N: usize>(&mut self, field: &str) -> Result<[u8; N], LoadError> {
        self.field(field, Kind::U8)
    }

    numbers! {
        /// Reads an unsigned 16-bit number.
        u16: u16, U16, from_le_bytes;
        /// Reads a signed 16-bit number.
        i16: i16, I16, from_le_bytes;
        /// Reads an unsigned 32-bit number.
        u32: u32, U32, from_le_bytes;
        /// Reads a signed 32-bit number, the type of all counts and offsets in these formats.
        i32: i32, I32, from_le_bytes;
        /// Reads a 32-bit float, which may be infinite or NaN.
        f32: f32, F32, from_le_bytes;
        /// Reads a big-endian unsigned 32-bit number.
        u32_be: u32, U32Be, from_be_bytes;
        /// Reads a big-endian 32-bit float, which may be infinite or NaN.
        f32_be: f32, F32Be, from_be_bytes;
    }

    /// Reads a big-endian unsigned 16-bit number.
    pub fn u16_be(&mut self, field: &str) -> Result<u16, LoadError> {
        Ok(u16::from_be_bytes(self.array(field)?))
    }

    /// Reads `count` bytes.
    pub fn bytes(&mut self, field: &str, count: u64) -> Result<&'a [u8], LoadError> {
        let offset = self.position;
        let bytes = self.take(field, count)?;
        if let Some(recorder) = self.recorder() {
            recorder.note(None, field, offset, count, RecordedItem::Field(Kind::Bytes, count));
        }
        Ok(bytes)
    }

    /// Reads three 32-bit floats.
    pub fn vec3(&mut self, field: &str) -> Result<Vec3, LoadError> {
        let bytes = self.field::<12>(field, Kind::F32)?;
        let mut numbers = bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number));
        Ok(Vec3::from_array(std::array::from_fn(|_| numbers.next().unwrap_or(0.0))))
    }

    /// Reads a text field of `width` bytes, as [`Source::text`] decodes it.
    pub fn name(&mut self, field: &str, width: u64) -> Result<String, LoadError> {
        self.name_of(None, field, width)
    }

    /// Like [`Self::name`], for a field that holds `part` of the model.
    pub fn name_of(&mut self, part: impl Into<Option<Part>>, field: &str, width: u64) -> Result<String, LoadError> {
        let offset = self.position;
        let bytes = self.take(field, width)?;
        if let Some(recorder) = self.recorder() {
            recorder.note(part.into(), field, offset, width, RecordedItem::Field(Kind::Text, width));
        }
        Ok(self.source.text(bytes))
    }

    /// Reads a text and the NUL after it, or the bytes up to `end`.
    pub fn text_before(&mut self, field: &str, end: u64) -> Result<String, LoadError> {
        let mut ahead = *self;
        let bytes = ahead.take(field, end.saturating_sub(self.position))?;
        let length = bytes.iter().position(|byte| *byte == 0).map_or(bytes.len(), |length| length + 1);
        self.name(field, length as u64)
    }

    /// Decodes bytes of a table as [`Source::text`] does.
    pub fn text(&self, bytes: &[u8]) -> String {
        self.source.text(bytes)
    }

    /// Skips `count` bytes.
    pub fn skip(&mut self, field: &str, count: u64) -> Result<(), LoadError> {
        self.bytes(field, count).map(|_| ())
    }

    /// Reads a signed count and refuses negative values and values above `max`.
    pub fn count(&mut self, field: &str, max: u32) -> Result<u32, LoadError> {
        let at = *self;
        let count = self.i32(field)?;
        match u32::try_from(count) {
            Ok(count) if count <= max => Ok(count),
            _ => Err(at.error(field, Reason::CountOutOfRange { count: count.into(), max: max.into() })),
        }
    }

    /// Returns the bytes of a table of `count` records at `offset` bytes from `base`. Fails if the table exceeds the
    /// file; while salvaging, returns the complete records instead. Errors name the field that holds the offset.
    pub fn table(&self, base: u64, offset: Offset, count: u64, record: &Record) -> Result<&'a [u8], LoadError> {
        self.walked_table(base, offset, count, count.saturating_mul(record.stride()), record)
    }

    /// Like [`Self::table`], for records of varying length that take `bytes` in total.
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
            self.source.forgive(outside(), || format!("{whole} of {count} records are used"))?;
            (count, bytes) = (whole, whole * record.stride());
        }
        self.source.claim(offset.field, offset.at, bytes)?;
        if let Some(recorder) = self.source.recorder {
            recorder.note(None, record.name, from, bytes, RecordedItem::Table(Box::new(*record), count));
        }
        self.source.at(from).take(offset.field, bytes)
    }

    /// Reads the table of `count` records at the current position. `counter` is the field that states the count, and its
    /// position, for errors. While salvaging, the table may be shorter.
    pub fn next_table(
        &mut self,
        counter: (&'static str, u64),
        count: u64,
        record: &Record,
    ) -> Result<&'a [u8], LoadError> {
        let (field, at) = counter;
        let table = self.table(self.position, Offset::new(field, at, 0), count, record)?;
        self.position = self.position.saturating_add(table.len() as u64);
        Ok(table)
    }

    /// Charges the next `bytes` to the budget of the file without reading them.
    pub fn claim(&self, field: &str, bytes: u64) -> Result<(), LoadError> {
        let file = self.source.len();
        if self.position.saturating_add(bytes) > file {
            let offset = i64::try_from(self.position).unwrap_or(i64::MAX);
            return Err(self.error(field, Reason::TableOutsideFile { offset, bytes, file }));
        }
        self.source.claim(field, self.position, bytes)
    }

    /// Returns all bytes from `offset` (relative to `base`) to the end of the file, to measure records of varying
    /// length. Read the records with [`Self::walked_table`], which charges them to the budget.
    pub fn rest_of_file(&self, base: u64, offset: Offset) -> Result<&'a [u8], LoadError> {
        let start = usize::try_from(offset.target(base)).ok();
        start.and_then(|start| self.source.bytes.get(start..)).ok_or_else(|| self.source.outside(base, offset, 0))
    }
}

/// Decodes a text of a file: UTF-8, or Latin-1 if the bytes are not UTF-8, as in old files. Games compare bytes only.
pub fn utf8_or_latin1(bytes: &[u8]) -> String {
    let latin1 = || bytes.iter().map(|byte| char::from(*byte)).collect();
    std::str::from_utf8(bytes).map_or_else(|_| latin1(), str::to_owned)
}

/// Encodes a text, the inverse of [`utf8_or_latin1`]: as UTF-8, or as Latin-1 if the file has Latin-1 and the text fits.
pub fn encoded(text: &str, is_latin1: bool) -> Vec<u8> {
    let latin1 = || text.chars().map(|c| u8::try_from(c).ok()).collect::<Option<Vec<u8>>>();
    let latin1 = if is_latin1 { latin1().filter(|bytes| utf8_or_latin1(bytes) == text) } else { None };
    latin1.unwrap_or_else(|| text.as_bytes().to_vec())
}
