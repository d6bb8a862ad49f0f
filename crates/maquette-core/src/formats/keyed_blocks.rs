//! Text of keys with words, and perhaps a block in braces: `*KEY word … { *KEY … }`.

use glam::Vec3;

use super::unusable_numbers::{UnusableNumbers, finite};
use crate::error::LoadError;
use crate::text::{Lexer, Statements, Token};

/// Reader of keys and blocks.
pub(super) struct KeyedBlocks<'a, 's> {
    pub lexer: Lexer<'a>,
    pub statements: &'s Statements<'s>,
    pub numbers: UnusableNumbers,
}

impl<'a, 's> KeyedBlocks<'a, 's> {
    pub fn new(lexer: Lexer<'a>, statements: &'s Statements<'s>) -> Self {
        Self { lexer, statements, numbers: UnusableNumbers::default() }
    }

    /// Reads a block after its key and words, like [`Self::items`].
    pub fn block(
        &mut self,
        open: &[&str],
        read: impl FnMut(&mut Self, &Token<'a>) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        self.lexer.expect("{", "")?;
        self.items(1, open, read)
    }

    /// Reads the keys of a block, or, at depth 0, of the file. `read` takes the words of keys, also in the blocks of the
    /// keys `open`; other words and blocks are skipped.
    pub fn items(
        &mut self,
        mut depth: usize,
        open: &[&str],
        mut read: impl FnMut(&mut Self, &Token<'a>) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        let is_file = depth == 0;
        while is_file || depth > 0 {
            let before = self.lexer;
            match self.lexer.next()? {
                None if depth == 0 => break,
                None => return Err(before.unexpected(None, "", "“}”")),
                Some(word) => {
                    match word.bytes {
                        _ if word.quoted => continue,
                        b"}" => depth = depth.saturating_sub(1),
                        b"{" => self.lexer.skip_block("")?,
                        [b'*', ..] if word.is_any(open) => {
                            self.lexer.expect("{", "")?;
                            depth += 1;
                        }
                        [b'*', ..] => {
                            read(self, &word)?;
                            self.numbers.locate(word.position(), || word.text());
                        }
                        _ => {
                            self.lexer.skip_plain_words();
                            continue;
                        }
                    }
                    self.statements.end(&self.lexer, &word);
                }
            }
        }
        Ok(())
    }

    /// Reads a number that can be used.
    pub fn number(&mut self, field: &str) -> Result<f32, LoadError> {
        Ok(finite(self.lexer.parse_number(field)?, &mut self.numbers))
    }

    /// Reads three numbers.
    pub fn vec3(&mut self, field: &str) -> Result<Vec3, LoadError> {
        Ok(Vec3::new(self.number(field)?, self.number(field)?, self.number(field)?))
    }
}
