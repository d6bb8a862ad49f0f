//! Where a vertex, a tag or a joint is in every frame, and what that comes to.

use glam::Vec3;

use crate::limits::MAX_REPORTED_VERTICES;
use crate::model::Model;
use crate::pose::{FrameBlend, Pose, Sampling, angles, sample};

/// Something that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// A vertex of a surface.
    Vertex {
        /// The surface.
        surface: usize,
        /// Its vertex.
        vertex: usize,
    },
    /// A tag.
    Tag(usize),
    /// A joint.
    Joint(usize),
}

/// Where something is in every frame of its model, in model space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// A place per frame, in units.
    pub places: Vec<Vec3>,
    /// Pitch, yaw and roll per frame in degrees, without the jumps from 180 to −180; empty for a vertex.
    pub angles: Vec<Vec3>,
}

impl Track {
    /// Follows something through all frames of a model. None if it is not there, or, for a vertex, if that would mean to
    /// place more than [`MAX_REPORTED_VERTICES`].
    #[must_use]
    pub fn of(model: &Model, point: Point) -> Option<Self> {
        let frames = model.frames().len();
        // Tags and joints are had without any surface: there is no such level of detail.
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
            let blend = FrameBlend::still(u32::try_from(frame).ok()?);
            sample(model, &Sampling { blend, lod, ..Sampling::default() }, &mut pose);
            let frame = match point {
                Point::Vertex { surface, vertex } => {
                    track.places.push(*pose.surfaces.get(surface)?.positions.get(vertex)?);
                    continue;
                }
                Point::Tag(tag) => pose.tags.get(tag)?,
                Point::Joint(joint) => pose.joints.get(joint)?,
            };
            track.places.push(frame.translation.into());
            let turned = angles(&frame.matrix3);
            let last = track.angles.last().copied().unwrap_or(turned);
            track.angles.push(turned + ((last - turned) / 360.0).round() * 360.0);
        }
        Some(track)
    }

    /// What the track comes to in the frames `first` to `end` (not included), at so many frames per second.
    #[must_use]
    pub fn summary(&self, first: usize, end: usize, rate: f32) -> Summary {
        let places = self.places.get(first..end.min(self.places.len())).unwrap_or_default();
        let mut summary = Summary::default();
        let Some(start) = places.first() else { return summary };
        for (index, place) in places.iter().enumerate() {
            let away = place.distance(*start);
            if away > summary.furthest.distance {
                summary.furthest = FramePeak { frame: first + index, distance: away };
            }
        }
        for (index, pair) in places.windows(2).enumerate() {
            let [from, to] = [pair[0], pair[1]];
            let step = from.distance(to);
            summary.length += step;
            if step > summary.largest_step.distance {
                summary.largest_step = FramePeak { frame: first + index + 1, distance: step };
            }
        }
        summary.fastest = summary.largest_step.distance * rate;
        summary.sliding = sliding(places);
        summary
    }
}

/// What a track comes to in a range of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Length of the whole way, in units.
    pub length: f32,
    /// The frame in which it is furthest from where it was in the first one.
    pub furthest: FramePeak,
    /// The frame to which it moves furthest from the one before.
    pub largest_step: FramePeak,
    /// Units per second in that step.
    pub fastest: f32,
    /// Units that it slides along the ground: see `sliding`.
    pub sliding: f32,
}

/// A frame, and a distance in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FramePeak {
    /// Which frame of the model.
    pub frame: usize,
    /// In units.
    pub distance: f32,
}

/// Height above the lowest place within which something counts as standing on the ground, as a share of how far it
/// rises.
const GROUND: f32 = 0.1;

/// Units that a foot slides: along the ground, X and Y alone, in the steps that begin and end near the lowest place of the
/// track. What walks on the spot slides as far as the game moves it; what stands should not slide at all.
fn sliding(places: &[Vec3]) -> f32 {
    let least = places.iter().map(|place| place.z).fold(f32::INFINITY, f32::min);
    let most = places.iter().map(|place| place.z).fold(f32::NEG_INFINITY, f32::max);
    let ground = least + (most - least) * GROUND;
    let steps = places.windows(2).filter(|pair| pair[0].z <= ground && pair[1].z <= ground);
    steps.map(|pair| (pair[1] - pair[0]).truncate().length()).sum()
}
