//! Scene actions: parts, surfaces, skins, attachments.

use std::path::PathBuf;

use crate::scene::{Attachment, Choices as _, EntityId, OverlayKind};
use crate::session::document::history::HistoryDirection;
use crate::session::{Document, Effect, NotificationKind, NotificationOffer, Selection, SelectionLevel, Session};
use maquette_assets::open::Role;
use maquette_core::pose::BoneBlend;

/// Scene action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneAction {
    /// Isolate a part. The settings of the other parts do not change.
    ShowAlone(EntityId),
    /// Show all parts again, or open the character that the model is part of.
    ShowCharacter,
    /// Show or hide a surface.
    ShowSurface(usize, bool),
    /// Show or hide the selected surfaces.
    ToggleChosenSurface,
    /// Isolate the selected surfaces.
    ShowOnlyChosen,
    /// Isolate a surface.
    ShowOnly(usize),
    /// Show all surfaces.
    ShowAllSurfaces,
    /// Select in the focused part.
    Select(Selection),
    /// Select in this part.
    SelectIn(EntityId, Selection),
    /// Select the character as a whole.
    SelectCharacter,
    /// Set the kind of element that clicks select.
    SetSelectionLevel(SelectionLevel),
    /// Choose the next kind of element that clicks select.
    CycleSelectionLevel,
    /// Measure distances from the selection. Stop measuring if the selection is already the start.
    MeasureFromSelection,
    /// Pin or unpin the selection. The motion trail of a pinned point stays visible.
    PinSelection,
    /// Unpin the point of this index.
    Unpin(usize),
    /// Stop measuring.
    StopMeasuring,
    /// Add a surface of the focused part to the selection, or remove it.
    ToggleSelected(usize),
    /// Select surfaces of the focused part. Panels describe the first one.
    SelectSurfaces(Vec<usize>),
    /// Show or hide a part.
    ShowEntity(EntityId, bool),
    /// Show all parts.
    ShowAllEntities,
    /// Attach a model. A weapon includes its barrel and its flash.
    Attach(PathBuf, Attachment),
    /// Attach a part to another parent or anchor.
    Reattach(EntityId, Attachment),
    /// Remove a part with its children.
    Detach(EntityId),
    /// Remove the focused part, if it is a weapon or was attached.
    DetachFocused,
    /// Attach a weapon to the character's hand; `None` removes the weapon.
    ChooseWeapon(Option<PathBuf>),
    /// Choose a skin.
    ChooseSkin(usize),
    /// Choose the skin of this name for every part that has it.
    ChooseSkinOfAll(String),
    /// Override the material of a surface by the material in another skin. The values are the indices of surface and
    /// skin.
    UseMaterialOfSkin(usize, usize),
    /// Clear the override of a surface.
    ClearOverride(usize),
    /// Apply an image to the selected surfaces, or to all surfaces of the part.
    TryTexture(PathBuf),
    /// Replace the missing image of a surface by an image of a similar name, on all surfaces that lack it.
    UseNearest(usize),
    /// Choose the next skin.
    NextSkin,
    /// Choose a level of detail.
    SetLod(u32),
    /// Set the interpolation of MDR bones.
    SetBoneBlend(BoneBlend),
    /// Undo the last undoable change of the scene.
    Undo,
    /// Redo the last undone change.
    Redo,
}

impl Document {
    /// Returns the focused part if it can be detached. Parts of a character cannot be detached.
    pub(in crate::session) fn detachable(&self) -> Option<EntityId> {
        self.entity().filter(|entity| matches!(entity.role, Role::Weapon | Role::Attached)).map(|entity| entity.id)
    }

    /// Hides the selected surfaces if any of them is visible; otherwise shows them.
    fn toggle_surfaces(&mut self) {
        let surfaces = self.selected_surfaces();
        let Some(entity) = self.entity_mut() else { return };
        let is_shown = surfaces.iter().any(|index| entity.visible.get(*index) == Some(&true));
        for index in surfaces {
            if let Some(visible) = entity.visible.get_mut(index) {
                *visible = !is_shown;
            }
        }
    }

