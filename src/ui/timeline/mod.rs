//! Timeline: transport, ruler, and the tracks with the clips.

mod choices;
mod clip_menu;
mod ruler;
mod transport;

use egui::Ui;

use super::{format, theme};
use maquette_assets::open::Role;
use maquette_core::model::{Clip, ClipSource, FrameNumbering};
use maquette_scene::scene::{ClipChoice, Entity, Playback, Track, TrackId};
use maquette_scene::session::{Action, ClockAction, Session};

pub const TRANSPORT: f32 = 40.0;
/// Distance from the edges of the window, in points.
const MARGIN: f32 = 10.0;
const TRACKS_SHOWN: usize = 4;
/// Minimum width in points. A window that is being closed or minimized can be narrower than any control.
const NEEDED_WIDTH: f32 = 240.0;

/// Tolerance for a playback time that is slightly less than a whole frame.
const ROUNDING: f64 = 1e-3;

#[derive(Debug, Default)]
pub struct State {
    drag: Option<ruler::Drag>,
    /// Track on which the mouse button was pressed.
    pressed: Option<TrackId>,
    /// Current drag on the overview.
    strip: Option<ruler::overview::DragHandle>,
    /// Horizontal position of the pointer over the ruler.
    hovered: Option<f32>,
    room: f32,
}

impl State {
    /// Returns the width of the ruler in points; 0 until it is shown.
    pub fn room(&self) -> f32 {
        self.room
    }
}

/// Playback of an entity as shown on the timeline. Frames are counted from 0 in each file.
pub struct View<'a> {
    clip: Clip,
    current: Option<usize>,
    clips: &'a [Clip],
    frame: f64,
    frames: u32,
    /// Whether the ruler shows only the current clip.
    clip_alone: bool,
    /// Whether there is more than one frame.
    playable: bool,
    entity: &'a Entity,
    track: TrackId,
    playback: &'a Playback,
    /// Whether the track is one of several.
    shared: bool,
}

/// Removes a prefix that the role of a part implies: `ATTACK` on the torso instead of `TORSO_ATTACK`.
pub fn short_name(role: Role, name: &str) -> &str {
    let prefixes: &[&str] = match role {
        Role::Legs => &["LEGS_", "BOTH_"],
        Role::Torso => &["TORSO_", "BOTH_"],
        _ => &[],
    };
    prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

impl<'a> View<'a> {
    pub fn of(track: Track<'a>, shared: bool) -> Self {
        let Track { id, entity, playback } = track;
        let (model, clips) = (entity.model(), named_clips(entity));
        Self {
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
            track: id,
            playback,
            shared,
        }
    }

    fn choose(&self, choice: ClipChoice) -> Action {
        let id = self.track;
        Action::Clock(if self.shared { ClockAction::ChooseClipOf(id, choice) } else { ClockAction::ChooseClip(choice) })
    }

    fn seek(&self, frame: f64) -> Action {
        let id = self.track;
        Action::Clock(if self.shared { ClockAction::SeekIn(id, frame) } else { ClockAction::Seek(frame) })
    }

    /// Removes a prefix that the name of the track implies.
    fn short_name<'n>(&self, name: &'n str) -> &'n str {
        if self.shared { short_name(self.entity.role, name) } else { name }
    }

    fn frame_name(&self, frame: u32) -> &'a str {
        let first = if self.clip_alone { self.clip.first } else { 0 };
        let frame = first.saturating_add(frame) as usize;
        self.entity.model().frames().get(frame).map_or("", |frame| frame.name.as_str())
    }

    fn current_clip(&self) -> Option<&'a Clip> {
        self.clips.get(self.current?)
    }

    /// Returns a clip that contains the frame, preferably the current one.
    fn clip_at(&self, frame: u32) -> Option<&'a Clip> {
        let mut all = self.current_clip().into_iter().chain(self.clips);
        all.find(|clip| clip.contains(frame) && !self.clip_alone)
    }

    /// Returns the number of the frame in its clip, counted from 1: `10 of 40 in clip`. Returns `None` if the clip
    /// starts at frame 0.
    fn place_in_clip(&self) -> Option<String> {
        let (first, end) = self.range(self.current_clip()?);
        let frame = self.whole_frame();
        let place = frame.checked_sub(first).filter(|_| first > 0 && frame < end && end - first > 1)?;
        let [place, count] = [place + 1, end - first].map(|number| format::count(number as usize));
        Some(format!("{place} of {count} in clip"))
    }

    /// Returns the frame at or before the playhead.
    fn whole_frame(&self) -> u32 {
        (self.frame + ROUNDING).max(0.0) as u32
    }

    /// Returns the displayed frame number: whole during playback, otherwise with one decimal if frames are
    /// interpolated.
    fn frame_number(&self) -> f64 {
        let frame = (self.frame + ROUNDING).max(0.0);
        let is_whole = self.playback.playing || !self.playback.interpolate;
        if is_whole { frame.floor() } else { (frame * 10.0).floor() / 10.0 }
    }

    /// Returns the first frame of a clip, and the frame after its last.
    fn range(&self, clip: &Clip) -> (u32, u32) {
        if self.clip_alone { (0, clip.count) } else { (clip.first, clip.end()) }
    }
}

