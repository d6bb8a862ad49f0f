//! Where a path leads.

use std::path::PathBuf;

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileLocation {
    /// A file on disk that is no archive.
    File(PathBuf),
    /// A folder on disk.
    Folder(PathBuf),
    /// An archive on disk.
    Archive(PathBuf),
    /// A file in an archive.
    FileInArchive {
        /// The archive on disk.
        archive: PathBuf,
        /// The file's path in it, as stored.
        path: String,
    },
    /// A folder in an archive.
    FolderInArchive {
        /// The archive on disk.
        archive: PathBuf,
        /// The folder's path in it, as stored.
        path: String,
    },
}
