//! Hides the pointer from content below a dialog, so that no tooltip appears over the dialog.

use egui::{PointerState, Ui};

use maquette_scene::session::Session;

/// Takes the pointer from the following content if something covers the window.
pub fn take_pointer(root: &Ui, session: &Session) -> Option<PointerState> {
    let is_covered = session.has_dialog() || root.input(|input| !input.raw.hovered_files.is_empty());
    is_covered.then(|| root.input_mut(|input| std::mem::take(&mut input.pointer)))
}

/// Restores the pointer taken by [`take_pointer`], so that the dialog itself receives input.
pub fn give_back(root: &Ui, pointer: Option<PointerState>) {
    if let Some(pointer) = pointer {
        root.input_mut(|input| input.pointer = pointer);
    }
}
