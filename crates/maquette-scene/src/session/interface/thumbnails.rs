//! Thumbnails: sizes of their caches.

use crate::session::{NotificationKind, Session};

/// Maximum bytes of the thumbnails on disk. Beyond the limit, the least recently used are removed.
pub const THUMBNAILS_ON_DISK: u64 = 64_000_000;
/// Maximum bytes of loaded thumbnails. Beyond the limit, the least recently seen are dropped, except visible ones.
pub const THUMBNAILS_LOADED: u64 = 10_000_000;
impl Session {
    /// Records and reports that the thumbnails on disk were removed. `left` is the number of bytes that could not be
    /// removed.
    pub fn thumbnails_cleared(&mut self, left: u64) {
        self.interface.thumbnails_on_disk = Some(left);
        if left == 0 {
            self.note(NotificationKind::Done, "Thumbnail cache cleared");
        } else {
            self.note(NotificationKind::Warning, "Some thumbnails could not be removed");
        }
    }
}
