//! Conversion of materials for export: base texture with alpha mode, normal, specular and emissive textures.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder as _};

use maquette_assets::material::{
    AlphaTest, Blend, Coordinates, DrawnFaces, Image, Map, Stage, SurfaceMaterial, TextureWrap,
};
use maquette_core::convert::UniqueNames;
use maquette_core::export::{ExportImage, ExportMaterial};
use maquette_core::file_names;
use maquette_core::model::AlphaMode;

const ALMOST_NONE: f32 = 1.0 / 255.0;

#[derive(Default)]
pub(super) struct ExportMaterials {
    pub materials: Vec<ExportMaterial>,
    pub images: Vec<ExportImage>,
    image_names: UniqueNames,
    named: HashMap<String, Vec<usize>>,
    /// Exported images by game path. Parts may have different images for the same path.
    known: HashMap<String, Vec<(usize, Arc<Image>)>>,
}

impl ExportMaterials {
    /// Adds the material of a surface, and returns its index. `stored` has the names of its materials in the model's
    /// file.
    pub fn add(&mut self, material: &SurfaceMaterial, surface: &str, stored: &[String]) -> usize {
        let stages = &material.definition.stages;
        let first = stages.first();
        let base = first.and_then(image_of).map(|map| (map.path.as_str(), map.image.clone()));
        let (path, image) = match (&material.image, base) {
            (Some(image), _) => (material.path.as_str(), Some(Arc::clone(image))),
            (None, base) => base.unwrap_or_default(),
        };
        let glow = stages.iter().skip(1).find(|stage| stage.blend == Some(Blend::ADD)).and_then(image_of);
        let relief = stages.iter().find_map(|stage| stage.relief.as_ref());
        let of = |map: Option<&Map>, own: &mut Self| {
            let map = map?;
            own.image(&map.path, map.image.as_ref()?)
        };
        let first_stored = stored.first().map_or("", String::as_str);
        let exported = ExportMaterial {
            name: [first_stored, &material.name, surface]
                .into_iter()
                .find(|name| !name.is_empty())
                .unwrap_or("")
                .to_owned(),
            base: image.and_then(|image| self.image(path, &image)),
            alpha: first.map_or(AlphaMode::Opaque, alpha_of),
            double_sided: material.definition.sides == DrawnFaces::Both,
            normal: of(relief.and_then(|relief| relief.bump.as_ref()), self),
            specular: of(relief.and_then(|relief| relief.specular.as_ref()), self),
            emissive: of(glow, self),
            clamped: material.wrap != TextureWrap::Repeat,
            stored: stored.to_vec(),
            skin: Some(&material.name).filter(|name| !name.is_empty() && !stored.contains(name)).cloned(),
            script: material.script_text.as_ref().map(|text| text.to_string()),
        };
        let named = self.named.entry(exported.name.clone()).or_default();
        let is_equal = |index: &&usize| self.materials.get(**index) == Some(&exported);
        if let Some(known) = named.iter().find(is_equal) {
            return *known;
        }
        named.push(self.materials.len());
        self.materials.push(exported);
        self.materials.len() - 1
    }

    fn image(&mut self, path: &str, image: &Arc<Image>) -> Option<usize> {
        let is_same = |known: &&(usize, Arc<Image>)| Arc::ptr_eq(&known.1, image) || known.1 == *image;
        if let Some((known, _)) = self.known.get(path).and_then(|known| known.iter().find(is_same)) {
            return Some(*known);
        }
        let mut png = Vec::new();
        // Opaque images are written without alpha to save space.
        let (bytes, kind): (Cow<[u8]>, _) = if image.has_alpha {
            (Cow::Borrowed(&image.rgba), ExtendedColorType::Rgba8)
        } else {
            let opaque = image.rgba.as_chunks::<4>().0.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]);
            (opaque.collect(), ExtendedColorType::Rgb8)
        };
        PngEncoder::new(&mut png).write_image(&bytes, image.width, image.height, kind).ok()?;
        let name = self.name_of(path);
        self.images.push(ExportImage { name, png });
        let own = self.known.entry(path.to_owned()).or_default();
        own.push((self.images.len() - 1, Arc::clone(image)));
        Some(self.images.len() - 1)
    }

    fn name_of(&mut self, path: &str) -> String {
        let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let plain: String =
            stem.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
        let stem = if plain.is_empty() { "texture".to_owned() } else { file_names::clean(&plain) };
        self.image_names.claim(stem, str::to_lowercase, "_")
    }
}

fn image_of(stage: &Stage) -> Option<&Map> {
    let is_own = matches!(stage.coordinates, Coordinates::Model);
    stage.maps.iter().filter(|map| is_own && !map.is_lightmap).find(|map| map.image.is_some())
}

fn alpha_of(stage: &Stage) -> AlphaMode {
    match (&stage.alpha_test, stage.blend) {
        (AlphaTest::Some, _) => AlphaMode::Mask(ALMOST_NONE),
        (AlphaTest::Half | AlphaTest::Less, _) => AlphaMode::Mask(0.5),
        (AlphaTest::Above(at), _) => AlphaMode::Mask(at.at(0.0).clamp(0.0, 1.0)),
        (AlphaTest::None, Some(_)) => AlphaMode::Blend,
        (AlphaTest::None, None) => AlphaMode::Opaque,
    }
}
