//! Common parts of MD2 and its relatives (Kingpin MDX, Heretic II FM, Daikatana DKM): skins, frames of 8-bit vertices, and
//! surfaces that share the vertices of a frame.

use foldhash::{HashMap, HashMapExt as _};
use glam::{Vec2, Vec3};

use super::chunk::vec3_at;
use super::table_normals::NormalMender;
use super::{FormatDef, frame_names, md2};
use crate::budget::Budget;
use crate::bytes::{ByteReader, Column, Count, Kind, Offset, PartKind, Record, Source};
use crate::error::{Fault, FilePosition, LoadError, Reason, WarningKind, Warnings, counted};
use crate::limits::{MAX_GLTF_DECODED_PER_BYTE, MIN_GLTF_DECODED_BYTES};
use crate::model::{
    Bounds, ByteFrame, Clip, ClipSource, FloatVertex, FrameInfo, ModelParts, MorphMotion, MorphTrack, Motion,
    NameLimits, PackedVertices, Surface, SurfaceStorage, TagTrack, is_usable, u32_or_max,
};

/// Row on which those of the formats derived from MD2 build.
pub(super) const RELATIVE: FormatDef = FormatDef {
    sample: None,
    surfaces: SurfaceStorage::Unnamed,
    whole_texels: false,
    name_limits: NameLimits { surface: None, tag: None, frame: Some(15) },
    writer: None,
    ..md2::FORMAT
};

/// Limits of accepted files. The games' limits are 512 frames, 32 skins, 2048 vertices and 4096 triangles.
pub(super) mod limits {
    pub const SKINS: u32 = 1 << 12;
    pub const VERTICES: u32 = 1 << 24;
    pub const TRIANGLES: u32 = 1 << 25;
    pub const COMMANDS: u32 = 1 << 28;
    pub const SKIN_SIDE: i32 = 1 << 16;
}

const SKINS: Record = Record::new("skins", &[Column::new("name", Kind::Text, 64)]).holding(PartKind::Skin);
pub(super) const ST: Record = Record::new("st", &[Column::new("s", Kind::I16, 1), Column::new("t", Kind::I16, 1)]);
pub(super) const TRIS: Record =
    Record::new("tris", &[Column::new("index_xyz", Kind::U16, 3), Column::new("index_st", Kind::U16, 3)])
        .holding(PartKind::Triangle);
pub(super) const FRAME_HEAD: &[Column] =
    &[Column::new("scale", Kind::F32, 3), Column::new("translate", Kind::F32, 3), Column::new("name", Kind::Text, 16)];
const FRAME_VERTICES: Record =
    Record::new("verts", &[Column::new("v", Kind::U8, 3), Column::new("lightnormalindex", Kind::U8, 1)])
        .holding(PartKind::StoredVertex);

/// Triangles of a surface. Each vertex has texture coordinates and the index of its stored vertex.
#[derive(Default)]
pub(crate) struct Mesh {
    pub triangles: Vec<[u32; 3]>,
    pub remap: Vec<u32>,
    pub uvs: Vec<Vec2>,
}

/// Table of frames: a head of 40 bytes, and the packed vertices.
pub(super) struct FrameTable {
    pub offset: Offset,
    pub count: u32,
    /// Distance between frames in bytes, and the position of this number.
    pub stride: (i32, u64),
    /// Vertices of a frame, and their layout.
    pub vertices: u32,
    pub layout: Record,
    /// Largest packed coordinates.
    pub largest: Vec3,
}

impl FrameTable {
    /// Creates the table of frames whose vertices have 8-bit coordinates.
    pub fn of_bytes(offset: Offset, count: u32, stride: (i32, u64), vertices: u32) -> Self {
        Self { offset, count, stride, vertices, layout: FRAME_VERTICES, largest: Vec3::splat(255.0) }
    }
}

/// Name, scale and translation of a frame, and its packed vertices.
pub(super) type PackedFrame<'a> = (FrameInfo, ByteFrame, &'a [u8]);

/// Names, scales and translations of frames, and the vertices of all frames.
pub(super) type Frames = (Vec<FrameInfo>, Vec<ByteFrame>, Vec<[u8; 4]>);

