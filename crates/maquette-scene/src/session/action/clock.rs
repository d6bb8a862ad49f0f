//! Playback actions: clips, frames, speed and the time of materials.

use std::sync::Arc;

use super::after;
use crate::scene::{Choices as _, ClipChoice, EntityId, FrameRange, Playback, SPEEDS, TrackId, furthest_frame};
use crate::session::{Document, NotificationKind, Selection, Session};
use maquette_core::model::Model;
use maquette_core::pose::Repeat;

/// Playback action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum ClockAction {
    /// Play or pause.
    TogglePlay,
    /// Step by whole frames, back if negative.
    Step(i32),
    /// Go to the clip's first frame.
    ClipStart,
    /// Go to the clip's last frame.
    ClipEnd,
    /// Choose the next clip.
    NextClip,
    /// Choose the previous clip.
    PreviousClip,
    /// Choose a clip and go to its start. Paused playback stays paused.
    ChooseClip(ClipChoice),
    /// Choose a clip of a part of the character.
    ChooseClipOf(TrackId, ClipChoice),
    /// Choose a clip of a part of the character and play it.
    PlayClip(TrackId, ClipChoice),
    /// Let the transport control a track.
    Lead(TrackId),
    /// Seek a displayed frame and pause.
    Seek(f64),
    /// Seek a displayed frame of a part and pause.
    SeekIn(TrackId, f64),
    /// Seek a displayed frame of a part and pause the part. `Some` chooses the clip first. Other parts do not change.
    GoTo(EntityId, Option<ClipChoice>, f64),
    /// Go to the frame in which the selected point is furthest from its position in the first frame.
    FurthestFrame,
    /// Set whether playback of legs and torso is linked, as in the game.
    SetPaired(bool),
    /// Set the speed factor. A negative factor plays backwards.
    SetSpeed(f64),
    /// Reverse the direction.
    Reverse,
    /// Choose the next faster speed.
    Faster,
    /// Choose the next slower speed.
    Slower,
    /// Set the frames per second that override the clip's rate; `None` restores the clip's rate.
    SetRate(Option<f32>),
    /// Set the repeat mode.
    SetRepeat(Repeat),
    /// Choose the next repeat mode.
    CycleRepeat,
    /// Toggle interpolation between frames.
    ToggleInterpolation,
    /// Group frames by the table of the game's players instead of by their names.
    SetPlayerTable(bool),
    /// Set the loop range in displayed frames; `None` clears it.
    SetLoopRange(Option<FrameRange>),
    /// Start the loop range at the shown frame.
    LoopFromHere,
    /// End the loop range at the shown frame.
    LoopToHere,
    /// Play or pause animated materials, independently of clips.
    ToggleEffects,
    /// Set the time of animated materials in seconds and pause them.
    SeekEffects(f64),
}

