//! Rules for stored bounding boxes and spheres of frames.

use super::finding::{Location, Occurrences, Severity, Sink};
use super::input::{Context, last_frame};
use maquette_core::error::counted;
use maquette_core::limits::MAX_REPORTED_VERTICES;
use maquette_core::model::{Bounds, FrameInfo};
use maquette_core::pose::{FrameBlend, Pose, Sampling, cost_of_frame, frame_step, sample};

/// Tolerance for vertices outside: a share of the box's diagonal or the sphere's radius, plus this many units.
const SHARE: f32 = 0.1;
const SLACK: f32 = 1.0;
/// Factor beyond which a box or sphere is too large.
const FAR_TOO_LARGE: f32 = 4.0;

pub(super) fn bounds(context: &Context, sink: &mut Sink) {
    let (mut inverted, mut small, mut large) = (Occurrences::default(), Occurrences::default(), Occurrences::default());
    for (frame, info) in context.model().frames().iter().enumerate() {
        if info.bounds.is_some_and(|stored| stored.is_empty() || !is_finite(stored)) {
            inverted.add(|| Location::frame(frame));
        }
    }
    let has_bounds = context.model().frames().iter().any(|frame| frame.bounds.is_some());
    let mut furthest = 0.0_f32;
    each_frame(context, has_bounds, |frame, info, pose| {
        let Some(stored) = info.bounds.filter(|stored| !stored.is_empty() && is_finite(*stored)) else { return };
        let (own, diagonal) = (pose.bounds, pose.bounds.size().length());
        let over = (stored.min - own.min).max(own.max - stored.max).max_element();
        if over > SHARE * diagonal + SLACK {
            furthest = furthest.max(over);
            small.add(|| Location::frame(frame));
        } else if stored.size().length() > FAR_TOO_LARGE * diagonal + SLACK {
            large.add(|| Location::frame(frame));
        }
    });
    let grave = severity(context);
    let frames = |found: &Occurrences| counted(found.count, "frame", "frames");
    let message = format!("the bounding box is inverted or not finite in {}", frames(&inverted));
    sink.add_all(grave, inverted, message);
    let message = format!("vertices lie outside the bounding box in {} (by up to {furthest:.1} units)", frames(&small));
    sink.add_all(grave, small, message);
    let message = format!("the bounding box is more than {FAR_TOO_LARGE} times too large in {}", frames(&large));
    sink.add_all(Severity::Note, large, message);
}

pub(super) fn radii(context: &Context, sink: &mut Sink) {
    // A frame without a stored box has no stored sphere either.
    let has_radius = context.model().format().traits().bounds_frames
        && context.model().frames().iter().any(|frame| frame.bounds.is_some());
    let (mut broken, mut small, mut large) = (Occurrences::default(), Occurrences::default(), Occurrences::default());
    let mut furthest = 0.0_f32;
    each_frame(context, has_radius, |frame, info, pose| {
        if info.bounds.is_none() {
            return;
        }
        let positions = pose.surfaces.iter().flat_map(|surface| &surface.positions);
        let reach = positions.map(|position| position.distance(info.origin)).fold(0.0, f32::max);
        if !reach.is_finite() || !info.radius.is_finite() || info.radius < 0.0 {
            broken.add(|| Location::frame(frame));
        } else if reach - info.radius > SHARE * reach + SLACK {
            furthest = furthest.max(reach - info.radius);
            small.add(|| Location::frame(frame));
        } else if info.radius > FAR_TOO_LARGE * reach + SLACK {
            large.add(|| Location::frame(frame));
        }
    });
    let frames = |found: &Occurrences| counted(found.count, "frame", "frames");
    let message = format!("the radius of the bounding sphere is negative or not finite in {}", frames(&broken));
    sink.add_all(severity(context), broken, message);
    let message =
        format!("vertices lie outside the bounding sphere in {} (by up to {furthest:.1} units)", frames(&small));
    sink.add_all(severity(context), small, message);
    let message = format!("the bounding sphere is more than {FAR_TOO_LARGE} times too large in {}", frames(&large));
    sink.add_all(Severity::Note, large, message);
}

/// Returns a warning if the engine uses the stored values, else a note, because other engines compute their own.
fn severity(context: &Context) -> Severity {
    if context.profile.culls_by_frames { Severity::Warning } else { Severity::Note }
}

fn is_finite(bounds: Bounds) -> bool {
    bounds.min.is_finite() && bounds.max.is_finite()
}

/// Calls `visit` with the pose of each frame, or of frames at equal distances if there are many. Only the finest LOD
/// counts, because its box culls all LODs.
fn each_frame(context: &Context, wanted: bool, mut visit: impl FnMut(usize, &FrameInfo, &Pose)) {
    let model = context.model();
    let mut finest = model.surfaces().iter().filter(|surface| surface.lod == 0);
    if !wanted || !finest.any(|surface| surface.vertex_count() > 0) {
        return;
    }
    let stride = frame_step(model.frames().len(), cost_of_frame(model), MAX_REPORTED_VERTICES);
    let mut pose = Pose::default();
    for frame in (0..=last_frame(model)).step_by(stride) {
        sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
        if let Some(info) = model.frames().get(frame as usize).filter(|_| !pose.bounds.is_empty()) {
            visit(frame as usize, info, &pose);
        }
    }
}
