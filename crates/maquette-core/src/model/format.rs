//! Properties of formats. Each format's own are in the `FORMAT` of its module in [`formats`](crate::formats).

use std::fmt;

use crate::convert::{ConvertFunction, FrameCost};
use crate::formats::{Load, LoadAnimation, Write};

pub use crate::formats::Format;

/// Everything that is known about a format. Code queries these properties instead of comparing formats.
pub struct FormatDef {
    /// Short name, as on the command line and in settings.
    pub name: &'static str,
    /// Name as written in texts: `MD3`, `glTF`.
    pub title: &'static str,
    /// Extensions of model files, without the dot; the usual one first.
    pub extensions: &'static [&'static str],
    /// Media type for desktop environments.
    pub media_type: &'static str,
    /// First bytes of a file. Text files of some exporters lack them.
    pub signature: &'static str,
    /// Name of the game that the format was made for, in the table of games.
    pub game: &'static str,
    /// Version that converted models get.
    pub version: i32,
    /// Frames per second of clips for which no file states a rate.
    pub usual_rate: f32,
    /// File name of the sample model. `None` if there is none.
    pub sample: Option<&'static str>,
    /// Whether the file is text with quoted names. Other formats have fields of fixed length.
    pub is_text: bool,
    /// Division of the mesh into surfaces.
    pub surfaces: SurfaceStorage,
    /// Materials of a surface.
    pub materials: MaterialStorage,
    /// Location of the coarser LODs.
    pub lods: LodStorage,
    /// Storage of tags.
    pub tags: TagStorage,
    /// Storage of joints.
    pub joints: JointStorage,
    /// Precision of positions.
    pub precision: Precision,
    /// Whether vertices store a normal; if not, games compute it from the triangles.
    pub stores_normals: bool,
    /// Whether texture coordinates count whole texels of a skin, whose size is in the header.
    pub whole_texels: bool,
    /// Whether frames have names.
    pub names_frames: bool,
    /// Whether a file has curves instead of frames, which are sampled when it is read. Unit and forward axis are then
    /// chosen, too ([`LoadOptions`](crate::bytes::LoadOptions)).
    pub is_sampled: bool,
    /// Whether frames store a box, and a sphere with its centre.
    pub bounds_frames: bool,
    /// Maximum lengths of names.
    pub name_limits: NameLimits,
    /// Companion files of a model.
    pub companions: Companions,
    /// Search order of the scripts that define the materials.
    pub scripts: ScriptOrder,
    /// Whether alpha makes images without a script transparent. If not, they are opaque, as in Quake III.
    pub alpha_without_script: bool,
    /// Function that returns how many leading bytes are of this format: the length of the signature, 1 for text that looks
    /// like the format, 0 for other files. The format with the highest score loads the file.
    pub(crate) score: fn(&[u8]) -> usize,
    /// Loader of models.
    pub(crate) load: Load,
    /// Loader of separate animation files. `None` if the format has none.
    pub(crate) animation: Option<LoadAnimation>,
    /// Writer of models. `None` if they are only read.
    pub(crate) writer: Option<FormatWriter>,
}

/// Conversion to a format and its writer.
pub(crate) struct FormatWriter {
    /// Name in lists of exporters: `Quake model`.
    pub model_name: &'static str,
    /// Description of the contents, as a continuation of `it holds …`.
    pub holds: &'static str,
    /// Function that writes the files.
    pub write: Write,
    /// Function that converts a model of any format.
    pub convert: ConvertFunction,
    /// Function that returns the bytes of a converted frame.
    pub bytes_of_frame: FrameCost,
    /// Frames per second at which animations without frames (glTF) are sampled. Quake and Quake II play nothing but 10.
    /// Formats that store every vertex of every frame have 15, like most players of Quake III.
    pub sampling_rate: f32,
}

