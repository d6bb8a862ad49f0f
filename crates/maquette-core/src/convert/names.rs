//! Names that are invented or shortened for the target format.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use super::UniqueNames;
use crate::bytes::encoded;
use crate::error::counted;
use crate::formats::glm;
use crate::model::{Format, Model, Surface, SurfaceStorage};

/// Returns a name for each surface. Unnamed surfaces take the name in the exporter's comment, or the last part of the
/// material's path.
pub(super) fn surface_names(model: &Model) -> Vec<String> {
    let mut of_lod: HashMap<u32, UniqueNames> = HashMap::new();
    let name = |(index, surface): (usize, &Surface)| {
        if !surface.name.is_empty() {
            return surface.name.clone();
        }
        let material = surface.materials.first().map(|material| {
            let last = material.rsplit(['/', '\\']).next().unwrap_or_default();
            last.rsplit_once('.').map_or(last, |(stem, _)| stem)
        });
        let given = [surface.script_name(), material.unwrap_or_default()];
        let given = given.into_iter().find(|name| !name.is_empty());
        let name = given.map_or_else(|| format!("surface{index}"), str::to_owned);
        of_lod.entry(surface.lod).or_default().claim(name, str::to_owned, "")
    };
    model.surfaces().iter().enumerate().map(name).collect()
}

/// Maximum bytes of a name in a 64-byte field, without the final NUL.
pub(super) const NAME: usize = 63;
/// Maximum bytes of a frame's name in a 16-byte field, without the final NUL.
const FRAME_NAME: usize = 15;
/// Maximum number of names that a loss lists.
const LISTED_NAMES: usize = 8;

/// Names of one kind in the target format. Names that differ in the model differ in the target, too.
pub(super) struct FittedNames {
    /// Kind in the singular and in the plural, for the loss.
    kinds: [&'static str; 2],
    max_bytes: usize,
    /// Function that returns one text for the names that readers take for equal.
    key: fn(&str) -> String,
    /// Whether names are quoted in a text.
    is_quoted: bool,
    /// Whether names must not end like those of hidden surfaces.
    is_shown: bool,
    is_latin1: bool,
    taken: UniqueNames,
    /// Names that were given, by the name in the model.
    given: HashMap<String, String>,
    changes: Vec<(String, String)>,
    /// Reasons of the changes, without repetition.
    reasons: BTreeSet<String>,
}

impl FittedNames {
    /// Creates an empty list for readers that distinguish upper and lower case.
    pub fn new(kinds: [&'static str; 2], max_bytes: usize, source: &Model) -> Self {
        let (taken, given, changes) = (UniqueNames::default(), HashMap::new(), Vec::new());
        Self {
            kinds,
            max_bytes,
            key: str::to_owned,
            is_quoted: false,
            is_shown: false,
            is_latin1: source.data().has_latin1,
            taken,
            given,
            changes,
            reasons: BTreeSet::new(),
        }
    }

    /// Creates an empty list for the names of surfaces and materials in `format`.
    pub fn of_surfaces(kinds: [&'static str; 2], format: Format, source: &Model) -> Self {
        let traits = format.traits();
        let max_bytes = traits.name_limits.surface.unwrap_or(usize::MAX);
        Self { is_quoted: traits.is_text, ..Self::new(kinds, max_bytes, source) }
    }

    /// Replaces characters that a quoted text cannot store.
    pub fn quoted(self) -> Self {
        Self { is_quoted: true, ..self }
    }

    /// Changes the ending with which a GLM hides surfaces.
    pub fn shown_in(self, format: Format) -> Self {
        Self { is_shown: format.traits().surfaces == SurfaceStorage::Switched, ..self }
    }

    /// Compares names by `key`.
    pub fn by_key(self, key: fn(&str) -> String) -> Self {
        Self { key, ..self }
    }

    /// Returns the name of an object that must differ from the names of all others.
    pub fn unique(&mut self, name: &str) -> String {
        let quotable = |c: char| match c {
            '"' => '\'',
            c if c.is_ascii_control() => '_',
            c => c,
        };
        let mut stored = if self.is_quoted { name.chars().map(quotable).collect() } else { name.to_owned() };
        let length = fitting_length(&stored, self.max_bytes, self.is_latin1);
        if stored != name {
            self.reasons.insert("quotation marks and control characters cannot be stored".to_owned());
        }
        if length < stored.len() {
            self.reasons.insert(format!("the format stores at most {} bytes of each", self.max_bytes));
        }
        if self.is_shown && glm::shown_name(stored.get(..length).unwrap_or_default()).is_some() {
            stored = format!("{}_", cut(&stored, self.max_bytes.saturating_sub(1), self.is_latin1));
            self.reasons.insert(glm::HIDES.to_owned());
        }
        let whole = cut(&stored, self.max_bytes, self.is_latin1).to_owned();
        let fitted = self
            .taken
            .claim_cut(stored, self.max_bytes, self.key, "_", |name, max| fitting_length(name, max, self.is_latin1));
        if fitted != whole {
            self.reasons.insert("names must differ".to_owned());
        }
        if fitted != name {
            self.changes.push((name.to_owned(), fitted.clone()));
        }
        fitted
    }

    /// Returns the name of an object that the model does not have, different from the names of all others.
    pub fn added(&mut self, name: &str) -> String {
        let (changes, reasons) = (self.changes.len(), self.reasons.clone());
        let added = self.unique(name);
        self.changes.truncate(changes);
        self.reasons = reasons;
        added
    }

    /// Returns the name of an object that may share its name with others. Companion files refer to all of them.
    pub fn shared(&mut self, name: &str) -> String {
        if let Some(given) = self.given.get(name) {
            return given.clone();
        }
        let given = self.unique(name);
        self.given.insert(name.to_owned(), given.clone());
        given
    }

    /// Reports the names that changed, in one sentence.
    pub fn report(self, losses: &mut Vec<String>) {
        let why = self.reasons.into_iter().collect::<Vec<_>>().join("; ");
        report_renamed(&self.changes, self.kinds, &why, losses);
    }
}

/// Reports the names of a model and of `listed` clips that are not ASCII, in fields of bytes: games and tools read these
/// in different encodings.
pub(super) fn report_non_ascii(model: &Model, listed: &[String], losses: &mut Vec<String>) {
    let limits = model.format().traits().name_limits;
    if limits.surface.or(limits.frame).is_none() {
        return;
    }
    let surfaces = model.surfaces().iter().flat_map(|surface| surface.materials.iter().chain([&surface.name]));
    let joints = model.joints().iter().map(|joint| &joint.name);
    let clips = model.clips().iter().map(|clip| &clip.name);
    let all = surfaces.chain(model.tags()).chain(joints).chain(model.skins()).chain(clips).chain(listed);
    report_names_not_ascii(all, losses);
}

/// Reports the names that are not ASCII, in one sentence.
pub(super) fn report_names_not_ascii<'a>(all: impl Iterator<Item = &'a String>, losses: &mut Vec<String>) {
    let names: BTreeSet<&String> = all.filter(|name| !name.is_ascii()).collect();
    if names.is_empty() {
        return;
    }
    let names = listed(names.iter().map(|name| format!("“{name}”")));
    losses.push(format!("some games and tools misread names that are not ASCII: {names}"));
}

/// Reports names that changed, in one sentence.
pub(super) fn report_renamed(
    changes: &[(String, String)],
    [one, many]: [&str; 2],
    why: &str,
    losses: &mut Vec<String>,
) {
    if changes.is_empty() {
        return;
    }
    let names = listed(changes.iter().map(|(old, new)| format!("“{old}” to “{new}”")));
    let renamed = counted(changes.len(), &format!("{one} was"), &format!("{many} were"));
    losses.push(format!("{renamed} renamed: {names} ({why})"));
}

/// Returns the first of several names, and the number of the others.
pub(super) fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(LISTED_NAMES);
    let mut listed = names.take(LISTED_NAMES).collect::<Vec<_>>().join(", ");
    if more > 0 {
        // Writing to a string cannot fail.
        let _ = write!(listed, " and {more} more");
    }
    listed
}

/// Reports the tags of a format without tags. The name of a tag is kept if its joint has that name.
pub(super) fn report_lost_tags<'a>(
    tags: impl Iterator<Item = (&'a str, &'a str)>,
    format: Format,
    losses: &mut Vec<String>,
) {
    let lost: Vec<_> = tags.filter(|(name, joint)| name != joint).collect();
    if !lost.is_empty() {
        let tags = counted(lost.len(), "tag was", "tags were");
        let names = listed(lost.iter().map(|(name, joint)| format!("“{name}” at the joint “{joint}”")));
        losses.push(format!("{} stores no tags; {tags} dropped: {names}", format.title()));
    }
}

