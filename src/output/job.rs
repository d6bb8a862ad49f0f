//! Export job of the window. It has a copy of the scene for its own thread.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use image::RgbaImage;

use super::atomic_file::{self, is_taken};
use super::offscreen::OffscreenRenderer;
use super::{
    ContactSheetOptions, ExportedMotion, FilmFile, OutputError, Progress, contact_sheet, export_scene, film, save_png,
};
use maquette_assets::material::{Image, ImageLoading, SurfaceRename};
use maquette_assets::open::{ClipListToSave, ModelAsset, Opener, finest_level, is_same_path, renamed_skins};
use maquette_assets::vfs::{ReadLimit, split_extension};
use maquette_core::edit::Call;
use maquette_core::error::counted;
use maquette_core::model::u32_or_max;
use maquette_scene::scene::{Playback, Scene};
use maquette_scene::session::{FilmKind, ImageExtras, ModelOptions, OutputKind, Session};

/// Image, animation, contact sheet, texture or model to export, and its path.
pub struct OutputJob {
    /// Display name, for example `Animation`.
    pub name: &'static str,
    /// Unit of the progress count.
    pub unit: &'static str,
    pub(super) session: Session,
    pub(super) what: ExportKind,
    path: PathBuf,
}

pub(super) enum ExportKind {
    Image {
        size: (u32, u32),
        scale: f32,
        names: bool,
    },
    Film(Box<FilmFile>),
    Contact(ContactSheetOptions),
    Texture(Arc<Image>),
    Model(ModelOptions),
    Models {
        models: Vec<PathBuf>,
        edit: Option<Call>,
        options: ModelOptions,
        roots: Vec<PathBuf>,
    },
    Copy(PathBuf),
    File {
        bytes: Arc<Vec<u8>>,
        renames: Vec<SurfaceRename>,
        added: Vec<PathBuf>,
        clip_list: Option<ClipListToSave>,
    },
    ClipList {
        text: Vec<u8>,
        losses: Vec<String>,
    },
    /// Changed list of clips of the model at this path.
    OwnClipList(PathBuf, ClipListToSave),
    /// Edit of a file that must still have the bytes `before`.
    Edit {
        before: Arc<Vec<u8>>,
        bytes: Arc<Vec<u8>>,
    },
}

impl OutputJob {
    /// Creates a job for `product` that exports the current state of the session.
    pub fn new(session: &Session, product: OutputKind, path: &Path) -> Result<Self, OutputError> {
        let saving = &session.jobs.saving;
        let aspect = |(width, height): (u32, u32)| width as f32 / height as f32;
        Ok(match product {
            OutputKind::Image => {
                let size = saving.pixels(saving.image.size);
                let extras = saving.image.extras;
                let copy = session.copy_for_image(&extras, aspect(size));
                let what = ExportKind::Image { size, scale: saving.scale_for(size.1), names: extras.names };
                Self { name: "Image", unit: "", session: copy, what, path: ending_in(path, "png") }
            }
            OutputKind::Film => {
                let options = &saving.film;
                let size = saving.pixels(options.size);
                let plan = session.document.plan_film(options).map_err(OutputError::Unfit)?;
                let copy = session.copy_for_image(&options.extras, aspect(size));
                let path = ending_in(path, options.kind.extension());
                let film = FilmFile {
                    film: plan,
                    kind: options.kind,
                    path: path.clone(),
                    size,
                    scale: saving.scale_for(size.1),
                    names: options.extras.names,
                    repeats: options.repeats,
                };
                Self { name: "Animation", unit: "frame", session: copy, what: ExportKind::Film(Box::new(film)), path }
            }
            OutputKind::Texture => {
                let (_, texture) = saving.texture.clone().ok_or(OutputError::NoTexture)?;
                let (session, what) = (Session::default(), ExportKind::Texture(texture));
                Self { name: "Texture", unit: "", session, what, path: ending_in(path, "png") }
            }
            OutputKind::Model => {
                let options = saving.model.for_path(path);
                let extras = ImageExtras { overlays: false, grid: false, ..saving.image.extras };
                let copy = session.copy_for_image(&extras, 1.0);
                let path = ending_in(path, options.exporter().extension);
                Self { name: "Model", unit: "", session: copy, what: ExportKind::Model(options), path }
            }
            OutputKind::Models => {
                let (models, roots) = (saving.batch.clone(), session.search_folders.clone());
                let edit = saving.batch_edit.clone();
                let what = ExportKind::Models { models, edit, options: saving.batch_options, roots };
                let session = Session::default();
                Self { name: "Models", unit: "model", session, what, path: path.to_path_buf() }
            }
            OutputKind::File => Self::own_file(session, path)?,
            OutputKind::SkinFile => {
                let [before, bytes] = saving.skin_bytes().ok_or(OutputError::NoFile)?.map(Arc::clone);
                let what = ExportKind::Edit { before, bytes };
                Self { name: "Skin file", unit: "", session: Session::default(), what, path: path.to_path_buf() }
            }
            OutputKind::ClipList => Self::clip_list(session, path)?,
            OutputKind::ContactSheet => {
                let options = &saving.contact;
                let copy = session.copy_for_image(&options.extras, 1.0);
                let what = ExportKind::Contact(ContactSheetOptions::from_options(options));
                Self { name: "Contact sheet", unit: "tile", session: copy, what, path: ending_in(path, "png") }
            }
        })
    }

