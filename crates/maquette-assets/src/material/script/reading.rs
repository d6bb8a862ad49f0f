//! The bytes of scripts, one file after another, within limits.

use crate::vfs::{Entry, ReadLimit, UnpackingRoom};

/// Longest script, and bytes of all of them.
pub(super) const LONGEST: usize = 16 << 20;
const MOST_BYTES: usize = 128 << 20;
/// How many times their packed size scripts may unpack to, and bytes beyond that.
const LARGEST_RATIO: u64 = 8;
const ROOM: u64 = 16 << 20;

/// What scripts may still take.
pub(super) struct ScriptReading {
    room: UnpackingRoom,
    bytes: usize,
}

impl ScriptReading {
    pub(super) fn new() -> Self {
        Self { room: UnpackingRoom::new(LARGEST_RATIO, ROOM), bytes: 0 }
    }

    /// The bytes of a script. An error says why the script is left out.
    pub(super) fn read(&mut self, script: &Entry) -> Result<Vec<u8>, String> {
        let size = script.size();
        let too_long = || Err("the script is too long and was not read".to_owned());
        if size.is_some_and(|size| size.bytes > LONGEST as u64) {
            return too_long();
        }
        if size.is_some_and(|size| !self.room.take(size)) {
            return Err(format!(
                "the scripts unpack to more than {LARGEST_RATIO} times their size; this one was not read"
            ));
        }
        let too_many = || Err(format!("the scripts have more than {MOST_BYTES} bytes together; this one was not read"));
        if self.bytes >= MOST_BYTES {
            return too_many();
        }
        let bytes = script.read(ReadLimit::Start(LONGEST as u64 + 1)).map_err(|error| error.to_string())?;
        if bytes.contains(&0) {
            return Err("it is no text; nothing of it is used".to_owned());
        }
        if bytes.len() > LONGEST {
            return too_long();
        }
        if bytes.len() > MOST_BYTES - self.bytes {
            self.bytes = MOST_BYTES;
            return too_many();
        }
        self.bytes += bytes.len();
        Ok(bytes)
    }
}
