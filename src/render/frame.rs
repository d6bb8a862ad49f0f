//! Uniforms of a frame.

use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Mat4, Vec2, Vec3, Vec4};

use maquette_core::model::Bounds;
use maquette_scene::scene::{Camera, Projection, Wireframe};

use super::RenderRequest;
use super::pass::grid::GridUniform;
use super::pass::self_shadow::{self, MAPS};
use super::pass::shadow::ShadowUniform;
use super::pass::{background, model};
use super::samples::{DOMES, Sample};
use super::studio::{INSIDE, Studio};

/// Diameter of vertex dots in points.
const VERTEX_SIZE: f32 = 2.5;
/// Loss of light from a direction of the studio at an occluded point, times the cosine.
const DOME_OCCLUSION: f32 = 3.0;
/// Distance of points tested for self-shadows from their surface, in radii of the scene. It hides the steps of the maps.
const SHADOW_DISTANCE: f32 = 0.012;

/// Twin of `Frame` in shaders/common.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Frame {
    pub(super) clip_from_world: [[f32; 4]; 4],
    world_from_clip: [[f32; 4]; 4],
    eye: [f32; 4],
    key_direction: [f32; 4],
    key_colour: [f32; 4],
    fill_direction: [f32; 4],
    fill_colour: [f32; 4],
    rim_direction: [f32; 4],
    rim_colour: [f32; 4],
    sky: [f32; 4],
    ground: [f32; 4],
    clay: [f32; 4],
    image: [f32; 4],
    pub(super) floor: [f32; 4],
    grid: GridUniform,
    pub(super) shadow: ShadowUniform,
    backdrop_top: [f32; 4],
    backdrop_bottom: [f32; 4],
    lift: [f32; 4],
    ground_colour: [f32; 4],
    pool: [f32; 4],
    wire: [f32; 4],
    wire_width: [f32; 4],
    vertices: [f32; 4],
    inside: [f32; 4],
    casing: [f32; 4],
    selection: [f32; 4],
    map_from_world: [[[f32; 4]; 4]; MAPS],
    dome: [[f32; 4]; DOMES],
    self_shadow: [f32; 4],
    gloss: [f32; 4],
    average: [f32; 4],
    modes: [u32; 4],
}

/// Twin of `Part` in shaders/common.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PartUniform {
    world_from_model: [[f32; 4]; 4],
    eye: [f32; 4],
}

impl PartUniform {
    /// Returns whether both have the same model transform. The camera may differ.
    pub(super) fn is_at(&self, other: &Self) -> bool {
        self.world_from_model == other.world_from_model
    }

    pub(super) fn new(world_from_model: &Affine3A, camera: &Camera) -> Self {
        let model_from_world = world_from_model.inverse();
        let eye = match camera.projection {
            Projection::Perspective => model_from_world.transform_point3(camera.eye()).extend(1.0),
            Projection::Orthographic => {
                model_from_world.transform_vector3(camera.towards_eye() * camera.distance).extend(0.0)
            }
        };
        let eye = if eye.is_finite() { eye } else { Vec4::X };
        Self { world_from_model: Mat4::from(*world_from_model).to_cols_array_2d(), eye: eye.into() }
    }
}

/// Twin of `Surface` in shaders/model.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct SurfaceUniform {
    has_image: u32,
    unused: [u32; 3],
}

impl SurfaceUniform {
    pub(super) fn new(has_image: bool) -> Self {
        Self { has_image: u32::from(has_image), unused: [0; 3] }
    }
}

