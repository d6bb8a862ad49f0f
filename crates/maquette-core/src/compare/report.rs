//! What differs, as plain data: serialised, it is the JSON of `diff --json`. Only what differs is listed, the worst first.
//! A number that is not finite is null.

use serde::Serialize;

use super::Side;
use crate::model::Bounds;

/// How two models differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Nothing differs: all lists but `notes` are empty.
    pub same: bool,
    /// The first model.
    pub a: Compared,
    /// The second.
    pub b: Compared,
    /// Distance in units up to which a place counts as the same.
    pub tolerance: f32,
    /// Pairs of frames that were compared.
    pub frames: usize,
    /// What was not compared and why, a sentence each; it does not count as a difference.
    pub notes: Vec<String>,
    /// What the files say of themselves and their frames.
    pub header: Vec<Change>,
    /// Surfaces.
    pub surfaces: Vec<SurfaceChange>,
    /// Tags.
    pub tags: Vec<TagChange>,
    /// Clips.
    pub clips: Vec<ClipChange>,
    /// Joints.
    pub joints: Vec<JointChange>,
}

impl Difference {
    /// Indented JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// A model that was compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// What it is called here, usually its path.
    pub name: String,
    /// Short name of the format.
    pub format: &'static str,
    /// Frames of all clips; an MD5's bind pose is one of them.
    pub frames: usize,
}

impl Compared {
    pub(super) fn of(side: Side) -> Self {
        Self { name: side.name.to_owned(), format: side.model.format().name(), frames: side.model.frames().len() }
    }
}

/// One of the two models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelSide {
    /// The first.
    A,
    /// The second.
    B,
}

/// The same thing in both models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pair<T> {
    /// In the first.
    pub a: T,
    /// In the second.
    pub b: T,
}

impl<T: PartialEq> Pair<T> {
    /// Both, if they are not the same.
    pub(super) fn if_different(a: T, b: T) -> Option<Self> {
        (a != b).then_some(Self { a, b })
    }
}

/// A value of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// There is none.
    None,
    /// A whole number.
    Integer(i64),
    /// Another number.
    Number(f32),
    /// A place.
    Place([f32; 3]),
    /// A box, in units.
    Box {
        /// Smallest corner.
        min: [f32; 3],
        /// Largest corner.
        max: [f32; 3],
    },
    /// A text.
    Text(String),
}

impl Value {
    /// A text, or that there is none.
    pub(super) fn text(text: Option<&str>) -> Self {
        text.map_or(Self::None, |text| Self::Text(text.to_owned()))
    }

    /// A box, or that there is none.
    pub(super) fn bounds(bounds: Option<Bounds>) -> Self {
        bounds.map_or(Self::None, |bounds| Self::Box { min: bounds.min.into(), max: bounds.max.into() })
    }
}

/// A field that says different things.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Its name, in the format's own spelling where it has one.
    pub field: String,
    /// The first model's value; of a table, the first that differs.
    pub a: Value,
    /// The second model's.
    pub b: Value,
    /// Of a table, where in it that value stands; of the fields of frames, in which frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Of a table, and of the fields of frames, how many of them differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differing: Option<usize>,
}

impl Change {
    pub(super) fn new(field: impl Into<String>, a: Value, b: Value) -> Self {
        Self { field: field.into(), a, b, index: None, differing: None }
    }

    /// Of a field of frames: the first frame in which it differs, and the field's name without “frame”.
    #[must_use]
    pub fn frame_field(&self) -> Option<(usize, &str)> {
        self.index.zip(self.field.strip_prefix("frame "))
    }
}

/// A frame of the first model, as people count it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FramePosition {
    /// The clip it is counted in, where every clip counts its own frames (MD5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// The frame, from 0.
    pub frame: u32,
}

/// A surface that differs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SurfaceChange {
    /// As stored; empty where the format has no names.
    pub name: String,
    /// Its place in the first model's list; in the second's where only that has it.
    pub index: usize,
    /// Level of detail, 0 is the finest.
    pub lod: u32,
    /// Only this model has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<ModelSide>,
    /// The second model's name for it, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed: Option<String>,
    /// Its rank among the surfaces that both have, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Pair<usize>>,
    /// How many vertices it has, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Pair<usize>>,
    /// `nearest` where the numbers of vertices differ, so that each was compared with the nearest one of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<&'static str>,
    /// Vertices of the first model that stand elsewhere in any frame.
    pub moved: usize,
    /// With `matched`: vertices of the second model that stand where the first has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<usize>,
    /// Frames in which any of them stands elsewhere.
    pub frames: usize,
    /// The vertex that stands furthest from its counterpart.
    pub furthest: Option<VertexMove>,
    /// Material names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub materials: Option<Pair<Vec<String>>>,
    /// Triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangles: Option<TriangleChange>,
    /// Texture coordinates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uvs: Option<UvChange>,
    /// Normals, as far as the format stores any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normals: Option<NormalChange>,
    /// Vertices that hang on other joints, or with other shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<usize>,
    /// Whatever else the file says of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Change>,
}

