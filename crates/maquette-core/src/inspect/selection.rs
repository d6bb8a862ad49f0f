//! Selected element of a model.

use super::Point;

/// Selected element of a model, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Nothing.
    #[default]
    None,
    /// Surface.
    Surface(usize),
    /// Triangle of a surface.
    Triangle {
        /// Index of the surface.
        surface: usize,
        /// Index of the triangle.
        triangle: usize,
    },
    /// Vertex of a surface.
    Vertex {
        /// Index of the surface.
        surface: usize,
        /// Index of the vertex.
        vertex: usize,
    },
    /// Tag.
    Tag(usize),
    /// Joint.
    Joint(usize),
}

impl Selection {
    /// Returns the selected surface, or that of the selected triangle or vertex.
    pub fn surface(self) -> Option<usize> {
        match self {
            Self::Surface(surface) | Self::Triangle { surface, .. } | Self::Vertex { surface, .. } => Some(surface),
            Self::None | Self::Tag(_) | Self::Joint(_) => None,
        }
    }

    /// Returns the point whose path can be shown; `None` for surfaces and triangles.
    pub fn point(self) -> Option<Point> {
        match self {
            Self::Vertex { surface, vertex } => Some(Point::Vertex { surface, vertex }),
            Self::Tag(tag) => Some(Point::Tag(tag)),
            Self::Joint(joint) => Some(Point::Joint(joint)),
            Self::None | Self::Surface(_) | Self::Triangle { .. } => None,
        }
    }
}