/// Division of a mesh into surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceStorage {
    /// Single surface without a name, whose tables are those of the file.
    One,
    /// Surfaces with names.
    Named,
    /// Surfaces with names; the file states which are drawn. Reports leave out the others.
    Switched,
    /// Surfaces named after their materials.
    Unnamed,
}

/// Materials of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialStorage {
    /// All skins whose images the file names; the user selects one.
    Skins,
    /// All skins whose images are inside the file; the user selects one.
    Inside,
    /// Single material.
    One,
    /// Material for each skin number.
    Several,
}

/// Location of the coarser LODs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LodStorage {
    /// No LODs.
    None,
    /// LODs in separate files, `NAME_1` and `NAME_2`.
    Files,
    /// LODs in the model's file.
    Inside,
}

/// Storage of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagStorage {
    /// No tags.
    None,
    /// Transform in each frame.
    Frames,
    /// Names of bones, which move the tags.
    Bones,
    /// Surfaces whose first three vertices determine the tag's transform.
    Triangles,
}

/// Storage of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointStorage {
    /// No joints; vertices are stored for each frame.
    None,
    /// Bones without names and parents. Games blend the rows of their matrices.
    Bones,
    /// Skeleton of named joints.
    Skeleton,
}

/// Precision of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 1/255 of the box of a frame (MD2) or of the model (MDL).
    Bytes,
    /// 1/64 unit.
    Shorts,
    /// 1/64 unit in key frames, 1/20 unit in offsets from them.
    KeyDeltas,
    /// 32-bit floats.
    Floats,
    /// Decimal text.
    Decimals,
}

/// Maximum lengths of names in characters. `None` if unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameLimits {
    /// Names of surfaces and paths of materials.
    pub surface: Option<usize>,
    /// Names of tags.
    pub tag: Option<usize>,
    /// Names of frames.
    pub frame: Option<usize>,
}

/// Companion files of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Companions {
    /// Separate animation files.
    pub animations: AnimationFiles,
    /// Whether clip lists like `animation.cfg` exist.
    pub clip_lists: bool,
    /// Whether `.skin` files assign materials.
    pub skins: bool,
}

/// Separate animation files of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationFiles {
    /// No separate files.
    None,
    /// Files with this extension in the model's folder and below, which name the joints.
    Below(&'static str),
    /// Files with this extension and without meshes, in the nearest folder that has any: the model's, or one of the two
    /// above. They number the joints.
    Above(&'static str),
    /// Skeletons with this extension and with all frames, without which the model has no joints.
    Skeleton(&'static str),
}

impl AnimationFiles {
    /// Returns the extension of the files, without the dot; `None` without separate files.
    #[must_use]
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Below(extension) | Self::Above(extension) | Self::Skeleton(extension) => Some(extension),
        }
    }
}

/// Search order of the games' scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptOrder {
    /// No scripts; names refer to images.
    None,
    /// Quake III, then Doom 3.
    Quake3First,
    /// Doom 3, then Quake III.
    Doom3First,
}

impl Format {
    /// Returns the format with this short name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the formats whose model files may have this extension, in any case. The content determines which one it is.
    pub fn with_extension(extension: &str) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|format| format.has_extension(extension))
    }

    /// Returns whether model files of the format have this extension, in any case.
    #[must_use]
    pub fn has_extension(self, extension: &str) -> bool {
        self.traits().extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// Returns the short name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// Returns the name as written in texts: `MD3`, `glTF`.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.traits().title
    }

    /// Returns the usual extension of a model file, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        self.traits().extensions.first().copied().unwrap_or_default()
    }

    /// Returns the game that the format was made for.
    #[must_use]
    pub fn game(self) -> &'static str {
        self.traits().game
    }

    /// Returns the default frames per second of clips.
    #[must_use]
    pub fn usual_rate(self) -> f32 {
        self.traits().usual_rate
    }

    /// Returns whether models can be converted to the format and written.
    #[must_use]
    pub fn is_written(self) -> bool {
        self.traits().writer.is_some()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
