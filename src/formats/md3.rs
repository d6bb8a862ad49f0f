//! MD3, Quake III Arena: whole vertices per frame, tags, several surfaces. `IDP3`, version 15.
//!
//! Source of the layout: the published description "MD3 (PhaethonH)", corrected where engines and real files disagree:
//! clockwise fronts, right-handed space, low normal byte = zenith, the header's frame count (surfaces may lie).
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

use glam::{Vec2, Vec3};

use super::chunk::{f32_at, i16_at, i32_at, text, u16_at, vec2_at, vec3_at};
use crate::bytes::{ByteReader, Source};
use crate::error::{LoadError, Reason, Warnings};
use crate::model::{
    Bounds, Clip, ClipSource, Detail, Format, FrameInfo, ModelParts, MorphMotion, MorphTrack, Motion, PackedVertices,
    ShortVertex, Surface, TagFrame, TagTrack,
};

/// Frames per second where no animation.cfg says otherwise.
pub const DEFAULT_RATE: f32 = 10.0;

/// Most a file may claim; engines stop far earlier (1024 frames, 32 surfaces, 16 tags, 4096 vertices, 8192 triangles).
pub(super) mod limits {
    pub const FRAMES: u32 = 1 << 20;
    pub const TAGS: u32 = 1 << 16;
    pub const SURFACES: u32 = 1 << 16;
    pub const VERTICES: u32 = 1 << 24;
    pub const TRIANGLES: u32 = 1 << 25;
    pub const SHADERS: u32 = 1 << 12;
}

struct Header {
    name: String,
    flags: i32,
    frames: u32,
    tags: u32,
    surfaces: u32,
    skins: i32,
    ofs_frames: i32,
    ofs_tags: i32,
    ofs_surfaces: i32,
    ofs_end: i32,
}

/// Reads a whole MD3.
pub fn load(bytes: &[u8], warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let source = Source::new("md3", bytes);
    let mut reader = source.start();
    reader.skip("ident", 4)?;
    let at_version = reader;
    let version = reader.i32("version")?;
    if version != 15 {
        return Err(at_version.error("version", Reason::UnsupportedVersion { found: version.into(), supported: 15 }));
    }
    let header = read_header(&mut reader)?;
    warn_about_end(&source, header.ofs_end, "ofsEnd", warnings);

    let frames = read_frames(&source, header.ofs_frames, header.frames, warnings)?;
    let (tags, tag_track) = read_tags(&source, &header, warnings);
    let (mut surfaces, mut tracks) = (Vec::new(), Vec::new());
    let mut losses = Losses::default();
    let mut start = offset_from(&source, "ofsSurfaces", 0, header.ofs_surfaces, header.surfaces)?;
    for index in 0..header.surfaces {
        match read_surface(&source, start, index, header.frames, warnings) {
            Ok((surface, track)) => {
                surfaces.push(surface);
                tracks.push(track);
            }
            Err(error) => losses.add(error.within(&format!("surface {index}")), warnings),
        }
        match next_surface(&source, start, SURFACE_HEADER) {
            Some(next) => start = next,
            None => {
                warn_about_rest("", index, header.surfaces, warnings);
                break;
            }
        }
    }
    losses.check(surfaces.is_empty())?;
    Ok(ModelParts {
        format: Format::Md3,
        version: Some(version),
        name: header.name,
        clips: vec![Clip::new("all frames", 0, header.frames, DEFAULT_RATE, ClipSource::AllFrames)],
        alternative_clips: Vec::new(),
        surfaces,
        frames,
        tags,
        skins: Vec::new(),
        motion: Motion::Morph(MorphMotion { surfaces: tracks, tags: tag_track }),
        details: vec![Detail::text("flags", format!("{:#x}", header.flags)), Detail::text("numSkins", header.skins)],
    })
}

