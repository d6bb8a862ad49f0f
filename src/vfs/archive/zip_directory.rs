//! The central directory of a zip, which is all of a zip that games look at (`.ZIP File Format Specification` 6.3.10,
//! sections 4.3.12 to 4.3.16 and 4.5.3).
//!
//! It is read here and not by a library because this one reads what strangers made: nothing is allocated for what is
//! only claimed, a bad entry does not take the others with it, and the kept table is small.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};

use super::directory::{Directory, Finished, MOST_ENTRIES, Record, bytes_at};
use super::remarks::Oddity;
use super::table::{Stored, Wins};
use crate::error::{LoadError, Place, Reason};
use crate::vfs::ReadError;

const END: [u8; 4] = *b"PK\x05\x06";
const END_64: [u8; 4] = *b"PK\x06\x06";
const LOCATOR_64: [u8; 4] = *b"PK\x06\x07";
const HEADER: [u8; 4] = *b"PK\x01\x02";

/// Bytes of the end record without its comment, and of the longest comment.
const END_LENGTH: u64 = 22;
const LONGEST_COMMENT: u64 = 0xffff;
/// Bytes of the locator of the 64-bit end record.
const LOCATOR_LENGTH: u64 = 20;
/// Bytes of a central header before its name.
const HEADER_LENGTH: usize = 46;
/// Bytes of a local header before its name.
pub(super) const LOCAL_LENGTH: u64 = 30;

/// A number that stands elsewhere, as 64 bits.
const ELSEWHERE_16: u16 = u16::MAX;
const ELSEWHERE_32: u32 = u32::MAX;

/// Where the central directory lies.
struct Span {
    start: u64,
    end: u64,
    /// Bytes before the archive proper, to be added to the offsets in it.
    shift: u64,
    /// Entries it claims.
    count: u64,
    /// Whether `count` may have overflowed: writers without zip64 count on past 65,535.
    count_wraps: bool,
}

fn broken(field: &str, place: Place, reason: Reason) -> ReadError {
    LoadError::new("zip", field, place, reason).into()
}

/// Reads the central directory of a zip of `length` bytes.
pub(super) fn read(file: &mut File, length: u64) -> Result<Finished, ReadError> {
    let span = find(file, length)?;
    if span.count > MOST_ENTRIES {
        return Err(too_many(&span, span.count));
    }
    file.seek(SeekFrom::Start(span.start))?;
    let mut reader = BufReader::new(Read::take(file, span.end - span.start));
    let mut directory = Directory::default();
    let (mut name, mut extra) = (Vec::new(), Vec::new());
    let mut count = 0;
    // As many as there are, whatever number is claimed.
    while let Some(header) = next_header(&mut reader)? {
        let header = Record(&header);
        let comment: u64 = header.u16(32).into();
        let whole = fill(&mut reader, &mut name, header.u16(28))? && fill(&mut reader, &mut extra, header.u16(30))?;
        if !whole {
            break;
        }
        io::copy(&mut Read::take(&mut reader, comment), &mut io::sink())?;
        count += 1;
        if count > MOST_ENTRIES {
            return Err(too_many(&span, count));
        }
        directory.add(&name, locate(&header, &extra, span.shift, length));
    }
    if count == 0 && span.count > 0 {
        let reason = Reason::Broken("the first entry is cut off".to_owned());
        return Err(broken("central directory", Place::Byte(span.start), reason));
    }
    if count != span.count && !(span.count_wraps && count & 0xffff == span.count) {
        let claimed = span.count;
        directory.remarks.note(format!("the directory claims {claimed} entries; {count} are there"));
    }
    Ok(directory.finish(Wins::Last))
}

fn too_many(span: &Span, count: u64) -> ReadError {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let reason = Reason::CountOutOfRange { count, max: MOST_ENTRIES };
    broken("central directory", Place::Byte(span.start), reason)
}

