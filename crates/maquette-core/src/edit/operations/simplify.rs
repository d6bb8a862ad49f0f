//! Operation that makes coarser LODs.

use std::collections::HashMap;

use super::surfaces::{keep, row};
use super::transform::SURFACES;
use crate::edit::mesh::copy;
use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind, Reach};
use crate::edit::repairs;
use crate::edit::simplify::{Simplified, Target, simplified};
use crate::model::{LodStorage, Model, ModelParts};

/// Largest number of triangles or vertices.
const COUNT: ParameterKind = ParameterKind::Whole { min: 1, max: 1_000_000 };

pub(super) const SIMPLIFY: Operation = Operation {
    parameters: &[
        Parameter::new("percent", "Triangles to keep", ParameterKind::Number { min: 1.0, max: 100.0, unit: "%" })
            .or("50"),
        Parameter::new("triangles", "Triangles at most", COUNT).or(""),
        Parameter::new("vertices", "Vertices at most", COUNT).or(""),
        SURFACES,
        Parameter::new("lod", "Add as LOD", ParameterKind::Switch).or("no").unless(why_no_lod),
    ],
    reach: Reach::Mesh,
    apply: simplify,
    ..row(
        "simplify",
        "Simplify",
        "Removes triangles where the shape changes least in all frames, and keeps seams closed; limits are for each surface",
    )
};

fn why_no_lod(model: &Model) -> Option<String> {
    let title = model.format().title();
    match model.format().traits().lods {
        LodStorage::Inside => None,
        LodStorage::Files => Some(format!("Each LOD of an {title} is a file; save the simplified model as gun_1.md3")),
        _ => Some(format!("{title} files have no LODs")),
    }
}

fn simplify(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    repairs::check_frames(model, model.frames().len())?;
    let is_finest = |index: &usize| model.surfaces().get(*index).is_some_and(|surface| surface.lod == 0);
    let surfaces: Vec<usize> = call.surfaces(model)?.into_iter().filter(is_finest).collect();
    let count = |model: &Model| -> usize {
        surfaces.iter().filter_map(|index| model.surfaces().get(*index)).map(|surface| surface.triangles.len()).sum()
    };
    let before = count(model);
    let max = ["triangles", "vertices"].map(|name| call.whole(name).map(|max| max.unsigned_abs() as usize));
    let target = match max {
        [None, None] => {
            let share = call.number("percent").unwrap_or(50.0) / 100.0;
            Target::Triangles((before as f32 * share).round() as usize)
        }
        max => Target::OfEach(max.map(|max| max.unwrap_or(usize::MAX))),
    };
    let Simplified { triangles, deviation, is_reached } = simplified(model, &surfaces, target);
    let mut parts = model.clone().into_parts();
    let adds_lod = call.switch("lod");
    if let Some(why) = why_no_lod(model).filter(|_| adds_lod) {
        return Err(why);
    }
    let mut simpler: HashMap<usize, Vec<[u32; 3]>> = surfaces.into_iter().zip(triangles).collect();
    let after: usize = simpler.values().map(Vec::len).sum();
    for (index, _) in model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == 0) {
        let triangles = simpler.remove(&index);
        let mut place = index;
        if adds_lod {
            place = parts.surfaces.len();
            copy(&mut parts, index, place);
            parts.surfaces.last_mut().into_iter().for_each(|own| own.lod = model.lod_count());
        }
        triangles.into_iter().for_each(|triangles| keep(&mut parts, place, &triangles));
    }
    let (texts, why) = match is_reached {
        true => (&mut notes.results, ""),
        false => (&mut notes.losses, "; seams and edges allow no fewer"),
    };
    texts.push(format!("{after} of {before} triangles are left{why}; the largest deviation is {deviation:.3} units"));
    // Bounds are those of the finest LOD.
    if adds_lod { Ok(parts) } else { repairs::with_smaller_bounds(parts, notes) }
}
