//! Which models a command works on: files, all below folders and in archives, patterns, and lists on the standard input.

use std::collections::{BTreeMap, HashMap, HashSet};
#[cfg(unix)]
use std::ffi::OsStr;
use std::io::{self, BufRead as _};
use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern};
use maquette_assets::open::walk;
use maquette_assets::vfs::FileSystem;
use maquette_core::model::{Format, LodStorage};
use walkdir::WalkDir;

use crate::cli::Failure;

/// A model that a command works on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Where it is.
    pub path: PathBuf,
    /// Its place below the folder that was named, or what is left of the path that was.
    pub below: PathBuf,
    /// Output file, if the command writes one for each model.
    pub output: Option<PathBuf>,
}

/// What was found: models, and what was passed over or could not be read on the way.
#[derive(Debug, Default)]
pub struct Inputs {
    /// In the order of the paths, and by name within each.
    pub models: Vec<Input>,
    /// Folders and archives that could not be read, and why.
    pub unread: Vec<(PathBuf, String)>,
    /// What is odd about an archive, a sentence each.
    pub remarks: Vec<(PathBuf, String)>,
    /// Models of formats that are not read, by their extension.
    pub left_out: BTreeMap<String, usize>,
}

/// All models that the paths name. Of several folders and archives each keeps its own name in the tree.
pub fn collect(files: &FileSystem, paths: &[PathBuf]) -> Result<Inputs, Failure> {
    let mut inputs = Inputs::default();
    let mut named: Vec<PathBuf> = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            for line in io::stdin().lock().split(b'\n') {
                let line = line.map_err(|error| Failure::File(format!("could not read standard input: {error}")))?;
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
    Ok(inputs)
}

/// The path in a line: on Unix any bytes.
fn path_of(line: &[u8]) -> PathBuf {
    #[cfg(unix)]
    return <OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(line).into();
    #[cfg(not(unix))]
    return String::from_utf8_lossy(line).into_owned().into();
}

/// Whether a path is a pattern, which shells may have left alone, and no file of that name.
pub fn is_pattern(files: &FileSystem, path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[']) && files.locate(path).is_err()
}

impl Inputs {
    /// Adds the files and folders that match a pattern.
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
        // What stands before the first `**` is a pattern by itself, or a folder. From there on folders are gone through, but not
        // links to them, which may lead back up.
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

    /// Adds the files and folders below a folder whose paths from there match a pattern.
    fn add_matches_below(&mut self, start: &Path, pattern: &Pattern, named: &mut Vec<PathBuf>) {
        let here = if start.as_os_str().is_empty() { Path::new(".") } else { start };
        // All of a folder is gone through where it is named.
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
                    let place = error.path().unwrap_or(here).to_path_buf();
                    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.unread.push((place, why));
                }
            }
        }
    }

    fn add(&mut self, files: &FileSystem, path: &Path, keeps_name: bool) {
        let found = walk(files, path, &|| false);
        self.unread.extend(found.failed.into_iter().map(|(path, error)| (path, error.to_string())));
        self.remarks.extend(found.remarks.into_iter().map(|(path, remark)| (path, remark.to_string())));
        for (kind, count) in found.left_out {
            *self.left_out.entry(kind).or_default() += count;
        }
        // What was found may stand under the folder's whole path.
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

/// What of a path leads down: its names, without the way up or from the root.
fn plain(path: &Path) -> PathBuf {
    let is_below = path.is_relative() && path.components().all(|part| !matches!(part, Component::ParentDir));
    if !is_below {
        return path.file_name().map(PathBuf::from).unwrap_or_default();
    }
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// Where the output of each goes: below `folder`, the tree kept, its extension in place of the model's. Models of several formats
/// that would go to one file keep theirs before it.
pub fn outputs(inputs: &[Input], folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut count: HashMap<PathBuf, usize> = HashMap::with_capacity(inputs.len());
    for input in inputs {
        *count.entry(input.below.with_extension(extension)).or_default() += 1;
    }
    let mut taken: HashMap<PathBuf, &Path> = HashMap::with_capacity(inputs.len());
    let own: HashSet<&Path> = inputs.iter().map(|input| input.below.as_path()).collect();
    let has_levels = Format::by_extension(extension).is_some_and(|format| format.traits().lods == LodStorage::Files);
    // Beside the output of `a.md3` may come `a_1` of its extension: of `a_1.md3`, but not of `a_1.md2`.
    let is_of_another = |input: &Input| {
        let (stem, own_extension) = (input.below.file_stem(), input.below.extension().unwrap_or_default());
        let stem = stem.unwrap_or_default().to_string_lossy();
        let finest = stem.strip_suffix("_1").or_else(|| stem.strip_suffix("_2"));
        let Some(finest) = finest.filter(|_| has_levels) else { return false };
        let named = |extension: &str| input.below.with_file_name(format!("{finest}.{extension}"));
        count.contains_key(&named(extension)) && !own.contains(named(&own_extension.to_string_lossy()).as_path())
    };
    let output = |input: &'_ Input| {
        let short = input.below.with_extension(extension);
        if count.get(&short) == Some(&1) && !is_of_another(input) {
            return short;
        }
        let own = input.below.extension().unwrap_or_default().to_string_lossy();
        input.below.with_extension(format!("{own}.{extension}"))
    };
    let mut outputs = Vec::with_capacity(inputs.len());
    for input in inputs {
        let output = output(input);
        if let Some(other) = taken.insert(output.clone(), &input.path) {
            let (a, b, output) = (other.display(), input.path.display(), output.display());
            return Err(Failure::Usage(format!("{a} and {b} would both be written to {output}")));
        }
        outputs.push(folder.join(output));
    }
    Ok(outputs)
}
