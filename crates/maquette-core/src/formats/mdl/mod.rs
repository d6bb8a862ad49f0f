//! MDL (Quake): 8-bit vertices per pose, one surface, skins inside the file. `IDPO`, version 6.
//!
//! Source of the layout: the published description "Quake MDL (Kaitai)" and the engine's `modelgen.h`. The file has no
//! offsets; each chunk follows the previous one. Editors append data of their own, which is ignored.
//!
//! | chunk | count | bytes each |
//! |---|---|---|
//! | header | 1 | 84: 32-bit numbers |
//! | skins | `numskins` | varies, see `skins.rs` |
//! | texture coordinates | `numverts` | 12: whether the vertex is on the seam; s, t in texels |
//! | triangles | `numtris` | 16: whether the triangle is on the front of the skin; three vertex indices |
//! | frames | `numframes` | varies, see `frames.rs` |
//!
//! The left half of a skin shows the front of the model, the right half its back. A vertex on the seam belongs to both:
//! for triangles on the back, its texture coordinate is half a skin further right. Such a vertex becomes two vertices of the surface,
//! in order of first use.

mod frames;
mod skins;
mod write;

use crate::convert;
use crate::formats::{FormatDef, FormatWriter, write::single};
use glam::{Vec2, Vec3};

pub(crate) use frames::clips;
pub use write::write;

use super::chunk::i32_at;
use super::{frame_names, md3_common};
use crate::bytes::{ByteReader, Column, Kind, PartKind, Record, Source};
use crate::error::{Fault, LoadError, Reason, WarningKind, Warnings};
use crate::model::{
    ByteFrame, Detail, DetailValue, EmbeddedSkin, Format, FormatData, MaterialStorage, ModelParts, MorphMotion,
    MorphTrack, Motion, NameLimits, PackedVertices, Precision, ScriptOrder, Surface, SurfaceStorage, TagTrack,
    is_usable, u32_or_max,
};

/// Quake, `IDPO` version 6.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "mdl",
    title: "MDL",
    extensions: &["mdl"],
    media_type: "model/x-quake-mdl",
    signature: "IDPO",
    game: "Quake",
    version: 6,
    surfaces: SurfaceStorage::One,
    materials: MaterialStorage::Inside,
    precision: Precision::Bytes,
    whole_texels: true,
    names_frames: true,
    name_limits: NameLimits { surface: None, tag: None, frame: Some(15) },
    scripts: ScriptOrder::None,
    alpha_without_script: true,
    writer: Some(FormatWriter {
        model_name: "Quake model",
        holds: "frames of one surface in steps of 1/255 of their common box, and a skin in Quake’s colours",
        write: |model| write(model).map(single),
        convert: convert::mdl::convert,
        bytes_of_frame: |counts, _| counts.vertices * 4,
        sampling_rate: 10.0,
    }),
    ..FormatDef::plain(load)
};

const RATE: f32 = FORMAT.usual_rate;

/// Flag of the header in `QuakeSpasm` and Mark V: colour 255 of the skins is transparent.
pub(crate) const CUTOUTS: i32 = 0x4000;

/// Limits of accepted files; the game stops at 256 poses, 32 skins, 1024 vertices, 2048 triangles.
mod limits {
    pub const SKINS: u32 = 1 << 12;
    pub const SKIN_TEXELS: u64 = 1 << 26;
    pub const VERTICES: u32 = 1 << 24;
    pub const TRIANGLES: u32 = 1 << 25;
    pub const POSES: u32 = 1 << 20;
}

const STVERTS: Record = Record::new(
    "stverts",
    &[Column::new("onseam", Kind::I32, 1), Column::new("s", Kind::I32, 1), Column::new("t", Kind::I32, 1)],
);
const TRIANGLES: Record =
    Record::new("triangles", &[Column::new("facesfront", Kind::I32, 1), Column::new("vertindex", Kind::I32, 3)])
        .holding(PartKind::Triangle);

/// Fields of the header that count records, with their positions.
const SKIN_HEIGHT: (&str, u64) = ("skinheight", 56);
const NUM_VERTS: (&str, u64) = ("numverts", 60);
const NUM_TRIS: (&str, u64) = ("numtris", 64);

