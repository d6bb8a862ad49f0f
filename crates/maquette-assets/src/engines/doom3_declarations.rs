//! Declarations of Doom 3 in a text: `[TYPE] NAME { … }`.
//!
//! Source: dhewm3 `DeclManager.cpp` (`LoadAndParse`, `Init`), `Game_local.cpp` (`Init`), `Lexer.cpp` (`ReadName`).

use std::collections::VecDeque;

use maquette_core::error::LoadError;
use maquette_core::text::{Lexer, Token};

/// Types of declarations. A word that is not a type is the name of a declaration of the folder's type.
const TYPES: [&str; 15] = [
    "table",
    "material",
    "skin",
    "sound",
    "entityDef",
    "mapDef",
    "fx",
    "particle",
    "articulatedFigure",
    "pda",
    "email",
    "video",
    "audio",
    "model",
    "export",
];

/// Part of a text at its top level.
pub(crate) enum Part<'t, 'a> {
    /// Block, after its opening bracket, with the type and the name before it. The words are empty if the block
    /// has no name, so that the game skips it.
    Block(&'t [Token<'a>]),
    /// Name that the game skips together with the word after it, because that is not a bracket.
    Skipped(Token<'a>),
}

/// Calls `visit` for each part at the top level. `visit` skips the block of a [`Part::Block`].
pub(crate) fn scan<'a>(
    lexer: &mut Lexer<'a>,
    mut visit: impl FnMut(&mut Lexer<'a>, Part<'_, 'a>) -> Result<(), LoadError>,
) -> Result<(), LoadError> {
    let mut pieces = VecDeque::new();
    while let Some(first) = next(lexer, &mut pieces)? {
        let is_type = TYPES.iter().any(|known| first.bytes.eq_ignore_ascii_case(known.as_bytes()));
        let name = if is_type { next(lexer, &mut pieces)? } else { Some(first) };
        let Some(name) = name else { return Ok(()) };
        if name.is("{") {
            visit(lexer, Part::Block(&[]))?;
            continue;
        }
        match next(lexer, &mut pieces)? {
            Some(bracket) if bracket.is("{") && is_type => visit(lexer, Part::Block(&[first, name]))?,
            Some(bracket) if bracket.is("{") => visit(lexer, Part::Block(&[name]))?,
            Some(_) => visit(lexer, Part::Skipped(name))?,
            None => return Ok(()),
        }
    }
    Ok(())
}

/// Returns the next word. A name without quotes ends at a hyphen.
fn next<'a>(lexer: &mut Lexer<'a>, pieces: &mut VecDeque<Token<'a>>) -> Result<Option<Token<'a>>, LoadError> {
    if let Some(piece) = pieces.pop_front() {
        return Ok(Some(piece));
    }
    let token = lexer.next()?;
    if let Some(token) = token.filter(is_split) {
        let parts = token.bytes.split_inclusive(|byte| *byte == b'-');
        let parts = parts.flat_map(|part| match part.split_last() {
            Some((b'-', name)) => [name, b"-"],
            _ => [part, b""],
        });
        pieces.extend(parts.filter(|part| !part.is_empty()).map(|bytes| Token { bytes, ..token }));
        return Ok(pieces.pop_front());
    }
    Ok(token)
}

/// Returns whether the game splits a word at a hyphen.
pub(crate) fn is_split(token: &Token<'_>) -> bool {
    !token.quoted && token.bytes.len() > 1 && token.bytes.contains(&b'-') && !token.bytes.first().is_some_and(is_number)
}

fn is_number(byte: &u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.')
}
