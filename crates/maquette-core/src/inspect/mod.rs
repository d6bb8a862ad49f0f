//! What a model says of one of its vertices, triangles or joints, at a moment: what stands in the file, and what follows from it.

#![forbid(unsafe_code)]

mod coverage;
mod joint;
mod motion;
mod selection;
mod triangle;
mod uv;
mod vertex;

pub use coverage::TextureUse;
pub use joint::{JointFacts, JointSource, joint};
pub use motion::{At, Point, Summary, Track};
pub use selection::Selection;
pub use triangle::{TriangleFacts, triangle};
pub use uv::{UvFacts, triangle_at};
pub use vertex::{StoredVertex, VertexFacts, WeightFacts, vertex};
