//! Materials on the GPU: pipelines and bind groups of each stage.

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::default_textures::DefaultTextures;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::pass::materials::{LightingModel, StagePipelineKey};
use super::resources::bind_group;
use maquette_assets::engines::LightRule;
use maquette_assets::material::{
    AlphaSource, AlphaTest, Blend, Coordinates, Deform, Factor, Image, InGame, Map, Material, Stage, SurfaceMaterial,
    TexMod, TextureWrap, UvTransform, WARPS, sort, warp_count, warps,
};
use maquette_scene::scene::GameEffect;

/// Twin of `Stage` in shaders/material.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct StageUniform {
    shade: [f32; 4],
    numbers: [f32; 4],
    vector_s: [f32; 4],
    vector_t: [f32; 4],
    warps: [[[f32; 4]; 2]; WARPS],
    bump: [f32; 4],
    specular: [f32; 4],
    shifts: [f32; 4],
    shine: [f32; 4],
}

/// Opacity in studio light of surfaces that the game does not draw.
const UNDRAWN_OPACITY: f32 = 0.15;

/// Distance between the uniforms of stages, in bytes. Every device supports this alignment.
pub(super) const STRIDE: usize = 256;

impl StageUniform {
    fn new(stage: &Stage, seconds: f64) -> Self {
        let (s, t) = match stage.coordinates {
            Coordinates::Model | Coordinates::Environment => (Vec3::ZERO, Vec3::ZERO),
            Coordinates::Vectors(s, t) => (s, t),
        };
        let distance = if let AlphaSource::Distance(range) = stage.alpha { range } else { 1.0 };
        let [low, high] = if let AlphaSource::NormalFade { range, .. } = stage.alpha { range } else { [0.0; 2] };
        let above = match &stage.alpha_test {
            AlphaTest::Above(number) => number.at(seconds),
            _ => 0.0,
        };
        let own = stage.relief.as_ref().and_then(|relief| relief.own.as_deref());
        let [bump, specular] =
            own.map_or([UvTransform::NONE; 2], |own| own.each_ref().map(|map| warps(&map.moves, seconds)[0]));
        let shown = |map: &Stage| f32::from(u8::from(map.is_shown(seconds)));
        let [red, green, blue, _] =
            own.map_or([1.0; 4], |[_, specular]| specular.shade(seconds).map(|value| value * shown(specular)));
        let [shift, of_specular] = [bump, specular].map(|map| map.matrix.translation);
        let warp = |warp: UvTransform| {
            let [a, b, c, d] = warp.matrix.matrix2.to_cols_array();
            let shift = warp.matrix.translation;
            [[a, b, c, d], [shift.x, shift.y, warp.amplitude, warp.phase]]
        };
        Self {
            shade: stage.shade(seconds),
            numbers: [distance, above, low, high],
            vector_s: s.extend(0.0).into(),
            vector_t: t.extend(0.0).into(),
            warps: warps(&stage.moves, seconds).map(warp),
            bump: bump.matrix.matrix2.to_cols_array(),
            specular: specular.matrix.matrix2.to_cols_array(),
            shifts: [shift.x, shift.y, of_specular.x, of_specular.y],
            shine: [red, green, blue, own.map_or(1.0, |[bump, _]| shown(bump))],
        }
    }
}

#[derive(Debug)]
pub(super) struct GpuStage {
    number: Option<usize>,
    pub studio: Option<StagePipelineKey>,
    pub game: Option<StagePipelineKey>,
    groups: Vec<wgpu::BindGroup>,
    current: usize,
    shown: bool,
    pub slot: usize,
    moves: bool,
}

impl GpuStage {
    pub fn texture(&self) -> Option<&wgpu::BindGroup> {
        if self.shown { self.groups.get(self.current) } else { None }
    }
}

#[derive(Debug, Default)]
pub(super) struct GpuMaterial {
    pub definition: Arc<Material>,
    pub stages: Vec<GpuStage>,
    pub rank: u32,
    pub is_plain: bool,
    is_default: bool,
    is_undrawn: bool,
}

impl GpuMaterial {
    /// Returns the deformations of the material's vertices. The game's default material has none.
    pub fn deforms(&self, is_game: bool) -> &[Deform] {
        if is_game && self.is_default { &[] } else { &self.definition.deforms }
    }

    /// Returns whether a stage is drawn in interactions with lights, in the in-game look by the rule of an engine.
    pub fn has_interactions(&self, rule: &LightRule) -> bool {
        let is_interaction = |key: StagePipelineKey| key.lit_by(rule).in_interactions;
        self.stages.iter().filter_map(|stage| stage.game).any(is_interaction)
    }

    pub fn sort(&self, is_game: bool) -> f32 {
        match self {
            Self { is_default: true, .. } if is_game => sort::OPAQUE,
            Self { is_undrawn: true, .. } => sort::BLEND,
            _ => self.definition.sort,
        }
    }

    pub fn time(&self, seconds: f64) -> f64 {
        self.definition.time(seconds)
    }

