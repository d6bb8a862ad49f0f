//! Requirements of a mod for its models, from a rules file with one rule per line.
//!
//! ```text
//! # Torsos carry weapons.
//! no surface over 1000 vertices
//! warn: no model over 3000 triangles
//! at most 16 tags
//! tag_weapon present for */upper.md3
//! clip LEGS_WALK present for */lower.md3
//! every material under models/players
//! ```

mod parse;

use super::finding::{Location, Severity, Sink};
use super::input::LintInput;
use maquette_core::error::counted;

pub use parse::SyntaxError;

/// The rules of a file.
#[derive(Clone, Debug, Default)]
pub struct RulesFile {
    list: Vec<Requirement>,
}

#[derive(Clone, Debug)]
struct Requirement {
    line: usize,
    severity: Severity,
    what: Demand,
    /// Pattern of game paths, in which `*` matches any text; `None` for all models.
    paths: Option<String>,
}

#[derive(Clone, Debug)]
enum Demand {
    /// Limits a number of the model.
    Model { what: Counted, number: u64, is_max: bool },
    /// Limits a number of every surface.
    Surface { what: Counted, max: u64 },
    /// Requires a part of this name.
    Present { kind: Named, name: String },
    /// Requires that names of materials begin with this folder.
    Materials { under: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    Vertices,
    Triangles,
    Surfaces,
    Frames,
    Tags,
    Joints,
    Clips,
    Skins,
    Materials,
}

impl Counted {
    const ALL: [(Self, &str, &str); 9] = [
        (Self::Vertices, "vertex", "vertices"),
        (Self::Triangles, "triangle", "triangles"),
        (Self::Surfaces, "surface", "surfaces"),
        (Self::Frames, "frame", "frames"),
        (Self::Tags, "tag", "tags"),
        (Self::Joints, "joint", "joints"),
        (Self::Clips, "clip", "clips"),
        (Self::Skins, "skin", "skins"),
        (Self::Materials, "material", "materials"),
    ];

    fn counted_text(self, count: u64) -> String {
        let found = Self::ALL.into_iter().find(|(what, _, _)| *what == self);
        found.map_or_else(String::new, |(_, one, many)| counted(count, one, many))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Tag,
    Clip,
    Surface,
    Joint,
}

impl Named {
    const ALL: [(Self, &str); 4] =
        [(Self::Tag, "tag"), (Self::Clip, "clip"), (Self::Surface, "surface"), (Self::Joint, "joint")];

    fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }
}

impl RulesFile {
    /// Parses a rules file. The error is that of the first invalid line.
    pub fn parse(bytes: &[u8]) -> Result<Self, SyntaxError> {
        parse::parse(bytes).map(|list| Self { list })
    }

    /// Returns the number of rules.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn check(&self, subject: &LintInput, sink: &mut Sink) {
        for requirement in &self.list {
            let is_meant = |pattern: &String| matches(&pattern.to_lowercase(), &subject.game_path.to_lowercase());
            if requirement.paths.as_ref().is_none_or(is_meant) {
                requirement.check(subject, sink);
            }
        }
    }
}

impl Requirement {
    fn check(&self, subject: &LintInput, sink: &mut Sink) {
        let model = subject.model;
        let message = |what: String| format!("{what} (line {} of the rules file)", self.line);
        let surfaces = || model.surfaces().iter().enumerate();
        match &self.what {
            Demand::Model { what, number, is_max } => {
                let count = count_in_model(subject, *what);
                if *is_max && count > *number {
                    sink.add(
                        self.severity,
                        Location::default(),
                        message(format!("{}; at most {number}", what.counted_text(count))),
                    );
                } else if !is_max && count < *number {
                    sink.add(
                        self.severity,
                        Location::default(),
                        message(format!("{}; at least {number}", what.counted_text(count))),
                    );
                }
            }
            Demand::Surface { what, max } => {
                for (index, surface) in surfaces() {
                    let count = match what {
                        Counted::Vertices => model.stored_vertices(index),
                        Counted::Triangles => surface.triangles.len(),
                        _ => surface.materials.len(),
                    } as u64;
                    if count > *max {
                        let location = Location::surface(index, &surface.name);
                        sink.add(
                            self.severity,
                            location,
                            message(format!("{}; at most {max}", what.counted_text(count))),
                        );
                    }
                }
            }
            Demand::Present { kind, name } => {
                let is_there = match kind {
                    Named::Tag => model.tags().iter().any(|tag| tag == name),
                    Named::Clip => model.clip(name).is_some(),
                    Named::Surface => model.surfaces().iter().any(|surface| surface.name.eq_ignore_ascii_case(name)),
                    Named::Joint => model.joints().iter().any(|joint| joint.name == *name),
                };
                if !is_there {
                    sink.add(self.severity, Location::default(), message(format!("no {} {name}", kind.word())));
                }
            }
            Demand::Materials { under } => {
                for (index, surface) in surfaces() {
                    let is_outside = |name: &&String| !name.is_empty() && !is_under(name, under);
                    if let Some(name) = surface.materials.iter().find(is_outside) {
                        let location = Location::surface(index, &surface.name);
                        sink.add(self.severity, location, message(format!("material “{name}” is not below {under}")));
                    }
                }
                if let Some(name) = model.skins().iter().find(|name| !is_under(name, under)) {
                    let message = message(format!("skin “{name}” is not below {under}"));
                    sink.add(self.severity, Location::default(), message);
                }
            }
        }
    }
}

/// Counts a quantity in a model. Vertices, triangles and materials are those of the finest LOD.
fn count_in_model(subject: &LintInput, what: Counted) -> u64 {
    let model = subject.model;
    let finest = || model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == 0);
    let count = match what {
        Counted::Vertices => finest().map(|(index, _)| model.stored_vertices(index)).sum(),
        Counted::Triangles => finest().map(|(_, surface)| surface.triangles.len()).sum(),
        Counted::Materials => finest().map(|(_, surface)| surface.materials.len()).sum(),
        Counted::Surfaces => finest().count(),
        Counted::Frames => model.frames().len(),
        Counted::Tags => model.tags().len(),
        Counted::Joints => model.joints().len(),
        Counted::Clips => model.clips().len(),
        Counted::Skins => model.skins().len(),
    };
    count as u64
}

fn is_under(path: &str, folder: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace('\\', "/");
    let (path, folder) = (plain(path), plain(folder));
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.starts_with('/'))
}

fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    // The leftmost match of each part leaves most text for the following parts.
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}
