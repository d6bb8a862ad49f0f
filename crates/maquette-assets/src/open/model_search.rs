//! Search for model files in folders and archives.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::sort_models;
use crate::engines::{DECLARATIONS, ENGINES, level_files};
use crate::limits::{MAX_LISTED_NAMES, MAX_MODEL_FILES};
use crate::vfs::{
    Archive, FileLocation, FileSystem, ReadError, ReadLimit, folder_of, is_archive_name, name_of, split_extension,
};
use maquette_core::error::counted;
use maquette_core::formats;
use maquette_core::model::{Format, Model};

/// Returns whether `path` has the extension of a model. Content is not checked.
pub fn is_model_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| formats::is_model_extension(&extension.to_string_lossy()))
}

/// Returns the only format with the extension of a model. `None` if there are several: their content determines which
/// it is.
pub fn format_by_name(path: &Path) -> Option<Format> {
    let mut formats = formats_by_name(path);
    formats.next().filter(|_| formats.next().is_none())
}

pub(super) fn formats_by_name(path: &Path) -> impl Iterator<Item = Format> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    Format::with_extension(extension)
}

fn is_model_name(name: &str) -> bool {
    formats::is_model_extension(split_extension(name).1)
}

/// Returns whether a file with the extension of a model holds only animations of models.
pub fn is_animation_of_models(files: &FileSystem, path: &Path) -> bool {
    let is_shared = path.extension().is_some_and(|name| formats::is_shared_extension(&name.to_string_lossy()));
    is_shared
        && files.read(path, ReadLimit::Start(formats::ANIMATION_HEAD)).is_ok_and(|start| formats::is_animation(&start))
}

fn is_archive_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| is_archive_name(&name.to_string_lossy()))
}

/// Result of a search for models.
#[derive(Debug, Default)]
pub struct ScanResult {
    /// Models, in the order of [`sort_models`].
    pub models: Vec<PathBuf>,
    /// Folders and archives that could not be read, with errors.
    pub failed: Vec<(PathBuf, ReadError)>,
    /// Warnings about archives.
    pub warnings: Vec<(PathBuf, String)>,
    /// Files of unsupported model formats.
    pub left_out: Vec<PathBuf>,
    /// Roots of games with files that declare models.
    pub declaring: Vec<PathBuf>,
}

impl ScanResult {
    /// Adds the result of another search.
    pub fn extend(&mut self, other: Self) {
        self.models.extend(other.models);
        self.failed.extend(other.failed);
        self.warnings.extend(other.warnings);
        self.left_out.extend(other.left_out);
    }

    fn leave_out(&mut self, path: PathBuf) {
        if unread_kind(&path).is_some() && self.left_out.len() < MAX_LISTED_NAMES {
            self.left_out.push(path);
        }
    }
}

/// Returns the description of an unsupported model format by the extension of a file. `None` for other files.
pub fn unread_kind(path: &Path) -> Option<&'static str> {
    formats::unread_kind(&path.extension()?.to_string_lossy())
}

/// Counts files of unsupported model formats: `3 files of 2 formats are not supported: 1 DPM, 2 ZYM`.
pub fn count_unread(files: &[PathBuf]) -> String {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for extension in files.iter().filter_map(|path| path.extension()) {
        *kinds.entry(extension.to_string_lossy().to_uppercase()).or_default() += 1;
    }
    let listed: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let (files, formats) = (counted(files.len(), "file", "files"), counted(kinds.len(), "format", "formats"));
    let are = if files.starts_with("1 ") { "is" } else { "are" };
    format!("{files} of {formats} {are} not supported: {}", listed.join(", "))
}

/// Returns the model files below `path`, also in archives, with errors and warnings. Links to folders, which may form a
/// cycle, and unreadable folders are skipped. Returns early with the models found so far when `stop` returns true.
pub fn scan(files: &FileSystem, path: &Path, stop: &dyn Fn() -> bool) -> ScanResult {
    let mut found = ScanResult::default();
    match files.locate(path) {
        Ok(FileLocation::Folder(folder)) => below_folder(&folder, stop, &mut found),
        Ok(FileLocation::Archive(archive)) => in_archive(files.archive(&archive), path, "", &mut found),
        Ok(FileLocation::FolderInArchive { archive, path }) => {
            in_archive(files.archive(&archive), &archive, &path, &mut found);
        }
        Ok(FileLocation::File(_) | FileLocation::FileInArchive { .. }) | Err(_) => {
            found.models.push(path.to_path_buf());
            return found;
        }
    }
    found.models.retain(|model| !is_animation_of_models(files, model));
    sort_models(&mut found.models);
    sort_models(&mut found.left_out);
    found
}

