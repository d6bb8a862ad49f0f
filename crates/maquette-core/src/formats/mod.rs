//! Loaders and writers of the formats, and the table that lists them.
//!
//! The first bytes determine the format, not the extension (real `.md2` files exist that contain an MD3). A loader
//! reads bytes and knows no path, no GPU and no other loader.
//!
//! To add a format, create a module with `FORMAT` (a [`FormatDef`]) and its loader, and add a line to the list `formats!`
//! below.

pub mod animation_cfg;
pub mod ase;
pub mod clip_list;
pub mod dkm;
pub mod dpm;
pub mod dxf;
pub mod fm;
pub mod glm;
pub mod gltf;
pub mod iqm;
pub mod kmdx;
pub mod lwo;
pub mod md2;
pub mod md3;
pub mod md5;
pub mod mdc;
pub mod mdl;
pub mod mdm;
pub mod mdr;
pub mod mds;
pub mod obj;
pub mod psk;
pub mod sp2;
pub mod spr;
pub mod tag_file;
pub mod three_ds;
pub mod zym;

mod angle_skeleton;
mod bone_surface;
mod chunk;
mod end_times;
mod format_def;
pub(crate) mod frame_names;
pub(crate) mod gl_commands;
mod interchange;
mod keyed_blocks;
mod line;
pub(crate) mod md2_common;
mod md3_common;
mod polygons;
mod relative_bones;
mod sprite;
mod table_normals;
mod track;
mod unusable_numbers;
mod write;

pub use format_def::FormatDef;
pub(crate) use format_def::FormatWriter;
pub use write::{AnimationFile, WrittenModel, write};

use crate::bytes::{CompanionReader, LoadOptions, Recorder, Salvage, Source};
use crate::error::{FilePosition, LoadError, Reason, Warning, WarningKind, Warnings, WriteError};
use crate::model::{Clip, FrameInfo, JointFrames, Model, ModelParts, ScriptOrder, SkeletonFile, Surface};

/// Number of leading bytes that [`detect`] needs. A text format may have as many bytes of comments before its first
/// word.
pub const HEAD: u64 = 1 << 16;

/// Function that loads one file.
pub type Load = fn(&Source, &mut Warnings) -> Result<ModelParts, LoadError>;

/// Clip, joints and frames of an animation file.
pub type Track = (Clip, JointFrames, Vec<FrameInfo>);

/// Contents of an animation file.
#[derive(Clone, Debug)]
pub struct LoadedAnimation {
    /// Skeleton of the file, for a model without joints; `None` if the animation is for joints of the model.
    pub skeleton: Option<SkeletonFile>,
    /// Clip, joints and frames.
    pub track: Track,
    /// Named ranges of the file's frames (IQM); empty if the file names none.
    pub clips: Vec<Clip>,
}

impl From<Track> for LoadedAnimation {
    fn from(track: Track) -> Self {
        Self { skeleton: None, track, clips: Vec::new() }
    }
}

/// Function that loads the bytes of an animation file for a model, as a clip with a name.
pub type LoadAnimation = fn(&[u8], &str, &Model, &mut Warnings) -> Result<LoadedAnimation, LoadError>;

/// Function that writes the files of a model.
pub type Write = fn(&Model) -> Result<WrittenModel, WriteError>;

/// Declares [`Format`] from the list of formats and the modules that have their properties.
macro_rules! formats {
    ($($format:ident: $module:ident,)*) => {
        /// Supported model format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            $(#[doc = concat!("Format of the module [`", stringify!($module), "`].")] $format,)*
        }

        impl Format {
            /// All formats, from the oldest game to the newest; formats without a game last.
            pub const ALL: [Self; [$(Self::$format),*].len()] = [$(Self::$format),*];

            /// Returns the properties of the format.
            pub const fn traits(self) -> &'static FormatDef {
                match self {
                    $(Self::$format => &$module::FORMAT,)*
                }
            }
        }
    };
}

formats! {
    Mdl: mdl,
    Spr: spr,
    Md2: md2,
    Sp2: sp2,
    Kmdx: kmdx,
    Fm: fm,
    Dkm: dkm,
    Md3: md3,
    Mdc: mdc,
    Mdr: mdr,
    Mds: mds,
    Mdm: mdm,
    Md5: md5,
    Glm: glm,
    Zym: zym,
    Dpm: dpm,
    Psk: psk,
    Iqm: iqm,
    Ase: ase,
    Lwo: lwo,
    Obj: obj,
    ThreeDs: three_ds,
    Dxf: dxf,
    Gltf: gltf,
}

