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
    #[inline]
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The byte here; none at the end.
    #[inline]
    #[must_use]
    pub fn here(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The byte after that.
    #[inline]
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
    #[inline]
    pub fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.bytes.len());
    }

    /// Over so many bytes.
    pub fn advance(&mut self, count: usize) {
        let end = self.at.saturating_add(count).min(self.bytes.len());
        while let Some(byte) = self.here().filter(|_| self.at < end) {
            self.step(byte);
        }
    }

    /// Over one byte, which is this.
    #[inline]
    fn step(&mut self, byte: u8) {
        self.at += 1;
        if byte == b'\n' || byte == b'\r' && self.here() != Some(b'\n') {
            self.line = self.line.saturating_add(1);
            self.line_start = self.at;
        }
    }

    /// Over white space: everything up to the blank, NUL included.
    #[inline]
    pub fn skip_blank(&mut self) {
        while let Some(byte) = self.here().filter(|byte| *byte <= b' ') {
            self.step(byte);
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
