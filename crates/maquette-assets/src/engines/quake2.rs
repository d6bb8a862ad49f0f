//! Quake II, its ports, and games that changed its engine.

use super::Quantity::{Frames, NameLength, SkinHeight, SkinWidth, Skins, Triangles, Vertices};
use super::profile::{NO_ENGINE, nominal, refused};
use super::{Engine, LightRule, PLAIN, Profile, TextureRules, USUAL};
use maquette_core::error::Fault;
use maquette_core::model::Format::{Dkm, Fm, Kmdx, Md2, Md3, Md5, Mdr, Sp2};

pub(super) static ENGINE: Engine = Engine {
    name: "Quake II",
    short_name: "Quake II",
    base_folders: &["baseq2"],
    profile: Some(&QUAKE_2),
    textures: TextureRules { resolves_parents: true, ..USUAL },
    light: &LightRule::QUAKE_2,
    ..PLAIN
};

/// Games that changed Quake II's engine. They find skins like it.
pub(super) static KINGPIN: Engine = Engine { name: "Kingpin", short_name: "Kingpin", ..RELATIVE };
pub(super) static HERETIC_2: Engine = Engine {
    name: "Heretic II",
    short_name: "Heretic II",
    textures: TextureRules { image_extensions: &["m8", "m32"], ..RELATIVE.textures },
    ..RELATIVE
};
pub(super) static DAIKATANA: Engine = Engine { name: "Daikatana", short_name: "Daikatana", ..RELATIVE };

const RELATIVE: Engine = Engine {
    profile: Some(&REMASTER),
    textures: TextureRules { resolves_parents: true, ..USUAL },
    light: &LightRule::QUAKE_2,
    ..PLAIN
};

/// `qcommon/qfiles.h`. `ref_gl/gl_model.c` (`Mod_LoadAliasModel`) checks vertices and height, `mod->skins` has 32
/// elements; frames and triangles are limits of tools. `MAX_QPATH` is 64, and `Mod_ForName` copies the name without a
/// check.
pub(super) static QUAKE_2: Profile = Profile {
    name: "quake2",
    title: "Quake II",
    formats: &[Md2, Sp2],
    limits: &[&[
        refused(Md2, Vertices, 2048),
        refused(Md2, Skins, 32),
        refused(Md2, SkinHeight, 480),
        nominal(Md2, SkinWidth, 640),
        nominal(Md2, Triangles, 4096),
        nominal(Md2, Frames, 512),
        nominal(Md2, NameLength, 63),
    ]],
    max_path_bytes: Some(63),
    refuses: &[(Md2, &[Fault::NoTriangles, Fault::MissingCoordinates])],
    image_formats: &["pcx", "wal", "tga"],
    ..NO_ENGINE
};

/// Yamagi Quake II, `files/models.c` (`Mod_LoadMD2`): as Quake II, but further skins are ignored.
pub(super) static YQUAKE_2: Profile = Profile {
    name: "yquake2",
    title: "Yamagi Quake II",
    formats: &[Md2, Sp2],
    limits: &[&[
        refused(Md2, Vertices, 2048),
        refused(Md2, SkinHeight, 480),
        nominal(Md2, Skins, 32),
        nominal(Md2, NameLength, 63),
    ]],
    max_path_bytes: Some(63),
    refuses: &[(Md2, &[Fault::NoTriangles, Fault::MissingCoordinates])],
    image_formats: &["pcx", "wal", "tga", "jpg", "png"],
    ..NO_ENGINE
};

/// yquake2remaster, `common/models/loadfile.c`: MD5 meshes are searched in `md5/` and next to the MD2, then MD3.
/// `common/models/models.c`: `Mod_LoadModel_MDX`, `Mod_LoadModel_Flex`, `Mod_LoadModel_DKM`.
pub(super) static REMASTER: Profile = Profile {
    name: "quake2-remaster",
    title: "Quake II remaster",
    formats: &[Md2, Sp2, Kmdx, Fm, Dkm, Md3, Mdr, Md5],
    ..NO_ENGINE
};
