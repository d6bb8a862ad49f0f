//! Surfaces with one texture or none.

use super::{
    COLOURS, GpuSurface, NORMALS, OVER, POSITIONS, PassContext, PipelineDescription, Renderer, UVS, depth,
    drawn_surfaces, runs, shader, uploaded,
};
use crate::render::{checker, colormap, texture};
use maquette_assets::material::{TextureWrap, Transparency};
use maquette_scene::scene::{Alpha, BackfaceDisplay, Shading, Wireframe};

/// Treatment of alpha while drawing surfaces. Twin of `alpha_pass` in shaders/model.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AlphaPass {
    /// Alpha is ignored.
    Opaque = 0,
    /// Texels below one half are discarded.
    Holes = 1,
    /// Only the opaque texels of a blended surface. They write the depth.
    Solid = 2,
    /// Only the transparent texels of a blended surface. They are blended.
    Sheer = 3,
}

/// Returns the number of a shading, which matches the constants in shaders/model.wgsl.
pub fn shading_number(shading: Shading) -> u32 {
    match shading {
        Shading::Textured => 0,
        Shading::Unlit => 1,
        Shading::Clay => 2,
        Shading::Normals => 3,
        // Values per vertex are drawn with the colour scale as texture.
        Shading::Checker | Shading::Weights | Shading::TexelDensity | Shading::Difference => 4,
        Shading::VertexColours => 5,
    }
}

pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    let PassContext { gpu, request, .. } = *context;
    let display = request.display;
    let is_game = display.is_in_game();
    if is_game || display.wireframe == Wireframe::Alone {
        return;
    }
    let shading_texture = shading_texture(renderer, context);
    let uses = |surface: &GpuSurface, alpha| alpha_passes(surface, display.alpha).contains(&Some(alpha));
    for alpha in [AlphaPass::Opaque, AlphaPass::Holes, AlphaPass::Solid, AlphaPass::Sheer] {
        let mut surfaces = uploaded(&renderer.parts, request).flat_map(|(gpu_part, _)| &gpu_part.surfaces);
        if !surfaces.any(|surface| uses(surface, alpha)) {
            continue;
        }
        for (gpu_part, part) in uploaded(&renderer.parts, request) {
            let mut description = description(renderer, context, alpha, gpu_part.shows_colours(display));
            if let Some(depth) = description.depth.as_mut().filter(|_| gpu_part.is_dense && alpha != AlphaPass::Sheer) {
                depth.depth_compare = Some(wgpu::CompareFunction::Less);
            }
            pass.set_pipeline(&renderer.pipelines.get(gpu, shader!("model.wgsl"), description));
            gpu_part.bind(pass);
            if display.shading.shows_values() {
                gpu_part.bind_values(pass);
            }
            let is_plain =
                |surface: &GpuSurface| gpu_part.material_of(surface).is_none_or(|material| material.is_plain);
            let is_shown = |(_, surface): &(usize, &GpuSurface)| {
                uses(surface, alpha)
                    && (alpha != AlphaPass::Sheer || surface.has_alpha)
                    && (!display.shows_materials() || is_plain(surface))
            };
            let surfaces = drawn_surfaces(gpu_part, part).filter(is_shown);
            let is_same =
                |one: &GpuSurface, next: &GpuSurface| shading_texture.is_some() || one.texture == next.texture;
            for ((_, first), indices) in runs(surfaces, is_same) {
                pass.set_bind_group(2, shading_texture.as_ref().unwrap_or(&first.texture), &[]);
                pass.draw_indexed(indices, 0, 0..1);
            }
        }
    }
}

fn description(
    renderer: &Renderer,
    context: &PassContext<'_>,
    alpha: AlphaPass,
    has_colours: bool,
) -> PipelineDescription {
    let covers_by_alpha = alpha == AlphaPass::Holes && context.covers_by_alpha;
    let mut constants = context.constants(covers_by_alpha).to_vec();
    constants.extend([("alpha_pass", f64::from(alpha as u8)), ("tinted", f64::from(u8::from(has_colours)))]);
    let both_sides = context.request.display.sides == BackfaceDisplay::Both;
    let groups = [Some(&renderer.layouts.part), Some(&renderer.layouts.surface)];
    PipelineDescription {
        buffers: [POSITIONS, NORMALS, UVS].into_iter().chain(has_colours.then_some(COLOURS)).map(Some).collect(),
        constants,
        front_face: context.front_face(),
        cull: (!both_sides).then_some(wgpu::Face::Back),
        blend: (alpha == AlphaPass::Sheer).then_some(OVER),
        depth: Some(wgpu::DepthStencilState {
            bias: context.bias(),
            ..depth(wgpu::CompareFunction::LessEqual, alpha != AlphaPass::Sheer)
        }),
        covers_by_alpha,
        ..context.pipeline([if has_colours { "vs_coloured" } else { "vs_model" }, "fs_model"], &groups)
    }
}

/// Returns the texture of a shading that replaces the textures of surfaces, and uploads it on first use.
fn shading_texture(renderer: &mut Renderer, context: &PassContext<'_>) -> Option<wgpu::BindGroup> {
    let Renderer { layouts, default_textures, checker, ramp, .. } = renderer;
    let (group, width, height, texels, wrap): (_, _, _, fn() -> Vec<u8>, _) = match context.request.display.shading {
        Shading::Checker => (checker, checker::SIZE, checker::SIZE, checker::texels, TextureWrap::Repeat),
        shading if shading.shows_values() => (ramp, colormap::LENGTH, 1, colormap::texels, TextureWrap::Clamp),
        _ => return None,
    };
    let group = group.get_or_insert_with(|| {
        let view = texture::upload_rgba(context.gpu, width, height, &texels());
        default_textures.bind_group(context.gpu, layouts, Some(&view), wrap)
    });
    Some(group.clone())
}

fn alpha_passes(surface: &GpuSurface, alpha: Alpha) -> [Option<AlphaPass>; 2] {
    let transparency = match alpha {
        Alpha::Material => surface.transparency,
        Alpha::Opaque => Transparency::Opaque,
        Alpha::Test => Transparency::Cutout,
        Alpha::Blend => Transparency::Blend,
    };
    match transparency {
        Transparency::Opaque => [Some(AlphaPass::Opaque), None],
        Transparency::Cutout => [Some(AlphaPass::Holes), None],
        Transparency::Blend => [Some(AlphaPass::Solid), Some(AlphaPass::Sheer)],
    }
}
