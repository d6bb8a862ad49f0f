//! Surfaces of an MDR, whose vertices have varying length because they contain their weights.

use glam::{Vec2, Vec3};

use super::super::chunk::{f32s, i32_at};
use super::super::md3_common::{limits, read_triangles, surface_called};
use crate::bytes::{ByteReader, Column, Count, Kind, Offset, PartKind, Record, Source};
use crate::error::{FilePosition, LoadError, WarningKind, Warnings};
use crate::model::{Binding, Detail, Surface, Weight, are_usable, u32_or_max};

pub(super) const HEADER: u64 = 168;

/// Maximum weights per vertex; more means invalid data.
const WEIGHTS: i32 = 1 << 16;

const BONE_REFERENCES: Record = Record::new("boneReferences", &[Column::new("bone", Kind::I32, 1)]);
const VERTICES: Record = Record::new(
    "verts",
    &[
        Column::new("normal", Kind::F32, 3),
        Column::new("texCoords", Kind::F32, 2),
        Column::new("numWeights", Kind::I32, 1),
    ],
)
.holding(PartKind::Vertex)
.followed_by(
    Record::new(
        "weights",
        &[
            Column::new("boneIndex", Kind::I32, 1),
            Column::new("boneWeight", Kind::F32, 1),
            Column::new("offset", Kind::F32, 3),
        ],
    ),
    Count::At(20),
);

struct SurfaceHeader {
    start: u64,
    about: String,
    lod: u32,
    name: String,
    shader: String,
    shader_index: i32,
    ofs_header: i32,
    vertices: u32,
    ofs_verts: Offset,
    triangles: u32,
    ofs_triangles: Offset,
    bone_references: i32,
    ofs_bone_references: Offset,
}

fn read_header(source: &Source, start: u64, lod: u32, index: u32) -> Result<SurfaceHeader, LoadError> {
    let mut reader = source.at(start);
    // LODs may share surfaces; charging each header limits the total work.
    reader.claim("header", HEADER)?;
    reader.name("ident", 4)?;
    let name = reader.name_of(PartKind::SurfaceName.at(0), "name", 64)?;
    let shader = reader.name_of(PartKind::Shader.at(0), "shader", 64)?;
    let shader_index = reader.i32("shaderIndex")?;
    let ofs_header = reader.i32("ofsHeader")?;
    let vertices = reader.count("numVerts", limits::VERTICES)?;
    let ofs_verts = reader.offset("ofsVerts")?;
    let triangles_at = reader.position();
    let triangles = reader.count("numTriangles", limits::TRIANGLES)?;
    let ofs_triangles = reader.offset("ofsTriangles")?.counted_by("numTriangles", triangles_at);
    let bone_references_at = reader.position();
    Ok(SurfaceHeader {
        start,
        about: format!("LOD {lod} {}", surface_called(index, &name)),
        lod,
        name,
        shader,
        shader_index,
        ofs_header,
        vertices,
        ofs_verts,
        triangles,
        ofs_triangles,
        bone_references: reader.i32("numBoneReferences")?,
        ofs_bone_references: reader.offset("ofsBoneReferences")?.counted_by("numBoneReferences", bone_references_at),
    })
}

pub(super) fn read(
    source: &Source,
    start: u64,
    lod: u32,
    index: u32,
    bones: u32,
    warnings: &mut Warnings,
) -> Result<Option<(Surface, Binding)>, LoadError> {
    let head = &read_header(source, start, lod, index)?;
    let reader = source.at(head.start);
    let mesh = read_vertices(&reader, head, bones, warnings)?;
    if bones == 0 && mesh.weights_seen > 0 {
        warnings.add(WarningKind::LeftOut, &head.about, "skipped: the surface is weighted to bones, but numBones is 0");
        return Ok(None);
    }
    let count = u32_or_max(mesh.uvs.len());
    let triangles =
        read_triangles(&reader, head.start, head.ofs_triangles, head.triangles, count, &head.about, warnings)?;
    let surface = Surface {
        name: head.name.clone(),
        lod: head.lod,
        materials: if head.shader.is_empty() { Vec::new() } else { vec![head.shader.clone()] },
        triangles,
        uvs: mesh.uvs,
        hidden: false,
        details: vec![
            Detail::text("shaderIndex", head.shader_index),
            Detail::text("ofsHeader", head.ofs_header),
            Detail::integers("boneReferences", read_bone_references(&reader, head, warnings)),
        ],
    };
    Ok(Some((surface, mesh.binding)))
}

