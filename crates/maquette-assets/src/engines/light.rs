//! Light that an engine gives a model outside of maps.

/// Rule of the light on a model: a strength for each vertex, from 0 to 255, by which the texture is multiplied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightRule {
    /// Display name of the engine.
    pub name: &'static str,
    /// Name on the command line.
    pub names: &'static [&'static str],
    /// Unit vector towards the light.
    pub towards: [f32; 3],
    /// Strength across the light.
    pub ambient: f32,
    /// Strength that a unit normal towards the light adds.
    pub facing: f32,
    /// Strength that a unit normal away from the light takes off.
    pub averted: f32,
    /// Whether the strength is cut to a whole number up to 255 before the texture is multiplied.
    pub is_byte: bool,
    /// Whether lit stages are drawn in interactions with lights instead (Doom 3).
    pub has_interactions: bool,
    /// Whether models have the effects of Quake II: glow, translucency and shells.
    pub has_effects: bool,
    /// Factor on the colours of textures, which are then cut.
    pub intensity: f32,
}

/// Share of the loss of light on the averted side (Quake II `anormtab.h`, Quake `anorm_dots.h`).
const AVERTED: f32 = 13.0 / 44.0;
/// Direction of the shade tables for a yaw of 0.
const FRONT_ABOVE: [f32; 3] = [std::f32::consts::FRAC_1_SQRT_2, 0.0, std::f32::consts::FRAC_1_SQRT_2];

impl LightRule {
    /// All rules.
    pub const ALL: [&Self; 5] = [&Self::QUAKE, &Self::QUAKE_2, &Self::QUAKE_2_BRIGHT, &Self::QUAKE_3, &Self::DOOM_3];
    /// Quake III: ambient and directed light of the engine without a light grid (ioquake3 `tr_light.c`,
    /// `R_SetupEntityLighting`; `tr_shade_calc.c`, `RB_CalcDiffuseColor`). The averted side has only the former.
    pub const QUAKE_3: Self = Self {
        name: "Quake III",
        names: &["quake3"],
        towards: [0.428_571, 0.285_714, 0.857_143],
        ambient: 182.0,
        facing: 150.0,
        averted: 0.0,
        is_byte: true,
        has_interactions: false,
        has_effects: false,
        intensity: 1.0,
    };
    /// Doom 3, which has no light outside of maps (dhewm3 `draw_arb2.cpp`, `RB_ARB2_DrawInteraction`).
    pub const DOOM_3: Self = Self { name: "Doom 3", names: &["doom3"], has_interactions: true, ..Self::QUAKE_3 };
    /// Quake: full light, of which QuakeSpasm leaves 96 of 200, twice (`r_alias.c`, `R_SetupAliasLighting`,
    /// `GLAlias_CreateShaders`).
    pub const QUAKE: Self = Self {
        name: "Quake",
        names: &["quake"],
        towards: FRONT_ABOVE,
        ambient: 0.96 * 255.0,
        facing: 0.96 * 255.0,
        averted: 0.96 * 255.0 * AVERTED,
        is_byte: false,
        ..Self::QUAKE_3
    };
    /// Quake II: full light, as in the menu and in maps without light data (yquake2 `gl1_light.c`, `R_LightPoint`;
    /// `gl1_mesh.c`, `R_DrawAliasModel`, `R_DrawAliasFrameLerp`).
    pub const QUAKE_2: Self = Self {
        name: "Quake II",
        names: &["quake2"],
        towards: FRONT_ABOVE,
        ambient: 255.0,
        facing: 255.0,
        averted: 255.0 * AVERTED,
        has_effects: true,
        ..Self::QUAKE_3
    };
    /// Quake II as its renderer draws it by default, with skins that are twice as bright (yquake2 `gl1_image.c`,
    /// `gl1_intensity`).
    pub const QUAKE_2_BRIGHT: Self =
        Self { name: "Quake II (intensity 2)", names: &["quake2-bright"], intensity: 2.0, ..Self::QUAKE_2 };
}
