//! Simple models whose rendering is easy to describe.

use maquette_core::glam::{Vec2, Vec3};
use maquette_core::model::{
    Format, FrameInfo, Model, ModelParts, MorphMotion, MorphTrack, Motion, PackedVertices, ShortVertex, Surface,
    TagFrame, TagTrack,
};
use maquette_core::pose::{Pose, Sampling, sample};

/// A surface.
pub struct Shape {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    pub triangles: Vec<[u32; 3]>,
}

/// Returns a square of side 2 about `middle` that faces +X, with an upright texture.
pub fn square(middle: Vec3) -> Shape {
    let corners = [[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]];
    Shape {
        positions: corners.map(|[y, z]| middle + Vec3::new(0.0, y, z)).to_vec(),
        normals: vec![Vec3::X; 4],
        uvs: corners.map(|[y, z]| Vec2::new((y + 1.0) / 2.0, (1.0 - z) / 2.0)).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

/// Returns a ball about the origin.
pub fn ball(radius: f32) -> Shape {
    let (around, up) = (24_u32, 12_u32);
    let mut shape = Shape { positions: vec![], normals: vec![], uvs: vec![], triangles: vec![] };
    for row in 0..=up {
        for column in 0..=around {
            let uv = Vec2::new(column as f32 / around as f32, row as f32 / up as f32);
            let (longitude, latitude) = (uv.x * std::f32::consts::TAU, (0.5 - uv.y) * std::f32::consts::PI);
            let normal = Vec3::new(longitude.cos() * latitude.cos(), longitude.sin() * latitude.cos(), latitude.sin());
            shape.positions.push(normal * radius);
            shape.normals.push(normal);
            shape.uvs.push(uv);
            if row < up && column < around {
                let corner = row * (around + 1) + column;
                let below = corner + around + 1;
                shape.triangles.extend([[corner, corner + 1, below + 1], [corner, below + 1, below]]);
            }
        }
    }
    shape
}

/// Returns a model of `shapes` with tags by name and position, and its only pose.
pub fn model(shapes: &[Shape], tags: &[(&str, Vec3)]) -> (Model, Pose) {
    let track = |shape: &Shape| {
        let stored = shape.positions.iter().map(|position| ShortVertex {
            position: (*position * 64.0).to_array().map(|value| value.round() as i16),
            normal: 0,
        });
        let vertices = PackedVertices::Shorts(stored.collect());
        MorphTrack { stored: shape.positions.len() as u32, frame_count: 1, remap: None, vertices }
    };
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let model = Model::new(ModelParts {
        format: Format::Md3,
        version: Some(15),
        name: "shapes".to_owned(),
        surfaces: shapes
            .iter()
            .map(|shape| Surface { triangles: shape.triangles.clone(), uvs: shape.uvs.clone(), ..Surface::default() })
            .collect(),
        frames: vec![FrameInfo::default()],
        tags: tags.iter().map(|(name, _)| (*name).to_owned()).collect(),
        clips: vec![],
        alternative_clips: vec![],
        skins: vec![],
        motion: Motion::Morph(MorphMotion {
            surfaces: shapes.iter().map(track).collect(),
            tags: TagTrack::Axes(tags.iter().map(|(_, origin)| TagFrame { origin: *origin, axes }).collect()),
        }),
        data: Default::default(),
        details: Vec::new(),
    })
    .expect("the shapes are sound");
    let mut pose = Pose::default();
    sample(&model, &Sampling::default(), &mut pose);
    // Use the given normals, without the rounding of MD3.
    for (posed, shape) in pose.surfaces.iter_mut().zip(shapes) {
        posed.normals.clone_from(&shape.normals);
    }
    (model, pose)
}
