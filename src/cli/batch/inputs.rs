//! Inputs of a command: files, folders, archives, patterns, and lists on standard input.

use std::collections::{HashMap, HashSet};
#[cfg(unix)]
use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern};
use maquette_assets::open::scan;
use maquette_assets::vfs::FileSystem;
use maquette_core::convert::UniqueNames;
use maquette_core::file_names;
use maquette_core::model::{Format, LodStorage};
use walkdir::WalkDir;

use crate::cli::Failure;

/// A model that a command works on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    pub path: PathBuf,
    /// Path relative to the named folder. The output has the same path in the output folder.
    pub below: PathBuf,
    /// Output file, if the command writes one per model.
    pub output: Option<PathBuf>,
}

#[derive(Debug, Default)]
pub struct Inputs {
    /// Models in the order of the paths. The models of each path are sorted by name.
    pub models: Vec<Input>,
    /// Folders and archives that could not be read, with the reason.
    pub unread: Vec<(PathBuf, String)>,
    pub remarks: Vec<(PathBuf, String)>,
    /// Files of model formats that are not read.
    pub left_out: Vec<PathBuf>,
}

/// Maximum size of a list of paths on standard input. Longer lists are refused.
const MAX_LIST_BYTES: u64 = 64 << 20;

/// Returns all models of the paths. With several paths, each folder and archive keeps its name in the output tree.
pub fn collect(files: &FileSystem, paths: &[PathBuf]) -> Result<Inputs, Failure> {
    let mut inputs = Inputs::default();
    let mut named: Vec<PathBuf> = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            let list = io::stdin().lock().take(MAX_LIST_BYTES + 1);
            let mut bytes = 0;
            for line in BufReader::new(list).split(b'\n') {
                let line = line.map_err(|error| Failure::File(format!("could not read standard input: {error}")))?;
                bytes += line.len() as u64 + 1;
                if bytes > MAX_LIST_BYTES {
                    let limit = MAX_LIST_BYTES >> 20;
                    return Err(Failure::File(format!("standard input: a list of paths may have {limit} MB at most")));
                }
                let line = line.strip_suffix(b"\r").unwrap_or(&line);
                named.extend((!line.is_empty()).then(|| path_of(line)));
            }
        } else if is_pattern(files, path) {
            let before = named.len() + inputs.unread.len();
            inputs.add_matches(path, &mut named)?;
            if named.len() + inputs.unread.len() == before {
                inputs.unread.push((path.clone(), "no file matches this pattern".to_owned()));
            }
        } else {
            named.push(path.clone());
        }
    }
    for path in &named {
        inputs.add(files, path, named.len() > 1);
    }
    // An empty list on standard input is a finished job. A folder without models is likely the wrong one.
    if inputs.models.is_empty() && inputs.unread.is_empty() && !named.is_empty() {
        inputs.unread.extend(named.into_iter().map(|path| (path, "no model found".to_owned())));
    }
    Ok(inputs)
}

/// Converts an input line to a path. On Unix, a path may contain any bytes.
fn path_of(line: &[u8]) -> PathBuf {
    #[cfg(unix)]
    return <OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(line).into();
    #[cfg(not(unix))]
    return String::from_utf8_lossy(line).into_owned().into();
}

