//! Overridden scripts of the model's own archive. They have no effect in the game, but the search log mentions them.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::definitions::{DefinitionSpan, DefinitionsByKind};
use super::reading;
use super::{Declared, Kind, declared, defined_name, plain_name, scan};
use crate::limits::MAX_GAME_FILES;
use crate::vfs::{DecompressionBudget, Vfs, name_of_location, split_extension};

/// A definition in an overridden script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverriddenDefinition {
    /// Game path of the script.
    pub file: String,
    /// Line of the name.
    pub line: u32,
    /// Name of the archive or folder that overrides the script.
    pub by: String,
}

impl OverriddenDefinition {
    /// Returns a description for the search log, for example `scripts/box.shader line 2, overridden by pak1.pk3`.
    pub fn words(&self) -> String {
        format!("{} line {}, overridden by {}", self.file, self.line, self.by)
    }
}

/// Definitions in the overridden scripts of the model's own archive. Empty for a model outside any game.
#[derive(Debug, Default)]
pub struct OverriddenScripts {
    archive: String,
    files: Vec<(String, String)>,
    definitions: DefinitionsByKind,
}

impl OverriddenScripts {
    /// Like [`Self::read`], but cached for all models.
    #[must_use]
    pub fn shared(vfs: &Vfs) -> Arc<Self> {
        vfs.memo("", Self::read)
    }

    /// Reads the overridden scripts of the archive or folder that `vfs` was made for.
    #[must_use]
    pub fn read(vfs: &Vfs) -> Self {
        let mut files = Vec::new();
        let mut definitions = DefinitionsByKind::default();
        let mut room = DecompressionBudget::default();
        for (kind, path, by) in listed(vfs) {
            let Some(Ok(bytes)) = vfs.own_entry(&path).map(|entry| reading::read(&entry, &mut room)) else { continue };
            let Ok(file) = u32::try_from(files.len()) else { break };
            // An error in the file only ends the scan, because the game does not read the file.
            let _ = scan(kind, &bytes, |words, Range { start, end }, line| {
                let Some((Declared::Material, name)) = declared(kind, words) else { return };
                let spot = DefinitionSpan { file, start: start as u32, end: end as u32, line, name_line: name.line };
                definitions.of_mut(kind).entry(defined_name(kind, &name.text()), spot);
            });
            files.push((path, name_of_location(&by)));
        }
        Self { archive: vfs.root().map(name_of_location).unwrap_or_default(), files, definitions }
    }

    /// Returns the name of the archive.
    pub fn archive(&self) -> &str {
        &self.archive
    }

    /// Finds the definition of a name, ignoring extension, case and kind of slashes.
    pub fn find(&self, name: &str, kind: Kind) -> Option<OverriddenDefinition> {
        let spot = self.definitions.for_kind(kind).get(&plain_name(kind, name))?;
        let (file, by) = self.files.get(spot.file as usize)?;
        Some(OverriddenDefinition { file: file.clone(), line: spot.name_line, by: by.clone() })
    }
}

fn listed(vfs: &Vfs) -> Vec<(Kind, String, PathBuf)> {
    let of = |(kind, folder): (Kind, &str)| {
        let own = vfs.overridden_in(folder).into_iter();
        let own = own.filter(move |(path, _)| split_extension(path).1.eq_ignore_ascii_case(kind.extension()));
        own.take(MAX_GAME_FILES).map(move |(path, by)| (kind, path, by))
    };
    let folders = Kind::ALL.into_iter().flat_map(|kind| kind.folders().iter().map(move |folder| (kind, *folder)));
    folders.flat_map(of).collect()
}
