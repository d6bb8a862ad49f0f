//! Common parts of MD3, MDC, MDR, MDS and MDM: 56-byte frames, chains of surfaces, triangles, shader names, texture coordinates
//! and 16-bit vertices. The files of the formats describe the layouts.

use glam::{Vec2, Vec3};
use std::ops::RangeInclusive;

use super::chunk::{f32_at, f32s, i16_at, i32_at, u16_at, vec3_at};
use super::frame_names;
use crate::bytes::{ByteReader, Column, Kind, Offset, PartKind, Record, Source};
use crate::error::{Fault, FilePosition, LoadError, Reason, Warning, WarningKind, Warnings};
use crate::limits::MIN_FRAME_BYTES;
use crate::model::{
    Bounds, Detail, Format, FormatData, FrameInfo, ModelParts, MorphMotion, MorphTrack, Motion, ShortVertex, Surface,
    TagTrack, u32_or_max,
};

pub(super) const DEFAULT_RATE: f32 = super::md3::FORMAT.usual_rate;

/// Returns the name of a surface in messages: `surface 2 “u_torso”`, `surface 0 (unnamed)`.
pub(super) fn surface_called(index: u32, name: &str) -> String {
    if name.is_empty() { format!("surface {index} (unnamed)") } else { format!("surface {index} “{name}”") }
}

/// Limits of accepted files. Engines' limits are 1024 frames, 32 surfaces, 16 tags, 4096 vertices and 8192 triangles.
pub(super) mod limits {
    pub const FRAMES: u32 = 1 << 20;
    pub const TAGS: u32 = 1 << 16;
    pub const SURFACES: u32 = 1 << 16;
    pub const VERTICES: u32 = 1 << 24;
    pub const TRIANGLES: u32 = 1 << 25;
    pub const SHADERS: u32 = 1 << 12;
}

pub(super) mod records {
    use super::{Column, Kind, PartKind, Record};

    pub const FRAME_HEAD: &[Column] = &[
        Column::new("mins", Kind::F32, 3),
        Column::new("maxs", Kind::F32, 3),
        Column::new("localOrigin", Kind::F32, 3),
        Column::new("radius", Kind::F32, 1),
        Column::new("name", Kind::Text, 16),
    ];
    pub const FRAMES: Record = Record::new("frames", FRAME_HEAD).holding(PartKind::Frame);
    pub const TRIANGLES: Record =
        Record::new("triangles", &[Column::new("indexes", Kind::I32, 3)]).holding(PartKind::Triangle);
    pub const SHADERS: Record =
        Record::new("shaders", &[Column::new("name", Kind::Text, 64), Column::new("shaderIndex", Kind::I32, 1)])
            .holding(PartKind::Shader);
    pub const ST: Record = Record::new("st", &[Column::new("st", Kind::F32, 2)]).holding(PartKind::Vertex);
    pub const XYZ_NORMALS: Record =
        Record::new("xyzNormals", &[Column::new("xyz", Kind::I16, 3), Column::new("normal", Kind::U16, 1)])
            .holding(PartKind::KeyVertex);
}

pub(super) fn frame_count(reader: &mut ByteReader, field: &str) -> Result<u32, LoadError> {
    let at = *reader;
    match reader.count(field, limits::FRAMES)? {
        0 => Err(at.error(field, Reason::Broken("a model needs at least one frame".to_owned()))),
        count => Ok(count),
    }
}

pub(super) fn version(reader: &mut ByteReader, supported: i32) -> Result<i32, LoadError> {
    let at = *reader;
    let version = reader.i32("version")?;
    if version != supported {
        let reason = Reason::UnsupportedVersion { found: version.into(), supported: supported.to_string() };
        at.forgive(at.error("version", reason), || format!("it is read as version {supported}"))?;
    }
    Ok(version)
}

pub(super) fn vertices_there(source: &Source, start: u64, offset: Offset, vertices: u32) -> Result<u32, LoadError> {
    let whole = u32_or_max(source.start().whole_records(start, offset, 8));
    if !source.is_salvaged() || whole >= vertices {
        return Ok(vertices);
    }
    let error = source.outside(start, offset, u64::from(vertices) * 8);
    if whole == 0 {
        return Err(error);
    }
    source.forgive(error, || format!("{whole} of {vertices} vertices are used")).map(|()| whole)
}

