//! Numbers of accessors: all component types, strides, sparse and normalised.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::container::{BufferBytes, Container, MESHOPT};
use super::json::{Accessor, Document};
use super::{broken, lookup};
use crate::budget::Budget;
use crate::error::{LoadError, WarningKind, Warnings};
use crate::limits::{MAX_GLTF_DECODED_PER_BYTE, MIN_GLTF_DECODED_BYTES};
use crate::model::{are_usable, is_usable};

/// Document with the bytes of its buffers.
pub(super) struct Data<'a> {
    pub document: Document,
    buffers: Vec<BufferBytes<'a>>,
    bytes: usize,
    /// Bytes that numbers may still take when they are decoded.
    budget: Cell<Budget>,
    warnings: RefCell<Warnings>,
    /// Key times, which many channels share.
    times: RefCell<HashMap<u32, Rc<Vec<f32>>>>,
}

/// Shape and type of the numbers that a use of an accessor needs.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub shapes: &'static [&'static str],
    pub types: &'static [u32],
}

const BYTE: u32 = 5120;
const UNSIGNED_BYTE: u32 = 5121;
const SHORT: u32 = 5122;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

const ANY: &[u32] = &[BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, FLOAT];
const WHOLE: &[u32] = &[UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT];

/// Positions, normals and scales.
pub(super) const VEC3: Wanted = Wanted { shapes: &["VEC3"], types: ANY };
/// Texture coordinates.
pub(super) const VEC2: Wanted = Wanted { shapes: &["VEC2"], types: ANY };
/// Weights and rotations.
pub(super) const VEC4: Wanted = Wanted { shapes: &["VEC4"], types: ANY };
/// Joint numbers.
pub(super) const JOINTS: Wanted = Wanted { shapes: &["VEC4"], types: WHOLE };
/// Times, and weights of morph targets.
pub(super) const SCALARS: Wanted = Wanted { shapes: &["SCALAR"], types: ANY };
/// Vertex indices.
pub(super) const INDICES: Wanted = Wanted { shapes: &["SCALAR"], types: WHOLE };
/// Inverse bind matrices.
pub(super) const MATRICES: Wanted = Wanted { shapes: &["MAT4"], types: &[FLOAT] };

fn components(shape: &str) -> Option<u64> {
    Some(match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

fn size_of(component: u32) -> Option<u64> {
    Some(match component {
        BYTE | UNSIGNED_BYTE => 1,
        SHORT | UNSIGNED_SHORT => 2,
        UNSIGNED_INT | FLOAT => 4,
        _ => return None,
    })
}

/// Table of elements in a buffer.
struct Table<'a> {
    bytes: &'a [u8],
    stride: usize,
    /// Bytes of an element.
    size: usize,
}

impl Table<'_> {
    fn elements(&self, count: usize) -> impl Iterator<Item = &[u8]> {
        (0..count).map(|index| {
            self.bytes.get(index * self.stride..).and_then(|rest| rest.get(..self.size)).unwrap_or_default()
        })
    }

    /// Decodes the elements into `numbers`.
    fn decode<T: Number>(&self, accessor: &Accessor, count: usize, numbers: &mut [T]) {
        match self.bytes.get(..count.saturating_mul(self.size)).filter(|_| self.stride == self.size) {
            // The elements follow each other.
            Some(bytes) => T::decode(bytes, accessor, numbers),
            None => {
                let width = numbers.len() / count.max(1);
                let numbers = numbers.chunks_exact_mut(width.max(1));
                self.elements(count).zip(numbers).for_each(|(bytes, numbers)| T::decode(bytes, accessor, numbers));
            }
        }
    }
}

/// Number that the components of an accessor are converted to.
pub(super) trait Number: Copy + Default {
    /// Converts the components in `bytes`.
    fn decode(bytes: &[u8], accessor: &Accessor, numbers: &mut [Self]);

    /// Replaces numbers that are not usable by 0. Returns how many.
    fn replace_unusable(numbers: &mut [Self]) -> usize;
}

impl Number for f32 {
    fn decode(bytes: &[u8], accessor: &Accessor, numbers: &mut [Self]) {
        let scaled = |number: f32, max: f32| if accessor.normalized { (number / max).max(-1.0) } else { number };
        match accessor.component_type {
            BYTE => convert(bytes, numbers, |[byte]| scaled(byte.cast_signed().into(), 127.0)),
            UNSIGNED_BYTE => convert(bytes, numbers, |[byte]| scaled(byte.into(), 255.0)),
            SHORT => convert(bytes, numbers, |word| scaled(i16::from_le_bytes(word).into(), 32767.0)),
            UNSIGNED_SHORT => convert(bytes, numbers, |word| scaled(u16::from_le_bytes(word).into(), 65535.0)),
            _ => convert(bytes, numbers, Self::from_le_bytes),
        }
    }

