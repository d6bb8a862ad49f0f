//! How large a file is, and how many bytes files may unpack to together.

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
pub struct UnpackingRoom {
    ratio: u64,
    left: u64,
    refused: usize,
}

impl UnpackingRoom {
    /// Room for `bytes` beyond `ratio` times the packed sizes.
    #[must_use]
    pub fn new(ratio: u64, bytes: u64) -> Self {
        Self { ratio, left: bytes, refused: 0 }
    }

    /// Whether there is room for a file; it then takes it.
    pub fn take(&mut self, size: FileSize) -> bool {
        let beyond = size.bytes.saturating_sub(size.stored.saturating_mul(self.ratio));
        let has_room = beyond <= self.left;
        if has_room {
            self.left -= beyond;
        } else {
            self.refused += 1;
        }
        has_room
    }

    /// A sentence about the files that there was no room for, if any.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let Self { ratio, refused, .. } = self;
        (*refused > 0)
            .then(|| format!("they unpack to more than {ratio} times their size together; {refused} were not read"))
    }
}
