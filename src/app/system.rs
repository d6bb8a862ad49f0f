//! Requests to other programs and the system: browser, file manager, folders. They run on threads, because they may be
//! slow.

#![forbid(unsafe_code)]

use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use super::Event;
use crate::output::{ThumbnailCache, atomic_file, cache_folder};
use crate::ui;
use maquette_core::error::system_reason;
use maquette_scene::session::FolderListing;

pub(super) fn show_guide(send: impl FnOnce(Event) + Send + 'static) {
    let show = move || match write_guide() {
        Ok(page) => {
            let address = address_of(&page);
            let options = webbrowser::BrowserOptions::new().with_suppress_output(true).clone();
            if let Err(error) = webbrowser::open_browser_with_options(webbrowser::Browser::Default, &address, &options)
            {
                log::info!("could not open a browser: {error}");
                send(Event::NotOpened("No browser available", address));
            }
        }
        Err(error) => {
            send(Event::NotOpened("Could not write the guide for the browser", system_reason(&error)));
        }
    };
    start("browser", show);
}

pub(super) fn show_in_folder(file: &Path, send: impl FnOnce(Event) + Send + 'static) {
    // For a file in an archive, show the archive.
    let Some(file) = file.ancestors().find(|ancestor| ancestor.exists()).map(Path::to_path_buf) else { return };
    let show = move || {
        if let Err(error) = reveal(&file) {
            log::info!("could not open a file manager: {error}");
            send(Event::NotOpened("No file manager available", file.display().to_string()));
        }
    };
    start("file manager", show);
}

pub(super) fn list_folder(folder: String, send: impl FnOnce(Event) + Send + 'static) {
    start("folder", move || send(Event::FolderListed(FolderListing::read(&folder))));
}

pub(super) fn measure_thumbnails(clear: bool, send: impl FnOnce(Event) + Send + 'static) {
    let measure = move || {
        let cache = ThumbnailCache::of_user();
        let bytes = if clear { cache.clear() } else { cache.size() };
        send(Event::ThumbnailCache { bytes, cleared: clear });
    };
    start("thumbnail cache", measure);
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) {
    if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(work) {
        log::error!("no {name}: {error}");
    }
}

fn write_guide() -> io::Result<PathBuf> {
    let folder = cache_folder().ok_or_else(|| io::Error::other("no cache folder available"))?.join("guide");
    std::fs::create_dir_all(folder.join("pictures"))?;
    for (name, bytes) in &ui::GUIDE_IMAGES {
        let path = folder.join(name);
        if std::fs::metadata(&path).is_ok_and(|known| known.len() == bytes.len() as u64) {
            continue;
        }
        atomic_file::write_atomic(&path, bytes)?;
    }
    for (name, page) in ui::guide_pages() {
        atomic_file::write_atomic(&folder.join(name), page.as_bytes())?;
    }
    Ok(folder.join("guide.html"))
}

fn address_of(file: &Path) -> String {
    const UNESCAPED: percent_encoding::AsciiSet = percent_encoding::NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'.')
        .remove(b'-')
        .remove(b'_')
        .remove(b'~')
        .remove(b':');
    let path = file.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let path = percent_encoding::utf8_percent_encode(&path, &UNESCAPED);
    // Paths that begin with a drive need a third slash.
    let start = if cfg!(windows) { "file:///" } else { "file://" };
    format!("{start}{path}")
}

#[cfg(target_os = "linux")]
fn reveal(file: &Path) -> io::Result<()> {
    let ask = async {
        let bus =
            zbus::connection::Builder::session()?.method_timeout(std::time::Duration::from_secs(5)).build().await?;
        let files = [address_of(file)];
        bus.call_method(
            Some("org.freedesktop.FileManager1"),
            "/org/freedesktop/FileManager1",
            Some("org.freedesktop.FileManager1"),
            "ShowItems",
            &(&files[..], ""),
        )
        .await
    };
    match pollster::block_on(ask) {
        Ok(_) => Ok(()),
        Err(error) => {
            log::debug!("could not reach a file manager over D-Bus: {error}");
            // Older file managers only show the folder.
            run("xdg-open", [file.parent().unwrap_or(file).as_os_str()])
        }
    }
}

#[cfg(target_os = "macos")]
fn reveal(file: &Path) -> io::Result<()> {
    run("open", ["-R".as_ref(), file.as_os_str()])
}

#[cfg(windows)]
fn reveal(file: &Path) -> io::Result<()> {
    let mut chosen = std::ffi::OsString::from("/select,");
    chosen.push(file);
    // Explorer's exit status says nothing about success.
    std::process::Command::new("explorer").arg(chosen).spawn().map(drop)
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
fn reveal(file: &Path) -> io::Result<()> {
    run("xdg-open", [file.parent().unwrap_or(file).as_os_str()])
}

#[cfg(not(windows))]
fn run<const N: usize>(program: &str, arguments: [&std::ffi::OsStr; N]) -> io::Result<()> {
    use std::process::{Command, Stdio};
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{program} failed: {status}"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn file_url_escapes_special_characters() {
        assert_eq!(address_of(Path::new("/a b/ü#1/guide.html")), "file:///a%20b/%C3%BC%231/guide.html");
    }
}
