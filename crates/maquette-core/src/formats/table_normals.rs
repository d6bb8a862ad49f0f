//! Repair of normal indices outside of the table of 162 normals (MD2, MDL).

use glam::Vec3;

use crate::error::{WarningKind, Warnings};
use crate::model::packed_normal::{are_in_table, nearest_table_normal};
use crate::model::{ByteFrame, smooth_normals_of};

/// Repair of the normals of all frames of a surface.
pub(super) struct NormalMender<'a> {
    triangles: &'a [[u32; 3]],
    remap: &'a [u32],
    /// Triangles by stored vertices; empty until the first repair.
    stored_triangles: Vec<[u32; 3]>,
    mended: usize,
    left: usize,
}

impl<'a> NormalMender<'a> {
    /// Maximum number of visited vertices and triangles, so that many small broken frames cannot take minutes.
    pub const MAX_VISITS: usize = 1 << 24;
    /// Table index of straight up.
    const UP: u8 = 5;

    /// Creates the repair for a surface whose vertices use the stored vertices `remap`.
    pub fn new(triangles: &'a [[u32; 3]], remap: &'a [u32]) -> Self {
        Self { triangles, remap, stored_triangles: Vec::new(), mended: 0, left: Self::MAX_VISITS }
    }

    /// Replaces the normals of a frame that are not in the table by the nearest to those of the triangles.
    pub fn mend(&mut self, vertices: &mut [[u8; 4]], frame: ByteFrame) {
        if are_in_table(vertices) {
            return;
        }
        let broken: Vec<usize> =
            vertices.iter().enumerate().filter(|(_, vertex)| vertex[3] >= 162).map(|(index, _)| index).collect();
        self.mended += broken.len();
        let work = vertices.len() + self.triangles.len();
        let normals = if work <= self.left {
            self.left -= work;
            if self.stored_triangles.is_empty() {
                let stored = |index: u32| self.remap.get(index as usize).copied().unwrap_or(0);
                self.stored_triangles = self.triangles.iter().map(|triangle| triangle.map(stored)).collect();
            }
            let position = |[x, y, z, _]: &[u8; 4]| {
                Vec3::new(f32::from(*x), f32::from(*y), f32::from(*z)) * frame.scale + frame.translate
            };
            smooth_normals_of(&broken, &vertices.iter().map(position).collect::<Vec<_>>(), &self.stored_triangles)
        } else {
            Vec::new()
        };
        for (slot, index) in broken.into_iter().enumerate() {
            if let Some(vertex) = vertices.get_mut(index) {
                vertex[3] = normals.get(slot).map_or(Self::UP, |normal| nearest_table_normal(*normal));
            }
        }
    }

    /// Adds a warning about `field` if normals were replaced.
    pub fn report(&self, field: &str, warnings: &mut Warnings) {
        if self.mended > 0 {
            let message = "normals are not in the table of 162; they are computed from the triangles";
            warnings.add(WarningKind::Substituted, field, format!("{} {message}", self.mended));
        }
    }
}
