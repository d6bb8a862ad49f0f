//! Lines on the device: those of an overlay, and the edges of wireframes.

use std::ops::Range;

use crate::model::Model;
use crate::scene::{Layer, Line, Overlay};

use super::buffers::{bound, filled};
use super::gpu::Gpu;
use super::layouts::Layouts;

/// Corners of the two triangles that a segment becomes.
const CORNERS: [u32; 6] = [0, 1, 2, 2, 1, 3];

/// The lines of the current shot.
#[derive(Debug)]
pub(super) struct LineBuffers {
    lines: wgpu::Buffer,
    pub group: wgpu::BindGroup,
    capacity: usize,
    layers: [Range<u32>; 3],
    pub segments: Segments,
}

/// Corner numbers of ever more segments, shared by all that draws lines.
#[derive(Debug)]
pub(super) struct Segments {
    indices: wgpu::Buffer,
    capacity: u32,
}

impl Segments {
    fn new(gpu: &Gpu, capacity: u32) -> Self {
        let indices: Vec<u32> = (0..capacity).flat_map(|segment| CORNERS.map(|corner| segment * 4 + corner)).collect();
        let indices = filled(gpu, "segments", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX);
        Self { indices, capacity }
    }

    /// Makes room for `count` segments.
    pub fn reserve(&mut self, gpu: &Gpu, count: u32) {
        if count > self.capacity {
            *self = Self::new(gpu, count.next_power_of_two());
        }
    }

    /// Draws a range of segments with what is bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, range: &Range<u32>) {
        let end = range.end.min(self.capacity);
        if range.start < end {
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(range.start * 6..end * 6, 0, 0..1);
        }
    }
}

impl LineBuffers {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let (lines, group) = buffer(gpu, layouts, 1024);
        Self { lines, group, capacity: 1024, layers: [0..0, 0..0, 0..0], segments: Segments::new(gpu, 1024) }
    }

    /// Writes the lines of `overlay`; what the device cannot hold is left out.
    pub fn write(&mut self, gpu: &Gpu, layouts: &Layouts, overlay: &Overlay) {
        let count: usize = Layer::ALL.into_iter().map(|layer| overlay.lines(layer).len()).sum();
        if count > self.capacity {
            self.capacity = count.next_power_of_two();
            (self.lines, self.group) = buffer(gpu, layouts, self.capacity);
        }
        let largest = gpu.device.limits().max_storage_buffer_binding_size / size_of::<Line>() as u64;
        let mut first: u32 = 0;
        for (range, layer) in self.layers.iter_mut().zip(Layer::ALL) {
            let lines = overlay.lines(layer);
            let room = usize::try_from(largest.saturating_sub(u64::from(first))).unwrap_or(usize::MAX);
            let lines = lines.get(..lines.len().min(room)).unwrap_or_default();
            if !lines.is_empty() {
                let offset = u64::from(first) * size_of::<Line>() as u64;
                gpu.queue.write_buffer(&self.lines, offset, bytemuck::cast_slice(lines));
            }
            let end = first.saturating_add(u32::try_from(lines.len()).unwrap_or(u32::MAX));
            *range = first..end;
            first = end;
        }
        self.segments.reserve(gpu, first);
    }

    /// Where the lines of a layer are.
    pub fn range(&self, layer: Layer) -> &Range<u32> {
        let [hidden, faint, on_top] = &self.layers;
        match layer {
            Layer::Hidden => hidden,
            Layer::Faint => faint,
            Layer::OnTop => on_top,
        }
    }
}

fn buffer(gpu: &Gpu, layouts: &Layouts, capacity: usize) -> (wgpu::Buffer, wgpu::BindGroup) {
    let limit = gpu.device.limits().max_storage_buffer_binding_size;
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("lines"),
        size: (capacity as u64 * size_of::<Line>() as u64).min(limit),
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("lines"),
        layout: &layouts.lines,
        entries: &[bound(0, buffer.as_entire_binding())],
    });
    (buffer, group)
}

/// The edges of a part, each once, and its vertices as edges from each to itself.
#[derive(Debug)]
pub(super) struct Edges {
    pub group: wgpu::BindGroup,
    /// Per surface.
    pub surfaces: Vec<Range<u32>>,
    /// Its vertices, per surface.
    pub vertices: Vec<Range<u32>>,
}

impl Edges {
    /// `uniform` and `vertices` are the part's own buffers.
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        uniform: &wgpu::Buffer,
        vertices_of_part: &wgpu::Buffer,
        model: &Model,
    ) -> Self {
        let mut all: Vec<[u32; 2]> = Vec::new();
        let mut of_surface: Vec<[u32; 2]> = Vec::new();
        let mut surfaces = Vec::with_capacity(model.surfaces.len());
        let mut base: u32 = 0;
        for surface in &model.surfaces {
            of_surface.clear();
            for &[a, b, c] in &surface.triangles {
                of_surface.extend([[a, b], [b, c], [c, a]].map(|[a, b]| [base + a.min(b), base + a.max(b)]));
            }
            of_surface.sort_unstable();
            of_surface.dedup();
            let first = u32::try_from(all.len()).unwrap_or(u32::MAX);
            all.extend_from_slice(&of_surface);
            surfaces.push(first..u32::try_from(all.len()).unwrap_or(u32::MAX));
            base = base.saturating_add(u32::try_from(surface.vertex_count()).unwrap_or(u32::MAX));
        }
        let mut vertices = Vec::with_capacity(model.surfaces.len());
        base = 0;
        for surface in &model.surfaces {
            let first = u32::try_from(all.len()).unwrap_or(u32::MAX);
            let end = base.saturating_add(u32::try_from(surface.vertex_count()).unwrap_or(u32::MAX));
            all.extend((base..end).map(|vertex| [vertex; 2]));
            vertices.push(first..u32::try_from(all.len()).unwrap_or(u32::MAX));
            base = end;
        }
        let buffer = filled(gpu, "edges", bytemuck::cast_slice(&all), wgpu::BufferUsages::STORAGE);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("wire"),
            layout: &layouts.wire,
            entries: &[
                bound(0, uniform.as_entire_binding()),
                bound(1, vertices_of_part.as_entire_binding()),
                bound(2, buffer.as_entire_binding()),
            ],
        });
        Self { group, surfaces, vertices }
    }

    /// Number of edges and vertices of all surfaces.
    pub fn count(&self) -> u32 {
        self.vertices.last().map_or(0, |range| range.end)
    }
}
