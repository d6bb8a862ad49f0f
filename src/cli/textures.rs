//! `maquette convert --textures`: the images of a glTF as files of a game.

use std::path::{Path, PathBuf};

use maquette::output::{texture_file, tga};
use maquette_assets::open::Opener;
use maquette_core::error::printable;
use maquette_core::model::Model;

use super::Failure;
use super::args::ConvertArguments;

/// Texture files of a converted model.
#[derive(Default)]
pub(super) struct Textures {
    /// Files to write, with their contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Sentences about textures that are not written.
    pub notes: Vec<String>,
}

/// Returns the textures of the model at `input`, for a model that is written to `output`.
pub(super) fn of(
    arguments: &ConvertArguments,
    opener: &Opener,
    input: &Path,
    model: &Model,
    output: &Path,
) -> Result<Textures, Failure> {
    if !arguments.textures {
        return Ok(Textures::default());
    }
    let (stored, missing) = opener.stored_textures(input, model)?;
    let mut textures = Textures::default();
    textures.notes.extend(missing.iter().map(|why| format!("no texture was written: {}", printable(why))));
    if stored.is_empty() && missing.is_empty() {
        textures.notes.push("no texture was written: --textures writes those of a glTF".to_owned());
    }
    for texture in stored {
        let file = texture_file(output, &texture.path);
        match tga(&texture.image) {
            Some(_) if textures.files.iter().any(|(known, _)| *known == file) => {
                let path = texture.path;
                textures
                    .notes
                    .push(format!("no texture was written: {path}: another material has an image of this path"));
            }
            Some(bytes) => textures.files.push((file, bytes)),
            None => {
                let (path, image) = (texture.path, texture.image);
                let size = format!("{} × {}", image.width, image.height);
                textures.notes.push(format!("no texture was written: {path}: {size} texels are too many for a TGA"));
            }
        }
    }
    Ok(textures)
}

/// Creates the folders of files.
pub(super) fn create_folders(files: &[(PathBuf, Vec<u8>)]) -> Result<(), Failure> {
    for folder in files.iter().filter_map(|(path, _)| path.parent()).filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| Failure::output(folder, error))?;
    }
    Ok(())
}
