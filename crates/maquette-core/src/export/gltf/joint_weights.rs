//! Conversion of vertex weights for glTF: distinct joints, with a sum of 1.

use crate::limits::MAX_VERTEX_JOINTS;
use crate::model::Weight;

/// Smaller weights are dropped.
const NO_WEIGHT: f32 = 1e-6;

/// Returns distinct joints, largest weight first, with a sum of 1. A vertex without weights gets the first joint.
pub(super) fn shares(weights: &[Weight]) -> Vec<(u16, f32)> {
    let mut shares: Vec<(u16, f32)> = Vec::new();
    for weight in weights {
        let Ok(joint) = u16::try_from(weight.joint) else { continue };
        match shares.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, share)) => *share += weight.bias,
            None => shares.push((joint, weight.bias)),
        }
    }
    shares.retain(|(_, share)| *share > NO_WEIGHT);
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares.truncate(MAX_VERTEX_JOINTS);
    if shares.is_empty() {
        return vec![(0, 1.0)];
    }
    let sum: f64 = shares.iter().map(|(_, share)| f64::from(*share)).sum();
    shares.iter_mut().for_each(|(_, share)| *share = (f64::from(*share) / sum) as f32);
    // Add the rounding error to the largest weight.
    let rest: f64 = shares.iter().skip(1).map(|(_, share)| f64::from(*share)).sum();
    if let Some((_, heaviest)) = shares.first_mut() {
        *heaviest = (1.0 - rest) as f32;
    }
    shares
}
