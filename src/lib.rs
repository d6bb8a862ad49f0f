//! Maquette, a viewer of id Tech models: renderer, panels and window on top of the libraries.
//!
//! `maquette-core` turns bytes into models and models into poses. `maquette-assets` finds models and their materials in
//! folders and archives. `maquette-scene` holds the state of the viewer. `ARCHITECTURE.md` describes the data flow.

// The example of the README is a test as well.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

pub mod render;
pub mod ui;

pub mod output;

pub mod app;
