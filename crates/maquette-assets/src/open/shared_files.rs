//! Files that many models share: read once, and kept while they are the same.

use std::sync::Arc;

use super::animation_files::AnimationFiles;
use super::cube_script::CubeScript;
use super::definitions::Definitions;
use crate::error::{WarningKind, Warnings};
use crate::formats::animation_cfg::AnimationConfig;
use crate::formats::cube_cfg;
use crate::model::Format;
use crate::text::LONGEST_TEXT;
use crate::vfs::{KeptFiles, Vfs, folder_of};

/// Clip files that are kept: a model has one, and those of several folders may be asked for by turns.
const CLIP_FILES_KEPT: usize = 32;
/// Folders whose animations are known.
const FOLDERS_KEPT: usize = 4;
/// Scripts of the Cube engines that are kept: a model has its folder’s and those of up to 64 folders below, of each of three
/// formats.
const CUBE_SCRIPTS_KEPT: usize = 256;

/// What was read last of the files that models share.
#[derive(Debug, Default)]
pub(super) struct SharedFiles {
    /// The `.def` files of the game.
    pub definitions: Definitions,
    clip_files: KeptFiles<Contents<AnimationConfig>, CLIP_FILES_KEPT>,
    animation_files: KeptFiles<AnimationFiles, FOLDERS_KEPT>,
    cube_scripts: KeptFiles<Contents<CubeScript>, CUBE_SCRIPTS_KEPT>,
}

/// What was parsed of a file, none if it could not be read, and the warnings about it.
#[derive(Debug)]
pub(super) struct Contents<T> {
    pub parsed: Option<T>,
    pub warnings: Warnings,
}

impl SharedFiles {
    /// A file that names the clips of the models beside it.
    pub(super) fn clip_file(&self, vfs: &Vfs, path: &str) -> Arc<Contents<AnimationConfig>> {
        self.clip_files.of(vfs, path, || Contents::read(vfs, path, LONGEST_TEXT, AnimationConfig::parse))
    }

    /// The animations in a folder and below it.
    pub(super) fn animation_files(&self, vfs: &Vfs, folder: &str) -> Arc<AnimationFiles> {
        self.animation_files.of_unchanging(vfs, folder, || AnimationFiles::below(vfs, folder))
    }

    /// A script of a Cube engine about models of this format.
    pub(super) fn cube_script(&self, vfs: &Vfs, path: &str, format: Format) -> Arc<Contents<CubeScript>> {
        self.cube_scripts.of(vfs, path, || {
            let longest = cube_cfg::LONGEST as u64;
            if vfs.size_of(path).is_some_and(|size| size.bytes > longest) {
                let mut warnings = Warnings::default();
                let told = format!("the script is longer than {longest} bytes and was not read");
                warnings.add(WarningKind::LeftOut, "", told);
                return Contents { parsed: None, warnings };
            }
            let parse = |bytes: &[u8], warnings: &mut Warnings| {
                CubeScript::new(folder_of(path), cube_cfg::parse(bytes, format, warnings))
            };
            Contents::read(vfs, path, longest, parse)
        })
    }
}

impl<T> Contents<T> {
    fn read(vfs: &Vfs, path: &str, most: u64, parse: impl FnOnce(&[u8], &mut Warnings) -> T) -> Self {
        let mut warnings = Warnings::default();
        let parsed = match vfs.read_up_to(path, most) {
            Ok(bytes) => Some(parse(&bytes, &mut warnings)),
            Err(error) => {
                warnings.add(WarningKind::Companion, "", format!("it was not read: {error}"));
                None
            }
        };
        Self { parsed, warnings }
    }
}
