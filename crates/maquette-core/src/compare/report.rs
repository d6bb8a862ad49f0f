//! Result of a comparison, serialised as the JSON of `diff --json`. Lists contain only differences, largest first.
//! Non-finite numbers become null.

use serde::Serialize;

use super::Side;
use crate::model::Bounds;

/// Differences between two models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Whether nothing differs: all lists except `notes` are empty.
    pub same: bool,
    /// First model.
    pub a: Compared,
    /// Second model.
    pub b: Compared,
    /// Distance in units up to which positions count as equal.
    pub tolerance: f32,
    /// Number of frame pairs compared.
    pub frames: usize,
    /// Reasons why data was not compared, one sentence each. They do not count as differences.
    pub notes: Vec<String>,
    /// Differences of the header and of stored frame data.
    pub header: Vec<Change>,
    /// Differences of surfaces.
    pub surfaces: Vec<SurfaceChange>,
    /// Differences of tags.
    pub tags: Vec<TagChange>,
    /// Differences of clips.
    pub clips: Vec<ClipChange>,
    /// Differences of joints.
    pub joints: Vec<JointChange>,
}

impl Difference {
    /// Returns indented JSON.
    pub fn to_json(&self) -> String {
        // Serialising these types cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// Summary of a compared model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Display name, usually the path.
    pub name: String,
    /// Short name of the format.
    pub format: &'static str,
    /// Number of frames, including the bind pose of an MD5.
    pub frames: usize,
}

impl Compared {
    pub(super) fn from_side(side: Side) -> Self {
        Self { name: side.name.to_owned(), format: side.model.format().name(), frames: side.model.frames().len() }
    }
}

/// Side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelSide {
    /// First model.
    A,
    /// Second model.
    B,
}

/// Values of both models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pair<T> {
    /// Value of the first model.
    pub a: T,
    /// Value of the second model.
    pub b: T,
}

impl<T: PartialEq> Pair<T> {
    pub(super) fn if_different(a: T, b: T) -> Option<Self> {
        (a != b).then_some(Self { a, b })
    }
}

/// Value of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// No value.
    None,
    /// Whole number.
    Integer(i64),
    /// Real number.
    Number(f32),
    /// Position in units.
    Position([f32; 3]),
    /// Box, in units.
    Box {
        /// Minimum corner.
        min: [f32; 3],
        /// Maximum corner.
        max: [f32; 3],
    },
    /// Text.
    Text(String),
}

impl Value {
    pub(super) fn text(text: Option<&str>) -> Self {
        text.map_or(Self::None, |text| Self::Text(text.to_owned()))
    }

    pub(super) fn bounds(bounds: Option<Bounds>) -> Self {
        bounds.map_or(Self::None, |bounds| Self::Box { min: bounds.min.into(), max: bounds.max.into() })
    }
}

/// Field whose values differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Name of the field, in the format's own spelling if it has one.
    pub field: String,
    /// Value of the first model; for a table, the first value that differs.
    pub a: Value,
    /// Value of the second model.
    pub b: Value,
    /// Index of the value in a table, or the frame for frame fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Number of different entries in a table, or of different frames for frame fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differing: Option<usize>,
}

impl Change {
    pub(super) fn new(field: impl Into<String>, a: Value, b: Value) -> Self {
        Self { field: field.into(), a, b, index: None, differing: None }
    }

    /// Returns the first frame that differs and the field's name without “frame”, if this is a frame field.
    pub fn frame_field(&self) -> Option<(usize, &str)> {
        self.index.zip(self.field.strip_prefix("frame "))
    }
}

/// Frame of the first model, as displayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FramePosition {
    /// Clip in which the frame is counted, if frames are numbered per clip (MD5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Frame number from 0.
    pub frame: u32,
}

/// Differences of a surface.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SurfaceChange {
    /// Name as stored; empty if the format has no names.
    pub name: String,
    /// Index in the first model, or in the second if only that has the surface.
    pub index: usize,
    /// Level of detail; 0 is the finest.
    pub lod: u32,
    /// The only model with this surface; `None` if both have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<ModelSide>,
    /// Name in the second model, if different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed: Option<String>,
    /// Ranks among the surfaces of both models, if different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Pair<usize>>,
    /// Numbers of vertices, if different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Pair<usize>>,
    /// `nearest` if the numbers of vertices differ, so that each vertex was compared with the nearest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<&'static str>,
    /// Whether the second model has the same triangles with other vertex numbers. Vertices are compared with those of the
    /// same corners.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reordered: bool,
    /// Number of vertices of the first model that moved in any frame.
    pub moved: usize,
    /// With `matched`: number of vertices of the second model that are not near any vertex of the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<usize>,
    /// Number of frames in which any vertex moved.
    pub frames: usize,
    /// Vertex with the largest move.
    pub furthest: Option<VertexMove>,
    /// Material names, if different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub materials: Option<Pair<Vec<String>>>,
    /// Differences of triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangles: Option<TriangleChange>,
    /// Differences of texture coordinates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uvs: Option<UvChange>,
    /// Differences of normals, if the format stores any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normals: Option<NormalChange>,
    /// Number of vertices with different joints or weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<usize>,
    /// Other stored fields that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Change>,
}

