//! Maquette reads and shows id Tech models: MD2, MD3, MDC, MDR and MD5.
//!
//! **Bytes become a [`Model`](model::Model); a model at a moment becomes a [`Pose`](pose::Pose); a pose becomes a
//! picture.**
//!
//! Data goes one way; `ARCHITECTURE.md` has the diagram. The modules, in the order of the pipeline:

pub mod error;

pub mod bytes;
pub mod text;
pub mod vfs;

pub mod formats;
pub mod model;

pub mod pose;

pub mod export;
pub mod info;

pub mod material;
pub mod scene;
pub mod session;

pub mod loader;

#[cfg(feature = "viewer")]
pub mod render;
#[cfg(feature = "viewer")]
pub mod ui;

#[cfg(feature = "viewer")]
pub mod output;

#[cfg(feature = "viewer")]
pub mod app;
