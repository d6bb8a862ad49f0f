//! Named ranges of frames.

/// Transition from a clip's last frame to its first when it loops.
///
/// For four frames A B C D:
/// - [`Wrap::LastToFirst`]: A→B→C→D→A, four intervals, D blends into A (Quake II, Quake III).
/// - [`Wrap::LastIsFirst`]: A→B→C→D≡A, three intervals, D equals A (Doom 3 does not count the last frame).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The last frame blends into the first: as many intervals as frames.
    LastToFirst,
    /// The last frame equals the first: one interval fewer than frames.
    LastIsFirst,
}

/// Source of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipSource {
    /// All frames of the file, or of the skeleton's file (GLA).
    AllFrames,
    /// Names of the frames.
    FrameNames,
    /// Group of frames with times (MDL).
    FrameGroup,
    /// Table of the players of Quake or Quake II.
    PlayerTable,
    /// Animation list of the model file (IQM, glTF).
    AnimationList,
    /// Animation file of the model: `.md5anim`, `.iqm`.
    AnimationFile,
    /// File `animation.cfg` of a player; its clips blend from the last frame to the first.
    AnimationConfig,
    /// Companion file of another kind: `.anm`, `.framegroups`, a Cube engine's `md3.cfg`.
    ClipList,
    /// Bind pose of the mesh.
    BindPose,
}

impl ClipSource {
    /// Returns whether the source of the clip's name also states its rate.
    pub fn names_rates(self) -> bool {
        matches!(
            self,
            Self::FrameGroup | Self::AnimationList | Self::AnimationFile | Self::AnimationConfig | Self::ClipList
        )
    }
}

/// Named range of a model's frames, with playback settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Name for display and for `--animation`.
    pub name: String,
    /// Index of the first frame in the model.
    pub first: u32,
    /// Number of frames, at least 1.
    pub count: u32,
    /// Frames per second of playback.
    pub frames_per_second: f32,
    /// Frames per second in the clip's file, if a game script overrides that rate.
    pub own_rate: Option<f32>,
    /// Transition from the last frame to the first.
    pub wrap: Wrap,
    /// Number of frames at the end that repeat; `count` repeats all, 0 holds the last.
    pub loop_frames: u32,
    /// Whether the clip plays backwards.
    pub reversed: bool,
    /// Times in seconds at which each frame ends in the file (MDL); empty if all frames last equally long. Another
    /// `frames_per_second` than their mean scales them.
    pub end_times: Vec<f32>,
    /// Source of the clip.
    pub source: ClipSource,
}

impl Clip {
    /// Creates a clip that plays forward and repeats all frames.
    pub fn new(name: impl Into<String>, first: u32, count: u32, frames_per_second: f32, source: ClipSource) -> Self {
        let wrap = if source == ClipSource::AnimationFile { Wrap::LastIsFirst } else { Wrap::LastToFirst };
        Self {
            name: name.into(),
            first,
            count,
            frames_per_second,
            own_rate: None,
            wrap,
            loop_frames: count,
            reversed: false,
            end_times: Vec::new(),
            source,
        }
    }

    /// Returns the index after the last frame.
    pub fn end(&self) -> u32 {
        self.first.saturating_add(self.count)
    }

    /// Returns the step of playback that shows `frame`, clamped to the clip.
    pub fn step_of(&self, frame: u32) -> u32 {
        let last = self.count.saturating_sub(1);
        let offset = frame.saturating_sub(self.first).min(last);
        if self.reversed { last - offset } else { offset }
    }

    /// Converts a time since the start, in mean frame intervals (seconds times rate), to the number of frames since the
    /// start. Both are equal if all frames last equally long.
    pub fn frames_at(&self, intervals: f64) -> f64 {
        self.along(intervals, |number| (f64::from(number), self.end_of(number)))
    }

    /// Converts a number of frames since the start to a time in mean frame intervals; the inverse of
    /// [`Self::frames_at`].
    pub fn intervals_at(&self, frames: f64) -> f64 {
        self.along(frames, |number| (self.end_of(number), f64::from(number)))
    }

    /// Returns the time in mean frame intervals at which the first `number` frames end.
    fn end_of(&self, number: u32) -> f64 {
        let (Some(last), Some(index)) = (self.end_times.last(), number.checked_sub(1)) else { return 0.0 };
        self.end_times.get(index as usize).map_or(0.0, |end| f64::from(end / last) * f64::from(self.count))
    }

    /// Interpolates between the corners of each round. `corner` returns value and position of each.
    fn along(&self, at: f64, corner: impl Fn(u32) -> (f64, f64)) -> f64 {
        let count = f64::from(self.count);
        if self.end_times.is_empty() || !at.is_finite() {
            return at;
        }
        let round = (at / count).floor() * count;
        let inside = at - round;
        let (mut low, mut high) = (0, self.count);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if corner(middle).1 <= inside { low = middle } else { high = middle }
        }
        let ((value, from), (next, to)) = (corner(low), corner(high));
        round + value + (next - value) * if to > from { (inside - from) / (to - from) } else { 0.0 }
    }

    /// Returns a clip of other frames, all of which repeat. Frames of this clip last as long as in this clip.
    #[must_use]
    pub fn part(&self, first: u32, count: u32) -> Self {
        let mut part = Self { first, count, loop_frames: count, ..self.clone() };
        if (first, count) == (self.first, self.count) || self.end_times.is_empty() {
            return part;
        }
        let start = first.checked_sub(self.first).map(|start| start as usize);
        let times = start.and_then(|start| self.end_times.get(start..start.checked_add(count as usize)?));
        let before = start.and_then(|start| self.end_times.get(start.checked_sub(1)?)).copied().unwrap_or(0.0);
        part.end_times = times.unwrap_or_default().iter().map(|end| end - before).collect();
        if let (Some(own), Some(whole)) = (part.end_times.last(), self.end_times.last()) {
            part.frames_per_second *= (count as f32 / own) / (self.count as f32 / whole);
        }
        part
    }

    /// Returns whether any frames repeat.
    pub fn loops(&self) -> bool {
        self.loop_frames > 0
    }

    /// Returns whether the clip contains `frame`.
    pub fn contains(&self, frame: u32) -> bool {
        (self.first..self.end()).contains(&frame)
    }
}
