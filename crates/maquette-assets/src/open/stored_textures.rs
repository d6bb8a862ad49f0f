//! Images that a model's file stores or names, under the shader paths of its materials.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use super::named_files::NamedFiles;
use super::{OpenError, Opener};
use crate::material::{IMAGE_EXTENSIONS, Image, decode_pixels, display_colour, palette_near};
use crate::vfs::{Vfs, folder_of, normalise, split_extension};
use maquette_core::budget::Budget;
use maquette_core::file_names;
use maquette_core::model::{EmbeddedImage, EmbeddedMaterial, Model};

/// Shader path of a texture, and its encoded image.
pub type StoredTexture = (String, Rc<Vec<u8>>);

/// Address of the stored bytes of an image, and the colour that multiplies it.
type ImageKey = (*const u8, [u32; 4]);

/// Encoded images. Each image is decoded once for each colour.
struct Encoder<'a, F: Fn(&Image) -> Result<Vec<u8>, String>> {
    vfs: &'a Vfs,
    folder: &'a str,
    files: NamedFiles<'a>,
    known: HashMap<ImageKey, Result<Rc<Vec<u8>>, String>>,
    max_image_bytes: u64,
    /// Bytes that the encoded images may still take together.
    budget: Budget,
    encode: F,
}

impl<F: Fn(&Image) -> Result<Vec<u8>, String>> Encoder<'_, F> {
    /// Returns the encoded image of a material. A plain colour is an image of one texel.
    fn image_of(&mut self, embedded: &EmbeddedMaterial) -> Result<Rc<Vec<u8>>, String> {
        match &embedded.image {
            Some(EmbeddedImage::Encoded(bytes)) => self.encoded_file(bytes, embedded.colour),
            Some(EmbeddedImage::External(path)) => self.encoded_file(&self.files.read(path)?, embedded.colour),
            Some(EmbeddedImage::Pixels(pixels)) => {
                let (vfs, folder) = (self.vfs, self.folder);
                let decode = || Ok(decode_pixels(pixels, &palette_near(vfs, folder).0));
                self.encoded(&pixels.bytes, embedded.colour, decode)
            }
            None if embedded.colour == [1.0; 4] => Err("the material has no image".to_owned()),
            None => (self.encode)(&Image::of_colour(display_colour(embedded.colour))).map(Rc::new),
        }
    }

    fn encoded_file(&mut self, bytes: &[u8], colour: [f32; 4]) -> Result<Rc<Vec<u8>>, String> {
        let max = self.max_image_bytes;
        self.encoded(bytes, colour, || Image::decode_within(bytes, "image", max).map_err(|error| error.to_string()))
    }

    /// Encodes the image that `decode` makes of the stored `bytes`, times a colour.
    fn encoded(
        &mut self,
        bytes: &[u8],
        colour: [f32; 4],
        decode: impl FnOnce() -> Result<Image, String>,
    ) -> Result<Rc<Vec<u8>>, String> {
        let key = (bytes.as_ptr(), colour.map(f32::to_bits));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let image = decode().map(|image| if colour == [1.0; 4] { image } else { image.tinted(colour) });
        let encoded = image.and_then(|image| (self.encode)(&image)).and_then(|encoded| {
            let taken = self.budget.take(encoded.len() as u64);
            taken.map_err(|_| "the textures of the model are too large together".to_owned())?;
            Ok(Rc::new(encoded))
        });
        self.known.insert(key, encoded.clone());
        encoded
    }
}

impl Opener {
    /// Decodes the images of the model's file at `path` and encodes them with `encode`, one for each shader path, for files
    /// with this `extension`. `renamed` has the shader paths of materials with other names. Textures have the shader path without the extension of an image; they may share bytes. The
    /// second list has a sentence about each material without a texture.
    pub fn stored_textures(
        &self,
        path: &Path,
        model: &Model,
        extension: &str,
        renamed: &HashMap<String, String>,
        encode: impl Fn(&Image) -> Result<Vec<u8>, String>,
    ) -> Result<(Vec<StoredTexture>, Vec<String>), OpenError> {
        let (vfs, game_path) = self.vfs_for(path)?;
        let (mut textures, mut missing) = (Vec::new(), Vec::new());
        let mut seen: HashMap<String, &Arc<EmbeddedMaterial>> = HashMap::new();
        let mut refused = HashSet::new();
        let limits = &self.search.limits;
        let mut encoder = Encoder {
            vfs: &vfs,
            folder: folder_of(&game_path),
            files: NamedFiles::new(&vfs, &game_path),
            known: HashMap::new(),
            max_image_bytes: limits.image_bytes(),
            budget: Budget::new(limits.memory),
            encode,
        };
        let variants = model.material_variants();
        for (surface, variant) in
            model.surfaces().iter().flat_map(|surface| variants.iter().map(move |it| (surface, *it)))
        {
            let (stored, Some(embedded)) = surface.material_in(variant) else { continue };
            // A player's skin may have replaced the material of the model.
            let of_skin =
                Some(surface.data.skin_material.as_str()).filter(|name| variant.is_none() && !name.is_empty());
            let name = of_skin.unwrap_or(stored);
            let name = renamed.get(name).map_or(name, String::as_str);
            let Some(path) = normalise(without_image_extension(name)).filter(|path| !path.is_empty()) else {
                let is_new = refused.insert(name);
                missing.extend(is_new.then(|| match name {
                    "" => format!("surface “{}” has no material", surface.name),
                    _ if name.contains(':') || name.split(['/', '\\']).any(|part| part == "..") => {
                        format!("material “{name}”: a shader path cannot contain “..” or “:”")
                    }
                    _ => format!("material “{name}”: the shader path is too long, or has too many folders"),
                }));
                continue;
            };
            if let Some(known) = seen.insert(path.to_lowercase(), embedded) {
                if !Arc::ptr_eq(known, embedded) && (&known.image, known.colour) != (&embedded.image, embedded.colour) {
                    missing.push(format!("material “{name}”: another material with the path {path} has its own image"));
                }
                continue;
            }
            let file = format!("{path}.{extension}");
            let bytes = match file.split('/').find_map(file_names::problem) {
                Some(problem) => Err(problem.to_owned()),
                None => encoder.image_of(embedded),
            };
            match bytes {
                Ok(bytes) => textures.push((path, bytes)),
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
