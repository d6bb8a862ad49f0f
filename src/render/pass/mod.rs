//! Render passes. Each file has the pipelines and the draw calls of a pass; the shaders are in `shaders/`.

pub(super) mod average;
pub(super) mod background;
pub(super) mod ghosts;
pub(super) mod grid;
mod insides;
pub(super) mod lines;
pub(super) mod materials;
pub(super) mod model;
pub(super) mod outline;
pub(super) mod self_shadow;
pub(super) mod shadow;
mod vertices;
mod wireframe;

use super::blend_states::OVER;
use super::frame::Frame;
use super::gpu::{COLOUR, DEPTH, Gpu};
use super::layouts::Layouts;
use super::part::{GpuPart, GpuSurface, drawn_surfaces, joined, runs, uploaded};
use super::pipelines::{PipelineDescription, depth, shader};
use super::renderer::Renderer;
use super::resources::{attachment, bind_group, linear_sampler};
use super::stages::GpuMaterial;
use super::target::Target;
use super::{GhostDraw, PartDraw, RenderRequest};
use maquette_assets::material::Deform;
use maquette_scene::scene::{BackfaceDisplay, Background, LightingMode, Wireframe};
use self_shadow::ShadowDetail;

/// Passes that draw into their own textures before the image is drawn.
const PREPARATIONS: &[fn(&mut Renderer, &PassContext<'_>, &mut wgpu::CommandEncoder)] =
    &[shadow::draw_map, self_shadow::draw_maps, outline::draw_mask];

/// Passes of the image, in drawing order.
const PASSES: &[fn(&mut Renderer, &PassContext<'_>, &mut wgpu::RenderPass<'_>)] = &[
    background::draw,
    shadow::draw,
    grid::draw,
    ghosts::draw,
    insides::draw,
    model::draw,
    materials::draw,
    wireframe::draw,
    vertices::draw,
    lines::draw_in_scene,
    outline::draw,
    lines::draw_on_top,
];

/// Inputs of the passes of one sample of an image.
#[derive(Clone, Copy)]
pub(super) struct PassContext<'a> {
    pub gpu: &'a Gpu,
    pub request: &'a RenderRequest<'a>,
    pub target: &'a Target,
    pub frame: &'a Frame,
    pub shadow_detail: ShadowDetail,
    /// Whether the alpha of cut-outs decides how many samples of a pixel they cover, instead of all or none.
    pub covers_by_alpha: bool,
    /// Whether the models are mirrored, so that their front faces wind counterclockwise.
    pub is_mirrored: bool,
}

impl PassContext<'_> {
    /// Returns [`PipelineDescription::new`] for the target.
    fn pipeline(&self, entries: [&'static str; 2], groups: &[Option<&wgpu::BindGroupLayout>]) -> PipelineDescription {
        PipelineDescription::new(entries, groups, self.target.samples())
    }

    fn front_face(&self) -> wgpu::FrontFace {
        if self.is_mirrored { wgpu::FrontFace::Ccw } else { wgpu::FrontFace::Cw }
    }

    /// Returns the constants of common.wgsl for textured surfaces.
    fn constants(&self, covers_by_alpha: bool) -> [(&'static str, f64); 3] {
        [
            ("covers_by_alpha", f64::from(u8::from(covers_by_alpha))),
            ("shadow_detail", f64::from(self.shadow_detail as u8)),
            ("texture_filter", f64::from(self.request.display.texture_filter as u8)),
        ]
    }

    /// Returns the depth bias of surfaces, which keeps lines on them visible. There is none with tinted back faces and
    /// without edges, because at grazing angles surfaces would fall behind their own back faces.
    fn bias(&self) -> wgpu::DepthBiasState {
        let display = self.request.display;
        if display.sides == BackfaceDisplay::Tinted && display.wireframe == Wireframe::Off {
            return wgpu::DepthBiasState::default();
        }
        wgpu::DepthBiasState { constant: 8, slope_scale: 1.5, clamp: 0.0 }
    }

    /// Returns the depth test of lines on surfaces.
    fn line_depth(&self) -> wgpu::CompareFunction {
        match self.request.display.wireframe {
            Wireframe::Alone => wgpu::CompareFunction::Always,
            _ => wgpu::CompareFunction::LessEqual,
        }
    }
}

const POSITIONS: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 12,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3],
};
const NORMALS: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 12,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![1 => Float32x3],
};
const TANGENTS: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 24,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![3 => Float32x3, 4 => Float32x3],
};
const UVS: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 8,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![2 => Float32x2],
};
const COLOURS: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 4,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![3 => Unorm8x4],
};

/// Draws a sample with all passes.
pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>) {
    let PassContext { gpu, target, .. } = *context;
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("image") });
    for prepare in PREPARATIONS {
        prepare(renderer, context, &mut encoder);
    }
    let clear = match context.request.display.background {
        Background::Colour(colour) => {
            let [r, g, b] = colour.map(|value| f64::from(value) / 255.0);
            wgpu::Color { r, g, b, a: 1.0 }
        }
        Background::Studio | Background::Transparent => wgpu::Color::TRANSPARENT,
    };
    let mut pass = begin_pass(&mut encoder, "image", Some(target.colour(clear)), Some(target.depth()));
    pass.set_bind_group(0, &renderer.self_shadow.frame_group, &[]);
    for draw in PASSES {
        draw(renderer, context, &mut pass);
    }
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
}

/// Returns the surfaces of a part that cast shadows: those that hide surfaces behind them and do not turn to the camera.
fn casting_surfaces<'a>(
    gpu_part: &'a GpuPart,
    part: &'a PartDraw<'_>,
    request: &'a RenderRequest<'a>,
) -> impl Iterator<Item = (usize, &'a GpuSurface)> {
    let is_game = request.display.lighting == LightingMode::Game;
    let shows_materials = request.display.shows_materials();
    let turns = move |material: &GpuMaterial| material.deforms(is_game).iter().any(Deform::follows_the_eye);
    let is_solid = move |surface: &GpuSurface| {
        gpu_part.material_of(surface).is_none_or(|material| material.is_solid(is_game) && !turns(material))
    };
    drawn_surfaces(gpu_part, part).filter(move |(_, surface)| !shows_materials || is_solid(surface))
}

fn begin_pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &'static str,
    colour: Option<wgpu::RenderPassColorAttachment<'_>>,
    depth: Option<wgpu::RenderPassDepthStencilAttachment<'_>>,
) -> wgpu::RenderPass<'a> {
    let attachments = [colour];
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: if attachments[0].is_some() { &attachments } else { &[] },
        depth_stencil_attachment: depth,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}

fn colour_attachment(view: &wgpu::TextureView, load: wgpu::LoadOp<wgpu::Color>) -> wgpu::RenderPassColorAttachment<'_> {
    let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
    wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops }
}

/// Load operation of a texture that is drawn as a whole.
const CLEAR: wgpu::LoadOp<wgpu::Color> = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
