//! Loads that replace the scene.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::{LoadKind, QueuedLoad, SessionUpdate, animations, fail, on_loader, then_update};
use crate::loader::{LoaderContext, ModelList, ReadFiles};
use crate::scene::{Camera, EntityId, GameLight, OverlayKind, Scene, Shading};
use crate::session::drop::extension;
use crate::session::{Effect, History, LastSession, MaterialClock, NotificationKind, Selection, Session, View};
use maquette_assets::material::IMAGE_EXTENSIONS;
use maquette_assets::open::{
    self, Assembly, OpenCause, OpenError, ScanResult, is_model_file, only_legs, scan_with_declared,
};
use maquette_assets::vfs::{self, is_archive_name};
use maquette_core::error::counted;
use maquette_core::formats::is_animation_extension;
use maquette_core::model::Format;
use maquette_core::pose::Repeat;

/// Opened models, and how to show them.
#[derive(Default)]
struct Opened {
    /// Requested file.
    focus: Option<PathBuf>,
    /// State of a former session, to be restored.
    restore: Option<Box<LastSession>>,
    /// A dropped model that could instead be attached to the previous scene.
    attachable: Option<PathBuf>,
    /// Models before the opened one that could not be opened: their number and the error of the first.
    skipped: Option<(usize, String)>,
    list: Option<ModelList>,
    elapsed: Duration,
}

impl Opened {
    fn new(focus: Option<PathBuf>, context: &mut LoaderContext) -> Self {
        Self { focus, list: context.list.take(), elapsed: context.elapsed(), ..Self::default() }
    }
}

/// Creates a load that replaces the scene. If it fails and no model is open, `focus` counts as the requested path.
fn replacing(
    path: PathBuf,
    focus: Option<PathBuf>,
    start: impl FnOnce(&mut Session) -> Option<ReadFiles<SessionUpdate>> + Send + 'static,
) -> QueuedLoad {
    let mut load = QueuedLoad::new(path, start).of_kind(LoadKind::Replace);
    load.report = Box::new(move |session, error, list| {
        // If a model is open, keep its list and requested path.
        if session.asset().is_none() {
            session.take_list(list, focus.as_deref());
            session.requested_path = focus;
        }
        session.fail(error);
    });
    load
}

impl Session {
    pub(crate) fn open(&mut self, paths: Vec<PathBuf>, restore: Option<Box<LastSession>>) -> Option<Effect> {
        self.interface.path_field = None;
        self.open_or_attach(paths, restore, None, None)
    }

    /// Shows the first model of files, folders or archives, and lists the others. If the files hold only animations,
    /// adds them to `mesh` instead.
    pub(crate) fn open_or_attach(
        &mut self,
        paths: Vec<PathBuf>,
        restore: Option<Box<LastSession>>,
        attachable: Option<PathBuf>,
        mesh: Option<EntityId>,
    ) -> Option<Effect> {
        let only = if let [path] = paths.as_slice() { Some(path.clone()) } else { None };
        let focus = only.as_ref().and_then(|path| std::path::absolute(path).ok());
        self.load(replacing(paths.first().cloned().unwrap_or_default(), focus.clone(), move |session| {
            let mesh = mesh.and_then(|id| Some((id, session.document.scene.entity(id)?.asset.clone())));
            on_loader(move |context| {
                let is_animation = |path: &PathBuf| open::is_animation_of_models(context.opener.files(), path);
                if let Some((id, mesh)) = mesh.filter(|_| paths.iter().all(is_animation)) {
                    return animations::add(context, id, mesh, &paths);
                }
                let (assembly, skipped) = first_model(context, &paths)?;
                let recent = only.as_deref().and_then(without_parents);
                let opened = Opened { restore, attachable, skipped, ..Opened::new(focus, context) };
                then_update(move |session| {
                    recent.into_iter().for_each(|recent| session.preferences.add_recent(&recent));
                    session.opened(assembly, opened);
                })
            })
        }))
    }

