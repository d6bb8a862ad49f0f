//! OBJ writer with its materials, for GZDoom and map compilers. Numbers have enough digits to be read back exactly.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::bytes::encoded;
use crate::error::WriteError;
use crate::formats::polygons::static_vertices;
use crate::formats::write::{WrittenModel, text_name};
use crate::model::{AlphaMode, EmbeddedImage, Model, finite};

/// Writes an OBJ with the game's +Z as its +Y, as the loader reads it. Each surface is an object with its own `usemtl`.
/// Fails if the model is not packed as a static mesh.
pub fn write(model: &Model) -> Result<WrittenModel, WriteError> {
    let mut text = String::new();
    let mut base = 1;
    for (surface, vertices) in static_vertices(model)? {
        let _ =
            writeln!(text, "o {}\nusemtl {}", text_name(&surface.name, ""), text_name(&surface.materials.concat(), ""));
        for vertex in vertices {
            let [x, y, z] = finite(vertex.position);
            let _ = writeln!(text, "v {x} {z} {}", 0.0 - y);
        }
        for uv in &surface.uvs {
            let _ = writeln!(text, "vt {} {}", uv.x, 1.0 - uv.y);
        }
        for vertex in vertices {
            let [x, y, z] = finite(vertex.normal);
            let _ = writeln!(text, "vn {x} {z} {}", 0.0 - y);
        }
        for triangle in &surface.triangles {
            let [a, b, c] = triangle.map(|corner| base + corner as usize);
            let _ = writeln!(text, "f {a}/{a}/{a} {c}/{c}/{c} {b}/{b}/{b}");
        }
        base += vertices.len();
    }
    Ok(WrittenModel {
        main: encoded(&text, false),
        materials: encoded(&materials(model), false),
        ..WrittenModel::default()
    })
}

/// Returns the MTL with the materials that the source of the model defines. Images inside a file have no path.
fn materials(model: &Model) -> String {
    let (mut text, mut seen) = (String::new(), HashSet::new());
    for surface in model.surfaces() {
        let name = text_name(&surface.materials.concat(), "");
        let Some(material) = surface.data.embedded_material.as_ref().filter(|_| !name.is_empty()) else { continue };
        if !seen.insert(name.clone()) {
            continue;
        }
        let [red, green, blue, alpha] = material.colour;
        let alpha = if material.alpha == AlphaMode::Blend { alpha } else { 1.0 };
        let _ = writeln!(text, "newmtl {name}\nKd {red} {green} {blue}\nd {alpha}");
        if let Some(EmbeddedImage::External(path)) = &material.image {
            let _ = writeln!(text, "map_Kd {}", text_name(path, ""));
        }
    }
    text
}
