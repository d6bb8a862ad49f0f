//! Grid on the floor.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::{PassContext, PipelineDescription, RenderRequest, Renderer, shader};
use crate::render::frame::seen_from_above;
use crate::render::studio::Studio;
use maquette_scene::scene::{Background, OverlayKind};

/// Units between grid lines. The spacing of coarser lines is a power of this number.
const STEP: f32 = 8.0;
/// Distances between grid lines, in points, at which the finer lines become visible and are fully visible.
const STEP_POINTS: (f32, f32) = (12.0, 40.0);
/// Radius of the floor, in radii of the scene.
const FLOOR_REACH: f32 = 3.4;

/// Part of `Frame` in shaders/common.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GridUniform {
    grid: [f32; 4],
    colour: [f32; 4],
    origin: [f32; 4],
    u: [f32; 4],
    v: [f32; 4],
    u_axis: [f32; 4],
    v_axis: [f32; 4],
}

impl GridUniform {
    /// Returns a grid on the floor, or, in orthographic front, back and side views, on the plane through the model
    /// that faces the camera. `height` is that of the image in pixels.
    pub fn new(request: &RenderRequest<'_>, studio: &Studio, height: f32) -> Self {
        let [x, y, z] = studio.axes;
        let upright = request.camera.along_floor();
        let (origin, [u, v], [u_axis, v_axis]) = match upright {
            Some(u) => {
                // The remaining horizontal axis, which points into the image.
                let depth = Vec3::new(1.0, 1.0, 0.0) - u;
                (depth * request.centre.dot(depth), [u, Vec3::Z], [if u == Vec3::X { x } else { y }, z])
            }
            None => (Vec3::Z * request.floor, [Vec3::X, Vec3::Y], [x, y]),
        };
        let (step, share) = step(request.camera.units_per_point(height / request.pixels_per_point));
        // From below, the floor is transparent.
        let strength = if upright.is_some() || seen_from_above(request) { 1.0 } else { 0.45 };
        Self {
            grid: [request.radius * FLOOR_REACH, step, share, strength],
            colour: studio.grid.into(),
            origin: origin.extend(request.floor).into(),
            u: u.extend(request.centre.dot(u)).into(),
            v: v.extend(request.centre.dot(v)).into(),
            u_axis: u_axis.into(),
            v_axis: v_axis.into(),
        }
    }
}

/// Returns the distance between the finest grid lines in units, and their visibility from 0 to 1.
fn step(units_per_point: f32) -> (f32, f32) {
    let fewest = (units_per_point * STEP_POINTS.0).clamp(1e-6, 1e9);
    let step = STEP.powf(fewest.log(STEP).ceil());
    let points = step / units_per_point.max(1e-9);
    let share = (points - STEP_POINTS.0) / (STEP_POINTS.1 - STEP_POINTS.0);
    (step, share.clamp(0.0, 1.0))
}

pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    let display = context.request.display;
    if display.shows(OverlayKind::Grid) && display.background != Background::Transparent {
        let pipeline = PipelineDescription {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            ..context.pipeline(["vs_grid", "fs_grid"], &[])
        };
        pass.set_pipeline(&renderer.pipelines.get(context.gpu, shader!("grid.wgsl"), pipeline));
        pass.draw(0..4, 0..1);
    }
}