impl Document {
    pub(in crate::session) fn focus_on(&mut self, entity: EntityId) {
        if self.focus != Some(entity) {
            self.focus = Some(entity);
            self.selection = Selection::None;
        }
    }
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
                if let Some(track) = self.document.led_track().map(|track| track.id) {
                    self.document.choose(track, choice);
                }
                self.keep_in_sight(true);
            }
            ClockAction::ChooseClipOf(track, choice) => {
                self.lead(track);
                self.document.choose(track, choice);
                self.keep_in_sight(true);
            }
            ClockAction::PlayClip(track, choice) => {
                self.lead(track);
                self.document.choose(track, choice);
                if !self.is_playing() {
                    self.toggle_play();
                }
                self.keep_in_sight(true);
            }
            ClockAction::Seek(frame) => self.seek(frame),
            ClockAction::Lead(track) => self.lead(track),
            ClockAction::SeekIn(track, frame) => {
                self.lead(track);
                // If the part has a single frame, seeking would move another part.
                if self.entity().is_some_and(|entity| entity.follows_parent || entity.has_track()) {
                    self.seek(frame);
                }
            }
            ClockAction::GoTo(entity, choice, frame) => self.go_to(entity, choice, frame),
            ClockAction::FurthestFrame => self.go_to_furthest(),
            ClockAction::SetPaired(paired) => {
                self.document.paired = paired;
                if paired {
                    self.document.scene.entities_mut().iter_mut().for_each(|entity| entity.torso = None);
                }
            }
            ClockAction::SetSpeed(speed) => {
                self.on_all(|playback, _| playback.set_speed(speed));
            }
            ClockAction::Reverse => self.on_all(Playback::reverse),
            ClockAction::Faster => self.on_all(|playback, _| playback.set_speed(faster(playback.speed))),
            ClockAction::Slower => self.on_all(|playback, _| playback.set_speed(slower(playback.speed))),
            ClockAction::SetRate(rate) => {
                self.on_track(|playback, _| playback.rate = rate.map(|rate| rate.clamp(0.1, 1000.0)));
            }
            ClockAction::SetRepeat(repeat) => self.on_all(|playback, model| playback.set_repeat(model, repeat)),
            ClockAction::CycleRepeat => self.on_all(|playback, model| {
                playback.set_repeat(model, after(Repeat::all(), playback.repeat));
            }),
            ClockAction::ToggleInterpolation => {
                self.on_all(|playback, _| playback.interpolate = !playback.interpolate);
            }
            ClockAction::SetPlayerTable(table) => self.on_track(|playback, model| {
                let frame = playback.shown_frame(model);
                (playback.player_table, playback.choice) = (table, ClipChoice::AllFrames);
                playback.seek(model, frame);
                playback.choose_at(model, frame);
            }),
            ClockAction::SetLoopRange(range) => self.set_range(|_, _| range),
            ClockAction::LoopFromHere => self.set_range(|playback, model| playback.range_from_here(model, false)),
            ClockAction::LoopToHere => self.set_range(|playback, model| playback.range_from_here(model, true)),
            ClockAction::ToggleEffects if self.has_effects() => {
                self.view.material_clock.playing = !self.view.material_clock.playing;
            }
            ClockAction::ToggleEffects => self.note(NotificationKind::Warning, "No shader effects to play"),
            ClockAction::SeekEffects(seconds) => self.view.seek_effects(seconds),
        }
    }

    /// Moves the playhead and pauses. If legs and torso are linked, all parts move.
    fn move_playhead(&mut self, change: impl Fn(&mut Playback, &Model)) {
        if self.document.paired {
            self.on_all(change);
        } else {
            self.stop();
            self.on_track(change);
        }
        self.keep_in_sight(false);
    }

    /// Sets the loop range of the leading part. If legs and torso are linked, the other half of the character follows.
    fn set_range(&mut self, range: impl Fn(&Playback, &Model) -> Option<FrameRange>) {
        self.on_track(|playback, model| playback.set_range(model, range(playback, model)));
        if let Some(track) = self.document.track().map(|track| track.id).filter(|_| self.document.paired) {
            self.document.scene.pair_range(track);
        }
    }

    /// Like [`Self::move_playhead`], but playback continues.
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
        if let Some(track) = self.document.track().map(|track| track.id).filter(|_| self.document.paired) {
            self.document.scene.follow(track);
        }
        self.keep_in_sight(false);
    }

    /// Seeks in one part, or in the ancestor whose frames it shows. Other parts do not change.
    fn go_to(&mut self, entity: EntityId, choice: Option<ClipChoice>, frame: f64) {
        self.document.focus_on(entity);
        let scene = &self.document.scene;
        let Some(own) = scene.entity(entity) else { return };
        let mut led = own;
        while let Some(parent) = led.attachment.as_ref().filter(|_| led.follows_parent) {
            let Some(parent) = scene.entity(parent.to) else { break };
            led = parent;
        }
        // The clips of the other model have different indices, so look for a clip of the same name.
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

    fn go_to_furthest(&mut self) {
        let Some(entity) = self.entity() else { return };
        let (id, furthest) = (entity.id, furthest_frame(entity, self.document.selection));
        match furthest {
            Some((frame, distance)) => {
                self.apply_to_clocks(ClockAction::SeekIn(id.into(), frame));
                self.note(NotificationKind::Done, format!("Largest offset in frame {frame}: {distance:.2} units"));
            }
            None => self.note(NotificationKind::Warning, "Select a tag, a joint or a vertex first"),
        }
    }

    /// Pauses every part, because scrubbing one part pauses the whole character.
    fn stop(&mut self) {
        self.document.scene.pause();
    }

    fn lead(&mut self, track: TrackId) {
        self.document.focus_on(track.entity);
        self.document.leads_torso = track.is_torso;
    }

    fn toggle_play(&mut self) {
        // Clips and materials pause together. If no entity has a track, the button controls only the materials.
        let any_track = self.document.scene.entities().iter().any(|entity| entity.has_track());
        if self.is_playing() || !any_track && self.effects_run() {
            self.stop();
            self.view.material_clock.playing = false;
            return;
        }
        self.view.material_clock.playing = true;
        for entity in self.document.scene.entities_mut().iter_mut().filter(|entity| entity.has_track()) {
            let model = Arc::clone(&entity.asset.model);
            entity.playbacks_mut().for_each(|playback| playback.play(&model));
        }
    }

    fn next_clip(&mut self, steps: i64) {
        let Some(track) = self.document.led_track() else { return };
        let (id, mut playback) = (track.id, track.playback.clone());
        playback.next_clip(track.entity.model(), steps);
        self.document.choose(id, playback.choice);
        self.keep_in_sight(true);
    }

    fn on_track(&mut self, change: impl Fn(&mut Playback, &Model)) {
        let Some(track) = self.document.led_track().map(|track| track.id) else { return };
        let linked = self.document.paired;
        if let Some(entity) = self.document.scene.entity_mut(track.entity) {
            let model = Arc::clone(&entity.asset.model);
            change(entity.playback_mut(track, linked), &model);
        }
    }

    fn on_all(&mut self, change: impl Fn(&mut Playback, &Model)) {
        for entity in self.document.scene.entities_mut().iter_mut() {
            let model = Arc::clone(&entity.asset.model);
            entity.playbacks_mut().for_each(|playback| change(playback, &model));
        }
    }
}

fn faster(speed: f64) -> f64 {
    let faster = SPEEDS.into_iter().find(|other| *other > speed.abs() + 1e-6);
    faster.unwrap_or(SPEEDS[6]).copysign(speed)
}

fn slower(speed: f64) -> f64 {
    let slower = SPEEDS.into_iter().rev().find(|other| *other < speed.abs() - 1e-6);
    slower.unwrap_or(SPEEDS[0]).copysign(speed)
}
