//! What is wrong with the part in focus for an engine.

use std::sync::Arc;

use super::{Effect, Load, Session};
use maquette_assets::lint::{Findings, PROFILES, Profile};

/// What the panel shows, or is about to.
#[derive(Clone, Debug)]
pub struct LintView {
    /// Number of the entity that is looked at; another one after a reload.
    pub number: u64,
    /// Which of the [`PROFILES`].
    pub profile: usize,
    /// What was found, once it is.
    pub findings: Option<Arc<Findings>>,
}

impl LintView {
    /// The engine.
    #[must_use]
    pub fn engine(&self) -> Option<&'static Profile> {
        PROFILES.get(self.profile)
    }
}

impl Session {
    /// Findings in the part in focus, if the panel Lint has asked for them.
    #[must_use]
    pub fn lint_findings(&self) -> Option<&Findings> {
        let number = self.entity()?.number;
        self.interface.lint.as_ref().filter(|view| view.number == number)?.findings.as_deref()
    }

    /// Looks at the part in focus with the rules of an engine.
    pub(super) fn lint(&mut self, profile: usize) -> Option<Effect> {
        let entity = self.entity()?;
        let (number, part) = (entity.number, Box::new(entity.asset.clone()));
        self.interface.lint = Some(LintView { number, profile, findings: None });
        self.load(Load::Lint { number, part, profile })
    }

    /// The answer, if it is still the one that is asked for.
    pub(super) fn linted(&mut self, number: u64, profile: usize, findings: Arc<Findings>) {
        let view = self.interface.lint.as_mut();
        if let Some(view) = view.filter(|view| (view.number, view.profile) == (number, profile)) {
            view.findings = Some(findings);
        }
    }
}
