//! Quake III Arena, ioquake3 and OpenArena.

use super::Quantity::{Joints, Triangles, Vertices};
use super::profile::{ID_IMAGES, QUAKE_3_KIN, REFUSED_MDR, UNCHECKED_VERTICES, nominal_md3, nominal_mdr, refused};
use super::{Engine, PLAIN, Profile};
use maquette_core::error::Fault;
use maquette_core::model::Format::{Iqm, Md3, Mdr};

pub(super) static ENGINE: Engine = Engine {
    name: "Quake III",
    short_name: "Quake III",
    base_folders: &["baseq3"],
    other_folders: &["missionpack"],
    profile: Some(&QUAKE_3),
    ..PLAIN
};

pub(super) static OPEN_ARENA: Engine = Engine {
    name: "OpenArena",
    short_name: "OpenArena",
    base_folders: &["baseoa"],
    profile: Some(&IOQUAKE_3),
    ..PLAIN
};

/// `renderer/tr_surface.c` (`RB_CheckOverflow`): fewer than `SHADER_MAX_VERTEXES` and `SHADER_MAX_INDEXES` / 3.
/// `tr_model.c` (`R_LoadMD3`) accepts the limits themselves, but the game ends when such a surface is drawn.
pub(super) static QUAKE_3: Profile = Profile {
    name: "quake3",
    title: "Quake III Arena",
    formats: &[Md3],
    limits: &[&[refused(Md3, Vertices, 999), refused(Md3, Triangles, 1999)], &nominal_md3(Md3)],
    has_player_parts: true,
    refuses: &[(Md3, UNCHECKED_VERTICES)],
    image_formats: ID_IMAGES,
    ..QUAKE_3_KIN
};

/// `renderergl1/tr_model.c` and `tr_model_iqm.c` (`R_LoadIQM`) reject the limit itself. `qcommon/qfiles.h`:
/// `MDR_MAX_BONES`; `renderercommon/iqm.h`: `IQM_MAX_JOINTS`.
pub(super) static IOQUAKE_3: Profile = Profile {
    name: "ioquake3",
    title: "ioquake3",
    formats: &[Md3, Mdr, Iqm],
    limits: &[
        &[
            refused(Md3, Vertices, 999),
            refused(Md3, Triangles, 1999),
            refused(Iqm, Vertices, 999),
            refused(Iqm, Triangles, 1999),
            refused(Iqm, Joints, 128),
            refused(Mdr, Vertices, 999),
            refused(Mdr, Triangles, 1999),
            refused(Mdr, Joints, 128),
        ],
        &nominal_mdr(),
        &nominal_md3(Md3),
    ],
    has_player_parts: true,
    vertex_arrays: IQM_ARRAYS,
    refuses: &[
        (Md3, UNCHECKED_VERTICES),
        (Mdr, REFUSED_MDR),
        (
            Iqm,
            &[
                Fault::OldVersion,
                Fault::FileSize,
                Fault::MissingCoordinates,
                Fault::MissingNormals,
                Fault::MissingWeights,
                Fault::ArrayFormat,
                Fault::UnknownVertex,
                Fault::InvalidParent,
            ],
        ),
    ],
    image_formats: &["tga", "jpg", "jpeg", "png", "pcx", "bmp", "dds"],
    ..QUAKE_3_KIN
};

/// `renderergl1/tr_model_iqm.c` (`R_LoadIQM`). `i32` joints are read as bytes.
#[rustfmt::skip]
const IQM_ARRAYS: &[(&str, &[&str], usize)] = &[
    ("position", &["f32"], 3), ("texcoord", &["f32"], 2), ("normal", &["f32"], 3), ("tangent", &["f32"], 4),
    ("blendindexes", &["u8"], 4), ("blendweights", &["u8", "f32"], 4), ("color", &["u8"], 4),
];