/// Returns the length of `signature` if the bytes begin with it, else 0.
fn signature_score(bytes: &[u8], signature: &[u8]) -> usize {
    if bytes.starts_with(signature) { signature.len() } else { 0 }
}

/// Signatures of unsupported formats, with descriptions.
const RELATIVES: &[(&[u8], &str)] = &[
    // Like Quake II's, with another layout.
    (b"IDP2\x0e\0\0\0", "an Anachronox model (MD2 version 14)"),
    (b"IDP2\x0f\0\0\0", "an Anachronox model (MD2 version 15)"),
    (b"RAPO", "a Hexen II model (MDL)"),
    (b"IDST", "a Half-Life model (MDL)"),
    (b"IDSQ", "a Half-Life sequence file (MDL)"),
    (b"SKMD", "a Medal of Honor mesh (SKD)"),
    (b"SKAN", "a Medal of Honor animation (SKC)"),
    (b"SKL ", "a FAKK2 mesh (SKB)"),
    (b"TAN ", "a FAKK2 model (TAN)"),
    (b"IBSP", "a map (BSP)"),
    (b"IDP4", "an MD4 model"),
];

/// Signatures of files that are named like a model by accident, with messages.
const ACCIDENTS: &[(&[u8], &str)] = &[
    (glm::gla::MAGIC, "this is a Ghoul2 skeleton (GLA) without its mesh; open the .glm instead"),
    (tag_file::MAGIC, "this is a tag file (.tag), not a model; “Copy tags” (copy-tags) adds its tags to a model"),
    (b"PACK", "this is a PAK archive (.pak), not a model; name a model in it, for example pak0.pak/progs/x.mdl"),
    (
        b"PK\x03\x04",
        "this is a zip archive (.pk3, .pk4, .zip), not a model; name a model in it, for example x.pk3/models/x.md3",
    ),
    (b"\x1f\x8b", "this is a gzip file, not a model; unpack it first"),
    (b"BZh", "this is a bzip2 file, not a model; unpack it first"),
    (b"\xfd7zXZ", "this is an xz file, not a model; unpack it first"),
    (b"7z\xbc\xaf", "this is a 7z archive, not a model; unpack it first"),
    (b"Rar!", "this is a RAR archive, not a model; unpack it first"),
    (b"\x89PNG", "this is a PNG image, not a model"),
    (b"\xff\xd8\xff", "this is a JPEG image, not a model"),
    (b"GIF8", "this is a GIF image, not a model"),
    (b"DDS ", "this is a DDS image, not a model"),
    (b"RIFF", "this is a RIFF file (WebP, WAV), not a model"),
    (b"OggS", "this is an Ogg sound, not a model"),
    (b"%PDF", "this is a PDF document, not a model"),
];

/// Describes a file that is not the expected one: a pointer of Git LFS or git-annex, or a web page.
pub fn stand_in(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"version https://git-lfs.github.com/") {
        return Some("this is a Git LFS pointer, not the file itself; download it with “git lfs pull”");
    }
    if bytes.starts_with(b"/annex/objects/") {
        return Some("this is a git-annex pointer, not the file itself; download it with “git annex get”");
    }
    let is_page = begins(bytes, "<!doctype html") || begins(bytes, "<html");
    is_page.then_some("this is a web page (HTML); the download failed")
}

/// Returns whether a text begins with a word, after a byte order mark and whitespace.
fn begins(bytes: &[u8], word: &str) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    start.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// Extensions of unsupported model formats, with descriptions. Skeletons (MDX, GLA) are not models.
const RELATIVE_EXTENSIONS: &[(&str, &str)] = &[
    ("md4", "MD4 model"),
    ("skd", "Medal of Honor mesh"),
    ("skb", "FAKK2 mesh"),
    ("skm", "Skeletal model of early Warsow"),
    ("kvx", "Voxel model"),
];

