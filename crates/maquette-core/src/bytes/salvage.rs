//! Notes what cannot be read of a damaged file while a loader reads what is intact of it.

use std::cell::RefCell;

use super::{ByteReader, Offset, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};

/// Notes what is wrong with a [`Source`] whose intact part is read, and what was done about it.
#[derive(Default)]
pub struct Salvage {
    warnings: RefCell<Warnings>,
    /// The structures that are being read, the innermost last.
    open: RefCell<Vec<String>>,
}

impl Salvage {
    /// What was noted.
    #[must_use]
    pub fn into_warnings(self) -> Warnings {
        self.warnings.into_inner()
    }

    pub(super) fn open(&self, name: &str) {
        self.open.borrow_mut().push(name.to_owned());
    }

    pub(super) fn close(&self) {
        self.open.borrow_mut().pop();
    }

    fn note(&self, error: LoadError, done: &str) {
        let open = self.open.borrow();
        let error = open.iter().rev().fold(error, |error, name| error.within(name));
        self.warnings.borrow_mut().add_error(WarningKind::Substituted, "", format!("{error}; {done}"), &error);
    }
}

impl<'a> Source<'a> {
    /// A damaged file, of which the intact part is read. `salvage` notes what is wrong with it.
    #[must_use]
    pub fn salvaged(format: &'static str, bytes: &'a [u8], salvage: &'a Salvage) -> Self {
        Self { salvage: Some(salvage), ..Self::new(format, bytes) }
    }

    /// Whether only the intact part of a damaged file is wanted.
    #[must_use]
    pub fn is_salvaged(&self) -> bool {
        self.salvage.is_some()
    }

    /// The error, unless the intact part of the file is wanted: it is noted then with what is `done` about it.
    pub fn forgive(&self, error: LoadError, done: impl FnOnce() -> String) -> Result<(), LoadError> {
        match self.salvage {
            Some(salvage) => {
                salvage.note(error, &done());
                Ok(())
            }
            None => Err(error),
        }
    }

    /// The signed 32-bit number at this byte, if it is there. Nothing is noted of it.
    #[must_use]
    pub fn number_at(&self, offset: u64) -> Option<i32> {
        let start = usize::try_from(offset).ok()?;
        self.bytes.get(start..)?.first_chunk().map(|bytes| i32::from_le_bytes(*bytes))
    }

    /// Bytes from the table whose 32-bit offset from `base` stands at byte `at` of the file to the next of the tables whose
    /// offsets stand at `others`, or to the end of the file: what there is room for where a count cannot be.
    #[must_use]
    pub fn room(&self, base: u64, at: u64, others: &[u64]) -> u64 {
        let place = |at: u64| base.checked_add_signed(self.number_at(at)?.into());
        let Some(start) = place(at) else { return 0 };
        let next = others.iter().filter_map(|at| place(*at)).filter(|next| *next > start).min();
        next.unwrap_or(u64::MAX).min(self.len()).saturating_sub(start)
    }
}

impl ByteReader<'_> {
    /// A count as in [`Self::count`]. Where the intact part of a damaged file is wanted, it is also refused if the file has
    /// not `each` bytes for every one, and what is refused is replaced by what `mend` gives.
    pub fn count_or(&mut self, field: &str, max: u32, each: u64, mend: impl FnOnce() -> u64) -> Result<u32, LoadError> {
        let at = *self;
        if !self.is_salvaged() {
            return self.count(field, max);
        }
        let most = max.min(u32::try_from(self.file_len() / each.max(1)).unwrap_or(u32::MAX));
        match self.count(field, most) {
            Err(error) if self.position != at.position => {
                let mended = u32::try_from(mend()).unwrap_or(u32::MAX).min(most);
                self.source.forgive(error, || format!("{mended} is used"))?;
                Ok(mended)
            }
            result => result,
        }
    }

    /// The same of a count that may not be 0, because of this.
    pub fn count_from_one(
        &mut self,
        field: &str,
        (max, each): (u32, u64),
        mend: impl Fn() -> u64,
        why: &str,
    ) -> Result<u32, LoadError> {
        let at = *self;
        let count = self.count_or(field, max, each, &mend)?;
        if count > 0 {
            return Ok(count);
        }
        let error = at.error(field, Reason::Broken(why.to_owned()));
        match if self.is_salvaged() { u32::try_from(mend()).unwrap_or(0).min(max) } else { 0 } {
            0 => Err(error),
            mended => self.forgive(error, || format!("{mended} is used")).map(|()| mended),
        }
    }

    /// Whether only the intact part of a damaged file is wanted.
    #[must_use]
    pub fn is_salvaged(&self) -> bool {
        self.source.is_salvaged()
    }

    /// As [`Source::forgive`].
    pub fn forgive(&self, error: LoadError, done: impl FnOnce() -> String) -> Result<(), LoadError> {
        self.source.forgive(error, done)
    }

    /// Records of `size` bytes that lie whole in the file from `offset` from `base` on.
    #[must_use]
    pub fn whole_records(&self, base: u64, offset: Offset, size: u64) -> u64 {
        let start = u64::try_from(offset.target(base));
        start.map_or(0, |start| self.file_len().saturating_sub(start) / size.max(1))
    }

    /// Counts so many bytes, of which nothing is in the file, among what it claims.
    pub fn claim_missing(&self, field: &str, bytes: u64) -> Result<(), LoadError> {
        self.source.claim(field, self.position, bytes)
    }
}
