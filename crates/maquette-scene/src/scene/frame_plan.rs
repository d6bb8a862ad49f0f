//! Frame plan of an exported animation: the clip time and the duration of each frame.
//!
//! The animation of a repeating motion ends one step before the start, so that its loop neither doubles nor skips a
//! frame. The animation of any other motion includes the last frame of the motion.

use super::{EntityId, Playback, Scene, TrackId};
use maquette_core::model::Model;
use maquette_core::pose::{FrameBlend, Repeat, blend_at, clip_length};

/// Maximum number of frames of an exported animation. Longer animations are refused.
pub const MAX_FILM_FRAMES: u32 = 3000;
/// Allowed frames per second.
pub const RATE_RANGE: (f64, f64) = (1.0, 120.0);
/// Allowed seconds of a turntable.
pub const TURN_RANGE: (f64, f64) = (0.5, 60.0);
/// Limits of the search for a common loop. The exported animation repeats the clip at most `ROUNDS_TRIED` times and for
/// at most `COMMON_SECS`, until the clips of all parts restart together.
const ROUNDS_TRIED: u32 = 12;
const COMMON_SECS: f64 = 20.0;

/// Motion shown in an exported animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// The clip, seen from one side.
    Clip,
    /// The camera makes one turn around the model.
    Turn {
        /// Duration in seconds; if the clip plays, it is rounded to whole repetitions of the clip.
        seconds: f64,
        /// Whether the clips play during the turn.
        plays: bool,
    },
}

/// Frame rate of an exported animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrameTiming {
    /// Each frame of the clip once.
    EachFrame,
    /// Frames per second. Frames are interpolated where the clip has fewer.
    Smooth(f64),
}

/// Exported part of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipRange {
    /// Start of the range, in frame intervals after the start of the clip.
    pub first: f64,
    /// Length in frame intervals. If the range repeats, it ends where it starts. 0 if nothing moves.
    pub length: f64,
    /// Frame intervals per second at the playback speed.
    pub rate: f64,
    /// Whether the range plays from its end to its start.
    pub backwards: bool,
    /// Whether the range repeats.
    pub round: bool,
}

impl ClipRange {
    /// Returns the exported range of a playback.
    #[must_use]
    pub fn new(playback: &Playback, model: &Model) -> Self {
        let clip = playback.played(model);
        let rate = f64::from(clip.frames_per_second) * playback.speed.abs();
        let length = clip.intervals_at(clip_length(&clip, playback.repeat));
        let (length, round) = match playback.repeat {
            Repeat::Once => (length, false),
            Repeat::Loop => (length, clip.loops()),
            Repeat::Whole => (length, true),
            Repeat::PingPong => (length * 2.0, true),
        };
        let moves = rate.is_finite() && rate > 0.0;
        Self {
            first: 0.0,
            length: if moves { length } else { 0.0 },
            rate: if moves { rate } else { 1.0 },
            backwards: playback.speed < 0.0,
            round,
        }
    }

    /// Returns the duration in seconds.
    pub fn seconds(&self) -> f64 {
        self.length / self.rate
    }
}

/// Plan of an exported animation.
#[derive(Clone, Debug, PartialEq)]
pub struct FramePlan {
    /// Number of frames.
    pub frames: u32,
    /// Seconds per frame.
    pub step: f64,
    /// Whether the exported animation loops seamlessly.
    pub round: bool,
    /// Whether the camera orbits.
    pub turns: bool,
    plays: bool,
    spans: Vec<(TrackId, ClipRange)>,
}

impl FramePlan {
    /// Plans an animation of at most `max` frames per second. The animation is as long as the clip of `leader`, or as
    /// the longest clip if `leader` does not move.
    pub fn plan(
        scene: &Scene,
        leader: Option<EntityId>,
        motion: Motion,
        pace: FrameTiming,
        max: f64,
    ) -> Result<Self, String> {
        let moved = scene.entities().iter().filter(|entity| entity.has_track());
        let tracks = moved.flat_map(|entity| entity.playbacks().map(|(id, playback)| (id, playback, entity.model())));
        let spans: Vec<(TrackId, ClipRange)> =
            tracks.map(|(id, playback, model)| (id, ClipRange::new(playback, model))).collect();
        let moving = || spans.iter().filter(|(_, span)| span.length > 0.0);
        let lead = moving().find(|(id, _)| Some(*id) == leader.map(TrackId::from));
        let lead = lead.or_else(|| moving().max_by(|a, b| a.1.seconds().total_cmp(&b.1.seconds())));
        let lead = lead.map(|(_, span)| *span);
        let (turns, plays, seconds) = match (motion, lead) {
            (Motion::Clip, None) => {
                return Err("Nothing moves in this clip; choose another clip or a turntable".to_owned());
            }
            (Motion::Clip, Some(lead)) => (false, true, lead.seconds() * common_rounds(lead, &spans)),
            (Motion::Turn { seconds, plays }, lead) => {
                let seconds = if seconds.is_finite() { seconds.clamp(TURN_RANGE.0, TURN_RANGE.1) } else { 4.0 };
                let rounds = lead.filter(|lead| plays && lead.round).map_or(seconds, |lead| {
                    let whole = (seconds / lead.seconds()).round().max(1.0) * lead.seconds();
                    // A clip much longer than the turn is not synchronized with it.
                    if (whole - seconds).abs() <= seconds / 2.0 { whole } else { seconds }
                });
                (true, plays && lead.is_some(), rounds)
            }
        };
        let round = turns || lead.is_some_and(|lead| lead.round);
        let own = lead.filter(|_| plays).map_or(30.0, |lead| lead.rate);
        let rate = match pace {
            FrameTiming::EachFrame => own,
            FrameTiming::Smooth(rate) if rate.is_finite() => rate.clamp(RATE_RANGE.0, RATE_RANGE.1),
            FrameTiming::Smooth(_) => 30.0,
        };
        // Show each frame once at the clip's speed, or fewer frames if the file format is limited to a lower rate.
        let steps = (seconds * rate.min(max)).round().max(1.0);
        let frames = if round { steps } else { steps + 1.0 };
        if frames > f64::from(MAX_FILM_FRAMES) || !frames.is_finite() {
            return Err(format!(
                "The animation would have {frames:.0} frames, more than the limit of {MAX_FILM_FRAMES}; choose a lower \
                 frame rate or a shorter clip"
            ));
        }
        let frames = frames as u32;
        Ok(Self { frames, step: seconds / steps, round, turns, plays, spans })
    }

