//! Pictures become textures with mipmaps.
//!
//! Mipmaps average the stored values, without a detour through linear light, as the games do.

use crate::material::{Picture, PictureWrap};

use super::gpu::{COLOUR, Gpu};

/// One level of detail of a picture: width, height and four bytes a texel.
pub type MipLevel = (u32, u32, Vec<u8>);

/// The levels below `picture`, each half as large as the one before, down to 1 × 1. Sides need not be powers of two:
/// every texel is the average of the area it covers.
#[must_use]
pub fn mip_levels(width: u32, height: u32, rgba: &[u8]) -> Vec<MipLevel> {
    let mut levels: Vec<MipLevel> = Vec::new();
    let (mut width, mut height) = (width, height);
    while width > 1 || height > 1 {
        let smaller = ((width / 2).max(1), (height / 2).max(1));
        let above = levels.last().map_or(rgba, |(_, _, texels)| texels);
        let texels = shrink(above, (width, height), smaller);
        (width, height) = smaller;
        levels.push((width, height, texels));
    }
    levels
}

/// Averages areas, first along rows, then along columns.
fn shrink(texels: &[u8], from: (u32, u32), to: (u32, u32)) -> Vec<u8> {
    let texels = texels.as_chunks::<4>().0;
    let (columns, rows) = (covered(from.0, to.0), covered(from.1, to.1));
    let mut sums = vec![[0.0_f32; 4]; from.1 as usize * to.0 as usize];
    for (row, sums) in texels.chunks_exact(from.0 as usize).zip(sums.chunks_exact_mut(to.0 as usize)) {
        for (sum, &(first, weights)) in sums.iter_mut().zip(&columns) {
            for (texel, weight) in row.iter().skip(first).zip(weights) {
                for (sum, &value) in sum.iter_mut().zip(texel) {
                    *sum += f32::from(value) * weight;
                }
            }
        }
    }
    let mut result = Vec::with_capacity(to.0 as usize * to.1 as usize * 4);
    for &(first, weights) in &rows {
        for column in 0..to.0 as usize {
            let mut total = [0.5_f32; 4];
            for (row, weight) in sums.chunks_exact(to.0 as usize).skip(first).zip(weights) {
                for (total, sum) in total.iter_mut().zip(row.get(column).unwrap_or(&[0.0; 4])) {
                    *total += sum * weight;
                }
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an average of bytes")]
            result.extend(total.map(|value| value as u8));
        }
    }
    result
}

/// For each of `to` texels the first of `from` texels under it, and the shares of that and the next two.
fn covered(from: u32, to: u32) -> Vec<(usize, [f32; 3])> {
    #[expect(clippy::cast_precision_loss, reason = "sides are far below 2^24")]
    let scale = from as f32 / to as f32;
    (0..to)
        .map(|texel| {
            let first = u64::from(texel) * u64::from(from) / u64::from(to);
            #[expect(clippy::cast_precision_loss, reason = "sides are far below 2^24")]
            let (low, high, base) = (texel as f32 * scale, (texel + 1) as f32 * scale, first as f32);
            let share = |k: f32| ((high.min(base + k + 1.0) - low.max(base + k)) / scale).max(0.0);
            (usize::try_from(first).unwrap_or(0), [share(0.0), share(1.0), share(2.0)])
        })
        .collect()
}

/// Uploads a picture with all its levels. One too large for the device is halved until it fits.
pub(super) fn upload(gpu: &Gpu, picture: &Picture) -> wgpu::TextureView {
    upload_rgba(gpu, picture.width, picture.height, &picture.rgba)
}

/// Uploads `width` × `height` texels with all their levels.
pub(super) fn upload_rgba(gpu: &Gpu, width: u32, height: u32, rgba: &[u8]) -> wgpu::TextureView {
    let below = mip_levels(width, height, rgba);
    let longest = gpu.longest_side();
    let levels: Vec<(u32, u32, &[u8])> = std::iter::once((width, height, rgba))
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
