//! Ranges of frames.

/// Range of displayed frames, from `first` to `last` inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    /// First frame.
    pub first: u32,
    /// Last frame, greater than `first`.
    pub last: u32,
}

impl FrameRange {
    /// Returns the range between two frames in any order, clamped to the first `frames` frames. Returns `None` if
    /// `frames` is less than 2.
    #[must_use]
    pub fn new(one: u32, other: u32, frames: u32) -> Option<Self> {
        let end = frames.saturating_sub(1);
        let (first, last) = (one.min(other).min(end), one.max(other).min(end));
        // A range of one frame cannot play, so include a neighbouring frame.
        let (first, last) = match (first, last) {
            (first, last) if first < last => (first, last),
            (first, _) if first < end => (first, first + 1),
            (first, last) => (first.saturating_sub(1), last),
        };
        (first < last).then_some(Self { first, last })
    }

    /// Returns the number of frames.
    pub fn count(&self) -> u32 {
        (self.last - self.first).saturating_add(1)
    }

    /// Whether a fractional frame is in the range.
    pub fn holds(&self, frame: f64) -> bool {
        (f64::from(self.first)..=f64::from(self.last)).contains(&frame)
    }

    /// Returns the range shifted by `by` frames, but kept within the first `frames` frames.
    #[must_use]
    pub fn moved(&self, by: i64, frames: u32) -> Self {
        let room = i64::from(frames.saturating_sub(1)) - i64::from(self.last);
        let by = by.clamp(-i64::from(self.first), room.max(0));
        let shift = |frame: u32| u32::try_from(i64::from(frame) + by).unwrap_or(frame);
        Self { first: shift(self.first), last: shift(self.last) }
    }
}
