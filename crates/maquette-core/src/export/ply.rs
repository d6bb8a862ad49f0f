//! PLY: one pose as text, with a list of vertices and one of triangles. Mesh measuring tools prefer it to OBJ.
//!
//! Axes and units are the model's own. Triangles have reversed corners, because most readers expect counter-clockwise
//! front faces. The second texture coordinate counts from the bottom. One surface follows the other; comments contain
//! their names.

use std::io::{self, Write};

use glam::Vec3;

use super::{ExportPart, line_of};
use crate::model::finite;

/// Writes the posed surfaces, like [`obj::write`](super::obj::write).
pub fn write(parts: &[ExportPart<'_>], out: &mut dyn Write) -> io::Result<()> {
    let surfaces = || {
        parts.iter().flat_map(|part| {
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
    let has_colours = surfaces().any(|(_, surface, _)| surface.data.colours.is_some());
    for property in ["red", "green", "blue", "alpha"].into_iter().filter(|_| has_colours) {
        writeln!(out, "property uchar {property}")?;
    }
    writeln!(out, "element face {triangles}\nproperty list uchar int vertex_indices\nend_header")?;
    for (part, surface, posed) in surfaces() {
        for (index, (position, uv)) in posed.positions.iter().zip(&surface.uvs).enumerate() {
            let normal = posed.normals.get(index).copied().unwrap_or(Vec3::ZERO);
            let [x, y, z] = finite(part.world_from_model.transform_point3(*position));
            let [a, b, c] = finite(part.world_from_model.transform_vector3(normal).normalize_or_zero());
            write!(out, "{x} {y} {z} {a} {b} {c} {} {}", uv.x, 1.0 - uv.y)?;
            if has_colours {
                // White without a colour.
                let colour = surface.data.colours.as_ref().and_then(|colours| colours.get(index)).unwrap_or(&-1);
                let [red, green, blue, alpha] = colour.to_le_bytes();
                write!(out, " {red} {green} {blue} {alpha}")?;
            }
            writeln!(out)?;
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
