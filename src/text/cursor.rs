//! A place in a text that counts lines and columns as it goes on.

/// A place in a text. A line ends at LF, at CR LF, or at a lone CR.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
    /// Where the line begins.
    line_start: usize,
}

impl<'a> Cursor<'a> {
    /// The start of `bytes`, which begin on `line` of their file.
    #[must_use]
    pub fn new(bytes: &'a [u8], line: u32) -> Self {
        Self { bytes, at: 0, line, line_start: 0 }
    }

    /// What is left.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The byte here; none at the end.
    #[must_use]
    pub fn here(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The byte after that.
    #[must_use]
    pub fn after(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    /// Bytes from the start.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Column in bytes, from 1.
    #[must_use]
    pub fn column(&self) -> u32 {
        u32::try_from(self.at - self.line_start).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Over so many bytes, none of which ends a line.
    pub fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.bytes.len());
    }

    /// Over so many bytes.
    pub fn advance(&mut self, count: usize) {
        let end = self.at.saturating_add(count).min(self.bytes.len());
        while self.at < end {
            self.step();
        }
    }

    fn step(&mut self) {
        let ends_line = match self.here() {
            Some(b'\n') => true,
            Some(b'\r') => self.after() != Some(b'\n'),
            _ => false,
        };
        self.at += 1;
        if ends_line {
            self.line = self.line.saturating_add(1);
            self.line_start = self.at;
        }
    }

    /// Over white space: everything up to the blank, NUL included.
    pub fn skip_blank(&mut self) {
        while self.here().is_some_and(|byte| byte <= b' ') {
            self.step();
        }
    }

    /// Over the bytes that are `wanted`.
    pub fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let count = rest.iter().position(|byte| !wanted(*byte)).unwrap_or(rest.len());
        self.advance(count);
        rest.get(..count).unwrap_or_default()
    }
}
