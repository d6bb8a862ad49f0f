//! Surfaces with material stages, in the drawing order of the materials.

use std::ops::Range;

use super::{
    COLOURS, GpuSurface, Layouts, NORMALS, POSITIONS, PassContext, PipelineDescription, Renderer, TANGENTS, UVS, depth,
    drawn_surfaces, runs, shader,
};
use crate::render::blend_states::{blended, glow};
use crate::render::stages::{GpuStage, STRIDE};
use maquette_assets::engines::LightRule;
use maquette_assets::material::{Blend, DrawnFaces};
use maquette_scene::scene::{BackfaceDisplay, GameEffect, Wireframe};

/// Maximum number of material stages drawn in one image. Further stages are not drawn.
const MAX_DRAWN_STAGES: usize = 1 << 13;

/// Lighting of a stage. Twin of the constants in shaders/material.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightingModel {
    None = 0,
    /// Light of the game: per texel for normal and specular maps, else per vertex.
    Game = 1,
    Studio = 2,
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
    pub masked: [bool; 4],
    /// Look of the texture beyond its edges. Twin of `outside` in shaders/material.wgsl.
    pub outside: u8,
    /// Whether the stage has a normal map, a specular map, and separate coordinates for both; whether lights reach
    /// triangles that are turned away.
    pub relief: [bool; 4],
    pub is_decal: bool,
    /// Whether the light of the game comes from lights, in interactions as in Doom 3.
    pub in_interactions: bool,
    /// Effect of Quake II. The stage with a shell is the shell itself.
    pub effect: GameEffect,
}

impl StagePipelineKey {
    /// Returns whether the stage has holes under studio light. `test` is then “at least one half”.
    fn is_studio_cutout(&self) -> bool {
        self.light == LightingModel::Studio && self.test == 3 && self.blend.is_none()
    }

    /// Returns the key with light by the rule of an engine.
    pub fn lit_by(self, rule: &LightRule) -> Self {
        Self { in_interactions: self.light == LightingModel::Game && rule.has_interactions, ..self }
    }

    /// Returns the key with an effect: translucent, or a shell without light and texture (yquake2 `gl1_mesh.c`,
    /// `R_DrawAliasFrameLerp`).
    fn with_effect(self, effect: GameEffect) -> Self {
        let plain = Self { effect, ..self };
        let blended = Self { blend: Some(Blend::ALPHA), writes_depth: false, ..plain };
        match effect {
            GameEffect::None | GameEffect::Glow => plain,
            GameEffect::Translucent if self.blend.is_some() => plain,
            GameEffect::Translucent => blended,
            GameEffect::Shell(_) => {
                Self { light: LightingModel::None, test: 0, at_equal_depth: false, relief: [false; 4], ..blended }
            }
        }
    }

    /// Returns the constants of the effect, with the opacity that the game gives such a model (yquake2 `cl_entities.c`,
    /// `CL_AddPacketEntities`).
    fn effect_constants(self) -> Vec<(&'static str, f64)> {
        match self.effect {
            GameEffect::None => Vec::new(),
            GameEffect::Glow => vec![("glows", 1.0)],
            GameEffect::Translucent => vec![("opacity", 0.7)],
            GameEffect::Shell(colour) => {
                let [red, green, blue] = colour.map(|channel| f64::from(channel) / 255.0);
                let colour = [("shell_red", red), ("shell_green", green), ("shell_blue", blue)];
                [("shell", 4.0), ("opacity", 0.3)].into_iter().chain(colour).collect()
            }
        }
    }

    /// Returns the key for further lights, which are added to the first one.
    fn for_light(self, number: usize) -> Self {
        if number == 0 || self.blend.is_some() {
            return self;
        }
        Self { blend: Some(Blend::ADD), writes_depth: false, at_equal_depth: true, ..self }
    }

    /// Returns whether the light of the game is a constant of the pipeline.
    fn depends_on(&self, rule: &LightRule, other: &LightRule) -> bool {
        self.light == LightingModel::Game && !self.in_interactions && rule != other
    }

