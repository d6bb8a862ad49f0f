//! Lint: checks of a model for an engine, or by the rules of a mod.
//!
//! **Errors are models that an engine rejects**; models that only look odd give warnings or notes. Time is linear in
//! the size of the model: duplicates are found by hashing, and long animations are sampled.

mod clips;
mod files;
mod finding;
mod frames;
mod input;
mod limits;
mod refusals;
mod report;
mod rules;
mod rules_file;
mod tags;
mod triangles;
mod weights;

pub use crate::engines::{Limit, PROFILES, Profile, Quantity};
pub use finding::{Finding, Findings, Location, NamedIndex, Omitted, Severity};
pub use input::LintInput;
pub use limits::size_limit;
pub use report::{to_json, to_text};
pub use rules::{BROKEN, REQUIREMENT, RULES, Rule, Topic, repair_of};
pub use rules_file::{RulesFile, SyntaxError};
pub use tags::is_known_tag;

use finding::Sink;
use input::Context;
use maquette_core::model::Model;

/// Checks a model with the rules for the engine of `profile`, and with `requirements`, if given.
pub fn check(subject: LintInput, profile: Option<&Profile>, requirements: Option<&RulesFile>) -> Findings {
    let mut sink = Sink::default();
    if let Some(profile) = profile {
        let context = Context::new(subject, profile);
        RULES.iter().for_each(|rule| rule.run(&context, &mut sink));
    }
    if let Some(requirements) = requirements {
        sink.rule = REQUIREMENT;
        requirements.check(&subject, &mut sink);
    }
    sink.found.name_lods(subject.model);
    sink.found
}

/// Returns why the engine of `profile` rejects a model, whatever its companion files are.
pub fn rejections(model: &Model, profile: &Profile) -> Findings {
    let found = check(LintInput::alone(model, &[]), Some(profile), None);
    let list = found.list.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    Findings { list, left_out: Vec::new() }
}

/// Returns the finding for a file that does not load.
pub fn broken(error: &str) -> Findings {
    let mut sink = Sink { rule: BROKEN, ..Sink::default() };
    sink.add(Severity::Error, Location::default(), error);
    sink.found
}
