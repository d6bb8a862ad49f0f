//! How large a file is, and how many bytes files may unpack to together.

use crate::limits::{MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO};
use maquette_core::budget::Budget;

/// How large a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSize {
    /// Bytes that it has, or claims to have in its archive.
    pub bytes: u64,
    /// Bytes that it takes where it lies: fewer, if it is packed.
    pub stored: u64,
}

impl FileSize {
    /// Of a file that is not packed.
    pub(super) fn of(bytes: u64) -> Self {
        Self { bytes, stored: bytes }
    }
}

/// Room for the files that are read for one purpose. What a file has beyond a multiple of its packed size is taken from the
/// room: an archive of 100 KB can hold a hundred texts of a megabyte, and ordinary archives do not.
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
    /// Whether there is room for a file; it then takes it.
    pub fn take(&mut self, size: FileSize) -> bool {
        let beyond = size.bytes.saturating_sub(size.stored.saturating_mul(MAX_UNPACKED_RATIO));
        let has_room = self.budget.take(beyond).is_ok();
        self.refused += usize::from(!has_room);
        has_room
    }

    /// A sentence about the files that there was no room for, if any.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let Self { refused, .. } = self;
        let told =
            format!("they unpack to more than {MAX_UNPACKED_RATIO} times their size together; {refused} were not read");
        (*refused > 0).then_some(told)
    }
}
