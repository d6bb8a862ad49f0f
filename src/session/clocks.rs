//! What actions do to the clocks of what stands there.

use std::sync::Arc;

use super::apply::after;
use super::{Action, Selection, Session};
use crate::model::Model;
use crate::pose::Repeat;
use crate::scene::{ActorId, ClipChoice, Playback, SPEED_RANGE, SPEEDS};

impl Session {
    /// Actions on clocks; they need a model.
    pub(super) fn apply_to_clock(&mut self, action: Action) {
        let goes = match action {
            Action::ChooseClip(_) | Action::ChooseClipOf(..) | Action::NextClip | Action::PreviousClip => Some(true),
            Action::Seek(_) | Action::SeekIn(..) | Action::Step(_) | Action::ClipStart | Action::ClipEnd => Some(false),
            _ => None,
        };
        self.move_clocks(action);
        if let Some(to_clip) = goes {
            self.keep_in_sight(to_clip);
        }
    }

    fn move_clocks(&mut self, action: Action) {
        match action {
            Action::TogglePlay => self.toggle_play(),
            Action::ChooseClip(choice) => {
                if let Some(track) = self.track().map(|track| track.id) {
                    self.stage.choose(track, choice, self.paired);
                }
            }
            Action::ChooseClipOf(actor, choice) => {
                self.look_at(actor);
                self.stage.choose(actor, choice, self.paired);
            }
            Action::NextClip => self.next_clip(1),
            Action::PreviousClip => self.next_clip(-1),
            Action::SeekIn(actor, frame) => {
                self.look_at(actor);
                self.move_clocks(Action::Seek(frame));
            }
            // One frame on and back is for all parts of a figure; where in its clip one stands is its own.
            Action::Step(_) | Action::ClipStart | Action::ClipEnd if self.paired => self.on_tracks(&action),
            Action::Seek(_) | Action::Step(_) => {
                self.stop();
                self.on_track(&action);
            }
            Action::ClipStart
            | Action::ClipEnd
            | Action::SetRate(_)
            | Action::SetPlayerTable(_)
            | Action::SetLoopRange(_)
            | Action::LoopFromHere
            | Action::LoopToHere => {
                self.on_track(&action);
            }
            speed_or_manner => self.on_tracks(&speed_or_manner),
        }
    }

    /// A scrubbed figure stands still as a whole.
    fn stop(&mut self) {
        self.stage.actors_mut().iter_mut().for_each(|actor| actor.playback.playing = false);
    }

    /// Tells of another part, if it is another one.
    pub(super) fn look_at(&mut self, actor: ActorId) {
        if self.focus != Some(actor) {
            self.focus = Some(actor);
            self.selection = Selection::None;
        }
    }

    fn toggle_play(&mut self) {
        // All that moves by itself stands still together; what has no clip has its materials.
        let any_track = self.stage.actors().iter().any(|actor| actor.has_track());
        if self.is_playing() || !any_track && self.effects_run() {
            self.stop();
            self.effects.playing = false;
            return;
        }
        self.effects.playing = true;
        for actor in self.stage.actors_mut().iter_mut().filter(|actor| actor.has_track()) {
            actor.playback.play(&actor.part.model);
        }
    }

    fn next_clip(&mut self, steps: i64) {
        let Some(track) = self.track() else { return };
        let (id, mut playback) = (track.id, track.playback.clone());
        playback.next_clip(&track.part.model, steps);
        self.stage.choose(id, playback.choice, self.paired);
    }

    fn on_track(&mut self, action: &Action) {
        let track = self.track().map(|track| track.id);
        if let Some(actor) = track.and_then(|track| self.stage.actor_mut(track)) {
            let model = Arc::clone(&actor.part.model);
            move_clock(&mut actor.playback, &model, action);
        }
    }

    fn on_tracks(&mut self, action: &Action) {
        for actor in self.stage.actors_mut().iter_mut() {
            let model = Arc::clone(&actor.part.model);
            move_clock(&mut actor.playback, &model, action);
        }
    }
}

/// What an action does to one clock.
fn move_clock(playback: &mut Playback, model: &Model, action: &Action) {
    match action {
        Action::Step(steps) => playback.step(model, *steps),
        Action::ClipStart => playback.position = 0.0,
        Action::ClipEnd => playback.position = f64::from(playback.span(model).count.saturating_sub(1)),
        Action::Seek(frame) => playback.seek(model, *frame),
        Action::SetSpeed(speed) => playback.speed = speed.clamp(SPEED_RANGE.0, SPEED_RANGE.1),
        Action::Faster => {
            playback.speed = SPEEDS.into_iter().find(|speed| *speed > playback.speed + 1e-6).unwrap_or(SPEEDS[6]);
        }
        Action::Slower => {
            let slower = SPEEDS.into_iter().rev().find(|speed| *speed < playback.speed - 1e-6);
            playback.speed = slower.unwrap_or(SPEEDS[0]);
        }
        Action::SetRate(rate) => playback.rate = rate.map(|rate| rate.clamp(0.1, 1000.0)),
        Action::SetLoopRange(range) => playback.set_range(model, *range),
        Action::LoopFromHere => playback.set_range(model, playback.range_from_here(model, false)),
        Action::LoopToHere => playback.set_range(model, playback.range_from_here(model, true)),
        Action::SetRepeat(repeat) => playback.set_repeat(model, *repeat),
        Action::CycleRepeat => {
            let repeat = after(&[Repeat::Loop, Repeat::Whole, Repeat::Once, Repeat::PingPong], playback.repeat);
            playback.set_repeat(model, repeat);
        }
        Action::ToggleInterpolation => playback.interpolate = !playback.interpolate,
        Action::SetPlayerTable(table) => {
            let frame = playback.shown_frame(model);
            playback.player_table = *table;
            playback.choice = ClipChoice::AllFrames;
            playback.seek(model, frame);
            playback.choose_at(model, frame);
        }
        _ => {}
    }
}