/// Repeats the last complete frame of a truncated table. Clears the table if it has no complete frame or the budget is
/// exceeded.
pub(super) fn hold_last_frame<T: Clone>(reader: &ByteReader, table: &mut Vec<T>, per_frame: u32, frames: u32) {
    let (per_frame, frames) = (per_frame as usize, frames as usize);
    let whole = table.len().checked_div(per_frame).unwrap_or(0);
    if whole >= frames {
        return;
    }
    table.truncate(whole * per_frame);
    let missing = (frames - whole).saturating_mul(per_frame).saturating_mul(size_of::<T>());
    if whole == 0 || reader.claim_missing("ofsTags", missing as u64).is_err() {
        table.clear();
        return;
    }
    for _ in whole..frames {
        table.extend_from_within((whole - 1) * per_frame..whole * per_frame);
    }
}

///
/// Of a file whose end is at or before one of the tables with at least one entry, engines copy too little.
pub(super) fn warn_about_end(source: &Source, end: Offset, tables: &[(u32, Offset)], warnings: &mut Warnings) {
    let length = i64::try_from(source.len()).unwrap_or(i64::MAX);
    if end.target(0) != length {
        let message = format!("the value is {}, but the file has {} bytes", end.value, source.len());
        let is_short = tables.iter().any(|(count, table)| *count > 0 && table.value >= end.value);
        let fault = if end.target(0) > length { Some(Fault::FileSize) } else { is_short.then_some(Fault::ShortEnd) };
        let position = FilePosition::Byte(end.at);
        warnings.push(Warning { position, fault, ..Warning::new(WarningKind::Inconsistent, end.field, message) });
    }
}

#[derive(Clone, Copy)]
pub(super) struct TableStart {
    pub at: u64,
    pub offset: Offset,
}

/// Returns the start of a chain of `count` records. `None` if `count` is 0, or if the offset is invalid while
/// salvaging.
pub(super) fn chain_start(
    source: &Source,
    base: u64,
    offset: Offset,
    count: u32,
) -> Result<Option<TableStart>, LoadError> {
    if count == 0 {
        return Ok(None);
    }
    match u64::try_from(offset.target(base)).ok().filter(|start| *start < source.len()) {
        Some(at) => Ok(Some(TableStart { at, offset })),
        None => {
            // Nothing can be read at the offset, but the rest of the file may be intact.
            source.forgive(source.outside(base, offset, 0), || format!("{count} skipped")).map(|()| None)
        }
    }
}

/// Reads the frames of MD3 and MDC, 56 bytes each. If the table lies outside the file, names and bounds are skipped.
pub(super) fn read_frames(
    source: &Source,
    offset: Offset,
    count: u32,
    warnings: &mut Warnings,
) -> Result<Vec<FrameInfo>, LoadError> {
    // The check prevents a claimed count alone from allocating memory.
    let has_room = u64::from(count) * MIN_FRAME_BYTES <= source.len();
    match source.start().table(0, offset, count.into(), &records::FRAMES) {
        Ok(table) => {
            let mut frames: Vec<FrameInfo> =
                table.as_chunks::<56>().0.iter().map(|record| read_frame(source, record)).collect();
            if frames.len() < count as usize && !has_room {
                return Err(source.outside(0, offset, u64::from(count) * records::FRAMES.stride()));
            }
            frames.resize(count as usize, FrameInfo::default());
            Ok(frames)
        }
        Err(error) if has_room => {
            let message = format!("bounds and names of the frames are skipped: {}", error.reason);
            warnings.add_error(WarningKind::LeftOut, error.field.as_str(), message, &error);
            Ok(vec![FrameInfo::default(); count as usize])
        }
        Err(error) => Err(error),
    }
}

fn read_frame(source: &Source, record: &[u8; 56]) -> FrameInfo {
    let finite = |v: Vec3| if v.is_finite() { v } else { Vec3::ZERO };
    let radius = f32_at(record, 36);
    FrameInfo {
        name: source.text(&record[40..56]),
        bounds: Some(Bounds { min: finite(vec3_at(record, 0)), max: finite(vec3_at(record, 12)) }),
        origin: finite(vec3_at(record, 24)),
        radius: if radius.is_finite() { radius } else { 0.0 },
    }
}

#[derive(Default)]
pub(super) struct Losses {
    first: Option<LoadError>,
}

impl Losses {
    pub(super) fn add(&mut self, error: LoadError, before: usize, warnings: &mut Warnings) {
        warnings.truncate(before);
        warnings.add_error(WarningKind::LeftOut, "", format!("{error}; the surface is skipped"), &error);
        self.first.get_or_insert(error);
    }

