//! Uniforms of a frame.

use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Mat4, Vec2, Vec3, Vec4};

use maquette_core::model::Bounds;
use maquette_scene::scene::{Background, Camera, OverlayKind, Projection, Shading, Wireframe};

use super::RenderRequest;
use super::samples::Sample;
use super::self_shadow::{self, MAPS, ShadowDetail};
use super::studio::{INSIDE, Studio};

/// Units between grid lines. The spacing of coarser lines is a power of this number.
const GRID_STEP: f32 = 8.0;
/// Radius of the floor, in radii of the scene.
const FLOOR_REACH: f32 = 3.4;
/// Diameter of vertex dots in points.
const VERTEX_SIZE: f32 = 2.5;
/// Minimum elevation of the shadow light in degrees. A lower light would cast the shadow out of the image.
const FLATTEST: f32 = 38.0;
/// Losses of an occluded point: the whole key light, and the light from a direction of the studio, times the cosine.
const KEY_OCCLUSION: f32 = 1.0;
const DOME_OCCLUSION: f32 = 3.0;
/// Distance of points tested for self-shadows from their surface, in radii of the scene. It hides the steps of the maps.
const SHADOW_DISTANCE: f32 = 0.012;
/// Width of the light along outlines, in heights of the image, and minimum distance to the surfaces behind them, in radii
/// of the scene.
const EDGE_WIDTH: f32 = 0.009;
const EDGE_DEPTH: f32 = 0.08;
/// Distances between grid lines, in points, at which the finer lines become visible and are fully visible.
const GRID_POINTS: (f32, f32) = (12.0, 40.0);

/// Twin of `Frame` in shaders/common.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Frame {
    clip_from_world: [[f32; 4]; 4],
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
    picture: [f32; 4],
    floor: [f32; 4],
    grid: [f32; 4],
    grid_colour: [f32; 4],
    grid_origin: [f32; 4],
    grid_u: [f32; 4],
    grid_v: [f32; 4],
    u_axis: [f32; 4],
    v_axis: [f32; 4],
    shadow_u: [f32; 4],
    shadow_v: [f32; 4],
    caster: [f32; 4],
    shadow: [f32; 4],
    backdrop_top: [f32; 4],
    backdrop_bottom: [f32; 4],
    lift: [f32; 4],
    pool: [f32; 4],
    wire: [f32; 4],
    wire_width: [f32; 4],
    vertices: [f32; 4],
    inside: [f32; 4],
    casing: [f32; 4],
    selection: [f32; 4],
    map_from_world: [[[f32; 4]; 4]; MAPS],
    dome: [f32; 4],
    self_shadow: [f32; 4],
    edge: [f32; 4],
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
    has_picture: u32,
    unused: [u32; 3],
}

