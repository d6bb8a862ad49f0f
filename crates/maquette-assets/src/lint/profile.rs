//! Table of engines with the formats that they load and their limits.

use super::finding::Severity;
use crate::game::game_of_format;
use crate::vfs::{name_of, split_extension};
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
    /// An error if the engine rejects more or overruns its tables, a warning if only headers and tools have the limit.
    pub severity: Severity,
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

/// An engine.
#[derive(Debug)]
pub struct Profile {
    /// Name on the command line, which must not change.
    pub name: &'static str,
    /// Display name.
    pub title: &'static str,
    /// Formats that the engine and Maquette load.
    pub formats: &'static [Format],
    /// Limits by format.
    pub limits: &'static [Limit],
    /// Maximum number of bytes in a game path (`MAX_QPATH` − 1). The engine refuses longer paths, or overruns a buffer.
    pub max_path_bytes: Option<usize>,
    /// Whether players consist of `lower`, `upper` and `head`, joined by tags.
    pub has_player_parts: bool,
    /// Whether the engine culls by the stored boxes and spheres of frames, instead of computing its own.
    pub culls_by_frames: bool,
    /// Whether the engine rejects an MD2 without triangles.
    pub refuses_empty_md2: bool,
    /// Whether the engine rejects an MD3 without surfaces.
    pub refuses_empty_md3: bool,
    /// Check of the animation that is named after the mesh.
    pub skeleton: SkeletonCheck,
    /// Whether the engine looks up only images whose names have an extension.
    pub needs_extensions: bool,
    /// Extensions of images that the engine reads; empty if they are not known.
    pub image_formats: &'static [&'static str],
    /// Whether the engine rejects shaders with unknown directives (`tr_shader.c`, `ParseShader`).
    pub refuses_unknown_directives: bool,
    /// Whether an MD5 is loaded only in the folder `md5` next to the model that it replaces.
    pub md5_replaces: bool,
    /// Format (MD5) of models that are rejected without version or `commandline`, or with a mesh without `shader`.
    pub refuses_missing_lines: Option<Format>,
    /// Whether the engine normalises the axes of tags (`R_LerpTag`).
    pub normalises_tags: bool,
    /// Whether models below `models/mapobjects` and `models/map` are usually compiled into maps (`q3map`).
    pub compiles_map_objects: bool,
}

impl Profile {
    /// Returns the engine of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PROFILES.iter().find(|profile| profile.name == name)
    }

    /// Returns the index in [`PROFILES`] of the engine of the game that a format was made for.
    #[must_use]
    pub fn index_for_format(format: Format) -> usize {
        let name = game_of_format(format).lint_profile;
        PROFILES.iter().position(|profile| Some(profile.name) == name).unwrap_or(0)
    }

    /// Returns the engine of the game that a format was made for.
    #[must_use]
    pub fn for_format(format: Format) -> &'static Self {
        &PROFILES[Self::index_for_format(format)]
    }

    /// Returns whether the engine reads an image with this game path. Doom 3 also reads compressed copies of its images,
    /// in the folder `dds`.
    pub(super) fn reads_image(&self, path: &str) -> bool {
        let (_, extension) = split_extension(name_of(path));
        self.image_formats.is_empty()
            || extension.is_empty()
            || self.image_formats.iter().any(|known| known.eq_ignore_ascii_case(extension))
            || path.to_lowercase().starts_with("dds/")
    }

    /// Returns the smallest limit of a quantity for a format; `None` if there is none.
    #[must_use]
    pub fn least(&self, format: Format, quantity: Quantity) -> Option<usize> {
        let limits = self.limits.iter().filter(|limit| limit.format == format && limit.quantity == quantity);
        limits.map(|limit| limit.max).min()
    }
}

