//! OBJ writer, for GZDoom and map compilers. Numbers have enough digits to be read back exactly.

use std::fmt::Write as _;

use crate::bytes::encoded;
use crate::error::WriteError;
use crate::formats::polygons::static_vertices;
use crate::formats::write::{WrittenModel, single};
use crate::model::{Model, finite};

/// Writes an OBJ with the game's +Z as its +Y, as the loader reads it. Each surface is an object with its own `usemtl`.
/// Fails if the model is not packed as a static mesh.
pub fn write(model: &Model) -> Result<WrittenModel, WriteError> {
    let mut text = String::new();
    let mut base = 1;
    for (surface, vertices) in static_vertices(model)? {
        let _ = writeln!(text, "o {}\nusemtl {}", line(&surface.name), line(&surface.materials.concat()));
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
    Ok(single(encoded(&text, false)))
}

/// Returns a name without line ends.
fn line(name: &str) -> String {
    name.replace(char::is_control, " ").trim().to_owned()
}