/// Like [`scan`], and lists the models that games declare, as `FILE/NAME`.
pub fn scan_with_declared(files: &FileSystem, path: &Path, stop: &dyn Fn() -> bool) -> ScanResult {
    let mut found = scan(files, path, stop);
    for root in std::mem::take(&mut found.declaring).into_iter().take(MAX_MODEL_FILES) {
        if stop() {
            break;
        }
        let Ok((vfs, _)) = files.for_file(&root) else { continue };
        for declared in ENGINES.iter().flat_map(|engine| (engine.declared_models)(&vfs)) {
            let file = vfs.location_of(folder_of(&declared)).filter(|_| found.models.len() < MAX_LISTED_NAMES);
            found.models.extend(file.filter(|file| file.starts_with(&root)).map(|file| file.join(name_of(&declared))));
        }
    }
    sort_models(&mut found.models);
    found
}

fn below_folder(path: &Path, stop: &dyn Fn() -> bool, found: &mut ScanResult) {
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                found.failed.push((folder, error.into()));
                continue;
            }
        };
        for entry in entries.flatten() {
            if stop() || found.models.len() >= MAX_LISTED_NAMES {
                return;
            }
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    if entry.file_name().eq_ignore_ascii_case(DECLARATIONS) {
                        found.declaring.push(folder.clone());
                    }
                    folders.push(path);
                }
                Ok(_) if is_model_file(&path) => found.models.push(path),
                // Archives are not kept open: there may be thousands, of which only one is needed later.
                Ok(_) if is_archive_file(&path) => in_archive(Archive::open(&path), &path, "", found),
                Ok(_) => found.leave_out(path),
                Err(_) => {}
            }
        }
    }
}

fn in_archive(archive: Result<impl Borrow<Archive>, ReadError>, path: &Path, below: &str, found: &mut ScanResult) {
    let archive = match archive {
        Ok(archive) => archive,
        Err(error) => {
            found.failed.push((path.to_path_buf(), error));
            return;
        }
    };
    let archive: &Archive = archive.borrow();
    let prefix = if below.is_empty() { String::new() } else { format!("{}/", below.trim_matches('/')) };
    let is_below = |name: &&str| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(&prefix));
    let models = archive.files().filter(is_below).filter(|name| is_model_name(name)).take(MAX_LISTED_NAMES);
    found.models.extend(models.map(|name| path.join(name)));
    if !archive.files_in(DECLARATIONS).is_empty() && below.is_empty() {
        found.declaring.push(path.to_path_buf());
    }
    archive.files().filter(is_below).for_each(|name| found.leave_out(path.join(name)));
    found.warnings.extend(archive.warnings().into_iter().map(|warning| (path.to_path_buf(), warning)));
}

/// Model files, divided by whether a list shows them.
#[derive(Debug, Default)]
pub struct ModelFiles {
    /// Models without their coarser LODs.
    pub models: Vec<PathBuf>,
    /// Coarser LODs: `lower_1.md3` if there is `lower.md3`, in formats that store LODs in files.
    pub coarser: Vec<PathBuf>,
}

/// Divides files into models and coarser LODs by their names.
pub fn divide_levels(files: Vec<PathBuf>) -> ModelFiles {
    divide_levels_if(files, |_, _| true)
}

/// Like [`divide_levels`], but a file with more triangles than the LOD before it counts as a model.
pub fn divide_coarser_levels(files: &FileSystem, models: Vec<PathBuf>) -> ModelFiles {
    let triangles = |path: &Path| {
        let bytes = files.read(path, ReadLimit::MODEL).ok()?;
        formats::load(&bytes).ok().map(|(model, _)| triangle_count(&model))
    };
    // A broken file counts as the LOD that its name states.
    divide_levels_if(models, |finer, coarser| {
        triangles(finer).zip(triangles(coarser)).is_none_or(|(finer, coarser)| coarser <= finer)
    })
}

