//! ASE (ASCII Scene Export of 3ds Max): static meshes as text. Doom 3 loads them, and map compilers bake them into maps.
//!
//! Source of the grammar: the loaders of Doom 3 (`Model_ase.cpp`) and of Radiant (`pm_ase.c`). A key begins with `*`; its
//! words follow, and perhaps a block in braces:
//!
//! ```text
//! *3DSMAX_ASCIIEXPORT 200
//! *MATERIAL_LIST { *MATERIAL i { *MATERIAL_NAME "…" *MAP_DIFFUSE { *BITMAP "…" … } *SUBMATERIAL k { … } } }
//! *GEOMOBJECT { *NODE_NAME "…" *NODE_TM { *TM_ROW0 x y z … } *MESH { … } *MATERIAL_REF i }
//! ```
//!
//! Vertices are in the space of the scene, and stored normals in that of the object. Corners are counter-clockwise, and
//! texture coordinates count from the bottom. Each object is a surface; submaterials divide it.

mod material;
mod mesh;
mod write;

use super::keyed_blocks::KeyedBlocks;
use super::polygons::{self, Meshes};
use crate::bytes::Source;
use crate::error::{FilePosition, LoadError, Reason, Warnings};
use crate::formats::{FormatDef, FormatWriter};
use crate::model::{Format, ModelParts, Precision, ScriptOrder};
use crate::text::{Dialect, Lexer, Statements};
use material::Material;
use mesh::Object;

/// 3ds Max, text; the version is the exporter's.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "ase",
    title: "ASE",
    extensions: &["ase"],
    media_type: "model/x-3dsmax-ase",
    signature: HEAD,
    game: "Doom 3",
    version: 200,
    usual_rate: 24.0,
    is_text: true,
    precision: Precision::Decimals,
    scripts: ScriptOrder::Doom3First,
    alpha_without_script: true,
    looks_like: Some(looks_like),
    writer: Some(FormatWriter::static_mesh(
        "3ds Max scene",
        "one frame of surfaces, for Doom 3 and map compilers",
        write::write,
    )),
    ..FormatDef::plain(load)
};

const HEAD: &str = "*3DSMAX_ASCIIEXPORT";

fn looks_like(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    start.get(..HEAD.len()).is_some_and(|word| word.eq_ignore_ascii_case(HEAD.as_bytes()))
}

/// Loads an ASE.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let statements = Statements::new(source);
    let lexer = Lexer::with("ase", Dialect::Script, source.bytes());
    let mut reader = KeyedBlocks::new(lexer, &statements);
    let (mut version, mut materials, mut objects) = (None, Vec::new(), Vec::new());
    let mut comparisons = polygons::comparisons();
    let read = reader.items(0, &["*MATERIAL_LIST"], |reader, key| {
        if key.is(HEAD) {
            version = reader.lexer.take_integer().and_then(|version| i32::try_from(version).ok());
        } else if key.is("*COMMENT") && !reader.lexer.peek()?.is_some_and(|text| text.quoted) {
            // The text may contain braces.
            reader.lexer.skip_rest_of_line();
        } else if key.is("*MATERIAL") {
            reader.lexer.take_integer();
            materials.push(Material::read(reader)?);
        } else if key.is("*GEOMOBJECT") {
            let _group = reader.statements.group(|| format!("object {}", objects.len()));
            let object = Object::read(reader, &mut comparisons, warnings);
            objects.push(object.map_err(|error| error.within(&format!("object {}", objects.len())))?);
        } else if key.is("*GROUP") {
            // The objects of a group are read like others, and its closing brace is skipped.
            reader.lexer.parse_text("*GROUP")?;
            reader.lexer.check("{")?;
        }
        Ok(())
    });
    read.or_else(|error| source.forgive(error, || "the rest of the text is skipped".to_owned()))?;
    statements.finish();
    reader.numbers.warn(warnings);
    let mut meshes = Meshes::new(source.len());
    for object in objects {
        let added = object.add_to(&mut meshes, &materials, warnings);
        added.map_err(|reason| LoadError::new("ase", "*GEOMOBJECT", FilePosition::Whole, reason))?;
    }
    if meshes.is_empty() {
        return Err(reader.lexer.error("*GEOMOBJECT", Reason::Broken("no object has faces".to_owned())));
    }
    Ok(meshes.into_parts(Format::Ase, version, Vec::new()))
}
