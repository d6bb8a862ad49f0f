//! What the listener's thread knows.

#![forbid(unsafe_code)]

use std::path::PathBuf;

use smithay_client_toolkit::data_device_manager::DataDeviceManagerState;
use smithay_client_toolkit::data_device_manager::data_device::DataDevice;
use smithay_client_toolkit::data_device_manager::data_offer::DragOffer;
use smithay_client_toolkit::data_device_manager::data_source::CopyPasteSource;
use smithay_client_toolkit::reexports::calloop::channel::Sender;
use smithay_client_toolkit::reexports::calloop::{LoopHandle, RegistrationToken};
use smithay_client_toolkit::reexports::client::QueueHandle;
use smithay_client_toolkit::reexports::client::protocol::wl_data_device::WlDataDevice;
use smithay_client_toolkit::reexports::client::protocol::wl_data_device_manager::DndAction;
use smithay_client_toolkit::reexports::client::protocol::wl_keyboard::WlKeyboard;
use smithay_client_toolkit::reexports::client::protocol::wl_pointer::WlPointer;
use smithay_client_toolkit::reexports::client::protocol::wl_seat::WlSeat;
use smithay_client_toolkit::reexports::client::protocol::wl_touch::WlTouch;
use smithay_client_toolkit::registry::RegistryState;
use smithay_client_toolkit::seat::SeatState;

use super::uri_list::FileList;
use super::{DragError, TransferEvent};

/// What the listener is told.
pub enum Command {
    CopyText(String),
    CopyPicture(image::RgbaImage),
    Paste,
    PortalAnswered(u64, Result<Vec<PathBuf>, String>),
    Stop,
}

/// The thread's state.
pub struct Listener {
    pub answer: Box<dyn Fn(TransferEvent)>,
    pub events: LoopHandle<'static, Self>,
    pub commands: Sender<Command>,
    pub queue: QueueHandle<Self>,
    /// The address of the window's surface.
    pub surface: usize,
    /// This computer's name.
    pub host: String,
    pub manager: DataDeviceManagerState,
    pub seats: Vec<Seat>,
    pub drag: Option<Drag>,
    /// Drags so far.
    pub drags: u64,
    pub copied: Vec<Copied>,
    pub pasting: Option<RegistrationToken>,
    pub registry: RegistryState,
    pub seat_state: SeatState,
    pub stopped: bool,
}

/// A seat: a keyboard and a pointer that belong together.
pub struct Seat {
    pub seat: WlSeat,
    pub device: DataDevice,
    pub keyboard: Option<WlKeyboard>,
    pub pointer: Option<WlPointer>,
    pub touch: Option<WlTouch>,
    /// Of the last key, click or touch in this program.
    pub serial: Option<u32>,
}

/// A drag over the window.
pub struct Drag {
    /// Tells late answers of the portal to an earlier drag apart.
    pub number: u64,
    pub device: WlDataDevice,
    pub offer: DragOffer,
    /// What the compositor settled on.
    pub action: DndAction,
    /// The pipe being read.
    pub reading: Option<RegistrationToken>,
    /// What it brought.
    pub files: Option<Result<FileList, DragError>>,
    /// It was dropped, and this ends the wait for its files.
    pub dropped: Option<RegistrationToken>,
}

/// Something that was copied here, until the compositor says that it will not be asked for any more.
pub struct Copied {
    pub source: CopyPasteSource,
    pub types: &'static [&'static str],
    pub serial: u32,
    pub bytes: std::rc::Rc<[u8]>,
}
