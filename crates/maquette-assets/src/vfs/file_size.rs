//! File sizes and a budget for unpacked bytes.

use crate::limits::{MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO};
use maquette_core::budget::Budget;

/// Unpacked and stored size of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSize {
    /// Unpacked bytes. In an archive, the bytes that the directory claims.
    pub bytes: u64,
    /// Stored bytes: fewer if the file is packed.
    pub stored: u64,
}

impl FileSize {
    pub(super) fn unpacked(bytes: u64) -> Self {
        Self { bytes, stored: bytes }
    }
}

/// Budget for unpacked bytes beyond [`MAX_UNPACKED_RATIO`] times the packed size of files, against crafted archives.
#[derive(Clone, Copy, Debug)]
pub struct DecompressionBudget {
    budget: Budget,
    refused: usize,
}

impl Default for DecompressionBudget {
    fn default() -> Self {
        Self { budget: Budget::new(MAX_UNPACKED_BYTES), refused: 0 }
    }
}

impl DecompressionBudget {
    /// Takes a file from the budget. Returns whether the budget allows it.
    pub fn take(&mut self, size: FileSize) -> bool {
        let beyond = size.bytes.saturating_sub(size.stored.saturating_mul(MAX_UNPACKED_RATIO));
        let has_room = self.budget.take(beyond).is_ok();
        self.refused += usize::from(!has_room);
        has_room
    }

    /// Returns a warning about the files that exceeded the budget; `None` if there are none.
    pub fn warning(&self) -> Option<String> {
        let Self { refused, .. } = self;
        let message =
            format!("the files unpack to more than {MAX_UNPACKED_RATIO} times their size together; {refused} skipped");
        (*refused > 0).then_some(message)
    }
}
