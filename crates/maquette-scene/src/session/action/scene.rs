//! The scene: parts, surfaces, skins, what is attached where.

use std::path::PathBuf;

use crate::scene::{Attachment, EntityId, OverlayKind};
use crate::session::{Effect, Load, NotificationKind, NotificationOffer, Selection, SelectionLevel, Session};
use maquette_assets::open::Role;
use maquette_core::pose::BoneBlend;

/// What a user wants of the scene.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneAction {
    /// Show this part by itself; the others stay as they are.
    ShowAlone(EntityId),
    /// Show all parts again; or the whole figure that the model is a part of.
    ShowFigure,
    /// Show or hide a surface.
    ShowSurface(usize, bool),
    /// Hide the selected surfaces, or show them again.
    ToggleChosenSurface,
    /// Show the selected surfaces alone.
    ShowOnlyChosen,
    /// Show this surface alone.
    ShowOnly(usize),
    /// Show all surfaces.
    ShowAllSurfaces,
    /// Choose what is looked at closely.
    Select(Selection),
    /// Choose what is looked at closely, of this part.
    SelectIn(EntityId, Selection),
    /// Look at the figure as a whole.
    SelectFigure,
    /// What a click on the model selects from now on.
    SetSelectionLevel(SelectionLevel),
    /// A click selects the next finer kind, after vertices surfaces again.
    CycleSelectionLevel,
    /// Measure distances from what is selected, or no more.
    MeasureFromSelection,
    /// Go on following what is selected when something else is, or no more.
    PinSelection,
    /// Follow one of what was pinned no more.
    Unpin(usize),
    /// Measure no distances any more.
    StopMeasuring,
    /// Select a surface of the part in focus beside those that are, or take it out of them.
    ToggleSelected(usize),
    /// Select these surfaces of the part in focus; the panels tell of the first.
    SelectSurfaces(Vec<usize>),
    /// Show or hide a part.
    ShowEntity(EntityId, bool),
    /// Show all parts.
    ShowAllEntities,
    /// Attach a model here; a weapon brings its barrel and its flash.
    Attach(PathBuf, Attachment),
    /// Attach a part elsewhere.
    Reattach(EntityId, Attachment),
    /// Take a part and all it carries away.
    Detach(EntityId),
    /// Take the part in focus out, if it is attached to another.
    DetachFocused,
    /// Put this weapon into the figure's hand, or none.
    ChooseWeapon(Option<PathBuf>),
    /// Choose a skin.
    ChooseSkin(usize),
    /// Choose the skin of this name for every part that has it.
    ChooseSkinOfAll(String),
    /// Put on one surface what it wears with another skin.
    WearFrom(usize, usize),
    /// Take off what was tried on a surface.
    TakeOff(usize),
    /// Try a picture on the selected surfaces, or on all of the part.
    TryPicture(PathBuf),
    /// Put the picture that is called much like the missing one on a surface, and on all that lack the same.
    UseNearest(usize),
    /// The next skin.
    NextSkin,
    /// Choose a level of detail.
    SetLod(u32),
    /// How MDR bones are blended.
    SetBoneBlend(BoneBlend),
    /// Undo what was last done to the scene.
    Undo,
    /// Do again what was undone.
    Redo,
}