fn read_header(reader: &mut ByteReader) -> Result<Header, LoadError> {
    let name = reader.name("name", 64)?;
    let flags = reader.i32("flags")?;
    let at_frames = *reader;
    let frames = reader.count("numFrames", limits::FRAMES)?;
    if frames == 0 {
        return Err(at_frames.error("numFrames", Reason::Broken("a model needs at least one frame".to_owned())));
    }
    Ok(Header {
        name,
        flags,
        frames,
        tags: reader.count("numTags", limits::TAGS)?,
        surfaces: reader.count("numSurfaces", limits::SURFACES)?,
        skins: reader.i32("numSkins")?,
        ofs_frames: reader.i32("ofsFrames")?,
        ofs_tags: reader.i32("ofsTags")?,
        ofs_surfaces: reader.i32("ofsSurfaces")?,
        ofs_end: reader.i32("ofsEnd")?,
    })
}

/// Warns when a header's end offset is not the file's length; nothing depends on it.
pub(super) fn warn_about_end(source: &Source, end: i32, field: &str, warnings: &mut Warnings) {
    if i64::from(end) != i64::try_from(source.len()).unwrap_or(i64::MAX) {
        warnings.add(field, format!("says {end}, but the file has {} bytes", source.len()));
    }
}

/// Absolute start of a list of records at `offset` from `base`; an empty list may point anywhere.
pub(super) fn offset_from(source: &Source, field: &str, base: u64, offset: i32, count: u32) -> Result<u64, LoadError> {
    let start = i128::from(base) + i128::from(offset);
    match u64::try_from(start) {
        Ok(start) => Ok(start),
        Err(_) if count == 0 => Ok(0),
        Err(_) => {
            let file = source.len();
            let offset = i64::try_from(start).unwrap_or(i64::MIN);
            Err(source.error(field, base, Reason::TableOutsideFile { offset, bytes: 0, file }))
        }
    }
}

/// Frames of MD3 and MDC, 56 bytes each. A table outside the file costs the claimed boxes, not the model.
pub(super) fn read_frames(
    source: &Source,
    offset: i32,
    count: u32,
    warnings: &mut Warnings,
) -> Result<Vec<FrameInfo>, LoadError> {
    match source.start().table("ofsFrames", 0, offset, count.into(), 56) {
        Ok(table) => Ok(table.as_chunks::<56>().0.iter().map(read_frame).collect()),
        Err(error) if u64::from(count) * 8 <= source.len() => {
            warnings.add("ofsFrames", format!("bounds and names of the frames are left out: {}", error.reason));
            Ok(vec![FrameInfo::default(); count as usize])
        }
        Err(error) => Err(error),
    }
}

fn read_frame(record: &[u8; 56]) -> FrameInfo {
    let finite = |v: Vec3| if v.is_finite() { v } else { Vec3::ZERO };
    let radius = f32_at(record, 36);
    FrameInfo {
        name: text(&record[40..56]),
        bounds: Some(Bounds { min: finite(vec3_at(record, 0)), max: finite(vec3_at(record, 12)) }),
        origin: finite(vec3_at(record, 24)),
        radius: if radius.is_finite() { radius } else { 0.0 },
    }
}

/// Tags are stored frame after frame with their names repeated; the names of frame 0 count. A table outside the file
/// costs the tags, not the model.
fn read_tags(source: &Source, header: &Header, warnings: &mut Warnings) -> (Vec<String>, TagTrack) {
    let count = u64::from(header.frames) * u64::from(header.tags);
    let table = match source.start().table("ofsTags", 0, header.ofs_tags, count, 112) {
        Ok(table) => table.as_chunks::<112>().0,
        Err(error) => {
            warnings.add("ofsTags", format!("the tags are left out: {}", error.reason));
            &[]
        }
    };
    let names: Vec<String> = table.iter().take(header.tags as usize).map(|record| text(&record[..64])).collect();
    let mut broken = 0;
    let tags = table.iter().map(|record| {
        let tag = TagFrame {
            origin: vec3_at(record, 64),
            axes: [vec3_at(record, 76), vec3_at(record, 88), vec3_at(record, 100)],
        };
        broken += usize::from(!tag.origin.is_finite() || tag.axes.iter().any(|axis| !axis.is_finite()));
        tag
    });
    let tags = TagTrack::Axes(tags.collect());
    if broken > 0 {
        warnings.add("tags", format!("{broken} have numbers that are not finite; they stand at the origin, unturned"));
    }
    (names, tags)
}

