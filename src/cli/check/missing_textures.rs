//! Report of `check --textures`: missing and guessed images, grouped by image.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use maquette_assets::material::{SearchStep, SurfaceMaterial, UnreadableImage};
use maquette_assets::open::{ModelAsset, Skin};
use maquette_assets::vfs::{folder_of, name_of};
use maquette_core::error::counted;
use maquette_core::model::Surface;

use super::super::output;

/// Maximum number of models printed per image unless all are requested.
const MODELS_PRINTED: usize = 3;
/// Maximum number of characters of a printed name. Longer names are cut.
const NAME_CHARACTERS: usize = 1024;

#[derive(Debug)]
enum Cause {
    /// A name without an image.
    Missing(String),
    /// An image that a script refers to but that does not exist.
    Absent(String),
    /// An image that exists but cannot be decoded, and the reason.
    Unreadable(String, String),
    /// An image that was found where the game does not look.
    Guessed(String),
    /// An image that a script names, although none of its stages is drawn.
    Unstaged(String),
    /// The file names no image, and the search found none.
    Unnamed,
}

#[derive(Debug)]
struct Occurrence {
    model: PathBuf,
    surfaces: BTreeSet<usize>,
    /// First surface, and its skin.
    first: String,
    steps: Vec<String>,
}

#[derive(Debug)]
struct Finding {
    cause: Cause,
    scripts: BTreeMap<String, BTreeSet<u32>>,
    /// Path of an image with a similar name.
    nearest: Option<String>,
    occurrences: Vec<Occurrence>,
}

#[derive(Debug, Default)]
pub struct MissingTextures {
    causes: Vec<Finding>,
    /// Indices of findings by cause. Games ignore case in names, so spellings of a name are one cause.
    known: HashMap<String, usize>,
}

impl MissingTextures {
    pub fn add(&mut self, path: &Path, asset: &ModelAsset) {
        for (_, skin) in Skin::checked(&asset.skins) {
            let surfaces = asset.model.surfaces().iter().zip(skin.materials.iter()).enumerate();
            let is_drawn = |surface: &Surface| !surface.triangles.is_empty() && !asset.model.is_helper(surface);
            for (index, (surface, material)) in surfaces.filter(|(_, (surface, _))| is_drawn(surface)) {
                let Some(cause) = cause_of(asset, material) else { continue };
                let with = if asset.skins.len() > 1 { format!(" (skin {})", skin.name) } else { String::new() };
                let called = if surface.name.is_empty() { "material" } else { &surface.name };
                self.put(cause, path, index, format!("{called}{with}"), material);
            }
        }
    }

    fn put(&mut self, cause: Cause, path: &Path, surface: usize, first: String, material: &SurfaceMaterial) {
        let index = *self.known.entry(key_of(&cause)).or_insert_with(|| {
            let nearest = material.suggestion.as_ref().map(|nearest| nearest.path.clone());
            self.causes.push(Finding { cause, scripts: BTreeMap::new(), nearest, occurrences: Vec::new() });
            self.causes.len() - 1
        });
        let Some(Finding { scripts, occurrences, .. }) = self.causes.get_mut(index) else { return };
        if let Some((file, line)) = material.script.as_ref().filter(|_| material.has_problem()) {
            scripts.entry(file.clone()).or_default().insert(*line);
        }
        match occurrences.last_mut().filter(|occurrence| occurrence.model == path) {
            Some(occurrence) => drop(occurrence.surfaces.insert(surface)),
            None => {
                let steps = material.search_log.iter().map(step_text).collect();
                let surfaces = BTreeSet::from([surface]);
                occurrences.push(Occurrence { model: path.to_path_buf(), surfaces, first, steps });
            }
        }
    }

    pub fn append(&mut self, others: Self) {
        for mut other in others.causes {
            match self.known.get(&key_of(&other.cause)).and_then(|known| self.causes.get_mut(*known)) {
                Some(finding) => {
                    finding.occurrences.append(&mut other.occurrences);
                    for (file, lines) in other.scripts {
                        finding.scripts.entry(file).or_default().extend(lines);
                    }
                }
                None => {
                    self.known.insert(key_of(&other.cause), self.causes.len());
                    self.causes.push(other);
                }
            }
        }
    }

    /// Whether every image was found under its name.
    pub fn is_empty(&self) -> bool {
        self.causes.is_empty()
    }

    /// Returns the number of missing images, counted once per model.
    pub fn unresolved(&self) -> usize {
        self.count(|cause| !matches!(cause, Cause::Guessed(_)))
    }

    /// Returns the number of guessed images, counted once per model.
    pub fn guessed(&self) -> usize {
        self.count(|cause| matches!(cause, Cause::Guessed(_)))
    }

