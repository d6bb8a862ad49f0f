//! Shows a file where it lies, in the system's own program for files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What of a path the system knows: a file in an archive is shown as the archive.
pub fn on_disk(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|place| place.exists()).map(Path::to_path_buf)
}

/// Shows a file or a folder; waits for the answer, so it is no call for the window's thread. True if some program took it.
#[cfg(target_os = "linux")]
pub fn show(path: &Path) -> bool {
    if let Err(error) = show_item(path) {
        log::info!("no file manager on the bus: {error}");
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        return succeeds(Command::new("xdg-open").arg(folder));
    }
    true
}

/// Asks the desktop's file manager to show a file, selected.
#[cfg(target_os = "linux")]
fn show_item(path: &Path) -> Result<(), zbus::Error> {
    use std::os::unix::ffi::OsStrExt as _;

    let path = percent_encoding::percent_encode(path.as_os_str().as_bytes(), ADDRESS);
    let address = format!("file://{path}");
    pollster::block_on(async {
        let bus =
            zbus::connection::Builder::session()?.method_timeout(std::time::Duration::from_secs(3)).build().await?;
        let name = Some("org.freedesktop.FileManager1");
        bus.call_method(name, "/org/freedesktop/FileManager1", name, "ShowItems", &([address.as_str()].as_slice(), ""))
            .await?;
        Ok(())
    })
}

/// What stays as it is in an address.
#[cfg(target_os = "linux")]
const ADDRESS: &percent_encoding::AsciiSet =
    &percent_encoding::NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// Shows a file or a folder. True if the program for it was found.
#[cfg(target_os = "macos")]
pub fn show(path: &Path) -> bool {
    succeeds(Command::new("open").arg("-R").arg(path))
}

/// Shows a file or a folder. True if the program for it was found.
#[cfg(windows)]
pub fn show(path: &Path) -> bool {
    let mut select = std::ffi::OsString::from("/select,");
    select.push(path);
    // Its exit code says nothing.
    Command::new("explorer").arg(select).stdout(Stdio::null()).spawn().is_ok()
}

/// Elsewhere nothing is known that shows files.
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
pub fn show(_path: &Path) -> bool {
    false
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
