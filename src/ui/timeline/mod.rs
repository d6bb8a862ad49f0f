//! Time, over the whole width at the bottom: transport, ruler and the track of clips.

mod ruler;
mod track;
mod transport;

use egui::{Rect, Ui, pos2, vec2};

use super::theme;
use crate::model::{Clip, ClipSource, FrameNumbering, Model};
use crate::scene::{Actor, ClipChoice};
use crate::session::{Action, Session};

/// Height of the timeline.
pub const HEIGHT: f32 = 120.0;
/// Its height in a low window.
pub const COMPACT_HEIGHT: f32 = 84.0;
const TRANSPORT: f32 = 40.0;
const RULER: f32 = 22.0;
/// From the window's edges.
const MARGIN: f32 = 10.0;

/// A window being made small or away may be narrower than anything on the timeline.
const LEAST_WIDTH: f32 = 240.0;

/// What the timeline remembers for itself.
#[derive(Debug, Default)]
pub struct Memory {
    /// The playhead is being dragged.
    scrubbing: bool,
}

/// Frames along the width.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    left: f32,
    right: f32,
    /// Number of frames; at least 1.
    frames: u32,
}

impl Scale {
    /// Points per frame.
    #[must_use]
    pub fn step(&self) -> f32 {
        (self.right - self.left) / self.frames.max(1) as f32
    }

    /// Where a frame begins.
    #[must_use]
    pub fn x(&self, frame: f64) -> f32 {
        self.left + frame as f32 * self.step()
    }

    /// The frame at a place, from the first to the last.
    #[must_use]
    pub fn frame(&self, x: f32, whole: bool) -> f64 {
        let frame = f64::from((x - self.left) / self.step().max(1e-6));
        let frame = frame.clamp(0.0, f64::from(self.frames.saturating_sub(1)));
        if whole { frame.round() } else { frame }
    }
}

/// What the timeline shows of a model.
pub struct View<'a> {
    /// The model.
    pub model: &'a Model,
    /// The clip that plays.
    pub clip: Clip,
    /// Its place in the list of clips.
    pub current: Option<usize>,
    /// All named clips.
    pub clips: &'a [Clip],
    /// Where the playhead stands, in frames as people count them.
    pub frame: f64,
    /// How many frames people count.
    pub frames: u32,
    /// Whether only the current clip is on the ruler.
    pub clip_alone: bool,
    /// Whether there is anything to play.
    pub playable: bool,
}

impl<'a> View<'a> {
    /// What to show of the session's model.
    #[must_use]
    pub fn of(session: &'a Session) -> Option<Self> {
        let actor = session.track()?;
        let (model, playback) = (actor.model(), &actor.playback);
        let clips = named_clips(actor);
        Some(Self {
            model,
            clip: playback.clip(model),
            current: match playback.choice {
                ClipChoice::Clip(index) if !clips.is_empty() => Some(index),
                _ => None,
            },
            clips,
            frame: playback.shown_frame(model),
            frames: playback.shown_frames(model).max(1),
            clip_alone: model.frame_numbering() == FrameNumbering::PerClip,
            playable: playback.shown_frames(model) > 1,
        })
    }

    /// The frames of a clip as people count them.
    #[must_use]
    pub fn range(&self, clip: &Clip) -> (u32, u32) {
        if self.clip_alone { (0, clip.count) } else { (clip.first, clip.end()) }
    }
}

/// The clips that somebody named; a file that names none has one of all its frames.
#[must_use]
pub fn named_clips(actor: &Actor) -> &[Clip] {
    let clips = actor.playback.clips(&actor.part.model);
    let unnamed = clips.len() == 1 && clips.first().is_some_and(|clip| clip.source == ClipSource::AllFrames);
    if unnamed { &[] } else { clips }
}

/// Colour of the clip with this place in the list, grey for all frames.
#[must_use]
pub fn clip_colour(ui: &Ui, index: Option<usize>) -> egui::Color32 {
    let tokens = theme::tokens(ui);
    index.map_or(tokens.text3, |index| tokens.clip(index))
}

/// Shows the timeline.
pub fn show(ui: &mut Ui, session: &Session, compact: bool, memory: &mut Memory, actions: &mut Vec<Action>) {
    let Some(view) = View::of(session) else { return };
    let area = ui.max_rect();
    let wide = area.shrink2(vec2(MARGIN, 0.0));
    if wide.width() < LEAST_WIDTH {
        return;
    }
    let row = |top: f32, height: f32| {
        Rect::from_min_max(pos2(wide.left(), area.top() + top), pos2(wide.right(), area.top() + top + height))
    };
    transport::show(ui, session, &view, row(0.0, TRANSPORT), actions);
    let ruler = row(TRANSPORT, RULER);
    let track_height = if compact { 18.0 } else { 40.0 };
    let track = row(TRANSPORT + RULER, track_height);
    let scale = Scale { left: wide.left(), right: wide.right(), frames: view.frames };
    track::show(ui, session, &view, &scale, track, actions);
    ruler::show(ui, session, &view, &scale, ruler, track, memory, actions);
}
