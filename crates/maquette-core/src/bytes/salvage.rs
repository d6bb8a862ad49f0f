//! Recovery of the intact part of a damaged file.

use std::cell::RefCell;

use super::{ByteReader, Offset, Source};
use crate::error::{LoadError, WarningKind, Warnings};

/// List of the errors found while reading the intact part of a [`Source`], with the action taken for each.
#[derive(Default)]
pub struct Salvage {
    warnings: RefCell<Warnings>,
    open: RefCell<Vec<String>>,
}

impl Salvage {
    /// Returns the errors as warnings.
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
    /// Creates a source that reads the intact part of a damaged file and adds errors to `salvage`.
    #[must_use]
    pub fn salvaged(format: &'static str, bytes: &'a [u8], salvage: &'a Salvage) -> Self {
        Self { salvage: Some(salvage), ..Self::new(format, bytes) }
    }

    /// Returns whether [`Self::forgive`] records errors instead of returning them.
    pub fn is_salvaged(&self) -> bool {
        self.salvage.is_some()
    }

    /// Records `error` and the action `done` if salvaging; otherwise returns the error.
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
    /// Like [`Source::is_salvaged`].
    pub fn is_salvaged(&self) -> bool {
        self.source.is_salvaged()
    }

    /// Like [`Source::forgive`].
    pub fn forgive(&self, error: LoadError, done: impl FnOnce() -> String) -> Result<(), LoadError> {
        self.source.forgive(error, done)
    }

    /// Returns the number of complete records of `size` bytes from `offset` to the end of the file.
    pub fn whole_records(&self, base: u64, offset: Offset, size: u64) -> u64 {
        let start = u64::try_from(offset.target(base));
        start.map_or(0, |start| self.file_len().saturating_sub(start) / size.max(1))
    }

    /// Charges `bytes` to the file's budget although the file does not contain them.
    pub fn claim_missing(&self, field: &str, bytes: u64) -> Result<(), LoadError> {
        self.source.claim(field, self.position, bytes)
    }
}
