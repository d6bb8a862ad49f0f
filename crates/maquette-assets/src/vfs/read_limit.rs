//! Limit for reading a file.

use crate::limits::MAX_FILE_BYTES;
use maquette_core::formats;
use maquette_core::limits::MAX_TEXT_BYTES;
use std::io::Read;

use super::ReadError;

/// Limit for reading a file.
#[derive(Clone, Copy, Debug)]
pub enum ReadLimit {
    /// The whole file. A file of more than [`MAX_FILE_BYTES`] is refused.
    Whole,
    /// The start of the file, at most this many bytes.
    Start(u64),
    /// The whole file if its start is accepted, else the start only.
    If {
        /// Bytes of the start.
        start: u64,
        /// Function that returns whether to read on after these bytes.
        accepts: fn(&[u8]) -> bool,
    },
}

impl ReadLimit {
    /// Limit for text files: one byte more than parsers accept, so that a parser can report a file that is too long.
    pub const TEXT: Self = Self::Start(MAX_TEXT_BYTES as u64 + 1);

    /// Limit that reads the whole file of a model, but only the start of other files.
    pub const MODEL: Self = Self::If { start: formats::HEAD, accepts: |start| formats::detect(start).is_some() };

    /// Reads a file of `size` bytes, at most `max` + 1 bytes if it is read whole, with `likely` bytes allocated. Also
    /// returns the length of the start if only that was read.
    pub(super) fn read(
        self,
        file: &mut impl Read,
        size: u64,
        max: u64,
        likely: u64,
    ) -> Result<(Vec<u8>, Option<u64>), ReadError> {
        let first = match self {
            Self::Whole => 0,
            Self::Start(start) | Self::If { start, .. } => start,
        };
        let mut bytes = Vec::with_capacity(usize::try_from(likely.min(first)).unwrap_or(0));
        file.by_ref().take(first).read_to_end(&mut bytes)?;
        let goes_on = match self {
            Self::Whole => true,
            Self::Start(_) => false,
            Self::If { accepts, .. } => bytes.len() as u64 == first && accepts(&bytes),
        };
        if !goes_on {
            return Ok((bytes, Some(first)));
        }
        if size > MAX_FILE_BYTES {
            return Err(ReadError::TooLarge(size));
        }
        bytes.reserve_exact(usize::try_from(likely).unwrap_or(0).saturating_sub(bytes.len()));
        file.take((max + 1).saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
        Ok((bytes, None))
    }
}
