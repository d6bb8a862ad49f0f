//! Return to Castle Wolfenstein.

use super::Quantity::{Triangles, Vertices};
use super::profile::{ID_IMAGES, QUAKE_3_KIN, nominal, nominal_md3, nominal_skeleton, refused};
use super::{Engine, PLAIN, Profile};
use maquette_core::model::Format::{Md3, Mdc, Mds};

pub(super) static ENGINE: Engine = Engine {
    name: "Return to Castle Wolfenstein",
    short_name: "RTCW",
    base_folders: &["main"],
    profile: Some(&PROFILE),
    ..PLAIN
};

/// 4000 vertices in single player, 1000 in multiplayer (`qfiles.h` of both). An MDS must have fewer than 4000 (iortcw
/// `tr_model.c`, `R_LoadMDS`).
pub(super) static PROFILE: Profile = Profile {
    name: "rtcw",
    title: "Return to Castle Wolfenstein",
    formats: &[Md3, Mdc, Mds],
    limits: &[
        &[
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
        &nominal_skeleton(Mds),
        &nominal_md3(Md3),
        &nominal_md3(Mdc),
    ],
    image_formats: ID_IMAGES,
    ..QUAKE_3_KIN
};
