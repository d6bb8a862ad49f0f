//! Edits of a model's file in memory. The changed bytes are loaded, so that the viewer shows what would be saved.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::character::put_skin_first;
use super::model_search::formats_by_name;
use super::{OpenCause, OpenError, Opener, finest_level, is_same_path, models_in_folder_of};
use crate::companions::clip_list;
use crate::material::{Image, Matching, ResolveContext, SurfaceRename, quake_pixels, rename_surfaces, skin_name};
use crate::open::{EditedBytes, EditedClipList, EditedFile, ModelAsset, Source};
use crate::vfs::{ReadLimit, Vfs, name_of, split_extension};
use maquette_core::edit::{self, Call, Notes, RENAME_SURFACE, Reach, edited_clip_list};
use maquette_core::error::Warning;
use maquette_core::formats;
use maquette_core::formats::animation_cfg::BodyPart;
use maquette_core::model::{ClipSource, EmbeddedSkin, Model};

/// A model whose file was edited in memory.
#[derive(Debug)]
pub struct EditedPart {
    /// The file before the edit.
    pub before: EditedFile,
    /// The model loaded from the edited file.
    pub asset: ModelAsset,
    /// Whether the whole file was rewritten, instead of changing some bytes.
    pub is_rewritten: bool,
    /// Sentences about the result, lost data and other files of the model.
    pub notes: Notes,
}

