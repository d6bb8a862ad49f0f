//! Static part of a surface.

use std::sync::Arc;

use glam::Vec2;

use super::{Detail, EmbeddedMaterial, SurfaceData};

/// Names of the models of a Quake III player: legs, upper body and head.
pub const PLAYER_PARTS: [&str; 3] = ["lower", "upper", "head"];

/// Mesh with one topology and one list of materials ("surface" in MD3, "mesh" in MD5; an MD2 has one).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Name as stored, in any case; empty if the format has no names.
    pub name: String,
    /// Level of detail; 0 is the finest.
    pub lod: u32,
    /// Material names as stored ("shader" in MD3 and MD5), one per skin number; may be empty.
    pub materials: Vec<String>,
    /// Vertex indices of triangle corners, clockwise seen from outside, in file order.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinate of each vertex; (0, 0) is the top-left texel. The length of the list is the number of
    /// vertices.
    pub uvs: Vec<Vec2>,
    /// Whether the surface is drawn only on request: RTCW's `h_blink` eyelids.
    pub hidden: bool,
    /// Stored data that only some formats have. Thousands of surfaces may share it.
    pub data: Arc<SurfaceData>,
    /// Stored fields for reports.
    pub details: Vec<Detail>,
}

impl Surface {
    /// Returns the name that game scripts use: the surface's name, or the one in the exporter's comment (Cube engines).
    pub fn script_name(&self) -> &str {
        if self.name.is_empty() { &self.data.exported_name } else { &self.name }
    }

    /// Returns the name and the definition of the material in a variant; in `None`, those of the surface itself.
    pub fn material_in(&self, variant: Option<u32>) -> (&str, Option<&Arc<EmbeddedMaterial>>) {
        match self.data.variants.iter().find(|(index, ..)| Some(*index) == variant) {
            Some((_, name, material)) => (name, Some(material)),
            None => (self.materials.first().map_or("", String::as_str), self.data.embedded_material.as_ref()),
        }
    }

    /// Returns a key that is equal for equal materials.
    pub(super) fn material_key(&self, variant: Option<u32>) -> (&str, Option<*const EmbeddedMaterial>) {
        let (name, material) = self.material_in(variant);
        (name, material.map(Arc::as_ptr))
    }

    /// Returns the file name of the first material without its extension.
    pub(super) fn material_stem(&self) -> &str {
        let path = self.materials.first().map_or("", String::as_str);
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Returns the number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.uvs.len()
    }
}
