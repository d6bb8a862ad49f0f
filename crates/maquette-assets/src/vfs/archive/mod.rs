//! Archives: zip (`.pk3`, `.pk4`, `.dpk`, `.zip`) and pak, recognised by content and never unpacked to disk.

mod block_reader;
mod directory;
mod entry_table;
mod pak_directory;
mod structure;
mod unpack;
mod warnings;
mod zip_directory;

use std::fs::{File, Metadata};
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use directory::Finished;
use warnings::ArchiveWarnings;

use super::folder::open_plain;
use super::path::normalise;
use super::{FileNames, FileSize, ReadError, ReadLimit};
use maquette_core::bytes::Source;
use maquette_core::error::{FilePosition, LoadError, Reason};
use maquette_core::formats::stand_in;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Zip,
    Pak,
}

/// An archive whose directory was read. Each read opens the file again, so that threads do not wait for each other.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    stamp: Stamp,
    directory: Finished,
    warnings: Mutex<ArchiveWarnings>,
}

fn directory_of(
    format: Format,
    file: &mut (impl Read + Seek),
    length: u64,
    notes: Option<&Source>,
) -> Result<Finished, ReadError> {
    match format {
        Format::Zip => zip_directory::read(file, length, notes),
        Format::Pak => pak_directory::read(file, length, notes),
    }
}

/// Reads an archive's directory in memory and returns warnings. Fails if the directory is broken or `source` is not an
/// archive.
pub fn read_directory(source: &Source) -> Result<Vec<String>, LoadError> {
    let bytes = source.bytes();
    let read = match format_by(bytes) {
        Some(format) => directory_of(format, &mut Cursor::new(bytes), source.len(), Some(source)),
        None => Err(ReadError::NotArchive),
    };
    read.map(|directory| directory.warnings.sentences()).map_err(|error| match error {
        ReadError::Archive(error) => *error,
        other => LoadError::new("", "", FilePosition::Whole, Reason::Broken(other.to_string())),
    })
}

/// Number of bytes by which a pointer or a web page is recognised.
const STAND_IN_BYTES: u64 = 256;

type Stamp = (u64, Option<SystemTime>);

fn stamp_of(metadata: &Metadata) -> Stamp {
    (metadata.len(), metadata.modified().ok())
}

