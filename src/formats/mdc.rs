//! MDC, Return to Castle Wolfenstein: an MD3 whose frames are few full key frames and many small offsets from one of
//! them. `IDPC`, version 2.
//!
//! Source of the layout: the published description "MDC (Prinz)", corrected where engines and real files disagree: an
//! offset step is 0.05 units, not 4/64; nothing is added to a position but the offset (the frame's local origin is for
//! culling); a delta's normal replaces the key frame's; tag angles come in steps of 360/32700 degrees.
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 112 |
//! | frames | file, `ofsFrames` | `numFrames` | 56, as in MD3 |
//! | tag names | file, `ofsTagNames` | `numTags` | 64 |
//! | tags | file, `ofsTags` | `numFrames` × `numTags`, frame after frame | 12: x y z in 1/64 units, pitch yaw roll |
//! | surfaces | file, `ofsSurfaces`; the next at `ofsEnd` of each | `numSurfaces` | 124 and their tables |
//! | triangles, shaders, texture coordinates | surface | as in MD3 | 12, 68, 8 |
//! | key frames | surface, `ofsXyzNormals` | `numBaseFrames` × `numVerts` | 8, as in MD3 |
//! | delta frames | surface, `ofsXyzCompressed` | `numCompFrames` × `numVerts` | 4: dx dy dz biased by 127, normal index |
//! | key of each frame | surface, `ofsFrameBaseFrames` | `numFrames` | 2 |
//! | delta of each frame | surface, `ofsFrameCompFrames` | `numFrames` | 2, negative: none |

use super::chunk::{i16_at, text};
use super::surfaces::{
    DEFAULT_RATE, Losses, frame_count, limits, next_surface, offset_from, read_frames, read_shaders,
    read_texture_coordinates, read_triangles, records, short_vertices, surface_called, warn_about_end, warn_about_rest,
};
use crate::bytes::{ByteReader, Column, Kind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::model::{
    Clip, ClipSource, Detail, Format, KeyDeltaFrame, ModelParts, MorphMotion, MorphTrack, Motion, PackedVertices,
    Surface, TagTrack,
};

const TAG_NAMES: Record = Record::of("tagNames", &[Column::of("name", Kind::Text, 64)]);
const TAGS: Record = Record::of("tags", &[Column::of("xyz", Kind::I16, 3), Column::of("angles", Kind::I16, 3)]);
const XYZ_COMPRESSED: Record =
    Record::of("xyzCompressed", &[Column::of("ofsVec", Kind::U8, 3), Column::of("normal", Kind::U8, 1)]);
const BASE_FRAMES: Record = Record::of("frameBaseFrames", &[Column::of("frame", Kind::I16, 1)]);
const COMP_FRAMES: Record = Record::of("frameCompFrames", &[Column::of("frame", Kind::I16, 1)]);

struct Header {
    name: String,
    flags: i32,
    frames: u32,
    tags: u32,
    surfaces: u32,
    skins: i32,
    ofs_frames: i32,
    ofs_tag_names: i32,
    ofs_tags: i32,
    ofs_surfaces: i32,
    ofs_end: i32,
}

/// Reads a whole MDC.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let head = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let at_version = reader;
    let version = reader.i32("version")?;
    if version != 2 {
        return Err(at_version.error("version", Reason::UnsupportedVersion { found: version.into(), supported: 2 }));
    }
    let header = read_header(&mut reader)?;
    drop(head);
    warn_about_end(source, header.ofs_end, "ofsEnd", warnings);

    let frames = read_frames(source, header.ofs_frames, header.frames, warnings)?;
    let (tags, tag_track) = read_tags(source, &header, warnings);
    let (mut surfaces, mut tracks) = (Vec::new(), Vec::new());
    let mut losses = Losses::default();
    let mut start = offset_from(source, "ofsSurfaces", 0, header.ofs_surfaces, header.surfaces)?;
    for index in 0..header.surfaces {
        let _group = source.group(|| format!("surface {index}"));
        match read_surface(source, start, index, header.frames, warnings) {
            Ok(Some((surface, track))) => {
                surfaces.push(surface);
                tracks.push(track);
            }
            Ok(None) => {}
            Err(error) => losses.add(error.within(&format!("surface {index}")), warnings),
        }
        match next_surface(source, start, SURFACE_HEADER) {
            Some(next) => start = next,
            None => {
                warn_about_rest("", index, header.surfaces, warnings);
                break;
            }
        }
    }
    losses.check(surfaces.is_empty())?;
    Ok(ModelParts {
        format: Format::Mdc,
        version: Some(version),
        name: header.name,
        surfaces,
        frames,
        tags,
        clips: vec![Clip::new("all frames", 0, header.frames, DEFAULT_RATE, ClipSource::AllFrames)],
        alternative_clips: Vec::new(),
        skins: Vec::new(),
        motion: Motion::Morph(MorphMotion { surfaces: tracks, tags: tag_track }),
        details: vec![Detail::text("flags", format!("{:#x}", header.flags)), Detail::text("numSkins", header.skins)],
    })
}

