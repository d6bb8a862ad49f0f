//! Shares of a limit that several steps take from.

use crate::limits::{MAX_CLAIMED_PER_BYTE, MIN_CLAIMED_BYTES};

/// What is left of a limit on work or memory.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    limit: u64,
    left: u64,
}

/// More was asked for than was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// Everything that was taken, together with what was refused.
    pub total: u64,
}

impl Budget {
    /// A budget of which nothing is taken.
    #[must_use]
    pub const fn new(limit: u64) -> Self {
        Self { limit, left: limit }
    }

    /// Bytes that the tables of a file of `len` bytes may claim, or its shared weights may take.
    #[must_use]
    pub fn for_file(len: u64) -> Self {
        Self::new(len.saturating_mul(MAX_CLAIMED_PER_BYTE).max(MIN_CLAIMED_BYTES))
    }

    /// Takes `amount`. If that is more than is left, nothing is taken.
    ///
    /// # Errors
    ///
    /// If less than `amount` is left.
    pub fn take(&mut self, amount: u64) -> Result<(), Exceeded> {
        match self.left.checked_sub(amount) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Exceeded { total: (self.limit - self.left).saturating_add(amount) }),
        }
    }

    /// Takes all that is left.
    pub fn exhaust(&mut self) {
        self.left = 0;
    }

    /// What can still be taken.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left
    }
}
