//! Lights of the in-game look on the GPU.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use maquette_assets::material::Image;
use maquette_scene::scene::{GameLight, LightShape};

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::resources::{bind_group, filled};
use super::texture;

/// Twin of `GameLight` in shaders/material.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GameLightUniform {
    ambient: [f32; 4],
    origin: [f32; 4],
    colour: [f32; 4],
    planes: [[f32; 4]; 4],
}

/// A light that an interaction is drawn for. The first one has the sum of all ambient lights.
#[derive(Debug)]
pub(super) struct GpuLight {
    pub group: wgpu::BindGroup,
    pub has_images: bool,
}

/// Lights on the GPU, and those that they were made of.
#[derive(Debug, Default)]
pub(super) struct GameLights {
    known: Option<Arc<[GameLight]>>,
    /// Images of the lights on the GPU, which remain while a light moves.
    images: Vec<(Arc<Image>, wgpu::TextureView)>,
    pub lights: Vec<GpuLight>,
}

/// `r_lightScale` of Doom 3.
const SCALE: f32 = 2.0;
/// Side of the images of a point light without a material.
const SIDE: u32 = 64;

impl GameLights {
    /// Uploads `lights` if they changed.
    pub fn update(&mut self, gpu: &Gpu, layouts: &Layouts, lights: &Arc<[GameLight]>) {
        if self.known.as_ref().is_some_and(|known| Arc::ptr_eq(known, lights)) {
            return;
        }
        self.known = Some(Arc::clone(lights));
        let is_ambient = |light: &&GameLight| matches!(light.shape, LightShape::Ambient | LightShape::Even);
        let bends = lights.iter().any(|light| light.shape == LightShape::Ambient);
        let mut ambient: Vec3 = lights.iter().filter(is_ambient).map(|light| light.colour).sum();
        let dark = GameLight { colour: Vec3::ZERO, ..GameLight::usual()[0].clone() };
        let mut others: Vec<&GameLight> = lights.iter().filter(|light| !is_ambient(light)).collect();
        if others.is_empty() {
            // Surfaces without light are black, not invisible.
            others.push(&dark);
        }
        let before = std::mem::take(&mut self.images);
        let mut upload_image = |image: Arc<Image>| {
            let known = before.iter().chain(&self.images).find(|(known, _)| *known == image);
            let view = known.map(|(_, view)| view.clone());
            let view = view.unwrap_or_else(|| texture::upload(gpu, Arc::clone(&image)));
            self.images.push((image, view.clone()));
            view
        };
        let upload = |light: &GameLight| {
            let uniform = GameLightUniform {
                ambient: (std::mem::take(&mut ambient) * SCALE).extend(f32::from(u8::from(bends))).into(),
                origin: light.origin().into(),
                colour: (light.colour * SCALE).extend(0.0).into(),
                planes: light.planes().map(Into::into),
            };
            let [projection, falloff] = images(light).map(&mut upload_image);
            let sampler = texture::sampler(gpu, wgpu::AddressMode::ClampToEdge, true);
            let uniform = filled(gpu, "light", bytemuck::bytes_of(&uniform), wgpu::BufferUsages::UNIFORM);
            let resources = [
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(&projection),
                wgpu::BindingResource::TextureView(&falloff),
                wgpu::BindingResource::Sampler(&sampler),
            ];
            let has_images = matches!(light.shape, LightShape::Point { .. } | LightShape::Projected { .. });
            GpuLight { group: bind_group(gpu, "light", &layouts.light, &resources), has_images }
        };
        self.lights = others.into_iter().map(upload).collect();
    }
}

/// Returns the images of a light, across and along it.
fn images(light: &GameLight) -> [Arc<Image>; 2] {
    let is_point = matches!(light.shape, LightShape::Point { .. });
    let own = [&light.projection, &light.falloff];
    let heights = if is_point { [SIDE, 1] } else { [0, 0] };
    std::array::from_fn(|number| match own[number] {
        Some(image) => Arc::clone(image),
        None if heights[number] == 0 => Arc::new(Image::of_colour([255; 4])),
        None => Arc::new(faded(heights[number])),
    })
}

/// Returns an image that fades by the square of the distance from its middle, up to its edges.
fn faded(height: u32) -> Image {
    let distance = |at: u32, size: u32| (at as f32 + 0.5) / size as f32 * 2.0 - 1.0;
    let texel = |x: u32, y: u32| {
        let (x, y) = (distance(x, SIDE), if height == 1 { 0.0 } else { distance(y, height) });
        let grey = ((1.0 - x * x - y * y).max(0.0) * 255.0).round() as u8;
        [grey, grey, grey, 255]
    };
    let rows = 0..height;
    Image::new(SIDE, height, rows.flat_map(|y| (0..SIDE).flat_map(move |x| texel(x, y))).collect())
}
