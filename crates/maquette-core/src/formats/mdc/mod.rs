//! MDC (Return to Castle Wolfenstein): an MD3 with few full key frames and many frames of small offsets. `IDPC`,
//! version 2.
//!
//! Source of the layout: the published description "MDC (Prinz)", corrected where engines and real files disagree: an
//! offset step is 0.05 units, not 4/64; nothing is added to a position but the offset (the frame's local origin is for
//! culling); a delta's normal replaces the key frame's; tag angles have steps of 360/32700 degrees.
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

mod write;

pub use write::write;

use crate::bytes::{ByteReader, Column, Kind, Offset, PartKind, Record, Source};
use crate::convert;
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings, counted};
use crate::formats::chunk::i16_at;
use crate::formats::md3_common::{
    Header, hold_last_frame, limits, load_with, read_header, read_shaders, read_texture_coordinates, read_triangles,
    records, short_vertices, surface_called, vertices_there,
};
use crate::formats::{FormatDef, FormatWriter, md3, write::with_lods};
use crate::model::{
    Detail, Format, KeyDeltaFrame, ModelParts, MorphTrack, PackedVertices, Precision, Surface, SurfaceData, TagTrack,
    u32_or_max,
};

/// Return to Castle Wolfenstein, `IDPC` version 2.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "mdc",
    title: "MDC",
    extensions: &["mdc"],
    media_type: "model/x-wolfenstein-mdc",
    signature: "IDPC",
    size_at: Some(108),
    game: "Return to Castle Wolfenstein",
    version: 2,
    sample: Some("umber.mdc"),
    precision: Precision::KeyDeltas,
    writer: Some(FormatWriter {
        model_name: "Return to Castle Wolfenstein model",
        holds: "frames of surfaces and tags, small movements in steps of 0.05 units",
        write: |model| with_lods(model, write),
        convert: convert::mdc::convert,
        bytes_of_frame: |counts, _| counts.vertices * 8 + counts.tags * 12,
        sampling_rate: 15.0,
    }),
    load,
    ..md3::FORMAT
};

const TAG_NAMES: Record = Record::new("tagNames", &[Column::new("name", Kind::Text, 64)]).holding(PartKind::Tag);
const TAGS: Record = Record::new("tags", &[Column::new("xyz", Kind::I16, 3), Column::new("angles", Kind::I16, 3)])
    .holding(PartKind::FrameTag);
const XYZ_COMPRESSED: Record =
    Record::new("xyzCompressed", &[Column::new("ofsVec", Kind::U8, 3), Column::new("normal", Kind::U8, 1)])
        .holding(PartKind::DeltaVertex);
const BASE_FRAMES: Record =
    Record::new("frameBaseFrames", &[Column::new("frame", Kind::I16, 1)]).holding(PartKind::SurfaceFrame);
const COMP_FRAMES: Record =
    Record::new("frameCompFrames", &[Column::new("frame", Kind::I16, 1)]).holding(PartKind::SurfaceFrame);

/// Loads an MDC.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let header = read_header(source, Format::Mdc, true)?;
    load_with(source, header, SURFACE_HEADER, (read_tags, read_surface), warnings)
}

