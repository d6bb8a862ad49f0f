//! Headless compositor for one client. It drags files over the client's surface, drops them, offers clipboard text and
//! reads the copies of the client. It follows the protocol strictly, and disconnects a client that violates it.

use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use maquette_testing::waiting::MAX_WAIT;
use wayland_server::backend::{ClientData, GlobalId};
use wayland_server::protocol::wl_compositor::{self, WlCompositor};
use wayland_server::protocol::wl_data_device::{self, WlDataDevice};
use wayland_server::protocol::wl_data_device_manager::{self, DndAction, WlDataDeviceManager};
use wayland_server::protocol::wl_data_offer::{self, WlDataOffer};
use wayland_server::protocol::wl_data_source::{self, WlDataSource};
use wayland_server::protocol::wl_keyboard::{self, WlKeyboard};
use wayland_server::protocol::wl_pointer::{self, ButtonState, WlPointer};
use wayland_server::protocol::wl_seat::{self, Capability, WlSeat};
use wayland_server::protocol::wl_surface::{self, WlSurface};
use wayland_server::{Client, DataInit, Dispatch, Display, DisplayHandle, GlobalDispatch, New, Resource as _};

/// Behaviour of a data source when its data is requested.
#[derive(Clone)]
pub enum Source {
    /// Writes the bytes and closes the pipe.
    Writes(Vec<u8>),
    /// Keeps the pipe open without writing.
    Silent,
    /// Writes until the reader closes the pipe.
    Endless,
}

/// State of an offer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// Types that the client requested, in order.
    pub asked: Vec<String>,
    /// Type that the client accepted last.
    pub accepted: Option<String>,
    /// Whether the client finished the drag.
    pub finished: bool,
    /// Whether the client destroyed the offer.
    pub destroyed: bool,
}

