//! Default textures and samplers of surfaces.

use std::sync::Arc;

use super::frame::SurfaceUniform;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::resources::{bind_group, filled};
use super::texture;
use maquette_assets::material::{Image, SurfaceMaterial, TextureWrap};

/// Colour of surfaces without a texture.
const PLAIN: [u8; 4] = [180, 180, 185, 255];

#[derive(Debug)]
pub(super) struct DefaultTextures {
    samplers: [[wgpu::Sampler; 2]; 2],
    textured: wgpu::Buffer,
    pub placeholder: wgpu::BindGroup,
    pub default_texture: wgpu::TextureView,
    pub flat: wgpu::TextureView,
    pub black: wgpu::TextureView,
    pub pending: SurfaceMaterial,
    pub undrawn: wgpu::TextureView,
}

impl DefaultTextures {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let material = |has_image| {
            let contents = SurfaceUniform::new(has_image);
            filled(gpu, "surface", bytemuck::bytes_of(&contents), wgpu::BufferUsages::UNIFORM)
        };
        let samplers = [TextureWrap::Repeat, TextureWrap::Clamp]
            .map(|wrap| [false, true].map(|mipmaps| texture::sampler(gpu, texture::address(wrap), mipmaps)));
        let dot = |colour: [u8; 4]| texture::upload_rgba(gpu, 1, 1, &colour);
        let [[_, repeat], _] = &samplers;
        let placeholder = group(gpu, layouts, &dot([255; 4]), repeat, &material(false));
        let size = texture::DEFAULT_SIZE;
        let default_texture = texture::upload_rgba(gpu, size, size, &texture::default_texels());
        let (flat, black) = (dot([128, 128, 255, 255]), dot([0, 0, 0, 255]));
        let undrawn = dot(PLAIN);
        let plain = Arc::new(Image::of_colour(PLAIN));
        let pending = SurfaceMaterial::of_image("", "", plain, TextureWrap::Repeat);
        Self { samplers, textured: material(true), placeholder, default_texture, flat, black, pending, undrawn }
    }

    pub fn sampler(&self, wrap: TextureWrap, mipmaps: bool) -> &wgpu::Sampler {
        let [repeat, clamp] = &self.samplers;
        let [flat, levels] = if wrap == TextureWrap::Repeat { repeat } else { clamp };
        if mipmaps { levels } else { flat }
    }

    pub fn bind_group(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        view: Option<&wgpu::TextureView>,
        wrap: TextureWrap,
    ) -> wgpu::BindGroup {
        let sampler = self.sampler(wrap, true);
        view.map_or_else(|| self.placeholder.clone(), |view| group(gpu, layouts, view, sampler, &self.textured))
    }
}

fn group(
    gpu: &Gpu,
    layouts: &Layouts,
    view: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
    material: &wgpu::Buffer,
) -> wgpu::BindGroup {
    let texture = wgpu::BindingResource::TextureView(view);
    let sampler = wgpu::BindingResource::Sampler(sampler);
    bind_group(gpu, "surface", &layouts.surface, &[texture, sampler, material.as_entire_binding()])
}
