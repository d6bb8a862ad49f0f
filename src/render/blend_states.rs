//! Blend states.

use maquette_assets::material::{Blend, Factor};

/// Sum of all images.
pub(super) const SUM_UP: wgpu::BlendState = unweighted(wgpu::BlendOperation::Add, wgpu::BlendOperation::Add);

/// Largest of all values.
pub(super) const MAX: wgpu::BlendState = unweighted(wgpu::BlendOperation::Max, wgpu::BlendOperation::Max);

/// Returns operations for colour and alpha on unweighted source and destination values.
const fn unweighted(color: wgpu::BlendOperation, alpha: wgpu::BlendOperation) -> wgpu::BlendState {
    const fn with(operation: wgpu::BlendOperation) -> wgpu::BlendComponent {
        wgpu::BlendComponent { src_factor: wgpu::BlendFactor::One, dst_factor: wgpu::BlendFactor::One, operation }
    }
    wgpu::BlendState { color: with(color), alpha: with(alpha) }
}

/// Returns 1 for an additive stage, 2 if alpha weights it, and 0 for other stages. Twin of `glow` in
/// shaders/material.wgsl.
pub(super) fn glow(blend: Blend) -> u8 {
    match (blend.source, blend.destination) {
        (Factor::One, Factor::One) => 1,
        (Factor::SourceAlpha, Factor::One) => 2,
        _ => 0,
    }
}

/// Returns the blend state of a stage. A covering stage increases the target's alpha by its opacity, and a glow by its
/// brightness. Filters do not change the alpha.
pub(super) fn blended(blend: Blend) -> wgpu::BlendState {
    if glow(blend) > 0 {
        // The shader has already multiplied the colour by the weight.
        return unweighted(wgpu::BlendOperation::Add, wgpu::BlendOperation::Max);
    }
    let factor = |factor: Factor| match factor {
        Factor::Zero => wgpu::BlendFactor::Zero,
        Factor::One => wgpu::BlendFactor::One,
        Factor::SourceColour => wgpu::BlendFactor::Src,
        Factor::OneMinusSourceColour => wgpu::BlendFactor::OneMinusSrc,
        Factor::DestinationColour => wgpu::BlendFactor::Dst,
        Factor::OneMinusDestinationColour => wgpu::BlendFactor::OneMinusDst,
        Factor::SourceAlpha => wgpu::BlendFactor::SrcAlpha,
        Factor::OneMinusSourceAlpha => wgpu::BlendFactor::OneMinusSrcAlpha,
        Factor::SourceAlphaSaturate => wgpu::BlendFactor::SrcAlphaSaturated,
    };
    let color = wgpu::BlendComponent {
        src_factor: factor(blend.source),
        dst_factor: factor(blend.destination),
        operation: wgpu::BlendOperation::Add,
    };
    let covers = blend.destination == Factor::Zero && matches!(blend.source, Factor::One | Factor::SourceAlpha);
    let hides = covers || blend.destination == Factor::OneMinusSourceAlpha;
    wgpu::BlendState { color, alpha: if hides { wgpu::BlendComponent::OVER } else { KEEP } }
}

/// Blends a colour with straight alpha over premultiplied colour.
pub(super) const OVER: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::SrcAlpha,
        dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
        operation: wgpu::BlendOperation::Add,
    },
    alpha: wgpu::BlendComponent::OVER,
};

const KEEP: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::Zero,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Add,
};

pub(super) const KEEP_DST: wgpu::BlendState = wgpu::BlendState { color: KEEP, alpha: KEEP };
