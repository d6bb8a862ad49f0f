//! State of the listener thread.

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

pub enum Command {
    CopyText(String),
    CopyImage(image::RgbaImage),
    Paste,
    PortalAnswered(u64, Result<Vec<PathBuf>, String>),
    Stop,
}

pub struct Listener {
    pub answer: Box<dyn Fn(TransferEvent)>,
    pub events: LoopHandle<'static, Self>,
    pub commands: Sender<Command>,
    pub queue: QueueHandle<Self>,
    /// Address of the window's surface.
    pub surface: usize,
    pub host: String,
    pub manager: DataDeviceManagerState,
    pub seats: Vec<Seat>,
    pub drag: Option<Drag>,
    pub drags: u64,
    pub copied: Vec<Copied>,
    pub pasting: Option<RegistrationToken>,
    pub registry: RegistryState,
    pub seat_state: SeatState,
    pub stopped: bool,
}

pub struct Seat {
    pub seat: WlSeat,
    pub device: DataDevice,
    pub keyboard: Option<WlKeyboard>,
    pub pointer: Option<WlPointer>,
    pub touch: Option<WlTouch>,
    /// Serial of the last key, click or touch in this program.
    pub serial: Option<u32>,
}

pub struct Drag {
    /// Number of the drag, to ignore late answers of the portal to an earlier drag.
    pub number: u64,
    pub device: WlDataDevice,
    pub offer: DragOffer,
    pub action: DndAction,
    pub reading: Option<RegistrationToken>,
    pub files: Option<Result<FileList, DragError>>,
    /// Timer that ends the wait for files after the drop.
    pub dropped: Option<RegistrationToken>,
}

/// Copied data, kept until the compositor cancels it.
pub struct Copied {
    pub source: CopyPasteSource,
    pub types: &'static [&'static str],
    pub serial: u32,
    pub bytes: std::rc::Rc<[u8]>,
}
