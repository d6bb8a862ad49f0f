//! Overlay lines on the GPU.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use maquette_core::model::u32_or_max;
use maquette_scene::scene::{Layer, Line, Overlay};

use super::gpu::Gpu;

/// Line as one instance with four corners. Twin of `Line` in shaders/lines.wgsl.
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
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 5] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Float32, 4 => Unorm8x4];
    pub const SIZE: u64 = size_of::<Self>() as u64;
}

impl From<&Line> for LineInstance {
    fn from(line: &Line) -> Self {
        let Line { start, width, end, end_width, colour } = *line;
        Self { start, width, end, end_width, colour }
    }
}

/// Lines of the current request: static lines, which do not depend on the camera, and other lines, drawn over them.
#[derive(Debug)]
pub(super) struct LineBuffers {
    static_lines: Lines,
    moving: Lines,
    written: Option<u64>,
    scratch: Vec<LineInstance>,
}

#[derive(Debug)]
struct Lines {
    buffer: wgpu::Buffer,
    capacity: usize,
    layers: [Range<u32>; 4],
}

impl LineBuffers {
    pub fn new(gpu: &Gpu) -> Self {
        Self { static_lines: Lines::new(gpu), moving: Lines::new(gpu), written: None, scratch: Vec::new() }
    }

    /// Writes the lines of `overlay`, static lines only if they changed. Lines beyond the buffer limit are not drawn.
    pub fn write(&mut self, gpu: &Gpu, overlay: &Overlay) {
        if self.written != Some(overlay.static_revision()) {
            self.static_lines.write(gpu, |layer| overlay.static_lines(layer), &mut self.scratch);
            self.written = Some(overlay.static_revision());
            // Release the memory, because overlays with many static lines (normals) are rare.
            self.scratch = Vec::new();
        }
        self.moving.write(gpu, |layer| overlay.lines(layer), &mut self.scratch);
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer) {
        self.static_lines.draw(pass, layer);
        self.moving.draw(pass, layer);
    }
}

impl Lines {
    const FIRST_CAPACITY: usize = 1024;

    fn new(gpu: &Gpu) -> Self {
        Self {
            buffer: buffer(gpu, Self::FIRST_CAPACITY),
            capacity: Self::FIRST_CAPACITY,
            layers: [0..0, 0..0, 0..0, 0..0],
        }
    }

    fn write<'a>(&mut self, gpu: &Gpu, lines: impl Fn(Layer) -> &'a [Line], scratch: &mut Vec<LineInstance>) {
        scratch.clear();
        let max = usize::try_from(gpu.device.limits().max_buffer_size / LineInstance::SIZE).unwrap_or(usize::MAX);
        for (range, layer) in self.layers.iter_mut().zip(Layer::ALL) {
            let first = u32_or_max(scratch.len());
            let room = max.saturating_sub(scratch.len());
            scratch.extend(lines(layer).iter().take(room).map(LineInstance::from));
            *range = first..u32_or_max(scratch.len());
        }
        if scratch.len() > self.capacity {
            self.capacity = scratch.len().next_power_of_two().min(max);
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
