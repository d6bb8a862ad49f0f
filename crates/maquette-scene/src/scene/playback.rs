//! The clock: which clip, where in it, how fast.

use super::frame_range::FrameRange;
use maquette_assets::open::Role;
use maquette_core::model::{Clip, ClipSource, FrameNumbering, Model, u32_or_max};
use maquette_core::pose::{FrameBlend, Repeat, blend_at, clip_length};

/// Speeds offered, as factors.
pub const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];
/// Speeds offered backwards.
pub const SPEEDS_BACKWARDS: [f64; 5] = [-4.0, -2.0, -1.0, -0.5, -0.25];
/// Slowest and fastest speed, in either direction.
pub const SPEED_RANGE: (f64, f64) = (0.05, 8.0);

/// Which clip plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipChoice {
    /// All frames of the file, whatever its clips are.
    AllFrames,
    /// One of the model's clips.
    Clip(usize),
}

/// Where a model stands in its animation, and how it goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Which clip plays.
    pub choice: ClipChoice,
    /// Frame intervals since the start of [`Playback::span`], fractional.
    pub position: f64,
    /// Whether time passes.
    pub playing: bool,
    /// Factor on the clip's rate; negative: backwards.
    pub speed: f64,
    /// Frames per second in place of the clip's own.
    pub rate: Option<f32>,
    /// Frames per second of clips whose file names no rate; `None`: the format's usual one.
    pub usual_rate: Option<f32>,
    /// What happens at the end.
    pub repeat: Repeat,
    /// Blend between frames, or jump from one to the next.
    pub interpolate: bool,
    /// Use the documents' player table in place of the frames' names.
    pub player_table: bool,
    /// Frames that are played in place of the clip's; [`Playback::set_range`] sets it.
    pub range: Option<FrameRange>,
    /// Whether the clock is in the range: outside it, the clip's frames are looked at.
    pub(super) in_range: bool,
    /// Whether it stopped by itself where the clip ends, or has nothing to play.
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
    /// For a model just opened: a calm clip (idle, stand) or else its first from the start, keeping speed (forwards), repeat and interpolation. It plays
    /// if there is anything to play.
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
            moves(clip) && (name.contains("idle") || name.starts_with("stand"))
        };
        let is_end = |clip: &Clip| ["dea", "die", "pain"].iter().any(|end| clip.name.to_lowercase().contains(end));
        let telling = clips.iter().position(is_calm);
        let telling = telling.or_else(|| clips.iter().position(|clip| moves(clip) && !is_end(clip)));
        let telling = telling.or_else(|| clips.iter().position(moves));
        if let Some(first) = telling.or(if clips.is_empty() { None } else { Some(0) }) {
            playback.choice = ClipChoice::Clip(first);
        }
        playback.start(model);
        playback.go_to_start(model);
        playback
    }

    /// The clips to choose from.
    #[must_use]
    pub fn clips<'m>(&self, model: &'m Model) -> &'m [Clip] {
        if self.player_table && !model.alternative_clips().is_empty() {
            model.alternative_clips()
        } else {
            model.clips()
        }
    }

    /// The clip that plays, with the rate chosen.
    #[must_use]
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

    /// Length of what plays, the clip or the loop range, in frame intervals.
    #[must_use]
    pub fn length(&self, model: &Model) -> f64 {
        clip_length(&self.span(model), self.repeat)
    }

    /// The frames to show now.
    #[must_use]
    pub fn blend(&self, model: &Model) -> FrameBlend {
        let mut blend = self.place(&self.span(model));
        if !self.interpolate {
            blend = FrameBlend::still(blend.from);
        }
        blend
    }

    /// Where in `clip` the clock stands. Playing, an animation's last frame is its first again; standing on it, it is
    /// the last frame that is meant.
    fn place(&self, clip: &Clip) -> FrameBlend {
        let stands = !self.playing && self.position <= f64::from(clip.count.saturating_sub(1));
        blend_at(clip, self.position, if stands { Repeat::Once } else { self.repeat })
    }

    /// The fractional frame to show people: within the file, or within the clip where each clip is a file of its own.
    #[must_use]
    pub fn shown_frame(&self, model: &Model) -> f64 {
        let clip = self.span(model);
        let blend = self.place(&clip);
        let whole = f64::from(blend.from) - f64::from(self.first_shown(model));
        let forth = f64::from(blend.to) - f64::from(blend.from);
        let onward = if clip.reversed { -1.0 } else { 1.0 };
        // In the seam between last frame and first the number runs on, past the last.
        whole + f64::from(blend.t) * if forth * onward < 0.0 { onward } else { forth }
    }

    /// The model's frame that people count as 0.
    #[must_use]
    pub fn first_shown(&self, model: &Model) -> u32 {
        match model.frame_numbering() {
            FrameNumbering::Shared => 0,
            FrameNumbering::PerClip => self.clip(model).first,
        }
    }

    /// How many frames people can go through: all of the file's, or the clip's where each is a file of its own.
    #[must_use]
    pub fn shown_frames(&self, model: &Model) -> u32 {
        match model.frame_numbering() {
            FrameNumbering::Shared => u32_or_max(model.frames().len()),
            FrameNumbering::PerClip => self.clip(model).count,
        }
    }

    /// Goes to a shown frame; where it lies in another clip, that clip becomes the chosen one.
    pub fn seek(&mut self, model: &Model, shown_frame: f64) {
        self.ended = false;
        let last = f64::from(self.shown_frames(model).saturating_sub(1));
        let shown = if shown_frame.is_finite() { shown_frame.clamp(0.0, last) } else { 0.0 };
        let frame = shown + f64::from(self.first_shown(model));
        let holds = |clip: &Clip| (f64::from(clip.first)..f64::from(clip.end())).contains(&frame);
        if !holds(&self.clip(model)) {
            // Frames that belong to no clip are the file's all the same.
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

    /// Lets `seconds` pass. A clip played once stops at its end, backwards at its start.
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
        self.position += seconds * f64::from(clip.frames_per_second) * self.speed;
        // A clip that holds its end is over when it gets there.
        let repeat = if self.repeat == Repeat::Loop && !clip.loops() { Repeat::Once } else { self.repeat };
        let backwards = self.speed < 0.0;
        match repeat {
            Repeat::Once if self.position >= length && !backwards => self.end_at(length),
            Repeat::Once if self.position <= 0.0 && backwards => self.end_at(0.0),
            Repeat::Once => {}
            // Backwards through the part that repeats, then what comes before it, and again from the last frame.
            Repeat::Loop if backwards && clip.loop_frames < clip.count => {
                let (count, part) = (f64::from(clip.count), f64::from(clip.loop_frames.max(1)));
                let rounds = if self.position > count { ((self.position - count) / part).ceil() } else { 0.0 };
                self.position = (self.position - rounds * part).rem_euclid(length);
            }
            // Kept small, so that an hour of playing is as exact as a second; only clips that repeat all of
            // themselves may be shortened by whole rounds.
            Repeat::Whole => self.position = self.position.rem_euclid(length),
            Repeat::Loop if clip.loop_frames == clip.count => self.position = self.position.rem_euclid(length),
            Repeat::Loop => {}
            Repeat::PingPong => self.position = self.position.rem_euclid(2.0 * length),
        }
    }

    /// Stops and goes `steps` whole frames on or back from what is shown, round the clip's ends.
    pub fn step(&mut self, model: &Model, steps: i32) {
        let clip = self.span(model);
        let blend = self.place(&clip);
        let shown = f64::from(clip.step_of(blend.from));
        // Between two frames, the next one on is `to` and the next one back is `from`.
        let between = self.interpolate && blend.t > 0.0 && steps < 0;
        self.pause();
        let target = shown + f64::from(steps) + f64::from(u8::from(between));
        self.position = target.rem_euclid(f64::from(clip.count.max(1)));
    }
}

