//! Listing of a folder on disk.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::FileNames;
use super::game_markers::GameMarkers;

#[derive(Debug, Default)]
pub(super) struct DirListing {
    name: String,
    pub files: Arc<FileNames>,
    pub folders: Arc<FileNames>,
    /// Names that are not valid UTF-8, by their displayed form.
    odd: HashMap<String, OsString>,
    /// Names hidden by others that differ only in case, and whether each is a folder.
    dropped: HashMap<String, bool>,
    signs: OnceLock<GameMarkers>,
}

impl DirListing {
    /// Reads a folder; empty if that fails. Of names that differ only in case, the first in byte order is kept, so that
    /// the order on disk does not matter.
    pub(super) fn read(folder: &Path) -> Self {
        let mut odd = HashMap::new();
        let mut entries: Vec<(String, String, bool)> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| {
                // Only links need another system call.
                let is_folder = match entry.file_type() {
                    Ok(kind) if !kind.is_symlink() => kind.is_dir(),
                    _ => entry.path().is_dir(),
                };
                let name = entry.file_name().into_string().unwrap_or_else(|name| {
                    let lossy = name.to_string_lossy().into_owned();
                    odd.insert(lossy.clone(), name);
                    lossy
                });
                (name.to_lowercase(), name, is_folder)
            })
            .collect();
        entries.sort();
        let mut dropped = HashMap::new();
        entries.dedup_by(|(key, name, is_folder), (first, ..)| {
            let is_known = key == first;
            if is_known {
                dropped.insert(std::mem::take(name), *is_folder);
            }
            is_known
        });
        let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(.., is_folder)| *is_folder);
        let names = |entries: Vec<(String, String, bool)>| {
            Arc::new(FileNames::new(entries.into_iter().map(|(_, name, _)| name)))
        };
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, files: names(files), folders: names(folders), odd, dropped, signs: OnceLock::new() }
    }

    pub(super) fn path_of(&self, folder: &Path, name: &str) -> PathBuf {
        match self.odd.get(name) {
            Some(name) => folder.join(name),
            None => folder.join(name),
        }
    }

    pub(super) fn is_folder(&self, name: &str) -> Option<bool> {
        let key = name.to_lowercase();
        let is_listed = |names: &FileNames| names.get(&key).is_some_and(|known| known == name);
        if is_listed(&self.files) { Some(false) } else { is_listed(&self.folders).then_some(true) }
    }

    pub(super) fn is_dropped(&self, name: &str) -> bool {
        self.dropped.contains_key(name)
    }

    /// Returns the stored name of a file: of two that differ only in case, the one spelled like `name`.
    pub(super) fn file<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        if self.dropped.get(name) == Some(&false) { Some(name) } else { self.files.get(&name.to_lowercase()) }
    }

    pub(super) fn signs(&self) -> &GameMarkers {
        let all = || self.files.iter().chain(self.folders.iter()).chain(self.dropped.keys().map(String::as_str));
        self.signs.get_or_init(|| GameMarkers::from_names(&self.name, all()))
    }

    pub(super) fn len(&self) -> usize {
        self.files.len() + self.folders.len() + self.dropped.len()
    }
}
