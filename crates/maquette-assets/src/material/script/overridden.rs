//! Scripts of the model's own archive that the game takes from a later one: what they define counts for nothing there, but
//! people look for it.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::definitions::{DefinitionSpan, DefinitionsByKind};
use super::reading;
use super::{Declared, Kind, declared, defined_name, plain_name, scan};
use crate::limits::MAX_SCRIPT_FILES;
use crate::vfs::{DecompressionBudget, Vfs, name_of_place, split_extension};

/// A definition in a script that the game takes from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverriddenDefinition {
    /// Path of the script in the game.
    pub file: String,
    /// Line of its name.
    pub line: u32,
    /// The archive or folder whose script the game takes.
    pub by: String,
}

impl OverriddenDefinition {
    /// `scripts/box.shader line 2, replaced by pak1.pk3`
    #[must_use]
    pub fn words(&self) -> String {
        format!("{} line {}, replaced by {}", self.file, self.line, self.by)
    }
}

/// Where the scripts that the game takes from elsewhere define what. Empty for a model outside any game.
#[derive(Debug, Default)]
pub struct OverriddenScripts {
    /// The archive they lie in.
    archive: String,
    /// Paths of the scripts, and the names of what replaces them.
    files: Vec<(String, String)>,
    definitions: DefinitionsByKind,
}

impl OverriddenScripts {
    /// Like [`Self::of`], read once for all models.
    #[must_use]
    pub fn shared(vfs: &Vfs) -> Arc<Self> {
        vfs.memo("", Self::of)
    }

    /// The scripts of the place that `vfs` was made for.
    #[must_use]
    pub fn of(vfs: &Vfs) -> Self {
        let mut files = Vec::new();
        let mut definitions = DefinitionsByKind::default();
        let mut room = DecompressionBudget::default();
        for (kind, path, by) in listed(vfs) {
            let Some(Ok(bytes)) = vfs.own_entry(&path).map(|entry| reading::read(&entry, &mut room)) else { continue };
            let Ok(file) = u32::try_from(files.len()) else { break };
            // What follows a fault in the file is not told; the game does not read the file at all.
            let _ = scan(kind, &bytes, |words, Range { start, end }, line| {
                let Some((Declared::Material, name)) = declared(kind, words) else { return };
                let spot = DefinitionSpan { file, start: start as u32, end: end as u32, line, name_line: name.line };
                definitions.of_mut(kind).entry(defined_name(kind, &name.text()), spot);
            });
            files.push((path, name_of_place(&by)));
        }
        Self { archive: vfs.root().map(name_of_place).unwrap_or_default(), files, definitions }
    }

    /// Name of the archive they lie in.
    #[must_use]
    pub fn archive(&self) -> &str {
        &self.archive
    }

    /// The definition of a name: without its extension, any case, either slash.
    #[must_use]
    pub fn find(&self, name: &str, kind: Kind) -> Option<OverriddenDefinition> {
        let spot = self.definitions.of(kind).get(&plain_name(kind, name))?;
        let (file, by) = self.files.get(spot.file as usize)?;
        Some(OverriddenDefinition { file: file.clone(), line: spot.name_line, by: by.clone() })
    }
}

/// The scripts of the own archive that the game takes from elsewhere, and from where.
fn listed(vfs: &Vfs) -> Vec<(Kind, String, PathBuf)> {
    let of = |kind: Kind| {
        let own = vfs.replaced_in(kind.folder()).into_iter();
        let own = own.filter(move |(path, _)| split_extension(path).1.eq_ignore_ascii_case(kind.extension()));
        own.take(MAX_SCRIPT_FILES).map(move |(path, by)| (kind, path, by))
    };
    Kind::ALL.into_iter().flat_map(of).collect()
}
