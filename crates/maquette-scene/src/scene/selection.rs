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

impl SelectionLevel {
    /// Levels in the order of menus.
    pub const ALL: [Self; 3] = [Self::Surface, Self::Triangle, Self::Vertex];

    /// Returns the display name.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Surface => "Surfaces",
            Self::Triangle => "Triangles",
            Self::Vertex => "Vertices",
        }
    }
}