/// Reads the tags and their names, which are stored once. If a table lies outside the file, only the tags are lost.
fn read_tags(source: &Source, header: &Header, warnings: &mut Warnings) -> (Vec<String>, TagTrack) {
    let start = source.start();
    let count = u64::from(header.frames) * u64::from(header.tags);
    let names = start.table(0, header.ofs_tag_names.unwrap_or(header.ofs_tags), header.tags.into(), &TAG_NAMES);
    let tags = start.table(0, header.ofs_tags, count, &TAGS);
    match (names, tags) {
        (Ok(names), Ok(tags)) => {
            let read = |record: &[u8; 12]| [0, 2, 4, 6, 8, 10].map(|at| i16_at(record, at));
            let mut names: Vec<String> = names.as_chunks::<64>().0.iter().map(|record| source.text(record)).collect();
            let mut tags: Vec<[i16; 6]> = tags.as_chunks::<12>().0.iter().map(read).collect();
            hold_last_frame(&start, &mut tags, header.tags, header.frames);
            // While salvaging, names or frames may be missing.
            if tags.is_empty() || names.len() != header.tags as usize {
                (names, tags) = Default::default();
            }
            (names, TagTrack::Angles(tags))
        }
        (Err(error), _) | (_, Err(error)) => {
            let message = format!("the tags are skipped: {}", error.reason);
            warnings.add_error(WarningKind::LeftOut, error.field.as_str(), message, &error);
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
    ofs_triangles: Offset,
    ofs_shaders: Offset,
    ofs_st: Offset,
    ofs_xyz_normals: Offset,
    ofs_xyz_compressed: Offset,
    ofs_frame_base_frames: Offset,
    ofs_frame_comp_frames: Offset,
}

fn read_surface_header(source: &Source, start: u64, index: u32) -> Result<SurfaceHeader, LoadError> {
    let mut reader = source.at(start);
    reader.name("ident", 4)?;
    let name = reader.name_of(PartKind::SurfaceName.at(0), "name", 64)?;
    let flags = reader.i32("flags")?;
    let comp_frames_at = reader.position();
    let comp_frames = reader.count("numCompFrames", limits::FRAMES)?;
    let base_frames_at = reader.position();
    let base_frames = reader.count("numBaseFrames", limits::FRAMES)?;
    let shaders_at = reader.position();
    let shaders = reader.i32("numShaders")?;
    let vertices_at = reader.position();
    let vertices = reader.count("numVerts", limits::VERTICES)?;
    let triangles_at = reader.position();
    Ok(SurfaceHeader {
        start,
        about: surface_called(index, &name),
        name,
        flags,
        comp_frames,
        base_frames,
        shaders,
        vertices,
        triangles: reader.count("numTriangles", limits::TRIANGLES)?,
        ofs_triangles: reader.offset("ofsTriangles")?.counted_by("numTriangles", triangles_at),
        ofs_shaders: reader.offset("ofsShaders")?.counted_by("numShaders", shaders_at),
        ofs_st: reader.offset("ofsSt")?.counted_by("numVerts", vertices_at),
        ofs_xyz_normals: reader.offset("ofsXyzNormals")?.counted_by("numBaseFrames", base_frames_at),
        ofs_xyz_compressed: reader.offset("ofsXyzCompressed")?.counted_by("numCompFrames", comp_frames_at),
        ofs_frame_base_frames: reader.offset("ofsFrameBaseFrames")?,
        ofs_frame_comp_frames: reader.offset("ofsFrameCompFrames")?,
    })
}

fn read_surface(
    source: &Source,
    start: u64,
    index: u32,
    frames: u32,
    warnings: &mut Warnings,
) -> Result<Option<(Surface, MorphTrack)>, LoadError> {
    let mut head = read_surface_header(source, start, index)?;
    let reader = source.at(start);
    keep_what_is_there(source, &mut head)?;
    let (head, about) = (&head, head.about.as_str());
    let deltas = read_deltas(&reader, head, warnings);
    let table = match read_frame_table(&reader, head, frames, deltas.is_some(), warnings) {
        Ok(table) => table,
        Err(why) => {
            warnings.add_error(WarningKind::LeftOut, about, format!("skipped: {}", reason_of(&why)), &why);
            return Ok(None);
        }
    };
    let triangles = read_triangles(&reader, start, head.ofs_triangles, head.triangles, head.vertices, about, warnings)?;
    let materials = read_shaders(&reader, start, head.ofs_shaders, head.shaders, about, warnings);
    let uvs = read_texture_coordinates(&reader, start, head.ofs_st, head.vertices, about, warnings)?;
    let count = u64::from(head.base_frames) * u64::from(head.vertices);
    let keys = short_vertices(reader.table(start, head.ofs_xyz_normals, count, &records::XYZ_NORMALS)?);
    let surface = Surface {
        // Eyelids: the game draws them only while the character blinks.
        hidden: head.name.eq_ignore_ascii_case("h_blink"),
        name: head.name.clone(),
        lod: 0,
        materials,
        triangles,
        uvs,
        data: SurfaceData { flags: head.flags, ..SurfaceData::default() }.into(),
        details: vec![
            Detail::flags(head.flags),
            Detail::text("numBaseFrames", head.base_frames),
            Detail::text("numCompFrames", head.comp_frames),
            Detail::integers("frameBaseFrames", &table.iter().map(|frame| frame.key.into()).collect()),
            Detail::integers("frameCompFrames", &table.iter().map(|frame| frame.delta.map_or(-1, i32::from)).collect()),
        ],
    };
    let deltas = deltas.unwrap_or_default();
    let vertices = PackedVertices::KeyDeltas { keys, deltas, frames: table };
    Ok(Some((surface, MorphTrack { stored: head.vertices, frame_count: frames, remap: None, vertices })))
}

fn keep_what_is_there(source: &Source, head: &mut SurfaceHeader) -> Result<(), LoadError> {
    if !source.is_salvaged() || head.vertices == 0 {
        return Ok(());
    }
    let size = u64::from(head.vertices);
    let cut = |offset: Offset, each: u64, count: u32| {
        let whole = u32_or_max(source.start().whole_records(head.start, offset, each * size));
        if whole >= count || whole == 0 {
            return Ok(count);
        }
        let error = source.outside(head.start, offset, u64::from(count) * each * size);
        source.forgive(error, || format!("{whole} of {count} frames are used")).map(|()| whole)
    };
    let vertices = vertices_there(source, head.start, head.ofs_xyz_normals, head.vertices)?;
    if vertices < head.vertices {
        (head.vertices, head.base_frames, head.comp_frames) = (vertices, 1, 0);
        return Ok(());
    }
    head.base_frames = cut(head.ofs_xyz_normals, 8, head.base_frames)?;
    head.comp_frames = cut(head.ofs_xyz_compressed, 4, head.comp_frames)?;
    Ok(())
}

fn read_deltas(reader: &ByteReader, head: &SurfaceHeader, warnings: &mut Warnings) -> Option<Vec<[u8; 4]>> {
    if head.comp_frames == 0 {
        return None;
    }
    let count = u64::from(head.comp_frames) * u64::from(head.vertices);
    match reader.table(head.start, head.ofs_xyz_compressed, count, &XYZ_COMPRESSED) {
        Ok(table) => Some(table.as_chunks::<4>().0.to_vec()),
        Err(error) => {
            let message = format!("only the key frames are shown; {}: {}", error.field, error.reason);
            warnings.add_error(WarningKind::LeftOut, &head.about, message, &error);
            None
        }
    }
}

fn reason_of(error: &LoadError) -> String {
    if error.field.is_empty() { error.reason.to_string() } else { format!("{}: {}", error.field, error.reason) }
}

fn read_frame_table(
    reader: &ByteReader,
    head: &SurfaceHeader,
    frames: u32,
    with_deltas: bool,
    warnings: &mut Warnings,
) -> Result<Vec<KeyDeltaFrame>, LoadError> {
    let broken = |at: u64, why: String| LoadError::new("mdc", "", FilePosition::Byte(at), Reason::Broken(why));
    let words = |offset: Offset, record: &Record| {
        // A negative offset leads to another table, whose numbers would be misread as frames.
        if offset.value < 0 {
            return Err(broken(
                offset.at,
                format!("{} is {}, which is before the surface", offset.field, offset.value),
            ));
        }
        reader.table(head.start, offset, frames.into(), record).map(|table| table.as_chunks::<2>().0)
    };
    let none = || broken(head.ofs_xyz_normals.counter().1, "numBaseFrames is 0".to_owned());
    let last = head.base_frames.checked_sub(1).ok_or_else(none)?;
    let (keys, lost) = match words(head.ofs_frame_base_frames, &BASE_FRAMES) {
        Err(why) if reader.is_salvaged() => (&[][..], Some(why)),
        keys => (keys?, None),
    };
    let deltas = if with_deltas {
        words(head.ofs_frame_comp_frames, &COMP_FRAMES).unwrap_or_else(|why| {
            let message = format!("only the key frames are shown; {}", reason_of(&why));
            warnings.add_error(WarningKind::LeftOut, &head.about, message, &why);
            &[]
        })
    } else {
        &[]
    };
    let (mut beyond, mut unknown) = (0, 0);
    let mut table = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        let key = i16_at(key, 0);
        let Ok(mut key) = u16::try_from(key) else {
            let at = u64::try_from(head.ofs_frame_base_frames.target(head.start)).unwrap_or(0) + 2 * index as u64;
            return Err(broken(at, format!("frame {index} refers to key frame {key}")));
        };
        if u32::from(key) > last {
            beyond += 1;
            key = u16::try_from(last).unwrap_or(u16::MAX);
        }
        let delta = deltas.get(index).and_then(|delta| u16::try_from(i16_at(delta, 0)).ok());
        let known = delta.filter(|delta| u32::from(*delta) < head.comp_frames);
        unknown += usize::from(known != delta);
        table.push(KeyDeltaFrame { key, delta: known });
    }
    fill_missing(reader, head, frames, lost, &mut table, warnings)?;
    warn_about_numbers(head, beyond, unknown, warnings);
    Ok(table)
}

/// Adds the frames of a table that ends early, with the first key frame.
fn fill_missing(
    reader: &ByteReader,
    head: &SurfaceHeader,
    frames: u32,
    lost: Option<LoadError>,
    table: &mut Vec<KeyDeltaFrame>,
    warnings: &mut Warnings,
) -> Result<(), LoadError> {
    let missing = frames as usize - table.len();
    if missing == 0 {
        return Ok(());
    }
    // Charge missing entries too, because many surfaces may lack them.
    reader.claim_missing("ofsFrameBaseFrames", missing as u64 * 2)?;
    table.resize(frames as usize, KeyDeltaFrame { key: 0, delta: None });
    let message = format!("the key frames of {missing} frames are missing; the first key frame is used");
    match lost {
        Some(why) => {
            warnings.add_error(WarningKind::Substituted, &head.about, format!("{}; {message}", reason_of(&why)), &why);
        }
        None => warnings.add(WarningKind::Substituted, &head.about, message),
    }
    Ok(())
}

/// Warns about frames that name a key or delta frame that does not exist.
fn warn_about_numbers(head: &SurfaceHeader, beyond: usize, unknown: usize, warnings: &mut Warnings) {
    if beyond > 0 {
        warnings.add(
            WarningKind::Substituted,
            &head.about,
            counted(
                beyond,
                "frame names a key frame that does not exist; the last key frame is used",
                "frames name a key frame that does not exist; the last key frame is used",
            ),
        );
    }
    if unknown > 0 {
        let message = counted(
            unknown,
            "frame names a delta frame that does not exist; its key frame is used",
            "frames name a delta frame that does not exist; their key frame is used",
        );
        warnings.add(WarningKind::Substituted, &head.about, message);
    }
}
