//! Issues of the scene's files, with severity and target.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::scene::{Entity, EntityId};
use crate::session::Document;
use maquette_assets::material::MaterialResolver;
use maquette_assets::open::Skin;
use maquette_core::error::{FilePosition, Warning, WarningKind, Warnings};

/// A warning, and the part whose files caused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The part.
    pub entity: EntityId,
    /// The warning.
    pub warning: Warning,
    /// Subject of the warning, with the part's file name if the scene has several parts.
    pub about: String,
    /// Skin that the warning is about, if it is not the current one.
    pub skin: Option<usize>,
    /// Whether the warning is about the assembly of a character. The engine check does not cover it.
    pub is_of_assembly: bool,
    /// Target of the link; `None` if there is nothing to show.
    pub target: Option<IssueTarget>,
}

/// Target of an issue's link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssueTarget {
    /// Position in the part's file.
    File(FilePosition),
    /// Position in a companion file.
    Companion(PathBuf, FilePosition),
    /// Surface whose field in the part's file is the target.
    Surface(usize),
    /// Surface whose material is the target.
    Material(usize),
    /// Skin that is not the current one.
    Skin(usize),
}

/// Severity of an issue, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file contradicts itself, but no data was lost; or a part of it is never shown.
    Note,
    /// A texture or an animation is missing.
    Companion,
    /// Data of the model was replaced.
    Replaced,
    /// Data of the model is not shown.
    Lost,
}

impl Issue {
    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        match self.warning.kind {
            WarningKind::LeftOut | WarningKind::Truncated => Severity::Lost,
            WarningKind::Substituted => Severity::Replaced,
            WarningKind::Companion => Severity::Companion,
            WarningKind::Inconsistent | WarningKind::NotShown | WarningKind::Unit => Severity::Note,
        }
    }
}

/// Returns the target of a warning. `problems` has the first surface with each problem of a material.
fn target(warning: &Warning, entity: &Entity, problems: &HashMap<String, usize>) -> Option<IssueTarget> {
    if let Some(file) = &warning.file {
        return Some(IssueTarget::Companion(file.clone(), warning.position));
    }
    if warning.kind == WarningKind::Companion {
        return problems.get(&warning.message).copied().map(IssueTarget::Material);
    }
    if warning.position != FilePosition::Whole {
        return Some(IssueTarget::File(warning.position));
    }
    let mut surfaces = entity.model().surfaces().iter();
    surfaces.position(|surface| names(&warning.about, &surface.name)).map(IssueTarget::Surface)
}

/// Whether a warning's subject names this surface, for example `surface 2 “u_torso”`.
fn names(about: &str, surface: &str) -> bool {
    !surface.is_empty() && about.contains("surface ") && about.ends_with(&format!("“{surface}”"))
}

/// Returns the warnings with one for each missing image: `head, and 4 more`, like the engine check.
fn joined_by_image(problems: &HashMap<String, usize>, warnings: Vec<Warning>) -> Vec<Warning> {
    let mut joined: Vec<(Warning, usize)> = Vec::new();
    for warning in warnings {
        let is_of_image = problems.contains_key(&warning.message);
        let known = joined.iter_mut().find(|(known, _)| is_of_image && known.message == warning.message);
        match known {
            Some((_, more)) => *more += 1,
            None => joined.push((warning, 0)),
        }
    }
    let name = |(warning, more): (Warning, usize)| match more {
        0 => warning,
        _ => Warning { about: format!("{}, and {more} more", warning.about), ..warning },
    };
    joined.into_iter().map(name).collect()
}

/// Returns warnings about images that only other skins than the current one lack, with the index of the skin.
fn lacking_in_other_skins(entity: &Entity, known: &[Warning]) -> Vec<(Warning, Option<usize>, bool)> {
    let mut found: Vec<(Warning, Option<usize>, bool)> = Vec::new();
    let is_other = |(index, skin): &(usize, &Skin)| *index != entity.skin && !skin.is_own_names();
    for (index, skin) in entity.asset.skins.iter().enumerate().filter(is_other) {
        let mut warnings = Warnings::default();
        MaterialResolver::warn_missing(&entity.asset.model, &skin.materials, &mut warnings);
        for warning in warnings.into_vec() {
            let is_same = |other: &Warning| other.message == warning.message;
            if !known.iter().any(is_same) && !found.iter().any(|(other, ..)| is_same(other)) {
                let about = format!("{}, skin {}", warning.about, skin.name);
                found.push((Warning { about, ..warning }, Some(index), false));
            }
        }
    }
    found
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Warning { about: self.about.clone(), ..self.warning.clone() }.fmt(f)
    }
}

impl Document {
    /// Updates the issues and sorts them by severity. The asset's warnings refer to the first skin. Images that only
    /// other skins lack are listed with the skin, as lint lists them.
    pub(crate) fn update_issues(&mut self) {
        let mut issues = Vec::new();
        let entities = self.scene.entities();
        for entity in entities {
            let mut own = Warnings::default();
            let mut warnings = entity.asset.warnings.clone();
            if entity.skin > 0 || !entity.overrides.is_empty() {
                // Drop the warnings about the first skin if another material is assigned.
                let mut at_first = Warnings::default();
                let first = entity.asset.skins.first().map(|skin| Arc::clone(&skin.materials)).unwrap_or_default();
                MaterialResolver::warn_missing(&entity.asset.model, &first, &mut at_first);
                let at_first = at_first.into_vec();
                warnings.retain(|warning| !at_first.contains(warning));
                MaterialResolver::warn_missing(&entity.asset.model, entity.materials(), &mut own);
            }
            own.append(warnings);
            let mut problems = HashMap::new();
            for (surface, material) in entity.materials().iter().enumerate().rev() {
                problems.extend(material.problem().map(|why| (why, surface)));
            }
            let own = joined_by_image(&problems, own.into_vec());
            let others = lacking_in_other_skins(entity, &own);
            let name = &entity.asset.name;
            let own = own.into_iter().map(|warning| (warning, None, false)).chain(others);
            let assembly = self.scene.assembly_warnings_of(entity).into_iter().map(|warning| (warning, None, true));
            issues.extend(own.chain(assembly).map(|(warning, skin, is_of_assembly)| {
                let about = match (entities.len(), warning.about.as_str()) {
                    (1, about) => about.to_owned(),
                    (_, "") => name.clone(),
                    (_, about) if about == name => about.to_owned(),
                    (_, about) => format!("{name}: {about}"),
                };
                let target = skin.map(IssueTarget::Skin).or_else(|| target(&warning, entity, &problems));
                Issue { entity: entity.id, warning, about, skin, is_of_assembly, target }
            }));
        }
        issues.sort_by_key(|issue| Reverse(issue.severity()));
        self.issues = issues;
    }

    /// Returns the issues with the severity [`Severity::Lost`].
    pub fn losses(&self) -> impl Iterator<Item = &Issue> {
        self.issues.iter().take_while(|issue| issue.severity() == Severity::Lost)
    }
}
