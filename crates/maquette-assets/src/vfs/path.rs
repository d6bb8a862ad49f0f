//! Game paths: relative, forward slashes, any case.

use crate::limits::MAX_PATH_NAMES;
use maquette_core::limits::MAX_PATH_BYTES;

/// Extensions of archives, in lower case. A `.dpk` is Unvanquished's name for a zip.
pub const ARCHIVE_EXTENSIONS: [&str; 5] = ["pk3", "pk4", "pak", "dpk", "zip"];
/// Extensions of folders that games take for archives, in lower case
/// (ioquake3 `code/qcommon/files.c`: `FS_AddGameDirectory`).
const ARCHIVE_FOLDERS: [&str; 3] = ["pk3dir", "pk4dir", "dpkdir"];

/// A game path as everything here compares it: forward slashes, no `.`, no empty parts. `None` if it would leave the
/// root (`..`, a drive letter), holds a NUL, or is longer or deeper than any path should be.
#[must_use]
pub fn normalise(path: &str) -> Option<String> {
    if path.len() > MAX_PATH_BYTES {
        return None;
    }
    if is_normal(path) {
        return Some(path.to_owned());
    }
    let mut parts = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => return None,
            part if part.contains(['\0', ':']) => return None,
            part => parts.push(part),
        }
    }
    (parts.len() <= MAX_PATH_NAMES).then(|| parts.join("/"))
}

/// Whether [`normalise`] would leave a path as it is; most that are looked for come from there.
fn is_normal(path: &str) -> bool {
    let (mut depth, mut length, mut dots) = (1, 0, 0);
    for byte in path.bytes() {
        match byte {
            b'/' if length == dots && length <= 2 => return false,
            b'/' => (depth, length, dots) = (depth + 1, 0, 0),
            b'\\' | b':' | 0 => return false,
            _ => (length, dots) = (length + 1, dots + usize::from(byte == b'.')),
        }
    }
    depth <= MAX_PATH_NAMES && !(length == dots && length <= 2)
}

/// Folder of a game path, empty at the root.
#[must_use]
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// File name of a game path.
#[must_use]
pub fn name_of(path: &str) -> &str {
    path.rsplit_once(['/', '\\']).map_or(path, |(_, name)| name)
}

/// A path with its last extension off, and that extension: `glass.tga.tga` gives `glass.tga` and `tga`. Dots in folders
/// and a leading dot are no extension.
#[must_use]
pub fn split_extension(path: &str) -> (&str, &str) {
    let name_start = path.len() - name_of(path).len();
    match path.rfind('.') {
        Some(dot) if dot > name_start => (&path[..dot], &path[dot + 1..]),
        _ => (path, ""),
    }
}

/// Whether a file name is that of an archive. What a file really is, its content says.
#[must_use]
pub fn is_archive_name(name: &str) -> bool {
    has_extension(name, &ARCHIVE_EXTENSIONS)
}

/// Whether a file name is that of an archive that games mount by themselves: any but `.zip`, which players use for all
/// sorts of things.
pub(super) fn is_mounted_name(name: &str) -> bool {
    is_archive_name(name) && !has_extension(name, &["zip"])
}

/// Whether a folder's name says that games take it for an archive.
#[must_use]
pub fn is_archive_folder_name(name: &str) -> bool {
    has_extension(name, &ARCHIVE_FOLDERS)
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let (_, own) = split_extension(name);
    extensions.iter().any(|extension| own.eq_ignore_ascii_case(extension))
}
