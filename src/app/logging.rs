//! Log lines: to stderr as the environment variable `RUST_LOG` asks (warnings by default), and the last complaint of
//! the dialog library kept, since that is the only place where it says why no dialog opened.

#![forbid(unsafe_code)]

use std::sync::{Mutex, PoisonError};

use log::{Level, Log, Metadata, Record};

static DIALOG_ERROR: Mutex<Option<String>> = Mutex::new(None);

/// Libraries whose warnings do not help anyone looking at models.
const CHATTER: &str = "warn,winit=error,wgpu_hal=error,wgpu_core=error,naga=error,zbus=error,sctk=error,sctk_adwaita=off,arboard=error,egui_winit::clipboard=error";

struct Messages {
    stderr: env_logger::Logger,
}

impl Log for Messages {
    fn enabled(&self, metadata: &Metadata) -> bool {
        self.stderr.enabled(metadata) || is_dialog_error(metadata)
    }

    fn log(&self, record: &Record) {
        if is_dialog_error(record.metadata()) {
            // Where the portal fails the library starts zenity; only its failure means that there is no dialog.
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

/// What the window system's or the graphics library said last when it panicked.
static LIBRARY_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps the panics of libraries that take a display and a device for granted to ourselves: they are caught, and told in a
/// sentence.
fn keep_library_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_library = panic.location().is_some_and(|place| {
            let mut folders = place.file().split(['/', '\\']);
            folders.any(|name| ["winit-", "egui-wgpu-", "wgpu-"].iter().any(|library| name.starts_with(library)))
        });
        let told = is_library.then(|| panic.payload_as_str().unwrap_or("it does not say why").to_owned());
        match &told {
            Some(told) => log::debug!("{told}"),
            None => usual(panic),
        }
        *LIBRARY_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = told;
    }));
}

/// What a library said last when it panicked, unless another panic came after it.
pub fn library_panic() -> Option<String> {
    LIBRARY_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Starts logging. A second call does nothing.
pub fn start() {
    keep_library_panics();
    let stderr = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(CHATTER)).build();
    let most = stderr.filter().max(log::LevelFilter::Error);
    if log::set_boxed_logger(Box::new(Messages { stderr })).is_ok() {
        log::set_max_level(most);
    }
}

/// Forgets what the dialog library said last.
pub fn forget_dialog_error() {
    *DIALOG_ERROR.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// What the dialog library said since.
pub fn dialog_error() -> Option<String> {
    DIALOG_ERROR.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
