//! Edges of surfaces.

use super::{OVER, POSITIONS, PassContext, PipelineDescription, Renderer, depth, drawn_surfaces, shader, uploaded};
use maquette_scene::scene::Wireframe;

pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    if context.request.display.wireframe == Wireframe::Off {
        return;
    }
    let part = Some(&renderer.layouts.part);
    let pipeline = match &renderer.layouts.wire {
        Some(wire) => PipelineDescription {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..context.pipeline(["vs_wire", "fs_lines"], &[part, Some(wire)])
        },
        None => PipelineDescription {
            buffers: vec![Some(POSITIONS)],
            topology: wgpu::PrimitiveTopology::LineList,
            ..context.pipeline(["vs_hairline", "fs_hairline"], &[part])
        },
    };
    let pipeline =
        PipelineDescription { blend: Some(OVER), depth: Some(depth(context.line_depth(), false)), ..pipeline };
    pass.set_pipeline(&renderer.pipelines.get(context.gpu, shader!("lines.wgsl"), pipeline));
    for (gpu_part, part) in uploaded(&renderer.parts, context.request) {
        let Some(edges) = gpu_part.edges.uploaded() else { continue };
        gpu_part.bind(pass);
        edges.draw(pass, drawn_surfaces(gpu_part, part).map(|(number, _)| number));
    }
}
