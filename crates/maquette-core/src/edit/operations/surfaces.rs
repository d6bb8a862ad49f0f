//! Operations on whole surfaces.

use std::collections::{HashMap, HashSet};

use super::changed;
use super::transform::SURFACES;
use crate::edit::mesh::{append, copy, insert_part, rebuild, remove};
use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind, Reach};
use crate::edit::repairs::{check_frames, with_smaller_bounds};
use crate::error::counted;
use crate::inspect::connected_parts;
use crate::model::{Model, ModelParts, SurfaceStorage, u32_or_max};
use crate::pose::{Pose, Sampling, sample};

pub(super) const CHOSEN: Parameter = Parameter::new("surfaces", "Surfaces", ParameterKind::Surfaces);

pub(super) const fn row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation { parameters: &[SURFACES], ..Operation::plain("Surfaces", Reach::Surfaces, [name, title, help]) }
}

pub(super) fn has_one(model: &Model) -> Option<String> {
    let format = model.format();
    (format.traits().surfaces == SurfaceStorage::One).then(|| format!("An {} has a single mesh", format.title()))
}

pub(super) const DELETE: Operation = Operation {
    parameters: &[CHOSEN],
    refuses: has_one,
    apply: |model, call, notes| {
        let chosen = call.surfaces(model)?;
        if chosen.len() == model.surfaces().len() {
            return Err("no surface would be left".to_owned());
        }
        with_smaller_bounds(changed(model, |parts| remove(parts, &chosen))?, notes)
    },
    ..row("delete-surfaces", "Delete surfaces", "Deletes surfaces")
};

pub(super) const DUPLICATE: Operation = Operation {
    parameters: &[CHOSEN],
    refuses: has_one,
    apply: |model, call, notes| {
        let mut parts = model.clone().into_parts();
        note_skins(model, notes);
        for index in call.surfaces(model)?.into_iter().rev() {
            copy(&mut parts, index, index + 1);
            name(&mut parts, index + 1, "_copy");
        }
        Ok(parts)
    },
    ..row("duplicate-surfaces", "Duplicate surfaces", "Inserts a copy after each surface")
};

/// Appends an ending to the name of a surface, and cuts a name that would be too long. The name becomes unique.
pub(super) fn name(parts: &mut ModelParts, index: usize, ending: &str) {
    let longest = parts.format.traits().name_limits.surface.unwrap_or(usize::MAX);
    let Some(own) = parts.surfaces.get(index).map(|own| own.name.clone()).filter(|own| !own.is_empty()) else { return };
    let candidate = |number: usize| {
        let ending = if number == 1 { ending.to_owned() } else { format!("{ending}{number}") };
        let end = own.floor_char_boundary(longest.saturating_sub(ending.len()));
        own.get(..end).unwrap_or_default().to_owned() + &ending
    };
    let others = parts.surfaces.iter().enumerate().filter(|(other, _)| *other != index);
    let known: HashSet<String> = others.map(|(_, surface)| surface.name.to_lowercase()).collect();
    let unique = (1..).map(candidate).find(|name| !known.contains(&name.to_lowercase()));
    if let (Some(surface), Some(unique)) = (parts.surfaces.get_mut(index), unique) {
        surface.name = unique;
    }
}

/// Says that `.skin` files do not know new surfaces.
pub(super) fn note_skins(model: &Model, notes: &mut Notes) {
    if model.format().traits().companions.skins {
        notes.losses.push("add the new surfaces to the .skin files of the model".to_owned());
    }
}

pub(super) const JOIN: Operation = Operation {
    refuses: has_one,
    apply: join,
    ..row("join-surfaces", "Join surfaces", "Joins surfaces of one material and LOD into the first of them")
};

fn join(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    check_frames(model, model.frames().len())?;
    let mut parts = model.clone().into_parts();
    let mut known = HashMap::new();
    let mut removed = Vec::new();
    for index in call.surfaces(model)? {
        let Some(surface) = model.surfaces().get(index) else { continue };
        match known.get(&(&surface.materials, surface.lod)) {
            Some(first) => {
                append(&mut parts, *first, index)?;
                removed.push(index);
            }
            None => {
                known.insert((&surface.materials, surface.lod), index);
            }
        }
    }
    if removed.is_empty() {
        return Err("no two of the surfaces have one material".to_owned());
    }
    let names: Vec<&str> =
        removed.iter().filter_map(|index| model.surfaces().get(*index)).map(|surface| surface.script_name()).collect();
    notes.results.push(format!("joined into others: {}", names.join(", ")));
    remove(&mut parts, &removed);
    Ok(parts)
}

pub(super) const SPLIT: Operation = Operation {
    refuses: has_one,
    apply: split,
    ..row("split-surfaces", "Split surfaces", "Makes a surface of each connected part of a surface")
};

/// Largest number of surfaces that a split adds.
const MAX_PARTS: usize = 256;

fn split(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    let mut parts = model.clone().into_parts();
    let mut added = 0;
    for index in call.surfaces(model)?.into_iter().rev() {
        let groups = connected(model, index);
        if groups.len() + added > MAX_PARTS {
            return Err(format!("the surfaces have more than {MAX_PARTS} connected parts"));
        }
        for (number, triangles) in groups.iter().enumerate().skip(1).rev() {
            let (vertices, triangles) = used(triangles);
            insert_part(&mut parts, index, &vertices, triangles);
            name(&mut parts, index + 1, &format!("_{}", number + 1));
            added += 1;
        }
        if let (Some(first), true) = (groups.first(), groups.len() > 1) {
            keep(&mut parts, index, first);
        }
    }
    if added == 0 {
        return Err("the surfaces are connected and cannot be split".to_owned());
    }
    notes.results.push(format!("{} added", counted(added, "surface was", "surfaces were")));
    note_skins(model, notes);
    Ok(parts)
}

/// Keeps only these triangles of a surface, and their vertices.
pub(super) fn keep(parts: &mut ModelParts, index: usize, triangles: &[[u32; 3]]) {
    let (vertices, triangles) = used(triangles);
    rebuild(parts, index, &vertices, triangles);
}

/// Returns the vertices that triangles use, and the triangles with indices into these.
fn used(triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<[u32; 3]>) {
    let mut vertices: Vec<u32> = triangles.as_flattened().to_vec();
    vertices.sort_unstable();
    vertices.dedup();
    let new = |old: u32| u32_or_max(vertices.binary_search(&old).unwrap_or(0));
    let triangles = triangles.iter().map(|triangle| triangle.map(new)).collect();
    (vertices, triangles)
}

/// Returns the triangles of each connected part. Vertices at one position in the first frame are connected.
fn connected(model: &Model, index: usize) -> Vec<Vec<[u32; 3]>> {
    let Some(surface) = model.surfaces().get(index) else { return Vec::new() };
    let mut pose = Pose::default();
    sample(model, &Sampling { lod: surface.lod, ..Sampling::default() }, &mut pose);
    let Some(posed) = pose.surfaces.get(index) else { return Vec::new() };
    let mut groups: Vec<Vec<[u32; 3]>> = Vec::new();
    for (triangle, part) in surface.triangles.iter().zip(connected_parts((&posed.positions, &surface.triangles))) {
        groups.resize_with(groups.len().max(part + 1), Vec::new);
        groups.get_mut(part).into_iter().for_each(|group| group.push(*triangle));
    }
    groups
}
