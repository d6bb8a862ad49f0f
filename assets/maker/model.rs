//! The description of the sample model that both writers start from: a mesh bound to joints, and clips of joint motion.
//!
//! Axes as in the games: X forward, Y left, Z up; triangles run clockwise seen from outside; texture (0, 0) is top left.

use glam::{DAffine3, DVec2, DVec3};

/// A vertex in the bind pose.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Position in model space, game units.
    pub position: DVec3,
    /// Unit normal in model space.
    pub normal: DVec3,
    /// Texture coordinate, 0 to 1, origin top left.
    pub uv: DVec2,
    /// Joint indices and their shares, which sum to 1.
    pub weights: Vec<(usize, f64)>,
}

/// A part of the mesh drawn with one material.
#[derive(Clone, Debug)]
pub struct Surface {
    pub name: String,
    /// Path of the texture, with its extension, relative to the game's root.
    pub material: String,
    pub vertices: Vec<Vertex>,
    /// Clockwise seen from outside.
    pub triangles: Vec<[usize; 3]>,
}

/// A joint and where it is in the bind pose.
#[derive(Clone, Debug)]
pub struct Joint {
    pub name: String,
    /// Always a smaller index than the joint's own.
    pub parent: Option<usize>,
    /// Joint space to model space in the bind pose.
    pub bind: DAffine3,
}

/// A named place that rides on a joint, for other models to be attached to.
#[derive(Clone, Debug)]
pub struct Tag {
    pub name: String,
    pub joint: usize,
}

/// A skinned model.
#[derive(Clone, Debug)]
pub struct Rigged {
    pub name: String,
    pub surfaces: Vec<Surface>,
    pub joints: Vec<Joint>,
    pub tags: Vec<Tag>,
}

/// One motion: for every frame, each joint's matrix from joint space to model space.
#[derive(Clone, Debug)]
pub struct Clip {
    /// Frames per second.
    pub rate: u32,
    pub frames: Vec<Vec<DAffine3>>,
}

impl Rigged {
    /// The smallest box around the mesh in one pose.
    pub fn posed_bounds(&self, pose: &[DAffine3]) -> (DVec3, DVec3) {
        let to_model = skin_matrices(&self.joints, pose);
        let vertices = self.surfaces.iter().flat_map(|surface| &surface.vertices);
        vertices
            .map(|vertex| skinned(vertex, &to_model))
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
    }
}

/// Per joint, the matrix that takes a bind-pose position to the posed one.
fn skin_matrices(joints: &[Joint], pose: &[DAffine3]) -> Vec<DAffine3> {
    joints.iter().zip(pose).map(|(joint, posed)| *posed * joint.bind.inverse()).collect()
}

fn skinned(vertex: &Vertex, to_model: &[DAffine3]) -> DVec3 {
    vertex.weights.iter().map(|&(joint, share)| share * to_model[joint].transform_point3(vertex.position)).sum()
}
