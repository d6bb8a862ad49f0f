//! Opener of a command, and the models that its arguments name.

use std::path::{Path, PathBuf};

use maquette_assets::limits::MAX_ARCHIVES;
use maquette_assets::material::{ImageLoading, Limits};
use maquette_assets::open::{Assembly, OpenCause, OpenOptions, Opener, only_legs, scan};
use maquette_assets::vfs::{FileLocation, FileSystem};
use maquette_core::bytes::LoadOptions;
use maquette_core::error::counted;

use super::args::CharacterArguments;
use super::{Failure, output};

/// Opens exactly the named model, or its character if the arguments request it.
pub fn assembly(opener: &Opener, model: &Path, arguments: &CharacterArguments) -> Result<Assembly, Failure> {
    let is_folder =
        matches!(opener.files().locate(model), Ok(FileLocation::Folder(_) | FileLocation::FolderInArchive { .. }));
    let is_definition = model.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("char"));
    let is_character = arguments.character || is_definition;
    let whole = is_character || arguments.legs.is_some() || arguments.torso.is_some();
    if is_folder {
        return folder(opener, model);
    }
    // Legs and torso of an MDS or MDM are one model.
    if whole
        && !is_character
        && let Ok(asset) = opener.model(model)
        && asset.model.has_torso()
    {
        return Ok(Assembly::from(asset));
    }
    if whole {
        return Ok(opener.character(model)?);
    }
    let opened = if arguments.salvage { opener.salvaged(model) } else { opener.model(model) };
    opened.map(Assembly::from).map_err(|error| match error.cause {
        OpenCause::Damaged(_) => Failure::File(format!("{error}; pass --salvage to open the recoverable part")),
        _ => error.into(),
    })
}

/// Returns a path below a folder or archive that the user typed, as the user would type it.
fn as_typed(path: &Path, typed: &Path) -> PathBuf {
    let whole: Option<PathBuf> = std::path::absolute(typed).ok().map(|whole| whole.components().collect());
    match whole.and_then(|whole| path.strip_prefix(whole).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => typed.to_path_buf(),
        Some(rest) => typed.join(rest),
        None => path.to_path_buf(),
    }
}

fn folder(opener: &Opener, folder_path: &Path) -> Result<Assembly, Failure> {
    let refused = match opener.character(folder_path) {
        Ok(assembly) => return Ok(assembly),
        Err(error) if matches!(error.cause, OpenCause::NoCharacter(_)) => error,
        Err(error) => return Err(error.into()),
    };
    let found = scan(opener.files(), folder_path, &|| false);
    let models = found.models;
    match only_legs(&models) {
        Some(legs) => {
            let own = legs.parent().unwrap_or(legs);
            let others = models.iter().filter(|model| !model.starts_with(own)).count();
            if others > 0 {
                let (own, others) = (as_typed(own, folder_path), counted(others, "other model", "other models"));
                let folder = folder_path.display();
                output::error_line(format_args!("{folder}: using the character {}, not {others}", own.display()));
            }
            Ok(opener.character(legs)?)
        }
        None if models.is_empty() => Err(match found.failed.first() {
            Some((path, error)) => Failure::File(format!("{}: {error}", as_typed(path, folder_path).display())),
            None => refused.into(),
        }),
        None => {
            let names = models.iter().take(LISTED).map(|path| as_typed(path, folder_path).display().to_string());
            let more = models.len().saturating_sub(LISTED);
            let more = (more > 0).then(|| format!("and {more} more"));
            let message = format!("{}: is a folder; name one of its models", folder_path.display());
            Err(Failure::Choice(message, names.chain(more).collect()))
        }
    }
}

const LISTED: usize = 12;

pub fn opener(arguments: &CharacterArguments, load: LoadOptions, depth: ImageLoading) -> Result<Opener, Failure> {
    let limits = Limits { memory: u64::from(arguments.max_memory) << 20, ..Limits::default() };
    let lit_fullbrights = !arguments.fullbright;
    let player_colours = arguments.player_colours.unwrap_or_default();
    let order = arguments.search_order;
    let options = OpenOptions { order, limits, queue: None, lit_fullbrights, player_colours, load };
    Ok(opener_with(&arguments.root, depth)?.with(options))
}

/// Creates an opener that searches `roots` first. An invalid root is a usage error.
pub fn opener_with(roots: &[PathBuf], depth: ImageLoading) -> Result<Opener, Failure> {
    if roots.len() > MAX_ARCHIVES {
        return Err(Failure::Usage(format!(
            "--root: given {} times; expected at most {MAX_ARCHIVES} times",
            roots.len()
        )));
    }
    for root in roots {
        if !matches!(FileSystem::new(Vec::new()).locate(root), Ok(FileLocation::Folder(_) | FileLocation::Archive(_))) {
            let root = root.display();
            return Err(Failure::Usage(format!("--root {root}: no such folder or archive")));
        }
    }
    // A run is short, so assume that files do not change.
    Ok(Opener::new(roots.to_vec(), depth).unchanging())
}

/// Whether `path` is the model's file, or the archive that contains the model.
pub fn is_file_of(model: &Path, path: &Path) -> bool {
    let file = model.ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
    file.is_some_and(|file| file.is_file() && path.canonicalize().is_ok_and(|path| path == file))
}

/// Fails if the output would overwrite the model or its archive.
pub fn refuse_model_itself(model: &Path, output: &Path) -> Result<(), Failure> {
    if !is_file_of(model, output) {
        return Ok(());
    }
    Err(Failure::Usage(format!("-o {}: output is the input file; choose another name", output.display())))
}
