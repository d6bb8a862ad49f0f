//! Pipelines, created on first use and cached.

use std::collections::HashMap;

use super::gpu::{COLOUR, DEPTH, Gpu};
use maquette_core::limits::MAX_CACHED;

/// Path of a shader below `shaders/`, and its source after the common source.
macro_rules! shader {
    ($file:literal) => {
        (
            $file,
            concat!(
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/common.wgsl")),
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $file))
            ),
        )
    };
}
pub(super) use shader;

/// Description of a pipeline. Equal descriptions share a pipeline.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PipelineDescription {
    /// Pipeline constants. They differ most often, so they are compared first.
    pub constants: Vec<(&'static str, f64)>,
    /// Entry points of the vertex and the fragment shader.
    pub entries: [&'static str; 2],
    /// Layouts of the bind groups from group 1 on. Group 0 is the frame.
    pub groups: Vec<Option<wgpu::BindGroupLayout>>,
    pub buffers: Vec<Option<wgpu::VertexBufferLayout<'static>>>,
    pub topology: wgpu::PrimitiveTopology,
    pub front_face: wgpu::FrontFace,
    pub cull: Option<wgpu::Face>,
    pub blend: Option<wgpu::BlendState>,
    pub writes: wgpu::ColorWrites,
    /// Format of the colour attachment, if there is one.
    pub format: Option<wgpu::TextureFormat>,
    pub depth: Option<wgpu::DepthStencilState>,
    /// Samples per pixel.
    pub samples: u32,
    pub covers_by_alpha: bool,
}

impl PipelineDescription {
    /// Returns the description of a pipeline for triangles that cover everything drawn before.
    pub fn new(entries: [&'static str; 2], groups: &[Option<&wgpu::BindGroupLayout>], samples: u32) -> Self {
        Self {
            entries,
            groups: groups.iter().map(|group| group.cloned()).collect(),
            buffers: Vec::new(),
            constants: Vec::new(),
            topology: wgpu::PrimitiveTopology::TriangleList,
            // Files wind front faces clockwise.
            front_face: wgpu::FrontFace::Cw,
            cull: None,
            blend: None,
            writes: wgpu::ColorWrites::ALL,
            format: Some(COLOUR),
            depth: Some(depth(wgpu::CompareFunction::Always, false)),
            samples,
            covers_by_alpha: false,
        }
    }

    fn build(&self, gpu: &Gpu, frame: &wgpu::BindGroupLayout, module: &wgpu::ShaderModule) -> wgpu::RenderPipeline {
        let [vertex, fragment] = self.entries;
        let target = self
            .format
            .map(|format| Some(wgpu::ColorTargetState { format, blend: self.blend, write_mask: self.writes }));
        let groups: Vec<_> = std::iter::once(Some(frame)).chain(self.groups.iter().map(Option::as_ref)).collect();
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(vertex),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let options = wgpu::PipelineCompilationOptions { constants: &self.constants, ..Default::default() };
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(fragment),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: options.clone(),
                buffers: &self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: self.topology,
                front_face: self.front_face,
                cull_mode: self.cull,
                ..Default::default()
            },
            depth_stencil: self.depth.clone(),
            multisample: wgpu::MultisampleState {
                count: self.samples,
                alpha_to_coverage_enabled: self.covers_by_alpha,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(fragment),
                compilation_options: options,
                targets: target.as_slice(),
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

#[derive(Debug)]
pub(super) struct Pipelines {
    frame: wgpu::BindGroupLayout,
    modules: HashMap<&'static str, wgpu::ShaderModule>,
    cached: Vec<CachedPipeline>,
    requests: u64,
}

#[derive(Debug)]
struct CachedPipeline {
    description: PipelineDescription,
    pipeline: wgpu::RenderPipeline,
    last_request: u64,
}

impl Pipelines {
    pub fn new(frame: &wgpu::BindGroupLayout) -> Self {
        Self { frame: frame.clone(), modules: HashMap::new(), cached: Vec::new(), requests: 0 }
    }

    pub fn get(
        &mut self,
        gpu: &Gpu,
        (file, source): (&'static str, &'static str),
        description: PipelineDescription,
    ) -> wgpu::RenderPipeline {
        self.requests += 1;
        if let Some(cached) = self.cached.iter_mut().find(|cached| cached.description == description) {
            cached.last_request = self.requests;
            return cached.pipeline.clone();
        }
        let oldest = self.cached.iter().enumerate().min_by_key(|(_, cached)| cached.last_request);
        if let Some((oldest, _)) = oldest.filter(|_| self.cached.len() >= MAX_CACHED) {
            // Display options change, and a hostile script can request any number of pipelines. A software driver keeps
            // a few hundred kilobytes of code for each.
            self.cached.swap_remove(oldest);
        }
        let module = self.modules.entry(file).or_insert_with(|| {
            gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(file),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        });
        let pipeline = description.build(gpu, &self.frame, module);
        self.cached.push(CachedPipeline { description, pipeline: pipeline.clone(), last_request: self.requests });
        pipeline
    }
}

pub(super) fn depth(compare: wgpu::CompareFunction, write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}
