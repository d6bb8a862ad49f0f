//! Drag and drop and the clipboard of a Wayland session.
//!
//! winit 0.30 sends no `HoveredFile` and no `DroppedFile` on Wayland (its issue 1881), so this module receives drags
//! itself, on the window's own connection, and the window passes them on as the events winit should have sent. Once winit
//! sends them, `listener`'s drag half, `drag`, `portal` and `uri_list` can go.
//!
//! The clipboard is here as well because compositors (Weston, Mutter) tell only one `wl_data_device` of a client about
//! drags *and* selections, the newest: with a second one for the clipboard, as egui-winit would make, either drops or
//! pasting would fail. Copying pictures comes with it, which egui-winit cannot do on Wayland.

#[cfg(target_os = "linux")]
mod clipboard;
#[cfg(target_os = "linux")]
mod drag;
#[cfg_attr(not(target_os = "linux"), path = "no_listener.rs")]
mod listener;
#[cfg(target_os = "linux")]
mod pipe_reader;
#[cfg(target_os = "linux")]
mod portal;
#[cfg(target_os = "linux")]
mod state;
pub mod uri_list;

use std::path::PathBuf;

pub use listener::DataTransfers;
use uri_list::FileList;

/// What other programs do with the window: drags over it, and text that was asked for.
#[derive(Debug)]
pub enum TransferEvent {
    /// Files are held over the window. Without paths, their names are not known yet.
    DragEntered(Vec<PathBuf>),
    /// They are no longer held over the window.
    DragLeft,
    /// They were dropped.
    Dropped(Result<FileList, DragError>),
    /// The text of the clipboard, after [`DataTransfers::request_text`].
    Pasted(String),
}

/// Why a drag brought nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DragError {
    /// The other program did not write the list of files in time.
    #[error("the other program did not send the list of files in time")]
    TimedOut,
    /// The list of files is longer than [`uri_list::MAX_LIST_BYTES`].
    #[error("the list of dragged files is longer than {} MiB", uri_list::MAX_LIST_BYTES >> 20)]
    TooLong,
    /// The list of files could not be read.
    #[error("the list of dragged files could not be read")]
    Unreadable,
}