/// Returns the start of a name, at most `max` bytes in the file.
pub(super) fn cut(name: &str, max: usize, is_latin1: bool) -> &str {
    name.get(..fitting_length(name, max, is_latin1)).unwrap_or_default()
}

/// Returns the length of the part of a name that takes at most `max` bytes in the file.
fn fitting_length(name: &str, max: usize, is_latin1: bool) -> usize {
    if name.len() <= max {
        return name.len();
    }
    let narrow = name.char_indices().nth(max).map_or(name.len(), |(at, _)| at);
    let is_narrow = is_latin1 && encoded(name.get(..narrow).unwrap_or_default(), true).len() <= max;
    if is_narrow { narrow } else { name.floor_char_boundary(max) }
}

/// Fits frame names into their field. One loss counts all names that change. Frames may share a name.
pub(super) fn fitted_frames<'a>(
    names: impl Iterator<Item = &'a str>,
    is_latin1: bool,
    losses: &mut Vec<String>,
) -> Vec<String> {
    let mut changes = Vec::new();
    let mut fitted = |name: &str| {
        let cut = cut(name, FRAME_NAME, is_latin1).to_owned();
        if cut != name {
            changes.push((name.to_owned(), cut.clone()));
        }
        cut
    };
    let names = names.map(&mut fitted).collect();
    let why = format!("the format stores at most {FRAME_NAME} bytes of each");
    report_renamed(&changes, ["frame", "frames"], &why, losses);
    names
}

/// Reports that names of frames are lost; nothing if no frame has one.
pub(super) fn report_lost_frame_names<'a>(names: impl Iterator<Item = &'a str>, why: &str, losses: &mut Vec<String>) {
    match names.filter(|name| !name.is_empty()).count() {
        0 => {}
        1 => losses.push(format!("the name of 1 frame was dropped: {why}")),
        count => losses.push(format!("the names of {count} frames were dropped: {why}")),
    }
}
