//! Star Trek Voyager: Elite Force. Its renderer and limits are those of Quake III, with MDR.

use super::Quantity::{Joints, Triangles, Vertices};
use super::profile::{QUAKE_3_KIN, REFUSED_MDR, UNCHECKED_VERTICES, nominal_md3, nominal_mdr, refused};
use super::{Engine, PLAIN, Profile};
use maquette_core::model::Format;
use maquette_core::model::Format::{Md3, Mdr};

/// Returns the format of a part of a player (`lower`, `upper`, `head`). Elite Force loads `.mdr` for the legs and the upper
/// body only (multiplayer `cg_players.c`); Quake III has no MDR.
pub fn player_format(part: &str, is_elite_force: bool) -> Format {
    if is_elite_force && part != "head" { Mdr } else { Md3 }
}

pub(super) static ENGINE: Engine = Engine {
    name: "Elite Force",
    short_name: "Elite Force",
    base_folders: &["baseEF"],
    profile: Some(&PROFILE),
    ..PLAIN
};

pub(super) static PROFILE: Profile = Profile {
    name: "elite-force",
    title: "Elite Force",
    formats: &[Md3, Mdr],
    limits: &[
        &[
            refused(Md3, Vertices, 999),
            refused(Md3, Triangles, 1999),
            refused(Mdr, Vertices, 999),
            refused(Mdr, Triangles, 1999),
            refused(Mdr, Joints, 128),
        ],
        &nominal_mdr(),
        &nominal_md3(Md3),
    ],
    has_player_parts: true,
    refuses: &[(Md3, UNCHECKED_VERTICES), (Mdr, REFUSED_MDR)],
    ..QUAKE_3_KIN
};
