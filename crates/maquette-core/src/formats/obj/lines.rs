//! Lines of OBJ and MTL files.

use super::{FaceCorner, index_of};
use crate::bytes::utf8_or_latin1;
use crate::error::{FilePosition, LoadError, Reason};
use crate::text::Token;

/// Line with its first word. Comments and empty lines are left out.
pub(super) struct Line<'a> {
    pub word: &'a [u8],
    /// Text after the first word, without space at its ends.
    pub rest: &'a [u8],
    number: u32,
    /// Bytes of the file before the line, and up to its end.
    pub start: u64,
    pub end: u64,
}

/// Returns the lines of a file that have a word.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0_u64;
    let lines = (1_u32..).zip(bytes.split_inclusive(|byte| *byte == b'\n'));
    lines.filter_map(move |(number, text)| {
        let from = start;
        start += text.len() as u64;
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii();
        let blank = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(blank);
        (!word.is_empty() && !word.starts_with(b"#")).then(|| Line {
            word,
            rest: rest.trim_ascii(),
            number,
            start: from,
            end: start,
        })
    })
}

impl<'a> Line<'a> {
    /// Returns the text after the first word.
    pub fn rest(&self) -> String {
        utf8_or_latin1(self.rest)
    }

    /// Returns the words after the first one, up to a comment.
    pub fn fields(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let words = self.rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.take_while(|word| !word.starts_with(b"#"))
    }

    pub fn position(&self) -> FilePosition {
        FilePosition::Line { line: self.number, column: 1 }
    }

    /// Returns the first `N` numbers of the line, of which `needed` must be present; others are 0.
    pub fn numbers<const N: usize>(&self, needed: usize) -> Result<[f32; N], LoadError> {
        let mut numbers = [0.0; N];
        let mut fields = self.fields();
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = match fields.next() {
                Some(field) => self.token(field).number().ok_or_else(|| self.unexpected(field, "a number"))?,
                None if index < needed => return Err(self.unexpected(b"", "a number")),
                None => 0.0,
            };
        }
        Ok(numbers)
    }

    /// Reads `v`, `v/vt`, `v//vn` or `v/vt/vn`. `counts` are the numbers of positions, texture coordinates and normals so
    /// far. `None` if the position does not exist.
    pub fn corner(&self, field: &'a [u8], counts: [usize; 3]) -> Result<Option<FaceCorner>, LoadError> {
        let mut indices = [None; 3];
        for ((index, part), count) in indices.iter_mut().zip(field.split(|byte| *byte == b'/')).zip(counts) {
            if part.is_empty() {
                continue;
            }
            let number = self.token(part).integer().ok_or_else(|| self.unexpected(field, "a corner"))?;
            *index = index_of(number, count);
        }
        let [position, uv, normal] = indices;
        Ok(position.map(|position| FaceCorner { position, uv, normal }))
    }

    fn token(&self, bytes: &'a [u8]) -> Token<'a> {
        Token { bytes, quoted: false, line: self.number, column: 1 }
    }

    fn unexpected(&self, found: &[u8], wanted: &str) -> LoadError {
        let found = if found.is_empty() {
            "the end of the line".to_owned()
        } else {
            format!("“{}”", utf8_or_latin1(found))
        };
        let reason = Reason::Expected { wanted: wanted.to_owned(), found };
        LoadError::new("obj", utf8_or_latin1(self.word), self.position(), reason)
    }
}
