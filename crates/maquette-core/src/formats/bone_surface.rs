//! Surfaces of MDR, MDS and MDM, whose vertices have varying length because they contain their weights.

use std::collections::HashSet;
use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::chunk::{f32s, i32_at};
use super::md3_common::{
    Chain, Losses, chain_start, limits, next_of_chain, read_triangles, surface_called, surface_error, warn_about_start,
};
use super::write::write_triangles;
use crate::bytes::{ByteReader, ByteWriter, Column, Count, Kind, Offset, PartKind, Record, Source};
use crate::error::{Fault, FilePosition, LoadError, WarningKind, Warnings, WriteError};
use crate::model::{Binding, Detail, Model, SkeletalMotion, Surface, SurfaceData, Weight, are_usable, u32_or_max};

/// Maximum number of bones of a skeleton.
pub(super) const BONES: u32 = 1 << 16;

const BONE_REFERENCES: Record = Record::new("boneReferences", &[Column::new("bone", Kind::I32, 1)]);
const COLLAPSE_MAP: Record = Record::new("collapseMap", &[Column::new("vertex", Kind::I32, 1)]);
const VERTEX: &[Column] = &[
    Column::new("normal", Kind::F32, 3),
    Column::new("texCoords", Kind::F32, 2),
    Column::new("numWeights", Kind::I32, 1),
    Column::new("fixedParent", Kind::I32, 1),
    Column::new("fixedDist", Kind::F32, 1),
];

const WEIGHTS: Record = Record::new(
    "weights",
    &[
        Column::new("boneIndex", Kind::I32, 1),
        Column::new("boneWeight", Kind::F32, 1),
        Column::new("offset", Kind::F32, 3),
    ],
);

/// Differences between the surfaces of the formats.
pub(super) struct Layout {
    /// Whether the header has `minLod` and `ofsCollapseMap`.
    pub collapses: bool,
    /// Whether vertices have `fixedParent` and `fixedDist`, which no renderer reads.
    pub has_fixed_parent: bool,
    /// Whether only the first weight turns the normal.
    pub first_turns_normal: bool,
}

impl Layout {
    fn header(&self) -> u64 {
        if self.collapses { 176 } else { 168 }
    }

    fn vertex(&self) -> usize {
        if self.has_fixed_parent { 32 } else { 24 }
    }

    fn vertices(&self) -> Record {
        let (usual, _) = VERTEX.split_at(3);
        let head = if self.has_fixed_parent { VERTEX } else { usual };
        Record::new("verts", head).holding(PartKind::Vertex).followed_by(WEIGHTS, Count::At(20))
    }
}

/// Consecutive surfaces of a file or of a LOD.
pub(super) struct SurfaceList {
    /// LOD that the surfaces belong to. `None` if the file has no LODs.
    pub lod: Option<u32>,
    /// Start of the structure that `offset` counts from.
    pub base: u64,
    /// Offset of the first surface.
    pub offset: Offset,
    /// Number of surfaces, and the position of that number in the file.
    pub count: u32,
    pub counted_at: u64,
    /// Number of bones of the skeleton.
    pub bones: u32,
}

pub(super) type Surfaces = (Vec<Surface>, Vec<Binding>);

/// Reads surfaces and appends them to `all`. Broken surfaces are skipped with a warning; fails if all are broken.
pub(super) fn read_all(
    source: &Source,
    list: &SurfaceList,
    layout: &Layout,
    all: &mut Surfaces,
    warnings: &mut Warnings,
) -> Result<(), LoadError> {
    let mut next = chain_start(source, list.base, list.offset, list.count)?;
    let about = list.lod.map_or_else(String::new, |lod| format!("LOD {lod}: "));
    let (count_before, mut losses) = (all.0.len(), Losses::default());
    for index in 0..list.count {
        let Some(own) = next else { break };
        let _group = source.group_of(PartKind::Surface.at(all.0.len()), || format!("surface {index}"));
        let before = warnings.count();
        match read(source, own.at, index, list, layout, warnings) {
            Ok(Some((surface, binding))) => {
                warn_about_start(source, own, &surface, warnings);
                all.0.push(surface);
                all.1.push(binding);
            }
            Ok(None) => {}
            Err(error) => {
                let error = surface_error(source, own, error.within(&format!("{about}surface {index}")));
                losses.add(error, before, warnings);
            }
        }
        let chain = Chain { about: &about, index, count: list.count, counted_at: list.counted_at };
        next = next_of_chain(source, own.at, layout.header(), &chain, warnings);
    }
    losses.check(all.0.len() == count_before && !source.is_salvaged())
}

