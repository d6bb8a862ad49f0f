//! The neutral description of a model that every writer starts from.
//!
//! Two views of the same thing: [`Rigged`], a mesh bound to joints with [`Clip`]s of joint motion, for the formats that
//! store bones (MDR, MD5), and [`Baked`], the mesh posed once per frame, for those that store vertices (MD2, MD3, MDC).
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
    pub name: String,
    /// Frames per second.
    pub rate: u32,
    pub frames: Vec<Vec<DAffine3>>,
}

/// What all frames of a vertex-animated surface share.
#[derive(Clone, Debug)]
pub struct BakedSurface {
    pub name: String,
    pub material: String,
    pub uvs: Vec<DVec2>,
    pub triangles: Vec<[usize; 3]>,
}

/// One frame of a vertex-animated model.
#[derive(Clone, Debug)]
pub struct BakedFrame {
    pub name: String,
    /// Per surface and vertex: position and unit normal.
    pub points: Vec<Vec<(DVec3, DVec3)>>,
    /// Per tag: its axes and origin.
    pub tags: Vec<DAffine3>,
}

/// A vertex-animated model.
#[derive(Clone, Debug)]
pub struct Baked {
    pub name: String,
    pub surfaces: Vec<BakedSurface>,
    pub tag_names: Vec<String>,
    pub frames: Vec<BakedFrame>,
}

impl BakedFrame {
    /// The smallest box around all vertices.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        bounds(self.points.iter().flatten().map(|point| point.0))
    }
}

impl Rigged {
    /// The smallest box around the mesh in one pose.
    pub fn posed_bounds(&self, pose: &[DAffine3]) -> (DVec3, DVec3) {
        let to_model = skin_matrices(&self.joints, pose);
        let vertices = self.surfaces.iter().flat_map(|surface| &surface.vertices);
        bounds(vertices.map(|vertex| skinned(vertex, &to_model).0))
    }

    /// Poses the mesh in every frame of the clips, one clip after another, frames named `run01`, `run02`, …
    pub fn bake(&self, clips: &[Clip]) -> Baked {
        let frames = clips.iter().flat_map(|clip| {
            (clip.frames.iter().enumerate())
                .map(|(index, pose)| self.baked_frame(format!("{}{:02}", clip.name, index + 1), pose))
        });
        Baked {
            name: self.name.clone(),
            surfaces: (self.surfaces.iter())
                .map(|surface| BakedSurface {
                    name: surface.name.clone(),
                    material: surface.material.clone(),
                    uvs: surface.vertices.iter().map(|vertex| vertex.uv).collect(),
                    triangles: surface.triangles.clone(),
                })
                .collect(),
            tag_names: self.tags.iter().map(|tag| tag.name.clone()).collect(),
            frames: frames.collect(),
        }
    }

    fn baked_frame(&self, name: String, pose: &[DAffine3]) -> BakedFrame {
        let to_model = skin_matrices(&self.joints, pose);
        let points = (self.surfaces.iter())
            .map(|surface| surface.vertices.iter().map(|vertex| skinned(vertex, &to_model)).collect())
            .collect();
        BakedFrame { name, points, tags: self.tags.iter().map(|tag| pose[tag.joint]).collect() }
    }
}

/// Per joint, the matrix that takes a bind-pose position to the posed one.
fn skin_matrices(joints: &[Joint], pose: &[DAffine3]) -> Vec<DAffine3> {
    joints.iter().zip(pose).map(|(joint, posed)| *posed * joint.bind.inverse()).collect()
}

fn skinned(vertex: &Vertex, to_model: &[DAffine3]) -> (DVec3, DVec3) {
    let mut position = DVec3::ZERO;
    let mut normal = DVec3::ZERO;
    for &(joint, share) in &vertex.weights {
        position += share * to_model[joint].transform_point3(vertex.position);
        normal += share * to_model[joint].transform_vector3(vertex.normal);
    }
    (position, normal.normalize_or(DVec3::Z))
}

fn bounds(positions: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    positions.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}
