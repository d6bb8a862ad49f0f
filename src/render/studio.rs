//! Studio lights and colours of both themes.
//!
//! Lighting uses linear values. Colours drawn over the finished image are stored (sRGB) values.

use glam::{Vec3, Vec4};

use maquette_scene::scene::{ColourTheme, Display, KEY_HOME, LightingMode};

/// Light of the studio. All lights rotate together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Light {
    /// Angle in degrees from the camera direction to the viewer's right.
    pub azimuth: f32,
    /// Elevation in degrees above the horizon.
    pub elevation: f32,
    /// Linear colour times intensity.
    pub colour: Vec3,
}

impl Light {
    /// Returns the unit vector towards the light, for a rotation of `yaw` and an elevation offset of `raised` degrees.
    pub fn direction(&self, yaw: f32, raised: f32) -> Vec3 {
        // The viewer's right is a quarter turn ahead of the camera direction.
        let (sin, cos) = (yaw + self.azimuth).to_radians().sin_cos();
        let (sin_elevation, cos_elevation) = (self.elevation + raised).clamp(-90.0, 90.0).to_radians().sin_cos();
        Vec3::new(cos * cos_elevation, sin * cos_elevation, sin_elevation)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Studio {
    /// Main light, front left.
    pub key: Light,
    /// Radius of the main light in its distances.
    pub key_radius: f32,
    /// Weak light from the right.
    pub fill: Light,
    /// Light from behind that brightens edges.
    pub rim: Light,
    /// Linear light from above.
    pub sky: Vec3,
    /// Linear light from below.
    pub ground: Vec3,
    /// Linear colour of clay.
    pub clay: Vec3,
    /// Stored colours at the top and bottom of the image.
    pub backdrop: [Vec3; 2],
    /// Adaptation of the light to textures, from 0 (none) to 1 (all models have the same mean brightness).
    pub adaptation: f32,
    /// Share of the studio's light that surfaces of any colour mirror from the front.
    pub gloss: f32,
    /// Share that they mirror in addition at grazing angles.
    pub grazing: f32,
    /// Share of the light from behind along edges.
    pub edge: f32,
    /// Stored colour of the floor far away.
    pub floor: Vec3,
    /// Brightness that is added to the backdrop behind the model.
    pub lift: f32,
    /// Brightness that is added to the floor under the model.
    pub pool: f32,
    /// Maximum darkening of the floor by the shadow.
    pub shadow: f32,
    /// Stored colour and opacity of grid lines. Every eighth line has twice the opacity.
    pub grid: Vec4,
    /// Stored colours and opacities of the lines along x, y and z through the origin.
    pub axes: [Vec4; 3],
    /// Stored colour and opacity of wireframes over surfaces.
    pub wire_over: Vec4,
    /// Stored colour and opacity of wireframes alone.
    pub wire_alone: Vec4,
    /// Stored colour and opacity of the casing of lines.
    pub casing: Vec4,
    /// Stored colour and opacity of vertex dots.
    pub vertices: Vec4,
    /// Stored colour of the selection.
    pub selection: Vec4,
}

impl Studio {
    pub fn for_theme(theme: ColourTheme) -> Self {
        match theme {
            ColourTheme::Dark => Self::dark(),
            ColourTheme::Light => Self::light(),
        }
    }

    /// Returns the studio of the chosen theme and lighting.
    pub fn for_display(display: &Display) -> Self {
        let studio = Self::for_theme(display.theme);
        let [key, fill, rim, sky, ground, key_radius] = match display.lighting {
            LightingMode::Soft => [0.45, 1.2, 0.8, 1.9, 3.0, 0.4],
            LightingMode::Hard => [1.5, 0.3, 1.6, 0.4, 0.4, 0.02],
            LightingMode::Studio | LightingMode::Game | LightingMode::Plain => return studio,
        };
        Self {
            key: studio.key.times(key),
            fill: studio.fill.times(fill),
            rim: studio.rim.times(rim),
            sky: studio.sky * sky,
            ground: studio.ground * ground,
            key_radius,
            ..studio
        }
    }

    /// Returns the brightness factor for textures with a mean `luminance` in linear light. Dark textures keep some of
    /// their darkness.
    pub fn exposure(&self, luminance: f32) -> f32 {
        const USUAL: f32 = 0.26;
        (USUAL / luminance.max(1e-6)).powf(self.adaptation).clamp(0.9, 4.5)
    }

    fn dark() -> Self {
        Self {
            key: KEY.times(2.3),
            key_radius: KEY_RADIUS,
            fill: FILL.times(0.70),
            rim: RIM.times(2.1),
            sky: linear(0xa8_a9ac) * 0.80,
            ground: linear(0x4a_4743) * 0.80,
            clay: linear(0x9c_978f),
            backdrop: [stored(0x1e_1f22), stored(0x16_1719)],
            adaptation: 0.78,
            gloss: 0.087,
            grazing: 0.183,
            edge: 0.087,
            floor: stored(0x1b_1c1e),
            lift: 0.07,
            pool: 0.16,
            shadow: 0.62,
            grid: Vec3::ONE.extend(0.055),
            axes: [0xff_5c6e, 0xa6_e05a, 0x58_a6ff].map(|colour| stored(colour).extend(0.55)),
            wire_over: stored(0x10_1112).extend(0.85),
            wire_alone: stored(0xd8_d9dc).extend(0.85),
            casing: stored(0x0c_0d0e).extend(0.55),
            vertices: stored(0xe4_e5e8).extend(1.0),
            selection: stored(0xf0_935a).extend(1.0),
        }
    }

    fn light() -> Self {
        Self {
            key: KEY.times(2.2),
            key_radius: KEY_RADIUS,
            fill: FILL.times(0.50),
            rim: RIM.times(0.55),
            sky: linear(0xd5_d6d9) * 0.94,
            ground: linear(0x8a_857e) * 0.94,
            clay: linear(0xa9_a49c),
            backdrop: [stored(0xe8_e9ea), stored(0xd0_d2d4)],
            adaptation: 0.4,
            gloss: 0.087,
            grazing: 0.183,
            edge: 0.087,
            floor: stored(0xd6_d8da),
            lift: 0.03,
            pool: 0.06,
            shadow: 0.42,
            grid: stored(0x20_262e).extend(0.10),
            axes: [0x8c_1034, 0x4a_8a0c, 0x0b_5fc4].map(|colour| stored(colour).extend(0.55)),
            wire_over: stored(0x10_1112).extend(0.85),
            wire_alone: stored(0x26_282b).extend(0.85),
            casing: Vec3::ONE.extend(0.75),
            vertices: stored(0x1a_1c1e).extend(1.0),
            selection: stored(0xb0_480f).extend(1.0),
        }
    }
}

/// Stored colour of back faces in both themes, which no texture or overlay uses.
pub(super) const INSIDE: Vec3 = Vec3::new(0.851, 0.086, 0.545);

const KEY: Light = Light { azimuth: -42.0, elevation: KEY_HOME, colour: Vec3::new(1.0, 0.965, 0.91) };
/// Radius of the usual main light: a softbox of a third of its distance.
const KEY_RADIUS: f32 = 0.16;
const FILL: Light = Light { azimuth: 62.0, elevation: 12.0, colour: Vec3::new(0.80, 0.90, 1.0) };
const RIM: Light = Light { azimuth: 158.0, elevation: 34.0, colour: Vec3::new(0.92, 0.96, 1.0) };

impl Light {
    fn times(self, strength: f32) -> Self {
        Self { colour: self.colour * strength, ..self }
    }
}

/// Converts 0xrrggbb to stored values from 0 to 1.
pub(super) fn stored(rgb: u32) -> Vec3 {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Vec3::new(f32::from(red), f32::from(green), f32::from(blue)) / 255.0
}

/// Converts 0xrrggbb to linear light.
fn linear(rgb: u32) -> Vec3 {
    stored(rgb).map(|value| if value <= 0.040_45 { value / 12.92 } else { f32::powf((value + 0.055) / 1.055, 2.4) })
}
