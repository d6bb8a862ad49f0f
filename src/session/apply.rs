//! What each [`Action`] does.

use super::{Action, Effect, Intent, Load, NoteKind, PanelPreferences, Purpose, Selection, Session, Switch};
use crate::scene::{Look, Role, Shading, Wireframe};

impl Session {
    /// Does what the user wants; what it cannot do itself comes back as an [`Effect`].
    pub fn apply(&mut self, action: Action) -> Option<Effect> {
        let Some(what) = self.undoable(&action) else { return self.perform(action) };
        let before = self.moment(what);
        let request = self.perform(action);
        self.remember_if_changed(before);
        request
    }

    fn perform(&mut self, action: Action) -> Option<Effect> {
        match action {
            Action::Ask(Purpose::Save(product)) => return self.ask_where(product),
            Action::Ask(purpose) => return Some(Effect::Ask(purpose)),
            Action::Open(paths) => return self.open(paths, None),
            Action::Show(path) => return self.open_listed(path),
            Action::Drop(paths) => return self.dropped(paths),
            Action::ShowAlone(actor) => {
                if self.stage.actor(actor).is_some() {
                    self.stage.alone = Some(actor);
                    self.look_at(actor);
                    self.frame_model();
                }
            }
            Action::ShowFigure if self.stage.alone.is_some() => {
                self.stage.alone = None;
                self.frame_model();
            }
            Action::ShowFigure => {
                let file = self.part().and_then(|part| part.file.clone())?;
                return self.open_listed(file);
            }
            Action::OpenSample(format) => {
                let intent = Intent::Show { focus: None, restore: None, attachable: None };
                return self.load(Load::Sample(format), intent);
            }
            Action::AddRoot(root) => {
                self.path_field = None;
                return self.load(Load::Root(root, Vec::new()), Intent::AddRoot);
            }
            Action::Reload => return self.reload(None),
            Action::NextModel => return self.sibling(1),
            Action::PreviousModel => return self.sibling(-1),
            Action::ToggleFullScreen => return Some(Effect::ToggleFullScreen),
            Action::Quit => return Some(Effect::Quit),
            Action::SavePicture
            | Action::SaveFilm
            | Action::SaveContactSheet
            | Action::SaveTransparent
            | Action::CloseSaving
            | Action::SetPicture(_)
            | Action::SetFilm(_)
            | Action::SetContactSheet(_)
            | Action::SaveTo { .. }
            | Action::CopyPicture
            | Action::CancelWork => return self.apply_to_saving(action),
            Action::CloseError => self.failure = None,
            Action::ClosePathField => self.path_field = None,
            Action::CancelLoading => return self.cancel_loads(),
            Action::Close => self.close(),
            Action::RestoreLast => return self.restore_last(),
            Action::ForgetRecent => self.preferences.recent.clear(),
            Action::OpenGuide => return Some(Effect::OpenGuide),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::SetKeys(label, keys) => self.set_keys(label, &keys),
            Action::ResetKeys => self.preferences.keys.reset(),
            Action::Prefer(preference) => self.prefer(preference),
            Action::TogglePanel(panel) => self.toggle_panel(panel),
            Action::SetPanelWidth(panel, width) => self.set_panel_width(panel, width),
            Action::ResetLayout => {
                self.preferences.panels = PanelPreferences::default();
                (self.panels.files, self.panels.inspector) = (self.siblings.len() > 1, true);
                self.panels.hidden = false;
            }
            Action::ToggleAllPanels => self.panels.hidden = !self.panels.hidden,
            Action::Toggle(switch) => self.toggle(switch),
            Action::ToggleEffects if !self.has_effects() => {
                self.note(NoteKind::Warning, "Nothing here moves by its material");
            }
            Action::ToggleEffects => self.effects.playing = !self.effects.playing,
            Action::SeekEffects(seconds) => self.seek_effects(seconds),
            Action::SetLook(look) => self.set_look(look),
            Action::CycleLook => self.set_look(after(&Look::ALL, self.display.look)),
            Action::UseNearest(surface) => {
                let actor = self.actor()?;
                let nearest = actor.looks().get(surface)?.nearest.clone()?;
                let intent = Intent::TryOn { actor: actor.id, surface: Some(surface) };
                return self.load(Load::Picture(nearest.place?), intent);
            }
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
            Action::ScaleNormals(factor) => {
                let length = self.display.normal_length * factor;
                self.display.normal_length = length.clamp(0.005, 0.5);
            }
            Action::ToggleChosenSurface => {
                let index = self.chosen_surface()?;
                let visible = self.actor_mut()?.visible.get_mut(index)?;
                *visible = !*visible;
            }
            Action::ShowOnlyChosen => {
                let index = self.chosen_surface()?;
                return self.perform(Action::ShowOnly(index));
            }
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
            Action::Attach(path, to) => {
                self.path_field = None;
                return self.load(Load::Model(path), Intent::Attach { to, dropped: false });
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
                self.offer = None;
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
                return self.open(vec![offer.file], None);
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
                    Some(look) => actor.try_on(surface, &look),
                    None => {}
                }
                self.find_issues();
            }
            Action::TakeOff(surface) => {
                self.actor_mut()?.take_off(surface);
                self.find_issues();
            }
            Action::TryPicture(path) => {
                self.path_field = None;
                return self.try_picture(path);
            }
            Action::SetLod(lod) => {
                // A figure's parts are as far from the eye as each other.
                for actor in self.stage.actors_mut() {
                    actor.lod = lod.min(actor.part.model.lod_count() - 1);
                }
            }
            Action::SetPaired(paired) => self.paired = paired,
            Action::SetBoneBlend(bones) => self.stage.bones = bones,
            view @ (Action::Orbit(..)
            | Action::Pan(..)
            | Action::Zoom(..)
            | Action::FrameModel
            | Action::ResetView
            | Action::LookFrom(_)
            | Action::ToggleProjection
            | Action::SetFieldOfView(_)
            | Action::PickAt(_)
            | Action::CentreOn(_)
            | Action::FocusSelection
            | Action::ToggleTurntable
            | Action::SetTurnPeriod(_)
            | Action::SetNavigation(_)
            | Action::TurnLight(..)
            | Action::LightFollows(_)
            | Action::ResetLight
            | Action::SetBrightness(_)
            | Action::SetBackground(_)
            | Action::SetSides(_)
            | Action::CycleSides) => self.apply_to_view(view),
            Action::SetOnion(onion) => self.onion = onion.clamped(),
            Action::ShowFrames(_)
            | Action::ZoomFrames(..)
            | Action::FewerFrames
            | Action::MoreFrames
            | Action::ShowClipFrames
            | Action::ShowAllFrames => self.apply_to_timeline(&action),
            time => self.apply_to_clock(time),
        }
        None
    }

    fn choose_weapon(&mut self, weapon: Option<std::path::PathBuf>) -> Option<Effect> {
        let old = self.stage.with_role(Role::Weapon).map(|actor| actor.id);
        match weapon {
            Some(weapon) => {
                let hand = self.hand();
                if hand.is_none() {
                    self.note(NoteKind::Warning, "There is no hand to put it into: nothing here has a tag_weapon");
                }
                self.load(Load::Model(weapon), Intent::Attach { to: hand?, dropped: false })
            }
            None => {
                let old = old?;
                self.perform(Action::Detach(old))
            }
        }
    }

    fn toggle(&mut self, switch: Switch) {
        let display = &mut self.display;
        let on = match switch {
            Switch::Grid => &mut display.grid,
            Switch::Shadow => &mut display.shadow,
            Switch::Vertices => &mut display.vertices,
            Switch::VertexNormals => &mut display.vertex_normals,
            Switch::FaceNormals => &mut display.face_normals,
            Switch::Tags => &mut display.tags,
            Switch::Joints => &mut display.joints,
            Switch::JointNames => &mut display.joint_names,
            Switch::Bounds => &mut display.bounds,
            Switch::OverlaysOnTop => &mut display.overlays_on_top,
            Switch::OnionSkin => &mut self.onion.on,
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
            Switch::Vertices => display.vertices,
            Switch::VertexNormals => display.vertex_normals,
            Switch::FaceNormals => display.face_normals,
            Switch::Tags => display.tags,
            Switch::Joints => display.joints,
            Switch::JointNames => display.joint_names,
            Switch::Bounds => display.bounds,
            Switch::OverlaysOnTop => display.overlays_on_top,
            Switch::OnionSkin => self.onion.on,
        }
    }

    /// Choosing a tag or a joint also shows them.
    pub(super) fn select(&mut self, selection: Selection) {
        self.selection = selection;
        match selection {
            Selection::Tag(_) => self.display.tags = true,
            Selection::Joint(_) => self.display.joints = true,
            Selection::None | Selection::Surface(_) => {}
        }
    }

    /// The model `steps` further in the list, round its ends, from the one asked for last: a broken one does not bar
    /// the way.
    fn sibling(&mut self, steps: isize) -> Option<Effect> {
        let count = isize::try_from(self.siblings.len()).ok().filter(|count| *count > 0)?;
        let last = self.asked_for.as_ref();
        let own = last.and_then(|file| self.siblings.iter().position(|sibling| sibling == file));
        let next = match own.and_then(|own| isize::try_from(own).ok()) {
            Some(own) => (own + steps).rem_euclid(count),
            None => 0,
        };
        let path = self.siblings.get(usize::try_from(next).ok()?)?.clone();
        self.open_listed(path)
    }
}

/// The element after `current`, round the end.
pub(super) fn after<T: Copy + PartialEq>(all: &[T], current: T) -> T {
    let next = all.iter().position(|one| *one == current).map_or(0, |index| (index + 1) % all.len());
    all.get(next).copied().unwrap_or(current)
}