    /// Creates a job that saves the focused part in its own format, or copies its file.
    fn own_file(session: &Session, path: &Path) -> Result<Self, OutputError> {
        let part = session.document.part_to_copy().ok_or(OutputError::NoFile)?;
        let bytes = part.asset.edited.as_ref().map(|edited| Arc::clone(edited.model.bytes()));
        let (_, extension) = split_extension(&part.asset.name);
        let path = if extension.is_empty() { path.to_path_buf() } else { ending_in(path, extension) };
        let is_own = is_same_path(part.asset.file.as_deref(), &path);
        let renames = part.asset.skin_renames().into_iter().map(|(_, rename)| rename);
        let renames = renames.filter(|_| is_own).collect();
        let clip_list = part.asset.clip_list_to_save(&path);
        let what = match (bytes, part.asset.file.clone()) {
            (Some(bytes), _) => ExportKind::File { bytes, renames, added: part.asset.added.clone(), clip_list },
            (None, file) => ExportKind::Copy(file.ok_or(OutputError::NoFile)?),
        };
        Ok(Self { name: "Model", unit: "", session: Session::default(), what, path })
    }

    /// Creates a job that writes the list of clips of the chosen part.
    fn clip_list(session: &Session, path: &Path) -> Result<Self, OutputError> {
        let clip_list_of = session.jobs.saving.clip_list_of;
        let part = session.document.part_with_list(clip_list_of).map(|part| &part.asset);
        let is_own = |part: &&ModelAsset| is_same_path(part.clip_list_file().as_deref(), path);
        let own = part.filter(is_own).and_then(|part| part.file.clone().zip(part.clip_list_to_save(path)));
        let what = if let Some((model, list)) = own {
            ExportKind::OwnClipList(model, list)
        } else {
            let list = session.document.clip_list(clip_list_of, path);
            let (text, losses) = list.map_err(|why| OutputError::Unfit(why.to_owned()))?;
            ExportKind::ClipList { text, losses }
        };
        Ok(Self { name: "Clip list", unit: "", session: Session::default(), what, path: path.to_path_buf() })
    }

    /// Returns the path of the output.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file to write. For PNG frames, returns the first one.
    pub fn first_file(&self) -> PathBuf {
        match &self.what {
            ExportKind::Film(options) if options.kind == FilmKind::Frames => {
                super::FrameNames::from_path(&self.path).path(0)
            }
            _ => self.path.clone(),
        }
    }

    /// Returns the existing file that the job would overwrite, if any.
    pub fn existing_file(&self) -> Option<PathBuf> {
        // Exports to a folder use unused names.
        let is_folder = matches!(self.what, ExportKind::Models { .. });
        Some(self.first_file()).filter(|file| !is_folder && is_taken(file))
    }