    pub(super) fn check(self, nothing: bool) -> Result<(), LoadError> {
        match self.first {
            Some(error) if nothing => Err(error),
            _ => Ok(()),
        }
    }
}

pub(super) struct Chain<'a> {
    pub about: &'a str,
    pub index: u32,
    pub count: u32,
    pub counted_at: u64,
}

/// Reads `ofsEnd`, the last field of a header of `header` bytes. Warns if a surface is missing.
pub(super) fn next_of_chain(
    source: &Source,
    start: u64,
    header: u64,
    Chain { about, index, count, counted_at }: &Chain<'_>,
    warnings: &mut Warnings,
) -> Option<TableStart> {
    let mut reader = source.at(start.saturating_add(header - 4));
    let end = reader.offset("ofsEnd").ok();
    let next = end.and_then(|end| Some((next_record(start, end.value, header)?, end)));
    let left = count.saturating_sub(index + 1);
    if left == 0 {
        return None;
    }
    if let Some((at, offset)) = next.filter(|(at, _)| *at < source.len()) {
        return Some(TableStart { at, offset });
    }
    // This surface ends at the end of the file, so it is complete and none follows.
    if next.is_some_and(|(start, _)| start == source.len()) {
        let message = format!("the count is {count}, but the file ends after surface {index}; {left} skipped");
        let position = FilePosition::Byte(*counted_at);
        warnings.add_at(WarningKind::Truncated, format!("{about}numSurfaces"), message, position);
        return None;
    }
    let Some(end) = end else {
        let message = format!("the file ends within the header of surface {index}; {left} after it skipped");
        warnings.add_at(
            WarningKind::Truncated,
            format!("{about}surface {index}"),
            message,
            FilePosition::Byte(source.len()),
        );
        return None;
    };
    let message = no_next(source, "surface", *index, next.map(|(start, _)| start), left);
    let kind = if next.is_some() { WarningKind::Truncated } else { WarningKind::LeftOut };
    warnings.add_at(kind, format!("{about}ofsEnd"), message, FilePosition::Byte(end.at));
    None
}

/// Identifiers of surfaces: those of the formats, and small numbers, which some exporters write.
const SURFACE_IDENTS: [&[u8; 4]; 5] = [b"IDP3", b"IDPC", b"RDM5", b"MDSW", b"MDMW"];
const SMALL_IDENTS: RangeInclusive<i32> = 0..=255;
const HEADER_BYTES: u64 = 108;

pub(super) fn starts_surface(source: &Source, start: u64) -> bool {
    // A small number is weak evidence, so require room for a header.
    let is_whole = start.saturating_add(HEADER_BYTES) <= source.len();
    source
        .number_at(start)
        .is_none_or(|ident| is_whole && SMALL_IDENTS.contains(&ident) || SURFACE_IDENTS.contains(&&ident.to_le_bytes()))
}

pub(super) fn warn_about_start(source: &Source, start: TableStart, surface: &Surface, warnings: &mut Warnings) {
    let TableStart { at, offset } = start;
    if !starts_surface(source, at) {
        let is_lost = surface.triangles.is_empty();
        let kind = if is_lost { WarningKind::LeftOut } else { WarningKind::Inconsistent };
        let message = format!("the offset leads to byte {at:#x}, where no surface seems to begin");
        warnings.add_at(kind, offset.field, message, FilePosition::Byte(offset.at));
    }
}

pub(super) fn no_next(source: &Source, record: &str, index: u32, next: Option<u64>, left: u32) -> String {
    match next {
        Some(next) => {
            let (after, file) = (index + 1, source.len());
            format!(
                "{record} {after} would begin at byte {next:#x}, but the file ends at byte {file:#x}; {left} skipped"
            )
        }
        None => format!("{record} {index} has no valid offset to the next; {left} skipped"),
    }
}

pub(super) fn surface_error(source: &Source, start: TableStart, error: LoadError) -> LoadError {
    if starts_surface(source, start.at) { error } else { blame_offset(source, start, "surface", &error) }
}

pub(super) fn blame_offset(source: &Source, start: TableStart, record: &str, error: &LoadError) -> LoadError {
    let TableStart { at, offset } = start;
    let why = format!("the offset leads to byte {at:#x}, where no {record} begins ({})", error.without_format());
    let reached = error.reached.or(if let FilePosition::Byte(at) = error.position { Some(at) } else { None });
    LoadError { reached, ..source.error(offset.field, offset.at, Reason::Broken(why)) }
}

