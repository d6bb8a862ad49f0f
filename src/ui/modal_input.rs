//! What lies under a dialog is laid out without a pointer, so that none of its tooltips is drawn over the dialog.

use egui::{PointerState, Ui};

use maquette_scene::session::Session;

/// Takes the pointer from what is laid out next, if something covers the window.
pub fn take_pointer(root: &Ui, session: &Session) -> Option<PointerState> {
    is_covered(root, session).then(|| root.input_mut(|input| std::mem::take(&mut input.pointer)))
}

/// Gives it back to what is laid out then.
pub fn give_back(root: &Ui, pointer: Option<PointerState>) {
    if let Some(pointer) = pointer {
        root.input_mut(|input| input.pointer = pointer);
    }
}

/// Whether a dialog is open, the palette, or the card of files that are held over the window.
fn is_covered(root: &Ui, session: &Session) -> bool {
    session.has_dialog() || root.input(|input| !input.raw.hovered_files.is_empty())
}
