//! Listener thread: seats and their data devices.

use std::thread::{self, JoinHandle};

use smithay_client_toolkit::data_device_manager::DataDeviceManagerState;
use smithay_client_toolkit::reexports::calloop::EventLoop;
use smithay_client_toolkit::reexports::calloop::channel::{Channel, Event, Sender, channel};
use smithay_client_toolkit::reexports::calloop_wayland_source::WaylandSource;
use smithay_client_toolkit::reexports::client::backend::Backend;
use smithay_client_toolkit::reexports::client::globals::registry_queue_init;
use smithay_client_toolkit::reexports::client::protocol::wl_keyboard::{self, WlKeyboard};
use smithay_client_toolkit::reexports::client::protocol::wl_pointer::{self, WlPointer};
use smithay_client_toolkit::reexports::client::protocol::wl_seat::WlSeat;
use smithay_client_toolkit::reexports::client::protocol::wl_touch::{self, WlTouch};
use smithay_client_toolkit::reexports::client::{Connection, Dispatch, Proxy as _, QueueHandle};
use smithay_client_toolkit::registry::{ProvidesRegistryState, RegistryState};
use smithay_client_toolkit::seat::{Capability, SeatHandler, SeatState};
use smithay_client_toolkit::{delegate_data_device, delegate_registry, delegate_seat, registry_handlers};
use winit::event_loop::ActiveEventLoop;
use winit::raw_window_handle::{HasDisplayHandle as _, HasWindowHandle as _, RawDisplayHandle, RawWindowHandle};
use winit::window::Window;

use super::TransferEvent;
use super::state::{Command, Listener, Seat};

/// Drag and drop and the clipboard of a window on Wayland. Dropping this value ends its thread.
pub struct DataTransfers {
    commands: Sender<Command>,
    thread: Option<JoinHandle<()>>,
}

impl DataTransfers {
    /// Listens on the window's connection; `None` if the window is not on Wayland. `answer` is called on another
    /// thread.
    pub fn start(
        event_loop: &ActiveEventLoop,
        window: &Window,
        answer: impl Fn(TransferEvent) + Send + 'static,
    ) -> Option<Self> {
        let owner = event_loop.owned_display_handle();
        let RawDisplayHandle::Wayland(display) = owner.display_handle().ok()?.as_raw() else { return None };
        let RawWindowHandle::Wayland(surface) = window.window_handle().ok()?.as_raw() else { return None };
        #[expect(unsafe_code, reason = "winit's connection cannot be shared otherwise, and only it receives drags")]
        // SAFETY: the display lives as long as `owner`, which `listen` keeps until the thread has dropped the backend.
        let backend = unsafe { Backend::from_foreign_display(display.display.as_ptr().cast()) };
        Self::listen(Connection::from_backend(backend), surface.surface.as_ptr() as usize, owner, answer)
    }

    /// Listens for events of the surface at the address `surface`. Keeps `owner` until the thread ends.
    pub fn listen(
        connection: Connection,
        surface: usize,
        owner: impl Send + 'static,
        answer: impl Fn(TransferEvent) + Send + 'static,
    ) -> Option<Self> {
        let (commands, received) = channel();
        let sender = commands.clone();
        let run = move || {
            if let Err(error) = run(&connection, surface, sender, received, Box::new(answer)) {
                log::warn!("drag and drop and the clipboard are not available: {error}");
            }
            drop(connection);
            drop(owner);
        };
        let thread = thread::Builder::new().name("wayland".to_owned()).spawn(run);
        let thread =
            thread.map_err(|error| log::warn!("drag and drop and the clipboard are not available: {error}")).ok()?;
        Some(Self { commands, thread: Some(thread) })
    }

    /// Copies text to the clipboard.
    pub fn copy_text(&self, text: String) {
        self.send_event(Command::CopyText(text));
    }

    /// Copies an image to the clipboard, as PNG.
    pub fn copy_image(&self, image: image::RgbaImage) {
        self.send_event(Command::CopyImage(image));
    }

    /// Requests the text of the clipboard. [`TransferEvent::Pasted`] returns it; without text, no event follows.
    pub fn request_text(&self) {
        self.send_event(Command::Paste);
    }

    /// Whether the thread has ended: the compositor supports neither drags nor a clipboard, or the connection is lost.
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn send_event(&self, command: Command) {
        // If the thread has ended, it has logged the reason.
        drop(self.commands.send(command));
    }
}

