//! Loads: every file reaches the session through [`Session::loaded`].
//!
//! One load runs at a time. A load that replaces the scene supersedes older loads that replace it. Loads that add to
//! the scene wait for each other.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::{Effect, LastSession, NotificationKind, Session};
use crate::loader::{self, Reading};
use crate::scene::{Attachment, EntityId};
use maquette_assets::lint;
use maquette_assets::open::{self, Assembly, ModelAsset, OpenCause, OpenError, Opener, ScanResult, Source};
use maquette_assets::vfs::{self, ReadError, SearchOrder};
use maquette_core::edit::Edit;
use maquette_core::error::counted;
use maquette_core::formats::gltf::ImportOptions;
use maquette_core::model::Format;

/// A load: a read on the loader thread, and a final step in the session. `Load::run` implements both.
#[derive(Clone, Debug)]
pub enum Load {
    /// Shows the first model of files, folders or archives, and lists the others.
    Open {
        /// The files, folders or archives.
        paths: Vec<PathBuf>,
        /// State of a former session, to be restored.
        restore: Option<Box<LastSession>>,
        /// A dropped model that could instead be attached to the previous scene.
        attachable: Option<PathBuf>,
        /// Mesh that gets dropped files if they hold only animations.
        mesh: Option<(EntityId, Box<ModelAsset>)>,
    },
    /// Shows a model of the list, with the character that contains it. The list stays.
    Show(PathBuf),
    /// Shows the intact part of a damaged model.
    Salvage(PathBuf),
    /// Shows the built-in character.
    Sample(Format),
    /// Reads the files of the scene again. Camera, playback and selection stay.
    Reload {
        /// The files.
        sources: Vec<(EntityId, Source)>,
        /// Name of the file that another program changed; `None` if the user requested the reload.
        because: Option<String>,
    },
    /// Like [`Load::Reload`], but without a report, because the cause was already reported.
    ReloadQuietly(Vec<(EntityId, Source)>),
    /// Adds a search folder or archive and reads the files of the scene again.
    Root(PathBuf, Vec<(EntityId, Source)>),
    /// Attaches a model, with the models that belong to it.
    Attach {
        /// The model.
        path: PathBuf,
        /// Part and anchor to attach the model to.
        to: Attachment,
        /// Whether the model was dropped and could be opened instead.
        dropped: bool,
    },
    /// Lists the models of a folder, of an archive or next to a file.
    List(PathBuf),
    /// Lists the models next to a file that is already open. Failures are not reported.
    ListFolderOf(PathBuf),
    /// Adds animations to the mesh of a part and plays the first of them.
    Animations {
        /// The entity of the part.
        entity: EntityId,
        /// The part.
        part: Box<ModelAsset>,
        /// Files of the animations.
        paths: Vec<PathBuf>,
    },
    /// Applies an image to surfaces.
    TryOn {
        /// The image.
        path: PathBuf,
        /// Entity with the surfaces.
        entity: EntityId,
        /// First surface; `None` means all surfaces.
        surface: Option<usize>,
        /// Other surfaces.
        others: Vec<usize>,
    },
    /// Shows the structure of a file, from disk or from the bytes with unsaved changes.
    Structure(PathBuf, Option<Arc<Vec<u8>>>),
    /// Compares a part with a model.
    Compare {
        /// The entity of the part.
        entity: EntityId,
        /// The part.
        part: Box<ModelAsset>,
        /// The model.
        path: PathBuf,
    },
    /// Compares a part with one that is in memory.
    CompareParts {
        /// The entity of the part.
        entity: EntityId,
        /// The part.
        part: Box<ModelAsset>,
        /// The part to compare it with.
        other: Box<ModelAsset>,
    },
    /// Lists other versions of a model in its folder.
    Versions(PathBuf),
    /// Checks a part against a lint profile.
    Lint {
        /// Number of the entity.
        number: u64,
        /// The part.
        part: Box<ModelAsset>,
        /// Index of the profile.
        profile: usize,
    },
    /// Adds skins to those of these parts whose surfaces the skins name, and applies the last skin.
    Skins(Vec<(EntityId, ModelAsset)>, Vec<PathBuf>),
    /// Changes the file of a part in memory.
    Edit {
        /// The entity of the part.
        entity: EntityId,
        /// The part and its file.
        part: Box<(ModelAsset, Source)>,
        /// The changes.
        edits: Vec<Edit>,
        /// Whether surfaces are also renamed in `.skin` files.
        in_skins: bool,
        /// Label of the change in the undo list.
        what: &'static str,
        /// Label of the change with its subject.
        label: String,
    },
    /// Reads these files again without their unsaved changes.
    Discard(Vec<(EntityId, Source)>),
    /// Lists the textures and shaders that surfaces in this model file can use.
    MaterialNames(PathBuf, Format),
}

