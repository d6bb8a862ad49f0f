//! What each [`Action`] does.

use std::sync::Arc;

use super::{Action, NoteKind, Panel, Request, Selection, Session, Switch};
use crate::pose::Repeat;
use crate::scene::{Anchor, Attachment, Camera, ClipChoice, Projection, Role, SPEED_RANGE, SPEEDS, Shading, Wireframe};

impl Session {
    /// Does what the user wants; what it cannot do itself comes back as a [`Request`].
    pub fn apply(&mut self, action: Action) -> Option<Request> {
        match action {
            Action::PickFiles => return Some(Request::PickFiles),
            Action::PickFolder => return Some(Request::PickFolder),
            Action::Open(paths) => {
                self.path_field = None;
                self.ask_for(&paths);
                return Some(Request::Open(paths));
            }
            Action::Show(path) => {
                self.asked_for = Some(path.clone());
                return Some(Request::Show(path));
            }
            Action::Drop(paths) => return self.dropped(paths),
            Action::ShowAlone(actor) => {
                let file = self.stage.actor(actor).and_then(|actor| actor.part.file.clone())?;
                self.asked_for = Some(file.clone());
                return Some(Request::ShowAlone(file));
            }
            Action::ShowFigure => {
                let file = self.part().and_then(|part| part.file.clone())?;
                self.asked_for = Some(file.clone());
                return Some(Request::Show(file));
            }
            Action::OpenSample(format) => return Some(Request::OpenSample(format)),
            Action::Reload => {
                let files: Vec<_> = self.stage.files().collect();
                return (!files.is_empty()).then_some(Request::Reload(files));
            }
            Action::NextModel => return self.sibling(1),
            Action::PreviousModel => return self.sibling(-1),
            Action::SavePicture => return Some(Request::SavePicture),
            Action::ToggleFullScreen => return Some(Request::ToggleFullScreen),
            Action::Quit => return Some(Request::Quit),
            Action::SavePictureTo(path) => {
                self.path_field = None;
                return Some(Request::SavePictureTo(path));
            }
            Action::CloseError => self.failure = None,
            Action::ClosePathField => self.path_field = None,
            Action::TogglePanel(panel) => {
                let panels = &mut self.panels;
                panels.hidden = false;
                let open = match panel {
                    Panel::Inspector => &mut panels.inspector,
                    Panel::Files => &mut panels.files,
                    Panel::Help => &mut panels.help,
                    Panel::Log => &mut panels.log,
                };
                *open = !*open;
            }
            Action::ToggleAllPanels => self.panels.hidden = !self.panels.hidden,
            Action::Toggle(switch) => self.toggle(switch),
            Action::SetShading(shading) => self.display.shading = shading,
            Action::CycleShading => self.display.shading = after(&Shading::ALL, self.display.shading),
            Action::SetWireframe(wireframe) => self.display.wireframe = wireframe,
            Action::CycleWireframe => {
                let all = [Wireframe::Off, Wireframe::Over, Wireframe::Alone];
                self.display.wireframe = after(&all, self.display.wireframe);
            }
            Action::SetAlpha(alpha) => self.display.alpha = alpha,
            Action::SetNormalLength(length) => self.display.normal_length = length.clamp(0.001, 1.0),
            Action::SetTone(tone) => self.tone = tone,
            Action::ShowSurface(index, shown) => {
                if let Some(visible) = self.actor_mut().and_then(|actor| actor.visible.get_mut(index)) {
                    *visible = shown;
                }
            }
            Action::ShowOnly(index) => {
                if let Some(actor) = self.actor_mut() {
                    actor.visible.iter_mut().enumerate().for_each(|(other, visible)| *visible = other == index);
                }
            }
            Action::ShowAllSurfaces => {
                if let Some(actor) = self.actor_mut() {
                    actor.visible.fill(true);
                }
            }
            Action::Select(selection) => self.select(selection),
            Action::SelectIn(actor, selection) => {
                self.focus = Some(actor);
                self.select(selection);
            }
            Action::ShowActor(actor, shown) => {
                if let Some(actor) = self.stage.actor_mut(actor) {
                    actor.hidden = !shown;
                }
            }
            Action::ShowAllActors => {
                // A flash is seen for a moment only.
                let lasting = self.stage.actors_mut().iter_mut().filter(|actor| actor.role != Role::Flash);
                lasting.for_each(|actor| actor.hidden = false);
            }
            Action::PickAttachment(to) => return Some(Request::PickAttachment(to)),
            Action::Attach(path, to) => {
                self.path_field = None;
                return Some(Request::Attach(path, to));
            }
            Action::Hang(actor, to) => {
                if self.stage.attach(actor, to) {
                    self.refresh();
                } else {
                    self.note(NoteKind::Warning, "A part cannot hang on what it carries itself");
                }
            }
            Action::Detach(actor) => {
                self.stage.remove(actor);
                if self.actor().is_none() {
                    self.focus = self.stage.actors().first().map(|actor| actor.id);
                    self.selection = Selection::None;
                }
                self.find_issues();
            }
            Action::ChooseWeapon(weapon) => return self.choose_weapon(weapon),
            Action::AttachInstead(to) => return self.attach_instead(to),
            Action::OpenInstead => {
                let offer = self.offer.take()?;
                return Some(Request::Open(vec![offer.file]));
            }
            Action::CloseOffer => self.offer = None,
            Action::ChooseSkin(skin) => self.choose_skin(skin),
            Action::ChooseSkinOfAll(name) => self.choose_skin_of_all(&name),
            Action::NextSkin => self.next_skin(),
            Action::WearFrom(surface, skin) => {
                let actor = self.actor_mut()?;
                let look = actor.part.skins.get(skin).and_then(|skin| skin.looks.get(surface)).cloned();
                match look {
                    Some(_) if skin == actor.skin => actor.take_off(surface),
                    Some(look) => actor.try_on(surface, look),
                    None => {}
                }
                self.find_issues();
            }
            Action::TakeOff(surface) => {
                self.actor_mut()?.take_off(surface);
                self.find_issues();
            }
            Action::PickPicture => return Some(Request::PickPicture),
            Action::TryPicture(path) => {
                self.path_field = None;
                return Some(Request::TryPicture(self.focus?, self.chosen_surface(), path));
            }
            Action::SetLod(lod) => {
                // A figure's parts are as far from the eye as each other.
                for actor in self.stage.actors_mut() {
                    actor.lod = lod.min(actor.part.model.lod_count() - 1);
                }
            }
            Action::SetPaired(paired) => self.paired = paired,
            Action::SetBoneBlend(bones) => self.stage.bones = bones,
            Action::Orbit(yaw, pitch) => self.camera.orbit(yaw, pitch),
            Action::Pan(points, height) => self.camera.pan(points, height),
            Action::Zoom(factor, cursor) => self.camera.zoom(factor, cursor),
            Action::FrameModel => self.frame_model(),
            Action::ResetView => {
                self.camera = Camera::default();
                self.frame_model();
            }
            Action::LookFrom(view) => self.camera.look_from(view),
            Action::ToggleProjection => {
                self.camera.projection = match self.camera.projection {
                    Projection::Perspective => Projection::Orthographic,
                    Projection::Orthographic => Projection::Perspective,
                };
            }
            time => self.apply_to_clock(time),
        }
        None
    }

