//! Structure view of a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Effect, Load, Session};
use maquette_assets::structure::Structure;

/// A file and its structure.
pub struct FileStructure {
    /// Path of the file.
    pub path: PathBuf,
    /// Bytes of the file.
    pub bytes: Vec<u8>,
    /// Fields of the file.
    pub structure: Structure,
    /// Byte offset of each line of a text file; empty for other files.
    pub lines: Vec<u64>,
    /// Other files to offer: files in the same folder, the archive and scripts of the game.
    pub others: Vec<PathBuf>,
}

impl FileStructure {
    /// Reads the structure of a file from its bytes. `others` lists further files to offer.
    #[must_use]
    pub fn new(path: PathBuf, bytes: Vec<u8>, others: Vec<PathBuf>) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let structure = Structure::of_file(&name, &bytes);
        let after_breaks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u64 + 1);
        let lines = if structure.is_text() { std::iter::once(0).chain(after_breaks).collect() } else { Vec::new() };
        Self { path, bytes, structure, lines, others }
    }

    /// Returns the index of the line that contains a byte, from 0; `None` if the file is not text.
    #[must_use]
    pub fn line_of(&self, offset: u64) -> Option<usize> {
        self.lines.partition_point(|start| *start <= offset).checked_sub(1)
    }
}

impl std::fmt::Debug for FileStructure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileStructure").field("path", &self.path).finish_non_exhaustive()
    }
}

/// State of the structure view.
#[derive(Clone, Debug)]
pub struct StructureView {
    /// Path of the requested file.
    pub file: PathBuf,
    /// Value of [`Session::file_to_take_apart`] at the time of the request. If that value changes, the view is out of
    /// date.
    pub wanted: Option<PathBuf>,
    /// The structure, once it is read.
    pub taken_apart: Option<Arc<FileStructure>>,
    /// Reason why the file could not be read.
    pub error: Option<String>,
}

impl Session {
    /// Returns the file for the structure view: the file that failed to open, or else the file of the focused part.
    #[must_use]
    pub fn file_to_take_apart(&self) -> Option<PathBuf> {
        if let Some(failure) = &self.interface.failure {
            return Some(failure.file.clone()).filter(|_| !failure.is_folder);
        }
        let asset = self.asset()?;
        Some(asset.file.clone().unwrap_or_else(|| PathBuf::from(&asset.name)))
    }

    pub(super) fn open_structure(&mut self, file: PathBuf) -> Option<Effect> {
        let wanted = self.file_to_take_apart();
        self.interface.structure = Some(StructureView { file: file.clone(), wanted, taken_apart: None, error: None });
        self.load(Load::Structure(file, None))
    }

    pub(super) fn taken_apart(&mut self, file: &Path, result: Result<Arc<FileStructure>, String>) {
        let Some(view) = self.interface.structure.as_mut().filter(|view| view.file == file) else { return };
        match result {
            Ok(taken_apart) => view.taken_apart = Some(taken_apart),
            Err(reason) => view.error = Some(reason),
        }
    }
}
