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

use glam::Vec3;

use super::polygons::Meshes;
use super::unusable_numbers::{UnusableNumbers, finite};
use crate::bytes::Source;
use crate::convert;
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings};
use crate::formats::{FormatDef, FormatWriter};
use crate::model::{Format, ModelParts, Precision, ScriptOrder};
use crate::text::{Dialect, Lexer, Statements, Token};
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
    writer: Some(FormatWriter {
        model_name: "3ds Max scene",
        holds: "one frame of surfaces, for Doom 3 and map compilers",
        write: write::write,
        convert: convert::static_mesh::convert,
        bytes_of_frame: |counts, _| counts.vertices * 24,
        sampling_rate: 15.0,
    }),
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
    let mut reader = Reader { lexer, statements: &statements, numbers: UnusableNumbers::default() };
    let mut scene = Scene::default();
    if let Err(error) = scene.read(&mut reader, warnings) {
        source.forgive(error, || "the rest of the text is skipped".to_owned())?;
    }
    statements.finish();
    reader.numbers.warn(warnings);
    let mut meshes = Meshes::new(source.len());
    for object in &scene.objects {
        let added = object.add_to(&mut meshes, &scene.materials, warnings);
        added.map_err(|reason| LoadError::new("ase", "*GEOMOBJECT", FilePosition::Whole, reason))?;
    }
    if meshes.is_empty() {
        return Err(reader.lexer.error("*GEOMOBJECT", Reason::Broken("no object has faces".to_owned())));
    }
    Ok(meshes.into_parts(Format::Ase, scene.version, Vec::new()))
}

/// Reader of keys and blocks.
struct Reader<'a, 's> {
    lexer: Lexer<'a>,
    statements: &'s Statements<'s>,
    numbers: UnusableNumbers,
}

impl<'a> Reader<'a, '_> {
    /// Reads a block after its key and words. `read` takes the words of the keys that it knows; others are skipped.
    fn block(&mut self, mut read: impl FnMut(&mut Self, &Token<'a>) -> Result<(), LoadError>) -> Result<(), LoadError> {
        self.lexer.expect("{", "")?;
        loop {
            let before = self.lexer;
            match self.lexer.next()? {
                None => return Err(before.unexpected(None, "", "“}”")),
                Some(word) if word.is("}") => return Ok(()),
                Some(word) if word.is("{") => self.lexer.skip_block("")?,
                Some(word) if !word.quoted && word.bytes.starts_with(b"*") => {
                    read(self, &word)?;
                    self.numbers.locate(word.position(), || word.text());
                    self.statements.end(&self.lexer, &word);
                }
                Some(_) => {}
            }
        }
    }

    fn number(&mut self, field: &str) -> Result<f32, LoadError> {
        Ok(finite(self.lexer.parse_number(field)?, &mut self.numbers))
    }

    fn vec3(&mut self, field: &str) -> Result<Vec3, LoadError> {
        Ok(Vec3::new(self.number(field)?, self.number(field)?, self.number(field)?))
    }

    /// Reads an index below `count`.
    fn index(&mut self, field: &str, count: usize) -> Result<u32, LoadError> {
        let before = self.lexer;
        let index = self.lexer.parse_integer(field)?;
        u32::try_from(index).ok().filter(|index| (*index as usize) < count).ok_or_else(|| {
            let why = format!("the index is {index}, but there are {count}");
            let position = before.peek().ok().flatten().map_or(FilePosition::Whole, |token| token.position());
            LoadError::new("ase", field, position, Reason::Broken(why))
        })
    }
}

#[derive(Default)]
struct Scene {
    version: Option<i32>,
    materials: Vec<Material>,
    objects: Vec<Object>,
}

impl Scene {
    fn read(&mut self, reader: &mut Reader, warnings: &mut Warnings) -> Result<(), LoadError> {
        while let Some(word) = reader.lexer.next()? {
            if word.is(HEAD) {
                self.version = reader.lexer.take_integer().and_then(|version| i32::try_from(version).ok());
            } else if word.is("*COMMENT") {
                skip_comment(&mut reader.lexer)?;
            } else if word.is("*MATERIAL_LIST") {
                reader.block(|reader, word| {
                    if word.is("*MATERIAL") {
                        reader.lexer.take_integer();
                        self.materials.push(Material::read(reader)?);
                    }
                    Ok(())
                })?;
            } else if word.is("*GEOMOBJECT") {
                let _group = reader.statements.group(|| format!("object {}", self.objects.len()));
                let object = self.objects.len();
                let read = Object::read(reader, warnings);
                self.objects.push(read.map_err(|error| error.within(&format!("object {object}")))?);
            } else if word.is("*GROUP") {
                // The objects of a group are read like others, and its closing brace is skipped.
                reader.lexer.parse_text("*GROUP")?;
                reader.lexer.check("{")?;
            } else if word.is("{") {
                reader.lexer.skip_block("")?;
            } else if word.quoted || !word.bytes.starts_with(b"*") {
                continue;
            }
            reader.statements.end(&reader.lexer, &word);
        }
        Ok(())
    }
}

/// Skips the text of a comment. Without quotes it is the rest of the line, which may contain braces.
fn skip_comment(lexer: &mut Lexer) -> Result<(), LoadError> {
    if lexer.peek()?.is_some_and(|token| token.quoted) {
        lexer.next()?;
        return Ok(());
    }
    let (rest, line) = lexer.rest();
    let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
    *lexer = Lexer::resumed("ase", Dialect::Script, rest.get(end..).unwrap_or_default(), line);
    Ok(())
}

/// Adds a warning about a count in the text that differs from the number of lines.
fn check_count(warnings: &mut Warnings, about: &str, field: &str, announced: Option<i64>, found: usize) {
    if let Some(announced) = announced.filter(|announced| usize::try_from(*announced) != Ok(found)) {
        let message = format!("{field} is {announced}, but the file has {found}; all are used");
        warnings.add(WarningKind::Inconsistent, about, message);
    }
}
