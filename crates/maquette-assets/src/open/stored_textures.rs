//! Images that a glTF stores or names, under the shader paths of its materials.

use std::collections::HashMap;
use std::path::Path;

use super::named_files::NamedFiles;
use super::{OpenError, Opener};
use crate::material::{IMAGE_EXTENSIONS, Image, display_colour};
use crate::vfs::{normalise, split_extension};
use maquette_core::model::{EmbeddedImage, EmbeddedMaterial, Model};

/// Image of a material that the model's file defines.
pub struct StoredTexture {
    /// Shader path of the material without the extension of an image.
    pub path: String,
    /// The image.
    pub image: Image,
}

impl Opener {
    /// Decodes the images of a glTF at `path`, one for each shader path. A plain colour is an image of one texel. The
    /// second list has a sentence about each material without a texture.
    pub fn stored_textures(&self, path: &Path, model: &Model) -> Result<(Vec<StoredTexture>, Vec<String>), OpenError> {
        let (vfs, game_path) = self.vfs_for(path)?;
        let (mut textures, mut missing) = (Vec::new(), Vec::new());
        let mut seen: HashMap<String, &EmbeddedMaterial> = HashMap::new();
        let files = NamedFiles::new(&vfs, &game_path);
        let mut left = self.search.limits.memory;
        for surface in model.surfaces() {
            let Some(embedded) = &surface.data.embedded_material else { continue };
            // A player's skin may have replaced the material of the model.
            let stored = surface.materials.first().map_or("", String::as_str);
            let name = Some(surface.data.skin_material.as_str()).filter(|name| !name.is_empty()).unwrap_or(stored);
            let path = without_image_extension(name);
            if let Some(known) = seen.insert(path.to_lowercase(), embedded) {
                if (&known.image, known.colour) != (&embedded.image, embedded.colour) {
                    missing
                        .push(format!("material “{name}”: another material with this shader path has its own image"));
                }
                continue;
            }
            let Some(path) = normalise(path).filter(|path| !path.is_empty()) else {
                missing.push(match name {
                    "" => format!("surface “{}” has no material", surface.name),
                    _ => format!("material “{name}”: a shader path cannot contain “..” or “:”"),
                });
                continue;
            };
            let bytes = match &embedded.image {
                Some(EmbeddedImage::Inside(bytes)) => Ok(bytes.to_vec()),
                Some(EmbeddedImage::Beside(beside)) => files.read(beside).map(|bytes| bytes.to_vec()),
                None if embedded.colour == [1.0; 4] => Err("the material has no image".to_owned()),
                None => {
                    textures.push(StoredTexture { path, image: Image::of_colour(display_colour(embedded.colour)) });
                    continue;
                }
            };
            let max = left.min(self.search.limits.image_bytes());
            let decode = |bytes: Vec<u8>| Image::decode_within(&bytes, "image", max).map_err(|error| error.to_string());
            match bytes.and_then(decode) {
                Ok(image) => {
                    left = left.saturating_sub(image.rgba.len() as u64);
                    textures.push(StoredTexture { path, image });
                }
                Err(why) => missing.push(format!("material “{name}”: {why}")),
            }
        }
        Ok((textures, missing))
    }
}

fn without_image_extension(name: &str) -> &str {
    let (stem, extension) = split_extension(name);
    if IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension)) { stem } else { name }
}
