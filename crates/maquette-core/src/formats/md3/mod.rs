//! MD3 (Quake III Arena): 16-bit vertices per frame, tags, several surfaces. `IDP3`, version 15.
//!
//! Source of the layout: the published description "MD3 (PhaethonH)", corrected where engines and real files disagree:
//! clockwise fronts, right-handed space, low normal byte = zenith, frame count from the header (surfaces may contradict
//! it).
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 108 |
//! | frames | file, `ofsFrames` | `numFrames` | 56: box, local origin, radius, 16-character name |
//! | tags | file, `ofsTags` | `numFrames` × `numTags`, frame after frame | 112: 64-character name, origin, three axes |
//! | surfaces | file, `ofsSurfaces`; the next at `ofsEnd` of each | `numSurfaces` | 108 and their tables |
//! | triangles | surface | `numTriangles` | 12: three vertex indices |
//! | shaders | surface | `numShaders` | 68: 64-character name, run-time index |
//! | texture coordinates | surface | `numVerts` | 8 |
//! | vertices | surface | `numFrames` × `numVerts`, frame after frame | 8: x y z in 1/64 units, normal |

mod write;

pub use write::write;

use crate::bytes::{ByteReader, Column, Kind, Offset, PartKind, Record, Source};
use crate::convert;
use crate::error::{Fault, FilePosition, LoadError, Warning, WarningKind, Warnings, counted};
use crate::formats::chunk::vec3_at;
use crate::formats::md3_common::{
    Header, hold_last_frame, limits, load_with, read_header, read_shaders, read_texture_coordinates, read_triangles,
    records, short_vertices, surface_called, vertices_there,
};
use crate::formats::{FormatDef, FormatWriter, write::with_lods};
use crate::model::{
    AnimationFiles, Companions, Detail, Format, LodStorage, MaterialStorage, ModelParts, MorphTrack, NameLimits,
    PackedVertices, Precision, ShortVertex, Surface, SurfaceData, TagFrame, TagStorage, TagTrack, is_usable,
    u32_or_max,
};

/// Quake III Arena, `IDP3` version 15.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "md3",
    title: "MD3",
    extensions: &["md3"],
    media_type: "model/x-quake3-md3",
    signature: "IDP3",
    size_at: Some(104),
    game: "Quake III",
    version: 15,
    sample: Some("umber.md3"),
    materials: MaterialStorage::Several,
    lods: LodStorage::Files,
    tags: TagStorage::Frames,
    precision: Precision::Shorts,
    names_frames: true,
    bounds_frames: true,
    name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: Some(15) },
    companions: Companions { animations: AnimationFiles::None, clip_lists: true, skins: true },
    writer: Some(FormatWriter {
        model_name: "Quake III model",
        holds: "frames of surfaces and tags in steps of 1/64 unit",
        write: |model| with_lods(model, write),
        convert: convert::md3::convert,
        bytes_of_frame: |counts, _| counts.vertices * 8 + counts.tags * 112,
        sampling_rate: 15.0,
    }),
    ..FormatDef::plain(load)
};

pub(super) const TAGS: Record = Record::new(
    "tags",
    &[
        Column::new("name", Kind::Text, 64),
        Column::new("origin", Kind::F32, 3),
        Column::new("axis 0", Kind::F32, 3),
        Column::new("axis 1", Kind::F32, 3),
        Column::new("axis 2", Kind::F32, 3),
    ],
)
.holding(PartKind::FrameTag);

/// Loads an MD3.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let header = read_header(source, Format::Md3, false)?;
    load_with(source, header, SURFACE_HEADER, (read_tags, read_surface), warnings)
}

/// Reads the tags. The file repeats their names in every frame; the names of frame 0 apply. If the table lies outside
/// the file, only the tags are lost.
fn read_tags(source: &Source, header: &Header, warnings: &mut Warnings) -> (Vec<String>, TagTrack) {
    let count = u64::from(header.frames) * u64::from(header.tags);
    let table = match source.start().table(0, header.ofs_tags, count, &TAGS) {
        Ok(table) => table,
        Err(error) => {
            let message = format!("the tags are skipped: {}", error.reason);
            warnings.add_error(WarningKind::LeftOut, error.field.as_str(), message, &error);
            &[]
        }
    };
    let (mut names, mut tags) = tags_of(source, table, header.tags, warnings);
    hold_last_frame(&source.start(), &mut tags, header.tags, header.frames);
    if tags.is_empty() {
        names.clear();
    }
    (names, TagTrack::Axes(tags))
}

