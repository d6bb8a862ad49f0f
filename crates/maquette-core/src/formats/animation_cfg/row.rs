//! Conversion of four numbers to an animation.

use super::Entry;
use crate::error::{WarningKind, Warnings};
use crate::model::u32_or_max;

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub name: String,
    pub line: u32,
    pub first: i64,
    pub count: i64,
    pub looping: i64,
    pub rate: f64,
}

impl Row {
    pub fn new(name: String, line: u32, [first, count, looping, rate]: [f64; 4]) -> Self {
        Self { name, line, first: first as i64, count: count as i64, looping: looping as i64, rate }
    }

    pub fn quake_three(self, warnings: &mut Warnings) -> Entry {
        let count = self.frames();
        let mut loop_frames = saturated(self.looping);
        if loop_frames > count {
            warnings.add_line(
                WarningKind::Substituted,
                self.line,
                format!("{}: the loop has more frames than the clip; all frames of the clip loop", self.name),
            );
            loop_frames = count;
        }
        let reversed = self.count < 0;
        let rate = self.rate;
        self.entry(loop_frames, reversed, rate, warnings)
    }

    /// Converts with Elite Force rules: loops are the frame to return to, −1 for none; a negative rate plays backwards.
    pub fn elite_force(self, warnings: &mut Warnings) -> Entry {
        let count = self.frames();
        let mut loop_frames = 0;
        if self.looping >= 0 {
            loop_frames = count.saturating_sub(saturated(self.looping));
            if loop_frames == 0 && count > 0 {
                let message =
                    format!("{}: the loop returns to a frame outside the clip; the clip does not loop", self.name);
                warnings.add_line(WarningKind::Substituted, self.line, message);
            }
        }
        let reversed = self.rate < 0.0 || self.count < 0;
        let rate = self.rate.abs();
        self.entry(loop_frames, reversed, rate, warnings)
    }

    /// Converts with qfusion's rules: the second number is the last frame, and a rate is at least 10.
    pub fn qfusion(self, warnings: &mut Warnings) -> Entry {
        let count = self.count.saturating_sub(self.first).saturating_add(1).max(1);
        let (count, looping, rate) = (count, self.looping.clamp(0, count), self.rate.max(10.0));
        Self { count, looping, rate, ..self }.quake_three(warnings)
    }

    fn frames(&self) -> u32 {
        u32_or_max(self.count.unsigned_abs())
    }

    fn entry(self, loop_frames: u32, reversed: bool, rate: f64, warnings: &mut Warnings) -> Entry {
        if self.first < 0 {
            let message = format!("{}: the first frame is {}; 0 is used", self.name, self.first);
            warnings.add_line(WarningKind::Substituted, self.line, message);
        }
        let (first, count) = (saturated(self.first), self.frames());
        let frames_per_second = frames_per_second(rate);
        if rate != 0.0 && (f64::from(frames_per_second) - rate).abs() > 1e-3 {
            let message = format!("{}: the rate is {rate} frames per second; {frames_per_second} is used", self.name);
            warnings.add_line(WarningKind::Substituted, self.line, message);
        }
        Entry { name: self.name, first, count, loop_frames, frames_per_second, reversed }
    }
}

fn saturated(number: i64) -> u32 {
    u32_or_max(number.max(0))
}

/// Limits a rate to 0.1 to 1000 frames per second. A rate of 0 means 1, as in the games; NaN also becomes 1.
fn frames_per_second(rate: f64) -> f32 {
    if rate == 0.0 || rate.is_nan() { 1.0 } else { rate.clamp(0.1, 1000.0) as f32 }
}
