//! A second start passes its files to the open window, or detects quickly that there is none.

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use maquette::app::single_instance::{self, Instance};
use maquette_testing::waiting::MAX_WAIT;

fn hand_over(socket: &Path, paths: &[PathBuf]) -> bool {
    single_instance::hand_over(socket, paths, MAX_WAIT)
}

/// Starts listening. Returns the instance and the received path lists.
fn listening(socket: &Path) -> (Instance, Receiver<Vec<PathBuf>>) {
    let (sender, received) = channel();
    (Instance::listen(socket, move |paths| sender.send(paths).is_ok()).unwrap(), received)
}

#[test]
fn paths_arrive_absolute_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let (_instance, received) = listening(&socket);
    assert!(hand_over(&socket, &["/models/a b.md3".into(), "umber\n.md2".into()]));
    let here = std::env::current_dir().unwrap();
    assert_eq!(received.try_recv().unwrap(), [PathBuf::from("/models/a b.md3"), here.join("umber\n.md2")]);
    assert!(hand_over(&socket, &["/second".into()]));
    assert_eq!(received.try_recv().unwrap(), [PathBuf::from("/second")]);
}

#[test]
fn handover_without_listening_window_fails() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    assert!(!hand_over(&socket, &["/a".into()]), "no socket");
    // A crashed window leaves its socket behind; the next window replaces it.
    drop(UnixListener::bind(&socket).unwrap());
    assert!(!hand_over(&socket, &["/a".into()]), "nobody listens");
    let (instance, received) = listening(&socket);
    assert!(hand_over(&socket, &["/a".into()]));
    assert_eq!(received.try_recv().unwrap(), [PathBuf::from("/a")]);
    drop(instance);
    assert!(!socket.exists());
    assert!(!hand_over(&socket, &["/a".into()]), "the window is closed");
    // A file that is not a socket is not replaced.
    std::fs::write(&socket, "mine").unwrap();
    assert!(Instance::listen(&socket, |_| true).is_err());
    assert_eq!(std::fs::read(&socket).unwrap(), b"mine");
}

#[test]
fn first_window_keeps_the_socket() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let (_first, received) = listening(&socket);
    assert!(Instance::listen(&socket, |_| true).is_err());
    assert!(hand_over(&socket, &["/a".into()]));
    assert_eq!(received.try_recv().unwrap(), [PathBuf::from("/a")]);
}

#[test]
fn handover_to_silent_window_times_out() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    // The system accepts the connection, but no process reads from it.
    let _silent = UnixListener::bind(&socket).unwrap();
    assert!(!single_instance::hand_over(&socket, &["/a".into()], Duration::from_millis(50)));
}

#[test]
fn closing_window_rejects_handover() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let _instance = Instance::listen(&socket, |_| false).unwrap();
    assert!(!hand_over(&socket, &["/a".into()]));
}

#[test]
fn invalid_requests_are_ignored_and_next_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let (_instance, received) = listening(&socket);
    for nonsense in [
        &b""[..],
        b"GET / HTTP/1.1\r\n\r\n",
        b"maquette open 1\n",
        b"maquette open 1\n\0",
        b"maquette open 1\n/cut",
        b"maquette open 1\nrelative\0",
        b"maquette open 1\n/a\0\0",
    ] {
        let mut stream = UnixStream::connect(&socket).unwrap();
        stream.write_all(nonsense).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        // The connection may close before the read.
        stream.read_to_end(&mut answer).ok();
        assert!(answer.is_empty(), "{nonsense:?}");
    }
    // Beyond the maximum size of a request, the window stops reading.
    let mut stream = UnixStream::connect(&socket).unwrap();
    stream.write_all(b"maquette open 1\n").unwrap();
    while stream.write_all(&[b'/'; 65536]).is_ok() {}
    assert!(hand_over(&socket, &["/a".into()]));
    assert_eq!(received.try_iter().collect::<Vec<_>>(), [[PathBuf::from("/a")]]);
}
