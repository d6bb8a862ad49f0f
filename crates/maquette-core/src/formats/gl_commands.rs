//! GL commands of an MD2 and its relatives: the triangles again as strips and fans, with separate texture coordinates.
//!
//! A list of 32-bit words: n, then |n| vertices of three words (s, t as floats, vertex index), repeated until n is 0. A
//! positive n is a strip, a negative n a fan. Every other triangle of a strip is reversed, so that all face the same
//! way. In a Kingpin model, the number of a part follows n.

use std::collections::HashMap;
use std::ops::Range;

use glam::Vec2;

use super::md2_common::{Mesh, limits, or_warn, table};
use crate::bytes::{Column, Kind, Offset, Record, Source};
use crate::error::{FilePosition, WarningKind, Warnings};
use crate::model::u32_or_max;

const WORDS: Record = Record::new("glcmds", &[Column::new("word", Kind::I32, 1)]);

#[derive(Default)]
pub(crate) struct Commands {
    pub words: Vec<i32>,
    /// Words before the corners of a strip or fan: n, and perhaps the number of its part.
    head: usize,
    strips: usize,
    fans: usize,
    triangles: usize,
}

/// Whether the group is a strip, the number of its part, and its corners of three words each.
type Group<'a> = (bool, i32, &'a [[i32; 3]]);

struct Groups<'a> {
    all: &'a [i32],
    rest: &'a [i32],
    head: usize,
    vertices: u32,
}

impl<'a> Groups<'a> {
    fn next(&mut self) -> Result<Option<Group<'a>>, (usize, &'static str)> {
        let at = self.all.len() - self.rest.len();
        let Some(count) = self.rest.first().copied() else {
            return if self.all.is_empty() { Ok(None) } else { Err((at, "the list does not end with 0")) };
        };
        if count == 0 {
            return Ok(None);
        }
        let corners = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
        let group = self.rest.split_at_checked(self.head).and_then(|(head, after)| {
            let (group, after) = after.split_at_checked(corners.saturating_mul(3))?;
            Some((head.get(1).copied().unwrap_or(0), group, after))
        });
        let Some((part, group, after)) = group else {
            return Err((at, "a strip or fan runs past the end of the list"));
        };
        let group = group.as_chunks::<3>().0;
        if group.iter().any(|[.., index]| index.cast_unsigned() >= self.vertices) {
            return Err((at, "a strip or fan names a vertex that does not exist"));
        }
        self.rest = after;
        Ok(Some((count > 0, part, group)))
    }
}

impl Commands {
    /// Reads the list, up to the first error. `head` is the number of words before the corners of a strip or fan.
    pub fn read(
        source: &Source,
        offset: Offset,
        count: i32,
        vertices: u32,
        head: usize,
        warnings: &mut Warnings,
    ) -> Self {
        let table = table(source, offset, count, limits::COMMANDS, &WORDS);
        let table = or_warn(&table, "the GL commands are skipped", warnings);
        let words = table.as_chunks::<4>().0.iter().map(|word| i32::from_le_bytes(*word)).collect();
        let mut commands = Self { words, head, ..Self::default() };
        if let Err((word, why)) = commands.count(vertices) {
            let at = FilePosition::Byte(u64::try_from(offset.target(0)).unwrap_or(0) + word as u64 * 4);
            let message = format!("{why} at word {word}; the rest of the list is skipped");
            warnings.add_at(WarningKind::LeftOut, "glcmds", message, at);
        }
        commands
    }

    /// Returns the triangles of an MD2's words.
    pub fn mesh_of(words: &[i32], vertices: u32) -> Mesh {
        let commands = Self { words: words.to_vec(), head: 1, ..Self::default() };
        commands.meshes(0..words.len(), vertices, 1).pop().unwrap_or_default()
    }

    fn groups(&self, range: Range<usize>, vertices: u32) -> Groups<'_> {
        let words = self.words.get(range).unwrap_or_default();
        Groups { all: words, rest: words, head: self.head, vertices }
    }

    fn count(&mut self, vertices: u32) -> Result<(), (usize, &'static str)> {
        let (mut strips, mut fans, mut triangles) = (0, 0, 0);
        let mut groups = self.groups(0..self.words.len(), vertices);
        let counted = loop {
            match groups.next() {
                Ok(Some((is_strip, _, corners))) => {
                    strips += usize::from(is_strip);
                    fans += usize::from(!is_strip);
                    triangles += corners.len().saturating_sub(2);
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        (self.strips, self.fans, self.triangles) = (strips, fans, triangles);
        counted
    }

    pub fn is_empty(&self) -> bool {
        self.triangles == 0
    }

    pub fn summary(&self) -> String {
        let Self { strips, fans, triangles, words, .. } = self;
        if words.is_empty() {
            return "none".to_owned();
        }
        format!("strips {strips}, fans {fans}, triangles {triangles}")
    }

    /// Returns whether a strip or fan in a range of words, up to the first 0, is cut or names a vertex that does not exist.
    /// The 0 may be missing.
    pub fn is_broken(&self, range: Range<usize>, vertices: u32) -> bool {
        let mut groups = self.groups(range, vertices);
        loop {
            match groups.next() {
                Ok(Some(_)) => {}
                Ok(None) => return false,
                Err(_) => return !groups.rest.is_empty(),
            }
        }
    }

    /// Returns the triangles of the words in a range, up to the first 0, by the number of their part. Parts beyond `parts`
    /// are left out, as are triangles without area, which join strips.
    pub fn meshes(&self, range: Range<usize>, vertices: u32, parts: usize) -> Vec<Mesh> {
        let mut meshes: Vec<Mesh> = (0..parts).map(|_| Mesh::default()).collect();
        let mut vertex_of: HashMap<(i32, [i32; 3]), u32> = HashMap::new();
        let mut groups = self.groups(range, vertices);
        while let Ok(Some((is_strip, part, corners))) = groups.next() {
            let Some(mesh) = usize::try_from(part).ok().and_then(|part| meshes.get_mut(part)) else { continue };
            for triangle in triangles(is_strip, corners) {
                let [[.., a], [.., b], [.., c]] = triangle;
                if a == b || b == c || c == a {
                    continue;
                }
                let triangle = triangle.map(|corner| {
                    *vertex_of.entry((part, corner)).or_insert_with(|| {
                        let [s, t, index] = corner.map(i32::cast_unsigned);
                        let uv = Vec2::new(f32::from_bits(s), f32::from_bits(t));
                        mesh.uvs.push(if uv.is_finite() { uv } else { Vec2::ZERO });
                        mesh.remap.push(index);
                        u32_or_max(mesh.remap.len() - 1)
                    })
                });
                mesh.triangles.push(triangle);
            }
        }
        meshes
    }
}

fn triangles(is_strip: bool, corners: &[[i32; 3]]) -> impl Iterator<Item = [[i32; 3]; 3]> {
    let centre = corners.first().copied().unwrap_or_default();
    corners.array_windows().enumerate().map(move |(index, [a, b, c])| match (is_strip, index % 2 == 0) {
        (false, _) => [centre, *b, *c],
        (true, true) => [*a, *b, *c],
        (true, false) => [*b, *a, *c],
    })
}