use Format::{Glm, Iqm, Md2, Md3, Md5, Mdc, Mdl, Mdm, Mdr, Mds};
use Quantity::{
    Frames, Joints, Levels, Materials, NameLength, SkinHeight, SkinWidth, Skins, StoredWeights, Surfaces, Tags,
    Triangles, Vertices, Weights,
};

const fn refused(format: Format, quantity: Quantity, max: usize) -> Limit {
    Limit { format, quantity, max, severity: Severity::Error }
}

const fn nominal(format: Format, quantity: Quantity, max: usize) -> Limit {
    Limit { format, quantity, max, severity: Severity::Warning }
}

/// Quake, `gl_model.c` (`Mod_LoadAliasModel`, `Mod_LoadAllSkins`) and `gl_model.h`: `MAXALIASVERTS`, `MAXALIASTRIS`,
/// `MAXALIASFRAMES`, `MAX_SKINS`, `MAX_LBM_HEIGHT`. The software renderer accepts more vertices.
const QUAKE: &[Limit] = &[
    refused(Mdl, Vertices, 1024),
    refused(Mdl, Triangles, 2048),
    refused(Mdl, Frames, 256),
    refused(Mdl, Skins, 32),
    refused(Mdl, SkinHeight, 480),
];

/// `QuakeSpasm`, `gl_model.c` and `gl_model.h`: the constants of Quake, larger.
const QUAKESPASM: &[Limit] = &[
    refused(Mdl, Vertices, 2000),
    refused(Mdl, Triangles, 4096),
    refused(Mdl, Frames, 1024),
    refused(Mdl, Skins, 32),
    refused(Mdl, SkinHeight, 480),
];

/// Quake II, `qcommon/qfiles.h`. `ref_gl/gl_model.c` (`Mod_LoadAliasModel`) checks vertices and height, `mod->skins`
/// has 32 elements; frames and triangles are limits of tools.
const QUAKE_2: &[Limit] = &[
    refused(Md2, Vertices, 2048),
    refused(Md2, Skins, 32),
    refused(Md2, SkinHeight, 480),
    nominal(Md2, SkinWidth, 640),
    nominal(Md2, Triangles, 4096),
    nominal(Md2, Frames, 512),
    nominal(Md2, NameLength, 63),
];

/// `q2pro`: `src/refresh/models.c` (`MOD_ValidateMD2`, `MOD_ValidateMD3`, `MOD_ValidateMD3Mesh`, `MD5_ParseMesh`,
/// `MD5_ParseAnim`) and `gl.h`. A surface must fit the buffer of triangles.
const Q2PRO: &[Limit] = &[
    refused(Md2, Vertices, 2048),
    refused(Md2, Triangles, 6144),
    refused(Md2, Skins, 32),
    refused(Md2, Frames, 1024),
    refused(Md2, SkinHeight, 8192),
    refused(Md2, SkinWidth, 8192),
    nominal(Md2, NameLength, 63),
    refused(Md3, Vertices, 6144),
    refused(Md3, Triangles, 6144),
    refused(Md3, Surfaces, 32),
    refused(Md3, Frames, 1024),
    refused(Md3, Materials, 256),
    nominal(Md3, NameLength, 63),
    refused(Md5, Vertices, 6144),
    refused(Md5, Triangles, 6144),
    refused(Md5, StoredWeights, 8192),
    refused(Md5, Joints, 256),
    refused(Md5, Surfaces, 32),
    refused(Md5, Frames, 1024),
];

/// Yamagi Quake II, `files/models.c` (`Mod_LoadMD2`): as Quake II, but further skins are ignored.
const YQUAKE_2: &[Limit] = &[
    refused(Md2, Vertices, 2048),
    refused(Md2, SkinHeight, 480),
    nominal(Md2, Skins, 32),
    nominal(Md2, NameLength, 63),
];

/// Ironwail, `gl_model.c` (`Mod_LoadMD3Model`) and `gl_model.h`: `MAXALIASFRAMES`. Vertices have 16-bit indices.
const IRONWAIL: &[Limit] =
    &[refused(Md3, Frames, 1024), nominal(Md3, Vertices, 65_535), nominal(Md5, Vertices, 65_535)];

