//! The GL commands of an MD2: its triangles again, as strips and fans, with texture coordinates of their own.
//!
//! A list of 32-bit words: n, then |n| vertices of three words (s, t as floats, vertex index), and so on until n is 0.
//! n > 0 is a strip, n < 0 a fan. Every other triangle of a strip is turned, so that all of them face the same way.

use std::collections::HashMap;

use glam::Vec2;

use super::{Mesh, limits, optional_table};
use crate::bytes::{Column, Kind, Record, Source};
use crate::error::{WarningKind, Warnings};

/// A corner: texture coordinate (bits of s and t) and stored vertex.
type Corner = (u32, u32, u32);

const WORDS: Record = Record::of("glcmds", &[Column::of("word", Kind::I32, 1)]);

/// The list as stored, and what it means.
#[derive(Default)]
pub(super) struct Commands {
    /// As stored, terminator included.
    pub words: Vec<i32>,
    pub triangles: Vec<[Corner; 3]>,
    strips: usize,
    fans: usize,
}

/// Reads the list as far as it makes sense; it is a copy of what the triangle list says, so nothing here is an error.
pub(super) fn read(source: &Source, offset: i32, count: i32, vertices: u32, warnings: &mut Warnings) -> Commands {
    let place = (offset, count, limits::COMMANDS);
    let table = optional_table(&source.start(), "ofs_glcmds", place, &WORDS, "the GL commands are left out", warnings);
    let words: Vec<i32> = table.as_chunks::<4>().0.iter().map(|word| i32::from_le_bytes(*word)).collect();
    let mut commands = Commands::default();
    let stopped = commands.parse(&words, vertices);
    commands.words = words;
    if let Err((word, why)) = stopped {
        warnings.add(WarningKind::LeftOut, "glcmds", format!("{why} at word {word}; the list is read up to there"));
    }
    commands
}

impl Commands {
    fn parse(&mut self, words: &[i32], vertices: u32) -> Result<(), (usize, &'static str)> {
        let mut rest = words;
        while !rest.is_empty() {
            let at = words.len() - rest.len();
            let Some((count, after)) = rest.split_first() else { break };
            if *count == 0 {
                return Ok(());
            }
            let corners = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
            let Some((group, after)) = after.split_at_checked(corners.saturating_mul(3)) else {
                return Err((at, "a strip or fan runs past the end of the list"));
            };
            let group: Vec<Corner> = group
                .as_chunks::<3>()
                .0
                .iter()
                .map(|[s, t, index]| (s.cast_unsigned(), t.cast_unsigned(), index.cast_unsigned()))
                .collect();
            if group.iter().any(|(_, _, index)| *index >= vertices) {
                return Err((at, "a strip or fan names a vertex that is not there"));
            }
            self.add(&group, *count > 0);
            rest = after;
        }
        if words.is_empty() { Ok(()) } else { Err((words.len(), "the list does not end with 0")) }
    }

    fn add(&mut self, group: &[Corner], strip: bool) {
        self.strips += usize::from(strip);
        self.fans += usize::from(!strip);
        let Some(centre) = group.first() else { return };
        self.triangles.extend(group.array_windows().enumerate().skip(usize::from(!strip)).filter_map(
            |(index, [a, b])| match (strip, group.get(index + 2)) {
                (false, _) => Some([*centre, *a, *b]),
                (true, Some(c)) if index % 2 == 0 => Some([*a, *b, *c]),
                (true, Some(c)) => Some([*b, *a, *c]),
                (true, None) => None,
            },
        ));
    }

    /// The list in words.
    pub fn summary(&self) -> String {
        let Self { strips, fans, triangles, words } = self;
        if words.is_empty() {
            return "none".to_owned();
        }
        format!("strips {strips}, fans {fans}, triangles {}", triangles.len())
    }

    /// The surface these commands draw.
    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        let mut vertex_of: HashMap<Corner, u32> = HashMap::new();
        for triangle in &self.triangles {
            let triangle = triangle.map(|corner| {
                *vertex_of.entry(corner).or_insert_with(|| {
                    let uv = Vec2::new(f32::from_bits(corner.0), f32::from_bits(corner.1));
                    mesh.uvs.push(if uv.is_finite() { uv } else { Vec2::ZERO });
                    mesh.remap.push(corner.2);
                    u32::try_from(mesh.remap.len() - 1).unwrap_or(u32::MAX)
                })
            });
            mesh.triangles.push(triangle);
        }
        mesh
    }
}
