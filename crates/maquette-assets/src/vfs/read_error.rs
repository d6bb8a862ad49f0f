//! Errors of reading a file.

use crate::limits::MAX_FILE_BYTES;
use std::fmt;
use std::io;

use maquette_core::error::{LoadError, system_reason};

/// Reason why a file could not be read; displayed as one sentence.
#[derive(Debug)]
pub enum ReadError {
    /// No mount has the file.
    NotFound(String),
    /// The path leads to a folder.
    IsFolder,
    /// The path leads to a pipe, a socket or a device.
    NotRegular,
    /// The file has this many bytes, more than [`MAX_FILE_BYTES`].
    TooLarge(u64),
    /// The system reported an error.
    Io(io::Error),
    /// The file is not an archive.
    NotArchive,
    /// A pointer or a web page is in place of the archive; the text describes it.
    StandIn(&'static str),
    /// The archive or this entry is broken.
    Archive(Box<LoadError>),
    /// The entry is encrypted.
    Encrypted(String),
    /// The archive changed after its directory was read.
    Changed,
}

impl ReadError {
    /// Like [`fmt::Display`], but without the path, for messages that name the file elsewhere.
    pub fn reason(&self) -> String {
        match self {
            Self::NotFound(_) => "no such file".to_owned(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(path) => write!(f, "no such file: {path}"),
            Self::IsFolder => f.write_str("is a folder, not a file"),
            Self::NotRegular => f.write_str("not a regular file, but a pipe, a socket or a device"),
            Self::TooLarge(bytes) => write!(f, "the file has {bytes} bytes; at most {MAX_FILE_BYTES} are read"),
            Self::Io(error) => f.write_str(&system_reason(error)),
            Self::NotArchive => f.write_str("not an archive: no zip or pak signature"),
            Self::StandIn(what) => f.write_str(what),
            Self::Archive(error) => error.fmt(f),
            Self::Encrypted(name) => {
                write!(f, "“{}” is encrypted in its archive and cannot be read", name.escape_debug())
            }
            Self::Changed => f.write_str("the archive was changed after it was opened; open it again"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<LoadError> for ReadError {
    fn from(error: LoadError) -> Self {
        Self::Archive(Box::new(error))
    }
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => error,
            ReadError::NotFound(_) => Self::new(io::ErrorKind::NotFound, error.to_string()),
            _ => Self::other(error.to_string()),
        }
    }
}
