//! Details of single vertices, triangles and joints, stored and computed.

#![forbid(unsafe_code)]

mod coverage;
mod joint;
mod motion;
mod overlap;
mod selection;
mod triangle;
mod uv;
mod vertex;

pub use coverage::TextureUse;
pub use joint::{JointInfo, JointSource, joint};
pub use motion::{FramePeak, Point, Summary, Track};
pub use overlap::{Crossing, Overlap, PosedPart, crossings, overlaps};
pub use selection::Selection;
pub use triangle::{TriangleInfo, triangle};
pub use uv::{UvEdge, UvInfo, triangle_at, uv_edges};
pub use vertex::{StoredVertex, VertexInfo, vertex};
