//! Names that scripts define, and where.

use std::collections::HashMap;

use super::Kind;

/// Definitions of one kind that are kept. The largest games have tens of thousands.
pub(super) const MOST_DEFINITIONS: usize = 1 << 18;

/// Where a definition stands: its file, its first byte after the bracket, the end after the other bracket, the first byte's line,
/// and its name's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) file: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: u32,
    pub(super) name_line: u32,
}

/// Definitions by name, each name once.
#[derive(Debug, Default)]
pub(super) struct Definitions(HashMap<Box<str>, Definition>);

#[derive(Debug)]
struct Definition {
    /// Number of definitions that were added before.
    order: usize,
    spot: Spot,
}

impl Definitions {
    /// The definition of this name, added if there was none; `None` if no more are kept.
    pub(super) fn entry(&mut self, name: String, spot: Spot) -> Option<&mut Spot> {
        let order = self.0.len();
        if order >= MOST_DEFINITIONS && !self.0.contains_key(name.as_str()) {
            return None;
        }
        Some(&mut self.0.entry(name.into()).or_insert(Definition { order, spot }).spot)
    }

    /// Where a name is defined.
    pub(super) fn get(&self, name: &str) -> Option<Spot> {
        self.0.get(name).map(|definition| definition.spot)
    }

    /// All names, in the order in which they were added.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<_> = self.0.iter().collect();
        names.sort_unstable_by_key(|(_, definition)| definition.order);
        names.into_iter().map(|(name, _)| &**name)
    }
}

/// The definitions of each kind.
#[derive(Debug, Default)]
pub(super) struct ByKind {
    quake3: Definitions,
    doom3: Definitions,
}

impl ByKind {
    pub(super) fn of(&self, kind: Kind) -> &Definitions {
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
