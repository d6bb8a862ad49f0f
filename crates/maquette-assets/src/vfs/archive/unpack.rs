//! Reader for the bytes of one archive entry.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use zip::read::OwnedZipFileEntry;
use zip::{CompressionMethod, ZipReadOptions};

use super::block_reader::BlockReader;
use super::entry_table::{Entry, StoredEntry};
use super::warnings::EntryIssue;
use crate::limits::{MAX_ENTRY_RATIO, MIN_ENTRY_BYTES};
use crate::vfs::{ReadError, ReadLimit};
use maquette_core::error::{FilePosition, LoadError, Reason};

const HEADER: u64 = 64;
/// Maximum compression ratio of deflate.
const DEFLATED_RATIO: u64 = 1032;

type Unpacked = (Vec<u8>, Option<EntryIssue>);

pub(super) fn read(file: &mut File, entry: &Entry, limit: ReadLimit) -> Result<Unpacked, ReadError> {
    match &entry.stored {
        StoredEntry::Pak { offset, size } => from_pak(file, *offset, *size, limit),
        StoredEntry::Zip(stored) => from_zip(file, &entry.path, stored, limit),
    }
}

fn from_pak(file: &mut File, offset: u64, size: u64, limit: ReadLimit) -> Result<Unpacked, ReadError> {
    file.seek(SeekFrom::Start(offset))?;
    let (bytes, start) = limit.read(&mut file.take(size), size, size, size)?;
    let short = (bytes.len() as u64) < start.map_or(size, |start| start.min(size));
    Ok((bytes, short.then_some(EntryIssue::Short)))
}

/// Reads an entry by the sizes in the central directory. Only the length of the local header is used.
fn from_zip(file: &mut File, path: &str, stored: &OwnedZipFileEntry, limit: ReadLimit) -> Result<Unpacked, ReadError> {
    let (size, packed, method) = (stored.size(), stored.compressed_size(), stored.compression());
    let broken = |why: String| -> ReadError {
        let position = FilePosition::Byte(stored.header_start());
        LoadError::new("zip", format!("“{path}”"), position, Reason::Broken(why)).into()
    };
    if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(broken(format!(
            "compression method {method} is not supported; only stored and deflated entries can be read"
        )));
    }
    let length = HEADER + path.len() as u64 + packed;
    let mut window = BlockReader::at(file, stored.header_start(), length)?;
    // The library would not return bytes with a wrong checksum.
    let mut unpacked = stored
        .as_ref()
        .with_reader(&mut window, ZipReadOptions::new().ignore_crc32(true))
        .map_err(|error| broken(format!("the directory refers to this offset, but no file begins here ({error})")))?;
    // The limit applies to the unpacked bytes. The library fails if there are more than claimed.
    let max = packed.saturating_mul(MAX_ENTRY_RATIO).max(MIN_ENTRY_BYTES);
    let likely = size.min(max + 1).min(packed.saturating_mul(DEFLATED_RATIO));
    let read = limit.read(&mut unpacked, size.max(packed), max, likely);
    let (bytes, start) = read.map_err(|error| match error {
        ReadError::Io(error) => broken(format!("the compressed bytes are damaged ({error})")),
        error => error,
    })?;
    if start.is_none() && bytes.len() as u64 > max {
        return Err(broken(format!("the entry unpacks to more than {MAX_ENTRY_RATIO} times its compressed size")));
    }
    // The checksum covers the whole file, so it cannot be checked for the start alone.
    if start.is_some_and(|start| size > start) {
        return Ok((bytes, None));
    }
    let odd = if crc32fast::hash(&bytes) != stored.crc32() {
        Some(EntryIssue::Checksum)
    } else {
        ((bytes.len() as u64) < size).then_some(EntryIssue::Short)
    };
    Ok((bytes, odd))
}
