//! GL commands of an MD2: its triangles again as strips and fans, with separate texture coordinates.
//!
//! A list of 32-bit words: n, then |n| vertices of three words (s, t as floats, vertex index), repeated until n is 0. A
//! positive n is a strip, a negative n a fan. Every other triangle of a strip is reversed, so that all face the same
//! way.

use std::collections::HashMap;

use glam::Vec2;

use super::{Mesh, limits, or_warn, table};
use crate::bytes::{Column, Kind, Offset, Record, Source};
use crate::error::{FilePosition, WarningKind, Warnings};
use crate::model::u32_or_max;

const WORDS: Record = Record::new("glcmds", &[Column::new("word", Kind::I32, 1)]);

#[derive(Default)]
pub(super) struct Commands {
    pub words: Vec<i32>,
    strips: usize,
    fans: usize,
    triangles: usize,
}

/// Whether the group is a strip, and its corners of three words each.
type Group<'a> = (bool, &'a [[i32; 3]]);

struct Groups<'a> {
    all: &'a [i32],
    rest: &'a [i32],
    vertices: u32,
}

impl<'a> Groups<'a> {
    fn next(&mut self) -> Result<Option<Group<'a>>, (usize, &'static str)> {
        let at = self.all.len() - self.rest.len();
        let Some((count, after)) = self.rest.split_first() else {
            return if self.all.is_empty() { Ok(None) } else { Err((at, "the list does not end with 0")) };
        };
        if *count == 0 {
            return Ok(None);
        }
        let corners = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
        let Some((group, after)) = after.split_at_checked(corners.saturating_mul(3)) else {
            return Err((at, "a strip or fan runs past the end of the list"));
        };
        let group = group.as_chunks::<3>().0;
        if group.iter().any(|[.., index]| index.cast_unsigned() >= self.vertices) {
            return Err((at, "a strip or fan names a vertex that does not exist"));
        }
        self.rest = after;
        Ok(Some((*count > 0, group)))
    }
}

pub(super) fn read(source: &Source, offset: Offset, count: i32, vertices: u32, warnings: &mut Warnings) -> Commands {
    let table = table(source, offset, count, limits::COMMANDS, &WORDS);
    let table = or_warn(&table, "the GL commands are skipped", warnings);
    let words: Vec<i32> = table.as_chunks::<4>().0.iter().map(|word| i32::from_le_bytes(*word)).collect();
    let mut commands = Commands::default();
    let stopped = commands.count(&words, vertices);
    commands.words = words;
    if let Err((word, why)) = stopped {
        let at = FilePosition::Byte(u64::try_from(offset.target(0)).unwrap_or(0) + word as u64 * 4);
        let message = format!("{why} at word {word}; the rest of the list is skipped");
        warnings.add_at(WarningKind::LeftOut, "glcmds", message, at);
    }
    commands
}

impl Commands {
    fn groups(words: &[i32], vertices: u32) -> Groups<'_> {
        Groups { all: words, rest: words, vertices }
    }

    fn count(&mut self, words: &[i32], vertices: u32) -> Result<(), (usize, &'static str)> {
        let mut groups = Self::groups(words, vertices);
        while let Some((is_strip, corners)) = groups.next()? {
            self.strips += usize::from(is_strip);
            self.fans += usize::from(!is_strip);
            self.triangles += corners.len().saturating_sub(2);
        }
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.triangles == 0
    }

    pub fn summary(&self) -> String {
        let Self { strips, fans, triangles, words } = self;
        if words.is_empty() {
            return "none".to_owned();
        }
        format!("strips {strips}, fans {fans}, triangles {triangles}")
    }

    pub fn mesh(&self, vertices: u32) -> Mesh {
        let mut mesh = Mesh::default();
        let mut vertex_of: HashMap<[i32; 3], u32> = HashMap::new();
        let mut groups = Self::groups(&self.words, vertices);
        while let Ok(Some((is_strip, corners))) = groups.next() {
            for triangle in triangles(is_strip, corners) {
                let triangle = triangle.map(|corner| {
                    *vertex_of.entry(corner).or_insert_with(|| {
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
        mesh
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