impl Opener {
    /// Opens a model again, with its unsaved edits and the skins and animations that the user added.
    pub fn reopen(&self, source: &Source) -> Result<ModelAsset, OpenError> {
        let mut asset = match &source.edited {
            Some(edited) => self.reopen_edited(&source.file, edited)?,
            None if source.salvaged => self.salvaged(&source.file)?,
            None => self.model(&source.file)?,
        };
        let opener = source.edited.as_ref().map_or_else(|| self.clone(), |edited| self.renaming_in_skins(edited));
        if !source.first_skin.is_empty() {
            let (vfs, _) = self.vfs_for(&source.file)?;
            put_skin_first(&vfs, &mut asset, &source.first_skin, &opener.search);
        }
        for added in &source.added {
            let is_skin = added.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("skin"));
            let more = if is_skin { opener.with_skin(&asset, added) } else { self.with_animation(&asset, added) };
            match more {
                Ok(more) => asset = more,
                Err(error) => asset.warnings.push(Warning::companion(error.name(), error.reason())),
            }
        }
        Ok(asset)
    }

    fn renaming_in_skins(&self, edited: &EditedFile) -> Self {
        let search = ResolveContext { skin_names: Arc::clone(edited.skin_names()), ..self.search.clone() };
        Self { search, ..self.clone() }
    }

    /// Applies operations to a model's file in memory. `in_skins` also renames surfaces in `.skin` files. Fails if the
    /// file cannot be read or edited, or has changed since `asset` was loaded.
    pub fn edited(
        &self,
        asset: &ModelAsset,
        source: &Source,
        calls: &[Call],
        in_skins: bool,
    ) -> Result<EditedPart, OpenError> {
        let fail = |cause| OpenError { path: source.file.clone(), cause };
        let refused = |why: String| fail(OpenCause::NotChanged(why));
        let mut before = match &source.edited {
            Some(edited) => edited.clone(),
            None => EditedFile::new(self.bytes_of(&source.file)?, self.clip_list_of(&source.file, &asset.model)?),
        };
        let (model, _) = formats::load(before.model.bytes()).map_err(|error| fail(OpenCause::Load(Box::new(error))))?;
        if !is_begin_of(&model, &asset.model) {
            return Err(refused("the file on disk has changed since it was opened; reload it first".to_owned()));
        }
        let model = with_shown_clips(model, &asset.model).map_err(refused)?;
        for call in calls.iter().filter(|call| in_skins && call.operation == &RENAME_SURFACE) {
            for surface in call.surfaces(&model).map_err(refused)? {
                if let Some(known) = model.surfaces().get(surface) {
                    before.rename_in_skins(surface, &known.name);
                }
            }
        }
        let mut notes = Notes::default();
        for _ in calls.iter().filter(|call| call.changes_other_files(&asset.model)) {
            notes.losses.push("other files of the model do not change; convert changes them, too".to_owned());
        }
        let changed = self.changed(&source.file, before.model.bytes(), &model, calls, &mut notes);
        let Changed { model: after, bytes, is_rewritten } = changed.map_err(refused)?;
        let mut edited = before.clone();
        edited.model = before.model.with(bytes);
        if let Some(list) = &mut edited.clip_list
            && calls.iter().any(|call| call.changes_clip_list(&asset.model))
        {
            let own = if is_part_of_player(asset) { Err(OF_PLAYER.to_owned()) } else { Ok(()) };
            let own = own.and_then(|()| self.check_list(&source.file, list));
            match own.and_then(|()| edited_clip_list(list.file.bytes(), &model, &after)) {
                Ok(bytes) => list.file = list.file.with(bytes),
                Err(why) => {
                    let why = format!("{} cannot be changed: {why}", name_of(&list.path));
                    if calls.iter().any(|call| call.operation.reach == Reach::List) {
                        return Err(refused(why));
                    }
                    notes.losses.push(why);
                }
            }
        }
        let source = Source { edited: Some(edited), ..source.clone() };
        Ok(EditedPart { asset: self.reopen(&source)?, before, is_rewritten, notes })
    }

    /// Fails if a list without unsaved changes cannot be read or has changed.
    fn check_list(&self, model: &Path, list: &EditedClipList) -> Result<(), String> {
        if !list.file.is_saved() {
            return Ok(());
        }
        let (vfs, game_path) = self.vfs_for(model).map_err(|error| error.reason())?;
        let now = clip_list(&vfs, &game_path).1?;
        if now == **list.file.bytes() {
            Ok(())
        } else {
            Err("it has changed on disk; reload the model first".to_owned())
        }
    }

    /// Returns another model in the folder of `model` with clips of the same `animation.cfg`, if any.
    pub fn other_with_list(&self, model: &Path) -> Option<PathBuf> {
        let has_list = |file: &PathBuf| formats_by_name(file).any(|format| format.traits().companions.clip_lists);
        let is_other = |file: &PathBuf| !is_same_path(Some(file), model) && finest_level(file).is_none();
        let is_listed = |file: &PathBuf| {
            let loaded = self.load(file).map(|loaded| loaded.model);
            loaded.is_ok_and(|model| model.clips().iter().any(|clip| clip.source == ClipSource::AnimationConfig))
        };
        models_in_folder_of(&self.files, model).into_iter().filter(has_list).filter(is_other).find(is_listed)
    }

    /// Returns the list of a model's clips; `None` if its format has none.
    fn clip_list_of(&self, file: &Path, model: &Model) -> Result<Option<EditedClipList>, OpenError> {
        if !edit::lists_clips(model) {
            return Ok(None);
        }
        let (vfs, game_path) = self.vfs_for(file)?;
        let (path, bytes) = clip_list(&vfs, &game_path);
        // Only edits of an unreadable list are refused.
        let file = EditedBytes::new(bytes.unwrap_or_default());
        Ok(Some(EditedClipList { read_from: vfs.location_of(&path), path, file }))
    }

    /// Returns the `animation.cfg` of an edited model, with the layout and the comments of the present file. `None` if there
    /// is none, or if it does not have the clips of the model. Fails if the file cannot be changed.
    pub fn edited_clip_list(&self, file: &Path, before: &Model, after: &Model) -> Result<Option<Vec<u8>>, String> {
        if !edit::lists_clips(before) {
            return Ok(None);
        }
        let (vfs, game_path) = self.vfs_for(file).map_err(|error| error.reason())?;
        let (path, bytes) = clip_list(&vfs, &game_path);
        let edited = bytes.and_then(|bytes| match bytes.is_empty() {
            true => Ok(None),
            false => edited_clip_list(&bytes, before, after).map(Some),
        });
        edited.map_err(|why| format!("{} cannot be changed: {why}", name_of(&path)))
    }

    /// Applies an operation to a model file. Returns the changed bytes, and sentences about lost data.
    pub fn edit_file(&self, file: &Path, call: &Call) -> Result<(Vec<u8>, Vec<String>), String> {
        let bytes = self.files.read(file, ReadLimit::MODEL).map_err(|error| error.to_string())?;
        let (model, _) = formats::load(&bytes).map_err(|error| error.to_string())?;
        call.operation.why_not(&model).map_or(Ok(()), Err)?;
        if call.operation.reach == Reach::List && !edit::stores_clips(&model) {
            return Err("the clips are in another file; maquette convert --edit writes a new list".to_owned());
        }
        let mut notes = Notes::default();
        let has_animations =
            |asset: ModelAsset| asset.model.clips().iter().any(|clip| clip.source == ClipSource::AnimationFile);
        if call.operation.reach == Reach::Space && self.model(file).is_ok_and(has_animations) {
            notes.losses.push("its animation files do not change; convert changes them, too".to_owned());
        }
        let changed = self.changed(file, &bytes, &model, std::slice::from_ref(call), &mut notes)?;
        Ok((changed.bytes, notes.losses))
    }

    /// Applies operations to the model in the bytes of a file.
    fn changed(
        &self,
        file: &Path,
        bytes: &[u8],
        model: &Model,
        calls: &[Call],
        notes: &mut Notes,
    ) -> Result<Changed, String> {
        let mut calls = calls.to_vec();
        for call in &mut calls {
            call.replace_materials(|path| self.in_game(file, path))?;
            self.load_files_of(call, model, file.parent().unwrap_or(Path::new("")))?;
        }
        let changed = edit::apply_with_notes(model, &calls, notes)?;
        let (bytes, is_rewritten) = edit::save(bytes, model, &changed).map_err(|error| error.to_string())?;
        notes.losses.extend(edit::lost_by_rewriting(&changed).filter(|_| is_rewritten));
        Ok(Changed { model: changed, bytes, is_rewritten })
    }

    /// Reads the models and images that the arguments of an operation name, in `folder` if their paths are relative.
    /// Images get the size and colours of the model's skins.
    pub fn load_files_of(&self, call: &mut Call, model: &Model, folder: &Path) -> Result<(), String> {
        call.check(model)?;
        let matching = Matching { dithers: call.switch("dither"), avoids_bright: call.text("bright") == "avoid" };
        call.load_images(|text| {
            let path = folder.join(text);
            let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
            let bytes = self.files.read(&path, ReadLimit::Whole).map_err(|error| failed(&error))?;
            let image = Image::decode(&bytes, text).map_err(|error| failed(&error))?;
            let size = model.data().skin_size.unwrap_or_default().map(i32::unsigned_abs);
            let is_cutout = image.has_alpha && model.embedded_skins().iter().any(EmbeddedSkin::has_cutouts);
            quake_pixels(&image, size, is_cutout, matching).ok_or_else(|| failed(&"the image has no texels"))
        })?;
        call.load_models(|text| {
            let path = folder.join(text);
            let read = |path: PathBuf| {
                // Only this file: walk_1.md3 of a sequence is not the LOD of walk.md3.
                let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
                let bytes = self.files.read(&path, ReadLimit::MODEL).map_err(|error| failed(&error))?;
                formats::load_model_or_tags(&bytes).map(Arc::new).map_err(|error| failed(&error))
            };
            sequence(&path)?.into_iter().map(read).collect()
        })
    }

    /// Returns the path in the game of an image, or the path itself if it is relative.
    fn in_game(&self, model: &Path, path: &str) -> Result<String, String> {
        let image = Path::new(path);
        if !image.is_absolute() {
            return Ok(path.to_owned());
        }
        let found = self.files.for_file(model).ok().and_then(|(vfs, _)| path_in_game(&vfs, image));
        let name = image.file_name().unwrap_or_default().display();
        found
            .ok_or_else(|| format!("{name} is outside the folders of the model’s game; copy it there and set it again"))
    }

    pub(super) fn reopen_edited(&self, path: &Path, edited: &EditedFile) -> Result<ModelAsset, OpenError> {
        let mut edited = edited.clone();
        if edited.model.is_saved() {
            edited.model = edited.model.read_again(self.bytes_of(path)?);
        }
        if let Some(list) = &mut edited.clip_list {
            let (vfs, game_path) = self.vfs_for(path)?;
            let (path, bytes) = clip_list(&vfs, &game_path);
            if list.file.is_saved() {
                list.read_from = vfs.location_of(&path);
                list.file = list.file.read_again(bytes.unwrap_or_default());
            }
            list.path = path;
        }
        let opener = self.renaming_in_skins(&edited);
        let mut asset = opener.model_of(path, edited.model.bytes(), edited.unsaved_clip_list())?;
        asset.edited = Some(edited);
        Ok(asset)
    }
}

