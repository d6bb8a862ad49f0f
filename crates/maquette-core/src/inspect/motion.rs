//! Paths of vertices, tags and joints over all frames.

use glam::Vec3;

use crate::limits::MAX_REPORTED_VERTICES;
use crate::model::Model;
use crate::pose::{FrameBlend, Pose, Sampling, angles, sample};

/// Point of a model that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// Vertex of a surface.
    Vertex {
        /// Index of the surface.
        surface: usize,
        /// Index of the vertex.
        vertex: usize,
    },
    /// Tag, by its index.
    Tag(usize),
    /// Joint, by its index.
    Joint(usize),
}

/// Positions of a point in every frame, in model space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Position per frame, in units.
    pub positions: Vec<Vec3>,
    /// Pitch, yaw and roll per frame in degrees, without jumps from 180 to −180; empty for a vertex.
    pub angles: Vec<Vec3>,
}

impl Track {
    /// Computes the path. `None` if the point does not exist, or posing would exceed [`MAX_REPORTED_VERTICES`].
    #[must_use]
    pub fn compute(model: &Model, point: Point) -> Option<Self> {
        let frames = model.frames().len();
        // Tags and joints need no surfaces, so use a LOD that does not exist.
        let lod = match point {
            Point::Vertex { surface, .. } => {
                let lod = model.surfaces().get(surface)?.lod;
                let of_level = model.surfaces().iter().filter(|surface| surface.lod == lod);
                let vertices: usize = of_level.map(crate::model::Surface::vertex_count).sum();
                if vertices.saturating_mul(frames) > MAX_REPORTED_VERTICES {
                    return None;
                }
                lod
            }
            _ => u32::MAX,
        };
        let mut pose = Pose::default();
        let mut track = Self::default();
        for frame in 0..frames {
            let blend = FrameBlend::single(u32::try_from(frame).ok()?);
            sample(model, &Sampling { blend, lod, ..Sampling::default() }, &mut pose);
            let frame = match point {
                Point::Vertex { surface, vertex } => {
                    track.positions.push(*pose.surfaces.get(surface)?.positions.get(vertex)?);
                    continue;
                }
                Point::Tag(tag) => pose.tags.get(tag)?,
                Point::Joint(joint) => pose.joints.get(joint)?,
            };
            track.positions.push(frame.translation.into());
            let turned = angles(&frame.matrix3);
            let last = track.angles.last().copied().unwrap_or(turned);
            track.angles.push(turned + ((last - turned) / 360.0).round() * 360.0);
        }
        Some(track)
    }

    /// Summarises the frames `first..end` at `rate` frames per second.
    pub fn summary(&self, first: usize, end: usize, rate: f32) -> Summary {
        let positions = self.positions.get(first..end.min(self.positions.len())).unwrap_or_default();
        let mut summary = Summary::default();
        let Some(start) = positions.first() else { return summary };
        for (index, position) in positions.iter().enumerate() {
            let away = position.distance(*start);
            if away > summary.furthest.distance {
                summary.furthest = FramePeak { frame: first + index, distance: away };
            }
        }
        for (index, pair) in positions.windows(2).enumerate() {
            let [from, to] = [pair[0], pair[1]];
            let step = from.distance(to);
            summary.length += step;
            if step > summary.largest_step.distance {
                summary.largest_step = FramePeak { frame: first + index + 1, distance: step };
            }
        }
        summary.fastest = summary.largest_step.distance * rate;
        for (index, step) in slides(positions) {
            summary.sliding += step;
            if step > summary.largest_slide.distance {
                summary.largest_slide = FramePeak { frame: first + index + 1, distance: step };
            }
        }
        summary
    }
}

/// Summary of a path in a range of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Length of the path in units.
    pub length: f32,
    /// Frame with the largest distance from the first position.
    pub furthest: FramePeak,
    /// Frame with the largest distance from the previous frame.
    pub largest_step: FramePeak,
    /// Speed of that step in units per second.
    pub fastest: f32,
    /// Distance slid along the ground in units; see `slides`.
    pub sliding: f32,
    /// Frame with the largest slide from the previous frame.
    pub largest_slide: FramePeak,
}

/// Frame and a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FramePeak {
    /// Index of the frame in the model.
    pub frame: usize,
    /// Distance in units.
    pub distance: f32,
}

/// Height below which a point counts as on the ground, as a fraction of its vertical range.
const GROUND: f32 = 0.1;

/// Returns the distances slid in X and Y in steps that begin and end on the ground, with the index of the first frame
/// of each step. In a walk on the spot, their sum is the distance that the game moves the model. A standing foot should
/// not slide.
fn slides(positions: &[Vec3]) -> impl Iterator<Item = (usize, f32)> {
    let min = positions.iter().map(|position| position.z).fold(f32::INFINITY, f32::min);
    let max = positions.iter().map(|position| position.z).fold(f32::NEG_INFINITY, f32::max);
    let ground = min + (max - min) * GROUND;
    let steps = positions.windows(2).enumerate();
    let steps = steps.filter(move |(_, pair)| pair[0].z <= ground && pair[1].z <= ground);
    steps.map(|(index, pair)| (index, (pair[1] - pair[0]).truncate().length()))
}
