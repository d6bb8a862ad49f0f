//! Wavefront OBJ: one pose as plain text, for other programs and for comparisons.
//!
//! Axes and units are the model's own. Triangles are in file order with reversed corners, because OBJ front faces are
//! counter-clockwise. The second texture coordinate is 1 − t, because OBJ counts from the bottom. Numbers have enough
//! digits to be read back exactly.

use std::io::{self, Write};

use glam::Affine3A;

use super::{ExportPart, line_of};
use crate::model::{Surface, finite};
use crate::pose::PosedSurface;

/// Writes one group for each posed surface with triangles. `out` should be buffered, because writes are small.
pub fn write(parts: &[ExportPart<'_>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))?;
    // OBJ counts vertices through the whole file, from 1.
    let mut base = 1;
    for part in parts {
        for index in part.surfaces() {
            let (Some(surface), Some(posed)) = (part.model.surfaces().get(index), part.pose.surfaces.get(index)) else {
                continue;
            };
            let name = line_of(&surface.name).unwrap_or_else(|| format!("surface_{index}"));
            let name = part.group.map_or_else(|| name.clone(), |group| format!("{group}_{name}"));
            writeln!(out, "o {name}")?;
            writeln!(out, "g {name}")?;
            if let Some(material) = surface.materials.first().and_then(|material| line_of(material)) {
                writeln!(out, "usemtl {material}")?;
            }
            write_surface(surface, posed, &part.world_from_model, base, out)?;
            base += posed.positions.len();
        }
    }
    Ok(())
}

fn write_surface(
    surface: &Surface,
    posed: &PosedSurface,
    transform: &Affine3A,
    base: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    for position in &posed.positions {
        let [x, y, z] = finite(transform.transform_point3(*position));
        writeln!(out, "v {x} {y} {z}")?;
    }
    for uv in &surface.uvs {
        writeln!(out, "vt {} {}", uv.x, 1.0 - uv.y)?;
    }
    for normal in &posed.normals {
        let [x, y, z] = finite(transform.transform_vector3(*normal).normalize_or_zero());
        writeln!(out, "vn {x} {y} {z}")?;
    }
    for triangle in &surface.triangles {
        let [a, b, c] = triangle.map(|corner| base + corner as usize);
        writeln!(out, "f {a}/{a}/{a} {c}/{c}/{c} {b}/{b}/{b}")?;
    }
    Ok(())
}
