//! Models of sprites (SPR, SP2): an image for each frame, as two triangles.
//!
//! Games turn most images to the viewer. In the model, such an image is seen from X, with Y to the right. An image that
//! does not turn is seen from behind its entity, with Y to the left. A pixel is a unit.

use glam::{Vec2, Vec3};

use crate::model::{
    Bounds, Clip, Detail, EmbeddedImage, EmbeddedSkin, FloatVertex, Format, FormatData, FrameInfo, ModelParts,
    MorphMotion, MorphTrack, Motion, PackedVertices, Sprite, Surface, TagTrack, u32_or_max,
};

/// Image of a frame, and its edges.
pub(super) struct FrameImage {
    pub name: String,
    /// Edges in units from the origin.
    pub left: f32,
    pub right: f32,
    pub down: f32,
    pub up: f32,
    pub image: EmbeddedImage,
}

impl FrameImage {
    /// Returns the corners: top left, top right, bottom right, bottom left.
    fn corners(&self, sprite: Sprite) -> [Vec3; 4] {
        let side = if sprite.faces_viewer { 1.0 } else { -1.0 };
        let corner = |y: f32, z: f32| Vec3::new(0.0, side * y, z);
        let Self { left, right, down, up, .. } = *self;
        [corner(left, up), corner(right, up), corner(right, down), corner(left, down)]
    }
}

/// Returns the model of images. `materials` are their names.
pub(super) fn into_parts(
    format: Format,
    version: i32,
    sprite: Sprite,
    placed: Vec<FrameImage>,
    clips: Vec<Clip>,
    materials: Vec<String>,
    details: Vec<Detail>,
) -> ModelParts {
    let (mut frames, mut vertices, mut images) = (Vec::new(), Vec::new(), Vec::new());
    for frame in placed {
        let corners = frame.corners(sprite);
        let normal = if sprite.faces_viewer { Vec3::X } else { Vec3::NEG_X };
        vertices.extend(corners.map(|position| FloatVertex { position, normal }));
        let [first, rest @ ..] = corners;
        let bounds = rest.iter().fold(Bounds { min: first, max: first }, |bounds, corner| Bounds {
            min: bounds.min.min(*corner),
            max: bounds.max.max(*corner),
        });
        frames.push(FrameInfo { name: frame.name, bounds: Some(bounds), ..FrameInfo::default() });
        images.push(frame.image);
    }
    let track = MorphTrack {
        stored: 4,
        frame_count: u32_or_max(frames.len()),
        remap: None,
        vertices: PackedVertices::Floats(vertices),
    };
    let surface = Surface {
        materials,
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        uvs: vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y],
        ..Surface::default()
    };
    let skin = EmbeddedSkin { name: "images".to_owned(), images, end_times: Vec::new() };
    ModelParts {
        version: Some(version),
        surfaces: vec![surface],
        frames,
        clips,
        motion: Motion::Morph(MorphMotion { surfaces: vec![track], tags: TagTrack::Axes(Vec::new()) }),
        data: FormatData { embedded_skins: vec![skin], sprite: Some(sprite), ..FormatData::default() },
        details,
        ..ModelParts::empty(format)
    }
}
