//! Clocks: clips, frames, speed, and the clock of moving materials.

use std::sync::Arc;

use super::after;
use crate::scene::{ClipChoice, EntityId, FrameRange, Playback, SPEEDS, furthest_frame};
use crate::session::{NotificationKind, Selection, Session};
use maquette_core::model::Model;
use maquette_core::pose::Repeat;

/// What a user wants of time.
#[derive(Clone, Debug, PartialEq)]
pub enum ClockAction {
    /// Play or pause.
    TogglePlay,
    /// Go so many whole frames on, or back.
    Step(i32),
    /// Go to the clip's first frame.
    ClipStart,
    /// Go to the clip's last frame.
    ClipEnd,
    /// Choose the next clip.
    NextClip,
    /// Choose the previous clip.
    PreviousClip,
    /// Choose a clip, from its start. What was paused stays paused.
    ChooseClip(ClipChoice),
    /// Choose a clip of one of the figure's parts.
    ChooseClipOf(EntityId, ClipChoice),
    /// Choose a clip of one of the figure's parts and play it.
    PlayClip(EntityId, ClipChoice),
    /// Go to a frame, counted as people see it, and stop there.
    Seek(f64),
    /// Go to a frame of one of the figure's parts.
    SeekIn(EntityId, f64),
    /// Go to a frame of one of the parts, in this clip if one is named, and stop there; the other parts' clocks stay as
    /// they are.
    GoTo(EntityId, Option<ClipChoice>, f64),
    /// Go to the frame of the clip in which the selected tag, joint or vertex is furthest from its place in the first one.
    FurthestFrame,
    /// Whether legs and torso go together as in the game.
    SetPaired(bool),
    /// Play faster or slower, as a factor; negative: backwards.
    SetSpeed(f64),
    /// Play the other way round.
    Reverse,
    /// The next speed offered.
    Faster,
    /// The previous speed offered.
    Slower,
    /// Frames per second in place of the clip's own; `None`: its own.
    SetRate(Option<f32>),
    /// What happens at the clip's end.
    SetRepeat(Repeat),
    /// The next of loop, once, to and fro.
    CycleRepeat,
    /// Blend between frames, or not.
    ToggleInterpolation,
    /// Group frames by the Quake II player table, or by their names.
    SetPlayerTable(bool),
    /// Play these frames, counted as people see them, in place of the clip's; `None`: the clip's again.
    SetLoopRange(Option<FrameRange>),
    /// The loop range begins at the frame shown.
    LoopFromHere,
    /// The loop range ends at the frame shown.
    LoopToHere,
    /// Let materials that move run or stand still, apart from the clips.
    ToggleEffects,
    /// Put the clock of moving materials at so many seconds, and stop it there.
    SeekEffects(f64),
}

