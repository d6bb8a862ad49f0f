//! Kinds of elements that a click selects.

/// Element that a click on the model selects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SelectionLevel {
    /// Whole surfaces.
    #[default]
    Surface,
    /// Triangles.
    Triangle,
    /// Vertices.
    Vertex,
}