/// Result of operations on a model file.
struct Changed {
    model: Model,
    bytes: Vec<u8>,
    is_rewritten: bool,
}

/// Why the clips of a player's part cannot be edited.
const OF_PLAYER: &str = "it has the clips of all parts of a player; edit it with a text editor";

/// Returns whether an `animation.cfg` next to the model is that of a player in parts.
pub fn is_part_of_player(asset: &ModelAsset) -> bool {
    BodyPart::of_stem(split_extension(name_of(&asset.game_path)).0) != BodyPart::Whole
}

/// Returns a model with the clips of its other files, so that operations find them by name.
fn with_shown_clips(model: Model, shown: &Model) -> Result<Model, String> {
    if edit::stores_clips(&model) || model.frames().len() != shown.frames().len() {
        return Ok(model);
    }
    let mut parts = model.into_parts();
    parts.clips = shown.clips().to_vec();
    Model::new(parts).map_err(|error| error.to_string())
}

/// Returns the changed bytes of the `.skin` files in the folder of `model`, and in `added`, that name renamed surfaces.
pub fn renamed_skins(
    model: &Path,
    added: &[PathBuf],
    renames: &[SurfaceRename],
) -> std::io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = added.to_vec();
    if let Some(folder) = model.parent() {
        for entry in std::fs::read_dir(folder)? {
            files.push(entry?.path());
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("skin")));
    files.sort();
    files.dedup();
    let model = model.file_name().unwrap_or_default().to_string_lossy();
    let mut changed = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Skins of other models may use the same surface names.
        if skin_name(&name, &model).is_none() && !added.contains(&file) {
            continue;
        }
        if let Some(bytes) = rename_surfaces(&std::fs::read(&file)?, renames) {
            changed.push((file, bytes));
        }
    }
    Ok(changed)
}

