//! Pipelines, created on first use and cached.

use std::collections::HashMap;

use super::average::SUM;
use super::blend_states::{KEEP_DST, MAX, OVER, SUM_UP, blended, glow};
use super::gpu::{COLOUR, DEPTH, Gpu};
use super::layouts::Layouts;
use super::lines::LineInstance;
use super::outline::MASK;
use super::pipeline_key::StagePipelineKey;
use super::self_shadow::ShadowDetail;
use maquette_assets::material::DrawnFaces;
use maquette_scene::scene::{Layer, TextureFilter};

/// Treatment of alpha while drawing surfaces. Twin of `alpha_pass` in shaders/model.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum AlphaPass {
    /// Alpha is ignored.
    Opaque = 0,
    /// Texels below one half are discarded.
    Holes = 1,
    /// Only the opaque texels of a blended surface. They write the depth.
    Solid = 2,
    /// Only the transparent texels of a blended surface. They are blended.
    Sheer = 3,
}

/// Depth test of lines relative to surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DepthSide {
    Front,
    /// Only the parts of lines behind surfaces, drawn faintly.
    Behind,
    Any,
}

impl DepthSide {
    fn compare(self) -> wgpu::CompareFunction {
        match self {
            Self::Front => wgpu::CompareFunction::LessEqual,
            Self::Behind => wgpu::CompareFunction::Greater,
            Self::Any => wgpu::CompareFunction::Always,
        }
    }
}

/// Opacity factor of hidden lines, and of hidden lines that must remain readable.
const FAINT: f64 = 0.38;
const DIMMED: f64 = 0.8;
/// Opacity factor of the casing of lines that must be readable on any texture.
const STRONG_CASING: f64 = 1.6;

/// Returns the opacity of a line or its casing.
fn line_strength(layer: Layer, casing: bool, side: DepthSide) -> f64 {
    match (layer, side) {
        (Layer::Dimmed | Layer::OnTop, _) if casing => STRONG_CASING,
        (Layer::Dimmed, DepthSide::Behind) => DIMMED,
        (_, DepthSide::Behind) => FAINT,
        _ => 1.0,
    }
}

/// Kind of drawing, which selects the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Background gradient.
    Background,
    /// Shadow on the floor.
    Shade,
    /// Grid on the floor.
    Grid,
    /// Surfaces.
    Model { alpha: AlphaPass, two_sided: bool, steps_back: bool },
    /// Back faces in one colour.
    Inside,
    /// Surfaces with one stage of their material.
    Stage(StagePipelineKey),
    /// Ghosts: either the depth only, or the colour where the depth is equal.
    Ghost { depth_alone: bool },
    /// Reset of the depth to the far plane.
    Far,
    /// Surfaces projected along the key light.
    ShadowCast,
    /// Surfaces projected from above.
    ShadowAbove,
    /// Edges. If `alone`, surfaces do not hide them.
    Wire { alone: bool },
    /// Vertex dots or their casing. If `alone`, surfaces do not hide them.
    Vertices { casing: bool, alone: bool },
    /// Lines or their casing.
    Lines { layer: Layer, casing: bool, side: DepthSide },
    /// Selection mask.
    Mask,
    /// Selection outline.
    Outline,
    /// Blur in one direction.
    Blur { vertical: bool },
    /// Depth of a self-shadow map, with holes or without.
    SelfShadow { map: usize, holes: bool },
    /// Addition of an image to a sum.
    Add,
    /// Average of the images in a sum.
    ShowAverage,
}

/// Maximum number of cached pipelines, several times as many as a scene needs. A software driver keeps a few hundred
/// kilobytes of code for each.
const MAX_CACHED_PIPELINES: usize = 128;

#[derive(Debug, Default)]
pub(super) struct Pipelines {
    shaders: Shaders,
    made: HashMap<(Kind, u32, SceneOptions), (wgpu::RenderPipeline, u64)>,
    asked: u64,
    pub options: SceneOptions,
}

/// Options of all pipelines of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct SceneOptions {
    /// Whether the models are mirrored, so that their front faces wind counterclockwise.
    pub is_mirrored: bool,
    /// Magnification of textures.
    pub texture_filter: TextureFilter,
    /// Whether the alpha of cut-outs decides how many samples of a pixel they cover, instead of all or none.
    pub covers_by_alpha: bool,
    /// Use of the depth maps.
    pub shadow_detail: ShadowDetail,
}

type Shaders = HashMap<&'static str, wgpu::ShaderModule>;

/// Path of a shader below `shaders/`, and its source after the common source.
macro_rules! shader {
    ($file:literal) => {
        ($file, concat!(include_str!("../../shaders/common.wgsl"), include_str!(concat!("../../shaders/", $file))))
    };
}

