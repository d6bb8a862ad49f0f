//! Parser for definitions of Quake III scripts.
//!
//! The words of Quake III and of the engines derived from it are rows of tables (`words`); the rows of an engine lie in
//! its unit (`engines`), and the caller passes the tables. Unknown words are skipped with a warning.
//! [`Material::objections`] has the reasons for which engines reject a definition. Sources: ioquake3 `tr_shader.c`
//! (`ParseShader`, `ParseStage`, `ParseTexMod`, `ParseDeform`, `FinishShader`); the implementation is independent.

pub(crate) mod arguments;
mod words;
mod writer;

use arguments::DirectiveArgs;
pub(crate) use arguments::condition;
use words::{find, is_foreign_value, rules_of};

use super::{Definition, Notes, ReportedProblems, shortened};
use crate::material::stage::Material;
use maquette_core::error::LoadError;
use maquette_core::text::{Lexer, Token};

pub(crate) use words::{Arguments, Word};
pub use words::{Objection, ScriptPart, ScriptRules};
pub(crate) use writer::{
    ScriptWriter, anim_map, back_sided, blend_or_role, clamp_anim_map, constant_colour, deform, half_alpha, implicit,
    layer, lit_map, map, named, no_mipmaps, other_anim_map, other_map, polygon_offset, stage_role, two_sided, wrap,
};

/// Maximum numbers of stages, deforms and images of a stage that the game reads.
const GAME_STAGES: usize = 8;
pub(super) const GAME_DEFORMS: usize = 3;
const GAME_IMAGES: usize = 8;

/// Parses a definition as the engine with `own` rules reads it. If the engine is not known, the words identify it among
/// `all`.
pub(super) fn parse(
    definition: &Definition<'_>,
    own: Option<&'static ScriptRules>,
    all: &[&'static ScriptRules],
    reported: &mut ReportedProblems,
) -> Result<Material, LoadError> {
    let mut parser = Parser {
        lexer: definition.lexer(),
        notes: definition.notes,
        own,
        all,
        reported,
        writer: ScriptWriter::new(definition.name),
    };
    parser.parse()?;
    let (mut material, stages) = parser.writer.finish();
    if stages > GAME_STAGES {
        reported.add(0, format!("{stages} stages; the game reads only {GAME_STAGES}"));
    }
    let rules = own.or_else(|| rules_of(&material.objections, all));
    material.rejected_for = rules.unwrap_or(&ScriptRules::QUAKE_3).rejection(&material.objections);
    Ok(material)
}

struct Parser<'a, 't> {
    lexer: Lexer<'a>,
    notes: Notes<'a>,
    own: Option<&'static ScriptRules>,
    all: &'t [&'static ScriptRules],
    reported: &'t mut ReportedProblems,
    writer: ScriptWriter<'a>,
}

