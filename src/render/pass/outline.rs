//! Selection outline, computed from a mask with the size of the image.

use std::collections::HashMap;

use glam::{Vec2, Vec3};

use super::{
    Gpu, GpuPart, Layouts, OVER, POSITIONS, PassContext, PipelineDescription, RenderRequest, Renderer, attachment,
    begin_pass, bind_group, drawn_surfaces, linear_sampler, runs, shader, uploaded,
};
use maquette_scene::scene::EntityId;

const MASK: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

#[derive(Debug)]
pub struct Mask {
    size: (u32, u32),
    /// Area of the outline in pixels: left, top, width and height; `None` if nothing is outlined.
    area: Option<[u32; 4]>,
    samples: u32,
    resolved: wgpu::TextureView,
    multisampled: Option<wgpu::TextureView>,
    group: wgpu::BindGroup,
}

impl Mask {
    fn new(gpu: &Gpu, layouts: &Layouts, size: (u32, u32), samples: u32) -> Self {
        let view =
            |samples, usage| attachment(gpu, "selection", size, samples, MASK, usage).create_view(&Default::default());
        let resolved = view(1, wgpu::TextureUsages::TEXTURE_BINDING);
        let multisampled = (samples > 1).then(|| view(samples, wgpu::TextureUsages::empty()));
        let texture = wgpu::BindingResource::TextureView(&resolved);
        let sampler = linear_sampler(gpu, None);
        let sampler = wgpu::BindingResource::Sampler(&sampler);
        let group = bind_group(gpu, "selection", &layouts.texture, &[texture, sampler]);
        Self { size, area: None, samples, resolved, multisampled, group }
    }

    fn fitting<'a>(
        slot: &'a mut Option<Self>,
        gpu: &Gpu,
        layouts: &Layouts,
        size: (u32, u32),
        samples: u32,
    ) -> &'a mut Self {
        if slot.as_ref().is_some_and(|mask| mask.size != size || mask.samples != samples) {
            *slot = None;
        }
        slot.get_or_insert_with(|| Self::new(gpu, layouts, size, samples))
    }

    fn colour(&self) -> wgpu::RenderPassColorAttachment<'_> {
        let (view, resolve_target, store) = match &self.multisampled {
            Some(view) => (view, Some(&self.resolved), wgpu::StoreOp::Discard),
            None => (&self.resolved, None, wgpu::StoreOp::Store),
        };
        let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store };
        wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops }
    }
}

/// Returns the area of the outline pass; `None` if nothing is outlined. The pass reads many texels per pixel and
/// dominates the cost on software devices.
fn outlined_area(
    request: &RenderRequest<'_>,
    parts: &mut HashMap<EntityId, GpuPart>,
    (width, height): (u32, u32),
) -> Option<[u32; 4]> {
    let size = Vec2::new(width as f32, height as f32);
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for part in request.parts {
        let Some(gpu_part) = parts.get_mut(&part.id) else { continue };
        for (number, _) in part.outlined.iter().enumerate().filter(|(_, outlined)| **outlined) {
            let bounds = gpu_part.bounds(number, part.pose);
            let corners = if bounds.is_empty() { [Vec3::NAN; 8] } else { bounds.corners() };
            for corner in corners.into_iter().filter(|corner| corner.is_finite()) {
                let world = part.world_from_model.transform_point3(corner);
                // Points behind the camera cannot be projected, so use the whole image.
                let projected = request.camera.project(world, size.x, size.y);
                low = low.min(projected.unwrap_or(Vec2::ZERO));
                high = high.max(projected.unwrap_or(size));
            }
        }
    }
    let margin = Vec2::splat(3.0 * request.pixels_per_point + 1.0);
    let low = (low - margin).clamp(Vec2::ZERO, size).floor().as_uvec2();
    let high = (high + margin).clamp(Vec2::ZERO, size).ceil().as_uvec2();
    let (width, height) = (high.x.saturating_sub(low.x), high.y.saturating_sub(low.y));
    (width > 0 && height > 0).then_some([low.x, low.y, width, height])
}

/// Draws the selected surfaces into the mask.
pub(super) fn draw_mask(renderer: &mut Renderer, context: &PassContext<'_>, encoder: &mut wgpu::CommandEncoder) {
    let PassContext { gpu, request, target, .. } = *context;
    let Renderer { parts, layouts, pipelines, mask, self_shadow, .. } = renderer;
    let Some(area) = outlined_area(request, parts, target.size()) else {
        mask.iter_mut().for_each(|mask| mask.area = None);
        return;
    };
    let mask = Mask::fitting(mask, gpu, layouts, target.size(), target.samples());
    mask.area = Some(area);
    let pipeline = PipelineDescription {
        buffers: vec![Some(POSITIONS)],
        format: Some(MASK),
        depth: None,
        ..context.pipeline(["vs_mask", "fs_mask"], &[Some(&layouts.part)])
    };
    let mut pass = begin_pass(encoder, "selection", Some(mask.colour()), None);
    let [x, y, width, height] = area;
    pass.set_scissor_rect(x, y, width, height);
    pass.set_bind_group(0, &self_shadow.frame_group, &[]);
    pass.set_pipeline(&pipelines.get(gpu, shader!("outline.wgsl"), pipeline));
    for (gpu_part, part) in uploaded(parts, request) {
        gpu_part.bind(&mut pass);
        let is_outlined = |number: usize| part.outlined.get(number).copied().unwrap_or(false);
        let outlined = drawn_surfaces(gpu_part, part).filter(|(number, _)| is_outlined(*number));
        for run in runs(outlined, |_, _| true) {
            gpu_part.draw_run(&mut pass, run, request.display.shows_materials());
        }
    }
}

pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    let Renderer { layouts, pipelines, mask: Some(Mask { area: Some(area), group, .. }), .. } = renderer else {
        return;
    };
    let pipeline = PipelineDescription {
        blend: Some(OVER),
        ..context.pipeline(["vs_outline", "fs_outline"], &[None, Some(&layouts.texture)])
    };
    pass.set_pipeline(&pipelines.get(context.gpu, shader!("outline.wgsl"), pipeline));
    pass.set_bind_group(2, &*group, &[]);
    let [x, y, width, height] = *area;
    pass.set_scissor_rect(x, y, width, height);
    pass.draw(0..3, 0..1);
    let (width, height) = context.target.size();
    pass.set_scissor_rect(0, 0, width, height);
}
