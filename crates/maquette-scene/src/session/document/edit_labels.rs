//! Labels of edits, for the undo list and for the status bar.

use crate::scene::Entity;
use maquette_core::edit::{Edit, EditKind};

pub(crate) fn undo_name(edits: &[Edit]) -> &'static str {
    let is_several = edits.len() > 1;
    match edits.first().map(Edit::kind) {
        Some(EditKind::SetMaterial) if is_several => "Edit shader paths",
        Some(EditKind::SetMaterial) => "Edit shader path",
        Some(EditKind::RenameSurface) => "Rename surface",
        Some(EditKind::RenameTag) => "Rename tag",
        Some(EditKind::MoveTag) => "Move tag",
        Some(EditKind::AddTag) => "Add tag",
        Some(EditKind::RemoveTag) => "Remove tag",
        Some(EditKind::RenameFrame) => "Rename frame",
        Some(EditKind::ReorderSkins) => "Move skin",
        Some(EditKind::RecomputeNormals) => "Recompute normals",
        Some(EditKind::RecomputeBounds) => "Recompute bounds and radii",
        Some(EditKind::DropDegenerateTriangles) => "Remove degenerate triangles",
        Some(EditKind::Operation(operation)) => operation.title,
        None => "Edit model",
    }
}

/// Returns the label with its subject before the edit: `Rename surface h_head to h_skull`.
pub(crate) fn with_subject(what: &str, edits: &[Edit], entity: &Entity) -> String {
    let model = entity.model();
    let tag = |index: usize| model.tags().get(index).map_or("", String::as_str);
    let frame = |index: usize| model.frames().get(index).map_or("", |frame| frame.name.as_str());
    // The words differ: “Edit shader path of x”, but “Write texture path to model on x”.
    let of = if what.starts_with("Edit") { "of" } else { "on" };
    let subject = match edits {
        [Edit::SetMaterial { surface, .. }] => format!(" {of} {}", entity.surface_name(*surface)),
        [Edit::SetMaterial { .. }, ..] => format!(" {of} {} surfaces", edits.len()),
        [Edit::RenameSurface { surface, name }] => format!(" {} to {name}", entity.surface_name(*surface)),
        [Edit::RenameTag { tag: index, name }] => format!(" {} to {name}", tag(*index)),
        [Edit::RenameFrame { frame: index, name }] => format!(" {} to {name}", frame(*index)),
        [Edit::MoveTag { tag: index, .. } | Edit::RemoveTag { tag: index }] => format!(" {}", tag(*index)),
        [Edit::AddTag { name, .. }] => format!(" {name}"),
        _ => String::new(),
    };
    format!("{what}{subject}")
}
