//! Splitting of surfaces that exceed an engine's limits.

use std::collections::HashMap;

use super::SurfaceLimits;
use crate::model::{Surface, u32_or_max};

pub(super) struct Part {
    pub triangles: Vec<[u32; 3]>,
    pub vertices: Vec<u32>,
}

/// Splits a surface in file order. A surface within the limits remains one part with all its vertices.
pub(super) fn parts(surface: &Surface, limits: SurfaceLimits) -> Vec<Part> {
    if surface.vertex_count() <= limits.vertices && surface.triangles.len() <= limits.triangles {
        let vertices = (0..u32_or_max(surface.vertex_count())).collect();
        return vec![Part { triangles: surface.triangles.clone(), vertices }];
    }
    let mut parts = Vec::new();
    let mut part = Part { triangles: Vec::new(), vertices: Vec::new() };
    let mut own: HashMap<u32, u32> = HashMap::new();
    for triangle in &surface.triangles {
        let new = triangle.iter().filter(|vertex| !own.contains_key(vertex)).count();
        let is_full = part.vertices.len() + new > limits.vertices || part.triangles.len() >= limits.triangles;
        if is_full && !part.triangles.is_empty() {
            own.clear();
            parts.push(std::mem::replace(&mut part, Part { triangles: Vec::new(), vertices: Vec::new() }));
        }
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
