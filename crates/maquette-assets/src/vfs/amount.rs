//! How much of a file is read.

use super::LARGEST_FILE;

/// How much of a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    /// All of it; one that is too large for that is refused.
    Whole,
    /// At most so many bytes from its start, however large it is.
    UpTo(u64),
}

impl Amount {
    /// Bytes that are read at most.
    pub(super) fn most(self) -> u64 {
        match self {
            Self::Whole => LARGEST_FILE,
            Self::UpTo(most) => most,
        }
    }
}
