//! Operation that makes coarser LODs.

use super::surfaces::{keep, row};
use super::transform::SURFACES;
use crate::edit::operation::{Call, Operation, Parameter, ParameterKind, Reach};
use crate::edit::repairs;
use crate::edit::simplify::{Simplified, simplified};
use crate::model::{Model, ModelParts};

pub(super) const SIMPLIFY: Operation = Operation {
    parameters: &[
        Parameter::new("percent", "Triangles to keep", ParameterKind::Number { min: 1.0, max: 100.0, unit: "%" })
            .or("50"),
        SURFACES,
    ],
    reach: Reach::Mesh,
    apply: simplify,
    ..row(
        "simplify",
        "Simplify",
        "Removes triangles where the shape changes least in all frames, and keeps seams closed",
    )
};

fn simplify(model: &Model, call: &Call, notes: &mut Vec<String>) -> Result<ModelParts, String> {
    repairs::check_cost(model)?;
    let is_finest = |index: &usize| model.surfaces().get(*index).is_some_and(|surface| surface.lod == 0);
    let surfaces: Vec<usize> = call.surfaces(model)?.into_iter().filter(is_finest).collect();
    let count = |model: &Model| -> usize {
        surfaces.iter().filter_map(|index| model.surfaces().get(*index)).map(|surface| surface.triangles.len()).sum()
    };
    let before = count(model);
    let target = (before as f32 * call.number("percent").unwrap_or(50.0) / 100.0).round() as usize;
    let Simplified { triangles, deviation } = simplified(model, &surfaces, target);
    let mut parts = model.clone().into_parts();
    for (index, triangles) in surfaces.iter().zip(&triangles) {
        keep(&mut parts, *index, triangles);
    }
    let after: usize = triangles.iter().map(Vec::len).sum();
    let why = if after > target { "; seams and edges allow no fewer" } else { "" };
    notes.push(format!("{after} of {before} triangles are left{why}; the largest deviation is {deviation:.3} units"));
    repairs::with_new_bounds(parts)
}
