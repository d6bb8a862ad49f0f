//! PLY: one pose as a list of vertices and one of triangles, in text. Several programs that know no OBJ read it, and tools that
//! measure meshes prefer it.
//!
//! Axes and units are the model's own. Corners are turned about, for fronts are counter-clockwise elsewhere; the second texture
//! coordinate counts from the bottom of the picture. Surfaces stand one after another, and their names in comments.

use std::io::{self, Write};

use glam::Vec3;

use super::{ExportPart, line_of};
use crate::model::finite;

/// Writes the surfaces that the poses hold, as [`obj::write`](super::obj::write) does.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(placed: &[ExportPart<'_>], out: &mut dyn Write) -> io::Result<()> {
    let surfaces = || {
        placed.iter().flat_map(|part| {
            let own = part.surfaces();
            own.filter_map(move |index| Some((part, part.model.surfaces().get(index)?, part.pose.surfaces.get(index)?)))
        })
    };
    let vertices: usize = surfaces().map(|(_, _, posed)| posed.positions.len()).sum();
    let triangles: usize = surfaces().map(|(_, surface, _)| surface.triangles.len()).sum();
    writeln!(out, "ply\nformat ascii 1.0\ncomment {} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))?;
    let mut first = 0;
    for (_, surface, posed) in surfaces() {
        let name = line_of(&surface.name).unwrap_or_else(|| "surface".to_owned());
        writeln!(out, "comment vertices from {first}: {name}")?;
        first += posed.positions.len();
    }
    writeln!(out, "element vertex {vertices}")?;
    for property in ["x", "y", "z", "nx", "ny", "nz", "s", "t"] {
        writeln!(out, "property float {property}")?;
    }
    writeln!(out, "element face {triangles}\nproperty list uchar int vertex_indices\nend_header")?;
    for (part, surface, posed) in surfaces() {
        for (index, (position, uv)) in posed.positions.iter().zip(&surface.uvs).enumerate() {
            let normal = posed.normals.get(index).copied().unwrap_or(Vec3::ZERO);
            let [x, y, z] = finite(part.world_from_model.transform_point3(*position));
            let [a, b, c] = finite(part.world_from_model.transform_vector3(normal).normalize_or_zero());
            writeln!(out, "{x} {y} {z} {a} {b} {c} {} {}", uv.x, 1.0 - uv.y)?;
        }
    }
    let mut base = 0;
    for (_, surface, posed) in surfaces() {
        for triangle in &surface.triangles {
            let [a, b, c] = triangle.map(|corner| base + corner as usize);
            writeln!(out, "3 {a} {c} {b}")?;
        }
        base += posed.positions.len();
    }
    Ok(())
}