fn read_header(reader: &mut ByteReader) -> Result<Header, LoadError> {
    let name = reader.name("name", 64)?;
    let flags = reader.i32("flags")?;
    let frames = frame_count(reader)?;
    Ok(Header {
        name,
        flags,
        frames,
        tags: reader.count("numTags", limits::TAGS)?,
        surfaces: reader.count("numSurfaces", limits::SURFACES)?,
        skins: reader.i32("numSkins")?,
        ofs_frames: reader.i32("ofsFrames")?,
        ofs_tag_names: reader.i32("ofsTagNames")?,
        ofs_tags: reader.i32("ofsTags")?,
        ofs_surfaces: reader.i32("ofsSurfaces")?,
        ofs_end: reader.i32("ofsEnd")?,
    })
}

/// Names once, then places and angles frame after frame. A table outside the file costs the tags, not the model.
fn read_tags(source: &Source, header: &Header, warnings: &mut Warnings) -> (Vec<String>, TagTrack) {
    let start = source.start();
    let count = u64::from(header.frames) * u64::from(header.tags);
    let names = start.table("ofsTagNames", 0, header.ofs_tag_names, header.tags.into(), &TAG_NAMES);
    let tags = start.table("ofsTags", 0, header.ofs_tags, count, &TAGS);
    match (names, tags) {
        (Ok(names), Ok(tags)) => {
            let read = |record: &[u8; 12]| [0, 2, 4, 6, 8, 10].map(|at| i16_at(record, at));
            let names = names.as_chunks::<64>().0.iter().map(|record| text(record)).collect();
            (names, TagTrack::Angles(tags.as_chunks::<12>().0.iter().map(read).collect()))
        }
        (Err(error), _) | (_, Err(error)) => {
            warnings.add(WarningKind::LeftOut, error.field, format!("the tags are left out: {}", error.reason));
            (Vec::new(), TagTrack::Angles(Vec::new()))
        }
    }
}

const SURFACE_HEADER: u64 = 124;

struct SurfaceHeader {
    start: u64,
    name: String,
    about: String,
    flags: i32,
    comp_frames: u32,
    base_frames: u32,
    shaders: i32,
    vertices: u32,
    triangles: u32,
    ofs_triangles: i32,
    ofs_shaders: i32,
    ofs_st: i32,
    ofs_xyz_normals: i32,
    ofs_xyz_compressed: i32,
    ofs_frame_base_frames: i32,
    ofs_frame_comp_frames: i32,
}

fn read_surface_header(source: &Source, start: u64, index: u32) -> Result<SurfaceHeader, LoadError> {
    let mut reader = source.at(start);
    reader.name("ident", 4)?;
    let name = reader.name("name", 64)?;
    Ok(SurfaceHeader {
        start,
        about: surface_called(index, &name),
        name,
        flags: reader.i32("flags")?,
        comp_frames: reader.count("numCompFrames", limits::FRAMES)?,
        base_frames: reader.count("numBaseFrames", limits::FRAMES)?,
        shaders: reader.i32("numShaders")?,
        vertices: reader.count("numVerts", limits::VERTICES)?,
        triangles: reader.count("numTriangles", limits::TRIANGLES)?,
        ofs_triangles: reader.i32("ofsTriangles")?,
        ofs_shaders: reader.i32("ofsShaders")?,
        ofs_st: reader.i32("ofsSt")?,
        ofs_xyz_normals: reader.i32("ofsXyzNormals")?,
        ofs_xyz_compressed: reader.i32("ofsXyzCompressed")?,
        ofs_frame_base_frames: reader.i32("ofsFrameBaseFrames")?,
        ofs_frame_comp_frames: reader.i32("ofsFrameCompFrames")?,
    })
}