impl Session {
    pub(super) fn apply_to_clocks(&mut self, action: ClockAction) {
        match action {
            ClockAction::TogglePlay => self.toggle_play(),
            ClockAction::Step(steps) => {
                self.move_playhead(|playback, model| playback.step(model, steps));
            }
            ClockAction::ClipStart => self.go_in_clip(|playback, _| playback.jump(0.0)),
            ClockAction::ClipEnd => self.go_in_clip(|playback, model| {
                playback.jump(f64::from(playback.span(model).count.saturating_sub(1)));
            }),
            ClockAction::NextClip => self.next_clip(1),
            ClockAction::PreviousClip => self.next_clip(-1),
            ClockAction::ChooseClip(choice) => {
                if let Some(track) = self.track().map(|track| track.id) {
                    self.document.choose(track, choice);
                }
                self.keep_in_sight(true);
            }
            ClockAction::ChooseClipOf(entity, choice) => {
                self.look_at(entity);
                self.document.choose(entity, choice);
                self.keep_in_sight(true);
            }
            ClockAction::PlayClip(entity, choice) => {
                self.look_at(entity);
                self.document.choose(entity, choice);
                if !self.is_playing() {
                    self.toggle_play();
                }
                self.keep_in_sight(true);
            }
            ClockAction::Seek(frame) => self.seek(frame),
            ClockAction::SeekIn(entity, frame) => {
                self.look_at(entity);
                // What has but one frame has none to go to; the transport would move another part.
                if self.entity().is_some_and(|entity| entity.follows_parent || entity.has_track()) {
                    self.seek(frame);
                }
            }
            ClockAction::GoTo(entity, choice, frame) => self.go_to(entity, choice, frame),
            ClockAction::FurthestFrame => self.go_to_furthest(),
            ClockAction::SetPaired(paired) => self.document.paired = paired,
            ClockAction::SetSpeed(speed) => {
                self.on_all(|playback, _| playback.set_speed(speed));
            }
            ClockAction::Reverse => self.on_all(Playback::reverse),
            ClockAction::Faster => self.on_all(|playback, _| {
                let faster = SPEEDS.into_iter().find(|speed| *speed > playback.speed.abs() + 1e-6);
                playback.set_speed(faster.unwrap_or(SPEEDS[6]).copysign(playback.speed));
            }),
            ClockAction::Slower => self.on_all(|playback, _| {
                let slower = SPEEDS.into_iter().rev().find(|speed| *speed < playback.speed.abs() - 1e-6);
                playback.set_speed(slower.unwrap_or(SPEEDS[0]).copysign(playback.speed));
            }),
            ClockAction::SetRate(rate) => {
                self.on_track(|playback, _| playback.rate = rate.map(|rate| rate.clamp(0.1, 1000.0)));
            }
            ClockAction::SetRepeat(repeat) => self.on_all(|playback, model| playback.set_repeat(model, repeat)),
            ClockAction::CycleRepeat => self.on_all(|playback, model| {
                playback.set_repeat(model, after(&Repeat::ALL, playback.repeat));
            }),
            ClockAction::ToggleInterpolation => {
                self.on_all(|playback, _| playback.interpolate = !playback.interpolate);
            }
            ClockAction::SetPlayerTable(table) => self.on_track(|playback, model| {
                let frame = playback.shown_frame(model);
                playback.player_table = table;
                playback.choice = ClipChoice::AllFrames;
                playback.seek(model, frame);
                playback.choose_at(model, frame);
            }),
            ClockAction::SetLoopRange(range) => self.on_track(|playback, model| playback.set_range(model, range)),
            ClockAction::LoopFromHere => {
                self.on_track(|playback, model| playback.set_range(model, playback.range_from_here(model, false)));
            }
            ClockAction::LoopToHere => {
                self.on_track(|playback, model| playback.set_range(model, playback.range_from_here(model, true)));
            }
            ClockAction::ToggleEffects => {
                if self.has_effects() {
                    self.view.material_clock.playing = !self.view.material_clock.playing;
                } else {
                    self.note(NotificationKind::Warning, "No shader effects to play");
                }
            }
            ClockAction::SeekEffects(seconds) => self.seek_effects(seconds),
        }
    }

    /// Moves the playhead: of all parts of a figure if they are paired, else of one part, and stops it.
    fn move_playhead(&mut self, change: impl Fn(&mut Playback, &Model)) {
        if self.document.paired {
            self.on_all(change);
        } else {
            self.stop();
            self.on_track(change);
        }
        self.keep_in_sight(false);
    }

    /// Jumps within the clip: of all parts if they are paired, else of one. Playback goes on.
    fn go_in_clip(&mut self, change: impl Fn(&mut Playback, &Model)) {
        if self.document.paired {
            self.on_all(change)
        } else {
            self.on_track(change)
        }
        self.keep_in_sight(false);
    }

    fn seek(&mut self, frame: f64) {
        self.stop();
        self.on_track(|playback, model| playback.seek(model, frame));
        if let Some(track) = self.track().map(|track| track.id).filter(|_| self.document.paired) {
            self.document.scene.follow(track);
        }
        self.keep_in_sight(false);
    }