impl<'a> Parser<'a, '_> {
    fn parse(&mut self) -> Result<(), LoadError> {
        let mut stages = 0;
        while let Some(token) = self.lexer.next()? {
            if token.is("}") {
                self.notes.end(&self.lexer, &token);
                break;
            }
            if token.is("{") {
                let _group = self.notes.stage(&self.lexer, &token, stages);
                stages += 1;
                self.stage()?;
                continue;
            }
            let line = self.line(token)?;
            self.directives(line, ScriptPart::Shader);
            if std::mem::take(&mut self.writer.skips_condition) {
                self.skip_conditional()?;
                self.notes.end(&self.lexer, &token);
            }
        }
        Ok(())
    }

    /// Skips to the end of an `if` whose condition is false.
    fn skip_conditional(&mut self) -> Result<(), LoadError> {
        let mut depth = 1;
        while depth > 0
            && let Some(token) = self.lexer.next()?
        {
            depth += i32::from(token.is("if"));
            depth -= i32::from(token.is("endif"));
        }
        Ok(())
    }

    fn line(&mut self, word: Token<'a>) -> Result<DirectiveArgs<'a>, LoadError> {
        let rest = self.lexer.rest_of_line(&word)?;
        self.lexer.skip_line(&word)?;
        self.notes.end(&self.lexer, &word);
        Ok(DirectiveArgs { word, rest: rest.into_iter() })
    }

    fn warn(&mut self, token: &Token, message: impl Into<String>) {
        self.reported.add(token.line, message);
    }

    /// Reads the directives of a line. As in the game, a directive begins after the arguments of the previous one.
    fn directives(&mut self, mut line: DirectiveArgs<'a>, part: ScriptPart) {
        loop {
            let mut own = self.directive(&mut line, part);
            let Some(next) = own.next() else { return };
            line = DirectiveArgs { word: next, rest: own };
        }
    }

    /// Reads a directive, and returns the words of the line after it.
    fn directive(&mut self, line: &mut DirectiveArgs<'a>, part: ScriptPart) -> std::vec::IntoIter<Token<'a>> {
        let name = line.word.text().to_ascii_lowercase();
        let (word, is_usual) = find(&name, part, self.own, self.all);
        if !is_usual {
            self.writer.object(Objection::to_word(&name, part, self.writer.material.stages.len()));
        }
        let Some(word) = word else {
            self.warn(&line.word, format!("unknown directive “{}” skipped", shortened(&line.word.text())));
            return Vec::new().into_iter();
        };
        let after = match word.arguments {
            Arguments::Words(count) => line.take_after(count),
            Arguments::Parsed | Arguments::Line => Vec::new().into_iter(),
        };
        let value = format!("{name} {}", line.peek());
        let (is_foreign, is_special) = is_foreign_value(&value, self.own, self.all);
        // Quake III skips an unknown value, and takes the word after it for a directive.
        if is_special && line.rest.len() > 1 {
            self.writer.object(Objection::to_word(&value, part, self.writer.material.stages.len()));
        }
        let trouble = match word.effect {
            _ if is_foreign => Some(format!("unknown “{}” skipped", shortened(&value))),
            Some(effect) => effect(&mut self.writer, line),
            None => None,
        };
        let is_valid = trouble.is_none();
        if let Some(trouble) = trouble {
            self.warn(&line.word, trouble);
        }
        match word.arguments {
            Arguments::Words(_) => after,
            Arguments::Parsed if is_valid => line.after_brackets(),
            // The words after invalid arguments are directives in the game; their warning would repeat the first one.
            Arguments::Parsed => {
                if let Some(next) = line.after_brackets().next() {
                    let name = next.text().to_ascii_lowercase();
                    if find(&name, part, self.own, self.all).0.is_none() {
                        self.writer.object(Objection::to_word(&name, part, self.writer.material.stages.len()));
                    }
                }
                Vec::new().into_iter()
            }
            Arguments::Line => Vec::new().into_iter(),
        }
    }

    fn stage(&mut self) -> Result<(), LoadError> {
        self.writer.begin_stage();
        while let Some(token) = self.lexer.next()? {
            if token.is("}") {
                self.notes.end(&self.lexer, &token);
                break;
            }
            if token.is("{") {
                self.lexer.skip_block("stage")?;
                self.notes.end(&self.lexer, &token);
                continue;
            }
            let line = self.line(token)?;
            // `ParseStage` reads the whole line of a `tcMod`, with its brackets, so that the stage does not end there.
            if let Some(bracket) = self.lexer.peek()?.filter(|next| token.is("tcMod") && next.line == token.line) {
                let word = bracket.text();
                self.warn(&token, format!("the game reads the “{word}” after “tcMod” as part of the directive"));
                let why = format!("unknown directive “{word}”");
                self.writer.object(Objection::new(why, self.writer.material.stages.len()));
            }
            self.directives(line, ScriptPart::Stage);
        }
        self.writer.end_stage();
        Ok(())
    }
}