impl Load {
    /// Whether the load replaces the scene.
    #[must_use]
    pub fn replaces(&self) -> bool {
        matches!(self, Self::Open { .. } | Self::Show(_) | Self::Salvage(_) | Self::Sample(_))
    }

    /// Whether the load reads all files of the scene that is shown afterwards.
    #[must_use]
    pub fn reads_everything(&self) -> bool {
        self.replaces() || matches!(self, Self::Reload { .. } | Self::ReloadQuietly(_) | Self::Root(..))
    }

    /// Returns the path to name in messages: the load's file, or the first of several.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Open { paths, .. } | Self::Animations { paths, .. } | Self::Skins(_, paths) => {
                paths.first().cloned().unwrap_or_default()
            }
            Self::Edit { part, .. } => part.1.file.clone(),
            Self::Reload { sources, .. } | Self::ReloadQuietly(sources) | Self::Discard(sources) => {
                sources.first().map(|(_, source)| source.file.clone()).unwrap_or_default()
            }
            Self::Lint { part, .. } | Self::CompareParts { part, .. } => part.file.clone().unwrap_or_default(),
            Self::Sample(format) => PathBuf::from(format.traits().sample.unwrap_or_default()),
            Self::Show(path)
            | Self::Salvage(path)
            | Self::Attach { path, .. }
            | Self::TryOn { path, .. }
            | Self::Structure(path, _)
            | Self::Compare { path, .. }
            | Self::List(path)
            | Self::Versions(path)
            | Self::ListFolderOf(path)
            | Self::MaterialNames(path, _)
            | Self::Root(path, _) => path.clone(),
        }
    }

    fn single_path(&self) -> Option<&Path> {
        let Self::Open { paths, .. } = self else { return None };
        if let [path] = paths.as_slice() { Some(path) } else { None }
    }

    /// Returns the file to focus; `None` means the first.
    fn focus(&self) -> Option<PathBuf> {
        match self {
            Self::Show(path) | Self::Salvage(path) => Some(path.clone()),
            _ => std::path::absolute(self.single_path()?).ok(),
        }
    }

    /// Reads on the loader thread, and returns what the session does with the result.
    pub(crate) fn run(self, reading: &mut Reading) -> Result<Finish, OpenError> {
        let opener = reading.opener;
        match self {
            Self::Open { paths, mesh: Some((entity, part)), .. }
                if paths.iter().all(|path| open::is_animation_of_models(opener.files(), path)) =>
            {
                Self::Animations { entity, part, paths }.run(reading)
            }
            Self::Open { ref paths, .. } => {
                let assembly = loader::open_paths(reading, paths)?;
                Ok(self.finish_open(assembly, reading))
            }
            Self::Show(ref path) => {
                let assembly = reading.assembly(path)?;
                Ok(self.finish_open(assembly, reading))
            }
            Self::Salvage(ref path) => {
                let assembly = Assembly::from(opener.salvaged(path)?);
                reading.prepare(assembly.clone());
                // The load that failed did not set the list.
                reading.list_folder_of(path, false);
                Ok(self.finish_open(assembly, reading))
            }
            Self::Sample(format) => {
                let sample = open::open_sample(format);
                let sample = sample.map_err(|error| loader::fail(&self.path(), OpenCause::Load(Box::new(error))))?;
                reading.prepare(sample.clone().into());
                reading.list(ScanResult::default(), false);
                Ok(self.finish_open(sample.into(), reading))
            }
            Self::Reload { sources, because } => {
                let parts = reading.again(&sources)?;
                let took = reading.took();
                finish(move |session| {
                    let text = reloaded_text(&parts, took);
                    session.keep_before_reload(&parts);
                    let before = session.document.extent.radius();
                    session.renew(parts);
                    if !KEPT_SIZE.contains(&(session.document.extent.radius() / before)) {
                        session.frame_model();
                    }
                    match because {
                        Some(file) => session.notify_reloaded(&file),
                        None => session.note(NotificationKind::Done, text),
                    }
                })
            }
            Self::ReloadQuietly(sources) => {
                let parts = reading.again(&sources)?;
                finish(move |session| session.renew(parts))
            }
            Self::Root(root, sources) => {
                match opener.files().locate(&root) {
                    Ok(vfs::FileLocation::Folder(_) | vfs::FileLocation::Archive(_)) => {}
                    Ok(_) => return Err(loader::fail(&root, OpenCause::Read(ReadError::NotArchive))),
                    Err(error) => return Err(loader::fail(&root, OpenCause::Read(error))),
                }
                let parts = reading.again(&sources)?;
                let took = reading.took();
                finish(move |session| {
                    add_root(&mut session.search_folders, root);
                    let text =
                        if parts.is_empty() { "Search folder added".to_owned() } else { reloaded_text(&parts, took) };
                    session.renew(parts);
                    session.note(NotificationKind::Done, text);
                })
            }
            Self::Attach { path, to, dropped } => {
                let attach = move |opener: &Opener| {
                    opener.attachment(&path).map(|members| Assembly { character: None, members })
                };
                let members = reading.models(attach)?.members;
                finish(move |session| session.attach(members, &to, dropped))
            }
            Self::List(path) => {
                let files = opener.files();
                match files.locate(&path) {
                    Ok(vfs::FileLocation::File(_) | vfs::FileLocation::FileInArchive { .. }) => {
                        reading.list_folder_of(&path, true)
                    }
                    Ok(_) => reading.list(open::scan(files, &path, reading.stop), true),
                    Err(error) => return Err(loader::fail(&path, OpenCause::Read(error))),
                }
                let list = reading.list.take();
                finish(move |session| {
                    session.take_list(list, None);
                    session.interface.panels.files = true;
                    let models = counted(session.model_list.len(), "model", "models");
                    session.note(NotificationKind::Done, format!("Listed {models}"));
                })
            }
            Self::ListFolderOf(path) => {
                reading.list_folder_of(&path, false);
                let list = reading.list.take();
                finish(move |session| session.take_list(list, None))
            }
            Self::Animations { entity, part, paths } => {
                let (part, refused) = loader::animate(opener, *part, &paths)?;
                reading.prepare(part.clone().into());
                finish(move |session| session.play_new(entity, part, &refused))
            }
            Self::TryOn { path, entity, surface, others } => {
                let material = opener.image(&path)?;
                for image in material.images() {
                    image.mip_levels();
                }
                finish(move |session| {
                    if session.try_on(entity, surface, &others, &material) {
                        let target = session.texture_target(entity, surface, &others);
                        session.note(NotificationKind::Done, format!("{} applied to {target}", material.name));
                    }
                })
            }
            Self::Structure(path, unsaved) => {
                let file = Arc::new(loader::read_structure(opener, &path, unsaved.as_ref())?);
                finish(move |session| session.taken_apart(&path, Ok(file)))
            }
            Self::Compare { entity, part, path } => {
                let (other, difference) = loader::compare_with(opener, &part, &path)?;
                reading.prepare(other.clone().into());
                finish(move |session| session.compared(entity, other, Arc::new(difference)))
            }
            Self::CompareParts { entity, part, other } => {
                let difference = loader::difference(&part, &other);
                finish(move |session| session.compared(entity, *other, Arc::new(difference)))
            }
            Self::Versions(file) => {
                let models = open::models_in_folder_of(opener.files(), &file);
                finish(move |session| session.versions_found(&file, models))
            }
            Self::Lint { number, part, profile } => {
                let findings = lint::check(lint::LintInput::new(&part), lint::PROFILES.get(profile), None);
                finish(move |session| session.linted(number, profile, Arc::new(findings)))
            }
            Self::Skins(parts, paths) => {
                let parts = loader::try_skins(opener, &parts, &paths)?;
                parts.iter().for_each(|(_, part)| reading.prepare(part.clone().into()));
                finish(move |session| session.assign_new_skins(parts))
            }
            Self::Edit { entity, part, edits, in_skins, what, label } => {
                let edited = opener.edited(&part.0, &part.1, &edits, in_skins)?;
                reading.prepare(edited.asset.clone().into());
                let surface =
                    |edit: &Edit| if let Edit::SetMaterial { surface, .. } = edit { Some(*surface) } else { None };
                let surfaces: Vec<usize> = edits.iter().filter_map(surface).collect();
                finish(move |session| session.edited(entity, what, &label, &surfaces, edited))
            }
            Self::Discard(sources) => {
                let parts = reading.again(&sources)?;
                finish(move |session| session.discarded(parts))
            }
            Self::MaterialNames(path, format) => {
                let names = opener.material_names(&path, format)?;
                finish(move |session| session.interface.material_names = Some(Arc::new(names)))
            }
        }
    }

    fn finish_open(self, assembly: Assembly, reading: &mut Reading) -> Finish {
        let (list, took) = (reading.list.take(), reading.took());
        let opened = self.single_path().and_then(loader::plain);
        Box::new(move |session| {
            if let Some(opened) = opened {
                session.preferences.opened(&opened);
            }
            session.opened(self, assembly, list, took);
        })
    }
}

