//! Reading what another program writes into a pipe: on the listener's loop, up to a limit, without ever waiting for it.

#![forbid(unsafe_code)]

use std::io::{ErrorKind, Read as _};

use smithay_client_toolkit::data_device_manager::ReadPipe;
use smithay_client_toolkit::reexports::calloop::{LoopHandle, PostAction, RegistrationToken};

use super::DragError;

/// Bytes taken at a time.
const PIECE: usize = 64 << 10;

/// Reads a pipe to its end, then calls `done` with all of it, once. Dropping the token's source ends it without a call.
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
        // One read per readiness: a second one could wait.
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
    source.map_err(|error| log::warn!("a transfer cannot be read: {error}")).ok()
}