/// Returns the named clips. A file without clips has one clip of all frames, which does not count.
pub fn named_clips(entity: &Entity) -> &[Clip] {
    let clips = entity.playback.clips(&entity.asset.model);
    let unnamed = clips.len() == 1 && clips.first().is_some_and(|clip| clip.source == ClipSource::AllFrames);
    if unnamed { &[] } else { clips }
}

/// Describes how a clip loops and its direction.
pub fn loop_description(clip: &Clip) -> String {
    let end = match clip.loop_frames {
        0 => "plays once, holds last frame".to_owned(),
        frames if frames >= clip.count => "loop (from clip)".to_owned(),
        1 => "loops last frame".to_owned(),
        frames => format!("loops last {frames} frames"),
    };
    if clip.reversed { format!("{end}, reversed") } else { end }
}

/// Returns the colour of the clip at an index, or grey for all frames.
pub fn clip_colour(ui: &Ui, index: Option<usize>) -> egui::Color32 {
    let tokens = theme::tokens(ui);
    index.map_or(tokens.text3, |index| tokens.clip(index))
}

/// Returns at most [`TRACKS_SHOWN`] tracks, always including the current one.
fn shown_tracks(session: &Session) -> Vec<Track<'_>> {
    let Some(current) = session.document.led_track() else { return Vec::new() };
    let mut tracks = session.document.tracks();
    if tracks.len() > TRACKS_SHOWN {
        tracks.retain(|track| track.id != current.id);
        tracks.truncate(TRACKS_SHOWN - 1);
        tracks.push(current);
    }
    if tracks.is_empty() { vec![current] } else { tracks }
}

pub fn height(session: &Session, compact: bool) -> f32 {
    TRANSPORT + ruler::height(shown_tracks(session).len(), compact)
}

/// Shows the transport of the current track, the ruler and a track for each animated entity.
pub fn show(ui: &mut Ui, session: &Session, compact: bool, state: &mut State, actions: &mut Vec<Action>) {
    let Some(current) = session.document.led_track() else { return };
    let area = ui.max_rect().shrink2(egui::vec2(MARGIN, 0.0));
    if area.width() < NEEDED_WIDTH {
        return;
    }
    let tracks = shown_tracks(session);
    let bottom = area.top() + TRANSPORT;
    transport::show(ui, session, &View::of(current, tracks.len() > 1), area.with_max_y(bottom), actions);
    // A folded timeline has only the transport.
    if area.height() >= TRANSPORT + ruler::RULER {
        let below = egui::UiBuilder::new().id_salt("ruler").max_rect(area.with_min_y(bottom));
        ruler::show(&mut ui.new_child(below), session, compact, state, actions);
    }
}
