//! Ranges of frames.

/// Frames as people count them, from the first to the last of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    /// The first that belongs to it.
    pub first: u32,
    /// The last that belongs to it, greater than `first`.
    pub last: u32,
}

impl FrameRange {
    /// From one frame to another, in either order, among `frames` frames. None if there are fewer than two to play.
    #[must_use]
    pub fn new(one: u32, other: u32, frames: u32) -> Option<Self> {
        let end = frames.saturating_sub(1);
        let (first, last) = (one.min(other).min(end), one.max(other).min(end));
        // A range of one frame plays nothing; its neighbour comes along.
        let (first, last) = match (first, last) {
            (first, last) if first < last => (first, last),
            (first, _) if first < end => (first, first + 1),
            (first, last) => (first.saturating_sub(1), last),
        };
        (first < last).then_some(Self { first, last })
    }

    /// How many frames it has.
    #[must_use]
    pub fn count(&self) -> u32 {
        (self.last - self.first).saturating_add(1)
    }

    /// Whether a fractional frame lies in it.
    #[must_use]
    pub fn holds(&self, frame: f64) -> bool {
        (f64::from(self.first)..=f64::from(self.last)).contains(&frame)
    }

    /// The same number of frames, so many on or back, as far as there is room among `frames` frames.
    #[must_use]
    pub fn moved(&self, by: i64, frames: u32) -> Self {
        let room = i64::from(frames.saturating_sub(1)) - i64::from(self.last);
        let by = by.clamp(-i64::from(self.first), room.max(0));
        let shift = |frame: u32| u32::try_from(i64::from(frame) + by).unwrap_or(frame);
        Self { first: shift(self.first), last: shift(self.last) }
    }
}
