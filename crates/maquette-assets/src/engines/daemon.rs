//! Daemon, the engine of Unvanquished.
//!
//! Source: Daemon `src/engine/renderer/tr_animation.cpp` (`R_AddMD5Surfaces`), `tr_skin.cpp` (`RE_RegisterSkin`).

use super::{Engine, PLAIN, TextureRules, USUAL, in_archive};
use maquette_core::model::Format;

pub(super) static ENGINE: Engine = Engine {
    name: "Daemon (Unvanquished)",
    short_name: "Daemon",
    formats: &[Format::Md5],
    sign: |vfs, path, _| in_archive(vfs, path, &["dpk", "dpkdir"]),
    textures: TextureRules { numbers_surfaces: true, ..USUAL },
    ..PLAIN
};