    pub fn is_solid(&self, is_game: bool) -> bool {
        let hides = |key: Option<StagePipelineKey>| key.is_some_and(|key| key.writes_depth);
        let by_stages = self.stages.iter().any(|stage| hides(if is_game { stage.game } else { stage.studio }));
        by_stages || self.is_plain && !is_game
    }

    pub fn evaluate(&mut self, seconds: f64, frame: u32, all: bool, numbers: &mut [u8]) -> bool {
        let seconds = self.definition.time(seconds);
        let mut changed = false;
        for stage in &mut self.stages {
            let Some(source) = stage.number.and_then(|number| self.definition.stages.get(number)) else { continue };
            if source.by_frame {
                stage.current = source.map_of(frame, seconds);
            }
            if !stage.moves && !all {
                continue;
            }
            stage.current = source.map_of(frame, seconds);
            stage.shown = source.is_shown(seconds);
            changed |= write(numbers, stage.slot, &StageUniform::new(source, seconds));
        }
        changed
    }
}

fn write(numbers: &mut [u8], slot: usize, uniform: &StageUniform) -> bool {
    let bytes = bytemuck::bytes_of(uniform);
    let Some(slot_bytes) = numbers.get_mut(slot * STRIDE..slot * STRIDE + bytes.len()) else { return false };
    let changed = slot_bytes != bytes;
    slot_bytes.copy_from_slice(bytes);
    changed
}

/// Bind groups of stages by their texture, normal map, specular map and sampler, so that materials of equal images share
/// them.
pub(super) type StageGroups = HashMap<([wgpu::TextureView; 3], wgpu::Sampler), wgpu::BindGroup>;

#[derive(Clone, Copy)]
pub(super) struct MaterialDevice<'a> {
    pub gpu: &'a Gpu,
    pub layouts: &'a Layouts,
    pub textures: &'a DefaultTextures,
}

#[allow(clippy::mutable_key_type, reason = "wgpu hashes and compares handles by identity")]
impl MaterialDevice<'_> {
    /// Creates a material whose stages begin at `slot` in `buffer`, the uniform buffer of the part. `known` has the bind
    /// groups of the part's other materials, and `view` returns the texture of an image.
    pub fn material(
        &self,
        buffer: &wgpu::Buffer,
        material: &SurfaceMaterial,
        mut slot: usize,
        numbers: &mut [u8],
        known: &mut StageGroups,
        mut view: impl FnMut(&Arc<Image>) -> wgpu::TextureView,
    ) -> GpuMaterial {
        let definition = Arc::clone(&material.definition);
        let is_undrawn = material.is_undrawn();
        let is_plain = material.is_plain() && !is_undrawn;
        let in_game = material.stages_in_game();
        let mut stages = Vec::new();
        for (number, stage) in definition.stages.iter().enumerate() {
            let has_image = stage.maps.iter().any(|map| map.image.is_some());
            let is_default = !has_image && material.in_game == InGame::DefaultMaps;
            if !has_image && !is_default {
                continue;
            }
            let [bump, specular] = stage.relief.as_ref().map_or([None, None], |relief| {
                [&relief.bump, &relief.specular].map(|map| map.as_ref().and_then(|map| map.image.as_ref()))
            });
            let has_relief = bump.is_some() || specular.is_some();
            let relief = [bump.map(&mut view), specular.map(&mut view)];
            let relief = [relief[0].as_ref(), relief[1].as_ref()];
            let views: Vec<_> = match is_default {
                true => vec![self.textures.default_texture.clone()],
                false => stage_images(stage, material.script.is_none()).map(&mut view).collect(),
            };
            let groups = views.iter().map(|view| self.group(known, buffer, view, stage, relief)).collect();
            let key = |light| pipeline_key(&definition, stage, light);
            stages.push(GpuStage {
                number: Some(number),
                studio: (!is_plain && !is_default).then(|| key(studio_light(stage, has_relief))),
                game: (number < in_game).then(|| key(game_light(stage))),
                groups,
                current: 0,
                shown: true,
                slot,
                moves: stage.moves(),
            });
            slot += 1;
        }
        let mut add = |stage: &Stage, image, studio, game| {
            write(numbers, slot, &StageUniform::new(stage, 0.0));
            stages.push(GpuStage {
                number: None,
                studio,
                game,
                groups: vec![self.group(known, buffer, image, stage, [None; 2])],
                current: 0,
                shown: true,
                slot,
                moves: false,
            });
        };
        if material.in_game == InGame::DefaultTexture {
            let stage = Stage::default();
            let game = pipeline_key(&Material::default(), &stage, LightingModel::None);
            add(&stage, &self.textures.default_texture, None, Some(game));
        } else if is_undrawn {
            let alpha = AlphaSource::Constant(UNDRAWN_OPACITY);
            let stage = Stage { blend: Some(Blend::ALPHA), writes_depth: false, alpha, ..Stage::default() };
            let studio = pipeline_key(&Material::default(), &stage, LightingModel::Studio);
            add(&stage, &self.textures.undrawn, Some(studio), None);
        }
        let is_default = material.in_game == InGame::DefaultTexture;
        GpuMaterial { definition, stages, rank: material.sort_tiebreak, is_plain, is_default, is_undrawn }
    }

    fn group(
        &self,
        known: &mut StageGroups,
        buffer: &wgpu::Buffer,
        view: &wgpu::TextureView,
        stage: &Stage,
        [bump, specular]: [Option<&wgpu::TextureView>; 2],
    ) -> wgpu::BindGroup {
        let bump = bump.unwrap_or(&self.textures.flat);
        let specular = specular.unwrap_or(&self.textures.black);
        let sampler = self.textures.sampler(stage.wrap, stage.mipmaps);
        let key = ([view, bump, specular].map(wgpu::TextureView::clone), sampler.clone());
        let create = || {
            let uniform = wgpu::BufferBinding {
                buffer,
                offset: 0,
                size: wgpu::BufferSize::new(size_of::<StageUniform>() as u64),
            };
            let resources = [
                wgpu::BindingResource::TextureView(view),
                wgpu::BindingResource::Sampler(sampler),
                wgpu::BindingResource::Buffer(uniform),
                wgpu::BindingResource::TextureView(bump),
                wgpu::BindingResource::TextureView(specular),
            ];
            bind_group(self.gpu, "stage", &self.layouts.stage, &resources)
        };
        known.entry(key).or_insert_with(create).clone()
    }
}