/// Returns the files that match a path with `*` in the file name, ordered by the number there.
fn sequence(path: &Path) -> Result<Vec<PathBuf>, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((start, end)) = name.split_once('*') else { return Ok(vec![path.to_path_buf()]) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let number = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.ok()?.path();
        let name = path.file_name()?.to_str()?.strip_prefix(start)?.strip_suffix(end)?.parse::<u64>().ok()?;
        Some((name, path))
    };
    let mut found: Vec<(u64, PathBuf)> = entries.filter_map(number).collect();
    found.sort();
    if found.is_empty() {
        return Err(format!("{}: no file with a number in place of *", path.display()));
    }
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

fn path_in_game(vfs: &Vfs, file: &Path) -> Option<String> {
    let parts: Vec<String> = file.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let paths = (1..parts.len()).filter_map(|first| parts.get(first..).map(|parts| parts.join("/")));
    paths.filter_map(|path| vfs.find(&path)).find(|path| vfs.location_of(path).as_deref() == Some(file))
}

/// Returns whether `shown` begins with the surfaces and tags of `model`; companion files append others.
fn is_begin_of(model: &Model, shown: &Model) -> bool {
    let names = |model: &Model| -> Vec<(String, usize)> {
        model.surfaces().iter().map(|surface| (surface.name.clone(), surface.triangles.len())).collect()
    };
    let (own, shown_surfaces) = (names(model), names(shown));
    shown_surfaces.starts_with(&own) && shown.tags().starts_with(model.tags())
}