    /// Actions on clocks; they need a model.
    fn apply_to_clock(&mut self, action: Action) {
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
                self.apply_to_clock(Action::Seek(frame));
            }
            // One frame on and back is for all parts of a figure; where in its clip one stands is its own.
            Action::Step(_) | Action::ClipStart | Action::ClipEnd if self.paired => self.on_tracks(&action),
            Action::Seek(_) | Action::Step(_) => {
                self.stop();
                self.on_track(&action);
            }
            Action::ClipStart | Action::ClipEnd | Action::SetRate(_) | Action::SetPlayerTable(_) => {
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
    fn look_at(&mut self, actor: crate::scene::ActorId) {
        if self.focus != Some(actor) {
            self.focus = Some(actor);
            self.selection = Selection::None;
        }
    }

    fn toggle_play(&mut self) {
        if self.is_playing() {
            self.stop();
            return;
        }
        for actor in self.stage.actors_mut().iter_mut().filter(|actor| actor.has_track()) {
            let (model, playback) = (&actor.part.model, &mut actor.playback);
            let length = playback.length(model);
            // Played to its end, a clip starts again.
            let holds = playback.repeat == Repeat::Once || !playback.clip(model).loops();
            if holds && playback.repeat != Repeat::PingPong && playback.position >= length {
                playback.position = 0.0;
            }
            playback.playing = length > 0.0;
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

    fn choose_weapon(&mut self, weapon: Option<std::path::PathBuf>) -> Option<Request> {
        let old = self.stage.with_role(Role::Weapon);
        let place = old.and_then(|actor| actor.attachment.clone()).or_else(|| {
            let hand = Anchor::Tag("tag_weapon".to_owned());
            if let Some(body) = self.stage.with_role(Role::Body) {
                return Some(Attachment { to: body.id, anchor: Anchor::Origin });
            }
            let holder = self.stage.actors().iter().find(|actor| actor.has(&hand))?;
            Some(Attachment { to: holder.id, anchor: hand })
        });
        match weapon {
            Some(weapon) => place.map(|to| Request::Attach(weapon, to)),
            None => {
                let old = old.map(|actor| actor.id)?;
                self.apply(Action::Detach(old))
            }
        }
    }

    fn toggle(&mut self, switch: Switch) {
        let display = &mut self.display;
        let on = match switch {
            Switch::Grid => &mut display.grid,
            Switch::Shadow => &mut display.shadow,
            Switch::TwoSided => &mut display.two_sided,
            Switch::VertexNormals => &mut display.vertex_normals,
            Switch::FaceNormals => &mut display.face_normals,
            Switch::Tags => &mut display.tags,
            Switch::Joints => &mut display.joints,
            Switch::JointNames => &mut display.joint_names,
            Switch::Bounds => &mut display.bounds,
            Switch::OverlaysOnTop => &mut display.overlays_on_top,
        };
        *on = !*on;
    }

    /// Whether a switch is on.
    #[must_use]
    pub fn is_on(&self, switch: Switch) -> bool {
        let display = &self.display;
        match switch {
            Switch::Grid => display.grid,
            Switch::Shadow => display.shadow,
            Switch::TwoSided => display.two_sided,
            Switch::VertexNormals => display.vertex_normals,
            Switch::FaceNormals => display.face_normals,
            Switch::Tags => display.tags,
            Switch::Joints => display.joints,
            Switch::JointNames => display.joint_names,
            Switch::Bounds => display.bounds,
            Switch::OverlaysOnTop => display.overlays_on_top,
        }
    }

    /// Choosing a tag or a joint also shows them.
    fn select(&mut self, selection: Selection) {
        self.selection = selection;
        match selection {
            Selection::Tag(_) => self.display.tags = true,
            Selection::Joint(_) => self.display.joints = true,
            Selection::None | Selection::Surface(_) => {}
        }
    }

    fn choose_skin(&mut self, skin: usize) {
        if let Some(actor) = self.actor_mut() {
            actor.wear(skin);
        }
        self.find_issues();
    }

    /// The skin of this name for all; parts that have none of it keep theirs.
    fn choose_skin_of_all(&mut self, name: &str) {
        for actor in self.stage.actors_mut() {
            if let Some(skin) = actor.part.skins.iter().position(|skin| skin.name.eq_ignore_ascii_case(name)) {
                actor.wear(skin);
            }
        }
        self.find_issues();
    }

    /// The next skin of the part in focus; in a figure, of the whole.
    fn next_skin(&mut self) {
        let Some(actor) = self.actor() else { return };
        if self.stage.figure.is_some() {
            let names = self.skin_names();
            let worn = self.worn();
            let at = names.iter().position(|name| worn.as_deref() == Some(name)).map_or(0, |at| at + 1);
            if let Some(name) = names.get(at % names.len().max(1)).cloned() {
                self.choose_skin_of_all(&name);
            }
        } else {
            self.choose_skin((actor.skin + 1) % actor.part.skins.len().max(1));
        }
    }

    /// Names of the skins that parts of the figure have, as its legs have them and then the others'.
    #[must_use]
    pub fn skin_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let parts = [Role::Legs, Role::Torso, Role::Head, Role::Body];
        for actor in self.stage.actors().iter().filter(|actor| parts.contains(&actor.role)) {
            for skin in &actor.part.skins {
                if !names.iter().any(|name| name.eq_ignore_ascii_case(&skin.name)) {
                    names.push(skin.name.clone());
                }
            }
        }
        names
    }

    /// The skin that the figure's parts wear; none if they do not wear the same.
    #[must_use]
    pub fn worn(&self) -> Option<String> {
        let parts = [Role::Legs, Role::Torso, Role::Head, Role::Body];
        let mut worn = self.stage.actors().iter().filter(|actor| parts.contains(&actor.role)).filter_map(|actor| {
            // A part of one skin has no choice.
            let skin = actor.part.skins.get(actor.skin).filter(|_| actor.part.skins.len() > 1)?;
            Some(skin.name.clone())
        });
        let first = worn.next()?;
        worn.all(|name| name.eq_ignore_ascii_case(&first)).then_some(first)
    }

    /// The model `steps` further in the list, round its ends, from the one asked for last: a broken one does not bar
    /// the way.
    fn sibling(&mut self, steps: isize) -> Option<Request> {
        let count = isize::try_from(self.siblings.len()).ok().filter(|count| *count > 0)?;
        let last = self.asked_for.as_ref();
        let own = last.and_then(|file| self.siblings.iter().position(|sibling| sibling == file));
        let next = match own.and_then(|own| isize::try_from(own).ok()) {
            Some(own) => (own + steps).rem_euclid(count),
            None => 0,
        };
        let path = self.siblings.get(usize::try_from(next).ok()?)?.clone();
        self.asked_for = Some(path.clone());
        Some(Request::Show(path))
    }
}

/// What an action does to one clock.
fn move_clock(playback: &mut crate::scene::Playback, model: &crate::model::Model, action: &Action) {
    match action {
        Action::Step(steps) => playback.step(model, *steps),
        Action::ClipStart => playback.position = 0.0,
        Action::ClipEnd => playback.position = f64::from(playback.clip(model).count.saturating_sub(1)),
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
        Action::SetRepeat(repeat) => playback.set_repeat(model, *repeat),
        Action::CycleRepeat => {
            let repeat = after(&[Repeat::Loop, Repeat::Once, Repeat::PingPong], playback.repeat);
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

/// The element after `current`, round the end.
fn after<T: Copy + PartialEq>(all: &[T], current: T) -> T {
    let next = all.iter().position(|one| *one == current).map_or(0, |index| (index + 1) % all.len());
    all.get(next).copied().unwrap_or(current)
}
