//! Drag and drop and the clipboard on Wayland: URI lists, and the listener under a test compositor.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use maquette::app::MAX_INPUT_BYTES;
use maquette::app::wayland::uri_list::FileList;
use maquette::app::wayland::{DataTransfers, DragError, TransferEvent};
use rustix::process::{Pid, Signal, kill_process};
use smithay_client_toolkit::reexports::client::globals::{GlobalListContents, registry_queue_init};
use smithay_client_toolkit::reexports::client::protocol::wl_compositor::{self, WlCompositor};
use smithay_client_toolkit::reexports::client::protocol::wl_registry::{self, WlRegistry};
use smithay_client_toolkit::reexports::client::protocol::wl_surface::{self, WlSurface};
use smithay_client_toolkit::reexports::client::{Connection, Dispatch, Proxy as _, QueueHandle};

use crate::support::compositor::{Compositor, Source};
use maquette_testing::waiting::{MAX_WAIT, wait_until};

fn paths(list: &str) -> Vec<PathBuf> {
    FileList::parse(list.as_bytes(), "atelier").paths
}

#[test]
fn uri_list_skips_comments_and_blank_lines() {
    let list = "# two models\r\nfile:///a/one.md3\r\n\r\nfile:///b/\nfile:///c.pk3";
    assert_eq!(paths(list), ["/a/one.md3", "/b/", "/c.pk3"].map(PathBuf::from));
    assert!(paths("").is_empty());
}

#[test]
fn uri_host_must_be_empty_localhost_or_own_name() {
    for here in ["file:///m.md2", "file://localhost/m.md2", "FILE://Atelier/m.md2", "file:/m.md2"] {
        assert_eq!(paths(here), [PathBuf::from("/m.md2")], "{here}");
    }
    let elsewhere = FileList::parse(b"file://server/share/m.md2\r\n", "atelier");
    assert!(elsewhere.paths.is_empty());
    assert_eq!(elsewhere.others, ["file://server/share/m.md2"]);
    // A computer without a name does not match every host.
    assert!(FileList::parse(b"file://server/m.md2", "").paths.is_empty());
}

#[test]
fn percent_escapes_decode_to_bytes() {
    assert_eq!(paths("file:///B%C3%B6ar%20man.md5mesh"), [PathBuf::from("/Böar man.md5mesh")]);
    assert_eq!(paths("file:///100%25.md3"), [PathBuf::from("/100%.md3")]);
    // These paths are escaped incorrectly but unambiguously.
    assert_eq!(paths("file:///Böar man.md5mesh"), [PathBuf::from("/Böar man.md5mesh")]);
    assert_eq!(paths("file:///50%zz%4"), [PathBuf::from("/50%zz%4")]);
    assert_eq!(paths("file:///a%23b%3Fc#d?e"), [PathBuf::from("/a#b?c#d?e")]);
}

#[test]
fn non_utf8_names_are_accepted() {
    use std::os::unix::ffi::OsStrExt as _;
    let files = FileList::parse(b"file:///na%EFme.md3", "");
    assert_eq!(files.paths[0].as_os_str().as_bytes(), b"/na\xefme.md3");
}

#[test]
fn uri_list_separates_non_local_entries() {
    let files = FileList::parse(
        b"https://example.org/m.md3\r\nfile:///m.md3\r\nrelative.md3\r\nfile:\r\nfile://\r\nfile:///nul%00.md3\r\n",
        "",
    );
    assert_eq!(files.paths, [PathBuf::from("/m.md3")]);
    let others = ["https://example.org/m.md3", "relative.md3", "file:", "file://", "file:///nul%00.md3"];
    assert_eq!(files.others, others);
}