/// vkQuake, `gl_model.c` (`Mod_LoadMD3Model`) and `gl_model.h`: `MAXALIASFRAMES`, `MAX_SURFACES`.
const VKQUAKE: &[Limit] = &[
    refused(Md3, Frames, 2048),
    refused(Md3, Surfaces, 32),
    nominal(Md3, Vertices, 65_535),
    nominal(Md5, Vertices, 65_535),
];

/// SRB2, `hardware/hw_md3load.c` (`MD3_LoadModel`): triangles have 16-bit indices.
const SRB2: &[Limit] = &[nominal(Md3, Vertices, 65_535)];

/// Limits of an MD3 in Quake III's `qfiles.h` that no engine checks.
macro_rules! nominal_md3 {
    ($format:expr) => {
        [
            nominal($format, Surfaces, 32),
            nominal($format, Frames, 1024),
            nominal($format, Tags, 16),
            nominal($format, Materials, 256),
            nominal($format, Levels, 3),
            nominal($format, NameLength, 63),
        ]
    };
}

const fn joined<const A: usize, const B: usize, const ALL: usize>(a: [Limit; A], b: [Limit; B]) -> [Limit; ALL] {
    let mut all = [nominal(Md2, Vertices, 0); ALL];
    let mut index = 0;
    while index < ALL {
        all[index] = if index < A { a[index] } else { b[index - A] };
        index += 1;
    }
    all
}

/// Quake III Arena, `renderer/tr_model.c` (`R_LoadMD3`): `SHADER_MAX_VERTEXES` and `SHADER_MAX_INDEXES` / 3.
const QUAKE_3: &[Limit] =
    &joined::<2, 6, 8>([refused(Md3, Vertices, 1000), refused(Md3, Triangles, 2000)], nominal_md3!(Md3));

/// ioquake3: `renderergl1/tr_model.c` and `tr_model_iqm.c` (`R_LoadIQM`) reject the limit itself. `qcommon/qfiles.h`:
/// `MDR_MAX_BONES`; `renderercommon/iqm.h`: `IQM_MAX_JOINTS`.
const IOQUAKE_3: &[Limit] = &joined::<5, 13, 18>(
    [
        refused(Md3, Vertices, 999),
        refused(Md3, Triangles, 1999),
        refused(Iqm, Vertices, 999),
        refused(Iqm, Triangles, 1999),
        refused(Iqm, Joints, 128),
    ],
    joined::<7, 6, 13>(
        [
            refused(Mdr, Vertices, 999),
            refused(Mdr, Triangles, 1999),
            refused(Mdr, Joints, 128),
            nominal(Mdr, Surfaces, 32),
            nominal(Mdr, Frames, 1024),
            nominal(Mdr, Levels, 3),
            nominal(Mdr, NameLength, 63),
        ],
        nominal_md3!(Md3),
    ),
);

/// Elite Force: Quake III's renderer and limits, with MDR.
const ELITE_FORCE: &[Limit] = &joined::<2, 13, 15>(
    [refused(Md3, Vertices, 1000), refused(Md3, Triangles, 2000)],
    joined::<7, 6, 13>(
        [
            refused(Mdr, Vertices, 1000),
            refused(Mdr, Triangles, 2000),
            refused(Mdr, Joints, 128),
            nominal(Mdr, Surfaces, 32),
            nominal(Mdr, Frames, 1024),
            nominal(Mdr, Levels, 3),
            nominal(Mdr, NameLength, 63),
        ],
        nominal_md3!(Md3),
    ),
);

