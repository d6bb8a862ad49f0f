//! Lines of OBJ and MTL files.

use std::io::BufRead as _;

use super::{FaceCorner, index_of};
use crate::bytes::utf8_or_latin1;
use crate::error::{FilePosition, LoadError, Reason};
use crate::text::{Token, plain_integer, plain_number};

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
    let mut left = bytes;
    let ends = std::iter::from_fn(move || {
        // Reading memory cannot fail.
        left.skip_until(b'\n').ok().filter(|length| *length > 0)
    });
    let spans = ends.scan(0, |start, length| Some((std::mem::replace(start, *start + length), length)));
    (1_u32..).zip(spans).filter_map(|(number, (start, length))| {
        let end = start + length;
        let text = bytes.get(start..end)?;
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii();
        let (word, rest) = cut(text);
        let is_empty = word.is_empty() || word.starts_with(b"#");
        (!is_empty).then(|| Line { word, rest: rest.trim_ascii_start(), number, start: start as u64, end: end as u64 })
    })
}

/// Returns the bytes up to the first space, and those from there.
fn cut(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len()))
}

/// Returns whether a word ends after `length` bytes.
fn is_end(text: &[u8], length: usize) -> bool {
    text.get(length).is_none_or(u8::is_ascii_whitespace)
}

impl<'a> Line<'a> {
    /// Returns the text after the first word.
    pub fn rest(&self) -> String {
        utf8_or_latin1(self.rest)
    }

    /// Returns the words after the first one, up to a comment.
    pub fn fields(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut left = self.rest;
        std::iter::from_fn(move || {
            let (word, rest) = cut(left.trim_ascii_start());
            left = rest;
            (!word.is_empty() && !word.starts_with(b"#")).then_some(word)
        })
    }

    pub fn position(&self) -> FilePosition {
        FilePosition::Line { line: self.number, column: 1 }
    }

    /// Returns the first `N` numbers of the line, of which `needed` must be present; others are 0.
    pub fn numbers<const N: usize>(&self, needed: usize) -> Result<[f32; N], LoadError> {
        let mut numbers = [0.0; N];
        let mut left = self.rest;
        for (index, number) in numbers.iter_mut().enumerate() {
            left = left.trim_ascii_start();
            if let Some((value, length)) = plain_number(left).filter(|(_, length)| is_end(left, *length)) {
                *number = value;
                left = left.get(length..).unwrap_or_default();
                continue;
            }
            let (field, rest) = cut(left);
            left = rest;
            if !field.is_empty() && !field.starts_with(b"#") {
                *number = self.token(field).number().ok_or_else(|| self.unexpected(field, "a number"))?;
            } else if index < needed {
                return Err(self.unexpected(b"", "a number"));
            } else {
                break;
            }
        }
        Ok(numbers)
    }

    /// Reads `v`, `v/vt`, `v//vn` or `v/vt/vn`. `counts` are the numbers of positions, texture coordinates and normals
    /// so far. `None` if the position does not exist.
    pub fn corner(&self, field: &'a [u8], counts: [usize; 3]) -> Result<Option<FaceCorner>, LoadError> {
        let mut indices = [None; 3];
        let mut left = field;
        for (index, count) in indices.iter_mut().zip(counts) {
            let length = match plain_integer(left) {
                Some((number, length)) if matches!(left.get(length), None | Some(b'/')) => {
                    *index = index_of(number, count);
                    length
                }
                _ => {
                    let length = left.iter().position(|byte| *byte == b'/').unwrap_or(left.len());
                    let part = left.get(..length).filter(|part| !part.is_empty());
                    let number =
                        part.map(|part| self.token(part).integer().ok_or_else(|| self.unexpected(field, "a corner")));
                    *index = number.transpose()?.and_then(|number| index_of(number, count));
                    length
                }
            };
            let Some(rest) = left.get(length + 1..) else { break };
            left = rest;
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
