//! Splitting of surfaces that exceed an engine's limits.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::names::{FittedNames, surface_names};
use super::{SurfaceLimits, VertexOrigin};
use crate::error::counted;
use crate::model::{Binding, Format, Model, Surface, SurfaceData, u32_or_max};

/// Surfaces of a converted model.
pub(super) struct SurfaceTarget {
    /// Limits beyond which surfaces are split.
    pub limits: SurfaceLimits,
    /// Number of LODs that are converted.
    pub lods: u32,
    /// Maximum number of joints of a surface.
    pub joints: usize,
    /// Maximum number of materials of a surface.
    pub materials: usize,
    /// Format that stores the names.
    pub format: Format,
}

/// Converts the surfaces of a model: splits them, and fits their names. Also returns the origin of their vertices.
/// `bindings` has the joints of each surface, if the target limits them.
pub(super) fn split_surfaces(
    model: &Model,
    bindings: &[Binding],
    target: &SurfaceTarget,
    losses: &mut Vec<String>,
) -> (Vec<Surface>, Vec<Vec<VertexOrigin>>) {
    let (mut surfaces, mut origins) = (Vec::new(), Vec::new());
    let mut fitted_names =
        FittedNames::of_surfaces(["surface", "surfaces"], target.format, model).shown_in(target.format);
    let mut material_names = FittedNames::of_surfaces(["material", "materials"], target.format, model);
    let named = (0_u32..).zip(model.surfaces()).zip(surface_names(model));
    for ((index, surface), name) in named.filter(|((_, surface), _)| surface.lod < target.lods) {
        let binding = bindings.get(index as usize);
        let parts = parts(surface, binding, target);
        if parts.len() > 1 {
            let vertices = counted(surface.vertex_count(), "vertex", "vertices");
            let triangles = counted(surface.triangles.len(), "triangle", "triangles");
            let joints: HashSet<u32> =
                binding.into_iter().flat_map(|own| &own.weights).map(|weight| weight.joint).collect();
            let joints =
                if joints.len() > target.joints { format!(" on {} joints", joints.len()) } else { String::new() };
            let count = parts.len();
            losses.push(format!("surface “{name}” with {vertices} and {triangles}{joints} was split into {count}"));
        }
        let (materials, dropped) = surface.materials.split_at(surface.materials.len().min(target.materials));
        if !dropped.is_empty() {
            losses.push(format!("surface “{name}” keeps one material; dropped: {}", dropped.join(", ")));
        }
        for (number, part) in (1_u32..).zip(parts) {
            // Games ignore the suffix when they look up a surface in a skin file.
            let name =
                if number == 1 { fitted_names.shared(&name) } else { fitted_names.shared(&format!("{name}_{number}")) };
            let uv = |vertex: &u32| surface.uvs.get(*vertex as usize).copied().unwrap_or_default();
            let colour = |colours: &Arc<[i32]>| {
                let own = part.vertices.iter().map(|vertex| colours.get(*vertex as usize).copied().unwrap_or(-1));
                own.collect()
            };
            let is_whole = part.vertices.iter().copied().eq(0..u32_or_max(surface.vertex_count()));
            let data = SurfaceData {
                colours: surface.data.colours.as_ref().map(colour),
                min_lod: surface.data.min_lod,
                collapse_map: surface.data.collapse_map.clone().filter(|map| is_whole && collapses(map)),
                ..SurfaceData::default()
            };
            surfaces.push(Surface {
                name,
                lod: surface.lod,
                materials: materials.iter().map(|name| material_names.shared(name)).collect(),
                triangles: part.triangles,
                uvs: part.vertices.iter().map(uv).collect(),
                hidden: surface.hidden,
                data: data.into(),
                ..Surface::default()
            });
            origins.push(part.vertices.into_iter().map(|vertex| VertexOrigin { surface: index, vertex }).collect());
        }
    }
    fitted_names.report(losses);
    material_names.report(losses);
    (surfaces, origins)
}

/// Returns whether each vertex but the first is replaced by one before it, as games need.
fn collapses(map: &[i32]) -> bool {
    (0_i32..).zip(map).skip(1).all(|(vertex, to)| (0..vertex).contains(to))
}

struct Part {
    triangles: Vec<[u32; 3]>,
    vertices: Vec<u32>,
}

/// Splits a surface in file order. A surface within the limits remains one part with all its vertices.
fn parts(surface: &Surface, binding: Option<&Binding>, target: &SurfaceTarget) -> Vec<Part> {
    let limits = target.limits;
    let joints_of = |vertices: &[u32]| -> HashSet<u32> {
        let Some(binding) = binding.filter(|_| target.joints < usize::MAX) else { return HashSet::new() };
        let own = vertices.iter().filter_map(|vertex| binding.vertices.get(*vertex as usize));
        own.flat_map(|vertex| binding.weights_of(*vertex)).map(|weight| weight.joint).collect()
    };
    let all: Vec<u32> = (0..u32_or_max(surface.vertex_count())).collect();
    let fits = all.len() <= limits.vertices && surface.triangles.len() <= limits.triangles;
    if fits && joints_of(&all).len() <= target.joints {
        return vec![Part { triangles: surface.triangles.clone(), vertices: all }];
    }
    let mut parts = Vec::new();
    let mut part = Part { triangles: Vec::new(), vertices: Vec::new() };
    let mut own: HashMap<u32, u32> = HashMap::new();
    let mut joints = HashSet::new();
    for triangle in &surface.triangles {
        let new = triangle.iter().filter(|vertex| !own.contains_key(vertex)).count();
        let new_joints = joints_of(triangle);
        let is_full = part.vertices.len() + new > limits.vertices
            || part.triangles.len() >= limits.triangles
            || joints.union(&new_joints).count() > target.joints;
        if is_full && !part.triangles.is_empty() {
            own.clear();
            joints.clear();
            parts.push(std::mem::replace(&mut part, Part { triangles: Vec::new(), vertices: Vec::new() }));
        }
        joints.extend(new_joints);
        let corners = triangle.map(|vertex| {
            *own.entry(vertex).or_insert_with(|| {
                part.vertices.push(vertex);
                u32_or_max(part.vertices.len() - 1)
            })
        });
        part.triangles.push(corners);
    }
    parts.push(part);
    parts
}
