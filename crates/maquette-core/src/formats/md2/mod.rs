//! MD2 (Quake II): 8-bit vertices per frame, one surface, normals from a table. `IDP2`, version 8.
//!
//! Source of the layout: the published description "MD2 (Kaitai)", corrected where engines and real files disagree:
//! counts and offsets are signed, texture coordinates may be negative, `framesize` is a stride that may hold more than
//! the vertices, and a normal index may exceed the table.
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 68: seventeen 32-bit numbers |
//! | skins | file, `ofs_skins` | `num_skins` | 64: path of an image |
//! | texture coordinates | file, `ofs_st` | `num_st` | 4: s, t in texels, signed |
//! | triangles | file, `ofs_tris` | `num_tris` | 12: three vertex indices, three texture coordinate indices |
//! | frames | file, `ofs_frames` | `num_frames` | `framesize`: scale, translation, 16-character name, vertices |
//! | vertices | frame + 40 | `num_xyz` | 4: x y z, normal index |
//! | GL commands | file, `ofs_glcmds` | `num_glcmds` | 4, see `gl_commands.rs` |
//!
//! Positions and texture coordinates have separate indices. Every used pair becomes a vertex of the surface, in order
//! of first use, and refers to its stored vertex.

mod strips;
mod write;

use crate::convert;
use crate::formats::{FormatDef, FormatWriter, write::single};
use foldhash::HashMap;
use glam::Vec2;
use std::sync::Arc;

use super::chunk::{i16_at, u16s};
use super::gl_commands::Commands;
use super::md2_common::{FrameTable, Mesh, ST, TRIS, limits, or_warn, table};
use super::{frame_names, md2_common};
use crate::bytes::{Offset, PartKind, Source};
use crate::error::{Fault, LoadError, Reason, Warning, WarningKind, Warnings, counted};
use crate::model::{
    Detail, Format, FormatData, MaterialStorage, ModelParts, MorphMotion, MorphTrack, Motion, NameLimits,
    PackedVertices, Precision, ScriptOrder, Surface, SurfaceStorage, TagTrack, u32_or_max,
};

pub use write::write;

/// Quake II, `IDP2` version 8.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "md2",
    title: "MD2",
    extensions: &["md2"],
    media_type: "model/x-quake2-md2",
    signature: "IDP2",
    size_at: Some(64),
    game: "Quake II",
    version: 8,
    sample: Some("umber.md2"),
    surfaces: SurfaceStorage::One,
    materials: MaterialStorage::Skins,
    precision: Precision::Bytes,
    whole_texels: true,
    names_frames: true,
    name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: Some(15) },
    scripts: ScriptOrder::None,
    alpha_without_script: true,
    writer: Some(FormatWriter {
        model_name: "Quake II model",
        holds: "frames of one surface in steps of 1/255 of their box",
        write: |model| write(model).map(single),
        convert: convert::md2::convert,
        bytes_of_frame: |counts, _| counts.vertices * 4,
        sampling_rate: 10.0,
    }),
    ..FormatDef::plain(load)
};

/// Usual frames per second: the game runs ten ticks per second.
pub const RATE: f32 = FORMAT.usual_rate;

struct Header {
    version: i32,
    skin_width: i32,
    skin_height: i32,
    frame_size: i32,
    frame_size_at: u64,
    skins: i32,
    vertices: u32,
    coordinates: i32,
    triangles: i32,
    commands: i32,
    frames: u32,
    ofs_skins: Offset,
    ofs_st: Offset,
    ofs_tris: Offset,
    ofs_frames: Offset,
    ofs_glcmds: Offset,
    ofs_end: Offset,
}

/// Loads an MD2.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let header = read_header(source)?;
    super::md3_common::warn_about_end(source, header.ofs_end, &[], warnings);
    let skins = md2_common::read_skins(source, header.ofs_skins, header.skins, warnings);
    let commands = Commands::read(source, header.ofs_glcmds, header.commands, header.vertices, 1, warnings);
    let mesh = read_mesh(source, &header, &commands, warnings)?;
    let stride = (header.frame_size, header.frame_size_at);
    let table = FrameTable::of_bytes(header.ofs_frames, header.frames, stride, header.vertices);
    let (frames, scales, vertices) = md2_common::read_frames(source, &table, &mesh.triangles, &mesh.remap, warnings)?;

    let clips = md2_common::named_clips(&frames, RATE);
    let alternative_clips = frame_names::quake_2_player(&frames, &clips);
    let surface = Surface { materials: skins.clone(), triangles: mesh.triangles, uvs: mesh.uvs, ..Surface::default() };
    let (summary, words) = (commands.summary(), commands.words.into());
    let track = MorphTrack {
        stored: header.vertices,
        frame_count: u32_or_max(frames.len()),
        remap: Some(mesh.remap),
        vertices: PackedVertices::Bytes { frames: scales, vertices },
    };
    Ok(ModelParts {
        format: Format::Md2,
        version: Some(header.version),
        name: String::new(),
        surfaces: vec![surface],
        frames,
        tags: Vec::new(),
        clips,
        alternative_clips,
        skins,
        motion: Motion::Morph(MorphMotion { surfaces: vec![track], tags: TagTrack::Axes(Vec::new()) }),
        details: details(&header, summary, &words),
        data: FormatData {
            skin_size: Some([header.skin_width, header.skin_height]),
            gl_commands: Some(words),
            ..FormatData::default()
        },
    })
}

