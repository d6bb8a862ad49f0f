//! A model's file that was edited in memory, with its list of clips.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes of a file that was edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedBytes {
    bytes: Arc<Vec<u8>>,
    on_disk: Option<Arc<Vec<u8>>>,
}

impl EditedBytes {
    /// Creates the state of an unchanged file.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        let bytes = Arc::new(bytes);
        Self { on_disk: Some(Arc::clone(&bytes)), bytes }
    }

    /// Returns this file with other bytes.
    #[must_use]
    pub fn with(&self, bytes: Vec<u8>) -> Self {
        // Equal bytes share memory, so that comparing addresses is sufficient.
        let known = [Some(&self.bytes), self.on_disk.as_ref()].into_iter().flatten().find(|known| ***known == bytes);
        let bytes = known.map_or_else(|| Arc::new(bytes), Arc::clone);
        Self { bytes, ..self.clone() }
    }

    /// Returns this file with the bytes read from disk again.
    #[must_use]
    pub fn read_again(&self, bytes: Vec<u8>) -> Self {
        let edited = self.with(bytes);
        Self { on_disk: Some(Arc::clone(&edited.bytes)), ..edited }
    }

    fn discarded(&self) -> Self {
        let bytes = self.on_disk.as_ref().unwrap_or(&self.bytes);
        Self { bytes: Arc::clone(bytes), on_disk: Some(Arc::clone(bytes)) }
    }

    /// Returns the bytes with all edits, as saving would write them.
    pub fn bytes(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }

    /// Returns the bytes that the file on disk should have; `None` if another program changed it.
    pub fn on_disk(&self) -> Option<&Arc<Vec<u8>>> {
        self.on_disk.as_ref()
    }

    /// Returns whether the file on disk has the current bytes.
    pub fn is_saved(&self) -> bool {
        self.on_disk.as_ref().is_some_and(|on_disk| Arc::ptr_eq(on_disk, &self.bytes))
    }

    /// Returns whether another state has the same bytes.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes)
    }

    /// Records that these bytes were written to disk.
    pub fn saved(&mut self, bytes: &Arc<Vec<u8>>) {
        self.on_disk = Some(Arc::clone(bytes));
    }

    /// Records that another program changed the file.
    pub fn outdate(&mut self) {
        self.on_disk = None;
    }

    /// Returns whether another program changed the file since it was read or saved.
    pub fn is_outdated(&self) -> bool {
        self.on_disk.is_none()
    }
}

/// List of clips in a file next to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedClipList {
    /// Game path.
    pub path: String,
    /// Path that the file was read from, which may be in an archive; `None` without a file.
    pub read_from: Option<PathBuf>,
    /// Bytes of the file; empty without a file.
    pub file: EditedBytes,
}

/// A model's file that was edited, with its list of clips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedFile {
    /// The model's file.
    pub model: EditedBytes,
    /// List of clips; `None` if the format has none.
    pub clip_list: Option<EditedClipList>,
    /// Current `.skin` names of the surfaces whose entries saving will rename, by surface index.
    skin_names: Arc<BTreeMap<usize, String>>,
}

impl EditedFile {
    /// Creates the state of unchanged files.
    #[must_use]
    pub fn new(model: Vec<u8>, clip_list: Option<EditedClipList>) -> Self {
        Self { model: EditedBytes::new(model), clip_list, skin_names: Arc::default() }
    }

    /// Returns the model's file and its list of clips.
    pub fn files(&self) -> impl Iterator<Item = &EditedBytes> {
        std::iter::once(&self.model).chain(self.clip_list.as_ref().map(|list| &list.file))
    }

    /// Returns the files without unsaved changes.
    #[must_use]
    pub fn discarded(&self) -> Self {
        let list = |list: &EditedClipList| EditedClipList { file: list.file.discarded(), ..list.clone() };
        Self { model: self.model.discarded(), clip_list: self.clip_list.as_ref().map(list), ..self.clone() }
    }

    /// Returns the list of clips if it has unsaved changes.
    pub fn unsaved_clip_list(&self) -> Option<&EditedClipList> {
        self.clip_list.as_ref().filter(|list| !list.file.is_saved())
    }

    /// Returns whether the files on disk have the current bytes.
    pub fn is_saved(&self) -> bool {
        self.files().all(EditedBytes::is_saved)
    }

    /// Returns whether another state has the same bytes.
    pub fn is_same(&self, other: &Self) -> bool {
        self.files().count() == other.files().count() && self.files().zip(other.files()).all(|(a, b)| a.is_same(b))
    }

    /// Returns whether another program changed a file since it was read or saved.
    pub fn is_outdated(&self) -> bool {
        self.files().any(EditedBytes::is_outdated)
    }

    /// Marks a surface, called `name` in `.skin` files, to be renamed in these files when the model is saved.
    pub fn rename_in_skins(&mut self, surface: usize, name: &str) {
        Arc::make_mut(&mut self.skin_names).entry(surface).or_insert_with(|| name.to_owned());
    }

    /// Returns the current `.skin` names of the surfaces whose entries saving will rename, by surface index.
    pub fn skin_names(&self) -> &Arc<BTreeMap<usize, String>> {
        &self.skin_names
    }

    /// Sets the current `.skin` names of the surfaces to rename, by surface index.
    pub fn set_skin_names(&mut self, names: BTreeMap<usize, String>) {
        self.skin_names = Arc::new(names);
    }

    /// Copies the state on disk from another state of the files.
    pub fn take_disk(&mut self, other: &Self) {
        self.model.on_disk.clone_from(&other.model.on_disk);
        if let (Some(own), Some(other)) = (&mut self.clip_list, &other.clip_list) {
            own.path.clone_from(&other.path);
            own.read_from.clone_from(&other.read_from);
            own.file.on_disk.clone_from(&other.file.on_disk);
        }
        self.skin_names.clone_from(&other.skin_names);
    }
}
