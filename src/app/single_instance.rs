//! One window for all files: a second start hands its paths to the window that is open, through a socket in the session's
//! folder for such things (`XDG_RUNTIME_DIR`). Each display has a socket of its own. Where there is no such folder, or
//! it is not the user's alone, every start opens its own window.
//!
//! What is sent: `GREETING`, then each absolute path with a zero byte after it, then the end of the stream. What
//! comes back: `TAKEN`.

#![forbid(unsafe_code)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// The first bytes of a request; another version of the exchange would have others.
const GREETING: &[u8] = b"maquette open 1\n";
/// The answer to a request that was taken.
const TAKEN: &[u8] = b"taken\n";
/// Bytes of a request at most: more paths than any file manager sends.
const MAX_REQUEST_BYTES: usize = 1 << 20;
/// A whole request takes no longer, on either side: then the start opens its own window.
const PATIENCE: Duration = Duration::from_secs(1);
/// Before the next request is taken where taking one failed, as with no file handles left.
const PAUSE: Duration = Duration::from_millis(100);

/// The socket of this user's session and display; none where there is no session or its folder is open to others.
pub fn socket() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = PathBuf::from(set("XDG_RUNTIME_DIR")?);
    let display = set("WAYLAND_DISPLAY").or_else(|| set("DISPLAY"))?;
    is_private(&folder).then(|| folder.join(socket_name(&display)))
}

/// Names of displays may be paths.
fn socket_name(display: &OsStr) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '.' { c } else { '_' };
    format!("maquette-{}.socket", display.to_string_lossy().chars().map(plain).collect::<String>())
}

/// Whether a folder is ours and nobody else may enter it.
fn is_private(folder: &Path) -> bool {
    // The owner of our own process's entry is whoever runs it.
    let (Ok(folder), Ok(process)) = (fs::metadata(folder), fs::metadata("/proc/self")) else { return false };
    folder.is_dir() && folder.uid() == process.uid() && folder.mode() & 0o077 == 0
}

/// Hands `paths` to the window that listens at `socket`; relative paths are of the current folder. False where none
/// listens, or none answers within a second.
pub fn hand_over(socket: &Path, paths: &[PathBuf]) -> bool {
    let absolute: io::Result<Vec<PathBuf>> = paths.iter().map(std::path::absolute).collect();
    let Ok(paths) = absolute else { return false };
    let socket = socket.to_path_buf();
    let (sender, answer) = channel();
    // Connecting has no time limit of its own.
    let worker = thread::Builder::new().name("hand over".to_owned());
    let started = worker.spawn(move || sender.send(send(&socket, &paths).unwrap_or(false)).ok());
    started.is_ok() && answer.recv_timeout(PATIENCE).unwrap_or(false)
}

fn send(socket: &Path, paths: &[PathBuf]) -> io::Result<bool> {
    let mut request = GREETING.to_vec();
    for path in paths {
        request.extend(path.as_os_str().as_bytes());
        request.push(0);
    }
    if request.len() > MAX_REQUEST_BYTES {
        return Ok(false);
    }
    let mut stream = UnixStream::connect(socket)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(&request)?;
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut answer = [0; TAKEN.len()];
    stream.read_exact(&mut answer)?;
    Ok(answer == TAKEN)
}

/// Takes the paths of later starts; when it is dropped they open windows of their own again.
pub struct Instance {
    socket: PathBuf,
    /// Which file the socket is: another program may have replaced it.
    inode: Option<u64>,
    ended: Arc<AtomicBool>,
}

impl Instance {
    /// Listens at `socket`, unless another window does. `asked` is called on another thread with absolute paths, at
    /// least one, and returns whether there still is a window to show them.
    ///
    /// # Errors
    ///
    /// Another window listens there (`AddrInUse`), or no socket can be made.
    pub fn listen(socket: &Path, asked: impl Fn(Vec<PathBuf>) -> bool + Send + 'static) -> io::Result<Self> {
        let listener = match UnixListener::bind(socket) {
            // Left behind by a window that ended without a word: nobody answers.
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_abandoned(socket) => {
                fs::remove_file(socket)?;
                UnixListener::bind(socket)?
            }
            bound => bound?,
        };
        let inode = fs::symlink_metadata(socket).ok().map(|metadata| metadata.ino());
        let ended = Arc::new(AtomicBool::new(false));
        let is_over = ended.clone();
        let work = move || {
            for stream in listener.incoming() {
                if is_over.load(Ordering::Acquire) {
                    return;
                }
                match stream {
                    // Whoever sent nonsense or went away is told nothing.
                    Ok(stream) => drop(take(stream, &asked)),
                    Err(_) => thread::sleep(PAUSE),
                }
            }
        };
        thread::Builder::new().name("instance".to_owned()).spawn(work)?;
        Ok(Self { socket: socket.to_path_buf(), inode, ended })
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        let inode = fs::symlink_metadata(&self.socket).ok().map(|metadata| metadata.ino());
        if inode.is_some() && inode == self.inode {
            // Wakes the thread, which then sees that it has ended.
            UnixStream::connect(&self.socket).ok();
            fs::remove_file(&self.socket).ok();
        }
    }
}

/// Whether the file is a socket at which nobody listens. To connect to a file that is none is refused in the same way.
fn is_abandoned(socket: &Path) -> bool {
    let is_socket = fs::symlink_metadata(socket).is_ok_and(|metadata| metadata.file_type().is_socket());
    is_socket && UnixStream::connect(socket).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

/// Takes one request.
fn take(mut stream: UnixStream, asked: &impl Fn(Vec<PathBuf>) -> bool) -> io::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut request = Vec::new();
    let mut part = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || request.len() > MAX_REQUEST_BYTES {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(count) => request.extend(part.iter().take(count)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let paths = paths_of(&request).ok_or(io::ErrorKind::InvalidData)?;
    if asked(paths) { stream.write_all(TAKEN) } else { Ok(()) }
}

/// The paths of a request; none if it is not whole, has no path, or one that is not absolute.
fn paths_of(request: &[u8]) -> Option<Vec<PathBuf>> {
    let paths = request.strip_prefix(GREETING)?.strip_suffix(b"\0")?;
    let paths: Vec<PathBuf> =
        paths.split(|byte| *byte == 0).map(|path| OsString::from_vec(path.to_vec()).into()).collect();
    paths.iter().all(|path| path.is_absolute()).then_some(paths)
}
