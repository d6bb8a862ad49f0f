//! Drag and drop and the clipboard of a Wayland session.
//!
//! winit 0.30 sends no `HoveredFile` and no `DroppedFile` on Wayland (its issue 1881), so this module receives drags on
//! the window's own connection. The window handles them like the missing events of winit. Once winit sends these, the
//! drag half of `listener`, `drag`, `portal` and `uri_list` can be removed.
//!
//! The clipboard is included because compositors (Weston, Mutter) report drags *and* selections only to the newest
//! `wl_data_device` of a client. egui-winit would create a second one for the clipboard, and either drops or pasting
//! would fail. Copying images, which egui-winit does not support on Wayland, is also included.

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

use super::MAX_INPUT_BYTES;
pub use listener::DataTransfers;
use uri_list::FileList;

/// Events of drags and of the clipboard.
#[derive(Debug)]
pub enum TransferEvent {
    /// Files are dragged over the window. The list is empty while the names are unknown.
    DragEntered(Vec<PathBuf>),
    /// The drag left the window.
    DragLeft,
    /// The files were dropped.
    Dropped(Result<FileList, DragError>),
    /// The text of the clipboard. It answers [`DataTransfers::request_text`].
    Pasted(String),
}

/// Reason why the files of a drag are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DragError {
    /// Another program took too long to write the list of files.
    #[error("the other program did not send the list of files in time")]
    TimedOut,
    /// The list of files is longer than [`MAX_INPUT_BYTES`].
    #[error("the list of dragged files is longer than {} MiB", MAX_INPUT_BYTES >> 20)]
    TooLong,
    /// The list of files could not be read.
    #[error("the list of dragged files could not be read")]
    Unreadable,
}