proptest::proptest! {
    #[test]
    fn uri_list_parser_survives_arbitrary_bytes(list in proptest::collection::vec(proptest::num::u8::ANY, 0..400)) {
        let files = FileList::parse(&list, "atelier");
        proptest::prop_assert!(files.paths.iter().all(|path| path.is_absolute()));
    }

    #[test]
    fn encoded_names_round_trip(name in "[^/\0]{1,40}") {
        let escaped = percent_encoding::utf8_percent_encode(&name, percent_encoding::NON_ALPHANUMERIC);
        proptest::prop_assert_eq!(paths(&format!("file:///{escaped}\r\n")), [PathBuf::from(format!("/{name}"))]);
    }
}

/// Client of the test compositor with two surfaces; the first one is the window.
struct Desk {
    compositor: Compositor,
    transfers: Option<DataTransfers>,
    events: Receiver<TransferEvent>,
}

struct Surfaces;

impl Dispatch<WlRegistry, GlobalListContents> for Surfaces {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

impl Dispatch<WlCompositor, ()> for Surfaces {
    fn event(_: &mut Self, _: &WlCompositor, _: wl_compositor::Event, (): &(), _: &Connection, _: &QueueHandle<Self>) {}
}

impl Dispatch<WlSurface, ()> for Surfaces {
    fn event(_: &mut Self, _: &WlSurface, _: wl_surface::Event, (): &(), _: &Connection, _: &QueueHandle<Self>) {}
}

fn desk() -> Desk {
    let (compositor, socket) = Compositor::start();
    let connection = Connection::from_socket(socket).unwrap();
    let (globals, mut queue) = registry_queue_init::<Surfaces>(&connection).unwrap();
    let maker: WlCompositor = globals.bind(&queue.handle(), 1..=4, ()).unwrap();
    let window = maker.create_surface(&queue.handle(), ());
    let _frame = maker.create_surface(&queue.handle(), ());
    queue.roundtrip(&mut Surfaces).unwrap();
    let (answer, events) = channel();
    let surface = window.id().as_ptr() as usize;
    let transfers = DataTransfers::listen(connection, surface, queue, move |event| drop(answer.send(event)));
    let desk = Desk { compositor, transfers, events };
    desk.has_devices(1);
    until(|| desk.compositor.seen.pointers.load(Ordering::SeqCst) > 0);
    desk
}

impl Desk {
    /// Waits until the listener has `number` data devices, one for each seat.
    fn has_devices(&self, number: usize) {
        until(|| self.compositor.seen.devices.load(Ordering::SeqCst) == number);
    }

    fn next(&self) -> TransferEvent {
        self.events.recv_timeout(MAX_WAIT).expect("the listener reports an event")
    }

    fn entered(&self) -> Vec<PathBuf> {
        match self.next() {
            TransferEvent::DragEntered(paths) => paths,
            other => panic!("{other:?} instead of an entering drag"),
        }
    }

    fn dropped(&self) -> Result<FileList, DragError> {
        match self.next() {
            TransferEvent::Dropped(files) => files,
            other => panic!("{other:?} instead of a drop"),
        }
    }

    fn left(&self) {
        let next = self.next();
        assert!(matches!(next, TransferEvent::DragLeft), "{next:?} instead of leaving");
    }

    /// Waits for pasted text, which must be the next event.
    fn pasted(&self) -> String {
        // The listener may not know the selection yet. A repeated request replaces the last one, so wait longer each
        // time.
        let mut wait = Duration::from_millis(100);
        while wait < MAX_WAIT {
            self.transfers.as_ref().unwrap().request_text();
            match self.events.recv_timeout(wait) {
                Ok(TransferEvent::Pasted(text)) => return text,
                Ok(other) => panic!("{other:?} instead of pasted text"),
                Err(_) => wait *= 2,
            }
        }
        panic!("nothing was pasted");
    }

