//! The window: everything that says winit or rfd. It turns events into actions, lets the session do them, and shows
//! what comes of it.

mod dialogs;
mod export_worker;
mod file_watcher;
mod graphics;
mod logging;
mod preview;
mod settings;
#[cfg(target_os = "linux")]
pub mod single_instance;
mod system;
mod viewport;
pub mod wayland;
mod window;

pub use settings::Settings;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use winit::error::EventLoopError;
use winit::event_loop::EventLoop;

use crate::output;
use crate::ui::ExportPreview;
use maquette_scene::session::{FilePrompt, FolderListing, LoadAnswer, NotificationKind};

/// Why the window did not open, or closed by itself: a sentence with what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct AppError(String);

/// What other threads tell the window.
enum Event {
    /// Something was read, or was not.
    Loaded(Box<LoadAnswer>),
    /// Images of models that are shown were decoded.
    ImagesDecoded,
    /// So many frames or tiles are made, of so many.
    Progress(u32, u32),
    /// What was to be made is made, or is not, in a sentence; and the file it went into.
    Worked(NotificationKind, String, Option<file_watcher::WrittenFile>),
    /// A thumbnail was made, or could not be.
    Thumbnail(PathBuf, Box<output::Made>),
    /// Something was seen on the disk.
    Noticed(file_watcher::WatchEvent),
    /// What lies in a folder whose path is being typed.
    Listed(FolderListing),
    /// How much the thumbnails on disk take, after they were removed or not.
    Cached { bytes: u64, cleared: bool },
    /// Another program did not show what it was asked to: a sentence, and where it is, to be copied.
    Unseen(&'static str, String),
    /// What an export will look like; none if it cannot be drawn.
    Preview(Option<Box<ExportPreview>>),
    /// The program was started again, for these files.
    #[cfg(target_os = "linux")]
    Asked(Vec<PathBuf>),
    /// A dialog was answered: with the paths chosen, none if the user thought better of it; or why none opened.
    Answered { purpose: FilePrompt, paths: Vec<PathBuf>, refusal: Option<String> },
    /// Another program drags files over the window, or gave the text that was asked for.
    Transfer(wayland::TransferEvent),
    /// A screen reader wants something.
    Accessibility(egui_winit::accesskit_winit::Event),
}

impl From<egui_winit::accesskit_winit::Event> for Event {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

/// Hands `paths` to a window of this user and display that is open already. False where there is none, or it does not
/// answer within a second: then it is for [`run`] to open one.
pub fn hand_over(paths: &[PathBuf]) -> bool {
    #[cfg(target_os = "linux")]
    return single_instance::socket().is_some_and(|socket| single_instance::hand_over(&socket, paths));
    #[cfg(not(target_os = "linux"))]
    return paths.is_empty();
}

/// Opens the window with `paths`, or the built-in figure, and returns when it is closed. `roots` are searched before the
/// models' own games, the last one first.
pub fn run(paths: Vec<PathBuf>, roots: Vec<PathBuf>) -> Result<(), AppError> {
    logging::start();
    require_libraries()?;
    let event_loop = EventLoop::<Event>::with_user_event().build().map_err(|error| {
        let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
        let why = if cfg!(target_os = "linux") && unset("DISPLAY") && unset("WAYLAND_DISPLAY") {
            "there is no display".to_owned()
        } else {
            without_source(&error.to_string()).to_owned()
        };
        AppError(format!("no window can be opened: {why}; “maquette snapshot” saves an image without one"))
    })?;
    let mut application = window::Application::new(event_loop.create_proxy(), paths, roots);
    let ran = catch_unwind(AssertUnwindSafe(|| event_loop.run_app(&mut application))).map_err(|panic| {
        // Before the loop learns that its display is gone, whatever the window is asked for is a panic.
        let Some(told) = logging::library_panic() else { resume_unwind(panic) };
        AppError(if told.contains("Connection") {
            CONNECTION_ENDED.to_owned()
        } else {
            format!("the window failed: {told}")
        })
    });
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => {
            application.abandon();
            return Err(error);
        }
    };
    ran.map_err(|error| match error {
        // winit says no more when the display server closes the connection.
        EventLoopError::ExitFailure(_) => AppError(CONNECTION_ENDED.to_owned()),
        error => AppError(format!("the window failed: {error}")),
    })?;
    application.fate()
}

/// Why the window closed by itself.
const CONNECTION_ENDED: &str = "the display server ended the connection";

/// A message of winit's without the line of its own source that it begins with.
fn without_source(message: &str) -> &str {
    let place = message.find(".rs:").and_then(|at| message.get(at + ".rs:".len()..));
    place.and_then(|rest| rest.split_once(": ")).map_or(message, |(_, rest)| rest)
}

/// winit loads X11's libraries by name and panics without the last of these; a sentence is better.
#[cfg(target_os = "linux")]
fn require_libraries() -> Result<(), AppError> {
    const LIBRARIES: [(&str, &str); 4] = [
        ("libX11.so.6", "libx11-6"),
        ("libXcursor.so.1", "libxcursor1"),
        ("libXi.so.6", "libxi6"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ];
    // On Wayland none of them is needed.
    if std::env::var_os("WAYLAND_DISPLAY").is_some() || std::env::var_os("DISPLAY").is_none() {
        return Ok(());
    }
    let places = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib"];
    let triplet = format!("{}-linux-gnu", std::env::consts::ARCH);
    let present = |library: &str| {
        places.iter().any(|place| {
            let place = std::path::Path::new(place);
            place.join(library).exists() || place.join(&triplet).join(library).exists()
        })
    };
    // Systems that keep libraries elsewhere (Nix) have none of them here; there is nothing to tell then.
    let missing: Vec<&str> =
        LIBRARIES.iter().filter(|(library, _)| !present(library)).map(|(_, package)| *package).collect();
    if missing.is_empty() || missing.len() == LIBRARIES.len() {
        return Ok(());
    }
    Err(AppError(format!("the window needs libraries that are missing: apt-get install {}", missing.join(" "))))
}

#[cfg(not(target_os = "linux"))]
fn require_libraries() -> Result<(), AppError> {
    Ok(())
}
