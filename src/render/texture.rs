//! Textures with mip levels, uploaded from images.

use std::sync::Arc;

use maquette_assets::material::{Image, MipLevel, TextureWrap};
use maquette_core::model::u32_or_max;

use super::gpu::{COLOUR, Gpu};

pub(super) fn upload_rgba(gpu: &Gpu, width: u32, height: u32, rgba: &[u8]) -> wgpu::TextureView {
    self::upload(gpu, Arc::new(Image::new(width, height, rgba.to_vec())))
}

pub(super) fn upload(gpu: &Gpu, image: Arc<Image>) -> wgpu::TextureView {
    let mut upload = TextureUpload::new(gpu, image);
    upload.continue_upload(gpu, &mut UploadBudget::whole());
    upload.view()
}

/// Remaining bytes that may be uploaded for the next frame, so that uploads do not delay other work.
#[derive(Debug)]
pub struct UploadBudget(usize);

impl UploadBudget {
    /// Creates a budget of `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self(bytes)
    }

    /// Creates an unlimited budget.
    #[must_use]
    pub fn whole() -> Self {
        Self(usize::MAX)
    }

    pub(super) fn is_whole(&self) -> bool {
        self.0 == usize::MAX
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.0 == 0
    }

    /// Returns the number of items of this size that fit; at least one while any budget remains.
    pub(super) fn count(&self, bytes: usize) -> usize {
        if self.0 == 0 { 0 } else { (self.0 / bytes.max(1)).max(1) }
    }

    pub(super) fn take(&mut self, bytes: usize) {
        if !self.is_whole() {
            self.0 = self.0.saturating_sub(bytes);
        }
    }
}

/// Upload of an image with all mip levels, row by row. An image beyond the device's limit is uploaded from a smaller
/// level.
#[derive(Debug)]
pub(super) struct TextureUpload {
    image: Arc<Image>,
    levels: Arc<Vec<MipLevel>>,
    texture: wgpu::Texture,
    first: usize,
    level: usize,
    row: u32,
}

impl TextureUpload {
    pub fn new(gpu: &Gpu, image: Arc<Image>) -> Self {
        let longest = gpu.texture_side();
        let fits = |level: &usize| {
            let (width, height) = image.level_size(*level);
            width.max(height) <= longest
        };
        let first = (0..=image.level_count()).find(fits).unwrap_or(0);
        let (width, height) = image.level_size(first);
        let count = image.level_count() - first + 1;
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("surface image"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: u32::try_from(count).unwrap_or(1).max(1),
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: COLOUR,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        Self { levels: image.mip_levels(), image, texture, first, level: first, row: 0 }
    }

    pub fn view(&self) -> wgpu::TextureView {
        self.texture.create_view(&Default::default())
    }

    /// Writes as many rows as the budget permits, but at least one. Returns whether all are written.
    pub fn continue_upload(&mut self, gpu: &Gpu, budget: &mut UploadBudget) -> bool {
        while self.level <= self.image.level_count() {
            if budget.is_used_up() {
                return false;
            }
            let (width, height) = self.image.level_size(self.level);
            let texels = match self.level.checked_sub(1) {
                None => self.image.rgba.as_slice(),
                Some(below) => self.levels.get(below).map_or(&[][..], |(_, _, texels)| texels.as_slice()),
            };
            let row_bytes = width as usize * 4;
            let left = height.saturating_sub(self.row);
            let rows = u32_or_max(budget.0 / row_bytes.max(1)).clamp(1, left.max(1)).min(left);
            let start = self.row as usize * row_bytes;
            if let Some(texels) = texels.get(start..start + rows as usize * row_bytes).filter(|_| rows > 0) {
                gpu.queue.write_texture(
                    wgpu::TexelCopyTextureInfo {
                        mip_level: u32::try_from(self.level - self.first).unwrap_or(0),
                        origin: wgpu::Origin3d { x: 0, y: self.row, z: 0 },
                        ..self.texture.as_image_copy()
                    },
                    texels,
                    wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: None },
                    wgpu::Extent3d { width, height: rows, depth_or_array_layers: 1 },
                );
            }
            budget.take(rows as usize * row_bytes);
            self.row += rows;
            if self.row >= height {
                (self.level, self.row) = (self.level + 1, 0);
            }
        }
        self.image.forget_levels();
        true
    }
}

pub(super) fn sampler(gpu: &Gpu, mode: wgpu::AddressMode, mipmaps: bool) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("surface image"),
        address_mode_u: mode,
        address_mode_v: mode,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        lod_max_clamp: if mipmaps { 32.0 } else { 0.0 },
        // On software devices, anisotropic filtering costs more than everything else together.
        anisotropy_clamp: if gpu.is_software() { 1 } else { 16 },
        ..Default::default()
    })
}

/// Returns the texels of the game's default texture: dark grey with a white frame (ioquake3 `tr_image.c`,
/// `R_CreateDefaultImage`).
pub(super) fn default_texels() -> Vec<u8> {
    let is_frame = |at: u32| at == 0 || at == DEFAULT_SIZE - 1;
    let texel = |x: u32, y: u32| if is_frame(x) || is_frame(y) { [255; 4] } else { [32, 32, 32, 255] };
    (0..DEFAULT_SIZE).flat_map(|y| (0..DEFAULT_SIZE).flat_map(move |x| texel(x, y))).collect()
}

pub(super) const DEFAULT_SIZE: u32 = 16;

pub(super) fn address(wrap: TextureWrap) -> wgpu::AddressMode {
    match wrap {
        TextureWrap::Repeat => wgpu::AddressMode::Repeat,
        TextureWrap::Clamp | TextureWrap::Black | TextureWrap::Transparent => wgpu::AddressMode::ClampToEdge,
    }
}
