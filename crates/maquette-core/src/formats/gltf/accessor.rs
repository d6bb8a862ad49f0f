//! Numbers of accessors: all component types, strides, sparse and normalised.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::container::{BufferBytes, MESHOPT, len_outside};
use super::json::{Accessor, Document};
use super::{broken, lookup};
use crate::budget::Budget;
use crate::error::{LoadError, WarningKind, Warnings};
use crate::formats::unusable_numbers::UNUSABLE;
use crate::limits::{MAX_GLTF_DECODED_PER_BYTE, MIN_GLTF_DECODED_BYTES};
use crate::model::{are_usable, is_usable, u32_or_max};

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

fn components(shape: &str) -> Option<usize> {
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

fn component_size(component: u32) -> Option<u64> {
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

impl<'a> Table<'a> {
    fn element(&self, index: usize) -> &'a [u8] {
        self.bytes.get(index * self.stride..).and_then(|rest| rest.get(..self.size)).unwrap_or_default()
    }

    /// Decodes the elements into `numbers`.
    fn decode<T: Number>(&self, accessor: &Accessor, count: usize, numbers: &mut [T]) {
        match self.bytes.get(..count.saturating_mul(self.size)).filter(|_| self.stride == self.size) {
            // The elements follow each other.
            Some(bytes) => T::decode(bytes, accessor, numbers),
            None => {
                let width = numbers.len() / count.max(1);
                let numbers = numbers.chunks_exact_mut(width.max(1));
                (0..count).zip(numbers).for_each(|(index, to)| T::decode(self.element(index), accessor, to));
            }
        }
    }
}

/// Accessor with the bytes of its elements.
struct Layout<'a> {
    name: String,
    accessor: &'a Accessor,
    /// Numbers of an element.
    width: usize,
    /// `None` if all elements are 0.
    table: Option<Table<'a>>,
}

/// Elements that a sparse accessor replaces.
struct SparseElements<'a> {
    name: &'a str,
    indices: Table<'a>,
    values: Table<'a>,
    count: usize,
    /// Number of elements of the accessor.
    stored: u64,
}

impl SparseElements<'_> {
    /// Returns the index of the replaced element at `number`.
    fn place(&self, number: usize) -> Result<u32, LoadError> {
        let place = whole(self.indices.element(number));
        let exists = u64::from(place) < self.stored;
        exists.then_some(place).ok_or_else(|| broken(self.name, format!("sparse element {place} does not exist")))
    }

    /// Returns the index of each replaced element, and the number of its value, in ascending order.
    fn sorted(&self) -> Result<Vec<(u32, u32)>, LoadError> {
        let place = |number: usize| Ok((self.place(number)?, u32_or_max(number)));
        let mut places = (0..self.count).map(place).collect::<Result<Vec<_>, LoadError>>()?;
        places.sort_unstable();
        Ok(places)
    }
}

/// Vertices of a primitive, in the accessors that store them.
pub(super) struct VertexList {
    /// Number of elements that each accessor must have.
    pub stored: u32,
    /// Elements that are the vertices of the primitive; `None` for all.
    pub used: Option<Vec<u32>>,
}

impl VertexList {
    /// Returns the vertices that triangles use, in the order of the accessors, and renumbers the corners.
    pub fn used_by(triangles: &mut [[u32; 3]], stored: u32) -> Self {
        let corners = triangles.as_flattened_mut();
        let used: Vec<u32> = if stored as usize / 4 <= corners.len() {
            let mut is_used = vec![false; stored as usize];
            for corner in &*corners {
                is_used.get_mut(*corner as usize).into_iter().for_each(|used| *used = true);
            }
            (0..stored).zip(is_used).filter_map(|(vertex, is_used)| is_used.then_some(vertex)).collect()
        } else {
            // Many primitives may share long accessors.
            let mut used = corners.to_vec();
            used.sort_unstable();
            used.dedup();
            used
        };
        if used.len() == stored as usize {
            return Self { stored, used: None };
        }
        for corner in corners {
            *corner = u32_or_max(used.partition_point(|vertex| vertex < corner));
        }
        Self { stored, used: Some(used) }
    }

