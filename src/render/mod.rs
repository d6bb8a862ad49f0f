//! Poses become pictures: models drawn with wgpu. (The window's surface and egui's own drawing are the application's.)
//!
//! A [`Gpu`] is a device, a [`Target`] what is drawn into, a [`Renderer`] keeps what never moves of each part on the
//! device, and a [`RenderRequest`] is one picture: what stands where, how it is shown, and from where it is looked at. The window
//! shows the target inside egui, the command line saves it: one way of drawing for both.

#![forbid(unsafe_code)]

mod blend_states;
mod buffers;
mod checker;
mod colormap;
mod default_textures;
mod edges;
mod frame;
mod ghosts;
mod gpu;
mod layouts;
mod lines;
mod outline;
mod part;
mod pipeline_key;
mod pipelines;
mod renderer;
mod shadow;
mod stages;
mod static_geometry_upload;
mod studio;
mod target;
mod texture;
mod texture_cache;

use glam::{Affine3A, Vec3};
use image::RgbaImage;

use maquette_core::model::Model;
use maquette_core::pose::Pose;
use maquette_scene::scene::{Camera, Display, EntityId, Overlay};

pub use frame::{Frame, PartUniform, SurfaceUniform};
pub use ghosts::GhostUniform;
pub use gpu::{Gpu, GpuError};
pub use renderer::Renderer;
pub use stages::StageUniform;
pub use target::Target;
pub use texture::Slice;

/// One model on the stage.
#[derive(Clone, Copy, Debug)]
pub struct PartDraw<'a> {
    /// As it was uploaded; a part that was not is not drawn.
    pub id: EntityId,
    /// The model that was uploaded.
    pub model: &'a Model,
    /// The model at a moment, sampled at `lod`.
    pub pose: &'a Pose,
    /// Level of detail: which surfaces are drawn.
    pub lod: u32,
    /// Per surface, whether it is drawn; surfaces beyond the end are.
    pub visible: &'a [bool],
    /// Per surface, whether it is outlined as selected; surfaces beyond the end are not.
    pub outlined: &'a [bool],
    /// Model space to the world's.
    pub world_from_model: Affine3A,
}

/// A part as it stands at another moment: flat and transparent, behind everything.
#[derive(Clone, Copy, Debug)]
pub struct GhostDraw<'a> {
    /// The part, with the pose and the place of that moment.
    pub part: PartDraw<'a>,
    /// Steps from the frame shown: negative before, positive after.
    pub steps: i32,
    /// How strongly it is seen, from 1 next to the frame shown down to 0.
    pub strength: f32,
}

/// One picture.
#[derive(Clone, Copy, Debug)]
pub struct RenderRequest<'a> {
    /// From where it is looked at.
    pub camera: &'a Camera,
    /// What stands on the stage.
    pub parts: &'a [PartDraw<'a>],
    /// The same at other moments, the farthest first; those of one moment side by side.
    pub ghosts: &'a [GhostDraw<'a>],
    /// What is laid over it.
    pub lines: &'a Overlay,
    /// How it is shown.
    pub display: &'a Display,
    /// Pixels per point: line widths are in points.
    pub pixels_per_point: f32,
    /// Seconds on the clock of moving materials.
    pub seconds: f64,
    /// Height of the ground, z in units.
    pub floor: f32,
    /// Radius of the scene about `centre`, in units.
    pub radius: f32,
    /// Middle of the scene.
    pub centre: Vec3,
}

/// Draws one picture of `width` × `height` pixels and brings it into memory, with straight alpha.
pub fn snapshot(
    gpu: &Gpu,
    renderer: &mut Renderer,
    shot: &RenderRequest<'_>,
    width: u32,
    height: u32,
) -> Result<RgbaImage, GpuError> {
    let longest = gpu.longest_side();
    if width == 0 || height == 0 || width > longest || height > longest {
        return Err(GpuError(format!(
            "A picture of {width} × {height} pixels cannot be drawn: sides must be 1 to {longest}"
        )));
    }
    let target = Target::new(gpu, width, height, gpu.samples(true));
    renderer.draw(gpu, shot, &target);
    let picture = target.read_back(gpu)?;
    gpu.take_trouble().map_or(Ok(picture), |trouble| Err(GpuError(trouble)))
}
