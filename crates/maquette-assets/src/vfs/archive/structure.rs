//! Structure of an archive, recorded while its directory is read.
//!
//! Zip structures follow PKWARE's APPNOTE: 4.3.7 local header, 4.3.9 data descriptor, 4.3.12 central directory, 4.3.14
//! to 4.3.16 end of central directory.

use maquette_core::bytes::{ByteReader, Column, Kind, Offset, Record, Source, utf8_or_latin1};
use maquette_core::error::LoadError;

const PAK_RECORD: Record = Record::new(
    "directory",
    &[Column::new("name", Kind::Text, 56), Column::new("filepos", Kind::I32, 1), Column::new("filelen", Kind::I32, 1)],
);

// Errors end the recording only: the reader of the directory reports them.

pub(super) fn pak_header(notes: &Source) {
    let _group = notes.group(|| "header".to_owned());
    let mut reader = notes.start();
    let _ = reader.name("magic", 4).and_then(|_| reader.i32("dirofs")).and_then(|_| reader.i32("dirlen"));
}

pub(super) fn pak_directory(notes: &Source, start: u64, count: u64) {
    // The offset follows the magic.
    let offset = Offset::new("dirofs", 4, i32::try_from(start).unwrap_or(i32::MAX));
    let _ = notes.start().table(0, offset, count, &PAK_RECORD);
}

pub(super) fn pak_file(notes: &Source, name: &[u8], offset: u64, size: u64) {
    let _ = notes.at(offset).skip(&path(name), size);
}

fn path(name: &[u8]) -> String {
    utf8_or_latin1(name)
}

const HAS_DESCRIPTOR: u16 = 1 << 3;
const DESCRIPTOR: &[u8] = b"PK\x07\x08";
const WIDE_END: &[u8] = b"PK\x06\x06";
const WIDE_LOCATOR: &[u8] = b"PK\x06\x07";
const END: &[u8] = b"PK\x05\x06";

pub(super) struct ZipNotes<'a> {
    notes: &'a Source<'a>,
    headers: Vec<(String, u64)>,
}

impl<'a> ZipNotes<'a> {
    pub fn new(notes: &'a Source<'a>) -> Self {
        Self { notes, headers: Vec::new() }
    }

    pub fn add(&mut self, name: &[u8], [local, central]: [u64; 2], packed: u64) {
        let name = path(name);
        let _group = self.notes.group(|| name.clone());
        let _ = local_file(self.notes, local, packed);
        self.headers.push((name, central));
    }

    /// Records the directory and the records after it. In an empty archive, these are at the start.
    pub fn finish(self) {
        let mut end = 0;
        {
            let _directory = self.notes.group(|| "central directory".to_owned());
            for (name, central) in self.headers {
                let _group = self.notes.group(|| name);
                end = central_header(self.notes, central).unwrap_or(end);
            }
        }
        let _ = end_of_directory(self.notes, end);
    }
}

fn local_file(notes: &Source, start: u64, packed: u64) -> Result<(), LoadError> {
    let mut reader = notes.at(start);
    reader.skip("signature", 4)?;
    reader.u16("version needed")?;
    let flags = packing(&mut reader)?;
    let [name, extra] = [reader.u16("file name length")?, reader.u16("extra field length")?];
    reader.name("file name", name.into())?;
    reader.skip("extra field", extra.into())?;
    reader.skip("data", packed)?;
    if flags & HAS_DESCRIPTOR != 0 && begins(&reader, notes, DESCRIPTOR) {
        let _group = notes.group(|| "data descriptor".to_owned());
        reader.skip("signature", 4)?;
        reader.u32("crc-32")?;
        reader.u32("compressed size")?;
        reader.u32("uncompressed size")?;
    }
    Ok(())
}

fn packing(reader: &mut ByteReader) -> Result<u16, LoadError> {
    let flags = reader.u16("flags")?;
    reader.u16("compression method")?;
    reader.u16("last modified time")?;
    reader.u16("last modified date")?;
    reader.u32("crc-32")?;
    reader.u32("compressed size")?;
    reader.u32("uncompressed size")?;
    Ok(flags)
}

fn central_header(notes: &Source, start: u64) -> Result<u64, LoadError> {
    let mut reader = notes.at(start);
    reader.skip("signature", 4)?;
    reader.u16("version made by")?;
    reader.u16("version needed")?;
    packing(&mut reader)?;
    let [name, extra] = [reader.u16("file name length")?, reader.u16("extra field length")?];
    let comment = reader.u16("file comment length")?;
    reader.u16("disk number start")?;
    reader.u16("internal attributes")?;
    reader.u32("external attributes")?;
    reader.u32("local header offset")?;
    reader.name("file name", name.into())?;
    reader.skip("extra field", extra.into())?;
    reader.name("file comment", comment.into())?;
    Ok(reader.position())
}

fn begins(reader: &ByteReader, notes: &Source, signature: &[u8]) -> bool {
    let rest = usize::try_from(reader.position()).ok().and_then(|at| notes.bytes().get(at..));
    rest.is_some_and(|rest| rest.starts_with(signature))
}

fn end_of_directory(notes: &Source, start: u64) -> Result<(), LoadError> {
    let mut reader = notes.at(start);
    if begins(&reader, notes, WIDE_END) {
        let _group = notes.group(|| "zip64 end of central directory".to_owned());
        reader.skip("signature", 4)?;
        let rest = u64::from(reader.u32("size of record")?);
        reader.u32("size of record, upper half")?;
        reader.skip("record", rest)?;
    }
    if begins(&reader, notes, WIDE_LOCATOR) {
        let _group = notes.group(|| "zip64 end of central directory locator".to_owned());
        reader.skip("signature", 4)?;
        reader.skip("record", 16)?;
    }
    if begins(&reader, notes, END) {
        let _group = notes.group(|| "end of central directory".to_owned());
        reader.skip("signature", 4)?;
        for field in ["number of this disk", "disk of directory", "entries on this disk", "entries"] {
            reader.u16(field)?;
        }
        reader.u32("size of directory")?;
        reader.u32("offset of directory")?;
        let comment = reader.u16("comment length")?;
        reader.name("comment", comment.into())?;
    }
    Ok(())
}