impl SurfaceUniform {
    pub(super) fn new(has_picture: bool) -> Self {
        Self { has_picture: u32::from(has_picture), unused: [0; 3] }
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
        shadow_detail: ShadowDetail,
    ) -> Self {
        let [width, height, shadow_size, map_size] =
            [width, height, map_sizes[0], map_sizes[1]].map(|size| size as f32);
        let camera = request.camera;
        let display = request.display;
        let studio = Studio::for_display(display);
        let offset = (sample.pixel * 2.0 / Vec2::new(width, height)).extend(0.0);
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
        let caster = caster(key);
        let bounds = world_bounds(request);
        let grazing = match shadow_detail {
            ShadowDetail::None | ShadowDetail::Key => studio.grazing_alone,
            ShadowDetail::Outlines | ShadowDetail::All => studio.grazing,
        };
        let dome = sample.dome.unwrap_or(Vec3::Z);
        let key = moved_on_disc(key, sample.key * studio.key_radius);
        let model_height = if bounds.is_empty() { request.radius } else { bounds.max.z - request.floor };
        let (grid_step, grid_share) = grid_step(camera.units_per_point(height / request.pixels_per_point));
        let from_above = seen_from_above(request);
        let transparent = display.background == Background::Transparent;
        let plane = GridPlane::new(request, &lines);
        let grid_strength = match (display.shows(OverlayKind::Grid) && !transparent, from_above || plane.is_upright) {
            (false, _) => 0.0,
            (true, true) => 1.0,
            // From below, the floor is transparent.
            (true, false) => 0.45,
        };
        let shadow = casts_shadow(request) && !bounds.is_empty();
        let shaded = if shadow { ShadowGround::new(&bounds, request.floor, caster) } else { ShadowGround::NONE };
        let wide = 0.055 * shaded.height * shadow_size / shaded.side;
        let narrow = 0.022 * shaded.height * shadow_size / shaded.side;
        let eye = match camera.projection {
            Projection::Perspective => camera.eye().extend(1.0),
            Projection::Orthographic => camera.towards_eye().extend(0.0),
        };
        let alone = display.wireframe == Wireframe::Alone;
        let samples = display.samples_at_rest() as f32;
        let from_light = |light| self_shadow::clip_from_world(&bounds, light);
        let lift = lift(camera, request, &clip_from_world, Vec2::new(width, height), studio.lift);
        Self {
            clip_from_world: clip_from_world.to_cols_array_2d(),
            eye: eye.into(),
            key_direction: key.extend(0.0).into(),
            key_colour,
            fill_direction: fill.extend(0.0).into(),
            fill_colour,
            rim_direction: rim.extend(0.0).into(),
            rim_colour,
            sky,
            ground,
            clay: studio.clay.extend(0.0).into(),
            picture: [width, height, request.pixels_per_point, studio.pool],
            floor: [request.floor, model_height.max(request.radius * 1e-3), grazing, exposure.recip()],
            grid: [request.radius * FLOOR_REACH, grid_step, grid_share, grid_strength],
            grid_colour: lines.grid.into(),
            grid_origin: plane.origin.extend(request.floor).into(),
            grid_u: plane.u.extend(request.centre.dot(plane.u)).into(),
            grid_v: plane.v.extend(request.centre.dot(plane.v)).into(),
            u_axis: plane.colours[0].into(),
            v_axis: plane.colours[1].into(),
            shadow_u: shaded.u.extend(0.0).into(),
            shadow_v: shaded.v.extend(0.0).into(),
            caster: caster.extend(0.0).into(),
            shadow: [
                if shadow { lines.shadow } else { 0.0 },
                // Blur steps in texels. The smallest step is half a texel, so that the blur always has an effect.
                (wide * 0.6).max(0.5),
                (narrow * 0.6).max(0.5),
                shadow_size,
            ],
            backdrop_top: studio.backdrop[0].extend(1.0).into(),
            backdrop_bottom: studio.backdrop[1].extend(1.0).into(),
            lift: lift.into(),
            pool: pool(camera, request, &clip_from_world, Vec2::new(width, height)).into(),
            wire: if alone { lines.wire_alone } else { lines.wire_over }.into(),
            wire_width: [if alone { 1.0 } else { 0.7 }, VERTEX_SIZE, 0.0, 0.0],
            vertices: lines.vertices.into(),
            inside: INSIDE.extend(1.0).into(),
            casing: lines.casing.into(),
            selection: lines.selection.into(),
            map_from_world: [from_light(key), clip_from_world, from_light(dome)].map(|map| map.to_cols_array_2d()),
            dome: dome.extend(0.0).into(),
            self_shadow: [KEY_OCCLUSION, DOME_OCCLUSION, request.radius * SHADOW_DISTANCE, 1.0 / map_size],
            edge: [studio.edge, height * EDGE_WIDTH, request.radius * EDGE_DEPTH, 0.0],
            average: [1.0 / samples, samples / sample.count as f32, sample.noise, 0.0],
            modes: [shading_number(display.shading), u32::from(plane.is_upright), 0, 0],
        }
    }
}

impl Frame {
    pub(super) fn shadow_shape(&self) -> [[f32; 4]; 5] {
        [self.caster, self.shadow_u, self.shadow_v, self.shadow, self.floor]
    }
}

struct GridPlane {
    origin: Vec3,
    u: Vec3,
    v: Vec3,
    colours: [Vec4; 2],
    is_upright: bool,
}

impl GridPlane {
    /// Returns the plane of the grid: the floor, or, in orthographic front, back and side views, the plane through the
    /// model that faces the camera.
    fn new(request: &RenderRequest<'_>, studio: &Studio) -> Self {
        let [x, y, z] = studio.axes;
        if let Some(u) = request.camera.along_floor() {
            // The remaining horizontal axis, which points into the image.
            let depth = Vec3::new(1.0, 1.0, 0.0) - u;
            let (origin, colour) = (depth * request.centre.dot(depth), if u == Vec3::X { x } else { y });
            return Self { origin, u, v: Vec3::Z, colours: [colour, z], is_upright: true };
        }
        let origin = Vec3::Z * request.floor;
        Self { origin, u: Vec3::X, v: Vec3::Y, colours: [x, y], is_upright: false }
    }
}

/// Returns the direction towards the shadow light: the key light, raised to at least [`FLATTEST`].
fn caster(key: Vec3) -> Vec3 {
    let (sin, cos) = FLATTEST.to_radians().sin_cos();
    if key.z >= sin {
        return key;
    }
    (Vec2::new(key.x, key.y).normalize_or(Vec2::X) * cos).extend(sin)
}

/// Returns a direction whose tip is moved by `offset` on the plane perpendicular to it.
fn moved_on_disc(direction: Vec3, offset: Vec2) -> Vec3 {
    let (right, up) = direction.any_orthonormal_pair();
    (direction + right * offset.x + up * offset.y).normalize_or(direction)
}

