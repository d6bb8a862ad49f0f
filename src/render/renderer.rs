//! Renderer that draws requests into targets.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use maquette_assets::material::{DrawnFaces, Image, SurfaceMaterial, TextureWrap, Transparency};
use maquette_core::model::Model;
use maquette_scene::scene::{
    Alpha, BackfaceDisplay, Background, EntityId, Layer, LightingMode, OverlayKind, Shading, Wireframe,
};

use super::average::Average;
use super::default_textures::DefaultTextures;
use super::frame::{Frame, casts_shadow};
use super::ghosts::Ghosts;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::lines::LineBuffers;
use super::outline::{Mask, outlined_area};
use super::part::{GpuPart, GpuSurface, drawn_surfaces};
use super::pipeline_key::StagePipelineKey;
use super::pipelines::{AlphaPass, DepthSide, Kind, Pipelines, SceneOptions};
use super::samples::{MIN_SHOWN, Sample};
use super::self_shadow::{MAPS, SelfShadow, ShadowDetail};
use super::shadow::{ShadowMaps, cleared};
use super::stages::{Draw, GpuMaterial, GpuStage, MaterialDevice, STRIDE};
use super::studio::Studio;
use super::target::Target;
use super::texture::UploadBudget;
use super::texture_cache::TextureCache;
use super::{PartDraw, RenderRequest, checker, colormap, texture};

/// Maximum number of material stages drawn in one image. Further stages are not drawn.
const MAX_DRAWN_STAGES: usize = 1 << 13;

/// Renderer with the GPU data of all parts.
#[derive(Debug)]
pub struct Renderer {
    layouts: Layouts,
    pipelines: Pipelines,
    default_textures: DefaultTextures,
    textures: TextureCache,
    parts: HashMap<EntityId, GpuPart>,
    incomplete_parts: HashMap<EntityId, (u64, GpuPart)>,
    frame: wgpu::Buffer,
    self_shadow: SelfShadow,
    average: Option<Average>,
    shadow: ShadowMaps,
    lines: LineBuffers,
    mask: Option<Mask>,
    ghosts: Ghosts,
    moved: bool,
    draws: Vec<Draw>,
    checker: Option<wgpu::BindGroup>,
    ramp: Option<wgpu::BindGroup>,
}

impl Renderer {
    /// Creates a renderer without parts for `gpu`.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        let layouts = Layouts::new(gpu);
        let frame = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<Frame>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let self_shadow = SelfShadow::new(gpu, &layouts, &frame);
        Self {
            pipelines: Pipelines::default(),
            default_textures: DefaultTextures::new(gpu, &layouts),
            textures: TextureCache::default(),
            parts: HashMap::new(),
            incomplete_parts: HashMap::new(),
            shadow: ShadowMaps::new(gpu, &layouts),
            lines: LineBuffers::new(gpu),
            mask: None,
            ghosts: Ghosts::default(),
            moved: true,
            layouts,
            frame,
            self_shadow,
            average: None,
            draws: Vec::new(),
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
        let layouts = &self.layouts;
        self.parts.get_mut(&id).is_none_or(|part| part.upload_edges(gpu, layouts, model, budget))
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
        self.moved = true;
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
        self.moved = true;
    }

