//! Onion skin. Ghosts have their own vertex buffers and share all other data with the parts.

use bytemuck::{Pod, Zeroable};
use glam::Mat4;

use super::{
    GhostDraw, Gpu, Layouts, OVER, PassContext, PipelineDescription, RenderRequest, Renderer, bind_group, depth,
    drawn_surfaces, runs, shader,
};
use crate::render::blend_states::KEEP_DST;
use crate::render::resources::filled;
use maquette_scene::scene::{ColourTheme, EntityId};

/// Positions and normals.
const VERTICES: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 24,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3],
};

/// Opacity of the nearest and of the farthest ghosts.
const STRENGTH: (f32, f32) = (0.62, 0.14);

/// Twin of `Ghost` in shaders/ghost.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct GhostUniform {
    world_from_model: [[f32; 4]; 4],
    colour: [f32; 4],
}

#[derive(Debug)]
struct GhostPart {
    vertices: wgpu::Buffer,
    bytes: u64,
    written: (EntityId, u64),
    uniform: wgpu::Buffer,
    group: wgpu::BindGroup,
}

#[derive(Debug, Default)]
pub struct Ghosts {
    parts: Vec<GhostPart>,
    scratch: Vec<[f32; 6]>,
}

/// Returns the colour of ghosts. Blue and green are distinguishable with colour blindness, and differ from the accent
/// colour.
fn colour(theme: ColourTheme, is_after: bool) -> [f32; 3] {
    let rgb: [u8; 3] = match (theme, is_after) {
        (ColourTheme::Dark, false) => [0x5a, 0xa9, 0xff],
        (ColourTheme::Dark, true) => [0xa6, 0xe0, 0x5a],
        (ColourTheme::Light, false) => [0x0b, 0x5f, 0xc4],
        (ColourTheme::Light, true) => [0x3f, 0x7d, 0x08],
    };
    rgb.map(|value| f32::from(value) / 255.0)
}

impl Ghosts {
    /// Uploads the ghosts that changed. Releases the buffers of ghosts that no longer exist.
    fn write(&mut self, gpu: &Gpu, layouts: &Layouts, request: &RenderRequest<'_>) {
        self.parts.truncate(request.ghosts.len());
        for (number, ghost) in request.ghosts.iter().enumerate() {
            let [red, green, blue] = colour(request.display.theme, ghost.steps > 0);
            let opacity = STRENGTH.1 + (STRENGTH.0 - STRENGTH.1) * ghost.strength.clamp(0.0, 1.0);
            let uniform = GhostUniform {
                world_from_model: Mat4::from(ghost.part.world_from_model).to_cols_array_2d(),
                colour: [red, green, blue, opacity],
            };
            let written = (ghost.part.id, ghost.part.pose.revision());
            if let Some(part) = self.parts.get(number).filter(|part| part.written == written) {
                gpu.queue.write_buffer(&part.uniform, 0, bytemuck::bytes_of(&uniform));
                continue;
            }
            self.scratch.clear();
            for (surface, posed) in ghost.part.model.surfaces().iter().zip(&ghost.part.pose.surfaces) {
                // Surfaces of other LODs are not posed, so pad with zeros to keep the vertex offsets.
                let posed = posed.positions.iter().zip(&posed.normals).take(surface.uvs.len());
                let first = self.scratch.len();
                self.scratch.extend(posed.map(|(at, normal)| [at.x, at.y, at.z, normal.x, normal.y, normal.z]));
                self.scratch.resize(first + surface.uvs.len(), [0.0; 6]);
            }
            let bytes: &[u8] = bytemuck::cast_slice(&self.scratch);
            let size = bytes.len() as u64;
            match self.parts.get_mut(number).filter(|part| part.bytes == size) {
                Some(part) => {
                    gpu.queue.write_buffer(&part.vertices, 0, bytes);
                    gpu.queue.write_buffer(&part.uniform, 0, bytemuck::bytes_of(&uniform));
                    part.written = written;
                }
                None => {
                    let part = GhostPart::new(gpu, layouts, bytes, &uniform, written);
                    match self.parts.get_mut(number) {
                        Some(slot) => *slot = part,
                        None => self.parts.push(part),
                    }
                }
            }
        }
    }
}

/// Draws the ghosts. Ghosts of one frame hide each other, and nearer frames are drawn over farther ones. The three
/// pipelines write the depth, write the colour and reset the depth to the far plane.
pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    let PassContext { gpu, request, target, .. } = *context;
    let Renderer { ghosts, layouts, parts, .. } = renderer;
    ghosts.write(gpu, layouts, request);
    if request.ghosts.is_empty() {
        return;
    }
    let surfaces = PipelineDescription {
        buffers: vec![Some(VERTICES)],
        front_face: context.front_face(),
        // Otherwise both sides of a coplanar double-sided wing would be blended.
        cull: Some(wgpu::Face::Back),
        ..context.pipeline(["vs_ghost", "fs_ghost"], &[Some(&layouts.part)])
    };
    let far = context.pipeline(["vs_far", "fs_far"], &[]);
    let [depth_only, colour, far] = [
        (KEEP_DST, depth(wgpu::CompareFunction::LessEqual, true), surfaces.clone()),
        (OVER, depth(wgpu::CompareFunction::Equal, false), surfaces),
        (KEEP_DST, depth(wgpu::CompareFunction::Always, true), far),
    ]
    .map(|(blend, depth, pipeline)| {
        let pipeline = PipelineDescription { blend: Some(blend), depth: Some(depth), ..pipeline };
        renderer.pipelines.get(gpu, shader!("ghost.wgsl"), pipeline)
    });
    let all: Vec<(&GhostDraw<'_>, &GhostPart)> = request.ghosts.iter().zip(&ghosts.parts).collect();
    let groups: Vec<_> = all.chunk_by(|(one, _), (other, _)| one.steps == other.steps).collect();
    let (width, height) = target.size();
    let [width, height, frames] = [width as f32, height as f32, groups.len() as f32];
    for (number, group) in (1_u16..).zip(&groups) {
        // Each frame has its own depth range, in front of the previous ones.
        let slice = 1.0 / frames;
        let near = (1.0 - f32::from(number) * slice).max(0.0);
        pass.set_viewport(0.0, 0.0, width, height, near, (near + slice).min(1.0));
        for pipeline in [&depth_only, &colour] {
            pass.set_pipeline(pipeline);
            for (ghost, buffers) in *group {
                let Some(gpu_part) = parts.get(&ghost.part.id) else { continue };
                pass.set_bind_group(1, &buffers.group, &[]);
                pass.set_vertex_buffer(0, buffers.vertices.slice(..));
                pass.set_index_buffer(gpu_part.indices.slice(..), wgpu::IndexFormat::Uint32);
                runs(drawn_surfaces(gpu_part, &ghost.part), |_, _| true)
                    .for_each(|(_, indices)| pass.draw_indexed(indices, 0, 0..1));
            }
        }
    }
    pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
    pass.set_pipeline(&far);
    pass.draw(0..3, 0..1);
}

impl GhostPart {
    fn new(gpu: &Gpu, layouts: &Layouts, vertices: &[u8], uniform: &GhostUniform, written: (EntityId, u64)) -> Self {
        let uniform = filled(gpu, "ghost", bytemuck::bytes_of(uniform), wgpu::BufferUsages::UNIFORM);
        let group = bind_group(gpu, "ghost", &layouts.part, &[uniform.as_entire_binding()]);
        let bytes = vertices.len() as u64;
        Self { vertices: filled(gpu, "ghost", vertices, wgpu::BufferUsages::VERTEX), bytes, written, uniform, group }
    }
}
