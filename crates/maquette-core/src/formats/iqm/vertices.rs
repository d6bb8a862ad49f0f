//! Meshes of an IQM and the attributes of their vertices.
//!
//! An attribute is an array of `size` numbers for each vertex of all meshes. The formats are, from 0: i8, u8, i16, u16,
//! i32, u32, f16, f32, f64. Integers of weights and colours are fractions of their largest value.

use glam::{Vec2, Vec3};
use std::sync::Arc;

use super::joints::Joints;
use super::{Header, MESHES, Meshes, Names};
use crate::bytes::{Column, Kind, Offset, PartKind, Record, Source};
use crate::error::{Fault, FilePosition, LoadError, Reason, WarningKind, Warnings, counted};
use crate::formats::chunk::{f32s, i32_at};
use crate::formats::md3_common::{records::TRIANGLES, surface_called};
use crate::model::{
    Binding, Detail, FloatVertex, LocalSkeleton, Surface, SurfaceData, VertexArray, are_usable, is_usable,
    smooth_normals, u32_or_max,
};

const ARRAYS: Record = Record::new(
    "vertexarrays",
    &[
        Column::new("type", Kind::U32, 1),
        Column::new("flags", Kind::U32, 1),
        Column::new("format", Kind::U32, 1),
        Column::new("size", Kind::U32, 1),
        Column::new("offset", Kind::U32, 1),
    ],
);

const POSITION: usize = 0;
const TEXCOORD: usize = 1;
const NORMAL: usize = 2;
const TANGENT: usize = 3;
const BLENDINDEXES: usize = 4;
const BLENDWEIGHTS: usize = 5;
const COLOR: usize = 6;
/// Number of types with a meaning.
const TYPES: usize = 7;
/// First type whose meaning the file defines.
const CUSTOM: u32 = 16;

const NAMES: [&str; TYPES] = ["position", "texcoord", "normal", "tangent", "blendindexes", "blendweights", "color"];

/// Maximum number of components of an attribute.
const COMPONENTS: usize = 4;

/// Type of a component.
#[derive(Clone, Copy, PartialEq)]
enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F16,
    F32,
    F64,
}

const NUMBERS: [Number; 9] =
    [Number::I8, Number::U8, Number::I16, Number::U16, Number::I32, Number::U32, Number::F16, Number::F32, Number::F64];

type Sizes = [[Column; 1]; COMPONENTS];

const fn sizes(kind: Kind, bytes: u64) -> Sizes {
    const fn column(kind: Kind, count: u64) -> [Column; 1] {
        [Column::new("value", kind, count)]
    }
    [column(kind, bytes), column(kind, 2 * bytes), column(kind, 3 * bytes), column(kind, 4 * bytes)]
}

impl Number {
    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Returns the fields of a vertex for the structure view.
    fn columns(self, size: usize) -> &'static [Column] {
        static BYTES: Sizes = sizes(Kind::U8, 1);
        static SHORTS: Sizes = sizes(Kind::I16, 1);
        static WORDS: Sizes = sizes(Kind::U16, 1);
        static INTEGERS: Sizes = sizes(Kind::I32, 1);
        static LONG_WORDS: Sizes = sizes(Kind::U32, 1);
        static FLOATS: Sizes = sizes(Kind::F32, 1);
        static DOUBLES: Sizes = sizes(Kind::Bytes, 8);
        let sizes = match self {
            Self::I8 | Self::U8 => &BYTES,
            Self::I16 => &SHORTS,
            Self::U16 | Self::F16 => &WORDS,
            Self::I32 => &INTEGERS,
            Self::U32 => &LONG_WORDS,
            Self::F32 => &FLOATS,
            Self::F64 => &DOUBLES,
        };
        sizes.get(size - 1).map_or(&[], |columns| columns)
    }

    fn decode(self, bytes: &[u8]) -> f32 {
        fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
            bytes.first_chunk().copied().unwrap_or([0; N])
        }
        match self {
            Self::I8 => f32::from(i8::from_le_bytes(first(bytes))),
            Self::U8 => f32::from(u8::from_le_bytes(first(bytes))),
            Self::I16 => f32::from(i16::from_le_bytes(first(bytes))),
            Self::U16 => f32::from(u16::from_le_bytes(first(bytes))),
            Self::I32 => i32::from_le_bytes(first(bytes)) as f32,
            Self::U32 => u32::from_le_bytes(first(bytes)) as f32,
            Self::F16 => half(u16::from_le_bytes(first(bytes))),
            Self::F32 => f32::from_le_bytes(first(bytes)),
            Self::F64 => f64::from_le_bytes(first(bytes)) as f32,
        }
    }

    fn vector<const N: usize>(self, record: &[u8]) -> [f32; N] {
        let mut vector = [0.0; N];
        for (to, bytes) in vector.iter_mut().zip(record.chunks_exact(self.bytes())) {
            *to = self.decode(bytes);
        }
        vector
    }

    /// Returns the number that stands for 1 in weights and colours.
    fn one(self) -> f32 {
        match self {
            Self::I8 => f32::from(i8::MAX),
            Self::U8 => f32::from(u8::MAX),
            Self::I16 => f32::from(i16::MAX),
            Self::U16 => f32::from(u16::MAX),
            Self::I32 => i32::MAX as f32,
            Self::U32 => u32::MAX as f32,
            Self::F16 | Self::F32 | Self::F64 => 1.0,
        }
    }
}

