//! Drag over the window, from entering to dropping or leaving.
//!
//! The list of files is requested at once, so that the window can show the names during the drag.

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::time::Duration;

use smithay_client_toolkit::data_device_manager::data_device::{DataDeviceData, DataDeviceHandler};
use smithay_client_toolkit::data_device_manager::data_offer::{DataOfferHandler, DragOffer};
use smithay_client_toolkit::reexports::calloop::timer::{TimeoutAction, Timer};
use smithay_client_toolkit::reexports::client::protocol::wl_data_device::WlDataDevice;
use smithay_client_toolkit::reexports::client::protocol::wl_data_device_manager::DndAction;
use smithay_client_toolkit::reexports::client::protocol::wl_surface::WlSurface;
use smithay_client_toolkit::reexports::client::{Connection, Proxy as _, QueueHandle};

use super::state::{Command, Drag, Listener};
use super::uri_list::FileList;
use super::{DragError, TransferEvent, pipe_reader, portal};
use crate::app::MAX_INPUT_BYTES;

const URI_LIST: &str = "text/uri-list";

/// Time limit for receiving the list of files after a drop.
const LIST_WAIT: Duration = Duration::from_secs(5);

impl Listener {
    fn ask_for_files(&mut self, mime_type: &'static str) {
        let Some(drag) = &mut self.drag else { return };
        let number = drag.number;
        let Ok(pipe) = drag.offer.receive(mime_type.to_owned()) else {
            return self.unreadable(number, mime_type, DragError::Unreadable);
        };
        drag.reading = pipe_reader::read(&self.events, pipe, MAX_INPUT_BYTES, move |listener: &mut Self, bytes| {
            let Some(drag) = listener.drag.as_mut().filter(|drag| drag.number == number) else { return };
            drag.reading = None;
            match bytes {
                Ok(key) if mime_type == portal::MIME_TYPE => listener.ask_portal(number, key),
                Ok(list) => listener.files_arrived(Ok(FileList::parse(&list, &listener.host))),
                Err(error) => listener.unreadable(number, mime_type, error),
            }
        });
    }

    /// Handles a read error. If the portal's key cannot be read, the list that was read before is used.
    fn unreadable(&mut self, number: u64, mime_type: &'static str, error: DragError) {
        if mime_type == portal::MIME_TYPE {
            self.portal_answered(number, Err(error.to_string()));
        } else {
            self.files_arrived(Err(error));
        }
    }

    fn files_arrived(&mut self, files: Result<FileList, DragError>) {
        let Some(drag) = &mut self.drag else { return };
        let names = files.as_ref().map(|files| files.paths.clone()).unwrap_or_default();
        drag.files = Some(files);
        if drag.dropped.is_some() {
            self.complete_drop();
        } else if !names.is_empty() {
            (self.answer)(TransferEvent::DragEntered(names));
        }
    }

    /// Reports the files of a drop. If a file does not exist here, the portal is asked first. The portal is not asked
    /// before the drop, because its key may be valid for one answer only.
    fn complete_drop(&mut self) {
        let Some(drag) = &self.drag else { return };
        let is_found = match &drag.files {
            Some(Ok(files)) => files.paths.iter().all(|path| path.exists()),
            Some(Err(_)) => false,
            // The list is still being read.
            None if offers(&drag.offer, URI_LIST) => return,
            None => false,
        };
        if is_found || !offers(&drag.offer, portal::MIME_TYPE) {
            self.finish_drop();
        } else {
            self.ask_for_files(portal::MIME_TYPE);
        }
    }

    fn ask_portal(&self, number: u64, key: Vec<u8>) {
        let answers = self.commands.clone();
        let ask = move || drop(answers.send(Command::PortalAnswered(number, portal::retrieve_files(&key))));
        if let Err(error) = std::thread::Builder::new().name("portal".to_owned()).spawn(ask) {
            drop(self.commands.send(Command::PortalAnswered(number, Err(error.to_string()))));
        }
    }

