//! Materials: names for the games, and definitions in the file.

use std::collections::HashMap;
use std::sync::Arc;

use super::accessor::Data;
use super::container::{Uri, decode_base64};
use super::json::{Image, Primitive, Texture, label};
use super::{broken, lookup};
use crate::error::{LoadError, WarningKind};
use crate::limits::MAX_GLTF_VARIANTS;
use crate::model::{AlphaMode, EmbeddedImage, EmbeddedMaterial, SurfaceData, SurfaceVariant};

/// Maximum number of materials of a surface in the games (`MD3_MAX_SHADERS`). Further ones are skipped.
const MAX_NAMES: usize = 256;

/// Materials that were read. Surfaces share them.
pub(super) struct Materials<'a> {
    data: &'a Data<'a>,
    /// Materials by index; `None` for the default material.
    known: HashMap<Option<u32>, Named>,
    images: HashMap<ImageKey, Option<EmbeddedImage>>,
    /// Data of surfaces without colours, by material and parent.
    data_of: HashMap<(Option<u32>, Option<u32>), Arc<SurfaceData>>,
    /// Variants of primitives, by mesh and index. Nodes share them.
    variants_of: HashMap<(u32, usize), Arc<[SurfaceVariant]>>,
}

/// Storage of an image, which several images may share.
#[derive(PartialEq, Eq, Hash)]
enum ImageKey {
    View(u32),
    Image(u32),
}

/// Names of a material in the games, and its definition in the file.
#[derive(Clone)]
pub(super) struct Named {
    names: Vec<String>,
    skin: Option<String>,
    material: Arc<EmbeddedMaterial>,
}

impl Named {
    /// Returns the names of the materials of a surface.
    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }
}

impl<'a> Materials<'a> {
    pub fn new(data: &'a Data<'a>) -> Self {
        Self {
            data,
            known: HashMap::new(),
            images: HashMap::new(),
            data_of: HashMap::new(),
            variants_of: HashMap::new(),
        }
    }

    /// Returns the material of a primitive.
    pub fn of(&mut self, material: Option<u32>) -> Result<&Named, LoadError> {
        let named = match (self.known.remove(&material), material) {
            (Some(known), _) => known,
            (None, Some(index)) => self.read(index)?,
            (None, None) => {
                // The default material of the specification is white.
                let white = EmbeddedMaterial { colour: [1.0; 4], ..EmbeddedMaterial::default() };
                Named { names: vec![String::new()], skin: None, material: Arc::new(white) }
            }
        };
        Ok(self.known.entry(material).or_insert(named))
    }

    /// Returns the data of a surface below the node `below`, called `parent`. Surfaces without colours share it.
    pub fn surface_data(
        &mut self,
        (primitive, place): (&Primitive, (u32, usize)),
        below: Option<u32>,
        parent: &str,
        colours: Option<Arc<[i32]>>,
    ) -> Result<Arc<SurfaceData>, LoadError> {
        let (material, variants) = (primitive.material, self.variants(primitive, place)?);
        let is_shared = colours.is_none() && variants.is_empty();
        if let (Some(known), true) = (self.data_of.get(&(material, below)), is_shared) {
            return Ok(Arc::clone(known));
        }
        let named = self.of(material)?;
        let data = Arc::new(SurfaceData {
            colours,
            embedded_material: Some(Arc::clone(&named.material)),
            variants,
            skin_material: named.skin.clone().unwrap_or_default(),
            parent: parent.to_owned(),
            ..SurfaceData::default()
        });
        if is_shared {
            self.data_of.insert((material, below), Arc::clone(&data));
        }
        Ok(data)
    }

    /// Returns the variants of a primitive. The first mapping of each counts.
    fn variants(&mut self, primitive: &Primitive, place: (u32, usize)) -> Result<Arc<[SurfaceVariant]>, LoadError> {
        let stated = primitive.extensions.as_ref().and_then(|extensions| extensions.variants.as_ref());
        let Some(stated) = stated else { return Ok(Arc::default()) };
        if let Some(known) = self.variants_of.get(&place) {
            return Ok(Arc::clone(known));
        }
        let mut found: Vec<SurfaceVariant> = Vec::new();
        for mapping in stated.mappings.iter().filter(|mapping| mapping.material.is_some()) {
            let used = mapping.variants.iter().filter(|variant| (**variant as usize) < MAX_GLTF_VARIANTS);
            for variant in used {
                if found.iter().all(|(known, ..)| known != variant) {
                    let named = self.of(mapping.material)?;
                    let name = named.names.first().cloned().unwrap_or_default();
                    let material = Arc::clone(&named.material);
                    let size = name.len() + size_of::<SurfaceVariant>();
                    self.data.claim("KHR_materials_variants", size as u64)?;
                    found.push((*variant, name, material));
                }
            }
        }
        let found: Arc<[SurfaceVariant]> = found.into();
        self.variants_of.insert(place, Arc::clone(&found));
        Ok(found)
    }

