//! Entities of Doom 3: `entityDef NAME { "KEY" "VALUE" … }` in `def/*.def`.
//!
//! Source: dhewm3 `DeclEntityDef.cpp` (`Parse`), `Actor.cpp` (`SetupHead`, `SetupBody`, `Attach`).

use std::collections::{BTreeMap, HashMap};

use glam::{EulerRot, Quat, Vec3};

use super::DeclaredPart;
use super::doom3_declarations::{Part, scan};
use crate::limits::{MAX_DECLARATIONS, MAX_MODEL_FILES};
use maquette_core::error::Warnings;
use maquette_core::limits::{MAX_NESTING, MAX_TEXT_BYTES};
use maquette_core::model::is_usable;
use maquette_core::text::{Lexer, readable};

/// Keys that say how an entity looks.
const KEYS: [&str; 8] = ["inherit", "model", "skin", "def_head", "head_joint", "joint", "angles", "origin"];
/// Start of the keys of entities that are attached.
const ATTACHED: &str = "def_attach";

/// Declaration `entityDef`.
#[derive(Debug)]
pub(super) struct Entity {
    pub name: String,
    /// Game path of the file.
    pub path: String,
    /// Own values of [`KEYS`].
    values: [Option<String>; KEYS.len()],
    /// Own values of keys that begin with [`ATTACHED`].
    attached: BTreeMap<String, String>,
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

    /// Returns an entity and those that it inherits from.
    fn line_of<'e>(&'e self, entity: &'e Entity) -> impl Iterator<Item = &'e Entity> {
        let parent = |entity: &&'e Entity| self.get(entity.own(KEYS[0])?);
        std::iter::successors(Some(entity), parent).take(MAX_NESTING)
    }

    /// Returns the own or inherited value of a key.
    pub(super) fn value<'e>(&'e self, entity: &'e Entity, key: &str) -> Option<&'e str> {
        self.line_of(entity).find_map(|entity| entity.own(key)).filter(|value| !value.is_empty())
    }

    /// Returns the head and the attached entities of an entity. The latter state joint, angles and origin themselves.
    pub(super) fn parts(&self, entity: &Entity) -> Vec<DeclaredPart> {
        let head = self.value(entity, "def_head").zip(self.value(entity, "head_joint"));
        let head = head.map(|(name, joint)| DeclaredPart {
            name: name.to_owned(),
            joint: joint.to_owned(),
            is_head: true,
            turn: None,
            origin: Vec3::ZERO,
        });
        let mut attached = BTreeMap::new();
        for (key, name) in self.line_of(entity).flat_map(|entity| &entity.attached) {
            attached.entry(key).or_insert(name);
        }
        let attached = attached.into_values().filter(|name| !name.is_empty()).map(|name| {
            let own = self.get(name);
            let value = |key| own.and_then(|own| self.value(own, key));
            let numbers = |key| value(key).and_then(vector).unwrap_or_default();
            let [pitch, yaw, roll] = numbers("angles").to_array().map(f32::to_radians);
            DeclaredPart {
                name: own.map_or(name, |own| &own.name).clone(),
                joint: value("joint").unwrap_or_default().to_owned(),
                is_head: false,
                turn: Some(Quat::from_euler(EulerRot::ZYX, yaw, pitch, roll)),
                origin: numbers("origin"),
            }
        });
        head.into_iter().chain(attached).take(MAX_MODEL_FILES).collect()
    }
}

/// Reads three numbers. Missing ones are 0.
fn vector(text: &str) -> Option<Vec3> {
    let mut numbers = text.split_whitespace().map(|word| word.parse().unwrap_or(0.0));
    let [x, y, z] = std::array::from_fn(|_| numbers.next().unwrap_or(0.0));
    Some(Vec3::new(x, y, z)).filter(|vector| vector.to_array().into_iter().all(is_usable))
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
        let mut entity =
            Entity { name: name.text(), path: path.to_owned(), values: Default::default(), attached: BTreeMap::new() };
        while let Some(key) = lexer.next()?.filter(|word| !word.is("}")) {
            let Some(value) = lexer.next()?.filter(|word| !word.is("}")) else { break };
            let slots = KEYS.iter().zip(&mut entity.values);
            slots
                .filter(|(known, _)| key.bytes.eq_ignore_ascii_case(known.as_bytes()))
                .for_each(|(_, slot)| *slot = Some(value.text()));
            let key = key.text().to_ascii_lowercase();
            if key.starts_with(ATTACHED) && entity.attached.len() < MAX_MODEL_FILES {
                entity.attached.insert(key, value.text());
            }
        }
        entities.push(entity);
        Ok(())
    });
    entities.len() - before
}
