//! Templates in shader scripts of qfusion, the engine of Warsow and Warfork.
//!
//! `template NAME VALUE …` continues a definition with the body of another one, in which `$1`, `$2`, … stand for the
//! values. Source: qfusion `r_shader.c` (`Shader_Template`).

use super::{
    Definition, Kind, Objection, ReportedProblems, ScriptPart, ScriptRules, Scripts, plain_name, quake3, shortened,
};
use crate::limits::MAX_SHORT_TEXT_BYTES;
use crate::material::stage::Material;
use maquette_core::error::LoadError;
use maquette_core::text::{Lexer, Token};

/// Maximum number of templates within templates. Further ones are not expanded.
const MAX_DEPTH: usize = 4;

/// Text of a definition with the body of its template.
pub(super) struct Expanded {
    pub(super) text: Vec<u8>,
    /// Line of the directive. The text after it is from other lines or files.
    pub(super) line: u32,
}

impl Expanded {
    /// Parses the text as `definition`. Warnings about the template have the line of the directive.
    pub(super) fn parse(
        &self,
        definition: &Definition<'_>,
        own: Option<&'static ScriptRules>,
        all: &[&'static ScriptRules],
        reported: &mut ReportedProblems,
    ) -> Result<Material, LoadError> {
        let mut material = quake3::parse(&Definition { bytes: &self.text, ..*definition }, own, all, reported)?;
        for (line, _) in &mut reported.0 {
            *line = self.line.min(*line);
        }
        // The engine with templates skips unknown directives.
        material.rejected_for = None;
        material.objections.insert(0, Objection::to_word("template", ScriptPart::Shader, 0));
        Ok(material)
    }
}

/// A `template` line in a text.
struct Directive<'a> {
    word: Token<'a>,
    /// Offset of the line.
    start: usize,
    name: String,
    values: Vec<Token<'a>>,
}

impl Scripts {
    /// Returns a definition with the body of its template; `None` if the definition has no template.
    pub(super) fn expanded(&self, definition: &Definition<'_>, reported: &mut ReportedProblems) -> Option<Expanded> {
        let mut expanded: Option<Expanded> = None;
        for _ in 0..MAX_DEPTH {
            let text = expanded.as_ref().map_or(definition.bytes, |expanded| &expanded.text);
            let Some(used) = find(Definition { bytes: text, ..*definition }.lexer()) else { break };
            let line = expanded.as_ref().map_or(used.word.line, |expanded| expanded.line);
            let name = shortened(&used.name);
            let Some(body) = self.body_of(&used.name) else {
                reported.add(line, format!("unknown template “{name}” skipped"));
                break;
            };
            let mut joined = text.get(..used.start).unwrap_or_default().to_vec();
            joined.push(b'\n');
            if !append(body, &used.values, &mut joined) {
                let message = format!("template “{name}” skipped; it has more than {MAX_SHORT_TEXT_BYTES} bytes");
                reported.add(line, message);
                break;
            }
            expanded = Some(Expanded { text: joined, line });
        }
        expanded
    }

    fn body_of(&self, name: &str) -> Option<&[u8]> {
        let spot = self.definitions.for_kind(Kind::Quake3).get(&plain_name(Kind::Quake3, name))?;
        Some(self.definition("", Kind::Quake3, spot)?.bytes)
    }
}

/// Returns the first `template` line outside stages.
fn find(mut lexer: Lexer<'_>) -> Option<Directive<'_>> {
    let length = lexer.rest().0.len();
    loop {
        let start = length - lexer.rest().0.len();
        let word = lexer.next().ok()??;
        if word.is("{") {
            lexer.skip_block("stage").ok()?;
        } else if word.is("template") {
            let mut values = lexer.rest_of_line(&word).ok()?.into_iter();
            let name = values.next()?.text();
            return Some(Directive { word, start, name, values: values.collect() });
        } else {
            lexer.skip_line(&word).ok()?;
        }
    }
}

/// Appends `body` with the values in place of their numbers. Returns `false` if the text becomes too long.
fn append(mut body: &[u8], values: &[Token<'_>], text: &mut Vec<u8>) -> bool {
    while let Some(at) = body.iter().position(|byte| *byte == b'$') {
        let (before, number) = body.split_at(at + 1);
        let digits = number.iter().take(4).take_while(|byte| byte.is_ascii_digit());
        let (index, length) =
            digits.fold((0, 0), |(index, length), digit| (index * 10 + usize::from(digit - b'0'), length + 1));
        match index.checked_sub(1).and_then(|index| values.get(index)) {
            Some(value) => {
                text.extend_from_slice(before.get(..at).unwrap_or_default());
                text.extend_from_slice(value.bytes);
                body = number.get(length..).unwrap_or_default();
            }
            None => {
                text.extend_from_slice(before);
                body = number;
            }
        }
        if text.len() > MAX_SHORT_TEXT_BYTES {
            return false;
        }
    }
    text.extend_from_slice(body);
    text.len() <= MAX_SHORT_TEXT_BYTES
}