    /// Returns the number of uploaded parts.
    #[must_use]
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
        self.draw_sample(gpu, request, target, &Sample::SINGLE);
    }

    /// Draws some samples of `request` and adds them to the sum, which sample 0 clears. Shows the average
    /// in `target` once `MIN_SHOWN` samples, or all if there are fewer, are drawn.
    pub fn refine(&mut self, gpu: &Gpu, request: &RenderRequest<'_>, target: &Target, samples: Range<u32>) {
        let all = request.display.samples_at_rest();
        let mut average = self.average.take();
        let buffers = Average::fitting(&mut average, gpu, target.size());
        for number in samples.clone() {
            self.draw_sample(gpu, request, &buffers.target, &Sample::new(number));
            let load = if number == 0 { wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT) } else { wgpu::LoadOp::Load };
            self.copy(gpu, Kind::Add, buffers.target.view(), &buffers.sum, load);
        }
        if samples.end >= all.min(MIN_SHOWN) {
            let load = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
            self.copy(gpu, Kind::ShowAverage, &buffers.sum, target.view(), load);
        }
        self.average = average;
    }

    /// Draws all pixels of `from` into `into`.
    fn copy(
        &mut self,
        gpu: &Gpu,
        kind: Kind,
        from: &wgpu::TextureView,
        into: &wgpu::TextureView,
        load: wgpu::LoadOp<wgpu::Color>,
    ) {
        let pipeline = self.pipeline(gpu, kind, 1);
        let from = self.default_textures.bind_group(gpu, &self.layouts, Some(from), TextureWrap::Clamp);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("average") });
        let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
        let colour = wgpu::RenderPassColorAttachment { ops, ..cleared(into) };
        let mut pass = begin_pass(&mut encoder, "average", Some(colour), None);
        pass.set_bind_group(0, &self.self_shadow.frame_group, &[]);
        pass.set_bind_group(1, &from, &[]);
        pass.set_pipeline(&pipeline);
        pass.draw(0..3, 0..1);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }

    fn draw_sample(&mut self, gpu: &Gpu, request: &RenderRequest<'_>, target: &Target, sample: &Sample) {
        let map_sizes = [self.shadow.size, self.self_shadow.size];
        let shadow_detail = ShadowDetail::of(request, sample, gpu.is_software());
        let frame = Frame::new(request, target.size(), map_sizes, self.exposure(request), sample, shadow_detail);
        gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&frame));
        let mut moved = false;
        for part in request.parts {
            if let Some(gpu_part) = self.parts.get_mut(&part.id) {
                moved |= gpu_part.pose(gpu, part, request);
                gpu_part.evaluate(gpu, request.seconds);
                if request.display.wireframe != Wireframe::Off {
                    gpu_part.make_edges(gpu, &self.layouts, part.model);
                }
            }
        }
        // A skin's scale may mirror the model (GZDoom). The scale applies to all parts of a scene.
        let is_mirrored = |part: &PartDraw<'_>| part.world_from_model.matrix3.determinant() < 0.0;
        self.pipelines.options = SceneOptions {
            is_mirrored: !request.parts.is_empty() && request.parts.iter().all(is_mirrored),
            texture_filter: request.display.texture_filter,
            // Averages of several images have smooth cut-outs anyway. Coverage changes the alpha of an image.
            covers_by_alpha: target.samples() > 1
                && *sample == Sample::SINGLE
                && request.display.background != Background::Transparent,
            shadow_detail,
        };
        // If no shadow is drawn now, remember the motion, so that the next shadow is redrawn.
        self.moved |= moved;
        self.lines.write(gpu, request.lines);
        self.ghosts.write(gpu, &self.layouts, request);
        if request.display.shading == Shading::Checker && self.checker.is_none() {
            let view = texture::upload_rgba(gpu, checker::SIZE, checker::SIZE, &checker::texels());
            self.checker = Some(self.default_textures.bind_group(gpu, &self.layouts, Some(&view), TextureWrap::Repeat));
        }
        if request.display.shading.shows_values() && self.ramp.is_none() {
            let view = texture::upload_rgba(gpu, colormap::LENGTH, 1, &colormap::texels());
            self.ramp = Some(self.default_textures.bind_group(gpu, &self.layouts, Some(&view), TextureWrap::Clamp));
        }
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("image") });
        if casts_shadow(request) {
            self.draw_shadow(gpu, request, &frame, &mut encoder);
        }
        if shadow_detail != ShadowDetail::None {
            self.draw_self_shadow(gpu, request, &mut encoder);
        }
        let (width, height) = target.size();
        let outline = outlined_area(request, &mut self.parts, width, height);
        if let Some(area) = outline {
            self.draw_mask(gpu, request, target, area, &mut encoder);
        }
        self.draw_scene(gpu, request, target, outline, &mut encoder);
        gpu.queue.submit([encoder.finish()]);
    }

    /// Returns the brightness factor that suits the mean luminance of the drawn textures.
    fn exposure(&self, request: &RenderRequest<'_>) -> f32 {
        if !request.display.light.is_automatic || request.display.shading != Shading::Textured {
            return 1.0;
        }
        let (mut sum, mut count) = (0.0, 0.0_f32);
        for part in request.parts {
            let Some(gpu_part) = self.parts.get(&part.id) else { continue };
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

    fn pipeline(&mut self, gpu: &Gpu, kind: Kind, samples: u32) -> wgpu::RenderPipeline {
        self.pipelines.get(gpu, &self.layouts, kind, samples)
    }

    fn draw_shadow(
        &mut self,
        gpu: &Gpu,
        request: &RenderRequest<'_>,
        frame: &Frame,
        encoder: &mut wgpu::CommandEncoder,
    ) {
        let parts = &self.parts;
        let surfaces = request.parts.iter().filter_map(|part| parts.get(&part.id).map(|gpu_part| (gpu_part, part)));
        let surfaces = surfaces.flat_map(|(gpu_part, part)| {
            casting_surfaces(gpu_part, part, request).map(|(number, _)| (part.id, number))
        });
        if !self.shadow.outdated(frame.shadow_shape(), surfaces, std::mem::take(&mut self.moved)) {
            return;
        }
        let flatten = [Kind::ShadowCast, Kind::ShadowAbove].map(|kind| self.pipeline(gpu, kind, 1));
        let blur = [false, true].map(|vertical| self.pipeline(gpu, Kind::Blur { vertical }, 1));
        let maps = &self.shadow;
        let mut pass = begin_pass(encoder, "shadow", Some(cleared(&maps.first)), None);
        pass.set_bind_group(0, &self.self_shadow.frame_group, &[]);
        for part in request.parts {
            let Some(gpu_part) = self.parts.get(&part.id) else { continue };
            gpu_part.bind(&mut pass);
            for pipeline in &flatten {
                pass.set_pipeline(pipeline);
                for (_, surface) in casting_surfaces(gpu_part, part, request) {
                    gpu_part.draw_surface(&mut pass, surface, request.display.shows_materials());
                }
            }
        }
        drop(pass);
        let steps = [(&maps.second, &maps.blur_first), (&maps.first, &maps.blur_second)];
        for (pipeline, (into, from)) in blur.iter().zip(steps) {
            let mut pass = begin_pass(encoder, "blur", Some(cleared(into)), None);
            pass.set_bind_group(0, &self.self_shadow.frame_group, &[]);
            pass.set_bind_group(1, from, &[]);
            pass.set_pipeline(pipeline);
            pass.draw(0..3, 0..1);
        }
    }

    fn draw_self_shadow(&mut self, gpu: &Gpu, request: &RenderRequest<'_>, encoder: &mut wgpu::CommandEncoder) {
        let maps = match self.pipelines.options.shadow_detail {
            ShadowDetail::None => 0,
            ShadowDetail::Key => 1,
            ShadowDetail::Outlines => 2,
            ShadowDetail::All => MAPS,
        };
        for map in 0..maps {
            let pipelines = [false, true].map(|holes| self.pipeline(gpu, Kind::SelfShadow { map, holes }, 1));
            let Some(view) = self.self_shadow.layers.get(map) else { continue };
            let depth = wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            };
            let mut pass = begin_pass(encoder, "self-shadow", None, Some(depth));
            pass.set_bind_group(0, &self.self_shadow.casting_group, &[]);
            for part in request.parts {
                let Some(gpu_part) = self.parts.get(&part.id) else { continue };
                gpu_part.bind(&mut pass);
                for (_, surface) in casting_surfaces(gpu_part, part, request) {
                    let holes = surface.has_holes && request.display.shading == Shading::Textured;
                    let [solid, cutout] = &pipelines;
                    if holes {
                        pass.set_pipeline(cutout);
                        pass.set_bind_group(2, &surface.texture, &[]);
                    } else {
                        pass.set_pipeline(solid);
                    }
                    gpu_part.draw_surface(&mut pass, surface, request.display.shows_materials());
                }
            }
        }
    }

    fn draw_mask(
        &mut self,
        gpu: &Gpu,
        request: &RenderRequest<'_>,
        target: &Target,
        [x, y, width, height]: [u32; 4],
        encoder: &mut wgpu::CommandEncoder,
    ) {
        let pipeline = self.pipeline(gpu, Kind::Mask, target.samples());
        let mask = Mask::fitting(&mut self.mask, gpu, &self.layouts, target.size(), target.samples());
        let mut pass = begin_pass(encoder, "selection", Some(mask.colour()), None);
        pass.set_scissor_rect(x, y, width, height);
        pass.set_bind_group(0, &self.self_shadow.frame_group, &[]);
        pass.set_pipeline(&pipeline);
        for part in request.parts {
            let Some(gpu_part) = self.parts.get(&part.id) else { continue };
            gpu_part.bind(&mut pass);
            for (number, surface) in drawn_surfaces(gpu_part, part) {
                if part.outlined.get(number).copied().unwrap_or(false) {
                    gpu_part.draw_surface(&mut pass, surface, request.display.shows_materials());
                }
            }
        }
    }

    fn draw_scene(
        &mut self,
        gpu: &Gpu,
        request: &RenderRequest<'_>,
        target: &Target,
        outlined: Option<[u32; 4]>,
        encoder: &mut wgpu::CommandEncoder,
    ) {
        let display = request.display;
        let samples = target.samples();
        let clear = match display.background {
            Background::Colour(colour) => {
                let [red, green, blue] = colour.map(|value| f64::from(value) / 255.0);
                wgpu::Color { r: red, g: green, b: blue, a: 1.0 }
            }
            Background::Studio | Background::Transparent => wgpu::Color::TRANSPARENT,
        };
        let background = self.pipeline(gpu, Kind::Background, samples);
        let shade = self.pipeline(gpu, Kind::Shade, samples);
        let grid = self.pipeline(gpu, Kind::Grid, samples);
        let (two_sided, steps_back) = (display.sides == BackfaceDisplay::Both, steps_back(request));
        let wanted = self.alpha_passes(request);
        let model = wanted
            .map(|alpha| alpha.map(|alpha| self.pipeline(gpu, Kind::Model { alpha, two_sided, steps_back }, samples)));
        let inside = (display.sides == BackfaceDisplay::Tinted).then(|| self.pipeline(gpu, Kind::Inside, samples));
        let alone = display.wireframe == Wireframe::Alone;
        let wire = self.pipeline(gpu, Kind::Wire { alone }, samples);
        let vertices = display
            .shows(OverlayKind::Vertices)
            .then(|| [true, false].map(|casing| self.pipeline(gpu, Kind::Vertices { casing, alone }, samples)));
        let outline = outlined.map(|area| (self.pipeline(gpu, Kind::Outline, samples), area));
        let lines = self.line_pipelines(gpu, request, samples);
        let ghosts = (!request.ghosts.is_empty()).then(|| {
            [Kind::Ghost { depth_alone: true }, Kind::Ghost { depth_alone: false }, Kind::Far]
                .map(|kind| self.pipeline(gpu, kind, samples))
        });
        let mut pass = begin_pass(encoder, "picture", Some(target.colour(clear)), Some(target.depth()));
        pass.set_bind_group(0, &self.self_shadow.frame_group, &[]);
        if display.background == Background::Studio {
            pass.set_pipeline(&background);
            pass.draw(0..3, 0..1);
        }
        if casts_shadow(request) {
            pass.set_pipeline(&shade);
            pass.set_bind_group(1, &self.shadow.finished, &[]);
            pass.draw(0..4, 0..1);
        }
        if display.shows(OverlayKind::Grid) && display.background != Background::Transparent {
            pass.set_pipeline(&grid);
            pass.draw(0..4, 0..1);
        }
        if let Some(pipelines) = &ghosts {
            let (width, height) = target.size();
            self.ghosts.draw(&mut pass, request, &self.parts, pipelines, width, height);
        }
        if !alone {
            if let Some(inside) = &inside {
                pass.set_pipeline(inside);
                self.draw_insides(&mut pass, request);
            }
            let is_game = display.shows_materials() && display.lighting == LightingMode::Game;
            for (pipeline, alpha) in model.iter().zip(wanted).filter(|_| !is_game) {
                if let (Some(pipeline), Some(alpha)) = (pipeline, alpha) {
                    pass.set_pipeline(pipeline);
                    self.draw_surfaces(&mut pass, request, alpha);
                }
            }
            if display.shows_materials() {
                self.draw_stages(gpu, &mut pass, request, samples);
            }
        }
        if display.wireframe != Wireframe::Off {
            pass.set_pipeline(&wire);
            self.draw_edges(&mut pass, request);
        }
        for pipeline in vertices.iter().flatten() {
            pass.set_pipeline(pipeline);
            self.draw_vertices(&mut pass, request);
        }
        for (layer, pipelines) in Layer::ALL.into_iter().zip(&lines) {
            if let (Layer::OnTop, Some((outline, [x, y, width, height])), Some(mask)) = (layer, &outline, &self.mask) {
                pass.set_pipeline(outline);
                pass.set_bind_group(2, &mask.group, &[]);
                pass.set_scissor_rect(*x, *y, *width, *height);
                pass.draw(0..3, 0..1);
                let (width, height) = target.size();
                pass.set_scissor_rect(0, 0, width, height);
            }
            for pipeline in pipelines.iter().flatten() {
                pass.set_pipeline(pipeline);
                self.lines.draw(&mut pass, layer);
            }
        }
    }

    fn alpha_passes(&self, request: &RenderRequest<'_>) -> [Option<AlphaPass>; 4] {
        let surfaces = request.parts.iter().filter_map(|part| self.parts.get(&part.id)).flat_map(|part| &part.surfaces);
        let passes: Vec<_> = surfaces.flat_map(|surface| alpha_of(surface, request.display.alpha)).flatten().collect();
        [AlphaPass::Opaque, AlphaPass::Holes, AlphaPass::Solid, AlphaPass::Sheer]
            .map(|pass| passes.contains(&pass).then_some(pass))
    }

    fn draw_surfaces(&self, pass: &mut wgpu::RenderPass<'_>, request: &RenderRequest<'_>, alpha: AlphaPass) {
        for part in request.parts {
            let Some(gpu_part) = self.parts.get(&part.id) else { continue };
            gpu_part.bind(pass);
            if request.display.shading.shows_values() {
                gpu_part.bind_values(pass);
            }
            let is_plain =
                |surface: &GpuSurface| material_of(gpu_part, surface).is_none_or(|material| material.is_plain);
            let wanted = |surface: &GpuSurface| {
                alpha_of(surface, request.display.alpha).contains(&Some(alpha))
                    && (alpha != AlphaPass::Sheer || surface.has_alpha)
                    && (!request.display.shows_materials() || is_plain(surface))
            };
            for (_, surface) in drawn_surfaces(gpu_part, part).filter(|(_, surface)| wanted(surface)) {
                let texture_binding = match request.display.shading {
                    Shading::Checker => self.checker.as_ref().unwrap_or(&surface.texture),
                    shading if shading.shows_values() => self.ramp.as_ref().unwrap_or(&surface.texture),
                    _ => &surface.texture,
                };
                pass.set_bind_group(2, texture_binding, &[]);
                pass.draw_indexed(surface.indices.clone(), 0, 0..1);
            }
        }
    }

    fn draw_stages(&mut self, gpu: &Gpu, pass: &mut wgpu::RenderPass<'_>, request: &RenderRequest<'_>, samples: u32) {
        let is_game = request.display.lighting == LightingMode::Game;
        let key_of = |stage: &GpuStage| if is_game { stage.game } else { stage.studio };
        let mut draws = std::mem::take(&mut self.draws);
        draws.clear();
        for (part, shown) in request.parts.iter().enumerate() {
            let Some(gpu_part) = self.parts.get(&shown.id) else { continue };
            for (number, surface) in drawn_surfaces(gpu_part, shown) {
                let Some(material) = material_of(gpu_part, surface) else { continue };
                let (sort, rank) = (material.sort(is_game), material.rank);
                let stages = material.stages.iter().enumerate();
                let stages = stages.filter(|(_, stage)| stage.texture().is_some() && key_of(stage).is_some());
                // A hostile model can request millions of stages.
                let room = MAX_DRAWN_STAGES.saturating_sub(draws.len());
                draws.extend(stages.map(|(stage, _)| Draw { sort, part, rank, stage, surface: number }).take(room));
            }
        }
        draws.sort_unstable_by(Draw::order);
        let mut bound: Option<(usize, StagePipelineKey)> = None;
        for draw in &draws {
            let Some(gpu_part) = request.parts.get(draw.part).and_then(|part| self.parts.get(&part.id)) else {
                continue;
            };
            let Some(surface) = gpu_part.surfaces.get(draw.surface) else { continue };
            let stage = material_of(gpu_part, surface).and_then(|material| material.stages.get(draw.stage));
            let Some((stage, key)) = stage.and_then(|stage| Some((stage, key_of(stage)?))) else { continue };
            let Some(image) = stage.texture() else { continue };
            let both = request.display.sides == BackfaceDisplay::Both;
            let sides = if both { DrawnFaces::Both } else { key.sides };
            let key = StagePipelineKey { sides, steps_back: steps_back(request), ..key };
            if bound.is_none_or(|(_, known)| known != key) {
                pass.set_pipeline(&self.pipelines.get(gpu, &self.layouts, Kind::Stage(key), samples));
            }
            if bound.is_none_or(|(part, _)| part != draw.part) {
                gpu_part.bind(pass);
            }
            bound = Some((draw.part, key));
            let offset = u32::try_from(stage.slot * STRIDE).unwrap_or(0);
            pass.set_bind_group(2, image, &[offset]);
            gpu_part.draw_surface(pass, surface, true);
        }
        self.draws = draws;
    }

    /// Draws the back faces of surfaces that are one-sided and write the depth.
    fn draw_insides(&self, pass: &mut wgpu::RenderPass<'_>, request: &RenderRequest<'_>) {
        let shows_materials = request.display.shows_materials();
        for part in request.parts {
            let Some(gpu_part) = self.parts.get(&part.id) else { continue };
            gpu_part.bind(pass);
            let one_sided = |surface: &GpuSurface| {
                let material = material_of(gpu_part, surface);
                material.is_none_or(|material| material.definition.sides == DrawnFaces::Front)
            };
            for (_, surface) in
                casting_surfaces(gpu_part, part, request).filter(|(_, surface)| !shows_materials || one_sided(surface))
            {
                gpu_part.draw_surface(pass, surface, shows_materials);
            }
        }
    }

    fn draw_edges(&self, pass: &mut wgpu::RenderPass<'_>, request: &RenderRequest<'_>) {
        for part in request.parts {
            let Some(gpu_part) = self.parts.get(&part.id) else { continue };
            let Some(edges) = gpu_part.edges.uploaded() else { continue };
            gpu_part.bind(pass);
            edges.draw(pass, drawn_surfaces(gpu_part, part).map(|(number, _)| number));
        }
    }

    fn draw_vertices(&self, pass: &mut wgpu::RenderPass<'_>, request: &RenderRequest<'_>) {
        for part in request.parts {
            let Some(gpu_part) = self.parts.get(&part.id) else { continue };
            gpu_part.bind(pass);
            drawn_surfaces(gpu_part, part).for_each(|(_, surface)| gpu_part.draw_vertices(pass, surface));
        }
    }

    fn line_pipelines(
        &mut self,
        gpu: &Gpu,
        request: &RenderRequest<'_>,
        samples: u32,
    ) -> [[Option<wgpu::RenderPipeline>; 4]; 4] {
        Layer::ALL.map(|layer| {
            let sides: [Option<DepthSide>; 2] = match layer {
                _ if request.lines.lines(layer).is_empty() && request.lines.static_lines(layer).is_empty() => {
                    [None, None]
                }
                Layer::Hidden => [Some(DepthSide::Front), None],
                Layer::Faint | Layer::Dimmed => [Some(DepthSide::Behind), Some(DepthSide::Front)],
                Layer::OnTop => [Some(DepthSide::Any), None],
            };
            let [first, second] = sides;
            // Draw all casings of a side before its lines, so that no casing covers a line.
            [(true, first), (false, first), (true, second), (false, second)]
                .map(|(casing, side)| side.map(|side| self.pipeline(gpu, Kind::Lines { layer, casing, side }, samples)))
        })
    }
}

