//! Changes of a model's file.

use crate::session::{Effect, OutputKind, Session, UnsavedAnswer};
use maquette_core::edit::Edit;

/// What of the selection is typed in a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditSubject {
    /// The shader path of the selected surfaces.
    ShaderPath,
    /// The name of the selected surface or tag.
    Name,
    /// The name of the frame that is shown.
    FrameName,
    /// The name and place of a tag that is added.
    NewTag,
}

/// What a user wants of a model's file.
#[derive(Clone, Debug, PartialEq)]
pub enum EditAction {
    /// Open the dialog that asks for this.
    Ask(EditSubject),
    /// Put the dialog away.
    CloseDialog,
    /// Change the file of the part in focus.
    Change(Vec<Edit>),
    /// Rename a surface of the part in focus, and its entries in `.skin` files.
    RenameInSkins {
        /// The surface.
        surface: usize,
        /// Its new name.
        name: String,
    },
    /// Remove the selected tag.
    RemoveTag,
    /// Put the skin that is worn before the one above it, or after the one below.
    MoveSkin {
        /// Upwards.
        up: bool,
    },
    /// Give surfaces the path of the texture that was put on them, in the file.
    MakePermanent,
    /// Drop what is not saved.
    Discard,
    /// Save the file, under its own or another name.
    SaveAs,
    /// What is done with unsaved changes before something else.
    Answer(UnsavedAnswer),
}

impl Session {
    pub(super) fn apply_to_edits(&mut self, action: EditAction) -> Option<Effect> {
        match action {
            EditAction::Ask(subject) => return self.ask_for_edit(subject),
            EditAction::CloseDialog => self.interface.edit_dialog = None,
            EditAction::Change(edits) => return self.edit(edits),
            EditAction::RenameInSkins { surface, name } => return self.rename_in_skins(surface, name),
            EditAction::RemoveTag => return self.remove_tag(),
            EditAction::MoveSkin { up } => return self.move_skin(up),
            EditAction::MakePermanent => return self.make_permanent(),
            EditAction::Discard => return self.discard(),
            EditAction::SaveAs => {
                self.part_to_save()?;
                return self.ask_where(OutputKind::File);
            }
            EditAction::Answer(answer) => return self.answer_unsaved(answer),
        }
        None
    }
}
