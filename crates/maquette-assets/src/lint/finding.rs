//! What a rule found: how grave it is, where it stands, and how often.

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; often meant so.
    Note,
    /// The game draws something else than was meant, or does more work than it need.
    Warning,
    /// The engine refuses the model, leaves a part of it out, or reads over the end of its tables.
    Error,
}

impl Severity {
    /// All of them, the gravest first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// The word for it, in lower case.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A numbered part of a model and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedIndex {
    /// From 0, in the model's list of these parts.
    pub index: usize,
    /// As stored; empty where it has none.
    pub name: String,
}

/// Where in a model; what is not given does not matter, and with nothing given it is the model as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Index into [`Model::surfaces`](maquette_core::model::Model::surfaces).
    pub surface: Option<NamedIndex>,
    /// Index into the surface's triangles.
    pub triangle: Option<usize>,
    /// Index into the surface's vertices, or, where the file keeps texture coordinates apart (MD2), the stored one.
    pub vertex: Option<usize>,
    /// Index into [`Model::frames`](maquette_core::model::Model::frames).
    pub frame: Option<usize>,
    /// Index into [`Model::tags`](maquette_core::model::Model::tags).
    pub tag: Option<NamedIndex>,
    /// Index into [`Model::joints`](maquette_core::model::Model::joints).
    pub joint: Option<NamedIndex>,
    /// Index into [`Model::clips`](maquette_core::model::Model::clips).
    pub clip: Option<NamedIndex>,
}

impl Location {
    /// A surface.
    #[must_use]
    pub fn surface(index: usize, name: &str) -> Self {
        Self { surface: Some(NamedIndex { index, name: name.to_owned() }), ..Self::default() }
    }

    /// A tag.
    #[must_use]
    pub fn tag(index: usize, name: &str) -> Self {
        Self { tag: Some(NamedIndex { index, name: name.to_owned() }), ..Self::default() }
    }

    /// A clip.
    #[must_use]
    pub fn clip(index: usize, name: &str) -> Self {
        Self { clip: Some(NamedIndex { index, name: name.to_owned() }), ..Self::default() }
    }

    /// A frame.
    #[must_use]
    pub fn frame(index: usize) -> Self {
        Self { frame: Some(index), ..Self::default() }
    }
}

/// What a rule found in one part of a model, once or many times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// What is wrong there, without the place.
    pub message: String,
    /// How often it was found in this part, at least 1.
    pub count: u64,
    /// Where, the first time.
    pub place: Location,
    /// Where else, `Occurrences::PLACES` places together with the first.
    pub more: Vec<Location>,
}

/// Findings of a rule that were not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// The rule's id.
    pub rule: &'static str,
    /// The gravest of them.
    pub severity: Severity,
    /// How many there were.
    pub count: u64,
}

/// What was found in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// In the order of the rules.
    pub list: Vec<Finding>,
    /// What was more than [`Findings::PER_RULE`] of a rule.
    pub left_out: Vec<Omitted>,
}

impl Findings {
    /// Findings kept of one rule in one file; a broken file can have a million.
    pub const PER_RULE: usize = 16;

    /// How many findings of this severity there are, those not kept included.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        let kept = self.list.iter().filter(|finding| finding.severity == severity).count() as u64;
        let left = self.left_out.iter().filter(|left| left.severity == severity);
        kept + left.map(|left| left.count).sum::<u64>()
    }

    /// Adds a finding, or counts it if there are [`Findings::PER_RULE`] of its rule.
    pub fn add(&mut self, finding: Finding) {
        let kept = self.list.iter().rev().take_while(|known| known.rule == finding.rule).count();
        if kept < Self::PER_RULE {
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

/// The same thing found again and again in one part of a model.
#[derive(Debug, Default)]
pub(super) struct Occurrences {
    pub count: u64,
    places: Vec<Location>,
}

impl Occurrences {
    /// Places kept.
    const PLACES: usize = 16;

    pub fn add(&mut self, place: impl FnOnce() -> Location) {
        self.count += 1;
        if self.places.len() < Self::PLACES {
            self.places.push(place());
        }
    }
}

/// Where rules put what they find.
#[derive(Debug, Default)]
pub(super) struct Sink {
    /// The rule that is at work.
    pub rule: &'static str,
    pub found: Findings,
}

impl Sink {
    pub fn add(&mut self, severity: Severity, place: Location, message: impl Into<String>) {
        let (rule, message) = (self.rule, message.into());
        self.found.add(Finding { rule, severity, message, count: 1, place, more: Vec::new() });
    }

    /// Adds one finding for all of `occurrences`, or none if it never occurred.
    pub fn add_all(&mut self, severity: Severity, occurrences: Occurrences, message: impl Into<String>) {
        let Occurrences { count, places } = occurrences;
        let mut places = places.into_iter();
        if let Some(place) = places.next() {
            let (rule, message) = (self.rule, message.into());
            self.found.add(Finding { rule, severity, message, count, place, more: places.collect() });
        }
    }
}
