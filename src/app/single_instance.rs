//! Single instance: a second start passes its paths to the open window, through a socket in the session's runtime
//! folder (`XDG_RUNTIME_DIR`). Each display has its own socket. If the folder does not exist or others can access it,
//! every start opens its own window.
//!
//! A request is `GREETING`, then each absolute path followed by a zero byte, then the end of the stream. The answer is
//! `ACCEPTED`.

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

use super::MAX_INPUT_BYTES;

/// First bytes of a request, which contain the version of the protocol.
const GREETING: &[u8] = b"maquette open 1\n";
const ACCEPTED: &[u8] = b"taken\n";
/// Time limit of a request on either side. When it expires, the second start opens its own window.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(1);
/// Pause after a failed accept, for example if no file descriptors are left.
const PAUSE: Duration = Duration::from_millis(100);

/// Returns the socket of this session and display; `None` if there is no runtime folder or others can access it.
pub fn socket() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = PathBuf::from(variable("XDG_RUNTIME_DIR")?);
    let display = variable("WAYLAND_DISPLAY").or_else(|| variable("DISPLAY"))?;
    is_private(&folder).then(|| folder.join(socket_name(&display)))
}

/// Returns the name of the socket for a display. Display names may be paths, so special characters are replaced.
fn socket_name(display: &OsStr) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '.' { c } else { '_' };
    format!("maquette-{}.socket", display.to_string_lossy().chars().map(plain).collect::<String>())
}

fn is_private(folder: &Path) -> bool {
    // `/proc/self` belongs to the user of this process.
    let (Ok(folder), Ok(process)) = (fs::metadata(folder), fs::metadata("/proc/self")) else { return false };
    folder.is_dir() && folder.uid() == process.uid() && folder.mode() & 0o077 == 0
}

/// Passes `paths` to the window at `socket`. Returns false if no window answers within `patience`.
pub fn hand_over(socket: &Path, paths: &[PathBuf], patience: Duration) -> bool {
    let absolute: io::Result<Vec<PathBuf>> = paths.iter().map(std::path::absolute).collect();
    let Ok(paths) = absolute else { return false };
    let socket = socket.to_path_buf();
    let (sender, answer) = channel();
    // Use a thread, because connecting has no time limit.
    let worker = thread::Builder::new().name("hand over".to_owned());
    let started = worker.spawn(move || sender.send(send(&socket, &paths, patience).unwrap_or(false)).ok());
    started.is_ok() && answer.recv_timeout(patience).unwrap_or(false)
}

fn send(socket: &Path, paths: &[PathBuf], patience: Duration) -> io::Result<bool> {
    let mut request = GREETING.to_vec();
    for path in paths {
        request.extend(path.as_os_str().as_bytes());
        request.push(0);
    }
    if request.len() > MAX_INPUT_BYTES {
        return Ok(false);
    }
    let mut stream = UnixStream::connect(socket)?;
    stream.set_write_timeout(Some(patience))?;
    stream.set_read_timeout(Some(patience))?;
    stream.write_all(&request)?;
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut answer = [0; ACCEPTED.len()];
    stream.read_exact(&mut answer)?;
    Ok(answer == ACCEPTED)
}

/// Receiver of the paths of later starts. When it is dropped, later starts open their own windows again.
pub struct Instance {
    socket: PathBuf,
    /// Inode of the socket, compared before the file is removed, because another program may have replaced it.
    inode: Option<u64>,
    ended: Arc<AtomicBool>,
}

impl Instance {
    /// Listens at `socket`. `receive` is called on another thread with at least one absolute path. It returns whether the
    /// window still exists.
    ///
    /// # Errors
    ///
    /// Fails if another window listens there (`AddrInUse`), or if the socket cannot be created.
    pub fn listen(socket: &Path, receive: impl Fn(Vec<PathBuf>) -> bool + Send + 'static) -> io::Result<Self> {
        let listener = match UnixListener::bind(socket) {
            // A window that crashed leaves its socket, at which no process answers.
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
                    // Invalid or interrupted requests get no answer.
                    Ok(stream) => drop(take(stream, &receive)),
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
            // Wake the thread, which then sees the flag.
            UnixStream::connect(&self.socket).ok();
            fs::remove_file(&self.socket).ok();
        }
    }
}

/// Whether the file is a socket without a listener. The type is checked, because regular files refuse connections in
/// the same way.
fn is_abandoned(socket: &Path) -> bool {
    let is_socket = fs::symlink_metadata(socket).is_ok_and(|metadata| metadata.file_type().is_socket());
    is_socket && UnixStream::connect(socket).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

fn take(mut stream: UnixStream, receive: &impl Fn(Vec<PathBuf>) -> bool) -> io::Result<()> {
    let deadline = Instant::now() + REQUEST_TIMEOUT;
    stream.set_write_timeout(Some(REQUEST_TIMEOUT))?;
    let mut request = Vec::new();
    let mut part = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || request.len() > MAX_INPUT_BYTES {
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
    if receive(paths) { stream.write_all(ACCEPTED) } else { Ok(()) }
}

/// Returns the paths of a request; `None` if the request is incomplete, has no path or has a relative path.
fn paths_of(request: &[u8]) -> Option<Vec<PathBuf>> {
    let paths = request.strip_prefix(GREETING)?.strip_suffix(b"\0")?;
    let paths: Vec<PathBuf> =
        paths.split(|byte| *byte == 0).map(|path| OsString::from_vec(path.to_vec()).into()).collect();
    paths.iter().all(|path| path.is_absolute()).then_some(paths)
}
