//! Material definitions in scripts: Quake III's `scripts/*.shader` and Doom 3's `materials/*.mtr`.
//!
//! A definition is parsed when a model needs it. Files are listed in the order of the games ([`Vfs::listing`]). Of
//! several files that define a name, Quake III uses the last (ioquake3 `tr_shader.c`, `ScanAndLoadShaderFiles`), Doom 3
//! the first.

mod definitions;
mod doom3;
mod overridden;
pub(crate) mod quake3;
mod reading;
mod structure;
mod template;
mod terms;
mod text_images;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use definitions::{DefinitionSpan, Definitions, DefinitionsByKind};

use super::expression::LookupTable;
use super::stage::Material;
use crate::engines::{ENGINES, Engine, doom3_declarations, jedi_academy};
use crate::limits::{MAX_DETAILS, MAX_GAME_FILES, MAX_LISTED_NAMES, MAX_SHORT_TEXT_BYTES};
use crate::vfs::{DecompressionBudget, Vfs, split_extension};
use maquette_core::bytes::StructScope;
use maquette_core::error::{LoadError, WarningKind, Warnings};
use maquette_core::text::{Dialect, Lexer, Statements, Token};

pub(super) use doom3::MEDIUM;
pub use overridden::{OverriddenDefinition, OverriddenScripts};
pub(crate) use quake3::arguments::DirectiveArgs;
pub use quake3::{Objection, ScriptPart, ScriptRules};
pub use structure::read_script;
pub(super) use text_images::{has_stages_without_maps, images_named_in};

/// Family of script files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `scripts/*.shader`; `shaders/*.shader` of Jedi Academy; `shaderoverride/*.shader` of Wolfcam.
    Quake3,
    /// `materials/*.mtr`.
    Doom3,
}

impl Kind {
    /// All families.
    pub const ALL: [Self; 2] = [Self::Quake3, Self::Doom3];

    /// Returns the folders, of which later ones override earlier ones. Wolfcam reads two (`tr_shader.c`,
    /// `ScanAndLoadShaderFiles`), other games one.
    fn folders(self) -> &'static [&'static str] {
        match self {
            Self::Quake3 => &["scripts", jedi_academy::SHADERS, "shaderoverride"],
            Self::Doom3 => &["materials"],
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Quake3 => "shader",
            Self::Doom3 => "mtr",
        }
    }

    fn dialect(self) -> Dialect {
        match self {
            Self::Quake3 => Dialect::Script,
            Self::Doom3 => Dialect::Expressions,
        }
    }

    /// Returns the display name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Quake3 => "Shader script",
            Self::Doom3 => "Material file",
        }
    }
}

#[derive(Debug)]
struct File {
    path: String,
    kind: Kind,
    bytes: Vec<u8>,
}

/// All definitions of a game.
#[derive(Debug, Default)]
pub struct Scripts {
    files: Vec<File>,
    definitions: DefinitionsByKind,
    tables: Definitions,
    known_tables: Mutex<HashMap<String, Option<Arc<LookupTable>>>>,
    warnings: Warnings,
    /// Whether this is one file without its game, so that unknown tables are replaced by a dummy.
    is_alone: bool,
}

struct Definition<'a> {
    name: &'a str,
    kind: Kind,
    bytes: &'a [u8],
    line: u32,
    notes: Notes<'a>,
}

impl<'a> Definition<'a> {
    fn lexer(&self) -> Lexer<'a> {
        Lexer::resumed(self.kind.extension(), self.kind.dialect(), self.bytes, self.line)
    }

    fn text(&self) -> String {
        let mut lexer = self.lexer();
        let left = lexer.skip_block("").map_or(0, |()| lexer.rest().0.len());
        let text = self.bytes.get(..self.bytes.len() - left).unwrap_or_default().trim_ascii();
        // `bytes` begins after the opening bracket.
        format!("{{\n\t{}", String::from_utf8_lossy(text))
    }
}

/// Recorder of a definition's statements for the structure view; does nothing without [`Statements`].
#[derive(Clone, Copy)]
struct Notes<'a>(Option<&'a Statements<'a>>);

impl<'a> Notes<'a> {
    fn end(&self, lexer: &Lexer, word: &Token) {
        if let Some(statements) = self.0 {
            statements.end(lexer, word);
        }
    }

