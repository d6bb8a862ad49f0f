//! Image files at the shader paths of a converted model.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use maquette_assets::material::Image;
use maquette_assets::open::{OpenError, Opener};
use maquette_core::error::printable;
use maquette_core::model::Model;

/// Extension of the files from [`texture_file`].
pub const TEXTURE_EXTENSION: &str = "tga";

/// Texture files of a model that is written in a game format.
#[derive(Default)]
pub struct GameTextures {
    /// Files to write, with their contents.
    pub files: Vec<(PathBuf, Rc<Vec<u8>>)>,
    /// Sentences about textures that are not written.
    pub notes: Vec<String>,
}

impl GameTextures {
    /// Returns the textures in the file `input` of a model that is written to `output`. `renamed` has the new shader
    /// paths of materials.
    pub fn new(
        opener: &Opener,
        input: &Path,
        model: &Model,
        output: &Path,
        renamed: &HashMap<String, String>,
    ) -> Result<Self, OpenError> {
        let encode = |image: &Image| {
            let size = || format!("{} × {} texels are too many for a TGA", image.width, image.height);
            tga(image).ok_or_else(size)
        };
        let (stored, missing) = opener.stored_textures(input, model, TEXTURE_EXTENSION, renamed, encode)?;
        let files = stored.into_iter().map(|(path, bytes)| (texture_file(output, &path), bytes)).collect();
        let notes = missing.iter().map(|why| format!("no texture was written: {}", printable(why))).collect();
        Ok(Self { files, notes })
    }
}

/// Creates the folders of files. An error comes with the path of its folder.
pub fn create_folders<T>(files: &[(PathBuf, T)]) -> Result<(), (&Path, std::io::Error)> {
    for folder in files.iter().filter_map(|(path, _)| path.parent()).filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| (folder, error))?;
    }
    Ok(())
}

/// Encodes an image as uncompressed TGA with 24 or 32 bits, which every game reads. The bottom row is first, because
/// Quake III ignores the bit for images from the top (ioquake3 `tr_image_tga.c`). `None` if a side has more than 65,535
/// texels.
pub fn tga(image: &Image) -> Option<Vec<u8>> {
    const TRUE_COLOUR: u8 = 2;
    let [width, height] = [image.width, image.height].map(|side| u16::try_from(side).ok().map(u16::to_le_bytes));
    let channels: u8 = if image.has_alpha { 4 } else { 3 };
    // No identifier, no palette, origin at 0, 0.
    let mut bytes = vec![0, 0, TRUE_COLOUR, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend([width?, height?].as_flattened());
    // The last byte is the number of bits of alpha.
    bytes.extend([channels * 8, if image.has_alpha { 8 } else { 0 }]);
    let texels = image.rgba.as_chunks::<4>().0;
    for row in texels.chunks_exact((image.width as usize).max(1)).rev() {
        for [red, green, blue, alpha] in row {
            bytes.extend([*blue, *green, *red]);
            bytes.extend(image.has_alpha.then_some(*alpha));
        }
    }
    Some(bytes)
}

/// Folders of models in a game's root. `players` is of Quake II, `progs` of Quake.
const MODEL_FOLDERS: [&str; 3] = ["models", "players", "progs"];

/// Returns the file of a shader path for a model that is written to `model`: in the folder that contains the game's
/// folder of models, else in the folder of the model.
pub fn texture_file(model: &Path, shader_path: &str) -> PathBuf {
    let resolved = without_parents(model);
    let whole = std::path::absolute(&resolved).unwrap_or_else(|_| resolved.to_path_buf());
    let is_called = |folder: &Path, name: &str| folder.file_name().is_some_and(|own| own.eq_ignore_ascii_case(name));
    let is_known = |folder: &Path| MODEL_FOLDERS.iter().any(|name| is_called(folder, name));
    let nearest = whole.ancestors().enumerate().skip(1).find(|(_, folder)| is_known(folder));
    // Players of Quake III are in `models/players`.
    let levels = nearest.map_or(0, |(level, folder)| {
        level + usize::from(folder.parent().is_some_and(|parent| is_called(parent, "models")))
    });
    // A path that the user typed stays relative.
    let mut folder = if model.is_relative() { model } else { whole.as_path() }.parent().unwrap_or(model).to_path_buf();
    for _ in 0..levels {
        let is_named = matches!(folder.components().next_back(), Some(Component::Normal(_)));
        if is_named {
            folder.pop();
        } else {
            folder.push("..");
        }
    }
    folder.join(format!("{shader_path}.{TEXTURE_EXTENSION}"))
}

/// Resolves the `..` of a path. Folders that exist are resolved by the system, because they may be links.
fn without_parents(path: &Path) -> Cow<'_, Path> {
    if !path.components().any(|part| part == Component::ParentDir) {
        return path.into();
    }
    let mut resolved = PathBuf::new();
    for part in path.components() {
        let is_up = part == Component::ParentDir;
        if is_up && let Ok(folder) = Path::new(".").join(&resolved).join("..").canonicalize() {
            resolved = folder;
        } else if !is_up || !resolved.pop() {
            resolved.push(part);
        }
    }
    resolved.into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn tga_starts_with_the_bottom_row() {
        let image = Image::new(1, 2, vec![1, 2, 3, 255, 4, 5, 6, 255]);
        let bytes = tga(&image).unwrap();
        assert_eq!(bytes, [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 24, 0, 6, 5, 4, 3, 2, 1]);
        let decoded = Image::decode(&bytes, "a.tga").unwrap();
        assert_eq!(decoded.rgba, image.rgba);

        let bytes = tga(&Image::new(1, 1, vec![1, 2, 3, 4])).unwrap();
        assert_eq!(bytes[16..], [32, 8, 3, 2, 1, 4]);
    }

    #[test]
    fn textures_are_next_to_the_folder_models() {
        let file = |model: &str| texture_file(Path::new(model), "models/players/a/body");
        assert_eq!(file("/games/models/baseq3/models/players/a/upper.md3"), {
            Path::new("/games/models/baseq3/models/players/a/body.tga")
        });
        assert_eq!(file("/q2/baseq2/players/a/tris.md2"), Path::new("/q2/baseq2/models/players/a/body.tga"));
        assert_eq!(file("/q1/id1/progs/a.mdl"), Path::new("/q1/id1/models/players/a/body.tga"));
        assert_eq!(file("/home/a.md3"), Path::new("/home/models/players/a/body.tga"));
        // Relative paths stay relative. None of these folders exists.
        assert_eq!(file("out/models/a/b.md3"), Path::new("out/models/players/a/body.tga"));
        assert_eq!(file("out/a.md3"), Path::new("out/models/players/a/body.tga"));
        assert_eq!(file("../out/models/a.md3"), Path::new("../out/models/players/a/body.tga"));
        // The folder `models` before `..` does not contain the file. None of these folders exists.
        assert_eq!(file("/nowhere/models/../../out/a.md3"), Path::new("/out/models/players/a/body.tga"));
        assert_eq!(file("/nowhere/x/../models/a/b.md3"), Path::new("/nowhere/models/players/a/body.tga"));
    }
}
