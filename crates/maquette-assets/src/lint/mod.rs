//! What is wrong with a model for an engine, or for the rules of a mod: no window, no GPU.
//!
//! [`RULES`] has what is looked for, a row each; [`PROFILES`] the engines and what they take; [`RulesFile`] are read
//! from a mod's own file. [`check`] gives [`Findings`]: each with its rule, how grave it is, and its place in the model.
//! **Errors are what an engine refuses**; what only looks odd, and what the games' own models do, is a warning or a note.
//!
//! The work grows with the model: what is alike is found by hashing, and long films are sampled.

#![forbid(unsafe_code)]

mod clips;
mod files;
mod finding;
mod frames;
mod input;
mod limits;
mod profile;
mod report;
mod rules;
mod rules_file;
mod tags;
mod triangles;
mod weights;

pub use finding::{Finding, Findings, Location, NamedIndex, Omitted, Severity};
pub use input::LintInput;
pub use profile::{Limit, PROFILES, Profile, Quantity};
pub use report::{to_json, to_text};
pub use rules::{BROKEN, REQUIREMENT, RULES, Rule};
pub use rules_file::{RulesFile, SyntaxError};

use finding::Sink;
use input::Context;

/// Looks at a model with every rule, as far as the engine of `profile` is concerned, and with those of `requirements`.
/// Without a profile only the latter are looked at.
#[must_use]
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
    sink.found
}

/// What is told of a file that does not load, and why it does not.
#[must_use]
pub fn broken(error: &str) -> Findings {
    let mut sink = Sink { rule: BROKEN, ..Sink::default() };
    sink.add(Severity::Error, Location::default(), error);
    sink.found
}
