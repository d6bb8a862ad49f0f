//! `def/*.def` of Doom 3: which animations a mesh has, and what they are called.
//!
//! Of all declarations only `model NAME { … }` are read. Source: Doom 3 `Anim_Blend.cpp` (`idDeclModelDef::Parse`,
//! `ParseAnim`). A declaration may inherit mesh and animations from another and replace some of them by name.

use std::collections::HashMap;

use crate::budget::Budget;
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::limits::{MAX_ANCESTORS, MAX_DECLARATIONS, MAX_PATH_BYTES, MAX_TEXT_BYTES};
use crate::text::{Lexer, Token, readable};

/// What stands in a declaration of a model, so that it is no value of the line before.
const KEYWORDS: [&str; 7] = ["inherit", "skin", "mesh", "remove", "offset", "channel", "anim"];

/// A name, and the `.md5anim` files that play together under it.
pub type NamedAnimation = (String, Vec<String>);

/// One `model NAME { … }`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelDeclaration {
    /// Its name.
    pub name: String,
    /// The declaration that it begins with.
    pub inherit: Option<String>,
    /// The skin it wears.
    pub skin: Option<String>,
    /// Path of its `.md5mesh`.
    pub mesh: Option<String>,
    /// Its own animations, in file order.
    pub animations: Vec<NamedAnimation>,
}

/// The models declared in a file. What is broken ends the list with a warning; what was read until then is kept.
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
    /// Models, and files of animations, that may still be declared.
    budget: Budget,
}

impl<'a> Parser<'a, '_> {
    /// Everything is `kind name { … }`.
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
                self.warnings.add_line(WarningKind::Inconsistent, token.line, "a block ends here that did not begin");
            } else {
                (kind, name) = (name, Some(token));
            }
        }
        Ok(())
    }

    /// The block of a model, whose `{` has been taken.
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
        let message = format!("there are more than {MAX_DECLARATIONS} models and animations; this one is passed over");
        self.warnings.add_line(WarningKind::LeftOut, word.line, message);
    }

    fn model_block(&mut self, model: &mut ModelDeclaration, start: Lexer) -> Result<(), LoadError> {
        loop {
            let Some(token) = self.lexer.next()? else {
                return Err(start.error("", Reason::Broken("a block begins here that does not end".to_owned())));
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

    /// `anim name path[, path…] [{ commands at frames }]`, whose `anim` has been taken.
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
            _ => self.warnings.add_line(
                WarningKind::LeftOut,
                anim.line,
                "an animation without a name or a file; it is passed over",
            ),
        }
        if self.lexer.check("{")? {
            self.lexer.skip_block("")?;
        }
        Ok(())
    }

    /// The next word, if it can be a value; brackets and keywords stay where they are.
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

    /// Over `offset ( … )` and the joints of a channel, whose `(` has been taken: a joint may be called `mesh`.
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

/// All declarations of a game, and which of them is about which mesh.
#[derive(Debug, Default)]
pub struct Declarations {
    list: Vec<Declared>,
    /// The one that counts for a mesh, by the mesh's [`canonical`] path.
    by_mesh: HashMap<String, usize>,
}

#[derive(Debug)]
struct Declared {
    model: ModelDeclaration,
    /// The one it inherits from.
    parent: Option<usize>,
}

impl Declarations {
    /// Of equal names the first counts, as in the game. Of several declarations for one mesh the first with animations counts,
    /// and before all others those that name the mesh themselves.
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

    /// Notes the mesh of a declaration with animations, if it names one itself or, among the `heirs`, inherits it.
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

    /// The animations declared for the mesh at `mesh_game_path`, inherited ones first; an heir's replaces its ancestor's of the
    /// same name.
    #[must_use]
    pub fn animations_of(&self, mesh_game_path: &str) -> Option<Vec<NamedAnimation>> {
        let line = self.line_of(*self.by_mesh.get(&canonical(mesh_game_path))?);
        let mut merged: Vec<NamedAnimation> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (name, paths) in line.into_iter().rev().flat_map(|model| &model.animations) {
            let place = *places.entry(name).or_insert(merged.len());
            match merged.get_mut(place) {
                Some((_, old)) => old.clone_from(paths),
                None => merged.push((name.clone(), paths.clone())),
            }
        }
        Some(merged)
    }

    /// A model, its parent, its parent's parent, …; each once.
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

/// A path as all spellings of it have in common.
fn canonical(path: &str) -> String {
    let lower = path.to_lowercase().replace('\\', "/");
    lower.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/")
}
