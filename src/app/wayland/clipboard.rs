//! Clipboard: sends copied data to other programs, and receives data from them.

#![forbid(unsafe_code)]

use std::io::{ErrorKind, Write as _};

use smithay_client_toolkit::data_device_manager::WritePipe;
use smithay_client_toolkit::data_device_manager::data_source::DataSourceHandler;
use smithay_client_toolkit::reexports::calloop::PostAction;
use smithay_client_toolkit::reexports::client::protocol::wl_data_device_manager::DndAction;
use smithay_client_toolkit::reexports::client::protocol::wl_data_source::WlDataSource;
use smithay_client_toolkit::reexports::client::{Connection, QueueHandle};

use super::state::{Copied, Listener};
use super::{TransferEvent, pipe_reader};
use crate::app::MAX_INPUT_BYTES;

/// MIME types of plain text, in order of preference.
const TEXT: [&str; 5] = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING", "TEXT"];
const IMAGE_TYPE: [&str; 1] = ["image/png"];

/// Maximum number of copies that other programs can still request. Beyond the limit, the oldest are dropped.
const MAX_COPIES: usize = 16;

/// Maximum bytes per write, which a writable pipe always accepts (PIPE_BUF).
const PIECE: usize = 4096;

impl Listener {
    pub(super) fn copy_text(&mut self, text: String) {
        self.copy(&TEXT, text.into_bytes());
    }

    pub(super) fn copy_image(&mut self, image: &image::RgbaImage) {
        let mut png = std::io::Cursor::new(Vec::new());
        match image.write_to(&mut png, image::ImageFormat::Png) {
            Ok(()) => self.copy(&IMAGE_TYPE, png.into_inner()),
            Err(error) => log::error!("could not copy the image: {error}"),
        }
    }

    fn copy(&mut self, types: &'static [&'static str], bytes: Vec<u8>) {
        // Compositors require the serial of the key press or click that copied.
        let Some((device, serial)) =
            self.seats.iter().find_map(|seat| seat.serial.map(|serial| (&seat.device, serial)))
        else {
            return log::warn!("could not copy: no key press or click was received");
        };
        // A second selection with the same serial (key repeat) would be ignored, so replace the data of the first one.
        if let Some(last) = self.copied.last_mut().filter(|last| last.serial == serial && last.types == types) {
            last.bytes = bytes.into();
            return;
        }
        let source = self.manager.create_copy_paste_source(&self.queue, types);
        source.set_selection(device, serial);
        self.copied.push(Copied { source, types, serial, bytes: bytes.into() });
        // Compositors do not cancel selections that they ignore, so limit their number.
        if self.copied.len() > MAX_COPIES {
            self.copied.remove(0);
        }
    }

    pub(super) fn paste(&mut self) {
        let offers = self.seats.iter().filter_map(|seat| seat.device.data().selection_offer());
        let offered = offers.filter_map(|offer| {
            let known =
                offer.with_mime_types(|types| TEXT.iter().find(|text| types.iter().any(|known| known == *text)));
            known.map(|text| (offer, *text))
        });
        let Some((offer, mime_type)) = offered.into_iter().next() else { return };
        let Ok(pipe) = offer.receive(mime_type.to_owned()) else { return };
        // A second paste replaces a paste that is not answered yet.
        self.pasting.take().into_iter().for_each(|source| self.events.remove(source));
        self.pasting = pipe_reader::read(&self.events, pipe, MAX_INPUT_BYTES, |listener: &mut Self, bytes| {
            listener.pasting = None;
            match bytes {
                Ok(text) => (listener.answer)(TransferEvent::Pasted(String::from_utf8_lossy(&text).into_owned())),
                Err(error) => log::warn!("could not paste: {error}"),
            }
        });
    }
}

impl DataSourceHandler for Listener {
    fn send_request(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        source: &WlDataSource,
        _mime: String,
        pipe: WritePipe,
    ) {
        let Some(copied) = self.copied.iter().find(|copied| copied.source.inner() == source) else { return };
        let bytes = std::rc::Rc::clone(&copied.bytes);
        let mut written = 0;
        let sending = self.events.insert_source(pipe, move |(), file, _| {
            let rest = &bytes[written..];
            let mut file: &std::fs::File = file;
            match file.write(&rest[..rest.len().min(PIECE)]) {
                Ok(count) => written += count,
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                // The program that pastes has closed the pipe.
                Err(_) => return PostAction::Remove,
            }
            if written < bytes.len() { PostAction::Continue } else { PostAction::Remove }
        });
        sending.map_err(|error| log::warn!("could not send the copied data: {error}")).ok();
    }

    fn cancelled(&mut self, _: &Connection, _: &QueueHandle<Self>, source: &WlDataSource) {
        self.copied.retain(|copied| copied.source.inner() != source);
    }

    fn accept_mime(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataSource, _: Option<String>) {}

    fn dnd_dropped(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataSource) {}

    fn dnd_finished(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataSource) {}

    fn action(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataSource, _: DndAction) {}
}
