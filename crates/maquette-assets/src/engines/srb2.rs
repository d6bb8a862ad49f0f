//! Sonic Robo Blast 2.
//!
//! Source: SRB2 `src/hardware/hw_md2.c` (`HWR_InitModels`, `md2_loadTexture`). The names in the model are not used.

use super::Quantity::Vertices;
use super::profile::{NO_ENGINE, nominal};
use super::{Engine, NamePattern, PLAIN, Profile, TextureRules, USUAL};
use maquette_core::model::Format::{Md2, Md3};

pub(super) static ENGINE: Engine = Engine {
    name: "SRB2",
    short_name: "SRB2",
    profile: Some(&PROFILE),
    formats: &[Md2, Md3],
    sign: |vfs, _, _| vfs.look_up("models.dat"),
    textures: TextureRules {
        name_patterns: &[
            NamePattern { format: Md2, name: "{model}.png" },
            NamePattern { format: Md3, name: "{model}.png" },
        ],
        ..USUAL
    },
    ..PLAIN
};

/// `hardware/hw_md3load.c` (`MD3_LoadModel`): triangles have 16-bit indices.
pub(super) static PROFILE: Profile = Profile {
    name: "srb2",
    title: "SRB2",
    formats: &[Md2, Md3],
    limits: &[&[nominal(Md3, Vertices, 65_535)]],
    culls_by_frames: false,
    ..NO_ENGINE
};
