//! Renderer that draws requests into targets.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use maquette_assets::material::{Image, SurfaceMaterial};
use maquette_core::model::Model;
use maquette_scene::scene::{Background, EntityId, Shading, Wireframe};

use super::default_textures::DefaultTextures;
use super::frame::Frame;
use super::game_lights::GameLights;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::part::{GpuPart, uploaded};
use super::pass::average::Average;
use super::pass::ghosts::Ghosts;
use super::pass::lines::LineBuffers;
use super::pass::materials::StageDraw;
use super::pass::outline::Mask;
use super::pass::self_shadow::{SelfShadow, ShadowDetail};
use super::pass::shadow::ShadowMaps;
use super::pass::{self, PassContext};
use super::pipelines::Pipelines;
use super::resources::empty_buffer;
use super::samples::{MIN_SHOWN, Sample};
use super::stages::MaterialDevice;
use super::studio::Studio;
use super::target::Target;
use super::texture::UploadBudget;
use super::texture_cache::TextureCache;
use super::{PartDraw, RenderRequest};

/// Renderer with the GPU data of all parts.
#[derive(Debug)]
pub struct Renderer {
    pub(super) layouts: Layouts,
    pub(super) pipelines: Pipelines,
    pub(super) default_textures: DefaultTextures,
    textures: TextureCache,
    pub(super) parts: HashMap<EntityId, GpuPart>,
    incomplete_parts: HashMap<EntityId, (u64, GpuPart)>,
    frame: wgpu::Buffer,
    average: Option<Average>,
    pub(super) self_shadow: SelfShadow,
    pub(super) shadow: ShadowMaps,
    pub(super) lines: LineBuffers,
    pub(super) mask: Option<Mask>,
    pub(super) ghosts: Ghosts,
    pub(super) draws: Vec<StageDraw>,
    pub(super) game_lights: GameLights,
    pub(super) checker: Option<wgpu::BindGroup>,
    pub(super) ramp: Option<wgpu::BindGroup>,
}

