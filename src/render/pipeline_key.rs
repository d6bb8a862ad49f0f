//! How a stage of a material is drawn: all that its pipeline depends on.

use maquette_assets::material::{Blend, DrawnFaces};

/// How light falls on a stage. Twin of the constants in shaders/material.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum LightingModel {
    /// Not at all.
    None = 0,
    /// The game's, at each vertex.
    Vertex = 1,
    /// The game's, at each texel.
    Texel = 2,
    /// The studio's.
    Studio = 3,
    /// The studio's, with normal and specular map.
    StudioRelief = 4,
}

/// How a stage of a material is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StagePipelineKey {
    pub light: LightingModel,
    /// Which texels are drawn. Twin of `alpha_test` in shaders/material.wgsl.
    pub test: u8,
    /// Where coordinates come from. Twin of `coordinates` there.
    pub coordinates: u8,
    /// Where alpha comes from. Twin of `alpha_source` there.
    pub alpha: u8,
    /// How many warps change the coordinates, and whether any of them swings.
    pub warps: u8,
    pub swings: bool,
    pub blend: Option<Blend>,
    pub sides: DrawnFaces,
    pub writes_depth: bool,
    pub at_equal_depth: bool,
    pub is_decal: bool,
    /// Makes room for lines on it.
    pub steps_back: bool,
}
