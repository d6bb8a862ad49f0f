//! From one path to a model and everything that belongs to it: levels of detail and animations beside it, its pictures.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Part, Skin};
use crate::error::{LoadError, Warning, Warnings};
use crate::formats;
use crate::material::Finder;
use crate::model::{Format, Model};
use crate::vfs::{ReadError, Vfs, folder_of, name_of, split_extension};

/// Folders searched below an MD5 mesh for its animations.
const ANIMATION_DEPTH: usize = 3;
/// Animations loaded at most for one mesh.
const MOST_ANIMATIONS: usize = 512;

/// Why a file was not opened.
#[derive(Debug)]
pub struct OpenError {
    /// The file, as it was asked for.
    pub path: PathBuf,
    /// What went wrong.
    pub cause: OpenCause,
}

/// What went wrong with a file.
#[derive(Debug)]
pub enum OpenCause {
    /// It could not be read.
    Read(ReadError),
    /// It could be read, but not understood.
    Load(LoadError),
    /// A folder without a model in it.
    NoModel,
}

impl OpenError {
    /// File name for a headline.
    #[must_use]
    pub fn name(&self) -> String {
        self.path
            .file_name()
            .map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// What went wrong, in a sentence, without the path.
    #[must_use]
    pub fn reason(&self) -> String {
        match &self.cause {
            OpenCause::Read(ReadError::NotFound(_)) => "there is no such file".to_owned(),
            OpenCause::Read(error) => error.to_string(),
            OpenCause::Load(error) => error.to_string(),
            OpenCause::NoModel => "the folder holds no model".to_owned(),
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason())
    }
}

impl std::error::Error for OpenError {}

/// Opens a model file with everything beside it.
pub fn open(path: &Path) -> Result<Part, OpenError> {
    let fail = |cause| OpenError { path: path.to_path_buf(), cause };
    let (vfs, game_path) = Vfs::around(path).map_err(|error| fail(OpenCause::Read(ReadError::Io(error))))?;
    let bytes = vfs.read(&game_path).map_err(|error| fail(OpenCause::Read(error)))?;
    let mut part = open_in(&vfs, &game_path, &bytes).map_err(|error| fail(OpenCause::Load(error)))?;
    part.file = Some(path.to_path_buf());
    Ok(part)
}

/// Opens the bytes of the model at `game_path` with everything beside it in `vfs`.
pub fn open_in(vfs: &Vfs, game_path: &str, bytes: &[u8]) -> Result<Part, LoadError> {
    let (mut model, own_warnings) = formats::load(bytes)?;
    let mut warnings = Warnings::default();
    let (_, extension) = split_extension(game_path);
    let usual = formats::FORMATS.iter().find(|entry| entry.format == model.format).map_or("", |entry| entry.extension);
    if !extension.eq_ignore_ascii_case(usual) {
        warnings.add(
            name_of(game_path),
            format!("it is called .{extension} but holds an {}", model.format.name().to_uppercase()),
        );
    }
    warnings.append(own_warnings);
    match model.format {
        Format::Md3 | Format::Mdc => add_lods(vfs, game_path, &mut model, &mut warnings),
        Format::Md5 => add_animations(vfs, game_path, &mut model, &mut warnings),
        Format::Md2 | Format::Mdr => {}
    }
    let skins = find_skins(vfs, game_path, &model, &mut warnings);
    Ok(Part {
        name: name_of(game_path).to_owned(),
        game_path: game_path.to_owned(),
        file: None,
        model: Arc::new(model),
        skins,
        warnings: warnings.into_vec(),
    })
}

/// `<stem>_1` and `<stem>_2` beside a model are its coarser levels of detail.
fn add_lods(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    let (stem, extension) = split_extension(game_path);
    for lod in 1..=2_u32 {
        let Some(path) = vfs.find(&format!("{stem}_{lod}.{extension}")) else { continue };
        let Ok(bytes) = vfs.read(&path) else { continue };
        match formats::load(&bytes) {
            Ok((coarser, _)) if coarser.format == model.format => {
                let (own, other) = (model.frames.len(), coarser.frames.len());
                if own != other {
                    warnings.add(name_of(&path), format!("this level of detail has {other} frames, the model {own}"));
                }
                let level = model.lod_count();
                model.add_lod(coarser, level);
            }
            Ok(_) => warnings.add(name_of(&path), "this level of detail has another format; left out"),
            Err(error) => warnings.add(name_of(&path), format!("this level of detail was not read: {error}")),
        }
    }
}

/// Every `.md5anim` beside a mesh or below it that has a joint in common with it.
fn add_animations(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    let mut paths = animations_below(vfs, folder_of(game_path), ANIMATION_DEPTH);
    if paths.len() > MOST_ANIMATIONS {
        warnings
            .add("animations", format!("{} lie beside the mesh; the first {MOST_ANIMATIONS} are read", paths.len()));
        paths.truncate(MOST_ANIMATIONS);
    }
    for path in paths {
        let name = split_extension(name_of(&path)).0.to_owned();
        let Ok(bytes) = vfs.read(&path) else {
            warnings.add(name_of(&path), "the animation could not be read");
            continue;
        };
        let mut own = Warnings::default();
        let added =
            formats::md5::load_animation(&bytes, &name, model, &mut own).and_then(|(clip, channels, frames)| {
                // Another model's animation shares no joint; it is none of ours and no fault.
                let fits = channels.joint_of_mesh.iter().any(Option::is_some);
                if fits { model.add_track(clip, channels, frames).map(|()| true) } else { Ok(false) }
            });
        match added {
            Ok(true) => warnings.append(
                own.into_vec()
                    .into_iter()
                    .map(|warning| Warning { about: name_of(&path).to_owned(), message: warning.to_string() })
                    .collect(),
            ),
            Ok(false) => {}
            Err(error) => warnings.add(name_of(&path), format!("the animation was not read: {error}")),
        }
    }
}

/// Paths of the `.md5anim` files in a folder, then in the folders below it; sorted.
fn animations_below(vfs: &Vfs, folder: &str, depth: usize) -> Vec<String> {
    let join = |name: &String| if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
    let is_animation = |name: &String| split_extension(name).1.eq_ignore_ascii_case("md5anim");
    let mut paths: Vec<String> = vfs.files_in(folder).iter().filter(|name| is_animation(name)).map(join).collect();
    if depth > 0 {
        for below in vfs.folders_in(folder).iter().map(join) {
            if paths.len() > MOST_ANIMATIONS {
                break;
            }
            paths.extend(animations_below(vfs, &below, depth - 1));
        }
    }
    paths
}

/// The choices of pictures: for an MD2 one per skin, else the names in the file alone.
fn find_skins(vfs: &Vfs, game_path: &str, model: &Model, warnings: &mut Warnings) -> Vec<Skin> {
    let mut finder = Finder::new(vfs, game_path);
    let looks: Arc<[_]> = finder.looks(model, warnings).into();
    let paths = finder.skins(model);
    let chosen = looks.first().map_or("", |look| &look.path).to_owned();
    if paths.is_empty() {
        return vec![Skin { name: "default".to_owned(), looks }];
    }
    let mut skins: Vec<Skin> = paths
        .iter()
        .filter(|path| **path != chosen)
        .filter_map(|path| {
            let picture = finder.picture(path, warnings)?;
            let wear = |look: &crate::material::SurfaceLook| crate::material::SurfaceLook {
                picture: Some(Arc::clone(&picture)),
                path: path.clone(),
                ..look.clone()
            };
            Some(Skin { name: name_of(path).to_owned(), looks: looks.iter().map(wear).collect() })
        })
        .collect();
    let name = if chosen.is_empty() { "default" } else { name_of(&chosen) };
    skins.insert(0, Skin { name: name.to_owned(), looks });
    skins
}

/// Whether the content or, for a file that cannot be read, the name of `path` is a model's.
#[must_use]
pub fn is_model_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| formats::is_model_extension(&extension.to_string_lossy()))
}

/// The model files below `path` (itself, if it is a file), sorted by path; folders that cannot be read are skipped.
/// Links to folders are not followed, so there are no rounds.
#[must_use]
pub fn models_below(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            if folder == path {
                found.push(folder);
            }
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(_) if is_model_file(&path) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}