/// Returns whether the scene casts shadows on itself.
pub(super) fn shades_itself(request: &RenderRequest<'_>) -> bool {
    let display = request.display;
    display.shows(OverlayKind::Shadow) && display.wireframe != Wireframe::Alone && display.is_lit()
}

/// Returns whether the floor shows a shadow. It does not if the camera is below the floor.
pub(super) fn casts_shadow(request: &RenderRequest<'_>) -> bool {
    let display = request.display;
    display.shows(OverlayKind::Shadow) && display.wireframe != Wireframe::Alone && seen_from_above(request)
}

fn seen_from_above(request: &RenderRequest<'_>) -> bool {
    match request.camera.projection {
        Projection::Perspective => request.camera.eye().z > request.floor,
        Projection::Orthographic => request.camera.towards_eye().z > 0.0,
    }
}

/// Returns the number of a shading, which matches the constants in shaders/model.wgsl.
fn shading_number(shading: Shading) -> u32 {
    match shading {
        Shading::Textured => 0,
        Shading::Unlit => 1,
        Shading::Clay => 2,
        Shading::Normals => 3,
        // Values per vertex are drawn with the colour scale as texture.
        Shading::Checker | Shading::Weights | Shading::TexelDensity | Shading::Difference => 4,
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

/// Returns the distance between the finest grid lines in units, and their visibility from 0 to 1.
fn grid_step(units_per_point: f32) -> (f32, f32) {
    let fewest = (units_per_point * GRID_POINTS.0).clamp(1e-6, 1e9);
    let step = GRID_STEP.powf(fewest.log(GRID_STEP).ceil());
    let points = step / units_per_point.max(1e-9);
    let share = (points - GRID_POINTS.0) / (GRID_POINTS.1 - GRID_POINTS.0);
    (step, share.clamp(0.0, 1.0))
}

/// Returns centre and radius of the backdrop's highlight in pixels, and its strength.
fn lift(camera: &Camera, request: &RenderRequest<'_>, clip_from_world: &Mat4, size: Vec2, strength: f32) -> Vec4 {
    let middle = pixel(clip_from_world, request.centre, size).clamp(Vec2::ZERO, size);
    let radius = 2.3 * request.radius / camera.units_per_point(size.y).max(1e-9);
    middle.extend(radius.clamp(size.y * 0.3, size.y * 1.2)).extend(strength)
}

/// Returns centre and radii of the light on the floor in pixels. Its circle is an ellipse on the image.
fn pool(camera: &Camera, request: &RenderRequest<'_>, clip_from_world: &Mat4, size: Vec2) -> Vec4 {
    let under = pixel(clip_from_world, request.centre.with_z(request.floor), size);
    let radius = 1.8 * request.radius / camera.units_per_point(size.y).max(1e-9);
    let steepness = camera.towards_eye().z.clamp(0.0, 1.0);
    under.extend(radius).extend(radius * (0.12 + 0.88 * steepness))
}

/// Returns the pixel of a point; the middle of the image if the point is behind the camera.
fn pixel(clip_from_world: &Mat4, point: Vec3, size: Vec2) -> Vec2 {
    let clip = *clip_from_world * point.extend(1.0);
    let place = if clip.w > 0.0 { Vec2::new(clip.x, -clip.y) / clip.w } else { Vec2::ZERO };
    (place * 0.5 + 0.5) * size
}

/// Area of the floor that the shadow texture covers: a square whose v axis has the direction of the light.
struct ShadowGround {
    u: Vec3,
    v: Vec3,
    side: f32,
    height: f32,
}

impl ShadowGround {
    const NONE: Self = Self { u: Vec3::ZERO, v: Vec3::ZERO, side: 1.0, height: 1.0 };

    fn new(bounds: &Bounds, floor: f32, key: Vec3) -> Self {
        let along = Vec2::new(key.x, key.y).normalize_or(Vec2::X);
        let across = along.perp();
        let slope = Vec2::new(key.x, key.y) / key.z.max(0.1);
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        for corner in bounds.corners() {
            let height = (corner.z - floor).max(0.0);
            let under = Vec2::new(corner.x, corner.y);
            for point in [under, under - slope * height] {
                let turned = Vec2::new(point.dot(across), point.dot(along));
                low = low.min(turned);
                high = high.max(turned);
            }
        }
        let height = (bounds.max.z - floor).max((high - low).max_element() * 0.25).max(1e-3);
        // Margin for the blur.
        let side = (high - low).max_element() + height * 0.34;
        let corner = (low + high) / 2.0 - side / 2.0;
        Self { u: (across / side).extend(-corner.x / side), v: (along / side).extend(-corner.y / side), side, height }
    }
}
