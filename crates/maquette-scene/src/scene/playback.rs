//! Playback: a clip, the time in the clip, and the speed.

use super::frame_range::FrameRange;
use maquette_assets::open::Role;
use maquette_core::model::{Clip, ClipSource, FrameNumbering, Model, u32_or_max};
use maquette_core::pose::{FrameBlend, Repeat, blend_at, clip_length};

/// Offered speed factors.
pub const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];
/// Offered speed factors for backward playback.
pub const SPEEDS_BACKWARDS: [f64; 5] = [-4.0, -2.0, -1.0, -0.5, -0.25];
/// Slowest and fastest speed factor in either direction.
pub const SPEED_RANGE: (f64, f64) = (0.05, 8.0);

/// Choice of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipChoice {
    /// All frames of the file, regardless of clips.
    AllFrames,
    /// Clip by its index.
    Clip(usize),
}

/// Playback state of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// The chosen clip.
    pub choice: ClipChoice,
    /// Frame intervals since the start of [`Playback::span`], fractional.
    pub position: f64,
    /// Whether the clip plays.
    pub playing: bool,
    /// Factor on the clip's rate; a negative factor plays backwards.
    pub speed: f64,
    /// Frames per second that override the clip's rate.
    pub rate: Option<f32>,
    /// Frames per second of clips whose file specifies no rate; `None` uses the format's default.
    pub usual_rate: Option<f32>,
    /// Behaviour at the end of the clip.
    pub repeat: Repeat,
    /// Whether frames are blended.
    pub interpolate: bool,
    /// Whether the documented player table replaces clips made from frame names.
    pub player_table: bool,
    /// Loop range, which plays instead of the clip; set with [`Playback::set_range`].
    pub range: Option<FrameRange>,
    /// Whether the position is in the range. Otherwise the position is in the clip.
    pub(super) in_range: bool,
    pub(super) ended: bool,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            choice: ClipChoice::AllFrames,
            position: 0.0,
            playing: false,
            speed: 1.0,
            rate: None,
            usual_rate: None,
            repeat: Repeat::Loop,
            interpolate: true,
            player_table: false,
            range: None,
            in_range: false,
            ended: false,
        }
    }
}

impl Playback {
    /// Returns the playback for a new model. It plays an idle clip, or else a moving clip other than death or pain.
    #[must_use]
    pub fn for_model(&self, model: &Model) -> Self {
        let mut playback = Self {
            position: 0.0,
            rate: None,
            speed: self.speed.abs(),
            player_table: false,
            choice: ClipChoice::AllFrames,
            ..self.clone()
        };
        playback.leave_range();
        let clips = playback.clips(model);
        let moves = |clip: &Clip| clip.source != ClipSource::BindPose && clip.count > 1;
        let is_calm = |clip: &Clip| {
            let name = clip.name.to_lowercase();
            let own = name.strip_prefix("both_").unwrap_or(&name);
            moves(clip) && (name.contains("idle") || own.starts_with("stand"))
        };
        let is_end = |clip: &Clip| ["dea", "die", "pain"].iter().any(|end| clip.name.to_lowercase().contains(end));
        let best = clips.iter().position(is_calm);
        let best = best.or_else(|| clips.iter().position(|clip| moves(clip) && !is_end(clip)));
        let best = best.or_else(|| clips.iter().position(moves));
        if let Some(first) = best.or(if clips.is_empty() { None } else { Some(0) }) {
            playback.choice = ClipChoice::Clip(first);
        }
        playback.start(model);
        playback.go_to_start(model);
        playback
    }