    fn description(
        &self,
        renderer: &Renderer,
        context: &PassContext<'_>,
        rule: &LightRule,
        [has_colours, has_images]: [bool; 2],
    ) -> PipelineDescription {
        use wgpu::CompareFunction::{Equal, LessEqual};
        let covers_by_alpha = self.is_studio_cutout() && context.covers_by_alpha;
        let mut constants = context.constants(covers_by_alpha).to_vec();
        constants.extend([
            ("light", if self.in_interactions { 0.0 } else { f64::from(self.light as u8) }),
            ("alpha_test", f64::from(self.test)),
            ("coordinates", f64::from(self.coordinates)),
            ("alpha_source", f64::from(self.alpha)),
            ("warp_count", f64::from(self.warps)),
            ("swings", f64::from(u8::from(self.swings))),
            ("opaque", f64::from(u8::from(self.blend.is_none()))),
            ("glow", f64::from(self.blend.map_or(0, glow))),
            ("outside", f64::from(self.outside)),
        ]);
        let is_interaction = self.in_interactions;
        let numbers = |names: &[&'static str], are: &[bool]| -> Vec<_> {
            names.iter().zip(are).map(|(name, is)| (*name, f64::from(u8::from(*is)))).collect()
        };
        constants.extend(numbers(&["has_bump", "has_specular", "has_own_coordinates", "lights_backs"], &self.relief));
        constants.extend(numbers(&["has_light_images"], &[is_interaction && has_images]));
        if self.depends_on(rule, &LightRule::QUAKE_3) {
            let numbers = rule.towards.into_iter().chain([rule.ambient, rule.facing, rule.averted]);
            let names = ["towards_x", "towards_y", "towards_z", "ambient", "facing", "averted"];
            constants.extend(names.into_iter().zip(numbers.map(f64::from)));
            constants.extend([("is_byte", f64::from(u8::from(rule.is_byte))), ("intensity", rule.intensity.into())]);
        }
        constants.extend(self.effect_constants());
        let both_sides = context.request.display.sides == BackfaceDisplay::Both;
        let mut bias = context.bias();
        if self.is_decal {
            // The offset of the game.
            (bias.constant, bias.slope_scale) = (bias.constant - 2, bias.slope_scale - 1.0);
        }
        let compare = if self.at_equal_depth { Equal } else { LessEqual };
        PipelineDescription {
            buffers: vec![
                Some(POSITIONS),
                Some(NORMALS),
                Some(UVS),
                has_colours.then_some(COLOURS),
                is_interaction.then_some(TANGENTS),
            ],
            constants,
            front_face: context.front_face(),
            cull: match self.sides {
                DrawnFaces::Front if !both_sides => Some(wgpu::Face::Back),
                DrawnFaces::Back if !both_sides => Some(wgpu::Face::Front),
                _ => None,
            },
            blend: self.blend.map(blended),
            // Lights ignore the masks of a stage (dhewm3 `draw_arb2.cpp`, `RB_ARB2_CreateDrawInteractions`).
            writes: written(if is_interaction { [false; 4] } else { self.masked }),
            depth: Some(wgpu::DepthStencilState { bias, ..depth(compare, self.writes_depth) }),
            covers_by_alpha,
            ..if is_interaction {
                let Layouts { part, stage, light, .. } = &renderer.layouts;
                context.pipeline(["vs_interaction", "fs_interaction"], &[Some(part), Some(stage), Some(light)])
            } else {
                let Layouts { part, stage, .. } = &renderer.layouts;
                context.pipeline(
                    [if has_colours { "vs_coloured" } else { "vs_material" }, "fs_material"],
                    &[Some(part), Some(stage)],
                )
            }
        }
    }
}

fn written(masked: [bool; 4]) -> wgpu::ColorWrites {
    use wgpu::ColorWrites as Writes;
    let channels = [Writes::RED, Writes::GREEN, Writes::BLUE, Writes::ALPHA].into_iter().zip(masked);
    channels.filter(|(_, is_masked)| !is_masked).fold(Writes::empty(), |all, (channel, _)| all | channel)
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
    is_by_surface: bool,
    effect: GameEffect,
}

impl StageDraw {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let rest = |draw: &Self| {
            let (first, last) =
                if draw.is_by_surface { (draw.surface, draw.stage) } else { (draw.stage, draw.surface) };
            (draw.part, if draw.is_by_surface { 0 } else { draw.rank }, first, last)
        };
        self.sort.total_cmp(&other.sort).then_with(|| rest(self).cmp(&rest(other)))
    }
}

/// Key of a stage's pipeline, its rule of light, and three switches: whether it has vertex colours, is drawn only in
/// front of earlier stages, and has images of a light.
type PipelineState<'a> = (StagePipelineKey, &'a LightRule, [bool; 3]);

