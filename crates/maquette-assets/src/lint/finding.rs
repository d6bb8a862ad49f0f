//! Findings of rules: severity, location and count.

use crate::limits::MAX_DETAILS;
use maquette_core::model::Model;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information about something that is often intended.
    Note,
    /// The game draws something unintended, or does needless work.
    Warning,
    /// The engine rejects the model or a part of it, or reads beyond the end of a table.
    Error,
}

impl Severity {
    /// All severities, the most severe first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// Returns the name in lower case.
    pub fn label(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Index and name of an element of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedIndex {
    /// Index among the model's elements of this kind.
    pub index: usize,
    /// Name as stored; empty if there is none.
    pub name: String,
}

/// Location in a model; empty for the model as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Index into [`Model::surfaces`](maquette_core::model::Model::surfaces).
    pub surface: Option<NamedIndex>,
    /// Level of detail of the surface, unless it is the finest.
    pub lod: Option<u32>,
    /// Index into the surface's triangles.
    pub triangle: Option<usize>,
    /// Index into the surface's vertices. For unused vertices of an MD2, index into the stored vertices.
    pub vertex: Option<usize>,
    /// Index into [`Model::frames`](maquette_core::model::Model::frames).
    pub frame: Option<usize>,
    /// Index into [`Model::tags`](maquette_core::model::Model::tags).
    pub tag: Option<NamedIndex>,
    /// Index into [`Model::joints`](maquette_core::model::Model::joints).
    pub joint: Option<NamedIndex>,
    /// Index into [`Model::clips`](maquette_core::model::Model::clips).
    pub clip: Option<NamedIndex>,
    /// Index into the skins, if the finding is about one of several.
    pub skin: Option<NamedIndex>,
}

impl Location {
    /// Returns the name of the surface, tag, joint or clip; empty if there is none.
    pub fn name(&self) -> &str {
        let named = [&self.surface, &self.tag, &self.joint, &self.clip].into_iter().flatten().next();
        named.map_or("", |named| named.name.as_str())
    }

    /// Creates the location of a surface.
    #[must_use]
    pub fn surface(index: usize, name: &str) -> Self {
        Self { surface: Some(NamedIndex { index, name: name.to_owned() }), ..Self::default() }
    }

    /// Creates the location of a tag.
    #[must_use]
    pub fn tag(index: usize, name: &str) -> Self {
        Self { tag: Some(NamedIndex { index, name: name.to_owned() }), ..Self::default() }
    }

    /// Creates the location of a clip.
    #[must_use]
    pub fn clip(index: usize, name: &str) -> Self {
        Self { clip: Some(NamedIndex { index, name: name.to_owned() }), ..Self::default() }
    }

    /// Creates the location of a frame.
    #[must_use]
    pub fn frame(index: usize) -> Self {
        Self { frame: Some(index), ..Self::default() }
    }
}

/// A fault in one part of a model, with all its occurrences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Id of the rule.
    pub rule: &'static str,
    /// Severity.
    pub severity: Severity,
    /// Description without the location.
    pub message: String,
    /// Number of occurrences, at least 1.
    pub count: u64,
    /// Location of the first occurrence.
    pub location: Location,
    /// Locations of further occurrences. With the first, at most `MAX_DETAILS`.
    pub more: Vec<Location>,
}

/// Findings of a rule beyond [`Findings::PER_RULE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// Id of the rule.
    pub rule: &'static str,
    /// Highest severity.
    pub severity: Severity,
    /// Number of findings.
    pub count: u64,
}

/// Findings in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Findings in the order of the rules.
    pub list: Vec<Finding>,
    /// Findings that were only counted.
    pub left_out: Vec<Omitted>,
}

impl Findings {
    /// Maximum number of findings of a rule in a file that are stored; further ones are counted.
    pub const PER_RULE: usize = 16;

    /// Returns the number of findings of this severity, including those that were only counted.
    pub fn count(&self, severity: Severity) -> u64 {
        let of_severity = self.list.iter().filter(|finding| finding.severity == severity).count() as u64;
        let left = self.left_out.iter().filter(|left| left.severity == severity);
        of_severity + left.map(|left| left.count).sum::<u64>()
    }

    /// Adds a finding, or counts it if there are already [`Findings::PER_RULE`] of its rule.
    pub fn add(&mut self, finding: Finding) {
        let of_rule = self.list.iter().rev().take_while(|known| known.rule == finding.rule).count();
        if of_rule < Self::PER_RULE {
            self.list.push(finding);
            return;
        }
        match self.left_out.last_mut().filter(|left| left.rule == finding.rule) {
            Some(left) => {
                left.count += 1;
                left.severity = left.severity.max(finding.severity);
            }
            None => self.left_out.push(Omitted { rule: finding.rule, severity: finding.severity, count: 1 }),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Occurrences {
    pub count: u64,
    locations: Vec<Location>,
}

impl Findings {
    /// Sets the LOD of each location of a surface.
    pub(super) fn name_lods(&mut self, model: &Model) {
        let lod = |surface: &NamedIndex| model.surfaces().get(surface.index).map(|surface| surface.lod);
        for finding in &mut self.list {
            for location in std::iter::once(&mut finding.location).chain(&mut finding.more) {
                location.lod = location.surface.as_ref().and_then(lod).filter(|lod| *lod > 0);
            }
        }
    }
}

impl Occurrences {
    pub fn add(&mut self, location: impl FnOnce() -> Location) {
        self.count += 1;
        if self.locations.len() < MAX_DETAILS {
            self.locations.push(location());
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Sink {
    pub rule: &'static str,
    pub found: Findings,
}

impl Sink {
    pub fn add(&mut self, severity: Severity, location: Location, message: impl Into<String>) {
        let (rule, message) = (self.rule, message.into());
        self.found.add(Finding { rule, severity, message, count: 1, location, more: Vec::new() });
    }

    /// Adds one finding for all of `occurrences`, if there are any.
    pub fn add_all(&mut self, severity: Severity, occurrences: Occurrences, message: impl Into<String>) {
        let Occurrences { count, locations } = occurrences;
        let mut locations = locations.into_iter();
        if let Some(location) = locations.next() {
            let (rule, message) = (self.rule, message.into());
            self.found.add(Finding { rule, severity, message, count, location, more: locations.collect() });
        }
    }
}