    /// Returns the clips to choose from.
    pub fn clips<'m>(&self, model: &'m Model) -> &'m [Clip] {
        if self.player_table && !model.alternative_clips().is_empty() {
            model.alternative_clips()
        } else {
            model.clips()
        }
    }

    /// Returns the chosen clip with the chosen rate.
    pub fn clip(&self, model: &Model) -> Clip {
        let chosen = match self.choice {
            ClipChoice::Clip(index) => self.clips(model).get(index).cloned(),
            ClipChoice::AllFrames => None,
        };
        let mut clip = chosen.unwrap_or_else(|| {
            let count = u32_or_max(model.frames().len());
            let rate = model.clips().first().map_or(10.0, |clip| clip.frames_per_second);
            Clip::new("all frames", 0, count, rate, ClipSource::AllFrames)
        });
        let usual = self.usual_rate.filter(|_| !clip.source.names_rates());
        if let Some(rate) = self.rate.or(usual) {
            clip.frames_per_second = rate;
        }
        clip
    }

    /// Returns the length of the clip or the loop range, in frame intervals.
    pub fn length(&self, model: &Model) -> f64 {
        clip_length(&self.span(model), self.repeat)
    }

    /// Returns the frames to show now.
    pub fn blend(&self, model: &Model) -> FrameBlend {
        let mut blend = self.blend_in(&self.span(model));
        if !self.interpolate {
            blend = FrameBlend::single(blend.from);
        }
        blend
    }

    /// Returns the frames of `clip` to show. At the end of a loop, playback shows the first frame, but paused playback
    /// the last.
    fn blend_in(&self, clip: &Clip) -> FrameBlend {
        let stands = !self.playing && self.position <= f64::from(clip.count.saturating_sub(1));
        blend_at(clip, self.position, if stands { Repeat::Once } else { self.repeat })
    }

    /// Returns the fractional frame to display, relative to the file, or to the clip if each clip is its own file.
    pub fn shown_frame(&self, model: &Model) -> f64 {
        let clip = self.span(model);
        let blend = self.blend_in(&clip);
        let whole = f64::from(blend.from) - f64::from(self.first_shown(model));
        let forth = f64::from(blend.to) - f64::from(blend.from);
        let onward = if clip.reversed { -1.0 } else { 1.0 };
        // Exceed the number of the last frame while the first frame is blended in.
        whole + f64::from(blend.t) * if forth * onward < 0.0 { onward } else { forth }
    }

    /// Returns the model frame that is displayed as 0.
    pub fn first_shown(&self, model: &Model) -> u32 {
        match model.frame_numbering() {
            FrameNumbering::Shared => 0,
            FrameNumbering::PerClip => self.clip(model).first,
        }
    }

    /// Returns the number of frames to display: those of the file, or of the clip if each clip is its own file.
    pub fn shown_frames(&self, model: &Model) -> u32 {
        match model.frame_numbering() {
            FrameNumbering::Shared => u32_or_max(model.frames().len()),
            FrameNumbering::PerClip => self.clip(model).count,
        }
    }

    /// Seeks a displayed frame. If another clip contains it, that clip is chosen.
    pub fn seek(&mut self, model: &Model, shown_frame: f64) {
        self.ended = false;
        let last = f64::from(self.shown_frames(model).saturating_sub(1));
        let shown = if shown_frame.is_finite() { shown_frame.clamp(0.0, last) } else { 0.0 };
        let frame = shown + f64::from(self.first_shown(model));
        let holds = |clip: &Clip| (f64::from(clip.first)..f64::from(clip.end())).contains(&frame);
        if !holds(&self.clip(model)) {
            // No clip contains the frame, so show all frames of the file.
            let other = self.clips(model).iter().position(holds);
            self.choice = other.map_or(ClipChoice::AllFrames, ClipChoice::Clip);
            self.rate = None;
        }
        if let Some(position) = self.position_in_range(model, shown) {
            (self.position, self.in_range) = (position, true);
            return;
        }
        self.in_range = false;
        let clip = self.clip(model);
        let offset = frame - f64::from(clip.first);
        self.position = if clip.reversed { f64::from(clip.count - 1) - offset } else { offset }.max(0.0);
    }

    /// Advances by `seconds`. A clip that plays once stops at its end, or at its start if it plays backwards.
    pub fn advance(&mut self, model: &Model, seconds: f64) {
        if !self.playing {
            return;
        }
        self.enter_range(model);
        let clip = self.span(model);
        let length = clip_length(&clip, self.repeat);
        if length <= 0.0 {
            (self.playing, self.ended) = (false, true);
            return;
        }
        let onward = seconds * f64::from(clip.frames_per_second) * self.speed;
        self.position = clip.frames_at(clip.intervals_at(self.position) + onward);
        // A clip that does not loop stops at its last frame.
        let repeat = if self.repeat == Repeat::Loop && !clip.loops() { Repeat::Once } else { self.repeat };
        let backwards = self.speed < 0.0;
        match repeat {
            Repeat::Once if self.position >= length && !backwards => self.end_at(length),
            Repeat::Once if self.position <= 0.0 && backwards => self.end_at(0.0),
            Repeat::Once => {}
            // Play backwards through the looping part, then the frames before it, and again from the last frame.
            Repeat::Loop if backwards && clip.loop_frames < clip.count => {
                let (count, part) = (f64::from(clip.count), f64::from(clip.loop_frames.max(1)));
                let rounds = if self.position > count { ((self.position - count) / part).ceil() } else { 0.0 };
                self.position = (self.position - rounds * part).rem_euclid(length);
            }
            // Keep the position small for precision. Only the position in a clip that loops entirely can wrap around.
            Repeat::Whole => self.position = self.position.rem_euclid(length),
            Repeat::Loop if clip.loop_frames == clip.count => self.position = self.position.rem_euclid(length),
            Repeat::Loop => {}
            Repeat::PingPong => self.position = self.position.rem_euclid(2.0 * length),
        }
    }

    /// Pauses and steps by whole frames from the shown frame. The steps wrap around at the ends of the clip.
    pub fn step(&mut self, model: &Model, steps: i32) {
        let clip = self.span(model);
        let blend = self.blend_in(&clip);
        let shown = f64::from(clip.step_of(blend.from));
        // If the time is between two frames, the next frame is `to` and the previous one is `from`.
        let between = self.interpolate && blend.t > 0.0 && steps < 0;
        self.pause();
        let target = shown + f64::from(steps) + f64::from(u8::from(between));
        self.position = target.rem_euclid(f64::from(clip.count.max(1)));
    }
}