/// One surface, and where the next begins if it says so.
fn read_surface(
    source: &Source,
    start: u64,
    index: u32,
    frames: u32,
    warnings: &mut Warnings,
) -> Result<(Surface, MorphTrack), LoadError> {
    let mut reader = source.at(start);
    reader.skip("ident", 4)?;
    let name = reader.name("name", 64)?;
    let about = format!("surface {index} “{name}”");
    let flags = reader.i32("flags")?;
    let own_frames = reader.i32("numFrames")?;
    let num_shaders = reader.i32("numShaders")?;
    let vertices = reader.count("numVerts", limits::VERTICES)?;
    let triangles = reader.count("numTriangles", limits::TRIANGLES)?;
    let ofs_triangles = reader.i32("ofsTriangles")?;
    let ofs_shaders = reader.i32("ofsShaders")?;
    let ofs_st = reader.i32("ofsSt")?;
    let ofs_xyz_normals = reader.i32("ofsXyzNormals")?;

    if i64::from(own_frames) != i64::from(frames) {
        warnings.add(&about, format!("numFrames is {own_frames}, the header's {frames} is used"));
    }
    let reader = source.at(start);
    let triangles = read_triangles(&reader, start, ofs_triangles, triangles, vertices, &about, warnings)?;
    let materials = read_shaders(&reader, start, ofs_shaders, num_shaders, &about, warnings);
    let uvs = read_texture_coordinates(&reader, start, ofs_st, vertices, &about, warnings)?;
    let (packed, frame_count) = read_vertices(&reader, start, ofs_xyz_normals, frames, vertices, &about, warnings)?;
    let surface = Surface {
        name,
        lod: 0,
        materials,
        triangles,
        uvs,
        hidden: false,
        details: vec![Detail::text("flags", format!("{flags:#x}")), Detail::text("numFrames", own_frames)],
    };
    let track = MorphTrack { stored: vertices, frame_count, remap: None, vertices: PackedVertices::Shorts(packed) };
    Ok((surface, track))
}

/// Bytes of a surface's header.
const SURFACE_HEADER: u64 = 108;

/// Surfaces that cannot be read are left out as long as another can be shown.
#[derive(Default)]
pub(super) struct Losses {
    first: Option<LoadError>,
}

impl Losses {
    pub(super) fn add(&mut self, error: LoadError, warnings: &mut Warnings) {
        warnings.add("", format!("{error}; the surface is left out"));
        self.first.get_or_insert(error);
    }

    /// The first loss is the file's error if `nothing` is left.
    pub(super) fn check(self, nothing: bool) -> Result<(), LoadError> {
        match self.first {
            Some(error) if nothing => Err(error),
            _ => Ok(()),
        }
    }
}

/// Where the next surface of a chain begins: `ofsEnd` is the last field of a surface's header, of whose bytes there are
/// `header`.
pub(super) fn next_surface(source: &Source, start: u64, header: u64) -> Option<u64> {
    let end = source.at(start.saturating_add(header - 4)).i32("ofsEnd").ok()?;
    next_record(start, end, header)
}

/// Warns when surface `index` of `count` ends the chain before its time.
pub(super) fn warn_about_rest(about: &str, index: u32, count: u32, warnings: &mut Warnings) {
    let left = count.saturating_sub(index + 1);
    if left > 0 {
        let message = format!("surface {index} does not say where the next begins; {left} left out");
        warnings.add(format!("{about}ofsEnd"), message);
    }
}

/// Where the next record of a chain begins: `end` bytes on, which must at least step over the record's own header.
pub(super) fn next_record(start: u64, end: i32, header: u64) -> Option<u64> {
    u64::try_from(end).ok().filter(|end| *end >= header).and_then(|end| start.checked_add(end))
}

