//! Memory used by the models and images of scenes. Shared data counts once.

use std::collections::HashSet;
use std::sync::Arc;

use super::Scene;
use maquette_assets::material::SurfaceMaterial;
use maquette_assets::open::EditedFile;

/// Running count of memory.
#[derive(Debug, Default)]
pub struct MemoryUsage {
    /// Addresses of counted data, which are unique while the counted scenes live.
    seen: HashSet<usize>,
    bytes: u64,
}

impl MemoryUsage {
    /// Counts the data of `scene`, which must live until the last scene was counted.
    pub fn add(&mut self, scene: &Scene) {
        for entity in scene.entities() {
            if self.is_new(Arc::as_ptr(&entity.asset.model).cast()) {
                self.bytes += entity.asset.model.bytes();
            }
            for file in entity.asset.edited.iter().flat_map(EditedFile::files) {
                if self.is_new(Arc::as_ptr(file.bytes()).cast()) {
                    self.bytes += file.bytes().len() as u64;
                }
            }
            let lists = entity.asset.skins.iter().map(|skin| &skin.materials).chain([entity.materials()]);
            for materials in lists {
                if self.is_new(Arc::as_ptr(materials).cast()) {
                    materials.iter().for_each(|material| self.add_images(material));
                }
            }
            entity.overrides.values().for_each(|material| self.add_images(material));
        }
    }

    /// Returns the bytes counted so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn add_images(&mut self, material: &SurfaceMaterial) {
        for image in material.images() {
            if self.is_new(Arc::as_ptr(image).cast()) {
                self.bytes += image.bytes();
            }
        }
    }

    fn is_new(&mut self, address: *const ()) -> bool {
        self.seen.insert(address as usize)
    }
}
