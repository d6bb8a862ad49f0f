//! Overridden files: files of an archive that a later archive or a loose file hides in the game.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{FileLocation, FileSystem, Mount, Vfs, is_archive_folder_name, is_archive_name, join, normalise};

impl Vfs {
    /// Returns the folder or archive that overrides, in the game, the file at `path` in the home mount, if any.
    pub fn overridden_by(&self, path: &str) -> Option<&Path> {
        let path = normalise(path)?;
        // Searched first, because the home mount is open already.
        self.inner.mounts.get(self.inner.home_mount?)?.find(&path)?;
        let mut before = self.inner.higher_priority_mounts.iter().filter_map(|mount| self.inner.mounts.get(*mount));
        before.find(|mount| mount.find(&path).is_some()).and_then(Mount::location)
    }

    /// Returns whether the game searches other mounts before the home mount, so that [`super::SearchOrder`] makes a
    /// difference.
    pub fn order_matters(&self) -> bool {
        self.inner.order_matters
    }

    /// Returns the overridden files directly in a folder of the home mount, with the folders or archives that override
    /// them.
    pub(crate) fn overridden_in(&self, folder: &str) -> Vec<(String, PathBuf)> {
        let (Some(own), Some(folder)) =
            (self.inner.home_mount.and_then(|own| self.inner.mounts.get(own)), normalise(folder))
        else {
            return Vec::new();
        };
        if self.inner.higher_priority_mounts.is_empty() {
            return Vec::new();
        }
        let paths = own.listing(&folder).into_iter().map(|name| join(&folder, &name));
        paths
            .filter_map(|path| Some((self.overridden_by(&path)?.to_path_buf(), path)))
            .map(|(by, path)| (path, by))
            .collect()
    }
}

impl FileSystem {
    /// Returns those of `paths` that are overridden in the game, with the name of the overriding folder or archive.
    pub fn overridden(&self, paths: &[PathBuf]) -> HashMap<PathBuf, String> {
        let mut systems: HashMap<PathBuf, Option<Vfs>> = HashMap::new();
        let mut overridden = HashMap::new();
        for path in paths {
            let Some(container) = archive_around(path) else { continue };
            let vfs = systems.entry(container.to_path_buf()).or_insert_with(|| {
                // A folder may be named like an archive, and a file named like one may not be an archive.
                let is_one = match self.locate(container) {
                    Ok(FileLocation::Archive(_)) => true,
                    Ok(FileLocation::Folder(folder)) => is_archive_folder_name(&name_of_location(&folder)),
                    _ => false,
                };
                if is_one { self.for_file(container).ok().map(|(vfs, _)| vfs) } else { None }
            });
            let Some(vfs) = vfs.as_ref().filter(|vfs| !vfs.inner.higher_priority_mounts.is_empty()) else { continue };
            let Ok(inner) = path.strip_prefix(container) else { continue };
            if let Some(by) = vfs.overridden_by(&inner.to_string_lossy()) {
                overridden.insert(path.clone(), name_of_location(by));
            }
        }
        overridden
    }
}

/// Returns the display name of a folder or archive.
pub fn name_of_location(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn archive_around(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        is_archive_name(&name) || is_archive_folder_name(&name)
    })
}