impl Session {
    pub(super) fn apply_to_scene(&mut self, action: SceneAction) -> Option<Effect> {
        match action {
            SceneAction::ShowAlone(entity) => {
                if self.document.scene.entity(entity).is_some() {
                    self.document.scene.alone = Some(entity);
                    self.document.whole_figure = false;
                    self.look_at(entity);
                    self.frame_model();
                }
            }
            SceneAction::ShowFigure => {
                if self.document.scene.alone.take().is_some() {
                    self.frame_model();
                } else {
                    let file = self.asset().and_then(|part| part.file.clone())?;
                    return self.open_listed(file);
                }
            }
            SceneAction::ShowSurface(index, shown) => {
                if let Some(visible) = self.entity_mut().and_then(|entity| entity.visible.get_mut(index)) {
                    *visible = shown;
                }
            }
            SceneAction::ToggleChosenSurface => {
                let surfaces = self.document.selected_surfaces();
                let visible = &mut self.entity_mut()?.visible;
                let is_shown = surfaces.iter().any(|index| visible.get(*index) == Some(&true));
                for index in surfaces {
                    if let Some(visible) = visible.get_mut(index) {
                        *visible = !is_shown;
                    }
                }
            }
            SceneAction::ShowOnlyChosen => {
                let surfaces = self.document.selected_surfaces();
                if !surfaces.is_empty() {
                    self.show_only(&surfaces);
                }
            }
            SceneAction::ShowOnly(index) => self.show_only(&[index]),
            SceneAction::ShowAllSurfaces => {
                if let Some(entity) = self.entity_mut() {
                    entity.visible.fill(true);
                }
            }
            SceneAction::Select(selection) => self.select(selection),
            SceneAction::SelectIn(entity, selection) => {
                self.document.focus = Some(entity);
                self.select(selection);
            }
            SceneAction::SelectFigure => {
                self.select(Selection::None);
                self.document.whole_figure = self.document.scene.figure.is_some();
            }
            SceneAction::CycleSelectionLevel => {
                self.set_selection_level(super::after(&SelectionLevel::ALL, self.view.selection_level));
            }
            SceneAction::SetSelectionLevel(level) => self.set_selection_level(level),
            SceneAction::MeasureFromSelection => {
                let chosen = self.document.focus.map(|focus| (focus, self.document.selection));
                let chosen = chosen.filter(|(_, selection)| *selection != Selection::None);
                self.document.measured_from = chosen.filter(|chosen| self.document.measured_from != Some(*chosen));
                if self.document.measured_from.is_some() {
                    self.note(NotificationKind::Done, "Measuring: select the other end");
                }
            }
            SceneAction::PinSelection => {
                let chosen = self.document.focus.map(|focus| (focus, self.document.selection));
                let chosen = chosen.filter(|(_, selection)| selection.point().is_some())?;
                let pinned = &mut self.document.pinned;
                match pinned.iter().position(|known| *known == chosen) {
                    Some(index) => drop(pinned.remove(index)),
                    None => pinned.push(chosen),
                }
            }
            SceneAction::Unpin(index) => {
                if index < self.document.pinned.len() {
                    self.document.pinned.remove(index);
                }
            }
            SceneAction::StopMeasuring => self.document.measured_from = None,
            SceneAction::ToggleSelected(surface) => self.toggle_selected(surface),
            SceneAction::SelectSurfaces(surfaces) => self.select_surfaces(&surfaces),
            SceneAction::ShowEntity(entity, shown) => {
                if let Some(entity) = self.document.scene.entity_mut(entity) {
                    entity.hidden = !shown;
                }
            }
            SceneAction::ShowAllEntities => {
                // A flash is seen for a moment only.
                let lasting = self.document.scene.entities_mut().iter_mut().filter(|entity| entity.role != Role::Flash);
                lasting.for_each(|entity| entity.hidden = false);
            }
            SceneAction::Attach(path, to) => {
                self.interface.path_field = None;
                return self.load(Load::Attach { path, to, dropped: false });
            }
            SceneAction::Reattach(entity, to) => {
                if self.document.scene.attach(entity, to) {
                    self.refresh();
                } else {
                    self.note(NotificationKind::Warning, "A part cannot attach to a part that is attached to it");
                }
            }
            SceneAction::Detach(entity) => self.detach(entity),
            SceneAction::DetachFocused => {
                if let Some(entity) = self.detachable() {
                    self.detach(entity);
                }
            }
            SceneAction::ChooseWeapon(Some(weapon)) => {
                let Some(to) = self.hand() else {
                    let text = "No part has a tag_weapon to attach a weapon to";
                    self.note(NotificationKind::Warning, text);
                    return None;
                };
                return self.load(Load::Attach { path: weapon, to, dropped: false });
            }
            SceneAction::ChooseWeapon(None) => self.detach(self.document.scene.with_role(Role::Weapon)?.id),
            SceneAction::ChooseSkin(skin) => self.choose_skin(skin),
            SceneAction::ChooseSkinOfAll(name) => self.choose_skin_of_all(&name),
            SceneAction::WearFrom(surface, skin) => {
                let entity = self.entity_mut()?;
                let material = entity.asset.skins.get(skin).and_then(|skin| skin.materials.get(surface)).cloned();
                match material {
                    Some(_) if skin == entity.skin => entity.clear_override(surface),
                    Some(material) => entity.override_texture(surface, &material),
                    None => {}
                }
                self.update_issues();
            }
            SceneAction::TakeOff(surface) => {
                self.entity_mut()?.clear_override(surface);
                self.update_issues();
            }
            SceneAction::TryPicture(path) => {
                self.interface.path_field = None;
                return self.try_image(path);
            }
            SceneAction::UseNearest(surface) => {
                let entity = self.entity()?;
                let nearest = entity.materials().get(surface)?.nearest.clone()?;
                let (path, entity) = (nearest.place?, entity.id);
                return self.load(Load::TryOn { path, entity, surface: Some(surface), others: Vec::new() });
            }
            SceneAction::NextSkin => self.next_skin(),
            SceneAction::SetLod(lod) => {
                // A figure's parts are as far from the eye as each other.
                for entity in self.document.scene.entities_mut() {
                    entity.lod = lod.min(entity.asset.model.lod_count() - 1);
                }
            }
            SceneAction::SetBoneBlend(bones) => self.document.scene.bones = bones,
            SceneAction::Undo => return self.undo(),
            SceneAction::Redo => return self.redo(),
        }
        None
    }

