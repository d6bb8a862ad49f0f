//! Lines of words and numbers: OBJ and MTL files.

use std::io::BufRead as _;

use crate::bytes::utf8_or_latin1;
use crate::error::{FilePosition, LoadError, Reason};
use crate::text::{Token, plain_number, printable};

/// Position in a line, after its first word.
pub(super) struct Line<'a> {
    /// First word.
    pub word: &'a [u8],
    /// Bytes from here to the end of the file.
    left: &'a [u8],
    /// Number of bytes from the start of the line to the end of the file.
    size: usize,
    number: u32,
}

impl<'a> Line<'a> {
    /// Creates a line before the first one.
    pub fn before(bytes: &'a [u8]) -> Self {
        Self { word: &[], left: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), size: 0, number: 0 }
    }

    /// Goes to the next line with a word that begins no comment, and returns whether there is such a line.
    pub fn advance(&mut self) -> bool {
        while !self.left.is_empty() {
            if self.number > 0 {
                // Reading memory cannot fail.
                let _ = self.left.skip_until(b'\n');
            }
            self.number += 1;
            self.size = self.left.len();
            self.word = self.next_word();
            if !self.word.is_empty() {
                return true;
            }
        }
        false
    }

    /// Returns the bytes of a file before the line, and up to its end.
    pub fn span(&self, file: u64) -> (u64, u64) {
        let mut after = self.left;
        let _ = after.skip_until(b'\n');
        (file - self.size as u64, file - after.len() as u64)
    }

    fn skip(&mut self, length: usize) -> &'a [u8] {
        let (skipped, left) = self.left.split_at(length);
        self.left = left;
        skipped
    }

    fn skip_blank(&mut self) {
        while let [b'\t' | b'\x0c' | b'\r' | b' ', left @ ..] = self.left {
            self.left = left;
        }
    }

    /// Reads the next word; empty at the end of the line or at a comment.
    pub fn next_word(&mut self) -> &'a [u8] {
        self.skip_blank();
        let ends = |byte: &u8| byte.is_ascii_whitespace();
        let length = self.left.iter().position(ends).unwrap_or(self.left.len());
        if self.left.starts_with(b"#") { &[] } else { self.skip(length) }
    }

    /// Returns the text up to the end of the line.
    pub fn rest(&self) -> String {
        utf8_or_latin1(self.left.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii())
    }

    pub fn position(&self) -> FilePosition {
        FilePosition::Line { line: self.number, column: 1 }
    }

    /// Reads up to `N` numbers, of which `needed` must be present; others are 0.
    pub fn numbers<const N: usize>(&mut self, needed: usize) -> Result<[f32; N], LoadError> {
        let mut numbers = [0.0; N];
        for (index, number) in numbers.iter_mut().enumerate() {
            self.skip_blank();
            let ends = |length: usize| self.left.get(length).is_none_or(u8::is_ascii_whitespace);
            if let Some((value, length)) = plain_number(self.left).filter(|(_, length)| ends(*length)) {
                self.skip(length);
                *number = value;
                continue;
            }
            let word = self.next_word();
            if word.is_empty() && index >= needed {
                break;
            }
            *number = self.token(word).number().ok_or_else(|| self.unexpected(word, "a number"))?;
        }
        Ok(numbers)
    }

    /// Returns a word as a token.
    pub fn token(&self, bytes: &'a [u8]) -> Token<'a> {
        Token { bytes, quoted: false, line: self.number, column: 1 }
    }

    /// Returns the error for finding a word instead of `wanted`.
    pub fn unexpected(&self, found: &[u8], wanted: &str) -> LoadError {
        let found =
            if found.is_empty() { "the end of the line".to_owned() } else { format!("“{}”", printable(found)) };
        let reason = Reason::Expected { wanted: wanted.to_owned(), found };
        LoadError::new("obj", utf8_or_latin1(self.word), self.position(), reason)
    }
}
