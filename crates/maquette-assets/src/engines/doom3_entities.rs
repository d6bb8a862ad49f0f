//! Entities of Doom 3: `entityDef NAME { "KEY" "VALUE" … }` in `def/*.def`.
//!
//! Source: dhewm3 `DeclEntityDef.cpp` (`Parse`), `Actor.cpp` (`SetupHead`).

use std::collections::HashMap;

use super::doom3_declarations::{Part, scan};
use crate::limits::MAX_DECLARATIONS;
use maquette_core::error::Warnings;
use maquette_core::limits::{MAX_NESTING, MAX_TEXT_BYTES};
use maquette_core::text::{Lexer, readable};

/// Keys that say how an entity looks.
const KEYS: [&str; 5] = ["inherit", "model", "skin", "def_head", "head_joint"];

/// Declaration `entityDef`.
#[derive(Debug)]
pub(super) struct Entity {
    pub name: String,
    /// Game path of the file.
    pub path: String,
    /// Own values of [`KEYS`].
    values: [Option<String>; KEYS.len()],
}

impl Entity {
    /// Returns the value of a key that the entity itself sets. It may be empty, in place of an inherited one.
    pub(super) fn own(&self, key: &str) -> Option<&str> {
        let index = KEYS.iter().position(|known| *known == key)?;
        self.values.get(index)?.as_deref()
    }
}

/// All entities of a game.
#[derive(Debug, Default)]
pub(super) struct Entities {
    pub list: Vec<Entity>,
    by_name: HashMap<String, usize>,
}

impl Entities {
    /// Creates the index. If names repeat, the first entity applies.
    pub(super) fn new(list: Vec<Entity>) -> Self {
        let mut by_name = HashMap::new();
        for (index, entity) in list.iter().enumerate() {
            by_name.entry(entity.name.to_lowercase()).or_insert(index);
        }
        Self { list, by_name }
    }

    /// Returns the entity of a name, in any case.
    pub(super) fn get(&self, name: &str) -> Option<&Entity> {
        self.list.get(*self.by_name.get(&name.to_lowercase())?)
    }

    /// Returns the own or inherited value of a key.
    pub(super) fn value<'e>(&'e self, entity: &'e Entity, key: &str) -> Option<&'e str> {
        let parent = |entity: &&'e Entity| self.get(entity.own(KEYS[0])?);
        let mut line = std::iter::successors(Some(entity), parent).take(MAX_NESTING);
        line.find_map(|entity| entity.own(key)).filter(|value| !value.is_empty())
    }
}

/// Reads the entities of a file. An error ends the file.
pub(super) fn read(path: &str, bytes: &[u8], entities: &mut Vec<Entity>) -> usize {
    let before = entities.len();
    let mut lexer = Lexer::new("def", readable(bytes, MAX_TEXT_BYTES, &mut Warnings::default()));
    let _ = scan(&mut lexer, |lexer, part| {
        let name = match part {
            Part::Block(_) if entities.len() - before >= MAX_DECLARATIONS => return lexer.skip_block(""),
            Part::Block([name]) => name,
            Part::Block([what, name]) if what.is("entityDef") => name,
            Part::Block(_) => return lexer.skip_block(""),
            Part::Skipped(_) => return Ok(()),
        };
        let mut entity = Entity { name: name.text(), path: path.to_owned(), values: Default::default() };
        while let Some(key) = lexer.next()?.filter(|word| !word.is("}")) {
            let Some(value) = lexer.next()?.filter(|word| !word.is("}")) else { break };
            let slots = KEYS.iter().zip(&mut entity.values);
            slots
                .filter(|(known, _)| key.bytes.eq_ignore_ascii_case(known.as_bytes()))
                .for_each(|(_, slot)| *slot = Some(value.text()));
        }
        entities.push(entity);
        Ok(())
    });
    entities.len() - before
}