impl SurfaceChange {
    /// How bad it is: one that is missing is worst.
    pub(super) fn weight(&self) -> f32 {
        if self.only.is_some() {
            f32::INFINITY
        } else {
            self.furthest.as_ref().map_or(0.0, |furthest| furthest.distance)
        }
    }
}

/// A vertex that stands elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VertexMove {
    /// Its index as the first file counts it.
    pub vertex: usize,
    /// In which frame.
    #[serde(flatten)]
    pub place: FramePosition,
    /// How far from its counterpart, in units.
    pub distance: f32,
}

/// Triangles that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TriangleChange {
    /// How many the first model has.
    pub a: usize,
    /// How many the second has.
    pub b: usize,
    /// How many of the first differ; none where the vertices do not correspond.
    pub differing: Option<usize>,
}

/// Texture coordinates that differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct UvChange {
    /// Of how many vertices; in MD2, whose triangles have their own, of how many corners.
    pub differing: usize,
    /// The vertex whose differ most.
    pub vertex: usize,
    /// By how much; the picture is 1 wide.
    pub distance: f32,
}

/// Normals that differ at vertices that do not move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NormalChange {
    /// Of how many vertices, in any frame.
    pub differing: usize,
    /// The vertex whose differs most.
    pub vertex: usize,
    /// In which frame.
    #[serde(flatten)]
    pub place: FramePosition,
    /// By how much.
    pub degrees: f32,
}

/// A tag or a joint that stands elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TransformDelta {
    /// In which frame.
    #[serde(flatten)]
    pub place: FramePosition,
    /// How far, in units.
    pub distance: f32,
    /// How far it is turned: the largest angle between two of its axes.
    pub degrees: f32,
}

/// A tag that differs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TagChange {
    /// As stored.
    pub name: String,
    /// Its place in the first model's list; in the second's where only that has it.
    pub index: usize,
    /// Only this model has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<ModelSide>,
    /// Its rank among the tags that both have, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Pair<usize>>,
    /// Frames in which it stands elsewhere or is turned.
    pub frames: usize,
    /// Where it is furthest off.
    pub furthest: Option<TransformDelta>,
    /// Frames in which its axes are stored with other lengths, though it is not turned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaled: Option<usize>,
}

impl TagChange {
    pub(super) fn weight(&self) -> f32 {
        weight(self.only, self.furthest.as_ref())
    }
}

/// A clip that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipChange {
    /// Its name.
    pub name: String,
    /// Only this model has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<ModelSide>,
    /// `first`, `frames`, `fps`, `loop_frames`, `reversed`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// A joint that differs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JointChange {
    /// As stored; MDR bones without a tag are called `bone 7`.
    pub name: String,
    /// Its place in the first model's list; in the second's where only that has it.
    pub index: usize,
    /// Only this model has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<ModelSide>,
    /// The second model's name for it, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed: Option<String>,
    /// Its rank among the joints that both have, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Pair<usize>>,
    /// Names of its parents, where they differ; none for a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Pair<Option<String>>>,
    /// The bind pose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bind: Option<BindChange>,
    /// Frames of animation in which it differs.
    pub frames: usize,
    /// Where in an animation it is furthest off, relative to its parent if it has one.
    pub furthest: Option<TransformDelta>,
}

impl JointChange {
    pub(super) fn weight(&self) -> f32 {
        weight(self.only, self.furthest.as_ref()).max(self.bind.map_or(0.0, |bind| bind.distance))
    }
}

/// A joint's place in the bind pose that differs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BindChange {
    /// How far, in units of model space.
    pub distance: f32,
    /// How far it is turned.
    pub degrees: f32,
}

fn weight(only: Option<ModelSide>, furthest: Option<&TransformDelta>) -> f32 {
    if only.is_some() { f32::INFINITY } else { furthest.map_or(0.0, |furthest| furthest.distance) }
}
