//! Textures of an entity: their use by surfaces, and textures that are larger than needed.

use std::sync::Arc;

use super::{Entity, EntityId};
use maquette_assets::material::{Coordinates, Image, Stage, SurfaceMaterial};
use maquette_core::inspect::TextureUse;
use maquette_core::pose::{Pose, Sampling, sample};

/// Share of a texture's texels in use below which a texture of half the size would suffice.
pub const LITTLE_USED: f32 = 0.5;
/// Ratio of a texture's texel density to that of the other textures, at or above which half its width would suffice.
pub const EXCESS_DENSITY: f64 = 2.0;

/// A texture that surfaces of an entity use.
#[derive(Clone, Debug)]
pub struct TextureUsage {
    /// Path relative to the game root.
    pub path: String,
    /// The image.
    pub image: Arc<Image>,
    /// Surfaces of the current LOD that use the texture.
    pub surfaces: Vec<usize>,
    /// Use by this and other entities; `None` if scripts generate or move all coordinates of the texture.
    pub usage: Option<TextureUse>,
    /// Texels per unit relative to all other textures of the entity.
    pub density_ratio: Option<f64>,
}

impl TextureUsage {
    /// Returns the number of texels.
    pub fn texels(&self) -> u64 {
        u64::from(self.image.width) * u64::from(self.image.height)
    }

    /// Whether less than half of the texture is used.
    pub fn is_mostly_unused(&self) -> bool {
        self.texels() > 1 && self.usage.is_some_and(|usage| usage.used < LITTLE_USED)
    }

    /// Whether the texture has at least [`EXCESS_DENSITY`] times the texels per unit of the entity's other textures.
    pub fn is_too_dense(&self) -> bool {
        self.density_ratio.is_some_and(|ratio| ratio >= EXCESS_DENSITY)
    }

    /// Whether the texture is larger than needed: mostly unused or too dense.
    pub fn is_oversized(&self) -> bool {
        self.is_mostly_unused() || self.is_too_dense()
    }

    /// Returns the number of texels that could be saved: unused texels, and those beyond the density of the other
    /// textures.
    pub fn spare_texels(&self) -> f64 {
        let Some(usage) = &self.usage else { return 0.0 };
        let ratio = self.density_ratio.unwrap_or(1.0).max(1.0);
        self.texels() as f64 * (1.0 - f64::from(usage.used) / (ratio * ratio))
    }
}

/// Inputs of [`used_textures`]: number, LOD and material revision of each entity.
pub type TextureKey = Vec<(u64, u32, u64)>;

/// Returns the key of [`used_textures`]; equal keys give equal textures.
pub fn used_textures_key<'a>(entity: &'a Entity, others: impl IntoIterator<Item = &'a Entity>) -> TextureKey {
    let from_entity = |entity: &Entity| (entity.number, entity.lod, entity.material_revision());
    std::iter::once(from_entity(entity)).chain(others.into_iter().map(from_entity)).collect()
}

/// Returns the textures of an entity in surface order, with their use in the first frame. `others` may share textures.
pub fn used_textures<'a>(entity: &'a Entity, others: impl IntoIterator<Item = &'a Entity>) -> Vec<TextureUsage> {
    let parts: Vec<Part<'_>> = std::iter::once(entity).chain(others).map(Part::from_entity).collect();
    let Some(own) = parts.first() else { return Vec::new() };
    let all = own.used.iter().map(|used| {
        let size = [used.image.width, used.image.height];
        let usage =
            (!used.laid.is_empty()).then(|| TextureUse::new(parts.iter().flat_map(|part| part.laid_on(used)), size));
        let (path, image, surfaces) = (used.path.to_owned(), Arc::clone(used.image), used.surfaces.clone());
        TextureUsage { path, image, surfaces, usage, density_ratio: None }
    });
    let mut all: Vec<TextureUsage> = all.collect();
    set_density_ratios(&mut all);
    all
}

fn set_density_ratios(all: &mut [TextureUsage]) {
    let uses: Vec<Option<TextureUse>> = all.iter().map(|texture| texture.usage).collect();
    for (index, texture) in all.iter_mut().enumerate() {
        let others = uses.iter().enumerate().filter(|(other, _)| *other != index);
        let rest = TextureUse::density_of(others.filter_map(|(_, usage)| usage.as_ref()));
        let own = texture.usage.and_then(|usage| usage.density());
        texture.density_ratio = own.zip(rest).map(|(own, rest)| own / rest);
    }
}