impl Frame {
    /// Computes the uniforms of a sample for an image of `width` × `height` pixels. `exposure` is a factor for all lights;
    /// `map_sizes` are the sides of the ground shadow and of a self-shadow map in texels.
    pub(super) fn new(
        request: &RenderRequest<'_>,
        (width, height): (u32, u32),
        map_sizes: [u32; 2],
        exposure: f32,
        sample: &Sample,
    ) -> Self {
        let [width, height, shadow_size, map_size] =
            [width, height, map_sizes[0], map_sizes[1]].map(|size| size as f32);
        let camera = request.camera;
        let display = request.display;
        let studio = Studio::for_display(display);
        let size = Vec2::new(width, height);
        let offset = (sample.pixel * 2.0 / size).extend(0.0);
        let clip_from_world = Mat4::from_translation(offset)
            * camera.clip_from_view(width / height, request.radius)
            * camera.view_from_world();
        let light = &display.light;
        let lights_yaw = light.yaw(camera.yaw);
        let [key, fill, rim] =
            [&studio.key, &studio.fill, &studio.rim].map(|one| one.direction(lights_yaw, light.elevation));
        let [key_colour, fill_colour, rim_colour, sky, ground] =
            [studio.key.colour, studio.fill.colour, studio.rim.colour, studio.sky, studio.ground]
                .map(|colour| (colour * (light.brightness * exposure)).extend(0.0).into());
        // On a plain background, lines and shadows suit its colour instead of the theme.
        let lines = Studio::for_theme(display.line_theme());
        let bounds = world_bounds(request);
        let shadow = ShadowUniform::new(request, &bounds, key, lines.shadow, shadow_size);
        let key = moved_on_disc(key, sample.key * studio.key_radius);
        let model_height = if bounds.is_empty() { request.radius } else { bounds.max.z - request.floor };
        let alone = display.wireframe == Wireframe::Alone;
        // With a power of two, the average of equal images is exactly that image.
        let samples = display.samples_at_rest().next_power_of_two() as f32;
        Self {
            clip_from_world: clip_from_world.to_cols_array_2d(),
            world_from_clip: clip_from_world.inverse().to_cols_array_2d(),
            eye: eye(camera).into(),
            key_direction: key.extend(0.0).into(),
            key_colour,
            fill_direction: fill.extend(0.0).into(),
            fill_colour,
            rim_direction: rim.extend(0.0).into(),
            rim_colour,
            sky,
            ground,
            clay: studio.clay.extend(0.0).into(),
            image: [width, height, request.pixels_per_point, display.glow(request.seconds)],
            floor: [
                request.floor,
                model_height.max(request.radius * 1e-3),
                exposure.recip(),
                f32::from(u8::from(seen_from_above(request))),
            ],
            grid: GridUniform::new(request, &lines, height),
            shadow,
            backdrop_top: studio.backdrop[0].extend(1.0).into(),
            backdrop_bottom: studio.backdrop[1].extend(1.0).into(),
            lift: background::lift(request, &clip_from_world, size, studio.lift).into(),
            ground_colour: studio.floor.extend(studio.pool).into(),
            pool: [request.centre.x, request.centre.y, 3.2 * request.radius, 0.0],
            wire: if alone { lines.wire_alone } else { lines.wire_over }.into(),
            wire_width: [if alone { 1.0 } else { 0.7 }, VERTEX_SIZE, 0.0, 0.0],
            vertices: lines.vertices.into(),
            inside: INSIDE.extend(1.0).into(),
            casing: lines.casing.into(),
            selection: lines.selection.into(),
            map_from_world: std::array::from_fn(|map| {
                let light = map.checked_sub(1).and_then(|dome| sample.dome.get(dome)).copied().unwrap_or(key);
                self_shadow::clip_from_world(&bounds, light).to_cols_array_2d()
            }),
            dome: sample.dome.map(|direction| direction.extend(0.0).into()),
            self_shadow: [DOME_OCCLUSION, request.radius * SHADOW_DISTANCE, 1.0 / map_size, 0.0],
            gloss: [studio.gloss, studio.grazing, studio.edge, 0.0],
            average: [1.0 / samples, samples / sample.count as f32, 0.0, 0.0],
            modes: [model::shading_number(display.shading), u32::from(camera.along_floor().is_some()), 0, 0],
        }
    }
}

/// Returns the position of the eye, or the direction to it (W is 0) in an orthographic view.
fn eye(camera: &Camera) -> Vec4 {
    match camera.projection {
        Projection::Perspective => camera.eye().extend(1.0),
        Projection::Orthographic => camera.towards_eye().extend(0.0),
    }
}

/// Returns a direction whose tip is moved by `offset` on the plane perpendicular to it.
fn moved_on_disc(direction: Vec3, offset: Vec2) -> Vec3 {
    let (right, up) = direction.any_orthonormal_pair();
    (direction + right * offset.x + up * offset.y).normalize_or(direction)
}

pub(super) fn seen_from_above(request: &RenderRequest<'_>) -> bool {
    match request.camera.projection {
        Projection::Perspective => request.camera.eye().z > request.floor,
        Projection::Orthographic => request.camera.towards_eye().z > 0.0,
    }
}

fn world_bounds(request: &RenderRequest<'_>) -> Bounds {
    let corners = request
        .parts
        .iter()
        .filter(|part| !part.pose.bounds.is_empty())
        .flat_map(|part| part.pose.bounds.corners().map(|corner| part.world_from_model.transform_point3(corner)));
    Bounds::from_points(corners)
}