struct PipelineParts<'a> {
    shader: (&'static str, &'static str),
    entries: [&'a str; 2],
    groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    constants: &'a [(&'a str, f64)],
    topology: wgpu::PrimitiveTopology,
    cull: Option<wgpu::Face>,
    blend: Option<wgpu::BlendState>,
    /// Format of the colour attachment, if there is one.
    format: Option<wgpu::TextureFormat>,
    depth: Option<wgpu::DepthStencilState>,
    covers_by_alpha: bool,
}

const POSITION: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const NORMAL: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![1 => Float32x3];
const POSITION_NORMAL: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
const UV: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![2 => Float32x2];

impl Pipelines {
    pub fn get(&mut self, gpu: &Gpu, layouts: &Layouts, kind: Kind, samples: u32) -> wgpu::RenderPipeline {
        self.asked += 1;
        let key = (kind, samples, self.options);
        if self.made.len() >= MAX_CACHED_PIPELINES && !self.made.contains_key(&key) {
            // Evict a pipeline, because display options change, and a hostile script can request any number of kinds.
            if let Some(oldest) = self.made.iter().min_by_key(|(_, (_, used))| *used).map(|(key, _)| *key) {
                self.made.remove(&oldest);
            }
        }
        let (shaders, options) = (&mut self.shaders, self.options);
        let made = self.made.entry(key).or_insert_with(|| (make(gpu, layouts, shaders, kind, samples, options), 0));
        made.1 = self.asked;
        made.0.clone()
    }
}