/// Triangles of MD3, MDC and MDR: three 32-bit indices. Those that name a vertex that is not there are dropped.
pub(super) fn read_triangles(
    reader: &ByteReader,
    start: u64,
    offset: i32,
    count: u32,
    vertices: u32,
    about: &str,
    warnings: &mut Warnings,
) -> Result<Vec<[u32; 3]>, LoadError> {
    let table = reader.table("ofsTriangles", start, offset, count.into(), 12)?;
    let triangles: Vec<[u32; 3]> = table
        .as_chunks::<12>()
        .0
        .iter()
        .filter_map(|record| {
            let corner = |at| u32::try_from(i32_at(record, at)).ok().filter(|index| *index < vertices);
            Some([corner(0)?, corner(4)?, corner(8)?])
        })
        .collect();
    let dropped = count as usize - triangles.len();
    if dropped > 0 {
        warnings.add(about, format!("{dropped} of {count} triangles name vertices that are not there; left out"));
    }
    Ok(triangles)
}

/// Shader names of MD3 and MDC, 68 bytes each. A bad table costs the names, not the surface.
pub(super) fn read_shaders(
    reader: &ByteReader,
    start: u64,
    offset: i32,
    count: i32,
    about: &str,
    warnings: &mut Warnings,
) -> Vec<String> {
    let Some(count) = u32::try_from(count).ok().filter(|count| *count <= limits::SHADERS) else {
        warnings.add(about, format!("numShaders is {count}; no shader name is read"));
        return Vec::new();
    };
    match reader.table("ofsShaders", start, offset, count.into(), 68) {
        Ok(table) => table.as_chunks::<68>().0.iter().map(|record| text(&record[..64])).collect(),
        Err(error) => {
            warnings.add(about, format!("no shader name is read: {}", error.reason));
            Vec::new()
        }
    }
}

/// Texture coordinates of MD3 and MDC, 8 bytes each. A table outside the file gives (0, 0).
pub(super) fn read_texture_coordinates(
    reader: &ByteReader,
    start: u64,
    offset: i32,
    count: u32,
    about: &str,
    warnings: &mut Warnings,
) -> Result<Vec<Vec2>, LoadError> {
    let mut broken = 0;
    let uvs = match reader.table("ofsSt", start, offset, count.into(), 8) {
        Ok(table) => table
            .as_chunks::<8>()
            .0
            .iter()
            .map(|record| {
                let uv = vec2_at(record, 0);
                broken += usize::from(!uv.is_finite());
                if uv.is_finite() { uv } else { Vec2::ZERO }
            })
            .collect(),
        // Only as many as a sound vertex table would back, so that a claimed count alone takes no memory.
        Err(error) if u64::from(count) * 8 <= reader.file_len() => {
            warnings.add(about, format!("it has no texture coordinates: {}", error.reason));
            vec![Vec2::ZERO; count as usize]
        }
        Err(error) => return Err(error),
    };
    if broken > 0 {
        warnings.add(about, format!("{broken} texture coordinates are not finite; (0, 0) is used"));
    }
    Ok(uvs)
}

/// Vertices of all frames. If the file ends early, the frames that fit are kept and the last of them is held.
fn read_vertices(
    reader: &ByteReader,
    start: u64,
    offset: i32,
    frames: u32,
    vertices: u32,
    about: &str,
    warnings: &mut Warnings,
) -> Result<(Vec<ShortVertex>, u32), LoadError> {
    let per_frame = u64::from(vertices) * 8;
    let table = |count: u32| reader.table("ofsXyzNormals", start, offset, u64::from(count), per_frame);
    if vertices == 0 {
        return Ok((Vec::new(), 1));
    }
    let begin = i128::from(start) + i128::from(offset);
    let left = i128::from(reader.file_len()) - begin;
    let fitting = u32::try_from(left.max(0) / i128::from(per_frame)).unwrap_or(u32::MAX);
    let count = if begin >= 0 && fitting > 0 { frames.min(fitting) } else { frames };
    if count < frames {
        warnings.add(
            about,
            format!("the file ends in its frame {count}; {} frames hold the last whole one", frames - count),
        );
    }
    Ok((short_vertices(table(count)?), count))
}

/// MD3 vertices: three coordinates in 1/64 units and the packed normal.
pub(super) fn short_vertices(table: &[u8]) -> Vec<ShortVertex> {
    let read = |record: &[u8; 8]| ShortVertex {
        position: [i16_at(record, 0), i16_at(record, 2), i16_at(record, 4)],
        normal: u16_at(record, 6),
    };
    table.as_chunks::<8>().0.iter().map(read).collect()
}
