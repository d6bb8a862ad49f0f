//! Lint profile of an engine: the formats that it loads, and its limits.

use super::{Engine, PROFILES};
use crate::material::ScriptRules;
use crate::vfs::{name_of, split_extension};
use maquette_core::convert::SurfaceLimits;
use maquette_core::error::Fault;
use maquette_core::model::Format;

/// A number that an engine limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Vertices of a surface, as stored in the file.
    Vertices,
    /// Triangles of a surface.
    Triangles,
    /// Surfaces of a level of detail.
    Surfaces,
    /// Frames in the file; in MD5, of the animation named after the mesh.
    Frames,
    /// Tags in the file.
    Tags,
    /// Joints of the model.
    Joints,
    /// Weights of a vertex.
    Weights,
    /// Weights of a surface, as stored in the file (MD5).
    StoredWeights,
    /// Skins of the file (MDL, MD2).
    Skins,
    /// Materials of a surface, one for each skin number.
    Materials,
    /// Characters of a name, without the terminating zero.
    NameLength,
    /// Levels of detail.
    Levels,
    /// Width of the skin in texels (MDL, MD2).
    SkinWidth,
    /// Height of the skin in texels (MDL, MD2).
    SkinHeight,
}

/// Maximum of a quantity that an engine accepts.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Format that the limit applies to.
    pub format: Format,
    /// Limited quantity.
    pub quantity: Quantity,
    /// Maximum.
    pub max: usize,
    /// Whether the engine rejects more or overruns its tables. If not, only headers and tools have the limit.
    pub is_enforced: bool,
}

/// Check of an `.md5anim`'s joints against the mesh, before an engine plays the animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonCheck {
    /// No check: the engine matches joints by name, as Maquette does.
    None,
    /// The number of joints.
    Count,
    /// The number, names, parents and order of joints.
    Hierarchy,
}

/// Rules of an engine for models.
#[derive(Debug)]
pub struct Profile {
    /// Name on the command line, which must not change.
    pub name: &'static str,
    /// Display name.
    pub title: &'static str,
    /// Formats that the engine and Maquette load.
    pub formats: &'static [Format],
    /// Limits by format.
    pub limits: &'static [&'static [Limit]],
    /// Maximum number of bytes in a game path (`MAX_QPATH` − 1). The engine refuses longer paths, or overruns a buffer.
    pub max_path_bytes: Option<usize>,
    /// Whether players consist of `lower`, `upper` and `head`, joined by tags.
    pub has_player_parts: bool,
    /// Whether the engine culls by the stored boxes and spheres of frames, instead of computing its own.
    pub culls_by_frames: bool,
    /// Check of the animation that is named after the mesh.
    pub skeleton: SkeletonCheck,
    /// Whether the engine looks up only images whose names have an extension.
    pub needs_extensions: bool,
    /// Extensions of images that the engine reads; empty if they are not known.
    pub image_formats: &'static [&'static str],
    /// Words of the engine's shader scripts. `None` if the engine reads no such scripts.
    pub script: Option<&'static ScriptRules>,
    /// Whether the engine draws its default material in place of one with an unknown directive (Doom 3 `Material.cpp`,
    /// `ParseMaterial`: `MF_DEFAULTED`).
    pub rejects_materials: bool,
    /// Format whose models are loaded only in a folder of this name, next to a model of another format.
    pub required_folder: Option<(Format, &'static str)>,
    /// Faults, by format, for which the engine refuses a file, skips a part of it, or reads past its data.
    pub refuses: &'static [(Format, &'static [Fault])],
    /// Attributes of stored vertex arrays that the engine reads, with the types and the count of their numbers. Empty if
    /// the engine reads all.
    pub vertex_arrays: &'static [(&'static str, &'static [&'static str], usize)],
    /// Whether the engine normalises the axes of tags (`R_LerpTag`).
    pub normalises_tags: bool,
    /// Whether models below `models/mapobjects` and `models/map` are usually compiled into maps (`q3map`).
    pub compiles_map_objects: bool,
}

impl Profile {
    /// Returns the profile of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PROFILES.iter().copied().find(|profile| profile.name == name)
    }

    /// Returns the profile of the engine that a format was made for.
    #[must_use]
    pub fn for_format(format: Format) -> &'static Self {
        Engine::for_format(format).profile.unwrap_or(&ANY)
    }

    /// Returns the index of the profile in [`PROFILES`].
    pub fn index(&self) -> usize {
        PROFILES.iter().position(|profile| profile.name == self.name).unwrap_or(0)
    }

    /// Returns whether the engine refuses a file of a format for a fault.
    pub(crate) fn refuses(&self, format: Format, fault: Fault) -> bool {
        self.refuses.iter().any(|(own, faults)| *own == format && faults.contains(&fault))
    }

    /// Returns whether the engine reads an image with this game path. Doom 3 also reads compressed copies of its images,
    /// in the folder `dds`.
    pub(crate) fn reads_image(&self, path: &str) -> bool {
        let (_, extension) = split_extension(name_of(path));
        self.image_formats.is_empty()
            || extension.is_empty()
            || self.image_formats.iter().any(|known| known.eq_ignore_ascii_case(extension))
            || path.to_lowercase().starts_with("dds/")
    }

    /// Returns the limits beyond which a conversion to a format splits surfaces.
    pub fn surface_limits(&self, format: Format) -> SurfaceLimits {
        let least = |quantity: Quantity| self.least(format, quantity).unwrap_or(usize::MAX);
        SurfaceLimits { vertices: least(Quantity::Vertices), triangles: least(Quantity::Triangles) }
    }

    /// Returns the smallest limit of a quantity for a format; `None` if there is none.
    pub fn least(&self, format: Format, quantity: Quantity) -> Option<usize> {
        self.limits_of(format, quantity).map(|limit| limit.max).min()
    }

    /// Iterates over the limits of a quantity for a format.
    pub(crate) fn limits_of(&self, format: Format, quantity: Quantity) -> impl Iterator<Item = &'static Limit> {
        let limits = self.limits.iter().copied().flatten();
        limits.filter(move |limit| limit.format == format && limit.quantity == quantity)
    }
}

