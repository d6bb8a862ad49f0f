//! Motion as vertices of every frame, for morph targets that move and for models without joints.

use glam::{Affine3A, DAffine3, Mat3A, Vec3, Vec3A};

use super::frames::{FrameTime, Frames, NodePose, SampledMotion};
use super::joints::cofactors;
use super::{LoadedScene, Part};
use crate::budget::Budget;
use crate::error::WarningKind;
use crate::limits::{MAX_BAKED_VERTICES, MAX_COORDINATE, MAX_POSED_VERTICES};
use crate::model::{
    Bounds, FloatVertex, MorphMotion, MorphTrack, Motion, PackedVertices, Surface, TagFrame, TagTrack, are_usable,
    face_normal, u32_or_max,
};
use crate::pose::PosedSurface;

/// Bytes of a file for each vertex and frame beyond [`MAX_BAKED_VERTICES`].
const BYTES_EACH: usize = 4;

/// Converts a transform to the precision of models. Transforms beyond the range of coordinates become the identity.
pub(super) fn single(transform: &DAffine3) -> Affine3A {
    let DAffine3 { matrix3, translation } = *transform;
    let single = Affine3A { matrix3: Mat3A::from(matrix3.as_mat3()), translation: Vec3A::from(translation.as_vec3()) };
    if are_usable(&single.to_cols_array()) { single } else { Affine3A::IDENTITY }
}

/// Returns a position, or the origin if it is beyond the range of coordinates.
pub(super) fn usable(position: Vec3) -> Vec3 {
    if position.abs().cmple(Vec3::splat(MAX_COORDINATE)).all() { position } else { Vec3::ZERO }
}

/// Returns the normal of each vertex of triangles that share no vertices.
pub(super) fn flat_normals(triangles: &[[u32; 3]], positions: &[Vec3]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::Z; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| positions.get(corner as usize).copied().unwrap_or_default());
        let normal = face_normal(a, b, c).normalize_or(Vec3::Z);
        for corner in corners {
            if let Some(to) = normals.get_mut(*corner as usize) {
                *to = normal;
            }
        }
    }
    normals
}

/// Returns whether a part moves in any frame.
fn moves(loaded: &LoadedScene, part: &Part) -> bool {
    loaded.is_morphing(part) || part.skin.is_some() || loaded.moved.get(part.node as usize) == Some(&true)
}

/// Returns the number of frames that the vertices of the moving parts allow.
pub(super) fn limit(loaded: &LoadedScene, bytes: usize) -> usize {
    let moving = loaded.parts.iter().filter(|part| moves(loaded, part)).map(|part| part.shape.positions.len());
    MAX_BAKED_VERTICES.max(bytes / BYTES_EACH) / moving.sum::<usize>().max(1)
}

/// Builds the model with the vertices of every frame.
pub(super) fn build(loaded: &LoadedScene, surfaces: &[Surface], frames: Frames) -> SampledMotion {
    let mut posed = NodePose::new(loaded);
    let mut tracks: Vec<MorphTrack> = Vec::new();
    let moving: Vec<bool> = loaded.parts.iter().map(|part| moves(loaded, part)).collect();
    let mut bounds = Bounds::EMPTY;
    let mut bake =
        Bake { morphed: PosedSurface::default(), work: Budget::new(MAX_POSED_VERTICES as u64), is_cut: false };
    let mut tags = Vec::new();
    let times = std::iter::once(None).chain(frames.times.iter().copied().map(Some));
    for (number, time) in times.enumerate() {
        posed.pose(loaded, &frames.nodes, time);
        for (index, (part, surface)) in loaded.parts.iter().zip(surfaces).enumerate() {
            if number == 0 {
                let stored = u32_or_max(part.shape.positions.len());
                let vertices = PackedVertices::Floats(Vec::new());
                tracks.push(MorphTrack { stored, frame_count: 0, remap: None, vertices });
            } else if moving.get(index) != Some(&true) {
                continue;
            }
            let Some(MorphTrack { frame_count, vertices: PackedVertices::Floats(vertices), .. }) =
                tracks.get_mut(index)
            else {
                continue;
            };
            let first = vertices.len();
            bake.pose(loaded, part, surface, &mut posed, time, vertices);
            *frame_count += 1;
            if number == 0 {
                let rest = vertices.get(first..).unwrap_or_default();
                bounds = bounds.union(Bounds::from_points(rest.iter().map(|vertex| vertex.position)));
            }
        }
        tags.extend(loaded.scene.tags.iter().map(|tag| {
            let world = posed.worlds.get(tag.node as usize).copied().unwrap_or_default();
            let own = loaded.model_from(&world);
            let axes = single(&DAffine3 { matrix3: own.matrix3 * loaded.axes_of(tag), ..own });
            let Affine3A { matrix3, translation } = axes;
            let axes =
                [matrix3.x_axis, matrix3.y_axis, matrix3.z_axis].map(|axis| Vec3::from(axis).normalize_or_zero());
            TagFrame { origin: translation.into(), axes }
        }));
    }
    if bake.is_cut {
        let message = "the morph targets need too much work; those of later frames are skipped";
        loaded.data.warn(WarningKind::LeftOut, "animations", message);
    }
    let motion = MorphMotion { surfaces: tracks, tags: TagTrack::Axes(tags) };
    SampledMotion::new(Motion::Morph(motion), frames, bounds)
}