/// Decodes a 16-bit float.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    match exponent {
        0 => f32::from_bits(sign | (fraction as f32 / 16_777_216.0).to_bits()),
        0x1f => f32::from_bits(sign | 0xff << 23 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[derive(Clone, Copy)]
struct Array {
    number: Number,
    size: usize,
    offset: Offset,
}

impl Array {
    fn stride(&self) -> usize {
        self.number.bytes() * self.size
    }

    /// Returns the records of the vertices from `first` on.
    fn records<'a>(
        &self,
        source: &'a Source<'a>,
        name: &'static str,
        first: u32,
        count: u32,
    ) -> Result<&'a [u8], LoadError> {
        let record = Record::new(name, self.number.columns(self.size)).holding(PartKind::Vertex);
        let start = u64::from(first) * self.stride() as u64;
        source.start().table(start, self.offset, count.into(), &record)
    }

    /// Decodes records to `N` numbers each. Numbers beyond the array's components are 0.
    fn vectors<const N: usize>(&self, records: &[u8]) -> Vec<[f32; N]> {
        match self.number {
            Number::F32 if self.size == N => records.chunks_exact(4 * N).map(f32s).collect(),
            Number::U8 if self.size == N => {
                records.as_chunks::<N>().0.iter().map(|record| record.map(f32::from)).collect()
            }
            number => records.chunks_exact(self.stride()).map(|record| number.vector(record)).collect(),
        }
    }
}

/// Vertex arrays by type.
struct Arrays([Option<Array>; TYPES]);

impl Arrays {
    fn read(source: &Source, header: &Header, names: &Names, warnings: &mut Warnings) -> Result<Self, LoadError> {
        let mut arrays = Self([None; TYPES]);
        let table = header.arrays.bytes(source, &ARRAYS)?;
        let start = u64::from(header.arrays.offset.value.cast_unsigned());
        for (at, record) in (start..).step_by(20).zip(table.as_chunks::<20>().0) {
            let [kind, _, format, size, offset] = [0, 4, 8, 12, 16].map(|at| i32_at(record, at).cast_unsigned());
            let known = NAMES.get(kind as usize);
            let called = match kind.checked_sub(CUSTOM) {
                Some(offset) => format!("the array “{}”", names.get(offset, || "vertexarrays".to_owned(), warnings)),
                None => known.map_or_else(|| format!("an array of type {kind}"), |name| format!("the array “{name}”")),
            };
            let mut leave_out = |why: &str| {
                let message = format!("{called} is skipped: {why}");
                warnings.add_at(WarningKind::LeftOut, "vertexarrays", message, FilePosition::Byte(at));
            };
            let Some(slot) = arrays.0.get_mut(kind as usize) else {
                leave_out("models do not use it");
                continue;
            };
            let Some(number) = NUMBERS.get(format as usize).copied() else {
                leave_out(&format!("its format {format} is unknown"));
                continue;
            };
            let size = size as usize;
            if !(1..=COMPONENTS).contains(&size) {
                leave_out(&format!("it has {size} components; expected 1 to {COMPONENTS}"));
                continue;
            }
            if slot.is_some() {
                leave_out("an earlier array has its type");
                continue;
            }
            let offset = Offset::new("offset", at + 16, offset.cast_signed()).counted_by("num_vertexes", 48);
            *slot = Some(Array { number, size, offset });
        }
        if arrays.0[POSITION].is_none_or(|array| array.size < 3) {
            let (field, at) = header.arrays.offset.counter();
            let why = Reason::Broken("the vertices have no positions".to_owned());
            return Err(source.error(field, at, why));
        }
        arrays.warn_missing(header, warnings);
        Ok(arrays)
    }