fn read_bone_references(reader: &ByteReader, head: &SurfaceHeader, warnings: &mut Warnings) -> Vec<i32> {
    let count = u64::try_from(head.bone_references).unwrap_or(0);
    match reader.table(head.start, head.ofs_bone_references, count, &BONE_REFERENCES) {
        Ok(table) => table.as_chunks::<4>().0.iter().map(|record| i32_at(record, 0)).collect(),
        Err(error) => {
            let message = format!("the bone references are skipped: {}", error.reason);
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

fn walk(vertices: &[u8], count: u32) -> (u32, u64, usize) {
    let (mut rest, mut weights) = (vertices, 0);
    for index in 0..count {
        let stop = (index, (vertices.len() - rest.len()) as u64, weights);
        let Some((head, after)) = rest.split_first_chunk::<24>() else { return stop };
        let Some(own) = Some(i32_at(head, 20)).filter(|own| *own <= WEIGHTS).and_then(|own| usize::try_from(own).ok())
        else {
            return stop;
        };
        let Some(after) = after.get(own * 20..) else { return stop };
        rest = after;
        weights += own;
    }
    (count, (vertices.len() - rest.len()) as u64, weights)
}

fn read_vertices(
    reader: &ByteReader,
    head: &SurfaceHeader,
    bones: u32,
    warnings: &mut Warnings,
) -> Result<Mesh, LoadError> {
    if head.vertices == 0 {
        return Ok(Mesh::default());
    }
    // Vertices differ in length, so measure their table before it is charged to the budget.
    let rest = reader.rest_of_file(head.start, head.ofs_verts)?;
    let (count, bytes, weights) = walk(rest, head.vertices);
    let mut table = reader.walked_table(head.start, head.ofs_verts, count.into(), bytes, &VERTICES)?;
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
    while let Some((vertex, after)) = table.split_first_chunk::<24>() {
        let own = usize::try_from(i32_at(vertex, 20)).unwrap_or(0);
        let (weights, after) = after.split_at_checked(own * 20).unwrap_or_default();
        mesh.add(vertex, weights.as_chunks::<20>().0, bones);
        table = after;
    }
    mesh.oddities.report(&head.about, warnings);
    Ok(mesh)
}

/// Minimum sum of a vertex's remaining weights that is normalised to 1 after others are dropped.
const NEGLIGIBLE_SUM: f32 = 1e-3;

impl Mesh {
    fn add(&mut self, vertex: &[u8; 24], weights: &[[u8; 20]], bones: u32) {
        let odd = &mut self.oddities;
        let [x, y, z, s, t] = odd.usable(f32s::<5>(vertex), 3);
        let (normal, uv) = (Vec3::new(x, y, z), Vec2::new(s, t));
        let first = self.binding.weights.len();
        for record in weights {
            let joint = i32_at(record, 0).cast_unsigned();
            let [bias, x, y, z] = odd.usable(f32s::<4>(&record[4..]), 1);
            if joint < bones {
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
        let mut add_counted = |kind: WarningKind, count: usize, message: &str| {
            if count > 0 {
                warnings.add(kind, about, format!("{count} {message}"));
            }
        };
        add_counted(
            WarningKind::Substituted,
            self.not_finite,
            "numbers of vertices are not finite or beyond a billion; replaced by 0",
        );
        add_counted(
            WarningKind::LeftOut,
            self.unknown_bones,
            "weights name bones that do not exist; the other weights of the vertex are used",
        );
        add_counted(WarningKind::Substituted, self.without_weights, "vertices have no weight; they stay at the origin");
        add_counted(
            WarningKind::Inconsistent,
            self.uneven,
            "vertices have weights that do not sum to 1; they are used as stored",
        );
    }
}
