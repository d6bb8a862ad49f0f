//! Time, over the whole width at the bottom: transport, ruler and the track of clips.

mod choices;
mod clip_menu;
mod ruler;
mod transport;

use egui::Ui;

use super::{format, theme};
use maquette_assets::open::Role;
use maquette_core::model::{Clip, ClipSource, FrameNumbering, Model};
use maquette_scene::scene::{ClipChoice, Entity, EntityId, FrameRange};
use maquette_scene::session::{Action, ClockAction, Session};

pub use choices::{onion_settings, rates, repeats, speeds};

/// Height of the row of the transport.
pub const TRANSPORT: f32 = 40.0;
/// From the window's edges.
const MARGIN: f32 = 10.0;
/// Tracks shown at once.
const TRACKS_SHOWN: usize = 4;
/// A window being made small or away may be narrower than anything on the timeline.
const NEEDED_WIDTH: f32 = 240.0;

/// A clock adds up to a little less than a whole frame now and then.
const ROUNDING: f64 = 1e-3;

/// What the timeline remembers for itself.
#[derive(Debug, Default)]
pub struct State {
    /// What is being dragged on the ruler.
    drag: Option<ruler::Drag>,
    /// The track that the pointer was pressed on.
    pressed: Option<EntityId>,
    /// What is being dragged on the strip.
    strip: Option<ruler::overview::DragHandle>,
    /// Where the pointer is over the ruler.
    hovered: Option<f32>,
    /// Points that the frames have.
    room: f32,
}

impl State {
    /// Points that the frames have; 0 before the timeline was shown.
    pub fn room(&self) -> f32 {
        self.room
    }
}

/// A clock as the timeline shows it. Frames are counted from 0 in each file.
pub struct View<'a> {
    model: &'a Model,
    /// The clip that plays.
    clip: Clip,
    /// Index of the clip that plays.
    current: Option<usize>,
    /// All named clips.
    clips: &'a [Clip],
    /// Position of the playhead.
    frame: f64,
    frames: u32,
    /// Whether only the current clip is on the ruler.
    clip_alone: bool,
    /// Whether there is anything to play.
    playable: bool,
    entity: &'a Entity,
    /// Whether it is one of several tracks.
    shared: bool,
    /// The frames that are played in place of the clip's.
    loop_range: Option<FrameRange>,
}

impl<'a> View<'a> {
    /// What to show of an entity's clock.
    pub fn of(entity: &'a Entity, shared: bool) -> Self {
        let (model, playback) = (entity.model(), &entity.playback);
        let clips = named_clips(entity);
        Self {
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
            entity,
            shared,
            loop_range: playback.range,
        }
    }

    /// What chooses a clip of this track.
    fn choose(&self, choice: ClipChoice) -> Action {
        let id = self.entity.id;
        Action::Clock(if self.shared { ClockAction::ChooseClipOf(id, choice) } else { ClockAction::ChooseClip(choice) })
    }

    /// What goes to a frame of this track.
    fn seek(&self, frame: f64) -> Action {
        let id = self.entity.id;
        Action::Clock(if self.shared { ClockAction::SeekIn(id, frame) } else { ClockAction::Seek(frame) })
    }

