//! Export to other programs and to game formats.

mod game_formats;
pub mod gltf;
pub mod obj;
pub mod ply;
mod scene;
mod skin_file;

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::LazyLock;

use crate::convert::{SurfaceLimits, coloured_surfaces, lost_colours};
use crate::error::system_reason;
use crate::formats::tag_file;
use crate::model::Format;

pub use scene::{
    Animation, ExportAnchor, ExportImage, ExportMaterial, ExportParent, ExportPart, ExportScene, Key, Track,
};
pub use skin_file::skin_file;

/// Options of an export. Each format uses those that apply to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExportOptions {
    /// Metres per game unit.
    pub scale: f32,
    /// Whether positions are written as 16-bit integers, if the format supports them.
    pub quantized: bool,
    /// Whether materials ignore lighting.
    pub unlit: bool,
    /// Destination of textures.
    pub textures: TexturePlacement,
    /// Limits beyond which surfaces are split, in game formats.
    pub limits: SurfaceLimits,
}

impl ExportOptions {
    /// Metres per unit in these games: one inch.
    pub const USUAL_SCALE: f32 = 0.0254;
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            scale: Self::USUAL_SCALE,
            quantized: false,
            unlit: false,
            textures: TexturePlacement::Embedded,
            limits: SurfaceLimits::NONE,
        }
    }
}

/// Destination of the textures of an exported model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TexturePlacement {
    /// Inside the exported file.
    #[default]
    Embedded,
    /// PNG files next to the exported file; for a game format, files at the shader paths.
    External,
    /// Not written.
    Omitted,
}

/// Destination files of an export.
pub trait ExportFiles {
    /// Returns the writer of the requested file.
    fn main(&mut self) -> &mut dyn Write;

    /// Returns the name of a companion file: the stem of the requested file with this ending.
    fn companion_name(&self, ending: &str) -> String;

    /// Returns the path in the game of the requested file, if known, without extension; otherwise its stem.
    fn game_path(&self) -> String {
        self.companion_name("")
    }

    /// Writes a file next to the requested one. Fails if the destination supports a single file only.
    fn write_companion(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Receives the shader paths of the materials that a game format renamed in a part of the scene.
    fn materials_renamed(&mut self, _part: usize, _renamed: HashMap<String, String>) {}

    /// Returns whether a file of this name exists next to the requested one.
    fn is_there(&self, _name: &str) -> bool {
        false
    }
}

/// Error of an export.
#[derive(Debug)]
pub enum ExportError {
    /// The file could not be written.
    Write(io::Error),
    /// The model does not fit the format; the text is a sentence.
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

/// Losses of an export: descriptions of lost data with numbers, one sentence each.
pub type Losses = Vec<String>;

/// Function that writes a scene for one or several exporters.
pub type WriteFunction =
    fn(&Exporter, &ExportScene<'_>, &ExportOptions, &mut dyn ExportFiles) -> Result<Losses, ExportError>;

/// Part of a scene that a format contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportContent {
    /// Model in a single frame.
    Pose,
    /// Everything, with animations and materials.
    Scene,
    /// Model with all its frames and the names of its materials, in a game format.
    Model(Format),
}

/// Format of an export.
pub struct Exporter {
    /// Display name.
    pub name: &'static str,
    /// Short label.
    pub label: &'static str,
    /// Usual extension, without the dot.
    pub extension: &'static str,
    /// Description of the contents, as a continuation of `it holds …`.
    pub holds: &'static str,
    /// Part of the scene that is written.
    pub content: ExportContent,
    /// Implementation of [`Self::write`].
    pub write: WriteFunction,
}

impl Exporter {
    /// Returns the game format; `None` if the exporter writes for other programs.
    pub const fn format(&self) -> Option<Format> {
        match self.content {
            ExportContent::Model(format) => Some(format),
            ExportContent::Pose | ExportContent::Scene => None,
        }
    }

