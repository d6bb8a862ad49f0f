//! Quake, and its ports that replace models.
//!
//! Source: Ironwail `gl_model.c` (`Mod_LoadMD5Skins`, `Mod_LoadMD3_LoadNonSkinFileTextures`), vkQuake `gl_model.c`
//! (`Mod_LoadMD3SurfaceSkins`, `Mod_LoadMDXSkinTask`, `Mod_LoadMD3SkinDefinitions`). Maquette shows the first image of an
//! animated skin.

use super::profile::{NO_ENGINE, nominal, refused};
use super::{
    Engine, LightRule, MapSuffixes, NamePattern, PLAIN, Profile, SkeletonCheck, TextureRules, USUAL, in_folder,
};
use maquette_core::error::Fault;
use maquette_core::model::Format::{Md3, Md5, Mdl, Spr};

use super::Quantity::{Frames, SkinHeight, Skins, Surfaces, Triangles, Vertices};

/// Extension of Quake's images, whose texels are colours of the palette.
pub(crate) const LMP: &str = "lmp";

/// Suffixes of maps in DarkPlaces, and of glow maps in all ports of Quake.
pub(crate) const MAPS: MapSuffixes =
    MapSuffixes { glow: &["_glow", "_luma"], normals: &["_norm"], gloss: &["_gloss"], tinted: &["_pants", "_shirt"] };

pub(super) static ENGINE: Engine = Engine {
    name: "Quake",
    short_name: "Quake",
    other_folders: &["id1"],
    profile: Some(&QUAKE),
    formats: &[Mdl, Md3, Md5],
    sign: |_, path, _| in_folder(path, "progs"),
    light: &LightRule::QUAKE,
    textures: TextureRules {
        bare_name_folders: &["progs", "textures"],
        layers: Some(MAPS),
        name_patterns: &[
            // QuakeWorld clients (ezQuake `r_aliasmodel_skins.c`, `Mod_LoadExternalSkin`).
            NamePattern { format: Mdl, name: "textures/models/{stem}_{skin}" },
            NamePattern { format: Mdl, name: "textures/{stem}_{skin}" },
            NamePattern { format: Md5, name: "{shader}_{skin:02}_00" },
            NamePattern { format: Md3, name: "{surface}_{skin}_0" },
            NamePattern { format: Md3, name: "{surface}_{skin}" },
            NamePattern { format: Md3, name: "{surface}" },
            NamePattern { format: Md3, name: "{model}.md3_{index}_{skin}_0" },
            NamePattern { format: Md3, name: "{surface}_{skin:02}_00" },
        ],
        name_folders: &["", "progs", "textures"],
        image_extensions: &[LMP],
        has_skin_tables: true,
        ..USUAL
    },
    ..PLAIN
};

/// `gl_model.c` (`Mod_LoadAliasModel`, `Mod_LoadAllSkins`) and `gl_model.h`: `MAXALIASVERTS`, `MAXALIASTRIS`,
/// `MAXALIASFRAMES`, `MAX_SKINS`, `MAX_LBM_HEIGHT`. The software renderer (`model.c`) accepts more vertices, but refuses
/// some skins and times.
pub(super) static QUAKE: Profile = Profile {
    name: "quake",
    title: "Quake",
    formats: &[Mdl, Spr],
    limits: &[&[
        refused(Mdl, Vertices, 1024),
        refused(Mdl, Triangles, 2048),
        refused(Mdl, Frames, 256),
        refused(Mdl, Skins, 32),
        refused(Mdl, SkinHeight, 480),
    ]],
    refuses: &[(Mdl, &[Fault::MissingSkin, Fault::SkinWidth, Fault::Interval])],
    ..NO_ENGINE
};

/// `gl_model.c` and `gl_model.h`: the constants of Quake, larger. `Mod_CalcAliasBounds` computes the boxes.
pub(super) static QUAKESPASM: Profile = Profile {
    name: "quakespasm",
    title: "QuakeSpasm",
    formats: &[Mdl, Spr],
    limits: &[&[
        refused(Mdl, Vertices, 2000),
        refused(Mdl, Triangles, 4096),
        refused(Mdl, Frames, 1024),
        refused(Mdl, Skins, 32),
        refused(Mdl, SkinHeight, 480),
    ]],
    culls_by_frames: false,
    refuses: &[(Mdl, &[Fault::MissingSkin])],
    ..NO_ENGINE
};

/// `gl_model.c` (`Mod_LoadMD5MeshModel`, `MD5Anim_Begin`, `MD5Anim_Load`, `MD5_BakeInfluences`) of Ironwail and vkQuake.
const REFUSED_MD5: &[Fault] = &[
    Fault::MissingVersion,
    Fault::MissingShader,
    Fault::MissingRate,
    Fault::NamedMesh,
    Fault::SurplusEntries,
    Fault::UnknownWeight,
    Fault::UnknownJoint,
    Fault::UnknownVertex,
    Fault::BrokenAnimation,
];

/// `gl_model.c` (`Mod_LoadMD3Model`) and `gl_model.h`: `MAXALIASFRAMES`. Vertices have 16-bit indices. `MD5Anim_Load`
/// compares count, names and parents.
pub(super) static IRONWAIL: Profile = Profile {
    name: "ironwail",
    title: "Ironwail",
    formats: &[Mdl, Spr, Md3, Md5],
    limits: &[&[refused(Md3, Frames, 1024), nominal(Md3, Vertices, 65_535), nominal(Md5, Vertices, 65_535)]],
    culls_by_frames: false,
    skeleton: SkeletonCheck::Hierarchy,
    refuses: &[
        (Mdl, &[Fault::MissingSkin]),
        (Md3, &[Fault::NoSurfaces]),
        (Md5, REFUSED_MD5),
        (Md5, &[Fault::UnknownFlags, Fault::MissingAnimation]),
    ],
    ..NO_ENGINE
};

/// `gl_model.c` (`Mod_LoadMD3Model`) and `gl_model.h`: `MAXALIASFRAMES`, `MAX_SURFACES`.
pub(super) static VKQUAKE: Profile = Profile {
    name: "vkquake",
    title: "vkQuake",
    formats: &[Mdl, Spr, Md3, Md5],
    limits: &[&[
        refused(Md3, Frames, 2048),
        refused(Md3, Surfaces, 32),
        nominal(Md3, Vertices, 65_535),
        nominal(Md5, Vertices, 65_535),
    ]],
    culls_by_frames: false,
    refuses: &[
        (Mdl, &[Fault::MissingSkin]),
        (Md3, &[Fault::NoSurfaces]),
        (Md5, REFUSED_MD5),
        (Md5, &[Fault::UnknownFlags]),
    ],
    ..NO_ENGINE
};