/// Whether a depth bias moves surfaces back, so that edges stay visible. Not with tinted back faces and no edges,
/// because at grazing angles surfaces would fall behind their own back faces.
fn steps_back(request: &RenderRequest<'_>) -> bool {
    request.display.sides != BackfaceDisplay::Tinted || request.display.wireframe != Wireframe::Off
}

fn alpha_of(surface: &GpuSurface, alpha: Alpha) -> [Option<AlphaPass>; 2] {
    let transparency = match alpha {
        Alpha::Material => surface.transparency,
        Alpha::Opaque => Transparency::Opaque,
        Alpha::Test => Transparency::Cutout,
        Alpha::Blend => Transparency::Blend,
    };
    match transparency {
        Transparency::Opaque => [Some(AlphaPass::Opaque), None],
        Transparency::Cutout => [Some(AlphaPass::Holes), None],
        Transparency::Blend => [Some(AlphaPass::Solid), Some(AlphaPass::Sheer)],
    }
}

fn material_of<'a>(part: &'a GpuPart, surface: &GpuSurface) -> Option<&'a GpuMaterial> {
    part.materials.get(surface.material)
}

fn casting_surfaces<'a>(
    gpu_part: &'a GpuPart,
    part: &'a PartDraw<'_>,
    request: &'a RenderRequest<'_>,
) -> impl Iterator<Item = (usize, &'a GpuSurface)> {
    let is_game = request.display.lighting == LightingMode::Game;
    let is_solid =
        move |surface: &GpuSurface| material_of(gpu_part, surface).is_none_or(|material| material.is_solid(is_game));
    drawn_surfaces(gpu_part, part).filter(move |(_, surface)| !request.display.shows_materials() || is_solid(surface))
}

fn begin_pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &'static str,
    colour: Option<wgpu::RenderPassColorAttachment<'_>>,
    depth: Option<wgpu::RenderPassDepthStencilAttachment<'_>>,
) -> wgpu::RenderPass<'a> {
    let attachments = [colour];
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: if attachments[0].is_some() { &attachments } else { &[] },
        depth_stencil_attachment: depth,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