impl Playback {
    /// Chooses the clip in which legs and torso stand, if the model is one of these and has it.
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

    /// Starts it; what was played to its end starts again.
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

    /// Jumps to so many frame intervals after the start. Playback goes on.
    pub fn jump(&mut self, position: f64) {
        (self.position, self.ended) = (position, false);
    }

    /// Lets time pass from where it stands. What has nothing to play is at its end.
    pub(super) fn start(&mut self, model: &Model) {
        self.playing = self.length(model) > 0.0;
        self.ended = !self.playing;
    }

    /// Pauses it, on purpose: another clip that is chosen does not play then.
    pub fn pause(&mut self) {
        (self.playing, self.ended) = (false, false);
    }

    /// Whether it stopped by itself where the clip ends, or has nothing to play.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.ended && !self.playing
    }

    fn end_at(&mut self, position: f64) {
        self.position = position;
        (self.playing, self.ended) = (false, true);
    }

    /// Goes where playing begins: to the first frame, or, playing backwards, to the last.
    pub(super) fn go_to_start(&mut self, model: &Model) {
        let backwards = self.playing && self.speed < 0.0;
        self.position = if backwards { f64::from(self.span(model).count.saturating_sub(1)) } else { 0.0 };
    }

    /// Plays at another speed, backwards with a negative one.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.abs().clamp(SPEED_RANGE.0, SPEED_RANGE.1).copysign(speed);
        }
    }

    /// Plays the other way round; what has come to its end goes back from there.
    pub fn reverse(&mut self, model: &Model) {
        self.speed = -self.speed;
        if self.has_ended() {
            self.play(model);
        }
    }

    /// Chooses a clip. What plays, or played to its end, goes on with it; what was paused stays paused.
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

    /// Chooses the clip that holds a shown frame, without leaving the frame.
    pub fn choose_at(&mut self, model: &Model, shown_frame: f64) {
        let frame = shown_frame + f64::from(self.first_shown(model));
        let holds = |clip: &Clip| (f64::from(clip.first)..f64::from(clip.end())).contains(&frame);
        if let Some(index) = self.clips(model).iter().position(holds) {
            self.choice = ClipChoice::Clip(index);
            self.seek(model, shown_frame);
        }
    }

    /// The clip `steps` further in the list, round its ends.
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

    /// Changes what happens at the end, without a jump in what is shown.
    pub fn set_repeat(&mut self, model: &Model, repeat: Repeat) {
        let clip = self.span(model);
        let blend = self.place(&clip);
        let (from, to) = (f64::from(clip.step_of(blend.from)), f64::from(clip.step_of(blend.to)));
        // In the seam between last and first there is no place elsewhere; the last frame is nearest.
        self.position = if to >= from { from + (to - from).min(1.0) * f64::from(blend.t) } else { from };
        self.repeat = repeat;
    }
}