    fn replace_unusable(numbers: &mut [Self]) -> usize {
        if are_usable(numbers) {
            return 0;
        }
        let unusable = numbers.iter_mut().filter(|number| !is_usable(**number));
        unusable.map(|number| *number = 0.0).count()
    }
}

impl Number for u32 {
    fn decode(bytes: &[u8], accessor: &Accessor, numbers: &mut [Self]) {
        match accessor.component_type {
            UNSIGNED_BYTE => convert(bytes, numbers, |[byte]| byte.into()),
            UNSIGNED_SHORT => convert(bytes, numbers, |word| u16::from_le_bytes(word).into()),
            _ => convert(bytes, numbers, Self::from_le_bytes),
        }
    }

    fn replace_unusable(_: &mut [Self]) -> usize {
        0
    }
}

fn convert<T, const N: usize>(bytes: &[u8], numbers: &mut [T], number: impl Fn([u8; N]) -> T) {
    bytes.as_chunks().0.iter().zip(numbers).for_each(|(bytes, to)| *to = number(*bytes));
}

impl<'a> Data<'a> {
    pub fn new(container: Container<'a>, file: usize) -> Self {
        let bytes = container.len_outside() + file;
        let limit = (bytes as u64).saturating_mul(MAX_GLTF_DECODED_PER_BYTE).max(MIN_GLTF_DECODED_BYTES);
        Self {
            document: container.document,
            buffers: container.buffers,
            bytes,
            budget: Cell::new(Budget::new(limit)),
            warnings: RefCell::default(),
            times: RefCell::default(),
        }
    }

    /// Returns the number of bytes of the file and of the files that it names.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Adds a warning.
    pub fn warn(&self, kind: WarningKind, about: impl Into<String>, message: impl Into<String>) {
        self.warnings.borrow_mut().add(kind, about, message);
    }

    /// Returns the warnings.
    pub fn into_warnings(self) -> Warnings {
        self.warnings.into_inner()
    }

    /// Takes memory for decoded numbers and for copies.
    pub fn claim(&self, name: &str, bytes: u64) -> Result<(), LoadError> {
        let mut budget = self.budget.get();
        let taken = budget.take(bytes);
        self.budget.set(budget);
        let why = || {
            "the numbers or names need too much memory: many objects share them, or no buffer stores them".to_owned()
        };
        taken.map_err(|_| broken(name, why()))
    }

    /// Returns the bytes of a view from `offset` on.
    pub fn view(&self, index: u32, offset: u64, owner: &str) -> Result<&[u8], LoadError> {
        let view = lookup(&self.document.buffer_views, index, owner)?;
        let name = format!("bufferView {index}");
        lookup(&self.document.buffers, view.buffer, &name)?;
        let buffer = self.buffers.get(view.buffer as usize).map(BufferBytes::bytes).unwrap_or_default();
        let outside = || {
            if view.extensions.as_ref().is_some_and(|extensions| extensions.meshopt.is_some()) {
                return broken(&name, MESHOPT);
            }
            let (start, size) = (view.byte_offset, view.byte_length);
            let why =
                format!("{size} bytes from byte {start} are outside buffer {} of {} bytes", view.buffer, buffer.len());
            broken(&name, why)
        };
        let range = |start: u64, size: u64| {
            let start = usize::try_from(start).ok()?;
            Some(start..start.checked_add(usize::try_from(size).ok()?)?)
        };
        let bytes =
            range(view.byte_offset, view.byte_length).and_then(|range| buffer.get(range)).ok_or_else(outside)?;
        let offset = usize::try_from(offset).ok();
        offset.and_then(|offset| bytes.get(offset..)).ok_or_else(|| {
            broken(owner, format!("the data begins after the {} bytes of bufferView {index}", bytes.len()))
        })
    }