/// Jedi Academy, OpenJK: `codemp/rd-vanilla/tr_ghoul2.cpp` (`R_LoadMDXM`) and `tr_model.cpp` (`R_LoadMD3`) reject
/// more vertices and indices than `SHADER_MAX_VERTEXES` and `SHADER_MAX_INDEXES` (`qfiles.h`); for an MD3 also as many.
/// A skin has 128 surfaces (`tr_types.h`), bone references have 5 bits (`mdx_format.h`). The rest is from `qfiles.h`.
const JEDI_ACADEMY: &[Limit] = &[
    refused(Glm, Vertices, 1000),
    refused(Glm, Triangles, 2000),
    nominal(Glm, Surfaces, 128),
    nominal(Glm, NameLength, 63),
    refused(Md3, Vertices, 999),
    refused(Md3, Triangles, 1999),
    nominal(Md3, Surfaces, 64),
    nominal(Md3, Frames, 1024),
    nominal(Md3, Tags, 16),
    nominal(Md3, Materials, 256),
    nominal(Md3, Levels, 3),
    nominal(Md3, NameLength, 63),
];

/// Doom 3, `renderer/Model_md3.cpp` (`InitFromFile`) and `Model_md3.h`: as Quake III.
const DOOM_3: &[Limit] = &[refused(Md3, Vertices, 1000), refused(Md3, Triangles, 2000)];

/// Limits of a Wolfenstein skeleton in `qfiles.h` that no engine checks.
macro_rules! nominal_skeleton {
    ($format:expr) => {
        [
            nominal($format, Surfaces, 32),
            nominal($format, Joints, 128),
            nominal($format, Tags, 128),
            nominal($format, NameLength, 63),
        ]
    };
}

/// Return to Castle Wolfenstein: 4000 vertices in single player, 1000 in multiplayer (`qfiles.h` of both). An MDS must
/// have fewer than 4000 (iortcw `tr_model.c`, `R_LoadMDS`).
const RTCW: &[Limit] = &joined::<10, 16, 26>(
    [
        refused(Mds, Vertices, 3999),
        refused(Mds, Triangles, 8000),
        refused(Md3, Vertices, 4000),
        refused(Md3, Triangles, 8000),
        nominal(Md3, Vertices, 1000),
        nominal(Md3, Triangles, 2000),
        refused(Mdc, Vertices, 4000),
        refused(Mdc, Triangles, 8000),
        nominal(Mdc, Vertices, 1000),
        nominal(Mdc, Triangles, 2000),
    ],
    joined::<4, 12, 16>(nominal_skeleton!(Mds), joined::<6, 6, 12>(nominal_md3!(Md3), nominal_md3!(Mdc))),
);

/// Enemy Territory: 1025 vertices in the original game, 10000 in ET: Legacy (`qfiles.h` of both).
const ENEMY_TERRITORY: &[Limit] = &joined::<12, 16, 28>(
    [
        refused(Mdm, Vertices, 10_000),
        refused(Mdm, Triangles, 20_000),
        nominal(Mdm, Vertices, 6000),
        nominal(Mdm, Triangles, 8192),
        refused(Md3, Vertices, 10_000),
        refused(Md3, Triangles, 20_000),
        nominal(Md3, Vertices, 1025),
        nominal(Md3, Triangles, 2050),
        refused(Mdc, Vertices, 10_000),
        refused(Mdc, Triangles, 20_000),
        nominal(Mdc, Vertices, 1025),
        nominal(Mdc, Triangles, 2050),
    ],
    joined::<4, 12, 16>(nominal_skeleton!(Mdm), joined::<6, 6, 12>(nominal_md3!(Md3), nominal_md3!(Mdc))),
);

/// The Cube engines have 16-bit indices, and keep the four largest weights of a vertex (`skelmodel.h`).
const CUBE_2: &[Limit] = &[
    nominal(Md2, Vertices, 65_535),
    nominal(Md3, Vertices, 65_535),
    nominal(Md5, Vertices, 65_535),
    nominal(Md5, Weights, 4),
    nominal(Iqm, Vertices, 65_535),
];