fn divide_levels_if(files: Vec<PathBuf>, is_coarser: impl Fn(&Path, &Path) -> bool) -> ModelFiles {
    let known: HashSet<&Path> = files.iter().map(PathBuf::as_path).collect();
    let is_level = |path: &Path| {
        level_chain(path).is_some_and(|chain| {
            chain.windows(2).all(|pair| match pair {
                [finer, coarser] => known.contains(finer.as_path()) && is_coarser(finer, coarser),
                _ => true,
            })
        })
    };
    let levels: HashSet<PathBuf> = files.iter().filter(|path| is_level(path)).cloned().collect();
    let (coarser, models) = files.into_iter().partition(|path| levels.contains(path));
    ModelFiles { models, coarser }
}

/// Returns the LODs from the finest to `path`: `lower.md3`, `lower_1.md3`, `lower_2.md3`.
fn level_chain(path: &Path) -> Option<Vec<PathBuf>> {
    let (stem, level) = level_of(path)?;
    let extension = path.extension()?.to_str()?;
    let coarser = (1..=level).map(|level| path.with_file_name(format!("{stem}_{level}.{extension}")));
    Some(std::iter::once(path.with_file_name(format!("{stem}.{extension}"))).chain(coarser).collect())
}

/// Returns the stem of the finest LOD and the number of this one: `lower` and 1 for `lower_1.md3`. `None` for other
/// names and formats.
fn level_of(path: &Path) -> Option<(&str, u32)> {
    let levels = formats_by_name(path).map(|format| level_files(path, format)).max()?;
    let (stem, level) = path.file_stem()?.to_str()?.rsplit_once('_')?;
    let level = level.parse().ok().filter(|number: &u32| number.to_string() == level)?;
    (1..=levels).contains(&level).then_some((stem, level))
}

/// Returns the number of triangles of the finest LOD.
pub(super) fn triangle_count(model: &Model) -> usize {
    model.surfaces().iter().filter(|surface| surface.lod == 0).map(|surface| surface.triangles.len()).sum()
}

/// Returns the path of the finest LOD for a coarser one: `lower.md3` for `lower_1.md3`. `None` for other names and
/// formats.
pub fn finest_level(path: &Path) -> Option<PathBuf> {
    let (stem, _) = level_of(path)?;
    Some(path.with_file_name(format!("{stem}.{}", path.extension()?.to_str()?)))
}

/// Returns the legs of the only character among `models`; `None` if there is none, or more than one.
pub fn only_legs(models: &[PathBuf]) -> Option<&PathBuf> {
    let is_legs = |path: &&PathBuf| {
        let is_called = |name: Option<&OsStr>, wanted: &str| name.is_some_and(|name| name.eq_ignore_ascii_case(wanted));
        is_called(path.file_stem(), "lower") || is_called(path.file_name(), "body.mds")
    };
    let mut legs = models.iter().filter(is_legs);
    legs.next().filter(|_| legs.next().is_none())
}

/// Returns the sorted model files in the folder of `file`, always including `file`.
pub fn models_in_folder_of(files: &FileSystem, file: &Path) -> Vec<PathBuf> {
    let mut models: Vec<PathBuf> = match files.locate(file) {
        Ok(FileLocation::FileInArchive { archive, path }) => {
            let opened = files.archive(&archive);
            let folder = path.len() - name_of(&path).len();
            let names: Vec<String> =
                opened.map(|archive| archive.files_in(path.get(..folder).unwrap_or_default())).unwrap_or_default();
            let parent = file.parent().unwrap_or(&archive);
            names.iter().filter(|name| is_model_name(name)).map(|name| parent.join(name)).collect()
        }
        _ => {
            let entries = file.parent().and_then(|folder| std::fs::read_dir(folder).ok());
            let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
            paths.filter(|path| is_model_file(path)).collect()
        }
    };
    models.retain(|model| model == file || !is_animation_of_models(files, model));
    if !models.iter().any(|model| model == file) {
        models.push(file.to_path_buf());
    }
    sort_models(&mut models);
    models
}
