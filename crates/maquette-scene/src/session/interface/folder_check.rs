//! Check of all listed models, in short loads between those of the scene.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::triangle_counts::triangles_of;
use crate::loader::FileStamp;
use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{Effect, NotificationKind, Session};
use maquette_assets::lint::{self, LintInput, PROFILES, Profile, RULES, Severity, Topic};
use maquette_assets::open::{ModelAsset, OpenCause, Opener, Skin, SkinSource};
use maquette_core::error::counted;
use maquette_core::model::{ClipSource, Model};

/// Maximum number of reasons that are stored for a problem of a model; further ones are counted.
const SHOWN_REASONS: usize = 3;

/// Kind of problem of a listed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The file does not open.
    Unreadable,
    /// Data of the file is lost, or only a part of it can be opened.
    Damaged,
    /// An image that the model names does not exist.
    MissingImage,
    /// An image that a `.skin` file names does not exist.
    SkinPath,
    /// An image exists but cannot be decoded.
    UndecodableImage,
    /// Images are missing, but a skin of the model has all of its images.
    OtherSkin,
    /// Rules of this topic found errors or warnings.
    Engine(&'static Topic),
    /// The model has joints but no animation.
    NoAnimation,
    /// The model has several frames, and only a clip of all frames.
    NoClips,
}

impl ProblemKind {
    /// The kinds that do not depend on rules, the most severe first, and their labels.
    const OWN: [(Self, &str); 8] = [
        (Self::Unreadable, "Unreadable"),
        (Self::Damaged, "Damaged"),
        (Self::MissingImage, "Missing images"),
        (Self::SkinPath, "Wrong paths in .skin"),
        (Self::UndecodableImage, "Undecodable images"),
        (Self::OtherSkin, "Only in some skins"),
        (Self::NoAnimation, "No animation"),
        (Self::NoClips, "No named clips"),
    ];

    /// Returns the kinds, those of rules last.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut kinds: Vec<Self> = Self::OWN.iter().map(|(kind, _)| *kind).collect();
        for kind in RULES.iter().map(|rule| Self::Engine(rule.topic)) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// Returns the label.
    pub fn label(self) -> &'static str {
        match self {
            Self::Engine(topic) => topic.title,
            own => Self::OWN.iter().find(|(kind, _)| *kind == own).map_or("", |(_, label)| *label),
        }
    }
}

/// Problem of a listed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileProblem {
    /// Kind.
    pub kind: ProblemKind,
    /// Whether the problem is a fault. Otherwise, it may be as the author of the model wants.
    pub is_fault: bool,
    /// First reason in a few words, which begin with a lower-case letter.
    pub short: String,
    /// Line with the label and the first reasons.
    pub line: String,
}

/// Result of a checked model.
#[derive(Debug, Default)]
struct CheckedModel {
    problems: Vec<FileProblem>,
    /// Stamp of the file before the check.
    stamp: FileStamp,
    /// Whether a file of the model may have changed since.
    is_outdated: bool,
}

/// Results of the check.
#[derive(Debug, Default)]
pub struct FolderCheck {
    models: HashMap<PathBuf, CheckedModel>,
    /// Index of the engine in [`PROFILES`] that all models are checked for; `None` for the engine of each model.
    engine: Option<usize>,
    /// Models that the running check is limited to.
    only: Option<HashSet<PathBuf>>,
    is_running: bool,
    /// Models of which a file changed since the running slice began.
    changed: HashSet<PathBuf>,
    /// Number of checked models that did not change since.
    count: usize,
    /// Number of models with a fault.
    faulty: usize,
    /// Number of changes of the results.
    pub revision: u64,
}

impl FolderCheck {
    /// Returns the problems of a model; `None` if it is not checked yet.
    pub fn problems(&self, model: &Path) -> Option<&[FileProblem]> {
        self.models.get(model).map(|checked| checked.problems.as_slice())
    }

    /// Whether a model has a fault.
    pub fn is_faulty(&self, model: &Path) -> bool {
        self.problems(model).is_some_and(|all| all.iter().any(|problem| problem.is_fault))
    }

    /// Returns the index of the engine that all models are checked for; `None` for the engine of each model.
    pub fn engine(&self) -> Option<usize> {
        self.engine
    }

    /// Returns the index of the engine that a model is checked for, in the list and alone.
    pub fn engine_of(&self, asset: &ModelAsset) -> usize {
        engine_of(self.engine, asset)
    }

    /// Returns the number of checked models that did not change since.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of models with a fault.
    pub fn faulty(&self) -> usize {
        self.faulty
    }

