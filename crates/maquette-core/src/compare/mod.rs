//! Comparison of two models: headers, surfaces, vertices, tags, clips and joints in all common frames.
//!
//! Both models are posed by [`crate::pose::sample`], so that an MD3 can be compared with its MDC or MDR twin. Equal
//! packings are compared exactly, others within the precision of both ([`ComparePrecision`]). Data of companion files
//! (LODs, animations, clip lists) counts only if both models have it; otherwise a note says so.

mod clips;
mod frames;
mod header;
mod kd_tree;
mod matching;
mod precision;
mod report;
mod surfaces;
mod text;
mod transforms;

pub use frames::frames_to_show;
pub use precision::ComparePrecision;
pub use report::{
    BindChange, Change, ClipChange, Compared, Difference, FramePosition, JointChange, ModelSide, NormalChange, Pair,
    SurfaceChange, TagChange, TransformDelta, TriangleChange, UvChange, Value, VertexMove,
};

use crate::budget::Budget;
use crate::error::Warning;
use crate::limits::MAX_POSED_VERTICES;
use crate::model::{Model, Motion};
use crate::pose::{FrameBlend, Pose, Sampling, cost_of_frame, frame_step, sample};

use surfaces::SurfaceInMotion;
use transforms::{JointsInMotion, TagsInMotion};

/// Model to compare, with its name and warnings.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Display name, usually the path.
    pub name: &'a str,
    /// Loaded model.
    pub model: &'a Model,
    /// Warnings of the loader. They reveal invalid data, which the model omits.
    pub warnings: &'a [Warning],
}

/// Compares `a` with `b`. Distances up to `tolerance` units are ignored; the default is [`ComparePrecision::between`].
pub fn compare(a: Side, b: Side, tolerance: Option<f32>) -> Difference {
    let mut resolution = ComparePrecision::between(a.model, b.model);
    if let Some(tolerance) = tolerance {
        resolution.distance = tolerance;
    }
    let mut notes = Vec::new();
    let (clip_pairs, clips) = clips::compared(a.model, b.model, &mut notes);
    let pairs = frames::pairs(a.model, b.model, &clip_pairs);
    let lods = compared_lods(a.model, b.model, &mut notes);

    let (mut surfaces, matched) = surfaces::pair(a.model, b.model, lods);
    let mut matched: Vec<SurfaceInMotion> =
        matched.into_iter().map(|pair| SurfaceInMotion::new(a.model, b.model, pair, &resolution)).collect();
    let (mut tags, mut moving_tags) = TagsInMotion::new(a.model, b.model, &resolution, &mut notes);
    let (mut joints, mut moving_joints) = JointsInMotion::new(a.model, b.model, &resolution, &mut notes);
    let search: usize = matched.iter().map(SurfaceInMotion::cost_of_search).sum();
    let cost = cost_of_frame(a.model) + cost_of_frame(b.model) + search;
    let step = frame_step(pairs.len(), cost, MAX_POSED_VERTICES);
    if step > 1 {
        let (compared, count) = (pairs.len().div_ceil(step), pairs.len());
        notes.push(format!("positions: only {compared} of {count} frames are compared, at equal intervals"));
    }
    let mut steps = Budget::new(MAX_POSED_VERTICES as u64);
    let (mut pose_a, mut pose_b) = (Pose::default(), Pose::default());
    for lod in 0..lods {
        if lod > 0 && !matched.iter().any(|surface| surface.lod() == lod) {
            continue;
        }
        for pair in pairs.iter().step_by(step) {
            pose(a.model, pair.a, lod, &mut pose_a);
            pose(b.model, pair.b, lod, &mut pose_b);
            for surface in matched.iter_mut().filter(|surface| surface.lod() == lod) {
                surface.add(pair, &pose_a, &pose_b, &mut steps);
            }
            if lod == 0 {
                moving_tags.add(pair, &pose_a, &pose_b);
                moving_joints.add(pair, &pose_a, &pose_b);
            }
        }
    }
    notes.extend(matched.iter().filter_map(SurfaceInMotion::note));
    surfaces.extend(matched.into_iter().filter_map(|surface| surface.finish(a.model)));
    surfaces.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    tags.extend(moving_tags.finish(a.model));
    tags.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    joints.extend(moving_joints.finish(a.model));
    joints.sort_by(|a, b| b.weight().total_cmp(&a.weight()));

    let header = header::compare(a, b, &pairs, &resolution);
    Difference {
        same: header.is_empty() && surfaces.is_empty() && tags.is_empty() && clips.is_empty() && joints.is_empty(),
        a: Compared::from_side(a),
        b: Compared::from_side(b),
        tolerance: resolution.distance,
        frames: pairs.len(),
        notes,
        header,
        surfaces,
        tags,
        clips,
        joints,
    }
}

fn pose(model: &Model, frame: u32, lod: u32, pose: &mut Pose) {
    sample(model, &Sampling { lod, ..Sampling::at(FrameBlend::single(frame)) }, pose);
}

fn compared_lods(a: &Model, b: &Model, notes: &mut Vec<String>) -> u32 {
    let (of_a, of_b) = (a.lod_count(), b.lod_count());
    let has_lod_files = |model: &Model| matches!(model.motion(), Motion::Morph(_)) && model.lod_count() > 1;
    for (model, other, name) in [(a, of_b, "A"), (b, of_a, "B")] {
        if other == 1 && has_lod_files(model) {
            notes.push(format!("LODs: only {name} has files with coarser LODs; only the finest LOD is compared"));
            return 1;
        }
    }
    of_a.max(of_b)
}
