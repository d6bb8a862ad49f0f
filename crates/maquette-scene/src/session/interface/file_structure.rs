//! Structure view of a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::session::drop::MAX_OFFERED;
use crate::session::loads::{QueuedLoad, fail, on_loader, then_update};
use crate::session::{Effect, Interface, Session};
use maquette_assets::open::{self, OpenCause, OpenError, Opener, is_model_file};
use maquette_assets::structure::Structure;
use maquette_assets::vfs::ReadLimit;
use maquette_core::formats;

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
    /// Value of [`Session::structure_file`] at the time of the request. If that value changes, the view is out of
    /// date.
    pub wanted: Option<PathBuf>,
    /// The structure, once it is read.
    pub contents: Option<Arc<FileStructure>>,
    /// Reason why the file could not be read.
    pub error: Option<String>,
}

impl Interface {
    fn structure_read(&mut self, file: &Path, result: Result<Arc<FileStructure>, String>) {
        let Some(view) = self.structure.as_mut().filter(|view| view.file == file) else { return };
        match result {
            Ok(contents) => view.contents = Some(contents),
            Err(reason) => view.error = Some(reason),
        }
    }
}

impl Session {
    /// Returns the file for the structure view: the file that failed to open, or else the file of the focused part.
    pub fn structure_file(&self) -> Option<PathBuf> {
        if let Some(failure) = &self.interface.failure {
            return failure.has_bytes.then(|| failure.file.clone());
        }
        let asset = self.asset()?;
        Some(asset.file.clone().unwrap_or_else(|| PathBuf::from(&asset.name)))
    }

    pub(crate) fn open_structure(&mut self, file: PathBuf) -> Option<Effect> {
        let wanted = self.structure_file();
        self.interface.structure = Some(StructureView { file: file.clone(), wanted, contents: None, error: None });
        let load = QueuedLoad::new(file.clone(), move |session| {
            let unsaved = session.document.unsaved_bytes(&file);
            on_loader(move |context| {
                let structure = Arc::new(read_structure(context.opener, &file, unsaved.as_ref())?);
                then_update(move |session| session.interface.structure_read(&file, Ok(structure)))
            })
        });
        self.load(load.or_else(|session, error| session.interface.structure_read(&error.path, Err(error.reason()))))
    }
}

/// Reads a file for the structure view, from `unsaved` if there are unsaved changes.
fn read_structure(opener: &Opener, path: &Path, unsaved: Option<&Arc<Vec<u8>>>) -> Result<FileStructure, OpenError> {
    let (bytes, others) = match (open::sample_bytes(path), unsaved) {
        (Some(bytes), _) => (bytes.to_vec(), Vec::new()),
        (None, Some(bytes)) => (bytes.to_vec(), others_of(opener, path)),
        (None, None) => {
            let files = opener.files();
            let read = files.read(path, ReadLimit::MODEL);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let read = read.and_then(|read| match formats::detect(&read) {
                Some(_) => Ok(read),
                None if Structure::knows(&name, &read) => files.read(path, ReadLimit::Whole),
                // The start suffices to recognize an unknown format by eye.
                None => files.read(path, ReadLimit::TEXT),
            });
            (read.or_else(|error| fail(path, OpenCause::Read(error)))?, others_of(opener, path))
        }
    };
    Ok(FileStructure::new(path.to_path_buf(), bytes, others))
}

/// Returns other files to offer: files in the same folder, the archive and scripts of the game.
fn others_of(opener: &Opener, path: &Path) -> Vec<PathBuf> {
    let files = opener.files();
    let Ok((vfs, game_path)) = files.for_file(path) else { return Vec::new() };
    let folder = game_path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_readable = |name: &&str| Structure::knows(name, b"") || is_model_file(Path::new(name));
    let locate = |folder: &str, name: &str| {
        vfs.location_of(&if folder.is_empty() { name.into() } else { format!("{folder}/{name}") })
    };
    let mut others = Vec::new();
    for folder in [folder, "scripts", "shaders", "materials"] {
        let names = vfs.files_in(folder);
        others.extend(names.iter().filter(is_readable).filter_map(|name| locate(folder, name)).take(MAX_OFFERED));
    }
    others.extend(path.ancestors().skip(1).find(|ancestor| ancestor.is_file()).map(Path::to_path_buf));
    others.retain(|other| other != path);
    others
}
