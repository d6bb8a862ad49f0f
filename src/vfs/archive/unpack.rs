//! The bytes of one entry.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _, SeekFrom};

use zip::ZipReadOptions;
use zip::read::read_zipfile_from_stream_with_options;

use super::directory::{Record, bytes_at};
use super::remarks::Oddity;
use super::table::{Entry, Stored};
use super::zip_directory::LOCAL_LENGTH;
use crate::error::{LoadError, Place, Reason};
use crate::vfs::{LARGEST_FILE, ReadError};

/// How an entry may be packed (4.4.5 of the specification).
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Bytes unpacked between two looks at the limits.
const CHUNK: u64 = 1 << 16;
/// Above this many bytes, an entry may unpack to [`LARGEST_RATIO`] times its packed size at most. No deflate
/// stream gets beyond 1032, so that only an entry whose numbers lie is refused by this.
const RATIO_FLOOR: u64 = 16 << 20;
const LARGEST_RATIO: u64 = 2000;

/// What was read, and what is odd about it.
pub(super) type Unpacked = (Vec<u8>, Option<Oddity>);

/// Reads an entry of a pak.
pub(super) fn from_pak(file: &mut File, entry: &Entry) -> Result<Unpacked, ReadError> {
    let Stored { offset, size, .. } = entry.stored;
    if size > LARGEST_FILE {
        return Err(ReadError::TooLarge(size));
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    Read::take(file, size).read_to_end(&mut bytes)?;
    let short = (bytes.len() as u64) < size;
    Ok((bytes, short.then_some(Oddity::Short)))
}

/// Reads an entry of a zip of `length` bytes. The directory's numbers count; of the local header only its length does.
pub(super) fn from_zip(file: &mut File, length: u64, entry: &Entry) -> Result<Unpacked, ReadError> {
    let Stored { offset, packed, size, method, checksum } = entry.stored;
    let broken = |why: String| -> ReadError {
        let field = format!("“{}”", entry.path);
        LoadError::new("zip", field, Place::Byte(offset), Reason::Broken(why)).into()
    };
    if size.max(packed) > LARGEST_FILE {
        return Err(ReadError::TooLarge(size.max(packed)));
    }
    let Some(local) =
        bytes_at::<{ LOCAL_LENGTH as usize }>(file, offset)?.filter(|bytes| bytes.starts_with(b"PK\x03\x04"))
    else {
        return Err(broken("the directory leads here, but no file begins here".to_owned()));
    };
    let local = Record(&local);
    let start = offset + LOCAL_LENGTH + u64::from(local.u16(26)) + u64::from(local.u16(28));
    if start + packed > length {
        return Err(broken("its bytes lie outside the file".to_owned()));
    }
    file.seek(SeekFrom::Start(start))?;
    let packed_bytes = Read::take(file, packed);
    let bytes = match method {
        STORED => bounded(packed_bytes, size, packed),
        DEFLATED => inflate(packed_bytes, size, packed),
        _ => Err(Refused::Method),
    };
    let bytes = bytes.map_err(|refused| match refused {
        Refused::Method => {
            let name = method_name(method);
            broken(format!("it is packed with method {method}{name}; stored and deflated files are read"))
        }
        Refused::Long => broken(format!("it unpacks to more than the {size} bytes that its entry claims")),
        Refused::Ratio => broken(format!("it unpacks to more than {LARGEST_RATIO} times its size")),
        Refused::Broken(error) => broken(format!("its packed bytes are broken ({error})")),
    })?;
    let odd = if checksum.is_some_and(|checksum| checksum != checksum_of(&bytes)) {
        Some(Oddity::Checksum)
    } else {
        ((bytes.len() as u64) < size).then_some(Oddity::Short)
    };
    Ok((bytes, odd))
}

/// Why an entry is not unpacked.
enum Refused {
    Method,
    Long,
    Ratio,
    Broken(io::Error),
}

/// Inflates what `packed_bytes` gives.
fn inflate(packed_bytes: impl Read, size: u64, packed: u64) -> Result<Vec<u8>, Refused> {
    // The library unpacks a file behind a local header. The file's own may say anything, so it gets one that says
    // no more than “deflated, sizes stand elsewhere” (bit 3).
    let mut header = [0; LOCAL_LENGTH as usize];
    for (place, value) in header.iter_mut().zip(*b"PK\x03\x04\x14\x00\x08\x00\x08") {
        *place = value;
    }
    let mut stream = Cursor::new(header).chain(packed_bytes);
    // Size and checksum are looked after here: a wrong checksum is to give the bytes all the same.
    let options = ZipReadOptions::new().ignore_crc32(true).override_compressed_size(packed);
    match read_zipfile_from_stream_with_options(&mut stream, options) {
        Ok(Some(file)) => bounded(file, size, packed),
        Ok(None) => Err(Refused::Broken(io::ErrorKind::InvalidData.into())),
        Err(error) => Err(Refused::Broken(error.into())),
    }
}

/// All of `reader`, unless it is more than it claims to be.
fn bounded(mut reader: impl Read, size: u64, packed: u64) -> Result<Vec<u8>, Refused> {
    let mut bytes = Vec::new();
    loop {
        let count = reader.by_ref().take(CHUNK).read_to_end(&mut bytes).map_err(Refused::Broken)?;
        let length = bytes.len() as u64;
        if length > size {
            return Err(Refused::Long);
        }
        if length > RATIO_FLOOR && length > packed.saturating_mul(LARGEST_RATIO) {
            return Err(Refused::Ratio);
        }
        if count == 0 {
            return Ok(bytes);
        }
    }
}

/// What people call a method of packing.
fn method_name(method: u16) -> &'static str {
    match method {
        1 => " (shrunk)",
        2..=5 => " (reduced)",
        6 => " (imploded)",
        9 => " (Deflate64)",
        12 => " (BZIP2)",
        14 => " (LZMA)",
        93 => " (Zstandard)",
        95 => " (XZ)",
        98 => " (PPMd)",
        _ => "",
    }
}

/// The zip's checksum (CRC-32, section 4.4.7), a byte at a time.
fn checksum_of(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = checksum_table();
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        let [low, ..] = sum.to_le_bytes();
        TABLE[usize::from(low ^ byte)] ^ (sum >> 8)
    })
}

const fn checksum_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        #[allow(clippy::cast_possible_truncation, reason = "below 256")]
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}
