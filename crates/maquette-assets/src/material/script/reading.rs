//! Reader for a script's bytes, within limits.

use crate::limits::MAX_UNPACKED_RATIO;
use crate::vfs::{DecompressionBudget, Entry, ReadLimit};
use maquette_core::formats::stand_in;
use maquette_core::limits::MAX_TEXT_BYTES;

pub(super) fn read(script: &Entry, room: &mut DecompressionBudget) -> Result<Vec<u8>, String> {
    let size = script.size();
    let too_long = || Err("the script is too long; skipped".to_owned());
    if size.is_some_and(|size| size.bytes > MAX_TEXT_BYTES as u64) {
        return too_long();
    }
    if size.is_some_and(|size| !room.take(size)) {
        return Err(format!(
            "the scripts unpack to more than {MAX_UNPACKED_RATIO} times their size; this script is skipped"
        ));
    }
    let bytes = script.read(ReadLimit::TEXT).map_err(|error| error.to_string())?;
    if let Some(what) = stand_in(&bytes) {
        return Err(what.to_owned());
    }
    if bytes.contains(&0) {
        return Err("not a text file; skipped".to_owned());
    }
    if bytes.len() > MAX_TEXT_BYTES { too_long() } else { Ok(bytes) }
}
