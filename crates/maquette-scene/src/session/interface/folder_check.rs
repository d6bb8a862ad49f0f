//! Check of all listed models, in short loads between those of the scene.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::loader::FileStamp;
use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{Effect, NotificationKind, Session};
use maquette_assets::lint::{self, Finding, LintInput, PROFILES, Profile};
use maquette_assets::material::MaterialResolver;
use maquette_assets::open::{ModelAsset, OpenCause, Opener, Skin};
use maquette_core::error::{Warnings, counted};
use maquette_core::model::{ClipSource, Model};

/// Maximum number of reasons that are stored for a problem of a model; further ones are counted.
const SHOWN_REASONS: usize = 3;

/// Kind of problem of a listed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileProblem {
    /// The file does not open.
    Unreadable,
    /// Data of the file is lost, or only a part of it can be opened.
    Damaged,
    /// The model or one of its skins lacks an image.
    MissingTexture,
    /// The engine of the format refuses the model or shows it wrongly.
    EngineError,
    /// The engine accepts the model, but something is probably not as meant, such as the name of a tag.
    EngineWarning,
    /// The model has joints but no animation, or several frames and only a clip of all frames.
    NoClips,
}

impl FileProblem {
    /// The kinds with their labels, the most severe first.
    pub const ALL: [(Self, &str); 6] = [
        (Self::Unreadable, "Unreadable"),
        (Self::Damaged, "Damaged"),
        (Self::MissingTexture, "Missing textures"),
        (Self::EngineError, "Engine errors"),
        (Self::EngineWarning, "Engine warnings"),
        (Self::NoClips, "No clips"),
    ];

    /// Whether the problem is a fault. The others may be as the author of the model wants.
    #[must_use]
    pub fn is_fault(self) -> bool {
        !matches!(self, Self::EngineWarning | Self::NoClips)
    }
}

/// Result of a checked model.
#[derive(Debug, Default)]
struct CheckedModel {
    problems: Vec<FileProblem>,
    /// Reason of each problem, after its label.
    reasons: Vec<String>,
    /// Number of triangles of the finest LOD, if the model opens.
    triangles: Option<usize>,
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
    #[must_use]
    pub fn problems(&self, model: &Path) -> Option<&[FileProblem]> {
        self.models.get(model).map(|checked| checked.problems.as_slice())
    }

    /// Returns a line for each problem of a model: its label and the reason.
    #[must_use]
    pub fn reasons(&self, model: &Path) -> &[String] {
        self.models.get(model).map_or(&[], |checked| checked.reasons.as_slice())
    }

    /// Returns the number of triangles of a model; `None` if it is not checked yet, or does not open.
    #[must_use]
    pub fn triangles(&self, model: &Path) -> Option<usize> {
        self.models.get(model)?.triangles
    }

    /// Returns the index of the engine that all models are checked for; `None` for the engine of each model.
    #[must_use]
    pub fn engine(&self) -> Option<usize> {
        self.engine
    }

    /// Returns the number of checked models that did not change since.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of models with a fault.
    #[must_use]
    pub fn faulty(&self) -> usize {
        self.faulty
    }

