//! `.skin` files beside MD3, MDC and MDR models: which picture each surface wears.
//!
//! One entry a line, `surface,path`. Names are compared in lower case; a `_1`-like ending of a surface's name may be left
//! out, as the games cut it when they load a model. Lines for tags (`tag_head,`) name no surface. A path that ends in
//! `nodraw`, or none, hides the surface. Accessories and scales of Return to Castle Wolfenstein are passed over.

use crate::bytes::latin1;
use crate::vfs::{name_of, split_extension};

/// Longest file read, in bytes; real ones have a few hundred.
const LONGEST: usize = 1 << 20;

/// What a `.skin` file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkinFile {
    /// Surface in lower case, and the path of its picture or script.
    entries: Vec<(String, String)>,
}

impl SkinFile {
    /// Reads a file. Lines that are no entries are passed over, so there is always a result.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let text = latin1(bytes.get(..LONGEST).unwrap_or(bytes));
        let entries = text.lines().filter_map(|line| {
            let line = line.split("//").next().unwrap_or_default();
            let (surface, path) = line.split_once(',')?;
            let clean = |text: &str| text.trim().trim_matches('"').trim().to_owned();
            let surface = clean(surface).to_lowercase();
            let skipped =
                surface.is_empty() || surface.contains("tag_") || surface.contains("md3_") || surface == "playerscale";
            (!skipped).then(|| (surface, clean(path)))
        });
        Self { entries: entries.collect() }
    }

    /// Whether it names no surface; games take such a file for missing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The path for a surface: by its name, else by its name without a `_1`-like ending.
    #[must_use]
    pub fn path_of(&self, surface: &str) -> Option<&str> {
        let name = surface.to_lowercase();
        let cut = name.char_indices().rev().nth(1).filter(|(at, c)| *c == '_' && *at > 0).map(|(at, _)| &name[..at]);
        let find = |wanted: &str| self.entries.iter().find(|(surface, _)| surface == wanted);
        find(&name).or_else(|| cut.and_then(find)).map(|(_, path)| path.as_str())
    }
}

/// Whether a path of a skin hides its surface.
#[must_use]
pub fn hides(path: &str) -> bool {
    path.is_empty() || split_extension(name_of(path)).0.eq_ignore_ascii_case("nodraw")
}

/// The name of the skin in a file beside a model called `model` (with extension), if it is one of that model's:
/// `lower_red.skin` is `red` of `lower.md3` and of its coarser `lower_1.md3`, `flags.md3_0.skin` is `0` of `flags.md3`.
#[must_use]
pub fn skin_name<'f>(file: &'f str, model: &str) -> Option<&'f str> {
    let (stem, extension) = split_extension(file);
    if !extension.eq_ignore_ascii_case("skin") {
        return None;
    }
    let (own, _) = split_extension(model);
    let finest = own.strip_suffix("_1").or_else(|| own.strip_suffix("_2")).unwrap_or(own);
    [model, own, finest].iter().find_map(|start| {
        let (head, rest) = stem.split_at_checked(start.len())?;
        head.eq_ignore_ascii_case(start).then(|| rest.strip_prefix('_')).flatten().filter(|name| !name.is_empty())
    })
}