    /// Returns the duration in seconds.
    pub fn seconds(&self) -> f64 {
        self.step * f64::from(self.frames)
    }

    /// Returns the number of frames per second.
    pub fn rate(&self) -> f64 {
        1.0 / self.step
    }

    /// Returns the seconds from the start to a frame.
    pub fn time(&self, frame: u32) -> f64 {
        self.step * f64::from(frame)
    }

    /// Returns the camera angle in degrees. The last frame is one step short of a full turn.
    pub fn degrees(&self, frame: u32) -> f64 {
        if self.turns { 360.0 * f64::from(frame) / f64::from(self.frames) } else { 0.0 }
    }

    /// Returns the duration of a frame in ticks of 1/`per_second` s. Rounding errors do not add up over the frames.
    pub fn ticks(&self, frame: u32, per_second: f64) -> u32 {
        let at = |frame: f64| (self.step * frame * per_second).round();
        let frame = f64::from(frame);
        (at(frame + 1.0) - at(frame)).max(1.0) as u32
    }

    /// Returns the clip time of a track in frame intervals from the clip's start; `None` if the track does not play.
    pub fn steps(&self, track: impl Into<TrackId>, frame: u32) -> Option<f64> {
        let track = track.into();
        let (_, span) = self.spans.iter().find(|(id, _)| *id == track && self.plays)?;
        // An animation that does not loop reaches the end with its last frame.
        let intervals = f64::from(if self.round { self.frames } else { self.frames.saturating_sub(1).max(1) });
        let mut travel = self.step * intervals * span.rate;
        if span.round && span.length > 0.0 {
            let rounds = (travel / span.length).round();
            if rounds >= 1.0 && is_near(travel / span.length, rounds) {
                travel = rounds * span.length;
            }
        }
        let steps = travel * f64::from(frame) / intervals;
        // Snap to a whole frame, so that playback without interpolation does not show the frame before.
        let whole = steps.round();
        let steps = if (steps - whole).abs() < 1e-6 { whole } else { steps };
        let offset = match (span.backwards, span.round) {
            (false, _) => steps,
            (true, false) => (span.length - steps).max(0.0),
            (true, true) if span.length > 0.0 => (-steps).rem_euclid(span.length),
            (true, true) => 0.0,
        };
        Some(span.first + offset)
    }

    /// Poses every entity for a frame of the animation.
    pub fn pose(&self, scene: &mut Scene, frame: u32) {
        scene.refresh_at(|entity, track, playback| match self.steps(track, frame) {
            Some(steps) => {
                let clip = playback.played(entity.model());
                let blend = blend_at(&clip, clip.frames_at(steps), playback.repeat);
                if playback.interpolate { blend } else { FrameBlend::single(blend.from) }
            }
            None => playback.blend(entity.model()),
        });
    }
}

fn is_near(value: f64, whole: f64) -> bool {
    (value - whole).abs() <= 0.02 * whole.max(1.0)
}

/// Returns the number of rounds of the leader after which all looping clips restart together; 1 if that takes too long.
fn common_rounds(lead: ClipRange, spans: &[(TrackId, ClipRange)]) -> f64 {
    if !lead.round {
        return 1.0;
    }
    let others = || spans.iter().map(|(_, span)| span).filter(|span| span.round && span.length > 0.0);
    let fits = |rounds: &u32| {
        let seconds = lead.seconds() * f64::from(*rounds);
        let all = others().all(|other| {
            let whole = (seconds / other.seconds()).round();
            whole >= 1.0 && is_near(seconds / other.seconds(), whole)
        });
        all && (*rounds == 1 || seconds <= COMMON_SECS)
    };
    (1..=ROUNDS_TRIED).find(fits).map_or(1.0, f64::from)
}