/// Returns the names of the first `count` records of a table, and the tags of all records.
pub(super) fn tags_of(
    source: &Source,
    table: &[u8],
    count: u32,
    warnings: &mut Warnings,
) -> (Vec<String>, Vec<TagFrame>) {
    let table = table.as_chunks::<112>().0;
    let names = table.iter().take(count as usize).map(|record| source.text(&record[..64])).collect();
    let mut broken = 0;
    let tags = table.iter().map(|record| {
        let tag = TagFrame {
            origin: vec3_at(record, 64),
            axes: [vec3_at(record, 76), vec3_at(record, 88), vec3_at(record, 100)],
        };
        broken += usize::from(
            !tag.origin.to_array().into_iter().all(is_usable) || tag.axes.iter().any(|axis| !axis.is_finite()),
        );
        tag
    });
    let tags = tags.collect();
    if broken > 0 {
        warnings.add(
            WarningKind::Substituted,
            "tags",
            format!(
                "{broken} have numbers that are not finite or beyond a billion; the origin without rotation is used for them"
            ),
        );
    }
    (names, tags)
}

fn read_surface(
    source: &Source,
    start: u64,
    index: u32,
    frames: u32,
    warnings: &mut Warnings,
) -> Result<Option<(Surface, MorphTrack)>, LoadError> {
    let mut reader = source.at(start);
    reader.name("ident", 4)?;
    let name = reader.name_of(PartKind::SurfaceName.at(0), "name", 64)?;
    let about = surface_called(index, &name);
    let flags = reader.i32("flags")?;
    let own_frames_at = reader.position();
    let own_frames = reader.i32("numFrames")?;
    let num_shaders_at = reader.position();
    let num_shaders = reader.i32("numShaders")?;
    let num_verts_at = reader.position();
    let vertices = reader.count("numVerts", limits::VERTICES)?;
    let num_triangles_at = reader.position();
    let triangles = reader.count("numTriangles", limits::TRIANGLES)?;
    let ofs_triangles = reader.offset("ofsTriangles")?.counted_by("numTriangles", num_triangles_at);
    let ofs_shaders = reader.offset("ofsShaders")?.counted_by("numShaders", num_shaders_at);
    let ofs_st = reader.offset("ofsSt")?.counted_by("numVerts", num_verts_at);
    let ofs_xyz_normals = reader.offset("ofsXyzNormals")?.counted_by("numVerts", num_verts_at);

    if i64::from(own_frames) != i64::from(frames) {
        let message = format!("numFrames is {own_frames}; the header's {frames} is used");
        let position = FilePosition::Byte(own_frames_at);
        let fault = Some(Fault::FrameCount);
        warnings.push(Warning { position, fault, ..Warning::new(WarningKind::Substituted, &about, message) });
    }
    let reader = source.at(start);
    let vertices = vertices_there(source, start, ofs_xyz_normals, vertices)?;
    let triangles = read_triangles(&reader, start, ofs_triangles, triangles, vertices, &about, warnings)?;
    let materials = read_shaders(&reader, start, ofs_shaders, num_shaders, &about, warnings);
    let uvs = read_texture_coordinates(&reader, start, ofs_st, vertices, &about, warnings)?;
    let (packed, frame_count) = read_vertices(&reader, start, ofs_xyz_normals, frames, vertices, &about, warnings)?;
    let surface = Surface {
        name,
        materials,
        triangles,
        uvs,
        data: SurfaceData { flags, ..SurfaceData::default() }.into(),
        details: vec![Detail::flags(flags), Detail::text("numFrames", own_frames)],
        ..Surface::default()
    };
    let track = MorphTrack { stored: vertices, frame_count, remap: None, vertices: PackedVertices::Shorts(packed) };
    Ok(Some((surface, track)))
}

const SURFACE_HEADER: u64 = 108;

fn read_vertices(
    reader: &ByteReader,
    start: u64,
    offset: Offset,
    frames: u32,
    vertices: u32,
    about: &str,
    warnings: &mut Warnings,
) -> Result<(Vec<ShortVertex>, u32), LoadError> {
    let per_frame = u64::from(vertices) * 8;
    let table = |count: u32| {
        let count = u64::from(count) * u64::from(vertices);
        reader.table(start, offset, count, &records::XYZ_NORMALS)
    };
    if vertices == 0 {
        return Ok((Vec::new(), 1));
    }
    let begin = i128::from(offset.target(start));
    let left = i128::from(reader.file_len()) - begin;
    let fitting = u32_or_max(left.max(0) / i128::from(per_frame));
    let count = if begin >= 0 && fitting > 0 { frames.min(fitting) } else { frames };
    if count < frames {
        let rest = counted(frames - count, "frame repeats", "frames repeat");
        let message = format!("the file ends in frame {count}; {rest} the last complete frame");
        warnings.add_at(WarningKind::Truncated, about, message, FilePosition::Byte(offset.at));
    }
    Ok((short_vertices(table(count)?), count))
}
