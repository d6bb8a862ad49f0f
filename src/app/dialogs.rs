//! File dialogs of the system, on a thread, because a portal may take half a minute to report that it is missing.

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rfd::FileDialog;

use super::{Event, logging};
use maquette_assets::vfs::{ARCHIVE_EXTENSIONS, split_extension};
use maquette_core::model::Format;
use maquette_scene::session::{FilePrompt, OutputKind};

static OPEN: AtomicBool = AtomicBool::new(false);

/// Opens a dialog and returns true, unless another one is open. The extension of `name` is the filter.
pub(super) fn ask(
    purpose: FilePrompt,
    title: String,
    folder: Option<PathBuf>,
    name: String,
    send: impl Fn(Event) + Send + 'static,
) -> bool {
    if OPEN.swap(true, Ordering::SeqCst) {
        return false;
    }
    let asked = thread::Builder::new().name("dialog".to_owned()).spawn(move || {
        logging::forget_dialog_error();
        let mut dialog = FileDialog::new().set_title(title);
        if let Some(folder) = folder {
            dialog = dialog.set_directory(folder);
        }
        let models = Format::ALL.map(Format::extension);
        let paths = match &purpose {
            FilePrompt::Open => dialog
                .add_filter("Models and archives", &[&models[..], &ARCHIVE_EXTENSIONS].concat())
                .add_filter("Models", &models)
                .add_filter("All files", &["*"])
                .pick_files()
                .unwrap_or_default(),
            FilePrompt::Attach(_) | FilePrompt::Compare => {
                dialog.add_filter("Models", &models).pick_file().into_iter().collect()
            }
            FilePrompt::TryTexture => dialog
                .add_filter("Images", &["tga", "jpg", "jpeg", "png", "dds", "pcx", "bmp", "webp"])
                .pick_file()
                .into_iter()
                .collect(),
            FilePrompt::AddRoot | FilePrompt::OpenFolder | FilePrompt::Save(OutputKind::Models) => {
                dialog.pick_folder().into_iter().collect()
            }
            FilePrompt::Save(_) => {
                let (_, extension) = split_extension(&name);
                dialog
                    .add_filter(extension.to_uppercase(), &[extension])
                    .set_file_name(&name)
                    .save_file()
                    .into_iter()
                    .collect()
            }
        };
        // The library returns no paths both after a cancelled dialog and without a dialog. Only its log distinguishes
        // the two.
        let refusal = if paths.is_empty() { logging::dialog_error() } else { None };
        OPEN.store(false, Ordering::SeqCst);
        send(Event::DialogClosed { purpose, paths, refusal });
    });
    if let Err(error) = &asked {
        OPEN.store(false, Ordering::SeqCst);
        log::error!("could not open a file dialog: {error}");
    }
    asked.is_ok()
}
