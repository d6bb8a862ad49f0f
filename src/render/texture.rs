//! Pictures become textures with mipmaps.

use crate::material::{MipLevel, Picture, PictureWrap, mip_levels};

use super::gpu::{COLOUR, Gpu};

/// Uploads a picture with all its levels. One too large for the device is halved until it fits.
pub(super) fn upload(gpu: &Gpu, picture: &Picture) -> wgpu::TextureView {
    upload_levels(gpu, (picture.width, picture.height, &picture.rgba), picture.mip_levels())
}

/// Uploads `width` × `height` texels with all their levels.
pub(super) fn upload_rgba(gpu: &Gpu, width: u32, height: u32, rgba: &[u8]) -> wgpu::TextureView {
    upload_levels(gpu, (width, height, rgba), &mip_levels(width, height, rgba))
}

fn upload_levels(gpu: &Gpu, whole: (u32, u32, &[u8]), below: &[MipLevel]) -> wgpu::TextureView {
    let longest = gpu.longest_side();
    let levels: Vec<(u32, u32, &[u8])> = std::iter::once(whole)
        .chain(below.iter().map(|(width, height, texels)| (*width, *height, texels.as_slice())))
        .filter(|&(width, height, texels)| {
            width.max(height) <= longest && texels.len() == width as usize * height as usize * 4
        })
        .collect();
    let (width, height, _) = levels.first().copied().unwrap_or((1, 1, &[]));
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("surface picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: u32::try_from(levels.len()).unwrap_or(1).max(1),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: COLOUR,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (level, &(width, height, texels)) in (0..).zip(&levels) {
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level: level, ..texture.as_image_copy() },
            texels,
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: None },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
    }
    texture.create_view(&Default::default())
}

/// A sampler that smooths between texels and, with `mipmaps`, levels, repeating or holding the edge.
pub(super) fn sampler(gpu: &Gpu, mode: wgpu::AddressMode, mipmaps: bool) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("surface picture"),
        address_mode_u: mode,
        address_mode_v: mode,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        lod_max_clamp: if mipmaps { 32.0 } else { 0.0 },
        // On software devices it costs more than all else together.
        anisotropy_clamp: if gpu.is_software() { 1 } else { 16 },
        ..Default::default()
    })
}

/// What the game shows of what it does not find: 16 texels a side, dark grey with a white frame (formats of the engine in
/// words: ioquake3 `tr_image.c`, `R_CreateDefaultImage`).
pub(super) fn default_picture() -> Vec<u8> {
    let is_frame = |at: u32| at == 0 || at == DEFAULT_SIZE - 1;
    let texel = |x: u32, y: u32| if is_frame(x) || is_frame(y) { [255; 4] } else { [32, 32, 32, 255] };
    (0..DEFAULT_SIZE).flat_map(|y| (0..DEFAULT_SIZE).flat_map(move |x| texel(x, y))).collect()
}

/// Texels per side of [`default_picture`].
pub(super) const DEFAULT_SIZE: u32 = 16;

/// Sampler of a picture, by what lies beyond its edges and whether smaller forms are used.
pub(super) fn address(wrap: PictureWrap) -> wgpu::AddressMode {
    match wrap {
        PictureWrap::Repeat => wgpu::AddressMode::Repeat,
        PictureWrap::Clamp => wgpu::AddressMode::ClampToEdge,
    }
}
