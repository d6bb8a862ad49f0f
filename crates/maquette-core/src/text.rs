//! Lexer for text formats: MD5, `.skin`, `.shader`, `.mtr`, `animation.cfg`.
//!
//! A [`Lexer`] cuts bytes into borrowed [`Token`]s, so its memory does not grow with the file. Parsers follow their
//! grammar: *expect* a required word, *check* for an optional one, *parse* a value. Errors have line and column.
//!
//! - Words are UTF-8, or else Latin-1; all bytes up to the space, including NUL, are white space.
//! - `//` and `/* */` are comments. A number ends there, and in Quake III scripts every word does. Elsewhere a word may
//!   contain `//` (paths do).
//! - `"…"` is one token, without escape sequences.
//! - The [`Dialect`] defines which other characters are tokens, with or without space around them.

mod cursor;
mod decimal;
mod statements;

pub use cursor::Cursor;
pub(crate) use decimal::plain_number;
pub use statements::Statements;

use crate::bytes::utf8_or_latin1;
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings};

/// Maximum number of bytes that one call of [`Lexer::skip_plain_words`] skips.
const LONGEST_SKIP: usize = 256;

/// Returns the first `max` bytes of a text file, and warns if there are more.
pub fn readable<'a>(bytes: &'a [u8], max: usize, warnings: &mut Warnings) -> &'a [u8] {
    if bytes.len() > max {
        let message = format!("the file is longer than {max} bytes; the rest is skipped");
        warnings.add(WarningKind::LeftOut, "", message);
    }
    bytes.get(..max).unwrap_or(bytes)
}

/// Word, bracket, operator or quoted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Bytes without quotes.
    pub bytes: &'a [u8],
    /// Whether the token was quoted and so is never a keyword or a bracket.
    pub quoted: bool,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Token<'_> {
    /// Returns whether this is the unquoted word or bracket `word`, ignoring case.
    pub fn is(&self, word: &str) -> bool {
        !self.quoted && self.bytes.eq_ignore_ascii_case(word.as_bytes())
    }

    /// Returns whether this is one of `words`, as in [`Self::is`].
    pub fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// Returns the token as text.
    pub fn text(&self) -> String {
        utf8_or_latin1(self.bytes)
    }

    /// Returns the token as a float. The forms that C libraries write, such as `-1.#IND` and `-nan(ind)`, become NaN.
    pub fn number(&self) -> Option<f32> {
        if self.quoted {
            return None;
        }
        decimal::number(self.bytes).or_else(|| decimal::is_not_a_number(self.bytes).then_some(f32::NAN))
    }

    /// Returns the token as a whole number.
    pub fn integer(&self) -> Option<i64> {
        if self.quoted { None } else { decimal::integer(self.bytes) }
    }

    /// Returns line and column.
    pub fn position(&self) -> FilePosition {
        FilePosition::Line { line: self.line, column: self.column }
    }
}

/// Tokenisation rules of a format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The tokens `( ) { } , ;` (MD5 and most others).
    #[default]
    Plain,
    /// The tokens `{` and `}` only, because names may contain anything (Quake III scripts). A comment ends a word,
    /// because the game removes comments before it reads the words (ioquake3 `q_shared.c`, `COM_Compress`).
    Script,
    /// Brackets and the operators `+ - * / % < > = ! & |`, also in pairs (Doom 3 materials). Names may be paths, so a
    /// `/` between letters and a `-` within a path belong to them. `@` and a backtick are errors.
    Expressions,
    /// The tokens `{ } | =` (`MODELDEF`). A `;` begins a comment, and so do `#region` and `#endregion`. A word ends
    /// before a comment, and `\"` does not end a quoted text (GZDoom `sc_man_scanner.re`, "the classic Hexen scanner").
    Hexen,
    /// The tokens `{ } : ,`, for labels of numbers without space around them (`A:0`).
    Labels,
}

mod class {
    pub const BLANK: u8 = 1;
    pub const MARK: u8 = 2;
    pub const QUOTE: u8 = 4;
    pub const SLASH: u8 = 8;

