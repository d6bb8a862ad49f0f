//! Quetoo, an engine that grew out of Quake II's.
//!
//! A file `MODEL.mat` next to a model lists its materials, which Maquette does not read. Source: Quetoo
//! `src/client/renderer/r_material.c` (`R_LoadMeshMaterials`), `r_mesh_model_obj.c` (`R_LoadObjModel`).

use super::profile::NO_ENGINE;
use super::{Engine, PLAIN, Profile, TextureRules, USUAL, with_extension};
use maquette_core::model::Format::{Md3, Obj};

pub(super) static ENGINE: Engine = Engine {
    name: "Quetoo",
    short_name: "Quetoo",
    formats: &[Md3, Obj],
    mirrors: &[Obj],
    sign: |vfs, path, _| with_extension(vfs, path, "mat"),
    textures: TextureRules { searches_model_folder: true, ..USUAL },
    ..PLAIN
};

/// `r_model.c` (`R_LoadModel`) states no limits.
pub(super) static PROFILE: Profile =
    Profile { name: "quetoo", title: "Quetoo", formats: &[Md3, Obj], culls_by_frames: false, ..NO_ENGINE };
