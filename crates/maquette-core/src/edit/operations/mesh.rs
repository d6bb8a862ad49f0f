//! Operations on the triangles, vertices and texture coordinates of surfaces.

use std::collections::HashMap;

use glam::{Mat2, Vec2, Vec3};

use super::changed;
use super::insert::FILES;
use super::surfaces::{keep, row};
use super::transform::SURFACES;
use crate::edit::mesh::{bits, pick_seams, rebuild, refine, turn_normals, turn_skinned_normals, with_stored};
use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind};
use crate::edit::repairs::{check_frames, with_smaller_bounds};
use crate::edit::vertices::decoded;
use crate::error::counted;
use crate::model::{Model, ModelParts, Motion, Surface, u32_or_max};
use crate::pose::{Pose, Sampling, sample};

pub(super) const FLIP: Operation = Operation {
    apply: |model, call, _| {
        let mut parts = model.clone().into_parts();
        for index in call.surfaces(model)? {
            if let Some(surface) = parts.surfaces.get_mut(index) {
                surface.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
            }
            turn(&mut parts, index, 0);
        }
        parts.data.gl_commands = None;
        Ok(parts)
    },
    ..row("flip", "Flip triangles", "Turns triangles over and reverses their normals")
};

pub(super) const DELETE: Operation = Operation {
    parameters: &[Parameter::new("triangles", "Triangles", ParameterKind::Triangles), SURFACES],
    apply: |model, call, notes| {
        let index = call.one_surface(model)?;
        let mut triangles = model.surfaces().get(index).map_or(Vec::new(), |surface| surface.triangles.clone());
        let mut chosen = call.indices("triangles", triangles.len())?.unwrap_or_default().into_iter();
        triangles.retain(|_| !chosen.next().unwrap_or(true));
        if triangles.is_empty() {
            return Err("no triangle of the surface would be left".to_owned());
        }
        let mut parts = model.clone().into_parts();
        keep(&mut parts, index, &triangles);
        with_smaller_bounds(parts, notes)
    },
    ..row("delete-triangles", "Delete triangles", "Deletes triangles of a surface, and vertices that no others use")
};

/// Turns the normals of a surface from a stored vertex on.
fn turn(parts: &mut ModelParts, index: usize, first: usize) {
    match &mut parts.motion {
        Motion::Morph(motion) => {
            motion.surfaces.get_mut(index).into_iter().for_each(|track| turn_normals(track, first));
        }
        Motion::Skeletal(motion) => {
            motion.bindings.get_mut(index).into_iter().for_each(|binding| turn_skinned_normals(binding, first));
        }
    }
}

pub(super) const DOUBLE_SIDED: Operation = Operation {
    apply: |model, call, notes| {
        let mut parts = model.clone().into_parts();
        for index in call.surfaces(model)? {
            both_sides(model, &mut parts, index);
        }
        notes.results.push("the triangles and vertices were doubled".to_owned());
        Ok(parts)
    },
    ..row("double-sided", "Make double-sided", "Adds a back with separate normals to each triangle")
};

fn both_sides(model: &Model, parts: &mut ModelParts, index: usize) {
    let Some(surface) = model.surfaces().get(index) else { return };
    let count = u32_or_max(surface.vertex_count());
    let back = surface.triangles.iter().map(|[a, b, c]| [a + count, c + count, b + count]);
    let triangles = surface.triangles.iter().copied().chain(back).collect();
    let vertices: Vec<u32> = (0..count).chain(0..count).collect();
    let stored = model.stored_vertices(index);
    rebuild(parts, index, &vertices, triangles);
    let mut has_shared = false;
    if let Motion::Morph(motion) = &mut parts.motion
        && let Some(track) = motion.surfaces.get_mut(index)
        && let Some(remap) = &mut track.remap
    {
        // Both sides share the stored vertices so far.
        let own = track.stored;
        remap.iter_mut().skip(count as usize).for_each(|vertex| *vertex += own);
        let twice: Vec<usize> = (0..own as usize).chain(0..own as usize).collect();
        *track = with_stored(track, &twice);
        turn_normals(track, own as usize);
        pick_seams(&mut parts.data, &twice);
        has_shared = true;
    }
    if !has_shared {
        turn(parts, index, stored);
    }
}

pub(super) const MERGE: Operation = Operation {
    apply: merge,
    ..row("merge-vertices", "Merge equal vertices", "Merges vertices that are equal in all frames")
};