    /// Drags a file over the window, and expects exactly the events of this drag. Earlier events fail the test, because
    /// events arrive in order.
    fn next_drag_works(&self) {
        let _fate = self.compositor.enter(0, uris("file:///next.md3\r\n"));
        assert!(self.entered().is_empty());
        assert_eq!(self.entered(), [PathBuf::from("/next.md3")]);
    }
}

/// Waits for a condition of the other thread.
fn until(is_done: impl Fn() -> bool) {
    wait_until("a request of the client", is_done);
}

fn uris(list: &str) -> Vec<(&'static str, Source)> {
    vec![("text/plain", Source::Writes(b"no".to_vec())), ("text/uri-list", Source::Writes(list.as_bytes().to_vec()))]
}

#[test]
fn drag_reports_paths_while_held_and_on_drop() {
    let desk = desk();
    let fate = desk.compositor.enter(0, uris("file:///m.md3\r\nfile:///n.md3\r\n"));
    assert!(desk.entered().is_empty(), "held, and not yet named");
    assert_eq!(desk.entered(), ["/m.md3", "/n.md3"].map(PathBuf::from));
    desk.compositor.drop_it();
    assert_eq!(desk.dropped().unwrap().paths, ["/m.md3", "/n.md3"].map(PathBuf::from));
    until(|| fate().destroyed);
    assert_eq!(fate().asked, ["text/uri-list"]);
    assert!(fate().finished);
    // Leaving after a drop is not reported.
    desk.next_drag_works();
}

#[test]
fn left_drag_is_cancelled_and_next_one_works() {
    let desk = desk();
    let first = desk.compositor.enter(0, uris("file:///m.md3\r\n"));
    desk.entered();
    desk.entered();
    desk.compositor.leave();
    desk.left();
    until(|| first().destroyed);
    assert!(!first().finished);
    let _second = desk.compositor.enter(0, uris("file:///n.md3\r\n"));
    desk.entered();
    assert_eq!(desk.entered(), [PathBuf::from("/n.md3")]);
    desk.compositor.drop_it();
    assert_eq!(desk.dropped().unwrap().paths, [PathBuf::from("/n.md3")]);
}

#[test]
fn drags_outside_window_or_without_files_are_ignored() {
    let desk = desk();
    // Drag over the window frame.
    let frame = desk.compositor.enter(1, uris("file:///m.md3\r\n"));
    desk.compositor.leave();
    let text = desk.compositor.enter(0, vec![("text/plain", Source::Writes(b"a word".to_vec()))]);
    desk.next_drag_works();
    assert_eq!((frame().accepted, text().accepted), (None, None));
}

#[test]
fn silent_drag_source_times_out() {
    let desk = desk();
    let fate = desk.compositor.enter(0, vec![("text/uri-list", Source::Silent)]);
    assert!(desk.entered().is_empty());
    until(|| fate().accepted.is_some());
    desk.compositor.drop_it();
    assert_eq!(desk.dropped().unwrap_err(), DragError::TimedOut);
    until(|| fate().destroyed);
    desk.next_drag_works();
    assert!(!fate().finished);
}

#[test]
fn endless_uri_list_is_rejected_as_too_long() {
    let desk = desk();
    let fate = desk.compositor.enter(0, vec![("text/uri-list", Source::Endless)]);
    desk.entered();
    until(|| fate().accepted.is_some());
    desk.compositor.drop_it();
    assert_eq!(desk.dropped().unwrap_err(), DragError::TooLong);
    desk.next_drag_works();
    assert!(!fate().finished);
    assert_eq!(
        DragError::TooLong.to_string(),
        format!("the list of dragged files is longer than {} MiB", MAX_INPUT_BYTES >> 20)
    );
}

#[test]
fn uri_list_is_used_if_portal_key_fails() {
    let desk = desk();
    let sources = vec![
        ("application/vnd.portal.filetransfer", Source::Writes(b"no such key".to_vec())),
        ("text/uri-list", Source::Writes(b"file:///m.md3\r\n".to_vec())),
    ];
    let fate = desk.compositor.enter(0, sources);
    desk.entered();
    assert_eq!(desk.entered(), [PathBuf::from("/m.md3")]);
    assert_eq!(fate().asked, ["text/uri-list"], "a key may be good for one answer only");
    desk.compositor.drop_it();
    // The file does not exist, so the portal is asked, without success.
    assert_eq!(desk.dropped().unwrap().paths, [PathBuf::from("/m.md3")]);
    until(|| fate().destroyed);
    assert_eq!(fate().asked, ["text/uri-list", "application/vnd.portal.filetransfer"]);
    assert!(fate().finished);
}

#[test]
fn unreadable_portal_key_is_requested_once_and_ignored() {
    let desk = desk();
    let sources = vec![
        ("text/uri-list", Source::Writes(b"file:///m.md3\r\n".to_vec())),
        ("application/vnd.portal.filetransfer", Source::Endless),
    ];
    let fate = desk.compositor.enter(0, sources);
    desk.entered();
    desk.entered();
    desk.compositor.drop_it();
    assert_eq!(desk.dropped().unwrap().paths, [PathBuf::from("/m.md3")]);
    until(|| fate().destroyed);
    assert_eq!(fate().asked, ["text/uri-list", "application/vnd.portal.filetransfer"]);
}

#[test]
fn portal_is_not_asked_for_existing_files() {
    let desk = desk();
    let folder = tempfile::tempdir().unwrap();
    let list = format!("file://{}\r\n", folder.path().display());
    let sources = vec![
        ("text/uri-list", Source::Writes(list.into_bytes())),
        ("application/vnd.portal.filetransfer", Source::Silent),
    ];
    let fate = desk.compositor.enter(0, sources);
    desk.entered();
    desk.entered();
    desk.compositor.drop_it();
    assert_eq!(desk.dropped().unwrap().paths, [folder.path()]);
    assert_eq!(fate().asked, ["text/uri-list"]);
}

#[test]
fn drags_survive_added_and_removed_seats() {
    let desk = desk();
    desk.compositor.add_seat();
    desk.has_devices(2);
    // The new seat has the newest device.
    let _held = desk.compositor.enter(0, uris("file:///m.md3\r\n"));
    desk.entered();
    desk.entered();
    desk.compositor.remove_seat();
    desk.has_devices(1);
    assert!(desk.events.try_recv().is_err(), "the other seat’s drag goes on");
    desk.compositor.remove_seat();
    desk.left();
    // The next drag must not go to a device that the listener is about to release.
    desk.has_devices(0);
    desk.compositor.add_seat();
    desk.has_devices(1);
    let _again = desk.compositor.enter(0, uris("file:///n.md3\r\n"));
    desk.entered();
    assert_eq!(desk.entered(), [PathBuf::from("/n.md3")]);
}

#[test]
fn clipboard_pastes_text_and_copies_text_and_images() {
    let desk = desk();
    let transfers = desk.transfers.as_ref().unwrap();
    // The clipboard is still empty, so this request has no answer.
    transfers.request_text();
    let _offer = desk.compositor.select(vec![
        ("image/png", Source::Silent),
        ("text/plain", Source::Writes(b"old".to_vec())),
        ("text/plain;charset=utf-8", Source::Writes("/tmp/Böar man.md3".into())),
    ]);
    assert_eq!(desk.pasted(), "/tmp/Böar man.md3");

    let selections = || desk.compositor.seen.selections.load(Ordering::SeqCst);
    let copy = |text: &str| {
        let before = selections();
        // Copying needs a serial of input that the listener has seen.
        until(|| {
            transfers.copy_text(text.to_owned());
            std::thread::sleep(Duration::from_millis(20));
            selections() > before
        });
    };
    desk.compositor.click();
    copy("models/players");
    // A repeated key copies again.
    transfers.copy_text("models/players/neko".to_owned());
    until(|| desk.compositor.copied("text/plain").is_some_and(|text| text == b"models/players/neko"));
    desk.compositor.click();
    // The image is larger than a pipe buffer.
    let image = image::RgbaImage::from_fn(300, 200, |x, y| image::Rgba([x as u8, y as u8, (x * y) as u8, 255]));
    let before = selections();
    until(|| {
        transfers.copy_image(image.clone());
        std::thread::sleep(Duration::from_millis(200));
        selections() > before
    });
    let png = desk.compositor.copied("image/png").unwrap();
    assert_eq!(image::load_from_memory(&png).unwrap().into_rgba8(), image);
}

#[test]
fn silent_clipboard_source_does_not_block_later_text() {
    let desk = desk();
    let transfers = desk.transfers.as_ref().unwrap();
    let fate = desk.compositor.select(vec![("text/plain", Source::Silent)]);
    until(|| {
        transfers.request_text();
        !fate().asked.is_empty()
    });
    let _offer = desk.compositor.select(vec![("UTF8_STRING", Source::Writes(b"here".to_vec()))]);
    assert_eq!(desk.pasted(), "here");
}

#[test]
fn listener_ends_with_window_or_display() {
    let mut desk = desk();
    let _fate = desk.compositor.enter(0, vec![("text/uri-list", Source::Silent)]);
    desk.entered();
    desk.transfers = None;
    desk.left();
    assert!(matches!(desk.events.recv_timeout(MAX_WAIT), Err(RecvTimeoutError::Disconnected)));

    let mut desk = self::desk();
    desk.compositor.end();
    assert!(matches!(desk.events.recv_timeout(MAX_WAIT), Err(RecvTimeoutError::Disconnected)));
    drop(desk.transfers);
}

/// Runs the window under headless Weston, if installed. The window must listen, and report the end of Weston.
#[test]
fn window_under_weston_listens_and_reports_lost_display() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    if Command::new("weston").arg("--version").output().is_err() {
        eprintln!("skipped: weston is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let runtime = folder.path().join("run");
    std::fs::create_dir(&runtime).unwrap();
    std::fs::set_permissions(&runtime, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let mut weston = Command::new("weston")
        .args([
            "--no-config",
            "--backend=headless-backend.so",
            "--socket=tests",
            "--idle-time=0",
            "--width=900",
            "--height=700",
        ])
        .env("XDG_RUNTIME_DIR", &runtime)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(|| runtime.join("tests").exists());
    let mut window = Command::new(env!("CARGO_BIN_EXE_maquette"))
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample/umber.md3"))
        .env("XDG_RUNTIME_DIR", &runtime)
        .env("WAYLAND_DISPLAY", "tests")
        // Log every protocol message, to see the requests of the window.
        .env("WAYLAND_DEBUG", "1")
        .env("MAQUETTE_CONFIG", folder.path().join("config"))
        .env("MAQUETTE_CACHE", folder.path().join("cache"))
        .env_remove("DISPLAY")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // If either process hangs, the test must not hang.
    let (done, waited) = channel::<()>();
    let watched = [Pid::from_child(&window), Pid::from_child(&weston)];
    std::thread::spawn(move || {
        if waited.recv_timeout(MAX_WAIT) == Err(RecvTimeoutError::Timeout) {
            for process in watched {
                kill_process(process, Signal::KILL).ok();
            }
        }
    });
    let mut lines = Vec::new();
    let (mut listens, mut drawn) = (false, false);
    for line in BufReader::new(window.stderr.take().unwrap()).lines().map_while(Result::ok) {
        // Headless Weston has no seat; the listener still requests the drag manager.
        listens |= line.contains(".bind(") && line.contains("wl_data_device_manager");
        drawn |= line.contains("attach(wl_buffer");
        if listens && drawn && weston.try_wait().unwrap().is_none() {
            weston.kill().unwrap();
            weston.wait().unwrap();
        }
        lines.push(line);
    }
    let status = window.wait().unwrap();
    drop(done);
    drop(weston.kill());
    drop(weston.wait());
    let message = lines.iter().find(|line| line.starts_with("maquette: "));
    let end = lines.len().saturating_sub(20);
    assert!(listens && drawn, "no window came up:\n{}", lines[end..].join("\n"));
    assert_eq!(
        message.map(String::as_str),
        Some("maquette: the display server closed the connection"),
        "{:?}",
        &lines[end..]
    );
    assert_eq!(status.code(), Some(1));
}