    /// Runs the job. Returns a message about the result for the user.
    pub fn make(mut self, progress: &mut Progress<'_>) -> Result<String, OutputError> {
        let path = self.path.display();
        match &self.what {
            ExportKind::Texture(texture) => {
                let image = RgbaImage::from_raw(texture.width, texture.height, texture.rgba.clone());
                save_png(&image.ok_or(OutputError::NoTexture)?, &self.path)?;
                Ok(format!("Saved {path}, {} × {}", texture.width, texture.height))
            }
            ExportKind::Copy(file) => {
                // The file may be in an archive.
                let files = Opener::new(Vec::new(), ImageLoading::LocateOnly);
                let bytes = files.files().read(file, ReadLimit::Whole).map_err(io::Error::other)?;
                atomic_file::write_durably(&self.path, &bytes)?;
                Ok(format!("Saved a copy as {path}"))
            }
            ExportKind::File { bytes, renames, added, clip_list } => {
                let skins = if renames.is_empty() { Vec::new() } else { renamed_skins(&self.path, added, renames)? };
                Ok(save_model(&self.path, bytes, &skins, clip_list.as_ref())?)
            }
            ExportKind::OwnClipList(model, list) => {
                save_clip_list(list)?;
                let verb = if list.bytes.is_empty() { "Removed" } else { "Saved" };
                Ok(format!("{verb} {path}{}", other_user(model, list)))
            }
            ExportKind::ClipList { text, losses } => {
                atomic_file::write_durably(&self.path, text)?;
                Ok(format!("Saved {path}{}", summary(losses)))
            }
            ExportKind::Edit { before, bytes } => {
                atomic_file::replace_unchanged(&self.path, before, bytes)?;
                Ok(format!("Saved {path}"))
            }
            ExportKind::Models { models, edit, options, roots } => {
                let opener = Opener::new(roots.clone(), ImageLoading::Decode);
                export_models(&opener, models, edit.as_ref(), options, &self.path, progress)
            }
            ExportKind::Model(options) => export_model(&mut self.session, options, &self.path),
            ExportKind::Image { size, scale, names } => {
                let shown = self.session.document_view();
                let image = OffscreenRenderer::open()?.draw_samples(shown, *size, *scale, *names, progress)?;
                save_png(&image, &self.path)?;
                Ok(format!("Saved {path}, {} × {}", size.0, size.1))
            }
            ExportKind::Film(options) => {
                film(&mut OffscreenRenderer::open()?, &mut self.session, options, progress)?;
                let (frames, seconds) = (options.film.frames, options.film.seconds());
                Ok(format!("Exported {path}, {}, {seconds:.2} s", counted(frames, "frame", "frames")))
            }
            ExportKind::Contact(options) => {
                let mut renderer = OffscreenRenderer::open()?;
                let (image, count, shown) = contact_sheet(&mut renderer, &mut self.session, options, progress)?;
                save_png(&image, &self.path)?;
                let all = counted(count, "clip", "clips");
                let clips = if shown < count { format!("the first {shown} of {all}") } else { all };
                Ok(format!("Exported {path}, {clips}, {} × {}", image.width(), image.height()))
            }
        }
    }
}

/// Writes a model together with the `.skin` files and the list of clips that change with it.
fn save_model(
    path: &Path,
    bytes: &[u8],
    skins: &[(PathBuf, Vec<u8>)],
    clip_list: Option<&ClipListToSave>,
) -> io::Result<String> {
    let mut files = vec![(path, bytes)];
    let mut names = vec![path.display().to_string()];
    files.extend(skins.iter().map(|(skin, bytes)| (skin.as_path(), bytes.as_slice())));
    names.extend((!skins.is_empty()).then(|| counted(skins.len(), ".skin file", ".skin files")));
    if let Some(ClipListToSave { path, before, bytes }) = clip_list {
        let name = path.file_name().unwrap_or_default().display().to_string();
        let now = if is_taken(path) { std::fs::read(path)? } else { Vec::new() };
        if !now.is_empty() && now != **bytes && before.as_ref().is_none_or(|before| now != **before) {
            return Err(io::Error::other(match before {
                Some(_) => format!("{name} changed on disk; save it with Save clip list… first"),
                None => format!("another {name} is in this folder; choose another folder, or move that file first"),
            }));
        }
        files.extend((!bytes.is_empty()).then_some((path.as_path(), bytes.as_slice())));
        names.push(name);
    }
    if let [only] = files[..] {
        atomic_file::write_durably(only.0, only.1)?;
    } else {
        atomic_file::write_together(files).map_err(|(_, error)| error)?;
    }
    if let Some(list) = clip_list.filter(|list| list.bytes.is_empty()) {
        save_clip_list(list)?;
    }
    let other = clip_list.map(|list| other_user(path, list)).unwrap_or_default();
    Ok(format!("Saved {}{other}", names.join(" and ")))
}