    /// Goes to a frame of one part, or of the one whose frames it shows, and leaves all others as they are.
    fn go_to(&mut self, entity: EntityId, choice: Option<ClipChoice>, frame: f64) {
        self.look_at(entity);
        let scene = &self.document.scene;
        let Some(own) = scene.entity(entity) else { return };
        let mut led = own;
        while let Some(parent) = led.attachment.as_ref().filter(|_| led.follows_parent) {
            let Some(parent) = scene.entity(parent.to) else { break };
            led = parent;
        }
        // The clips of another model are others; one may be called the same.
        let choice = match choice {
            Some(ClipChoice::Clip(index)) if led.id != own.id => {
                let name = own.model().clips().get(index).map(|clip| clip.name.as_str());
                let same = led.model().clips().iter().position(|clip| Some(clip.name.as_str()) == name);
                same.map(ClipChoice::Clip)
            }
            choice => choice,
        };
        let led = led.id;
        if let Some(moved) = self.document.scene.entity_mut(led).filter(|entity| entity.has_track()) {
            let model = Arc::clone(&moved.asset.model);
            if let Some(choice) = choice {
                moved.playback.choose(&model, choice);
            }
            moved.playback.pause();
            moved.playback.seek(&model, frame);
        }
        self.keep_in_sight(false);
    }

    /// Goes to the frame of the clip in which what is selected is furthest from where it began.
    fn go_to_furthest(&mut self) {
        let Some(entity) = self.entity() else { return };
        let (id, furthest) = (entity.id, furthest_frame(entity, self.document.selection));
        match furthest {
            Some((frame, distance)) => {
                self.apply_to_clocks(ClockAction::SeekIn(id, frame));
                self.note(NotificationKind::Done, format!("Furthest in frame {frame}: {distance:.2} units"));
            }
            None => self.note(NotificationKind::Warning, "Select a tag, a joint or a vertex first"),
        }
    }

    /// Pauses every clock: scrubbing one part pauses the whole figure.
    fn stop(&mut self) {
        self.document.scene.entities_mut().iter_mut().for_each(|entity| entity.playback.pause());
    }

    /// Moves the focus; the selection is cleared if the focus changes.
    pub(in crate::session) fn look_at(&mut self, entity: EntityId) {
        if self.document.focus != Some(entity) {
            self.document.focus = Some(entity);
            self.document.selection = Selection::None;
        }
    }

    fn toggle_play(&mut self) {
        // All that moves by itself stands still together; what has no clip has its materials.
        let any_track = self.document.scene.entities().iter().any(|entity| entity.has_track());
        if self.is_playing() || !any_track && self.effects_run() {
            self.stop();
            self.view.material_clock.playing = false;
            return;
        }
        self.view.material_clock.playing = true;
        for entity in self.document.scene.entities_mut().iter_mut().filter(|entity| entity.has_track()) {
            entity.playback.play(&entity.asset.model);
        }
    }

    fn next_clip(&mut self, steps: i64) {
        let Some(track) = self.track() else { return };
        let (id, mut playback) = (track.id, track.playback.clone());
        playback.next_clip(&track.asset.model, steps);
        self.document.choose(id, playback.choice);
        self.keep_in_sight(true);
    }

    /// Changes the clock that the transport shows.
    fn on_track(&mut self, change: impl Fn(&mut Playback, &Model)) {
        let track = self.track().map(|track| track.id);
        if let Some(entity) = track.and_then(|track| self.document.scene.entity_mut(track)) {
            let model = Arc::clone(&entity.asset.model);
            change(&mut entity.playback, &model);
        }
    }

    /// Changes every clock.
    fn on_all(&mut self, change: impl Fn(&mut Playback, &Model)) {
        for entity in self.document.scene.entities_mut().iter_mut() {
            let model = Arc::clone(&entity.asset.model);
            change(&mut entity.playback, &model);
        }
    }
}
