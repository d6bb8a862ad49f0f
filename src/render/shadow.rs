//! Soft shadow: two small textures for projection and blur.

use super::buffers::bound;
use super::gpu::{COLOUR, Gpu};
use super::layouts::Layouts;
use maquette_scene::scene::EntityId;

#[derive(Debug)]
pub(super) struct ShadowMaps {
    pub size: u32,
    /// Projected shadow, and after the second blur the finished shadow.
    pub first: wgpu::TextureView,
    pub second: wgpu::TextureView,
    pub blur_first: wgpu::BindGroup,
    pub blur_second: wgpu::BindGroup,
    pub finished: wgpu::BindGroup,
    thrown: Thrown,
    next: Thrown,
}

/// Inputs of a shadow. Zoom, panning and colours do not affect them.
#[derive(Debug, Default, PartialEq)]
struct Thrown {
    shape: [[f32; 4]; 5],
    surfaces: Vec<(EntityId, usize)>,
}

impl ShadowMaps {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        // The blur is wide, so a smaller texture suffices on software devices.
        let size = if gpu.is_software() { 128 } else { 384 };
        let view = || {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("shadow"),
                size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: COLOUR,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let group = |layout, first_binding, view: &wgpu::TextureView| {
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("shadow"),
                layout,
                entries: &[
                    bound(first_binding, wgpu::BindingResource::TextureView(view)),
                    bound(first_binding + 1, wgpu::BindingResource::Sampler(&sampler)),
                ],
            })
        };
        let (first, second) = (view(), view());
        let blur_first = group(&layouts.blur, 1, &first);
        let blur_second = group(&layouts.blur, 1, &second);
        let finished = group(&layouts.texture, 0, &first);
        let (thrown, next) = (Thrown::default(), Thrown::default());
        Self { size, first, second, blur_first, blur_second, finished, thrown, next }
    }

    /// Returns whether the shadow must be redrawn for these surfaces. `moved`: whether any of them moved.
    pub fn outdated(
        &mut self,
        shape: [[f32; 4]; 5],
        surfaces: impl Iterator<Item = (EntityId, usize)>,
        moved: bool,
    ) -> bool {
        self.next.shape = shape;
        self.next.surfaces.clear();
        self.next.surfaces.extend(surfaces);
        let outdated = moved || self.next != self.thrown;
        std::mem::swap(&mut self.next, &mut self.thrown);
        outdated
    }
}

pub(super) fn cleared(view: &wgpu::TextureView) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store },
    }
}
