//! Error of a converted model after it is written and read again.

use glam::{Affine3A, Vec3};

use super::{Origin, TagOrigin, VertexOrigin};
use crate::limits::MAX_POSED_VERTICES;
use crate::model::Model;
use crate::pose::{FrameBlend, Pose, Sampling, cost_of_frame, frame_step, sample};

/// Largest of several differences, and its location.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaxError {
    /// Size of the difference.
    pub value: f32,
    /// Frame of the converted model.
    pub frame: usize,
    /// Surface or tag of the converted model.
    pub part: usize,
    /// Vertex of the surface.
    pub vertex: usize,
}

/// Differences between a converted model and the original.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// Distance between vertex positions, in units.
    pub position: MaxError,
    /// Angle between normals, in degrees.
    pub normal: MaxError,
    /// Distance between texture coordinates, in texture widths; its frame is 0.
    pub uv: MaxError,
    /// Distance between tags, in units.
    pub tag: MaxError,
    /// Angle between the axes of tags, in degrees.
    pub tag_axes: MaxError,
    /// Distance between measured frames; 1 if all were measured.
    pub frame_step: usize,
}

impl MaxError {
    /// Returns the size of the difference in `unit`: `exact`, `off by up to 0.5911 degrees`.
    pub fn words(&self, unit: &str) -> String {
        if self.value == 0.0 { "exact".to_owned() } else { format!("off by up to {:.4} {unit}", self.value) }
    }

    fn add(&mut self, value: f32, frame: usize, part: usize, vertex: usize) {
        // NaN counts as the largest difference.
        if value > self.value || value.is_nan() {
            *self = Self { value, frame, part, vertex };
        }
    }
}

impl Measured {
    /// Returns the differences of positions and normals in one line.
    pub fn summary(&self) -> String {
        format!("positions {}, normals {}", self.position.words("units"), self.normal.words("degrees"))
    }
}

/// Compares `again`, the model read from the written files, with `original`, whose frames are not blended. Returns `None` if
/// frames, surfaces or vertices do not correspond because the loader skipped something.
pub fn measure(original: &Model, again: &Model, origin: &Origin) -> Option<Measured> {
    let added = again.frames().len().checked_sub(origin.frames.len()).filter(|added| *added <= 1)?;
    let has_same_parts = again.surfaces().len() == origin.surfaces.len()
        && again.surfaces().iter().zip(&origin.surfaces).all(|(surface, own)| surface.vertex_count() == own.len());
    if !has_same_parts {
        return None;
    }
    let cost = cost_of_frame(original) + cost_of_frame(again);
    let frame_step = frame_step(origin.frames.len(), cost, MAX_POSED_VERTICES);
    let mut measured = Measured { frame_step, ..Measured::default() };
    for (part, (surface, own)) in again.surfaces().iter().zip(&origin.surfaces).enumerate() {
        for (vertex, (uv, VertexOrigin { surface, vertex: from })) in surface.uvs.iter().zip(own).enumerate() {
            let original = original.surfaces().get(*surface as usize)?.uvs.get(*from as usize)?;
            measured.uv.add(uv.distance(*original), 0, part, vertex);
        }
    }
    let (mut before, mut after) = (Pose::default(), Pose::default());
    for (frame, blend) in origin.frames.iter().enumerate().step_by(frame_step) {
        let frame = frame + added;
        let own = u32::try_from(frame).ok()?;
        for lod in 0..again.lod_count() {
            sample(original, &Sampling { lod, ..Sampling::at(*blend) }, &mut before);
            sample(again, &Sampling { lod, ..Sampling::at(FrameBlend::single(own)) }, &mut after);
            measured.add_surfaces(frame, &before, &after, origin);
            if lod == 0 {
                measured.add_tags(frame, &before, &after, &origin.tags);
            }
        }
    }
    Some(measured)
}

impl Measured {
    fn add_surfaces(&mut self, frame: usize, before: &Pose, after: &Pose, origin: &Origin) {
        for (part, (posed, own)) in after.surfaces.iter().zip(&origin.surfaces).enumerate() {
            for (vertex, (from, position)) in own.iter().zip(&posed.positions).enumerate() {
                let original = before.surfaces.get(from.surface as usize);
                let at = |list: &[Vec3]| list.get(from.vertex as usize).copied();
                if let Some(position_before) = original.and_then(|original| at(&original.positions)) {
                    self.position.add(position.distance(position_before), frame, part, vertex);
                }
                let normals = original.and_then(|original| at(&original.normals)).zip(posed.normals.get(vertex));
                if let Some((normal, own)) = normals.filter(|(normal, _)| *normal != Vec3::ZERO) {
                    self.normal.add(degrees_between(normal, *own), frame, part, vertex);
                }
            }
        }
    }

    fn add_tags(&mut self, frame: usize, before: &Pose, after: &Pose, tags: &[TagOrigin]) {
        for (part, (own, tag)) in tags.iter().zip(&after.tags).enumerate() {
            let original = match own {
                TagOrigin::Tag(index) => before.tags.get(*index as usize),
                TagOrigin::Joint(index) => before.joints.get(*index as usize),
            };
            let Some(original) = original else { continue };
            self.tag.add(tag.translation.distance(original.translation), frame, part, 0);
            self.tag_axes.add(largest_angle(tag, original), frame, part, 0);
        }
    }
}

fn largest_angle(a: &Affine3A, b: &Affine3A) -> f32 {
    let axes = |transform: &Affine3A| {
        [transform.matrix3.x_axis, transform.matrix3.y_axis, transform.matrix3.z_axis].map(Vec3::from)
    };
    axes(a).into_iter().zip(axes(b)).map(|(a, b)| degrees_between(a, b)).fold(0.0, f32::max)
}

/// Uses an arc tangent, because an arc cosine is inaccurate for small angles.
pub(super) fn degrees_between(a: Vec3, b: Vec3) -> f32 {
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}
