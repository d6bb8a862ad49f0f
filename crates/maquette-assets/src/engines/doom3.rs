//! Doom 3, whose `def/*.def` files name the animations of a mesh, and the entities that it represents.
//!
//! [`parse`] reads `model NAME { … }` and skips other declarations. Source: Doom 3 `Anim_Blend.cpp`
//! (`idDeclModelDef::Parse`, `ParseAnim`). A declaration may inherit a mesh and animations from another and override
//! animations by name.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Quantity::{Triangles, Vertices};
use super::doom3_declarations::{FOLDER, Part, canonical, read_folder};
use super::doom3_entities::{self, Entities};
use super::profile::{ID_IMAGES, NO_ENGINE, UNCHECKED_VERTICES, refused};
use super::{Engine, LightRule, PLAIN, Profile, SkeletonCheck, TextureRules, USUAL, doom3_declarations, doom3_skins};
use crate::companions::Declared;
use crate::limits::MAX_DECLARATIONS;
use crate::vfs::{Vfs, join, split_extension};
use maquette_core::budget::Budget;
use maquette_core::error::{Fault, LoadError, Reason, WarningKind, Warnings};
use maquette_core::limits::{MAX_NESTING, MAX_PATH_BYTES, MAX_TEXT_BYTES};
use maquette_core::model::Format::{Ase, Lwo, Md3, Md5};
use maquette_core::text::{Lexer, Token, readable};

pub(super) static ENGINE: Engine = Engine {
    name: "Doom 3",
    short_name: "Doom 3",
    base_folders: &["base"],
    other_folders: &["d3xp"],
    profile: Some(&PROFILE),
    formats: &[Md3, Md5, Ase, Lwo],
    sign: |vfs, _, format| {
        let first = |folder: &str, extension: &'static str| {
            vfs.list(folder, |name| split_extension(name).1.eq_ignore_ascii_case(extension)).into_iter().next()
        };
        // Games with `scripts/*.shader` read MD3, and may have materials for editors, too.
        let is_other = format == Md3 && first("scripts", "shader").is_some();
        first("materials", "mtr").filter(|_| !is_other)
    },
    light: &LightRule::DOOM_3,
    textures: TextureRules { is_unlit_without_script: true, ..USUAL },
    animations: |vfs, path, _, _| Some((declared_animations(vfs, path), "a .def")),
    skins: |vfs, path, model| {
        // The window watches the mesh of a declaration.
        let _ = vfs.look_up(path);
        let look = vfs.declared_as().and_then(|name| definitions(vfs).look(name));
        let is_chosen = look.as_ref().is_some_and(|look| look.skin.is_some());
        let skin = look.map_or_else(|| definitions(vfs).models.skin_of(path), |look| look.skin);
        doom3_skins::skins(vfs, path, model, skin.as_deref(), is_chosen)
    },
    declared_models: |vfs| definitions(vfs).listed(vfs),
    declared_mesh: |vfs, name| vfs.find(&definitions(vfs).look(name)?.mesh),
    declared_parts: |vfs, name| {
        let entities = &definitions(vfs).entities;
        entities.get(name).map(|entity| entities.parts(entity)).unwrap_or_default()
    },
    ..PLAIN
};

/// `renderer/Model_md3.cpp` (`InitFromFile`) and `Model_md3.h`: as Quake III. `renderer/ModelManager.cpp` (`GetModel`),
/// `anim/Anim.cpp` (`CheckModelHierarchy`).
pub(super) static PROFILE: Profile = Profile {
    name: "doom3",
    title: "Doom 3",
    formats: &[Md3, Md5, Ase, Lwo],
    limits: &[&[refused(Md3, Vertices, 1000), refused(Md3, Triangles, 2000)]],
    image_formats: ID_IMAGES,
    rejects_materials: true,
    refuses: &[(Md3, UNCHECKED_VERTICES), (Md5, REFUSED_MD5)],
    skeleton: SkeletonCheck::Hierarchy,
    ..NO_ENGINE
};

