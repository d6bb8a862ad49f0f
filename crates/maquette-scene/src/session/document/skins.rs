//! Skins of the parts in the scene.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::history::{FileEdit, SkinSave};
use crate::scene::{Entity, EntityId};
use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{Document, Effect, NotificationKind, Session};
use maquette_assets::material::set_paths;
use maquette_assets::open::{EditedFile, ModelAsset, OpenError, Opener, Role};

impl Document {
    /// Whether a part of the character lacks images for the skin of this name.
    pub fn skin_lacks_images(&self, name: &str) -> bool {
        self.scene.entities().iter().any(|entity| {
            let skin = entity.asset.skins.iter().position(|skin| skin.is_called(name));
            skin.is_some_and(|skin| entity.lacks_images(skin))
        })
    }

    fn character_parts(&self) -> impl Iterator<Item = &Entity> {
        let parts = [Role::Legs, Role::Torso, Role::Head, Role::Body];
        self.scene.entities().iter().filter(move |entity| parts.contains(&entity.role))
    }

    /// Returns the names of the character's skins: first those of the legs, but last those with missing images.
    pub fn skin_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for entity in self.character_parts() {
            for skin in &entity.asset.skins {
                if !names.iter().any(|name| name.eq_ignore_ascii_case(&skin.name)) {
                    names.push(skin.name.clone());
                }
            }
        }
        names.sort_by_cached_key(|name| self.skin_lacks_images(name));
        names
    }

    /// Returns the skin that all parts of the character have in common, if any.
    pub fn common_skin(&self) -> Option<String> {
        // Parts with a single skin are ignored.
        let several = self.character_parts().filter(|entity| entity.asset.skins.len() > 1);
        let mut names = several.filter_map(|entity| Some(entity.asset.skins.get(entity.skin)?.name.clone()));
        let first = names.next()?;
        names.all(|name| name.eq_ignore_ascii_case(&first)).then_some(first)
    }
}

impl Session {
    /// Adds skins to those entities whose surfaces the skins name, and applies the last skin.
    pub(crate) fn load_skins(&mut self, paths: Vec<PathBuf>) -> Option<Effect> {
        self.load(QueuedLoad::new(paths.first().cloned().unwrap_or_default(), move |session| {
            let entities = session.document.scene.entities().iter();
            let assets: Vec<_> = entities.map(|entity| (entity.id, entity.asset.clone())).collect();
            on_loader(move |context| {
                let with_skins = with_skins(context.opener, &assets, &paths)?;
                with_skins.iter().for_each(|(_, asset)| context.prepare(asset.clone()));
                then_update(move |session| session.assign_new_skins(with_skins))
            })
        }))
    }

    /// Saves a `.skin` file with another path for surfaces. All of them must be in the file of the first.
    pub(crate) fn set_in_skin(&mut self, surfaces: &[usize], path: String) -> Option<Effect> {
        self.interface.edit_dialog = None;
        if self.waits_for_export() {
            return None;
        }
        let entity = self.entity()?;
        let asset = &entity.asset;
        let game_file = surfaces.iter().find_map(|surface| asset.skin_file_of(entity.skin, *surface))?;
        let name = game_file.rsplit(['/', '\\']).next().unwrap_or(game_file).to_owned();
        let folder = asset.file.as_deref().and_then(Path::parent);
        let mut files = asset.added.iter().cloned().chain(folder.map(|folder| folder.join(&name)));
        let Some(file) = files.find(|file| file.ends_with(&name) && file.is_file()) else {
            let text = format!("{name} is not in the model’s folder; copy it there or edit it with a text editor");
            self.notify_of_model(NotificationKind::Warning, text, "");
            return None;
        };
        let renamed = asset.edited.as_ref().map(EditedFile::skin_names);
        let name_of = |surface: &usize| {
            let renamed = renamed.and_then(|names| names.get(surface));
            renamed.or_else(|| asset.model.surfaces().get(*surface).map(|surface| &surface.name)).cloned()
        };
        let names: Vec<String> = surfaces.iter().filter_map(name_of).collect();
        let before = match std::fs::read(&file) {
            Ok(before) => before,
            Err(error) => {
                self.notify_of_model(NotificationKind::Warning, format!("{name}: {error}"), "");
                return None;
            }
        };
        let Some(after) = set_paths(&before, &names, &path) else {
            self.notify_of_model(NotificationKind::Warning, format!("{name} no longer names the surface"), "");
            return None;
        };
        let title = format!("Edit path in {name}");
        let edit = FileEdit { file, before: Arc::new(before), after: Arc::new(after) };
        self.save_skin(SkinSave { edit, title, direction: None })
    }

