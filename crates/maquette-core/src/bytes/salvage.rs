//! Notes what cannot be read of a damaged file while a loader reads what is intact of it.

use std::cell::RefCell;

use super::{ByteReader, Offset, Source};
use crate::error::{LoadError, WarningKind, Warnings};

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
}

impl ByteReader<'_> {
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
