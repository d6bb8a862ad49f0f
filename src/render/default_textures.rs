//! What all surfaces may wear: samplers, the placeholder, the game's default picture.

use std::sync::Arc;

use super::buffers::{bound, filled};
use super::frame::SurfaceUniform;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::texture;
use maquette_assets::material::{Image, SurfaceMaterial, TextureWrap};

/// Of surfaces that have no picture to show, and lack none.
const PLAIN: [u8; 4] = [180, 180, 185, 255];

/// What all surfaces may wear.
#[derive(Debug)]
pub(super) struct DefaultTextures {
    /// Repeating or clamped, with and without smaller forms.
    samplers: [[wgpu::Sampler; 2]; 2],
    textured: wgpu::Buffer,
    /// What a surface without a picture wears.
    pub placeholder: wgpu::BindGroup,
    /// What the game shows in place of a picture that is not there.
    pub default_texture: wgpu::TextureView,
    /// The normal map of what is flat.
    pub flat: wgpu::TextureView,
    /// The specular map of what does not shine.
    pub black: wgpu::TextureView,
    /// What a surface wears while its pictures are still to come.
    pub pending: SurfaceMaterial,
    /// What a surface wears of which the game draws nothing.
    pub undrawn: wgpu::TextureView,
}

impl DefaultTextures {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let material = |has_picture| {
            let contents = SurfaceUniform::new(has_picture);
            filled(gpu, "surface", bytemuck::bytes_of(&contents), wgpu::BufferUsages::UNIFORM)
        };
        let samplers = [TextureWrap::Repeat, TextureWrap::Clamp]
            .map(|wrap| [false, true].map(|mipmaps| texture::sampler(gpu, texture::address(wrap), mipmaps)));
        let dot = |colour: [u8; 4]| texture::upload_rgba(gpu, 1, 1, &colour);
        let [[_, repeat], _] = &samplers;
        let placeholder = group(gpu, layouts, &dot([255; 4]), repeat, &material(false));
        let size = texture::DEFAULT_SIZE;
        let default_picture = texture::upload_rgba(gpu, size, size, &texture::default_texels());
        let (flat, black) = (dot([128, 128, 255, 255]), dot([0, 0, 0, 255]));
        let undrawn = dot(PLAIN);
        let plain = Arc::new(Image::of_colour(PLAIN));
        let pending = SurfaceMaterial::of_image("", "", plain, TextureWrap::Repeat);
        Self {
            samplers,
            textured: material(true),
            placeholder,
            default_texture: default_picture,
            flat,
            black,
            pending,
            undrawn,
        }
    }

    /// The sampler for a picture.
    pub fn sampler(&self, wrap: TextureWrap, mipmaps: bool) -> &wgpu::Sampler {
        let [repeat, clamp] = &self.samplers;
        let [flat, levels] = if wrap == TextureWrap::Repeat { repeat } else { clamp };
        if mipmaps { levels } else { flat }
    }

    /// The bind group of a surface that wears `view`, or the placeholder.
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
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("surface"),
        layout: &layouts.surface,
        entries: &[
            bound(0, wgpu::BindingResource::TextureView(view)),
            bound(1, wgpu::BindingResource::Sampler(sampler)),
            bound(2, material.as_entire_binding()),
        ],
    })
}
