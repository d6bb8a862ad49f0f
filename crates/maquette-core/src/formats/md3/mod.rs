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
use crate::formats::chunk::{text, vec3_at};
use crate::formats::frame_names;
use crate::formats::md3_common::{
    Chain, DEFAULT_RATE, Losses, chain_start, frame_count, hold_last_frame, limits, next_of_chain, read_frames,
    read_shaders, read_texture_coordinates, read_triangles, records, short_vertices, surface_called, surface_error,
    version, vertices_there, warn_about_end, warn_about_start,
};
use crate::formats::{FormatDef, FormatWriter, write::with_lods};
use crate::model::{
    AnimationFiles, Companions, Detail, Format, FormatData, LodStorage, MaterialStorage, ModelParts, MorphMotion,
    MorphTrack, Motion, NameLimits, PackedVertices, Precision, ShortVertex, Surface, SurfaceData, TagFrame, TagStorage,
    TagTrack, is_usable, u32_or_max,
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

const TAGS: Record = Record::new(
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

struct Header {
    name: String,
    flags: i32,
    frames: u32,
    tags: u32,
    surfaces: u32,
    surfaces_at: u64,
    skins: i32,
    ofs_frames: Offset,
    ofs_tags: Offset,
    ofs_surfaces: Offset,
    ofs_end: Offset,
}

/// Loads an MD3.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let head = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let version = version(&mut reader, 15)?;
    let header = read_header(&mut reader)?;
    drop(head);
    let tables =
        [(header.frames, header.ofs_frames), (header.tags, header.ofs_tags), (header.surfaces, header.ofs_surfaces)];
    warn_about_end(source, header.ofs_end, &tables, warnings);

    let frames = read_frames(source, header.ofs_frames, header.frames, warnings)?;
    let (tags, tag_track) = read_tags(source, &header, warnings);
    let (mut surfaces, mut tracks) = (Vec::new(), Vec::new());
    let mut losses = Losses::default();
    let mut next = chain_start(source, 0, header.ofs_surfaces, header.surfaces)?;
    for index in 0..header.surfaces {
        let Some(start) = next else { break };
        let _group = source.group_of(PartKind::Surface.at(surfaces.len()), || format!("surface {index}"));
        let before = warnings.count();
        match read_surface(source, start.at, index, header.frames, warnings) {
            Ok((surface, track)) => {
                warn_about_start(source, start, &surface, warnings);
                surfaces.push(surface);
                tracks.push(track);
            }
            Err(error) => {
                let error = surface_error(source, start, error.within(&format!("surface {index}")));
                losses.add(error, before, warnings);
            }
        }
        let chain = Chain { about: "", index, count: header.surfaces, counted_at: header.surfaces_at };
        next = next_of_chain(source, start.at, SURFACE_HEADER, &chain, warnings);
    }
    losses.check(surfaces.is_empty() && !source.is_salvaged())?;
    Ok(ModelParts {
        format: Format::Md3,
        version: Some(version),
        name: header.name,
        clips: frame_names::clips_or_all(&frames, DEFAULT_RATE),
        alternative_clips: Vec::new(),
        surfaces,
        frames,
        tags,
        skins: Vec::new(),
        motion: Motion::Morph(MorphMotion { surfaces: tracks, tags: tag_track }),
        data: FormatData { flags: header.flags, skin_count: header.skins, ..FormatData::default() },
        details: vec![Detail::flags(header.flags), Detail::text("numSkins", header.skins)],
    })
}

fn read_header(reader: &mut ByteReader) -> Result<Header, LoadError> {
    let name = reader.name("name", 64)?;
    let flags = reader.i32("flags")?;
    let frames_at = reader.position();
    let frames = frame_count(reader, "numFrames")?;
    let tags_at = reader.position();
    let tags = reader.count("numTags", limits::TAGS)?;
    let surfaces_at = reader.position();
    Ok(Header {
        name,
        flags,
        frames,
        tags,
        surfaces_at,
        surfaces: reader.count("numSurfaces", limits::SURFACES)?,
        skins: reader.i32("numSkins")?,
        ofs_frames: reader.offset("ofsFrames")?.counted_by("numFrames", frames_at),
        ofs_tags: reader.offset("ofsTags")?.counted_by("numTags", tags_at),
        ofs_surfaces: reader.offset("ofsSurfaces")?,
        ofs_end: reader.offset("ofsEnd")?,
    })
}

/// Reads the tags. The file repeats their names in every frame; the names of frame 0 apply. If the table lies outside
/// the file, only the tags are lost.
fn read_tags(source: &Source, header: &Header, warnings: &mut Warnings) -> (Vec<String>, TagTrack) {
    let count = u64::from(header.frames) * u64::from(header.tags);
    let table = match source.start().table(0, header.ofs_tags, count, &TAGS) {
        Ok(table) => table.as_chunks::<112>().0,
        Err(error) => {
            let message = format!("the tags are skipped: {}", error.reason);
            warnings.add_error(WarningKind::LeftOut, error.field.as_str(), message, &error);
            &[]
        }
    };
    let mut names: Vec<String> = table.iter().take(header.tags as usize).map(|record| text(&record[..64])).collect();
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
    let mut tags: Vec<TagFrame> = tags.collect();
    hold_last_frame(&source.start(), &mut tags, header.tags, header.frames);
    if tags.is_empty() {
        names.clear();
    }
    if broken > 0 {
        warnings.add(
            WarningKind::Substituted,
            "tags",
            format!(
                "{broken} have numbers that are not finite or beyond a billion; the origin without rotation is used for them"
            ),
        );
    }
    (names, TagTrack::Axes(tags))
}

fn read_surface(
    source: &Source,
    start: u64,
    index: u32,
    frames: u32,
    warnings: &mut Warnings,
) -> Result<(Surface, MorphTrack), LoadError> {
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
        data: SurfaceData { flags, ..SurfaceData::default() },
        details: vec![Detail::flags(flags), Detail::text("numFrames", own_frames)],
        ..Surface::default()
    };
    let track = MorphTrack { stored: vertices, frame_count, remap: None, vertices: PackedVertices::Shorts(packed) };
    Ok((surface, track))
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
