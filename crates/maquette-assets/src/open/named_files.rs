//! Files that a model names relative to its own folder (glTF).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use crate::limits::MAX_FILE_BYTES;
use crate::vfs::{DecompressionBudget, ReadLimit, Vfs, folder_of, outside_root, resolved};
use maquette_core::budget::Budget;
use maquette_core::bytes::LoadOptions;
use maquette_core::error::{LoadError, Warning};
use maquette_core::formats::{self, Salvaged};
use maquette_core::model::Model;

/// Reader of the files that a model names. Each file is read once, however often and in whatever spelling it is named.
pub struct NamedFiles<'a> {
    vfs: &'a Vfs,
    game_path: &'a str,
    files: RefCell<HashMap<String, Rc<Vec<u8>>>>,
    /// Bytes that the files may still have together. Links may give one file many names.
    bytes: Cell<Budget>,
    unpacked: Cell<DecompressionBudget>,
}

impl<'a> NamedFiles<'a> {
    /// Creates a reader for the model at `game_path`.
    #[must_use]
    pub fn new(vfs: &'a Vfs, game_path: &'a str) -> Self {
        let bytes = Cell::new(Budget::new(MAX_FILE_BYTES));
        Self { vfs, game_path, files: RefCell::default(), bytes, unpacked: Cell::default() }
    }

    /// Loads the model with these contents.
    pub fn load(&self, bytes: &[u8], options: LoadOptions) -> Result<(Model, Vec<Warning>), LoadError> {
        formats::load_with(bytes, options, Some(&|path: &str| self.read(path)))
    }

    /// Loads the intact part of the damaged model with these contents.
    pub fn salvage(&self, bytes: &[u8], options: LoadOptions) -> Result<Salvaged, LoadError> {
        formats::salvage_with(bytes, options, Some(&|path: &str| self.read(path)))
    }

    /// Reads the file at `path`, or returns why it cannot be read.
    pub(super) fn read(&self, path: &str) -> Result<Rc<Vec<u8>>, String> {
        let own = resolved(folder_of(self.game_path), path).ok_or_else(|| outside_root(path))?;
        let found = self.vfs.look_up(&own);
        let found = found.ok_or_else(|| format!("“{path}” was not found next to the model"))?;
        if let Some(known) = self.files.borrow().get(&found) {
            return Ok(Rc::clone(known));
        }
        if let Some(size) = self.vfs.entry(&found).and_then(|entry| entry.size()) {
            let (mut bytes, mut unpacked) = (self.bytes.get(), self.unpacked.get());
            let fits = bytes.take(size.bytes).is_ok() && unpacked.take(size);
            self.bytes.set(bytes);
            self.unpacked.set(unpacked);
            if !fits {
                return Err(format!("“{path}” is not read: the files that the model names are too large together"));
            }
        }
        let bytes = Rc::new(self.vfs.read(&found, ReadLimit::Whole).map_err(|error| error.to_string())?);
        if let Some(what) = formats::stand_in(&bytes) {
            return Err(format!("“{path}”: {what}"));
        }
        self.files.borrow_mut().insert(found, Rc::clone(&bytes));
        Ok(bytes)
    }
}
