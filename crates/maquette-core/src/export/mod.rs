//! Models written for other programs: one row for each format that can be written.
//!
//! To add one: a file with a `write`, and a row in [`EXPORTERS`].

#![forbid(unsafe_code)]

mod game_formats;
pub mod gltf;
pub mod obj;
pub mod ply;
mod scene;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use crate::convert::SurfaceLimits;
use crate::error::system_reason;
use crate::model::Format;

pub use scene::{
    Alpha, Animation, ExportAnchor, ExportImage, ExportMaterial, ExportParent, ExportPart, ExportScene, Key, Track,
};

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
    /// Surfaces with more are split, in the games' own formats.
    pub most: SurfaceLimits,
}

impl ExportOptions {
    /// Metres in a unit of these games, an inch.
    pub const USUAL_SCALE: f32 = 0.0254;
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            scale: Self::USUAL_SCALE,
            quantized: false,
            unlit: false,
            textures: TexturePlacement::Embedded,
            most: SurfaceLimits::NONE,
        }
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

    /// Whether there is a file of this name beside it already.
    fn is_there(&self, _name: &str) -> bool {
        false
    }
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
            Self::Write(error) => f.write_str(&system_reason(error)),
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

/// A function that writes models for one or several exporters.
pub type WriteFunction =
    fn(&Exporter, &ExportScene<'_>, &ExportOptions, &mut dyn ExportFiles) -> Result<ExportReport, ExportError>;

/// What of a scene a format is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportContent {
    /// One moment of everything in it.
    Pose,
    /// Everything, with animations and materials.
    Scene,
    /// One model with all its frames, and the names of its materials.
    Model,
}

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
    /// What of a scene is written.
    pub content: ExportContent,
    /// The code of [`Self::write`].
    pub write: WriteFunction,
}

impl Exporter {
    /// Writes models where they stand.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, or a model does not fit the format.
    pub fn write(
        &self,
        subject: &ExportScene<'_>,
        options: &ExportOptions,
        files: &mut dyn ExportFiles,
    ) -> Result<ExportReport, ExportError> {
        (self.write)(self, subject, options, files)
    }

    /// The format of models that a game loads. `None` if the exporter writes for other programs.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        Format::by_extension(self.extension)
    }
}

/// Every exporter; the first is the usual one.
pub static EXPORTERS: &[Exporter] = &[
    Exporter {
        name: "Wavefront OBJ",
        label: "OBJ",
        extension: "obj",
        holds: "one pose: triangles, texture coordinates, normals and names",
        content: ExportContent::Pose,
        write: |_, subject, _, files| {
            obj::write(&subject.parts, files.main())?;
            Ok(ExportReport::default())
        },
    },
    Exporter {
        name: "glTF 2.0, one file",
        label: "glTF (.glb)",
        extension: "glb",
        holds: "surfaces, skeletons, animations, tags and materials with their textures",
        content: ExportContent::Scene,
        write: |_, subject, options, files| gltf::write_glb(subject, options, files),
    },
    Exporter {
        name: "glTF 2.0, several files",
        label: "glTF (.gltf)",
        extension: "gltf",
        holds: "surfaces, skeletons, animations, tags and materials with their textures",
        content: ExportContent::Scene,
        write: |_, subject, options, files| gltf::write_gltf(subject, options, files),
    },
    Exporter {
        name: "PLY",
        label: "PLY",
        extension: "ply",
        holds: "one pose: triangles, texture coordinates and normals",
        content: ExportContent::Pose,
        write: |_, subject, _, files| {
            ply::write(&subject.parts, files.main())?;
            Ok(ExportReport::default())
        },
    },
    Exporter {
        name: "Quake II model",
        label: "MD2",
        extension: "md2",
        holds: "frames of one surface in steps of 1/255 of their box",
        content: ExportContent::Model,
        write: game_formats::write,
    },
    Exporter {
        name: "Quake III model",
        label: "MD3",
        extension: "md3",
        holds: "frames of surfaces and tags in steps of 1/64 unit",
        content: ExportContent::Model,
        write: game_formats::write,
    },
    Exporter {
        name: "Return to Castle Wolfenstein model",
        label: "MDC",
        extension: "mdc",
        holds: "frames of surfaces and tags, small movements in steps of 0.05 units",
        content: ExportContent::Model,
        write: game_formats::write,
    },
    Exporter {
        name: "Elite Force model",
        label: "MDR",
        extension: "mdr",
        holds: "frames of bones, surfaces on them, levels of detail and tags",
        content: ExportContent::Model,
        write: game_formats::write,
    },
    Exporter {
        name: "Doom 3 model",
        label: "MD5",
        extension: "md5mesh",
        holds: "joints, surfaces on them, and a file for each animation",
        content: ExportContent::Model,
        write: game_formats::write,
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

/// Text formats have no word for infinity.
/// A name fit for a line of its own; none if nothing is left of it.
fn line_of(name: &str) -> Option<String> {
    let line: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}
