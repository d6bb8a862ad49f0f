//! What the readers of zip and pak directories share.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use super::remarks::{Oddity, Remarks};
use super::table::{Entry, Stored, Table, Wins};
use crate::bytes::latin1;
use crate::vfs::path::normalise;

/// Entries accepted per archive.
pub(super) const MOST_ENTRIES: u64 = 1 << 20;

/// An archive's directory while it is read.
#[derive(Debug, Default)]
pub(super) struct Directory {
    entries: Vec<Entry>,
    pub remarks: Remarks,
    encrypted: BTreeSet<String>,
    file_count: usize,
}

/// An archive's directory once it is read.
#[derive(Debug, Default)]
pub(super) struct Finished {
    pub table: Table,
    pub remarks: Remarks,
    /// Lower-cased paths of encrypted entries: they are skipped, but who asks for one is told why.
    pub encrypted: BTreeSet<String>,
    pub file_count: usize,
}

impl Directory {
    /// Adds an entry under its stored name. `found` says where it lies, or why it is skipped.
    pub(super) fn add(&mut self, raw_name: &[u8], found: Result<Stored, Oddity>) {
        let name = text(raw_name);
        if name.ends_with(['/', '\\']) {
            return;
        }
        self.file_count += 1;
        let absolute = name.starts_with(['/', '\\']);
        let Some(path) = normalise(&name).filter(|path| !path.is_empty() && !absolute) else {
            self.remarks.add(Oddity::Name, &name);
            return;
        };
        match found {
            Ok(stored) => self.entries.push(Entry::new(path, stored)),
            Err(oddity) => {
                self.remarks.add(oddity, &name);
                if oddity == Oddity::Encrypted {
                    self.encrypted.insert(path.to_lowercase());
                }
            }
        }
    }

    pub(super) fn finish(self, wins: Wins) -> Finished {
        let table = Table::new(self.entries, wins);
        Finished { table, remarks: self.remarks, encrypted: self.encrypted, file_count: self.file_count }
    }
}

/// A name as text: UTF-8 where it is that, else each byte a character.
fn text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| latin1(bytes), str::to_owned)
}

/// `N` bytes at `offset`; none if the file ends before.
pub(super) fn bytes_at<const N: usize>(file: &mut File, offset: u64) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(offset))?;
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Little-endian numbers at fixed places of a record.
pub(super) struct Record<'a>(pub &'a [u8]);

impl Record<'_> {
    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        self.0.get(at..).and_then(|rest| rest.first_chunk::<N>()).copied().unwrap_or([0; N])
    }

    pub(super) fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    pub(super) fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    pub(super) fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.array(at))
    }
}