/// Returns the textures of several entities, each once with all entities that use it and the surfaces of the first
/// entity.
pub fn used_textures_of_all(parts: &[&Entity]) -> Vec<(Vec<EntityId>, TextureUsage)> {
    let mut ids: Vec<Vec<EntityId>> = Vec::new();
    let mut all: Vec<TextureUsage> = Vec::new();
    for part in parts {
        let others = parts.iter().copied().filter(|other| other.id != part.id);
        for texture in used_textures(part, others) {
            let known = all.iter().position(|known| known.path.eq_ignore_ascii_case(&texture.path));
            match known.and_then(|known| ids.get_mut(known)) {
                Some(ids) => ids.push(part.id),
                None => {
                    ids.push(vec![part.id]);
                    all.push(texture);
                }
            }
        }
    }
    set_density_ratios(&mut all);
    ids.into_iter().zip(all).collect()
}

struct UsedTexture<'a> {
    path: &'a str,
    image: &'a Arc<Image>,
    surfaces: Vec<usize>,
    /// Surfaces that map the texture by the model's own coordinates.
    laid: Vec<usize>,
}

struct Part<'a> {
    entity: &'a Entity,
    pose: Pose,
    used: Vec<UsedTexture<'a>>,
}

impl<'a> Part<'a> {
    fn from_entity(entity: &'a Entity) -> Self {
        let model = entity.model();
        let mut pose = Pose::default();
        sample(model, &Sampling { lod: entity.lod, ..Sampling::default() }, &mut pose);
        let mut used: Vec<UsedTexture<'a>> = Vec::new();
        let shown = model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == entity.lod);
        for (index, _) in shown.filter(|(_, surface)| !surface.triangles.is_empty()) {
            let Some(material) = entity.materials().get(index).filter(|material| !material.hidden) else { continue };
            for (path, image, is_laid) in images(material) {
                let known_index = used.iter().position(|known| is_same(known, path, image)).unwrap_or(used.len());
                if known_index == used.len() {
                    used.push(UsedTexture { path, image, surfaces: Vec::new(), laid: Vec::new() });
                }
                if let Some(used) = used.get_mut(known_index) {
                    add(&mut used.surfaces, index);
                    if is_laid {
                        add(&mut used.laid, index);
                    }
                }
            }
        }
        Self { entity, pose, used }
    }

    fn laid_on(
        &self,
        wanted: &UsedTexture<'_>,
    ) -> impl Iterator<Item = (&maquette_core::model::Surface, &maquette_core::pose::PosedSurface)> {
        let same = self.used.iter().filter(|own| is_same(own, wanted.path, wanted.image));
        let posed =
            |index: &usize| Some((self.entity.model().surfaces().get(*index)?, self.pose.surfaces.get(*index)?));
        same.flat_map(|used| &used.laid).filter_map(posed)
    }
}

/// Whether `used` is the image at `path`. Other entities may have read the same file separately.
fn is_same(used: &UsedTexture<'_>, path: &str, image: &Arc<Image>) -> bool {
    Arc::ptr_eq(used.image, image) || used.path.eq_ignore_ascii_case(path)
}

/// Returns all textures that are files: path, image, and whether the model's own coordinates map the texture.
fn images(material: &SurfaceMaterial) -> impl Iterator<Item = (&str, &Arc<Image>, bool)> {
    let is_scripted = material.script.is_some();
    let plain = material.image.iter().filter(move |_| !is_scripted);
    let plain = plain.map(|image| (material.path.as_str(), image, true));
    let staged = material.definition.stages.iter().filter(move |_| is_scripted).flat_map(|stage| {
        let relief = stage.relief.iter().flat_map(|relief| relief.bump.iter().chain(&relief.specular));
        let found = stage.maps.iter().chain(relief).filter_map(|map| Some((map.path.as_str(), map.image.as_ref()?)));
        found.map(|(path, image)| (path, image, lies_on_model(stage)))
    });
    plain.chain(staged).filter(|(path, ..)| !path.is_empty())
}

fn lies_on_model(stage: &Stage) -> bool {
    stage.coordinates == Coordinates::Model && stage.moves.is_empty()
}

fn add(list: &mut Vec<usize>, one: usize) {
    if list.last() != Some(&one) {
        list.push(one);
    }
}