/// Poses of one part at a time.
struct Bake {
    /// Vertices with the offsets of morph targets. The lists are reused.
    morphed: PosedSurface,
    /// Vertices of morph targets that may still be added.
    work: Budget,
    is_cut: bool,
}

impl Bake {
    /// Appends the vertices of a part at a time.
    fn pose(
        &mut self,
        loaded: &LoadedScene,
        part: &Part,
        surface: &Surface,
        posed: &mut NodePose,
        time: Option<FrameTime>,
        out: &mut Vec<FloatVertex>,
    ) {
        let mut weights = posed.weights(loaded, part, time);
        weights.retain(|(target, _)| (*target as usize) < part.shape.targets.len());
        if self.work.take(weights.len() as u64 * part.shape.positions.len() as u64).is_err() {
            self.is_cut = true;
            weights.clear();
        }
        let (positions, normals) = part.shape.morphed(&weights, &mut self.morphed);
        let first = out.len();
        // Spare capacity would remain, because most parts have one frame.
        if first == 0 {
            out.reserve_exact(positions.len());
        }
        let vertex = |position: Vec3, normal: Vec3| FloatVertex {
            position: usable(position),
            normal: normal.normalize_or(Vec3::Z),
        };
        let pairs = positions.iter().zip(normals.iter().copied().chain(std::iter::repeat(Vec3::ZERO)));
        let world = |node: u32| posed.worlds.get(node as usize).copied().unwrap_or_default();
        let skin = part.skin.and_then(|skin| loaded.skins.get(&skin));
        match (skin, &part.shape.influences) {
            (Some(skin), Some(influences)) => {
                let joints: Vec<DAffine3> = skin
                    .joints
                    .iter()
                    .zip(&skin.inverses)
                    .map(|(node, inverse)| loaded.model_from(&world(*node)) * *inverse)
                    .collect();
                let joints: Vec<Affine3A> = joints.iter().map(single).collect();
                out.extend(pairs.enumerate().map(|(index, (position, normal))| {
                    let mut sum = Affine3A::ZERO;
                    for (joint, share) in influences.of(index) {
                        let own = joints.get(*joint as usize).copied().unwrap_or_default();
                        sum.matrix3 += own.matrix3 * *share;
                        sum.translation += own.translation * *share;
                    }
                    let turn = cofactors(&glam::Mat3::from(sum.matrix3).as_dmat3());
                    vertex(sum.transform_point3(*position), turn * normal)
                }));
            }
            _ => {
                let own = loaded.model_from(&world(part.node));
                let turn = cofactors(&own.matrix3);
                let own = single(&own);
                out.extend(pairs.map(|(position, normal)| vertex(own.transform_point3(*position), turn * normal)));
            }
        }
        if part.shape.normals.is_none() {
            let posed = out.get_mut(first..).unwrap_or_default();
            let positions: Vec<Vec3> = posed.iter().map(|vertex| vertex.position).collect();
            let normals = flat_normals(&surface.triangles, &positions);
            posed.iter_mut().zip(normals).for_each(|(vertex, normal)| vertex.normal = normal);
        }
    }
}
