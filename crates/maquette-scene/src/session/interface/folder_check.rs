//! Check of all listed models, in short loads between those of the scene.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{Effect, NotificationKind, Session};
use maquette_assets::lint::{self, LintInput};
use maquette_assets::material::MaterialResolver;
use maquette_assets::open::{ModelAsset, OpenCause, Opener, Skin};
use maquette_core::error::{Warnings, counted};
use maquette_core::model::{ClipSource, Model};

/// Time after which a load ends and lets others start.
const SLICE: Duration = Duration::from_millis(150);

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

/// Results of the check.
#[derive(Debug, Default)]
pub struct FolderCheck {
    problems: HashMap<PathBuf, Vec<FileProblem>>,
    /// Number of triangles of each model that opens.
    triangles: HashMap<PathBuf, usize>,
    /// Models whose files may have changed since.
    outdated: HashSet<PathBuf>,
    is_running: bool,
    /// Number of changes of the results.
    pub revision: u64,
}

impl FolderCheck {
    /// Returns the problems of a model; `None` if it is not checked yet.
    #[must_use]
    pub fn problems(&self, model: &Path) -> Option<&[FileProblem]> {
        self.problems.get(model).map(Vec::as_slice)
    }

    /// Returns the number of triangles of a model; `None` if it is not checked yet, or does not open.
    #[must_use]
    pub fn triangles(&self, model: &Path) -> Option<usize> {
        self.triangles.get(model).copied()
    }

    /// Returns the number of checked models that did not change since.
    #[must_use]
    pub fn count(&self) -> usize {
        self.problems.len() - self.outdated.len()
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
        self.problems.retain(|model, _| listed.contains(model));
        self.outdated.retain(|model| listed.contains(model));
        self.triangles.retain(|model, _| listed.contains(model));
        self.revision += 1;
    }

    fn take(&mut self, checked: Vec<(PathBuf, Vec<FileProblem>, Option<usize>)>) {
        for (model, problems, triangles) in checked {
            self.outdated.remove(&model);
            match triangles {
                Some(triangles) => self.triangles.insert(model.clone(), triangles),
                None => self.triangles.remove(&model),
            };
            self.problems.insert(model, problems);
        }
        self.revision += 1;
    }

    /// Lets the next check include a file that may have changed. Until then, its result stays.
    pub(crate) fn outdate(&mut self, model: &Path) {
        if self.problems.contains_key(model) {
            self.outdated.insert(model.to_path_buf());
            self.revision += 1;
        }
    }

    fn is_unchecked(&self, model: &Path) -> bool {
        !self.problems.contains_key(model) || self.outdated.contains(model)
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
            check.problems.clear();
        }
        check.is_running = true;
        check.revision += 1;
        self.load(next_slice())
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

    fn take_checked(&mut self, checked: Vec<(PathBuf, Vec<FileProblem>, Option<usize>)>) {
        self.interface.folder_check.take(checked);
        // The list may have changed since the slice began.
        self.interface.folder_check.keep(&self.model_list);
        let check = &self.interface.folder_check;
        if !check.is_running {
            return;
        }
        if self.model_list.iter().any(|model| check.is_unchecked(model)) {
            // The queue starts it after the loads that wait.
            self.load(next_slice());
            return;
        }
        self.interface.folder_check.is_running = false;
        if self.model_list.is_empty() {
            return;
        }
        let check = &self.interface.folder_check;
        let faulty = self.model_list.iter().filter_map(|model| check.problems(model));
        let faulty = faulty.filter(|problems| problems.iter().any(|problem| problem.is_fault())).count();
        let models = counted(self.model_list.len(), "model", "models");
        self.note(NotificationKind::Done, format!("Checked {models}: {faulty} with problems"));
    }
}

/// Returns a load that checks the listed models without a result, until its time is over.
fn next_slice() -> QueuedLoad {
    let load = QueuedLoad::new(PathBuf::new(), |session| {
        let check = &session.interface.folder_check;
        let unchecked = session.model_list.iter().filter(|model| check.is_unchecked(model));
        let unchecked: Vec<PathBuf> = unchecked.cloned().collect();
        on_loader(move |context| {
            let opener = context.opener.without_images();
            let mut checked = Vec::new();
            for model in unchecked {
                let (problems, triangles) = problems_of(&opener, &model);
                // The result of a cancelled search is incomplete.
                if (context.stop)() {
                    break;
                }
                checked.push((model, problems, triangles));
                if context.elapsed() > SLICE {
                    break;
                }
            }
            then_update(move |session| session.take_checked(checked))
        })
    });
    load.in_background()
}

/// Returns the problems of a model, and the number of triangles of its finest LOD if it opens.
fn problems_of(opener: &Opener, path: &Path) -> (Vec<FileProblem>, Option<usize>) {
    match opener.model(path) {
        Ok(asset) => {
            let finest = asset.model.surfaces().iter().filter(|surface| surface.lod == 0);
            (problems_in(&asset), Some(finest.map(|surface| surface.triangles.len()).sum()))
        }
        Err(error) if matches!(error.cause, OpenCause::Damaged(_)) => {
            (vec![FileProblem::Unreadable, FileProblem::Damaged], None)
        }
        Err(_) => (vec![FileProblem::Unreadable], None),
    }
}

fn problems_in(asset: &ModelAsset) -> Vec<FileProblem> {
    let model = &asset.model;
    let mut missing = Warnings::default();
    for skin in Skin::checked(&asset.skins) {
        MaterialResolver::warn_missing(model, &skin.materials, &mut missing);
    }
    let findings = lint::check(LintInput::new(asset), Some(asset.profile()), None);
    let missing = !missing.into_vec().is_empty();
    // Missing textures have a kind already.
    let warns = |finding: &lint::Finding| {
        finding.severity == lint::Severity::Warning && !(missing && finding.rule == "missing-texture")
    };
    let found = [
        (FileProblem::Damaged, asset.warnings.iter().any(|warning| warning.kind.loses_data())),
        (FileProblem::MissingTexture, missing),
        (FileProblem::EngineError, findings.count(lint::Severity::Error) > 0),
        (FileProblem::EngineWarning, findings.list.iter().any(warns)),
        (FileProblem::NoClips, lacks_clips(model)),
    ];
    found.into_iter().filter_map(|(problem, is_found)| is_found.then_some(problem)).collect()
}

fn lacks_clips(model: &Model) -> bool {
    let mut clips = model.clips().iter().filter(|clip| clip.source != ClipSource::BindPose);
    match (clips.next(), clips.next()) {
        (None, _) => model.frames().len() > 1 || !model.joints().is_empty(),
        // A clip that a file names on purpose is one, even if it is the only one.
        (Some(only), None) if matches!(only.source, ClipSource::AllFrames | ClipSource::FrameNames) => {
            model.frames().len() > 1 && only.count as usize == model.frames().len()
        }
        _ => false,
    }
}
