//! Overlay lines.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use maquette_core::model::u32_or_max;
use maquette_scene::scene::{Layer, Line, Overlay};

use super::{Gpu, OVER, PassContext, PipelineDescription, Renderer, depth, shader};
use crate::render::resources::empty_buffer;

/// Opacity factor of hidden lines, and of hidden lines that must remain readable.
const FAINT: f64 = 0.38;
const DIMMED: f64 = 0.8;
/// Opacity factor of the casing of lines that must be readable on any texture.
const STRONG_CASING: f64 = 1.6;

/// Line as one instance with four corners. Twin of `Line` in shaders/lines.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct LineInstance {
    start: [f32; 3],
    width: f32,
    end: [f32; 3],
    end_width: f32,
    colour: [u8; 4],
}

impl LineInstance {
    const SIZE: u64 = size_of::<Self>() as u64;
    const LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
        array_stride: Self::SIZE,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Float32, 4 => Unorm8x4
        ],
    };
}

impl From<&Line> for LineInstance {
    fn from(line: &Line) -> Self {
        let Line { start, width, end, end_width, colour } = *line;
        Self { start, width, end, end_width, colour }
    }
}

/// Lines of the current request: static lines, which do not depend on the camera, and other lines, drawn over them.
#[derive(Debug)]
pub struct LineBuffers {
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
    fn write(&mut self, gpu: &Gpu, overlay: &Overlay) {
        if self.written != Some(overlay.static_revision()) {
            self.static_lines.write(gpu, |layer| overlay.static_lines(layer), &mut self.scratch);
            self.written = Some(overlay.static_revision());
            // Release the memory, because overlays with many static lines (normals) are rare.
            self.scratch = Vec::new();
        }
        self.moving.write(gpu, |layer| overlay.lines(layer), &mut self.scratch);
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer) {
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
    empty_buffer(gpu, "lines", capacity * size_of::<LineInstance>(), wgpu::BufferUsages::VERTEX)
}

/// Draws the lines that surfaces hide, completely or in part.
pub(super) fn draw_in_scene(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    renderer.lines.write(context.gpu, context.request.lines);
    for layer in [Layer::Hidden, Layer::Faint, Layer::Dimmed] {
        draw_layer(renderer, context, pass, layer);
    }
}

pub(super) fn draw_on_top(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    draw_layer(renderer, context, pass, Layer::OnTop);
}

fn draw_layer(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>, layer: Layer) {
    use wgpu::CompareFunction::{Always, Greater, LessEqual};
    let overlay = context.request.lines;
    if overlay.lines(layer).is_empty() && overlay.static_lines(layer).is_empty() {
        return;
    }
    let depth_tests: &[wgpu::CompareFunction] = match layer {
        Layer::Hidden => &[LessEqual],
        Layer::Faint | Layer::Dimmed => &[Greater, LessEqual],
        Layer::OnTop => &[Always],
    };
    for compare in depth_tests {
        // Draw all casings before the lines, so that no casing covers a line.
        for is_casing in [true, false] {
            let strength = match layer {
                Layer::Dimmed | Layer::OnTop if is_casing => STRONG_CASING,
                Layer::Dimmed if *compare == Greater => DIMMED,
                _ if *compare == Greater => FAINT,
                _ => 1.0,
            };
            let pipeline = PipelineDescription {
                buffers: vec![Some(LineInstance::LAYOUT)],
                constants: vec![("casing", f64::from(u8::from(is_casing))), ("strength", strength)],
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                blend: Some(OVER),
                depth: Some(depth(*compare, false)),
                ..context.pipeline(["vs_lines", "fs_lines"], &[])
            };
            pass.set_pipeline(&renderer.pipelines.get(context.gpu, shader!("lines.wgsl"), pipeline));
            renderer.lines.draw(pass, layer);
        }
    }
}