    fn stage(&self, lexer: &Lexer, bracket: &Token, number: usize) -> Option<StructScope<'a>> {
        let group = self.0.map(|statements| statements.group(|| format!("stage {number}")));
        self.end(lexer, bracket);
        group
    }
}

/// Line and text of each warning about a definition. Line 0 stands for the definition's own line.
#[derive(Debug, Default)]
struct ReportedProblems(Vec<(u32, String)>);

impl ReportedProblems {
    fn add(&mut self, line: u32, message: impl Into<String>) {
        if self.0.len() < MAX_DETAILS {
            self.0.push((line, message.into()));
        }
    }
}

/// Estimated bytes of memory per byte of a definition.
const BYTES_PER_BYTE: usize = 16;

#[derive(Debug)]
struct ReadDefinition {
    parsed: Result<(Material, String), String>,
    /// Length of the parsed text.
    bytes: usize,
    reported: ReportedProblems,
}

/// Result of a search for a definition.
#[derive(Clone, Debug)]
pub struct FoundDefinition {
    /// The material, whose images are still to be found.
    pub material: Material,
    /// Game path of the script.
    pub file: String,
    /// Line of the name.
    pub line: u32,
    /// Family of the script.
    pub kind: Kind,
    /// Text of the definition, with both brackets.
    pub text: String,
}

impl Scripts {
    /// Returns all definitions of `vfs`, read once for all models. Mods without scripts share those of their base game.
    #[must_use]
    pub fn shared(vfs: &Vfs) -> Arc<Self> {
        vfs.memo_of_folders(&Kind::ALL.map(Kind::folders).concat(), Self::from_vfs)
    }

    /// Reads all definitions of `vfs`.
    #[must_use]
    pub fn from_vfs(vfs: &Vfs) -> Self {
        let mut scripts = Self::default();
        let mut room = DecompressionBudget::default();
        for (kind, path) in listed(vfs) {
            let Some(entry) = vfs.entry(&path) else { continue };
            match reading::read(&entry, &mut room) {
                Ok(bytes) => scripts.add(path, kind, bytes),
                Err(why) => scripts.warnings.add(WarningKind::Companion, path, why),
            }
        }
        scripts
    }

    /// Parses the text of one definition, with both brackets, which is inside the file at `path`. `None` if it cannot be
    /// parsed, which is a warning.
    pub(super) fn single(path: &str, text: &str, warnings: &mut Warnings) -> Option<FoundDefinition> {
        const NAME: &str = "material";
        let lower = text.to_ascii_lowercase();
        let is_doom3 = ["diffusemap", "bumpmap", "specularmap", "blend "].iter().any(|word| lower.contains(word));
        let kind = if is_doom3 { Kind::Doom3 } else { Kind::Quake3 };
        let mut scripts = Self { is_alone: true, ..Self::default() };
        scripts.add(path.to_owned(), kind, format!("{NAME}\n{text}").into_bytes());
        scripts.find(NAME, kind, warnings)
    }

    /// Returns the warnings about whole files.
    pub fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// Returns the number of files of a family.
    pub fn file_count(&self, kind: Kind) -> usize {
        self.files.iter().filter(|file| file.kind == kind).count()
    }

    /// Returns the path of the only file of a family; `None` if there are none or several.
    pub fn only_file(&self, kind: Kind) -> Option<&str> {
        let mut files = self.files.iter().filter(|file| file.kind == kind);
        let only = files.next()?;
        files.next().is_none().then_some(only.path.as_str())
    }

    fn add(&mut self, path: String, kind: Kind, bytes: Vec<u8>) {
        let Ok(file) = u32::try_from(self.files.len()) else { return };
        let mut left_out = 0;
        let mut nameless: Option<u32> = None;
        let scanned = scan(kind, &bytes, |words, Range { start, end }, line| {
            if words.is_empty() && kind == Kind::Doom3 {
                nameless.get_or_insert(line);
            }
            let Some((what, name)) = declared(kind, words) else { return };
            let spot = DefinitionSpan { file, start: start as u32, end: end as u32, line, name_line: name.line };
            let name = defined_name(kind, &name.text());
            let definitions = match what {
                Declared::Table => &mut self.tables,
                Declared::Material => self.definitions.of_mut(kind),
            };
            let Some(known) = definitions.entry(name, spot) else {
                left_out += 1;
                return;
            };
            // Within a file, the first definition counts. Of several files, Doom 3 uses the first and Quake III the
            // last.
            if kind == Kind::Quake3 && known.file != file {
                *known = spot;
            }
        });
        if left_out > 0 {
            let message =
                format!("the scripts define more than {MAX_LISTED_NAMES} names; {left_out} in this file skipped");
            self.warnings.add(WarningKind::Companion, path.clone(), message);
        }
        if let Some(line) = nameless {
            let message = format!("line {line}: the block has no name, so the game skips it");
            self.warnings.add(WarningKind::Companion, path.clone(), message);
        }
        if let Err(error) = scanned {
            self.warnings.add(WarningKind::Companion, path.clone(), error.to_string());
        }
        self.files.push(File { path, kind, bytes });
    }