/// Returns the description of an unsupported model format by its extension, in any case. `None` for other extensions.
pub fn unread_kind(extension: &str) -> Option<&'static str> {
    let known = RELATIVE_EXTENSIONS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    known.filter(|_| !is_model_extension(extension)).map(|(_, what)| *what)
}

/// Detects the format of a file by its first bytes. `None` if they are more like those of an unsupported format.
pub fn detect(bytes: &[u8]) -> Option<Format> {
    let scores = Format::ALL.into_iter().map(|format| (format.traits().score(bytes), format));
    let (score, format) = scores.max_by_key(|(score, _)| *score)?;
    let unsupported = RELATIVES.iter().map(|(signature, _)| signature_score(bytes, signature)).max();
    // A supported format wins a tie, so that its signature may still be in the table of the others.
    (score > 0 && score >= unsupported.unwrap_or(0)).then_some(format)
}

/// Returns whether a file extension belongs to a supported model format.
pub fn is_model_extension(extension: &str) -> bool {
    Format::with_extension(extension).next().is_some()
}

/// Returns whether a file extension belongs to animation files of a supported format, and not to its models: an `.iqm` may
/// be either.
pub fn is_animation_extension(extension: &str) -> bool {
    let mut formats = Format::ALL.iter().filter(|format| !format.has_extension(extension));
    formats.any(|format| format.has_animations_in(extension))
}

/// Returns whether files with the extension of a model may also be animation files, so that their content decides.
pub fn is_shared_extension(extension: &str) -> bool {
    is_model_extension(extension) && Format::ALL.iter().any(|format| format.has_animations_in(extension))
}

/// Number of leading bytes that [`is_animation`] needs.
pub const ANIMATION_HEAD: u64 = iqm::HEADER_BYTES;

/// Returns whether these are the first bytes of a file that has only animations, or a skeleton (IQM, MDX).
pub fn is_animation(start: &[u8]) -> bool {
    iqm::is_animation(start) || mdm::is_animation(start)
}

/// Loads the bytes of an animation file as a clip called `name` of `model`; [`Model::add_loaded`] adds it. Fails if the
/// file is invalid, does not fit the skeleton ([`Reason::OtherModel`]), the model has no room for more frames, or the
/// model's format has no animation files.
pub fn load_animation(
    bytes: &[u8],
    name: &str,
    model: &Model,
    warnings: &mut Warnings,
) -> Result<LoadedAnimation, LoadError> {
    if let Some(what) = stand_in(bytes) {
        return Err(LoadError::new(model.format().name(), "", FilePosition::Whole, Reason::Broken(what.to_owned())));
    }
    let load = model.format().traits().animation.ok_or_else(|| {
        let why = "models of this format have no animation files".to_owned();
        LoadError::new(model.format().name(), "", FilePosition::Whole, Reason::Broken(why))
    });
    load?(bytes, name, model, warnings)
}

impl Model {
    /// Appends the animation of a file (`.md5anim`, `.iqm`, `.mdx`, `.gla`) as a clip called `name`, and returns the warnings.
    /// Joints of an MD5 are matched by name and the file may have fewer than the model; joints of an IQM are matched by
    /// index; a GLA or MDX adds the joints to a mesh without a skeleton. Fails without a change if the animation is invalid,
    /// does not fit the skeleton ([`Reason::OtherModel`]), or the format has no animation files.
    pub fn add_animation(&mut self, name: &str, bytes: &[u8]) -> Result<Vec<Warning>, LoadError> {
        let mut warnings = Warnings::default();
        let animation = load_animation(bytes, name, self, &mut warnings)?;
        self.add_loaded(animation)?;
        Ok(warnings.into_vec())
    }

    /// Appends an animation from [`load_animation`]. Fails without a change if it does not fit the model.
    pub fn add_loaded(&mut self, animation: LoadedAnimation) -> Result<(), LoadError> {
        let LoadedAnimation { skeleton, track: (clip, joints, frames), .. } = animation;
        match skeleton {
            Some(skeleton) => self.add_skeleton(skeleton, clip, joints, frames),
            None => self.add_track(clip, joints, frames),
        }
    }
}

/// Loads a model of any format, with warnings about recoverable errors. A `.gltf` with separate buffers needs
/// [`load_with`].
pub fn load(bytes: &[u8]) -> Result<(Model, Vec<Warning>), LoadError> {
    load_with(bytes, LoadOptions::default(), None)
}

