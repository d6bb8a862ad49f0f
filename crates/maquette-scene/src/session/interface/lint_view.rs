//! Lint view: findings in the focused part for one engine.

use std::sync::Arc;

use crate::scene::{Entity, EntityId};
use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{DockTab, Effect, Interface, ProblemKind, Session};
use maquette_assets::lint::{self, Findings, LintInput, PROFILES, Profile};

/// State of the lint view.
#[derive(Clone, Debug)]
pub struct LintView {
    /// The checked entity.
    pub entity: EntityId,
    /// Number of the entity. A reload changes the number.
    pub number: u64,
    /// Index into [`PROFILES`].
    pub profile: usize,
    /// The findings, once the check is done.
    pub findings: Option<Arc<Findings>>,
}

impl LintView {
    /// Returns the profile of the engine.
    #[must_use]
    pub fn engine(&self) -> Option<&'static Profile> {
        PROFILES.get(self.profile).copied()
    }
}

impl Interface {
    fn linted(&mut self, number: u64, profile: usize, findings: Arc<Findings>) {
        let view = self.lint.as_mut();
        if let Some(view) = view.filter(|view| (view.number, view.profile) == (number, profile)) {
            view.findings = Some(findings);
        }
    }
}

impl Session {
    /// Returns the part that was checked for an engine, and the findings. `None` if the part changed since.
    #[must_use]
    pub fn lint_findings(&self) -> Option<(&Entity, &Findings)> {
        let view = self.interface.lint.as_ref()?;
        let entity = self.document.scene.entity(view.entity).filter(|entity| entity.number == view.number)?;
        Some((entity, view.findings.as_deref()?))
    }

    /// Returns the index of the engine that the focused part should be checked for without a request: the last engine
    /// if the part changed after its check, or its own engine if the check of the list found errors or a tag is
    /// mirrored.
    fn due_lint(&self) -> Option<usize> {
        // The Lint panel requests its own findings.
        let is_idle = self.interface.panels.dock != Some(DockTab::Lint);
        let (entity, view) = (self.entity().filter(|_| is_idle)?, self.interface.lint.as_ref());
        if let Some(view) = view.filter(|view| view.entity == entity.id) {
            return (view.number != entity.number).then_some(view.profile);
        }
        let check = &self.interface.folder_check;
        let known = entity.asset.file.as_deref().and_then(|file| check.problems(file)).unwrap_or_default();
        let has_mirrored_tag = || entity.pose.tags.iter().any(|tag| tag.matrix3.determinant() < 0.0);
        let is_due = known.iter().any(|problem| problem.is_fault && matches!(problem.kind, ProblemKind::Engine(_)))
            || has_mirrored_tag();
        is_due.then(|| check.engine_of(&entity.asset))
    }

    /// Starts the check that [`Session::due_lint`] asks for, in the background.
    pub(in crate::session) fn start_due_lint(&mut self) -> Option<Effect> {
        let profile = self.due_lint()?;
        self.load_lint(self.document.focus?, profile, QueuedLoad::in_background)
    }

    pub(crate) fn lint(&mut self, profile: usize) -> Option<Effect> {
        self.load_lint(self.document.focus?, profile, |load| load)
    }

    /// Checks a part for an engine. `how` sets how the check is queued.
    pub(in crate::session) fn load_lint(
        &mut self,
        entity: EntityId,
        profile: usize,
        how: impl FnOnce(QueuedLoad) -> QueuedLoad,
    ) -> Option<Effect> {
        let entity = self.document.scene.entity(entity)?;
        let (id, number, file) = (entity.id, entity.number, entity.asset.file.clone());
        self.interface.lint = Some(LintView { entity: id, number, profile, findings: None });
        self.load(how(QueuedLoad::new(file.unwrap_or_default(), move |session| {
            let mut entities = session.document.scene.entities().iter();
            let asset = entities.find(|entity| entity.number == number)?.asset.clone();
            on_loader(move |_| {
                let findings = lint::check(LintInput::new(&asset), PROFILES.get(profile).copied(), None);
                then_update(move |session| session.interface.linted(number, profile, Arc::new(findings)))
            })
        })))
    }
}
