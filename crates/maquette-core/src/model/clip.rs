//! Named ranges of frames.

/// What lies between a clip's last frame and its first when it repeats.
///
/// Four frames A B C D played round:
/// - [`Wrap::LastToFirst`]: A→B→C→D→A, four intervals, D blends into A (Quake II, Quake III).
/// - [`Wrap::LastIsFirst`]: A→B→C→D≡A, three intervals, D is where A comes again (Doom 3 does not count the last frame).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The last frame blends into the first: as many intervals as frames.
    LastToFirst,
    /// The last frame is the first again: one interval fewer than frames.
    LastIsFirst,
}

/// What says that these frames belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipSource {
    /// Nobody: all frames of the file.
    AllFrames,
    /// The names of the frames (MD2).
    FrameNames,
    /// The table of Quake II players.
    PlayerTable,
    /// An `.md5anim` file.
    AnimationFile,
    /// An `animation.cfg` beside a player's parts: its clips blend from the last frame to the first.
    AnimationConfig,
    /// Another list beside the model: `.anm`, `.framegroups`, a Cube engine's `md3.cfg`.
    ClipList,
    /// The joints of the mesh as it was modelled.
    BindPose,
}

impl ClipSource {
    /// Whether what named the clip also gave its rate.
    #[must_use]
    pub fn names_rates(self) -> bool {
        matches!(self, Self::AnimationFile | Self::AnimationConfig | Self::ClipList)
    }
}

/// A named range of a model's frames and the way it is played.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// For people, and for `--animation`.
    pub name: String,
    /// First frame, in the model's list of frames.
    pub first: u32,
    /// Number of frames, at least 1.
    pub count: u32,
    /// Frames per second it is played at.
    pub frames_per_second: f32,
    /// Frames per second that its own file says, where a script of the game overrides it.
    pub own_rate: Option<f32>,
    /// What happens at the seam.
    pub wrap: Wrap,
    /// How many frames at the end repeat once all have been shown; `count` repeats all, 0 holds the last.
    pub loop_frames: u32,
    /// Played from its last frame to its first.
    pub reversed: bool,
    /// Where it comes from.
    pub source: ClipSource,
}

impl Clip {
    /// A clip that repeats all of its frames, forward.
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
            source,
        }
    }

    /// One past the last frame.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.first.saturating_add(self.count)
    }

    /// How many steps after the clip's start it shows `frame`; frames outside count as its nearest.
    #[must_use]
    pub fn step_of(&self, frame: u32) -> u32 {
        let last = self.count.saturating_sub(1);
        let offset = frame.saturating_sub(self.first).min(last);
        if self.reversed { last - offset } else { offset }
    }

    /// Whether it repeats by itself.
    #[must_use]
    pub fn loops(&self) -> bool {
        self.loop_frames > 0
    }

    /// Whether `frame` is one of the clip's.
    #[must_use]
    pub fn contains(&self, frame: u32) -> bool {
        (self.first..self.end()).contains(&frame)
    }
}
