//! Declarations of Doom 3 in a text: `[TYPE] NAME { … }`.
//!
//! Source: dhewm3 `DeclManager.cpp` (`LoadAndParse`, `Init`), `Game_local.cpp` (`Init`), `Lexer.cpp` (`ReadName`).

use std::collections::VecDeque;

use crate::limits::{MAX_DECLARATIONS, MAX_DEF_BYTES};
use crate::vfs::{ReadLimit, Vfs, split_extension};
use maquette_core::budget::Budget;
use maquette_core::error::LoadError;
use maquette_core::text::{Lexer, Token};

/// Types of declarations. A word that is not a type is the name of a declaration of the folder's type.
#[rustfmt::skip]
const TYPES: [&str; 15] = [
    "table", "material", "skin", "sound", "entityDef", "mapDef", "fx", "particle", "articulatedFigure", "pda", "email",
    "video", "audio", "model", "export",
];

/// Folder of the files that declare models and entities.
pub(crate) const FOLDER: &str = "def";

/// Returns the declarations in the files of a folder with an extension. `read` reads the text of a file at a path into
/// the list, and returns the number of declarations and entries.
pub(crate) fn read_folder<T>(
    vfs: &Vfs,
    folder: &str,
    extension: &'static str,
    read: impl Fn(&str, &[u8], &mut Vec<T>) -> usize,
) -> Vec<T> {
    let mut declarations = Vec::new();
    let (mut bytes_left, mut declared) = (Budget::new(MAX_DEF_BYTES), 0);
    for path in vfs.list(folder, move |name| split_extension(name).1.eq_ignore_ascii_case(extension)) {
        let Some(entry) = vfs.entry(&path) else { continue };
        let size = entry.size().map_or(0, |size| size.bytes);
        if declared > MAX_DECLARATIONS || bytes_left.take(size).is_err() {
            break;
        }
        let Ok(bytes) = entry.read(ReadLimit::TEXT) else { continue };
        declared += read(&path, &bytes, &mut declarations);
    }
    declarations
}

/// Returns the key of a path in a declaration.
pub(crate) fn canonical(path: &str) -> String {
    let lower = path.to_lowercase().replace('\\', "/");
    lower.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/")
}

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

/// Returns the next word. A name without quotes ends at a mark, and the mark is the next word.
fn next<'a>(lexer: &mut Lexer<'a>, pieces: &mut VecDeque<Token<'a>>) -> Result<Option<Token<'a>>, LoadError> {
    if let Some(piece) = pieces.pop_front() {
        return Ok(Some(piece));
    }
    let token = lexer.next()?;
    if let Some(token) = token.filter(|token| split_mark(token).is_some()) {
        let mut rest = token.bytes;
        while let Some(at) = rest.iter().position(is_mark) {
            let (name, after) = rest.split_at(at);
            let (mark, after) = after.split_at(1);
            pieces.extend([name, mark].map(|bytes| Token { bytes, ..token }));
            rest = after;
        }
        pieces.push_back(Token { bytes: rest, ..token });
        pieces.retain(|piece| !piece.bytes.is_empty());
        return Ok(pieces.pop_front());
    }
    Ok(token)
}

/// Returns the mark at which the game splits a word.
pub(crate) fn split_mark(token: &Token<'_>) -> Option<char> {
    let (first, rest) = token.bytes.split_first().filter(|_| !token.quoted)?;
    let is_number = first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.');
    rest.iter().copied().find(is_mark).filter(|_| !is_number).map(char::from)
}

fn is_mark(byte: &u8) -> bool {
    matches!(byte, b'-' | b'~' | b'#' | b'$')
}
