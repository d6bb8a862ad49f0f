//! Shader modules, each made when a pipeline first needs it.

use std::collections::HashMap;

use super::gpu::Gpu;

/// A file below `shaders/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shader {
    Background,
    Ghost,
    Grid,
    Inside,
    Lines,
    Material,
    Model,
    Outline,
    Shade,
    Shadow,
}

/// Source of a shader: what all share, then its own.
macro_rules! source {
    ($file:literal) => {
        concat!(include_str!("../../shaders/common.wgsl"), include_str!(concat!("../../shaders/", $file)))
    };
}

impl Shader {
    fn source(self) -> &'static str {
        match self {
            Self::Background => source!("background.wgsl"),
            Self::Ghost => source!("ghost.wgsl"),
            Self::Grid => source!("grid.wgsl"),
            Self::Inside => source!("inside.wgsl"),
            Self::Lines => source!("lines.wgsl"),
            Self::Material => source!("material.wgsl"),
            Self::Model => source!("model.wgsl"),
            Self::Outline => source!("outline.wgsl"),
            Self::Shade => source!("shade.wgsl"),
            Self::Shadow => source!("shadow.wgsl"),
        }
    }
}

/// The modules that were needed so far.
#[derive(Debug, Default)]
pub(super) struct Shaders {
    made: HashMap<Shader, wgpu::ShaderModule>,
}

impl Shaders {
    pub fn get(&mut self, gpu: &Gpu, shader: Shader) -> &wgpu::ShaderModule {
        self.made.entry(shader).or_insert_with(|| {
            gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(&format!("{shader:?}")),
                source: wgpu::ShaderSource::Wgsl(shader.source().into()),
            })
        })
    }
}