    /// Shows a model of the list, with the character that contains it. The list stays.
    pub(crate) fn open_listed(&mut self, path: PathBuf) -> Option<Effect> {
        self.requested_path = Some(path.clone());
        self.open_one(path.clone(), Some(path), |context, path| context.assembly(path))
    }

    /// Shows the intact part of a damaged model.
    pub(crate) fn salvage(&mut self, path: PathBuf) -> Option<Effect> {
        self.requested_path = Some(path.clone());
        self.open_one(path.clone(), Some(path), |context, path| {
            let assembly = Assembly::from(context.opener.salvaged(path)?);
            context.prepare(assembly.clone());
            // The load that failed did not set the list.
            context.list_folder_of(path, false);
            Ok(assembly)
        })
    }

    /// Shows the built-in character.
    pub(crate) fn open_sample(&mut self, format: Format) -> Option<Effect> {
        let path = PathBuf::from(format.traits().sample.unwrap_or_default());
        self.open_one(path, None, move |context, path| {
            let sample = open::open_sample(format).or_else(|error| fail(path, OpenCause::Load(Box::new(error))))?;
            context.prepare(sample.clone());
            context.list(ScanResult::default(), false);
            Ok(sample.into())
        })
    }

    fn open_one(
        &mut self,
        path: PathBuf,
        focus: Option<PathBuf>,
        open: impl FnOnce(&mut LoaderContext, &Path) -> Result<Assembly, OpenError> + Send + 'static,
    ) -> Option<Effect> {
        self.load(replacing(path.clone(), focus.clone(), move |_| {
            on_loader(move |context| {
                let assembly = open(context, &path)?;
                let opened = Opened::new(focus, context);
                then_update(move |session| session.opened(assembly, opened))
            })
        }))
    }

    fn opened(&mut self, assembly: Assembly, opened: Opened) {
        let Opened { focus, restore, attachable, skipped, list, elapsed } = opened;
        self.jobs.loads.changed = None;
        self.hide_toasts_after(0);
        // Opening another character of the list does not reopen the panel.
        let is_new_character = assembly.members.len() > 1 && list.is_some() && self.document.scene.character.is_none();
        self.interface.panels.files |= is_new_character || list.as_ref().is_some_and(ModelList::is_asked_for);
        let before = Arc::clone(&self.model_list);
        self.take_list(list, focus.as_deref());
        self.show_instead(assembly, focus, attachable.map(|file| (file, before)));
        match restore {
            Some(last) => self.restore(&last),
            None => self.document.scene.play_sample_wave(),
        }
        if let Some(file) = self.asset().and_then(|asset| asset.file.clone()) {
            self.preferences.set_recent_model(&file);
        }
        let name = self.name().unwrap_or_default().to_owned();
        if self.asset().is_some_and(|asset| asset.salvaged) {
            let detail = "Only the recoverable part of the file is shown; see Issues";
            self.notify_of_model(NotificationKind::Warning, format!("{name} is damaged"), detail);
        } else if let Some((count, first)) = skipped {
            let files = counted(count, "file", "files");
            self.notify_of_model(
                NotificationKind::Warning,
                format!("{files} could not be opened; {name} is shown"),
                first,
            );
        } else {
            self.note(NotificationKind::Done, format!("Opened {name} in {:.0} ms", elapsed.as_secs_f64() * 1000.0));
        }
    }

    /// Shows an assembly from the first view. Its entities play their idle clips.
    pub fn show(&mut self, assembly: impl Into<Assembly>) {
        self.show_instead(assembly.into(), None, None);
    }

