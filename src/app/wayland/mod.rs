//! Drag and drop and the clipboard of a Wayland session.
//!
//! winit 0.30 sends no `HoveredFile` and no `DroppedFile` on Wayland (its issue 1881), so this module receives drags on
//! the
//! window's own connection. The window passes them on as the events that winit should have sent. Once winit sends them,
//! the
//! drag half of `listener`, `drag`, `portal` and `uri_list` can be removed.
//!
//! The clipboard is included because compositors (Weston, Mutter) report drags *and* selections only to the newest
//! `wl_data_device` of a client. With a second one for the clipboard, as egui-winit would create, either drops or
//! pasting
//! would fail. Copying images, which egui-winit does not support on Wayland, is included as well.

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

/// Events of drags and of the clipboard.
#[derive(Debug)]
pub enum TransferEvent {
    /// Files are dragged over the window. If there are no paths, the names of the files are not known yet.
    DragEntered(Vec<PathBuf>),
    /// The drag left the window.
    DragLeft,
    /// The files were dropped.
    Dropped(Result<FileList, DragError>),
    /// The text of the clipboard, after [`DataTransfers::request_text`].
    Pasted(String),
}

/// Reason why the files of a drag are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DragError {
    /// Writing the list of files took the other program too long.
    #[error("the other program did not send the list of files in time")]
    TimedOut,
    /// The list of files is longer than [`uri_list::MAX_LIST_BYTES`].
    #[error("the list of dragged files is longer than {} MiB", uri_list::MAX_LIST_BYTES >> 20)]
    TooLong,
    /// The list of files could not be read.
    #[error("the list of dragged files could not be read")]
    Unreadable,
}