/// Like [`load`], with the interpretation of the file and the files that it names.
pub fn load_with(
    bytes: &[u8],
    options: LoadOptions,
    companions: Option<CompanionReader>,
) -> Result<(Model, Vec<Warning>), LoadError> {
    let mut warnings = Warnings::default();
    let Some(format) = detect(bytes) else { return Err(unknown(bytes)) };
    let source = Source::new(format.name(), bytes).with_options(options, companions);
    let parts =
        (format.traits().load)(&source, &mut warnings).map_err(|error| format.with_missing_end(error, bytes))?;
    Ok((Model::new(finished(parts, &source))?, warnings.into_vec()))
}

/// Loads a model without its companion files, or a tag file as a model of one frame without surfaces.
pub fn load_model_or_tags(bytes: &[u8]) -> Result<Model, LoadError> {
    if tag_file::is_tag_file(bytes) {
        return tag_file::load(bytes, &mut Warnings::default());
    }
    load(bytes).map(|(model, _)| model)
}

/// Completes the parts of any format.
fn finished(mut parts: ModelParts, source: &Source) -> ModelParts {
    hide_helpers(&mut parts);
    let is_text = parts.format.traits().is_text;
    parts.data.has_latin1 = source.has_latin1() || is_text && std::str::from_utf8(source.bytes()).is_err();
    parts
}

/// Hides surfaces that serve only collisions or shadows, by their materials in Doom 3, unless all do.
fn hide_helpers(parts: &mut ModelParts) {
    let is_helper = |surface: &Surface| {
        let material = surface.materials.first().map(|name| name.to_ascii_lowercase().replace('\\', "/"));
        let common = material.as_deref().and_then(|name| name.strip_prefix("textures/common/"));
        common.is_some_and(|name| name.starts_with("collision") || name.starts_with("shadow"))
    };
    if parts.format.traits().scripts == ScriptOrder::Doom3First && !parts.surfaces.iter().all(is_helper) {
        parts.surfaces.iter_mut().filter(|surface| is_helper(surface)).for_each(|surface| surface.hidden = true);
    }
}

/// Like [`load`], and records every field read in `recorder`. If loading fails, `recorder` holds the fields read
/// until then.
pub fn load_recorded(bytes: &[u8], recorder: &Recorder) -> (Result<Model, LoadError>, Vec<Warning>) {
    let mut warnings = Warnings::default();
    let Some(format) = detect(bytes) else { return (Err(unknown(bytes)), Vec::new()) };
    let source = Source::recorded(format.name(), bytes, recorder);
    let parts = (format.traits().load)(&source, &mut warnings).map(|parts| finished(parts, &source));
    let model = parts.and_then(Model::new);
    (model, warnings.into_vec())
}

/// Records the fields of the intact part of a damaged model, and returns the warnings. `loaded` is the number of
/// triangles that [`load`] returns, if it succeeds. `None` if the intact part has no more triangles than that.
pub fn salvage_recorded(bytes: &[u8], recorder: &Recorder, loaded: Option<usize>) -> Option<Vec<Warning>> {
    let (model, warnings) = load_salvaged(detect(bytes)?, bytes, Some(recorder), LoadOptions::default(), None);
    let model = model.ok()?;
    let is_more = loaded.map_or_else(|| is_shown(&model), |loaded| triangles(&model) > loaded);
    is_more.then(|| warnings.into_vec())
}

/// Intact part of a damaged model.
#[derive(Debug)]
pub struct Salvaged {
    /// Loaded model.
    pub model: Model,
    /// Warnings. For a damaged file, the first is the error that made [`load`] fail, if it did.
    pub warnings: Vec<Warning>,
    /// Whether the file is damaged. If not, the result equals that of [`load`].
    pub is_damaged: bool,
}

/// Recovers the intact part of a model that [`load`] refuses or loads with fewer triangles than the file contains:
/// surfaces before the end of a truncated file, complete frames, triangles with existing vertices. Returns the error of
/// [`load`] if no triangle, tag or joint can be recovered.
pub fn salvage(bytes: &[u8]) -> Result<Salvaged, LoadError> {
    salvage_with(bytes, LoadOptions::default(), None)
}

