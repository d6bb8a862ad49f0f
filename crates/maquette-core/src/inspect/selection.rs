//! What of a model is looked at closely.

use super::Point;

/// A part of a model that is selected, by index.
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
