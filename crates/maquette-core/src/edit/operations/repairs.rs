//! Operations that recompute values, and remove triangles without area.

use super::names::row;
use crate::edit::normals;
use crate::edit::operation::{Call, Notes, Operation};
use crate::edit::repairs::{check_cost, flat_triangles, with_new_bounds};
use crate::model::{JointStorage, Model, ModelParts, Motion};

/// Recomputes all normals from the triangles.
pub const RECOMPUTE_NORMALS: Operation = Operation {
    why_not_stored: |model| {
        let stores_none = !model.format().traits().stores_normals;
        if stores_none {
            return Some(format!("An {} stores no normals", model.format().title()));
        }
        let why = "Normals of a skeletal model depend on its bones";
        matches!(model.motion(), Motion::Skeletal(_)).then(|| why.to_owned())
    },
    apply: |model, _, _| {
        check_cost(model)?;
        let mut parts = model.clone().into_parts();
        let Motion::Morph(morph) = &mut parts.motion else {
            return Err("normals of a skeletal model cannot be recomputed".to_owned());
        };
        for (surface, track) in parts.surfaces.iter().zip(&mut morph.surfaces) {
            normals::recompute(surface, track);
        }
        Ok(parts)
    },
    ..row("recompute-normals", "Recompute normals", "Recomputes all normals from the triangles")
};

/// Recomputes the box and the radius of every frame.
pub const RECOMPUTE_BOUNDS: Operation = Operation {
    why_not_stored: |model| {
        let (format, traits) = (model.format(), model.format().traits());
        let has_skeleton = traits.joints == JointStorage::Skeleton;
        let name = if has_skeleton { format!(".{}", format.extension()) } else { format.title().to_owned() };
        (!traits.bounds_frames).then(|| format!("An {name} stores no bounds"))
    },
    apply: |model, _, _| {
        check_cost(model)?;
        match model.format().traits().bounds_frames {
            true => with_new_bounds(model.clone().into_parts()),
            false => Err(format!("{} files store no bounds", model.format())),
        }
    },
    ..row("recompute-bounds", "Recompute bounds and radii", "Recomputes the box and the radius of every frame")
};

/// Removes triangles that have no area in any frame.
pub const REMOVE_DEGENERATE: Operation = Operation {
    apply: remove_degenerate,
    ..row(
        "remove-degenerate-triangles",
        "Remove degenerate triangles",
        "Removes triangles that have no area in any frame",
    )
};

fn remove_degenerate(model: &Model, _: &Call, _: &mut Notes) -> Result<ModelParts, String> {
    let flat = flat_triangles(model)?;
    let mut parts = model.clone().into_parts();
    for (surface, flat) in parts.surfaces.iter_mut().zip(flat) {
        let mut flat = flat.into_iter();
        surface.triangles.retain(|_| !flat.next().unwrap_or(false));
    }
    // Drop the stored GL commands; the writer rebuilds them from the triangles.
    parts.data.gl_commands = None;
    Ok(parts)
}
