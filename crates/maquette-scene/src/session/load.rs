//! What is read, what for, and in which order: every file that comes into the session enters by [`Session::loaded`].
//!
//! One load runs at a time. A load that replaces what is shown supersedes an older one of its kind; those that add to
//! what is shown wait for each other, and none is lost.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::{Effect, FileStructure, LastSession, NotificationKind, Session};
use crate::scene::{Attachment, EntityId};
use maquette_assets::lint::Findings;
use maquette_assets::material::SurfaceMaterial;
use maquette_assets::open::{Assembly, AssemblyPart, EditedPart, MaterialNames, ModelAsset, OpenError, Source};
use maquette_assets::vfs::SearchOrder;
use maquette_core::compare::Difference;
use maquette_core::edit::Edit;
use maquette_core::error::counted;
use maquette_core::model::Format;

/// What is to be read.
#[derive(Clone, Debug)]
pub enum Load {
    /// Files, folders or archives: the first model among them, the others to go through.
    Open(Vec<PathBuf>),
    /// One of the models to go through, which stay as they are; with the figure it is a part of.
    Show(PathBuf),
    /// What is intact of a damaged model.
    Salvage(PathBuf),
    /// The built-in figure.
    Sample(Format),
    /// The same files again.
    Sources(Vec<(EntityId, Source)>),
    /// A folder or an archive that is searched before the models' own games from now on; these files again.
    Root(PathBuf, Vec<(EntityId, Source)>),
    /// A model to be attached, with what belongs to it.
    Model(PathBuf),
    /// The models of a folder or an archive, or beside a file: the ones to go through; nothing is shown.
    List(PathBuf),
    /// The models beside a file that is open already: the ones to go through.
    Beside(PathBuf),
    /// Animations for the mesh of a part.
    Animations(Box<ModelAsset>, Vec<PathBuf>),
    /// A picture.
    Picture(PathBuf),
    /// A file to be taken apart, or the bytes that it has with changes that are not saved.
    Anatomy(PathBuf, Option<Arc<Vec<u8>>>),
    /// A model that a part is compared with.
    Compare(Box<ModelAsset>, PathBuf),
    /// A part to be looked at with the rules of one of the lint profiles.
    Lint(Box<ModelAsset>, usize),
    /// Skins for those of these parts whose surfaces they name.
    Skins(Vec<(EntityId, ModelAsset)>, Vec<PathBuf>),
    /// A part with its file changed in memory.
    Edit(Box<(ModelAsset, Source)>, Vec<Edit>),
    /// These files from disk, without the changes that are not saved.
    Discard(Vec<(EntityId, Source)>),
    /// The textures and shaders that a surface of this model's file can name.
    MaterialNames(PathBuf, Format),
}

impl Intent {
    /// Whether everything that is shown was read for it.
    #[must_use]
    pub fn reads_everything(&self) -> bool {
        matches!(self, Self::Show { .. } | Self::Refresh { .. } | Self::Quietly | Self::AddRoot(_))
    }
}

impl Load {
    /// Whether it takes the place of everything that is shown.
    #[must_use]
    pub fn replaces(&self) -> bool {
        matches!(self, Self::Open(_) | Self::Show(_) | Self::Salvage(_) | Self::Sample(_))
    }

    /// The file it is about, for messages.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Open(paths) | Self::Animations(_, paths) | Self::Skins(_, paths) => {
                paths.first().cloned().unwrap_or_default()
            }
            Self::Edit(part, _) => part.1.file.clone(),
            Self::Sources(sources) | Self::Discard(sources) => {
                sources.first().map(|(_, source)| source.file.clone()).unwrap_or_default()
            }
            Self::Lint(asset, _) => asset.file.clone().unwrap_or_default(),
            Self::Sample(format) => PathBuf::from(format.traits().sample.unwrap_or_default()),
            Self::Show(path)
            | Self::Salvage(path)
            | Self::Model(path)
            | Self::Picture(path)
            | Self::Anatomy(path, _)
            | Self::Compare(_, path)
            | Self::List(path)
            | Self::Beside(path)
            | Self::MaterialNames(path, _)
            | Self::Root(path, _) => path.clone(),
        }
    }
}

