//! Non-blocking reader of pipes on the listener's event loop.

#![forbid(unsafe_code)]

use std::io::{ErrorKind, Read as _};

use smithay_client_toolkit::data_device_manager::ReadPipe;
use smithay_client_toolkit::reexports::calloop::{LoopHandle, PostAction, RegistrationToken};

use super::DragError;

const PIECE: usize = 64 << 10;

/// Reads a pipe to its end, then calls `done`. Removing the returned source cancels the read without that call.
pub fn read<State: 'static>(
    events: &LoopHandle<'static, State>,
    pipe: ReadPipe,
    limit: usize,
    done: impl FnOnce(&mut State, Result<Vec<u8>, DragError>) + 'static,
) -> Option<RegistrationToken> {
    let mut bytes = Vec::new();
    let mut piece = vec![0; PIECE];
    let mut done = Some(done);
    let source = events.insert_source(pipe, move |(), file, state| {
        let mut file: &std::fs::File = file;
        // Read once per event, because a second read could block.
        let result = match file.read(&mut piece) {
            Ok(0) => Ok(std::mem::take(&mut bytes)),
            Ok(count) if bytes.len() + count > limit => Err(DragError::TooLong),
            Ok(count) => {
                bytes.extend_from_slice(&piece[..count]);
                return PostAction::Continue;
            }
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {
                return PostAction::Continue;
            }
            Err(_) => Err(DragError::Unreadable),
        };
        if let Some(done) = done.take() {
            done(state, result);
        }
        PostAction::Remove
    });
    source.map_err(|error| log::warn!("could not read a transfer from another program: {error}")).ok()
}