/// Reads the bytes of a frame, at least 40 and `vertex_bytes` for each vertex. While salvaging, replaces a smaller number.
/// `at_vertices` is the field with the number of vertices.
pub(super) fn frame_size(
    at_frame_size: ByteReader,
    stored: i32,
    at_vertices: ByteReader,
    vertices: u32,
    vertex_bytes: i64,
) -> Result<i32, LoadError> {
    let needed = 40 + vertex_bytes * i64::from(vertices);
    if i64::from(stored) >= needed {
        return Ok(stored);
    }
    let why = format!("a frame of {vertices} vertices takes {needed} bytes, not {stored}");
    // The file is too short for a single frame of these vertices, whatever `framesize` is.
    if u64::try_from(needed).is_ok_and(|needed| needed > at_vertices.file_len()) {
        return Err(at_vertices.error("num_xyz", Reason::Broken(why)));
    }
    at_frame_size
        .forgive(at_frame_size.error("framesize", Reason::Broken(why)), || format!("{needed} is used"))
        .map(|()| i32::try_from(needed).unwrap_or(i32::MAX))
}

/// Signed number of a header, and its position.
type Signed = (i32, u64);

/// Reads `framesize` and `num_skins`, each with its position, and the number of vertices, which must not be 0.
pub(super) fn read_sizes(reader: &mut ByteReader, vertex_bytes: i64) -> Result<(Signed, Signed, u32), LoadError> {
    let at_frame_size = *reader;
    let stored = reader.i32("framesize")?;
    let skins_at = reader.position();
    let skins = reader.i32("num_skins")?;
    let at_vertices = *reader;
    let vertices = reader.count("num_xyz", limits::VERTICES)?;
    if vertices == 0 {
        return Err(at_vertices.error("num_xyz", Reason::Broken("a model needs at least one vertex".to_owned())));
    }
    let frame_size = frame_size(at_frame_size, stored, at_vertices, vertices, vertex_bytes)?;
    Ok(((frame_size, at_frame_size.position()), (skins, skins_at), vertices))
}

/// Reads a table whose count is signed in the file.
pub(super) fn table<'a>(
    source: &'a Source<'a>,
    offset: Offset,
    count: i32,
    max: u32,
    record: &Record,
) -> Result<&'a [u8], LoadError> {
    let Some(count) = u32::try_from(count).ok().filter(|count| *count <= max) else {
        let (field, at) = offset.counter();
        return Err(source.error(field, at, Reason::CountOutOfRange { count: count.into(), max: max.into() }));
    };
    source.start().table(0, offset, count.into(), record)
}

/// Returns a table without which the model can be shown; empty, with a warning, if it was not read.
pub(super) fn or_warn<'a>(table: &Result<&'a [u8], LoadError>, loss: &str, warnings: &mut Warnings) -> &'a [u8] {
    match table {
        Ok(table) => table,
        Err(error) => {
            warnings.add_error(WarningKind::LeftOut, error.field.as_str(), format!("{loss}: {}", error.reason), error);
            &[]
        }
    }
}

/// Reads the paths of the skins.
pub(super) fn read_skins(source: &Source, offset: Offset, count: i32, warnings: &mut Warnings) -> Vec<String> {
    let table = table(source, offset, count, limits::SKINS, &SKINS);
    let table = or_warn(&table, "the skin names are skipped", warnings);
    table.as_chunks::<64>().0.iter().map(|record| source.text(record)).collect()
}

/// Reads the frames that are in the file. Numbers that are not usable are replaced by 0.
pub(super) fn read_packed_frames<'a>(
    source: &'a Source<'a>,
    frames: &FrameTable,
    warnings: &mut Warnings,
) -> Result<Vec<PackedFrame<'a>>, LoadError> {
    let (stride, stride_at) = frames.stride;
    let stride = u64::try_from(stride).unwrap_or(0).max(1);
    if stride > source.len() {
        let why = format!("a frame of {stride} bytes is larger than the file of {} bytes", source.len());
        return Err(source.error("framesize", stride_at, Reason::Broken(why)));
    }
    let fitting = source.len().saturating_sub(u64::try_from(frames.offset.value).unwrap_or(u64::MAX)) / stride;
    let whole = u32_or_max(fitting);
    let count = if whole == 0 { frames.count } else { frames.count.min(whole) };
    if count < frames.count {
        let rest = counted(frames.count - count, "frame is", "frames are");
        let message = format!("the file ends in frame {count}; {rest} skipped");
        let (field, at) = frames.offset.counter();
        warnings.add_at(WarningKind::Truncated, field, message, FilePosition::Byte(at));
    }
    let record = Record::new("frames", FRAME_HEAD)
        .holding(PartKind::Frame)
        .followed_by(frames.layout, Count::Fixed(frames.vertices.into()))
        .every(stride);
    let table = source.start().table(0, frames.offset, count.into(), &record)?;
    let mut packed = Vec::with_capacity(count as usize);
    let mut broken = 0;
    for record in table.chunks_exact(usize::try_from(stride).unwrap_or(usize::MAX)) {
        let Some((head, rest)) = record.split_first_chunk::<40>() else { continue };
        let mut finite = |v: Vec3| {
            broken += usize::from(!v.to_array().into_iter().all(is_usable));
            Vec3::from_array(v.to_array().map(|number| if is_usable(number) { number } else { 0.0 }))
        };
        let scale = ByteFrame { scale: finite(vec3_at(head, 0)), translate: finite(vec3_at(head, 12)) };
        let (low, high) = (scale.translate, scale.translate + frames.largest * scale.scale);
        let bounds = Bounds { min: low.min(high), max: low.max(high) };
        let name = source.text(head.get(24..).unwrap_or_default());
        packed.push((FrameInfo { name, bounds: Some(bounds), ..FrameInfo::default() }, scale, rest));
    }
    if broken > 0 {
        warnings.add(
            WarningKind::Substituted,
            "frames",
            counted(
                broken,
                "scale or translation is not finite or beyond a billion; replaced by 0",
                "scales or translations are not finite or beyond a billion; replaced by 0",
            ),
        );
    }
    Ok(packed)
}

