//! ASE writer, for Doom 3, Radiant and q3map2. Numbers have enough digits to be read back exactly.

use std::fmt::{Display, Write as _};

use glam::Vec3;

use super::material::Material;
use crate::bytes::encoded;
use crate::error::WriteError;
use crate::formats::polygons::static_vertices;
use crate::formats::write::{WrittenModel, single, text_name};
use crate::model::{DetailValue, FloatVertex, Model, Surface, finite};

/// Writes an ASE with an object for each surface and a material for each name. Doom 3 takes what follows `//base/` in the
/// path of the image as the name of the material; q3map2 takes its name if it begins with `models/` or `textures/`. Fails
/// if the model is not packed as a static mesh.
pub fn write(model: &Model) -> Result<WrittenModel, WriteError> {
    let (mut materials, mut objects) = (Vec::<[String; 2]>::new(), String::new());
    for (surface, vertices) in static_vertices(model)? {
        let own = material(surface);
        let number = materials.iter().position(|known| *known == own).unwrap_or(materials.len());
        if number == materials.len() {
            materials.push(own);
        }
        write_object(&mut objects, surface, vertices, number);
    }
    let mut text = format!("*3DSMAX_ASCIIEXPORT\t200\n*MATERIAL_LIST {{\n*MATERIAL_COUNT {}\n", materials.len());
    for (number, [name, bitmap]) in materials.iter().enumerate() {
        let _ = writeln!(text, "*MATERIAL {number} {{\n*MATERIAL_NAME \"{name}\"");
        if !bitmap.is_empty() {
            let _ = writeln!(text, "*MAP_DIFFUSE {{\n*BITMAP \"{bitmap}\"\n}}");
        }
        text.push_str("}\n");
    }
    Ok(single(encoded(&(text + "}\n" + &objects), false)))
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
    if is_own { stored } else { [own, path] }.map(|text| text_name(&text, "\""))
}

/// Writes a list, with a line for each row.
fn list<T: Display>(text: &mut String, list: &str, key: &str, rows: impl Iterator<Item = [T; 3]>) {
    let _ = writeln!(text, "*MESH_{list} {{");
    for (index, [a, b, c]) in rows.enumerate() {
        let _ = writeln!(text, "*MESH_{key} {index} {a} {b} {c}");
    }
    text.push_str("}\n");
}

fn write_object(text: &mut String, surface: &Surface, vertices: &[FloatVertex], material: usize) {
    let (name, count, faces) = (text_name(&surface.name, "\""), vertices.len(), surface.triangles.len());
    let _ = writeln!(text, "*GEOMOBJECT {{\n*NODE_NAME \"{name}\"\n*NODE_TM {{\n*NODE_NAME \"{name}\"");
    text.push_str("*TM_ROW0 1 0 0\n*TM_ROW1 0 1 0\n*TM_ROW2 0 0 1\n*TM_ROW3 0 0 0\n}\n");
    let _ = writeln!(text, "*MESH {{\n*TIMEVALUE 0\n*MESH_NUMVERTEX {count}\n*MESH_NUMFACES {faces}");
    list(text, "VERTEX_LIST", "VERTEX", vertices.iter().map(|vertex| finite(vertex.position)));
    text.push_str("*MESH_FACE_LIST {\n");
    // The corners of a face are counter-clockwise.
    let corners = || surface.triangles.iter().map(|[a, b, c]| [*a, *c, *b]);
    for (index, [a, b, c]) in corners().enumerate() {
        let face = format_args!("*MESH_FACE {index}: A: {a} B: {b} C: {c} AB: 1 BC: 1 CA: 1");
        let _ = writeln!(text, "{face} *MESH_SMOOTHING 1 *MESH_MTLID 0");
    }
    let _ = writeln!(text, "}}\n*MESH_NUMTVERTEX {count}");
    list(text, "TVERTLIST", "TVERT", surface.uvs.iter().map(|uv| [uv.x, 1.0 - uv.y, 0.0]));
    let _ = writeln!(text, "*MESH_NUMTVFACES {faces}");
    list(text, "TFACELIST", "TFACE", corners());
    if let Some(colours) = &surface.data.colours {
        let _ = writeln!(text, "*MESH_NUMCVERTEX {count}");
        // Loaders multiply by 255 and cut.
        let part = |part: u8| ((f32::from(part) + 0.25) / 255.0).min(1.0);
        let parts = |colour: &i32| [0, 1, 2].map(|index| part(colour.to_le_bytes()[index]));
        list(text, "CVERTLIST", "VERTCOL", colours.iter().map(parts));
        let _ = writeln!(text, "*MESH_NUMCVFACES {faces}");
        list(text, "CFACELIST", "CFACE", corners());
    }
    text.push_str("*MESH_NORMALS {\n");
    for (face, corners) in corners().enumerate() {
        let normals = corners.map(|corner| {
            let stored = vertices.get(corner as usize).and_then(|vertex| vertex.normal.try_normalize());
            // The loader computes normals that are zero.
            let [x, y, z] = stored.unwrap_or(Vec3::Z).to_array();
            (corner, format!("{x} {y} {z}"))
        });
        let _ = writeln!(text, "*MESH_FACENORMAL {face} {}", normals[0].1);
        for (corner, normal) in normals {
            let _ = writeln!(text, "*MESH_VERTEXNORMAL {corner} {normal}");
        }
    }
    let _ = writeln!(text, "}}\n}}\n*MATERIAL_REF {material}\n}}");
}