    fn show_only(&mut self, surfaces: &[usize]) {
        if let Some(entity) = self.entity_mut() {
            entity.visible.iter_mut().enumerate().for_each(|(index, visible)| *visible = surfaces.contains(&index));
        }
    }

    /// Returns the selected element of the focused entity, if any.
    pub(super) fn selected(&self) -> Option<(EntityId, Selection)> {
        let selected = self.focus.map(|focus| (focus, self.selection));
        selected.filter(|(_, selection)| *selection != Selection::None)
    }

    fn toggle_pin(&mut self) {
        let Some(point) = self.selected().filter(|(_, selection)| selection.point().is_some()) else { return };
        match self.pinned.iter().position(|known| *known == point) {
            Some(index) => drop(self.pinned.remove(index)),
            None => self.pinned.push(point),
        }
    }

    fn use_material_of_skin(&mut self, surface: usize, skin: usize) {
        let Some(entity) = self.entity_mut() else { return };
        let material = entity.asset.skins.get(skin).and_then(|skin| skin.materials.get(surface)).cloned();
        match material {
            Some(_) if skin == entity.skin => entity.clear_override(surface),
            Some(material) => entity.override_texture(surface, &material),
            None => {}
        }
        self.update_issues();
    }
}

impl Session {
    fn show_alone(&mut self, entity: EntityId) {
        if self.document.scene.entity(entity).is_some() {
            self.document.scene.alone = Some(entity);
            self.document.whole_character = false;
            self.document.focus_on(entity);
            self.frame_model();
        }
    }

    fn show_character(&mut self) -> Option<Effect> {
        if self.document.scene.alone.take().is_some() {
            self.frame_model();
            return None;
        }
        let file = self.asset().and_then(|asset| asset.file.clone())?;
        self.open_listed(file)
    }

    pub(super) fn apply_to_scene(&mut self, action: SceneAction) -> Option<Effect> {
        match action {
            SceneAction::ShowAlone(entity) => self.show_alone(entity),
            SceneAction::ShowCharacter => return self.show_character(),
            SceneAction::ShowSurface(index, shown) => *self.document.entity_mut()?.visible.get_mut(index)? = shown,
            SceneAction::ToggleChosenSurface => self.document.toggle_surfaces(),
            SceneAction::ShowOnlyChosen => {
                let surfaces = self.document.selected_surfaces();
                if !surfaces.is_empty() {
                    self.document.show_only(&surfaces);
                }
            }
            SceneAction::ShowOnly(index) => self.document.show_only(&[index]),
            SceneAction::ShowAllSurfaces => self.document.entity_mut()?.visible.fill(true),
            SceneAction::Select(selection) => self.select(selection),
            SceneAction::SelectIn(entity, selection) => {
                self.document.focus = Some(entity);
                self.select(selection);
            }
            SceneAction::SelectCharacter => {
                self.select(Selection::None);
                self.document.whole_character = self.document.scene.character.is_some();
            }
            SceneAction::CycleSelectionLevel => {
                self.set_selection_level(super::after(SelectionLevel::all(), self.view.selection_level));
            }
            SceneAction::SetSelectionLevel(level) => self.set_selection_level(level),
            SceneAction::MeasureFromSelection => self.measure_from_selection(),
            SceneAction::PinSelection => self.document.toggle_pin(),
            SceneAction::Unpin(index) => {
                if index < self.document.pinned.len() {
                    self.document.pinned.remove(index);
                }
            }
            SceneAction::StopMeasuring => self.document.measured_from = None,
            SceneAction::ToggleSelected(surface) => self.toggle_selected(surface),
            SceneAction::SelectSurfaces(surfaces) => self.select_surfaces(&surfaces),
            SceneAction::ShowEntity(entity, shown) => self.document.scene.entity_mut(entity)?.hidden = !shown,
            SceneAction::ShowAllEntities => self.document.scene.show_all(),
            SceneAction::Attach(path, to) => {
                self.interface.path_field = None;
                return self.load_attachment(path, to, false);
            }
            SceneAction::Reattach(entity, to) => match self.document.scene.attach(entity, to) {
                true => {
                    self.refresh();
                    self.document.update_issues();
                }
                false => self.note(NotificationKind::Warning, "A part cannot be attached to its own attachments"),
            },
            SceneAction::Detach(entity) => self.detach(entity),
            SceneAction::DetachFocused => self.detach(self.document.detachable()?),
            SceneAction::ChooseWeapon(Some(weapon)) => match self.document.hand() {
                Some(to) => return self.load_attachment(weapon, to, false),
                None => self.note(NotificationKind::Warning, "No part has a tag_weapon to attach the weapon to"),
            },
            SceneAction::ChooseWeapon(None) => self.detach(self.document.scene.with_role(Role::Weapon)?.id),
            SceneAction::ChooseSkin(skin) => self.choose_skin(skin),
            SceneAction::ChooseSkinOfAll(name) => self.choose_skin_of_all(&name),
            SceneAction::UseMaterialOfSkin(surface, skin) => self.document.use_material_of_skin(surface, skin),
            SceneAction::ClearOverride(surface) => {
                self.document.entity_mut()?.clear_override(surface);
                self.document.update_issues();
            }
            SceneAction::TryTexture(path) => {
                self.interface.path_field = None;
                return self.try_image(path);
            }
            SceneAction::UseNearest(surface) => return self.use_nearest(surface),
            SceneAction::NextSkin => self.next_skin(),
            SceneAction::SetLod(lod) => self.document.scene.set_lod(lod),
            SceneAction::SetBoneBlend(bones) => self.document.scene.bones = bones,
            SceneAction::Undo => return self.travel(HistoryDirection::Undo),
            SceneAction::Redo => return self.travel(HistoryDirection::Redo),
        }
        None
    }

