//! Conversion of time to two frames and a weight, including looping.

use crate::model::{Clip, Wrap};

/// Two frames of a model and the weight of the second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameBlend {
    /// Frame with weight 1 − `t`.
    pub from: u32,
    /// Frame with weight `t`.
    pub to: u32,
    /// Weight of `to`, 0 to 1.
    pub t: f32,
}

impl FrameBlend {
    /// Creates a blend of exactly one frame.
    #[must_use]
    pub fn single(frame: u32) -> Self {
        Self { from: frame, to: frame, t: 0.0 }
    }

    /// Converts a fractional frame: 12.25 is 3/4 of frame 12 and 1/4 of frame 13. Does not wrap.
    #[must_use]
    pub fn at_frame(frame: f64) -> Self {
        let from = frame.max(0.0).floor();
        let first = from as u32;
        Self { from: first, to: first.saturating_add(1), t: (frame.max(0.0) - from) as f32 }
    }

    /// Replaces both frames.
    #[must_use]
    pub fn mapped(self, frame: impl Fn(u32) -> u32) -> Self {
        Self { from: frame(self.from), to: frame(self.to), ..self }
    }

    /// Clamps both frames to `last`. A frame of weight 0 is removed, so that it has no effect even if it is broken.
    #[must_use]
    pub fn clamped(self, last: u32) -> Self {
        let (from, to) = (self.from.min(last), self.to.min(last));
        if self.t >= 1.0 {
            Self::single(to)
        } else if self.t > 0.0 {
            Self { from, to, t: self.t }
        } else {
            Self::single(from)
        }
    }
}

/// Behaviour at the end of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// Restart, or repeat the part that the clip specifies.
    #[default]
    Loop,
    /// Restart from the first frame, whatever the clip specifies.
    Whole,
    /// Stop on the last frame.
    Once,
    /// Alternate forward and backward.
    PingPong,
}

/// Returns the length of a clip in frame intervals when played with `repeat`: one fewer than frames, but as many for a
/// looping clip with [`Wrap::LastToFirst`]. A clip of one frame has length 0.
pub fn clip_length(clip: &Clip, repeat: Repeat) -> f64 {
    let frames = f64::from(clip.count);
    if clip.count <= 1 {
        0.0
    } else if clip.wrap == Wrap::LastToFirst && (repeat == Repeat::Whole || (repeat == Repeat::Loop && clip.loops())) {
        frames
    } else {
        frames - 1.0
    }
}

/// Returns the frames of `clip` at `seconds` after its start, played at [`Clip::frames_per_second`]. Frames last as long
/// as [`Clip::end_times`] states.
pub fn blend_at_seconds(clip: &Clip, seconds: f64, repeat: Repeat) -> FrameBlend {
    blend_at(clip, clip.frames_at(seconds * f64::from(clip.frames_per_second)), repeat)
}

/// Returns the frames of `clip` at `steps`, the number of frame intervals since its start ([`Clip::frames_at`]).
/// Negative steps become 0.
pub fn blend_at(clip: &Clip, steps: f64, repeat: Repeat) -> FrameBlend {
    let last = clip.count.saturating_sub(1);
    let steps = if steps.is_finite() { steps.max(0.0) } else { 0.0 };
    let span = f64::from(last);
    let (from, to, t) = match repeat {
        _ if last == 0 => (0, 0, 0.0),
        Repeat::Once => held(steps, last),
        Repeat::PingPong => {
            let round = steps % (2.0 * span);
            held(if round <= span { round } else { 2.0 * span - round }, last)
        }
        Repeat::Whole if clip.wrap == Wrap::LastIsFirst => held(steps % span, last),
        Repeat::Whole => {
            let whole = (steps % f64::from(clip.count)).floor();
            (whole as u32, (whole as u32 + 1) % clip.count, (steps % f64::from(clip.count) - whole) as f32)
        }
        Repeat::Loop if !clip.loops() => held(steps, last),
        Repeat::Loop if clip.wrap == Wrap::LastIsFirst => held(steps % span, last),
        Repeat::Loop => {
            let whole = steps.floor();
            (looped(clip, whole), looped(clip, whole + 1.0), (steps - whole) as f32)
        }
    };
    let frame = |step: u32| if clip.reversed { clip.first + (last - step) } else { clip.first + step };
    FrameBlend { from: frame(from), to: frame(to), t }
}

fn held(steps: f64, last: u32) -> (u32, u32, f32) {
    let steps = steps.min(f64::from(last));
    let from = steps.floor();
    (from as u32, (from as u32 + 1).min(last), (steps - from) as f32)
}

fn looped(clip: &Clip, step: f64) -> u32 {
    let count = f64::from(clip.count);
    if step < count {
        return step as u32;
    }
    let part = f64::from(clip.loop_frames.clamp(1, clip.count));
    (count - part + (step - count) % part) as u32
}
