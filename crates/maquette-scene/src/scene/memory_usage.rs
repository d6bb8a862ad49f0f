//! How much memory the models and pictures of scenes take: each is counted once, however many scenes share it.

use std::collections::HashSet;
use std::sync::Arc;

use super::Scene;
use maquette_assets::material::SurfaceMaterial;

/// What was counted so far.
#[derive(Debug, Default)]
pub struct MemoryUsage {
    /// By their addresses, which are no other's while the scenes that were counted live.
    seen: HashSet<usize>,
    bytes: u64,
}

impl MemoryUsage {
    /// Counts what `scene` holds. It must not be dropped before the last scene was counted.
    pub fn add(&mut self, scene: &Scene) {
        for entity in scene.entities() {
            if self.is_new(Arc::as_ptr(&entity.asset.model).cast()) {
                self.bytes += entity.asset.model.bytes();
            }
            if let Some(edited) = &entity.asset.edited
                && self.is_new(Arc::as_ptr(edited.bytes()).cast())
            {
                self.bytes += edited.bytes().len() as u64;
            }
            let worn = entity.asset.skins.iter().map(|skin| &skin.materials).chain([entity.materials()]);
            for materials in worn {
                if self.is_new(Arc::as_ptr(materials).cast()) {
                    materials.iter().for_each(|material| self.add_images(material));
                }
            }
            entity.overrides.values().for_each(|material| self.add_images(material));
        }
    }

    /// Bytes of everything that was counted.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn add_images(&mut self, material: &SurfaceMaterial) {
        for picture in material.images() {
            if self.is_new(Arc::as_ptr(picture).cast()) {
                self.bytes += picture.bytes();
            }
        }
    }

    fn is_new(&mut self, address: *const ()) -> bool {
        self.seen.insert(address as usize)
    }
}
