//! Named lines: `NAME first count loop fps`.
//!
//! Two families count loops differently. Elite Force has no header and stores the frame to return to. Games derived
//! from Quake III kept its keywords and count the looping frames at the end. A loop number that equals the length of
//! its animation is a count.

use super::header::Header;
use super::row::Row;
use super::tokens::{Words, name_of, number};
use super::{AnimationConfig, Dialect};
use crate::error::{WarningKind, Warnings};
use crate::limits::MAX_CLIPS;
use crate::text::Token;

pub(super) fn read(mut words: Words, warnings: &mut Warnings) -> AnimationConfig {
    let mut header = Header::default();
    let (rows, _) = read_rows(&mut words, &mut header, 4..=4, warnings);
    words.finish(warnings);
    let counts_frames = header.quake_three || rows.iter().any(|row| row.looping > 0 && row.looping == row.count);
    let dialect = if counts_frames { Dialect::Named } else { Dialect::EliteForce };
    let entry = |row: Row| if counts_frames { row.quake_three(warnings) } else { row.elite_force(warnings) };
    let entries = rows.into_iter().map(entry).collect();
    let (fixed_legs, fixed_torso) = (header.fixed_legs, header.fixed_torso);
    AnimationConfig { dialect, entries, fixed_legs, fixed_torso, ..AnimationConfig::default() }
}

pub(super) fn read_rows<'a>(
    words: &mut Words<'a>,
    header: &mut Header,
    allowed: std::ops::RangeInclusive<usize>,
    warnings: &mut Warnings,
) -> (Vec<Row>, Option<Token<'a>>) {
    let mut rows = Vec::new();
    let mut too_many = None;
    let mut end = None;
    while let Some(word) = words.next() {
        if word.is_any(&["ENDANIMS", "HEADFRAMES"]) {
            words.end(&word);
            end = Some(word);
            break;
        }
        if number(&word).is_some() {
            words.end(&word);
            words.count_unknown(&word);
            continue;
        }
        if header.read(&word, words) {
            words.end(&word);
            continue;
        }
        let (numbers, count) = words.take_numbers();
        words.end(&word);
        if allowed.contains(&count) {
            if rows.len() < MAX_CLIPS {
                rows.push(Row::new(name_of(&word), word.line, numbers));
            } else {
                too_many = too_many.or(Some(word.line));
            }
        } else if count < 2 {
            // Keyword of an unknown game, with its value.
            words.count_unknown(&word);
        } else {
            let wanted = allowed.start();
            let message = format!("“{}” has {count} numbers, but an animation needs {wanted}; skipped", name_of(&word));
            warnings.add_line(WarningKind::LeftOut, word.line, message);
        }
    }
    if let Some(start) = too_many {
        warnings.add_line(
            WarningKind::LeftOut,
            start,
            format!("more than {MAX_CLIPS} animations; the rest are skipped"),
        );
    }
    (rows, end)
}