fn details(header: &Header, summary: String, commands: &Arc<[i32]>) -> Vec<Detail> {
    vec![
        Detail::text("skinwidth", header.skin_width),
        Detail::text("skinheight", header.skin_height),
        Detail::text("framesize", header.frame_size),
        Detail::text("num_xyz", header.vertices),
        Detail::text("num_st", header.coordinates),
        Detail::text("num_tris", header.triangles),
        Detail::text("num_glcmds", header.commands),
        Detail::text("glCommands in words", summary),
        Detail::integers("glCommands", commands),
    ]
}

fn read_header(source: &Source) -> Result<Header, LoadError> {
    let _group = source.group_of(PartKind::Header.at(0), || "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let version = super::md3_common::version(&mut reader, 8)?;
    let skin_width = reader.i32("skinwidth")?;
    let skin_height = reader.i32("skinheight")?;
    let at_frame_size = reader;
    let frame_size = reader.i32("framesize")?;
    let skins_at = reader.position();
    let skins = reader.i32("num_skins")?;
    let at_vertices = reader;
    let vertices = reader.count("num_xyz", limits::VERTICES)?;
    let frame_size = md2_common::frame_size(at_frame_size, frame_size, at_vertices, vertices, 4)?;
    let coordinates_at = reader.position();
    let coordinates = reader.i32("num_st")?;
    let triangles_at = reader.position();
    let triangles = reader.i32("num_tris")?;
    // An empty model without triangles is valid: games use it for invisible objects.
    if vertices == 0 && triangles != 0 {
        return Err(at_vertices.error("num_xyz", Reason::Broken("a model needs at least one vertex".to_owned())));
    }
    let commands_at = reader.position();
    let commands = reader.i32("num_glcmds")?;
    let frames_at = reader.position();
    let frames = super::md3_common::frame_count(&mut reader, "num_frames")?;
    Ok(Header {
        version,
        skin_width,
        skin_height,
        frame_size,
        frame_size_at: at_frame_size.position(),
        skins,
        vertices,
        coordinates,
        triangles,
        commands,
        frames,
        ofs_skins: reader.offset("ofs_skins")?.counted_by("num_skins", skins_at),
        ofs_st: reader.offset("ofs_st")?.counted_by("num_st", coordinates_at),
        ofs_tris: reader.offset("ofs_tris")?.counted_by("num_tris", triangles_at),
        ofs_frames: reader.offset("ofs_frames")?.counted_by("num_frames", frames_at),
        ofs_glcmds: reader.offset("ofs_glcmds")?.counted_by("num_glcmds", commands_at),
        ofs_end: reader.offset("ofs_end")?,
    })
}

fn read_mesh(
    source: &Source,
    header: &Header,
    commands: &Commands,
    warnings: &mut Warnings,
) -> Result<Mesh, LoadError> {
    if header.vertices == 0 {
        warnings.add(
            WarningKind::Inconsistent,
            "num_xyz",
            "the model has no vertices and no triangles; nothing is drawn",
        );
        return Ok(Mesh::default());
    }
    let read = table(source, header.ofs_tris, header.triangles, limits::TRIANGLES, &TRIS);
    let triangles = or_warn(&read, "the triangle list is skipped", warnings);
    let coordinates = table(source, header.ofs_st, header.coordinates, limits::VERTICES, &ST);
    let coordinates = or_warn(&coordinates, "the texture coordinates are skipped", warnings);
    let mut mesh = build_mesh(header, triangles.as_chunks().0, coordinates.as_chunks().0, warnings);
    let without_skin = coordinates.is_empty() && !commands.is_empty();
    if mesh.triangles.is_empty() || without_skin {
        mesh = commands.meshes(0..commands.words.len(), header.vertices, 1).pop().unwrap_or_default();
        if !mesh.triangles.is_empty() {
            let message = "the table cannot be used; the triangles of the GL commands are used instead";
            let about = if without_skin { "num_st" } else { "num_tris" };
            let fault = match header {
                Header { coordinates: 0, .. } => Some(Fault::MissingCoordinates),
                Header { triangles: 0, .. } => Some(Fault::NoTriangles),
                _ => None,
            };
            warnings.push(Warning { fault, ..Warning::new(WarningKind::Substituted, about, message) });
        }
    }
    if mesh.triangles.is_empty() {
        let count = read?.len() / 12;
        let why = super::md3_common::why_nothing_is_drawn(count);
        let (field, at) = header.ofs_tris.counter();
        return Err(source.error(field, at, Reason::Broken(why)));
    }
    Ok(mesh)
}

struct Vertices {
    first: Vec<(u32, u32)>,
    others: HashMap<(u16, u16), u32>,
}

impl Vertices {
    const NONE: u32 = u32::MAX;

    fn new(coordinates: usize) -> Self {
        Self { first: vec![(Self::NONE, 0); coordinates.min(1 << 16)], others: HashMap::default() }
    }

    fn get_or_add(&mut self, position: u16, coordinate: u16, next: u32) -> Option<u32> {
        match self.first.get_mut(usize::from(coordinate)) {
            Some((first, vertex)) if *first == u32::from(position) => return Some(*vertex),
            Some(first) if first.0 == Self::NONE => {
                *first = (position.into(), next);
                return None;
            }
            _ => {}
        }
        let vertex = *self.others.entry((position, coordinate)).or_insert(next);
        (vertex != next).then_some(vertex)
    }
}

fn build_mesh(header: &Header, triangles: &[[u8; 12]], coordinates: &[[u8; 4]], warnings: &mut Warnings) -> Mesh {
    let size = skin_size(header, coordinates, warnings);
    let mut mesh = Mesh::default();
    let mut vertices = Vertices::new(coordinates.len());
    // A typical model has as many vertices as texture coordinates.
    mesh.remap.reserve_exact(coordinates.len());
    mesh.uvs.reserve_exact(coordinates.len());
    mesh.triangles.reserve_exact(triangles.len());
    let (mut dropped, mut unmapped) = (0_usize, 0_usize);
    for record in triangles {
        let [a, b, c, s, t, u] = u16s(record);
        if u32::from(a.max(b).max(c)) >= header.vertices {
            dropped += 1;
            continue;
        }
        let mut corner = |position: u16, coordinate: u16| {
            let st = coordinates.get(usize::from(coordinate));
            unmapped += usize::from(st.is_none());
            let next = u32_or_max(mesh.remap.len());
            vertices.get_or_add(position, coordinate, next).unwrap_or_else(|| {
                // Add half a texel for the texel's centre, as the game's tools do in the GL commands.
                let texel = |st: &[u8; 4]| Vec2::new(f32::from(i16_at(st, 0)), f32::from(i16_at(st, 2))) + 0.5;
                mesh.uvs.push(st.map_or(Vec2::ZERO, |st| texel(st) / size));
                mesh.remap.push(position.into());
                next
            })
        };
        let triangle = [corner(a, s), corner(b, t), corner(c, u)];
        mesh.triangles.push(triangle);
    }
    mesh.remap.shrink_to_fit();
    mesh.uvs.shrink_to_fit();
    if dropped > 0 {
        let total = triangles.len();
        warnings.add(
            WarningKind::LeftOut,
            "tris",
            format!("{dropped} of {total} triangles name vertices that do not exist; skipped"),
        );
    }
    if unmapped > 0 {
        warnings.add(
            WarningKind::Substituted,
            "tris",
            counted(
                unmapped,
                "corner names texture coordinates that do not exist; (0, 0) is used",
                "corners name texture coordinates that do not exist; (0, 0) is used",
            ),
        );
    }
    mesh
}

/// Returns the skin size in the header, because replacement skins have larger images. An invalid size is replaced by
/// the smallest that contains all coordinates.
fn skin_size(header: &Header, coordinates: &[[u8; 4]], warnings: &mut Warnings) -> Vec2 {
    let mut side = |field: &str, claimed: i32, at: usize| {
        if (1..=limits::SKIN_SIDE).contains(&claimed) {
            return claimed as f32;
        }
        let largest = coordinates.iter().map(|st| i16_at(st, at)).max().unwrap_or(0).max(0);
        let size = f32::from(largest) + 1.0;
        let message = format!("the value is {claimed}; {size} is used, which contains every texture coordinate");
        let fault = (claimed < 1).then_some(Fault::SkinSize);
        warnings.push(Warning { fault, ..Warning::new(WarningKind::Substituted, field, message) });
        size
    };
    Vec2::new(side("skinwidth", header.skin_width, 0), side("skinheight", header.skin_height, 2))
}
