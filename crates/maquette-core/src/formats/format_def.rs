//! Row of a format: everything that is known about it.

use std::fmt;

use super::{Format, Load, LoadAnimation, Write, signature_score};
use crate::convert::{ConvertFunction, FrameCost, static_mesh};
use crate::error::{LoadError, Reason};
use crate::model::{
    AnimationFiles, Companions, JointStorage, LodStorage, MaterialStorage, NameLimits, Precision, ScriptOrder,
    SurfaceStorage, TagStorage,
};

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
    /// First bytes of a file. Text files of some exporters lack them. Empty if the first bytes do not identify the format.
    pub signature: &'static str,
    /// Word in the first kilobyte that distinguishes a model from other files with the signature. `None` if the signature
    /// suffices.
    pub keyword: Option<&'static str>,
    /// Position of the 32-bit number in the header that states the size of the file. `None` if there is none.
    pub size_at: Option<usize>,
    /// Name of the game that the format was made for, as in `ENGINES` of `maquette-assets`.
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
    /// Whether only the first weight of a vertex turns its normal.
    pub first_turns_normal: bool,
    /// Maximum number of joints of a surface. Surfaces with more are split.
    pub max_surface_joints: usize,
    /// Whether texture coordinates count whole texels of a skin, whose size is in the header.
    pub whole_texels: bool,
    /// Whether frames have names.
    pub names_frames: bool,
    /// Whether a file has curves instead of frames, which are sampled when it is read. Unit and forward axis are then
    /// chosen, too ([`LoadOptions`](crate::bytes::LoadOptions)).
    pub is_sampled: bool,
    /// Whether files have the images of their materials, which a conversion can write as textures of the game.
    pub has_textures: bool,
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
    /// Whether colours of vertices multiply the texture. If not, games use them only where a shader asks for them.
    pub colours_tint: bool,
    /// Function that recognises files by more or less than [`Self::signature`], such as text. `None` if the signature alone
    /// decides.
    pub(crate) looks_like: Option<fn(&[u8]) -> bool>,
    /// Loader of models.
    pub(crate) load: Load,
    /// Loader of separate animation files. `None` if the format has none.
    pub(crate) animation: Option<LoadAnimation>,
    /// Writer of models. `None` if they are only read.
    pub(crate) writer: Option<FormatWriter>,
}

impl FormatDef {
    /// Returns a format without a name that stores single frames of named surfaces: floats, and nothing else. Rows of formats
    /// state what differs.
    pub(super) const fn plain(load: Load) -> Self {
        Self {
            name: "",
            title: "",
            extensions: &[],
            media_type: "",
            signature: "",
            game: "",
            version: 0,
            keyword: None,
            size_at: None,
            sample: None,
            usual_rate: 10.0,
            is_text: false,
            surfaces: SurfaceStorage::Named,
            materials: MaterialStorage::One,
            lods: LodStorage::None,
            tags: TagStorage::None,
            joints: JointStorage::None,
            precision: Precision::Floats,
            stores_normals: true,
            first_turns_normal: false,
            max_surface_joints: usize::MAX,
            whole_texels: false,
            names_frames: false,
            is_sampled: false,
            has_textures: false,
            bounds_frames: false,
            name_limits: NameLimits { surface: None, tag: None, frame: None },
            companions: Companions { animations: AnimationFiles::None, clip_lists: false, skins: false },
            scripts: ScriptOrder::Quake3First,
            alpha_without_script: false,
            colours_tint: false,
            looks_like: None,
            animation: None,
            writer: None,
            load,
        }
    }

    /// Returns how many leading bytes are of this format: the length of the signature, 1 for a file that only looks like
    /// the format, 0 for other files. The format with the highest score loads the file.
    pub(super) fn score(&self, bytes: &[u8]) -> usize {
        match self.looks_like {
            Some(looks_like) => usize::from(looks_like(bytes)),
            None => signature_score(bytes, self.signature.as_bytes()),
        }
    }
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

impl FormatWriter {
    /// Returns the writer of a format that holds one frame of vertices with floats.
    pub(super) const fn static_mesh(model_name: &'static str, holds: &'static str, write: Write) -> Self {
        let bytes_of_frame: FrameCost = |counts, _| counts.vertices * 24;
        Self { model_name, holds, write, convert: static_mesh::convert, bytes_of_frame, sampling_rate: 15.0 }
    }
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
    pub fn has_extension(self, extension: &str) -> bool {
        self.traits().extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// Returns whether animation files of the format have this extension, in any case.
    pub(super) fn has_animations_in(self, extension: &str) -> bool {
        let known = self.traits().companions.animations.extension();
        known.is_some_and(|known| extension.eq_ignore_ascii_case(known))
    }

    /// Returns the short name, as on the command line.
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// Returns the name as written in texts: `MD3`, `glTF`.
    pub fn title(self) -> &'static str {
        self.traits().title
    }

    /// Returns the usual extension of a model file, without the dot.
    pub fn extension(self) -> &'static str {
        self.traits().extensions.first().copied().unwrap_or_default()
    }

    /// Adds to the error of a file that it is truncated, if its header states a larger size than it has.
    pub(super) fn with_missing_end(self, error: LoadError, bytes: &[u8]) -> LoadError {
        let Some(at) = self.traits().size_at else { return error };
        let stated = bytes.get(at..at + 4).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes).map(u64::from);
        let size = bytes.len() as u64;
        let is_truncated = match stated {
            Some(stated) => stated > size && (error.reason.ends_early() || error.reached.is_some()),
            None => error.reason.ends_early(),
        };
        if !is_truncated {
            return error;
        }
        LoadError { reason: Reason::Truncated { stated, size, reason: Box::new(error.reason) }, ..error }
    }

    /// Returns the game that the format was made for.
    pub fn game(self) -> &'static str {
        self.traits().game
    }

    /// Returns the default frames per second of clips.
    pub fn usual_rate(self) -> f32 {
        self.traits().usual_rate
    }

    /// Returns whether the flags of the header mean the same in both formats: MDC has those of MD3, and a glTF may have
    /// those of any format.
    pub(crate) fn has_flags_of(self, other: Self) -> bool {
        let is_md3 = |format| matches!(format, Self::Md3 | Self::Mdc);
        self == other || other.traits().is_sampled || is_md3(self) && is_md3(other)
    }

    /// Returns whether models can be converted to the format and written.
    pub fn is_written(self) -> bool {
        self.traits().writer.is_some()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