    fn formats(&self) -> Vec<VertexArray> {
        let arrays = NAMES.into_iter().zip(self.0);
        let format = |(attribute, array): (_, Option<Array>)| {
            array.map(|Array { number, size, .. }| VertexArray { attribute, number: number.name(), size })
        };
        arrays.filter_map(format).collect()
    }

    fn warn_missing(&self, header: &Header, warnings: &mut Warnings) {
        let mut warn = |fault, kind, message: &str| warnings.add_fault(fault, kind, "vertexarrays", message);
        if self.0[TEXCOORD].is_none() {
            let message = "the texture coordinates are missing; (0, 0) is used";
            warn(Fault::MissingCoordinates, WarningKind::Substituted, message);
        }
        if header.joints.count > 0 && [BLENDINDEXES, BLENDWEIGHTS].iter().any(|kind| self.0[*kind].is_none()) {
            let message = "the file has joints, but no weights; the surfaces do not move";
            warn(Fault::MissingWeights, WarningKind::Inconsistent, message);
        }
    }
}

/// Range of vertices or triangles of a mesh.
#[derive(Clone, Copy)]
struct Range {
    first: u32,
    count: u32,
}

impl Range {
    fn check(self, source: &Source, all: u32, fields: [&'static str; 3], at: u64) -> Result<(), LoadError> {
        if u64::from(self.first) + u64::from(self.count) <= u64::from(all) {
            return Ok(());
        }
        let [first, count, total] = fields;
        let why = format!("{first} is {} and {count} is {}, but {total} is {all}", self.first, self.count);
        Err(source.error(first, at, Reason::Broken(why)))
    }
}

/// Replaces vectors that are not usable by 0, and counts them.
fn repaired<const N: usize>(mut vectors: Vec<[f32; N]>, broken: &mut usize) -> Vec<[f32; N]> {
    if !are_usable(vectors.as_flattened()) {
        for vector in vectors.iter_mut().filter(|vector| !are_usable(*vector)) {
            *vector = [0.0; N];
            *broken += 1;
        }
    }
    vectors
}

struct MeshReader<'a> {
    source: &'a Source<'a>,
    header: &'a Header,
    arrays: Arrays,
    joints: &'a Joints,
    skeleton: &'a LocalSkeleton,
    /// Index of the joint for vertices without weights, which is added after all others.
    origin: u32,
    needs_origin: bool,
}

/// Reads all meshes.
pub(super) fn read(
    source: &Source,
    header: &Header,
    names: &Names,
    joints: &Joints,
    skeleton: &LocalSkeleton,
    warnings: &mut Warnings,
) -> Result<Meshes, LoadError> {
    let table = header.meshes.bytes(source, &MESHES)?.as_chunks::<24>().0;
    let arrays = Arrays::read(source, header, names, warnings)?;
    let origin = u32_or_max(joints.list.len());
    let mut reader = MeshReader { source, header, arrays, joints, skeleton, origin, needs_origin: false };
    let (mut surfaces, mut bindings) = (Vec::new(), Vec::new());
    let start = u64::from(header.meshes.offset.value.cast_unsigned());
    for (index, (at, record)) in (0..).zip((start..).step_by(24).zip(table)) {
        let _group = source.group_of(PartKind::Surface.at(surfaces.len()), || format!("mesh {index}"));
        let [name, material, first_vertex, vertices, first_triangle, triangles] =
            [0, 4, 8, 12, 16, 20].map(|at| i32_at(record, at).cast_unsigned());
        let about = || format!("mesh {index}");
        let name = names.get(name, about, warnings);
        let material = names.get(material, about, warnings);
        let about = surface_called(index, &name);
        let vertices = Range { first: first_vertex, count: vertices };
        let triangles = Range { first: first_triangle, count: triangles };
        match reader.read(&about, at, vertices, triangles, warnings) {
            Ok((surface, binding)) => {
                let materials = if material.is_empty() { Vec::new() } else { vec![material] };
                surfaces.push(Surface { name, materials, ..surface });
                bindings.push(binding);
            }
            Err(error) => source.forgive(error.within(&about), || "the mesh is skipped".to_owned())?,
        }
    }
    Ok(Meshes { surfaces, bindings, arrays: reader.arrays.formats(), needs_origin: reader.needs_origin })
}