/// What the answer to a load is for.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// It takes the place of what is shown.
    Show {
        /// The file that comes into focus; none: the first.
        focus: Option<PathBuf>,
        /// How it is to stand: as a session ended.
        restore: Option<Box<LastSession>>,
        /// A dropped model that could be attached to what was shown before instead.
        attachable: Option<PathBuf>,
    },
    /// Newer states of the same files; camera, place and choices stay.
    Refresh {
        /// The file that another program has changed; none if the user asked.
        because: Option<String>,
    },
    /// The same where what happened was told already.
    Quietly,
    /// This folder or archive is searched, too; what is shown is read again.
    AddRoot(PathBuf),
    /// A model is attached here.
    Attach {
        /// Where.
        to: Attachment,
        /// It was dropped, and could be opened instead.
        dropped: bool,
    },
    /// A picture is tried on surfaces, or on all of them.
    TryOn {
        /// Whose surface.
        entity: EntityId,
        /// Which; none: all.
        surface: Option<usize>,
        /// Further ones.
        others: Vec<usize>,
    },
    /// The models to go through are other ones; what is shown stays.
    List,
    /// The same, with nothing to tell: they lie beside what was saved.
    Beside,
    /// Animations are added to an entity's mesh, and the first of them plays.
    AddAnimations(EntityId),
    /// Skins are added, and the last of them is worn.
    AddSkins,
    /// A file is shown byte by byte.
    Anatomy,
    /// A part is compared with a model.
    Compare(EntityId),
    /// What is wrong with a part is listed.
    Lint {
        /// Number of its entity.
        number: u64,
        /// Which of the profiles.
        profile: usize,
    },
    /// The file of an entity is changed in memory.
    Edit {
        /// Which.
        entity: EntityId,
        /// What is done, for the list of undo.
        what: &'static str,
        /// The same with what it is done to.
        told: String,
        /// Surfaces that get another shader path; no texture that was set on them hides it.
        surfaces: Vec<usize>,
    },
    /// Changes that are not saved are dropped.
    Discard,
    /// A shader path is typed.
    MaterialNames,
}

/// Goes with a load to the loader and comes back with the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    /// Counts the loads of a session from 1.
    pub id: u64,
    /// What the answer is for.
    pub intent: Intent,
    /// Whose files come first for a model in one of a game's archives.
    pub order: SearchOrder,
    /// Folders and archives that are searched before the models' own games, the last one first.
    pub search_folders: Vec<PathBuf>,
    /// Megabytes that the images of a model may take.
    pub image_memory: u32,
}

/// What was read.
pub enum Loaded {
    /// A model, or a whole figure.
    Assembly(Assembly),
    /// Newer states of parts, or parts with a further skin each.
    Parts(Vec<(EntityId, ModelAsset)>),
    /// A part with further animations, and why others were not added.
    Animations(Box<ModelAsset>, Vec<OpenError>),
    /// Models to be attached together.
    Members(Vec<AssemblyPart>),
    /// A picture.
    Picture(SurfaceMaterial),
    /// A file, taken apart.
    Anatomy(Arc<FileStructure>),
    /// Another model, and how a part differs from it.
    Difference(Box<ModelAsset>, Arc<Difference>),
    /// What is wrong with a part.
    Findings(Arc<Findings>),
    /// A part whose file was changed in memory.
    Edited(Box<EditedPart>),
    /// Textures and shaders that exist.
    MaterialNames(Arc<MaterialNames>),
    /// Nothing but the list of models.
    Listed,
}

/// The answer to a load.
pub struct LoadAnswer {
    /// The ticket that the load came with.
    pub ticket: Ticket,
    /// What was read, or why nothing was.
    pub result: Result<Loaded, OpenError>,
    /// The models to go through from now on, whether or not the first could be opened; `None` leaves the list as it is.
    pub list: Option<ModelList>,
    /// The one file, folder or archive that was asked for by hand, without `..`.
    pub opened: Option<PathBuf>,
    /// When it began: what is written later has not been read.
    pub began: SystemTime,
    /// How long it took.
    pub took: Duration,
}

/// Models to go through.
pub struct ModelList {
    /// The files, in order.
    pub models: Vec<PathBuf>,
    /// Those of them that a later archive of their game, or a loose file, replaces; and the name of what does.
    pub replaced: HashMap<PathBuf, String>,
    /// Files beside them of model formats that are not read here: how many are called `.iqm` and the like.
    pub left_out: BTreeMap<String, usize>,
    /// Whether the user named the list: a folder, an archive or several models. A single file brings its folder along.
    pub asked_for: bool,
}

/// Loads under way and waiting.
#[derive(Debug, Default)]
pub struct Loads {
    /// Id of the one the loader works on, and whether it replaces what is shown.
    running: Option<(u64, bool)>,
    waiting: VecDeque<(Load, Intent)>,
    last_id: u64,
    /// The one the loader works on changes a file in memory.
    edits: bool,
    /// A file of what is shown that changed while something else was to be shown.
    pub(super) changed: Option<PathBuf>,
}

