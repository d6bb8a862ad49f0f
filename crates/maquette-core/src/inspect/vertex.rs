//! Details of a vertex.

use glam::{Affine3A, Vec2, Vec3};

use crate::model::{Model, MorphTrack, Motion, PackedVertices, SkeletalMotion, Weight, face_normal};
use crate::pose::PosedSurface;

/// Details of a vertex in a posed frame.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexInfo {
    /// Index of the stored vertex. In MD2, several vertices may share one.
    pub number: usize,
    /// Position in model space, in units.
    pub position: Vec3,
    /// Unit normal in model space, as drawn.
    pub normal: Vec3,
    /// Stored values in the frame; `None` for skeletal models, which store weights.
    pub stored: Option<StoredVertex>,
    /// Position in the bind pose, in units; `None` without a bind pose.
    pub bind: Option<Vec3>,
    /// Texture coordinates; (0, 0) is the top-left texel.
    pub uv: Vec2,
    /// Normalised sum of the unit normals of all triangles at the position; `None` without triangles of non-zero area.
    pub computed_normal: Option<Vec3>,
    /// Weights of the vertex, largest first.
    pub weights: Vec<Weight>,
    /// Triangles of the surface with this corner.
    pub triangles: Vec<usize>,
}

impl VertexInfo {
    /// Returns the angle between the drawn and the computed normal in degrees.
    pub fn normal_deviation(&self) -> Option<f32> {
        self.computed_normal.map(|computed| self.normal.angle_between(computed).to_degrees())
    }

    /// Returns the sum of the weights; 1 in a valid file, 0 without weights.
    pub fn weight_sum(&self) -> f32 {
        self.weights.iter().map(|weight| weight.bias).sum()
    }
}

/// Vertex as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredVertex {
    /// MD2: three bytes within the frame's box, and an index into the 162 normals.
    Bytes {
        /// Steps along the axes.
        position: [u8; 3],
        /// Index of the normal.
        normal: u8,
    },
    /// MD3 and MDC base frames: steps of 1/64 unit, and a packed normal.
    Shorts {
        /// Steps along the axes.
        position: [i16; 3],
        /// Zenith in the low byte, azimuth in the high byte.
        normal: u16,
    },
    /// MDC compressed frames: an offset from the vertex of a base frame.
    Delta {
        /// Vertex of the base frame.
        base: [i16; 3],
        /// Offset in steps of 0.05 units, biased by 127.
        offset: [u8; 3],
        /// Index into the 256 normals.
        normal: u8,
    },
}

/// Returns the details of a posed vertex, with the stored values of `frame`. `None` if it does not exist or is not
/// posed.
pub fn vertex(model: &Model, surface: usize, posed: &PosedSurface, vertex: usize, frame: usize) -> Option<VertexInfo> {
    let single = model.surfaces().get(surface)?;
    let (position, normal) = (*posed.positions.get(vertex)?, *posed.normals.get(vertex)?);
    let number = u32::try_from(vertex).ok()?;
    let touches = |corners: &[u32; 3]| corners.contains(&number);
    let triangles = single.triangles.iter().enumerate().filter(|(_, corners)| touches(corners));
    let (stored_number, stored, weights, bind) = match model.motion() {
        Motion::Morph(motion) => {
            let track = motion.surfaces.get(surface)?;
            let stored = track.remap.as_ref().map_or(Some(number), |remap| remap.get(vertex).copied())? as usize;
            (stored, stored_vertex(track, stored, frame), Vec::new(), None)
        }
        Motion::Skeletal(motion) => {
            let weights = weights(motion, surface, vertex);
            let bind = motion.bind_pose().map(|joints| bind_position(&joints, &weights));
            (vertex, None, weights, bind)
        }
    };
    Some(VertexInfo {
        number: stored_number,
        position,
        normal,
        stored,
        bind,
        uv: single.uvs.get(vertex).copied()?,
        computed_normal: computed_normal(&single.triangles, &posed.positions, position),
        weights,
        triangles: triangles.map(|(index, _)| index).collect(),
    })
}

fn stored_vertex(track: &MorphTrack, vertex: usize, frame: usize) -> Option<StoredVertex> {
    let stored = track.stored as usize;
    let frame = frame.min((track.frame_count as usize).saturating_sub(1));
    let at = |frame: usize| (vertex < stored).then_some(frame * stored + vertex);
    match &track.vertices {
        PackedVertices::Bytes { vertices, .. } => {
            let [x, y, z, normal] = *vertices.get(at(frame)?)?;
            Some(StoredVertex::Bytes { position: [x, y, z], normal })
        }
        PackedVertices::Shorts(vertices) => {
            let vertex = vertices.get(at(frame)?)?;
            Some(StoredVertex::Shorts { position: vertex.position, normal: vertex.normal })
        }
        // The file stores other numbers.
        PackedVertices::Floats(_) => None,
        PackedVertices::KeyDeltas { keys, deltas, frames } => {
            let entry = frames.get(frame)?;
            let base = keys.get(at(entry.key.into())?)?;
            Some(match entry.delta {
                Some(delta) => {
                    let [x, y, z, normal] = *deltas.get(at(delta.into())?)?;
                    StoredVertex::Delta { base: base.position, offset: [x, y, z], normal }
                }
                None => StoredVertex::Shorts { position: base.position, normal: base.normal },
            })
        }
    }
}

/// Returns the weights of a vertex, largest first.
pub(crate) fn weights(motion: &SkeletalMotion, surface: usize, vertex: usize) -> Vec<Weight> {
    let Some(binding) = motion.bindings.get(surface) else { return Vec::new() };
    let own = binding.weights_of(binding.vertices.get(vertex).copied().unwrap_or_default());
    let mut weights = own.to_vec();
    weights.sort_by(|one, other| other.bias.total_cmp(&one.bias));
    weights
}

fn bind_position(joints: &[Affine3A], weights: &[Weight]) -> Vec3 {
    let offsets = weights
        .iter()
        .filter_map(|weight| Some(joints.get(weight.joint as usize)?.transform_point3(weight.offset) * weight.bias));
    offsets.sum()
}

fn computed_normal(triangles: &[[u32; 3]], positions: &[Vec3], position: Vec3) -> Option<Vec3> {
    let mut sum = Vec3::ZERO;
    for corners in triangles {
        let corner = |index: u32| positions.get(index as usize).copied();
        let [Some(a), Some(b), Some(c)] = corners.map(corner) else { continue };
        if a == position || b == position || c == position {
            sum += face_normal(a, b, c);
        }
    }
    sum.try_normalize()
}
