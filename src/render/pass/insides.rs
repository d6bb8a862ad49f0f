//! Back faces in one colour.

use super::{
    GpuSurface, POSITIONS, PassContext, PipelineDescription, Renderer, casting_surfaces, depth, runs, shader, uploaded,
};
use maquette_assets::material::DrawnFaces;
use maquette_scene::scene::{BackfaceDisplay, Wireframe};

/// Depth bias of back faces behind coplanar front faces, for example on leaves modelled with both.
const BIAS: wgpu::DepthBiasState = wgpu::DepthBiasState { constant: 16, slope_scale: 2.5, clamp: 0.0 };

/// Draws the back faces of surfaces that are one-sided and write the depth.
pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    let PassContext { gpu, request, .. } = *context;
    if request.display.sides != BackfaceDisplay::Tinted || request.display.wireframe == Wireframe::Alone {
        return;
    }
    let pipeline = PipelineDescription {
        buffers: vec![Some(POSITIONS)],
        front_face: context.front_face(),
        cull: Some(wgpu::Face::Front),
        depth: Some(wgpu::DepthStencilState { bias: BIAS, ..depth(wgpu::CompareFunction::LessEqual, true) }),
        ..context.pipeline(["vs_inside", "fs_inside"], &[Some(&renderer.layouts.part)])
    };
    pass.set_pipeline(&renderer.pipelines.get(gpu, shader!("inside.wgsl"), pipeline));
    let shows_materials = request.display.shows_materials();
    for (gpu_part, part) in uploaded(&renderer.parts, request) {
        gpu_part.bind(pass);
        let is_one_sided = |surface: &GpuSurface| {
            let material = gpu_part.material_of(surface);
            material.is_none_or(|material| material.definition.sides == DrawnFaces::Front)
        };
        let surfaces =
            casting_surfaces(gpu_part, part, request).filter(|(_, surface)| !shows_materials || is_one_sided(surface));
        for run in runs(surfaces, |_, _| true) {
            gpu_part.draw_run(pass, run, shows_materials);
        }
    }
}
