//! Operations that recompute values, and remove triangles without area.

use super::names::row;
use crate::edit::normals;
use crate::edit::operation::{Call, Operation};
use crate::edit::repairs::{check_cost, with_new_bounds};
use crate::inspect::is_flat;
use crate::model::{JointStorage, Model, ModelParts, Motion};
use crate::pose::{FrameBlend, Pose, Sampling, sample};

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

fn remove_degenerate(model: &Model, _: &Call, _: &mut Vec<String>) -> Result<ModelParts, String> {
    check_cost(model)?;
    let mut has_area: Vec<Vec<bool>> =
        model.surfaces().iter().map(|surface| vec![false; surface.triangles.len()]).collect();
    let mut pose = Pose::default();
    for lod in 0..model.lod_count() {
        for frame in (0_u32..).take(model.frames().len()) {
            sample(model, &Sampling { lod, ..Sampling::at(FrameBlend::single(frame)) }, &mut pose);
            for ((surface, posed), has_area) in model.surfaces().iter().zip(&pose.surfaces).zip(&mut has_area) {
                for (triangle, has_area) in surface.triangles.iter().zip(has_area).filter(|(_, known)| !**known) {
                    let at = |corner: u32| posed.positions.get(corner as usize).copied().unwrap_or_default();
                    *has_area = !posed.positions.is_empty() && !is_flat(triangle.map(at));
                }
            }
        }
    }
    let mut parts = model.clone().into_parts();
    for (surface, has_area) in parts.surfaces.iter_mut().zip(has_area) {
        let mut has_area = has_area.into_iter();
        surface.triangles.retain(|_| has_area.next().unwrap_or(true));
    }
    // Drop the stored GL commands; the writer rebuilds them from the triangles.
    parts.data.gl_commands = None;
    Ok(parts)
}
