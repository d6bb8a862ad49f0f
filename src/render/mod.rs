//! Rendering of poses with wgpu. The application draws the window's surface and the egui panels.
//!
//! A [`Gpu`] is a device, and a [`Target`] is an image to draw into. A [`Renderer`] keeps the static data of each part
//! on the device. A [`RenderRequest`] describes one image: parts, display options and camera. The window shows the
//! target inside egui, and the command line saves it.

#![forbid(unsafe_code)]

mod blend_states;
mod checker;
mod colormap;
mod default_textures;
mod edges;
mod frame;
mod game_lights;
mod gpu;
mod layouts;
mod overdraw;
mod part;
mod pass;
mod pipelines;
mod renderer;
mod resources;
mod samples;
mod stages;
mod static_geometry_upload;
mod studio;
mod tangents;
mod target;
mod texture;
mod texture_cache;

use glam::{Affine3A, Vec3};
use image::RgbaImage;

use maquette_assets::engines::LightRule;
use maquette_core::model::Model;
use maquette_core::pose::Pose;
use maquette_scene::scene::{Camera, Display, EntityId, Overlay};

pub use frame::{Frame, PartUniform, SurfaceUniform};
pub use game_lights::GameLightUniform;
pub use gpu::{Gpu, GpuError};
pub use pass::ghosts::GhostUniform;
pub use renderer::Renderer;
pub use stages::StageUniform;
pub use target::Target;
pub use texture::UploadBudget;

/// Part of a scene to draw.
#[derive(Clone, Copy, Debug)]
pub struct PartDraw<'a> {
    /// Identifier of the uploaded part. Parts without an upload are not drawn.
    pub id: EntityId,
    /// Uploaded model.
    pub model: &'a Model,
    /// Pose of the model, sampled at `lod`.
    pub pose: &'a Pose,
    /// Level of detail to draw.
    pub lod: u32,
    /// Whether each surface is drawn. Surfaces without an entry are drawn.
    pub visible: &'a [bool],
    /// Whether each surface is outlined as selected. Surfaces without an entry are not outlined.
    pub outlined: &'a [bool],
    /// Transform from model space to world space.
    pub world_from_model: Affine3A,
    /// Light of the in-game look.
    pub light: &'static LightRule,
}

/// Ghost of a part at another frame: flat, transparent and behind all parts.
#[derive(Clone, Copy, Debug)]
pub struct GhostDraw<'a> {
    /// Part with the pose and the transform of that frame.
    pub part: PartDraw<'a>,
    /// Frame offset from the current frame: negative before, positive after.
    pub steps: i32,
    /// Strength, from 1 next to the current frame down to 0.
    pub strength: f32,
}

/// Description of one image.
#[derive(Clone, Copy, Debug)]
pub struct RenderRequest<'a> {
    /// Camera of the view.
    pub camera: &'a Camera,
    /// Parts of the scene.
    pub parts: &'a [PartDraw<'a>],
    /// Ghosts of the parts, grouped by frame, the farthest frame first.
    pub ghosts: &'a [GhostDraw<'a>],
    /// Overlay lines.
    pub lines: &'a Overlay,
    /// Display options.
    pub display: &'a Display,
    /// Pixels per point. Line widths are in points.
    pub pixels_per_point: f32,
    /// Time of animated materials in seconds.
    pub seconds: f64,
    /// Height of the floor: z in units.
    pub floor: f32,
    /// Radius of the scene around `centre`, in units.
    pub radius: f32,
    /// Centre of the scene.
    pub centre: Vec3,
}

/// Draws an image of `width` × `height` pixels and reads it back with straight alpha.
pub fn snapshot(
    gpu: &Gpu,
    renderer: &mut Renderer,
    request: &RenderRequest<'_>,
    width: u32,
    height: u32,
) -> Result<RgbaImage, GpuError> {
    let longest = gpu.longest_side();
    if width == 0 || height == 0 || width > longest || height > longest {
        return Err(GpuError::Size(width, height, longest));
    }
    let target = Target::new(gpu, width, height, gpu.samples(true));
    renderer.draw(gpu, request, &target);
    let image = target.read_back(gpu)?;
    gpu.take_error().map_or(Ok(image), Err)
}
