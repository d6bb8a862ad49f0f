//! Parser of `wolfanim.cfg` (Return to Castle Wolfenstein).
//!
//! Version 2 and later: lines of `name first count loop fps speed [blend]` between `STARTANIMS` and `ENDANIMS`.
//! Earlier: rows as in Quake III with the speed as a fifth number. `HEADFRAMES` may follow: lines of `[name] first
//! count [speed]` for the head's model.

use super::header::Header;
use super::row::Row;
use super::tokens::{Words, name_of, number};
use super::{AnimationConfig, Dialect, Entry, named, positional};
use crate::error::Warnings;
use crate::limits::MAX_CLIPS;

/// Frames per second of the head, which the file does not store; the default of players.
const HEAD_RATE: f64 = 15.0;

pub(super) fn read(mut words: Words, warnings: &mut Warnings) -> AnimationConfig {
    let mut header = Header::default();
    skip_to_animations(&mut words, &mut header);
    let (on_line, first_rows) = words.numbers_ahead(next_line(&words));
    let (rows, end) = if first_rows > 0 {
        let stride = if on_line == 4 { 4 } else { 5 };
        let (mut rows, end) = positional::read_rows(&mut words, &mut header, stride, &positional::NAMES, warnings);
        if !header.skeletal {
            positional::move_legs(&mut rows);
        }
        (rows, end)
    } else {
        named::read_rows(&mut words, &mut header, 4..=8, warnings)
    };
    let mut at_heads = end.is_some_and(|word| word.is("HEADFRAMES"));
    while !at_heads && let Some(word) = words.next() {
        at_heads = word.is("HEADFRAMES");
        words.end(&word);
        if !at_heads {
            words.count_unknown(&word);
        }
    }
    let heads = read_heads(&mut words);
    words.finish(warnings);
    let entries = rows.into_iter().map(|row| row.quake_three(warnings)).collect();
    // The head's model begins with the first of its frames, whatever their numbers.
    let start = heads.first().map_or(0, |row| row.first);
    let head = |row: Row| -> Entry { Row { first: row.first.saturating_sub(start), ..row }.quake_three(warnings) };
    AnimationConfig {
        dialect: Dialect::Wolfenstein,
        entries,
        head_entries: heads.into_iter().map(head).collect(),
        skeletal: header.skeletal,
        fixed_legs: header.fixed_legs,
        fixed_torso: header.fixed_torso,
        ..AnimationConfig::default()
    }
}

fn skip_to_animations(words: &mut Words, header: &mut Header) {
    loop {
        let before = words.clone();
        let Some(word) = words.next() else { return };
        if word.is("STARTANIMS") {
            words.end(&word);
            return;
        }
        if word.is_any(&["ENDANIMS", "HEADFRAMES"]) {
            *words = before;
            return;
        }
        if header.read(&word, words) {
            words.end(&word);
            continue;
        }
        if number(&word).is_some() || words.numbers_ahead(word.line).1 >= 4 {
            *words = before;
            return;
        }
        words.count_unknown(&word);
        words.skip_numbers(3);
        words.end(&word);
    }
}

fn next_line(words: &Words) -> u32 {
    words.clone().next().map_or(0, |word| word.line)
}

fn read_heads(words: &mut Words) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut name = None;
    while rows.len() < MAX_CLIPS
        && let Some(word) = words.next()
    {
        let Some(first) = number(&word) else {
            if let Some(unused) = name.replace(word) {
                words.count_unknown(&unused);
            }
            continue;
        };
        let Some((_, count)) = words.next_number() else { break };
        let called = name.take().map_or_else(|| format!("HEAD_{}", rows.len()), |name| name_of(&name));
        if words.numbers_ahead(word.line).0 % 2 == 1 {
            words.skip_numbers(1);
        }
        words.end_called(|| called.clone());
        rows.push(Row::new(called, word.line, [first, count, count.abs(), HEAD_RATE]));
    }
    rows
}
