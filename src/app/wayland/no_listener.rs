//! Replacement for the listener on systems without Wayland.

#![forbid(unsafe_code)]

use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::TransferEvent;

/// The listener, which cannot exist on this system.
pub enum DataTransfers {}

impl DataTransfers {
    /// Returns `None`, because this system has no Wayland.
    pub fn start(
        _event_loop: &ActiveEventLoop,
        _window: &Window,
        _answer: impl Fn(TransferEvent) + Send + 'static,
    ) -> Option<Self> {
        None
    }

    /// Copies text to the clipboard.
    pub fn copy_text(&self, _text: String) {
        match *self {}
    }

    /// Copies an image to the clipboard.
    pub fn copy_image(&self, _image: image::RgbaImage) {
        match *self {}
    }

    /// Whether the thread has ended.
    pub fn has_ended(&self) -> bool {
        match *self {}
    }

    /// Requests the clipboard's text.
    pub fn request_text(&self) {
        match *self {}
    }
}
