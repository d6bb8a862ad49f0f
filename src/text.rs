//! The one reader of text formats: MD5, `.skin`, `.shader`, `.mtr`, `animation.cfg`.
//!
//! A [`Lexer`] cuts bytes into [`Token`]s and borrows them: its memory does not grow with the file. Parsers read like
//! their grammar: *expect* a word that must come, *check* for one that may, *parse* a value. Errors know line and column.
//!
//! - Bytes are Latin-1, a character each; everything up to the blank, NUL included, is white space.
//! - `//` and `/* */` are comments. A word may hold a `//` within (paths do), a number ends there.
//! - `"…"` is one token, there are no escape characters.
//! - What else is a token by itself, with or without blanks around it, the [`Dialect`] says.

#![forbid(unsafe_code)]

mod statements;

pub use statements::Statements;

use crate::bytes::latin1;
use crate::error::{LoadError, Place, Reason};

/// Bytes that are read of a text beside a model (clips, skins, definitions): one more than any grammar takes, so that each
/// can say that there is more.
pub const LONGEST_TEXT: u64 = (1 << 24) + 1;

/// A piece of text between white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its bytes, without quotes.
    pub bytes: &'a [u8],
    /// Whether it stood in quotes; it is then never a keyword or a bracket.
    pub quoted: bool,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Token<'_> {
    /// Whether this is the unquoted word or bracket `word`, in any case.
    #[must_use]
    pub fn is(&self, word: &str) -> bool {
        !self.quoted && self.bytes.eq_ignore_ascii_case(word.as_bytes())
    }

    /// Whether this is one of `words`, as in [`Self::is`].
    #[must_use]
    pub fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// As text.
    #[must_use]
    pub fn text(&self) -> String {
        latin1(self.bytes)
    }

    /// As a floating-point number; the forms `1.#INF` and `-1.#IND` of old C libraries are not a number (NaN).
    #[must_use]
    pub fn number(&self) -> Option<f32> {
        if self.quoted {
            return None;
        }
        let text = std::str::from_utf8(self.bytes).ok()?;
        text.parse()
            .ok()
            .or_else(|| text.split_once(".#").and_then(|(whole, _)| whole.parse::<i8>().ok()).map(|_| f32::NAN))
    }

    /// As a whole number.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        if self.quoted { None } else { std::str::from_utf8(self.bytes).ok()?.parse().ok() }
    }

    /// Line and column.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::Line { line: self.line, column: self.column }
    }
}

/// How a format cuts its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `( ) { } , ;` are tokens by themselves (MD5 and most others).
    #[default]
    Plain,
    /// `{` and `}` alone are, for names may hold anything (Quake III's scripts).
    Script,
    /// Besides brackets, operators are: `+ - * / % < > = ! & |`, also in pairs (Doom 3's materials). Names may be paths:
    /// a `/` between letters belongs to them, as does a `-` within a path.
    Expressions,
}

