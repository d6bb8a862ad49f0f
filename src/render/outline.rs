//! The outline of what is selected: a mask of the picture's size, whose edge becomes the line.

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::part::bound;

/// Format of the mask.
pub(super) const MASK: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// Where what is selected appears in the picture.
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

    /// The mask in `slot`, made anew if it is not of that size.
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

    /// Colour attachment, cleared.
    pub fn colour(&self) -> wgpu::RenderPassColorAttachment<'_> {
        let (view, resolve_target, store) = match &self.multisampled {
            Some(view) => (view, Some(&self.resolved), wgpu::StoreOp::Discard),
            None => (&self.resolved, None, wgpu::StoreOp::Store),
        };
        let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store };
        wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops }
    }
}