struct SurfaceHeader {
    start: u64,
    about: String,
    name: String,
    shader: String,
    shader_index: i32,
    min_lod: i32,
    ofs_header: i32,
    vertices: u32,
    ofs_verts: Offset,
    triangles: u32,
    ofs_triangles: Offset,
    ofs_collapse_map: Option<Offset>,
    bone_references: i32,
    ofs_bone_references: Offset,
}

fn read_header(
    source: &Source,
    start: u64,
    index: u32,
    lod: Option<u32>,
    layout: &Layout,
) -> Result<SurfaceHeader, LoadError> {
    let mut reader = source.at(start);
    // LODs may share surfaces; charging each header limits the total work.
    reader.claim("header", layout.header())?;
    reader.name("ident", 4)?;
    let name = reader.name_of(PartKind::SurfaceName.at(0), "name", 64)?;
    let shader = reader.name_of(PartKind::Shader.at(0), "shader", 64)?;
    let shader_index = reader.i32("shaderIndex")?;
    let min_lod = if layout.collapses { reader.i32("minLod")? } else { 0 };
    let ofs_header = reader.i32("ofsHeader")?;
    let vertices = reader.count("numVerts", limits::VERTICES)?;
    let ofs_verts = reader.offset("ofsVerts")?;
    let triangles_at = reader.position();
    let triangles = reader.count("numTriangles", limits::TRIANGLES)?;
    let ofs_triangles = reader.offset("ofsTriangles")?.counted_by("numTriangles", triangles_at);
    let ofs_collapse_map = if layout.collapses { Some(reader.offset("ofsCollapseMap")?) } else { None };
    let bone_references_at = reader.position();
    Ok(SurfaceHeader {
        start,
        about: lod.map_or_else(String::new, |lod| format!("LOD {lod} ")) + &surface_called(index, &name),
        name,
        shader,
        shader_index,
        min_lod,
        ofs_header,
        vertices,
        ofs_verts,
        triangles,
        ofs_triangles,
        ofs_collapse_map,
        bone_references: reader.i32("numBoneReferences")?,
        ofs_bone_references: reader.offset("ofsBoneReferences")?.counted_by("numBoneReferences", bone_references_at),
    })
}

fn read(
    source: &Source,
    start: u64,
    index: u32,
    list: &SurfaceList,
    layout: &Layout,
    warnings: &mut Warnings,
) -> Result<Option<(Surface, Binding)>, LoadError> {
    let head = &read_header(source, start, index, list.lod, layout)?;
    let reader = source.at(head.start);
    let mesh = read_vertices(&reader, head, list.bones, layout, warnings)?;
    if list.bones == 0 && mesh.weights_seen > 0 {
        warnings.add(WarningKind::LeftOut, &head.about, "skipped: the surface is weighted to bones, but numBones is 0");
        return Ok(None);
    }
    let count = u32_or_max(mesh.uvs.len());
    let triangles =
        read_triangles(&reader, head.start, head.ofs_triangles, head.triangles, count, &head.about, warnings)?;
    let mut details = vec![Detail::text("shaderIndex", head.shader_index), Detail::text("ofsHeader", head.ofs_header)];
    let collapse_map: Option<Arc<[i32]>> = head.ofs_collapse_map.map(|offset| {
        let table = Table { record: &COLLAPSE_MAP, offset, count: head.vertices.into(), called: "the collapse map is" };
        read_integers(&reader, head, &table, warnings).into()
    });
    if let Some(map) = &collapse_map {
        details.push(Detail::text("minLod", head.min_lod));
        details.push(Detail::integers("collapseMap", map));
    }
    let references = Table {
        record: &BONE_REFERENCES,
        offset: head.ofs_bone_references,
        count: u64::try_from(head.bone_references).unwrap_or(0),
        called: "the bone references are",
    };
    let references = read_integers(&reader, head, &references, warnings).into();
    details.push(Detail::integers("boneReferences", &references));
    let surface = Surface {
        name: head.name.clone(),
        lod: list.lod.unwrap_or(0),
        materials: if head.shader.is_empty() { Vec::new() } else { vec![head.shader.clone()] },
        triangles,
        uvs: mesh.uvs,
        hidden: head.name.eq_ignore_ascii_case("h_blink"),
        data: SurfaceData {
            shader_index: head.shader_index,
            bone_references: Some(references),
            min_lod: head.min_lod,
            collapse_map,
            ..SurfaceData::default()
        }
        .into(),
        details,
    };
    Ok(Some((surface, mesh.binding)))
}

