//! Log to stderr, filtered by `RUST_LOG`. Keeps the last error of the dialog library, because only its log says why no
//! dialog opened.

#![forbid(unsafe_code)]

use std::sync::{Mutex, PoisonError};

use log::{Level, Log, Metadata, Record};

static DIALOG_ERROR: Mutex<Option<String>> = Mutex::new(None);

/// Default log filter. It hides warnings of libraries that do not help users.
const DEFAULT_FILTER: &str = "warn,winit=error,wgpu_hal=error,wgpu_core=error,naga=error,zbus=error,sctk=error,sctk_adwaita=off,arboard=error,egui_winit::clipboard=error";

struct Messages {
    stderr: env_logger::Logger,
}

impl Log for Messages {
    fn enabled(&self, metadata: &Metadata) -> bool {
        self.stderr.enabled(metadata) || is_dialog_error(metadata)
    }

    fn log(&self, record: &Record) {
        if is_dialog_error(record.metadata()) {
            // If the portal fails, the library starts zenity. Only a failure of zenity means that no dialog is
            // available.
            if record.target().contains("::portal") {
                return;
            }
            *DIALOG_ERROR.lock().unwrap_or_else(PoisonError::into_inner) = Some(record.args().to_string());
        } else if self.stderr.matches(record) {
            self.stderr.log(record);
        }
    }

    fn flush(&self) {
        self.stderr.flush();
    }
}

fn is_dialog_error(metadata: &Metadata) -> bool {
    metadata.level() == Level::Error && metadata.target().starts_with("rfd")
}

static LIBRARY_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Installs a panic hook that stores the message of a panic in a library. These libraries panic without a display or a
/// device, and the caller reports that as an error.
fn keep_library_panics() {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_library = panic.location().is_some_and(|location| {
            let mut folders = location.file().split(['/', '\\']);
            folders.any(|name| ["winit-", "egui-wgpu-", "wgpu-"].iter().any(|library| name.starts_with(library)))
        });
        let message = is_library.then(|| panic.payload_as_str().unwrap_or("unknown reason").to_owned());
        match &message {
            Some(message) => log::debug!("{message}"),
            None => default_hook(panic),
        }
        *LIBRARY_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = message;
    }));
}

/// Returns and clears the message of the last panic if it was in a library.
pub fn library_panic() -> Option<String> {
    LIBRARY_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Starts logging. A second call does not replace the logger.
pub fn start() {
    keep_library_panics();
    let stderr = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(DEFAULT_FILTER)).build();
    let level = stderr.filter().max(log::LevelFilter::Error);
    if log::set_boxed_logger(Box::new(Messages { stderr })).is_ok() {
        log::set_max_level(level);
    }
}

pub fn forget_dialog_error() {
    *DIALOG_ERROR.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

pub fn dialog_error() -> Option<String> {
    DIALOG_ERROR.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