    /// Writes a scene. Fails if a file cannot be written, a model does not fit the format, or nothing could be shown.
    pub fn write(
        &self,
        subject: &ExportScene<'_>,
        options: &ExportOptions,
        files: &mut dyn ExportFiles,
    ) -> Result<Losses, ExportError> {
        let is_shown = match self.content {
            ExportContent::Scene => subject.parts.iter().any(ExportPart::is_shown),
            ExportContent::Pose | ExportContent::Model(_) => true,
        };
        refuse_nothing(is_shown)?;
        (self.write)(self, subject, options, files)
    }
}

fn refuse_nothing(is_shown: bool) -> Result<(), ExportError> {
    let why = "there is nothing to export: the model has no triangles in this frame and LOD";
    if is_shown { Ok(()) } else { Err(ExportError::Unfit(why.to_owned())) }
}

fn check_triangles(subject: &ExportScene<'_>) -> Result<(), ExportError> {
    refuse_nothing(subject.parts.iter().any(|part| part.surfaces().next().is_some()))
}

const PROGRAMS: [Exporter; 6] = [
    Exporter {
        name: "Wavefront OBJ",
        label: "OBJ",
        extension: "obj",
        holds: "one pose: triangles, texture coordinates, normals and names",
        content: ExportContent::Pose,
        write: |_, subject, _, files| {
            check_triangles(subject)?;
            obj::write(&subject.parts, files.main())?;
            let surfaces = subject.parts.iter().map(|part| coloured_surfaces(part.model, |_| true)).sum();
            Ok(if surfaces > 0 { vec![lost_colours("OBJ", "colours", surfaces)] } else { Losses::new() })
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
        holds: "one pose: triangles, texture coordinates, normals and vertex colours",
        content: ExportContent::Pose,
        write: |_, subject, _, files| {
            check_triangles(subject)?;
            ply::write(&subject.parts, files.main())?;
            Ok(Losses::new())
        },
    },
    Exporter {
        name: "Quake III skin",
        label: "Skin file",
        extension: "skin",
        holds: "the name of each surface with the shader or image that is shown, and the names of the tags",
        content: ExportContent::Pose,
        write: |_, subject, _, files| {
            check_triangles(subject)?;
            let unfit = |why: &str| Err(ExportError::Unfit(why.to_owned()));
            let [part] = subject.parts.as_slice() else { return unfit("a .skin file belongs to a single model") };
            if part.model.surfaces().iter().all(|surface| surface.name.is_empty()) {
                return unfit("the surfaces have no names, by which a .skin file finds them");
            }
            files.main().write_all(skin_file(part.model, &part.shown_paths).as_bytes())?;
            Ok(Losses::new())
        },
    },
    Exporter {
        name: "Enemy Territory tags",
        label: "Tag file",
        extension: "tag",
        holds: "the tags of one pose, which the server reads next to the model",
        content: ExportContent::Pose,
        write: |_, subject, _, files| {
            let unfit = |why: String| ExportError::Unfit(why);
            let [part] = subject.parts.as_slice() else {
                return Err(unfit("a .tag file belongs to a single model".to_owned()));
            };
            let bytes = tag_file::write(part.model, &part.pose.tags).map_err(|error| unfit(error.to_string()))?;
            files.main().write_all(&bytes)?;
            Ok(Losses::new())
        },
    },
];

/// All exporters: those of other programs, of which the first is the default, then those of games with other extensions.
pub static EXPORTERS: LazyLock<Vec<Exporter>> = LazyLock::new(|| {
    let games = Format::ALL.into_iter().filter_map(|format| {
        let writer = format.traits().writer.as_ref()?;
        if PROGRAMS.iter().any(|exporter| exporter.extension == format.extension()) {
            return None;
        }
        Some(Exporter {
            name: writer.model_name,
            label: format.title(),
            extension: format.extension(),
            holds: writer.holds,
            content: ExportContent::Model(format),
            write: game_formats::write,
        })
    });
    PROGRAMS.into_iter().chain(games).collect()
});

/// Returns the exporter for the extension of `path`, or the default exporter if `path` is `-`. `None` if the extension is
/// missing or unknown.
pub fn exporter_for(path: &Path) -> Option<&'static Exporter> {
    match path.extension() {
        None => EXPORTERS.first().filter(|_| path == Path::new("-")),
        Some(extension) => EXPORTERS.iter().find(|exporter| extension.eq_ignore_ascii_case(exporter.extension)),
    }
}

fn line_of(name: &str) -> Option<String> {
    let line: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}
