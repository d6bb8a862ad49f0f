//! What is kept so that it need not be read or made again: how much of it at most, and how much there is.

use super::{NotificationKind, Session};

/// Bytes of the thumbnails on disk; those unused for longest go.
pub const THUMBNAILS_ON_DISK: u64 = 64_000_000;
/// Bytes of the thumbnails that panels have loaded; those unseen for longest go, none that is in sight.
pub const THUMBNAILS_LOADED: u64 = 10_000_000;
/// Bytes of the models and images that only undo and redo still need; the oldest steps go, the newest stays whatever it
/// takes.
pub const UNDO_HISTORY: u64 = 256_000_000;

impl Session {
    /// Reports that the thumbnails on disk were removed. `left` bytes of them are left.
    pub fn thumbnails_cleared(&mut self, left: u64) {
        self.interface.thumbnails_on_disk = Some(left);
        if left == 0 {
            self.note(NotificationKind::Done, "Thumbnail cache cleared");
        } else {
            self.note(NotificationKind::Warning, "Some thumbnails could not be removed");
        }
    }
}
