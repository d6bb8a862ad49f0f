//! Where there is no Wayland, nothing listens.

#![forbid(unsafe_code)]

use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::TransferEvent;

/// The listener; there is none on this system.
pub enum DataTransfers {}

impl DataTransfers {
    /// Starts nothing.
    pub fn start(
        _event_loop: &ActiveEventLoop,
        _window: &Window,
        _answer: impl Fn(TransferEvent) + Send + 'static,
    ) -> Option<Self> {
        None
    }

    /// Puts a text on the clipboard.
    pub fn copy_text(&self, _text: String) {
        match *self {}
    }

    /// Puts a picture on the clipboard.
    pub fn copy_picture(&self, _picture: image::RgbaImage) {
        match *self {}
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&self) -> bool {
        match *self {}
    }

    /// Asks for the clipboard's text.
    pub fn request_text(&self) {
        match *self {}
    }
}
