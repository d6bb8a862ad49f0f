//! Bind group layouts by rate of change: group 0 per frame, 1 per part or texture pass, 2 per surface,
//! 3 per light of the in-game look.

use super::gpu::Gpu;

#[derive(Debug)]
pub(super) struct Layouts {
    pub frame: wgpu::BindGroupLayout,
    pub part: wgpu::BindGroupLayout,
    pub wire: Option<wgpu::BindGroupLayout>,
    pub texture: wgpu::BindGroupLayout,
    pub surface: wgpu::BindGroupLayout,
    pub stage: wgpu::BindGroupLayout,
    pub light: wgpu::BindGroupLayout,
}

impl Layouts {
    pub fn new(gpu: &Gpu) -> Self {
        let both = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let vertex = wgpu::ShaderStages::VERTEX;
        let fragment = wgpu::ShaderStages::FRAGMENT;
        // The bindings of a group are numbered from 0.
        let layout = |label, bindings: &[(wgpu::ShaderStages, wgpu::BindingType)]| {
            let entry = |(binding, (visibility, ty)): (u32, &(wgpu::ShaderStages, wgpu::BindingType))| {
                wgpu::BindGroupLayoutEntry { binding, visibility: *visibility, ty: *ty, count: None }
            };
            let entries: Vec<_> = (0..).zip(bindings).map(entry).collect();
            gpu.device
                .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
        };
        let buffer =
            |ty, has_dynamic_offset| wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None };
        let uniform = buffer(wgpu::BufferBindingType::Uniform, false);
        let storage = (vertex, buffer(wgpu::BufferBindingType::Storage { read_only: true }, false));
        let image = |sample_type, view_dimension| {
            (fragment, wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false })
        };
        let texture = image(wgpu::TextureSampleType::Float { filterable: true }, wgpu::TextureViewDimension::D2);
        let depth_maps = image(wgpu::TextureSampleType::Depth, wgpu::TextureViewDimension::D2Array);
        let sampler = (fragment, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering));
        let comparison = (fragment, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison));
        let stage = (both, buffer(wgpu::BufferBindingType::Uniform, true));
        Self {
            frame: layout("frame", &[(both, uniform), depth_maps, comparison]),
            part: layout("part", &[(vertex, uniform)]),
            wire: gpu.has_vertex_storage().then(|| layout("wire", &[storage, storage])),
            texture: layout("texture", &[texture, sampler]),
            surface: layout("surface", &[texture, sampler, (fragment, uniform)]),
            stage: layout("stage", &[texture, sampler, stage, texture, texture]),
            light: layout("light", &[(both, uniform), texture, texture, sampler]),
        }
    }
}