fn merge(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    check_frames(model, model.frames().len())?;
    let mut parts = model.clone().into_parts();
    let mut merged = 0;
    for index in call.surfaces(model)? {
        let Some(surface) = model.surfaces().get(index) else { continue };
        let mut classes = vec![0_u32; surface.vertex_count()];
        refine(&mut classes, surface.uvs.iter().map(|uv| bits(uv.extend(0.0))));
        if let Some(colours) = &surface.data.colours {
            refine(&mut classes, colours.iter().copied());
        }
        match model.motion() {
            Motion::Morph(motion) => {
                let Some(track) = motion.surfaces.get(index) else { continue };
                for frame in 0..track.frame_count {
                    let posed = decoded(track, frame);
                    let keys: Vec<_> =
                        posed.positions.iter().zip(&posed.normals).map(|(a, b)| (bits(*a), bits(*b))).collect();
                    match &track.remap {
                        None => refine(&mut classes, keys.into_iter()),
                        Some(remap) => {
                            refine(&mut classes, remap.iter().map(|stored| keys.get(*stored as usize).copied()));
                        }
                    }
                }
            }
            Motion::Skeletal(motion) => {
                let Some(binding) = motion.bindings.get(index) else { continue };
                let weights = binding.vertices.iter().map(|vertex| {
                    let weights = binding.weights_of(*vertex).iter();
                    let key = |weight: &crate::model::Weight| {
                        (weight.joint, weight.bias.to_bits(), bits(weight.offset), bits(weight.normal))
                    };
                    weights.map(key).collect::<Vec<_>>()
                });
                refine(&mut classes, weights);
            }
        }
        merged += classes.iter().enumerate().filter(|(vertex, class)| **class as usize != *vertex).count();
        let of = |corner: u32| classes.get(corner as usize).copied().unwrap_or(corner);
        let triangles: Vec<[u32; 3]> = surface.triangles.iter().map(|triangle| triangle.map(of)).collect();
        let mut vertices = classes.clone();
        vertices.sort_unstable();
        vertices.dedup();
        let new = |old: u32| u32_or_max(vertices.binary_search(&old).unwrap_or(0));
        let triangles = triangles.iter().map(|triangle| triangle.map(new)).collect();
        rebuild(&mut parts, index, &vertices, triangles);
    }
    notes.results.push(format!("{} merged", counted(merged, "vertex was", "vertices were")));
    if merged == 0 { Ok(model.clone().into_parts()) } else { Ok(parts) }
}

pub(super) const DROP_UNUSED: Operation = Operation {
    apply: |model, call, notes| {
        let mut parts = model.clone().into_parts();
        let stored =
            |model: &Model| (0..model.surfaces().len()).map(|index| model.stored_vertices(index)).sum::<usize>();
        let before = stored(model);
        for index in call.surfaces(model)? {
            let triangles = model.surfaces().get(index).map_or(Vec::new(), |surface| surface.triangles.clone());
            keep(&mut parts, index, &triangles);
        }
        let after = Model::new(parts).map_err(|error| error.to_string())?;
        let removed = before - stored(&after);
        notes.results.push(format!("{} removed", counted(removed, "vertex was", "vertices were")));
        Ok(if removed == 0 { model.clone() } else { after }.into_parts())
    },
    ..row("drop-unused-vertices", "Drop unused vertices", "Removes vertices that no triangle uses")
};

fn has_halves(model: &Model) -> Option<String> {
    let why = "Texture coordinates of an MDL are tied to the halves of its skin";
    model.data().seams.is_some().then(|| why.to_owned())
}

const fn number(name: &'static str, label: &'static str, default: &'static str) -> Parameter {
    let kind = ParameterKind::Number { min: -1000.0, max: 1000.0, unit: "" };
    Parameter::new(name, label, kind).or(default)
}

pub(super) const COMMANDS: Operation = Operation {
    refuses: |model| {
        let has_commands = model.data().gl_commands.is_some();
        (!has_commands).then(|| format!("{} files have no GL commands", model.format().title()))
    },
    apply: |model, _, _| changed(model, |parts| parts.data.gl_commands = None),
    parameters: &[],
    ..row("rebuild-commands", "Rebuild GL commands", "Makes the GL commands of an MD2 from the list of triangles")
};

pub(super) const COORDINATES: Operation = Operation {
    parameters: &[
        number("scale-u", "Scale U", "1"),
        number("scale-v", "Scale V", "1"),
        Parameter::new("angle", "Angle", ParameterKind::Number { min: -360.0, max: 360.0, unit: "degrees" }).or("0"),
        number("move-u", "Move U", "0"),
        number("move-v", "Move V", "0"),
        SURFACES,
    ],
    refuses: has_halves,
    apply: |model, call, _| {
        let of = |name: &str| call.number(name).unwrap_or(0.0);
        let scale = Vec2::new(of("scale-u"), of("scale-v"));
        let turn = Mat2::from_angle(of("angle").to_radians());
        let by = Vec2::new(of("move-u"), of("move-v"));
        let mut parts = model.clone().into_parts();
        for index in call.surfaces(model)? {
            let uvs = parts.surfaces.get_mut(index).into_iter().flat_map(|surface| &mut surface.uvs);
            uvs.for_each(|uv| *uv = turn * (*uv * scale - 0.5) + 0.5 + by);
        }
        parts.data.gl_commands = None;
        Ok(parts)
    },
    ..row(
        "move-coordinates",
        "Move texture coordinates",
        "Scales texture coordinates, rotates them about the centre of the texture, and moves them",
    )
};

