//! Lexer of `animation.cfg`: line ends, commas and usually brackets are ignored.

use crate::error::{LoadError, WarningKind, Warnings};
use crate::text::{Lexer, Statements, Token};

/// Maximum lookahead in numbers; more than any keyword has.
const AHEAD: usize = 9;
const NUMBER_LENGTH: usize = 40;
/// Maximum bytes kept of a name; the games keep 64.
const NAME_LENGTH: usize = 128;

/// Word reader. An unclosed comment or quote ends the words; [`Self::finish`] reports it.
#[derive(Clone)]
pub(super) struct Words<'a> {
    lexer: Lexer<'a>,
    broken: Option<LoadError>,
    unknown: Option<(Token<'a>, usize)>,
    keeps_braces: bool,
    statements: Option<&'a Statements<'a>>,
}

impl<'a> Words<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let lexer = Lexer::new("animation.cfg", bytes);
        Self { lexer, broken: None, unknown: None, keeps_braces: false, statements: None }
    }

    pub fn with_braces(bytes: &'a [u8]) -> Self {
        Self { lexer: Lexer::new("anim", bytes), keeps_braces: true, ..Self::new(bytes) }
    }

    pub fn noted(self, statements: &'a Statements<'a>) -> Self {
        Self { statements: Some(statements), ..self }
    }

    pub fn end(&self, word: &Token) {
        self.end_called(|| name_of(word));
    }

    pub fn end_called(&self, name: impl FnOnce() -> String) {
        if let Some(statements) = self.statements {
            statements.end_called(&self.lexer, name);
        }
    }

    pub fn next(&mut self) -> Option<Token<'a>> {
        while self.broken.is_none() {
            match self.lexer.next() {
                Ok(Some(token)) if self.keeps_braces && token.is_any(&["{", "}"]) => return Some(token),
                Ok(Some(token)) if !is_punctuation(&token) => return Some(token),
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) => self.broken = Some(error),
            }
        }
        None
    }

    pub fn next_number(&mut self) -> Option<(Token<'a>, f64)> {
        let before = self.lexer;
        let was_broken = self.broken.is_some();
        match self.next().and_then(|token| number(&token).map(|number| (token, number))) {
            Some(found) => Some(found),
            None => {
                self.lexer = before;
                if !was_broken {
                    // The error occurs again, and is reported, when the word is read.
                    self.broken = None;
                }
                None
            }
        }
    }

    pub fn fault(mut self) -> Option<LoadError> {
        while self.next().is_some() {}
        self.broken
    }

    pub fn numbers_ahead(&self, line: u32) -> (usize, usize) {
        let mut words = Self { lexer: self.lexer, broken: None, unknown: None, statements: None, ..*self };
        let (mut on_line, mut all) = (0, 0);
        while let Some((token, _)) = words.next_number() {
            on_line += usize::from(token.line == line);
            all += 1;
            if all >= AHEAD {
                break;
            }
        }
        (on_line, all)
    }

    pub fn skip_numbers(&mut self, count: usize) {
        for _ in 0..count {
            self.next_number();
        }
    }

    pub fn take_numbers(&mut self) -> ([f64; 4], usize) {
        let (mut numbers, mut count) = ([0.0; 4], 0);
        while let Some((_, number)) = self.next_number() {
            if let Some(slot) = numbers.get_mut(count) {
                *slot = number;
            }
            count += 1;
        }
        (numbers, count)
    }

    pub fn count_unknown(&mut self, word: &Token<'a>) {
        let (_, count) = self.unknown.get_or_insert((*word, 0));
        *count += 1;
    }

    pub fn finish(self, warnings: &mut Warnings) {
        if let (Some(statements), None) = (self.statements, &self.broken) {
            statements.finish();
        }
        if let Some((word, count)) = self.unknown {
            let others = match count {
                1 => "is unknown;".to_owned(),
                2 => "and 1 other word are unknown;".to_owned(),
                _ => format!("and {} other words are unknown;", count - 1),
            };
            warnings.add_line(WarningKind::LeftOut, word.line, format!("“{}” {others} skipped", name_of(&word)));
        }
        if let Some(error) = self.broken {
            warnings.add_rest(&error);
        }
    }
}

pub(super) fn name_of(word: &Token) -> String {
    let mut name = word.text();
    name.truncate(name.floor_char_boundary(NAME_LENGTH));
    name
}

fn is_punctuation(token: &Token) -> bool {
    !token.quoted && matches!(token.bytes, [b'(' | b')' | b'{' | b'}' | b',' | b';'])
}

/// Parses the number at the start of a word and ignores the rest (`20fps`), as C does.
pub(super) fn number(token: &Token) -> Option<f64> {
    if !matches!(token.bytes.first(), Some(b'0'..=b'9' | b'+' | b'-' | b'.')) {
        return None;
    }
    let of_number = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let length = token.bytes.iter().take(NUMBER_LENGTH).take_while(of_number).count();
    let prefixes = (1..=length).rev().filter_map(|length| std::str::from_utf8(token.bytes.get(..length)?).ok());
    prefixes.filter_map(|text| text.parse().ok()).next()
}