    /// Replaces assets and assigns the last skin of each.
    fn assign_new_skins(&mut self, assets: Vec<(EntityId, ModelAsset)>) {
        let entities: Vec<(EntityId, usize)> =
            assets.iter().map(|(id, asset)| (*id, asset.skins.len().saturating_sub(1))).collect();
        self.replace(assets);
        let before = self.document.undo_step("Change skin");
        let mut assigned = Vec::new();
        for (id, last) in entities {
            if let Some(entity) = self.document.scene.entity_mut(id) {
                entity.set_skin(last);
                assigned.push(format!("{}: skin “{}”", entity.asset.name, entity.skin_name()));
            }
        }
        self.remember_if_changed(before);
        self.note(NotificationKind::Done, assigned.join(", "));
        self.document.update_issues();
    }

    pub(crate) fn choose_skin(&mut self, skin: usize) {
        let before = self.document.scene.placement();
        if let Some(entity) = self.document.entity_mut() {
            entity.set_skin(skin);
        }
        self.document.update_issues();
        self.update_after_skin(before);
    }

    pub(crate) fn choose_skin_of_all(&mut self, name: &str) {
        let before = self.document.scene.placement();
        for entity in self.document.scene.entities_mut() {
            if let Some(skin) = entity.asset.skins.iter().position(|skin| skin.is_called(name)) {
                entity.set_skin(skin);
            }
        }
        self.document.update_issues();
        self.update_after_skin(before);
    }

    /// Updates the scene if the transform of the new skin differs from `before`, and says which skin is shown.
    fn update_after_skin(&mut self, before: glam::Affine3A) {
        if self.document.scene.placement() != before {
            self.document.update_extent();
            self.refresh();
        }
        self.log_skin();
    }

    pub(crate) fn next_skin(&mut self) {
        let Some(entity) = self.entity() else { return };
        if self.document.scene.character.is_some() {
            let names = self.document.skin_names();
            let common = self.document.common_skin();
            let at = names.iter().position(|name| common.as_deref() == Some(name)).map_or(0, |at| at + 1);
            if let Some(name) = names.get(at % names.len().max(1)).cloned() {
                self.choose_skin_of_all(&name);
            }
        } else {
            let order = entity.skins_in_order();
            let at = order.iter().position(|skin| *skin == entity.skin).map_or(0, |at| at + 1);
            self.choose_skin(order.get(at % order.len().max(1)).copied().unwrap_or_default());
        }
    }

    /// Says which skin is shown, and how many surfaces of it have no texture. A skin of a single part of a character
    /// names the part.
    fn log_skin(&mut self) {
        let Some(entity) = self.entity() else { return };
        let name = match self.document.common_skin() {
            Some(name) => format!("“{name}”"),
            None if self.document.scene.character.is_some() => {
                format!("“{}” of {} only", entity.skin_name(), entity.label())
            }
            None => format!("“{}”", entity.skin_name()),
        };
        let missing: usize = self.document.scene.entities().iter().map(untextured).sum();
        let text = match missing {
            0 => format!("Skin {name}"),
            1 => format!("Skin {name}: 1 surface has no texture"),
            _ => format!("Skin {name}: {missing} surfaces have no texture"),
        };
        self.log(if missing > 0 { NotificationKind::Warning } else { NotificationKind::Done }, text);
    }
}

fn untextured(entity: &Entity) -> usize {
    let surfaces = entity.model().surfaces().iter().zip(entity.materials().iter());
    let lacks = surfaces.filter(|(surface, material)| surface.lod == entity.lod && material.problem().is_some());
    lacks.count()
}

/// Adds each skin to every asset whose surfaces it names. Fails if no skin fits any asset.
fn with_skins(
    opener: &Opener,
    assets: &[(EntityId, ModelAsset)],
    paths: &[PathBuf],
) -> Result<Vec<(EntityId, ModelAsset)>, OpenError> {
    let mut with_skins: Vec<(EntityId, ModelAsset)> = Vec::new();
    let mut refused = None;
    for path in paths {
        for (entity, asset) in assets {
            // An asset keeps the skins that earlier files added.
            let known = with_skins.iter().position(|(known, _)| known == entity);
            let asset = known.map_or(asset, |index| &with_skins[index].1);
            match (opener.with_skin(asset, path), known) {
                (Ok(asset), Some(index)) => with_skins[index].1 = asset,
                (Ok(asset), None) => with_skins.push((*entity, asset)),
                (Err(error), _) => refused = refused.or(Some(error)),
            }
        }
    }
    match refused {
        Some(error) if with_skins.is_empty() => Err(error),
        _ => Ok(with_skins),
    }
}
