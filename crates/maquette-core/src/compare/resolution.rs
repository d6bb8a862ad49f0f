//! How exactly formats store what they store, and so how far two models may differ though they mean the same.

use crate::model::{Format, JointFrames, Model, Motion, PackedVertices};

/// Distances and angles up to which two models count as the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
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

/// How a model's vertices are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Bytes,
    Shorts,
    KeyDeltas,
    Matrices,
    PackedMatrices,
    Text,
}

impl Resolution {
    /// That of two models. It is 0 where both are stored in the same way, but for normals that no file stores (MD5); else
    /// what both can be off, together.
    #[must_use]
    pub fn between(a: &Model, b: &Model) -> Self {
        let packings = [packing(a), packing(b)];
        let normals: f32 = packings.iter().map(|packing| normal_step(*packing)).sum();
        if packings[0] == packings[1] {
            let normal_degrees = if normals.is_finite() { 0.0 } else { normals };
            return Self { alike: true, distance: 0.0, degrees: 0.0, normal_degrees, uv: 0.0 };
        }
        // Off by so much along each axis.
        let distance = 3.0_f32.sqrt() * (step(a, packings[0]) + step(b, packings[1]));
        let uv = if packings.contains(&Packing::Bytes) { WHOLE_TEXELS } else { DECIMALS };
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

fn packing(model: &Model) -> Packing {
    match (model.format(), model.motion()) {
        (Format::Md2, _) => Packing::Bytes,
        (Format::Md3, _) => Packing::Shorts,
        (Format::Mdc, _) => Packing::KeyDeltas,
        (Format::Mdr, Motion::Skeletal(motion))
            if motion.tracks.iter().any(|track| matches!(track.frames, JointFrames::PackedMatrices(_))) =>
        {
            Packing::PackedMatrices
        }
        (Format::Mdr, _) => Packing::Matrices,
        (Format::Md5, _) => Packing::Text,
    }
}

/// How far a stored coordinate may be from the one that was meant, in units.
fn step(model: &Model, packing: Packing) -> f32 {
    match packing {
        Packing::Bytes => half_byte(model),
        Packing::Shorts => SHORT_STEP,
        Packing::KeyDeltas => SHORT_STEP + HALF_DELTA,
        Packing::Matrices | Packing::Text => DECIMALS,
        Packing::PackedMatrices => SHORT_STEP + reach(model) * 3.0_f32.sqrt() / ROTATION_STEPS + DECIMALS,
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

/// Degrees that a stored normal may be off; infinite where none is stored.
fn normal_step(packing: Packing) -> f32 {
    match packing {
        // 162 directions.
        Packing::Bytes => 12.0,
        // 256ths of a turn, twice.
        Packing::Shorts => 2.0,
        // 256 directions, none of them along Z.
        Packing::KeyDeltas => 13.0,
        Packing::Matrices | Packing::PackedMatrices => 0.1,
        Packing::Text => f32::INFINITY,
    }
}

/// Whether something is further off than what is furthest by now. What calculating adds is not further, so that of equal
/// distances the first counts; what is no number is.
pub(super) fn is_further(distance: f32, furthest: f32) -> bool {
    distance > furthest * (1.0 + ROUNDING) || distance.is_nan() && !furthest.is_nan()
}

/// What posing adds to a distance, as a part of it.
const ROUNDING: f32 = 1e-5;
