//! `maquette convert --textures`: the images of a glTF as files of a game.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use maquette::output::{TEXTURE_EXTENSION, texture_file, tga};
use maquette_assets::material::Image;
use maquette_assets::open::Opener;
use maquette_core::error::printable;
use maquette_core::model::{Format, Model};

use super::Failure;
use super::args::ConvertArguments;

/// Texture files of a converted model.
#[derive(Default)]
pub(super) struct Textures {
    /// Files to write, with their contents.
    pub files: Vec<(PathBuf, Rc<Vec<u8>>)>,
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
    renamed: &HashMap<String, String>,
) -> Result<Textures, Failure> {
    if !arguments.textures {
        return Ok(Textures::default());
    }
    let encode = |image: &Image| {
        let size = || format!("{} × {} texels are too many for a TGA", image.width, image.height);
        tga(image).ok_or_else(size)
    };
    let (stored, missing) = opener.stored_textures(input, model, TEXTURE_EXTENSION, renamed, encode)?;
    let mut textures = Textures::default();
    textures.notes.extend(missing.iter().map(|why| format!("no texture was written: {}", printable(why))));
    if stored.is_empty() && missing.is_empty() && model.format() != Format::Gltf {
        let format = model.format().title();
        textures
            .notes
            .push(format!("no texture was written: --textures needs a glTF, the model is of the format {format}"));
    }
    textures.files.extend(stored.into_iter().map(|(path, bytes)| (texture_file(output, &path), bytes)));
    Ok(textures)
}

/// Creates the folders of files.
pub(super) fn create_folders<T>(files: &[(PathBuf, T)]) -> Result<(), Failure> {
    for folder in files.iter().filter_map(|(path, _)| path.parent()).filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| Failure::output(folder, error))?;
    }
    Ok(())
}