/// One surface; none, with a warning, if it does not say what its frames are made of.
fn read_surface(
    source: &Source,
    start: u64,
    index: u32,
    frames: u32,
    warnings: &mut Warnings,
) -> Result<Option<(Surface, MorphTrack)>, LoadError> {
    let head = &read_surface_header(source, start, index)?;
    let (reader, about) = (source.at(start), head.about.as_str());
    let deltas = read_deltas(&reader, head, warnings);
    let table = match read_frame_table(&reader, head, frames, deltas.is_some(), warnings) {
        Ok(table) => table,
        Err(why) => {
            warnings.add(WarningKind::LeftOut, about, format!("skipped: {why}"));
            return Ok(None);
        }
    };
    let triangles = read_triangles(&reader, start, head.ofs_triangles, head.triangles, head.vertices, about, warnings)?;
    let materials = read_shaders(&reader, start, head.ofs_shaders, head.shaders, about, warnings);
    let uvs = read_texture_coordinates(&reader, start, head.ofs_st, head.vertices, about, warnings)?;
    let count = u64::from(head.base_frames) * u64::from(head.vertices);
    let keys =
        short_vertices(reader.table("ofsXyzNormals", start, head.ofs_xyz_normals, count, &records::XYZ_NORMALS)?);
    let surface = Surface {
        // Eyelids: the game draws them only while the character blinks.
        hidden: head.name.eq_ignore_ascii_case("h_blink"),
        name: head.name.clone(),
        lod: 0,
        materials,
        triangles,
        uvs,
        details: vec![
            Detail::text("flags", format!("{:#x}", head.flags)),
            Detail::text("numBaseFrames", head.base_frames),
            Detail::text("numCompFrames", head.comp_frames),
            Detail::integers("frameBaseFrames", table.iter().map(|frame| frame.key.into()).collect()),
            Detail::integers("frameCompFrames", table.iter().map(|frame| frame.delta.map_or(-1, i32::from)).collect()),
        ],
    };
    let deltas = deltas.unwrap_or_default();
    let vertices = PackedVertices::KeyDeltas { keys, deltas, frames: table };
    Ok(Some((surface, MorphTrack { stored: head.vertices, frame_count: frames, remap: None, vertices })))
}

/// The delta frames, if there are any that can be used.
fn read_deltas(reader: &ByteReader, head: &SurfaceHeader, warnings: &mut Warnings) -> Option<Vec<[u8; 4]>> {
    if head.comp_frames == 0 {
        return None;
    }
    let count = u64::from(head.comp_frames) * u64::from(head.vertices);
    match reader.table("ofsXyzCompressed", head.start, head.ofs_xyz_compressed, count, &XYZ_COMPRESSED) {
        Ok(table) => Some(table.as_chunks::<4>().0.to_vec()),
        Err(error) => {
            warnings.add(
                WarningKind::LeftOut,
                &head.about,
                format!("only its key frames are shown; ofsXyzCompressed: {}", error.reason),
            );
            None
        }
    }
}

/// Which key frame and which delta frame every frame is made of. The table of deltas may be absent where there are none.
fn read_frame_table(
    reader: &ByteReader,
    head: &SurfaceHeader,
    frames: u32,
    with_deltas: bool,
    warnings: &mut Warnings,
) -> Result<Vec<KeyDeltaFrame>, String> {
    let words = |field: &'static str, offset: i32, record: &Record| {
        // Before the surface lies another table, whose numbers would be taken for frames.
        if offset < 0 {
            return Err(format!("{field} is {offset}, before the surface"));
        }
        let table = reader.table(field, head.start, offset, frames.into(), record);
        table.map(|table| table.as_chunks::<2>().0).map_err(|error| format!("{field}: {}", error.reason))
    };
    let last = head.base_frames.checked_sub(1).ok_or("numBaseFrames is 0")?;
    let keys = words("ofsFrameBaseFrames", head.ofs_frame_base_frames, &BASE_FRAMES)?;
    let deltas = if with_deltas {
        words("ofsFrameCompFrames", head.ofs_frame_comp_frames, &COMP_FRAMES).unwrap_or_else(|why| {
            warnings.add(WarningKind::LeftOut, &head.about, format!("only its key frames are shown; {why}"));
            &[]
        })
    } else {
        &[]
    };
    let (mut beyond, mut unknown) = (0, 0);
    let mut table = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        let key = i16_at(key, 0);
        let Ok(mut key) = u16::try_from(key) else { return Err(format!("frame {index} is made of key frame {key}")) };
        if u32::from(key) > last {
            beyond += 1;
            key = u16::try_from(last).unwrap_or(u16::MAX);
        }
        let delta = deltas.get(index).and_then(|delta| u16::try_from(i16_at(delta, 0)).ok());
        let known = delta.filter(|delta| u32::from(*delta) < head.comp_frames);
        unknown += usize::from(known != delta);
        table.push(KeyDeltaFrame { key, delta: known });
    }
    if beyond > 0 {
        warnings.add(
            WarningKind::Substituted,
            &head.about,
            format!("{beyond} frames name a key frame that is not there; the last one is used"),
        );
    }
    if unknown > 0 {
        let message = format!("{unknown} frames name a delta frame that is not there; their key frame is shown");
        warnings.add(WarningKind::Substituted, &head.about, message);
    }
    Ok(table)
}