    /// Whether models are still being checked.
    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// Stops the check. The results stay.
    pub(crate) fn stop(&mut self) {
        self.is_running = false;
        self.revision += 1;
    }

    /// Keeps only the results of these models, because the list changed.
    pub(crate) fn keep(&mut self, models: &[PathBuf]) {
        let listed: HashSet<&PathBuf> = models.iter().collect();
        self.models.retain(|model, _| listed.contains(model));
        self.count = self.models.values().filter(|checked| !checked.is_outdated).count();
        let is_faulty = |checked: &&CheckedModel| checked.problems.iter().any(|problem| problem.is_fault);
        self.faulty = self.models.values().filter(is_faulty).count();
        self.revision += 1;
    }

    /// Lets the next check include a model of which a file changed. Until then, its result stays.
    pub(crate) fn outdate(&mut self, model: &Path) {
        self.changed.insert(model.to_path_buf());
        if let Some(checked) = self.models.get_mut(model).filter(|checked| !checked.is_outdated) {
            checked.is_outdated = true;
            self.count -= 1;
            self.revision += 1;
        }
    }

    /// Like [`Self::outdate`], if the file was written since the check.
    pub(crate) fn outdate_if_written(&mut self, model: &Path, stamp: FileStamp) {
        if self.models.get(model).is_none_or(|checked| checked.stamp != stamp) {
            self.outdate(model);
        }
    }

    fn is_wanted(&self, model: &PathBuf) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(model))
            && self.models.get(model).is_none_or(|checked| checked.is_outdated)
    }
}

impl Session {
    /// Checks the models of the list that are not checked yet, or else all of them again.
    pub(crate) fn check_files(&mut self) -> Option<Effect> {
        let (models, check) = (self.model_list.len(), &mut self.interface.folder_check);
        if check.is_running {
            return None;
        }
        if check.count() >= models {
            check.keep(&[]);
        }
        self.begin_check(None)
    }

    /// Checks the selected models of the list again.
    pub(crate) fn check_selected(&mut self) -> Option<Effect> {
        let (check, models) = (&mut self.interface.folder_check, &self.interface.selected_models);
        models.iter().for_each(|model| check.outdate(model));
        let only = models.iter().cloned().collect();
        self.begin_check(Some(only))
    }

    /// Checks models that Maquette saved again if the list shows their problems.
    pub(in crate::session) fn check_saved(&mut self, saved: impl IntoIterator<Item = PathBuf>) -> Option<Effect> {
        let check = &mut self.interface.folder_check;
        let known: HashSet<PathBuf> = saved.into_iter().filter(|model| check.models.contains_key(model)).collect();
        known.iter().for_each(|model| check.outdate(model));
        if known.is_empty() { None } else { self.begin_check(Some(known)) }
    }

    /// Checks all models of the list for an engine; `None` for the engine of each model.
    pub(crate) fn check_files_for(&mut self, engine: Option<usize>) -> Option<Effect> {
        let check = &mut self.interface.folder_check;
        check.engine = engine;
        check.keep(&[]);
        self.begin_check(None)
    }

    fn begin_check(&mut self, only: Option<HashSet<PathBuf>>) -> Option<Effect> {
        let check = &mut self.interface.folder_check;
        check.only = match (check.only.take(), only) {
            (Some(before), Some(more)) if check.is_running => Some(before.into_iter().chain(more).collect()),
            (None, Some(_)) if check.is_running => None,
            (_, only) => only,
        };
        check.revision += 1;
        if std::mem::replace(&mut check.is_running, true) { None } else { self.load(next_slice()) }
    }

    /// Returns the next model of the list that has a fault, after the current one. The search wraps around.
    pub fn next_problem(&self) -> Option<PathBuf> {
        let check = &self.interface.folder_check;
        let has_fault = |model: &&PathBuf| check.is_faulty(model);
        let current = self.model_list.iter().position(|model| Some(model) == self.requested_path.as_ref());
        let (before, after) = self.model_list.split_at_checked(current.map_or(0, |current| current + 1))?;
        after.iter().chain(before).find(has_fault).cloned()
    }

    pub(crate) fn open_next_problem(&mut self) -> Option<Effect> {
        if let Some(path) = self.next_problem() {
            return self.open_listed(path);
        }
        if self.interface.folder_check.count() < self.model_list.len() {
            return self.check_files();
        }
        self.note(NotificationKind::Done, "No model of the list has a problem");
        None
    }