impl SurfaceChange {
    pub(super) fn weight(&self) -> f32 {
        if self.only.is_some() {
            f32::INFINITY
        } else {
            self.furthest.as_ref().map_or(0.0, |furthest| furthest.distance)
        }
    }
}

/// Vertex that moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VertexMove {
    /// Index of the vertex in the first model.
    pub vertex: usize,
    /// Frame of the move.
    #[serde(flatten)]
    pub frame: FramePosition,
    /// Distance to the counterpart in units.
    pub distance: f32,
}

/// Differences of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TriangleChange {
    /// Number of triangles in the first model.
    pub a: usize,
    /// Number of triangles in the second model.
    pub b: usize,
    /// Number of the first model's triangles that differ; `None` if vertices do not correspond.
    pub differing: Option<usize>,
}

/// Differences of texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct UvChange {
    /// Number of vertices that differ. In MD2, whose triangles have their own coordinates, the number of corners.
    pub differing: usize,
    /// Vertex with the largest difference.
    pub vertex: usize,
    /// Largest difference; the texture has width 1.
    pub distance: f32,
}

/// Differences of normals at vertices that do not move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NormalChange {
    /// Number of vertices that differ in any frame.
    pub differing: usize,
    /// Vertex with the largest difference.
    pub vertex: usize,
    /// Frame of the largest difference.
    #[serde(flatten)]
    pub frame: FramePosition,
    /// Largest difference in degrees.
    pub degrees: f32,
}

/// Change of the transform of a tag or joint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TransformDelta {
    /// Frame of the change.
    #[serde(flatten)]
    pub frame: FramePosition,
    /// Distance in units.
    pub distance: f32,
    /// Rotation in degrees: the largest angle between corresponding axes.
    pub degrees: f32,
}

/// Differences of a tag.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TagChange {
    /// Name as stored.
    pub name: String,
    /// Index in the first model, or in the second if only that has the tag.
    pub index: usize,
    /// The only model with this tag; `None` if both have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<ModelSide>,
    /// Ranks among the tags of both models, if different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Pair<usize>>,
    /// Number of frames in which the tag moved or turned.
    pub frames: usize,
    /// Largest change of the transform.
    pub furthest: Option<TransformDelta>,
    /// Number of frames in which only the stored lengths of the axes differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaled: Option<usize>,
}

impl TagChange {
    pub(super) fn weight(&self) -> f32 {
        weight(self.only, self.furthest.as_ref())
    }
}

/// Differences of a clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipChange {
    /// Name of the clip.
    pub name: String,
    /// The only model with this clip; `None` if both have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<ModelSide>,
    /// Changes of `first`, `frames`, `fps`, `script_fps`, `loop_frames` and `reversed`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// Differences of a joint.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JointChange {
    /// Name as stored; MDR bones without a tag are called `bone 7`.
    pub name: String,
    /// Index in the first model, or in the second if only that has the joint.
    pub index: usize,
    /// The only model with this joint; `None` if both have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<ModelSide>,
    /// Name in the second model, if different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed: Option<String>,
    /// Ranks among the joints of both models, if different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Pair<usize>>,
    /// Names of the parents, if different; `None` for a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Pair<Option<String>>>,
    /// Differences of the bind pose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bind: Option<BindChange>,
    /// Number of animation frames that differ.
    pub frames: usize,
    /// Largest change in an animation, relative to the parent if there is one.
    pub furthest: Option<TransformDelta>,
}

impl JointChange {
    pub(super) fn weight(&self) -> f32 {
        weight(self.only, self.furthest.as_ref()).max(self.bind.map_or(0.0, |bind| bind.distance))
    }
}

/// Change of a joint in the bind pose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BindChange {
    /// Distance in units of model space.
    pub distance: f32,
    /// Rotation in degrees.
    pub degrees: f32,
}

fn weight(only: Option<ModelSide>, furthest: Option<&TransformDelta>) -> f32 {
    if only.is_some() { f32::INFINITY } else { furthest.map_or(0.0, |furthest| furthest.distance) }
}
