//! Reader for a single script file, for the structure view.

use std::ops::Range;

use super::{Definition, Kind, Notes, ReportedProblems, Scripts, all_rules, doom3, quake3, scan};
use maquette_core::bytes::Source;
use maquette_core::error::{LoadError, Reason, WarningKind, Warnings};
use maquette_core::limits::MAX_TEXT_BYTES;
use maquette_core::text::{Statements, Token};

/// Reads all definitions of a file for the recorder of `source`. Warnings name the line. Fails if the file is not text,
/// is too long, or has an unclosed bracket, comment or quote.
pub fn read_script(kind: Kind, source: &Source, warnings: &mut Warnings) -> Result<(), LoadError> {
    let bytes = source.bytes();
    let refuse = |at: usize, why: &str| source.error("", at as u64, Reason::Broken(why.to_owned()));
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(refuse(MAX_TEXT_BYTES, "the script is too long; the rest is not read"));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(refuse(at, "not a text file"));
    }
    let mut scripts = Scripts { is_alone: true, ..Scripts::default() };
    if kind == Kind::Doom3 {
        scripts.add(String::new(), kind, bytes.to_vec());
    }
    let statements = Statements::new(source);
    let mut broken = None;
    scan(kind, bytes, |words, Range { start, end }, line| {
        // A definition ends with its bracket, even if its parser stops earlier.
        statements.read_to(end as u64);
        let rest = bytes.get(start..end).unwrap_or_default();
        let name = words.last().map(Token::text).unwrap_or_default();
        let definition = Definition { name: &name, kind, bytes: rest, line, notes: Notes(Some(&statements)) };
        let is_plain = |words: &[Token]| words.len() == 1 || words.first().is_some_and(|word| word.is("material"));
        let _group = statements.group(|| match (kind, words) {
            (Kind::Doom3, [what, _]) => format!("{} {name}", what.text()),
            _ => name.clone(),
        });
        statements.end_at(start as u64, || if name.is_empty() { "{".to_owned() } else { name.clone() });
        let mut reported = ReportedProblems::default();
        let read = match kind {
            Kind::Quake3 => quake3::parse(&definition, None, &all_rules(), &mut reported).map(drop),
            Kind::Doom3 if is_plain(words) => doom3::parse(&definition, &scripts, &mut reported).map(drop),
            // The contents of a table or another type are recorded as one statement.
            Kind::Doom3 => Ok(()),
        };
        statements.end_at(end as u64, || "values".to_owned());
        for (line, message) in reported.0 {
            let line = if line == 0 { words.last().map_or(0, |name| name.line) } else { line };
            warnings.add(WarningKind::LeftOut, format!("line {line}"), message);
        }
        if let Err(error) = read {
            broken.get_or_insert(error);
        }
    })?;
    statements.finish();
    broken.map_or(Ok(()), Err)
}