    fn take_checked(&mut self, checked: Vec<(PathBuf, CheckedModel, Option<usize>)>, engine: Option<usize>) {
        let check = &mut self.interface.folder_check;
        let counts = checked.iter().map(|(model, result, triangles)| (model.clone(), (*triangles, result.stamp)));
        self.interface.triangle_counts.take(counts, &self.model_list);
        for (model, mut result, _) in checked.into_iter().filter(|_| check.engine == engine) {
            result.is_outdated = check.changed.contains(&model);
            check.models.insert(model, result);
        }
        // The list may have changed since the slice began.
        check.keep(&self.model_list);
        if !check.is_running {
            return;
        }
        if self.model_list.iter().any(|model| check.is_wanted(model)) {
            // The queue starts it after the loads that wait.
            self.load(next_slice());
            return;
        }
        check.is_running = false;
        if self.model_list.is_empty() {
            return;
        }
        let only = check.only.take();
        let is_meant = |model: &&PathBuf| only.as_ref().is_none_or(|only| only.contains(*model));
        let meant: Vec<&PathBuf> = self.model_list.iter().filter(is_meant).collect();
        let faulty = meant.iter().filter(|model| check.is_faulty(model)).count();
        let models = counted(meant.len(), "model", "models");
        self.note(NotificationKind::Done, format!("Checked {models}: {faulty} with problems"));
    }
}

/// Returns a load that checks the listed models without a result, until its time is over.
fn next_slice() -> QueuedLoad {
    let load = QueuedLoad::new(PathBuf::new(), |session| {
        let check = &mut session.interface.folder_check;
        check.changed.clear();
        session.interface.triangle_counts.begin_slice();
        let engine = check.engine;
        let wanted = session.model_list.iter().filter(|model| check.is_wanted(model));
        let wanted: Vec<PathBuf> = wanted.cloned().collect();
        on_loader(move |context| {
            let opener = context.opener.without_images();
            let checked = wanted.into_iter().map(|model| {
                let (result, triangles) = check_model(&opener, &model, engine);
                (model, result, triangles)
            });
            let checked = context.slice(checked);
            then_update(move |session| session.take_checked(checked, engine))
        })
    });
    let load = load.or_else(|session, error| {
        session.interface.folder_check.stop();
        session.fail(error);
    });
    load.in_background()
}

fn engine_of(chosen: Option<usize>, asset: &ModelAsset) -> usize {
    chosen.unwrap_or_else(|| asset.profile().index())
}

/// Returns the result of a model, and its number of triangles if it opens.
fn check_model(opener: &Opener, path: &Path, chosen: Option<usize>) -> (CheckedModel, Option<usize>) {
    let stamp = FileStamp::read(path);
    let mut engine = "";
    let (found, triangles) = match opener.model(path) {
        Ok(asset) => {
            let profile = PROFILES.get(engine_of(chosen, &asset)).copied().unwrap_or_else(|| asset.profile());
            engine = profile.title;
            (reasons_in(&asset, profile), Some(triangles_of(&asset.model)))
        }
        Err(error) => {
            let mut found = Vec::new();
            add(&mut found, ProblemKind::Unreadable, true, error.reason(), None);
            if matches!(error.cause, OpenCause::Damaged(_)) {
                add(&mut found, ProblemKind::Damaged, true, "a part can be opened".to_owned(), None);
            }
            (found, None)
        }
    };
    let mut problems: Vec<FileProblem> = found.into_iter().map(|reasons| reasons.problem(engine)).collect();
    problems.sort_by_key(|problem| !problem.is_fault);
    (CheckedModel { problems, stamp, is_outdated: false }, triangles)
}

/// Reasons of a problem.
struct Reasons {
    kind: ProblemKind,
    is_fault: bool,
    short: String,
    first: Vec<String>,
    count: usize,
}

impl Reasons {
    /// Formats the reasons, with the engine if it is a problem of the engine.
    fn problem(self, engine: &str) -> FileProblem {
        let label = self.kind.label();
        let more = self.count - self.first.len();
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        let of = if matches!(self.kind, ProblemKind::Engine(_)) { format!(" ({engine})") } else { String::new() };
        let line = format!("{label}{of}: {}{more}", self.first.join("; "));
        FileProblem { kind: self.kind, is_fault: self.is_fault, short: self.short, line }
    }
}

/// Adds a reason to the problem of its kind. Without `short`, the label and the reason describe the problem.
fn add(found: &mut Vec<Reasons>, kind: ProblemKind, is_fault: bool, reason: String, short: Option<String>) {
    let known = found.iter().position(|known| known.kind == kind).unwrap_or(found.len());
    if known == found.len() {
        let short = short.clone().unwrap_or_else(|| format!("{}: {reason}", kind.label()));
        found.push(Reasons { kind, is_fault, short, first: Vec::new(), count: 0 });
    }
    if let Some(known) = found.get_mut(known) {
        known.count += 1;
        // A fault comes before the warnings of its kind.
        if is_fault && !known.is_fault {
            known.is_fault = true;
            known.short = short.unwrap_or_else(|| format!("{}: {reason}", kind.label()));
            known.first.insert(0, reason);
            known.first.truncate(SHOWN_REASONS);
        } else {
            known.first.extend((known.first.len() < SHOWN_REASONS).then_some(reason));
        }
    }
}

