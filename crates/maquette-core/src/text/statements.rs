//! Notes the statements of a text while a parser reads them, for those who take the file apart.

use std::cell::Cell;

use super::{Dialect, Lexer, Token};
use crate::bytes::{Part, Source, StructScope};

/// How a file that is UTF-8 may begin.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The statements of a text, noted one after another by where each ends. Without a recorder on its source that costs
/// nothing.
pub struct Statements<'a> {
    source: &'a Source<'a>,
    /// Where the last one ended.
    end: Cell<u64>,
    /// Where what the lexer was given ends.
    given: Cell<u64>,
}

impl<'a> Statements<'a> {
    /// Those of a text that is read from its start.
    #[must_use]
    pub fn of(source: &'a Source<'a>) -> Self {
        let mark = if source.bytes().starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self { source, end: Cell::new(mark as u64), given: Cell::new(source.len()) }
    }

    /// Whether someone looks.
    #[must_use]
    pub fn are_noted(&self) -> bool {
        self.source.is_recorded()
    }

    /// Lexers that are given from here on end before this byte of the file, not with it.
    pub fn read_to(&self, end: u64) {
        self.given.set(end.min(self.source.len()));
    }

    /// All that was read since the last one is a statement that begins with this word.
    pub fn end(&self, lexer: &Lexer, word: &Token) {
        self.end_called(lexer, || word.text());
    }

    /// The same of a statement that has another name.
    pub fn end_called(&self, lexer: &Lexer, name: impl FnOnce() -> String) {
        self.end_of(None, lexer, name);
    }

    /// Like [`Self::end_called`], for a statement that holds this part of the model.
    pub fn end_of(&self, part: Option<Part>, lexer: &Lexer, name: impl FnOnce() -> String) {
        if self.are_noted() {
            self.note(part, self.given.get().saturating_sub(lexer.rest().0.len() as u64), name);
        }
    }

    /// The same where the statement ends before this byte of the file. Comments before it are told of by themselves.
    pub fn end_at(&self, end: u64, name: impl FnOnce() -> String) {
        self.note(None, end, name);
    }

    fn note(&self, part: Option<Part>, end: u64, name: impl FnOnce() -> String) {
        let last = self.end.get();
        if !self.are_noted() || end <= last {
            return;
        }
        self.end.set(end);
        let start = self.note_comments(last, end);
        self.source.note_statement(part, name, start, end);
    }

    /// What is left is comments, if it is anything.
    pub fn finish(&self) {
        if self.are_noted() {
            self.note_comments(self.end.get(), self.source.len());
        }
    }

    /// What is read until the group is dropped belongs to a structure of this name.
    pub fn group(&self, name: impl FnOnce() -> String) -> StructScope<'a> {
        self.source.group(name)
    }

    /// Notes the comments at the start of some bytes; where what follows them begins, with the space before it.
    fn note_comments(&self, start: u64, end: u64) -> u64 {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let bytes = self.source.bytes().get(place(start)..place(end)).unwrap_or_default();
        let mut lexer = Lexer::resumed("", Dialect::Plain, bytes, 1);
        if lexer.skip_blank().is_err() {
            return start;
        }
        let (rest, _) = lexer.rest();
        let comments = bytes.get(..bytes.len() - rest.len()).unwrap_or_default();
        if comments.iter().all(|byte| *byte <= b' ') {
            return start;
        }
        // The line end after a comment is no part of it.
        let length = comments.iter().rposition(|byte| *byte > b' ').map_or(0, |last| last + 1) as u64;
        self.source.note_statement(None, || "comment".to_owned(), start, start + length);
        start + length
    }
}
