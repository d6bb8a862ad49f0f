//! Edits of `maquette convert`: options as calls of operations.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;

use maquette::output::write_together;
use maquette_assets::open::Opener;
use maquette_assets::vfs::{FileSystem, ReadLimit};
use maquette_core::edit::{
    ADD_TAG, Call, MOVE_TAG, Notes, ORDER_SKINS, RECOMPUTE_BOUNDS, RECOMPUTE_NORMALS, REMOVE_DEGENERATE, REMOVE_TAG,
    RENAME_SURFACE, RENAME_TAG, SET_MATERIAL, apply_with_notes, lost_by_rewriting, save,
};
use maquette_core::error::counted;
use maquette_core::formats;
use maquette_core::model::{Format, Model, Motion};
use serde_json::json;

use super::args::{ConvertArguments, EditArguments};
use super::batch::BatchOutcome;
use super::{Failure, output};

impl EditArguments {
    pub fn is_empty(&self) -> bool {
        self.calls().is_empty()
    }

    /// Returns whether animation files or other companion files of the model change, too, except an `animation.cfg`.
    pub fn change_other_files(&self, model: &Model) -> bool {
        self.calls().iter().any(|(_, call)| call.changes_other_files(model))
    }

    /// Returns the changes in order, each with its option for messages: set materials by the old surface names, rename,
    /// recompute values.
    fn calls(&self) -> Vec<(String, Call)> {
        let removed: Vec<(String, String)> = self.remove_tag.iter().map(|tag| (tag.clone(), String::new())).collect();
        // A surface is a whole name, even if it is a word or a list for operations.
        let of_elements = [
            ("--set-material", &SET_MATERIAL, &self.set_material, "="),
            ("--rename-surface", &RENAME_SURFACE, &self.rename_surface, "="),
            ("--rename-tag", &RENAME_TAG, &self.rename_tag, ""),
            ("--move-tag", &MOVE_TAG, &self.move_tag, ""),
            ("--remove-tag", &REMOVE_TAG, &removed, ""),
            ("--add-tag", &ADD_TAG, &self.add_tag, ""),
        ];
        let mut all = Vec::new();
        for (option, operation, pairs, mark) in of_elements {
            let call = |(first, value): &(String, String)| {
                (format!("{option} {first}"), Call::with(operation, &[&format!("{mark}{first}"), value]))
            };
            all.extend(pairs.iter().map(call));
        }
        if !self.skin_order.is_empty() {
            let order: Vec<String> = self.skin_order.iter().map(ToString::to_string).collect();
            all.push(("--skin-order".to_owned(), Call::with(&ORDER_SKINS, &[&order.join(",")])));
        }
        if self.remove_degenerate {
            all.push(("--remove-degenerate".to_owned(), Call::with(&REMOVE_DEGENERATE, &[])));
        }
        let recomputed = [&RECOMPUTE_NORMALS, &RECOMPUTE_BOUNDS].into_iter().filter(|own| self.recompute.contains(own));
        all.extend(recomputed.map(|operation| ("--recompute".to_owned(), Call::with(operation, &[]))));
        all.extend(self.edit.iter().map(|call| (format!("--edit {}", call.operation.name), call.clone())));
        all
    }
}

/// Returns the edited model of the file `input`. Adds sentences about the results and lost data.
pub fn edited<'a>(
    input: &Path,
    model: &'a Model,
    arguments: &EditArguments,
    opener: &Opener,
    notes: &mut Notes,
) -> Result<Cow<'a, Model>, Failure> {
    let mut model = Cow::Borrowed(model);
    // Each call refers to the model after the previous calls.
    for (option, mut call) in arguments.calls() {
        let failed = |why: String| Failure::Usage(format!("{}: {option}: {why}", input.display()));
        opener.load_files_of(&mut call, &model, Path::new("")).map_err(failed)?;
        model = Cow::Owned(apply_with_notes(&model, &[call], notes).map_err(failed)?);
    }
    Ok(model)
}

/// Whether the output is the edited input file rather than a conversion. An operation that changes companion files,
/// too, needs a conversion, and so does a tag that becomes a joint.
pub fn replaces_input(arguments: &ConvertArguments, model: &Model, to: Format) -> bool {
    let from = model.format();
    let adds_joint = |call: &Call| call.operation == &ADD_TAG && matches!(model.motion(), Motion::Skeletal(_));
    if arguments.edits.calls().iter().any(|(_, call)| call.changes_companions(model) || adds_joint(call)) {
        return false;
    }
    let asks_for_more =
        arguments.frame.is_some() || !arguments.animation.is_empty() || arguments.uncompressed || arguments.compressed;
    !arguments.edits.is_empty() && from == to && !asks_for_more
}

/// Returns the changed `animation.cfg` of the edited model, if there is one. Adds a sentence if it cannot be changed.
pub fn clip_list(
    arguments: &ConvertArguments,
    opener: &Opener,
    input: &Path,
    before: &Model,
    after: &Model,
    notes: &mut Vec<String>,
) -> Option<Vec<u8>> {
    if !arguments.edits.calls().iter().any(|(_, call)| call.changes_clip_list(before)) {
        return None;
    }
    let edited = opener.edited_clip_list(input, before, after);
    edited.unwrap_or_else(|why| {
        notes.push(format!("{why}; convert makes a new list"));
        None
    })
}

/// Edits a single file. The rest of the file does not change.
pub fn edit_model(
    arguments: &ConvertArguments,
    opener: &Opener,
    input: &Path,
    output: &Path,
) -> Result<BatchOutcome, Failure> {
    let failed = |why: &dyn Display| Failure::File(format!("{}: {why}", input.display()));
    let bytes = FileSystem::new(Vec::new()).read(input, ReadLimit::Whole).map_err(|error| failed(&error))?;
    let (before, _) = formats::load(&bytes).map_err(|error| failed(&error))?;
    let mut notes = Notes::default();
    let after = edited(input, &before, &arguments.edits, opener, &mut notes)?;
    for (option, call) in arguments.edits.calls() {
        if let Some(why) = call.operation.why_not_stored(&before) {
            return Err(Failure::Usage(format!("{}: {option}: {why}", input.display())));
        }
    }
    let (saved, is_rewritten) = save(&bytes, &before, &after).map_err(|error| failed(&error))?;
    let files = (!arguments.dry_run).then_some((output, saved.as_slice()));
    write_together(files).map_err(|(path, error)| Failure::output(path, error))?;
    notes.losses.extend(lost_by_rewriting(&before).filter(|_| is_rewritten));
    let pairs = bytes.iter().zip(&saved);
    let changed = (!is_rewritten && bytes.len() == saved.len()).then(|| pairs.filter(|(a, b)| a != b).count());
    let how = match (is_rewritten, changed) {
        (true, _) => "the whole file was rewritten".to_owned(),
        (false, Some(changed)) => format!("{} changed", counted(changed, "byte", "bytes")),
        (false, None) => "changed in place".to_owned(),
    };
    let report = json!({
        "source": { "file": input.display().to_string(), "format": before.format().name() },
        "target": { "file": output.display().to_string(), "format": after.format().name() },
        "files": [output.display().to_string()],
        "rewritten": is_rewritten,
        "changed_bytes": changed,
    });
    Ok(BatchOutcome {
        text: format!("{}: {how}\n{}", output::path(output), output::dry_run_note(arguments.dry_run)),
        value: Some(("convert", report)),
        notes: notes.into_all(),
    })
}
