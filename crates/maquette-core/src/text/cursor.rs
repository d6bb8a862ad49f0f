//! Position in a text, with line and column.

/// Position in a text. Lines end at LF, CR LF or a lone CR.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the start of `bytes`, which begin on `line` of their file.
    #[must_use]
    pub fn new(bytes: &'a [u8], line: u32) -> Self {
        Self { bytes, at: 0, line, line_start: 0 }
    }

    /// Returns the remaining bytes.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns the current byte; `None` at the end.
    #[inline]
    pub fn here(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Returns the byte after the current one.
    #[inline]
    pub fn after(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    /// Returns the offset from the start in bytes.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the line, from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Returns the column in bytes, from 1.
    pub fn column(&self) -> u32 {
        u32::try_from(self.at - self.line_start).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Skips `count` bytes that contain no line end.
    #[inline]
    pub fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.bytes.len());
    }

    /// Skips `count` bytes.
    pub fn advance(&mut self, count: usize) {
        let end = self.at.saturating_add(count).min(self.bytes.len());
        while let Some(byte) = self.here().filter(|_| self.at < end) {
            self.step(byte);
        }
    }

    #[inline]
    fn step(&mut self, byte: u8) {
        self.at += 1;
        if byte == b'\n' || byte == b'\r' && self.here() != Some(b'\n') {
            self.line = self.line.saturating_add(1);
            self.line_start = self.at;
        }
    }

    /// Skips white space: all bytes up to the space, including NUL.
    #[inline]
    pub fn skip_blank(&mut self) {
        while let Some(byte) = self.here().filter(|byte| *byte <= b' ') {
            self.step(byte);
        }
    }

    /// Reads bytes up to the first one that is not `wanted`.
    pub fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let count = rest.iter().position(|byte| !wanted(*byte)).unwrap_or(rest.len());
        self.advance(count);
        rest.get(..count).unwrap_or_default()
    }
}
