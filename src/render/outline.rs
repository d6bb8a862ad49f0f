//! Selection outline, computed from a mask with the size of the image.

use std::collections::HashMap;

use glam::{Vec2, Vec3};

use super::RenderRequest;
use super::buffers::bound;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::part::GpuPart;
use maquette_scene::scene::EntityId;

pub(super) const MASK: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

#[derive(Debug)]
pub(super) struct Mask {
    size: (u32, u32),
    samples: u32,
    resolved: wgpu::TextureView,
    multisampled: Option<wgpu::TextureView>,
    pub group: wgpu::BindGroup,
}

impl Mask {
    fn new(gpu: &Gpu, layouts: &Layouts, size: (u32, u32), samples: u32) -> Self {
        let view = |samples, usage| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("selection"),
                size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format: MASK,
                usage,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let resolved = view(1, attachment | wgpu::TextureUsages::TEXTURE_BINDING);
        let multisampled = (samples > 1).then(|| view(samples, attachment));
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("selection"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("selection"),
            layout: &layouts.texture,
            entries: &[
                bound(0, wgpu::BindingResource::TextureView(&resolved)),
                bound(1, wgpu::BindingResource::Sampler(&sampler)),
            ],
        });
        Self { size, samples, resolved, multisampled, group }
    }

    pub fn fitting<'a>(
        slot: &'a mut Option<Self>,
        gpu: &Gpu,
        layouts: &Layouts,
        size: (u32, u32),
        samples: u32,
    ) -> &'a Self {
        if slot.as_ref().is_some_and(|mask| mask.size != size || mask.samples != samples) {
            *slot = None;
        }
        slot.get_or_insert_with(|| Self::new(gpu, layouts, size, samples))
    }

    pub fn colour(&self) -> wgpu::RenderPassColorAttachment<'_> {
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
pub(super) fn outlined_area(
    request: &RenderRequest<'_>,
    parts: &mut HashMap<EntityId, GpuPart>,
    width: u32,
    height: u32,
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
