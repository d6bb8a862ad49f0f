//! Parser of `.anm` files of UFO: Alien Invasion, which name ranges of an MD2's frames.
//!
//! ```text
//! // comment, or /* comment */
//! name   first   last   frames-per-second
//! walk0  174     204    30
//! ```
//!
//! Frames are counted from 0; the last is included. A pose has 0 frames per second (`dead1 856 856 0`). Source: the
//! game's files, and `R_ModLoadAnims` of its `r_model_alias.c`.

use maquette_core::error::{LoadError, WarningKind, Warnings};
use maquette_core::formats::clip_list::NamedRange;
use maquette_core::limits::{MAX_CLIPS, MAX_TEXT_BYTES};
use maquette_core::text::{Dialect, Lexer, Token, readable};

/// Parses the frame ranges in file order. Unknown text is skipped with a warning.
pub fn parse(bytes: &[u8], warnings: &mut Warnings) -> Vec<NamedRange> {
    let lexer = Lexer::with("anm", Dialect::Script, readable(bytes, MAX_TEXT_BYTES, warnings));
    let mut ranges = Vec::new();
    if let Err(error) = read(lexer, &mut ranges, warnings) {
        warnings.add_rest(&error);
    }
    ranges
}

fn read(mut lexer: Lexer, ranges: &mut Vec<NamedRange>, warnings: &mut Warnings) -> Result<(), LoadError> {
    while let Some(name) = lexer.next()? {
        let mut values = Vec::new();
        while let Some(next) = lexer.peek().ok().flatten().filter(|next| next.line == name.line) {
            lexer.next()?;
            values.push(next);
        }
        if ranges.len() >= MAX_CLIPS {
            let message = format!("more than {MAX_CLIPS} animations; the rest are skipped");
            warnings.add_line(WarningKind::LeftOut, name.line, message);
            return Ok(());
        }
        match range(&name, &values) {
            Some(range) => ranges.push(range),
            None => warnings.add_line(
                WarningKind::LeftOut,
                name.line,
                "expected a name, a first frame, a last frame not before it, and a rate; line skipped",
            ),
        }
    }
    Ok(())
}

fn range(name: &Token, values: &[Token]) -> Option<NamedRange> {
    let [first, last, rate, ..] = values else { return None };
    let frame = |token: &Token| token.integer().and_then(|number| u32::try_from(number).ok());
    let (first, last, rate) = (frame(first)?, frame(last)?, rate.number()?);
    let count = last.checked_sub(first)?.saturating_add(1);
    let frames_per_second = (rate.is_finite() && rate > 0.0).then_some(rate);
    Some(NamedRange { name: name.text(), first, count, frames_per_second, loops: true })
}
