//! A model's file that was changed in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The bytes of a model's file, once it was changed here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedFile {
    bytes: Arc<Vec<u8>>,
    /// None if another program has changed it since.
    on_disk: Option<Arc<Vec<u8>>>,
    /// Names in the `.skin` files on disk of surfaces whose entries are renamed with them, by index.
    skin_names: Arc<BTreeMap<usize, String>>,
}

impl EditedFile {
    /// The file as it was read from disk, unchanged.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Self {
        let bytes = Arc::new(bytes);
        Self { on_disk: Some(Arc::clone(&bytes)), bytes, skin_names: Arc::default() }
    }

    /// The same file with other bytes.
    #[must_use]
    pub fn with(&self, bytes: Vec<u8>) -> Self {
        // What is as it was shares its memory, so that sameness is seen by the address.
        let known = [Some(&self.bytes), self.on_disk.as_ref()].into_iter().flatten().find(|known| ***known == bytes);
        let bytes = known.map_or_else(|| Arc::new(bytes), Arc::clone);
        Self { bytes, ..self.clone() }
    }

    /// The same file as it was read from disk once more.
    #[must_use]
    pub fn read_again(&self, bytes: Vec<u8>) -> Self {
        let edited = self.with(bytes);
        Self { on_disk: Some(Arc::clone(&edited.bytes)), ..edited }
    }

    /// Without what is not saved: it will be read from disk.
    #[must_use]
    pub fn discarded(&self) -> Self {
        let bytes = self.on_disk.as_ref().unwrap_or(&self.bytes);
        Self { bytes: Arc::clone(bytes), on_disk: Some(Arc::clone(bytes)), ..self.clone() }
    }

    /// The file as it is shown, and as it would be saved.
    #[must_use]
    pub fn bytes(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }

    /// Whether it is on disk as it is shown.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        self.on_disk.as_ref().is_some_and(|on_disk| Arc::ptr_eq(on_disk, &self.bytes))
    }

    /// Whether another state has the same bytes.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes)
    }

    /// These bytes were written to disk.
    pub fn saved(&mut self, bytes: &Arc<Vec<u8>>) {
        self.on_disk = Some(Arc::clone(bytes));
    }

    /// Renames the entries of a surface in `.skin` files with the surface from now on; `name` is its name in these files.
    pub fn rename_in_skins(&mut self, surface: usize, name: &str) {
        Arc::make_mut(&mut self.skin_names).entry(surface).or_insert_with(|| name.to_owned());
    }

    /// Names in the `.skin` files on disk of surfaces whose entries are renamed with them, by index.
    #[must_use]
    pub fn skin_names(&self) -> &Arc<BTreeMap<usize, String>> {
        &self.skin_names
    }

    /// The `.skin` files on disk have these names now.
    pub fn set_skin_names(&mut self, names: BTreeMap<usize, String>) {
        self.skin_names = Arc::new(names);
    }

    /// Another program has changed the file.
    pub fn outdate(&mut self) {
        self.on_disk = None;
    }

    /// Whether another program has changed the file since it was read or saved.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        self.on_disk.is_none()
    }

    /// Takes what is known of the disk from another state of the same file.
    pub fn take_disk(&mut self, other: &Self) {
        self.on_disk.clone_from(&other.on_disk);
        self.skin_names.clone_from(&other.skin_names);
    }
}