impl Renderer {
    /// Creates a renderer without parts for `gpu`.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        let layouts = Layouts::new(gpu);
        let frame = empty_buffer(gpu, "frame", size_of::<Frame>(), wgpu::BufferUsages::UNIFORM);
        let self_shadow = SelfShadow::new(gpu, &layouts, &frame);
        Self {
            pipelines: Pipelines::new(&layouts.frame),
            default_textures: DefaultTextures::new(gpu, &layouts),
            textures: TextureCache::default(),
            parts: HashMap::new(),
            incomplete_parts: HashMap::new(),
            shadow: ShadowMaps::new(gpu, &layouts),
            lines: LineBuffers::new(gpu),
            mask: None,
            ghosts: Ghosts::default(),
            layouts,
            frame,
            self_shadow,
            average: None,
            draws: Vec::new(),
            game_lights: GameLights::default(),
            checker: None,
            ramp: None,
        }
    }

    /// Uploads the static data of `model` with `materials` (one per surface) as `id`, replacing an existing part.
    pub fn upload(&mut self, gpu: &Gpu, id: EntityId, model: &Model, materials: &[SurfaceMaterial]) {
        self.incomplete_parts.remove(&id);
        self.upload_part(gpu, id, 0, model, &mut UploadBudget::whole());
        self.set_materials(gpu, id, model, materials);
    }

    /// Uploads static data of `model` within the budget. When the upload is complete, replaces the part `id` and
    /// returns true. An incomplete upload with a different `number` is discarded.
    pub fn upload_part(
        &mut self,
        gpu: &Gpu,
        id: EntityId,
        number: u64,
        model: &Model,
        budget: &mut UploadBudget,
    ) -> bool {
        let incomplete = self.incomplete_parts.remove(&id).filter(|(known, _)| *known == number).map(|(_, part)| part);
        let mut part = incomplete.unwrap_or_else(|| GpuPart::new(gpu, &self.layouts, &self.default_textures, model));
        let is_complete = part.upload(gpu, model, budget);
        if is_complete {
            self.parts.insert(id, part);
        } else {
            self.incomplete_parts.insert(id, (number, part));
        }
        is_complete
    }

    /// Prepares the edges of a part within the budget. Returns whether they are uploaded and therefore drawn.
    pub fn upload_edges(&mut self, gpu: &Gpu, id: EntityId, model: &Arc<Model>, budget: &mut UploadBudget) -> bool {
        let part = self.parts.get_mut(&id);
        part.is_none_or(|part| part.edges.upload(gpu, &self.layouts, &part.positions, model, budget))
    }

    /// Uploads an image within the budget. Returns whether the upload is complete.
    pub fn upload_image(&mut self, gpu: &Gpu, image: &Arc<Image>, budget: &mut UploadBudget) -> bool {
        self.textures.is_uploaded(image) || self.textures.upload(gpu, image, budget)
    }

    /// Sets the materials of an uploaded part, and uploads all their images.
    pub fn set_materials(&mut self, gpu: &Gpu, id: EntityId, model: &Model, materials: &[SurfaceMaterial]) {
        self.replace_materials(gpu, id, model, materials, false);
    }

    /// Like [`Self::set_materials`], but surfaces with images that are not uploaded are drawn plain.
    pub fn set_present_materials(&mut self, gpu: &Gpu, id: EntityId, model: &Model, materials: &[SurfaceMaterial]) {
        self.replace_materials(gpu, id, model, materials, true);
    }

    fn replace_materials(
        &mut self,
        gpu: &Gpu,
        id: EntityId,
        model: &Model,
        materials: &[SurfaceMaterial],
        uploaded_only: bool,
    ) {
        let Some(part) = self.parts.get_mut(&id) else { return };
        let device = MaterialDevice { gpu, layouts: &self.layouts, textures: &self.default_textures };
        part.set_materials(&device, &mut self.textures, model, materials, uploaded_only);
        self.shadow.moved = true;
        self.forget_unused();
    }

    fn forget_unused(&mut self) {
        let parts = &self.parts;
        self.textures.keep(|image| parts.values().any(|part| part.shows(image)));
    }

    /// Uploads the value of each vertex of a part as a position on the colour scale, 0 to 1. `None` releases the
    /// memory.
    pub fn set_values(&mut self, gpu: &Gpu, id: EntityId, values: Option<&[f32]>) {
        if let Some(part) = self.parts.get_mut(&id) {
            part.set_values(gpu, values);
        }
    }

    /// Removes all parts and their data, but keeps the pipelines.
    pub fn clear(&mut self, gpu: &Gpu) {
        self.parts.clear();
        self.incomplete_parts.clear();
        self.textures = TextureCache::default();
        self.lines = LineBuffers::new(gpu);
        (self.mask, self.average, self.checker, self.ramp) = (None, None, None, None);
        self.ghosts = Ghosts::default();
        self.draws = Vec::new();
        self.shadow.moved = true;
    }

    /// Returns the number of uploaded parts.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Removes a part.
    pub fn remove(&mut self, id: EntityId) {
        self.incomplete_parts.remove(&id);
        if self.parts.remove(&id).is_some() {
            self.forget_unused();
        }
    }

    /// Draws `request` into `target`, as one sample with the light from all sides. Does not wait for the GPU.
    pub fn draw(&mut self, gpu: &Gpu, request: &RenderRequest<'_>, target: &Target) {
        self.draw_sample(gpu, request, target, &Sample::single());
    }

    /// Draws some samples of `request` and adds them to the sum, which sample 0 clears. Shows the average
    /// in `target` once `MIN_SHOWN` samples, or all if there are fewer, are drawn.
    pub fn refine(&mut self, gpu: &Gpu, request: &RenderRequest<'_>, target: &Target, samples: Range<u32>) {
        let all = request.display.samples_at_rest();
        let mut average = self.average.take();
        let buffers = Average::fitting(&mut average, gpu, target.size());
        for number in samples.clone() {
            self.draw_sample(gpu, request, &buffers.target, &Sample::new(number));
            buffers.add(self, gpu, number == 0);
        }
        if samples.end >= all.min(MIN_SHOWN) {
            buffers.show(self, gpu, target);
        }
        self.average = average;
    }

    fn draw_sample(&mut self, gpu: &Gpu, request: &RenderRequest<'_>, target: &Target, sample: &Sample) {
        let map_sizes = [self.shadow.size, self.self_shadow.size];
        let is_single = *sample == Sample::single();
        let shadow_detail = ShadowDetail::for_sample(request, is_single && gpu.is_software());
        let frame = Frame::new(request, target.size(), map_sizes, self.exposure(request), sample);
        gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&frame));
        self.game_lights.update(gpu, &self.layouts, &request.display.game_lights);
        for part in request.parts {
            if let Some(gpu_part) = self.parts.get_mut(&part.id) {
                // If no shadow is drawn now, remember the motion, so that the next shadow is redrawn.
                self.shadow.moved |= gpu_part.pose(gpu, part, request);
                if gpu.is_software() {
                    gpu_part.limit_overdraw(part, &frame.clip_from_world);
                }
                gpu_part.evaluate(gpu, request.seconds, part.pose.frame);
                if request.display.wireframe != Wireframe::Off {
                    gpu_part.edges.make(gpu, &self.layouts, &gpu_part.positions, part.model);
                }
            }
        }
        let is_mirrored = |part: &PartDraw<'_>| part.world_from_model.matrix3.determinant() < 0.0;
        let context = PassContext {
            gpu,
            request,
            target,
            frame: &frame,
            shadow_detail,
            // Averages of several images have smooth cut-outs anyway. Coverage changes the alpha of an image.
            covers_by_alpha: target.samples() > 1 && is_single && request.display.background != Background::Transparent,
            // A skin's scale may mirror the model (GZDoom). The scale applies to all parts of a scene.
            is_mirrored: !request.parts.is_empty() && request.parts.iter().all(is_mirrored),
        };
        pass::draw(self, &context);
    }

    /// Returns the brightness factor that suits the mean luminance of the drawn textures.
    fn exposure(&self, request: &RenderRequest<'_>) -> f32 {
        if !request.display.light.is_automatic || request.display.shading != Shading::Textured {
            return 1.0;
        }
        let (mut sum, mut count) = (0.0, 0.0_f32);
        for (gpu_part, part) in uploaded(&self.parts, request) {
            // Hidden surfaces count, so that the light stays when a surface is hidden.
            for surface in gpu_part.surfaces.iter().filter(|surface| surface.lod == part.lod) {
                if let Some(luminance) = surface.luminance {
                    sum += luminance * surface.indices.len() as f32;
                    count += surface.indices.len() as f32;
                }
            }
        }
        if count > 0.0 { Studio::for_display(request.display).exposure(sum / count) } else { 1.0 }
    }
}