    pub const fn table(mut marks: &[u8]) -> [u8; 256] {
        let mut classes = [0; 256];
        let mut blank = 0;
        while blank <= b' ' as usize {
            classes[blank] = BLANK;
            blank += 1;
        }
        classes[b'"' as usize] = QUOTE;
        classes[b'/' as usize] = SLASH;
        while let [mark, rest @ ..] = marks {
            classes[*mark as usize] = MARK;
            marks = rest;
        }
        classes
    }
}

impl Dialect {
    fn classes(self) -> &'static [u8; 256] {
        static PLAIN: [u8; 256] = class::table(b"(){},;");
        static SCRIPT: [u8; 256] = class::table(b"{}");
        static HEXEN: [u8; 256] = class::table(b"{}|=;");
        static LABELS: [u8; 256] = class::table(b"{}:,");
        match self {
            Self::Plain | Self::Expressions => &PLAIN,
            Self::Script => &SCRIPT,
            Self::Hexen => &HEXEN,
            Self::Labels => &LABELS,
        }
    }

    /// Returns whether a comment up to the end of the line begins here.
    fn is_line_comment(self, rest: &[u8]) -> bool {
        let starts = |word: &[u8]| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        rest.starts_with(b"//")
            || self == Self::Hexen && (rest.starts_with(b";") || starts(b"#region") || starts(b"#endregion"))
    }

    /// Returns the length of a quoted text, without the quotation marks.
    fn quoted_length(self, after: &[u8]) -> Option<usize> {
        let is_escaped = |at: usize| self == Self::Hexen && at > 0 && after.get(at - 1) == Some(&b'\\');
        after.iter().enumerate().position(|(at, byte)| *byte == b'"' && !is_escaped(at))
    }

    fn token_length(self, rest: &[u8]) -> usize {
        match self {
            Self::Plain => word_length(rest, self.classes(), false),
            Self::Script | Self::Hexen | Self::Labels => word_length(rest, self.classes(), true),
            Self::Expressions => name_or_operator_length(rest),
        }
    }
}

fn word_length(rest: &[u8], classes: &[u8; 256], ends_at_comments: bool) -> usize {
    let class = |byte: &u8| classes[usize::from(*byte)];
    let Some(first) = rest.first() else { return 0 };
    if class(first) == class::MARK {
        return 1;
    }
    let is_number = first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.');
    let mut length = 0;
    while let Some(after) = rest.get(length..) {
        length += after.iter().position(|byte| class(byte) != 0).unwrap_or(after.len());
        let is_comment = || (is_number || ends_at_comments) && matches!(rest.get(length + 1), Some(b'/' | b'*'));
        if rest.get(length) != Some(&b'/') || is_comment() {
            break;
        }
        length += 1;
    }
    length
}

fn name_or_operator_length(rest: &[u8]) -> usize {
    let Some(first) = rest.first().copied() else { return 0 };
    let after = rest.get(1).copied();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte > 0x7f || b"_$#~:.\\".contains(&byte);
    let length_while = |wanted: &mut dyn FnMut(usize, u8) -> bool| {
        rest.iter().enumerate().position(|(index, byte)| !wanted(index, *byte)).unwrap_or(rest.len())
    };
    if first.is_ascii_digit() || first == b'.' && after.is_some_and(|byte| byte.is_ascii_digit()) {
        let mut before = first;
        length_while(&mut |_, byte| {
            let signed = matches!(before, b'e' | b'E') && matches!(byte, b'+' | b'-');
            before = byte;
            signed || byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')
        })
    } else if is_name(first) || first == b'/' && after.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_') {
        let mut is_path = false;
        length_while(&mut |index, byte| {
            let goes_on = rest.get(index + 1).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_');
            is_path |= matches!(byte, b'/' | b'\\');
            is_name(byte) || byte == b'/' && goes_on || byte == b'-' && is_path && goes_on
        })
    } else {
        let is_pair =
            matches!((first, after), (b'<' | b'>' | b'=' | b'!', Some(b'=')) | (b'&', Some(b'&')) | (b'|', Some(b'|')));
        1 + usize::from(is_pair)
    }
}