type Offered = Arc<(Vec<(&'static str, Source)>, Mutex<Fate>)>;

enum Order {
    AddSeat,
    RemoveSeat,
    /// Enter the surface with this index.
    Enter(usize, Offered),
    Leave,
    Drop,
    Select(Offered),
    /// Sends a click, so that the client may copy.
    Click,
    ReadCopied(&'static str, Sender<Option<Vec<u8>>>),
}

/// Requests of the client so far.
#[derive(Default)]
pub struct Seen {
    /// Number of data devices.
    pub devices: AtomicUsize,
    pub pointers: AtomicUsize,
    /// Number of accepted selections.
    pub selections: AtomicUsize,
}

/// The compositor on its own thread.
pub struct Compositor {
    /// Requests of the client.
    pub seen: Arc<Seen>,
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl Compositor {
    /// Starts with one seat. Returns the client's socket.
    pub fn start() -> (Self, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (orders, received) = channel();
        let seen = Arc::<Seen>::default();
        let state = State { seen: Arc::clone(&seen), ..State::default() };
        let thread = thread::spawn(move || serve(ours, &received, state));
        (Self { seen, orders: Some(orders), thread: Some(thread) }, theirs)
    }

    fn order(&self, order: Order) {
        self.orders.as_ref().unwrap().send(order).unwrap();
    }

    pub fn add_seat(&self) {
        self.order(Order::AddSeat);
    }

    /// Removes the oldest seat.
    pub fn remove_seat(&self) {
        self.order(Order::RemoveSeat);
    }

    /// Drags `sources` over one of the client's surfaces.
    pub fn enter(&self, surface: usize, sources: Vec<(&'static str, Source)>) -> impl Fn() -> Fate + use<> {
        let offered = Arc::new((sources, Mutex::default()));
        self.order(Order::Enter(surface, Arc::clone(&offered)));
        move || offered.1.lock().unwrap().clone()
    }

    pub fn leave(&self) {
        self.order(Order::Leave);
    }

    /// Drops the drag and leaves, as compositors do.
    pub fn drop_it(&self) {
        self.order(Order::Drop);
    }

    /// Puts sources on the clipboard.
    pub fn select(&self, sources: Vec<(&'static str, Source)>) -> impl Fn() -> Fate + use<> {
        let offered = Arc::new((sources, Mutex::default()));
        self.order(Order::Select(Arc::clone(&offered)));
        move || offered.1.lock().unwrap().clone()
    }

    pub fn click(&self) {
        self.order(Order::Click);
    }

    /// Returns the data that the client copied, as `mime_type`.
    pub fn copied(&self, mime_type: &'static str) -> Option<Vec<u8>> {
        let (answer, answered) = channel();
        self.order(Order::ReadCopied(mime_type, answer));
        answered.recv_timeout(MAX_WAIT).ok().flatten()
    }

    /// Closes the connection, like the end of a desktop session.
    pub fn end(&mut self) {
        self.orders = None;
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || !matches!(ended, Some(Err(_))), "the client erred, see above");
    }
}

impl Drop for Compositor {
    fn drop(&mut self) {
        self.end();
    }
}

#[derive(Default)]
struct State {
    seen: Arc<Seen>,
    seats: Vec<GlobalId>,
    surfaces: Vec<WlSurface>,
    pointers: Vec<WlPointer>,
    /// Data devices, newest last.
    devices: Vec<WlDataDevice>,
    offer: Option<WlDataOffer>,
    copied: Option<(WlDataSource, u32)>,
    /// Pipes that stay open without a writer.
    open: Vec<OwnedFd>,
    serial: u32,
}

struct Nobody;
impl ClientData for Nobody {}

fn serve(socket: UnixStream, orders: &Receiver<Order>, mut state: State) {
    let mut display = Display::<State>::new().unwrap();
    let mut handle = display.handle();
    handle.create_global::<State, WlCompositor, ()>(4, ());
    handle.create_global::<State, WlDataDeviceManager, ()>(3, ());
    state.seats.push(handle.create_global::<State, WlSeat, ()>(5, ()));
    let client = handle.insert_client(socket, Arc::new(Nobody)).unwrap();
    loop {
        match orders.recv_timeout(Duration::from_millis(1)) {
            Ok(order) => {
                // Requests that the client has sent are processed first.
                display.dispatch_clients(&mut state).unwrap();
                obey(&mut state, &handle, &client, order);
            }
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return,
        }
        display.dispatch_clients(&mut state).unwrap();
        display.flush_clients().unwrap();
    }
}

fn obey(state: &mut State, handle: &DisplayHandle, client: &Client, order: Order) {
    state.serial += 1;
    // As in Weston and Mutter, only the newest device of a client is notified.
    let device = state.devices.last().cloned();
    match order {
        Order::AddSeat => state.seats.push(handle.create_global::<State, WlSeat, ()>(5, ())),
        Order::RemoveSeat => handle.remove_global::<State>(state.seats.remove(0)),
        Order::Enter(surface, offered) => {
            let (Some(device), Some(surface)) = (device, state.surfaces.get(surface)) else { return };
            let offer = make_offer(handle, client, &device, offered);
            offer.source_actions(DndAction::Copy | DndAction::Move);
            device.enter(state.serial, surface, 5.0, 5.0, Some(&offer));
            state.offer = Some(offer);
        }
        Order::Leave => device.into_iter().for_each(|device| device.leave()),
        Order::Drop => {
            let accepted = state
                .offer
                .as_ref()
                .and_then(|offer| offer.data::<Offered>().unwrap().1.lock().unwrap().accepted.clone());
            device.into_iter().for_each(|device| {
                if accepted.is_some() {
                    device.drop();
                }
                device.leave();
            });
        }
        Order::Select(offered) => {
            let Some(device) = device else { return };
            let offer = make_offer(handle, client, &device, offered);
            device.selection(Some(&offer));
        }
        Order::Click => {
            for pointer in &state.pointers {
                pointer.enter(state.serial, &state.surfaces[0], 5.0, 5.0);
                pointer.button(state.serial, 0, 0x110, ButtonState::Pressed);
                pointer.button(state.serial, 0, 0x110, ButtonState::Released);
            }
        }
        Order::ReadCopied(mime_type, answer) => {
            let Some((source, _)) = &state.copied else { return answer.send(None).unwrap() };
            let (ours, theirs) = UnixStream::pair().unwrap();
            source.send(mime_type.to_owned(), std::os::fd::AsFd::as_fd(&theirs));
            thread::spawn(move || {
                let (mut ours, mut bytes) = (ours, Vec::new());
                ours.set_read_timeout(Some(MAX_WAIT)).unwrap();
                drop(answer.send(ours.read_to_end(&mut bytes).ok().map(|_| bytes)));
            });
        }
    }
}

fn make_offer(handle: &DisplayHandle, client: &Client, device: &WlDataDevice, offered: Offered) -> WlDataOffer {
    let types: Vec<&str> = offered.0.iter().map(|(mime_type, _)| *mime_type).collect();
    let offer = client.create_resource::<WlDataOffer, Offered, State>(handle, 3, offered).unwrap();
    device.data_offer(&offer);
    types.into_iter().for_each(|mime_type| offer.offer(mime_type.to_owned()));
    offer
}

impl Dispatch<WlDataOffer, Offered> for State {
    fn request(
        state: &mut Self,
        _: &Client,
        offer: &WlDataOffer,
        request: wl_data_offer::Request,
        offered: &Offered,
        _: &DisplayHandle,
        _: &mut DataInit<'_, Self>,
    ) {
        let mut fate = offered.1.lock().unwrap();
        match request {
            wl_data_offer::Request::Accept { mime_type, .. } => fate.accepted = mime_type,
            wl_data_offer::Request::SetActions { preferred_action, .. } => {
                offer.action(preferred_action.into_result().unwrap());
            }
            wl_data_offer::Request::Receive { mime_type, fd } => {
                let source = offered.0.iter().find(|(known, _)| *known == mime_type).map(|(_, source)| source.clone());
                fate.asked.push(mime_type);
                match source {
                    Some(Source::Writes(bytes)) => {
                        thread::spawn(move || std::fs::File::from(fd).write_all(&bytes));
                    }
                    Some(Source::Endless) => {
                        thread::spawn(move || {
                            let mut file = std::fs::File::from(fd);
                            while file.write_all(&[b'a'; 4096]).is_ok() {}
                        });
                    }
                    Some(Source::Silent) => state.open.push(fd),
                    None => {}
                }
            }
            wl_data_offer::Request::Finish => {
                assert!(fate.accepted.is_some() && !fate.finished, "an offer that was not accepted was finished");
                fate.finished = true;
            }
            wl_data_offer::Request::Destroy => fate.destroyed = true,
            _ => {}
        }
    }
}

impl Dispatch<WlDataSource, ()> for State {
    fn request(
        state: &mut Self,
        _: &Client,
        source: &WlDataSource,
        request: wl_data_source::Request,
        (): &(),
        _: &DisplayHandle,
        _: &mut DataInit<'_, Self>,
    ) {
        // Destroying the source of the clipboard clears it.
        if matches!(request, wl_data_source::Request::Destroy) {
            state.copied = state.copied.take().filter(|(copied, _)| copied != source);
        }
    }
}

impl Dispatch<WlDataDevice, ()> for State {
    fn request(
        state: &mut Self,
        _: &Client,
        device: &WlDataDevice,
        request: wl_data_device::Request,
        (): &(),
        _: &DisplayHandle,
        _: &mut DataInit<'_, Self>,
    ) {
        match request {
            // As in Weston and Mutter, selections with an old serial are ignored.
            wl_data_device::Request::SetSelection { source, serial }
                if state.copied.as_ref().is_none_or(|(_, last)| serial > *last) =>
            {
                let old = std::mem::replace(&mut state.copied, source.map(|source| (source, serial)));
                old.into_iter().for_each(|(old, _)| old.cancelled());
                state.seen.selections.fetch_add(1, Ordering::SeqCst);
            }
            wl_data_device::Request::Release => {
                state.devices.retain(|known| known != device);
                state.seen.devices.store(state.devices.len(), Ordering::SeqCst);
            }
            _ => {}
        }
    }
}

impl Dispatch<WlDataDeviceManager, ()> for State {
    fn request(
        state: &mut Self,
        _: &Client,
        _: &WlDataDeviceManager,
        request: wl_data_device_manager::Request,
        (): &(),
        _: &DisplayHandle,
        init: &mut DataInit<'_, Self>,
    ) {
        match request {
            wl_data_device_manager::Request::CreateDataSource { id } => drop(init.init(id, ())),
            wl_data_device_manager::Request::GetDataDevice { id, .. } => {
                state.devices.push(init.init(id, ()));
                state.seen.devices.store(state.devices.len(), Ordering::SeqCst);
            }
            _ => {}
        }
    }
}

impl Dispatch<WlSeat, ()> for State {
    fn request(
        state: &mut Self,
        _: &Client,
        _: &WlSeat,
        request: wl_seat::Request,
        (): &(),
        _: &DisplayHandle,
        init: &mut DataInit<'_, Self>,
    ) {
        match request {
            wl_seat::Request::GetPointer { id } => {
                state.pointers.push(init.init(id, ()));
                state.seen.pointers.fetch_add(1, Ordering::SeqCst);
            }
            wl_seat::Request::GetKeyboard { id } => drop(init.init(id, ())),
            _ => {}
        }
    }
}

impl Dispatch<WlCompositor, ()> for State {
    fn request(
        state: &mut Self,
        _: &Client,
        _: &WlCompositor,
        request: wl_compositor::Request,
        (): &(),
        _: &DisplayHandle,
        init: &mut DataInit<'_, Self>,
    ) {
        if let wl_compositor::Request::CreateSurface { id } = request {
            state.surfaces.push(init.init(id, ()));
        }
    }
}

/// Implements objects whose requests are ignored.
macro_rules! ignored {
    ($($object:ident: $requests:ident),*) => {$(
        impl Dispatch<$object, ()> for State {
            fn request(
                _: &mut Self,
                _: &Client,
                _: &$object,
                _: $requests::Request,
                (): &(),
                _: &DisplayHandle,
                _: &mut DataInit<'_, Self>,
            ) {
            }
        }
    )*};
}

ignored!(WlSurface: wl_surface, WlPointer: wl_pointer, WlKeyboard: wl_keyboard);

macro_rules! globals {
    ($($object:ident),*) => {$(
        impl GlobalDispatch<$object, ()> for State {
            fn bind(
                _: &mut Self,
                _: &DisplayHandle,
                _: &Client,
                resource: New<$object>,
                (): &(),
                init: &mut DataInit<'_, Self>,
            ) {
                init.init(resource, ());
            }
        }
    )*};
}

globals!(WlCompositor, WlDataDeviceManager);

impl GlobalDispatch<WlSeat, ()> for State {
    fn bind(
        _: &mut Self,
        _: &DisplayHandle,
        _: &Client,
        resource: New<WlSeat>,
        (): &(),
        init: &mut DataInit<'_, Self>,
    ) {
        init.init(resource, ()).capabilities(Capability::Keyboard | Capability::Pointer);
    }
}
