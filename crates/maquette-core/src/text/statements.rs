//! Recorder of a text file's statements for the structure view.

use std::cell::Cell;

use super::{Dialect, Lexer, Token};
use crate::bytes::{Part, Source, StructScope};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Recorder of a text file's statements. Does nothing if the source has no recorder.
pub struct Statements<'a> {
    source: &'a Source<'a>,
    end: Cell<u64>,
    given: Cell<u64>,
}

impl<'a> Statements<'a> {
    /// Creates a recorder for a text file that is read from its start.
    #[must_use]
    pub fn new(source: &'a Source<'a>) -> Self {
        let mark = if source.bytes().starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self { source, end: Cell::new(mark as u64), given: Cell::new(source.len()) }
    }

    /// Returns whether statements are recorded.
    pub fn are_noted(&self) -> bool {
        self.source.is_recorded()
    }

    /// Declares that later lexers end at byte `end` of the file, not at the end of the file.
    pub fn read_to(&self, end: u64) {
        self.given.set(end.min(self.source.len()));
    }

    /// Records the statement that `lexer` has just read, under the name `word`.
    pub fn end(&self, lexer: &Lexer, word: &Token) {
        self.end_called(lexer, || word.text());
    }

    /// Like [`Self::end`], for a statement with another name.
    pub fn end_called(&self, lexer: &Lexer, name: impl FnOnce() -> String) {
        self.end_of(None, lexer, name);
    }

    /// Like [`Self::end_called`], for a statement that holds `part` of the model.
    pub fn end_of(&self, part: Option<Part>, lexer: &Lexer, name: impl FnOnce() -> String) {
        if self.are_noted() {
            self.note(part, self.given.get().saturating_sub(lexer.rest().0.len() as u64), name);
        }
    }

    /// Like [`Self::end_called`], for a statement that ends before byte `end`.
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

    /// Records the comments at the end of the text.
    pub fn finish(&self) {
        if self.are_noted() {
            self.note_comments(self.end.get(), self.source.len());
        }
    }

    /// Opens a structure with this name. Reads belong to it until the returned scope is dropped.
    pub fn group(&self, name: impl FnOnce() -> String) -> StructScope<'a> {
        self.source.group(name)
    }

    fn note_comments(&self, start: u64, end: u64) -> u64 {
        let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let bytes = self.source.bytes().get(index(start)..index(end)).unwrap_or_default();
        let mut lexer = Lexer::resumed("", Dialect::Plain, bytes, 1);
        if lexer.skip_blank().is_err() {
            return start;
        }
        let (rest, _) = lexer.rest();
        let comments = bytes.get(..bytes.len() - rest.len()).unwrap_or_default();
        if comments.iter().all(|byte| *byte <= b' ') {
            return start;
        }
        // Exclude the line end after a comment.
        let length = comments.iter().rposition(|byte| *byte > b' ').map_or(0, |last| last + 1) as u64;
        self.source.note_statement(None, || "comment".to_owned(), start, start + length);
        start + length
    }
}