/// Reads frames of 8-bit vertices, and repairs their normals with the triangles. `remap` has the stored vertex of each
/// vertex of the triangles.
pub(super) fn read_frames(
    source: &Source,
    frames: &FrameTable,
    triangles: &[[u32; 3]],
    remap: &[u32],
    warnings: &mut Warnings,
) -> Result<Frames, LoadError> {
    let packed = read_packed_frames(source, frames, warnings)?;
    let (mut infos, mut scales) = (Vec::with_capacity(packed.len()), Vec::with_capacity(packed.len()));
    let mut vertices = Vec::with_capacity(packed.len() * frames.vertices as usize);
    let mut mender = NormalMender::new(triangles, remap);
    for (info, scale, rest) in packed {
        let start = vertices.len();
        vertices.extend_from_slice(rest.as_chunks::<4>().0.get(..frames.vertices as usize).unwrap_or_default());
        mender.mend(vertices.get_mut(start..).unwrap_or_default(), scale);
        infos.push(info);
        scales.push(scale);
    }
    mender.report("frames", warnings);
    Ok((infos, scales, vertices))
}

/// Returns the clips of frames by their names.
pub(super) fn named_clips(frames: &[FrameInfo], rate: f32) -> Vec<Clip> {
    let all = || vec![Clip::new("all", 0, u32_or_max(frames.len()), rate, ClipSource::FrameNames)];
    frame_names::by_name(frames, rate).unwrap_or_else(all)
}

/// Returns the triangles of all surfaces by stored vertices.
pub(super) fn stored_triangles(meshes: &[Mesh]) -> Vec<[u32; 3]> {
    let stored = |mesh: &Mesh, index: u32| mesh.remap.get(index as usize).copied().unwrap_or(0);
    let of = |mesh: &Mesh, triangle: &[u32; 3]| triangle.map(|index| stored(mesh, index));
    meshes.iter().flat_map(|mesh| mesh.triangles.iter().map(|triangle| of(mesh, triangle))).collect()
}

/// Returns a surface of a list of triangles, each with the indices of its stored vertices and of its texture coordinates,
/// which `uv` converts. Triangles of vertices that do not exist are skipped. Fails if none is left.
pub(super) fn listed(
    source: &Source,
    table: Offset,
    vertices: u32,
    coordinates: &[[u8; 4]],
    uv: impl Fn(&[u8; 4]) -> Vec2,
    triangles: impl ExactSizeIterator<Item = ([u16; 3], [u16; 3])>,
    warnings: &mut Warnings,
) -> Result<Mesh, LoadError> {
    let (total, mut unmapped) = (triangles.len(), 0_usize);
    let mut mesh = Mesh::default();
    let mut vertex_of: HashMap<(u16, u16), u32> = HashMap::new();
    for (positions, texels) in triangles {
        if positions.iter().any(|position| u32::from(*position) >= vertices) {
            continue;
        }
        let corner = |at: usize| {
            let (position, texel) = (positions[at], texels[at]);
            *vertex_of.entry((position, texel)).or_insert_with(|| {
                let st = coordinates.get(usize::from(texel));
                unmapped += usize::from(st.is_none());
                mesh.uvs.push(st.map_or(Vec2::ZERO, &uv));
                mesh.remap.push(position.into());
                u32_or_max(mesh.remap.len() - 1)
            })
        };
        mesh.triangles.push([0, 1, 2].map(corner));
    }
    if mesh.triangles.is_empty() {
        let (field, at) = table.counter();
        return Err(source.error(field, at, Reason::Broken(super::md3_common::why_nothing_is_drawn(total))));
    }
    let dropped = total - mesh.triangles.len();
    if dropped > 0 {
        let message = format!("{dropped} of {total} triangles name vertices that do not exist; skipped");
        warnings.add_fault(Fault::UnknownVertex, WarningKind::LeftOut, "tris", message);
    }
    if unmapped > 0 {
        let message = counted(
            unmapped,
            "corner names texture coordinates that do not exist; (0, 0) is used",
            "corners name texture coordinates that do not exist; (0, 0) is used",
        );
        warnings.add(WarningKind::Substituted, "tris", message);
    }
    Ok(mesh)
}