    fn measure_from_selection(&mut self) {
        let selected = self.document.selected();
        self.document.measured_from = selected.filter(|end| self.document.measured_from != Some(*end));
        if self.document.measured_from.is_some() {
            self.note(NotificationKind::Done, "Measuring: select the other end");
        }
    }

    fn use_nearest(&mut self, surface: usize) -> Option<Effect> {
        let entity = self.entity()?;
        let nearest = entity.materials().get(surface)?.suggestion.clone()?;
        self.load_texture(nearest.location?, entity.id, Some(surface), Vec::new())
    }

    /// Sets the kind of element that clicks select. A notification reports the change, because it affects later clicks.
    fn set_selection_level(&mut self, level: SelectionLevel) {
        self.view.selection_level = level;
        self.note(NotificationKind::Done, format!("Clicks select {}", level.label().to_lowercase()));
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
        self.document.update_issues();
    }

    /// Selects an element. Selecting a tag or a joint shows its overlay.
    pub(in crate::session) fn select(&mut self, selection: Selection) {
        self.document.selection = selection;
        self.document.whole_character = false;
        self.document.other_surfaces.clear();
        match selection {
            Selection::Tag(_) => self.view.display.overlays.set(OverlayKind::Tags, true),
            Selection::Joint(_) => self.view.display.overlays.set(OverlayKind::Joints, true),
            Selection::None | Selection::Surface(_) | Selection::Triangle { .. } | Selection::Vertex { .. } => {}
        }
    }

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
            SceneAction::ShowCharacter if self.document.scene.alone.is_some() => "Show all parts",
            SceneAction::ShowAllEntities => "Show all parts",
            SceneAction::Reattach(..) => "Attach part",
            SceneAction::Detach(_) | SceneAction::DetachFocused | SceneAction::ChooseWeapon(None) => "Detach part",
            SceneAction::ChooseSkin(_) | SceneAction::ChooseSkinOfAll(_) | SceneAction::NextSkin => "Change skin",
            SceneAction::UseMaterialOfSkin(..) => "Set texture",
            SceneAction::ClearOverride(_) => "Revert texture",
            SceneAction::SetLod(_) => "Change LOD",
            // Loads add their own undo step when they end.
            SceneAction::Attach(..)
            | SceneAction::ChooseWeapon(Some(_))
            | SceneAction::TryTexture(_)
            | SceneAction::UseNearest(_) => return None,
            SceneAction::ShowCharacter
            | SceneAction::Select(_)
            | SceneAction::SelectIn(..)
            | SceneAction::SelectCharacter
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
