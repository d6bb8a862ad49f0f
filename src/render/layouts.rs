//! Bind group layouts by rate of change: group 0 per frame, 1 per part or texture pass, 2 per surface.

use super::gpu::Gpu;

#[derive(Debug)]
pub(super) struct Layouts {
    pub frame: wgpu::BindGroupLayout,
    pub part: wgpu::BindGroupLayout,
    pub wire: Option<wgpu::BindGroupLayout>,
    pub texture: wgpu::BindGroupLayout,
    pub surface: wgpu::BindGroupLayout,
    pub stage: wgpu::BindGroupLayout,
}

impl Layouts {
    pub fn new(gpu: &Gpu) -> Self {
        let both = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let vertex = wgpu::ShaderStages::VERTEX;
        let fragment = wgpu::ShaderStages::FRAGMENT;
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        Self {
            frame: layout("frame", &[uniform(0, both), depth_maps(1), comparison(2)]),
            part: layout("part", &[uniform(0, vertex)]),
            wire: gpu.has_vertex_storage().then(|| layout("wire", &[storage(0), storage(1)])),
            texture: layout("texture", &[texture(0), sampler(1)]),
            surface: layout("surface", &[texture(0), sampler(1), uniform(2, fragment)]),
            stage: layout("stage", &[texture(0), sampler(1), numbered(2, both), texture(3), texture(4)]),
        }
    }
}

fn entry(binding: u32, visibility: wgpu::ShaderStages, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn uniform(binding: u32, visibility: wgpu::ShaderStages) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BufferBindingType::Uniform;
    entry(binding, visibility, wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None })
}

/// Returns the layout entry of a uniform buffer with a dynamic offset.
fn numbered(binding: u32, visibility: wgpu::ShaderStages) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BufferBindingType::Uniform;
    entry(binding, visibility, wgpu::BindingType::Buffer { ty, has_dynamic_offset: true, min_binding_size: None })
}

fn storage(binding: u32) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BufferBindingType::Storage { read_only: true };
    let ty = wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
    entry(binding, wgpu::ShaderStages::VERTEX, ty)
}

fn texture(binding: u32) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    entry(binding, wgpu::ShaderStages::FRAGMENT, ty)
}

fn depth_maps(binding: u32) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Depth,
        view_dimension: wgpu::TextureViewDimension::D2Array,
        multisampled: false,
    };
    entry(binding, wgpu::ShaderStages::FRAGMENT, ty)
}

fn comparison(binding: u32) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
    entry(binding, wgpu::ShaderStages::FRAGMENT, ty)
}

fn sampler(binding: u32) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    entry(binding, wgpu::ShaderStages::FRAGMENT, ty)
}