/// Like [`salvage`], with the interpretation of the file and the files that it names.
pub fn salvage_with(
    bytes: &[u8],
    options: LoadOptions,
    companions: Option<CompanionReader>,
) -> Result<Salvaged, LoadError> {
    let Some(format) = detect(bytes) else { return Err(unknown(bytes)) };
    // Drop this model before loading another.
    let loaded = load_with(bytes, options, companions).map(|(model, _)| triangles(&model));
    let (salvaged, noted) = load_salvaged(format, bytes, None, options, companions);
    let mut warnings = Warnings::default();
    let model = match (loaded, salvaged) {
        (Ok(known), Ok(model)) if triangles(&model) > known => model,
        (Ok(_), _) => {
            return load_with(bytes, options, companions).map(|(model, warnings)| Salvaged {
                model,
                warnings,
                is_damaged: false,
            });
        }
        (Err(error), Ok(model)) if is_shown(&model) => {
            let message = format!("{error}; only the recoverable part of the file is shown");
            warnings.add_error(WarningKind::LeftOut, "", message, &error);
            model
        }
        (Err(error), _) => return Err(error),
    };
    warnings.append(noted.into_vec());
    Ok(Salvaged { model, warnings: warnings.into_vec(), is_damaged: true })
}

fn load_salvaged(
    format: Format,
    bytes: &[u8],
    recorder: Option<&Recorder>,
    options: LoadOptions,
    companions: Option<CompanionReader>,
) -> (Result<Model, LoadError>, Warnings) {
    let (notes, mut odd) = (Salvage::default(), Warnings::default());
    let mut source = Source::salvaged(format.name(), bytes, &notes).with_options(options, companions);
    if let Some(recorder) = recorder {
        source = source.with_recorder(recorder);
    }
    let parts = (format.traits().load)(&source, &mut odd).map(|parts| finished(parts, &source));
    let model = parts.and_then(Model::new);
    let mut warnings = notes.into_warnings();
    warnings.append(odd.into_vec());
    (model, warnings)
}

fn is_shown(model: &Model) -> bool {
    triangles(model) + model.tags().len() + model.joints().len() > 0
}

/// Returns the number of triangles of all surfaces.
pub fn triangles(model: &Model) -> usize {
    model.surfaces().iter().map(|surface| surface.triangles.len()).sum()
}

/// Number of leading bytes by which text is recognised.
const TEXT_HEAD: usize = 512;

fn unknown(bytes: &[u8]) -> LoadError {
    let refuse = |why: &str| LoadError::new("", "", FilePosition::Whole, Reason::Broken(why.to_owned()));
    if bytes.is_empty() {
        return LoadError::new("", "", FilePosition::Whole, Reason::Empty);
    }
    if let Some((_, what)) = RELATIVES.iter().find(|(signature, _)| bytes.starts_with(signature)) {
        return LoadError::new("", "", FilePosition::Whole, Reason::UnsupportedFormat { what });
    }
    if let Some(what) = interchange::describe(bytes) {
        return refuse(&format!("this is {what}; open it in Blender and export it as glTF (.glb)"));
    }
    if md5::looks_like_animation(bytes) {
        return refuse("this is an MD5 animation without its mesh; open the .md5mesh instead");
    }
    if mdm::is_animation(bytes) {
        return refuse("this is a skeleton (MDX) without its mesh; open the .mdm instead");
    }
    if bytes.starts_with(psk::psa::MAGIC) {
        return refuse("this is an Unreal animation (PSA) without its mesh; open the .psk instead");
    }
    if let Some((_, what)) = ACCIDENTS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return refuse(what);
    }
    if let Some(what) = stand_in(bytes) {
        return refuse(what);
    }
    if begins(bytes, "<?xml") {
        return refuse("this is an XML file, not a model");
    }
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let head = bytes.get(..bytes.len().min(TEXT_HEAD)).unwrap_or_default();
    let found = bytes.iter().take(4).map(|byte| byte.escape_ascii().to_string()).collect::<String>();
    let reason = Reason::WrongMagic { found: format!("“{found}”") };
    if head.iter().all(is_text) {
        return refuse(&format!("{reason}; this is text"));
    }
    LoadError::new("", "", FilePosition::Whole, reason)
}