impl Loads {
    /// Whether anything is on its way.
    pub(super) fn are_under_way(&self) -> bool {
        self.running.is_some() || !self.waiting.is_empty()
    }

    /// Whether something that replaces what is shown is on its way.
    #[must_use]
    pub fn will_replace(&self) -> bool {
        self.running.is_some_and(|(_, replaces)| replaces) || self.waiting.iter().any(|(load, _)| load.replaces())
    }
}

impl Session {
    /// Puts a load in line; gives the one that can begin now.
    pub(super) fn load(&mut self, load: Load, intent: Intent) -> Option<Effect> {
        let loads = &mut self.jobs.loads;
        if load.replaces() {
            loads.waiting.retain(|(other, _)| !other.replaces());
            // The loader gives up what a newer one supersedes; its answer is not waited for.
            loads.running = loads.running.filter(|(_, replaces)| !replaces);
        }
        // One look at the disk shows all that was saved until then.
        let is_refresh = |intent: &Intent| matches!(intent, Intent::Refresh { .. });
        if is_refresh(&intent) && loads.waiting.iter().any(|(_, waiting)| is_refresh(waiting)) {
            return None;
        }
        let name = load.path().file_name().map(|name| name.to_string_lossy().into_owned());
        self.jobs.loading = Some(name.unwrap_or_default());
        self.jobs.loads.waiting.push_back((load, intent));
        self.next_load()
    }

    /// Shows files in place of what is shown.
    pub(super) fn open(&mut self, paths: Vec<PathBuf>, restore: Option<Box<LastSession>>) -> Option<Effect> {
        self.interface.path_field = None;
        let focus = single_path(&paths);
        self.load(Load::Open(paths), Intent::Show { focus, restore, attachable: None })
    }

    /// The same for a drop; one model among them could be attached to what is shown instead.
    pub(super) fn open_dropped(&mut self, paths: Vec<PathBuf>, attachable: Option<PathBuf>) -> Option<Effect> {
        let focus = single_path(&paths);
        self.load(Load::Open(paths), Intent::Show { focus, restore: None, attachable })
    }

    /// Shows one of the models to go through.
    pub(super) fn open_listed(&mut self, path: PathBuf) -> Option<Effect> {
        self.requested_path = Some(path.clone());
        let focus = Some(path.clone());
        self.load(Load::Show(path), Intent::Show { focus, restore: None, attachable: None })
    }

    /// Shows what is intact of a damaged model.
    pub(super) fn salvage(&mut self, path: PathBuf) -> Option<Effect> {
        self.requested_path = Some(path.clone());
        let focus = Some(path.clone());
        self.load(Load::Salvage(path), Intent::Show { focus, restore: None, attachable: None })
    }

    /// Reads what is shown again.
    pub(super) fn reload(&mut self, because: Option<String>) -> Option<Effect> {
        let sources: Vec<_> = self.document.scene.sources().collect();
        if sources.is_empty() { None } else { self.load(Load::Sources(sources), Intent::Refresh { because }) }
    }

    /// Gives up everything that is being read or waits; what is shown stays.
    pub(super) fn cancel_loads(&mut self) -> Option<Effect> {
        self.jobs.loading.as_ref()?;
        self.forget_loads();
        let text = self.name().map_or_else(|| "Cancelled".to_owned(), |name| format!("Cancelled; {name} stays open"));
        self.log(NotificationKind::Done, text);
        // Another load ends the one that runs.
        let changed = self.jobs.loads.changed.take();
        changed.and_then(|path| self.file_changed(&path)).or(Some(Effect::CancelLoads))
    }

    /// Nothing that is being read or waits is wanted any more.
    pub(super) fn forget_loads(&mut self) {
        self.jobs.loading = None;
        self.jobs.loads.running = None;
        self.jobs.loads.edits = false;
        self.jobs.loads.waiting.clear();
    }

    /// Whether a change of a file is on its way.
    pub(super) fn is_editing(&self) -> bool {
        let loads = &self.jobs.loads;
        loads.edits || loads.waiting.iter().any(|(load, _)| matches!(load, Load::Edit(..)))
    }

    /// Whether the answer with this ticket is waited for.
    #[must_use]
    pub fn awaits(&self, ticket: &Ticket) -> bool {
        self.jobs.loads.running.is_some_and(|(running, _)| running == ticket.id)
    }