/// The fixed part of the next central header; none where something else stands.
fn next_header(reader: &mut impl Read) -> io::Result<Option<[u8; HEADER_LENGTH]>> {
    let mut header = [0; HEADER_LENGTH];
    match reader.read_exact(&mut header) {
        Ok(()) => Ok(header.starts_with(&HEADER).then_some(header)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Fills `bytes` with the next `count`; false if fewer are left.
fn fill(reader: &mut impl Read, bytes: &mut Vec<u8>, count: u16) -> io::Result<bool> {
    bytes.clear();
    Ok(reader.take(count.into()).read_to_end(bytes)? == usize::from(count))
}

/// Where an entry's bytes lie, or why it is skipped.
fn locate(header: &Record<'_>, extra: &[u8], shift: u64, length: u64) -> Result<Stored, Oddity> {
    let (flags, method) = (header.u16(8), header.u16(10));
    let mut numbers = [header.u32(24), header.u32(20), header.u32(42)].map(u64::from);
    widen(&mut numbers, extra);
    let [size, packed, offset] = numbers;
    // Bit 0: encrypted; bit 13: the directory is too. Method 99 is AES.
    if flags & (1 | 1 << 13) != 0 || method == 99 {
        return Err(Oddity::Encrypted);
    }
    let offset = offset.checked_add(shift).ok_or(Oddity::Outside)?;
    let end = offset.checked_add(LOCAL_LENGTH).and_then(|start| start.checked_add(packed)).ok_or(Oddity::Outside)?;
    if end > length {
        return Err(Oddity::Outside);
    }
    Ok(Stored { offset, packed, size, method, checksum: Some(header.u32(16)) })
}

/// Takes from the extra field with the number 1 what did not fit into 32 bits: size, packed size and offset, in this
/// order, and only those that did not.
fn widen(numbers: &mut [u64; 3], extra: &[u8]) {
    let mut rest = extra;
    while let Some((head, after)) = rest.split_at_checked(4) {
        let head = Record(head);
        let Some((body, next)) = after.split_at_checked(head.u16(2).into()) else { return };
        if head.u16(0) == 1 {
            let mut wide = body.chunks_exact(8).map(|bytes| Record(bytes).u64(0));
            for number in numbers.iter_mut().filter(|number| **number == u64::from(ELSEWHERE_32)) {
                *number = wide.next().unwrap_or(*number);
            }
            return;
        }
        rest = next;
    }
}

/// Finds the end record, which is the last thing in the file but for a comment, and through it the directory.
fn find(file: &mut File, length: u64) -> Result<Span, ReadError> {
    let tail_start = length.saturating_sub(END_LENGTH + LONGEST_COMMENT);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(tail_start))?;
    Read::take(&mut *file, END_LENGTH + LONGEST_COMMENT).read_to_end(&mut tail)?;
    let mut problem = None;
    #[allow(clippy::cast_possible_truncation, reason = "22")]
    for (at, record) in tail.windows(END_LENGTH as usize).enumerate().rev() {
        if record.starts_with(&END) {
            // The same four bytes may stand in a comment; what they lead to decides.
            match span_of(file, tail_start + at as u64, &Record(record)) {
                Ok(span) => return Ok(span),
                Err(error) => problem = problem.or(Some(error)),
            }
        }
    }
    Err(problem.unwrap_or_else(|| {
        let reason = Reason::Broken("it is missing; the file is cut off".to_owned());
        broken("end of central directory", Place::Byte(length), reason)
    }))
}

/// The directory that an end record at `at` leads to.
fn span_of(file: &mut File, at: u64, record: &Record<'_>) -> Result<Span, ReadError> {
    let (count, size, offset) = (record.u16(10), record.u32(12), record.u32(16));
    let field = "end of central directory";
    if record.u16(4) != record.u16(6) || record.u16(8) != count {
        let reason = Reason::Broken("the archive is spread over several files, which is not supported".to_owned());
        return Err(broken(field, Place::Byte(at), reason));
    }
    let mut claim = (u64::from(count), u64::from(size), u64::from(offset), at);
    let mut count_wraps = true;
    if (count == ELSEWHERE_16 || size == ELSEWHERE_32 || offset == ELSEWHERE_32)
        && let Some(wide) = wide_claim(file, at)?
    {
        claim = wide;
        count_wraps = false;
    }
    let (count, size, offset, end) = claim;
    // Right before the end record, wherever the archive begins; else where its offset says.
    let before = end.checked_sub(size).filter(|start| *start >= offset);
    for (start, shift) in [before.map(|start| (start, start - offset)), Some((offset, 0))].into_iter().flatten() {
        let empty = count == 0 && start == end;
        if empty || (start < end && bytes_at::<4>(file, start)? == Some(HEADER)) {
            return Ok(Span { start, end, shift, count, count_wraps });
        }
    }
    let reason = Reason::Broken(format!("it leads to a directory at byte {offset}, where none is"));
    Err(broken(field, Place::Byte(at), reason))
}

/// Count, size and offset of the directory from the 64-bit end record, and where that record lies.
fn wide_claim(file: &mut File, end: u64) -> io::Result<Option<(u64, u64, u64, u64)>> {
    let Some(locator_at) = end.checked_sub(LOCATOR_LENGTH) else { return Ok(None) };
    let Some(locator) = bytes_at::<20>(file, locator_at)?.filter(|bytes| bytes.starts_with(&LOCATOR_64)) else {
        return Ok(None);
    };
    // Where the locator says, or right before it if something stands before the archive.
    for at in [Some(Record(&locator).u64(8)), locator_at.checked_sub(56)].into_iter().flatten() {
        if let Some(record) = bytes_at::<56>(file, at)?.filter(|bytes| bytes.starts_with(&END_64)) {
            let record = Record(&record);
            return Ok(Some((record.u64(32), record.u64(40), record.u64(48), at)));
        }
    }
    Ok(None)
}