    fn definition<'a>(&'a self, name: &'a str, kind: Kind, spot: DefinitionSpan) -> Option<Definition<'a>> {
        let file = self.files.get(spot.file as usize)?;
        Some(Definition {
            name,
            kind,
            bytes: file.bytes.get(spot.start as usize..spot.end as usize)?,
            line: spot.line,
            notes: Notes(None),
        })
    }

    /// Finds the definition of a name, ignoring extension, case and kind of slashes. Warnings name file and line.
    pub fn find(&self, name: &str, kind: Kind, warnings: &mut Warnings) -> Option<FoundDefinition> {
        let spot = self.definitions.for_kind(kind).get(&plain_name(kind, name))?;
        self.found(&self.read(name, kind, spot, None), kind, spot, warnings)
    }

    /// Like [`Self::find`], for a model of `engine`; each definition is read once for all models of the engine.
    pub(super) fn find_shared(
        &self,
        vfs: &Vfs,
        name: &str,
        kind: Kind,
        engine: Option<&'static Engine>,
        warnings: &mut Warnings,
    ) -> Option<FoundDefinition> {
        let spot = self.definitions.for_kind(kind).get(&plain_name(kind, name))?;
        let reader = engine.map_or("", |engine| engine.name);
        let read = vfs.memo(&format!("{kind:?} {reader} {name}"), |vfs| {
            let read = self.read(name, kind, spot, engine);
            vfs.count(read.bytes * BYTES_PER_BYTE);
            read
        });
        self.found(&read, kind, spot, warnings)
    }

    fn found(
        &self,
        read: &ReadDefinition,
        kind: Kind,
        spot: DefinitionSpan,
        warnings: &mut Warnings,
    ) -> Option<FoundDefinition> {
        let path = self.files.get(spot.file as usize)?.path.clone();
        for (line, message) in &read.reported.0 {
            let line = if *line == 0 { spot.name_line } else { *line };
            warnings.add(WarningKind::Companion, format!("{path} line {line}"), message.clone());
        }
        match &read.parsed {
            Ok((material, text)) => Some(FoundDefinition {
                text: text.clone(),
                material: material.clone(),
                file: path,
                line: spot.name_line,
                kind,
            }),
            Err(why) => {
                warnings.add(WarningKind::Companion, path, why.clone());
                None
            }
        }
    }

    fn read(&self, name: &str, kind: Kind, spot: DefinitionSpan, engine: Option<&'static Engine>) -> ReadDefinition {
        let mut reported = ReportedProblems::default();
        let mut bytes = (spot.end - spot.start) as usize;
        let parsed = match self.definition(name, kind, spot) {
            Some(definition) if definition.bytes.len() <= MAX_SHORT_TEXT_BYTES => {
                let own = engine.map(|engine| engine.textures.script);
                let material = match kind {
                    Kind::Quake3 => match self.expanded(&definition, &mut reported) {
                        Some(expanded) => {
                            bytes += expanded.text.len();
                            expanded.parse(&definition, own, &all_rules(), &mut reported)
                        }
                        None => quake3::parse(&definition, own, &all_rules(), &mut reported),
                    },
                    Kind::Doom3 => doom3::parse(&definition, self, &mut reported),
                };
                material.map(|material| (material, definition.text())).map_err(|error| error.to_string())
            }
            _ => Err(format!(
                "the definition at line {} is longer than {MAX_SHORT_TEXT_BYTES} bytes; skipped",
                spot.name_line
            )),
        };
        ReadDefinition { parsed, bytes, reported }
    }

    /// Returns the script in which a name is defined, and the line of the name.
    pub fn location_of(&self, name: &str, kind: Kind) -> Option<(&str, u32)> {
        let spot = self.definitions.for_kind(kind).get(&plain_name(kind, name))?;
        Some((self.files.get(spot.file as usize)?.path.as_str(), spot.name_line))
    }