const NO_ENGINE: Profile = Profile {
    name: "any",
    title: "any engine",
    formats: &Format::ALL,
    limits: &[],
    max_path_bytes: None,
    has_player_parts: false,
    culls_by_frames: true,
    refuses_empty_md2: false,
    refuses_empty_md3: false,
    skeleton: SkeletonCheck::None,
    needs_extensions: false,
    image_formats: &[],
    refuses_unknown_directives: false,
    md5_replaces: false,
    refuses_missing_lines: None,
    normalises_tags: false,
    compiles_map_objects: false,
};

/// `MAX_QPATH` is 64: `RE_RegisterModel` and `RE_RegisterSkin` of Quake III and the engines derived from it return 0 for
/// longer names. Quake II and Yamagi Quake II (`Mod_ForName`) copy the name without a check.
const MAX_PATH_BYTES: Option<usize> = Some(63);

/// `renderer/tr_image.c` (`R_LoadImage`) of Quake III and Return to Castle Wolfenstein, `Image_files.cpp` of Doom 3.
const ID_IMAGES: &[&str] = &["tga", "jpg", "pcx", "bmp"];

const QUAKE_3_KIN: Profile = Profile {
    max_path_bytes: MAX_PATH_BYTES,
    refuses_unknown_directives: true,
    normalises_tags: true,
    compiles_map_objects: true,
    ..NO_ENGINE
};