struct Header {
    version: i32,
    scale: ByteFrame,
    skins: u32,
    skin_width: u32,
    skin_height: u32,
    vertices: u32,
    triangles: u32,
    frames: u32,
    has_cutouts: bool,
    data: FormatData,
    details: Vec<Detail>,
}

#[derive(Default)]
struct Mesh {
    triangles: Vec<[u32; 3]>,
    remap: Vec<u32>,
    uvs: Vec<Vec2>,
    /// Coordinates as stored, and `facesfront` of each triangle, for the writer.
    stverts: Vec<i32>,
    faces_front: Vec<i32>,
}

/// Loads an MDL.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let mut reader = source.start();
    let header = read_header(source, &mut reader, warnings)?;
    let skins = skins::read(source, &mut reader, &header, warnings)?;
    let mesh = read_mesh(source, &mut reader, &header, warnings)?;
    let frames = frames::read(source, &mut reader, &header, &mesh, warnings)?;

    let names: Vec<String> = skins.iter().map(|skin| skin.name.clone()).collect();
    let surface = Surface { materials: names.clone(), triangles: mesh.triangles, uvs: mesh.uvs, ..Surface::default() };
    let count = frames.infos.len();
    let track = MorphTrack {
        stored: header.vertices,
        frame_count: u32_or_max(count),
        remap: Some(mesh.remap),
        vertices: PackedVertices::Bytes { frames: vec![header.scale; count], vertices: frames.vertices },
    };
    let alternative_clips = frame_names::quake_player(&frames.infos, &frames.clips);
    let (seams, faces_front) = (mesh.stverts.into(), mesh.faces_front.into());
    let summaries = skins.iter().map(EmbeddedSkin::summary).collect();
    let mut details = header.details;
    details.extend([
        Detail::integers("stverts", &seams),
        Detail::integers("facesfront", &faces_front),
        Detail { label: "skins", value: DetailValue::Texts(summaries) },
    ]);
    let data = FormatData { embedded_skins: skins, seams: Some(seams), faces_front, ..header.data };
    Ok(ModelParts {
        version: Some(header.version),
        surfaces: vec![surface],
        frames: frames.infos,
        clips: frames.clips,
        alternative_clips,
        skins: names,
        motion: Motion::Morph(MorphMotion { surfaces: vec![track], tags: TagTrack::Axes(Vec::new()) }),
        data,
        details,
        ..ModelParts::empty(Format::Mdl)
    })
}

fn read_header(source: &Source, reader: &mut ByteReader, warnings: &mut Warnings) -> Result<Header, LoadError> {
    let _group = source.group_of(PartKind::Header.at(0), || "header".to_owned());
    reader.name("ident", 4)?;
    let version = md3_common::version(reader, 6)?;
    let scale = ByteFrame {
        scale: usable(reader.vec3("scale")?, "scale", warnings),
        translate: usable(reader.vec3("scale_origin")?, "scale_origin", warnings),
    };
    let radius = reader.f32("boundingradius")?;
    let eye = reader.vec3("eyeposition")?;
    let skins = reader.count("numskins", limits::SKINS)?;
    let skin_width = positive(reader, "skinwidth", u32::MAX)?;
    let skin_height = positive(reader, "skinheight", u32::MAX)?;
    let texels = u64::from(skin_width) * u64::from(skin_height);
    if texels > limits::SKIN_TEXELS {
        let (field, at) = SKIN_HEIGHT;
        let why = format!("a skin has {texels} texels; expected at most {}", limits::SKIN_TEXELS);
        return Err(source.error(field, at, Reason::Broken(why)));
    }
    let vertices = positive(reader, "numverts", limits::VERTICES)?;
    let triangles = positive(reader, "numtris", limits::TRIANGLES)?;
    let frames = md3_common::frame_count(reader, "numframes")?;
    let synctype = reader.i32("synctype")?;
    let flags = reader.i32("flags")?;
    let mean_area = reader.f32("size")?;
    let details = vec![
        Detail::text("boundingradius", radius),
        Detail::text("eyeposition", format!("{} {} {}", eye.x, eye.y, eye.z)),
        Detail::text("skinwidth", skin_width),
        Detail::text("skinheight", skin_height),
        Detail::text("numverts", vertices),
        Detail::text("numtris", triangles),
        Detail::text("synctype", synctype),
        Detail::flags(flags),
        Detail::text("size", mean_area),
    ];
    Ok(Header {
        version,
        scale,
        skins,
        skin_width,
        skin_height,
        vertices,
        triangles,
        frames,
        has_cutouts: flags & CUTOUTS != 0,
        data: FormatData {
            flags,
            skin_size: Some([skin_width.cast_signed(), skin_height.cast_signed()]),
            radius,
            eye_position: eye,
            sync_type: synctype,
            mean_area,
            ..FormatData::default()
        },
        details,
    })
}

