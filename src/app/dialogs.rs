//! The system's file dialogs, on a thread of their own: a portal may take half a minute to say that it is not there.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rfd::FileDialog;

use super::messages;
use crate::scene::Attachment;
use crate::session::Product;

/// Extensions of what can be opened.
const MODELS: &[&str] = &["md2", "md3", "mdc", "mdr", "md5mesh"];
const ARCHIVES: &[&str] = &["pk3", "pk4", "pak", "zip", "dpk"];

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Models to open.
    Files,
    /// A folder to open.
    Folder,
    /// A model to hang here.
    Attachment(Attachment),
    /// A picture to try on.
    Texture,
    /// A folder to be searched before the models' own games.
    Root,
    /// Where to save something; of a film, what its files end in.
    Save(Product, &'static str),
}

/// What came of it.
pub struct Answer {
    /// What was asked for.
    pub question: Question,
    /// The paths chosen; none if the user thought better of it.
    pub paths: Vec<PathBuf>,
    /// Why no dialog opened, if none did.
    pub refusal: Option<String>,
}

/// One dialog at a time.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Asks, and calls `answer` on another thread. False, and nothing else, while another dialog has not been answered.
pub fn ask(
    question: Question,
    start_in: Option<PathBuf>,
    file_name: String,
    answer: impl Fn(Answer) + Send + 'static,
) -> bool {
    if OPEN.swap(true, Ordering::SeqCst) {
        return false;
    }
    let asked = thread::Builder::new().name("dialog".to_owned()).spawn(move || {
        messages::forget_dialog_error();
        let mut dialog = FileDialog::new();
        if let Some(folder) = start_in {
            dialog = dialog.set_directory(folder);
        }
        let paths = match &question {
            Question::Files => dialog
                .set_title("Open models")
                .add_filter("Models and archives", &[MODELS, ARCHIVES].concat())
                .add_filter("Models", MODELS)
                .add_filter("All files", &["*"])
                .pick_files()
                .unwrap_or_default(),
            Question::Attachment(_) => {
                dialog.set_title("Attach a model").add_filter("Models", MODELS).pick_file().into_iter().collect()
            }
            Question::Texture => dialog
                .set_title("Try a picture")
                .add_filter("Pictures", &["tga", "jpg", "jpeg", "png", "dds", "pcx", "bmp", "webp"])
                .pick_file()
                .into_iter()
                .collect(),
            Question::Root => dialog.set_title("Search another folder").pick_folder().into_iter().collect(),
            Question::Folder => dialog.set_title("Open a folder").pick_folder().into_iter().collect(),
            Question::Save(product, extension) => dialog
                .set_title(format!("Save the {}", product.noun()))
                .set_file_name(file_name)
                .add_filter(extension.to_uppercase(), &[extension])
                .save_file()
                .into_iter()
                .collect(),
        };
        // The library answers "nothing" for a cancelled dialog and for none at all; only its log tells them apart.
        let refusal = if paths.is_empty() { messages::dialog_error() } else { None };
        OPEN.store(false, Ordering::SeqCst);
        answer(Answer { question, paths, refusal });
    });
    if let Err(error) = asked {
        OPEN.store(false, Ordering::SeqCst);
        log::error!("no dialog: {error}");
    }
    true
}