    /// Shows an assembly instead of the scene. `attachable` is a dropped file that could be attached to the old scene,
    /// with the model list of that scene.
    fn show_instead(
        &mut self,
        assembly: Assembly,
        focus: Option<PathBuf>,
        attachable: Option<(PathBuf, Arc<[PathBuf]>)>,
    ) {
        self.replace_scene(assembly, focus, attachable);
        // Without surfaces, show tags and joints. The next file restores the overlays.
        let View { display, switched, .. } = &mut *self.view;
        if let Some(overlays) = switched.take() {
            display.overlays = overlays;
        }
        let mut surfaces = self.document.scene.entities().iter().flat_map(|entity| entity.asset.model.surfaces());
        if surfaces.all(|surface| surface.triangles.is_empty()) {
            *switched = Some(display.overlays);
            for entity in self.document.scene.entities() {
                if !entity.model().tags().is_empty() {
                    display.overlays.set(OverlayKind::Tags, true);
                }
                if !entity.model().joints().is_empty() {
                    display.overlays.set(OverlayKind::Joints, true);
                }
            }
        }
        self.apply_default_rates();
        self.document.update_extent();
        let Camera { projection, field_of_view, .. } = self.view.camera;
        self.view.camera = Camera { projection, field_of_view, ..self.first_camera() };
        self.refresh();
        self.frame_model();
        self.view.fit_when_sized = true;
    }

    pub(crate) fn first_camera(&self) -> Camera {
        let folder = self.asset().and_then(|asset| asset.file.as_deref()).and_then(Path::parent);
        let saved = folder.and_then(|folder| self.preferences.folder_view(folder));
        saved.map_or_else(Camera::default, |[yaw, pitch]| Camera { yaw, pitch, ..Camera::default() })
    }

    fn replace_scene(
        &mut self,
        assembly: Assembly,
        focus: Option<PathBuf>,
        attachable: Option<(PathBuf, Arc<[PathBuf]>)>,
    ) {
        if let Some(track) = self.document.track() {
            // A mode that suits the clips of one model seldom suits those of the next.
            self.clock = track.playback.clone();
            self.clock.repeat = Repeat::default();
        }
        self.interface.failure = None;
        self.interface.dismissed_losses = 0;
        let next = Scene::from_assembly(assembly, &self.clock, &self.document.scene);
        let offer = attachable.and_then(|(file, siblings)| self.leave_scene(&next, file, siblings));
        let format = |scene: &Scene| scene.entities().first().map(|entity| entity.model().format());
        self.document.paired |= format(&next) != format(&self.document.scene);
        let has_joints = next.entities().iter().any(|entity| !entity.model().joints().is_empty());
        if self.view.display.shading == Shading::Weights && !has_joints {
            self.view.display.shading = Shading::Textured;
        }
        self.document.scene = next;
        self.player_colours = Default::default();
        self.view.display.game_lights = GameLight::usual();
        self.interface.light_materials.clear();
        self.forget_comparison();
        self.document.history = History::default();
        self.document.before_reload = Vec::new();
        let entities = self.document.scene.entities();
        let wanted = entities.iter().find(|entity| focus.is_some() && entity.asset.file == focus);
        self.document.focus = wanted.or(entities.first()).map(|entity| entity.id);
        // The requested path may have been a folder or differ in spelling.
        self.requested_path = self.asset().and_then(|asset| asset.file.clone()).or(focus);
        self.document.selection = Selection::None;
        self.document.whole_character = false;
        self.document.forget_removed_parts();
        self.interface.alternative = offer;
        self.view.material_clock = MaterialClock::default();
        self.open_timeline();
        let game = self.document.game().unwrap_or_default();
        self.view.display.lighting = self.preferences.lighting.get(game).copied().unwrap_or_default();
        self.view.display.texture_filter = self.preferences.texture_filters.get(game).copied().unwrap_or_default();
        self.document.update_issues();
    }
}

