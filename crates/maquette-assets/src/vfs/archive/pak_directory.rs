//! Directory of a pak, the uncompressed archive of Quake and Quake II (Quake II `qcommon/files.c`: `FS_LoadPackFile`).

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::directory::{Directory, Finished};
use super::entry_table::StoredEntry;
use super::structure;
use super::warnings::EntryIssue;
use crate::limits::MAX_ARCHIVE_ENTRIES;
use crate::vfs::ReadError;
use maquette_core::bytes::Source;
use maquette_core::error::{FilePosition, LoadError, Reason};

/// Bytes of the header: magic, dirofs, dirlen.
const HEADER: u64 = 12;
/// Layout of the entries: a name, filepos, filelen, and in some games more numbers.
#[derive(Clone, Copy)]
struct Layout {
    /// Bytes of the name.
    name: usize,
    /// Bytes of an entry.
    entry: usize,
    /// Game that wrote the archive; `None` for Quake and Quake II.
    game: Option<&'static str>,
}

const QUAKE: Layout = Layout { name: 56, entry: 64, game: None };
/// SiN: the magic is `SPAK`.
const SIN: Layout = Layout { name: 120, entry: 128, game: Some("SiN") };
/// Daikatana: the size in the archive and a flag for compression follow.
const DAIKATANA: Layout = Layout { name: 56, entry: 72, game: Some("Daikatana") };
/// Number of entries that decide on the layout.
const SAMPLED_ENTRIES: u64 = 4;

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
    let room = claimed.min(length - start);
    let layout = find_layout(file, &header, start, room, length)?;
    let count = room / layout.entry as u64;
    if count == 0 && claimed >= layout.entry as u64 {
        return broken("dirofs", 4, Reason::TableOutsideFile { offset, bytes: claimed, file: length });
    }
    if count > MAX_ARCHIVE_ENTRIES {
        let count = count as i64;
        return broken("dirlen", 8, Reason::CountOutOfRange { count, max: MAX_ARCHIVE_ENTRIES });
    }
    // The structure view knows the usual layout only.
    let notes = notes.filter(|_| layout.game.is_none());
    if let Some(notes) = notes {
        structure::pak_directory(notes, start, count);
    }
    let mut directory = Directory::new(length);
    if let Some(game) = layout.game {
        directory.warnings.note(format!("read as a PAK of {game}, with entries of {} bytes", layout.entry));
    }
    let all = claimed / layout.entry as u64;
    if count < all {
        directory.warnings.note(format!("the file ends inside its directory; {count} of {all} entries are read"));
    }
    file.seek(SeekFrom::Start(start))?;
    let mut reader = BufReader::new(file);
    let mut bytes = vec![0; layout.entry];
    for _ in 0..count {
        let (name, found) = read_entry(&mut reader, &mut bytes, layout, length)?;
        if let (Some(notes), Ok(StoredEntry::Pak { offset, size })) = (notes, &found) {
            structure::pak_file(notes, name, *offset, *size);
        }
        directory.add(name, found);
    }
    Ok(directory.finish(false))
}

/// Returns the first layout whose entry size divides the directory and whose first entries have names and lie in the
/// file.
fn find_layout(
    file: &mut (impl Read + Seek),
    header: &[u8],
    start: u64,
    room: u64,
    length: u64,
) -> Result<Layout, ReadError> {
    let candidates: &[Layout] = if header.starts_with(b"SPAK") { &[SIN] } else { &[QUAKE, DAIKATANA, SIN] };
    for layout in candidates.iter().copied().filter(|layout| room > 0 && room.is_multiple_of(layout.entry as u64)) {
        file.seek(SeekFrom::Start(start))?;
        let mut fits = true;
        let mut bytes = vec![0; layout.entry];
        for _ in 0..SAMPLED_ENTRIES.min(room / layout.entry as u64) {
            let (name, found) = read_entry(file, &mut bytes, layout, length)?;
            fits &= !name.is_empty() && name.iter().all(|byte| (b' '..=b'~').contains(byte));
            fits &= !matches!(found, Err(EntryIssue::Outside));
        }
        if fits {
            return Ok(layout);
        }
    }
    Ok(candidates.first().copied().unwrap_or(QUAKE))
}

fn read_entry<'a>(
    file: &mut impl Read,
    entry: &'a mut [u8],
    layout: Layout,
    length: u64,
) -> Result<(&'a [u8], Result<StoredEntry, EntryIssue>), ReadError> {
    file.read_exact(entry)?;
    let (name, numbers) = entry.split_at_checked(layout.name).unwrap_or_default();
    let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
    let is_compressed = number(numbers, 12) != 0;
    let found = if is_compressed { Err(EntryIssue::Compressed) } else { locate(numbers, length) };
    Ok((name, found))
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
