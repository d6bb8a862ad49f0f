//! `maquette convert --textures`: the images of a glTF as files of a game.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use maquette::output::GameTextures;
use maquette_assets::open::Opener;
use maquette_core::model::Model;

use super::Failure;
use super::args::ConvertArguments;

/// Returns the textures of the model at `input`, for a model that is written to `output`.
pub(super) fn of(
    arguments: &ConvertArguments,
    opener: &Opener,
    input: &Path,
    model: &Model,
    output: &Path,
    renamed: &HashMap<String, String>,
) -> Result<GameTextures, Failure> {
    if !arguments.textures {
        return Ok(GameTextures::default());
    }
    let mut textures = GameTextures::new(opener, input, model, output, renamed)?;
    if textures.files.is_empty() && textures.notes.is_empty() && !model.format().traits().has_textures {
        let format = model.format().title();
        textures
            .notes
            .push(format!("no texture was written: --textures needs a glTF, the model is of the format {format}"));
    }
    Ok(textures)
}

/// Creates the folders of files.
pub(super) fn create_folders<T>(files: &[(PathBuf, T)]) -> Result<(), Failure> {
    maquette::output::create_folders(files).map_err(|(folder, error)| Failure::output(folder, error))
}