    pub(super) fn portal_answered(&mut self, number: u64, answer: Result<Vec<PathBuf>, String>) {
        let Some(drag) = self.drag.as_mut().filter(|drag| drag.number == number) else { return };
        match answer {
            // Portals leave out folders. If nothing remains, use the list.
            Ok(paths) if !paths.is_empty() => drag.files = Some(Ok(FileList { paths, others: Vec::new() })),
            Ok(_) => {}
            Err(error) => log::info!("the portal did not name the dragged files: {error}"),
        }
        if drag.files.is_none() {
            drag.files = Some(Err(DragError::Unreadable));
        }
        self.finish_drop();
    }

    fn finish_drop(&mut self) {
        let Some(mut drag) = self.drag.take() else { return };
        let files = drag.files.take().unwrap_or(Err(DragError::TimedOut));
        // Finishing a drag that was not accepted is a protocol error, which ends the connection.
        if files.is_ok() && drag.action == DndAction::Copy {
            drag.offer.finish();
        }
        drag.offer.destroy();
        self.forget(drag);
        (self.answer)(TransferEvent::Dropped(files));
    }

    pub(super) fn end_drag(&mut self) {
        if self.drag.as_ref().is_some_and(|drag| drag.dropped.is_some()) {
            self.finish_drop();
        } else if let Some(drag) = self.drag.take() {
            self.forget(drag);
            (self.answer)(TransferEvent::DragLeft);
        }
    }

    fn forget(&self, drag: Drag) {
        drag.reading.into_iter().chain(drag.dropped).for_each(|source| self.events.remove(source));
    }
}

fn offers(offer: &DragOffer, mime_type: &str) -> bool {
    offer.with_mime_types(|types| types.iter().any(|known| known == mime_type))
}

impl DataDeviceHandler for Listener {
    fn enter(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        device: &WlDataDevice,
        _x: f64,
        _y: f64,
        surface: &WlSurface,
    ) {
        self.end_drag();
        // The frame of the window has other surfaces.
        if surface.id().as_ptr() as usize != self.surface {
            return;
        }
        // A drag that began in this program may have no offer.
        let Some(offer) = device.data::<DataDeviceData>().and_then(DataDeviceData::drag_offer) else { return };
        let Some(mime_type) = [URI_LIST, portal::MIME_TYPE].into_iter().find(|known| offers(&offer, known)) else {
            return offer.accept_mime_type(offer.serial, None);
        };
        offer.accept_mime_type(offer.serial, Some(mime_type.to_owned()));
        offer.set_actions(DndAction::Copy, DndAction::Copy);
        self.drags += 1;
        self.drag = Some(Drag {
            number: self.drags,
            device: device.clone(),
            offer,
            action: DndAction::None,
            reading: None,
            files: None,
            dropped: None,
        });
        (self.answer)(TransferEvent::DragEntered(Vec::new()));
        if mime_type == URI_LIST {
            self.ask_for_files(URI_LIST);
        }
    }

    fn leave(&mut self, _: &Connection, _: &QueueHandle<Self>, device: &WlDataDevice) {
        // Compositors also send this event after a drop.
        if self.drag.as_ref().is_some_and(|drag| drag.device == *device && drag.dropped.is_none()) {
            self.end_drag();
        }
    }

    fn motion(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataDevice, _x: f64, _y: f64) {
        // The position of a drop does not matter.
    }

    fn selection(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataDevice) {
        // The selection is read on paste.
    }

    fn drop_performed(&mut self, _: &Connection, _: &QueueHandle<Self>, device: &WlDataDevice) {
        let Some(drag) = self.drag.as_mut().filter(|drag| drag.device == *device) else { return };
        let number = drag.number;
        let wait = self.events.insert_source(Timer::from_duration(LIST_WAIT), move |_, (), listener| {
            if let Some(drag) = listener.drag.as_mut().filter(|drag| drag.number == number) {
                // The timer removes itself.
                drag.dropped = None;
                listener.finish_drop();
            }
            TimeoutAction::Drop
        });
        match wait {
            Ok(wait) => {
                drag.dropped = Some(wait);
                self.complete_drop();
            }
            Err(_) => self.finish_drop(),
        }
    }
}

impl DataOfferHandler for Listener {
    fn source_actions(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &mut DragOffer, _: DndAction) {}

    fn selected_action(&mut self, _: &Connection, _: &QueueHandle<Self>, offer: &mut DragOffer, action: DndAction) {
        if let Some(drag) = self.drag.as_mut().filter(|drag| drag.offer == *offer) {
            drag.action = action;
        }
    }
}
