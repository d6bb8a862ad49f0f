//! Details of single vertices, triangles and joints, stored and computed.

mod connected;
mod coverage;
mod crossing;
mod gl_commands;
mod joint;
mod motion;
mod selection;
mod triangle;
mod uv;
mod vertex;

pub use connected::connected_parts;
pub use coverage::TextureUse;
pub use crossing::{CrossedPair, Crossing, PosedPart, crossed_pairs, crossings};
pub use gl_commands::{CommandDifferences, command_differences};
pub use joint::{JointInfo, JointSource, joint};
pub use motion::{FramePeak, Point, Summary, Track};
pub use selection::Selection;
pub use triangle::{TriangleInfo, is_flat, triangle};
pub use uv::{UvEdge, UvInfo, triangle_at, uv_edges};
pub(crate) use vertex::weights;
pub use vertex::{StoredVertex, VertexInfo, vertex};
