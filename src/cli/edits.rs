//! Edits of `maquette convert`: converts the names in arguments to [`Edit`]s.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;

use maquette::output::write_together;
use maquette_assets::open::Opener;
use maquette_assets::vfs::{FileSystem, ReadLimit};
use maquette_core::edit::{Edit, apply_with_notes, save, surfaces_named, tag_named};
use maquette_core::error::counted;
use maquette_core::formats;
use maquette_core::model::{Format, Model};
use serde_json::json;

use super::args::{ConvertArguments, EditArguments};
use super::batch::BatchOutcome;
use super::{Failure, output};

impl EditArguments {
    pub fn is_empty(&self) -> bool {
        self.set_material.is_empty()
            && self.rename_surface.is_empty()
            && self.rename_tag.is_empty()
            && self.move_tag.is_empty()
            && self.add_tag.is_empty()
            && self.remove_tag.is_empty()
            && self.skin_order.is_empty()
            && self.recompute.is_empty()
            && !self.remove_degenerate
            && self.edit.is_empty()
    }
}

/// Returns the edited model of the file `input`. Adds sentences about lost data.
pub fn edited<'a>(
    input: &Path,
    model: &'a Model,
    arguments: &EditArguments,
    opener: &Opener,
    notes: &mut Vec<String>,
) -> Result<Cow<'a, Model>, Failure> {
    let mut model = Cow::Borrowed(model);
    // Each step refers to the model after the previous steps.
    for Step { option, edits } in steps(arguments, opener) {
        let failed = |why: &dyn Display| Failure::Usage(format!("{}: {option}: {why}", input.display()));
        let edits = edits(&model).map_err(|why| failed(&why))?;
        if !edits.is_empty() {
            let changed = apply_with_notes(&model, &edits, notes).map_err(|error| failed(&error))?;
            model = Cow::Owned(changed);
        }
    }
    Ok(model)
}

type MakeEdits<'a> = Box<dyn Fn(&Model) -> Result<Vec<Edit>, Failure> + 'a>;

/// An option, and its edits of a model.
struct Step<'a> {
    /// Option with its first value, for messages.
    option: String,
    edits: MakeEdits<'a>,
}

/// Returns the steps in order: set materials by the old surface names, rename, recompute values.
fn steps<'a>(arguments: &'a EditArguments, opener: &'a Opener) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'a>> = Vec::new();
    for (surface, path) in &arguments.set_material {
        steps.push(Step::new(format!("--set-material {surface}"), move |model| {
            let edit = |surface| Edit::SetMaterial { surface, material: 0, name: path.clone() };
            Ok(surfaces(model, surface)?.into_iter().map(edit).collect())
        }));
    }
    for (old, new) in &arguments.rename_surface {
        steps.push(Step::new(format!("--rename-surface {old}"), move |model| {
            let edit = |surface| Edit::RenameSurface { surface, name: new.clone() };
            Ok(surfaces(model, old)?.into_iter().map(edit).collect())
        }));
    }
    for (old, new) in &arguments.rename_tag {
        steps.push(Step::new(format!("--rename-tag {old}"), move |model| {
            Ok(vec![Edit::RenameTag { tag: tag(model, old)?, name: new.clone() }])
        }));
    }
    for (name, by) in &arguments.move_tag {
        steps.push(Step::new(format!("--move-tag {name}"), move |model| {
            Ok(vec![Edit::MoveTag { tag: tag(model, name)?, by: *by }])
        }));
    }
    for name in &arguments.remove_tag {
        steps.push(Step::new(format!("--remove-tag {name}"), move |model| {
            Ok(vec![Edit::RemoveTag { tag: tag(model, name)? }])
        }));
    }
    let mut add = |option: String, edit: Edit| steps.push(Step::new(option, move |_| Ok(vec![edit.clone()])));
    for (name, at) in &arguments.add_tag {
        add(format!("--add-tag {name}"), Edit::AddTag { name: name.clone(), at: *at });
    }
    if !arguments.skin_order.is_empty() {
        add("--skin-order".to_owned(), Edit::ReorderSkins { order: arguments.skin_order.clone() });
    }
    if arguments.remove_degenerate {
        add("--remove-degenerate".to_owned(), Edit::DropDegenerateTriangles);
    }
    for edit in [Edit::RecomputeNormals, Edit::RecomputeBounds] {
        if arguments.recompute.contains(&edit) {
            add("--recompute".to_owned(), edit);
        }
    }
    for call in &arguments.edit {
        steps.push(Step::new(format!("--edit {}", call.operation.name), move |model| {
            let mut call = call.clone();
            opener.load_files_of(&mut call, model, Path::new("")).map_err(Failure::Usage)?;
            Ok(vec![Edit::Operation(call)])
        }));
    }
    steps
}

impl<'a> Step<'a> {
    fn new(option: String, edits: impl Fn(&Model) -> Result<Vec<Edit>, Failure> + 'a) -> Self {
        Self { option, edits: Box::new(edits) }
    }
}

fn surfaces(model: &Model, name: &str) -> Result<Vec<usize>, Failure> {
    surfaces_named(model, name).map_err(Failure::Usage)
}

fn tag(model: &Model, name: &str) -> Result<usize, Failure> {
    tag_named(model, name).map_err(Failure::Usage)
}

/// Whether the output is the edited input file rather than a conversion. An operation that changes companion files,
/// too, needs a conversion.
pub fn replaces_input(arguments: &ConvertArguments, model: &Model, to: Format) -> bool {
    let from = model.format();
    if arguments.edits.edit.iter().any(|call| call.changes_companions(model)) {
        return false;
    }
    let asks_for_more =
        arguments.frame.is_some() || !arguments.animation.is_empty() || arguments.uncompressed || arguments.compressed;
    !arguments.edits.is_empty() && from == to && !asks_for_more
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
    let mut notes = Vec::new();
    let after = edited(input, &before, &arguments.edits, opener, &mut notes)?;
    let (saved, is_rewritten) = save(&bytes, &before, &after).map_err(|error| failed(&error))?;
    let files = (!arguments.dry_run).then_some((output, saved.as_slice()));
    write_together(files).map_err(|(path, error)| Failure::output(path, error))?;
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
        notes,
    })
}
