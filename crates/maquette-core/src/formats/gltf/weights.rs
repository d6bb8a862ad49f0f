//! Weights of morph targets. Most are 0, because a frame of an export shows one target.

use std::rc::Rc;

use super::accessor::{Data, SCALARS};
use super::animation::Keys;
use super::json::SamplerJson;
use crate::error::LoadError;
use crate::model::u32_or_max;

/// Targets with a weight other than 0, in ascending order.
pub(super) type TargetWeights = Vec<(u32, f64)>;

/// Returns the weights of each target that two lists have, 0 if only one of them has the target.
pub(super) fn pairs(a: &TargetWeights, b: &TargetWeights) -> Vec<(f64, f64)> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut pairs = Vec::new();
    while let Some(target) = [a.peek(), b.peek()].into_iter().flatten().map(|(target, _)| *target).min() {
        let own = |list: &mut std::iter::Peekable<std::slice::Iter<(u32, f64)>>| {
            list.next_if(|(own, _)| *own == target).map_or(0.0, |(_, weight)| *weight)
        };
        pairs.push((own(&mut a), own(&mut b)));
    }
    pairs
}

/// Weights of each key. Only those other than 0 are stored.
pub(super) struct WeightSampler {
    keys: Keys,
    /// Index of the first of `stored` for each row of the accessor, and the end. Cubic splines have three rows for each key.
    starts: Vec<u32>,
    /// Target and weight.
    stored: Vec<(u32, f32)>,
}

impl WeightSampler {
    /// Reads the sampler of a node with `targets` morph targets.
    pub fn read(data: &Data, listed: &SamplerJson, targets: usize, about: &str) -> Result<Self, LoadError> {
        let keys = Keys::read(data, listed, about)?;
        let (count, numbers) = data.nonzero(listed.output, SCALARS, about)?;
        let rows = keys.check(count, targets, about)?;
        data.claim(about, rows as u64 * 4)?;
        let mut starts = Vec::with_capacity(rows + 1);
        let mut stored = Vec::with_capacity(numbers.len());
        let width = targets as u64;
        for (place, weight) in numbers {
            let row = place / width;
            if row >= rows as u64 {
                break;
            }
            while starts.len() as u64 <= row {
                starts.push(u32_or_max(stored.len()));
            }
            stored.push((u32::try_from(place % width).unwrap_or(u32::MAX), weight));
        }
        starts.resize(rows + 1, u32_or_max(stored.len()));
        Ok(Self { keys, starts, stored })
    }

    pub fn times(&self) -> &Rc<Vec<f32>> {
        &self.keys.times
    }

    fn row(&self, row: usize) -> &[(u32, f32)] {
        let [start, end] = [row, row + 1].map(|row| self.starts.get(row).map_or(0, |start| *start as usize));
        self.stored.get(start..end).unwrap_or_default()
    }

    /// Returns the weights at a time in seconds.
    pub fn at(&self, time: f64) -> TargetWeights {
        let shares = self.keys.shares(time);
        let mut weights = TargetWeights::new();
        for (row, share) in shares.into_iter().filter(|(_, share)| *share != 0.0) {
            weights.extend(self.row(row).iter().map(|(target, weight)| (*target, f64::from(*weight) * share)));
        }
        weights.sort_by_key(|(target, _)| *target);
        weights.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            first.1 += if is_same { later.1 } else { 0.0 };
            is_same
        });
        weights.retain(|(_, weight)| *weight != 0.0);
        weights
    }

    /// Returns whether a key differs from `rest`.
    pub fn differs(&self, rest: &TargetWeights) -> bool {
        let is_rest = |key: usize| {
            let own = self.row(self.keys.value_row(key)).iter().map(|(at, weight)| (*at, f64::from(*weight))).collect();
            pairs(&own, rest).into_iter().all(|(own, rest)| (own - rest).abs() <= 1e-6 * rest.abs().max(1.0))
        };
        self.keys.is_cubic() || !(0..self.times().len()).all(is_rest)
    }
}
