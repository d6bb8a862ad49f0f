//! Groups and entities of a DXF.

use glam::Vec3;

use crate::bytes::utf8_or_latin1;
use crate::error::{FilePosition, LoadError, Reason};
use crate::formats::unusable_numbers::{UnusableNumbers, finite};
use crate::text::Token;

/// Position in a file before a group.
pub(super) struct Groups<'a> {
    left: &'a [u8],
    size: usize,
    /// Number of lines before the position.
    lines: u32,
    /// Kind of the entity that was read last.
    pub kind: Vec<u8>,
}

/// Groups from one of code 0 to the next.
pub(super) struct Entity<'a> {
    pub kind: &'a [u8],
    groups: Vec<(i64, &'a [u8])>,
    /// Line of the kind.
    line: u32,
}

impl<'a> Groups<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let left = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { left, size: bytes.len(), lines: 0, kind: Vec::new() }
    }

    /// Returns the number of bytes before the position.
    pub fn position(&self) -> u64 {
        (self.size - self.left.len()) as u64
    }

    fn line(&mut self) -> &'a [u8] {
        let length = self.left.iter().position(|byte| *byte == b'\n').unwrap_or(self.left.len());
        let (line, left) = self.left.split_at(length);
        self.left = left.get(1..).unwrap_or_default();
        self.lines += 1;
        line.trim_ascii()
    }

    /// Reads a code and its value. `None` at the end of the file.
    pub fn next(&mut self) -> Result<Option<(i64, &'a [u8])>, LoadError> {
        if self.left.trim_ascii_start().is_empty() {
            return Ok(None);
        }
        let code = self.line();
        let code = token(code, self.lines).integer().ok_or_else(|| unexpected(code, self.lines, "a group code"))?;
        Ok(Some((code, self.line())))
    }

    /// Reads the next entity. `None` at the end of the file.
    pub fn entity(&mut self) -> Result<Option<Entity<'a>>, LoadError> {
        let Some((_, kind)) = self.next()? else { return Ok(None) };
        self.kind = kind.to_vec();
        let mut entity = Entity { kind, groups: Vec::new(), line: self.lines };
        loop {
            let (before, lines) = (self.left, self.lines);
            match self.next()? {
                Some((0, _)) => {
                    (self.left, self.lines) = (before, lines);
                    return Ok(Some(entity));
                }
                Some(group) => entity.groups.push(group),
                None => return Ok(Some(entity)),
            }
        }
    }
}

impl<'a> Entity<'a> {
    pub fn position(&self) -> FilePosition {
        FilePosition::Line { line: self.line, column: 1 }
    }

    /// Returns the groups and the lines of their values.
    fn groups(&self) -> impl Iterator<Item = (i64, Token<'a>)> + '_ {
        let lines = (self.line + 2..).step_by(2);
        self.groups.iter().zip(lines).map(|((code, value), line)| (*code, token(value, line)))
    }

    fn find(&self, code: i64) -> Option<Token<'a>> {
        self.groups().find(|(own, _)| *own == code).map(|(_, value)| value)
    }

    /// Returns the value of a group; empty if there is none.
    pub fn text(&self, code: i64) -> &'a [u8] {
        self.find(code).map_or(b"", |value| value.bytes)
    }

    pub fn integer(&self, code: i64) -> Result<Option<i64>, LoadError> {
        self.find(code).map(|value| integer(&value)).transpose()
    }

    /// Returns a number; numbers that cannot be used are 0 and are counted.
    pub fn number(&self, code: i64, numbers: &mut UnusableNumbers) -> Result<Option<f32>, LoadError> {
        self.find(code).map(|value| number(&value, numbers)).transpose()
    }

    /// Returns the point with an X of this code; `None` if it has no X. Y and Z may be missing.
    pub fn point(&self, code: i64, numbers: &mut UnusableNumbers) -> Result<Option<Vec3>, LoadError> {
        let Some(x) = self.number(code, numbers)? else { return Ok(None) };
        let [y, z] = [self.number(code + 10, numbers)?, self.number(code + 20, numbers)?];
        Ok(Some(Vec3::new(x, y.unwrap_or(0.0), z.unwrap_or(0.0))))
    }

    /// Returns all points with an X of code 10.
    pub fn points(&self, numbers: &mut UnusableNumbers) -> Result<Vec<Vec3>, LoadError> {
        let mut points: Vec<Vec3> = Vec::new();
        for (code, value) in self.groups() {
            match (code, points.last_mut()) {
                (10, _) => points.push(Vec3::new(number(&value, numbers)?, 0.0, 0.0)),
                (20, Some(point)) => point.y = number(&value, numbers)?,
                (30, Some(point)) => point.z = number(&value, numbers)?,
                _ => {}
            }
        }
        Ok(points)
    }

    /// Returns the numbers of code 90 that follow a group, as many as its value says.
    pub fn integers_after(&self, code: i64) -> Result<Vec<i64>, LoadError> {
        let count = usize::try_from(self.integer(code)?.unwrap_or(0)).unwrap_or(0);
        let after = self.groups().skip_while(|(own, _)| *own != code).skip(1);
        after.take(count).take_while(|(own, _)| *own == 90).map(|(_, value)| integer(&value)).collect()
    }
}

fn token(bytes: &[u8], line: u32) -> Token<'_> {
    Token { bytes, quoted: false, line, column: 1 }
}

fn integer(value: &Token) -> Result<i64, LoadError> {
    value.integer().ok_or_else(|| unexpected(value.bytes, value.line, "a whole number"))
}

fn number(value: &Token, numbers: &mut UnusableNumbers) -> Result<f32, LoadError> {
    let number = value.number().ok_or_else(|| unexpected(value.bytes, value.line, "a number"))?;
    Ok(finite(number, numbers))
}

fn unexpected(found: &[u8], line: u32, wanted: &str) -> LoadError {
    let reason = Reason::Expected { wanted: wanted.to_owned(), found: format!("“{}”", utf8_or_latin1(found)) };
    LoadError::new("dxf", "", FilePosition::Line { line, column: 1 }, reason)
}