    /// Returns a vertex for each corner of the triangles, and renumbers the corners.
    pub fn of_corners(triangles: &mut [[u32; 3]], stored: u32) -> Self {
        let used = triangles.as_flattened().to_vec();
        triangles.as_flattened_mut().iter_mut().zip(0..).for_each(|(corner, number)| *corner = number);
        Self { stored, used: Some(used) }
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.used.as_ref().map_or(self.stored as usize, Vec::len)
    }

    /// Returns the index of a vertex in the accessors.
    pub fn stored_index(&self, vertex: usize) -> usize {
        self.used.as_ref().map_or(vertex, |used| used.get(vertex).map_or(vertex, |stored| *stored as usize))
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
    /// Joins a document and its buffers. `file` is the number of bytes of the model file.
    pub fn new(document: Document, buffers: Vec<BufferBytes<'a>>, file: usize) -> Self {
        let bytes = len_outside(&buffers) + file;
        let limit = (bytes as u64).saturating_mul(MAX_GLTF_DECODED_PER_BYTE).max(MIN_GLTF_DECODED_BYTES);
        Self {
            document,
            buffers,
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
        let Layout { name, accessor, width, table } = self.layout(index, wanted, owner)?;
        let total = accessor.count * width as u64;
        self.claim(&name, total * 4)?;
        let (count, total) = (accessor.count as usize, total as usize);
        let mut groups = vec![[T::default(); N]; total.div_ceil(N)];
        let numbers = groups.as_flattened_mut().get_mut(..total).unwrap_or_default();
        if let Some(table) = table {
            table.decode(accessor, count, numbers);
        }
        if let Some(sparse) = self.sparse(&name, accessor, width)? {
            for number in 0..sparse.count {
                let start = sparse.place(number)? as usize * width;
                let slot = numbers.get_mut(start..start + width).unwrap_or_default();
                T::decode(sparse.values.element(number), accessor, slot);
            }
        }
        let unusable = T::replace_unusable(numbers);
        self.warn_unusable(&name, unusable);
        groups.truncate(total / N);
        Ok(groups)
    }

    /// Returns the elements of an accessor that belong to `vertices`. Floats that are not usable are 0.
    pub fn elements<T: Number, const N: usize>(
        &self,
        index: u32,
        wanted: Wanted,
        vertices: &VertexList,
        owner: &str,
    ) -> Result<Vec<[T; N]>, LoadError> {
        let Layout { name, accessor, width, table } = self.layout(index, wanted, owner)?;
        if accessor.count != u64::from(vertices.stored) {
            return Err(broken(&name, format!("{} elements for {} vertices", accessor.count, vertices.stored)));
        }
        let Some(used) = &vertices.used else { return self.groups(index, wanted, owner) };
        self.claim(&name, (used.len() * size_of::<[T; N]>()) as u64)?;
        let sparse = self.sparse(&name, accessor, width)?;
        let replaced = sparse.as_ref().map_or(Ok(Vec::new()), SparseElements::sorted)?;
        self.claim(&name, size_of_val(&*replaced) as u64)?;
        let mut groups = vec![[T::default(); N]; used.len()];
        let (mut unusable, mut counted) = (0, HashSet::new());
        for (vertex, group) in used.iter().zip(&mut groups) {
            let end = replaced.partition_point(|(place, _)| place <= vertex);
            let last = end.checked_sub(1).and_then(|last| replaced.get(last)).filter(|(place, _)| place == vertex);
            let value = match (last, &sparse, &table) {
                (Some((_, number)), Some(sparse), _) => sparse.values.element(*number as usize),
                (_, _, Some(table)) => table.element(*vertex as usize),
                _ => continue,
            };
            T::decode(value, accessor, group);
            let own = T::replace_unusable(group);
            unusable += if own > 0 && counted.insert(*vertex) { own } else { 0 };
        }
        self.warn_unusable(&name, unusable);
        Ok(groups)
    }

    /// Returns the number of elements of an accessor.
    pub fn count(&self, index: u32, wanted: Wanted, owner: &str) -> Result<u32, LoadError> {
        let Layout { name, accessor, .. } = self.layout(index, wanted, owner)?;
        u32::try_from(accessor.count).map_err(|_| broken(&name, "too many elements"))
    }

    /// Finds the bytes of an accessor.
    fn layout(&self, index: u32, wanted: Wanted, owner: &str) -> Result<Layout<'_>, LoadError> {
        let name = format!("accessor {index}");
        let accessor = self.checked(index, wanted, owner)?;
        let width = components(&accessor.shape).unwrap_or(1);
        if accessor.count.checked_mul(width as u64).is_none_or(|total| total > 1 << 40) {
            return Err(broken(&name, "too many elements"));
        }
        let size = component_size(accessor.component_type).unwrap_or(4) * width as u64;
        let table = match accessor.buffer_view {
            Some(view) => Some(self.table(view, accessor.byte_offset, accessor.count, size, &name)?),
            None => None,
        };
        Ok(Layout { name, accessor, width, table })
    }

    /// Finds the elements that a sparse accessor replaces.
    fn sparse<'s>(
        &'s self,
        name: &'s str,
        accessor: &Accessor,
        width: usize,
    ) -> Result<Option<SparseElements<'s>>, LoadError> {
        let Some(sparse) = &accessor.sparse else { return Ok(None) };
        if sparse.count > accessor.count {
            let why = format!("{} sparse elements of {} elements", sparse.count, accessor.count);
            return Err(broken(name, why));
        }
        let kind = sparse.indices.component_type;
        let wide = component_size(kind).filter(|_| WHOLE.contains(&kind));
        let wide = wide.ok_or_else(|| broken(name, format!("sparse indices of type {kind}")))?;
        let size = component_size(accessor.component_type).unwrap_or(4) * width as u64;
        let (at, to) = (&sparse.indices, &sparse.values);
        let indices = self.table(at.buffer_view, at.byte_offset, sparse.count, wide, name)?;
        let values = self.table(to.buffer_view, to.byte_offset, sparse.count, size, name)?;
        let count = sparse.count as usize;
        Ok(Some(SparseElements { name, indices, values, count, stored: accessor.count }))
    }

    fn warn_unusable(&self, name: &str, count: usize) {
        self.warnings.borrow_mut().add_counted(WarningKind::Substituted, name, count, UNUSABLE);
    }

    /// Returns the numbers of an accessor, element after element.
    pub fn numbers<T: Number>(&self, index: u32, wanted: Wanted, owner: &str) -> Result<Vec<T>, LoadError> {
        Ok(self.groups::<T, 1>(index, wanted, owner)?.into_flattened())
    }

    /// Returns the count of an accessor's numbers, and those other than 0 with their indices. Only they take memory if no
    /// buffer stores the others.
    pub fn nonzero(&self, index: u32, wanted: Wanted, owner: &str) -> Result<(u64, Vec<(u64, f32)>), LoadError> {
        let Layout { name, accessor, width, table } = self.layout(index, wanted, owner)?;
        let count = accessor.count * width as u64;
        let listed: Vec<(u64, f32)> = match (table, self.sparse(&name, accessor, width)?) {
            (None, Some(sparse)) => {
                self.claim(&name, (sparse.count * (size_of::<(u32, u32)>() + width * size_of::<(u64, f32)>())) as u64)?;
                let mut places = sparse.sorted()?;
                // The last element counts if several have the same index.
                places.reverse();
                places.dedup_by_key(|(place, _)| *place);
                let mut element = vec![0.0; width];
                let numbers = places.into_iter().rev().flat_map(|(place, number)| {
                    f32::decode(sparse.values.element(number as usize), accessor, &mut element);
                    self.warn_unusable(&name, f32::replace_unusable(&mut element));
                    (u64::from(place) * width as u64..).zip(element.clone())
                });
                numbers.collect()
            }
            (None, None) => Vec::new(),
            (Some(_), _) => {
                let numbers = self.numbers::<f32>(index, wanted, owner)?;
                self.claim(&name, numbers.iter().filter(|number| **number != 0.0).count() as u64 * 16)?;
                (0..).zip(numbers).filter(|(_, number)| *number != 0.0).collect()
            }
        };
        Ok((count, listed.into_iter().filter(|(_, number)| *number != 0.0).collect()))
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
