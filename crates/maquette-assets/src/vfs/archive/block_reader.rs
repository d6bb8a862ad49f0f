//! Buffered reader that keeps one block. The zip library reads few bytes at a time and seeks before each read.

use std::io::{self, Read, Seek, SeekFrom};

const BLOCK: u64 = 1 << 16;

#[derive(Debug)]
pub(super) struct BlockReader<R> {
    file: R,
    position: u64,
    start: u64,
    block: Vec<u8>,
}

impl<R> BlockReader<R> {
    pub(super) fn new(file: R) -> Self {
        Self { file, position: 0, start: 0, block: Vec::new() }
    }

    pub(super) fn at(mut file: R, start: u64, length: u64) -> io::Result<Self>
    where
        R: Read + Seek,
    {
        // Allocated once, so that one read fills the block.
        let mut block = Vec::with_capacity(usize::try_from(length.min(BLOCK)).unwrap_or(0));
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(length.min(BLOCK)).read_to_end(&mut block)?;
        Ok(Self { file, position: start, start, block })
    }

    fn ahead(&self) -> &[u8] {
        let from = self.position.checked_sub(self.start).and_then(|from| usize::try_from(from).ok());
        from.and_then(|from| self.block.get(from..)).unwrap_or_default()
    }
}

impl<R: Read + Seek> Read for BlockReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ahead().is_empty() {
            // Blocks are aligned, so that reading backwards reads each block once.
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
