//! Edges of a part's triangles, for wireframes.
//!
//! Removing duplicates requires sorting, which takes longer than a frame for a large model. If the image may be drawn
//! without edges in the meantime, a separate thread sorts them.

use std::ops::Range;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use maquette_core::model::{Model, u32_or_max};

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::part::joined;
use super::resources::{bind_group, empty_buffer};
use super::texture::UploadBudget;

/// Number of triangles above which a thread sorts the edges. Sorting fewer takes a few milliseconds.
const THREAD_THRESHOLD: usize = 20_000;

/// Pairs of vertices, and the pairs of each surface.
type SortedEdges = (Vec<[u32; 2]>, Vec<Range<u32>>);

fn sorted(model: &Model) -> SortedEdges {
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    let mut surface_pairs: Vec<[u32; 2]> = Vec::new();
    let mut surfaces = Vec::with_capacity(model.surfaces().len());
    let mut base: u32 = 0;
    for surface in model.surfaces() {
        surface_pairs.clear();
        for &[a, b, c] in &surface.triangles {
            surface_pairs.extend([[a, b], [b, c], [c, a]].map(|[a, b]| [base + a.min(b), base + a.max(b)]));
        }
        surface_pairs.sort_unstable();
        surface_pairs.dedup();
        let first = u32_or_max(pairs.len());
        pairs.extend_from_slice(&surface_pairs);
        surfaces.push(first..u32_or_max(pairs.len()));
        base = base.saturating_add(u32_or_max(surface.vertex_count()));
    }
    (pairs, surfaces)
}

/// Edges of a part, in one of their stages of preparation.
#[derive(Debug, Default)]
pub(super) enum PartEdges {
    #[default]
    None,
    Sorting(JoinHandle<SortedEdges>),
    Sorted(SortedEdges),
    /// `pairs` from `written` on are not uploaded yet.
    Uploading {
        edges: Edges,
        pairs: Vec<[u32; 2]>,
        written: usize,
    },
    Uploaded(Edges),
}

impl PartEdges {
    /// Prepares the edges at once, unless their preparation has begun.
    pub fn make(&mut self, gpu: &Gpu, layouts: &Layouts, positions: &wgpu::Buffer, model: &Model) {
        if matches!(self, Self::None) {
            let (pairs, surfaces) = sorted(model);
            let edges = Edges::new(gpu, layouts, positions, &pairs, surfaces);
            edges.write(gpu, &pairs, 0, &mut UploadBudget::whole());
            *self = Self::Uploaded(edges);
        }
    }

    /// Prepares the edges within the budget. Waits for them only if the budget is unlimited. Returns whether the edges
    /// are uploaded.
    pub fn upload(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        positions: &wgpu::Buffer,
        model: &Arc<Model>,
        budget: &mut UploadBudget,
    ) -> bool {
        loop {
            *self = match std::mem::take(self) {
                Self::None => Self::start(model, !budget.is_whole()),
                Self::Sorting(thread) if !budget.is_whole() && !thread.is_finished() => {
                    *self = Self::Sorting(thread);
                    return false;
                }
                Self::Sorting(thread) => Self::Sorted(thread.join().unwrap_or_else(|_| sorted(model))),
                Self::Sorted((pairs, surfaces)) => {
                    let edges = Edges::new(gpu, layouts, positions, &pairs, surfaces);
                    Self::Uploading { edges, pairs, written: 0 }
                }
                Self::Uploading { edges, pairs, mut written } => {
                    written += edges.write(gpu, &pairs, written, budget);
                    if written < pairs.len() {
                        *self = Self::Uploading { edges, pairs, written };
                        return false;
                    }
                    Self::Uploaded(edges)
                }
                Self::Uploaded(edges) => {
                    *self = Self::Uploaded(edges);
                    return true;
                }
            }
        }
    }

    /// Starts sorting. If there are many edges and they may appear later, a thread sorts them.
    fn start(model: &Arc<Model>, may_be_late: bool) -> Self {
        let count: usize = model.surfaces().iter().map(|surface| surface.triangles.len()).sum();
        if may_be_late && count > THREAD_THRESHOLD {
            let model = Arc::clone(model);
            let thread = thread::Builder::new().name("edges".to_owned()).spawn(move || sorted(&model));
            if let Ok(thread) = thread {
                return Self::Sorting(thread);
            }
        }
        Self::Sorted(sorted(model))
    }

    pub fn uploaded(&self) -> Option<&Edges> {
        if let Self::Uploaded(edges) = self { Some(edges) } else { None }
    }
}

#[derive(Debug)]
pub(super) struct Edges {
    pairs: wgpu::Buffer,
    /// Bindings of smooth lines; `None` if vertex shaders cannot read storage buffers.
    group: Option<wgpu::BindGroup>,
    surfaces: Vec<Range<u32>>,
}

impl Edges {
    fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        positions: &wgpu::Buffer,
        pairs: &[[u32; 2]],
        surfaces: Vec<Range<u32>>,
    ) -> Self {
        let usage = wgpu::BufferUsages::INDEX | gpu.vertex_storage_usage();
        let pairs = empty_buffer(gpu, "edges", size_of_val(pairs), usage);
        let resources = [positions.as_entire_binding(), pairs.as_entire_binding()];
        let group = layouts.wire.as_ref().map(|layout| bind_group(gpu, "wire", layout, &resources));
        Self { pairs, group, surfaces }
    }

    /// Writes pairs from `start` on, as many as the budget permits. Returns their number.
    fn write(&self, gpu: &Gpu, pairs: &[[u32; 2]], start: usize, budget: &mut UploadBudget) -> usize {
        let left = pairs.get(start..).unwrap_or_default();
        let now = left.get(..budget.count(size_of::<[u32; 2]>()).min(left.len())).unwrap_or_default();
        if !now.is_empty() {
            let offset = (start * size_of::<[u32; 2]>()) as u64;
            gpu.queue.write_buffer(&self.pairs, offset, bytemuck::cast_slice(now));
            budget.take(size_of_val(now));
        }
        now.len()
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, numbers: impl Iterator<Item = usize>) {
        let ranges = joined(numbers.filter_map(|number| self.surfaces.get(number).cloned()));
        let ranges = ranges.filter(|range| !range.is_empty());
        match &self.group {
            Some(group) => {
                pass.set_bind_group(2, group, &[]);
                ranges.for_each(|range| pass.draw(0..4, range));
            }
            None => {
                pass.set_index_buffer(self.pairs.slice(..), wgpu::IndexFormat::Uint32);
                ranges.for_each(|range| pass.draw_indexed(range.start * 2..range.end * 2, 0, 0..1));
            }
        }
    }
}
