//! What the parts in the scene wear.

use super::{NotificationKind, Session};
use crate::scene::Entity;
use maquette_assets::open::Role;

impl Session {
    pub(super) fn choose_skin(&mut self, skin: usize) {
        let scale = self.document.scene.scale();
        if let Some(entity) = self.entity_mut() {
            entity.set_skin(skin);
        }
        self.update_issues();
        self.grew(scale);
    }

    /// The skin of this name for all; parts that have none of it keep theirs.
    pub(super) fn choose_skin_of_all(&mut self, name: &str) {
        let scale = self.document.scene.scale();
        for entity in self.document.scene.entities_mut() {
            if let Some(skin) = entity.asset.skins.iter().position(|skin| skin.is_called(name)) {
                entity.set_skin(skin);
            }
        }
        self.update_issues();
        self.grew(scale);
    }

    /// A skin may say how large its wearer is.
    #[allow(clippy::float_cmp, reason = "asks whether it is another number")]
    fn grew(&mut self, before: f32) {
        if self.document.scene.scale() != before {
            self.update_extent();
            self.refresh();
        }
    }

    /// The next skin of the part in focus; in a figure, of the whole.
    pub(super) fn next_skin(&mut self) {
        let Some(entity) = self.entity() else { return };
        if self.document.scene.figure.is_some() {
            let names = self.skin_names();
            let worn = self.worn();
            let at = names.iter().position(|name| worn.as_deref() == Some(name)).map_or(0, |at| at + 1);
            if let Some(name) = names.get(at % names.len().max(1)).cloned() {
                self.choose_skin_of_all(&name);
            }
        } else {
            let order = entity.skins_in_order();
            let at = order.iter().position(|skin| *skin == entity.skin).map_or(0, |at| at + 1);
            self.choose_skin(order.get(at % order.len().max(1)).copied().unwrap_or_default());
        }
        let worn =
            self.worn().or_else(|| self.entity().map(|entity| entity.skin_name().to_owned())).unwrap_or_default();
        let missing: usize = self.document.scene.entities().iter().map(untextured).sum();
        let text = match missing {
            0 => format!("Skin “{worn}”"),
            1 => format!("Skin “{worn}”: 1 surface has no texture"),
            _ => format!("Skin “{worn}”: {missing} surfaces have no texture"),
        };
        self.log(if missing > 0 { NotificationKind::Warning } else { NotificationKind::Done }, text);
    }

    /// Whether images of the skin of this name were not found for a part of the figure.
    #[must_use]
    pub fn skin_lacks_images(&self, name: &str) -> bool {
        self.document.scene.entities().iter().any(|entity| {
            let skin = entity.asset.skins.iter().position(|skin| skin.is_called(name));
            skin.is_some_and(|skin| entity.lacks_images(skin))
        })
    }

    /// Names of the skins that parts of the figure have, as its legs have them and then the others'. Those whose images were
    /// not found come last.
    #[must_use]
    pub fn skin_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let parts = [Role::Legs, Role::Torso, Role::Head, Role::Body];
        for entity in self.document.scene.entities().iter().filter(|entity| parts.contains(&entity.role)) {
            for skin in &entity.asset.skins {
                if !names.iter().any(|name| name.eq_ignore_ascii_case(&skin.name)) {
                    names.push(skin.name.clone());
                }
            }
        }
        names.sort_by_cached_key(|name| self.skin_lacks_images(name));
        names
    }

    /// The skin that the figure's parts wear; none if they do not wear the same.
    #[must_use]
    pub fn worn(&self) -> Option<String> {
        let parts = [Role::Legs, Role::Torso, Role::Head, Role::Body];
        let mut worn =
            self.document.scene.entities().iter().filter(|entity| parts.contains(&entity.role)).filter_map(|entity| {
                // A part of one skin has no choice.
                let skin = entity.asset.skins.get(entity.skin).filter(|_| entity.asset.skins.len() > 1)?;
                Some(skin.name.clone())
            });
        let first = worn.next()?;
        worn.all(|name| name.eq_ignore_ascii_case(&first)).then_some(first)
    }
}

/// Surfaces of the level of detail that is shown whose texture was not found.
fn untextured(entity: &Entity) -> usize {
    let surfaces = entity.model().surfaces().iter().zip(entity.materials().iter());
    let lacks = surfaces.filter(|(surface, material)| surface.lod == entity.lod && material.trouble().is_some());
    lacks.count()
}
