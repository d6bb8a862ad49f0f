//! Models of id Tech games: formats, poses, conversion, editing and export.
//!
//! **Bytes become a [`Model`](model::Model); a model at a time becomes a [`Pose`](pose::Pose).** The crate knows no path, no
//! image and no GPU.
//!
//! ```
//! use maquette_core::{formats, pose};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/sample/umber.md3"))?;
//! // Any supported format, detected by the first bytes.
//! let (model, warnings) = formats::load(&bytes)?;
//! for warning in warnings {
//!     eprintln!("{warning}");
//! }
//!
//! // A quarter of a second into a looping clip.
//! let clip = model.clip("idle").or(model.clips().first()).ok_or("it has no clips")?;
//! let blend = pose::blend_at_seconds(clip, 0.25, pose::Repeat::Loop);
//! let mut pose = pose::Pose::default();
//! pose::sample(&model, &pose::Sampling::at(blend), &mut pose);
//!
//! // X forward, Y left, Z up; front faces are clockwise.
//! for (surface, posed) in model.surfaces().iter().zip(&pose.surfaces) {
//!     // Surfaces of other LODs are not posed.
//!     println!("{}: {} triangles, {:?}", surface.name, surface.triangles.len(), posed.positions.first());
//! }
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

pub use glam;

pub mod budget;
pub mod error;
pub mod file_names;
pub mod limits;
pub mod threads;

pub mod bytes;
pub mod text;

pub mod formats;
pub mod model;

pub mod pose;

pub mod compare;
pub mod inspect;

pub mod convert;
pub mod edit;
pub mod export;