fn make(
    gpu: &Gpu,
    layouts: &Layouts,
    shaders: &mut Shaders,
    kind: Kind,
    samples: u32,
    options: SceneOptions,
) -> wgpu::RenderPipeline {
    let filter = ("texture_filter", f64::from(options.texture_filter as u8));
    let shadow_detail = ("shadow_detail", f64::from(options.shadow_detail as u8));
    let covers_by_alpha = |is_cutout: bool| is_cutout && options.covers_by_alpha;
    let vertex = |array_stride, attributes| wgpu::VertexBufferLayout {
        array_stride,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes,
    };
    let (position, normal, uv) = (vertex(12, &POSITION), vertex(12, &NORMAL), vertex(8, &UV));
    let frame = Some(&layouts.frame);
    let plain = PipelineParts {
        shader: shader!("background.wgsl"),
        entries: ["vs_background", "fs_background"],
        groups: &[frame],
        buffers: &[],
        constants: &[],
        topology: wgpu::PrimitiveTopology::TriangleList,
        cull: None,
        blend: None,
        format: Some(COLOUR),
        depth: Some(depth(wgpu::CompareFunction::Always, false)),
        covers_by_alpha: false,
    };
    let parts = match kind {
        Kind::Background => plain,
        Kind::Shade => PipelineParts {
            shader: shader!("shade.wgsl"),
            entries: ["vs_shade", "fs_shade"],
            groups: &[frame, Some(&layouts.texture)],
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            ..plain
        },
        Kind::Grid => PipelineParts {
            shader: shader!("grid.wgsl"),
            entries: ["vs_grid", "fs_grid"],
            groups: &[frame],
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            ..plain
        },
        Kind::Model { alpha, two_sided, steps_back } => PipelineParts {
            shader: shader!("model.wgsl"),
            entries: ["vs_model", "fs_model"],
            groups: &[frame, Some(&layouts.part), Some(&layouts.surface)],
            buffers: &[Some(position), Some(normal), Some(uv)],
            constants: &[
                ("alpha_pass", f64::from(alpha as u8)),
                ("covers_by_alpha", f64::from(u8::from(covers_by_alpha(alpha == AlphaPass::Holes)))),
                shadow_detail,
                filter,
            ],
            covers_by_alpha: covers_by_alpha(alpha == AlphaPass::Holes),
            cull: (!two_sided).then_some(wgpu::Face::Back),
            blend: (alpha == AlphaPass::Sheer).then_some(OVER),
            depth: Some(wgpu::DepthStencilState {
                bias: if steps_back { STEP_BACK } else { wgpu::DepthBiasState::default() },
                ..depth(wgpu::CompareFunction::LessEqual, alpha != AlphaPass::Sheer)
            }),
            ..plain
        },
        Kind::Inside => PipelineParts {
            shader: shader!("inside.wgsl"),
            entries: ["vs_inside", "fs_inside"],
            groups: &[frame, Some(&layouts.part)],
            buffers: &[Some(position)],
            cull: Some(wgpu::Face::Front),
            depth: Some(wgpu::DepthStencilState {
                bias: STEP_FAR_BACK,
                ..depth(wgpu::CompareFunction::LessEqual, true)
            }),
            ..plain
        },
        Kind::Stage(stage) => PipelineParts {
            shader: shader!("material.wgsl"),
            entries: ["vs_material", "fs_material"],
            groups: &[frame, Some(&layouts.part), Some(&layouts.stage)],
            buffers: &[Some(position), Some(normal), Some(uv)],
            constants: &[
                ("light", f64::from(stage.light as u8)),
                ("alpha_test", f64::from(stage.test)),
                ("coordinates", f64::from(stage.coordinates)),
                ("alpha_source", f64::from(stage.alpha)),
                ("warp_count", f64::from(stage.warps)),
                ("swings", f64::from(u8::from(stage.swings))),
                ("opaque", f64::from(u8::from(stage.blend.is_none()))),
                ("glow", f64::from(stage.blend.map_or(0, glow))),
                ("covers_by_alpha", f64::from(u8::from(covers_by_alpha(stage.is_studio_cutout())))),
                shadow_detail,
                filter,
            ],
            covers_by_alpha: covers_by_alpha(stage.is_studio_cutout()),
            cull: match stage.sides {
                DrawnFaces::Front => Some(wgpu::Face::Back),
                DrawnFaces::Back => Some(wgpu::Face::Front),
                DrawnFaces::Both => None,
            },
            blend: stage.blend.map(blended),
            depth: Some(wgpu::DepthStencilState {
                bias: match (stage.is_decal, stage.steps_back) {
                    (true, true) => DECAL,
                    // The surface below has no bias, so use only the decal's offset.
                    (true, false) => DECAL_ALONE,
                    (false, true) => STEP_BACK,
                    (false, false) => wgpu::DepthBiasState::default(),
                },
                ..depth(
                    if stage.at_equal_depth { wgpu::CompareFunction::Equal } else { wgpu::CompareFunction::LessEqual },
                    stage.writes_depth,
                )
            }),
            ..plain
        },
        Kind::Ghost { depth_alone } => PipelineParts {
            shader: shader!("ghost.wgsl"),
            entries: ["vs_ghost", "fs_ghost"],
            groups: &[frame, Some(&layouts.part)],
            buffers: &[Some(vertex(24, &POSITION_NORMAL))],
            // Otherwise both sides of a coplanar double-sided wing would be blended.
            cull: Some(wgpu::Face::Back),
            blend: Some(if depth_alone { KEEP_DST } else { OVER }),
            depth: Some(if depth_alone {
                depth(wgpu::CompareFunction::LessEqual, true)
            } else {
                depth(wgpu::CompareFunction::Equal, false)
            }),
            ..plain
        },
        Kind::Far => PipelineParts {
            shader: shader!("ghost.wgsl"),
            entries: ["vs_far", "fs_far"],
            blend: Some(KEEP_DST),
            depth: Some(depth(wgpu::CompareFunction::Always, true)),
            ..plain
        },
        Kind::ShadowCast | Kind::ShadowAbove => PipelineParts {
            shader: shader!("shadow.wgsl"),
            entries: if kind == Kind::ShadowCast { ["vs_cast", "fs_cast"] } else { ["vs_above", "fs_above"] },
            groups: &[frame, Some(&layouts.part)],
            buffers: &[Some(position)],
            blend: Some(MAX),
            depth: None,
            ..plain
        },
        Kind::Wire { alone } => {
            let lines = PipelineParts {
                shader: shader!("lines.wgsl"),
                blend: Some(OVER),
                depth: Some(depth(if alone { DepthSide::Any } else { DepthSide::Front }.compare(), false)),
                ..plain
            };
            let smooth = [frame, Some(&layouts.part), layouts.wire.as_ref()];
            let parts = match layouts.wire {
                Some(_) => PipelineParts {
                    entries: ["vs_wire", "fs_lines"],
                    groups: &smooth,
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    ..lines
                },
                None => PipelineParts {
                    entries: ["vs_hairline", "fs_hairline"],
                    groups: &[frame, Some(&layouts.part)],
                    buffers: &[Some(position)],
                    topology: wgpu::PrimitiveTopology::LineList,
                    ..lines
                },
            };
            return parts.make(gpu, shaders, samples, options.is_mirrored);
        }
        Kind::Vertices { casing, alone } => PipelineParts {
            shader: shader!("lines.wgsl"),
            entries: ["vs_vertices", "fs_lines"],
            groups: &[frame, Some(&layouts.part)],
            buffers: &[Some(wgpu::VertexBufferLayout { step_mode: wgpu::VertexStepMode::Instance, ..position })],
            constants: &[("casing", f64::from(u8::from(casing)))],
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            blend: Some(OVER),
            depth: Some(depth(if alone { DepthSide::Any } else { DepthSide::Front }.compare(), false)),
            ..plain
        },
        Kind::Lines { layer, casing, side } => PipelineParts {
            shader: shader!("lines.wgsl"),
            entries: ["vs_lines", "fs_lines"],
            groups: &[frame],
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: LineInstance::SIZE,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes: &LineInstance::ATTRIBUTES,
            })],
            constants: &[("casing", f64::from(u8::from(casing))), ("strength", line_strength(layer, casing, side))],
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            blend: Some(OVER),
            depth: Some(depth(side.compare(), false)),
            ..plain
        },
        Kind::Mask => PipelineParts {
            shader: shader!("outline.wgsl"),
            entries: ["vs_mask", "fs_mask"],
            groups: &[frame, Some(&layouts.part)],
            buffers: &[Some(position)],
            format: Some(MASK),
            depth: None,
            ..plain
        },
        Kind::Outline => PipelineParts {
            shader: shader!("outline.wgsl"),
            entries: ["vs_outline", "fs_outline"],
            groups: &[frame, None, Some(&layouts.texture)],
            blend: Some(OVER),
            ..plain
        },
        Kind::Blur { vertical } => PipelineParts {
            shader: shader!("shadow.wgsl"),
            entries: ["vs_blur", "fs_blur"],
            groups: &[frame, Some(&layouts.blur)],
            constants: &[("vertical", f64::from(u8::from(vertical)))],
            depth: None,
            ..plain
        },
        Kind::SelfShadow { map, holes } => PipelineParts {
            shader: shader!("self_shadow.wgsl"),
            entries: ["vs_light", if holes { "fs_holes" } else { "fs_solid" }],
            groups: if holes {
                &[frame, Some(&layouts.part), Some(&layouts.surface)]
            } else {
                &[frame, Some(&layouts.part)]
            },
            buffers: &[Some(position), None, Some(uv)],
            constants: &[("map", map as f64)],
            // Walls that are not drawn, because they are seen from behind, cast no shadow into the room.
            cull: (!holes).then_some(wgpu::Face::Back),
            format: None,
            depth: Some(wgpu::DepthStencilState { bias: SHADOW_BIAS, ..depth(wgpu::CompareFunction::LessEqual, true) }),
            ..plain
        },
        Kind::Add | Kind::ShowAverage => PipelineParts {
            shader: shader!("average.wgsl"),
            entries: ["vs_average", if kind == Kind::Add { "fs_add" } else { "fs_show" }],
            groups: &[frame, Some(&layouts.surface)],
            blend: (kind == Kind::Add).then_some(SUM_UP),
            format: Some(if kind == Kind::Add { SUM } else { COLOUR }),
            depth: None,
            ..plain
        },
    };
    parts.make(gpu, shaders, samples, options.is_mirrored)
}

