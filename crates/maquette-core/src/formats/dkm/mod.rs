//! DKM (Daikatana): an MD2 with surfaces and groups of frames. `DKMD`, version 1 or 2.
//!
//! Source of the layout: yquake2 remaster `models.c` (`Mod_LoadModel_DKM`). The normals of version 2 are indices into a table
//! that is not known, so they are computed from the triangles.
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 88 |
//! | skins | file, `ofs_skins` | `num_skins` | 64: path of an image |
//! | texture coordinates | file, `ofs_st` | `num_st` | 4: s, t, signed; 256 is the whole skin |
//! | triangles | file, `ofs_tris` | `num_tris` | 16: surface, frames of an animated skin, vertex indices, texture coordinate indices |
//! | frames | file, `ofs_frames` | `num_frames` | `framesize`: scale, translation, 16-character name, vertices |
//! | vertices of version 1 | frame + 40 | `num_xyz` | 4: x y z, normal index |
//! | vertices of version 2 | frame + 40 | `num_xyz` | 5: x y z in 11, 10 and 11 bits, normal index |
//! | groups | file, `ofs_animgroup` | `num_animgroup` | 24: 16-character name, first and last frame |

use glam::{Vec2, Vec3};

use super::chunk::{i16_at, i32_at, u16_at};
use super::md2_common::{self, FrameTable, Mesh, limits};
use super::table_normals::NormalMender;
use super::{FormatDef, frame_names, md3_common};
use crate::bytes::{Column, Kind, Offset, PartKind, Record, Source};
use crate::error::{Fault, LoadError, Reason, WarningKind, Warnings, counted};
use crate::limits::MAX_CLIPS;
use crate::model::{
    Clip, ClipSource, Detail, FloatVertex, Format, FrameInfo, ModelParts, PackedVertices, smooth_normals, u32_or_max,
};

/// Daikatana, `DKMD` version 1 or 2.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "dkm",
    title: "DKM",
    extensions: &["dkm"],
    media_type: "model/x-daikatana-dkm",
    signature: "DKMD",
    size_at: Some(76),
    game: "Daikatana",
    version: 1,
    load,
    ..md2_common::RELATIVE
};

const TRIS: Record = Record::new(
    "tris",
    &[
        Column::new("surface", Kind::I16, 1),
        Column::new("uvframes", Kind::I16, 1),
        Column::new("index_xyz", Kind::U16, 3),
        Column::new("index_st", Kind::U16, 3),
    ],
)
.holding(PartKind::Triangle);
const LONG_VERTICES: Record =
    Record::new("verts", &[Column::new("xyz", Kind::U8, 4), Column::new("lightnormalindex", Kind::U8, 1)])
        .holding(PartKind::StoredVertex);
const GROUPS: Record = Record::new(
    "animgroups",
    &[Column::new("name", Kind::Text, 16), Column::new("first", Kind::I32, 1), Column::new("last", Kind::I32, 1)],
);

struct Header {
    version: i32,
    translate: Vec3,
    skins: i32,
    coordinates: i32,
    triangles: i32,
    surfaces: u32,
    groups: i32,
    ofs_skins: Offset,
    ofs_st: Offset,
    ofs_tris: Offset,
    ofs_groups: Offset,
    frames: FrameTable,
}

/// Loads a DKM.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let header = read_header(source)?;
    let skins = md2_common::read_skins(source, header.ofs_skins, header.skins, warnings);
    let meshes = read_meshes(source, &header, warnings)?;
    let triangles = md2_common::stored_triangles(&meshes);
    let stored = header.frames.vertices;
    let (mut frames, vertices) = if header.version == 1 {
        let remap: Vec<u32> = (0..stored).collect();
        let (frames, mut scales, vertices) =
            md2_common::read_frames(source, &header.frames, &triangles, &remap, warnings)?;
        scales.iter_mut().for_each(|frame| frame.translate += header.translate);
        (frames, PackedVertices::Bytes { frames: scales, vertices })
    } else {
        read_long_vertices(source, &header, &triangles, warnings)?
    };
    for bounds in frames.iter_mut().filter_map(|frame| frame.bounds.as_mut()) {
        (bounds.min, bounds.max) = (bounds.min + header.translate, bounds.max + header.translate);
    }
    let clips = read_clips(source, &header, &frames, warnings);
    let details = vec![
        Detail::text("framesize", header.frames.stride.0),
        Detail::text("num_xyz", stored),
        Detail::text("num_st", header.coordinates),
        Detail::text("num_tris", header.triangles),
        Detail::text("num_surf", header.surfaces),
    ];
    let parts = ModelParts { version: Some(header.version), skins, details, ..ModelParts::empty(Format::Dkm) };
    md2_common::divided(source, (stored, vertices), ModelParts { frames, clips, ..parts }, meshes)
}