/// Writes a list of clips, or removes it if there was none before the edits.
fn save_clip_list(list: &ClipListToSave) -> io::Result<()> {
    match &list.before {
        _ if list.bytes.is_empty() => atomic_file::remove_unchanged(&list.path, list.before.as_deref()),
        Some(before) => atomic_file::replace_unchanged(&list.path, before, &list.bytes),
        // The user was asked about an existing file.
        None => atomic_file::write_durably(&list.path, &list.bytes),
    }
}

/// Returns the end of a message that names another model with the clips of a saved list, if any.
fn other_user(model: &Path, list: &ClipListToSave) -> String {
    let other = Opener::new(Vec::new(), ImageLoading::LocateOnly).other_with_list(model);
    let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
    other.map(|other| format!("; {} also uses {}", name(&other), name(&list.path))).unwrap_or_default()
}

/// Exports models to a folder, or edits them if `edit` is given. Returns a summary with the first failure and loss.
fn export_models(
    opener: &Opener,
    models: &[PathBuf],
    edit: Option<&Call>,
    options: &ModelOptions,
    folder: &Path,
    progress: &mut Progress<'_>,
) -> Result<String, OutputError> {
    let count = u32_or_max(models.len());
    let (mut failures, mut losses, mut done) = (Vec::new(), Vec::new(), models.len());
    let extension = |model: &Path| match edit {
        Some(_) => model.extension().unwrap_or_default().to_string_lossy().into_owned(),
        None => options.exporter().extension.to_owned(),
    };
    let paths = free_paths(folder, models, extension);
    for ((index, model), path) in (0..).zip(models).zip(&paths) {
        if !progress(index, count) {
            done = index as usize;
            break;
        }
        let made = match edit {
            Some(edit) => edit_into(opener, model, edit, path),
            None => export_into(opener, model, options, path),
        };
        let name = || model.file_name().unwrap_or_default().to_string_lossy();
        match made {
            Ok(lost) => losses.extend(lost.into_iter().map(|loss| format!("{}: {loss}", name()))),
            Err(why) => failures.push(format!("{}: {why}", name())),
        }
    }
    let exported = done - failures.len();
    if done < models.len() {
        if exported == 0 {
            return Err(OutputError::Cancelled);
        }
        failures.insert(0, "cancelled".to_owned());
    }
    let verb = if edit.is_some() { "Wrote" } else { "Exported" };
    let lost = match losses.as_slice() {
        [] => String::new(),
        [only] => format!("; {only}"),
        [first, others @ ..] => format!("; {first}; {} more", counted(others.len(), "loss", "losses")),
    };
    match failures.as_slice() {
        [] => Ok(format!("{verb} {} to {}{lost}", counted_with_lods(models), folder.display())),
        [first, ..] if exported == 0 => Err(OutputError::File(io::Error::other(first.clone()))),
        [first, ..] => {
            Ok(format!("{verb} {exported} of {} models to {}; {first}{lost}", models.len(), folder.display()))
        }
    }
}

/// Counts models, and the coarser LODs among them separately.
fn counted_with_lods(models: &[PathBuf]) -> String {
    let listed: HashSet<&Path> = models.iter().map(PathBuf::as_path).collect();
    let is_level = |model: &&PathBuf| finest_level(model).is_some_and(|finest| listed.contains(finest.as_path()));
    let levels = models.iter().filter(is_level).count();
    let finest = counted(models.len() - levels, "model", "models");
    if levels == 0 { finest } else { format!("{finest} and {}", counted(levels, "LOD", "LODs")) }
}

