//! Background gradient, with a highlight behind the model and light on the floor.

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::{PassContext, RenderRequest, Renderer, shader};
use maquette_scene::scene::Background;

pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    if context.request.display.background == Background::Studio {
        let pipeline = context.pipeline(["vs_background", "fs_background"], &[]);
        pass.set_pipeline(&renderer.pipelines.get(context.gpu, shader!("background.wgsl"), pipeline));
        pass.draw(0..3, 0..1);
    }
}

/// Returns centre and radius of the highlight in pixels, and its strength.
pub fn lift(request: &RenderRequest<'_>, clip_from_world: &Mat4, size: Vec2, strength: f32) -> Vec4 {
    let middle = pixel(clip_from_world, request.centre, size).clamp(Vec2::ZERO, size);
    let radius = 2.3 * request.radius / request.camera.units_per_point(size.y).max(1e-9);
    middle.extend(radius.clamp(size.y * 0.3, size.y * 1.2)).extend(strength)
}

/// Returns the pixel of a point; the middle of the image if the point is behind the camera.
fn pixel(clip_from_world: &Mat4, point: Vec3, size: Vec2) -> Vec2 {
    let clip = *clip_from_world * point.extend(1.0);
    let position = if clip.w > 0.0 { Vec2::new(clip.x, -clip.y) / clip.w } else { Vec2::ZERO };
    (position * 0.5 + 0.5) * size
}
