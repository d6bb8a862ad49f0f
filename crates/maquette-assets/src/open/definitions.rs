//! Animations of meshes declared in the game's `def/*.def` files.

use super::animation_files::Declared;
use crate::limits::MAX_DEF_BYTES;
use crate::vfs::{ReadLimit, Vfs, split_extension};
use maquette_core::budget::Budget;
use maquette_core::error::Warnings;
use maquette_core::formats::doom_def::{self, Declarations};
use maquette_core::limits::MAX_DECLARATIONS;

pub(super) fn declared_animations(vfs: &Vfs, game_path: &str) -> Vec<Declared> {
    let declarations = vfs.memo_of_folders(&["def"], read);
    let animations = declarations.animations_of(game_path).unwrap_or_default();
    let numbered = animations.into_iter().flat_map(|(name, paths)| {
        let many = paths.len() > 1;
        paths
            .into_iter()
            .enumerate()
            .map(move |(index, path)| (if many { format!("{name} {}", index + 1) } else { name.clone() }, path))
            .map(|(name, path)| Declared { name, path, frames_per_second: None })
    });
    numbered.collect()
}

fn read(vfs: &Vfs) -> Declarations {
    let mut declarations = Vec::new();
    let (mut bytes_left, mut declared) = (Budget::new(MAX_DEF_BYTES), 0);
    let names = vfs.files_in("def");
    for name in names.iter().filter(|name| split_extension(name).1.eq_ignore_ascii_case("def")) {
        let Some(entry) = vfs.entry(&format!("def/{name}")) else { continue };
        let size = entry.size().map_or(0, |size| size.bytes);
        if declared > MAX_DECLARATIONS || bytes_left.take(size).is_err() {
            break;
        }
        let Ok(bytes) = entry.read(ReadLimit::TEXT) else { continue };
        let models = doom_def::parse(&bytes, &mut Warnings::default());
        declared += models.iter().map(|model| 1 + model.animations.len()).sum::<usize>();
        declarations.extend(models);
    }
    Declarations::new(declarations)
}
