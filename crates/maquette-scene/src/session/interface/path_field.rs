//! Path field: initial text and completion.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use crate::session::{FilePrompt, Interface, OutputKind, Session};
use maquette_assets::material::IMAGE_EXTENSIONS;
use maquette_assets::open::is_model_file;
use maquette_assets::vfs::is_archive_name;

/// A path prompt in the window, used if no system dialog is available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathField {
    /// Use of the path.
    pub purpose: FilePrompt,
    /// Reason why the system dialog did not open; empty if no dialog was requested.
    pub reason: String,
    /// Initial text.
    pub text: String,
    /// Contents of the typed folder, once it is read.
    pub listing: Option<FolderListing>,
    /// Whether the file exists, so that confirming the path again replaces it.
    pub replaces: bool,
}

/// Contents of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderListing {
    /// Folder as the user typed it.
    pub folder: String,
    /// Sorted names. Folders end in a separator.
    pub names: Vec<String>,
    /// Names of files that do not fit the purpose.
    pub others: Vec<String>,
    /// Whether the folder does not exist.
    pub is_missing: bool,
    /// Whether the names are complete. They are incomplete in archives and in very large folders.
    pub is_whole: bool,
}

impl FolderListing {
    /// Maximum number of names in a listing. Further names are left out.
    pub const MAX_NAMES: usize = 10_000;

    /// Reads a folder. If it cannot be read, the listing is empty.
    #[must_use]
    pub fn read(folder: &str) -> Self {
        let path = if folder.is_empty() { PathBuf::from(".") } else { typed_path(folder) };
        let is_folder = path.is_dir();
        // The path may continue into an archive.
        let plain: PathBuf = path.components().collect();
        let is_missing = !is_folder && !plain.ancestors().any(Path::is_file);
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let name = |entry: std::fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            Some(if entry.path().is_dir() { format!("{name}{MAIN_SEPARATOR}") } else { name })
        };
        let mut names: Vec<String> = entries.take(Self::MAX_NAMES).filter_map(name).collect();
        names.sort_by_key(|name| name.to_lowercase());
        let is_whole = is_folder && names.len() < Self::MAX_NAMES;
        Self { folder: folder.to_owned(), names, others: Vec::new(), is_missing, is_whole }
    }

    #[must_use]
    fn for_purpose(mut self, purpose: &FilePrompt) -> Self {
        let is_folder = |name: &str| name.ends_with(MAIN_SEPARATOR) || is_archive_name(name);
        let is_useful = |name: &String| {
            let extension = name.rsplit_once('.').map_or(String::new(), |(_, extension)| extension.to_lowercase());
            let is_image = IMAGE_EXTENSIONS.contains(&extension.as_str());
            match purpose {
                FilePrompt::AddRoot | FilePrompt::OpenFolder | FilePrompt::Save(OutputKind::Models) => is_folder(name),
                FilePrompt::Save(_) => true,
                FilePrompt::TryTexture => is_folder(name) || is_image,
                FilePrompt::Open | FilePrompt::Attach(_) | FilePrompt::Compare => {
                    is_folder(name) || is_model_file(Path::new(name))
                }
            }
        };
        (self.names, self.others) = self.names.into_iter().partition(is_useful);
        self
    }

    /// Returns the problem of the typed path, if one is known.
    pub fn problem(&self, typed: &str) -> Option<&'static str> {
        let (folder, name) = split_typed(typed);
        if folder != self.folder {
            return None;
        }
        let is_here = |known: &String| known.trim_end_matches(MAIN_SEPARATOR) == name;
        let is_nowhere = self.is_whole && !name.is_empty() && !self.names.iter().chain(&self.others).any(is_here);
        match (self.is_missing, is_nowhere) {
            (true, _) => Some("Folder not found"),
            (_, true) => Some("File not found"),
            _ => None,
        }
    }

    /// Returns the names that start with the typed name. Names that start with a dot are included only if the typed
    /// name does, too.
    pub fn fitting(&self, typed: &str) -> Vec<&str> {
        let (folder, start) = split_typed(typed);
        if folder != self.folder {
            return Vec::new();
        }
        let hidden = start.starts_with('.');
        let fits = |name: &&str| begins(name, start) && (hidden || !name.starts_with('.'));
        self.names.iter().map(String::as_str).filter(fits).collect()
    }

    /// Returns the path of the only matching file; `None` if there is not exactly one match, or the match is a folder.
    pub fn only_file(&self, typed: &str) -> Option<String> {
        let (folder, start) = split_typed(typed);
        match self.fitting(typed).as_slice() {
            [name] if !start.is_empty() && !name.ends_with(MAIN_SEPARATOR) => Some(format!("{folder}{name}")),
            _ => None,
        }
    }

    /// Returns the text after completion with Tab: the common start of all matching names. Returns `None` if it adds
    /// nothing.
    pub fn completed(&self, typed: &str) -> Option<String> {
        let fitting = self.fitting(typed);
        let (first, rest) = fitting.split_first()?;
        let mut common: &str = first;
        for name in rest {
            let same = common.char_indices().zip(name.chars()).find(|((_, a), b)| !same_letter(*a, *b));
            let end = same.map_or(common.len().min(name.len()), |((at, _), _)| at);
            common = common.get(..end).unwrap_or_default();
        }
        let (folder, start) = split_typed(typed);
        let whole = format!("{folder}{common}");
        (common.chars().count() >= start.chars().count() && whole != typed).then_some(whole)
    }
}

