//! A file read in blocks, the last of which is kept: libraries read few bytes at a time, and seek before each.

use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of a block.
const BLOCK: u64 = 1 << 16;

/// A file of which the block read last is kept.
#[derive(Debug)]
pub(super) struct BlockReader<R> {
    file: R,
    position: u64,
    /// Where the block begins.
    start: u64,
    block: Vec<u8>,
}

impl<R> BlockReader<R> {
    /// A window on `file`, at its start.
    pub(super) fn new(file: R) -> Self {
        Self { file, position: 0, start: 0, block: Vec::new() }
    }

    /// A window whose first block is this part of the file, as far as a block goes.
    pub(super) fn at(mut file: R, start: u64, length: u64) -> io::Result<Self>
    where
        R: Read + Seek,
    {
        // In one read, if it is there.
        let mut block = Vec::with_capacity(usize::try_from(length.min(BLOCK)).unwrap_or(0));
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(length.min(BLOCK)).read_to_end(&mut block)?;
        Ok(Self { file, position: start, start, block })
    }

    /// What the block has from the position on.
    fn ahead(&self) -> &[u8] {
        let from = self.position.checked_sub(self.start).and_then(|from| usize::try_from(from).ok());
        from.and_then(|from| self.block.get(from..)).unwrap_or_default()
    }
}

impl<R: Read + Seek> Read for BlockReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ahead().is_empty() {
            // Whole blocks of the file, so that one that is read backwards is read once, too.
            self.block.clear();
            self.start = self.position - self.position % BLOCK;
            self.file.seek(SeekFrom::Start(self.start))?;
            self.file.by_ref().take(BLOCK).read_to_end(&mut self.block)?;
        }
        let count = self.ahead().read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: Read + Seek> Seek for BlockReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::End(_) => self.file.seek(to)?,
            SeekFrom::Current(offset) => {
                let outside = || io::Error::from(io::ErrorKind::InvalidInput);
                self.position.checked_add_signed(offset).ok_or_else(outside)?
            }
        };
        Ok(self.position)
    }
}
