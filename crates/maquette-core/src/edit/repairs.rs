//! Bounds that follow the vertices, and limits of the work.

use glam::Vec3;

use crate::limits::MAX_POSED_VERTICES;
use crate::model::{Bounds, Model, ModelParts};
use crate::pose::{FrameBlend, Pose, Sampling, cost_of_frame, sample};

/// Refuses edits that would take minutes. Frames may share vertices, so a small file can have many of them.
pub(super) fn check_cost(model: &Model) -> Result<(), String> {
    let frames = model.frames().len();
    check_frames(model, frames).map_err(|_| format!("the model has too many frames to be recomputed ({frames})"))
}

/// Refuses more frames of a model than can be posed.
pub(super) fn check_frames(model: &Model, frames: usize) -> Result<(), String> {
    check_frames_of(&[model], frames)
}

/// Like [`check_frames`], for several models together.
pub(super) fn check_frames_of(models: &[&Model], frames: usize) -> Result<(), String> {
    let triangles = |model: &Model| model.surfaces().iter().map(|surface| surface.triangles.len()).sum::<usize>();
    let cost: usize = models.iter().map(|model| cost_of_frame(model) + triangles(model)).sum();
    if frames.saturating_mul(cost) > MAX_POSED_VERTICES {
        return Err(format!("{frames} frames of this model would be too large"));
    }
    Ok(())
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
    let boxes = boxes.into_iter().filter(|_| parts.format.traits().bounds_frames);
    for (frame, (bounds, radius)) in parts.frames.iter_mut().zip(boxes).filter(|(_, (bounds, _))| !bounds.is_empty()) {
        frame.bounds = Some(bounds);
        frame.radius = radius;
    }
    Ok(parts)
}