use Quantity::{Frames, Joints, Levels, Materials, NameLength, Surfaces, Tags};

pub(super) const fn refused(format: Format, quantity: Quantity, max: usize) -> Limit {
    Limit { format, quantity, max, is_enforced: true }
}

pub(super) const fn nominal(format: Format, quantity: Quantity, max: usize) -> Limit {
    Limit { format, quantity, max, is_enforced: false }
}

/// Faults of MD3 and MDC that engines do not check: they copy `ofsEnd` bytes, and read past the copy or the vertices
/// (`R_LoadMD3`, `R_LoadMDC`, Doom 3 `InitFromFile`).
pub(super) const UNCHECKED_VERTICES: &[Fault] = &[Fault::UnknownVertex, Fault::ShortEnd];

/// Like [`UNCHECKED_VERTICES`], and faults of bones (`R_LoadMDS`, `R_LoadMDM`, `R_LoadMDX`).
pub(super) const UNCHECKED_BONES: &[Fault] = &[Fault::UnknownVertex, Fault::UnknownJoint, Fault::ShortEnd];

/// `R_LoadMDR` compares `ofsEnd` with the file.
pub(super) const REFUSED_MDR: &[Fault] = &[Fault::UnknownVertex, Fault::UnknownJoint, Fault::FileSize];

/// Returns the limits of an MD3 in Quake III's `qfiles.h` that no engine checks.
pub(super) const fn nominal_md3(format: Format) -> [Limit; 6] {
    [
        nominal(format, Surfaces, 32),
        nominal(format, Frames, 1024),
        nominal(format, Tags, 16),
        nominal(format, Materials, 256),
        nominal(format, Levels, 3),
        nominal(format, NameLength, 63),
    ]
}

/// Returns the limits of an MDR in Quake III's `qfiles.h` that no engine checks.
pub(super) const fn nominal_mdr() -> [Limit; 4] {
    [
        nominal(Format::Mdr, Surfaces, 32),
        nominal(Format::Mdr, Frames, 1024),
        nominal(Format::Mdr, Levels, 3),
        nominal(Format::Mdr, NameLength, 63),
    ]
}

/// Returns the limits of a Wolfenstein skeleton in `qfiles.h` that no engine checks.
pub(super) const fn nominal_skeleton(format: Format) -> [Limit; 4] {
    [
        nominal(format, Surfaces, 32),
        nominal(format, Joints, 128),
        nominal(format, Tags, 128),
        nominal(format, NameLength, 63),
    ]
}

/// Joints of an IQM whose numbers fit into a byte, as engines read those of vertices (DarkPlaces
/// `Mod_INTERQUAKEMODEL_Load`, Cube `loadiqmmeshes`). FTE also has this maximum (`gl_model.h`, `MAX_BONES`).
pub(super) const BYTE_JOINTS: usize = 256;

/// Profile without limits, which stands for any engine.
pub(super) static ANY: Profile = NO_ENGINE;

pub(super) const NO_ENGINE: Profile = Profile {
    name: "any",
    title: "any engine",
    formats: &Format::ALL,
    limits: &[],
    max_path_bytes: None,
    has_player_parts: false,
    culls_by_frames: true,
    skeleton: SkeletonCheck::None,
    needs_extensions: false,
    image_formats: &[],
    script: None,
    rejects_materials: false,
    required_folder: None,
    refuses: &[],
    vertex_arrays: &[],
    normalises_tags: false,
    compiles_map_objects: false,
};

/// `renderer/tr_image.c` (`R_LoadImage`) of Quake III and Return to Castle Wolfenstein, `Image_files.cpp` of Doom 3.
pub(super) const ID_IMAGES: &[&str] = &["tga", "jpg", "pcx", "bmp"];

/// Rules of the engines derived from Quake III. `MAX_QPATH` is 64: `RE_RegisterModel` and `RE_RegisterSkin` return 0 for
/// longer names.
pub(super) const QUAKE_3_KIN: Profile = Profile {
    max_path_bytes: Some(63),
    script: Some(&ScriptRules::QUAKE_3),
    normalises_tags: true,
    compiles_map_objects: true,
    ..NO_ENGINE
};