pub(super) fn next_record(start: u64, end: i32, header: u64) -> Option<u64> {
    u64::try_from(end).ok().filter(|end| *end >= header).and_then(|end| start.checked_add(end))
}

pub(super) fn position_at(base: u64, offset: Offset) -> FilePosition {
    u64::try_from(offset.target(base)).map_or(FilePosition::Byte(offset.at), FilePosition::Byte)
}

pub(super) fn read_triangles(
    reader: &ByteReader,
    start: u64,
    offset: Offset,
    count: u32,
    vertices: u32,
    about: &str,
    warnings: &mut Warnings,
) -> Result<Vec<[u32; 3]>, LoadError> {
    let table = reader.table(start, offset, count.into(), &records::TRIANGLES)?;
    let corners = |record: &[u8; 12]| [0, 4, 8].map(|at| i32_at(record, at).cast_unsigned());
    let mut triangles: Vec<[u32; 3]> = table.as_chunks::<12>().0.iter().map(corners).collect();
    let last = triangles.as_flattened().iter().fold(0, |last, index| last.max(*index));
    if last >= vertices {
        triangles.retain(|triangle| triangle.iter().all(|index| *index < vertices));
    }
    let dropped = table.len() / 12 - triangles.len();
    if dropped > 0 {
        let message = format!("{dropped} of {count} triangles name vertices that do not exist; skipped");
        let (position, fault) = (position_at(start, offset), Some(Fault::UnknownVertex));
        warnings.push(Warning { position, fault, ..Warning::new(WarningKind::LeftOut, about, message) });
    }
    Ok(triangles)
}

/// Returns why none of `count` triangles that were read can be drawn.
pub(super) fn why_nothing_is_drawn(count: usize) -> String {
    match count {
        0 => "nothing can be drawn: the model has no triangles".to_owned(),
        1 => "nothing can be drawn: the only triangle refers to vertices that do not exist".to_owned(),
        _ => format!("nothing can be drawn: all {count} triangles refer to vertices that do not exist"),
    }
}

pub(super) fn read_shaders(
    reader: &ByteReader,
    start: u64,
    offset: Offset,
    count: i32,
    about: &str,
    warnings: &mut Warnings,
) -> Vec<String> {
    let Some(count) = u32::try_from(count).ok().filter(|count| *count <= limits::SHADERS) else {
        warnings.add(WarningKind::LeftOut, about, format!("numShaders is {count}; the shader names are skipped"));
        return Vec::new();
    };
    match reader.table(start, offset, count.into(), &records::SHADERS) {
        Ok(table) => table.as_chunks::<68>().0.iter().map(|record| reader.text(&record[..64])).collect(),
        Err(error) => {
            warnings.add_error(
                WarningKind::LeftOut,
                about,
                format!("the shader names are skipped: {}", error.reason),
                &error,
            );
            Vec::new()
        }
    }
}

pub(super) fn read_texture_coordinates(
    reader: &ByteReader,
    start: u64,
    offset: Offset,
    count: u32,
    about: &str,
    warnings: &mut Warnings,
) -> Result<Vec<Vec2>, LoadError> {
    let mut uvs: Vec<Vec2> = match reader.table(start, offset, count.into(), &records::ST) {
        Ok(table) => table.as_chunks::<8>().0.iter().map(|record| Vec2::from_array(f32s(record))).collect(),
        // Use zeros only if the file is large enough for a valid table, so that a claimed count alone allocates no
        // memory.
        Err(error) if u64::from(count) * 8 <= reader.file_len() => {
            let message = format!("the texture coordinates are skipped: {}", error.reason);
            warnings.add_error(WarningKind::LeftOut, about, message, &error);
            vec![Vec2::ZERO; count as usize]
        }
        Err(error) => return Err(error),
    };
    let broken = uvs.iter().filter(|uv| !uv.is_finite()).count();
    if broken > 0 {
        uvs.iter_mut().filter(|uv| !uv.is_finite()).for_each(|uv| *uv = Vec2::ZERO);
    }
    let missing = (count as usize).saturating_sub(uvs.len());
    if missing > 0 {
        uvs.resize(count as usize, Vec2::ZERO);
        let message = format!("{missing} texture coordinates are missing; (0, 0) is used");
        warnings.add(WarningKind::Substituted, about, message);
    }
    if broken > 0 {
        warnings.add(
            WarningKind::Substituted,
            about,
            format!("{broken} texture coordinates are not finite; (0, 0) is used"),
        );
    }
    Ok(uvs)
}