    /// The next load, if none runs.
    fn next_load(&mut self) -> Option<Effect> {
        while self.jobs.loads.running.is_none() {
            let Some((load, intent)) = self.jobs.loads.waiting.pop_front() else {
                self.jobs.loading = None;
                return None;
            };
            if let Some(load) = self.up_to_date(load, &intent) {
                self.jobs.loads.last_id += 1;
                let mut search_folders = self.search_folders.clone();
                if let Load::Root(root, _) = &load {
                    search_folders.retain(|known| known != root);
                    search_folders.push(root.clone());
                }
                let ticket = Ticket {
                    id: self.jobs.loads.last_id,
                    intent,
                    order: self.search_order,
                    search_folders,
                    image_memory: self.preferences.image_memory,
                };
                self.jobs.loads.running = Some((ticket.id, load.replaces()));
                self.jobs.loads.edits = matches!(load, Load::Edit(..));
                return Some(Effect::Load(ticket, load));
            }
        }
        None
    }

    /// What a load carries of the scene, as the scene is now: what came while it waited must not be lost. None if what it
    /// was for has gone.
    fn up_to_date(&mut self, load: Load, intent: &Intent) -> Option<Load> {
        Some(match (load, intent) {
            (Load::Sources(_), _) => {
                let sources: Vec<_> = self.document.scene.sources().collect();
                return (!sources.is_empty()).then_some(Load::Sources(sources));
            }
            (Load::Root(root, _), _) => Load::Root(root, self.document.scene.sources().collect()),
            (Load::Skins(_, paths), _) => {
                let parts = self.document.scene.entities().iter().map(|entity| (entity.id, entity.asset.clone()));
                Load::Skins(parts.collect(), paths)
            }
            (Load::Animations(_, paths), Intent::AddAnimations(entity)) => match self.document.scene.entity(*entity) {
                Some(entity) => Load::Animations(Box::new(entity.asset.clone()), paths),
                None => {
                    self.gone();
                    return None;
                }
            },
            (Load::Anatomy(path, _), _) => {
                let bytes = self.unsaved_bytes(&path);
                Load::Anatomy(path, bytes)
            }
            (Load::Edit(_, edits), Intent::Edit { entity, .. }) => {
                let entity = self.document.scene.entity(*entity)?;
                Load::Edit(Box::new((entity.asset.clone(), entity.source()?)), edits)
            }
            (Load::Discard(_), _) => Load::Discard(self.discarded_sources()),
            (load, _) => load,
        })
    }

    /// Whether a list that one file brought along leaves the one that was asked for as it is: the file is in that, or
    /// brings nothing to go through.
    fn keeps_list(&self, file: Option<&Path>, brought: &ModelList) -> bool {
        let is_listed = file.is_some_and(|file| self.model_list.iter().any(|listed| listed == file));
        // A sample brings an empty list: it lies in no folder.
        self.list_asked_for && (is_listed || brought.models.len() == 1)
    }