/// Bytes of a surface without its vertices and materials.
const SURFACE_BYTES: usize = 512;

/// Adds frames of 8-bit vertices and the surfaces that share them to a model, with clips by the names of the frames.
pub(super) fn with_byte_frames(
    source: &Source,
    frames: &FrameTable,
    mut parts: ModelParts,
    meshes: Vec<Mesh>,
    warnings: &mut Warnings,
) -> Result<ModelParts, LoadError> {
    let remap: Vec<u32> = (0..frames.vertices).collect();
    let (infos, scales, vertices) = read_frames(source, frames, &stored_triangles(&meshes), &remap, warnings)?;
    parts.clips = named_clips(&infos, parts.format.usual_rate());
    parts.frames = infos;
    divided(source, (frames.vertices, PackedVertices::Bytes { frames: scales, vertices }), parts, meshes)
}

/// Divides a model into surfaces, which all have the skins of the file. `parts` has no surfaces yet; `stored` are the number
/// of vertices of a frame, and those of all frames. Of several surfaces, each gets the vertices that it uses. Fails if they
/// would take much more memory than the file.
pub(super) fn divided(
    source: &Source,
    stored: (u32, PackedVertices),
    mut parts: ModelParts,
    meshes: Vec<Mesh>,
) -> Result<ModelParts, LoadError> {
    let (stored, vertices) = stored;
    let frame_count = u32_or_max(parts.frames.len());
    let len = source.len();
    let mut budget = Budget::new(len.saturating_mul(MAX_GLTF_DECODED_PER_BYTE).max(MIN_GLTF_DECODED_BYTES));
    let names = parts.skins.iter().map(|skin| skin.len() + size_of::<String>()).sum::<usize>();
    let is_single = meshes.len() == 1;
    let mut tracks = Vec::with_capacity(meshes.len());
    for mesh in meshes {
        let mut used: Vec<u32> = if is_single { (0..stored).collect() } else { mesh.remap.clone() };
        used.sort_unstable();
        used.dedup();
        let per_frame = used.len() * size_of::<FloatVertex>() + size_of::<ByteFrame>();
        let taken = u64::from(frame_count).saturating_mul(per_frame as u64) + (SURFACE_BYTES + names) as u64;
        let taken = budget.take(taken);
        taken.map_err(|claimed| source.error("frames", 0, Reason::TooMuchData { claimed, file: len }))?;
        let place = |vertex: &u32| u32_or_max(used.binary_search(vertex).unwrap_or(0));
        tracks.push(MorphTrack {
            stored: u32_or_max(used.len()),
            frame_count,
            remap: Some(mesh.remap.iter().map(place).collect()),
            vertices: part_of(&vertices, stored, &used),
        });
        parts.surfaces.push(Surface {
            materials: parts.skins.clone(),
            triangles: mesh.triangles,
            uvs: mesh.uvs,
            ..Surface::default()
        });
    }
    parts.motion = Motion::Morph(MorphMotion { surfaces: tracks, tags: TagTrack::Axes(Vec::new()) });
    Ok(parts)
}

/// Returns the vertices `used` of each frame of `stored` vertices.
fn part_of(vertices: &PackedVertices, stored: u32, used: &[u32]) -> PackedVertices {
    fn pick<T: Copy>(all: &[T], stored: u32, used: &[u32]) -> Vec<T> {
        let frames = all.chunks_exact((stored as usize).max(1));
        frames.flat_map(|frame| used.iter().filter_map(|index| frame.get(*index as usize).copied())).collect()
    }
    match vertices {
        PackedVertices::Bytes { frames, vertices } => {
            PackedVertices::Bytes { frames: frames.clone(), vertices: pick(vertices, stored, used) }
        }
        PackedVertices::Floats(vertices) => PackedVertices::Floats(pick(vertices, stored, used)),
        other => other.clone(),
    }
}
