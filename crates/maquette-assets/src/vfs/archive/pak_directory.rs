//! Directory of a pak, the uncompressed archive of Quake and Quake II (Quake II `qcommon/files.c`: `FS_LoadPackFile`).

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::directory::{Directory, Finished};
use super::entry_table::{DuplicatePolicy, StoredEntry};
use super::structure;
use super::warnings::EntryIssue;
use crate::limits::MAX_ARCHIVE_ENTRIES;
use crate::vfs::ReadError;
use maquette_core::bytes::Source;
use maquette_core::error::{FilePosition, LoadError, Reason};

/// Bytes of the header: magic, dirofs, dirlen.
const HEADER: u64 = 12;
/// Bytes of an entry: name, filepos, filelen.
const ENTRY: u64 = 64;
const NAME: usize = 56;

pub(super) fn read(file: &mut (impl Read + Seek), length: u64, notes: Option<&Source>) -> Result<Finished, ReadError> {
    if let Some(notes) = notes {
        structure::pak_header(notes);
    }
    let broken = |field, at, reason| Err(LoadError::new("pak", field, FilePosition::Byte(at), reason).into());
    if length < HEADER {
        return broken("header", 0, Reason::UnexpectedEnd { wanted: HEADER, left: length });
    }
    let mut header = [0; HEADER as usize];
    file.rewind()?;
    file.read_exact(&mut header)?;
    let (start, claimed) = (number(&header, 4), number(&header, 8));
    let Ok(claimed) = u64::try_from(claimed) else {
        return broken("dirlen", 8, Reason::CountOutOfRange { count: claimed.into(), max: length });
    };
    let offset = i64::from(start);
    let Some(start) = u64::try_from(start).ok().filter(|start| *start <= length) else {
        return broken("dirofs", 4, Reason::TableOutsideFile { offset, bytes: claimed, file: length });
    };
    let count = claimed.min(length - start) / ENTRY;
    if count == 0 && claimed >= ENTRY {
        return broken("dirofs", 4, Reason::TableOutsideFile { offset, bytes: claimed, file: length });
    }
    if count > MAX_ARCHIVE_ENTRIES {
        #[allow(clippy::cast_possible_wrap, reason = "at most a 32-bit length by 64")]
        let count = count as i64;
        return broken("dirlen", 8, Reason::CountOutOfRange { count, max: MAX_ARCHIVE_ENTRIES });
    }
    if let Some(notes) = notes {
        structure::pak_directory(notes, start, count);
    }
    let mut directory = Directory::new(length);
    if count < claimed / ENTRY {
        let all = claimed / ENTRY;
        directory.remarks.note(format!("the file ends inside its directory; {count} of {all} entries are read"));
    }
    file.seek(SeekFrom::Start(start))?;
    let mut reader = BufReader::new(file);
    for _ in 0..count {
        let mut entry = [0; ENTRY as usize];
        reader.read_exact(&mut entry)?;
        let (name, numbers) = entry.split_at(NAME);
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let found = locate(numbers, length);
        if let (Some(notes), Ok(StoredEntry::Pak { offset, size })) = (notes, &found) {
            structure::pak_file(notes, name, *offset, *size);
        }
        directory.add(name, found);
    }
    Ok(directory.finish(DuplicatePolicy::First))
}

fn locate(numbers: &[u8], length: u64) -> Result<StoredEntry, EntryIssue> {
    let number = |at| u64::try_from(number(numbers, at)).map_err(|_| EntryIssue::Outside);
    let (offset, size) = (number(0)?, number(4)?);
    if offset + size > length {
        return Err(EntryIssue::Outside);
    }
    Ok(StoredEntry::Pak { offset, size })
}

fn number(record: &[u8], at: usize) -> i32 {
    let bytes = record.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    i32::from_le_bytes(bytes)
}
