//! Lint view: findings in all parts for one engine.

use std::sync::Arc;

use crate::scene::{Entity, EntityId, Scene};
use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{DockTab, Effect, ProblemKind, Session};
use maquette_assets::lint::{self, Findings, LintInput, PROFILES, Profile};

/// State of the lint view.
#[derive(Clone, Debug)]
pub struct LintView {
    /// The checked entities and their numbers. A reload changes the number.
    parts: Vec<(EntityId, u64)>,
    /// Index into [`PROFILES`].
    pub profile: usize,
    /// The findings of each entity, once the check is done.
    pub findings: Option<Vec<Arc<Findings>>>,
}

impl LintView {
    /// Returns the profile of the engine.
    pub fn engine(&self) -> Option<&'static Profile> {
        PROFILES.get(self.profile).copied()
    }
}

impl Scene {
    fn numbers(&self) -> Vec<(EntityId, u64)> {
        self.entities().iter().map(|entity| (entity.id, entity.number)).collect()
    }
}

impl Session {
    /// Returns the findings of each part for the engine of the last check. Empty while the check runs, or if a part
    /// changed since.
    pub fn lint_findings(&self) -> Vec<(&Entity, &Findings)> {
        let view = self.interface.lint.as_ref().filter(|view| view.parts == self.document.scene.numbers());
        let findings = view.and_then(|view| view.findings.as_ref()).into_iter().flatten();
        self.document.scene.entities().iter().zip(findings.map(AsRef::as_ref)).collect()
    }

    /// Returns whether the parts were checked for an engine, or are being checked.
    pub fn is_linted_for(&self, profile: usize) -> bool {
        let view = self.interface.lint.as_ref();
        view.is_some_and(|view| view.profile == profile && view.parts == self.document.scene.numbers())
    }

    /// Returns the index of the engine that the parts should be checked for without a request: the last engine if a
    /// part changed after the check, or the focused part's own engine if the check of the list found errors in a part
    /// or a tag is mirrored.
    fn due_lint(&self) -> Option<usize> {
        // The Lint panel requests its own findings.
        let is_idle = self.interface.panels.dock != Some(DockTab::Lint);
        let (focus, scene) = (self.entity().filter(|_| is_idle)?, &self.document.scene);
        let is_shown = |view: &&LintView| view.parts.iter().any(|(id, _)| scene.entity(*id).is_some());
        if let Some(view) = self.interface.lint.as_ref().filter(is_shown) {
            return (view.parts != scene.numbers()).then_some(view.profile);
        }
        let check = &self.interface.folder_check;
        let is_due = |entity: &Entity| {
            let known = entity.asset.file.as_deref().and_then(|file| check.problems(file)).unwrap_or_default();
            known.iter().any(|problem| problem.is_fault && matches!(problem.kind, ProblemKind::Engine(_)))
                || entity.pose.tags.iter().any(|tag| tag.matrix3.determinant() < 0.0)
        };
        scene.entities().iter().any(is_due).then(|| check.engine_of(&focus.asset))
    }

    /// Starts the check that [`Session::due_lint`] asks for, in the background.
    pub(in crate::session) fn start_due_lint(&mut self) -> Option<Effect> {
        let profile = self.due_lint()?;
        self.load_lint(profile, QueuedLoad::in_background)
    }

    /// Checks all parts for an engine. `how` sets how the check is queued.
    pub(in crate::session) fn load_lint(
        &mut self,
        profile: usize,
        how: impl FnOnce(QueuedLoad) -> QueuedLoad,
    ) -> Option<Effect> {
        let file = self.entity()?.asset.file.clone();
        let parts = self.document.scene.numbers();
        self.interface.lint = Some(LintView { parts: parts.clone(), profile, findings: None });
        self.load(how(QueuedLoad::new(file.unwrap_or_default(), move |session| {
            let scene = &session.document.scene;
            let assets: Vec<_> = scene.entities().iter().map(|entity| entity.asset.clone()).collect();
            let is_current = scene.numbers() == parts;
            is_current.then_some(())?;
            on_loader(move |_| {
                let check = |asset| lint::check(LintInput::new(asset), PROFILES.get(profile).copied(), None);
                let findings: Vec<_> = assets.iter().map(|asset| Arc::new(check(asset))).collect();
                then_update(move |session| {
                    let view = session.interface.lint.as_mut();
                    let view = view.filter(|view| view.profile == profile && view.parts == parts);
                    view.into_iter().for_each(|view| view.findings = Some(findings.clone()));
                })
            })
        })))
    }
}
