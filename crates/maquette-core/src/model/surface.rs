//! What of a surface never moves.

use glam::Vec2;

use super::{Detail, DetailValue};

/// One mesh with one topology and one list of materials (MD3 calls it surface, MD5 mesh; an MD2 is one surface).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// As stored, any case; empty where the format has no names.
    pub name: String,
    /// Level of detail, 0 is the finest.
    pub lod: u32,
    /// Material names as stored ("shader" in MD3 and MD5), one per skin number; may be empty.
    pub materials: Vec<String>,
    /// Corner indices into the surface's vertices, clockwise seen from outside, in file order.
    pub triangles: Vec<[u32; 3]>,
    /// Per vertex, (0, 0) is the top-left texel. Its length is the number of vertices.
    pub uvs: Vec<Vec2>,
    /// Drawn only when asked for: RTCW's `h_blink` eyelids.
    pub hidden: bool,
    /// Whatever else the file says of it.
    pub details: Vec<Detail>,
}

impl Surface {
    /// The detail in which an MD5's mesh has the name that exporters write into a comment, `// meshes: NAME`.
    pub const EXPORTED_NAME: &str = "meshes";

    /// The name by which a game's scripts know it: its own, else the one in the exporter's comment, which the Cube engines
    /// read.
    #[must_use]
    pub fn script_name(&self) -> &str {
        let exported = || self.details.iter().find(|detail| detail.label == Self::EXPORTED_NAME);
        match exported().map(|detail| &detail.value) {
            Some(DetailValue::Text(name)) if self.name.is_empty() => name,
            _ => &self.name,
        }
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.uvs.len()
    }
}