impl MeshReader<'_> {
    fn read(
        &mut self,
        about: &str,
        at: u64,
        vertices: Range,
        triangles: Range,
        warnings: &mut Warnings,
    ) -> Result<(Surface, Binding), LoadError> {
        let source = self.source;
        let fields = ["first_vertex", "num_vertexes", "the number of all vertices"];
        vertices.check(source, self.header.vertices, fields, at + 8)?;
        let fields = ["first_triangle", "num_triangles", "the number of all triangles"];
        triangles.check(source, self.header.triangles.count, fields, at + 16)?;

        let mut broken = 0;
        let positions = repaired(self.vectors::<3>(POSITION, vertices)?, &mut broken);
        let count = positions.len();
        let normals = repaired(self.vectors::<3>(NORMAL, vertices)?, &mut broken);
        let mut uvs = repaired(self.vectors::<2>(TEXCOORD, vertices)?, &mut broken);
        uvs.resize(count, [0.0; 2]);
        // Tangents are not used, but appear in the structure of the file.
        self.records(TANGENT, vertices)?;
        let triangles = self.triangles(about, vertices.first, triangles, u32_or_max(count), warnings)?;
        let positions: Vec<Vec3> = positions.into_iter().map(Vec3::from).collect();
        let normals = if normals.len() == count {
            normals.into_iter().map(Vec3::from).collect()
        } else {
            let message = "the normals are missing; they are computed from the triangles";
            warnings.add_fault(Fault::MissingNormals, WarningKind::Substituted, about, message);
            smooth_normals(&positions, &triangles)
        };
        let vertex = |(position, normal)| FloatVertex { position, normal };
        let bind = positions.into_iter().zip(normals).map(vertex).collect();
        let binding = self.binding(about, vertices, bind, warnings)?;
        let colours = Some(self.colours(vertices)?).filter(|colours| !colours.is_empty()).map(Arc::from);
        let details = colours.iter().map(|colours| Detail::integers("color", colours)).collect();
        let data = SurfaceData { colours, ..SurfaceData::default() }.into();
        if broken > 0 {
            let message = counted(
                broken,
                "number of a vertex is not finite or beyond a billion; replaced by 0",
                "numbers of vertices are not finite or beyond a billion; replaced by 0",
            );
            warnings.add(WarningKind::Substituted, about, message);
        }
        let uvs = uvs.into_iter().map(Vec2::from).collect();
        Ok((Surface { triangles, uvs, data, details, ..Surface::default() }, binding))
    }

    /// Returns the records of an attribute; empty without the array.
    fn records(&self, kind: usize, vertices: Range) -> Result<Option<(Array, &[u8])>, LoadError> {
        let (Some(array), Some(name)) = (self.arrays.0.get(kind).copied().flatten(), NAMES.get(kind)) else {
            return Ok(None);
        };
        match array.records(self.source, name, vertices.first, vertices.count) {
            Ok(records) => Ok(Some((array, records))),
            Err(error) if kind == POSITION => Err(error),
            Err(error) => self.source.forgive(error, || format!("the array “{name}” is skipped")).map(|()| None),
        }
    }

    fn vectors<const N: usize>(&self, kind: usize, vertices: Range) -> Result<Vec<[f32; N]>, LoadError> {
        Ok(self.records(kind, vertices)?.map(|(array, records)| array.vectors(records)).unwrap_or_default())
    }

    fn triangles(
        &self,
        about: &str,
        first_vertex: u32,
        triangles: Range,
        vertices: u32,
        warnings: &mut Warnings,
    ) -> Result<Vec<[u32; 3]>, LoadError> {
        let start = u64::from(triangles.first) * 12;
        let table = match triangles.count {
            0 => &[],
            count => self.source.start().table(start, self.header.triangles.offset, count.into(), &TRIANGLES)?,
        };
        let records = table.as_chunks::<12>().0;
        let all = records
            .iter()
            .map(|record| [0, 4, 8].map(|at| i32_at(record, at).cast_unsigned().wrapping_sub(first_vertex)));
        let kept: Vec<[u32; 3]> = all.filter(|corners| corners.iter().all(|corner| *corner < vertices)).collect();
        let dropped = records.len() - kept.len();
        if dropped > 0 {
            let message = format!("{dropped} of {} triangles name vertices outside the mesh; skipped", records.len());
            warnings.add_fault(Fault::UnknownVertex, WarningKind::LeftOut, about, message);
        }
        Ok(kept)
    }

    fn binding(
        &mut self,
        about: &str,
        vertices: Range,
        bind: Vec<FloatVertex>,
        warnings: &mut Warnings,
    ) -> Result<Binding, LoadError> {
        let weights = match self.arrays.0[BLENDWEIGHTS] {
            Some(_) if self.origin > 0 => self.vectors::<COMPONENTS>(BLENDWEIGHTS, vertices)?,
            _ => Vec::new(),
        };
        let indices = if weights.is_empty() { Vec::new() } else { self.vectors::<COMPONENTS>(BLENDINDEXES, vertices)? };
        let one = self.arrays.0[BLENDWEIGHTS].map_or(1.0, |array| array.number.one());
        let components = self.arrays.0[BLENDINDEXES].map_or(0, |array| array.size);
        let mut stored = indices.iter().zip(&weights);
        let mut binding = Binding::default();
        binding.vertices.reserve_exact(bind.len());
        let used = weights.as_flattened().iter().filter(|weight| **weight > 0.0).count();
        binding.weights.reserve_exact(used.max(bind.len()));
        let (mut unknown, mut free, mut weightless, mut first_weightless) = (0, 0, 0, None);
        for (number, vertex) in bind.iter().enumerate() {
            let (first, known) = (binding.weights.len(), unknown);
            let own = stored.next().into_iter().flat_map(|(indices, weights)| indices.iter().zip(weights));
            for (index, weight) in own.take(components) {
                let bias = weight / one;
                // Engines stop at the first weight without effect.
                if !(bias > 0.0 && is_usable(bias)) {
                    break;
                }
                let Some(joint) = self.joint(*index) else {
                    unknown += 1;
                    continue;
                };
                binding.weights.push(vertex.weight(self.skeleton, joint, bias));
            }
            let mut count = u32_or_max(binding.weights.len() - first);
            if count == 0 {
                (free, count) = (free + 1, 1);
                if unknown == known {
                    weightless += 1;
                    first_weightless.get_or_insert(number);
                }
                binding.weights.push(vertex.weight(self.skeleton, self.origin, 1.0));
            }
            binding.vertices.push((u32_or_max(first), count));
        }
        binding.bind = bind;
        self.needs_origin |= free > 0;
        if unknown > 0 {
            let message = counted(
                unknown,
                "weight names a joint that does not exist; skipped",
                "weights name joints that do not exist; skipped",
            );
            warnings.add_fault(Fault::UnknownJoint, WarningKind::LeftOut, about, message);
        }
        if let Some(first) = first_weightless.filter(|_| !weights.is_empty()) {
            let vertices = counted(weightless, "vertex has no weight", "vertices have no weight");
            let message = format!("{vertices}, first vertex {first}; no joint moves it");
            warnings.add_fault(Fault::VertexWithoutWeights, WarningKind::Inconsistent, about, message);
        }
        Ok(binding)
    }

    /// Returns the index in the model of a joint of the file.
    fn joint(&self, index: f32) -> Option<u32> {
        if index < 0.0 { None } else { self.joints.order.in_model.get(index as usize).copied() }
    }

    /// Returns the colours, packed as red in the lowest byte, then green, blue and alpha.
    fn colours(&self, vertices: Range) -> Result<Vec<i32>, LoadError> {
        let Some((array, records)) = self.records(COLOR, vertices)? else { return Ok(Vec::new()) };
        let one = array.number.one();
        let byte = |part: f32| (part / one * 255.0).round().clamp(0.0, 255.0) as u8;
        let packed = |rgba: [f32; COMPONENTS]| i32::from_le_bytes(rgba.map(byte));
        Ok(array.vectors(records).into_iter().map(packed).collect())
    }
}
