//! Budget for work or memory that several steps share.

use crate::limits::{MAX_CLAIMED_PER_BYTE, MIN_CLAIMED_BYTES};

/// Remaining part of a limit on work or memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    limit: u64,
    left: u64,
}

impl Budget {
    /// Creates a budget with all of `limit` left.
    #[must_use]
    pub const fn new(limit: u64) -> Self {
        Self { limit, left: limit }
    }

    /// Creates a budget for the bytes that the tables, or the shared weights, of a file of `len` bytes may take.
    #[must_use]
    pub fn for_file(len: u64) -> Self {
        Self::new(len.saturating_mul(MAX_CLAIMED_PER_BYTE).max(MIN_CLAIMED_BYTES))
    }

    /// Takes `amount` if that much is left; otherwise takes nothing and fails. The error is the sum of all amounts taken
    /// and of the refused amount.
    pub fn take(&mut self, amount: u64) -> Result<(), u64> {
        match self.left.checked_sub(amount) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err((self.limit - self.left).saturating_add(amount)),
        }
    }

    /// Takes everything that is left.
    pub fn exhaust(&mut self) {
        self.left = 0;
    }

    /// Returns the amount that can still be taken.
    pub fn left(&self) -> u64 {
        self.left
    }
}