/// All engines; the first one stands for any engine and has no limits.
pub static PROFILES: [Profile; 22] = [
    NO_ENGINE,
    Profile { name: "quake", title: "Quake", formats: &[Mdl], limits: QUAKE, ..NO_ENGINE },
    // `Mod_CalcAliasBounds` computes the boxes.
    Profile {
        name: "quakespasm",
        title: "QuakeSpasm",
        formats: &[Mdl],
        limits: QUAKESPASM,
        culls_by_frames: false,
        ..NO_ENGINE
    },
    Profile {
        name: "quake2",
        title: "Quake II",
        formats: &[Md2],
        limits: QUAKE_2,
        max_path_bytes: MAX_PATH_BYTES,
        refuses_empty_md2: true,
        image_formats: &["pcx", "wal", "tga"],
        ..NO_ENGINE
    },
    // `R_RegisterModel`: an MD5 in `md5/` is loaded in place of an MD2 or MD3 (`MOD_LoadMD5`). `images.c`
    // (`find_or_load_image`): a name without an extension is not looked up.
    Profile {
        name: "q2pro",
        title: "Q2PRO",
        formats: &[Md2, Md3, Md5],
        limits: Q2PRO,
        max_path_bytes: MAX_PATH_BYTES,
        refuses_empty_md3: true,
        skeleton: SkeletonCheck::Count,
        needs_extensions: true,
        image_formats: &["pcx", "wal", "tga", "jpg", "png"],
        md5_replaces: true,
        refuses_missing_lines: Some(Md5),
        ..NO_ENGINE
    },
    Profile {
        name: "yquake2",
        title: "Yamagi Quake II",
        formats: &[Md2],
        limits: YQUAKE_2,
        max_path_bytes: MAX_PATH_BYTES,
        refuses_empty_md2: true,
        image_formats: &["pcx", "wal", "tga", "jpg", "png"],
        ..NO_ENGINE
    },
    // yquake2remaster, `common/models/loadfile.c`: MD5 meshes are searched in `md5/` and next to the MD2, then MD3.
    Profile { name: "quake2-remaster", title: "Quake II remaster", formats: &[Md2, Md3, Mdr, Md5], ..NO_ENGINE },
    // `MD5Anim_Load` compares count, names and parents.
    Profile {
        name: "ironwail",
        title: "Ironwail",
        formats: &[Mdl, Md3, Md5],
        limits: IRONWAIL,
        culls_by_frames: false,
        refuses_empty_md3: true,
        skeleton: SkeletonCheck::Hierarchy,
        ..NO_ENGINE
    },
    Profile {
        name: "vkquake",
        title: "vkQuake",
        formats: &[Mdl, Md3, Md5],
        limits: VKQUAKE,
        culls_by_frames: false,
        refuses_empty_md3: true,
        ..NO_ENGINE
    },
    // `engine/common/com_mesh.c` (`Mod_ParseMD5Anim`).
    Profile {
        name: "fte",
        title: "FTE QuakeWorld",
        formats: &[Mdl, Md2, Md3, Md5, Iqm],
        culls_by_frames: false,
        skeleton: SkeletonCheck::Hierarchy,
        ..NO_ENGINE
    },
    Profile {
        name: "quake3",
        title: "Quake III Arena",
        formats: &[Md3],
        limits: QUAKE_3,
        has_player_parts: true,
        image_formats: ID_IMAGES,
        ..QUAKE_3_KIN
    },
    Profile {
        name: "ioquake3",
        title: "ioquake3",
        formats: &[Md3, Mdr, Iqm],
        limits: IOQUAKE_3,
        has_player_parts: true,
        image_formats: &["tga", "jpg", "jpeg", "png", "pcx", "bmp", "dds"],
        ..QUAKE_3_KIN
    },
    Profile {
        name: "rtcw",
        title: "Return to Castle Wolfenstein",
        formats: &[Md3, Mdc, Mds],
        limits: RTCW,
        image_formats: ID_IMAGES,
        ..QUAKE_3_KIN
    },
    Profile {
        name: "et",
        title: "Enemy Territory",
        formats: &[Md3, Mdc, Mdm],
        limits: ENEMY_TERRITORY,
        image_formats: &["tga", "jpg", "jpeg", "png", "pcx", "bmp"],
        ..QUAKE_3_KIN
    },
    Profile {
        name: "elite-force",
        title: "Elite Force",
        formats: &[Md3, Mdr],
        limits: ELITE_FORCE,
        has_player_parts: true,
        ..QUAKE_3_KIN
    },
    // Images: `rd-common/tr_image_load.cpp` (`R_ImageLoader_Init`). The game has directives that Maquette does not know.
    Profile {
        name: "jka",
        title: "Jedi Academy",
        formats: &[Md3, Glm],
        limits: JEDI_ACADEMY,
        image_formats: &["jpg", "png", "tga"],
        refuses_unknown_directives: false,
        ..QUAKE_3_KIN
    },
    // `renderer/ModelManager.cpp` (`GetModel`), `anim/Anim.cpp` (`CheckModelHierarchy`).
    Profile {
        name: "doom3",
        title: "Doom 3",
        formats: &[Md3, Md5],
        limits: DOOM_3,
        image_formats: ID_IMAGES,
        refuses_missing_lines: Some(Md5),
        skeleton: SkeletonCheck::Hierarchy,
        ..NO_ENGINE
    },
    Profile {
        name: "darkplaces",
        title: "DarkPlaces",
        formats: &[Mdl, Md2, Md3, Iqm],
        culls_by_frames: false,
        refuses_empty_md2: true,
        ..NO_ENGINE
    },
    Profile {
        name: "cube2",
        title: "Cube 2",
        formats: &[Md2, Md3, Md5, Iqm],
        limits: CUBE_2,
        culls_by_frames: false,
        ..NO_ENGINE
    },
    Profile { name: "ufoai", title: "UFO: Alien Invasion", formats: &[Md2, Md3], culls_by_frames: false, ..NO_ENGINE },
    // `src/common/models/models_md2.cpp` and `models_md3.cpp` state no limits.
    Profile { name: "gzdoom", title: "GZDoom", formats: &[Md2, Md3], culls_by_frames: false, ..NO_ENGINE },
    Profile { name: "srb2", title: "SRB2", formats: &[Md2, Md3], limits: SRB2, culls_by_frames: false, ..NO_ENGINE },
];
