//! Names that scripts define, with their positions.

use crate::limits::MAX_LISTED_NAMES;
use std::collections::HashMap;

use super::Kind;
use maquette_core::model::u32_or_max;

/// Position of a definition: the bytes after the opening bracket up to the end of the closing bracket, the line of
/// `start`, and the line of the name.
#[derive(Clone, Copy, Debug)]
pub(super) struct DefinitionSpan {
    pub(super) file: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: u32,
    pub(super) name_line: u32,
}

#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// Indices into `spots`. The spots are stored separately because half of a hash map's slots are empty.
    by_name: HashMap<Box<str>, u32>,
    spots: Vec<DefinitionSpan>,
}

impl Definitions {
    /// Returns the definition of this name, or adds `spot`. `None` if [`MAX_LISTED_NAMES`] is reached.
    pub(super) fn entry(&mut self, name: String, spot: DefinitionSpan) -> Option<&mut DefinitionSpan> {
        let index = match self.by_name.get(name.as_str()) {
            Some(index) => *index,
            None if self.spots.len() >= MAX_LISTED_NAMES => return None,
            None => {
                let index = u32_or_max(self.spots.len());
                self.by_name.insert(name.into(), index);
                self.spots.push(spot);
                index
            }
        };
        self.spots.get_mut(index as usize)
    }

    pub(super) fn get(&self, name: &str) -> Option<DefinitionSpan> {
        self.spots.get(*self.by_name.get(name)? as usize).copied()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<_> = self.by_name.iter().collect();
        names.sort_unstable_by_key(|(_, index)| **index);
        names.into_iter().map(|(name, _)| &**name)
    }
}

#[derive(Debug, Default)]
pub(super) struct DefinitionsByKind {
    quake3: Definitions,
    doom3: Definitions,
}

impl DefinitionsByKind {
    pub(super) fn for_kind(&self, kind: Kind) -> &Definitions {
        match kind {
            Kind::Quake3 => &self.quake3,
            Kind::Doom3 => &self.doom3,
        }
    }

    pub(super) fn of_mut(&mut self, kind: Kind) -> &mut Definitions {
        match kind {
            Kind::Quake3 => &mut self.quake3,
            Kind::Doom3 => &mut self.doom3,
        }
    }
}