/// Final step of a load, which runs in the session.
pub type Finish = Box<dyn FnOnce(&mut Session) + Send>;

fn finish(finish: impl FnOnce(&mut Session) + Send + 'static) -> Result<Finish, OpenError> {
    Ok(Box::new(finish))
}

/// Appends a search folder. The last folder is searched first.
fn add_root(search_folders: &mut Vec<PathBuf>, root: PathBuf) {
    search_folders.retain(|known| *known != root);
    search_folders.push(root);
}

/// Ratio of the sizes after and before a reload for which the camera stays.
const KEPT_SIZE: std::ops::RangeInclusive<f32> = 0.25..=4.0;

fn reloaded_text(parts: &[(EntityId, ModelAsset)], took: Duration) -> String {
    let names: Vec<&str> = parts.iter().map(|(_, part)| part.name.as_str()).collect();
    format!("Reloaded {} in {:.0} ms", names.join(", "), took.as_secs_f64() * 1000.0)
}

/// Identifier and options of a load, returned with the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    /// Number of the load, from 1.
    pub id: u64,
    /// Search order for a model in one of a game's archives.
    pub order: SearchOrder,
    /// Folders and archives that are searched before the models' own games. The last one is searched first.
    pub search_folders: Vec<PathBuf>,
    /// Memory limit for the images of a model, in megabytes.
    pub image_memory: u32,
    /// Whether fullbright colours of the skins in a model are lit.
    pub lit_fullbrights: bool,
    /// Interpretation of models in other conventions than those of the games (glTF).
    pub import: ImportOptions,
}

