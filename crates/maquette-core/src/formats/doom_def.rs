//! Parser of `def/*.def` of Doom 3: the animations of a mesh and their names.
//!
//! Reads `model NAME { … }` and skips other declarations. Source: Doom 3 `Anim_Blend.cpp` (`idDeclModelDef::Parse`,
//! `ParseAnim`). A declaration may inherit a mesh and animations from another and override animations by name.

use std::collections::HashMap;

use crate::budget::Budget;
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::limits::{MAX_ANCESTORS, MAX_DECLARATIONS, MAX_PATH_BYTES, MAX_TEXT_BYTES};
use crate::text::{Lexer, Token, readable};

const KEYWORDS: [&str; 7] = ["inherit", "skin", "mesh", "remove", "offset", "channel", "anim"];

/// Name, and the `.md5anim` files that play together under it.
pub type NamedAnimation = (String, Vec<String>);

/// Declaration `model NAME { … }`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelDeclaration {
    /// Name of the declaration.
    pub name: String,
    /// Declaration to inherit from.
    pub inherit: Option<String>,
    /// Name of the skin.
    pub skin: Option<String>,
    /// Path of the `.md5mesh`.
    pub mesh: Option<String>,
    /// Own animations in file order.
    pub animations: Vec<NamedAnimation>,
}

/// Parses the model declarations of a file. An error ends the list with a warning; earlier declarations are kept.
#[must_use]
pub fn parse(bytes: &[u8], warnings: &mut Warnings) -> Vec<ModelDeclaration> {
    let lexer = Lexer::new("def", readable(bytes, MAX_TEXT_BYTES, warnings));
    let mut parser = Parser { lexer, warnings, models: Vec::new(), budget: Budget::new(MAX_DECLARATIONS as u64) };
    if let Err(error) = parser.declarations() {
        parser.warnings.add_rest(&error);
    }
    parser.models
}

struct Parser<'a, 'w> {
    lexer: Lexer<'a>,
    warnings: &'w mut Warnings,
    models: Vec<ModelDeclaration>,
    budget: Budget,
}

impl<'a> Parser<'a, '_> {
    fn declarations(&mut self) -> Result<(), LoadError> {
        let (mut kind, mut name): (Option<Token>, Option<Token>) = (None, None);
        while let Some(token) = self.lexer.next()? {
            if token.is("{") {
                match name {
                    Some(name) if kind.is_some_and(|kind| kind.is("model")) => self.model(&name)?,
                    _ => self.lexer.skip_block("")?,
                }
                (kind, name) = (None, None);
            } else if token.is("}") {
                self.warnings.add_line(WarningKind::Inconsistent, token.line, "“}” without “{”");
            } else {
                (kind, name) = (name, Some(token));
            }
        }
        Ok(())
    }

    fn model(&mut self, name: &Token) -> Result<(), LoadError> {
        if self.budget.take(1).is_err() {
            self.leave_out(name);
            return self.lexer.skip_block("");
        }
        let mut model = ModelDeclaration { name: name.text(), ..ModelDeclaration::default() };
        let start = self.lexer;
        let read = self.model_block(&mut model, start);
        self.models.push(model);
        read
    }

    fn leave_out(&mut self, word: &Token) {
        let message = format!("more than {MAX_DECLARATIONS} models and animations; this one is skipped");
        self.warnings.add_line(WarningKind::LeftOut, word.line, message);
    }

    fn model_block(&mut self, model: &mut ModelDeclaration, start: Lexer) -> Result<(), LoadError> {
        loop {
            let Some(token) = self.lexer.next()? else {
                return Err(start.error("", Reason::Broken("unclosed block".to_owned())));
            };
            if token.is("}") {
                return Ok(());
            } else if token.is("{") {
                self.lexer.skip_block("")?;
            } else if token.is("(") {
                self.skip_list()?;
            } else if token.is("inherit") {
                model.inherit = self.value()?.or(model.inherit.take());
            } else if token.is("skin") {
                model.skin = self.value()?.or(model.skin.take());
            } else if token.is("mesh") {
                model.mesh = self.value()?.or(model.mesh.take());
            } else if token.is("anim") {
                self.animation(model, &token)?;
            }
        }
    }

    fn animation(&mut self, model: &mut ModelDeclaration, anim: &Token) -> Result<(), LoadError> {
        let name = self.value()?;
        let mut paths = Vec::with_capacity(1);
        let mut next = self.value()?;
        let mut is_full = false;
        while let Some(path) = next {
            match self.budget.take(1) {
                Ok(()) => paths.push(path),
                Err(_) => is_full = true,
            }
            next = if self.lexer.check(",")? { self.value()? } else { None };
        }
        match name {
            _ if is_full => self.leave_out(anim),
            Some(name) if !paths.is_empty() => model.animations.push((name, paths)),
            _ => self.warnings.add_line(WarningKind::LeftOut, anim.line, "animation without a name or a file; skipped"),
        }
        if self.lexer.check("{")? {
            self.lexer.skip_block("")?;
        }
        Ok(())
    }

    fn value(&mut self) -> Result<Option<String>, LoadError> {
        let before = self.lexer;
        let is_bracket = |token: &Token| matches!(token.bytes, [b'(' | b')' | b'{' | b'}' | b',' | b';']);
        match self.lexer.next()? {
            Some(token) if token.quoted || !is_bracket(&token) && !token.is_any(&KEYWORDS) => Ok(Some(token.text())),
            _ => {
                self.lexer = before;
                Ok(None)
            }
        }
    }

    /// Skips `offset ( … )` or the joints of a channel after `(`, because a joint may be called `mesh`.
    fn skip_list(&mut self) -> Result<(), LoadError> {
        loop {
            let before = self.lexer;
            match self.lexer.next()? {
                Some(token) if token.is(")") => return Ok(()),
                Some(token) if !token.is("{") && !token.is("}") => {}
                _ => {
                    self.lexer = before;
                    return Ok(());
                }
            }
        }
    }
}