struct Table<'a> {
    record: &'a Record,
    offset: Offset,
    count: u64,
    called: &'a str,
}

fn read_integers(reader: &ByteReader, head: &SurfaceHeader, table: &Table, warnings: &mut Warnings) -> Vec<i32> {
    match reader.table(head.start, table.offset, table.count, table.record) {
        Ok(table) => table.as_chunks::<4>().0.iter().map(|record| i32_at(record, 0)).collect(),
        Err(error) => {
            let message = format!("{} skipped: {}", table.called, error.reason);
            warnings.add_error(WarningKind::LeftOut, &head.about, message, &error);
            Vec::new()
        }
    }
}

#[derive(Default)]
struct Mesh {
    uvs: Vec<Vec2>,
    binding: Binding,
    weights_seen: usize,
    oddities: Oddities,
}

#[derive(Default)]
struct Oddities {
    not_finite: usize,
    unknown_bones: usize,
    without_weights: usize,
    uneven: usize,
}

fn walk(vertices: &[u8], count: u32, layout: &Layout) -> (u32, u64, usize) {
    let (mut rest, mut weights) = (vertices, 0);
    for index in 0..count {
        let stop = (index, (vertices.len() - rest.len()) as u64, weights);
        let Some((head, after)) = split_vertex(rest, layout) else { return stop };
        let Ok(own) = usize::try_from(i32_at(head, 20)) else { return stop };
        let Some(after) = after.get(own.saturating_mul(20)..) else { return stop };
        rest = after;
        weights += own;
    }
    (count, (vertices.len() - rest.len()) as u64, weights)
}

/// Splits the fields of a vertex before its weights from the rest.
fn split_vertex<'a>(vertices: &'a [u8], layout: &Layout) -> Option<(&'a [u8; 24], &'a [u8])> {
    let (head, rest) = vertices.split_at_checked(layout.vertex())?;
    Some((head.first_chunk()?, rest))
}

fn read_vertices(
    reader: &ByteReader,
    head: &SurfaceHeader,
    bones: u32,
    layout: &Layout,
    warnings: &mut Warnings,
) -> Result<Mesh, LoadError> {
    if head.vertices == 0 {
        return Ok(Mesh::default());
    }
    // Vertices differ in length, so measure their table before it is charged to the budget.
    let rest = reader.rest_of_file(head.start, head.ofs_verts)?;
    let (count, bytes, weights) = walk(rest, head.vertices, layout);
    let mut table = reader.walked_table(head.start, head.ofs_verts, count.into(), bytes, &layout.vertices())?;
    if count < head.vertices {
        let total = head.vertices;
        let message = format!(
            "numWeights of vertex {count} is invalid or exceeds the file; {count} of {total} vertices are used"
        );
        let at = u64::try_from(head.ofs_verts.target(head.start)).unwrap_or(0).saturating_add(bytes);
        warnings.add_at(WarningKind::LeftOut, &head.about, message, FilePosition::Byte(at));
    }
    let mut mesh = Mesh::default();
    mesh.uvs.reserve_exact(count as usize);
    mesh.binding.vertices.reserve_exact(count as usize);
    mesh.binding.weights.reserve_exact(weights);
    while let Some((vertex, after)) = split_vertex(table, layout) {
        let own = usize::try_from(i32_at(vertex, 20)).unwrap_or(0);
        let (weights, after) = after.split_at_checked(own * 20).unwrap_or_default();
        mesh.add(vertex, weights.as_chunks::<20>().0, bones, layout);
        table = after;
    }
    mesh.oddities.report(&head.about, warnings);
    Ok(mesh)
}