/// Returns unused paths in a folder for models, because models in different folders may have the same name. LODs keep
/// the name of their model, and no other name looks like that of a LOD.
fn free_paths(folder: &Path, models: &[PathBuf], extension_of: impl Fn(&Path) -> String) -> Vec<PathBuf> {
    let stem = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let listed: HashSet<&Path> = models.iter().map(PathBuf::as_path).collect();
    let finer = |file: &PathBuf| finest_level(file).filter(|finer| listed.contains(finer.as_path()));
    let mut with_lods: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (index, model) in models.iter().enumerate() {
        let finest = std::iter::successors(Some(model.clone()), finer).last();
        with_lods.entry(finest.unwrap_or_default()).or_default().push(index);
    }
    let mut taken = HashSet::new();
    let mut paths = vec![PathBuf::new(); models.len()];
    for (finest, lods) in with_lods {
        let own = stem(&finest);
        let names = (1..).map(|number: u32| if number == 1 { own.clone() } else { format!("{own}-{number}") });
        let copies = names.map(|name| {
            let copy = |model: &PathBuf| {
                let lod = stem(model).strip_prefix(&own).unwrap_or_default().to_owned();
                folder.join(format!("{name}{lod}.{}", extension_of(model)))
            };
            lods.iter().filter_map(|index| models.get(*index)).map(copy).collect::<Vec<_>>()
        });
        let is_free = |copies: &Vec<PathBuf>| copies.iter().all(|path| !is_taken(path) && !taken.contains(path));
        for (index, path) in lods.iter().zip(copies.into_iter().find(is_free).unwrap_or_default()) {
            taken.insert(path.clone());
            paths.get_mut(*index).into_iter().for_each(|own| own.clone_from(&path));
        }
    }
    paths
}

fn edit_into(opener: &Opener, model: &Path, edit: &Call, path: &Path) -> Result<Vec<String>, String> {
    let (bytes, notes) = opener.edit_file(model, edit)?;
    atomic_file::write_durably(path, &bytes).map_err(|error| error.to_string())?;
    Ok(notes)
}

fn export_into(opener: &Opener, model: &Path, options: &ModelOptions, path: &Path) -> Result<Vec<String>, String> {
    let asset = opener.model(model).map_err(|error| error.reason())?;
    let mut scene = Scene::from_assembly(asset.into(), &Playback::default(), &Scene::default());
    scene.refresh();
    let (exporter, motion) = (options.exporter(), ExportedMotion::from(options.motion));
    let exported = export_scene(&scene, exporter, &motion, &options.options, path, &|_| false);
    exported.map(|(losses, _)| losses).map_err(|error| error.to_string())
}

fn export_model(session: &mut Session, options: &ModelOptions, path: &Path) -> Result<String, OutputError> {
    session.document.scene.refresh();
    let scene = &session.document.scene;
    let motion = ExportedMotion::from(options.motion);
    let (losses, others) = export_scene(scene, options.exporter(), &motion, &options.options, path, &|_| false)?;
    let others =
        if others == 0 { String::new() } else { format!(" and {}", counted(others, "more file", "more files")) };
    Ok(format!("Exported {}{others}{}", path.display(), summary(&losses)))
}

fn summary(losses: &[String]) -> String {
    match losses {
        [] => String::new(),
        [only] => format!(" ({only})"),
        [first, others @ ..] => format!(" ({first}; {} more)", counted(others.len(), "loss", "losses")),
    }
}

fn ending_in(path: &Path, extension: &str) -> PathBuf {
    let mut path = path.to_path_buf();
    if !path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension)) {
        path.as_mut_os_string().push(format!(".{extension}"));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_get_free_names_that_keep_lods_together() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("gun_1.md3"), "").unwrap();
        let models = ["a/gun.md3", "a/gun_1.md3", "b/gun.md3", "b/box_1.md3", "a/gun_1_1.md3"].map(PathBuf::from);
        let paths = free_paths(folder.path(), &models, |_| "md3".to_owned());
        // A file that exists has the name of the LOD, so both get another one.
        let names = ["gun-2.md3", "gun-2_1.md3", "gun.md3", "box_1.md3", "gun-2_1_1.md3"];
        assert_eq!(paths, names.map(|name| folder.path().join(name)));
    }
}
