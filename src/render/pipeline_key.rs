//! Key of the pipeline for a material stage.

use maquette_assets::material::{Blend, DrawnFaces};

/// Lighting of a stage. Twin of the constants in shaders/material.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum LightingModel {
    None = 0,
    /// Game lighting per vertex.
    Vertex = 1,
    /// Game lighting per texel.
    Texel = 2,
    Studio = 3,
    StudioRelief = 4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StagePipelineKey {
    pub light: LightingModel,
    /// Alpha test. Twin of `alpha_test` in shaders/material.wgsl.
    pub test: u8,
    /// Source of texture coordinates. Twin of `coordinates` in shaders/material.wgsl.
    pub coordinates: u8,
    /// Source of alpha. Twin of `alpha_source` in shaders/material.wgsl.
    pub alpha: u8,
    pub warps: u8,
    pub swings: bool,
    pub blend: Option<Blend>,
    pub sides: DrawnFaces,
    pub writes_depth: bool,
    pub at_equal_depth: bool,
    pub is_decal: bool,
    /// Whether a depth bias moves the surface back, so that lines on it stay visible.
    pub steps_back: bool,
}

impl StagePipelineKey {
    /// Returns whether the stage has holes under studio light. `test` is then “at least one half”.
    pub fn is_studio_cutout(&self) -> bool {
        matches!(self.light, LightingModel::Studio | LightingModel::StudioRelief)
            && self.test == 3
            && self.blend.is_none()
    }
}
