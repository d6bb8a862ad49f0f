//! Edits of `maquette convert`: converts the names in arguments to [`Edit`]s.

use std::borrow::Cow;
use std::path::Path;

use maquette::output::write_together;
use maquette_assets::vfs::{FileSystem, ReadLimit};
use maquette_core::edit::{Edit, apply, save};
use maquette_core::formats;
use maquette_core::model::{Format, Model};
use serde_json::json;

use super::Failure;
use super::args::{ConvertArguments, EditArguments};
use super::batch::BatchOutcome;

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
    }
}

pub fn edited<'a>(model: &'a Model, arguments: &EditArguments) -> Result<Cow<'a, Model>, Failure> {
    let mut model = Cow::Borrowed(model);
    // Each step refers to the model after the previous steps.
    for edits in steps(arguments) {
        let edits = edits(&model)?;
        if !edits.is_empty() {
            let changed = apply(&model, &edits).map_err(|error| Failure::Usage(error.to_string()))?;
            model = Cow::Owned(changed);
        }
    }
    Ok(model)
}

type Step<'a> = Box<dyn Fn(&Model) -> Result<Vec<Edit>, Failure> + 'a>;

/// Returns the steps in order: set materials by the old surface names, rename, recompute values.
fn steps(arguments: &EditArguments) -> Vec<Step<'_>> {
    let mut steps: Vec<Step> = Vec::new();
    for (surface, path) in &arguments.set_material {
        steps.push(Box::new(move |model| {
            let edit = |surface| Edit::SetMaterial { surface, material: 0, name: path.clone() };
            Ok(surfaces(model, surface, "--set-material")?.into_iter().map(edit).collect())
        }));
    }
    for (old, new) in &arguments.rename_surface {
        steps.push(Box::new(move |model| {
            let edit = |surface| Edit::RenameSurface { surface, name: new.clone() };
            Ok(surfaces(model, old, "--rename-surface")?.into_iter().map(edit).collect())
        }));
    }
    let one = |edit: Edit| vec![edit];
    for (old, new) in &arguments.rename_tag {
        let rename = move |tag| one(Edit::RenameTag { tag, name: new.clone() });
        steps.push(Box::new(move |model| tag(model, old, "--rename-tag").map(&rename)));
    }
    for (name, by) in &arguments.move_tag {
        steps
            .push(Box::new(move |model| tag(model, name, "--move-tag").map(|tag| one(Edit::MoveTag { tag, by: *by }))));
    }
    for name in &arguments.remove_tag {
        steps.push(Box::new(move |model| tag(model, name, "--remove-tag").map(|tag| one(Edit::RemoveTag { tag }))));
    }
    let mut all: Vec<Edit> =
        arguments.add_tag.iter().map(|(name, at)| Edit::AddTag { name: name.clone(), at: *at }).collect();
    if !arguments.skin_order.is_empty() {
        all.push(Edit::ReorderSkins { order: arguments.skin_order.clone() });
    }
    if arguments.remove_degenerate {
        all.push(Edit::DropDegenerateTriangles);
    }
    let recomputed = [Edit::RecomputeNormals, Edit::RecomputeBounds];
    all.extend(recomputed.into_iter().filter(|edit| arguments.recompute.contains(edit)));
    steps.push(Box::new(move |_| Ok(all.clone())));
    steps
}

/// Returns the surfaces with this name, ignoring case, or the surface with this index.
fn surfaces(model: &Model, name: &str, option: &str) -> Result<Vec<usize>, Failure> {
    let all = model.surfaces();
    let named: Vec<usize> = all
        .iter()
        .enumerate()
        .filter(|(_, surface)| surface.script_name().eq_ignore_ascii_case(name))
        .map(|(index, _)| index)
        .collect();
    if !named.is_empty() {
        return Ok(named);
    }
    match name.parse::<usize>() {
        Ok(index) if index < all.len() => Ok(vec![index]),
        _ => {
            let names = all.iter().map(|surface| surface.script_name());
            Err(Failure::unknown(&format!("{option} {name}"), "surface", names))
        }
    }
}

fn tag(model: &Model, name: &str, option: &str) -> Result<usize, Failure> {
    model.tags().iter().position(|tag| tag.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let option = format!("{option} {name}");
        if model.tags().is_empty() && !model.joints().is_empty() {
            return Failure::Usage(format!("{option}: the model has no tags, only joints"));
        }
        Failure::unknown(&option, "tag", model.tags())
    })
}

/// Whether the output is the edited input file rather than a conversion.
pub fn replaces_input(arguments: &ConvertArguments, from: Format, to: Format) -> bool {
    let asks_for_more =
        arguments.frame.is_some() || !arguments.animation.is_empty() || arguments.uncompressed || arguments.compressed;
    !arguments.edits.is_empty() && from == to && !asks_for_more
}

/// Edits a single file. The rest of the file does not change.
pub fn edit_model(arguments: &ConvertArguments, input: &Path, output: &Path) -> Result<BatchOutcome, Failure> {
    let failed = |why: &dyn std::fmt::Display| Failure::File(format!("{}: {why}", input.display()));
    let bytes = FileSystem::new(Vec::new()).read(input, ReadLimit::Whole).map_err(|error| failed(&error))?;
    let (before, _) = formats::load(&bytes).map_err(|error| failed(&error))?;
    let after = edited(&before, &arguments.edits)?;
    let saved = save(&bytes, &before, &after).map_err(|error| failed(&error))?;
    let files = (!arguments.dry_run).then_some((output, saved.bytes.as_slice()));
    write_together(files).map_err(|(path, error)| Failure::output(path, error))?;
    let pairs = bytes.iter().zip(&saved.bytes);
    let changed =
        (!saved.is_rewritten && bytes.len() == saved.bytes.len()).then(|| pairs.filter(|(a, b)| a != b).count());
    let how = match (saved.is_rewritten, changed) {
        (true, _) => "tables changed size; the whole file was rewritten".to_owned(),
        (false, Some(changed)) => format!("{changed} bytes changed"),
        (false, None) => "changed in place".to_owned(),
    };
    let report = json!({
        "source": { "file": input.display().to_string(), "format": before.format().name() },
        "target": { "file": output.display().to_string(), "format": after.format().name() },
        "files": [output.display().to_string()],
        "rewritten": saved.is_rewritten,
        "changed_bytes": changed,
    });
    Ok(BatchOutcome {
        text: format!("{}: {how}\n", crate::cli::output::path(output)),
        value: Some(("convert", report)),
        notes: Vec::new(),
    })
}
