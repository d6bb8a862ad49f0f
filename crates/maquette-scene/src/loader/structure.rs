//! Structure of files, byte by byte.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fail;
use crate::session::FileStructure;
use maquette_assets::open::{self, MODEL_FILE, OpenCause, OpenError, Opener, is_model_file};
use maquette_assets::structure::Structure;
use maquette_assets::vfs::ReadLimit;
use maquette_core::formats;

/// Maximum number of bytes to read from a file of unknown format. Further bytes are not shown.
const UNKNOWN: u64 = 1 << 20;

/// Reads a file for the structure view, from `unsaved` if there are unsaved changes.
pub(crate) fn read_structure(
    opener: &Opener,
    path: &Path,
    unsaved: Option<&Arc<Vec<u8>>>,
) -> Result<FileStructure, OpenError> {
    let (bytes, others) = match (open::sample_bytes(path), unsaved) {
        (Some(bytes), _) => (bytes.to_vec(), Vec::new()),
        (None, Some(bytes)) => (bytes.to_vec(), others_of(opener, path)),
        (None, None) => {
            let files = opener.files();
            let read = files.read(path, MODEL_FILE);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let read = read.and_then(|read| match formats::detect(&read) {
                Some(_) => Ok(read),
                None if Structure::knows(&name, &read) => files.read(path, ReadLimit::Whole),
                // The start suffices to recognize an unknown format by eye.
                None => files.read(path, ReadLimit::Start(UNKNOWN)),
            });
            (read.map_err(|error| fail(path, OpenCause::Read(error)))?, others_of(opener, path))
        }
    };
    Ok(FileStructure::new(path.to_path_buf(), bytes, others))
}

/// Maximum number of files offered per folder. Further files are omitted.
const FILES_OFFERED: usize = 2000;

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
    for folder in [folder, "scripts", "materials"] {
        let names = vfs.files_in(folder);
        others.extend(names.iter().filter(is_readable).filter_map(|name| locate(folder, name)).take(FILES_OFFERED));
    }
    others.extend(path.ancestors().skip(1).find(|ancestor| ancestor.is_file()).map(Path::to_path_buf));
    others.retain(|other| other != path);
    others
}
