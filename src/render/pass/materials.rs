//! Surfaces with material stages, in the drawing order of the materials.

use std::ops::Range;

use super::{
    COLOURS, GpuSurface, NORMALS, POSITIONS, PassContext, PipelineDescription, Renderer, UVS, depth, drawn_surfaces,
    runs, shader,
};
use crate::render::blend_states::{blended, glow};
use crate::render::stages::{GpuStage, STRIDE};
use maquette_assets::material::{Blend, DrawnFaces};
use maquette_scene::scene::{BackfaceDisplay, LightingMode, Wireframe};

/// Maximum number of material stages drawn in one image. Further stages are not drawn.
const MAX_DRAWN_STAGES: usize = 1 << 13;

/// Lighting of a stage. Twin of the constants in shaders/material.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightingModel {
    None = 0,
    /// Game lighting per vertex.
    Vertex = 1,
    /// Game lighting per texel.
    Texel = 2,
    Studio = 3,
    StudioRelief = 4,
}

/// Properties of a stage that select its pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StagePipelineKey {
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
}

impl StagePipelineKey {
    /// Returns whether the stage has holes under studio light. `test` is then “at least one half”.
    fn is_studio_cutout(&self) -> bool {
        matches!(self.light, LightingModel::Studio | LightingModel::StudioRelief)
            && self.test == 3
            && self.blend.is_none()
    }

    fn description(&self, renderer: &Renderer, context: &PassContext<'_>, has_colours: bool) -> PipelineDescription {
        use wgpu::CompareFunction::{Equal, LessEqual};
        let covers_by_alpha = self.is_studio_cutout() && context.covers_by_alpha;
        let mut constants = context.constants(covers_by_alpha).to_vec();
        constants.extend([
            ("light", f64::from(self.light as u8)),
            ("alpha_test", f64::from(self.test)),
            ("coordinates", f64::from(self.coordinates)),
            ("alpha_source", f64::from(self.alpha)),
            ("warp_count", f64::from(self.warps)),
            ("swings", f64::from(u8::from(self.swings))),
            ("opaque", f64::from(u8::from(self.blend.is_none()))),
            ("glow", f64::from(self.blend.map_or(0, glow))),
        ]);
        let both_sides = context.request.display.sides == BackfaceDisplay::Both;
        let mut bias = context.bias();
        if self.is_decal {
            // The offset of the game.
            (bias.constant, bias.slope_scale) = (bias.constant - 2, bias.slope_scale - 1.0);
        }
        let compare = if self.at_equal_depth { Equal } else { LessEqual };
        PipelineDescription {
            buffers: [POSITIONS, NORMALS, UVS].into_iter().chain(has_colours.then_some(COLOURS)).map(Some).collect(),
            constants,
            front_face: context.front_face(),
            cull: match self.sides {
                DrawnFaces::Front if !both_sides => Some(wgpu::Face::Back),
                DrawnFaces::Back if !both_sides => Some(wgpu::Face::Front),
                _ => None,
            },
            blend: self.blend.map(blended),
            depth: Some(wgpu::DepthStencilState { bias, ..depth(compare, self.writes_depth) }),
            covers_by_alpha,
            ..context.pipeline(
                [if has_colours { "vs_coloured" } else { "vs_material" }, "fs_material"],
                &[Some(&renderer.layouts.part), Some(&renderer.layouts.stage)],
            )
        }
    }
}

/// Stage of adjacent surfaces to draw.
#[derive(Clone, Debug)]
pub struct StageDraw {
    sort: f32,
    part: usize,
    rank: u32,
    stage: usize,
    /// First surface.
    surface: usize,
    indices: Range<u32>,
}

impl StageDraw {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let rest = |draw: &Self| (draw.part, draw.rank, draw.stage, draw.surface);
        self.sort.total_cmp(&other.sort).then_with(|| rest(self).cmp(&rest(other)))
    }
}

pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    let PassContext { gpu, request, .. } = *context;
    if !request.display.shows_materials() || request.display.wireframe == Wireframe::Alone {
        return;
    }
    let is_game = request.display.lighting == LightingMode::Game;
    let key_of = |stage: &GpuStage| if is_game { stage.game } else { stage.studio };
    let mut draws = std::mem::take(&mut renderer.draws);
    draws.clear();
    for (number, part) in request.parts.iter().enumerate() {
        let Some(gpu_part) = renderer.parts.get(&part.id) else { continue };
        let is_same = |one: &GpuSurface, next: &GpuSurface| one.material == next.material;
        for ((first, surface), indices) in runs(drawn_surfaces(gpu_part, part), is_same) {
            let Some(material) = gpu_part.material_of(surface) else { continue };
            let (sort, rank) = (material.sort(is_game), material.rank);
            let stages = material.stages.iter().enumerate();
            let stages = stages.filter(|(_, stage)| stage.texture().is_some() && key_of(stage).is_some());
            // A hostile model can request millions of stages.
            let remaining = MAX_DRAWN_STAGES.saturating_sub(draws.len());
            let draw =
                |(stage, _)| StageDraw { sort, part: number, rank, stage, surface: first, indices: indices.clone() };
            draws.extend(stages.map(draw).take(remaining));
        }
    }
    draws.sort_unstable_by(StageDraw::order);
    let mut current: Option<(usize, StagePipelineKey, [bool; 2])> = None;
    for draw in &draws {
        let Some(gpu_part) = request.parts.get(draw.part).and_then(|part| renderer.parts.get(&part.id)) else {
            continue;
        };
        let Some(surface) = gpu_part.surfaces.get(draw.surface) else { continue };
        let stage = gpu_part.material_of(surface).and_then(|material| material.stages.get(draw.stage));
        let Some((stage, key)) = stage.and_then(|stage| Some((stage, key_of(stage)?))) else { continue };
        let Some(image) = stage.texture() else { continue };
        let has_colours = gpu_part.shows_colours(request.display);
        // Later stages are drawn over the first one.
        let is_dense = gpu_part.is_dense && draw.stage == 0 && key.blend.is_none() && !key.at_equal_depth;
        let variant = [has_colours, is_dense];
        if current.is_none_or(|(_, known, of)| (known, of) != (key, variant)) {
            let mut description = key.description(renderer, context, has_colours);
            if let Some(depth) = description.depth.as_mut().filter(|_| is_dense) {
                depth.depth_compare = Some(wgpu::CompareFunction::Less);
            }
            pass.set_pipeline(&renderer.pipelines.get(gpu, shader!("material.wgsl"), description));
        }
        if current.is_none_or(|(part, ..)| part != draw.part) {
            gpu_part.bind(pass);
        }
        current = Some((draw.part, key, variant));
        let offset = u32::try_from(stage.slot * STRIDE).unwrap_or(0);
        pass.set_bind_group(2, image, &[offset]);
        gpu_part.draw_run(pass, ((draw.surface, surface), draw.indices.clone()), true);
    }
    renderer.draws = draws;
}
