//! Target of a path, on disk or in an archive.

use std::path::PathBuf;

/// Target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileLocation {
    /// A file on disk that is not an archive.
    File(PathBuf),
    /// A folder on disk.
    Folder(PathBuf),
    /// An archive on disk.
    Archive(PathBuf),
    /// A file in an archive.
    FileInArchive {
        /// The archive on disk.
        archive: PathBuf,
        /// The file's path in the archive, as stored.
        path: String,
    },
    /// A folder in an archive.
    FolderInArchive {
        /// The archive on disk.
        archive: PathBuf,
        /// The folder's path in the archive, as stored.
        path: String,
    },
}
