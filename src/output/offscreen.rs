//! Off-screen rendering.

use std::sync::Arc;

use image::RgbaImage;

use super::scene_renderer::SceneRenderer;
use super::text_pass::TextPass;
use super::{OutputError, Progress};
use crate::render::{Gpu, GpuError, Renderer, Target, UploadBudget};
use crate::ui;
use maquette_assets::material::SurfaceMaterial;
use maquette_core::model::Model;
use maquette_scene::scene::Label;
use maquette_scene::session::DocumentView;

/// Draws the session once without a window, including names of tags and joints.
pub fn snapshot(shown: DocumentView<'_>, size: (u32, u32), pixels_per_point: f32) -> Result<RgbaImage, GpuError> {
    OffscreenRenderer::open()?.draw(shown, size, pixels_per_point, true)
}

/// Renderer of sessions without a window. Its device, models and target stay between images.
pub struct OffscreenRenderer {
    gpu: Gpu,
    renderer: Renderer,
    target: Target,
    scene: SceneRenderer,
    text: TextPass,
    /// Uploaded models and materials, to detect a different session with the same entity ids.
    known: Vec<(Arc<Model>, Arc<[SurfaceMaterial]>)>,
}

impl OffscreenRenderer {
    /// Creates a renderer with its own device.
    pub fn open() -> Result<Self, GpuError> {
        Self::new(Gpu::headless()?)
    }

    /// Creates a renderer that draws with `gpu`.
    pub fn new(gpu: Gpu) -> Result<Self, GpuError> {
        let renderer = Renderer::new(&gpu);
        let target = Target::new(&gpu, 1, 1, gpu.samples(true));
        let text = TextPass::new(&gpu)?;
        Ok(Self { gpu, renderer, target, scene: SceneRenderer::default(), text, known: Vec::new() })
    }

    /// Draws the session's scene with `size` pixels. `names` includes the names of tags and joints.
    pub fn draw(
        &mut self,
        shown: DocumentView<'_>,
        size: (u32, u32),
        pixels_per_point: f32,
        names: bool,
    ) -> Result<RgbaImage, GpuError> {
        self.prepare(shown, size)?;
        self.scene.draw(&self.gpu, &mut self.renderer, &self.target, shown, pixels_per_point);
        self.finished(shown, pixels_per_point, names)
    }

    /// Like [`Self::draw`], but reports each sample to `progress`, which can cancel the drawing.
    pub(super) fn draw_samples(
        &mut self,
        shown: DocumentView<'_>,
        size: (u32, u32),
        pixels_per_point: f32,
        names: bool,
        progress: &mut Progress<'_>,
    ) -> Result<RgbaImage, OutputError> {
        self.prepare(shown, size)?;
        let (gpu, renderer) = (&self.gpu, &mut self.renderer);
        self.scene.upload(gpu, renderer, shown, &mut UploadBudget::whole());
        let all = shown.view.display.samples_at_rest();
        for sample in 0..all {
            if !progress(sample, all) {
                return Err(OutputError::Cancelled);
            }
            let samples = if all > 1 { sample..sample + 1 } else { 0..0 };
            self.scene.draw_present(gpu, renderer, &self.target, shown, pixels_per_point, samples);
            if gpu.is_software() {
                gpu.wait()?;
            }
        }
        Ok(self.finished(shown, pixels_per_point, names)?)
    }

    fn prepare(&mut self, shown: DocumentView<'_>, size: (u32, u32)) -> Result<(), GpuError> {
        self.resize(size)?;
        self.remove_outdated(shown);
        Ok(())
    }

    fn finished(&mut self, shown: DocumentView<'_>, pixels_per_point: f32, names: bool) -> Result<RgbaImage, GpuError> {
        let labels = self.scene.labels();
        if names && !labels.is_empty() {
            self.text.write(&self.gpu, &self.target, pixels_per_point, wgpu::LoadOp::Load, |root, rect| {
                ui::names(root, shown, labels, rect);
            })?;
        }
        read(&self.gpu, &self.target)
    }

    pub(super) fn draw_text(
        &mut self,
        size: (u32, u32),
        pixels_per_point: f32,
        content: impl FnMut(&mut egui::Ui, egui::Rect),
    ) -> Result<RgbaImage, GpuError> {
        self.resize(size)?;
        let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        self.text.write(&self.gpu, &self.target, pixels_per_point, clear, content)?;
        read(&self.gpu, &self.target)
    }

    /// Removes uploaded data if the models or materials of the session differ from those uploaded.
    fn remove_outdated(&mut self, shown: DocumentView<'_>) {
        let entities = shown.document.scene.entities();
        let is_same = entities.len() == self.known.len()
            && entities.iter().zip(&self.known).all(|(entity, (model, materials))| {
                Arc::ptr_eq(&entity.asset.model, model) && Arc::ptr_eq(entity.materials(), materials)
            });
        if !is_same {
            self.scene.remove_all(&mut self.renderer);
            self.known = entities
                .iter()
                .map(|entity| (Arc::clone(&entity.asset.model), Arc::clone(entity.materials())))
                .collect();
        }
    }

    fn resize(&mut self, size: (u32, u32)) -> Result<(), GpuError> {
        let longest = self.gpu.longest_side();
        if size.0.max(size.1) > longest {
            return Err(GpuError::Size(size.0, size.1, longest));
        }
        self.target.resize(&self.gpu, size.0, size.1, self.gpu.samples(true));
        Ok(())
    }
}

pub(super) fn draw_once(
    gpu: &Gpu,
    renderer: &mut Renderer,
    target: &Target,
    shown: DocumentView<'_>,
    pixels_per_point: f32,
) {
    let mut scene = SceneRenderer::default();
    scene.draw(gpu, renderer, target, shown, pixels_per_point);
    scene.remove_all(renderer);
}

/// Draws the labels over a finished image and reads the image back.
pub fn finish(
    gpu: &Gpu,
    target: &Target,
    shown: DocumentView<'_>,
    labels: &[Label],
    pixels_per_point: f32,
) -> Result<RgbaImage, GpuError> {
    if !labels.is_empty() {
        TextPass::new(gpu)?.write(gpu, target, pixels_per_point, wgpu::LoadOp::Load, |root, rect| {
            ui::names(root, shown, labels, rect);
        })?;
    }
    read(gpu, target)
}

fn read(gpu: &Gpu, target: &Target) -> Result<RgbaImage, GpuError> {
    let image = target.read_back(gpu)?;
    gpu.take_error().map_or(Ok(image), Err)
}