impl Playback {
    /// Chooses the idle clip of legs or torso, if the model has it.
    pub fn stand_as(&mut self, model: &Model, role: Role) {
        let standing = match role {
            Role::Legs => "LEGS_IDLE",
            Role::Torso => "TORSO_STAND",
            _ => return,
        };
        if let Some(index) = self.clips(model).iter().position(|clip| clip.name.eq_ignore_ascii_case(standing)) {
            self.leave_range();
            self.choice = ClipChoice::Clip(index);
            self.start(model);
        }
    }

    /// Starts playback. A clip that is at its end starts again.
    pub fn play(&mut self, model: &Model) {
        self.enter_range(model);
        let length = self.length(model);
        let holds = match self.repeat {
            Repeat::Once => true,
            Repeat::Loop => !self.span(model).loops(),
            Repeat::Whole | Repeat::PingPong => false,
        };
        if holds && self.speed < 0.0 && self.position <= 0.0 {
            self.position = length;
        } else if holds && self.speed >= 0.0 && self.position >= length {
            self.position = 0.0;
        }
        self.start(model);
    }

    /// Jumps to a position in frame intervals after the start. Playback neither starts nor stops.
    pub fn jump(&mut self, position: f64) {
        (self.position, self.ended) = (position, false);
    }

    pub(super) fn start(&mut self, model: &Model) {
        self.playing = self.length(model) > 0.0;
        self.ended = !self.playing;
    }

    /// Pauses on user request. Unlike after an ended clip, a clip chosen afterwards does not play.
    pub fn pause(&mut self) {
        (self.playing, self.ended) = (false, false);
    }

    /// Whether playback stopped at the end of the clip, or the clip has nothing to play.
    pub fn has_ended(&self) -> bool {
        self.ended && !self.playing
    }

    fn end_at(&mut self, position: f64) {
        self.position = position;
        (self.playing, self.ended) = (false, true);
    }

    pub(super) fn go_to_start(&mut self, model: &Model) {
        let backwards = self.playing && self.speed < 0.0;
        self.position = if backwards { f64::from(self.span(model).count.saturating_sub(1)) } else { 0.0 };
    }

    /// Sets the speed, within [`SPEED_RANGE`] in either direction.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.abs().clamp(SPEED_RANGE.0, SPEED_RANGE.1).copysign(speed);
        }
    }

    /// Reverses the direction. A clip that has ended plays back from its end.
    pub fn reverse(&mut self, model: &Model) {
        self.speed = -self.speed;
        if self.has_ended() {
            self.play(model);
        }
    }

    /// Chooses a clip. It plays if the previous clip played or had ended. Paused playback stays paused.
    pub fn choose(&mut self, model: &Model, choice: ClipChoice) {
        if let ClipChoice::Clip(index) = choice
            && index >= self.clips(model).len()
        {
            return;
        }
        let goes_on = self.playing || self.has_ended();
        self.leave_range();
        self.choice = choice;
        self.rate = None;
        self.pause();
        if goes_on {
            self.start(model);
        }
        self.go_to_start(model);
    }

    /// Chooses the clip that contains a displayed frame, and keeps showing that frame.
    pub fn choose_at(&mut self, model: &Model, shown_frame: f64) {
        let frame = shown_frame + f64::from(self.first_shown(model));
        let holds = |clip: &Clip| (f64::from(clip.first)..f64::from(clip.end())).contains(&frame);
        if let Some(index) = self.clips(model).iter().position(holds) {
            self.choice = ClipChoice::Clip(index);
            self.seek(model, shown_frame);
        }
    }

    /// Chooses the clip that is `steps` further in the list, which wraps around.
    pub fn next_clip(&mut self, model: &Model, steps: i64) {
        let count = i64::try_from(self.clips(model).len()).unwrap_or(i64::MAX);
        if count == 0 {
            return;
        }
        let current = match self.choice {
            ClipChoice::Clip(index) => i64::try_from(index).unwrap_or(0),
            ClipChoice::AllFrames if steps > 0 => -1,
            ClipChoice::AllFrames => count,
        };
        let next = usize::try_from((current + steps).rem_euclid(count)).unwrap_or(0);
        self.choose(model, ClipChoice::Clip(next));
    }

    /// Sets the repeat mode without changing the shown frame.
    pub fn set_repeat(&mut self, model: &Model, repeat: Repeat) {
        let clip = self.span(model);
        let blend = self.blend_in(&clip);
        let (from, to) = (f64::from(clip.step_of(blend.from)), f64::from(clip.step_of(blend.to)));
        // Only loops blend the last frame into the first; in other modes use the last frame.
        self.position = if to >= from { from + (to - from).min(1.0) * f64::from(blend.t) } else { from };
        self.repeat = repeat;
    }
}