impl Drop for DataTransfers {
    fn drop(&mut self) {
        self.send_event(Command::Stop);
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn run(
    connection: &Connection,
    surface: usize,
    commands: Sender<Command>,
    received: Channel<Command>,
    answer: Box<dyn Fn(TransferEvent)>,
) -> Result<(), Box<dyn std::error::Error>> {
    let (globals, queue) = registry_queue_init(connection)?;
    let handle = queue.handle();
    let mut events = EventLoop::<Listener>::try_new()?;
    let mut listener = Listener {
        answer,
        events: events.handle(),
        commands,
        surface,
        host: std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned(),
        manager: DataDeviceManagerState::bind(&globals, &handle)?,
        seats: Vec::new(),
        drag: None,
        drags: 0,
        copied: Vec::new(),
        pasting: None,
        registry: RegistryState::new(&globals),
        seat_state: SeatState::new(&globals, &handle),
        stopped: false,
        queue: handle,
    };
    let known: Vec<WlSeat> = listener.seat_state.seats().collect();
    known.into_iter().for_each(|seat| listener.add_seat(seat));
    WaylandSource::new(connection.clone(), queue).insert(events.handle()).map_err(|error| error.error)?;
    let inserted = events.handle().insert_source(received, |event, (), listener| match event {
        Event::Msg(Command::CopyText(text)) => listener.copy_text(text),
        Event::Msg(Command::CopyImage(image)) => listener.copy_image(&image),
        Event::Msg(Command::Paste) => listener.paste(),
        Event::Msg(Command::PortalAnswered(number, answer)) => listener.portal_answered(number, answer),
        Event::Msg(Command::Stop) | Event::Closed => listener.stopped = true,
    });
    inserted.map_err(|error| error.error)?;
    let mut result = Ok(());
    while !listener.stopped && result.is_ok() {
        result = events.dispatch(None, &mut listener).map_err(Into::into);
        // After a protocol error the socket stays readable, so check for errors here.
        if let Some(error) = connection.backend().last_error() {
            result = Err(error.into());
        }
    }
    listener.end_drag();
    // Release the devices before the connection is closed.
    drop(listener);
    connection.flush()?;
    result
}

impl Listener {
    fn add_seat(&mut self, seat: WlSeat) {
        if !self.seats.iter().any(|known| known.seat == seat) {
            let device = self.manager.get_data_device(&self.queue, &seat);
            self.seats.push(Seat { seat, device, keyboard: None, pointer: None, touch: None, serial: None });
        }
    }

    /// Records a key or a click. Its seat becomes the first in the list.
    fn used(&mut self, seat: &WlSeat, serial: u32) {
        if let Some(index) = self.seats.iter().position(|known| known.seat == *seat) {
            self.seats[index].serial = Some(serial);
            self.seats.swap(0, index);
        }
    }
}

impl SeatHandler for Listener {
    fn seat_state(&mut self) -> &mut SeatState {
        &mut self.seat_state
    }

    fn new_seat(&mut self, _: &Connection, _: &QueueHandle<Self>, seat: WlSeat) {
        self.add_seat(seat);
    }

    fn new_capability(&mut self, _: &Connection, queue: &QueueHandle<Self>, seat: WlSeat, capability: Capability) {
        self.add_seat(seat.clone());
        let Some(known) = self.seats.iter_mut().find(|known| known.seat == seat) else { return };
        match capability {
            Capability::Keyboard if known.keyboard.is_none() => {
                known.keyboard = Some(seat.get_keyboard(queue, seat.clone()));
            }
            Capability::Pointer if known.pointer.is_none() => {
                known.pointer = Some(seat.get_pointer(queue, seat.clone()));
            }
            Capability::Touch if known.touch.is_none() => {
                known.touch = Some(seat.get_touch(queue, seat.clone()));
            }
            _ => {}
        }
    }

    fn remove_capability(&mut self, _: &Connection, _: &QueueHandle<Self>, seat: WlSeat, capability: Capability) {
        let Some(known) = self.seats.iter_mut().find(|known| known.seat == seat) else { return };
        match capability {
            Capability::Keyboard => release_keyboard(known.keyboard.take()),
            Capability::Pointer => release_pointer(known.pointer.take()),
            Capability::Touch => release_touch(known.touch.take()),
            _ => {}
        }
    }

    fn remove_seat(&mut self, _: &Connection, _: &QueueHandle<Self>, seat: WlSeat) {
        let Some(index) = self.seats.iter().position(|known| known.seat == seat) else { return };
        let gone = self.seats.remove(index);
        if self.drag.as_ref().is_some_and(|drag| drag.device == *gone.device.inner()) {
            self.end_drag();
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        release_keyboard(self.keyboard.take());
        release_pointer(self.pointer.take());
        release_touch(self.touch.take());
    }
}

fn release_keyboard(keyboard: Option<WlKeyboard>) {
    keyboard.filter(|keyboard| keyboard.version() >= 3).into_iter().for_each(|keyboard| keyboard.release());
}

fn release_pointer(pointer: Option<WlPointer>) {
    pointer.filter(|pointer| pointer.version() >= 3).into_iter().for_each(|pointer| pointer.release());
}

fn release_touch(touch: Option<WlTouch>) {
    touch.filter(|touch| touch.version() >= 3).into_iter().for_each(|touch| touch.release());
}

impl Dispatch<WlTouch, WlSeat> for Listener {
    fn event(
        state: &mut Self,
        _: &WlTouch,
        event: wl_touch::Event,
        seat: &WlSeat,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wl_touch::Event::Down { serial, .. } = event {
            state.used(seat, serial);
        }
    }
}

impl Dispatch<WlKeyboard, WlSeat> for Listener {
    fn event(
        state: &mut Self,
        _: &WlKeyboard,
        event: wl_keyboard::Event,
        seat: &WlSeat,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wl_keyboard::Event::Key { serial, .. } | wl_keyboard::Event::Enter { serial, .. } = event {
            state.used(seat, serial);
        }
    }
}

impl Dispatch<WlPointer, WlSeat> for Listener {
    fn event(
        state: &mut Self,
        _: &WlPointer,
        event: wl_pointer::Event,
        seat: &WlSeat,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wl_pointer::Event::Button { serial, .. } = event {
            state.used(seat, serial);
        }
    }
}

impl ProvidesRegistryState for Listener {
    fn registry(&mut self) -> &mut RegistryState {
        &mut self.registry
    }

    registry_handlers![SeatState];
}

delegate_data_device!(Listener);
delegate_registry!(Listener);
delegate_seat!(Listener);