/// Answer to a load.
pub struct LoadAnswer {
    /// Ticket of the load.
    pub ticket: Ticket,
    /// The load.
    pub load: Load,
    /// The final step of the load, or the error.
    pub result: Result<Finish, OpenError>,
    /// Models that were found, even if none could be opened.
    pub list: Option<ModelList>,
    /// Start time of the load. Files written later were not read.
    pub began: SystemTime,
}

/// List of models.
pub struct ModelList {
    /// Files in display order.
    pub models: Vec<PathBuf>,
    /// Overridden files, with the name of the archive or file that overrides each.
    pub replaced: HashMap<PathBuf, String>,
    /// Number of files of unsupported model formats in the same folders, by extension (`iqm`, …).
    pub left_out: BTreeMap<String, usize>,
    /// Whether the user opened a folder, an archive or several models. A single file only lists its folder.
    pub asked_for: bool,
}

impl ModelList {
    /// Whether the list stays when a file outside the list is opened. A list of one model does not stay.
    fn is_asked_for(&self) -> bool {
        self.asked_for && self.models.len() > 1
    }
}

/// Running and waiting loads.
#[derive(Debug, Default)]
pub struct Loads {
    /// Id of the running load, and whether it replaces the scene.
    running: Option<(u64, bool)>,
    waiting: VecDeque<Load>,
    last_id: u64,
    edits: bool,
    /// A file of the scene that changed while a load was about to replace the scene.
    pub(super) changed: Option<PathBuf>,
}

impl Loads {
    /// Whether a running or waiting load replaces the scene.
    #[must_use]
    pub fn will_replace(&self) -> bool {
        self.running.is_some_and(|(_, replaces)| replaces) || self.waiting.iter().any(Load::replaces)
    }
}

impl Session {
    /// Queues a load. Returns the load that can start now.
    pub(super) fn load(&mut self, load: Load) -> Option<Effect> {
        let loads = &mut self.jobs.loads;
        if load.replaces() {
            loads.waiting.retain(|other| !other.replaces());
            // The loader stops superseded loads; ignore their answers.
            loads.running = loads.running.filter(|(_, replaces)| !replaces);
        }
        // A single reload reads all changes on disk.
        let is_reload = |load: &Load| matches!(load, Load::Reload { .. });
        if is_reload(&load) && loads.waiting.iter().any(is_reload) {
            return None;
        }
        let name = load.path().file_name().map(|name| name.to_string_lossy().into_owned());
        self.jobs.loading = Some(name.unwrap_or_default());
        self.jobs.loads.waiting.push_back(load);
        self.next_load()
    }

