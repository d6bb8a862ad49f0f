//! Groups and entities of a DXF.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::error::{FilePosition, LoadError, Reason};
use crate::formats::unusable_numbers::{UnusableNumbers, finite};
use crate::text::{Token, printable};

/// Position in a file before a group.
#[derive(Clone, Copy)]
pub(super) struct Groups<'a> {
    left: &'a [u8],
    size: usize,
    /// Number of lines before the position.
    lines: u32,
    /// Kind of the entity that was read last.
    pub kind: &'a [u8],
}

/// Groups from one of code 0 to the next.
pub(super) struct Entity<'a> {
    pub kind: &'a [u8],
    /// First value of each code.
    first: BTreeMap<i64, Token<'a>>,
    groups: Groups<'a>,
}

impl<'a> Groups<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let bytes = bytes.trim_ascii_end();
        let left = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { left, size: bytes.len(), lines: 0, kind: b"" }
    }

    /// Returns the number of bytes before the position.
    pub fn position(&self) -> u64 {
        (self.size - self.left.len()) as u64
    }

    fn line(&mut self) -> Token<'a> {
        let length = self.left.iter().position(|byte| *byte == b'\n').unwrap_or(self.left.len());
        let (line, left) = self.left.split_at(length);
        self.left = left.get(1..).unwrap_or_default();
        self.lines += 1;
        Token { bytes: line.trim_ascii(), quoted: false, line: self.lines, column: 1 }
    }

    /// Reads a code and its value. `None` at the end.
    pub fn next(&mut self) -> Result<Option<(i64, Token<'a>)>, LoadError> {
        if self.left.is_empty() {
            return Ok(None);
        }
        let code = self.line();
        let number = code.integer().ok_or_else(|| unexpected(&code, "a group code"))?;
        Ok(Some((number, self.line())))
    }

    /// Reads the next entity. `None` at the end of the file.
    pub fn entity(&mut self) -> Result<Option<Entity<'a>>, LoadError> {
        self.kind = loop {
            match self.next()? {
                Some((0, kind)) => break kind.bytes,
                Some(_) => {}
                None => return Ok(None),
            }
        };
        let mut entity = Entity { kind: self.kind, first: BTreeMap::new(), groups: *self };
        loop {
            let before = *self;
            match self.next()? {
                Some((code, value)) if code != 0 => {
                    // Entities use these codes; others would only take memory.
                    if (0..256).contains(&code) {
                        entity.first.entry(code).or_insert(value);
                    }
                }
                _ => {
                    *self = before;
                    let length = entity.groups.left.len() - self.left.len();
                    entity.groups.left = entity.groups.left.get(..length).unwrap_or_default();
                    return Ok(Some(entity));
                }
            }
        }
    }
}

impl<'a> Entity<'a> {
    pub fn position(&self) -> FilePosition {
        FilePosition::Line { line: self.groups.lines, column: 1 }
    }

    /// Returns the codes and values of all groups, which were read without an error before.
    fn groups(&self) -> impl Iterator<Item = (i64, Token<'a>)> + use<'a> {
        let mut groups = self.groups;
        std::iter::from_fn(move || groups.next().ok().flatten())
    }

    /// Returns the value of a group; empty if there is none.
    pub fn text(&self, code: i64) -> &'a [u8] {
        self.first.get(&code).map_or(b"", |value| value.bytes)
    }

    pub fn integer(&self, code: i64) -> Result<Option<i64>, LoadError> {
        self.first.get(&code).map(integer).transpose()
    }

    /// Returns a number; numbers that cannot be used are 0 and are counted.
    pub fn number(&self, code: i64, numbers: &mut UnusableNumbers) -> Result<Option<f32>, LoadError> {
        self.first.get(&code).map(|value| number(value, numbers)).transpose()
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

fn integer(value: &Token) -> Result<i64, LoadError> {
    value.integer().ok_or_else(|| unexpected(value, "a whole number"))
}

fn number(value: &Token, numbers: &mut UnusableNumbers) -> Result<f32, LoadError> {
    let number = value.number().ok_or_else(|| unexpected(value, "a number"))?;
    Ok(finite(number, numbers))
}

fn unexpected(found: &Token, wanted: &str) -> LoadError {
    let reason = Reason::Expected { wanted: wanted.to_owned(), found: format!("“{}”", printable(found.bytes)) };
    LoadError::new("dxf", "", FilePosition::Line { line: found.line, column: 1 }, reason)
}