fn reasons_in(asset: &ModelAsset, profile: &Profile) -> Vec<Reasons> {
    let mut found = Vec::new();
    for loss in asset.warnings.iter().filter(|warning| warning.kind.loses_data()) {
        add(&mut found, ProblemKind::Damaged, true, loss.to_string(), None);
    }
    let damaged = found.len();
    add_missing(asset, &mut found);
    let lacks_images = found.len() > damaged;
    for finding in lint::check(LintInput::new(asset), Some(profile), None).list {
        let Some(rule) = RULES.iter().find(|rule| rule.id == finding.rule) else { continue };
        // Missing textures have kinds already.
        if finding.severity == Severity::Note || (lacks_images && rule.id == "missing-texture") {
            continue;
        }
        let clause = finding.message.split(';').next().unwrap_or_default();
        let name = finding.location.name();
        let (reason, short) = if name.is_empty() {
            (finding.message.clone(), clause.to_owned())
        } else {
            (format!("{name}: {}", finding.message), format!("{clause}: {name}"))
        };
        let is_fault = finding.severity == Severity::Error || rule.topic.breaks;
        add(&mut found, ProblemKind::Engine(rule.topic), is_fault, reason, Some(short));
    }
    if let Some((kind, lack)) = lack_of_clips(&asset.model) {
        add(&mut found, kind, kind == ProblemKind::NoAnimation, lack.to_owned(), Some(lack.to_owned()));
    }
    found
}

/// Adds the missing images of all skins by their causes.
fn add_missing(asset: &ModelAsset, found: &mut Vec<Reasons>) {
    let (mut complete, mut lacking) = (0, Vec::new());
    for (_, skin) in Skin::checked(&asset.skins) {
        let with = if asset.skins.len() > 1 { format!(" (skin {})", skin.name) } else { String::new() };
        let mut names = HashSet::new();
        for (surface, material) in asset.model.surfaces().iter().zip(skin.materials.iter()) {
            let is_drawn = !surface.triangles.is_empty() && !asset.model.is_helper(surface);
            let Some(problem) = material.problem().filter(|_| is_drawn && names.insert(&material.name)) else {
                continue;
            };
            let file = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
            let is_of_file = matches!(skin.source, SkinSource::SkinFile(_)) && material.script.is_none();
            let (kind, short) =
                match (&material.unreadable, material.missing_image.as_deref().unwrap_or(&material.name)) {
                    (Some(image), _) => {
                        (ProblemKind::UndecodableImage, format!("undecodable: {}{with}", file(&image.path)))
                    }
                    (None, "") => (ProblemKind::MissingImage, problem.clone()),
                    (None, name) if is_of_file => (ProblemKind::SkinPath, format!("no {}{with}", file(name))),
                    (None, name) => (ProblemKind::MissingImage, format!("no {}{with}", file(name))),
                };
            let about = if surface.name.is_empty() { "material" } else { &surface.name };
            add(found, kind, true, format!("{about}: {problem}{with}"), Some(short));
        }
        if names.is_empty() {
            complete += 1;
        } else {
            lacking.push(skin.name.as_str());
        }
    }
    if complete > 0 && !lacking.is_empty() {
        let short = match lacking.as_slice() {
            [one] => format!("only in skin {one}"),
            several => format!("only in {} skins", several.len()),
        };
        add(found, ProblemKind::OtherSkin, true, lacking.join(", "), Some(short));
    }
}

/// Returns what the model lacks.
fn lack_of_clips(model: &Model) -> Option<(ProblemKind, &'static str)> {
    let mut clips = model.clips().iter().filter(|clip| clip.source != ClipSource::BindPose);
    match (clips.next(), clips.next()) {
        (None, _) => {
            let lacks = model.frames().len() > 1 || !model.joints().is_empty();
            lacks.then_some((ProblemKind::NoAnimation, "joints without clips"))
        }
        // A clip that a file names on purpose is one, even if it is the only one.
        (Some(only), None) if matches!(only.source, ClipSource::AllFrames | ClipSource::FrameNames) => {
            let has_all = model.frames().len() > 1 && only.count as usize == model.frames().len();
            has_all.then_some((ProblemKind::NoClips, "one clip of all frames"))
        }
        _ => None,
    }
}
