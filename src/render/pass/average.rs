//! Average of several images, kept in half-precision floats.

use super::{
    CLEAR, COLOUR, Gpu, PipelineDescription, Renderer, Target, attachment, begin_pass, colour_attachment, shader,
};
use crate::render::blend_states::SUM_UP;
use maquette_assets::material::TextureWrap;

/// Format of the sum: enough precision for the stored values of 32 images.
const SUM: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Target of single samples, and their sum.
#[derive(Debug)]
pub struct Average {
    pub target: Target,
    sum: wgpu::TextureView,
}

impl Average {
    /// Returns the buffers for images of `size`, which replace those for another size.
    pub fn fitting<'a>(average: &'a mut Option<Self>, gpu: &Gpu, (width, height): (u32, u32)) -> &'a mut Self {
        if average.as_ref().is_some_and(|known| known.target.size() != (width, height)) {
            *average = None;
        }
        average.get_or_insert_with(|| {
            let usage = wgpu::TextureUsages::TEXTURE_BINDING;
            let sum = attachment(gpu, "sum", (width, height), 1, SUM, usage);
            Self { target: Target::new(gpu, width, height, 1), sum: sum.create_view(&Default::default()) }
        })
    }
    /// Adds the target to the sum. The `first` image replaces the sum.
    pub fn add(&self, renderer: &mut Renderer, gpu: &Gpu, first: bool) {
        let load = if first { CLEAR } else { wgpu::LoadOp::Load };
        let pipeline =
            PipelineDescription { blend: Some(SUM_UP), format: Some(SUM), ..description(renderer, "fs_add") };
        copy(renderer, gpu, pipeline, self.target.view(), colour_attachment(&self.sum, load));
    }

    /// Draws the average of the sum into `target`.
    pub fn show(&self, renderer: &mut Renderer, gpu: &Gpu, target: &Target) {
        let pipeline = PipelineDescription { format: Some(COLOUR), ..description(renderer, "fs_show") };
        copy(renderer, gpu, pipeline, &self.sum, colour_attachment(target.view(), CLEAR));
    }
}

fn description(renderer: &Renderer, fragment: &'static str) -> PipelineDescription {
    let groups = [Some(&renderer.layouts.surface)];
    PipelineDescription { depth: None, ..PipelineDescription::new(["vs_average", fragment], &groups, 1) }
}

/// Draws all pixels of `from` into `into`.
fn copy(
    renderer: &mut Renderer,
    gpu: &Gpu,
    pipeline: PipelineDescription,
    from: &wgpu::TextureView,
    into: wgpu::RenderPassColorAttachment<'_>,
) {
    let from = renderer.default_textures.bind_group(gpu, &renderer.layouts, Some(from), TextureWrap::Clamp);
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("average") });
    let mut pass = begin_pass(&mut encoder, "average", Some(into), None);
    pass.set_bind_group(0, &renderer.self_shadow.frame_group, &[]);
    pass.set_bind_group(1, &from, &[]);
    pass.set_pipeline(&renderer.pipelines.get(gpu, shader!("average.wgsl"), pipeline));
    pass.draw(0..3, 0..1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
}
