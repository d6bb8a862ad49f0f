//! From one path to a model and everything that belongs to it: levels of detail and animations beside it, its pictures.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Part, Skin};
use crate::error::{LoadError, Reason, Warning, Warnings};
use crate::formats;
use crate::material::{Depth, Finder, SurfaceLook};
use crate::model::{Format, Model};
use crate::vfs::{self, ReadError, Vfs, folder_of, name_of, split_extension};

/// Folders searched below an MD5 mesh for its animations.
const ANIMATION_DEPTH: usize = 3;
/// Models listed below one folder.
const MOST_MODELS: usize = 200_000;
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
    Load(Box<LoadError>),
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
    open_with(path, Depth::Decoded)
}

/// Opens a model file for its numbers: pictures are looked for, so that missing ones are told, but not decoded.
pub fn open_without_pictures(path: &Path) -> Result<Part, OpenError> {
    open_with(path, Depth::Found)
}

fn open_with(path: &Path, depth: Depth) -> Result<Part, OpenError> {
    let fail = |cause| OpenError { path: path.to_path_buf(), cause };
    let bytes = vfs::read_file(path).map_err(|error| fail(OpenCause::Read(error)))?;
    let (vfs, game_path) = Vfs::around(path).map_err(|error| fail(OpenCause::Read(ReadError::Io(error))))?;
    let mut part = open_in(&vfs, &game_path, &bytes, depth).map_err(|error| fail(OpenCause::Load(Box::new(error))))?;
    part.file = Some(path.to_path_buf());
    Ok(part)
}

/// Opens the bytes of the model at `game_path` with everything beside it in `vfs`.
pub fn open_in(vfs: &Vfs, game_path: &str, bytes: &[u8], depth: Depth) -> Result<Part, LoadError> {
    let (mut model, own_warnings) = formats::load(bytes)?;
    let mut warnings = Warnings::default();
    let (_, extension) = split_extension(game_path);
    let usual = formats::FORMATS.iter().find(|entry| entry.format == model.format).map_or("", |entry| entry.extension);
    if !extension.eq_ignore_ascii_case(usual) {
        let called =
            if extension.is_empty() { "has no extension".to_owned() } else { format!("is called .{extension}") };
        warnings.add(name_of(game_path), format!("it {called} but holds an {}", model.format.name().to_uppercase()));
    }
    warnings.append(own_warnings);
    match model.format {
        Format::Md3 | Format::Mdc => add_lods(vfs, game_path, &mut model, &mut warnings),
        Format::Md5 => add_animations(vfs, game_path, &mut model, &mut warnings),
        Format::Md2 | Format::Mdr => {}
    }
    let skins = find_skins(vfs, game_path, &model, depth, &mut warnings);
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
        let about = |warning: &Warning| Warning { about: name_of(&path).to_owned(), message: warning.to_string() };
        let bytes = match vfs.read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                warnings.add(name_of(&path), format!("this level of detail was not read: {error}"));
                continue;
            }
        };
        match formats::load(&bytes) {
            Ok((coarser, own)) if coarser.format == model.format => {
                warnings.append(own.iter().map(about).collect());
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
    let mut foreign = 0;
    for path in paths {
        let name = split_extension(name_of(&path)).0.to_owned();
        let Ok(bytes) = vfs.read(&path) else {
            warnings.add(name_of(&path), "the animation could not be read");
            continue;
        };
        let mut own = Warnings::default();
        let added = formats::md5::load_animation(&bytes, &name, model, &mut own)
            .and_then(|(clip, channels, frames)| model.add_track(clip, channels, frames));
        let about = |warning: Warning| Warning { about: name_of(&path).to_owned(), message: warning.to_string() };
        match added {
            Ok(()) => warnings.append(own.into_vec().into_iter().map(about).collect()),
            Err(error) if error.reason == Reason::OtherModel => foreign += 1,
            Err(error) => warnings.add(name_of(&path), format!("the animation was not read: {error}")),
        }
    }
    if foreign > 0 {
        let are = if foreign == 1 {
            "1 animation beside it belongs"
        } else {
            &format!("{foreign} animations beside it belong")
        };
        warnings.add("animations", format!("{are} to other models"));
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

/// The choices of pictures: one per skin of an MD2, one per `.skin` file beside an MD3, MDC or MDR, else the names in the
/// file alone.
fn find_skins(vfs: &Vfs, game_path: &str, model: &Model, depth: Depth, warnings: &mut Warnings) -> Vec<Skin> {
    let mut finder = Finder::new(vfs, game_path, depth);
    let mut by_names = Warnings::default();
    let looks: Arc<[SurfaceLook]> = finder.looks(model, &mut by_names).into();
    if model.format == Format::Md2 {
        warnings.append(by_names.into_vec());
        return md2_skins(&mut finder, model, &looks, warnings);
    }
    let files = finder.skin_files(model, &looks, warnings);
    let mut skins: Vec<Skin> = files.into_iter().map(|(name, looks)| Skin { name, looks: looks.into() }).collect();
    if let Some(first) = skins.first() {
        Finder::tell_missing(model, &first.looks, warnings);
        if looks.iter().any(|look| look.picture.is_some()) {
            skins.push(Skin { name: "names in the file".to_owned(), looks });
        }
    } else {
        warnings.append(by_names.into_vec());
        skins.push(Skin { name: "default".to_owned(), looks });
    }
    skins
}

fn md2_skins(finder: &mut Finder, model: &Model, looks: &Arc<[SurfaceLook]>, warnings: &mut Warnings) -> Vec<Skin> {
    let chosen = looks.first().map_or("", |look| &look.path).to_owned();
    let name = if chosen.is_empty() { "default" } else { name_of(&chosen) };
    let first = Skin { name: name.to_owned(), looks: Arc::clone(looks) };
    let others =
        finder.skins(model, warnings).into_iter().filter(|(path, _)| *path != chosen).map(|(path, picture)| {
            let wear = |look: &SurfaceLook| SurfaceLook {
                picture: Some(Arc::clone(&picture)),
                path: path.clone(),
                ..look.clone()
            };
            Skin { name: name_of(&path).to_owned(), looks: looks.iter().map(wear).collect() }
        });
    std::iter::once(first).chain(others).collect()
}

/// Whether `path` is called like a model; what it holds is seen when it is opened.
#[must_use]
pub fn is_model_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| formats::is_model_extension(&extension.to_string_lossy()))
}

/// The model files below `path` (itself, if it is a file), sorted by path; folders that cannot be read are skipped.
/// Links to folders are not followed, so there are no rounds.
#[must_use]
pub fn models_below(path: &Path) -> Vec<PathBuf> {
    models_below_until(path, &|| false)
}

/// [`models_below`], given up when `stop` says so; what was found until then is returned.
#[must_use]
pub fn models_below_until(path: &Path, stop: &dyn Fn() -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        if stop() || found.len() >= MOST_MODELS {
            break;
        }
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
