//! LWO (LightWave objects): static meshes of Doom 3 and of map compilers, `LWO2` and the older `LWOB`.
//!
//! Source of the layout: the loader of Doom 3 (`Model_lwo.cpp`). The file is big-endian: `FORM`, a size, a type, and chunks
//! of an id, a size and an even number of bytes. Only the first layer is drawn, as in the games. The (x, y, z) of the file
//! is (x, z, y) in the game, which turns the counter-clockwise corners clockwise; texture coordinates count from the bottom.
//!
//! | chunk | content |
//! |---|---|
//! | `TAGS`, `SRFS` | names of surfaces |
//! | `LAYR` | start of a layer |
//! | `PNTS`, `POLS` | points; polygons of indices of points |
//! | `PTAG` | tag or smoothing group of each polygon |
//! | `VMAP`, `VMAD` | texture coordinates and colours of points, and of corners |
//! | `SURF` | surface, with its largest smoothing angle |

mod chunks;

use foldhash::{HashMap, HashMapExt as _};
use glam::{Vec2, Vec3};

use super::polygons::{Corner, Meshes, WHITE, comparisons, smooth_corners};
use crate::bytes::Source;
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::formats::FormatDef;
use crate::model::{Detail, Format, ModelParts, ScriptOrder, SurfaceData, SurfaceStorage};
use chunks::{Object, Polygon};

/// LightWave 3D, version 2 (`LWO2`) or 1 (`LWOB`).
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "lwo",
    title: "LWO",
    extensions: &["lwo"],
    media_type: "model/x-lightwave-object",
    signature: "",
    game: "Doom 3",
    version: 2,
    usual_rate: 24.0,
    surfaces: SurfaceStorage::Unnamed,
    stores_normals: false,
    scripts: ScriptOrder::Doom3First,
    alpha_without_script: true,
    looks_like: Some(|bytes| bytes.starts_with(b"FORM")),
    ..FormatDef::plain(load)
};

/// Loads an LWO.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let object = Object::read(source, warnings)?;
    object.warn(warnings);
    let normals = object.corner_normals();
    let mut polygons: HashMap<usize, Vec<&Polygon>> = HashMap::new();
    for polygon in object.polygons.iter().filter(|polygon| !polygon.corners.is_empty()) {
        polygons.entry(polygon.tag).or_default().push(polygon);
    }
    let mut meshes = Meshes::new(source.len());
    for tag in object.tag_order() {
        // A tag that occurs again finds no polygons.
        let Some(polygons) = polygons.remove(&tag) else { continue };
        let triangles = polygons.into_iter().flat_map(|polygon| object.triangles(polygon, &normals));
        let name = object.names.get(tag).map_or("", String::as_str);
        let details = object.surfaces.get(name).map(|angle| Detail::text("SMAN", angle)).into_iter().collect();
        let added = meshes.add(name, name.to_owned(), SurfaceData::default(), details, &object.points, triangles);
        added.map_err(|reason| source.error("TAGS", 0, reason))?;
    }
    if meshes.is_empty() {
        return Err(source.error("POLS", 0, Reason::Broken("the first layer has no polygons".to_owned())));
    }
    Ok(meshes.into_parts(Format::Lwo, Some(object.version), Vec::new()))
}

impl Object {
    fn warn(&self, warnings: &mut Warnings) {
        let polygons = self.polygons.iter().filter(|polygon| polygon.corners.len() > 3).count();
        let shown = [
            "polygon has more than three corners; games leave it out",
            "polygons have more than three corners; games leave them out",
        ];
        let hidden = [
            "polygon in another layer, which games leave out, is not shown",
            "polygons in other layers, which games leave out, are not shown",
        ];
        warnings.add_counted(WarningKind::Inconsistent, "POLS", polygons, shown);
        warnings.add_counted(WarningKind::Inconsistent, "LAYR", self.hidden, hidden);
    }

    /// Returns the tags in the order of the surfaces, then in that of their first use.
    fn tag_order(&self) -> impl Iterator<Item = usize> {
        let mut tags = HashMap::new();
        for (tag, name) in self.names.iter().enumerate() {
            tags.entry(name).or_insert(tag);
        }
        let named = self.surface_order.iter().filter_map(move |name| tags.get(name).copied());
        named.chain(self.polygons.iter().map(|polygon| polygon.tag))
    }

    /// Returns the normals of the corners of all polygons, in the space of the game (`lwGetPolyNormals`,
    /// `lwGetVertNormals`). A corner joins the polygons at its point that have its smoothing group, up to the largest angle of
    /// its surface.
    fn corner_normals(&self) -> Vec<Vec3> {
        let at = |index: u32| self.points.get(index as usize).copied().unwrap_or_default();
        let normal = |polygon: &Polygon| match self.corners_of(polygon) {
            [first, second, .., last] => {
                // The points are mirrored, so the product has the other sign than in the file.
                (at(*last) - at(*first)).cross(at(*second) - at(*first)).normalize_or_zero()
            }
            _ => Vec3::ZERO,
        };
        let normals: Vec<Vec3> = self.polygons.iter().map(normal).collect();
        let cosine = |name: &String| self.surfaces.get(name).filter(|angle| **angle > 0.0).map(|angle| angle.cos());
        let cosines: Vec<Option<f32>> = self.names.iter().map(cosine).collect();
        let corners: Vec<(u32, u32)> = (0..)
            .zip(&self.polygons)
            .flat_map(|(index, polygon)| self.corners_of(polygon).iter().map(move |point| (*point, index)))
            .collect();
        let joins = |own: usize, other: usize| {
            let Some((first, second)) = self.polygons.get(own).zip(self.polygons.get(other)) else { return false };
            let Some(limit) = cosines.get(first.tag).copied().flatten() else { return false };
            let cosine = normals.get(own).zip(normals.get(other)).map(|(own, other)| own.dot(*other));
            first.smoothing == second.smoothing && cosine >= Some(limit)
        };
        smooth_corners(&corners, self.points.len(), &normals, joins, &mut comparisons())
    }

    fn corners_of(&self, polygon: &Polygon) -> &[u32] {
        self.corners.get(polygon.corners.clone()).unwrap_or_default()
    }

    /// Returns the triangles of a polygon, as a fan from its first corner.
    fn triangles(&self, polygon: &Polygon, normals: &[Vec3]) -> Vec<[Corner; 3]> {
        let normals = normals.get(polygon.corners.clone()).unwrap_or_default();
        let corner = |(point, normal): (&u32, &Vec3)| {
            let key = (polygon.number, *point);
            let uv = self.corner_uvs.get(&key).or_else(|| self.point_uvs.get(point));
            let colour = self.corner_colours.get(&key).or_else(|| self.point_colours.get(point));
            Corner {
                position: *point,
                normal: *normal,
                uv: uv.map_or(Vec2::ZERO, |uv| Vec2::new(uv.x, 1.0 - uv.y)),
                colour: colour.copied().unwrap_or(WHITE),
            }
        };
        let corners: Vec<Corner> = self.corners_of(polygon).iter().zip(normals).map(corner).collect();
        let Some((first, rest)) = corners.split_first() else { return Vec::new() };
        rest.windows(2).filter_map(|pair| Some([*first, *pair.first()?, *pair.get(1)?])).collect()
    }
}
