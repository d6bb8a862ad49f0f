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
    /// Animation list of the model file (IQM).
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
    #[must_use]
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
    #[must_use]
    pub fn end(&self) -> u32 {
        self.first.saturating_add(self.count)
    }

    /// Returns the step of playback that shows `frame`, clamped to the clip.
    #[must_use]
    pub fn step_of(&self, frame: u32) -> u32 {
        let last = self.count.saturating_sub(1);
        let offset = frame.saturating_sub(self.first).min(last);
        if self.reversed { last - offset } else { offset }
    }

    /// Returns whether any frames repeat.
    #[must_use]
    pub fn loops(&self) -> bool {
        self.loop_frames > 0
    }

    /// Returns whether the clip contains `frame`.
    #[must_use]
    pub fn contains(&self, frame: u32) -> bool {
        (self.first..self.end()).contains(&frame)
    }
}
