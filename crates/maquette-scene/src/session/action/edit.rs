//! Edit actions: changes of model files.

use crate::session::{Effect, OutputKind, Session, UnsavedAnswer};
use maquette_core::edit::{Call, Operation};

/// Value that an edit dialog asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditSubject {
    /// Shader path of the selected surfaces.
    ShaderPath,
    /// Name of the selected surface or tag.
    Name,
    /// Name of the shown frame.
    FrameName,
    /// Name and position of a new tag.
    NewTag,
}

/// Edit action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum EditAction {
    /// Open the dialog for a value.
    Ask(EditSubject),
    /// Open the dialog of an operation, or apply an operation without parameters.
    Operate(&'static Operation),
    /// Like [`Self::Operate`], but for the selected models of the list.
    OperateSelected(&'static Operation),
    /// Close the dialog.
    CloseDialog,
    /// Edit the file of the focused part.
    Change(Vec<Call>),
    /// Save edited copies of the selected models of the list, and of their LODs, in a folder that the user chooses.
    ChangeSelected(Call),
    /// Rename a surface of the focused part, and its entries in `.skin` files.
    RenameInSkins {
        /// Index of the surface.
        surface: usize,
        /// New name.
        name: String,
    },
    /// Set the path of surfaces in the `.skin` file of the focused part's skin, and save this file.
    SetInSkin {
        /// Indices of the surfaces.
        surfaces: Vec<usize>,
        /// New path.
        path: String,
    },
    /// Remove the selected tag.
    RemoveTag,
    /// Move the chosen skin up or down in the file's list.
    MoveSkin {
        /// Whether the skin moves up.
        up: bool,
    },
    /// Write the paths of textures that the user set to the file.
    MakePermanent,
    /// Discard unsaved changes.
    Discard,
    /// Save the edited file under a path that the user chooses.
    SaveAs,
    /// Write the changes to the model's own file, or ask for a path if it is in an archive.
    Save,
    /// Answer the prompt about unsaved changes.
    Answer(UnsavedAnswer),
}

impl Session {
    pub(super) fn apply_to_edits(&mut self, action: EditAction) -> Option<Effect> {
        match action {
            EditAction::Ask(subject) => return self.ask_for_edit(subject),
            EditAction::Operate(operation) => return self.ask_for_arguments(operation),
            EditAction::OperateSelected(operation) if operation.parameters.is_empty() => {
                return self.edit_selected(Call::with(operation, &[]));
            }
            EditAction::OperateSelected(operation) => self.open_arguments(operation, None),
            EditAction::CloseDialog => self.interface.edit_dialog = None,
            EditAction::Change(calls) => return self.edit(calls),
            EditAction::ChangeSelected(call) => return self.edit_selected(call),
            EditAction::RenameInSkins { surface, name } => return self.rename_in_skins(surface, name),
            EditAction::SetInSkin { surfaces, path } => return self.set_in_skin(&surfaces, path),
            EditAction::RemoveTag => return self.remove_tag(),
            EditAction::MoveSkin { up } => return self.move_skin(up),
            EditAction::MakePermanent => return self.make_permanent(),
            EditAction::Discard => return self.discard(),
            EditAction::Save => return self.save_model(),
            EditAction::SaveAs => {
                self.document.part_to_copy()?;
                return self.ask_where(OutputKind::File);
            }
            EditAction::Answer(answer) => return self.answer_unsaved(answer),
        }
        None
    }
}