    /// Returns all defined names of a family in lower case, in the order of their first definitions.
    pub fn names(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.definitions.for_kind(kind).names()
    }

    fn table(&self, name: &str) -> Option<Arc<LookupTable>> {
        let name = name.to_ascii_lowercase();
        let Some(spot) = self.tables.get(&name) else {
            return self.is_alone.then(|| Arc::new(LookupTable { values: vec![0.0], ..LookupTable::default() }));
        };
        let mut known = self.known_tables.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || terms::parse_table(&self.definition(&name, Kind::Doom3, spot)?).map(Arc::new);
        known.entry(name.clone()).or_insert_with(read).clone()
    }
}

/// Returns the words of all engines.
fn all_rules() -> Vec<&'static ScriptRules> {
    ENGINES.iter().map(|engine| engine.textures.script).collect()
}

fn listed(vfs: &Vfs) -> Vec<(Kind, String)> {
    let of = |kind: Kind, folder: &'static str| {
        let is_script = move |name: &str| split_extension(name).1.eq_ignore_ascii_case(kind.extension());
        vfs.record_list(folder, is_script);
        let names = vfs.listing(folder).into_iter();
        let scripts = names.filter(move |name| is_script(name)).take(MAX_GAME_FILES);
        scripts.map(move |name| (kind, format!("{folder}/{name}")))
    };
    let folders = Kind::ALL.into_iter().flat_map(|kind| kind.folders().iter().map(move |folder| (kind, *folder)));
    folders.flat_map(|(kind, folder)| of(kind, folder)).collect()
}

/// Calls `each` for every block at the top level of a file, with the words before it, its range and its line.
fn scan(kind: Kind, bytes: &[u8], mut each: impl FnMut(&[Token<'_>], Range<usize>, u32)) -> Result<(), LoadError> {
    let mut lexer = Lexer::with(kind.extension(), kind.dialect(), bytes);
    let mut block = |lexer: &mut Lexer<'_>, words: &[Token<'_>]| {
        let (rest, line) = lexer.rest();
        let start = bytes.len() - rest.len();
        let skipped = lexer.skip_block("");
        // An unclosed block extends to the end of the file.
        let left = if skipped.is_ok() { lexer.rest().0.len() } else { 0 };
        each(words, start..bytes.len() - left, line);
        skipped
    };
    if kind == Kind::Doom3 {
        return doom3_declarations::scan(&mut lexer, |lexer, part| match part {
            doom3_declarations::Part::Block(words) => block(lexer, words),
            doom3_declarations::Part::Skipped(_) => Ok(()),
        });
    }
    let mut words: Vec<Token<'_>> = Vec::new();
    while let Some(token) = lexer.next()? {
        if token.is("{") {
            block(&mut lexer, &words)?;
            words.clear();
        } else if token.is("}") {
            words.clear();
        } else {
            // Only the last word is the name.
            words.clear();
            words.push(token);
        }
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Material,
    Table,
}

/// Parses the words before a bracket into type and name; `None` for other types, or without a name.
fn declared<'w, 'b>(kind: Kind, words: &'w [Token<'b>]) -> Option<(Declared, &'w Token<'b>)> {
    match (kind, words) {
        (Kind::Doom3, [what, name, ..]) if what.is("table") => Some((Declared::Table, name)),
        (Kind::Doom3, [what, name, ..]) if what.is("material") => Some((Declared::Material, name)),
        (Kind::Doom3, [_, _, ..]) | (_, []) => None,
        (_, [.., name]) => Some((Declared::Material, name)),
    }
}

/// Returns the key of a name. Quake III ignores the file extension, Doom 3 everything after the last dot of the path.
pub(super) fn plain_name(kind: Kind, name: &str) -> String {
    match kind {
        Kind::Quake3 => defined_name(kind, split_extension(&name.replace('\\', "/")).0),
        Kind::Doom3 => defined_name(kind, name),
    }
}

fn defined_name(kind: Kind, name: &str) -> String {
    let name = name.to_ascii_lowercase().replace('\\', "/");
    match kind {
        Kind::Quake3 => name,
        Kind::Doom3 => name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned(),
    }
}

fn is_one_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(40).map(|c| if c.is_control() { '·' } else { c }).collect()
}