    /// Whether models are still being checked.
    #[must_use]
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
        let is_faulty = |checked: &&CheckedModel| checked.problems.iter().any(|problem| problem.is_fault());
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
    #[must_use]
    pub fn next_problem(&self) -> Option<PathBuf> {
        let check = &self.interface.folder_check;
        let has_fault =
            |model: &&PathBuf| check.problems(model).is_some_and(|all| all.iter().any(|one| one.is_fault()));
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

    fn take_checked(&mut self, checked: Vec<(PathBuf, CheckedModel)>, engine: Option<usize>) {
        let check = &mut self.interface.folder_check;
        for (model, mut result) in checked.into_iter().filter(|_| check.engine == engine) {
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
        let problems = meant.iter().filter_map(|model| check.problems(model));
        let faulty = problems.filter(|all| all.iter().any(|problem| problem.is_fault())).count();
        let models = counted(meant.len(), "model", "models");
        self.note(NotificationKind::Done, format!("Checked {models}: {faulty} with problems"));
    }
}

/// Returns a load that checks the listed models without a result, until its time is over.
fn next_slice() -> QueuedLoad {
    let load = QueuedLoad::new(PathBuf::new(), |session| {
        let check = &mut session.interface.folder_check;
        check.changed.clear();
        let engine = check.engine;
        let wanted = session.model_list.iter().filter(|model| check.is_wanted(model));
        let wanted: Vec<PathBuf> = wanted.cloned().collect();
        on_loader(move |context| {
            let opener = context.opener.without_images();
            let profile = engine.and_then(|engine| PROFILES.get(engine).copied());
            let checked = wanted.into_iter().map(|model| {
                let result = check_model(&opener, &model, profile);
                (model, result)
            });
            let checked = context.slice(checked);
            then_update(move |session| session.take_checked(checked, engine))
        })
    });
    load.in_background()
}

fn check_model(opener: &Opener, path: &Path, profile: Option<&Profile>) -> CheckedModel {
    let stamp = FileStamp::read(path);
    let mut engine = "";
    let (found, triangles) = match opener.model(path) {
        Ok(asset) => {
            let finest = asset.model.surfaces().iter().filter(|surface| surface.lod == 0);
            let triangles = finest.map(|surface| surface.triangles.len()).sum();
            let profile = profile.unwrap_or_else(|| asset.profile());
            engine = profile.title;
            (problems_in(&asset, profile), Some(triangles))
        }
        Err(error) => {
            let is_damaged = matches!(error.cause, OpenCause::Damaged(_));
            let reason = vec![error.reason()];
            let damaged = is_damaged.then(|| (FileProblem::Damaged, vec!["a part can be opened".to_owned()]));
            ([(FileProblem::Unreadable, reason)].into_iter().chain(damaged).collect(), None)
        }
    };
    let problems = found.iter().map(|(problem, _)| *problem).collect();
    let reasons = found.iter().map(|(problem, reasons)| line(*problem, reasons, engine)).collect();
    CheckedModel { problems, reasons, triangles, stamp, is_outdated: false }
}

/// Formats a problem with its first reasons, and the engine if it is a problem of the engine.
fn line(problem: FileProblem, reasons: &[String], engine: &str) -> String {
    let label = FileProblem::ALL.iter().find(|(known, _)| *known == problem).map_or("", |(_, label)| *label);
    let shown = reasons.get(..SHOWN_REASONS).unwrap_or(reasons).join("; ");
    let more = reasons.len().saturating_sub(SHOWN_REASONS);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    match problem {
        FileProblem::EngineError | FileProblem::EngineWarning => format!("{label} ({engine}): {shown}{more}"),
        _ => format!("{label}: {shown}{more}"),
    }
}

fn problems_in(asset: &ModelAsset, profile: &Profile) -> Vec<(FileProblem, Vec<String>)> {
    let mut missing = Warnings::default();
    for skin in Skin::checked(&asset.skins) {
        MaterialResolver::warn_missing(&asset.model, &skin.materials, &mut missing);
    }
    let missing: Vec<String> = missing.into_vec().iter().map(ToString::to_string).collect();
    let findings = lint::check(LintInput::new(asset), Some(profile), None);
    // Missing textures have a kind already.
    let of = |severity| {
        let is_meant = |finding: &&Finding| {
            finding.severity == severity && (missing.is_empty() || finding.rule != "missing-texture")
        };
        findings
            .list
            .iter()
            .filter(is_meant)
            .map(|finding| match finding.location.name() {
                "" => finding.message.clone(),
                name => format!("{name}: {}", finding.message),
            })
            .collect()
    };
    let losses = asset.warnings.iter().filter(|warning| warning.kind.loses_data()).map(ToString::to_string).collect();
    let (errors, warnings) = (of(lint::Severity::Error), of(lint::Severity::Warning));
    let found = [
        (FileProblem::Damaged, losses),
        (FileProblem::MissingTexture, missing),
        (FileProblem::EngineError, errors),
        (FileProblem::EngineWarning, warnings),
        (FileProblem::NoClips, lack_of_clips(&asset.model).map(str::to_owned).into_iter().collect()),
    ];
    found.into_iter().filter(|(_, reasons)| !reasons.is_empty()).collect()
}

fn lack_of_clips(model: &Model) -> Option<&'static str> {
    let mut clips = model.clips().iter().filter(|clip| clip.source != ClipSource::BindPose);
    match (clips.next(), clips.next()) {
        (None, _) => (model.frames().len() > 1 || !model.joints().is_empty()).then_some("joints without an animation"),
        // A clip that a file names on purpose is one, even if it is the only one.
        (Some(only), None) if matches!(only.source, ClipSource::AllFrames | ClipSource::FrameNames) => {
            let has_all = model.frames().len() > 1 && only.count as usize == model.frames().len();
            has_all.then_some("one clip of all frames")
        }
        _ => None,
    }
}