    /// The one door by which files enter: does with the answer what its ticket says. An answer that is not waited for any
    /// more is dropped. Gives the load that can begin now.
    pub fn loaded(&mut self, answer: LoadAnswer) -> Option<Effect> {
        let LoadAnswer { ticket, mut result, list, opened, took, .. } = answer;
        if !self.awaits(&ticket) {
            return None;
        }
        self.jobs.loads.running = None;
        self.jobs.loads.edits = false;
        match &mut result {
            Ok(Loaded::Parts(parts)) => parts.iter_mut().for_each(|(_, asset)| self.catch_up(asset)),
            Ok(Loaded::Animations(asset, _)) => self.catch_up(asset),
            _ => {}
        }
        if !self.jobs.loads.are_under_way() {
            self.jobs.dressings.clear();
        }
        let is_list = list.is_some();
        // A list of one model gives way to that of the next file.
        let asked_for = list.as_ref().is_some_and(|list| list.asked_for && list.models.len() > 1);
        let before = Arc::clone(&self.model_list);
        let file =
            if let Intent::Show { focus, .. } = &ticket.intent { focus.as_deref().or(opened.as_deref()) } else { None };
        // A load that opened nothing leaves list and mark as they are for the model that stays open.
        let model_stays = result.is_err() && self.asset().is_some();
        if let Some(list) = list.filter(|list| !model_stays && (list.asked_for || !self.keeps_list(file, list))) {
            self.model_list = list.models.into();
            self.replaced_models = list.replaced.into();
            self.left_out = list.left_out;
            self.list_asked_for = asked_for;
        }
        let milliseconds = took.as_secs_f64() * 1000.0;
        match (ticket.intent, result) {
            (Intent::Anatomy, Ok(Loaded::Anatomy(file))) => {
                let path = file.path.clone();
                self.taken_apart(&path, Ok(file));
            }
            (Intent::Compare(a), Ok(Loaded::Difference(asset, difference))) => self.compared(a, *asset, difference),
            (Intent::Lint { number, profile }, Ok(Loaded::Findings(findings))) => {
                self.linted(number, profile, findings);
            }
            (Intent::Edit { entity, what, told, surfaces }, Ok(Loaded::Edited(part))) => {
                self.edited(entity, (what, told), &surfaces, *part);
            }
            (Intent::Edit { .. } | Intent::Discard, Err(error)) => {
                self.note(NotificationKind::Failed, format!("{} was not changed: {}", error.name(), error.reason()));
            }
            (Intent::Discard, Ok(Loaded::Parts(parts))) => self.discarded(parts),
            (Intent::MaterialNames, Ok(Loaded::MaterialNames(names))) => self.interface.material_names = Some(names),
            // Without them one types all of it; without a list one opens what is next.
            (Intent::MaterialNames | Intent::Beside, Err(_)) | (Intent::Beside, Ok(Loaded::Listed)) => {}
            (Intent::Anatomy, Err(error)) => self.taken_apart(&error.path, Err(error.reason())),
            (intent, Err(error)) => {
                if let Intent::Show { focus, .. } = intent
                    && !model_stays
                {
                    self.requested_path = focus;
                }
                self.fail(&error);
                if let Some(path) = self.jobs.loads.changed.take() {
                    return self.file_changed(&path).or_else(|| self.next_load());
                }
            }
            (Intent::Show { focus, restore, attachable }, Ok(Loaded::Assembly(assembly))) => {
                if let Some(opened) = opened {
                    self.preferences.opened(&opened);
                }
                self.jobs.loads.changed = None;
                // A figure among the models one goes through does not open the panel again and again.
                let is_new_figure = assembly.members.len() > 1 && is_list && self.document.scene.figure.is_none();
                self.interface.panels.files |= asked_for || is_new_figure;
                self.show_in_place(assembly, focus, attachable.map(|file| (file, before)));
                let begun = match restore {
                    Some(last) => self.restore(&last),
                    None => {
                        self.document.scene.play_sample_wave();
                        None
                    }
                };
                let name = self.name().unwrap_or_default().to_owned();
                if self.asset().is_some_and(|asset| asset.salvaged) {
                    let detail = "Only the intact part of the file is shown; see Issues";
                    self.notify(NotificationKind::Warning, format!("{name} is damaged"), detail);
                } else {
                    self.note(NotificationKind::Done, format!("Opened {name} in {milliseconds:.0} ms"));
                }
                if begun.is_some() {
                    return begun;
                }
            }
            (intent @ (Intent::Refresh { .. } | Intent::Quietly | Intent::AddRoot(_)), Ok(Loaded::Parts(parts))) => {
                // Its bytes may be others now.
                self.interface.anatomy = None;
                if let Intent::AddRoot(root) = &intent {
                    self.search_folders.retain(|known| known != root);
                    self.search_folders.push(root.clone());
                }
                let names: Vec<&str> = parts.iter().map(|(_, part)| part.name.as_str()).collect();
                let text = match names.as_slice() {
                    [] => "Search folder added".to_owned(),
                    names => format!("Reloaded {} in {milliseconds:.0} ms", names.join(", ")),
                };
                self.replace(parts);
                match intent {
                    Intent::Refresh { because: Some(file) } => self.tell_reloaded(&file),
                    Intent::Quietly => {}
                    _ => self.note(NotificationKind::Done, text),
                }
            }
            (Intent::Attach { to, dropped }, Ok(Loaded::Members(members))) => self.attach(members, &to, dropped),
            (Intent::TryOn { entity, surface, others }, Ok(Loaded::Picture(material))) => {
                if self.try_on(entity, surface, &others, &material) {
                    let target = self.texture_target(entity, surface, &others);
                    self.note(NotificationKind::Done, format!("{} applied to {target}", material.name));
                }
            }
            (Intent::List, Ok(Loaded::Listed)) => {
                self.interface.panels.files = true;
                self.note(
                    NotificationKind::Done,
                    format!("Listed {}", counted(self.model_list.len(), "model", "models")),
                );
            }
            (Intent::AddAnimations(entity), Ok(Loaded::Animations(part, refused))) => {
                self.play_new(entity, *part, &refused);
            }
            (Intent::AddSkins, Ok(Loaded::Parts(parts))) => self.wear_new(parts),
            (intent, Ok(_)) => log::error!("an answer of another kind than was asked for: {intent:?}"),
        }
        self.next_load()
    }
}

/// Returns the absolute path of the only file; `None` if there are several.
fn single_path(paths: &[PathBuf]) -> Option<PathBuf> {
    if let [path] = paths { std::path::absolute(path).ok() } else { None }
}