impl Archive {
    /// Reads the directory of the archive at `path`.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let (mut file, stamp) = open_file(path)?;
        let Some(format) = format_of(&mut file)? else {
            let mut start = Vec::new();
            file.rewind()?;
            file.by_ref().take(STAND_IN_BYTES).read_to_end(&mut start)?;
            return Err(stand_in(&start).map_or(ReadError::NotArchive, ReadError::StandIn));
        };
        let mut directory = directory_of(format, &mut file, stamp.0, None)?;
        let warnings = Mutex::new(std::mem::take(&mut directory.warnings));
        Ok(Self { path: path.to_path_buf(), stamp, directory, warnings })
    }

    /// Returns the path of the archive on disk.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of files in the directory, including skipped and duplicate ones that [`Self::files`] leaves
    /// out.
    pub fn file_count(&self) -> usize {
        self.directory.file_count
    }

    /// Returns the paths of the readable files, as stored but with forward slashes, sorted by the path in lower case.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.directory.table.entries().iter().map(|entry| entry.path.as_ref())
    }

    /// Returns the stored spelling of a file's path, ignoring case.
    pub fn find(&self, path: &str) -> Option<String> {
        self.find_by_key(&normalise(path)?.to_lowercase())
    }

    /// Like [`Self::find`], for a normalised path in lower case.
    pub(super) fn find_by_key(&self, key: &str) -> Option<String> {
        let index = self.directory.table.find_key(key)?;
        self.directory.table.entries().get(index).map(|entry| entry.path.as_ref().to_owned())
    }

    pub(super) fn has_beginning_with(&self, key: &str) -> bool {
        self.directory.table.has_beginning_with(key)
    }

    /// Finds a folder, ignoring case, and returns its path as stored. The path of the root is empty.
    pub fn find_folder(&self, path: &str) -> Option<String> {
        self.directory.table.folder(&normalise(path)?)
    }

    /// Reads a file within `limit`. Bytes that do not match their checksum are returned, with a warning.
    pub fn read(&self, path: &str, limit: ReadLimit) -> Result<Vec<u8>, ReadError> {
        let not_found = || ReadError::NotFound(path.to_owned());
        let wanted = normalise(path).ok_or_else(not_found)?;
        let table = &self.directory.table;
        let Some((index, entry)) = table.find(&wanted).and_then(|index| Some((index, table.entries().get(index)?)))
        else {
            return Err(if self.is_encrypted(&wanted) {
                ReadError::Encrypted(wanted)
            } else if table.folder(&wanted).is_some() {
                ReadError::IsFolder
            } else {
                not_found()
            });
        };
        let (mut file, stamp) = open_file(&self.path)?;
        if stamp != self.stamp {
            return Err(ReadError::Changed);
        }
        let (bytes, odd) = unpack::read(&mut file, entry, limit)?;
        if let Some(oddity) = odd {
            let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
            warnings.add_read(oddity, index, &entry.path);
        }
        Ok(bytes)
    }

    /// Returns the size of a file according to the directory.
    pub fn size_of(&self, path: &str) -> Option<FileSize> {
        let table = &self.directory.table;
        let index = table.find(&normalise(path)?)?;
        table.entries().get(index).map(|entry| entry.stored.size())
    }

    /// Returns the names of the files directly in a folder, sorted by the name in lower case.
    pub fn files_in(&self, folder: &str) -> Vec<String> {
        self.file_names(folder).iter().map(str::to_owned).collect()
    }

    pub(super) fn file_names(&self, folder: &str) -> Arc<FileNames> {
        self.names_in(folder, false)
    }

    pub(super) fn folder_names(&self, folder: &str) -> Arc<FileNames> {
        self.names_in(folder, true)
    }

    fn names_in(&self, folder: &str, folders: bool) -> Arc<FileNames> {
        let Some(folder) = normalise(folder) else { return Arc::default() };
        Arc::new(FileNames::new(self.directory.table.names_in(&folder, folders)))
    }

    /// Returns the names of the files directly in a folder, in the order of the archive's directory.
    pub fn listing(&self, folder: &str) -> Vec<String> {
        normalise(folder).map(|folder| self.directory.table.listing(&folder)).unwrap_or_default()
    }

    /// Returns the names of the folders directly in a folder, sorted by the name in lower case.
    pub fn folders_in(&self, folder: &str) -> Vec<String> {
        self.folder_names(folder).iter().map(str::to_owned).collect()
    }

    /// Returns the warnings about skipped entries, and about files whose bytes turned out to be damaged when they were
    /// read.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).sentences()
    }

    pub(super) fn is_encrypted(&self, path: &str) -> bool {
        !self.directory.encrypted.is_empty() && self.directory.encrypted.contains(&path.to_lowercase())
    }

    pub(super) fn is_fresh(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|metadata| stamp_of(&metadata) == self.stamp)
    }
}

pub(super) fn is_archive(path: &Path) -> Result<bool, ReadError> {
    Ok(format_of(&mut open_file(path)?.0)?.is_some())
}

fn open_file(path: &Path) -> Result<(File, Stamp), ReadError> {
    let (file, metadata) = open_plain(path)?;
    Ok((file, stamp_of(&metadata)))
}

fn format_of(file: &mut File) -> Result<Option<Format>, ReadError> {
    let mut magic = Vec::new();
    file.by_ref().take(4).read_to_end(&mut magic)?;
    Ok(format_by(&magic))
}

fn format_by(start: &[u8]) -> Option<Format> {
    match start.first_chunk()? {
        b"PACK" | b"SPAK" => Some(Format::Pak),
        b"PK\x03\x04" | b"PK\x01\x02" | b"PK\x05\x06" | b"PK\x06\x06" | b"PK\x07\x08" => Some(Format::Zip),
        _ => None,
    }
}

/// Returns the short name of the archive format that begins with these bytes: `zip` or `pak`. `None` if there is none.
pub fn archive_format(start: &[u8]) -> Option<&'static str> {
    Some(match format_by(start)? {
        Format::Zip => "zip",
        Format::Pak => "pak",
    })
}
