//! Models written for other programs: one row for each format that can be written.
//!
//! To add one: a file with a `write`, and a row in [`EXPORTERS`].

#![forbid(unsafe_code)]

pub mod obj;

use std::io::{self, Write};
use std::path::Path;

use glam::Affine3A;

use crate::model::Model;
use crate::pose::Pose;

/// A model where it stands.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// The model.
    pub model: &'a Model,
    /// The model at a moment.
    pub pose: &'a Pose,
    /// Its place.
    pub world_from_model: Affine3A,
    /// Per surface, whether it is written; surfaces beyond the end are.
    pub drawn: Vec<bool>,
    /// What its groups' names begin with.
    pub group: Option<&'a str>,
}

impl<'a> Placed<'a> {
    /// A model by itself, where it was made.
    #[must_use]
    pub fn alone(model: &'a Model, pose: &'a Pose) -> Self {
        Self { model, pose, world_from_model: Affine3A::IDENTITY, drawn: Vec::new(), group: None }
    }
}

/// A format that models are written in.
pub struct Exporter {
    /// Name for people.
    pub name: &'static str,
    /// Usual extension, without the dot.
    pub extension: &'static str,
    /// What of a model it holds, as a sentence goes on: `it holds …`.
    pub holds: &'static str,
    /// Writes models where they stand.
    pub write: fn(&[Placed<'_>], &mut dyn Write) -> io::Result<()>,
}

/// Every exporter; the first is the usual one.
pub static EXPORTERS: [Exporter; 1] = [Exporter {
    name: "Wavefront OBJ",
    extension: "obj",
    holds: "one pose: triangles, texture coordinates, normals and names",
    write: obj::write,
}];

/// The exporter for a file's name: by its extension, the usual one without. None if nothing is written under such a name.
#[must_use]
pub fn exporter_for(path: &Path) -> Option<&'static Exporter> {
    match path.extension() {
        None => EXPORTERS.first(),
        Some(extension) => EXPORTERS.iter().find(|exporter| extension.eq_ignore_ascii_case(exporter.extension)),
    }
}