/// Adds the stages of all drawn surfaces to `draws`.
fn collect(
    renderer: &Renderer,
    context: &PassContext<'_>,
    key_of: impl Fn(&GpuStage) -> Option<StagePipelineKey>,
    draws: &mut Vec<StageDraw>,
) {
    let request = context.request;
    let is_game = request.display.is_in_game();
    for (number, part) in request.parts.iter().enumerate() {
        let Some(gpu_part) = renderer.parts.get(&part.id) else { continue };
        let has_effect = is_game && part.light.has_effects;
        let effect = if has_effect { request.display.game_effect } else { GameEffect::None };
        let is_same = |one: &GpuSurface, next: &GpuSurface| {
            one.material == next.material
                && gpu_part.material_of(one).is_none_or(|material| !material.definition.is_by_surface)
        };
        for ((first, surface), indices) in runs(drawn_surfaces(gpu_part, part), is_same) {
            let Some(material) = gpu_part.material_of(surface) else { continue };
            let (sort, rank) = (material.sort(is_game), material.rank);
            let stages = material.stages.iter().enumerate();
            let stages = stages.filter(|(_, stage)| stage.texture().is_some() && key_of(stage).is_some());
            // A hostile model can request millions of stages.
            let remaining = MAX_DRAWN_STAGES.saturating_sub(draws.len());
            let is_by_surface = material.definition.is_by_surface;
            let draw = |(stage, _)| StageDraw {
                sort,
                part: number,
                rank,
                stage,
                surface: first,
                indices: indices.clone(),
                is_by_surface,
                effect: if matches!(effect, GameEffect::Shell(_)) { GameEffect::None } else { effect },
            };
            let first = draws.len();
            draws.extend(stages.map(draw).take(remaining));
            // The shell is drawn after all surfaces.
            let shell = draws.get(first).filter(|_| matches!(effect, GameEffect::Shell(_)));
            draws.extend(shell.map(|model| StageDraw { sort: f32::INFINITY, effect, ..model.clone() }));
        }
    }
}

pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    let PassContext { gpu, request, .. } = *context;
    if !request.display.shows_materials() || request.display.wireframe == Wireframe::Alone {
        return;
    }
    let is_game = request.display.is_in_game();
    let key_of = |stage: &GpuStage| if is_game { stage.game } else { stage.studio };
    let mut draws = std::mem::take(&mut renderer.draws);
    draws.clear();
    collect(renderer, context, key_of, &mut draws);
    draws.sort_unstable_by(StageDraw::order);
    let mut current: Option<(usize, PipelineState<'_>)> = None;
    for draw in &draws {
        let Some(part) = request.parts.get(draw.part) else { continue };
        let Some(gpu_part) = renderer.parts.get(&part.id) else { continue };
        let rule = if is_game { part.light } else { &LightRule::QUAKE_3 };
        let Some(surface) = gpu_part.surfaces.get(draw.surface) else { continue };
        let stage = gpu_part.material_of(surface).and_then(|material| material.stages.get(draw.stage));
        let Some((stage, key)) = stage.and_then(|stage| Some((stage, key_of(stage)?))) else { continue };
        let Some(image) = stage.texture() else { continue };
        let key = key.lit_by(rule).with_effect(draw.effect);
        let is_interaction = key.in_interactions;
        let lights = if is_interaction { renderer.game_lights.lights.len() } else { 1 };
        let has_colours = !is_interaction && gpu_part.shows_colours(request.display);
        // Later stages are drawn over the first one.
        let is_dense = gpu_part.is_dense && draw.stage == 0 && key.blend.is_none() && !key.at_equal_depth;
        for number in 0..lights {
            let key = key.for_light(number);
            let light = renderer.game_lights.lights.get(number).filter(|_| is_interaction);
            let has_images = light.is_some_and(|light| light.has_images);
            let variant = [has_colours, is_dense && number == 0, has_images];
            let is_known =
                |(known, of, was): PipelineState<'_>| (known, was) == (key, variant) && !key.depends_on(of, rule);
            if !current.is_some_and(|(_, state)| is_known(state)) {
                let mut description = key.description(renderer, context, rule, [has_colours, has_images]);
                if let Some(depth) = description.depth.as_mut().filter(|_| variant[1]) {
                    depth.depth_compare = Some(wgpu::CompareFunction::Less);
                }
                pass.set_pipeline(&renderer.pipelines.get(gpu, shader!("material.wgsl"), description));
            }
            if current.is_none_or(|(part, _)| part != draw.part) {
                gpu_part.bind(pass);
            }
            current = Some((draw.part, (key, rule, variant)));
            let offset = u32::try_from(stage.slot * STRIDE).unwrap_or(0);
            pass.set_bind_group(2, image, &[offset]);
            if let Some(light) = light {
                pass.set_bind_group(3, &light.group, &[]);
            }
            gpu_part.draw_run(pass, ((draw.surface, surface), draw.indices.clone()), true);
        }
    }
    renderer.draws = draws;
}
