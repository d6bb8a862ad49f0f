//! Dots at vertices.

use super::{
    OVER, POSITIONS, PassContext, PipelineDescription, Renderer, depth, drawn_surfaces, joined, shader, uploaded,
};
use maquette_scene::scene::OverlayKind;

pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    if !context.request.display.shows(OverlayKind::Vertices) {
        return;
    }
    for is_casing in [true, false] {
        let pipeline = PipelineDescription {
            buffers: vec![Some(wgpu::VertexBufferLayout { step_mode: wgpu::VertexStepMode::Instance, ..POSITIONS })],
            constants: vec![("casing", f64::from(u8::from(is_casing)))],
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            blend: Some(OVER),
            depth: Some(depth(context.line_depth(), false)),
            ..context.pipeline(["vs_vertices", "fs_lines"], &[Some(&renderer.layouts.part)])
        };
        pass.set_pipeline(&renderer.pipelines.get(context.gpu, shader!("lines.wgsl"), pipeline));
        for (gpu_part, part) in uploaded(&renderer.parts, context.request) {
            gpu_part.bind(pass);
            let ranges = joined(drawn_surfaces(gpu_part, part).map(|(_, surface)| surface.vertex_range()));
            ranges.for_each(|vertices| pass.draw(0..4, vertices));
        }
    }
}
