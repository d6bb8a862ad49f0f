//! Names that scripts define, and where.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

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

/// Definitions by name, each name once. All names are one text: in an archive of a megabyte there can be so many that a
/// `String` for each would take 100 MB.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    names: String,
    list: Vec<Definition>,
    /// Indices of `list` by the hash of the name.
    by_name: HashTable<u32>,
    seeds: RandomState,
}

#[derive(Debug)]
struct Definition {
    /// First byte of its name in `names`, and bytes of it.
    name: (u32, u32),
    spot: Spot,
}

impl Definition {
    fn name_in<'a>(&self, names: &'a str) -> &'a str {
        let (start, length) = (self.name.0 as usize, self.name.1 as usize);
        names.get(start..start + length).unwrap_or_default()
    }
}

impl Definitions {
    /// The definition of this name, added if there was none; `None` if no more are kept.
    pub(super) fn entry(&mut self, name: &str, spot: Spot) -> Option<&mut Spot> {
        let index = match self.index_of(name) {
            Some(known) => known,
            None => self.add(name, spot)?,
        };
        self.list.get_mut(index as usize).map(|definition| &mut definition.spot)
    }

    fn add(&mut self, name: &str, spot: Spot) -> Option<u32> {
        let Self { names, list, by_name, seeds } = self;
        let index = u32::try_from(list.len()).ok().filter(|_| list.len() < MOST_DEFINITIONS)?;
        let place = (u32::try_from(names.len()).ok()?, u32::try_from(name.len()).ok()?);
        names.push_str(name);
        list.push(Definition { name: place, spot });
        let hash = |index: &u32| list.get(*index as usize).map_or(0, |known| seeds.hash_one(known.name_in(names)));
        by_name.insert_unique(seeds.hash_one(name), index, hash);
        Some(index)
    }

    fn index_of(&self, name: &str) -> Option<u32> {
        let is_it =
            |index: &u32| self.list.get(*index as usize).is_some_and(|known| known.name_in(&self.names) == name);
        self.by_name.find(self.seeds.hash_one(name), is_it).copied()
    }

    /// Where a name is defined.
    pub(super) fn get(&self, name: &str) -> Option<Spot> {
        self.list.get(self.index_of(name)? as usize).map(|definition| definition.spot)
    }

    /// All names, in the order in which they were added.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|definition| definition.name_in(&self.names))
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