    fn count(&self, counts: impl Fn(&Cause) -> bool) -> usize {
        self.causes.iter().filter(|finding| counts(&finding.cause)).map(|finding| finding.occurrences.len()).sum()
    }

    /// Writes a line for each image. `verbose` adds all models and the searched paths.
    pub fn write(&self, output: &mut impl io::Write, verbose: bool) -> io::Result<()> {
        for Finding { cause, scripts, nearest, occurrences } in &self.causes {
            let surfaces: usize = occurrences.iter().map(|occurrence| occurrence.surfaces.len()).sum();
            let models = counted(occurrences.len(), "model", "models");
            let of = format!("{} of {models}", counted(surfaces, "surface", "surfaces"));
            let (head, tail) = match cause {
                Cause::Missing(name) => (format!("{name}: missing in {of}"), String::new()),
                Cause::Absent(name) => (format!("{name}: missing in {of}"), needed(scripts)),
                Cause::Unreadable(path, reason) => {
                    (format!("{path}: unreadable in {of}"), format!("; {reason}{}", needed(scripts)))
                }
                Cause::Guessed(path) => {
                    (format!("{path}: guessed in {of}"), "; the game does not look there".to_owned())
                }
                Cause::Unstaged(path) => (
                    format!("{path}: not drawn in {of}"),
                    format!("; no stage of the shader is drawn{}", needed(scripts)),
                ),
                Cause::Unnamed => (format!("no image named in {of}"), String::new()),
            };
            let tail =
                format!("{tail}{}", nearest.as_ref().map_or_else(String::new, |path| format!("; nearest: {path}")));
            if verbose {
                output::line(output, &format!("{head}{tail}"))?;
                for occurrence in occurrences {
                    output::line(output, &format!("  {}: {}", occurrence.model.display(), occurrence.first))?;
                    for step in &occurrence.steps {
                        output::line(output, &format!("    {step}"))?;
                    }
                }
                continue;
            }
            let names: Vec<String> = occurrences
                .iter()
                .take(MODELS_PRINTED)
                .map(|occurrence| occurrence.model.display().to_string())
                .collect();
            let more = occurrences.len().saturating_sub(MODELS_PRINTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            output::line(output, &format!("{head}: {}{more}{tail}", names.join(", ")))?;
        }
        Ok(())
    }
}

fn key_of(cause: &Cause) -> String {
    format!("{cause:?}").to_lowercase()
}

fn cause_of(asset: &ModelAsset, material: &SurfaceMaterial) -> Option<Cause> {
    if material.is_guess {
        return Some(Cause::Guessed(material.path.clone()));
    }
    material.problem()?;
    if let Some(UnreadableImage { path, reason }) = material.unreadable.as_deref() {
        return Some(Cause::Unreadable(path.clone(), reason.clone()));
    }
    if material.lacks_stages && !material.path.is_empty() {
        return Some(Cause::Unstaged(material.path.clone()));
    }
    Some(match (&material.missing_image, &material.script) {
        (Some(absent), Some(_)) => Cause::Absent(absent.clone()),
        _ if material.name.trim().is_empty() => Cause::Unnamed,
        _ => Cause::Missing(location_of(asset, &material.name)),
    })
}

/// Returns the path to print for an image. Names that begin with a dot are relative to the model's folder (UFO: Alien
/// Invasion), so the folder is added.
fn location_of(asset: &ModelAsset, name: &str) -> String {
    match name.strip_prefix('.').filter(|rest| !rest.starts_with('.') && name_of(rest) == *rest) {
        Some(rest) => format!("{}/{rest}", folder_of(&asset.game_path)).trim_start_matches('/').to_owned(),
        None => name.chars().take(NAME_CHARACTERS).collect(),
    }
}

/// Formats the definitions that need an image; empty if there are none.
fn needed(scripts: &BTreeMap<String, BTreeSet<u32>>) -> String {
    if scripts.is_empty() { String::new() } else { format!("; needed by {}", lines(scripts)) }
}

/// Formats lines of scripts: `scripts/a.shader line 3, scripts/b.shader lines 5, 9`.
fn lines(scripts: &BTreeMap<String, BTreeSet<u32>>) -> String {
    let of = |(file, lines): (&String, &BTreeSet<u32>)| {
        let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
        format!("{file} {} {}", if numbers.len() == 1 { "line" } else { "lines" }, numbers.join(", "))
    };
    scripts.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// Formats a search step: `Image as named: not found: models/a.tga, models/a.jpg`.
fn step_text(step: &SearchStep) -> String {
    let SearchStep { what, tried, found, note } = step;
    match (found, tried.as_slice()) {
        (Some(found), _) if note.is_empty() => format!("{what}: {found}"),
        (Some(found), _) => format!("{what}: {found}; {note}"),
        (None, []) => format!("{what}: {note}"),
        (None, tried) => format!("{what}: not found: {}", tried.join(", ")),
    }
}
