//! Window application: converts events to actions, applies them to the session and carries out their effects.

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
mod system_fonts;
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

enum Event {
    /// A load has ended.
    Loaded(Box<LoadAnswer>),
    /// Images of models that are shown were decoded.
    ImagesDecoded,
    /// Finished frames or tiles, and their total.
    Progress(u32, u32),
    /// Outcome of an export, a message as a sentence, and the written file.
    Exported(NotificationKind, String, Option<file_watcher::WrittenFile>),
    /// A thumbnail was drawn or failed.
    Thumbnail(PathBuf, Box<output::ThumbnailResult>),
    /// The file watcher saw a change.
    Watched(file_watcher::WatchEvent),
    /// Contents of a folder whose path is being typed.
    FolderListed(FolderListing),
    /// Bytes of the thumbnails on disk, and whether they were just cleared.
    ThumbnailCache { bytes: u64, cleared: bool },
    /// Message that no other program shows a path or an address, and that text to copy.
    NotOpened(&'static str, String),
    /// Preview of an export; `None` if it cannot be drawn.
    Preview(Box<ExportPreview>),
    /// The program was started again with these paths.
    #[cfg(target_os = "linux")]
    StartedAgain(Vec<PathBuf>),
    /// Result of a dialog: the chosen paths (none if cancelled), or the reason why the dialog did not open.
    DialogClosed { purpose: FilePrompt, paths: Vec<PathBuf>, refusal: Option<String> },
    /// A drag or clipboard event.
    Transfer(wayland::TransferEvent),
    /// Request from a screen reader.
    Accessibility(egui_winit::accesskit_winit::Event),
}

impl From<egui_winit::accesskit_winit::Event> for Event {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

/// Passes `paths` to an open window of this user and display. Returns false if no window answers within a second.
pub fn hand_over(paths: &[PathBuf]) -> bool {
    #[cfg(target_os = "linux")]
    return single_instance::socket()
        .is_some_and(|socket| single_instance::hand_over(&socket, paths, single_instance::REQUEST_TIMEOUT));
    #[cfg(not(target_os = "linux"))]
    return paths.is_empty();
}

/// Whether the environment names a display; always true on systems other than Linux.
pub fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Opens the window with `paths`, or with the built-in sample. `roots` are searched first, and the last one before the
/// others.
pub fn run(paths: Vec<PathBuf>, roots: Vec<PathBuf>) -> Result<(), String> {
    logging::start();
    require_libraries()?;
    let event_loop = EventLoop::<Event>::with_user_event().build().map_err(|error| {
        let why = if has_display() {
            without_source(&error.to_string()).to_owned()
        } else {
            "no display found (DISPLAY and WAYLAND_DISPLAY are not set)".to_owned()
        };
        format!("could not open a window: {why}; “maquette snapshot” saves an image without a window")
    })?;
    let mut application = window::Application::new(event_loop.create_proxy(), paths, roots);
    let outcome = catch_unwind(AssertUnwindSafe(|| event_loop.run_app(&mut application))).map_err(|panic| {
        // Until the event loop notices that its display is gone, every request to the window panics.
        let Some(message) = logging::library_panic() else { resume_unwind(panic) };
        if message.contains("Connection") {
            CONNECTION_ENDED.to_owned()
        } else {
            format!("the window failed: {message}")
        }
    });
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            application.abandon();
            return Err(error);
        }
    };
    outcome.map_err(|error| match error {
        // winit gives no other reason if the display server closes the connection.
        EventLoopError::ExitFailure(_) => CONNECTION_ENDED.to_owned(),
        error => format!("the window failed: {error}"),
    })?;
    application.into_outcome()
}

/// Maximum bytes of a settings file, a pasted text, a list of dragged files and the paths of a later start: enough for
/// tens of thousands of long paths. Longer ones are rejected.
pub const MAX_INPUT_BYTES: usize = 4 << 20;

const CONNECTION_ENDED: &str = "the display server closed the connection";

/// Strips the source location from the start of a winit message.
fn without_source(message: &str) -> &str {
    let after = message.find(".rs:").and_then(|at| message.get(at + ".rs:".len()..));
    after.and_then(|rest| rest.split_once(": ")).map_or(message, |(_, rest)| rest)
}

/// Fails if an X11 library is missing, because winit loads these libraries at run time and panics without them.
#[cfg(target_os = "linux")]
fn require_libraries() -> Result<(), String> {
    const LIBRARIES: [(&str, &str); 4] = [
        ("libX11.so.6", "libx11-6"),
        ("libXcursor.so.1", "libxcursor1"),
        ("libXi.so.6", "libxi6"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ];
    // Wayland needs none of these libraries.
    if std::env::var_os("WAYLAND_DISPLAY").is_some() || std::env::var_os("DISPLAY").is_none() {
        return Ok(());
    }
    let folders = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib"];
    let triplet = format!("{}-linux-gnu", std::env::consts::ARCH);
    let present = |library: &str| {
        folders.iter().any(|folder| {
            let folder = std::path::Path::new(folder);
            folder.join(library).exists() || folder.join(&triplet).join(library).exists()
        })
    };
    // Some systems have their libraries in other folders (Nix), so do not report if all are missing.
    let missing: Vec<&str> =
        LIBRARIES.iter().filter(|(library, _)| !present(library)).map(|(_, package)| *package).collect();
    if missing.is_empty() || missing.len() == LIBRARIES.len() {
        return Ok(());
    }
    Err(format!("missing libraries; install them with: apt-get install {}", missing.join(" ")))
}

#[cfg(not(target_os = "linux"))]
fn require_libraries() -> Result<(), String> {
    Ok(())
}
