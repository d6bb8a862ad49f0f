//! Text over finished images: labels and captions.

use egui_wgpu::{RendererOptions, ScreenDescriptor};

use crate::render::{Gpu, GpuError, Target};
use crate::ui;

pub(super) struct TextPass {
    context: egui::Context,
    painter: egui_wgpu::Renderer,
}

impl TextPass {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let context = egui::Context::default();
        ui::install(&context);
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let painter = gpu.guard(|| egui_wgpu::Renderer::new(&gpu.device, wgpu::TextureFormat::Rgba8Unorm, options))?;
        Ok(Self { context, painter })
    }

    pub(super) fn write(
        &mut self,
        gpu: &Gpu,
        target: &Target,
        pixels_per_point: f32,
        load: wgpu::LoadOp<wgpu::Color>,
        mut content: impl FnMut(&mut egui::Ui, egui::Rect),
    ) -> Result<(), GpuError> {
        let (width, height) = target.size();
        let size = egui::vec2(width as f32, height as f32) / pixels_per_point;
        let rect = egui::Rect::from_min_size(egui::Pos2::ZERO, size);

        let mut input = egui::RawInput { screen_rect: Some(rect), ..egui::RawInput::default() };
        input.viewports.entry(egui::ViewportId::ROOT).or_default().native_pixels_per_point = Some(pixels_per_point);
        let output = self.context.run_ui(input, |root| content(root, rect));
        let mut textures = output.textures_delta;
        let shapes = self.context.tessellate(output.shapes, output.pixels_per_point);
        let screen = ScreenDescriptor { size_in_pixels: [width, height], pixels_per_point: output.pixels_per_point };
        let written = if gpu.is_gone() {
            Err(gpu.error())
        } else {
            gpu.guard(|| self.paint(gpu, target, load, &shapes, &textures, &screen))
        };
        textures.clear();
        written
    }

    fn paint(
        &mut self,
        gpu: &Gpu,
        target: &Target,
        load: wgpu::LoadOp<wgpu::Color>,
        shapes: &[egui::ClippedPrimitive],
        textures: &egui::TexturesDelta,
        screen: &ScreenDescriptor,
    ) {
        for (id, deltas) in &textures.set {
            for delta in deltas {
                self.painter.update_texture(&gpu.device, &gpu.queue, *id, delta);
            }
        }
        paint_shapes(gpu, &mut self.painter, target.view(), load, shapes, screen);
        for id in &textures.free {
            self.painter.free_texture(id);
        }
    }
}

/// Draws egui's shapes into `view`.
pub(crate) fn paint_shapes(
    gpu: &Gpu,
    painter: &mut egui_wgpu::Renderer,
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
    shapes: &[egui::ClippedPrimitive],
    screen: &ScreenDescriptor,
) {
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("egui") });
    let mut commands = painter.update_buffers(&gpu.device, &gpu.queue, &mut encoder, shapes, screen);
    let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
    let colour = wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops };
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("egui"),
        color_attachments: &[Some(colour)],
        ..wgpu::RenderPassDescriptor::default()
    });
    let mut pass = pass.forget_lifetime();
    painter.render(&mut pass, shapes, screen);
    drop(pass);
    commands.push(encoder.finish());
    gpu.queue.submit(commands);
}