/// Opens the first model of files, folders or archives that can be opened, and sets the model list. If exactly one of the
/// models is a character, that is preferred. Also returns the number of models before it that could not be opened, and the
/// error of the first.
fn first_model(
    context: &mut LoaderContext,
    paths: &[PathBuf],
) -> Result<(Assembly, Option<(usize, String)>), OpenError> {
    let whole: Vec<PathBuf> =
        paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
    let files = context.opener.files();
    if let [file] = whole.as_slice()
        && let Ok(vfs::FileLocation::File(_) | vfs::FileLocation::FileInArchive { .. }) = files.locate(file)
    {
        if is_for_model(file) {
            return fail(file, OpenCause::ForModel);
        }
        let result = context.assembly(file);
        // A file that is not a model does not change the model list.
        if result.is_ok() || is_model_file(file) {
            context.list_folder_of(file, false);
        }
        return result.map(|assembly| (assembly, None));
    }
    let mut found = ScanResult::default();
    for path in &whole {
        match files.locate(path) {
            Err(error) if whole.len() == 1 => return fail(path, OpenCause::Read(error)),
            Ok(vfs::FileLocation::File(_)) if !is_model_file(path) => {}
            _ => found.extend(scan_with_declared(files, path, context.stop)),
        }
    }
    let ScanResult { mut models, left_out, failed, .. } = found;
    open::sort_models(&mut models);
    let others = whole.iter().filter(|path| models.is_empty() && path.is_file() && is_one_model(path));
    let character = only_legs(&models);
    let parts = models.iter().filter(|model| Some(*model) != character);
    let (mut opened, mut skipped) = (None, None);
    for model in character.into_iter().chain(parts).chain(others) {
        match context.assembly(model) {
            Ok(assembly) => {
                opened = Some(assembly);
                break;
            }
            Err(error) => skipped = Some(skipped.map_or((1, error), |(count, first)| (count + 1, first))),
        }
        if (context.stop)() {
            break;
        }
    }
    // Report the read error of a folder or an archive only if no model was found.
    let nothing = || match failed.into_iter().next() {
        Some((path, error)) if models.is_empty() => fail(&path, OpenCause::Read(error)),
        _ => fail(whole.first().map_or(Path::new(""), PathBuf::as_path), OpenCause::NoModel),
    };
    let opened = match (opened, skipped) {
        (Some(assembly), skipped) => Ok((assembly, skipped.map(|(count, error)| (count, error.to_string())))),
        (None, Some((_, error))) => Err(error),
        (None, None) => nothing(),
    };
    if opened.is_ok() || !models.is_empty() {
        let several = paths.len() > 1 && models.len() > 1;
        let asked_for = several || paths.iter().any(|path| is_folder_or_archive(files, path));
        context.list(ScanResult { models, left_out, ..ScanResult::default() }, asked_for);
    }
    opened
}

fn is_for_model(path: &Path) -> bool {
    let extension = extension(path);
    // Content decides between a model and an animation of the same extension (`.mdx`).
    let is_animation = is_animation_extension(&extension) && !is_model_file(path);
    IMAGE_EXTENSIONS.contains(&extension.as_str()) || extension == "skin" || is_animation
}

/// Returns the absolute path without `..`. Keeps `..` if a link makes the shorter path lead to a different file.
fn without_parents(path: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(path).ok()?;
    let mut shorter = PathBuf::new();
    for component in whole.components() {
        if component == std::path::Component::ParentDir {
            shorter.pop();
        } else {
            shorter.push(component);
        }
    }
    let is_same = shorter == whole
        || matches!((shorter.canonicalize(), whole.canonicalize()), (Ok(one), Ok(other)) if one == other);
    Some(if is_same { shorter } else { whole })
}

fn is_folder_or_archive(files: &vfs::FileSystem, path: &Path) -> bool {
    use vfs::FileLocation::{Archive, Folder, FolderInArchive};
    matches!(files.locate(path), Ok(Folder(_) | FolderInArchive { .. } | Archive(_)))
}

fn is_one_model(path: &Path) -> bool {
    let is_archive = path.file_name().is_some_and(|name| is_archive_name(&name.to_string_lossy()));
    !path.is_dir() && !is_archive
}