    fn table(&self, view: u32, offset: u64, count: u64, size: u64, owner: &str) -> Result<Table<'_>, LoadError> {
        let bytes = self.view(view, offset, owner)?;
        let stride = lookup(&self.document.buffer_views, view, owner)?.byte_stride.filter(|stride| *stride > 0);
        let stride = stride.unwrap_or(size);
        let needed = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(size));
        if needed.is_none_or(|needed| needed > bytes.len() as u64) {
            let why = format!("{count} elements do not fit into the {} bytes of bufferView {view}", bytes.len());
            return Err(broken(owner, why));
        }
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Ok(Table { bytes, stride: number(stride), size: number(size) })
    }

    /// Returns the numbers of an accessor in groups of `N`; a last group that is not whole is left out. Floats that are
    /// not usable are 0.
    pub fn groups<T: Number, const N: usize>(
        &self,
        index: u32,
        wanted: Wanted,
        owner: &str,
    ) -> Result<Vec<[T; N]>, LoadError> {
        let name = format!("accessor {index}");
        let accessor = self.checked(index, wanted, owner)?;
        let width = components(&accessor.shape).unwrap_or(1);
        let total = accessor.count.checked_mul(width).filter(|total| *total <= 1 << 40);
        let total = total.ok_or_else(|| broken(&name, "too many elements"))?;
        let component = size_of(accessor.component_type).unwrap_or(4);
        let size = component * width;
        let table = match accessor.buffer_view {
            Some(view) => Some(self.table(view, accessor.byte_offset, accessor.count, size, &name)?),
            None => None,
        };
        self.claim(&name, total * 4)?;
        let (count, total) = (accessor.count as usize, total as usize);
        let mut groups = vec![[T::default(); N]; total.div_ceil(N)];
        let numbers = groups.as_flattened_mut().get_mut(..total).unwrap_or_default();
        if let Some(table) = table {
            table.decode(accessor, count, numbers);
        }
        if let Some(sparse) = &accessor.sparse {
            if sparse.count > accessor.count {
                let why = format!("{} sparse elements of {} elements", sparse.count, accessor.count);
                return Err(broken(&name, why));
            }
            let kind = sparse.indices.component_type;
            let wide = size_of(kind).filter(|_| WHOLE.contains(&kind));
            let wide = wide.ok_or_else(|| broken(&name, format!("sparse indices of type {kind}")))?;
            let (at, to) = (&sparse.indices, &sparse.values);
            let indices = self.table(at.buffer_view, at.byte_offset, sparse.count, wide, &name)?;
            let values = self.table(to.buffer_view, to.byte_offset, sparse.count, size, &name)?;
            let replaced = sparse.count as usize;
            let width = usize::try_from(width).unwrap_or(1);
            for (place, value) in indices.elements(replaced).zip(values.elements(replaced)) {
                let place = whole(place);
                let slot = (place as usize).checked_mul(width).and_then(|start| numbers.get_mut(start..start + width));
                let slot = slot.ok_or_else(|| broken(&name, format!("sparse element {place} does not exist")))?;
                T::decode(value, accessor, slot);
            }
        }
        let unusable = T::replace_unusable(numbers);
        let message = "numbers are not finite or beyond a billion; replaced by 0";
        self.warnings.borrow_mut().add_counted(WarningKind::Substituted, &name, unusable, message);
        groups.truncate(total / N);
        Ok(groups)
    }

    /// Returns the numbers of an accessor, element after element.
    pub fn numbers<T: Number>(&self, index: u32, wanted: Wanted, owner: &str) -> Result<Vec<T>, LoadError> {
        Ok(self.groups::<T, 1>(index, wanted, owner)?.into_flattened())
    }

    /// Returns the times of keys.
    pub fn times(&self, index: u32, owner: &str) -> Result<Rc<Vec<f32>>, LoadError> {
        if let Some(known) = self.times.borrow().get(&index) {
            return Ok(Rc::clone(known));
        }
        let times = Rc::new(self.numbers(index, SCALARS, owner)?);
        self.times.borrow_mut().insert(index, Rc::clone(&times));
        Ok(times)
    }

    fn checked(&self, index: u32, wanted: Wanted, owner: &str) -> Result<&Accessor, LoadError> {
        let accessor = lookup(&self.document.accessors, index, owner)?;
        let name = || format!("accessor {index}");
        if !wanted.shapes.contains(&accessor.shape.as_str()) {
            let why = format!("the type is {}, but {owner} needs {}", accessor.shape, wanted.shapes.join(" or "));
            return Err(broken(&name(), why));
        }
        if !wanted.types.contains(&accessor.component_type) {
            let why = format!("{owner} cannot have numbers of type {}", accessor.component_type);
            return Err(broken(&name(), why));
        }
        Ok(accessor)
    }
}

fn whole(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}