/// Whether a path is a pattern and not an existing file. Some shells do not expand patterns.
pub fn is_pattern(files: &FileSystem, path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[']) && files.locate(path).is_err()
}

impl Inputs {
    fn add_matches(&mut self, path: &Path, named: &mut Vec<PathBuf>) -> Result<(), Failure> {
        let failed = |why: &dyn std::fmt::Display| Failure::Usage(format!("{}: {why}", path.display()));
        let text = path.to_string_lossy();
        if !text.contains("**") {
            for found in glob::glob(&text).map_err(|error| failed(&error))? {
                match found {
                    Ok(found) => named.push(found),
                    Err(error) => self.unread.push((error.path().to_path_buf(), error.error().to_string())),
                }
            }
            return Ok(());
        }
        // The part before the first `**` is a pattern or a folder. Below it, folders are searched, but not links to
        // folders, which may form a cycle.
        let parts = || path.components().filter(|part| *part != Component::CurDir);
        let is_short = |part: &Component| !part.as_os_str().to_string_lossy().contains("**");
        let before: PathBuf = parts().take_while(is_short).collect();
        let below: PathBuf = parts().skip_while(is_short).collect();
        let pattern = Pattern::new(&below.to_string_lossy()).map_err(|error| failed(&error))?;
        let starts: Vec<PathBuf> = match before.as_os_str().is_empty() {
            true => vec![PathBuf::new()],
            false => glob::glob(&before.to_string_lossy()).map_err(|error| failed(&error))?.flatten().collect(),
        };
        for start in starts.into_iter().filter(|start| start.as_os_str().is_empty() || start.is_dir()) {
            self.add_matches_below(&start, &pattern, named);
        }
        Ok(())
    }

    fn add_matches_below(&mut self, start: &Path, pattern: &Pattern, named: &mut Vec<PathBuf>) {
        let here = if start.as_os_str().is_empty() { Path::new(".") } else { start };
        // A named folder is searched recursively anyway.
        if pattern.as_str() == "**" {
            named.push(here.to_path_buf());
            return;
        }
        let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
        let mut found = WalkDir::new(here).min_depth(1).sort_by_file_name().into_iter();
        while let Some(entry) = found.next() {
            match entry {
                Ok(entry) if entry.path_is_symlink() && entry.path().is_dir() => {}
                Ok(entry) => {
                    let below = entry.path().strip_prefix(here).unwrap_or(entry.path());
                    if pattern.matches_path_with(below, options) {
                        named.push(start.join(below));
                        if entry.file_type().is_dir() {
                            found.skip_current_dir();
                        }
                    }
                }
                Err(error) => {
                    let unread_path = error.path().unwrap_or(here).to_path_buf();
                    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.unread.push((unread_path, why));
                }
            }
        }
    }

    fn add(&mut self, files: &FileSystem, path: &Path, keeps_name: bool) {
        if let Err(error) = files.locate(path) {
            self.unread.push((path.to_path_buf(), error.reason()));
            return;
        }
        let found = scan(files, path, &|| false);
        self.unread.extend(found.failed.into_iter().map(|(path, error)| (path, error.to_string())));
        self.remarks.extend(found.warnings.into_iter().map(|(path, remark)| (path, remark.to_string())));
        self.left_out.extend(found.left_out);
        // Found paths may be absolute or canonical.
        let named = [Some(path.to_path_buf()), std::path::absolute(path).ok(), path.canonicalize().ok()];
        self.models.extend(found.models.into_iter().map(|model| {
            let below = named.iter().flatten().filter_map(|named| model.strip_prefix(named).ok());
            let below = below.map(Path::to_path_buf).find(|below| !below.as_os_str().is_empty());
            let below = match below {
                Some(below) if keeps_name => plain(path).join(below),
                Some(below) => below,
                None => plain(path),
            };
            Input { path: model, below, output: None }
        }));
    }
}

/// Returns the part of a path below the current folder, or the file name if the path leads out of that folder.
fn plain(path: &Path) -> PathBuf {
    let is_below = path.is_relative() && path.components().all(|part| !matches!(part, Component::ParentDir));
    if !is_below {
        return path.file_name().map(PathBuf::from).unwrap_or_default();
    }
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// Returns the output of each input below `folder`, with names that every system accepts. If two outputs would have the
/// same path, their names include the extension of the input.
pub fn outputs(inputs: &[Input], folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let below: Vec<PathBuf> = inputs.iter().map(|input| clean(&input.below)).collect();
    let mut count: HashMap<PathBuf, usize> = HashMap::with_capacity(inputs.len());
    for below in &below {
        *count.entry(below.with_extension(extension)).or_default() += 1;
    }
    let own: HashSet<&Path> = below.iter().map(PathBuf::as_path).collect();
    let has_levels = Format::with_extension(extension).any(|format| format.traits().lods == LodStorage::Files);
    // The output of `a.md3` may have a level of detail `a_1`, which may be the output of `a_1.md3`, but not of
    // `a_1.md2`.
    let is_of_another = |below: &Path| {
        let (stem, own_extension) = (below.file_stem(), below.extension().unwrap_or_default());
        let stem = stem.unwrap_or_default().to_string_lossy();
        let finest = stem.strip_suffix("_1").or_else(|| stem.strip_suffix("_2"));
        let Some(finest) = finest.filter(|_| has_levels) else { return false };
        let named = |extension: &str| below.with_file_name(format!("{finest}.{extension}"));
        count.contains_key(&named(extension)) && !own.contains(named(&own_extension.to_string_lossy()).as_path())
    };
    // The path without the extension of the output.
    let stem = |below: &Path| {
        let short = below.with_extension("");
        let is_short = count.get(&below.with_extension(extension)) == Some(&1) && !is_of_another(below);
        if is_short { short } else { below.to_path_buf() }
    };
    let mut taken: HashMap<&Path, &Path> = HashMap::with_capacity(inputs.len());
    let mut stems = UniqueNames::default();
    let mut outputs = Vec::with_capacity(inputs.len());
    for (input, below) in inputs.iter().zip(&below) {
        let stem = stem(below);
        if let Some(other) = taken.insert(&input.below, &input.path) {
            let (a, b, output) = (other.display(), input.path.display(), stem.display());
            return Err(Failure::Usage(format!("{a} and {b} would both be written to {output}.{extension}")));
        }
        // Some systems ignore case. A name with `_2` could be a level of detail.
        let stem = stems.claim(stem.to_string_lossy().into_owned(), str::to_lowercase, "-");
        outputs.push(folder.join(format!("{stem}.{extension}")));
    }
    Ok(outputs)
}

/// Converts each name of a relative path to a name that every system accepts.
fn clean(path: &Path) -> PathBuf {
    let parts = path.components().map(|part| part.as_os_str());
    parts.map(|name| file_names::clean(&name.to_string_lossy())).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn outputs_of(below: &[&str]) -> Vec<String> {
        let input = |below: &&str| Input { path: below.into(), below: below.into(), output: None };
        let inputs: Vec<Input> = below.iter().map(input).collect();
        let outputs = outputs(&inputs, Path::new("out"), "glb").unwrap();
        outputs.iter().map(|output| output.to_string_lossy().replace('\\', "/")).collect()
    }

    #[test]
    fn names_of_outputs_are_accepted_by_every_system() {
        let below = ["a/b.md3", "a\nb/c?.md3", "con/d.md3", "e\u{202e}.md3", "f. /g.md3"];
        let wanted = ["out/a/b.glb", "out/a_b/c_.glb", "out/_con/d.glb", "out/e_.glb", "out/f/g.glb"];
        assert_eq!(outputs_of(&below), wanted);
    }

    #[test]
    fn two_outputs_never_have_one_path() {
        assert_eq!(outputs_of(&["a.md2", "a.md3"]), ["out/a.md2.glb", "out/a.md3.glb"]);
        assert_eq!(outputs_of(&["a*.md3", "a?.md3"]), ["out/a_.md3.glb", "out/a_.md3-2.glb"]);
        assert_eq!(outputs_of(&["a.md3", "A.md3"]), ["out/a.glb", "out/A-2.glb"]);
        // Maquette does not guess which of two equal names the user wants.
        let input = |path: &str| Input { path: path.into(), below: "a.md3".into(), output: None };
        assert!(outputs(&[input("x/a.md3"), input("y/a.md3")], Path::new("out"), "glb").is_err());
    }
}