/// Cuts a text file into tokens. Cheap to copy: a copy is a place to come back to.
#[derive(Clone, Copy, Debug)]
pub struct Lexer<'a> {
    format: &'static str,
    dialect: Dialect,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    column: u32,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of `bytes`, which messages call by the short name `format`. A byte-order mark is skipped.
    #[must_use]
    pub fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        Self::with(format, Dialect::Plain, bytes)
    }

    /// The same in a `dialect`.
    #[must_use]
    pub fn with(format: &'static str, dialect: Dialect, bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { format, dialect, bytes, at: 0, line: 1, column: 1 }
    }

    /// What is left, and the line it begins on: enough to come back to it with [`Self::resumed`].
    #[must_use]
    pub fn rest(&self) -> (&'a [u8], u32) {
        (self.bytes.get(self.at..).unwrap_or_default(), self.line)
    }

    /// The same lexer at the start of other bytes, which begin on `line` of their file.
    #[must_use]
    pub fn resumed(format: &'static str, dialect: Dialect, bytes: &'a [u8], line: u32) -> Self {
        Self { format, dialect, bytes, at: 0, line, column: 1 }
    }

    /// The rest of the line that `token` stands on: what else stands there, without comments. Nothing is taken.
    pub fn rest_of_line(&self, token: &Token) -> Result<Vec<Token<'a>>, LoadError> {
        let mut copy = *self;
        let mut tokens = Vec::new();
        while let Some(next) = copy.peek()?.filter(|next| next.line == token.line) {
            // A bracket ends a directive that stands before it on the line.
            if next.is_any(&["{", "}"]) {
                break;
            }
            tokens.push(next);
            copy.next()?;
        }
        Ok(tokens)
    }

    /// Over what [`Self::rest_of_line`] gives.
    pub fn skip_line(&mut self, token: &Token) -> Result<(), LoadError> {
        while self.peek()?.is_some_and(|next| next.line == token.line && !next.is_any(&["{", "}"])) {
            self.next()?;
        }
        Ok(())
    }

    /// Line and column of what comes next.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::Line { line: self.line, column: self.column }
    }

    /// An error about `field` at the current place.
    #[must_use]
    pub fn error(&self, field: &str, reason: Reason) -> LoadError {
        LoadError::new(self.format, field, self.place(), reason)
    }

    /// An error about `field` at `token`.
    #[must_use]
    pub fn error_at(&self, token: &Token, field: &str, reason: Reason) -> LoadError {
        LoadError::new(self.format, field, token.place(), reason)
    }

    fn here(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn after(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    /// One byte on; a line ends at LF, at CR LF, or at a lone CR.
    fn step(&mut self) {
        match self.here() {
            Some(b'\n') => self.new_line(),
            Some(b'\r') if self.after() != Some(b'\n') => self.new_line(),
            _ => self.column = self.column.saturating_add(1),
        }
        self.at = self.at.saturating_add(1).min(self.bytes.len());
    }

    fn new_line(&mut self) {
        self.line = self.line.saturating_add(1);
        self.column = 1;
    }

    fn step_while(&mut self, mut wanted: impl FnMut(&Self, u8) -> bool) {
        while let Some(byte) = self.here() {
            if !wanted(self, byte) {
                break;
            }
            self.step();
        }
    }

    /// Over white space and comments.
    fn skip_blank(&mut self) -> Result<(), LoadError> {
        loop {
            match (self.here(), self.after()) {
                (Some(byte), _) if byte <= b' ' => self.step_while(|_, byte| byte <= b' '),
                (Some(b'/'), Some(b'/')) => self.step_while(|_, byte| byte != b'\n' && byte != b'\r'),
                (Some(b'/'), Some(b'*')) => {
                    let start = *self;
                    self.step();
                    self.step();
                    self.step_while(|lexer, byte| !(byte == b'*' && lexer.after() == Some(b'/')));
                    if self.here().is_none() {
                        return Err(
                            start.error("", Reason::Broken("a comment begins here that does not end".to_owned()))
                        );
                    }
                    self.step();
                    self.step();
                }
                _ => return Ok(()),
            }
        }
    }

    /// The next token, or none at the end of the file.
    #[allow(clippy::should_implement_trait, reason = "it can fail, and an iterator is not what a grammar needs")]
    pub fn next(&mut self) -> Result<Option<Token<'a>>, LoadError> {
        self.skip_blank()?;
        let start = *self;
        let token = |lexer: &Self, from: usize, to: usize, quoted: bool| Token {
            bytes: lexer.bytes.get(from..to).unwrap_or_default(),
            quoted,
            line: start.line,
            column: start.column,
        };
        match self.here() {
            None => Ok(None),
            Some(b'"') => {
                self.step();
                let from = self.at;
                self.step_while(|_, byte| byte != b'"');
                let to = self.at;
                if self.here().is_none() {
                    return Err(
                        start.error("", Reason::Broken("a quoted text begins here that does not end".to_owned()))
                    );
                }
                self.step();
                Ok(Some(token(self, from, to, true)))
            }
            Some(first) => {
                match self.dialect {
                    Dialect::Plain => self.take_word(first, b"(){},;"),
                    Dialect::Script => self.take_word(first, b"{}"),
                    Dialect::Expressions => self.take_name_or_operator(first),
                }
                Ok(Some(token(self, start.at, self.at, false)))
            }
        }
    }

    /// One of `marks`, or all up to the next mark, quote or blank.
    fn take_word(&mut self, first: u8, marks: &[u8]) {
        if marks.contains(&first) {
            return self.step();
        }
        let numeric = first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.');
        self.step_while(|lexer, byte| {
            let comment = byte == b'/' && matches!(lexer.after(), Some(b'/' | b'*'));
            byte > b' ' && !marks.contains(&byte) && byte != b'"' && !(numeric && comment)
        });
    }

    /// A number, a name or path, or an operator of one or two characters.
    fn take_name_or_operator(&mut self, first: u8) {
        let after = self.after();
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte > 0x7f || b"_$#~:.\\".contains(&byte);
        if first.is_ascii_digit() || first == b'.' && after.is_some_and(|byte| byte.is_ascii_digit()) {
            let mut before = first;
            self.step_while(|_, byte| {
                let signed = matches!(before, b'e' | b'E') && matches!(byte, b'+' | b'-');
                before = byte;
                signed || byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')
            });
        } else if is_name(first)
            || first == b'/' && after.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        {
            let mut is_path = false;
            self.step_while(|lexer, byte| {
                let goes_on = lexer.after().is_some_and(|next| next.is_ascii_alphanumeric() || next == b'_');
                is_path |= matches!(byte, b'/' | b'\\');
                is_name(byte) || byte == b'/' && goes_on || byte == b'-' && is_path && goes_on
            });
        } else {
            self.step();
            let pairs = matches!(
                (first, after),
                (b'<' | b'>' | b'=' | b'!', Some(b'=')) | (b'&', Some(b'&')) | (b'|', Some(b'|'))
            );
            if pairs {
                self.step();
            }
        }
    }

    /// The next token without taking it.
    pub fn peek(&self) -> Result<Option<Token<'a>>, LoadError> {
        let mut copy = *self;
        copy.next()
    }

    /// Takes the next token if it is `word`, and tells whether it was.
    pub fn check(&mut self, word: &str) -> Result<bool, LoadError> {
        let mut copy = *self;
        let found = copy.next()?.is_some_and(|token| token.is(word));
        if found {
            *self = copy;
        }
        Ok(found)
    }

    /// Takes `word`, which must come next; `field` is what it belongs to.
    pub fn expect(&mut self, word: &str, field: &str) -> Result<(), LoadError> {
        let before = *self;
        match self.next()? {
            Some(token) if token.is(word) => Ok(()),
            other => Err(before.unexpected(other, field, &format!("“{word}”"))),
        }
    }

    /// The error that `found` (none: the end of the file) stands where `wanted` should.
    #[must_use]
    pub fn unexpected(&self, found: Option<Token>, field: &str, wanted: &str) -> LoadError {
        let reason = |found: String| Reason::Expected { wanted: wanted.to_owned(), found };
        match found {
            Some(token) => self.error_at(&token, field, reason(format!("“{}”", printable(token.bytes)))),
            None => self.error(field, reason("the end of the file".to_owned())),
        }
    }

    /// Any token, quoted or not, as text.
    pub fn parse_text(&mut self, field: &str) -> Result<String, LoadError> {
        let before = *self;
        match self.next()? {
            Some(token) if token.quoted || !matches!(token.bytes, [b'(' | b')' | b'{' | b'}' | b',' | b';']) => {
                Ok(token.text())
            }
            other => Err(before.unexpected(other, field, "a text")),
        }
    }

    /// A whole number.
    pub fn parse_integer(&mut self, field: &str) -> Result<i64, LoadError> {
        let before = *self;
        let token = self.next()?;
        token.and_then(|token| token.integer()).ok_or_else(|| before.unexpected(token, field, "a whole number"))
    }

    /// A count: a whole number from 0 to `max`.
    pub fn parse_count(&mut self, field: &str, max: u32) -> Result<u32, LoadError> {
        let before = *self;
        let count = self.parse_integer(field)?;
        match u32::try_from(count) {
            Ok(small) if small <= max => Ok(small),
            _ => {
                let reason = Reason::CountOutOfRange { count, max: max.into() };
                Err(before.peek()?.map_or_else(
                    || before.error(field, reason.clone()),
                    |at| before.error_at(&at, field, reason.clone()),
                ))
            }
        }
    }

    /// A number, which may be infinite or not a number.
    pub fn parse_number(&mut self, field: &str) -> Result<f32, LoadError> {
        let before = *self;
        let token = self.next()?;
        token.and_then(|token| token.number()).ok_or_else(|| before.unexpected(token, field, "a number"))
    }

    /// `N` numbers in round brackets.
    pub fn parse_vector<const N: usize>(&mut self, field: &str) -> Result<[f32; N], LoadError> {
        self.expect("(", field)?;
        let mut vector = [0.0; N];
        for number in &mut vector {
            *number = self.parse_number(field)?;
        }
        self.expect(")", field)?;
        Ok(vector)
    }

    /// Over the rest of a block whose `{` has been taken, to after its `}`. Nested blocks are counted, not descended into.
    pub fn skip_block(&mut self, field: &str) -> Result<(), LoadError> {
        let before = *self;
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next()? {
                Some(token) if token.is("{") => depth = depth.saturating_add(1),
                Some(token) if token.is("}") => depth = depth.saturating_sub(1),
                Some(_) => {}
                None => {
                    return Err(before.error(field, Reason::Broken("a block begins here that does not end".to_owned())));
                }
            }
        }
        Ok(())
    }
}

/// The first characters of a token, fit for a message.
fn printable(bytes: &[u8]) -> String {
    let mut text: String =
        latin1(bytes.get(..40).unwrap_or(bytes)).chars().map(|c| if c.is_control() { '·' } else { c }).collect();
    if bytes.len() > 40 {
        text.push('…');
    }
    text
}
