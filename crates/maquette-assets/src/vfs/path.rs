//! Game paths: relative, with forward slashes, in any case.

use crate::limits::MAX_PATH_NAMES;
use maquette_core::limits::MAX_PATH_BYTES;

/// Extensions of archives, in lower case. A `.dpk` is Unvanquished's name for a zip.
pub const ARCHIVE_EXTENSIONS: [&str; 5] = ["pk3", "pk4", "pak", "dpk", "zip"];
/// Extensions of folders that games treat as archives (ioquake3 `code/qcommon/files.c`: `FS_AddGameDirectory`).
const ARCHIVE_FOLDERS: [&str; 3] = ["pk3dir", "pk4dir", "dpkdir"];

/// Converts a game path to forward slashes, without `.` and empty parts. `None` if it leaves the root (`..`, a drive
/// letter), holds a NUL, or is too long or too deep.
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

/// Resolves a path relative to a folder, as Quake II (q2pro `src/common/files.c`, `FS_NormalizePathBuffer`) and the Cube
/// engines do. `None` if `..` leaves the root. Other games refuse every `..`, and so does [`normalise`].
pub(crate) fn resolved(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part if part.contains(['\0', ':']) => return None,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns why a path that a model names is not read if [`resolved`] refuses it.
pub(crate) fn outside_root(path: &str) -> String {
    if !path.split(['/', '\\']).any(|part| part == "..") {
        return format!("“{path}” cannot be the path of a file");
    }
    format!(
        "“{path}” is outside the folder or archive of the model, and no path in a model leads out of it; put the file into \
         this folder and name it without “..”"
    )
}

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

/// Returns the folder of a game path, empty at the root.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the file name of a game path.
pub fn name_of(path: &str) -> &str {
    path.rsplit_once(['/', '\\']).map_or(path, |(_, name)| name)
}

/// Splits off the last extension: `glass.tga.tga` gives `glass.tga` and `tga`. A leading dot does not count.
pub fn split_extension(path: &str) -> (&str, &str) {
    let name_start = path.len() - name_of(path).len();
    match path.rfind('.') {
        Some(dot) if dot > name_start => (&path[..dot], &path[dot + 1..]),
        _ => (path, ""),
    }
}

/// Returns whether a file name has an extension of archives. Only the content shows whether the file is one.
pub fn is_archive_name(name: &str) -> bool {
    has_extension(name, &ARCHIVE_EXTENSIONS)
}

/// Returns whether games mount a file of this name automatically. They do not mount `.zip`, which has other uses too.
pub(super) fn is_mounted_name(name: &str) -> bool {
    is_archive_name(name) && !has_extension(name, &["zip"])
}

/// Returns whether games treat a folder of this name as an archive.
pub fn is_archive_folder_name(name: &str) -> bool {
    has_extension(name, &ARCHIVE_FOLDERS)
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let (_, own) = split_extension(name);
    extensions.iter().any(|extension| own.eq_ignore_ascii_case(extension))
}
