//! The file that is taken apart beside the picture.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Effect, Load, Session};
use maquette_assets::structure::Structure;

/// A file and its anatomy.
pub struct FileStructure {
    /// The file.
    pub path: PathBuf,
    /// Everything in it.
    pub bytes: Vec<u8>,
    /// What stands where.
    pub anatomy: Structure,
    /// Of a text, where each of its lines begins, in bytes; empty for other files.
    pub lines: Vec<u64>,
    /// Other files that can be taken apart: what lies beside it, its archive, scripts of its game.
    pub others: Vec<PathBuf>,
}

impl FileStructure {
    /// Takes a file apart; `others` are what can be looked at in its place.
    #[must_use]
    pub fn new(path: PathBuf, bytes: Vec<u8>, others: Vec<PathBuf>) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let anatomy = Structure::of_file(&name, &bytes);
        let after_breaks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u64 + 1);
        let lines = if anatomy.is_text() { std::iter::once(0).chain(after_breaks).collect() } else { Vec::new() };
        Self { path, bytes, anatomy, lines, others }
    }

    /// The line that a byte stands in, from 0; none if the file is no text.
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

/// The file that the panel shows, or is about to.
#[derive(Clone, Debug)]
pub struct StructureView {
    /// The file.
    pub file: PathBuf,
    /// What [`Session::file_to_take_apart`] was when it was asked for: the panel follows that.
    pub wanted: Option<PathBuf>,
    /// It, once it is read.
    pub taken_apart: Option<Arc<FileStructure>>,
    /// Why it could not be read.
    pub error: Option<String>,
}

impl Session {
    /// The file that the panel is to show: one that was not opened, until its message is closed, else that of the part in
    /// focus.
    #[must_use]
    pub fn file_to_take_apart(&self) -> Option<PathBuf> {
        if let Some(failure) = &self.interface.failure {
            return Some(failure.file.clone()).filter(|_| !failure.is_folder);
        }
        let asset = self.asset()?;
        Some(asset.file.clone().unwrap_or_else(|| PathBuf::from(&asset.name)))
    }

    /// Reads a file to be taken apart.
    pub(super) fn open_structure(&mut self, file: PathBuf) -> Option<Effect> {
        let wanted = self.file_to_take_apart();
        self.interface.anatomy = Some(StructureView { file: file.clone(), wanted, taken_apart: None, error: None });
        self.load(Load::Structure(file, None))
    }

    /// The answer: shown if it is still the one that is asked for.
    pub(super) fn taken_apart(&mut self, file: &Path, result: Result<Arc<FileStructure>, String>) {
        let Some(view) = self.interface.anatomy.as_mut().filter(|view| view.file == file) else { return };
        match result {
            Ok(taken_apart) => view.taken_apart = Some(taken_apart),
            Err(reason) => view.error = Some(reason),
        }
    }
}