/// `renderer/Model_md5.cpp` (`LoadModel`, `ParseJoint`, `ParseMesh`), `tr_trisurf.cpp` (`R_RangeCheckIndexes`),
/// `anim/Anim.cpp` (`LoadAnim`), `Lexer.cpp` (`ReadNumber`, `ParseInt`): fatal errors. Weights beyond the last one are
/// only a warning, but `ParseMesh` then reads past the table.
const REFUSED_MD5: &[Fault] = &[
    Fault::MissingVersion,
    Fault::MissingCommandLine,
    Fault::MissingShader,
    Fault::MissingRate,
    Fault::UnusableRate,
    Fault::FractionalRate,
    Fault::SurplusEntries,
    Fault::VertexWithoutWeights,
    Fault::UnknownWeight,
    Fault::UnknownJoint,
    Fault::UnknownVertex,
    Fault::InvalidParent,
    Fault::InvalidAnimationParent,
    Fault::NotFinite,
    Fault::SeveralAnimationRoots,
    Fault::UnknownFlags,
    Fault::UnknownComponent,
    Fault::UnusedComponent,
    Fault::BoundsCount,
    Fault::FrameOrder,
    Fault::BrokenAnimation,
];

/// Returns the animations that the definitions in `def/*.def` declare for a mesh.
fn declared_animations(vfs: &Vfs, game_path: &str) -> Vec<Declared> {
    let definitions = definitions(vfs);
    let declared = vfs.declared_as().and_then(|name| definitions.look(name)).and_then(|look| look.model);
    let index = declared.or_else(|| definitions.models.index_of(game_path));
    let animations = index.map(|index| definitions.models.animations(index)).unwrap_or_default();
    let numbered = animations.into_iter().flat_map(|(name, paths)| {
        let many = paths.len() > 1;
        paths
            .into_iter()
            .enumerate()
            .map(move |(index, path)| (if many { format!("{name} {}", index + 1) } else { name.clone() }, path))
            .map(|(name, path)| Declared::new(name, path))
    });
    numbered.collect()
}

/// Definitions of a game.
#[derive(Debug)]
struct Definitions {
    models: Declarations,
    entities: Entities,
}

/// Look of an entity, or of a `model` without one.
struct Look {
    /// Game path of the mesh.
    mesh: String,
    /// Index of the `model` declaration; `None` for a mesh without one.
    model: Option<usize>,
    skin: Option<String>,
}

fn definitions(vfs: &Vfs) -> Arc<Definitions> {
    vfs.memo_of_folders(&[FOLDER], |vfs| {
        let models = read_folder(vfs, FOLDER, "def", |path, bytes, list| {
            let models = parse(bytes, &mut Warnings::default());
            let count = models.iter().map(|model| 1 + model.animations.len()).sum::<usize>();
            list.extend(models.into_iter().map(|model| ModelDeclaration { path: path.to_owned(), ..model }));
            count
        });
        let entities = read_folder(vfs, FOLDER, "def", doom3_entities::read);
        Definitions { models: Declarations::new(models), entities: Entities::new(entities) }
    })
}

impl Definitions {
    /// Returns the look of an entity, or of a `model` declaration, by its name.
    fn look(&self, name: &str) -> Option<Look> {
        let entity = self.entities.get(name);
        let value = |key| entity.and_then(|entity| self.entities.value(entity, key));
        let model_name = value("model").unwrap_or(name);
        let model = self.models.by_name.get(&model_name.to_lowercase()).copied();
        let line = model.map(|index| self.models.line_of(index)).unwrap_or_default();
        let declared = line.iter().find_map(|model| model.mesh.clone());
        let own = || value("model").filter(|_| model.is_none()).map(str::to_owned);
        let mesh = declared.or_else(own)?;
        let skin = value("skin").map(str::to_owned).or_else(|| line.iter().find_map(|model| model.skin.clone()));
        Some(Look { mesh: canonical(&mesh), model, skin })
    }

    /// Returns `FILE/NAME` for each entity that itself sets an animated model or a skin, and for each other `model`.
    fn listed(&self, vfs: &Vfs) -> Vec<String> {
        let mut used = HashSet::new();
        let mut listed = Vec::new();
        for entity in &self.entities.list {
            let Some(look) = self.look(&entity.name).filter(|look| vfs.find(&look.mesh).is_some()) else { continue };
            let is_own = entity.own("skin").is_some() || look.model.is_some() && entity.own("model").is_some();
            if is_own && used.insert(entity.name.to_lowercase()) {
                listed.push(join(&entity.path, &entity.name));
                let model = look.model.and_then(|model| self.models.list.get(model));
                used.extend(model.map(|(model, _)| model.name.to_lowercase()));
            }
        }
        for (model, _) in &self.models.list {
            let exists = || self.look(&model.name).is_some_and(|look| vfs.find(&look.mesh).is_some());
            if !used.contains(&model.name.to_lowercase()) && exists() && used.insert(model.name.to_lowercase()) {
                listed.push(join(&model.path, &model.name));
            }
        }
        listed.retain(|path| path.split('/').count() == 3);
        listed
    }
}