/// All declarations of a game, with an index by mesh.
#[derive(Debug, Default)]
pub struct Declarations {
    list: Vec<Declared>,
    by_mesh: HashMap<String, usize>,
}

#[derive(Debug)]
struct Declared {
    model: ModelDeclaration,
    parent: Option<usize>,
}

impl Declarations {
    /// Builds the index. If names repeat, the first declaration applies, as in the game. For each mesh, the first
    /// declaration with animations applies. Declarations that name the mesh take precedence over those that inherit it.
    #[must_use]
    pub fn new(models: Vec<ModelDeclaration>) -> Self {
        let mut by_name = HashMap::new();
        for (index, model) in models.iter().enumerate() {
            by_name.entry(model.name.to_lowercase()).or_insert(index);
        }
        let parent_of = |model: &ModelDeclaration| by_name.get(&model.inherit.as_ref()?.to_lowercase()).copied();
        let list = models.into_iter().map(|model| Declared { parent: parent_of(&model), model }).collect();
        let mut declarations = Self { list, by_mesh: HashMap::new() };
        for heirs in [false, true] {
            for index in 0..declarations.list.len() {
                declarations.assign(index, heirs);
            }
        }
        declarations
    }

    fn assign(&mut self, index: usize, heirs: bool) {
        let names_mesh = self.list.get(index).is_some_and(|declared| declared.model.mesh.is_some());
        if names_mesh == heirs {
            return;
        }
        let line = self.line_of(index);
        if line.iter().all(|model| model.animations.is_empty()) {
            return;
        }
        let mesh = line.iter().find_map(|model| model.mesh.as_ref());
        if let Some(mesh) = mesh.filter(|mesh| mesh.len() <= MAX_PATH_BYTES) {
            self.by_mesh.entry(canonical(mesh)).or_insert(index);
        }
    }

    /// Returns the animations of a mesh, inherited ones first. An animation overrides an inherited one of equal name.
    #[must_use]
    pub fn animations_of(&self, mesh_game_path: &str) -> Option<Vec<NamedAnimation>> {
        let line = self.line_of(*self.by_mesh.get(&canonical(mesh_game_path))?);
        let mut merged: Vec<NamedAnimation> = Vec::new();
        let mut slots: HashMap<&str, usize> = HashMap::new();
        for (name, paths) in line.into_iter().rev().flat_map(|model| &model.animations) {
            let slot = *slots.entry(name).or_insert(merged.len());
            match merged.get_mut(slot) {
                Some((_, old)) => old.clone_from(paths),
                None => merged.push((name.clone(), paths.clone())),
            }
        }
        Some(merged)
    }

    fn line_of(&self, index: usize) -> Vec<&ModelDeclaration> {
        let mut indices = Vec::new();
        let mut next = Some(index);
        while let Some(index) = next.filter(|index| indices.len() <= MAX_ANCESTORS && !indices.contains(index)) {
            indices.push(index);
            next = self.list.get(index).and_then(|declared| declared.parent);
        }
        indices.into_iter().filter_map(|index| self.list.get(index)).map(|declared| &declared.model).collect()
    }
}

fn canonical(path: &str) -> String {
    let lower = path.to_lowercase().replace('\\', "/");
    lower.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/")
}
