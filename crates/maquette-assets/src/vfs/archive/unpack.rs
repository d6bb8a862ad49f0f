//! The bytes of one entry.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use zip::read::OwnedZipFileEntry;
use zip::{CompressionMethod, ZipReadOptions};

use super::remarks::Oddity;
use super::table::{Entry, Stored};
use super::window::Window;
use crate::error::{LoadError, Place, Reason};
use crate::vfs::amount::Amount;
use crate::vfs::{LARGEST_FILE, ReadError};

/// Bytes that an entry may always unpack to; above them it is at most [`LARGEST_RATIO`] times its packed size. Models pack
/// to a third or a fifth; only a bomb gets beyond.
const RATIO_FLOOR: u64 = 32 << 20;
const LARGEST_RATIO: u64 = 16;
/// Bytes of the header before an entry's bytes, its name aside: mostly no more.
const HEADER: u64 = 64;
/// No deflated byte comes to more.
const MOST_DEFLATED: u64 = 1032;

/// What was read, and what is odd about it.
type Unpacked = (Vec<u8>, Option<Oddity>);

/// Reads an entry of the archive `file`, or its first bytes.
pub(super) fn read(file: &mut File, entry: &Entry, amount: Amount) -> Result<Unpacked, ReadError> {
    match &entry.stored {
        Stored::Pak { offset, size } => from_pak(file, *offset, *size, amount),
        Stored::Zip(stored) => from_zip(file, &entry.path, stored, amount),
    }
}

fn from_pak(file: &mut File, offset: u64, size: u64, amount: Amount) -> Result<Unpacked, ReadError> {
    if amount == Amount::Whole && size > LARGEST_FILE {
        return Err(ReadError::TooLarge(size));
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    let wanted = size.min(amount.most());
    file.take(wanted).read_to_end(&mut bytes)?;
    let short = (bytes.len() as u64) < wanted;
    Ok((bytes, short.then_some(Oddity::Short)))
}

/// The directory's numbers count; of the local header only its length does.
fn from_zip(file: &mut File, path: &str, stored: &OwnedZipFileEntry, amount: Amount) -> Result<Unpacked, ReadError> {
    let (size, packed, method) = (stored.size(), stored.compressed_size(), stored.compression());
    let broken = |why: String| -> ReadError {
        let place = Place::Byte(stored.header_start());
        LoadError::new("zip", format!("“{path}”"), place, Reason::Broken(why)).into()
    };
    if amount == Amount::Whole && size.max(packed) > LARGEST_FILE {
        return Err(ReadError::TooLarge(size.max(packed)));
    }
    if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(broken(format!("its method of packing ({method}) is not read; stored and deflated files are")));
    }
    let length = HEADER + path.len() as u64 + packed;
    let mut window = Window::at(file, stored.header_start(), length)?;
    // A wrong checksum is to give the bytes all the same, which the library would not.
    let unpacked = stored
        .as_ref()
        .with_reader(&mut window, ZipReadOptions::new().ignore_crc32(true))
        .map_err(|error| broken(format!("the directory leads here, but no file begins here ({error})")))?;
    // Not what it claims counts, but what comes; more than it claims is an error of the library's.
    let most = match amount {
        Amount::Whole => packed.saturating_mul(LARGEST_RATIO).max(RATIO_FLOOR),
        Amount::UpTo(most) => most,
    };
    let likely = size.min(most + 1).min(packed.saturating_mul(MOST_DEFLATED));
    let mut bytes = Vec::with_capacity(usize::try_from(likely).unwrap_or(0));
    let read = unpacked.take(if amount == Amount::Whole { most + 1 } else { most }).read_to_end(&mut bytes);
    read.map_err(|error| broken(format!("its packed bytes are broken ({error})")))?;
    if amount == Amount::Whole && bytes.len() as u64 > most {
        return Err(broken(format!("it unpacks to more than {LARGEST_RATIO} times its packed size")));
    }
    // The start of a file says nothing of the whole.
    if amount != Amount::Whole && size > most {
        return Ok((bytes, None));
    }
    let odd = if crc32fast::hash(&bytes) != stored.crc32() {
        Some(Oddity::Checksum)
    } else {
        ((bytes.len() as u64) < size).then_some(Oddity::Short)
    };
    Ok((bytes, odd))
}