/// Depth bias of surfaces, so that they do not hide parts of the lines on them.
const STEP_BACK: wgpu::DepthBiasState = wgpu::DepthBiasState { constant: 8, slope_scale: 1.5, clamp: 0.0 };
/// Depth bias of surfaces in self-shadow maps, against shadows of a surface on itself.
const SHADOW_BIAS: wgpu::DepthBiasState = wgpu::DepthBiasState { constant: 4, slope_scale: 2.0, clamp: 0.0 };
/// Depth bias of back faces behind coplanar front faces, for example on leaves modelled with both.
const STEP_FAR_BACK: wgpu::DepthBiasState = wgpu::DepthBiasState { constant: 16, slope_scale: 2.5, clamp: 0.0 };
/// Depth bias of decals: two units and one slope less than that of surfaces, which is the game's offset.
const DECAL: wgpu::DepthBiasState = wgpu::DepthBiasState { constant: 6, slope_scale: 0.5, clamp: 0.0 };
/// Depth bias of decals on surfaces without bias.
const DECAL_ALONE: wgpu::DepthBiasState = wgpu::DepthBiasState { constant: -2, slope_scale: -1.0, clamp: 0.0 };

fn depth(compare: wgpu::CompareFunction, write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

impl PipelineParts<'_> {
    fn make(self, gpu: &Gpu, shaders: &mut Shaders, samples: u32, mirrored: bool) -> wgpu::RenderPipeline {
        let (file, source) = self.shader;
        let module = &*shaders.entry(file).or_insert_with(|| {
            gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(file),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        });
        let [vertex, fragment] = self.entries;
        let target = self.format.map(|format| {
            Some(wgpu::ColorTargetState { format, blend: self.blend, write_mask: wgpu::ColorWrites::ALL })
        });
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(vertex),
            bind_group_layouts: self.groups,
            immediate_size: 0,
        });
        let options = wgpu::PipelineCompilationOptions { constants: self.constants, ..Default::default() };
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(fragment),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: options.clone(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: self.topology,
                // Files wind front faces clockwise.
                front_face: if mirrored { wgpu::FrontFace::Ccw } else { wgpu::FrontFace::Cw },
                cull_mode: self.cull,
                ..Default::default()
            },
            depth_stencil: self.depth,
            multisample: wgpu::MultisampleState {
                count: samples,
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