    pub(super) fn open(&mut self, paths: Vec<PathBuf>, restore: Option<Box<LastSession>>) -> Option<Effect> {
        self.interface.path_field = None;
        self.load(Load::Open { paths, restore, attachable: None, mesh: None })
    }

    pub(super) fn open_listed(&mut self, path: PathBuf) -> Option<Effect> {
        self.requested_path = Some(path.clone());
        self.load(Load::Show(path))
    }

    pub(super) fn salvage(&mut self, path: PathBuf) -> Option<Effect> {
        self.requested_path = Some(path.clone());
        self.load(Load::Salvage(path))
    }

    pub(super) fn reload(&mut self, because: Option<String>) -> Option<Effect> {
        let sources: Vec<_> = self.document.scene.sources().collect();
        if sources.is_empty() { None } else { self.load(Load::Reload { sources, because }) }
    }

    pub(super) fn cancel_loads(&mut self) -> Option<Effect> {
        self.jobs.loading.as_ref()?;
        self.forget_loads();
        let text = self.name().map_or_else(|| "Cancelled".to_owned(), |name| format!("Cancelled; {name} stays open"));
        self.log(NotificationKind::Done, text);
        // A new load also stops the running one.
        let changed = self.jobs.loads.changed.take();
        changed.and_then(|path| self.file_changed(&path)).or(Some(Effect::CancelLoads))
    }

    pub(super) fn forget_loads(&mut self) {
        self.jobs.loading = None;
        self.jobs.loads.running = None;
        self.jobs.loads.edits = false;
        self.jobs.loads.waiting.clear();
    }

    pub(super) fn is_editing(&self) -> bool {
        let loads = &self.jobs.loads;
        loads.edits || loads.waiting.iter().any(|load| matches!(load, Load::Edit { .. }))
    }

    /// Whether the load with this ticket is running.
    #[must_use]
    pub fn awaits(&self, ticket: &Ticket) -> bool {
        self.jobs.loads.running.is_some_and(|(running, _)| running == ticket.id)
    }

    fn next_load(&mut self) -> Option<Effect> {
        while self.jobs.loads.running.is_none() {
            let Some(mut load) = self.jobs.loads.waiting.pop_front() else {
                self.jobs.loading = None;
                return None;
            };
            if self.adjust_to_session(&mut load) {
                self.jobs.loads.last_id += 1;
                let mut search_folders = self.search_folders.clone();
                if let Load::Root(root, _) = &load {
                    add_root(&mut search_folders, root.clone());
                }
                let ticket = Ticket {
                    id: self.jobs.loads.last_id,
                    order: self.search_order,
                    search_folders,
                    image_memory: self.preferences.image_memory,
                    lit_fullbrights: self.preferences.lit_fullbrights,
                    import: self.import,
                };
                self.jobs.loads.running = Some((ticket.id, load.replaces()));
                self.jobs.loads.edits = matches!(load, Load::Edit { .. });
                return Some(Effect::Load(ticket, load));
            }
        }
        None
    }

    /// Updates a queued load to the current scene. Returns false if the target of the load was removed.
    fn adjust_to_session(&mut self, load: &mut Load) -> bool {
        let scene = &self.document.scene;
        match load {
            Load::Reload { sources, .. } | Load::ReloadQuietly(sources) => {
                *sources = scene.sources().collect();
                return !sources.is_empty();
            }
            Load::Root(_, sources) => *sources = scene.sources().collect(),
            Load::Skins(parts, _) => {
                *parts = scene.entities().iter().map(|entity| (entity.id, entity.asset.clone())).collect();
            }
            Load::Open { mesh, .. } => {
                let now = |entity: EntityId| Some((entity, Box::new(scene.entity(entity)?.asset.clone())));
                *mesh = mesh.take().and_then(|(entity, _)| now(entity));
            }
            Load::Animations { entity, part, .. } => match scene.entity(*entity) {
                Some(entity) => **part = entity.asset.clone(),
                None => {
                    self.gone();
                    return false;
                }
            },
            Load::Structure(path, bytes) => *bytes = self.unsaved_bytes(path),
            Load::Edit { entity, part, .. } => {
                let now = scene.entity(*entity).and_then(|entity| Some((entity.asset.clone(), entity.source()?)));
                let Some(now) = now else { return false };
                **part = now;
            }
            Load::Discard(sources) => *sources = self.discarded_sources(),
            _ => {}
        }
        true
    }