/// Minimum sum of a vertex's remaining weights that is normalised to 1 after others are dropped.
const NEGLIGIBLE_SUM: f32 = 1e-3;

impl Mesh {
    fn add(&mut self, vertex: &[u8; 24], weights: &[[u8; 20]], bones: u32, layout: &Layout) {
        let odd = &mut self.oddities;
        let [x, y, z, s, t] = odd.usable(f32s::<5>(vertex), 3);
        let (normal, uv) = (Vec3::new(x, y, z), Vec2::new(s, t));
        let first = self.binding.weights.len();
        for record in weights {
            let joint = i32_at(record, 0).cast_unsigned();
            let [bias, x, y, z] = odd.usable(f32s::<4>(&record[4..]), 1);
            if joint < bones {
                let is_first = self.binding.weights.len() == first;
                let normal = if is_first || !layout.first_turns_normal { normal } else { Vec3::ZERO };
                self.binding.weights.push(Weight { joint, bias, offset: Vec3::new(x, y, z), normal });
            }
        }
        let own = self.binding.weights.get_mut(first..).unwrap_or_default();
        let sum: f32 = own.iter().map(|weight| weight.bias).sum();
        let dropped = weights.len() - own.len();
        odd.unknown_bones += dropped;
        odd.without_weights += usize::from(weights.is_empty());
        // A sum near 0 cannot be normalised.
        if dropped > 0 && sum > NEGLIGIBLE_SUM {
            own.iter_mut().for_each(|weight| weight.bias /= sum);
        } else {
            odd.uneven += usize::from(!own.is_empty() && (sum - 1.0).abs() > 0.05);
        }
        self.weights_seen += weights.len();
        self.uvs.push(uv);
        self.binding.vertices.push((u32_or_max(first), u32_or_max(own.len())));
    }
}

impl Oddities {
    fn usable<const COUNT: usize>(&mut self, mut numbers: [f32; COUNT], first: usize) -> [f32; COUNT] {
        if !are_usable(&numbers) {
            let (first, second) = numbers.split_at_mut(first);
            for value in [first, second] {
                if !are_usable(value) {
                    value.fill(0.0);
                    self.not_finite += 1;
                }
            }
        }
        numbers
    }

    fn report(&self, about: &str, warnings: &mut Warnings) {
        warnings.add_counted(
            WarningKind::Substituted,
            about,
            self.not_finite,
            [
                "number of a vertex is not finite or beyond a billion; replaced by 0",
                "numbers of vertices are not finite or beyond a billion; replaced by 0",
            ],
        );
        warnings.add_counted_fault(
            Fault::UnknownJoint,
            WarningKind::LeftOut,
            about,
            self.unknown_bones,
            [
                "weight names a bone that does not exist; the other weights of the vertex are used",
                "weights name bones that do not exist; the other weights of the vertex are used",
            ],
        );
        warnings.add_counted(
            WarningKind::Substituted,
            about,
            self.without_weights,
            ["vertex has no weight; it stays at the origin", "vertices have no weight; they stay at the origin"],
        );
        warnings.add_counted(
            WarningKind::Inconsistent,
            about,
            self.uneven,
            [
                "vertex has weights that do not sum to 1; they are used as stored",
                "vertices have weights that do not sum to 1; they are used as stored",
            ],
        );
    }
}