/// Tokeniser of a text file. Copies are cheap and serve to return to a position.
#[derive(Clone, Copy, Debug)]
pub struct Lexer<'a> {
    format: &'static str,
    dialect: Dialect,
    cursor: Cursor<'a>,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer at the start of `bytes`. `format` is the short name for messages. A byte-order mark is skipped.
    #[must_use]
    pub fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        Self::with(format, Dialect::Plain, bytes)
    }

    /// Like [`Self::new`], for a `dialect`.
    #[must_use]
    pub fn with(format: &'static str, dialect: Dialect, bytes: &'a [u8]) -> Self {
        Self::resumed(format, dialect, bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), 1)
    }

    /// Returns the lexer with other rules for the tokens that follow.
    #[must_use]
    pub fn in_dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    /// Returns the remaining bytes and their line, for [`Self::resumed`].
    pub fn rest(&self) -> (&'a [u8], u32) {
        (self.cursor.rest(), self.cursor.line())
    }

    /// Creates a lexer for bytes that begin on `line` of their file.
    #[must_use]
    pub fn resumed(format: &'static str, dialect: Dialect, bytes: &'a [u8], line: u32) -> Self {
        Self { format, dialect, cursor: Cursor::new(bytes, line) }
    }

    /// Returns the tokens that follow `token` on its line, without advancing.
    pub fn rest_of_line(&self, token: &Token) -> Result<Vec<Token<'a>>, LoadError> {
        let mut copy = *self;
        let mut tokens = Vec::new();
        while let Some(next) = copy.peek()?.filter(|next| next.line == token.line) {
            // A bracket ends a directive on its line.
            if next.is_any(&["{", "}"]) {
                break;
            }
            tokens.push(next);
            copy.next()?;
        }
        Ok(tokens)
    }

    /// Skips the tokens that [`Self::rest_of_line`] returns.
    pub fn skip_line(&mut self, token: &Token) -> Result<(), LoadError> {
        while self.peek()?.is_some_and(|next| next.line == token.line && !next.is_any(&["{", "}"])) {
            self.next()?;
        }
        Ok(())
    }

    /// Skips the bytes up to the end of the line.
    pub fn skip_rest_of_line(&mut self) {
        let rest = self.cursor.rest();
        self.cursor.skip(rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len()));
    }

    /// Returns the current line and column.
    pub fn position(&self) -> FilePosition {
        FilePosition::Line { line: self.cursor.line(), column: self.cursor.column() }
    }

    /// Returns an error about `field` at the current position.
    pub fn error(&self, field: &str, reason: Reason) -> LoadError {
        LoadError::new(self.format, field, self.position(), reason)
    }

    /// Returns an error about `field` at `token`.
    pub fn error_at(&self, token: &Token, field: &str, reason: Reason) -> LoadError {
        LoadError::new(self.format, field, token.position(), reason)
    }

    fn skip_blank(&mut self) -> Result<(), LoadError> {
        loop {
            self.cursor.skip_blank();
            if !matches!(self.cursor.here(), Some(b'/' | b';' | b'#')) {
                return Ok(());
            }
            let rest = self.cursor.rest();
            if self.dialect.is_line_comment(rest) {
                self.skip_rest_of_line();
            } else if rest.starts_with(b"/*") {
                match rest.windows(2).skip(2).position(|two| two == b"*/") {
                    Some(length) => self.cursor.advance(length + 4),
                    None => return Err(self.unclosed("unclosed comment")),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn unclosed(&mut self, why: &str) -> LoadError {
        let error = self.error("", Reason::Broken(why.to_owned()));
        self.cursor.advance(self.cursor.rest().len());
        error
    }

    /// Returns the next token, or `None` at the end of the file.
    #[allow(clippy::should_implement_trait, reason = "the function can fail, and a parser needs no iterator")]
    pub fn next(&mut self) -> Result<Option<Token<'a>>, LoadError> {
        self.skip_blank()?;
        let rest = self.cursor.rest();
        let (line, column) = (self.cursor.line(), self.cursor.column());
        let (quoted, bytes) = match rest.split_first() {
            None => return Ok(None),
            Some((b'"', after)) => {
                let Some(length) = self.dialect.quoted_length(after) else {
                    return Err(self.unclosed("unclosed quoted text"));
                };
                self.cursor.advance(length + 2);
                (true, after.get(..length))
            }
            Some(_) => {
                let length = self.dialect.token_length(rest);
                if self.dialect == Dialect::Expressions && matches!(rest.first(), Some(b'@' | b'`')) {
                    return Err(self.unclosed("the game stops reading the file at “@” and “`”"));
                }
                self.cursor.skip(length);
                (false, rest.get(..length))
            }
        };
        Ok(Some(Token { bytes: bytes.unwrap_or_default(), quoted, line, column }))
    }

    /// Returns the next token without advancing.
    pub fn peek(&self) -> Result<Option<Token<'a>>, LoadError> {
        let mut copy = *self;
        copy.next()
    }

    /// Like [`Self::check`], without reading a token. Returns `None` if a token must be read: `word` is not a mark, or
    /// a comment or a quote follows.
    #[inline]
    fn take_mark(&mut self, word: &str) -> Option<bool> {
        let [mark] = word.as_bytes() else { return None };
        let mut cursor = self.cursor;
        cursor.skip_blank();
        match cursor.here() {
            _ if self.dialect.classes()[usize::from(*mark)] != class::MARK => None,
            Some(b'"' | b'/') => None,
            Some(b';' | b'#') if self.dialect == Dialect::Hexen => None,
            Some(here) if here == *mark => {
                cursor.skip(1);
                self.cursor = cursor;
                Some(true)
            }
            _ => Some(false),
        }
    }

    /// Reads `word` if it comes next, and returns whether it did.
    #[inline]
    pub fn check(&mut self, word: &str) -> Result<bool, LoadError> {
        self.take_mark(word).map_or_else(|| self.check_token(word), Ok)
    }

    fn check_token(&mut self, word: &str) -> Result<bool, LoadError> {
        let mut copy = *self;
        let found = copy.next()?.is_some_and(|token| token.is(word));
        if found {
            *self = copy;
        }
        Ok(found)
    }

    /// Reads `word`, which must come next. `field` is the name for errors.
    pub fn expect(&mut self, word: &str, field: &str) -> Result<(), LoadError> {
        if self.take_mark(word) == Some(true) {
            return Ok(());
        }
        let before = *self;
        match self.next()? {
            Some(token) if token.is(word) => Ok(()),
            other => Err(before.unexpected(other, field, &format!("“{word}”"))),
        }
    }

    /// Reads `label` and a colon if both come next without anything between them, and returns whether they did.
    #[inline]
    pub fn take_label(&mut self, label: &str) -> bool {
        let mut cursor = self.cursor;
        cursor.skip_blank();
        let after = cursor.rest().strip_prefix(label.as_bytes()).filter(|_| self.dialect == Dialect::Labels);
        let is_label = after.is_some_and(|after| after.starts_with(b":"));
        if is_label {
            cursor.skip(label.len() + 1);
            self.cursor = cursor;
        }
        is_label
    }

    /// Skips words of letters and digits, and labels, up to another word or the end of the line.
    pub fn skip_plain_words(&mut self) {
        let rest = self.cursor.rest();
        // In a long run without blanks, each token would scan the rest again.
        let rest = rest.get(..LONGEST_SKIP).unwrap_or(rest);
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" \t:,.-+".contains(byte);
        let plain = rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
        // The last word may continue.
        let ends = |byte: &u8| matches!(byte, b' ' | b'\t');
        let last = rest.get(..plain).and_then(|plain| plain.iter().rposition(ends));
        self.cursor.skip(last.map_or(0, |last| last + 1));
    }

    #[inline]
    fn take_plain<T>(&mut self, plain: impl Fn(&[u8]) -> Option<(T, usize)>) -> Option<T> {
        // In this dialect a sign may be an operator, so use tokens.
        if self.dialect == Dialect::Expressions {
            return None;
        }
        let mut cursor = self.cursor;
        cursor.skip_blank();
        let (number, length) = plain(cursor.rest())?;
        cursor.skip(length + decimal::payload(cursor.rest(), length));
        let ends =
            |byte: u8| self.dialect.classes()[usize::from(byte)] & (class::BLANK | class::MARK | class::QUOTE) != 0;
        if cursor.here().is_some_and(|byte| !ends(byte)) {
            return None;
        }
        self.cursor = cursor;
        Some(number)
    }

    /// Returns the error for finding `found` (`None` at the end of the file) instead of `wanted`.
    pub fn unexpected(&self, found: Option<Token>, field: &str, wanted: &str) -> LoadError {
        let reason = |found: String| Reason::Expected { wanted: wanted.to_owned(), found };
        match found {
            Some(token) => self.error_at(&token, field, reason(format!("“{}”", printable(token.bytes)))),
            None => self.error(field, reason("the end of the file".to_owned())),
        }
    }

    /// Reads a token, quoted or not, as text.
    pub fn parse_text(&mut self, field: &str) -> Result<String, LoadError> {
        let before = *self;
        match self.next()? {
            Some(token) if token.quoted || !matches!(token.bytes, [b'(' | b')' | b'{' | b'}' | b',' | b';']) => {
                Ok(token.text())
            }
            other => Err(before.unexpected(other, field, "a text")),
        }
    }

    /// Reads a whole number if one comes next in plain form: digits after an optional minus.
    pub fn take_integer(&mut self) -> Option<i64> {
        self.take_plain(decimal::plain_integer)
    }

    /// Reads a whole number.
    pub fn parse_integer(&mut self, field: &str) -> Result<i64, LoadError> {
        if let Some(integer) = self.take_integer() {
            return Ok(integer);
        }
        let before = *self;
        let token = self.next()?;
        token.and_then(|token| token.integer()).ok_or_else(|| before.unexpected(token, field, "a whole number"))
    }

    /// Reads an index of one of `count` elements.
    pub fn parse_index(&mut self, field: &str, count: usize) -> Result<u32, LoadError> {
        let mut before = *self;
        let index = self.parse_integer(field)?;
        u32::try_from(index).ok().filter(|index| (*index as usize) < count).ok_or_else(|| {
            let why = format!("the index is {index}, but there are {count}");
            let _ = before.skip_blank();
            before.error(field, Reason::Broken(why))
        })
    }

    /// Reads a whole number from 0 to `max`.
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

    /// Reads a number, which may be infinite or NaN.
    pub fn parse_number(&mut self, field: &str) -> Result<f32, LoadError> {
        if let Some(number) = self.take_plain(decimal::plain_number) {
            return Ok(number);
        }
        let before = *self;
        let token = self.next()?;
        token.and_then(|token| token.number()).ok_or_else(|| before.unexpected(token, field, "a number"))
    }

    /// Reads `N` numbers in round brackets.
    pub fn parse_vector<const N: usize>(&mut self, field: &str) -> Result<[f32; N], LoadError> {
        self.expect("(", field)?;
        let mut vector = [0.0; N];
        for number in &mut vector {
            *number = self.parse_number(field)?;
        }
        self.expect(")", field)?;
        Ok(vector)
    }

    /// Skips the rest of a block after its `{`, including nested blocks and the closing `}`.
    pub fn skip_block(&mut self, field: &str) -> Result<(), LoadError> {
        let before = *self;
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next()? {
                Some(token) if token.is("{") => depth = depth.saturating_add(1),
                Some(token) if token.is("}") => depth = depth.saturating_sub(1),
                Some(_) => {}
                None => {
                    return Err(before.error(field, Reason::Broken("unclosed block".to_owned())));
                }
            }
        }
        Ok(())
    }
}

/// Returns the first 40 bytes of a text for a message.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let mut text: String = utf8_or_latin1(bytes.get(..40).unwrap_or(bytes))
        .chars()
        .map(|c| if c.is_control() { '·' } else { c })
        .collect();
    if bytes.len() > 40 {
        text.push('…');
    }
    text
}