pub(super) const COPY_COORDINATES: Operation = Operation {
    parameters: &[FILES, SURFACES],
    refuses: has_halves,
    apply: copy_coordinates,
    ..row(
        "copy-coordinates",
        "Copy texture coordinates",
        "Copies the texture coordinates of a model with the same triangles; vertices at new seams are split",
    )
};

/// Returns the positions of the vertices of each surface in the first frame.
fn first_positions(model: &Model) -> Vec<Vec<Vec3>> {
    let mut all = vec![Vec::new(); model.surfaces().len()];
    let mut pose = Pose::default();
    for lod in 0..model.lod_count() {
        sample(model, &Sampling { lod, ..Sampling::default() }, &mut pose);
        for (own, posed) in all.iter_mut().zip(&pose.surfaces).filter(|(_, posed)| !posed.positions.is_empty()) {
            own.clone_from(&posed.positions);
        }
    }
    all
}

/// Share of the edges of a surface that may coincide by chance.
const CHANCE: f32 = 0.1;

/// Returns a triangle by which two surfaces prove to be connected differently, and the share of such edges: edges that
/// coincide in one of them differ in the other, in both directions. Positions count, because the seams may differ. The
/// shapes may differ, too, and vertices of one of them may touch.
fn differing_triangle([own, other]: [&Surface; 2], [own_points, other_points]: [&[Vec3]; 2]) -> Option<(usize, f32)> {
    if own.triangles == other.triangles {
        return None;
    }
    let edge = |points: &[Vec3], vertices: [u32; 2]| {
        let mut ends = vertices.map(|vertex| bits(points.get(vertex as usize).copied().unwrap_or_default()));
        ends.sort_unstable();
        ends
    };
    let (mut others, mut owns) = (HashMap::new(), HashMap::new());
    let mut differing = [(None, 0); 2];
    let edges = |surface: &Surface| -> Vec<[u32; 2]> {
        surface.triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect()
    };
    for (number, (a, b)) in edges(own).into_iter().zip(edges(other)).enumerate() {
        let (a, b) = (edge(own_points, a), edge(other_points, b));
        let is_equal = [*others.entry(a).or_insert(b) == b, *owns.entry(b).or_insert(a) == a];
        for ((first, count), _) in differing.iter_mut().zip(is_equal).filter(|(_, is_equal)| !is_equal) {
            first.get_or_insert(number / 3);
            *count += 1;
        }
    }
    let [(a, many), (b, others)] = differing;
    let share = many.min(others) as f32 / (own.triangles.len() * 3) as f32;
    a.zip(b).map(|(a, b)| (a.max(b), share))
}

fn copy_coordinates(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    let [other] = call.models() else { return Err("expected a single model".to_owned()) };
    let mut parts = model.clone().into_parts();
    let [own_points, other_points] = [model, other].map(first_positions);
    for index in call.surfaces(model)? {
        let (Some(own), Some(from)) = (model.surfaces().get(index), other.surfaces().get(index)) else {
            return Err(format!("the other model has no surface {index}"));
        };
        if own.triangles.len() != from.triangles.len() {
            let (name, count, others) = (own.script_name(), own.triangles.len(), from.triangles.len());
            return Err(format!("surface “{name}” has {count} triangles, but {others} in the other model"));
        }
        let points = [&own_points, &other_points].map(|all| all.get(index).map_or(&[][..], Vec::as_slice));
        if let Some((triangle, share)) = differing_triangle([own, from], points) {
            let name = own.script_name();
            let why = format!("triangle {triangle} of surface “{name}” has other neighbours in the other model");
            if share > CHANCE {
                return Err(why);
            }
            notes.losses.push(why);
        }
        // A new vertex for each old one with another coordinate.
        let (mut vertices, mut uvs, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        let mut vertex = |(old, source): (&u32, &u32)| {
            let uv = from.uvs.get(*source as usize).copied().unwrap_or_default();
            *known.entry((*old, bits(uv.extend(0.0)))).or_insert_with(|| {
                vertices.push(*old);
                uvs.push(uv);
                u32_or_max(vertices.len() - 1)
            })
        };
        let corners = own.triangles.as_flattened().iter().zip(from.triangles.as_flattened());
        let corners: Vec<u32> = corners.map(&mut vertex).collect();
        rebuild(&mut parts, index, &vertices, corners.as_chunks::<3>().0.to_vec());
        parts.surfaces.get_mut(index).into_iter().for_each(|surface| surface.uvs.clone_from(&uvs));
    }
    Ok(parts)
}
