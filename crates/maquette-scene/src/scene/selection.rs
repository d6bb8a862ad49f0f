//! What is looked at closely.

use crate::inspect::Point;

/// What is chosen of an entity, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Nothing.
    #[default]
    None,
    /// A surface.
    Surface(usize),
    /// A triangle of a surface.
    Triangle {
        /// The surface.
        surface: usize,
        /// Its triangle.
        triangle: usize,
    },
    /// A vertex of a surface.
    Vertex {
        /// The surface.
        surface: usize,
        /// Its vertex.
        vertex: usize,
    },
    /// A tag.
    Tag(usize),
    /// A joint.
    Joint(usize),
}

impl Selection {
    /// The surface that is chosen, or that the chosen triangle or vertex is of.
    #[must_use]
    pub fn surface(self) -> Option<usize> {
        match self {
            Self::Surface(surface) | Self::Triangle { surface, .. } | Self::Vertex { surface, .. } => Some(surface),
            Self::None | Self::Tag(_) | Self::Joint(_) => None,
        }
    }
}

impl Selection {
    /// What can be followed from frame to frame; nothing of surfaces and triangles.
    #[must_use]
    pub fn point(self) -> Option<Point> {
        match self {
            Self::Vertex { surface, vertex } => Some(Point::Vertex { surface, vertex }),
            Self::Tag(tag) => Some(Point::Tag(tag)),
            Self::Joint(joint) => Some(Point::Joint(joint)),
            Self::None | Self::Surface(_) | Self::Triangle { .. } => None,
        }
    }
}

/// What a click on the model selects.
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
    /// All of them, in the order of menus.
    pub const ALL: [Self; 3] = [Self::Surface, Self::Triangle, Self::Vertex];

    /// Name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Surface => "Surfaces",
            Self::Triangle => "Triangles",
            Self::Vertex => "Vertices",
        }
    }
}
