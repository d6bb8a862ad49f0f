//! The bytes of one entry.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use zip::read::OwnedZipFileEntry;
use zip::{CompressionMethod, ZipReadOptions};

use super::remarks::Oddity;
use super::table::{Entry, Stored};
use crate::error::{LoadError, Place, Reason};
use crate::vfs::{LARGEST_FILE, ReadError};

/// Above this many bytes, an entry may unpack to [`LARGEST_RATIO`] times its packed size at most. No deflate
/// stream gets beyond 1032, so that only an entry whose numbers lie is refused by this.
const RATIO_FLOOR: u64 = 16 << 20;
const LARGEST_RATIO: u64 = 2000;

/// What was read, and what is odd about it.
type Unpacked = (Vec<u8>, Option<Oddity>);

/// Reads an entry of the archive `file`.
pub(super) fn read(file: &mut File, entry: &Entry) -> Result<Unpacked, ReadError> {
    match &entry.stored {
        Stored::Pak { offset, size } => from_pak(file, *offset, *size),
        Stored::Zip(stored) => from_zip(file, &entry.path, stored),
    }
}

fn from_pak(file: &mut File, offset: u64, size: u64) -> Result<Unpacked, ReadError> {
    if size > LARGEST_FILE {
        return Err(ReadError::TooLarge(size));
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes)?;
    let short = (bytes.len() as u64) < size;
    Ok((bytes, short.then_some(Oddity::Short)))
}

/// The directory's numbers count; of the local header only its length does.
fn from_zip(file: &mut File, path: &str, stored: &OwnedZipFileEntry) -> Result<Unpacked, ReadError> {
    let (size, packed, method) = (stored.size(), stored.compressed_size(), stored.compression());
    let broken = |why: String| -> ReadError {
        let place = Place::Byte(stored.header_start());
        LoadError::new("zip", format!("“{path}”"), place, Reason::Broken(why)).into()
    };
    if size.max(packed) > LARGEST_FILE {
        return Err(ReadError::TooLarge(size.max(packed)));
    }
    if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(broken(format!("its method of packing ({method}) is not read; stored and deflated files are")));
    }
    // A wrong checksum is to give the bytes all the same, which the library would not.
    let unpacked = stored
        .as_ref()
        .with_reader(file, ZipReadOptions::new().ignore_crc32(true))
        .map_err(|error| broken(format!("the directory leads here, but no file begins here ({error})")))?;
    // More than `size` is an error of the library's.
    let most = packed.saturating_mul(LARGEST_RATIO).max(RATIO_FLOOR);
    let mut bytes = Vec::new();
    unpacked
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| broken(format!("its packed bytes are broken ({error})")))?;
    if bytes.len() as u64 > most {
        return Err(broken(format!("it unpacks to more than {LARGEST_RATIO} times its size")));
    }
    let odd = if crc32fast::hash(&bytes) != stored.crc32() {
        Some(Oddity::Checksum)
    } else {
        ((bytes.len() as u64) < size).then_some(Oddity::Short)
    };
    Ok((bytes, odd))
}
