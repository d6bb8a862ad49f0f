//! Generated archives: valid ones, and zips with arbitrary field values.

use std::io::{Cursor, Write as _};

use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::bytes::ByteWriter;

/// Creates a temporary folder with these files.
pub fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    root
}

/// Returns a valid, deflated zip.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, content) in files {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Returns a valid pak.
pub fn pak(files: &[(&str, &[u8])]) -> Vec<u8> {
    let entries: Vec<_> = files.iter().map(|(name, content)| (*name, *content)).collect();
    let mut file = ByteWriter::new();
    file.raw(b"PACK");
    let [directory, length] = [file.later(), file.later()]; // dirofs, dirlen
    let offsets: Vec<_> = entries
        .iter()
        .map(|(_, content)| {
            let at = file.len();
            file.raw(content);
            at
        })
        .collect();
    file.fill(directory, file.len());
    for ((name, content), at) in entries.iter().zip(offsets) {
        let number = |value: usize| i32::try_from(value).unwrap();
        file.name(name, 56).i32(number(at)).i32(number(content.len()));
    }
    file.fill(length, entries.len() * 64);
    file.finish()
}

/// An entry of a zip with all fields.
#[derive(Clone)]
pub struct RawEntry {
    pub name: Vec<u8>,
    /// The stored bytes.
    pub packed: Vec<u8>,
    pub flags: u16,
    pub method: u16,
    pub checksum: u32,
    /// Packed and unpacked size claimed by the central directory; `None` for the true sizes.
    pub claims: Option<[u32; 2]>,
    /// Offset of the local header claimed by the central directory.
    pub offset: Option<u32>,
    /// Extra fields of the central directory, unless it is zip64.
    pub extra: Vec<u8>,
}

impl RawEntry {
    /// Returns a valid stored entry of six bytes.
    pub fn stored(name: &[u8]) -> Self {
        Self {
            name: name.to_vec(),
            packed: b"stored".to_vec(),
            flags: 0,
            method: 0,
            checksum: 0x5643_f90b,
            claims: None,
            offset: None,
            extra: Vec::new(),
        }
    }
}

/// A zip of arbitrary entries.
pub struct RawZip {
    pub entries: Vec<RawEntry>,
    /// Whether the sizes are only in zip64 records.
    pub wide: bool,
    /// Claimed number of entries.
    pub count: Option<u64>,
    pub comment: Vec<u8>,
}

impl RawZip {
    pub fn new(entries: Vec<RawEntry>) -> Self {
        Self { entries, wide: false, count: None, comment: Vec::new() }
    }

    pub fn build(&self) -> Vec<u8> {
        let mut file = ByteWriter::new();
        let mut directory = ByteWriter::new();
        for entry in &self.entries {
            let own = u32::try_from(file.len()).unwrap();
            let length = u32::try_from(entry.packed.len()).unwrap();
            let claims = entry.claims.unwrap_or([length; 2]);
            let name = u16::try_from(entry.name.len()).unwrap();
            file.raw(b"PK\x03\x04").u16(20).u16(entry.flags).u16(entry.method);
            file.raw(&[0; 4]).u32(entry.checksum).u32(length).u32(length).u16(name).u16(0);
            file.raw(&entry.name).raw(&entry.packed);
            let offset = entry.offset.unwrap_or(own);
            directory.raw(b"PK\x01\x02").u16(20).u16(20).u16(entry.flags).u16(entry.method).raw(&[0; 4]);
            directory.u32(entry.checksum);
            if self.wide {
                // The extra field stores the sizes in reverse order.
                directory.u32(u32::MAX).u32(u32::MAX).u16(name).u16(28).raw(&[0; 10]).u32(u32::MAX).raw(&entry.name);
                directory.u16(1).u16(24).u64(claims[1].into()).u64(claims[0].into()).u64(offset.into());
            } else {
                let extra = u16::try_from(entry.extra.len()).unwrap();
                directory.u32(claims[0]).u32(claims[1]).u16(name).u16(extra).raw(&[0; 10]).u32(offset);
                directory.raw(&entry.name).raw(&entry.extra);
            }
        }
        let (start, size) = (file.len() as u64, directory.len() as u64);
        file.raw(&directory.finish());
        let count = self.count.unwrap_or(self.entries.len() as u64);
        if self.wide {
            let at = file.len() as u64;
            file.raw(b"PK\x06\x06").u64(44).u16(45).u16(45).u32(0).u32(0).u64(count).u64(count).u64(size).u64(start);
            file.raw(b"PK\x06\x07").u32(0).u64(at).u32(1);
            file.raw(b"PK\x05\x06").u16(0).u16(0).u16(u16::MAX).u16(u16::MAX).u32(u32::MAX).u32(u32::MAX);
        } else {
            let count = u16::try_from(count).unwrap();
            file.raw(b"PK\x05\x06").u16(0).u16(0).u16(count).u16(count);
            file.u32(u32::try_from(size).unwrap()).u32(u32::try_from(start).unwrap());
        }
        file.u16(u16::try_from(self.comment.len()).unwrap()).raw(&self.comment);
        file.finish()
    }
}

/// Replaces the packed and unpacked sizes in the first central header of `zip`.
pub fn with_claims(zip: &[u8], packed: Option<u32>, size: u32) -> Vec<u8> {
    let at = zip.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").expect("a zip has a directory");
    let mut zip = zip.to_vec();
    if let Some(packed) = packed {
        zip[at + 20..at + 24].copy_from_slice(&packed.to_le_bytes());
    }
    zip[at + 24..at + 28].copy_from_slice(&size.to_le_bytes());
    zip
}