    /// The mode is also said: it counts for the clicks that come.
    fn set_selection_level(&mut self, level: SelectionLevel) {
        self.view.selection_level = level;
        self.note(NotificationKind::Done, format!("Clicks select {}", level.label().to_lowercase()));
    }

    fn show_only(&mut self, surfaces: &[usize]) {
        if let Some(entity) = self.entity_mut() {
            entity.visible.iter_mut().enumerate().for_each(|(index, visible)| *visible = surfaces.contains(&index));
        }
    }

    fn detach(&mut self, entity: EntityId) {
        let name = self.document.scene.entity(entity).map(|entity| entity.asset.name.clone());
        self.document.scene.remove(entity);
        self.document.forget_removed_parts();
        if let Some(name) = name {
            self.notify_offering(NotificationKind::Done, format!("Detached {name}"), NotificationOffer::Undo);
        }
        self.interface.alternative = None;
        if self.entity().is_none() {
            self.document.focus = self.document.scene.entities().first().map(|entity| entity.id);
            self.document.selection = Selection::None;
        }
        self.update_issues();
    }

    /// The part in focus, if it is a weapon or was attached by hand: a figure is not taken apart by a key.
    pub(in crate::session) fn detachable(&self) -> Option<EntityId> {
        self.entity().filter(|entity| matches!(entity.role, Role::Weapon | Role::Attached)).map(|entity| entity.id)
    }

    /// Choosing a tag or a joint also shows them.
    pub(in crate::session) fn select(&mut self, selection: Selection) {
        self.document.selection = selection;
        self.document.whole_figure = false;
        self.document.other_surfaces.clear();
        match selection {
            Selection::Tag(_) => self.view.display.overlays.set(OverlayKind::Tags, true),
            Selection::Joint(_) => self.view.display.overlays.set(OverlayKind::Joints, true),
            Selection::None | Selection::Surface(_) | Selection::Triangle { .. } | Selection::Vertex { .. } => {}
        }
    }

    /// What an action that can be undone does, in words; none for all others.
    pub(super) fn undo_name(&self, action: &SceneAction) -> Option<&'static str> {
        let is_several = self.document.selected_surfaces().len() > 1;
        Some(match action {
            SceneAction::ToggleChosenSurface if is_several => "Toggle visibility of surfaces",
            SceneAction::ShowOnlyChosen if is_several => "Isolate surfaces",
            SceneAction::ShowSurface(_, true) => "Show surface",
            SceneAction::ShowSurface(_, false) => "Hide surface",
            SceneAction::ToggleChosenSurface => "Toggle surface visibility",
            SceneAction::ShowOnly(_) | SceneAction::ShowOnlyChosen => "Isolate surface",
            SceneAction::ShowAllSurfaces => "Show all surfaces",
            SceneAction::ShowEntity(_, true) => "Show part",
            SceneAction::ShowEntity(_, false) => "Hide part",
            SceneAction::ShowAlone(_) => "Isolate part",
            SceneAction::ShowFigure if self.document.scene.alone.is_some() => "Show all parts",
            SceneAction::ShowAllEntities => "Show all parts",
            SceneAction::Reattach(..) => "Attach part",
            SceneAction::Detach(_) | SceneAction::DetachFocused | SceneAction::ChooseWeapon(None) => "Detach part",
            SceneAction::ChooseSkin(_) | SceneAction::ChooseSkinOfAll(_) | SceneAction::NextSkin => "Change skin",
            SceneAction::WearFrom(..) => "Set texture",
            SceneAction::TakeOff(_) => "Revert texture",
            SceneAction::SetLod(_) => "Change LOD",
            // What these load is undone when it has come.
            SceneAction::Attach(..)
            | SceneAction::ChooseWeapon(Some(_))
            | SceneAction::TryPicture(_)
            | SceneAction::UseNearest(_) => return None,
            SceneAction::ShowFigure
            | SceneAction::Select(_)
            | SceneAction::SelectIn(..)
            | SceneAction::SelectFigure
            | SceneAction::SetSelectionLevel(_)
            | SceneAction::CycleSelectionLevel
            | SceneAction::MeasureFromSelection
            | SceneAction::StopMeasuring
            | SceneAction::PinSelection
            | SceneAction::Unpin(_)
            | SceneAction::ToggleSelected(_)
            | SceneAction::SelectSurfaces(_)
            | SceneAction::SetBoneBlend(_)
            | SceneAction::Undo
            | SceneAction::Redo => return None,
        })
    }
}