    fn read(&mut self, index: u32) -> Result<Named, LoadError> {
        let data = self.data;
        let document = &data.document;
        let about = label(&document.materials, index);
        let material = lookup(&document.materials, index, &about)?;
        let (texture, colour) = material.base_colour();
        let texture = match texture {
            Some(info) => Some(lookup(&document.textures, info.index, &about)?),
            None => None,
        };
        let image = match texture.map(Texture::image) {
            Some(Some(image)) => Some((image, lookup(&document.images, image, &about)?)),
            Some(None) => {
                data.warn(WarningKind::LeftOut, &about, "the texture of the base colour names no image; skipped");
                None
            }
            None => None,
        };
        let path = image.map_or_else(String::new, |(_, image)| name_of_image(image));
        let colour = colour.unwrap_or([1.0; 4]);
        let embedded = EmbeddedMaterial {
            image: match image {
                Some((index, image)) => self.image(index, image)?,
                None => None,
            },
            colour: colour.map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 }),
            alpha: match material.alpha_mode.as_deref() {
                Some("MASK") => {
                    AlphaMode::Mask(material.alpha_cutoff.filter(|cutoff| cutoff.is_finite()).unwrap_or(0.5))
                }
                Some("BLEND") => AlphaMode::Blend,
                _ => AlphaMode::Opaque,
            },
            double_sided: material.double_sided,
            script: material.extras.script.clone(),
        };
        let extras = &material.extras;
        // A name that somebody chose since the export replaces the one in the model's file.
        let exported = extras.name.as_ref().filter(|exported| is_numbered_or_cut(&material.name, exported));
        if let Some(exported) = exported {
            let names = extras.stored.as_ref().unwrap_or(exported).lines().take(MAX_NAMES).map(str::to_owned);
            let names = names.collect();
            return Ok(Named { names, skin: extras.skin.clone(), material: Arc::new(embedded) });
        }
        let name = if material.name.is_empty() { path } else { material.name.clone() };
        Ok(Named { names: vec![name], skin: None, material: Arc::new(embedded) })
    }

    /// Returns an image. Materials and images that share its bytes share the allocation.
    fn image(&mut self, index: u32, image: &Image) -> Result<Option<EmbeddedImage>, LoadError> {
        let key = image.buffer_view.map_or(ImageKey::Image(index), ImageKey::View);
        if let Some(known) = self.images.get(&key) {
            return Ok(known.clone());
        }
        let read = self.read_image(index, image)?;
        self.images.insert(key, read.clone());
        Ok(read)
    }

    fn read_image(&self, index: u32, image: &Image) -> Result<Option<EmbeddedImage>, LoadError> {
        let about = label(&self.data.document.images, index);
        if let Some(view) = image.buffer_view {
            let bytes = self.data.view(view, 0, &about)?;
            self.data.claim(&about, bytes.len() as u64)?;
            return Ok(Some(EmbeddedImage::Encoded(bytes.into())));
        }
        let Some(uri) = &image.uri else { return Ok(None) };
        match Uri::parse(uri).map_err(|why| broken(&about, why)) {
            Ok(Uri::Data(data)) => {
                self.data.claim(&about, data.len() as u64)?;
                Ok(Some(EmbeddedImage::Encoded(decode_base64(data).map_err(|why| broken(&about, why))?.into())))
            }
            Ok(Uri::File(path)) => Ok(Some(EmbeddedImage::External(path))),
            Err(error) => {
                self.data.warn(WarningKind::LeftOut, about, error.reason.to_string());
                Ok(None)
            }
        }
    }
}

/// Returns the path of an image without its extension; for an image inside the file its name.
fn name_of_image(image: &Image) -> String {
    let path = match image.uri.as_deref().map(Uri::parse) {
        Some(Ok(Uri::File(path))) => without_dots(&path),
        _ => image.name.clone(),
    };
    let last = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    match path.rfind('.').filter(|dot| *dot > last && image.uri.is_some()) {
        Some(dot) => path.get(..dot).unwrap_or_default().to_owned(),
        None => path,
    }
}

/// Returns a path without `.` and `..` (RFC 3986, 5.2.4). Games refuse paths with `..`.
fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns whether Blender may have made `name` from `exported`: it numbers equal names (`.001`) and cuts long ones at 63
/// bytes.
fn is_numbered_or_cut(name: &str, exported: &str) -> bool {
    let numbered = name
        .rsplit_once('.')
        .filter(|(_, number)| number.len() >= 3 && number.bytes().all(|digit| digit.is_ascii_digit()));
    let is_from = |name: &str| name == exported || name.len() >= SHORTEST_CUT && exported.starts_with(name);
    is_from(name) || numbered.is_some_and(|(name, _)| is_from(name))
}

/// Shortest name that Blender cuts: 63 bytes, less a number and the bytes of a character.
const SHORTEST_CUT: usize = 55;