/// Writes a surface. `used` are the bones that it needs, in the order in which games compute them.
pub(super) fn write(
    writer: &mut ByteWriter,
    (ident, layout): (&[u8; 4], &Layout),
    surface: &Surface,
    binding: &Binding,
    used: impl IntoIterator<Item = u32>,
) -> Result<(), WriteError> {
    let start = writer.position();
    writer.raw(ident);
    writer.text("name", &surface.name, 64)?;
    writer.text("shader", surface.materials.first().map_or("", String::as_str), 64)?;
    writer.i32(surface.data.shader_index);
    let stored = surface.data.collapse_map.as_ref().filter(|map| map.len() == surface.vertex_count());
    if layout.collapses {
        let all = i32::try_from(surface.vertex_count()).unwrap_or(i32::MAX);
        writer.i32(stored.map_or(all, |_| surface.data.min_lod));
    }
    // `ofsHeader` leads back to the header of the file.
    writer.i32(i32::try_from(start).unwrap_or(i32::MAX).wrapping_neg());
    writer.count("numVerts", surface.vertex_count())?;
    let vertices = writer.later();
    writer.count("numTriangles", surface.triangles.len())?;
    let triangles = writer.later();
    let collapse_map = layout.collapses.then(|| writer.later());
    let mut bones = surface.data.bone_references.as_ref().map_or_else(Vec::new, |bones| bones.to_vec());
    // No game reads the list of an MDR, so it stays as it is.
    if layout.collapses || surface.data.bone_references.is_none() {
        let known: HashSet<i32> = bones.iter().copied().collect();
        bones.extend(used.into_iter().map(u32::cast_signed).filter(|bone| !known.contains(bone)));
    }
    writer.count("numBoneReferences", bones.len())?;
    let [bone_references, end] = std::array::from_fn(|_| writer.later());
    writer.here("ofsVerts", vertices, start)?;
    for (vertex, uv) in binding.vertices.iter().zip(&surface.uvs) {
        write_vertex(writer, layout, binding.weights_of(*vertex), *uv)?;
    }
    writer.here("ofsTriangles", triangles, start)?;
    write_triangles(writer, &surface.triangles);
    if let Some(slot) = collapse_map {
        writer.here("ofsCollapseMap", slot, start)?;
        match stored {
            Some(map) => map.iter().for_each(|vertex| writer.i32(*vertex)),
            None => neighbours(surface).into_iter().for_each(|vertex| writer.i32(vertex.cast_signed())),
        }
    }
    writer.here("ofsBoneReferences", bone_references, start)?;
    bones.iter().for_each(|bone| writer.i32(*bone));
    writer.here("ofsEnd", end, start)
}

/// Writes the surfaces of an MDS or MDM. `used` returns the bones that games need to compute some bones, or fails if the
/// lists get too long.
pub(super) fn write_list(
    writer: &mut ByteWriter,
    layout: &Layout,
    model: &Model,
    motion: &SkeletalMotion,
    mut used: impl FnMut(&ByteWriter, HashSet<u32>) -> Result<Vec<u32>, WriteError>,
) -> Result<(), WriteError> {
    for (surface, binding) in model.surfaces().iter().zip(&motion.bindings).filter(|(surface, _)| surface.lod == 0) {
        let bones = used(writer, binding.weights.iter().map(|weight| weight.joint).collect())?;
        let written = write(writer, (&[0; 4], layout), surface, binding, bones);
        written.map_err(|error| error.within(&format!("surface “{}”", surface.name)))?;
    }
    Ok(())
}

fn write_vertex(writer: &mut ByteWriter, layout: &Layout, weights: &[Weight], uv: Vec2) -> Result<(), WriteError> {
    // Games that turn the normal by the first weight read a weight of every vertex.
    const ORIGIN: &[Weight] = &[Weight { joint: 0, bias: 0.0, offset: Vec3::ZERO, normal: Vec3::Z }];
    let weights = if weights.is_empty() && layout.first_turns_normal { ORIGIN } else { weights };
    writer.vec3(weights.first().map_or(Vec3::ZERO, |weight| weight.normal));
    writer.vec2(uv);
    writer.count("numWeights", weights.len())?;
    if layout.has_fixed_parent {
        writer.i32(-1);
        writer.f32(0.0);
    }
    for weight in weights {
        writer.i32(weight.joint.cast_signed());
        writer.f32(weight.bias);
        writer.vec3(weight.offset);
    }
    Ok(())
}

/// Returns a vertex before each one that shares a triangle with it, or else the vertex before. Games replace a vertex by
/// it when they draw fewer.
fn neighbours(surface: &Surface) -> Vec<u32> {
    let mut before: Vec<u32> = (0..u32_or_max(surface.vertex_count())).map(|vertex| vertex.saturating_sub(1)).collect();
    for triangle in &surface.triangles {
        let first = triangle.iter().copied().min().unwrap_or(0);
        for vertex in triangle.iter().filter(|vertex| **vertex > first) {
            before.get_mut(*vertex as usize).into_iter().for_each(|before| *before = first);
        }
    }
    before
}
