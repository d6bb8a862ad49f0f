//! Writers for a [`Model`]. Fields that the loaders read are written back unchanged. Run-time fields are 0, and tables
//! follow in the order of the header without gaps.
//!
//! This file has the tables that MD3, MDC and MDR share; the files of the formats describe the layouts.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};

use crate::bytes::ByteWriter;
use crate::error::WriteError;
use crate::model::{Bounds, FrameInfo, Model, MorphMotion, Motion, ShortVertex, SkeletalMotion};

/// Written model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenModel {
    /// Contents of the model file.
    pub main: Vec<u8>,
    /// Files of the coarser LODs (MD3, MDC), by LOD. The file of LOD 1 is called `NAME_1`.
    pub lods: BTreeMap<u32, Vec<u8>>,
    /// Separate animation files (MD5).
    pub animations: Vec<AnimationFile>,
    /// File of materials that the model file names (OBJ); empty if there is none.
    pub materials: Vec<u8>,
}

/// Written animation file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnimationFile {
    /// Name of the clip, which is the file name without extension.
    pub name: String,
    /// Contents of the file.
    pub bytes: Vec<u8>,
}

/// Writes a model in its own format. Fails if a name or a count exceeds the format's limit, or the format is only read.
pub fn write(model: &Model) -> Result<WrittenModel, WriteError> {
    let read_only = || WriteError {
        format: model.format().name(),
        field: String::new(),
        why: "models of this format cannot be written".to_owned(),
    };
    (model.format().traits().writer.as_ref().ok_or_else(read_only)?.write)(model)
}

/// Returns a name without line ends and the characters of `without`, which a text format cannot store.
pub(super) fn text_name(name: &str, without: &str) -> String {
    name.replace(|c: char| without.contains(c) || c.is_control(), " ").trim().to_owned()
}

pub(super) fn single(main: Vec<u8>) -> WrittenModel {
    WrittenModel { main, ..WrittenModel::default() }
}

pub(super) fn with_lods(
    model: &Model,
    write: fn(&Model, u32) -> Result<Vec<u8>, WriteError>,
) -> Result<WrittenModel, WriteError> {
    let coarser = (1..model.lod_count()).filter(|lod| model.surfaces().iter().any(|surface| surface.lod == *lod));
    let lods = coarser.map(|lod| Ok((lod, write(model, lod)?)));
    Ok(WrittenModel { main: write(model, 0)?, lods: lods.collect::<Result<_, _>>()?, ..WrittenModel::default() })
}

pub(super) fn morph<'a>(model: &'a Model, writer: &ByteWriter) -> Result<&'a MorphMotion, WriteError> {
    match model.motion() {
        Motion::Morph(morph) => Ok(morph),
        Motion::Skeletal(_) => Err(writer.error("", OTHER_MOTION)),
    }
}

pub(super) fn skeletal<'a>(model: &'a Model, writer: &ByteWriter) -> Result<&'a SkeletalMotion, WriteError> {
    match model.motion() {
        Motion::Skeletal(skeletal) => Ok(skeletal),
        Motion::Morph(_) => Err(writer.error("", OTHER_MOTION)),
    }
}

pub(super) const OTHER_MOTION: &str = "the animation data is packed for another format; convert the model first";

pub(super) fn write_frame(writer: &mut ByteWriter, frame: &FrameInfo, with_name: bool) -> Result<(), WriteError> {
    let bounds = frame.bounds.unwrap_or(Bounds { min: Vec3::ZERO, max: Vec3::ZERO });
    writer.vec3(bounds.min);
    writer.vec3(bounds.max);
    writer.vec3(frame.origin);
    writer.f32(frame.radius);
    if with_name { writer.text("frame name", &frame.name, 16) } else { Ok(()) }
}

pub(super) fn write_triangles(writer: &mut ByteWriter, triangles: &[[u32; 3]]) {
    triangles.iter().flatten().for_each(|index| writer.i32(index.cast_signed()));
}

/// Writes names in fields of 64 characters, each with a shader index that only the running game uses.
pub(super) fn write_shaders(writer: &mut ByteWriter, materials: &[String]) -> Result<(), WriteError> {
    for material in materials {
        writer.text("shader name", material, 64)?;
        writer.i32(0);
    }
    Ok(())
}

pub(super) fn write_texture_coordinates(writer: &mut ByteWriter, uvs: &[Vec2]) {
    uvs.iter().for_each(|uv| writer.vec2(*uv));
}

pub(super) fn write_short_vertices(writer: &mut ByteWriter, vertices: &[ShortVertex]) {
    for vertex in vertices {
        vertex.position.into_iter().for_each(|number| writer.i16(number));
        writer.u16(vertex.normal);
    }
}

pub(super) fn write_mesh(
    writer: &mut ByteWriter,
    surface: &crate::model::Surface,
    at: [crate::bytes::OffsetSlot; 3],
    start: usize,
) -> Result<(), WriteError> {
    let [triangles, shaders, st] = at;
    writer.here("ofsTriangles", triangles, start)?;
    write_triangles(writer, &surface.triangles);
    writer.here("ofsShaders", shaders, start)?;
    write_shaders(writer, &surface.materials)?;
    writer.here("ofsSt", st, start)?;
    write_texture_coordinates(writer, &surface.uvs);
    Ok(())
}