pub(super) fn short_vertices(table: &[u8]) -> Vec<ShortVertex> {
    let read = |record: &[u8; 8]| ShortVertex {
        position: [i16_at(record, 0), i16_at(record, 2), i16_at(record, 4)],
        normal: u16_at(record, 6),
    };
    table.as_chunks::<8>().0.iter().map(read).collect()
}

/// Header of an MD3 or MDC.
pub(super) struct Header {
    format: Format,
    version: i32,
    name: String,
    flags: i32,
    pub frames: u32,
    pub tags: u32,
    surfaces: u32,
    surfaces_at: u64,
    skins: i32,
    ofs_frames: Offset,
    /// Names of the tags, which an MD3 stores with the tags.
    pub ofs_tag_names: Option<Offset>,
    pub ofs_tags: Offset,
    ofs_surfaces: Offset,
    ofs_end: Offset,
}

pub(super) fn read_header(source: &Source, format: Format, has_tag_names: bool) -> Result<Header, LoadError> {
    let _group = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let version = version(&mut reader, format.traits().version)?;
    let name = reader.name("name", 64)?;
    let flags = reader.i32("flags")?;
    let frames_at = reader.position();
    let frames = frame_count(&mut reader, "numFrames")?;
    let tags_at = reader.position();
    let tags = reader.count("numTags", limits::TAGS)?;
    let surfaces_at = reader.position();
    let surfaces = reader.count("numSurfaces", limits::SURFACES)?;
    let skins = reader.i32("numSkins")?;
    let ofs_frames = reader.offset("ofsFrames")?.counted_by("numFrames", frames_at);
    let ofs_tag_names =
        if has_tag_names { Some(reader.offset("ofsTagNames")?.counted_by("numTags", tags_at)) } else { None };
    Ok(Header {
        format,
        version,
        name,
        flags,
        frames,
        tags,
        surfaces,
        surfaces_at,
        skins,
        ofs_frames,
        ofs_tag_names,
        ofs_tags: reader.offset("ofsTags")?.counted_by("numTags", tags_at),
        ofs_surfaces: reader.offset("ofsSurfaces")?,
        ofs_end: reader.offset("ofsEnd")?,
    })
}

/// Functions that read the tags, and a surface at a position, by its index and the number of frames. A surface may be
/// left out.
pub(super) type ReadParts = (
    fn(&Source, &Header, &mut Warnings) -> (Vec<String>, TagTrack),
    fn(&Source, u64, u32, u32, &mut Warnings) -> Result<Option<(Surface, MorphTrack)>, LoadError>,
);

/// Loads an MD3 or MDC, whose surfaces have headers of this size.
pub(super) fn load_with(
    source: &Source,
    header: Header,
    surface_header: u64,
    (read_tags, read_surface): ReadParts,
    warnings: &mut Warnings,
) -> Result<ModelParts, LoadError> {
    let mut tables = vec![(header.frames, header.ofs_frames)];
    tables.extend(header.ofs_tag_names.map(|names| (header.tags, names)));
    tables.extend([(header.tags, header.ofs_tags), (header.surfaces, header.ofs_surfaces)]);
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
            Ok(Some((surface, track))) => {
                warn_about_start(source, start, &surface, warnings);
                surfaces.push(surface);
                tracks.push(track);
            }
            Ok(None) => {}
            Err(error) => {
                let error = surface_error(source, start, error.within(&format!("surface {index}")));
                losses.add(error, before, warnings);
            }
        }
        let chain = Chain { about: "", index, count: header.surfaces, counted_at: header.surfaces_at };
        next = next_of_chain(source, start.at, surface_header, &chain, warnings);
    }
    losses.check(surfaces.is_empty() && !source.is_salvaged())?;
    Ok(ModelParts {
        version: Some(header.version),
        name: header.name,
        clips: frame_names::clips_or_all(&frames, DEFAULT_RATE),
        surfaces,
        frames,
        tags,
        motion: Motion::Morph(MorphMotion { surfaces: tracks, tags: tag_track }),
        data: FormatData { flags: header.flags, skin_count: header.skins, ..FormatData::default() },
        details: vec![Detail::flags(header.flags), Detail::text("numSkins", header.skins)],
        ..ModelParts::empty(header.format)
    })
}
