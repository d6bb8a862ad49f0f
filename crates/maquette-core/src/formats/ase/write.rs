//! ASE writer, for Doom 3, Radiant and q3map2. Numbers have enough digits to be read back exactly.

use std::fmt::Write as _;

use super::material::Material;
use glam::Vec3;

use crate::bytes::encoded;
use crate::error::WriteError;
use crate::formats::polygons::static_vertices;
use crate::formats::write::{WrittenModel, single};
use crate::model::{DetailValue, FloatVertex, Model, Surface, finite};

/// Writes an ASE with an object for each surface and a material for each name. Doom 3 takes what follows `//base/` in the
/// path of the image as the name of the material; q3map2 takes its name if it begins with `models/` or `textures/`. Fails
/// if the model is not packed as a static mesh.
pub fn write(model: &Model) -> Result<WrittenModel, WriteError> {
    let surfaces: Vec<(&Surface, &[FloatVertex])> = static_vertices(model)?.collect();
    let mut materials: Vec<[String; 2]> = Vec::new();
    let mut numbers = Vec::with_capacity(surfaces.len());
    for (surface, _) in &surfaces {
        let own = material(surface);
        numbers.push(materials.iter().position(|known| *known == own).unwrap_or(materials.len()));
        if numbers.last() == Some(&materials.len()) {
            materials.push(own);
        }
    }
    let mut text = format!("*3DSMAX_ASCIIEXPORT\t200\n*MATERIAL_LIST {{\n*MATERIAL_COUNT {}\n", materials.len());
    for (number, [name, bitmap]) in materials.iter().enumerate() {
        let _ = writeln!(text, "*MATERIAL {number} {{\n*MATERIAL_NAME \"{name}\"");
        if !bitmap.is_empty() {
            let _ = writeln!(text, "*MAP_DIFFUSE {{\n*BITMAP \"{bitmap}\"\n}}");
        }
        text.push_str("}\n");
    }
    text.push_str("}\n");
    for ((surface, vertices), material) in surfaces.into_iter().zip(numbers) {
        write_object(&mut text, surface, vertices, material);
    }
    Ok(single(encoded(&text, false)))
}

/// Returns the name of a surface's material and the path of its image: those of the file that it comes from, if they still
/// lead to its material.
fn material(surface: &Surface) -> [String; 2] {
    let own = surface.materials.concat();
    let stored = ["*MATERIAL_NAME", "*BITMAP"].map(|label| {
        match surface.details.iter().find(|detail| detail.label == label).map(|detail| &detail.value) {
            Some(DetailValue::Text(text)) => text.clone(),
            _ => String::new(),
        }
    });
    let is_own = !surface.details.is_empty() && Material::game_name(&stored[0], &stored[1]) == own;
    let path = if own.is_empty() { String::new() } else { format!("//base/{own}") };
    if is_own { stored } else { [own, path] }.map(|text| word(&text))
}

fn write_object(text: &mut String, surface: &Surface, vertices: &[FloatVertex], material: usize) {
    let name = word(&surface.name);
    let (count, faces) = (vertices.len(), surface.triangles.len());
    let _ = writeln!(text, "*GEOMOBJECT {{\n*NODE_NAME \"{name}\"\n*NODE_TM {{\n*NODE_NAME \"{name}\"");
    text.push_str("*TM_ROW0 1 0 0\n*TM_ROW1 0 1 0\n*TM_ROW2 0 0 1\n*TM_ROW3 0 0 0\n}\n");
    let _ = writeln!(text, "*MESH {{\n*TIMEVALUE 0\n*MESH_NUMVERTEX {count}\n*MESH_NUMFACES {faces}");
    // The corners of a face are counter-clockwise.
    let corners = || surface.triangles.iter().map(|[a, b, c]| [*a, *c, *b]).enumerate();
    let lines = |list: &str, lines: &mut dyn Iterator<Item = String>, text: &mut String| {
        let _ = writeln!(text, "*MESH_{list} {{");
        lines.for_each(|line| text.extend(["*MESH_", &line, "\n"]));
        text.push_str("}\n");
    };
    let numbered =
        |key: &'static str| move |(index, [a, b, c]): (usize, [u32; 3])| format!("{key} {index} {a} {b} {c}");
    lines("VERTEX_LIST", &mut positions(vertices), text);
    let face = |(index, [a, b, c]): (usize, [u32; 3])| {
        format!("FACE {index}: A: {a} B: {b} C: {c} AB: 1 BC: 1 CA: 1 *MESH_SMOOTHING 1 *MESH_MTLID 0")
    };
    lines("FACE_LIST", &mut corners().map(face), text);
    let _ = writeln!(text, "*MESH_NUMTVERTEX {count}");
    let uvs = surface.uvs.iter().enumerate();
    lines("TVERTLIST", &mut uvs.map(|(index, uv)| format!("TVERT {index} {} {} 0", uv.x, 1.0 - uv.y)), text);
    let _ = writeln!(text, "*MESH_NUMTVFACES {faces}");
    lines("TFACELIST", &mut corners().map(numbered("TFACE")), text);
    if let Some(colours) = &surface.data.colours {
        let _ = writeln!(text, "*MESH_NUMCVERTEX {count}");
        // Loaders multiply by 255 and cut.
        let part = |part: u8| ((f32::from(part) + 0.25) / 255.0).min(1.0);
        let parts = |colour: &i32| colour.to_le_bytes().map(part);
        let colours = colours.iter().map(parts).enumerate();
        lines("CVERTLIST", &mut colours.map(|(index, [r, g, b, _])| format!("VERTCOL {index} {r} {g} {b}")), text);
        let _ = writeln!(text, "*MESH_NUMCVFACES {faces}");
        lines("CFACELIST", &mut corners().map(numbered("CFACE")), text);
    }
    // The loader computes normals that are zero.
    let normal = |corner: u32| {
        let stored = vertices.get(corner as usize).and_then(|vertex| vertex.normal.try_normalize());
        stored.unwrap_or(Vec3::Z).to_array()
    };
    let normals = corners().map(|(face, corners)| {
        let own = corners.map(|corner| {
            let [x, y, z] = normal(corner);
            format!("*MESH_VERTEXNORMAL {corner} {x} {y} {z}")
        });
        let [x, y, z] = normal(corners[0]);
        format!("FACENORMAL {face} {x} {y} {z}\n{}", own.join("\n"))
    });
    lines("NORMALS", &mut { normals }, text);
    let _ = writeln!(text, "}}\n*MATERIAL_REF {material}\n}}");
}

fn positions(vertices: &[FloatVertex]) -> impl Iterator<Item = String> {
    vertices.iter().enumerate().map(|(index, vertex)| {
        let [x, y, z] = finite(vertex.position);
        format!("VERTEX {index} {x} {y} {z}")
    })
}

/// Returns a name without quotation marks and line ends, which the format cannot store.
fn word(name: &str) -> String {
    name.replace(|c: char| c == '"' || c.is_control(), " ").trim().to_owned()
}
