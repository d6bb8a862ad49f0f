//! What is odd in the files of the scene: what it means, and where it stands.

use std::cmp::Reverse;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::Session;
use crate::scene::{Entity, EntityId};
use maquette_assets::material::MaterialResolver;
use maquette_core::error::{FilePosition, Warning, WarningKind, Warnings};
use maquette_core::limits::MAX_WARNINGS;

/// Something odd, and the part in whose files it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The part.
    pub entity: EntityId,
    /// What is odd.
    pub warning: Warning,
    /// What it is about, with the part's file where there are several.
    pub about: String,
}

/// Where an issue leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssueTarget {
    /// A place in the part's file.
    File(FilePosition),
    /// A place in a file beside it.
    Companion(PathBuf, FilePosition),
    /// A surface, for its field in the part's file.
    Surface(usize),
    /// A surface, for what it wears.
    Material(usize),
}

/// What an issue means, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file contradicts itself; nothing is lost.
    Note,
    /// Something beside the model is missing: a texture, an animation.
    Companion,
    /// Something of the model was replaced.
    Replaced,
    /// Something of the model is not shown.
    Lost,
}

impl Issue {
    /// What it means.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self.warning.kind {
            WarningKind::LeftOut => Severity::Lost,
            WarningKind::Substituted => Severity::Replaced,
            WarningKind::Companion => Severity::Companion,
            WarningKind::Inconsistent => Severity::Note,
        }
    }

    /// Where it leads; none if it is about nothing that can be shown.
    #[must_use]
    pub fn target(&self, entity: &Entity) -> Option<IssueTarget> {
        if let Some(file) = &self.warning.file {
            return Some(IssueTarget::Companion(file.clone(), self.warning.place));
        }
        if self.warning.kind == WarningKind::Companion {
            let is_meant = |material: &maquette_assets::material::SurfaceMaterial| {
                material.trouble().is_some_and(|trouble| trouble == self.warning.message)
            };
            return entity.materials().iter().position(is_meant).map(IssueTarget::Material);
        }
        if self.warning.place != FilePosition::Whole {
            return Some(IssueTarget::File(self.warning.place));
        }
        entity
            .model()
            .surfaces()
            .iter()
            .position(|surface| names(&self.warning.about, &surface.name))
            .map(IssueTarget::Surface)
    }
}

/// Whether a warning's words for a structure name this surface: `surface 2 “u_torso”`.
fn names(about: &str, surface: &str) -> bool {
    !surface.is_empty() && about.contains("surface ") && about.ends_with(&format!("“{surface}”"))
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Warning { about: self.about.clone(), ..self.warning.clone() }.fmt(f)
    }
}

impl Session {
    /// What the files said, and what the skins that are worn did not find: a part's own warnings are about its first
    /// skin. What is lost of a model stands before a texture that is missing.
    pub(super) fn update_issues(&mut self) {
        let mut issues = Vec::new();
        let entities = self.document.scene.entities();
        for entity in entities {
            let mut own = Warnings::default();
            let mut warnings = entity.asset.warnings.clone();
            if entity.skin > 0 || !entity.overrides.is_empty() {
                // What was missing at first may have been found since.
                let mut at_first = Warnings::default();
                let first = entity.asset.skins.first().map(|skin| Arc::clone(&skin.materials)).unwrap_or_default();
                MaterialResolver::tell_missing(&entity.asset.model, &first, &mut at_first);
                let at_first = at_first.into_vec();
                warnings.retain(|warning| !at_first.contains(warning));
                MaterialResolver::tell_missing(&entity.asset.model, entity.materials(), &mut own);
            }
            own.append(warnings);
            issues.extend(own.into_vec().into_iter().map(|warning| {
                let name = &entity.asset.name;
                let about = match (entities.len(), warning.about.as_str()) {
                    (1, about) => about.to_owned(),
                    (_, "") => name.clone(),
                    (_, about) if about == name => about.to_owned(),
                    (_, about) => format!("{name}: {about}"),
                };
                Issue { entity: entity.id, warning, about }
            }));
        }
        issues.sort_by_key(|issue| Reverse(issue.severity()));
        issues.truncate(ISSUES_KEPT);
        self.document.issues = issues;
    }

    /// What of the models in the scene could not be read.
    pub fn losses(&self) -> impl Iterator<Item = &Issue> {
        self.document.issues.iter().take_while(|issue| issue.severity() == Severity::Lost)
    }
}

/// Issues that are told of: a hostile file can have any number of them.
const ISSUES_KEPT: usize = MAX_WARNINGS + 1;
