//! Average of several images, kept in half-precision floats.

use super::gpu::Gpu;
use super::target::Target;

/// Format of the sum: enough precision for the stored values of 32 images.
pub(super) const SUM: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Target of single samples, and their sum.
#[derive(Debug)]
pub(super) struct Average {
    pub target: Target,
    pub sum: wgpu::TextureView,
}

impl Average {
    /// Returns the buffers for images of `size`, which replace those for another size.
    pub fn fitting<'a>(average: &'a mut Option<Self>, gpu: &Gpu, (width, height): (u32, u32)) -> &'a mut Self {
        if average.as_ref().is_some_and(|known| known.target.size() != (width, height)) {
            *average = None;
        }
        average.get_or_insert_with(|| {
            let sum = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("sum"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: SUM,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            Self { target: Target::new(gpu, width, height, 1), sum: sum.create_view(&Default::default()) }
        })
    }
}
