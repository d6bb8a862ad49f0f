//! Directory of a zip. Like games, this reader ignores the local headers. The zip library parses the entries.

use std::io::{ErrorKind, Read, Seek};

use zip::CompressionMethod;
use zip::read::{ArchiveOffset, Config, ZipFileEntry};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;

use super::block_reader::BlockReader;
use super::directory::{Directory, Finished};
use super::entry_table::StoredEntry;
use super::structure::ZipNotes;
use super::warnings::EntryIssue;
use crate::limits::MAX_ARCHIVE_ENTRIES;
use crate::vfs::ReadError;
use maquette_core::bytes::Source;
use maquette_core::error::{FilePosition, LoadError, Reason};

/// Bytes of a local header before its name.
const LOCAL_LENGTH: u64 = 30;
const HEADER: [u8; 4] = *b"PK\x01\x02";

pub(super) fn read(file: &mut (impl Read + Seek), length: u64, notes: Option<&Source>) -> Result<Finished, ReadError> {
    // A search for the start would try every end with every start: a crafted file of 300 KiB keeps the library busy for
    // a minute.
    let config = Config { archive_offset: ArchiveOffset::Known(0) };
    let mut archive = ZipIterable::try_new(BlockReader::new(file), config).map_err(|error| refused(error, length))?;
    let claimed = archive.len();
    if claimed as u64 > MAX_ARCHIVE_ENTRIES {
        let count = i64::try_from(claimed).unwrap_or(i64::MAX);
        return Err(broken(length, Reason::CountOutOfRange { count, max: MAX_ARCHIVE_ENTRIES }));
    }
    let mut directory = Directory::new(length);
    let mut noted = notes.map(ZipNotes::new);
    let entries = archive.files().map_err(|error| refused(error, length))?;
    for (index, entry) in entries.by_ref().enumerate() {
        match entry {
            Ok(entry) => {
                let name = entry.name_raw().to_owned();
                if let Some(noted) = &mut noted {
                    noted.add(&name, [entry.header_start(), entry.central_header_start()], entry.compressed_size());
                }
                directory.add(&name, locate(entry, length));
            }
            Err(error) => {
                let why = what_is_broken(error)?;
                if index == 0 {
                    let at = entries.reader_mut().stream_position()?;
                    return Err(broken(at, Reason::Broken(why)));
                }
                // The library cannot skip an entry that it cannot read.
                directory
                    .warnings
                    .note(format!("{index} of {claimed} entries of the directory are read; after them, {why}"));
                noted.into_iter().for_each(ZipNotes::finish);
                return Ok(directory.finish(true));
            }
        }
    }
    noted.into_iter().for_each(ZipNotes::finish);
    // Without zip64, the count of entries wraps at 65,536. The library reads as many entries as are claimed.
    let mut next = [0; 4];
    if claimed > 0 && entries.reader_mut().read_exact(&mut next).is_ok() && next == HEADER {
        directory.warnings.note(format!("the directory claims {claimed} entries, but has more; the rest are skipped"));
    }
    Ok(directory.finish(true))
}

fn locate(entry: ZipFileEntry<'_>, length: u64) -> Result<StoredEntry, EntryIssue> {
    // Bit 13: the directory is encrypted too.
    if entry.encrypted() || entry.flags().as_u16() & 1 << 13 != 0 || entry.compression() == CompressionMethod::AES {
        return Err(EntryIssue::Encrypted);
    }
    let start = entry.header_start().checked_add(LOCAL_LENGTH);
    match start.and_then(|start| start.checked_add(entry.compressed_size())) {
        Some(end) if end <= length => Ok(StoredEntry::Zip(Box::new(entry.into()))),
        _ => Err(EntryIssue::Outside),
    }
}

fn broken(at: u64, reason: Reason) -> ReadError {
    LoadError::new("zip", "central directory", FilePosition::Byte(at), reason).into()
}

/// Returns a description of the damage, or the error if the system refused to read.
fn what_is_broken(error: ZipError) -> Result<String, ReadError> {
    let why = match error {
        ZipError::Io(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error.into()),
        // The words of the library are for programmers.
        ZipError::InvalidArchive(why) if why.contains("EOCD") => "the end of the archive is missing".to_owned(),
        ZipError::InvalidArchive(why) => why.into_owned(),
        error => error.to_string(),
    };
    Ok(format!("the directory is damaged or truncated ({why})"))
}

/// Reports the error at the end of the file, where the directory is searched for.
fn refused(error: ZipError, length: u64) -> ReadError {
    what_is_broken(error).map_or_else(|error| error, |why| broken(length, Reason::Broken(why)))
}
