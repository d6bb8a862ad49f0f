//! Maquette reads and shows id Tech models: MD2, MD3, MDC, MDR and MD5.
//!
//! **Bytes become a [`Model`](model::Model); a model at a moment becomes a [`Pose`](pose::Pose); a pose becomes a
//! picture.** Data goes one way; `ARCHITECTURE.md` has the diagram.
//!
//! ```
//! use maquette::{formats, pose};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample/umber.md3"))?;
//! // Any of the five formats: the first bytes say which.
//! let (model, warnings) = formats::load(&bytes)?;
//! for warning in warnings {
//!     eprintln!("{warning}");
//! }
//!
//! // A quarter of a second into a clip, played round.
//! let clip = model.clip("idle").or(model.clips().first()).ok_or("it has no clips")?;
//! let moment = pose::blend_at_seconds(clip, 0.25, pose::Repeat::Loop);
//! let mut pose = pose::Pose::default();
//! pose::sample(&model, &pose::Sampling::at(moment), &mut pose);
//!
//! // X forward, Y left, Z up; fronts of triangles are clockwise.
//! for (surface, posed) in model.surfaces().iter().zip(&pose.surfaces) {
//!     // Surfaces of other levels of detail are not posed.
//!     println!("{}: {} triangles, {:?}", surface.name, surface.triangles.len(), posed.positions.first());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! | feature | what it adds | crates |
//! |---|---|---|
//! | `loaders` | nothing: the five formats, poses and OBJ are always there | glam, fearless_simd |
//! | `gltf` | [`export::gltf`]: models as glTF 2.0 | serde, serde_json |
//! | `files` | [`vfs`]: folders, `.pk3`, `.pk4`, `.zip` and `.pak` as one world of files | zip |
//! | `materials` | [`material`], [`game`]: skins, shader scripts and pictures, and whose rules they follow | image |
//! | `viewer` (default) | scenes, the renderer, the window and the command line | wgpu, winit, egui |
//!
//! `examples/` has programs that load a model, pose it, skin it on a GPU, find its materials, and write it as glTF.

pub use glam;

// The maker of the sample figure calls the library by its name, as a program of its own and within it.
#[cfg(feature = "viewer")]
extern crate self as maquette;

/// The README's example is a test, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod error;
pub mod threads;

pub mod bytes;
pub mod text;

pub mod formats;
pub mod model;

pub mod pose;

pub mod convert;
pub mod export;

pub mod mend;

#[cfg(feature = "files")]
pub mod vfs;

#[cfg(feature = "materials")]
pub mod game;
#[cfg(feature = "materials")]
pub mod material;

#[cfg(feature = "viewer")]
pub mod anatomy;
#[cfg(feature = "viewer")]
pub mod compare;
#[cfg(feature = "viewer")]
pub mod info;
#[cfg(feature = "viewer")]
pub mod inspect;
#[cfg(feature = "viewer")]
pub mod lint;
#[cfg(feature = "viewer")]
pub mod scene;
#[cfg(feature = "viewer")]
pub mod session;

#[cfg(feature = "viewer")]
pub mod loader;

#[cfg(feature = "viewer")]
pub mod render;
#[cfg(feature = "viewer")]
pub mod ui;

#[cfg(feature = "viewer")]
pub mod output;

#[cfg(feature = "viewer")]
pub mod app;
