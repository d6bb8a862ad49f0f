//! Models written for other programs: one row for each format that can be written.
//!
//! To add one: a file with a `write`, and a row in [`EXPORTERS`].

#![forbid(unsafe_code)]

#[cfg(feature = "gltf")]
pub mod gltf;
pub mod obj;
mod subject;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

pub use subject::{Alpha, Animation, Attached, AttachedAt, ExportMaterial, Image, Key, Placed, Subject, Track};

/// How a model is written; each format heeds what it knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExportOptions {
    /// Metres for each unit of the game.
    pub scale: f32,
    /// Positions as whole numbers of 16 bits, where the format has them.
    pub quantized: bool,
    /// Surfaces are shown as their pictures are, without light.
    pub unlit: bool,
    /// Where pictures go.
    pub textures: TexturePlacement,
}

impl ExportOptions {
    /// Metres in a unit of these games, an inch.
    pub const USUAL_SCALE: f32 = 0.0254;
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { scale: Self::USUAL_SCALE, quantized: false, unlit: false, textures: TexturePlacement::Embedded }
    }
}

/// Where the pictures of an exported model go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TexturePlacement {
    /// Into the file itself.
    #[default]
    Embedded,
    /// Beside it, as PNG files.
    Beside,
    /// Nowhere.
    Omitted,
}

/// Where an export is written to.
pub trait ExportFiles {
    /// The file that was asked for.
    fn main(&mut self) -> &mut dyn Write;

    /// The name of a further file that belongs to it, beside it: its own name with this ending.
    fn name_beside(&self, ending: &str) -> String;

    /// Writes such a file.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or the export goes where no file can lie beside it.
    fn write_beside(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;
}

/// What was written, and what could not be kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportReport {
    /// Each in a sentence, with a figure.
    pub losses: Vec<String>,
}

/// Why something could not be exported.
#[derive(Debug)]
pub enum ExportError {
    /// The file could not be written.
    Write(io::Error),
    /// It does not fit the format, in a sentence.
    Unfit(String),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => error.fmt(f),
            Self::Unfit(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// A function that writes a format.
pub type WriteFunction = fn(&Subject<'_>, &ExportOptions, &mut dyn ExportFiles) -> Result<ExportReport, ExportError>;

/// A format that models are written in.
pub struct Exporter {
    /// Name for people.
    pub name: &'static str,
    /// The same in a few letters.
    pub label: &'static str,
    /// Usual extension, without the dot.
    pub extension: &'static str,
    /// What of a model it holds, as a sentence goes on: `it holds …`.
    pub holds: &'static str,
    /// Whether it holds animations, and not one moment alone.
    pub animates: bool,
    /// Writes models where they stand.
    pub write: WriteFunction,
}

/// Every exporter; the first is the usual one.
pub static EXPORTERS: &[Exporter] = &[
    Exporter {
        name: "Wavefront OBJ",
        label: "OBJ",
        extension: "obj",
        holds: "one pose: triangles, texture coordinates, normals and names",
        animates: false,
        write: |subject, _, files| {
            obj::write(&subject.parts, files.main())?;
            Ok(ExportReport::default())
        },
    },
    #[cfg(feature = "gltf")]
    Exporter {
        name: "glTF 2.0, one file",
        label: "glTF (.glb)",
        extension: "glb",
        holds: "surfaces, skeletons, animations, tags and materials with their textures",
        animates: true,
        write: gltf::write_glb,
    },
    #[cfg(feature = "gltf")]
    Exporter {
        name: "glTF 2.0, several files",
        label: "glTF (.gltf)",
        extension: "gltf",
        holds: "surfaces, skeletons, animations, tags and materials with their textures",
        animates: true,
        write: gltf::write_gltf,
    },
];

/// The exporter for a file's name: by its extension, the usual one without. None if nothing is written under such a name.
#[must_use]
pub fn exporter_for(path: &Path) -> Option<&'static Exporter> {
    match path.extension() {
        None => EXPORTERS.first(),
        Some(extension) => EXPORTERS.iter().find(|exporter| extension.eq_ignore_ascii_case(exporter.extension)),
    }
}