    /// Whether the list that the user opened stays: it contains the file, or the new list has only one model.
    fn keeps_list(&self, file: Option<&Path>, list: &ModelList) -> bool {
        let is_listed = file.is_some_and(|file| self.model_list.iter().any(|listed| listed == file));
        // Samples have an empty list, because they are not in a folder.
        self.list_asked_for && (is_listed || list.models.len() == 1)
    }

    /// Applies the list of a load, unless the current list stays. `file` is the requested file.
    fn take_list(&mut self, list: Option<ModelList>, file: Option<&Path>) {
        if let Some(list) = list.filter(|list| list.asked_for || !self.keeps_list(file, list)) {
            self.list_asked_for = list.is_asked_for();
            self.model_list = list.models.into();
            self.replaced_models = list.replaced.into();
            self.left_out = list.left_out;
        }
    }

    /// Handles the answer to a load, unless the load was cancelled. Returns the load that can start now.
    pub fn loaded(&mut self, answer: LoadAnswer) -> Option<Effect> {
        if !self.awaits(&answer.ticket) {
            return None;
        }
        let mut changed = None;
        match answer.result {
            // If `finish` requests further loads, they are queued.
            Ok(finish) => finish(self),
            Err(error) => changed = self.refused(&answer.load, &error, answer.list),
        }
        self.jobs.loads.running = None;
        self.jobs.loads.edits = false;
        changed.and_then(|path| self.file_changed(&path)).or_else(|| self.next_load())
    }

    /// Reports that a load failed. Returns a file that changed in the meantime.
    fn refused(&mut self, load: &Load, error: &OpenError, list: Option<ModelList>) -> Option<PathBuf> {
        match load {
            Load::Edit { .. } | Load::Discard(_) => {
                self.note(NotificationKind::Failed, format!("Could not change {}: {}", error.name(), error.reason()));
            }
            // Without the list of names, the user can still type a name. Without a new list of models, the old list
            // stays.
            Load::MaterialNames(..) | Load::ListFolderOf(_) => {}
            Load::Structure(..) => self.taken_apart(&error.path, Err(error.reason())),
            _ => {
                // If a model is open, keep its list and requested path.
                if self.asset().is_none() {
                    self.take_list(list, load.focus().as_deref());
                    if load.replaces() {
                        self.requested_path = load.focus();
                    }
                }
                self.fail(error);
                return self.jobs.loads.changed.take();
            }
        }
        None
    }

    fn opened(&mut self, load: Load, assembly: Assembly, list: Option<ModelList>, took: Duration) {
        let focus = load.focus();
        self.jobs.loads.changed = None;
        // Opening another character of the list does not reopen the panel.
        let is_new_character = assembly.members.len() > 1 && list.is_some() && self.document.scene.character.is_none();
        self.interface.panels.files |= is_new_character || list.as_ref().is_some_and(ModelList::is_asked_for);
        let before = Arc::clone(&self.model_list);
        self.take_list(list, focus.as_deref());
        let (restore, attachable) = match load {
            Load::Open { restore, attachable, .. } => (restore, attachable),
            _ => (None, None),
        };
        self.show_instead(assembly, focus, attachable.map(|file| (file, before)));
        match restore {
            Some(last) => self.restore(&last),
            None => self.document.scene.play_sample_wave(),
        }
        if let Some(file) = self.asset().and_then(|asset| asset.file.clone()) {
            self.preferences.shown(&file);
        }
        let name = self.name().unwrap_or_default().to_owned();
        if self.asset().is_some_and(|asset| asset.salvaged) {
            let detail = "Only the recoverable part of the file is shown; see Issues";
            self.notify(NotificationKind::Warning, format!("{name} is damaged"), detail);
        } else {
            self.note(NotificationKind::Done, format!("Opened {name} in {:.0} ms", took.as_secs_f64() * 1000.0));
        }
    }

    fn renew(&mut self, parts: Vec<(EntityId, ModelAsset)>) {
        // The structure view may show outdated bytes.
        self.interface.structure = None;
        self.replace(parts);
    }
}