fn positive(reader: &mut ByteReader, field: &'static str, max: u32) -> Result<u32, LoadError> {
    let at = *reader;
    match reader.count(field, max)? {
        0 => Err(at.error(field, Reason::Broken("the value must be at least 1".to_owned()))),
        value => Ok(value),
    }
}

fn usable(vector: Vec3, field: &str, warnings: &mut Warnings) -> Vec3 {
    let numbers = vector.to_array();
    if !numbers.into_iter().all(is_usable) {
        let message = "a number is not finite or beyond a billion; replaced by 0";
        warnings.add(WarningKind::Substituted, field, message);
    }
    Vec3::from_array(numbers.map(|number| if is_usable(number) { number } else { 0.0 }))
}

fn read_mesh(
    source: &Source,
    reader: &mut ByteReader,
    header: &Header,
    warnings: &mut Warnings,
) -> Result<Mesh, LoadError> {
    let (vertices, triangles) = (header.vertices, header.triangles);
    let coordinates = reader.next_table(NUM_VERTS, vertices.into(), &STVERTS)?.as_chunks::<12>().0;
    let records = reader.next_table(NUM_TRIS, triangles.into(), &TRIANGLES)?.as_chunks::<16>().0;
    let size = Vec2::new(header.skin_width as f32, header.skin_height as f32);
    let half_width = i64::from(header.skin_width / 2);

    let mut mesh = Mesh { triangles: Vec::with_capacity(records.len()), ..Mesh::default() };
    mesh.stverts = coordinates.iter().flat_map(|record| [0, 4, 8].map(|at| i32_at(record, at))).collect();
    // The vertices of the surface for each stored vertex: at its own texture coordinate, and moved to the back.
    let mut known: Vec<[Option<u32>; 2]> = vec![[None; 2]; coordinates.len()];
    for record in records {
        let exists = |at: &usize| usize::try_from(i32_at(record, *at)).is_ok_and(|stored| stored < coordinates.len());
        // The triangle would otherwise leave vertices that no other triangle has.
        if ![4, 8, 12].iter().all(exists) {
            continue;
        }
        let is_front = i32_at(record, 0) != 0;
        let mut corner = |at: usize| {
            let stored = usize::try_from(i32_at(record, at)).ok()?;
            let coordinate = coordinates.get(stored)?;
            let is_moved = !is_front && i32_at(coordinate, 0) != 0;
            let vertex = known.get_mut(stored)?.get_mut(usize::from(is_moved))?;
            Some(*vertex.get_or_insert_with(|| {
                let s = i64::from(i32_at(coordinate, 4)) + if is_moved { half_width } else { 0 };
                let texel = Vec2::new(s as f32, i32_at(coordinate, 8) as f32);
                mesh.uvs.push((texel + 0.5) / size);
                mesh.remap.push(u32_or_max(stored));
                u32_or_max(mesh.remap.len() - 1)
            }))
        };
        if let (Some(a), Some(b), Some(c)) = (corner(4), corner(8), corner(12)) {
            mesh.triangles.push([a, b, c]);
            mesh.faces_front.push(i32_at(record, 0));
        }
    }
    if mesh.triangles.is_empty() {
        let why = md3_common::why_nothing_is_drawn(records.len());
        let (field, at) = NUM_TRIS;
        return Err(source.error(field, at, Reason::Broken(why)));
    }
    let dropped = records.len() - mesh.triangles.len();
    if dropped > 0 {
        let message = format!("{dropped} of {} triangles name vertices that do not exist; skipped", records.len());
        warnings.add_fault(Fault::UnknownVertex, WarningKind::LeftOut, "triangles", message);
    }
    Ok(mesh)
}
