//! Graphics of the window: surface, egui renderer and the texture of the viewport.

#![forbid(unsafe_code)]

use std::sync::Arc;

use egui_wgpu::{RendererOptions, ScreenDescriptor};
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use crate::output::paint_shapes;
use crate::render::{Gpu, GpuError, Renderer, Target};

/// Objects of one graphics device. They are created again after the device is lost.
pub struct Graphics {
    pub gpu: Gpu,
    pub renderer: Renderer,
    pub target: Target,
    pub texture: egui::TextureId,
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
    egui: egui_wgpu::Renderer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presented {
    /// The frame is on screen.
    Yes,
    /// The frame was skipped. Draw it again.
    Again,
    /// The window is not visible.
    Hidden,
}

impl Graphics {
    pub fn new(event_loop: &ActiveEventLoop, window: &Arc<Window>) -> Result<Self, GpuError> {
        let (gpu, surface) = Gpu::for_window(event_loop.owned_display_handle(), Arc::clone(window))?;
        let size = window.inner_size();
        let mut configuration = surface
            .get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))
            .ok_or(GpuError::OtherWindow)?;
        // egui needs a format without conversion to linear values. Drivers list a format with conversion first.
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        let stored = [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Bgra8Unorm];
        if let Some(format) = formats.into_iter().find(|format| stored.contains(format)) {
            configuration.format = format;
        }
        configuration.desired_maximum_frame_latency = 1;
        surface.configure(&gpu.device, &configuration);
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let mut egui = gpu.guard(|| egui_wgpu::Renderer::new(&gpu.device, configuration.format, options))?;
        let renderer = Renderer::new(&gpu);
        let target = Target::new(&gpu, 1, 1, 1);
        let texture = egui.register_native_texture(&gpu.device, target.view(), wgpu::FilterMode::Linear);
        Ok(Self { gpu, renderer, target, texture, window: Arc::clone(window), surface, configuration, egui })
    }

    /// Resizes the surface, up to the device's limit. A size of 0 is ignored.
    pub fn resize(&mut self, width: u32, height: u32) {
        let longest = self.gpu.longest_side();
        if width > 0 && height > 0 {
            self.configuration.width = width.min(longest);
            self.configuration.height = height.min(longest);
            self.surface.configure(&self.gpu.device, &self.configuration);
        }
    }

    pub fn resize_viewport(&mut self, width: u32, height: u32, samples: u32) {
        if self.target.resize(&self.gpu, width, height, samples) {
            self.egui.update_egui_texture_from_wgpu_texture(
                &self.gpu.device,
                self.target.view(),
                wgpu::FilterMode::Linear,
                self.texture,
            );
        }
    }

    pub fn present(
        &mut self,
        shapes: &[egui::ClippedPrimitive],
        textures: &egui::TexturesDelta,
        pixels_per_point: f32,
    ) -> Presented {
        #[cfg(debug_assertions)]
        self.lose_on_request("before");
        // A lost device accepts no commands. The window replaces the device.
        if self.gpu.is_gone() {
            return Presented::Again;
        }
        let gpu = self.gpu.clone();
        let presented = gpu.guard(|| {
            for (id, deltas) in &textures.set {
                for delta in deltas {
                    self.egui.update_texture(&gpu.device, &gpu.queue, *id, delta);
                }
            }
            self.paint(shapes, pixels_per_point)
        });
        let presented = presented.unwrap_or(Presented::Again);
        for id in &textures.free {
            self.egui.free_texture(id);
        }
        presented
    }

    /// Destroys the device if the file named by `MAQUETTE_LOSE_DEVICE` contains the name of this `stage`. Tests use it
    /// to simulate lost devices.
    #[cfg(debug_assertions)]
    fn lose_on_request(&self, stage: &str) {
        let Some(path) = std::env::var_os("MAQUETTE_LOSE_DEVICE") else { return };
        if std::fs::read_to_string(&path).is_ok_and(|asked| asked.trim() == stage) {
            drop(std::fs::remove_file(path));
            self.gpu.device.destroy();
        }
    }

    fn paint(&mut self, shapes: &[egui::ClippedPrimitive], pixels_per_point: f32) -> Presented {
        use wgpu::CurrentSurfaceTexture as Current;
        let device = &self.gpu.device;
        let frame = match self.surface.get_current_texture() {
            Current::Success(frame) | Current::Suboptimal(frame) => frame,
            Current::Outdated => {
                self.surface.configure(device, &self.configuration);
                return Presented::Again;
            }
            Current::Lost => {
                // A lost surface must be created again.
                match self.gpu.instance.create_surface(Arc::clone(&self.window)) {
                    Ok(surface) => self.surface = surface,
                    Err(error) => log::error!("the window's surface was lost: {error}"),
                }
                self.surface.configure(device, &self.configuration);
                return Presented::Again;
            }
            Current::Occluded => return Presented::Hidden,
            Current::Timeout | Current::Validation => return Presented::Again,
        };
        #[cfg(debug_assertions)]
        self.lose_on_request("within");
        let view = frame.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let screen = ScreenDescriptor {
            size_in_pixels: [self.configuration.width, self.configuration.height],
            pixels_per_point,
        };
        let load = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        paint_shapes(&self.gpu, &mut self.egui, &view, load, shapes, &screen);
        self.gpu.queue.present(frame);
        Presented::Yes
    }
}