/// Splits a typed path into the folder, with its separator, and the start of a name.
pub fn split_typed(typed: &str) -> (&str, &str) {
    let end = typed.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    typed.split_at_checked(end).unwrap_or((typed, ""))
}

/// Returns an absolute path that was typed or pasted after the `offered` folder and replaces the whole line. The path
/// starts at the root or the user's folder. `typed` is the line up to the cursor.
pub fn path_from_root<'t>(typed: &'t str, offered: &str) -> Option<&'t str> {
    let is_separator = |letter: char| std::path::is_separator(letter);
    let rest = typed.strip_prefix(offered).filter(|_| offered.ends_with(is_separator))?;
    let mut letters = rest.chars();
    let (first, second, third) = (letters.next()?, letters.next(), letters.next());
    // A separator alone is a typing error or an incomplete path.
    let is_root = is_separator(first) && second.is_some_and(|second| !is_separator(second)) && cfg!(unix);
    let is_home = first == '~' && second.is_some_and(is_separator);
    let has_drive =
        cfg!(windows) && first.is_ascii_alphabetic() && second == Some(':') && third.is_some_and(is_separator);
    (is_root || is_home || has_drive).then_some(rest)
}

/// Returns the typed path, with `~` resolved to the user's folder.
pub fn typed_path(typed: &str) -> PathBuf {
    let rest = typed.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(std::path::is_separator));
    match (rest, std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(std::path::is_separator)),
        _ => PathBuf::from(typed),
    }
}

fn begins(name: &str, start: &str) -> bool {
    let mut letters = name.chars();
    start.chars().all(|wanted| letters.next().is_some_and(|letter| same_letter(letter, wanted)))
}

fn same_letter(a: char, b: char) -> bool {
    a == b || a.to_lowercase().eq(b.to_lowercase())
}

/// Returns the folder of a file. A file in an archive counts as being in the folder of the archive.
fn folder_near(file: Option<&Path>) -> Option<PathBuf> {
    let folder = file?.ancestors().find(|ancestor| ancestor.is_dir())?;
    (!folder.as_os_str().is_empty()).then(|| folder.to_path_buf())
}

impl Interface {
    /// Handles the listing of the typed folder.
    pub fn folder_listed(&mut self, listing: FolderListing) {
        if let Some(field) = &mut self.path_field {
            field.listing = Some(listing.for_purpose(&field.purpose));
        }
    }
}

impl Session {
    /// Returns the title of a path prompt.
    pub fn title_of(&self, purpose: &FilePrompt) -> String {
        match purpose {
            FilePrompt::Open => "Open".to_owned(),
            FilePrompt::OpenFolder => "Open folder".to_owned(),
            FilePrompt::Attach(_) => "Attach model".to_owned(),
            FilePrompt::Compare => format!("Compare {} with", self.document.compared_name()),
            FilePrompt::TryTexture => "Set texture".to_owned(),
            FilePrompt::AddRoot => "Add search folder".to_owned(),
            FilePrompt::Save(OutputKind::Models) if self.jobs.saving.batch_edit.is_some() => {
                "Save edited copies to a folder".to_owned()
            }
            FilePrompt::Save(OutputKind::File) if self.interface.path_field.as_ref().is_some_and(|it| it.replaces) => {
                "Save model".to_owned()
            }
            FilePrompt::Save(product) => product.title().to_owned(),
        }
    }

    /// Opens the path field with the initial `text`. `reason` explains why the system dialog did not open.
    pub fn ask_in_window(&mut self, purpose: FilePrompt, reason: &str, text: String) {
        self.interface.path_field =
            Some(PathField { purpose, reason: reason.to_owned(), text, listing: None, replaces: false });
    }

    /// Returns the folder that the user chose for the last output of the open model or of another model in its folder,
    /// the folder of the open model, or that of the most recent file, in this order.
    pub fn likely_folder(&self, purpose: &FilePrompt) -> Option<PathBuf> {
        let is_file = *purpose == FilePrompt::Save(OutputKind::File);
        let open = if is_file { self.document.part_to_copy() } else { self.entity() };
        let open = folder_near(open.and_then(|entity| entity.asset.file.as_deref()));
        let is_beside_model = is_file || *purpose == FilePrompt::Save(OutputKind::ClipList);
        let is_output = matches!(purpose, FilePrompt::Save(_)) && !is_beside_model;
        let saved = self.jobs.saving.folders.get(open.as_deref().unwrap_or(Path::new("")));
        let saved = saved.filter(|folder| is_output && folder.is_dir());
        let recent = || folder_near(self.preferences.recent.first().map(PathBuf::as_path));
        saved.cloned().or(open).or_else(recent)
    }

    /// Remembers the folder of an output for the models in the folder of the open one.
    pub(in crate::session) fn remember_folder(&mut self, folder: &Path) {
        let open = folder_near(self.asset().and_then(|asset| asset.file.as_deref())).unwrap_or_default();
        self.jobs.saving.folders.insert(open, folder.to_path_buf());
    }
}