const KEYWORDS: [&str; 7] = ["inherit", "skin", "mesh", "remove", "offset", "channel", "anim"];

/// Name, and the `.md5anim` files that play together under it.
pub type NamedAnimation = (String, Vec<String>);

/// Declaration `model NAME { … }`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelDeclaration {
    /// Name of the declaration.
    pub name: String,
    /// Game path of the file.
    pub path: String,
    /// Declaration to inherit from.
    pub inherit: Option<String>,
    /// Name of the skin.
    pub skin: Option<String>,
    /// Path of the `.md5mesh`.
    pub mesh: Option<String>,
    /// Inherited animations that do not apply (`remove`).
    pub removed: Vec<String>,
    /// Own animations in file order.
    pub animations: Vec<NamedAnimation>,
}

/// Parses the model declarations of a file. An error ends the list with a warning; earlier declarations are kept.
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
        let mut lexer = self.lexer;
        doom3_declarations::scan(&mut lexer, |lexer, part| {
            self.lexer = *lexer;
            let read = match part {
                Part::Block([what, name]) if what.is("model") => self.model(name),
                Part::Block(_) => self.lexer.skip_block(""),
                Part::Skipped(word) => {
                    if word.is("}") {
                        let message = "“}” without “{”; the word after it is skipped";
                        self.warnings.add_line(WarningKind::Inconsistent, word.line, message);
                    }
                    Ok(())
                }
            };
            *lexer = self.lexer;
            read
        })
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
            } else if token.is("remove") {
                model.removed.extend(self.value()?);
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
    /// Declarations, and the index of each one's parent.
    list: Vec<(ModelDeclaration, Option<usize>)>,
    by_mesh: HashMap<String, usize>,
    by_name: HashMap<String, usize>,
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
        let with_parent = |model: ModelDeclaration| {
            let parent = model.inherit.as_ref().and_then(|name| by_name.get(&name.to_lowercase()).copied());
            (model, parent)
        };
        let list = models.into_iter().map(with_parent).collect();
        let mut declarations = Self { list, by_mesh: HashMap::new(), by_name };
        for heirs in [false, true] {
            for index in 0..declarations.list.len() {
                declarations.assign(index, heirs);
            }
        }
        declarations
    }

    fn assign(&mut self, index: usize, heirs: bool) {
        let names_mesh = self.list.get(index).is_some_and(|(model, _)| model.mesh.is_some());
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
    pub fn animations_of(&self, mesh_game_path: &str) -> Option<Vec<NamedAnimation>> {
        self.index_of(mesh_game_path).map(|index| self.animations(index))
    }

    fn index_of(&self, mesh_game_path: &str) -> Option<usize> {
        self.by_mesh.get(&canonical(mesh_game_path)).copied()
    }

    fn animations(&self, index: usize) -> Vec<NamedAnimation> {
        let line = self.line_of(index);
        let mut merged: Vec<NamedAnimation> = Vec::new();
        let mut slots: HashMap<&str, usize> = HashMap::new();
        for model in line.into_iter().rev() {
            for slot in model.removed.iter().filter_map(|name| slots.remove(name.as_str())) {
                merged.get_mut(slot).into_iter().for_each(|(_, paths)| paths.clear());
            }
            for (name, paths) in &model.animations {
                let slot = *slots.entry(name).or_insert(merged.len());
                match merged.get_mut(slot) {
                    Some((_, old)) => old.clone_from(paths),
                    None => merged.push((name.clone(), paths.clone())),
                }
            }
        }
        merged.retain(|(_, paths)| !paths.is_empty());
        merged
    }

    fn skin_of(&self, mesh_game_path: &str) -> Option<String> {
        let line = self.line_of(self.index_of(mesh_game_path)?);
        line.into_iter().find_map(|model| model.skin.clone())
    }

    fn line_of(&self, index: usize) -> Vec<&ModelDeclaration> {
        let mut indices = Vec::new();
        let mut next = Some(index);
        while let Some(index) = next.filter(|index| indices.len() <= MAX_NESTING && !indices.contains(index)) {
            indices.push(index);
            next = self.list.get(index).and_then(|(_, parent)| *parent);
        }
        indices.into_iter().filter_map(|index| self.list.get(index)).map(|(model, _)| model).collect()
    }
}
