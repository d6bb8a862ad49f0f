//! Precision of stored data, and the tolerance of comparisons that follows from it.

use crate::model::{JointFrames, Model, Motion, PackedVertices, Precision};

/// Distances and angles up to which models count as equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparePrecision {
    /// Whether both models use the same packing, so that equal values have equal bits.
    pub alike: bool,
    /// Tolerance of positions of vertices, tags, joints and bounds, in units.
    pub distance: f32,
    /// Tolerance of rotations of tags and joints, in degrees.
    pub degrees: f32,
    /// Tolerance of normals, in degrees; infinite if one of the models stores none.
    pub normal_degrees: f32,
    /// Tolerance of texture coordinates; the texture has width 1.
    pub uv: f32,
}

impl ComparePrecision {
    /// Returns the sum of both models' rounding errors, or 0 for equal packings. Normals always match if a model stores
    /// none (MD5).
    #[must_use]
    pub fn between(a: &Model, b: &Model) -> Self {
        let normals = normal_step(a) + normal_step(b);
        let traits = [a.format().traits(), b.format().traits()];
        if a.format() == b.format() && has_packed_joints(a) == has_packed_joints(b) {
            let normal_degrees = if normals.is_finite() { 0.0 } else { normals };
            return Self { alike: true, distance: 0.0, degrees: 0.0, normal_degrees, uv: 0.0 };
        }
        // The error applies to each axis.
        let distance = 3.0_f32.sqrt() * (step(a) + step(b));
        let uv = if traits.iter().any(|traits| traits.whole_texels) { WHOLE_TEXELS } else { DECIMALS };
        Self { alike: false, distance, degrees: TURN, normal_degrees: normals, uv }
    }
}

/// Units per step of 16-bit positions. The error may be a whole step, because some writers truncate.
const SHORT_STEP: f32 = 1.0 / 64.0;
/// Half a step of MDC offsets, in units.
const HALF_DELTA: f32 = 0.025;
const DECIMALS: f32 = 0.001;
const ROTATION_STEPS: f32 = 32766.0;
const WHOLE_TEXELS: f32 = 1.0 / 128.0;
/// Error of MDC angles (360/32700 degrees per step) and packed MDR rotations in degrees, with a margin.
const TURN: f32 = 0.05;

fn has_packed_joints(model: &Model) -> bool {
    let Motion::Skeletal(motion) = model.motion() else { return false };
    motion.tracks.iter().any(|track| matches!(track.frames, JointFrames::PackedMatrices(_)))
}

fn step(model: &Model) -> f32 {
    match model.format().traits().precision {
        Precision::Bytes => half_byte(model),
        Precision::Shorts => SHORT_STEP,
        Precision::KeyDeltas => SHORT_STEP + HALF_DELTA,
        Precision::Floats if has_packed_joints(model) => {
            SHORT_STEP + reach(model) * 3.0_f32.sqrt() / ROTATION_STEPS + DECIMALS
        }
        Precision::Floats | Precision::Decimals => DECIMALS + channel_step(model),
    }
}

/// Returns the error of vertices whose joints are stored in 16-bit channels (IQM): half a step of each channel, summed
/// along the chain of joints.
fn channel_step(model: &Model) -> f32 {
    let Motion::Skeletal(motion) = model.motion() else { return 0.0 };
    let bind = motion.bindings.iter().flat_map(|binding| &binding.bind);
    let radius = bind.map(|vertex| vertex.position.length()).filter(|length| length.is_finite()).fold(0.0, f32::max);
    let mut largest = 0.0_f32;
    for track in &motion.tracks {
        let JointFrames::Local(local) = &track.frames else { continue };
        let mut errors: Vec<f32> = Vec::new();
        for (joint, pose) in motion.joints.iter().zip(&local.poses) {
            let half = |channels: &[f32]| channels.iter().fold(0.0_f32, |most, scale| most.max(scale.abs())) / 2.0;
            let [translation, rotation, scale] = [0..3, 3..7, 7..10].map(|range| half(&pose.scale[range]));
            // A rotation turns by twice the error of its four components.
            let own = 3.0_f32.sqrt() * translation + (4.0 * rotation + scale) * 2.0 * radius;
            let parent = joint.parent.and_then(|parent| errors.get(parent as usize)).copied().unwrap_or(0.0);
            errors.push(parent + own);
        }
        largest = errors.into_iter().fold(largest, f32::max);
    }
    if largest.is_finite() { largest } else { 0.0 }
}

fn half_byte(model: &Model) -> f32 {
    let Motion::Morph(motion) = model.motion() else { return 0.0 };
    let frames = motion.surfaces.iter().flat_map(|track| match &track.vertices {
        PackedVertices::Bytes { frames, .. } => frames.as_slice(),
        _ => &[],
    });
    frames.map(|frame| frame.scale.abs().max_element() / 2.0).fold(0.0, f32::max)
}

fn reach(model: &Model) -> f32 {
    let Motion::Skeletal(motion) = model.motion() else { return 0.0 };
    let weights = motion.bindings.iter().flat_map(|binding| &binding.weights);
    weights.map(|weight| weight.offset.length()).filter(|length| length.is_finite()).fold(0.0, f32::max)
}

/// Returns the error of stored normals in degrees; infinite if none are stored.
fn normal_step(model: &Model) -> f32 {
    let traits = model.format().traits();
    if !traits.stores_normals {
        return f32::INFINITY;
    }
    match traits.precision {
        // MDL, MD2: 162 directions.
        Precision::Bytes => 12.0,
        // MD3: latitude and longitude in 1/256 turns.
        Precision::Shorts => 2.0,
        // MDC: 256 directions, none along Z.
        Precision::KeyDeltas => 13.0,
        Precision::Floats | Precision::Decimals => 0.1,
    }
}

/// Returns whether `distance` exceeds `furthest` by more than a rounding error, so that the first of equal distances
/// wins. NaN counts as further than any number.
pub(super) fn is_further(distance: f32, furthest: f32) -> bool {
    distance > furthest * (1.0 + ROUNDING) || distance.is_nan() && !furthest.is_nan()
}

const ROUNDING: f32 = 1e-5;
