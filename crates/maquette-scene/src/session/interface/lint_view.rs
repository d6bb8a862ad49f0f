//! Lint view: findings in the focused part for one engine.

use std::sync::Arc;

use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{Effect, Interface, Session};
use maquette_assets::lint::{self, Findings, LintInput, PROFILES, Profile};

/// State of the lint view.
#[derive(Clone, Debug)]
pub struct LintView {
    /// Number of the checked entity. A reload changes the number.
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
    /// Returns the findings in the focused part, if the lint view has requested them.
    #[must_use]
    pub fn lint_findings(&self) -> Option<&Findings> {
        let number = self.entity()?.number;
        self.interface.lint.as_ref().filter(|view| view.number == number)?.findings.as_deref()
    }

    pub(crate) fn lint(&mut self, profile: usize) -> Option<Effect> {
        let entity = self.entity()?;
        let (number, file) = (entity.number, entity.asset.file.clone());
        self.interface.lint = Some(LintView { number, profile, findings: None });
        self.load(QueuedLoad::new(file.unwrap_or_default(), move |session| {
            let mut entities = session.document.scene.entities().iter();
            let asset = entities.find(|entity| entity.number == number)?.asset.clone();
            on_loader(move |_| {
                let findings = lint::check(LintInput::new(&asset), PROFILES.get(profile).copied(), None);
                then_update(move |session| session.interface.linted(number, profile, Arc::new(findings)))
            })
        }))
    }
}
