//! Lines on the device: those of an overlay, and the edges of wireframes.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::model::Model;
use crate::scene::{Layer, Line, Overlay};

use super::buffers::{bound, filled};
use super::gpu::Gpu;
use super::layouts::Layouts;

/// A line as the device has it, one instance of four corners. Twin of `Line` in shaders/lines.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LineInstance {
    start: [f32; 3],
    width: f32,
    end: [f32; 3],
    end_width: f32,
    colour: [u8; 4],
}

impl LineInstance {
    /// Where its fields are read.
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 5] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Float32, 4 => Unorm8x4];
    /// Bytes of one.
    pub const SIZE: u64 = size_of::<Self>() as u64;
}

impl From<&Line> for LineInstance {
    fn from(line: &Line) -> Self {
        let Line { start, width, end, end_width, colour } = *line;
        Self { start, width, end, end_width, colour }
    }
}

/// The lines of the current shot: those that stay while the camera moves, and the others, which lie over them.
#[derive(Debug)]
pub(super) struct LineBuffers {
    still: Lines,
    moving: Lines,
    /// Which still lines were written last.
    written: Option<u64>,
    scratch: Vec<LineInstance>,
}

/// Lines on the device.
#[derive(Debug)]
struct Lines {
    buffer: wgpu::Buffer,
    capacity: usize,
    layers: [Range<u32>; 4],
}

impl LineBuffers {
    pub fn new(gpu: &Gpu) -> Self {
        Self { still: Lines::new(gpu), moving: Lines::new(gpu), written: None, scratch: Vec::new() }
    }

    /// Writes the lines of `overlay`, the still ones if they are others; what the device cannot hold is left out.
    pub fn write(&mut self, gpu: &Gpu, overlay: &Overlay) {
        if self.written != Some(overlay.still_revision()) {
            self.still.write(gpu, |layer| overlay.still_lines(layer), &mut self.scratch);
            self.written = Some(overlay.still_revision());
            // A million normals are rare, and are on the device now.
            self.scratch = Vec::new();
        }
        self.moving.write(gpu, |layer| overlay.lines(layer), &mut self.scratch);
    }

    /// Draws the lines of a layer with the pipeline that is bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer) {
        self.still.draw(pass, layer);
        self.moving.draw(pass, layer);
    }
}

impl Lines {
    /// Lines that there is room for at first.
    const LEAST: usize = 1024;

    fn new(gpu: &Gpu) -> Self {
        Self { buffer: buffer(gpu, Self::LEAST), capacity: Self::LEAST, layers: [0..0, 0..0, 0..0, 0..0] }
    }

    fn write<'a>(&mut self, gpu: &Gpu, lines: impl Fn(Layer) -> &'a [Line], scratch: &mut Vec<LineInstance>) {
        scratch.clear();
        let most = usize::try_from(gpu.device.limits().max_buffer_size / LineInstance::SIZE).unwrap_or(usize::MAX);
        for (range, layer) in self.layers.iter_mut().zip(Layer::ALL) {
            let first = count(scratch.len());
            let room = most.saturating_sub(scratch.len());
            scratch.extend(lines(layer).iter().take(room).map(LineInstance::from));
            *range = first..count(scratch.len());
        }
        if scratch.len() > self.capacity {
            self.capacity = scratch.len().next_power_of_two().min(most);
            self.buffer = buffer(gpu, self.capacity);
        }
        if !scratch.is_empty() {
            gpu.queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(scratch));
        }
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer) {
        let [hidden, faint, dimmed, on_top] = &self.layers;
        let range = match layer {
            Layer::Hidden => hidden,
            Layer::Faint => faint,
            Layer::Dimmed => dimmed,
            Layer::OnTop => on_top,
        };
        if !range.is_empty() {
            pass.set_vertex_buffer(0, self.buffer.slice(..));
            pass.draw(0..4, range.clone());
        }
    }
}

fn buffer(gpu: &Gpu, capacity: usize) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("lines"),
        size: capacity as u64 * LineInstance::SIZE,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// A count as the device has it. No model comes near its end.
fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The edges of a part, each once.
#[derive(Debug)]
pub(super) struct Edges {
    /// Pairs of vertices; indices of hairlines as well.
    pairs: wgpu::Buffer,
    /// What smooth lines read; none on devices whose vertex shaders cannot.
    group: Option<wgpu::BindGroup>,
    /// Per surface.
    surfaces: Vec<Range<u32>>,
}

impl Edges {
    /// `positions` is the part's own buffer.
    pub fn new(gpu: &Gpu, layouts: &Layouts, positions: &wgpu::Buffer, model: &Model) -> Self {
        let mut all: Vec<[u32; 2]> = Vec::new();
        let mut of_surface: Vec<[u32; 2]> = Vec::new();
        let mut surfaces = Vec::with_capacity(model.surfaces().len());
        let mut base: u32 = 0;
        for surface in model.surfaces() {
            of_surface.clear();
            for &[a, b, c] in &surface.triangles {
                of_surface.extend([[a, b], [b, c], [c, a]].map(|[a, b]| [base + a.min(b), base + a.max(b)]));
            }
            of_surface.sort_unstable();
            of_surface.dedup();
            let first = count(all.len());
            all.extend_from_slice(&of_surface);
            surfaces.push(first..count(all.len()));
            base = base.saturating_add(count(surface.vertex_count()));
        }
        let usage = wgpu::BufferUsages::INDEX | gpu.vertex_storage_usage();
        let pairs = filled(gpu, "edges", bytemuck::cast_slice(&all), usage);
        let group = layouts.wire.as_ref().map(|layout| {
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("wire"),
                layout,
                entries: &[bound(0, positions.as_entire_binding()), bound(1, pairs.as_entire_binding())],
            })
        });
        Self { pairs, group, surfaces }
    }

    /// Draws the edges of the surfaces `numbers`; the part is bound.
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
