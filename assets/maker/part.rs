//! A part of the figure: a sheet, the joints it follows, and what it is painted with.

use std::rc::Rc;

use glam::DVec3;

use super::paint::{Colour, Spot};
use super::profile::smooth_step;
use super::sheet::Sheet;

/// Joints and shares for a bind-pose position and its `along`.
pub type SkinFn = Rc<dyn Fn(DVec3, f64) -> Vec<(usize, f64)>>;

/// The colour of one spot of a part.
pub type CoatFn = Rc<dyn Fn(&Spot) -> Colour>;

/// One closed piece of the figure.
#[derive(Clone)]
pub struct Part {
    /// The surface of the model that it belongs to.
    pub surface: &'static str,
    /// The chart of the atlas; parts that share one are painted once.
    pub chart: &'static str,
    /// The chart's width (around) and height (along) in texels.
    pub size: [u32; 2],
    pub sheet: Sheet,
    pub skin: SkinFn,
    pub coat: CoatFn,
    /// Share of the shading by the surrounding form that is painted on; lower for parts that move.
    pub shading: f64,
}

impl Part {
    pub fn new(
        surface: &'static str,
        (chart, width, height): (&'static str, u32, u32),
        sheet: Sheet,
        skin: impl Fn(DVec3, f64) -> Vec<(usize, f64)> + 'static,
        coat: impl Fn(&Spot) -> Colour + 'static,
    ) -> Self {
        Self { surface, chart, size: [width, height], sheet, skin: Rc::new(skin), coat: Rc::new(coat), shading: 1.0 }
    }

    /// Sets the share of the shading that is painted on.
    pub fn shaded(self, shading: f64) -> Self {
        Self { shading, ..self }
    }
}

/// All of one joint.
pub fn rigid(joint: usize) -> impl Fn(DVec3, f64) -> Vec<(usize, f64)> {
    move |_, _| vec![(joint, 1.0)]
}

/// Shares along a chain of joints. Each row is a joint and where on the scale it takes over from the one before, as the
/// middle and half width of the blend.
pub fn chain(rows: &[(usize, f64, f64)], at: f64) -> Vec<(usize, f64)> {
    let mut shares = vec![(rows[0].0, 1.0)];
    for &(joint, middle, half) in &rows[1..] {
        let taken = smooth_step(middle - half, middle + half, at);
        shares.iter_mut().for_each(|share| share.1 *= 1.0 - taken);
        shares.push((joint, taken));
    }
    shares.retain(|share| share.1 > 0.004);
    let sum: f64 = shares.iter().map(|share| share.1).sum();
    shares.iter_mut().for_each(|share| share.1 /= sum);
    shares
}

/// Mixes two sets of shares: all of `a` at 0, all of `b` at 1.
pub fn mix_shares(a: &[(usize, f64)], b: &[(usize, f64)], t: f64) -> Vec<(usize, f64)> {
    let mut mixed: Vec<(usize, f64)> = Vec::new();
    let scaled = a.iter().map(|s| (s.0, s.1 * (1.0 - t))).chain(b.iter().map(|s| (s.0, s.1 * t)));
    for (joint, share) in scaled.filter(|share| share.1 > 0.004) {
        match mixed.iter_mut().find(|other| other.0 == joint) {
            Some(other) => other.1 += share,
            None => mixed.push((joint, share)),
        }
    }
    let sum: f64 = mixed.iter().map(|share| share.1).sum();
    mixed.iter_mut().for_each(|share| share.1 /= sum);
    mixed
}
