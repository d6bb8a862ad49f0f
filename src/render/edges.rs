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
use super::resources::{bind_group, empty_buffer};
use super::texture::UploadBudget;

/// Number of triangles above which a thread sorts the edges. Sorting fewer takes a few milliseconds.
const THREAD_THRESHOLD: usize = 20_000;

#[derive(Debug)]
pub(super) struct EdgeList {
    pairs: Vec<[u32; 2]>,
    surfaces: Vec<Range<u32>>,
}

impl EdgeList {
    fn from_model(model: &Model) -> Self {
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
        Self { pairs, surfaces }
    }
}

/// Edges of a part, in one of their stages of preparation.
#[derive(Debug, Default)]
pub(super) enum PartEdges {
    #[default]
    None,
    Sorting(JoinHandle<EdgeList>),
    Uploading(EdgeUpload),
    Uploaded(Edges),
}

impl PartEdges {
    pub fn make(&mut self, gpu: &Gpu, layouts: &Layouts, positions: &wgpu::Buffer, model: &Model) {
        if matches!(self, Self::None) {
            let mut upload = EdgeUpload::new(gpu, EdgeList::from_model(model));
            upload.continue_upload(gpu, &mut UploadBudget::whole());
            *self = Self::Uploaded(upload.finish(gpu, layouts, positions));
        }
    }

    /// Continues the preparation within the budget, without waiting. Returns whether the edges are uploaded.
    pub fn upload(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        positions: &wgpu::Buffer,
        model: &Arc<Model>,
        budget: &mut UploadBudget,
    ) -> bool {
        let is_limited = !budget.is_whole();
        loop {
            *self = match std::mem::take(self) {
                Self::None => Self::start(gpu, model, is_limited),
                Self::Sorting(thread) if is_limited && !thread.is_finished() => {
                    *self = Self::Sorting(thread);
                    return false;
                }
                Self::Sorting(thread) => {
                    let list = thread.join().unwrap_or_else(|_| EdgeList::from_model(model));
                    Self::Uploading(EdgeUpload::new(gpu, list))
                }
                Self::Uploading(mut upload) => {
                    if !upload.continue_upload(gpu, budget) {
                        *self = Self::Uploading(upload);
                        return false;
                    }
                    Self::Uploaded(upload.finish(gpu, layouts, positions))
                }
                Self::Uploaded(edges) => {
                    *self = Self::Uploaded(edges);
                    return true;
                }
            }
        }
    }

    /// Starts sorting. If there are many edges and they may appear later, a thread sorts them.
    fn start(gpu: &Gpu, model: &Arc<Model>, is_limited: bool) -> Self {
        let count: usize = model.surfaces().iter().map(|surface| surface.triangles.len()).sum();
        if is_limited && count > THREAD_THRESHOLD {
            let own = Arc::clone(model);
            let thread = thread::Builder::new().name("edges".to_owned()).spawn(move || EdgeList::from_model(&own));
            if let Ok(thread) = thread {
                return Self::Sorting(thread);
            }
        }
        Self::Uploading(EdgeUpload::new(gpu, EdgeList::from_model(model)))
    }

    pub fn uploaded(&self) -> Option<&Edges> {
        if let Self::Uploaded(edges) = self { Some(edges) } else { None }
    }
}

#[derive(Debug)]
pub(super) struct EdgeUpload {
    list: EdgeList,
    buffer: wgpu::Buffer,
    written: usize,
}

impl EdgeUpload {
    fn new(gpu: &Gpu, list: EdgeList) -> Self {
        let usage = wgpu::BufferUsages::INDEX | gpu.vertex_storage_usage();
        let buffer = empty_buffer(gpu, "edges", size_of_val(list.pairs.as_slice()), usage);
        Self { list, buffer, written: 0 }
    }

    fn continue_upload(&mut self, gpu: &Gpu, budget: &mut UploadBudget) -> bool {
        let left = self.list.pairs.get(self.written..).unwrap_or_default();
        let now = left.get(..budget.count(size_of::<[u32; 2]>()).min(left.len())).unwrap_or_default();
        if !now.is_empty() {
            let start = (self.written * size_of::<[u32; 2]>()) as u64;
            gpu.queue.write_buffer(&self.buffer, start, bytemuck::cast_slice(now));
            budget.take(size_of_val(now));
            self.written += now.len();
        }
        self.written == self.list.pairs.len()
    }

    fn finish(self, gpu: &Gpu, layouts: &Layouts, positions: &wgpu::Buffer) -> Edges {
        let pairs = self.buffer;
        let group = layouts
            .wire
            .as_ref()
            .map(|layout| bind_group(gpu, "wire", layout, &[positions.as_entire_binding(), pairs.as_entire_binding()]));
        Edges { pairs, group, surfaces: self.list.surfaces }
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
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, numbers: impl Iterator<Item = usize>) {
        let ranges = numbers.filter_map(|number| self.surfaces.get(number)).filter(|range| !range.is_empty());
        match &self.group {
            Some(group) => {
                pass.set_bind_group(2, group, &[]);
                ranges.for_each(|range| pass.draw(0..4, range.clone()));
            }
            None => {
                pass.set_index_buffer(self.pairs.slice(..), wgpu::IndexFormat::Uint32);
                ranges.for_each(|range| pass.draw_indexed(range.start * 2..range.end * 2, 0, 0..1));
            }
        }
    }
}