    /// A clip's name without what the track's own says already: `ATTACK` on the torso, not `TORSO_ATTACK`.
    pub fn short_name<'n>(&self, name: &'n str) -> &'n str {
        let prefixes: &[&str] = match self.entity.role {
            Role::Legs if self.shared => &["LEGS_", "BOTH_"],
            Role::Torso if self.shared => &["TORSO_", "BOTH_"],
            _ => &[],
        };
        prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).filter(|rest| !rest.is_empty()).unwrap_or(name)
    }

    /// The name of a frame; empty if it has none.
    fn frame_name(&self, frame: u32) -> &'a str {
        let first = if self.clip_alone { self.clip.first } else { 0 };
        let frame = first.saturating_add(frame) as usize;
        self.model.frames().get(frame).map_or("", |frame| frame.name.as_str())
    }

    fn current_clip(&self) -> Option<&'a Clip> {
        self.clips.get(self.current?)
    }

    /// The clip that holds a frame: the current one if it does.
    fn clip_at(&self, frame: u32) -> Option<&'a Clip> {
        let mut all = self.current_clip().into_iter().chain(self.clips);
        all.find(|clip| clip.contains(frame) && !self.clip_alone)
    }

    /// The number of the frame in its clip, counted from 1: `10 of 40 in clip`. `None` if that is the number in the file.
    fn place_in_clip(&self) -> Option<String> {
        let (first, end) = self.range(self.current_clip()?);
        let frame = self.whole_frame();
        let place = frame.checked_sub(first).filter(|_| first > 0 && frame < end && end - first > 1)?;
        let [place, count] = [place + 1, end - first].map(|number| format::count(number as usize));
        Some(format!("{place} of {count} in clip"))
    }

    /// The frame at or before the playhead.
    fn whole_frame(&self) -> u32 {
        (self.frame + ROUNDING).max(0.0) as u32
    }

    /// The number of the frame for flag, counter and tracks: whole while it plays, else down to a tenth where frames are
    /// blended.
    fn frame_number(&self) -> f64 {
        let frame = (self.frame + ROUNDING).max(0.0);
        let is_whole = self.entity.playback.playing || !self.entity.playback.interpolate;
        if is_whole { frame.floor() } else { (frame * 10.0).floor() / 10.0 }
    }

    /// The first frame of a clip, and the one after its last.
    fn range(&self, clip: &Clip) -> (u32, u32) {
        if self.clip_alone { (0, clip.count) } else { (clip.first, clip.end()) }
    }
}

/// The clips that have names; a file that names none has one of all its frames.
pub fn named_clips(entity: &Entity) -> &[Clip] {
    let clips = entity.playback.clips(&entity.asset.model);
    let unnamed = clips.len() == 1 && clips.first().is_some_and(|clip| clip.source == ClipSource::AllFrames);
    if unnamed { &[] } else { clips }
}

/// What a clip does at its end, and which way it runs.
pub fn manner_of(clip: &Clip) -> String {
    let end = match clip.loop_frames {
        0 => "plays once, holds last frame".to_owned(),
        frames if frames >= clip.count => "loop (from clip)".to_owned(),
        1 => "loops last frame".to_owned(),
        frames => format!("loops last {frames} frames"),
    };
    if clip.reversed { format!("{end}, reversed") } else { end }
}

/// Colour of the clip with this place in the list, grey for all frames.
pub fn clip_colour(ui: &Ui, index: Option<usize>) -> egui::Color32 {
    let tokens = theme::tokens(ui);
    index.map_or(tokens.text3, |index| tokens.clip(index))
}

/// The clocks to show: of every entity that has one, the current one among them; at most as many as there is room for.
fn shown_tracks(session: &Session) -> Vec<&Entity> {
    let Some(current) = session.track() else { return Vec::new() };
    let mut tracks = session.tracks();
    if tracks.len() > TRACKS_SHOWN {
        tracks.retain(|track| track.id != current.id);
        tracks.truncate(TRACKS_SHOWN - 1);
        tracks.push(current);
    }
    if tracks.is_empty() { vec![current] } else { tracks }
}

/// How high the timeline is.
pub fn height(session: &Session, compact: bool) -> f32 {
    TRANSPORT + ruler::height(shown_tracks(session).len(), compact)
}

/// Shows the timeline: the transport of the current track, one ruler, and a track for every entity that has a clock.
pub fn show(ui: &mut Ui, session: &Session, compact: bool, memory: &mut State, actions: &mut Vec<Action>) {
    let Some(current) = session.track() else { return };
    let area = ui.max_rect().shrink2(egui::vec2(MARGIN, 0.0));
    if area.width() < NEEDED_WIDTH {
        return;
    }
    let tracks = shown_tracks(session);
    let bottom = area.top() + TRANSPORT;
    transport::show(ui, session, &View::of(current, tracks.len() > 1), area.with_max_y(bottom), actions);
    // A folded timeline is the transport alone.
    if area.height() >= TRANSPORT + ruler::RULER {
        let below = egui::UiBuilder::new().id_salt("ruler").max_rect(area.with_min_y(bottom));
        ruler::show(&mut ui.new_child(below), session, compact, memory, actions);
    }
}
