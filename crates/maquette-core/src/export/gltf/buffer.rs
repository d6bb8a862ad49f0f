//! Binary buffer of a glTF file: appends values and returns their accessors.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use glam::{Mat4, Vec2, Vec3};
use serde_json::json;

use super::json::{Accessor, BufferView, Document};
use crate::export::ExportError;
use crate::limits::MAX_GLTF_BYTES;
use crate::model::{linear, u32_or_max};

/// Target of a buffer view (glTF 2.0, section 5.11.5).
#[derive(Clone, Copy)]
pub(super) enum BufferTarget {
    Vertices = 34962,
    Indices = 34963,
    Other = 0,
}

const BYTE: u32 = 5121;
const SHORT: u32 = 5122;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

#[derive(Default)]
pub(super) struct Builder {
    pub document: Document,
    pub bytes: Vec<u8>,
    /// Names of the variants of the materials.
    pub variants: Vec<String>,
    known: HashMap<u64, Vec<(u32, usize, usize)>>,
    hasher: RandomState,
}

impl Builder {
    pub fn view(&mut self, bytes: &[u8], holds: BufferTarget) -> Result<u32, ExportError> {
        // glTF requires 4-byte alignment.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        if bytes.len() > MAX_GLTF_BYTES.saturating_sub(self.bytes.len()) {
            return Err(too_large());
        }
        let target = holds as u32;
        self.document.buffer_views.push(BufferView {
            buffer: 0,
            byte_offset: number(self.bytes.len()),
            byte_length: number(bytes.len()),
            byte_stride: None,
            target: (target != 0).then_some(target),
        });
        self.bytes.extend_from_slice(bytes);
        Ok(number(self.document.buffer_views.len() - 1))
    }

    fn accessor(&mut self, accessor: Accessor) -> u32 {
        self.document.accessors.push(accessor);
        number(self.document.accessors.len() - 1)
    }

    fn plain(
        &mut self,
        bytes: &[u8],
        holds: BufferTarget,
        component_type: u32,
        shape: &'static str,
        count: usize,
    ) -> Result<u32, ExportError> {
        let view = self.view(bytes, holds)?;
        Ok(self.accessor(accessor(Some(view), component_type, shape, count)))
    }

    pub fn vec3s(&mut self, values: &[Vec3], boxed: bool) -> Result<u32, ExportError> {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_array()).flat_map(f32::to_le_bytes).collect();
        let hash = self.hasher.hash_one((&bytes, boxed));
        let same = |(_, start, length): &&(u32, usize, usize)| self.bytes.get(*start..start + length) == Some(&bytes);
        if let Some((known, ..)) = self.known.get(&hash).and_then(|known| known.iter().find(same)) {
            return Ok(*known);
        }
        let index = self.plain(&bytes, BufferTarget::Vertices, FLOAT, "VEC3", values.len())?;
        if boxed {
            let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            let (low, high) = values.iter().fold(start, |(low, high), value| (low.min(*value), high.max(*value)));
            self.set_box(index, low.to_array().to_vec(), high.to_array().to_vec());
        }
        self.known.entry(hash).or_default().push((index, self.bytes.len() - bytes.len(), bytes.len()));
        Ok(index)
    }

    /// Writes quantised positions. Each takes 8 bytes, because glTF requires 4-byte alignment.
    pub fn steps(&mut self, values: &[[i16; 3]]) -> Result<u32, ExportError> {
        let padded = values.iter().flat_map(|[x, y, z]| [*x, *y, *z, 0]);
        let bytes: Vec<u8> = padded.flat_map(i16::to_le_bytes).collect();
        let index = self.plain(&bytes, BufferTarget::Vertices, SHORT, "VEC3", values.len())?;
        if let Some(view) = self.document.buffer_views.last_mut() {
            view.byte_stride = Some(8);
        }
        let side = |pick: fn(i16, i16) -> i16, start: i16| {
            let corner = values.iter().fold([start; 3], |corner, value| [0, 1, 2].map(|k| pick(corner[k], value[k])));
            corner.map(f32::from).to_vec()
        };
        self.set_box(index, side(i16::min, i16::MAX), side(i16::max, i16::MIN));
        Ok(index)
    }

    fn set_box(&mut self, accessor: u32, min: Vec<f32>, max: Vec<f32>) {
        if let Some(accessor) = self.document.accessors.get_mut(accessor as usize) {
            (accessor.min, accessor.max) = (min, max);
        }
    }

    pub fn uvs(&mut self, values: &[Vec2]) -> Result<u32, ExportError> {
        // Neither JSON nor glTF can represent infinity.
        let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
        let numbers = values.iter().flat_map(|value| value.to_array()).map(finite);
        let bytes: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
        self.plain(&bytes, BufferTarget::Vertices, FLOAT, "VEC2", values.len())
    }

    /// Writes colours as linear factors. 16 bits keep every step of the encoding.
    pub fn colours(&mut self, packed: &[i32]) -> Result<u32, ExportError> {
        let part = |byte: u8, is_linear: bool| {
            let stored = f32::from(byte) / 255.0;
            let factor = if is_linear { stored } else { linear(stored) };
            ((factor * 65535.0).round() as u16).to_le_bytes()
        };
        let factors = packed.iter().flat_map(|colour| {
            let [r, g, b, a] = colour.to_le_bytes();
            [part(r, false), part(g, false), part(b, false), part(a, true)]
        });
        let bytes: Vec<u8> = factors.flatten().collect();
        let index = self.plain(&bytes, BufferTarget::Vertices, UNSIGNED_SHORT, "VEC4", packed.len())?;
        if let Some(accessor) = self.document.accessors.get_mut(index as usize) {
            accessor.normalized = true;
        }
        Ok(index)
    }

    /// Writes triangle indices, in 16 bits if possible. glTF forbids the largest index of each type.
    pub fn indices(&mut self, triangles: impl Iterator<Item = [u32; 3]>, vertices: usize) -> Result<u32, ExportError> {
        let corners: Vec<u32> = triangles.flatten().collect();
        let (bytes, kind): (Vec<u8>, u32) = if vertices <= usize::from(u16::MAX) {
            (corners.iter().flat_map(|corner| (*corner as u16).to_le_bytes()).collect(), UNSIGNED_SHORT)
        } else {
            (corners.iter().flat_map(|corner| corner.to_le_bytes()).collect(), UNSIGNED_INT)
        };
        self.plain(&bytes, BufferTarget::Indices, kind, "SCALAR", corners.len())
    }

    pub fn joints(&mut self, values: &[[u16; 4]]) -> Result<u32, ExportError> {
        let is_small = values.iter().flatten().all(|joint| *joint <= u16::from(u8::MAX));
        let (bytes, kind): (Vec<u8>, u32) = if is_small {
            (values.iter().flatten().map(|joint| *joint as u8).collect(), BYTE)
        } else {
            (values.iter().flatten().flat_map(|joint| joint.to_le_bytes()).collect(), UNSIGNED_SHORT)
        };
        self.plain(&bytes, BufferTarget::Vertices, kind, "VEC4", values.len())
    }

    pub fn vec4s(&mut self, values: &[[f32; 4]]) -> Result<u32, ExportError> {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|weight| weight.to_le_bytes()).collect();
        self.plain(&bytes, BufferTarget::Vertices, FLOAT, "VEC4", values.len())
    }

    pub fn matrices(&mut self, values: impl Iterator<Item = Mat4>) -> Result<u32, ExportError> {
        let bytes: Vec<u8> = values.flat_map(|matrix| matrix.to_cols_array()).flat_map(f32::to_le_bytes).collect();
        self.plain(&bytes, BufferTarget::Other, FLOAT, "MAT4", bytes.len() / 64)
    }

    pub fn times(&mut self, values: &[f32]) -> Result<u32, ExportError> {
        let bytes: Vec<u8> = values.iter().flat_map(|time| time.to_le_bytes()).collect();
        let index = self.plain(&bytes, BufferTarget::Other, FLOAT, "SCALAR", values.len())?;
        let side = |time: Option<&f32>| time.copied().into_iter().collect();
        self.set_box(index, side(values.first()), side(values.last()));
        Ok(index)
    }

    pub fn values<const N: usize>(&mut self, values: &[[f32; N]]) -> Result<u32, ExportError> {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        self.plain(&bytes, BufferTarget::Other, FLOAT, if N == 4 { "VEC4" } else { "VEC3" }, values.len())
    }

    /// Adds the weights of the morph targets for each key: 1 for the shown target, else 0. The accessor is sparse, so
    /// that zeros take no space.
    pub fn shown_targets(&mut self, shown: &[Option<usize>], targets: usize) -> Result<u32, ExportError> {
        let count = shown.len().checked_mul(targets).filter(|count| *count <= u32::MAX as usize);
        let count = count.ok_or_else(|| {
            let frames = targets + 1;
            ExportError::Unfit(format!("{frames} frames are more than glTF can blend; export fewer animations"))
        })?;
        let ones: Vec<u32> = shown
            .iter()
            .enumerate()
            .filter_map(|(key, shown)| shown.map(|target| number(key * targets + target)))
            .collect();
        let mut sparse = None;
        if !ones.is_empty() {
            let indices: Vec<u8> = ones.iter().flat_map(|index| index.to_le_bytes()).collect();
            let values: Vec<u8> = ones.iter().flat_map(|_| 1.0_f32.to_le_bytes()).collect();
            let indices = self.view(&indices, BufferTarget::Other)?;
            let values = self.view(&values, BufferTarget::Other)?;
            sparse = Some(json!({
                "count": ones.len(),
                "indices": { "bufferView": indices, "componentType": UNSIGNED_INT },
                "values": { "bufferView": values },
            }));
        }
        Ok(self.accessor(Accessor { sparse, ..accessor(None, FLOAT, "SCALAR", count) }))
    }
}

pub(super) fn too_large() -> ExportError {
    ExportError::Unfit(
        "the file would exceed the 4 GiB limit of glTF; export fewer animations or a single frame".to_owned(),
    )
}

fn accessor(view: Option<u32>, component_type: u32, shape: &'static str, count: usize) -> Accessor {
    Accessor {
        buffer_view: view,
        byte_offset: 0,
        component_type,
        normalized: false,
        count: number(count),
        shape,
        min: Vec::new(),
        max: Vec::new(),
        sparse: None,
    }
}

/// Converts to a JSON number. No count in a file below 4 GiB exceeds 32 bits.
pub(super) fn number(count: usize) -> u32 {
    u32_or_max(count)
}