/// Returns the image of each map. For a missing image, repeats the previous image, or the first available one. The
/// engines fill the background of skins (`fills`), but not of images in scripts.
fn stage_images(stage: &Stage, fills: bool) -> impl Iterator<Item = &Arc<Image>> {
    let mut last = stage.maps.iter().find_map(|map| map.image.as_ref());
    stage.maps.iter().filter_map(move |map| {
        last = map.image.as_ref().or(last);
        last.map(|image| image.filled().filter(|_| fills).unwrap_or(image))
    })
}

pub(super) fn slots(material: &SurfaceMaterial) -> usize {
    material.definition.stages.len() + 1
}

fn game_light(stage: &Stage) -> LightingModel {
    if stage.is_lit() { LightingModel::Game } else { LightingModel::None }
}

/// Returns the studio lighting of a stage. Opaque textures are lit even if their script draws them at full brightness,
/// because shapes would be invisible.
fn studio_light(stage: &Stage, has_relief: bool) -> LightingModel {
    let covers = stage.blend.is_none() && !stage.by_frame && stage.coordinates == Coordinates::Model;
    // For a glow, the cheap game lighting suffices.
    let adds = stage.blend.is_some_and(|blend| blend.destination == Factor::One);
    match (stage.is_lit() || covers, has_relief) {
        (false, _) => LightingModel::None,
        (true, false) if adds => LightingModel::Game,
        (true, _) => LightingModel::Studio,
    }
}

fn pipeline_key(material: &Material, stage: &Stage, light: LightingModel) -> StagePipelineKey {
    let relief = stage.relief.as_ref();
    let has = |map: Option<&Map>| map.is_some_and(|map| map.image.is_some());
    let moves = |map: &Stage| !map.moves.is_empty();
    let own = relief.and_then(|relief| relief.own.as_deref());
    StagePipelineKey {
        light,
        test: match stage.alpha_test {
            AlphaTest::None => 0,
            AlphaTest::Some => 1,
            AlphaTest::Less => 2,
            AlphaTest::Half => 3,
            AlphaTest::Above(_) => 4,
        },
        coordinates: match stage.coordinates {
            Coordinates::Model => 0,
            Coordinates::Environment => 1,
            Coordinates::Vectors(..) => 2,
        },
        alpha: match stage.alpha {
            AlphaSource::Constant(_) | AlphaSource::Wave(_) | AlphaSource::Number(_) => 0,
            AlphaSource::Specular => 1,
            AlphaSource::Distance(_) => 2,
            AlphaSource::NormalFade { .. } => 3,
        },
        warps: warp_count(&stage.moves),
        swings: stage.moves.iter().any(|step| matches!(step, TexMod::Turbulence { .. })),
        blend: stage.blend,
        sides: material.sides,
        writes_depth: stage.writes_depth,
        at_equal_depth: stage.at_equal_depth,
        masked: stage.masked,
        outside: match stage.wrap {
            TextureWrap::Repeat | TextureWrap::Clamp => 0,
            TextureWrap::Black => 1,
            TextureWrap::Transparent => 2,
        },
        relief: [
            has(relief.and_then(|relief| relief.bump.as_ref())),
            has(relief.and_then(|relief| relief.specular.as_ref())),
            own.is_some_and(|own| moves(stage) || own.iter().any(moves)),
            material.lights_backs,
        ],
        is_decal: material.is_decal,
        in_interactions: false,
        effect: GameEffect::None,
    }
}
