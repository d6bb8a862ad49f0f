//! Meshes of a DXF that are polylines.
//!
//! | group | of `POLYLINE` | of `VERTEX` |
//! |---|---|---|
//! | 10 20 30 | | point |
//! | 70 | 1, 32: closed grid; 4: smooth grid; 16: grid; 64: faces | 16: control point; 64: point; 128: of faces |
//! | 71 72 | rows of a grid and points of each | with 73 74: points from 1; negative at hidden edges |
//! | 73 74 | rows of a smooth grid and points of each | |

use glam::Vec3;

use super::groups::Entity;
use crate::error::LoadError;
use crate::formats::unusable_numbers::UnusableNumbers;

/// Flags of a grid that is closed from the last row, and from the last point of each row, to the first.
const CLOSED: [i64; 2] = [1, 32];
const SMOOTH: i64 = 4;
const GRID: i64 = 16;
const FACES: i64 = 64;
const CONTROL: i64 = 16;
const POINT: i64 = 64;
const OF_FACES: i64 = 128;

/// Polyline that is a mesh of faces, a grid, or a line.
pub(super) struct Polyline {
    pub part: usize,
    flags: i64,
    /// Rows, and points of each row.
    size: [usize; 2],
    points: Vec<Vec3>,
    /// Numbers of the points of each face.
    faces: Vec<[i64; 4]>,
}

impl Polyline {
    pub fn new(entity: &Entity, part: usize) -> Result<Self, LoadError> {
        let flags = entity.integer(70)?.unwrap_or(0);
        let codes = if flags & SMOOTH == 0 { [71, 72] } else { [73, 74] };
        let mut size = [0; 2];
        for (size, code) in size.iter_mut().zip(codes) {
            *size = usize::try_from(entity.integer(code)?.unwrap_or(0)).unwrap_or(0);
        }
        Ok(Self { part, flags, size, points: Vec::new(), faces: Vec::new() })
    }

    /// Adds a point or a face.
    pub fn add(&mut self, entity: &Entity, numbers: &mut UnusableNumbers) -> Result<(), LoadError> {
        let flags = entity.integer(70)?.unwrap_or(0);
        if self.flags & FACES != 0 && flags & OF_FACES != 0 && flags & POINT == 0 {
            let mut face = [0; 4];
            for (number, code) in face.iter_mut().zip(71..) {
                *number = entity.integer(code)?.unwrap_or(0).saturating_abs();
            }
            self.faces.push(face);
        } else if self.flags & SMOOTH == 0 || flags & CONTROL == 0 {
            self.points.push(entity.point(10, numbers)?.unwrap_or_default());
        }
        Ok(())
    }

    /// Returns whether the polyline is more than a line.
    pub fn has_faces(&self) -> bool {
        self.flags & (GRID | FACES) != 0
    }

    /// Returns the corners of each face; `None` for those that do not exist.
    pub fn polygons(&self) -> impl Iterator<Item = Vec<Option<Vec3>>> + '_ {
        let point = |number: i64| self.points.get(usize::try_from(number - 1).ok()?).copied();
        let faces = self
            .faces
            .iter()
            .map(move |face| face.iter().take_while(|number| **number != 0).map(|number| point(*number)).collect());
        let [rows, columns] = self.size;
        // A grid is not larger than its points.
        let size = rows.checked_mul(columns).unwrap_or(0);
        let is_grid = self.flags & GRID != 0 && (1..=self.points.len()).contains(&size);
        let [rows_between, columns_between] = [(0, rows), (1, columns)].map(|(axis, count)| match count {
            _ if !is_grid => 0,
            _ if self.flags & CLOSED[axis] != 0 && count > 2 => count,
            _ => count.saturating_sub(1),
        });
        let corner = move |row: usize, column: usize| {
            self.points.get(row % rows.max(1) * columns + column % columns.max(1)).copied()
        };
        let quads = (0..rows_between).flat_map(move |row| {
            (0..columns_between).map(move |column| {
                vec![corner(row, column), corner(row + 1, column), corner(row + 1, column + 1), corner(row, column + 1)]
            })
        });
        faces.chain(quads)
    }
}
