//! Bounds that follow the vertices, and limits of the work.

use glam::Vec3;

use super::operation::Notes;
use crate::inspect::is_flat;
use crate::limits::MAX_POSED_VERTICES;
use crate::model::{Bounds, Model, ModelParts, Motion};
use crate::pose::{FrameBlend, Pose, PosedSurface, Sampling, cost_of_frame, sample};

/// Refuses edits that would take minutes. Frames may share vertices, so a small file can have many of them.
pub(super) fn check_cost(model: &Model) -> Result<(), String> {
    let frames = model.frames().len();
    check_frames_of(&[model], frames).map_err(|_| format!("the model has too many frames to be recomputed ({frames})"))
}

/// Refuses more frames of a model than can be stored. A model with joints stores its vertices once, and a joint
/// counts as 16 vertices.
pub(super) fn check_frames(model: &Model, frames: usize) -> Result<(), String> {
    match model.motion() {
        Motion::Morph(_) => check_frames_of(&[model], frames),
        Motion::Skeletal(motion) => check_product(frames, 16 * (motion.joints.len() + 1)),
    }
}

/// Refuses more frames than all of the models can be posed in.
pub(super) fn check_frames_of(models: &[&Model], frames: usize) -> Result<(), String> {
    let triangles = |model: &Model| model.surfaces().iter().map(|surface| surface.triangles.len()).sum::<usize>();
    let cost: usize = models.iter().map(|model| cost_of_frame(model) + triangles(model)).sum();
    check_product(frames, cost)
}

pub(super) fn check_product(frames: usize, cost: usize) -> Result<(), String> {
    let fits = frames.saturating_mul(cost) <= MAX_POSED_VERTICES;
    fits.then_some(()).ok_or_else(|| format!("{frames} frames of this model would be too large"))
}

/// Returns which triangles of each surface have no area in any frame. Fails if the model has too many frames.
pub fn flat_triangles(model: &Model) -> Result<Vec<Vec<bool>>, String> {
    check_cost(model)?;
    let mut flat: Vec<Vec<bool>> = model.surfaces().iter().map(|surface| vec![true; surface.triangles.len()]).collect();
    let mut pose = Pose::default();
    for lod in 0..model.lod_count() {
        for frame in (0_u32..).take(model.frames().len()) {
            let of_lod = || model.surfaces().iter().zip(&flat).filter(|(surface, _)| surface.lod == lod);
            if !of_lod().any(|(_, flat)| flat.contains(&true)) {
                break;
            }
            sample(model, &Sampling { lod, ..Sampling::at(FrameBlend::single(frame)) }, &mut pose);
            for ((surface, posed), flat) in model.surfaces().iter().zip(&pose.surfaces).zip(&mut flat) {
                for (triangle, is_flat) in surface.triangles.iter().zip(flat).filter(|(_, is_flat)| **is_flat) {
                    *is_flat = posed.positions.is_empty() || is_flat_in(posed, *triangle);
                }
            }
        }
    }
    Ok(flat)
}

/// Returns whether a triangle has no area in the pose of its surface.
pub fn is_flat_in(posed: &PosedSurface, triangle: [u32; 3]) -> bool {
    is_flat(triangle.map(|corner| posed.positions.get(corner as usize).copied().unwrap_or_default()))
}

/// Like [`with_new_bounds`], after vertices were removed. In a model with too many frames, the bounds stay, because the
/// other vertices are inside, too.
pub(super) fn with_smaller_bounds(parts: ModelParts, notes: &mut Notes) -> Result<ModelParts, String> {
    let has_bounds = parts.frames.iter().any(|frame| frame.bounds.is_some());
    let model = Model::new(parts).map_err(|error| error.to_string())?;
    if has_bounds && check_cost(&model).is_err() {
        notes.losses.push("the bounds stay, because the model has too many frames to be recomputed".to_owned());
        return Ok(model.into_parts());
    }
    with_new_bounds(model.into_parts())
}

/// Recomputes the stored bounds and radius of each frame, if there are any, and keeps its origin. The radius is the
/// distance from the origin to the furthest vertex of the finest LOD.
pub(super) fn with_new_bounds(parts: ModelParts) -> Result<ModelParts, String> {
    let has_radius = parts.data.seams.is_some();
    if parts.frames.iter().all(|frame| frame.bounds.is_none()) && !has_radius {
        return Ok(parts);
    }
    let model = Model::new(parts).map_err(|error| error.to_string())?;
    check_cost(&model)?;
    let mut pose = Pose::default();
    let mut boxes = Vec::with_capacity(model.frames().len());
    for (index, frame) in (0_u32..).zip(model.frames()) {
        sample(&model, &Sampling::at(FrameBlend::single(index)), &mut pose);
        let positions = || pose.surfaces.iter().flat_map(|surface| &surface.positions);
        let origin = if has_radius { Vec3::ZERO } else { frame.origin };
        let radius = positions().map(|position| position.distance(origin)).fold(0.0, f32::max);
        boxes.push((Bounds::from_points(positions().copied()), radius));
    }
    let mut parts = model.into_parts();
    if has_radius {
        // The radius of an MDL contains all frames.
        parts.data.radius = boxes.iter().map(|(_, radius)| *radius).fold(parts.data.radius, f32::max);
    }
    let has_all = parts.format.traits().bounds_frames;
    for (frame, (bounds, radius)) in parts.frames.iter_mut().zip(boxes).filter(|(_, (bounds, _))| !bounds.is_empty()) {
        // Frames of an MDL have a box, but no radius.
        frame.radius = if has_all { radius } else { frame.radius };
        frame.bounds = (has_all || frame.bounds.is_some()).then_some(bounds);
    }
    Ok(parts)
}