fn read_header(source: &Source) -> Result<Header, LoadError> {
    let _group = source.group_of(PartKind::Header.at(0), || "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let at = reader;
    let mut version = reader.i32("version")?;
    if !(1..=2).contains(&version) {
        let reason = Reason::UnsupportedVersion { found: version.into(), supported: "1 or 2".to_owned() };
        at.forgive(at.error("version", reason), || "it is read as version 1".to_owned())?;
        version = 1;
    }
    let at_translate = reader;
    let translate = reader.vec3("translate")?;
    if !translate.to_array().into_iter().all(crate::model::is_usable) {
        let why = "a number is not finite or beyond a billion".to_owned();
        return Err(at_translate.error("translate", Reason::Broken(why)));
    }
    let (frame_size, (skins, skins_at), vertices) =
        md2_common::read_sizes(&mut reader, if version == 1 { 4 } else { 5 })?;
    let coordinates_at = reader.position();
    let coordinates = reader.i32("num_st")?;
    let triangles_at = reader.position();
    let triangles = reader.i32("num_tris")?;
    reader.i32("num_glcmds")?;
    let frames_at = reader.position();
    let count = md3_common::frame_count(&mut reader, "num_frames")?;
    let surfaces = reader.count("num_surf", md3_common::limits::SURFACES)?;
    let ofs_skins = reader.offset("ofs_skins")?.counted_by("num_skins", skins_at);
    let ofs_st = reader.offset("ofs_st")?.counted_by("num_st", coordinates_at);
    let ofs_tris = reader.offset("ofs_tris")?.counted_by("num_tris", triangles_at);
    let ofs_frames = reader.offset("ofs_frames")?.counted_by("num_frames", frames_at);
    reader.i32("ofs_glcmds")?;
    reader.i32("ofs_surf")?;
    let end = reader.offset("ofs_end")?;
    if end.target(0) > i64::try_from(source.len()).unwrap_or(i64::MAX) {
        source.forgive(source.outside(0, end, 0), || "the size of the file is used".to_owned())?;
    }
    let frames = FrameTable::of_bytes(ofs_frames, count, frame_size, vertices);
    let groups_at = reader.position();
    let groups = reader.i32("num_animgroup")?;
    Ok(Header {
        version,
        translate,
        skins,
        coordinates,
        triangles,
        surfaces,
        groups,
        ofs_skins,
        ofs_st,
        ofs_tris,
        ofs_groups: reader.offset("ofs_animgroup")?.counted_by("num_animgroup", groups_at),
        frames: if version == 1 { frames } else { FrameTable { layout: LONG_VERTICES, largest: LONG_STEPS, ..frames } },
    })
}

fn read_meshes(source: &Source, header: &Header, warnings: &mut Warnings) -> Result<Vec<Mesh>, LoadError> {
    let tris = md2_common::table(source, header.ofs_tris, header.triangles, limits::TRIANGLES, &TRIS)?;
    let st = md2_common::table(source, header.ofs_st, header.coordinates, limits::VERTICES, &md2_common::ST);
    let st = md2_common::or_warn(&st, "the texture coordinates are skipped", warnings).as_chunks::<4>().0;
    let texel = |st: &[u8; 4]| Vec2::new(f32::from(i16_at(st, 0)), f32::from(i16_at(st, 2))) / 256.0;
    let surface_of = |record: &[u8; 16]| {
        let surface = u32::from(u16_at(record, 0));
        // A surface that does not exist is drawn as the first.
        if surface < header.surfaces { surface as usize } else { 0 }
    };
    let mut by_surface: Vec<Vec<([u16; 3], [u16; 3])>> = Vec::new();
    for record in tris.as_chunks::<16>().0 {
        let surface = surface_of(record);
        if by_surface.len() <= surface {
            by_surface.resize(surface + 1, Vec::new());
        }
        let at = |from: usize| [0, 2, 4].map(|corner| u16_at(record, from + corner));
        if let Some(triangles) = by_surface.get_mut(surface) {
            triangles.push((at(4), at(10)));
        }
    }
    by_surface.retain(|triangles| !triangles.is_empty());
    if by_surface.is_empty() {
        by_surface.push(Vec::new());
    }
    let vertices = header.frames.vertices;
    let (count, mut meshes, mut refused) = (by_surface.len(), Vec::new(), None);
    for triangles in by_surface {
        match md2_common::listed(source, header.ofs_tris, vertices, st, texel, triangles.into_iter(), warnings) {
            Ok(mesh) => meshes.push(mesh),
            Err(error) => refused = Some(error),
        }
    }
    if let Some(error) = refused.filter(|_| meshes.is_empty()) {
        return Err(error);
    }
    let texts = [
        "surface has only triangles of vertices that do not exist; skipped",
        "surfaces have only triangles of vertices that do not exist; skipped",
    ];
    warnings.add_counted_fault(Fault::UnknownVertex, WarningKind::LeftOut, "tris", count - meshes.len(), texts);
    Ok(meshes)
}

/// Largest coordinates of the vertices of version 2.
const LONG_STEPS: Vec3 = Vec3::new(2047.0, 1023.0, 2047.0);

/// Reads the frames of version 2, and computes normals as long as that takes little time.
fn read_long_vertices(
    source: &Source,
    header: &Header,
    triangles: &[[u32; 3]],
    warnings: &mut Warnings,
) -> Result<(Vec<FrameInfo>, PackedVertices), LoadError> {
    let count = header.frames.vertices as usize;
    let packed = md2_common::read_packed_frames(source, &header.frames, warnings)?;
    let (mut frames, mut vertices) = (Vec::with_capacity(packed.len()), Vec::with_capacity(packed.len() * count));
    let mut left = NormalMender::MAX_VISITS;
    for (info, scale, rest) in packed {
        let translate = scale.translate + header.translate;
        let position = |vertex: &[u8; 5]| {
            let bits = i32_at(vertex, 0).cast_unsigned();
            let [x, y, z] = [bits >> 21, bits >> 11 & 1023, bits & 2047].map(|steps| steps as f32);
            Vec3::new(x, y, z) * scale.scale + translate
        };
        let positions: Vec<Vec3> = rest.as_chunks::<5>().0.iter().take(count).map(position).collect();
        let work = count + triangles.len();
        let normals = if work <= left { smooth_normals(&positions, triangles) } else { vec![Vec3::Z; count] };
        left = left.saturating_sub(work);
        let pairs = positions.into_iter().zip(normals);
        vertices.extend(pairs.map(|(position, normal)| FloatVertex { position, normal }));
        frames.push(info);
    }
    Ok((frames, PackedVertices::Floats(vertices)))
}

/// Returns the groups of frames as clips, or clips by the names of the frames without groups.
fn read_clips(source: &Source, header: &Header, frames: &[FrameInfo], warnings: &mut Warnings) -> Vec<Clip> {
    let most = u32_or_max(MAX_CLIPS);
    let groups = if header.groups == 0 {
        Ok(&[][..])
    } else {
        md2_common::table(source, header.ofs_groups, header.groups, most, &GROUPS)
    };
    let groups = md2_common::or_warn(&groups, "the groups of frames are skipped", warnings).as_chunks::<24>().0;
    let clip = |group: &[u8; 24]| {
        let first = u32::try_from(i32_at(group, 16)).ok()?;
        let last = u32::try_from(i32_at(group, 20)).ok()?.min(u32_or_max(frames.len()).checked_sub(1)?);
        let count = last.checked_sub(first)?.checked_add(1)?;
        Some(Clip::new(source.text(&group[..16]), first, count, FORMAT.usual_rate, ClipSource::FrameGroup))
    };
    let mut clips: Vec<Clip> = groups.iter().filter_map(clip).collect();
    if clips.len() < groups.len() {
        let dropped = groups.len() - clips.len();
        let message = counted(
            dropped,
            "group has no frames of the model; skipped",
            "groups have no frames of the model; skipped",
        );
        warnings.add(WarningKind::LeftOut, "animgroups", message);
    }
    frame_names::number_repeats(&mut clips);
    if clips.is_empty() { md2_common::named_clips(frames, FORMAT.usual_rate) } else { clips }
}
