//! How exactly formats store what they store, and so how far two models may differ though they mean the same.

use crate::model::{JointFrames, Model, Motion, PackedVertices, Precision};

/// Distances and angles up to which two models count as the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparePrecision {
    /// Both are stored in the same way, so that equal things have equal numbers.
    pub alike: bool,
    /// Units, of vertices, tags, joints and bounds.
    pub distance: f32,
    /// Degrees, of tags and joints.
    pub degrees: f32,
    /// Degrees, of normals; infinite where one of the models stores none.
    pub normal_degrees: f32,
    /// Texture coordinates; the picture is 1 wide.
    pub uv: f32,
}

impl ComparePrecision {
    /// That of two models. It is 0 where both are stored in the same way, but for normals that no file stores (MD5); else
    /// what both can be off, together.
    #[must_use]
    pub fn between(a: &Model, b: &Model) -> Self {
        let normals = normal_step(a) + normal_step(b);
        let traits = [a.format().traits(), b.format().traits()];
        if traits[0].precision == traits[1].precision && has_packed_joints(a) == has_packed_joints(b) {
            let normal_degrees = if normals.is_finite() { 0.0 } else { normals };
            return Self { alike: true, distance: 0.0, degrees: 0.0, normal_degrees, uv: 0.0 };
        }
        // Off by so much along each axis.
        let distance = 3.0_f32.sqrt() * (step(a) + step(b));
        let uv = if traits.iter().any(|traits| traits.whole_texels) { WHOLE_TEXELS } else { DECIMALS };
        Self { alike: false, distance, degrees: TURN, normal_degrees: normals, uv }
    }
}

/// Units per step of sixteen-bit numbers. Writers round or cut off.
const SHORT_STEP: f32 = 1.0 / 64.0;
/// Half of what a step of an MDC's offsets is.
const HALF_DELTA: f32 = 0.025;
/// What numbers written as text, and calculations with them, may be off.
const DECIMALS: f32 = 0.001;
/// Steps of an MDR's packed rotation.
const ROTATION_STEPS: f32 = 32766.0;
/// Texture coordinates in whole texels of a small skin.
const WHOLE_TEXELS: f32 = 1.0 / 128.0;
/// Degrees by which an MDC's angles (360/32700 each) and an MDR's packed rotations may be off, with room to spare.
const TURN: f32 = 0.05;

/// Whether the joints are stored in steps of sixteen-bit numbers.
fn has_packed_joints(model: &Model) -> bool {
    let Motion::Skeletal(motion) = model.motion() else { return false };
    motion.tracks.iter().any(|track| matches!(track.frames, JointFrames::PackedMatrices(_)))
}

/// How far a stored coordinate may be from the one that was meant, in units.
fn step(model: &Model) -> f32 {
    match model.format().traits().precision {
        Precision::Bytes => half_byte(model),
        Precision::Shorts => SHORT_STEP,
        Precision::KeyDeltas => SHORT_STEP + HALF_DELTA,
        Precision::Floats if has_packed_joints(model) => {
            SHORT_STEP + reach(model) * 3.0_f32.sqrt() / ROTATION_STEPS + DECIMALS
        }
        Precision::Floats | Precision::Decimals => DECIMALS,
    }
}

/// Half of the largest step of an MD2's frames.
fn half_byte(model: &Model) -> f32 {
    let Motion::Morph(motion) = model.motion() else { return 0.0 };
    let frames = motion.surfaces.iter().flat_map(|track| match &track.vertices {
        PackedVertices::Bytes { frames, .. } => frames.as_slice(),
        _ => &[],
    });
    frames.map(|frame| frame.scale.abs().max_element() / 2.0).fold(0.0, f32::max)
}

/// How far the vertices of a skeletal model are from their joints at most, in units.
fn reach(model: &Model) -> f32 {
    let Motion::Skeletal(motion) = model.motion() else { return 0.0 };
    let weights = motion.bindings.iter().flat_map(|binding| &binding.weights);
    weights.map(|weight| weight.offset.length()).filter(|length| length.is_finite()).fold(0.0, f32::max)
}

/// Degrees that a stored normal may be off; infinite if none is stored.
fn normal_step(model: &Model) -> f32 {
    let traits = model.format().traits();
    if !traits.stores_normals {
        return f32::INFINITY;
    }
    match traits.precision {
        // 162 directions.
        Precision::Bytes => 12.0,
        // 256ths of a turn, twice.
        Precision::Shorts => 2.0,
        // 256 directions, none of them along Z.
        Precision::KeyDeltas => 13.0,
        Precision::Floats | Precision::Decimals => 0.1,
    }
}

/// Whether something is further off than what is furthest by now. What calculating adds is not further, so that of equal
/// distances the first counts; what is no number is.
pub(super) fn is_further(distance: f32, furthest: f32) -> bool {
    distance > furthest * (1.0 + ROUNDING) || distance.is_nan() && !furthest.is_nan()
}

/// What posing adds to a distance, as a part of it.
const ROUNDING: f32 = 1e-5;
