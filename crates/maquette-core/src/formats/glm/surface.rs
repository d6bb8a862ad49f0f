//! Surfaces of a GLM: vertices in model space with packed bones and weights.

use std::sync::Arc;

use glam::Vec3;

use super::super::chunk::{f32s, i32_at};
use super::super::md3_common::{limits, read_texture_coordinates, read_triangles, surface_called};
use super::Node;
use crate::bytes::{Column, Kind, PartKind, Record, Source};
use crate::error::{Fault, LoadError, Reason, WarningKind, Warnings};
use crate::model::{Binding, Detail, FloatVertex, Surface, SurfaceData, Weight, is_usable, u32_or_max};

pub(super) const HEADER: u64 = 40;

const BONE_REFERENCES: Record = Record::new("boneReferences", &[Column::new("bone", Kind::I32, 1)]);
const VERTICES: Record = Record::new(
    "verts",
    &[
        Column::new("normal", Kind::F32, 3),
        Column::new("vertCoords", Kind::F32, 3),
        Column::new("uiNmWeightsAndBoneIndexes", Kind::U32, 1),
        Column::new("BoneWeightings", Kind::U8, 4),
    ],
)
.holding(PartKind::Vertex);

/// Maximum number of bone references that the five bits of a vertex can select.
pub(crate) const REFERENCES: u32 = 32;

/// Location of a surface in the file.
pub(super) struct Location {
    pub start: u64,
    pub lod: u32,
    pub index: u32,
}

impl Location {
    /// Returns the entry of the hierarchy that the surface names.
    pub fn node<'a>(&self, source: &Source, nodes: &'a [Node]) -> Result<&'a Node, LoadError> {
        let at = self.start.saturating_add(4);
        let Some(number) = source.number_at(at) else {
            let left = source.len().saturating_sub(self.start);
            return Err(source.error("header", self.start, Reason::UnexpectedEnd { wanted: HEADER, left }));
        };
        usize::try_from(number).ok().and_then(|number| nodes.get(number)).ok_or_else(|| {
            let why = format!("{number} is not an entry of the hierarchy");
            source.error("thisSurfaceIndex", at, Reason::Broken(why))
        })
    }
}

/// Reads a surface that belongs to `node`.
pub(super) fn read(
    source: &Source,
    &Location { start, lod, index }: &Location,
    node: &Node,
    bones: u32,
    warnings: &mut Warnings,
) -> Result<(Surface, Binding), LoadError> {
    let mut reader = source.at(start);
    reader.claim("header", HEADER)?;
    reader.name("ident", 4)?;
    reader.i32("thisSurfaceIndex")?;
    reader.i32("ofsHeader")?;
    let vertex_count = reader.count("numVerts", limits::VERTICES)?;
    let ofs_verts = reader.offset("ofsVerts")?;
    let triangles_at = reader.position();
    let triangle_count = reader.count("numTriangles", limits::TRIANGLES)?;
    let ofs_triangles = reader.offset("ofsTriangles")?.counted_by("numTriangles", triangles_at);
    let references_at = reader.position();
    let reference_count = reader.count("numBoneReferences", limits::SURFACES)?;
    let ofs_references = reader.offset("ofsBoneReferences")?.counted_by("numBoneReferences", references_at);
    reader.i32("ofsEnd")?;
    let about = format!("LOD {lod} {}", surface_called(index, &node.name));

    let references = reader.table(start, ofs_references, reference_count.into(), &BONE_REFERENCES)?;
    let references: Arc<[i32]> = references.as_chunks::<4>().0.iter().map(|record| i32_at(record, 0)).collect();
    if reference_count > REFERENCES {
        let message = format!("the surface has {reference_count} bone references; vertices can use {REFERENCES}");
        warnings.add(WarningKind::Inconsistent, &about, message);
    }
    let table = reader.table(start, ofs_verts, vertex_count.into(), &VERTICES)?;
    let mut vertices =
        Vertices { references: &references, bones, binding: Binding::default(), odd: Oddities::default() };
    let records = table.as_chunks::<32>().0;
    let weights = records.iter().map(|record| weight_count(record) as usize).sum();
    vertices.binding.vertices.reserve_exact(records.len());
    vertices.binding.bind.reserve_exact(records.len());
    vertices.binding.weights.reserve_exact(weights);
    records.iter().for_each(|record| vertices.add(record));
    let Vertices { binding, odd, .. } = vertices;
    odd.report(&about, warnings);
    let count = u32_or_max(binding.vertices.len());

    let after_vertices = start.saturating_add(32 * u64::from(vertex_count));
    let uvs = read_texture_coordinates(&reader, after_vertices, ofs_verts, count, &about, warnings)?;
    let triangles = read_triangles(&reader, start, ofs_triangles, triangle_count, count, &about, warnings)?;
    let surface = Surface {
        name: node.name.clone(),
        lod,
        materials: if node.shader.is_empty() { Vec::new() } else { vec![node.shader.clone()] },
        triangles,
        uvs,
        hidden: node.is_off,
        data: SurfaceData { bone_references: Some(Arc::clone(&references)), ..SurfaceData::default() }.into(),
        details: vec![
            Detail::text("flags", format_args!("{:#x}", node.flags)),
            Detail::text("parentIndex", node.parent),
            Detail::integers("boneReferences", &references),
        ],
    };
    Ok((surface, binding))
}

/// Returns the number of weights of a vertex.
fn weight_count(record: &[u8; 32]) -> u32 {
    (i32_at(record, 24).cast_unsigned() >> 30) + 1
}

struct Vertices<'a> {
    references: &'a [i32],
    bones: u32,
    binding: Binding,
    odd: Oddities,
}

#[derive(Default)]
struct Oddities {
    not_finite: usize,
    unknown_bones: usize,
}

impl Vertices<'_> {
    /// Adds a vertex. Its normal is moved by the first bone only (OpenJK `tr_ghoul2.cpp`, `RB_SurfaceGhoul`).
    fn add(&mut self, record: &[u8; 32]) {
        let [a, b, c, x, y, z] = f32s::<6>(record).map(|number| self.odd.usable(number));
        let (mut normal, offset) = (Vec3::new(a, b, c), Vec3::new(x, y, z));
        self.binding.bind.push(FloatVertex { position: offset, normal });
        let packed = i32_at(record, 24).cast_unsigned();
        let count = weight_count(record);
        let first = self.binding.weights.len();
        let mut rest = 1.0;
        for slot in 0..count {
            let low = record.get(28 + slot as usize).copied().unwrap_or(0);
            let high = packed >> (20 + 2 * slot) & 3;
            let stored = f32::from(u16::from(low)) + 256.0 * f32::from(u8::try_from(high).unwrap_or(0));
            let bias = if slot + 1 == count { rest } else { stored / 1023.0 };
            rest -= bias;
            let reference = self.references.get((packed >> (5 * slot) & 31) as usize);
            let joint = reference.and_then(|bone| u32::try_from(*bone).ok()).filter(|bone| *bone < self.bones);
            let Some(joint) = joint else {
                self.odd.unknown_bones += 1;
                continue;
            };
            self.binding.weights.push(Weight { joint, bias, offset, normal });
            normal = Vec3::ZERO;
        }
        self.binding.vertices.push((u32_or_max(first), u32_or_max(self.binding.weights.len() - first)));
    }
}

impl Oddities {
    fn usable(&mut self, number: f32) -> f32 {
        self.not_finite += usize::from(!is_usable(number));
        if is_usable(number) { number } else { 0.0 }
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
            ["weight names a bone that does not exist; skipped", "weights name bones that do not exist; skipped"],
        );
    }
}
