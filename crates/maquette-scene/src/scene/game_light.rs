//! Lights of the in-game look, for engines that light models in interactions.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use std::path::Path;

use glam::{Quat, Vec3, Vec4};
use maquette_assets::material::Image;
use maquette_assets::open::Opener;
use maquette_core::model::Format;

/// Maximum number of lights that the window adds, and of those in a text. Each is drawn for every surface.
pub const MAX_GAME_LIGHTS: usize = 8;

/// A light. Its colour is doubled (Doom 3 `r_lightScale`).
///
/// The text form is the kind and its values, for example `point origin=40,60,30 radius=120,120,120 color=0.6,0.6,0.6`.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLight {
    /// Position and extent.
    pub shape: LightShape,
    /// Red, green and blue.
    pub colour: Vec3,
    /// Name of the light's material; empty if there is none.
    pub material: String,
    /// Image across the light. `None`: round for a point, else white.
    pub projection: Option<Arc<Image>>,
    /// Image along the light's depth. `None`: 1 − z² for a point, else white.
    pub falloff: Option<Arc<Image>>,
}

/// Position and extent of a light in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightShape {
    /// Light everywhere, bent by normal maps as in Doom 3.
    Ambient,
    /// Light everywhere and on all sides.
    Even,
    /// Light from far away, in this direction.
    Parallel(Vec3),
    /// Light in a box around a point.
    Point {
        /// Position.
        origin: Vec3,
        /// Half of the box's sides.
        radius: Vec3,
    },
    /// Light in a pyramid.
    Projected {
        /// Top.
        origin: Vec3,
        /// Centre of the image, and its half sides, relative to the top.
        target: [Vec3; 3],
        /// Begin and end of the light along its depth, relative to the top.
        ends: [Vec3; 2],
    },
}

impl GameLight {
    /// Returns the lights in place of a map's: those of Quake III outside of maps, without its limit.
    #[must_use]
    pub fn usual() -> Arc<[Self]> {
        let towards = Vec3::new(0.428_571, 0.285_714, 0.857_143);
        // Doom 3's own ambient light leaves strong bumps black.
        let even = Self::new(LightShape::Even, Vec3::splat(182.0 / 255.0 / 2.0));
        [even, Self::new(LightShape::Parallel(towards), Vec3::splat(150.0 / 255.0 / 2.0))].into()
    }

    /// Creates a point light that is as bright as the texture at its middle, with half of the box's sides.
    #[must_use]
    pub fn point(origin: Vec3, radius: f32) -> Self {
        Self::new(LightShape::Point { origin, radius: Vec3::splat(radius) }, Vec3::splat(0.5))
    }

    /// Creates a light at `origin` that is as bright as the texture, and reaches `radius` to all sides of `target`.
    #[must_use]
    pub fn projected(origin: Vec3, target: Vec3, up: Vec3, radius: f32) -> Self {
        let way = target - origin;
        let right = way.cross(up).normalize_or(Vec3::Y) * radius;
        let up = right.cross(way).normalize_or(Vec3::Z) * radius;
        let shape = LightShape::Projected { origin, target: [way, right, up], ends: [way / 8.0, way * 2.0] };
        Self::new(shape, Vec3::splat(0.5))
    }

    /// Returns the lights of a text with one text for each, separated by semicolons; `None` if it is empty. Fails if one
    /// of them is invalid, or there are more than [`MAX_GAME_LIGHTS`].
    pub fn from_texts(texts: &str) -> Result<Option<Arc<[Self]>>, String> {
        if texts.trim().is_empty() {
            return Ok(None);
        }
        if texts.split(';').count() > MAX_GAME_LIGHTS {
            return Err(format!("expected at most {MAX_GAME_LIGHTS} lights"));
        }
        texts.split(';').map(str::parse).collect::<Result<_, _>>().map(Some)
    }

    /// Returns the text for [`Self::from_texts`].
    pub fn texts(lights: &[Self]) -> String {
        lights.iter().map(Self::to_string).collect::<Vec<_>>().join("; ")
    }

    /// Returns the position of a light that has one.
    pub fn position(&self) -> Option<Vec3> {
        Some(self.origin()).filter(|origin| origin.w > 0.0).map(Vec4::truncate)
    }

    /// Moves a light that has a position.
    pub fn move_to(&mut self, to: Vec3) {
        if let LightShape::Point { origin, .. } | LightShape::Projected { origin, .. } = &mut self.shape {
            *origin = to;
        }
    }

    /// Returns the point that a projected light is aimed at.
    pub fn target(&self) -> Option<Vec3> {
        let LightShape::Projected { origin, target, .. } = self.shape else { return None };
        Some(origin + target[0])
    }

    /// Aims a projected light at a point. The image turns with the light and keeps its size at the point.
    pub fn aim_at(&mut self, point: Vec3) {
        let LightShape::Projected { origin, target: [way, right, up], ends } = &mut self.shape else { return };
        let new = point - *origin;
        let turn = Quat::from_rotation_arc(way.normalize_or(Vec3::X), new.normalize_or(Vec3::X));
        let factor = new.length() / way.length();
        ends.iter_mut().for_each(|end| *end = turn * *end * factor);
        (*way, *right, *up) = (new, turn * *right, turn * *up);
    }

    /// Checks whether the text form of the light can be read again.
    pub fn check(&self) -> Result<(), String> {
        let is_read = self.to_string().parse::<Self>()?.material == self.material && !self.material.contains(';');
        if is_read { Ok(()) } else { Err("the name of a light material has no spaces or semicolons".to_owned()) }
    }

    /// Loads the images of the light's material from the game of a model. Returns whether the light has no material or
    /// images were found.
    pub fn load_images(&mut self, opener: &Opener, model: &Path, format: Format) -> bool {
        let is_plain = self.material.is_empty();
        let images = || opener.light_images(model, format, &self.material);
        [self.projection, self.falloff] = if is_plain { [None, None] } else { images() };
        is_plain || self.projection.is_some() || self.falloff.is_some()
    }

    fn new(shape: LightShape, colour: Vec3) -> Self {
        Self { shape, colour, material: String::new(), projection: None, falloff: None }
    }

    /// Returns the position and 1, or the direction and 0.
    pub fn origin(&self) -> Vec4 {
        match self.shape {
            LightShape::Ambient | LightShape::Even => Vec4::ZERO,
            LightShape::Parallel(towards) => towards.normalize_or_zero().extend(0.0),
            LightShape::Point { origin, .. } | LightShape::Projected { origin, .. } => origin.extend(1.0),
        }
    }

    /// Returns vectors whose products with (position, 1) are s · q, t · q, q and the position along the light's depth
    /// (dhewm3 `tr_lightrun.cpp`, `R_DeriveLightData` and `R_SetLightProject`).
    pub fn planes(&self) -> [Vec4; 4] {
        match self.shape {
            LightShape::Ambient | LightShape::Even | LightShape::Parallel(_) => {
                let middle = Vec4::W * 0.5;
                [middle, middle, Vec4::W, middle]
            }
            LightShape::Point { origin, radius } => {
                let along = |axis: Vec3| {
                    let half = 0.5 / radius.dot(axis);
                    (axis * half).extend(0.5 - origin.dot(axis) * half)
                };
                [along(Vec3::X), along(Vec3::Y), Vec4::W, along(Vec3::Z)]
            }
            LightShape::Projected { origin, target: [target, right, up], ends: [start, end] } => {
                let normal = up.cross(right).normalize_or_zero();
                let normal = if target.dot(normal) < 0.0 { -normal } else { normal };
                let through = |axis: Vec3| axis.extend(-origin.dot(axis));
                let (depth, centre) = (through(normal), (target + origin).extend(1.0));
                let across = |side: Vec3, sign: f32| {
                    let length = side.length();
                    let plane = through(side * (sign * 0.5 * target.dot(normal) / (length * length)));
                    plane + (0.5 - centre.dot(plane) / centre.dot(depth)) * depth
                };
                let way = end - start;
                let falloff = way / way.length_squared().max(f32::MIN_POSITIVE);
                [across(right, 1.0), across(up, -1.0), depth, falloff.extend(-(start + origin).dot(falloff))]
            }
        }
    }
}

impl fmt::Display for GameLight {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, values) = match self.shape {
            LightShape::Ambient => ("ambient", vec![]),
            LightShape::Even => ("even", vec![]),
            LightShape::Parallel(towards) => ("parallel", vec![("towards", towards)]),
            LightShape::Point { origin, radius } => ("point", vec![("origin", origin), ("radius", radius)]),
            LightShape::Projected { origin, target, ends } => {
                let names = ["origin", "target", "right", "up", "start", "end"];
                let vectors = [origin].into_iter().chain(target).chain(ends);
                ("projected", names.into_iter().zip(vectors).collect())
            }
        };
        write!(out, "{kind}")?;
        for (name, Vec3 { x, y, z }) in values.into_iter().chain([("color", self.colour)]) {
            write!(out, " {name}={x},{y},{z}")?;
        }
        if self.material.is_empty() { Ok(()) } else { write!(out, " material={}", self.material) }
    }
}

impl FromStr for GameLight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let (mut material, mut vectors) = (String::new(), Vec::new());
        for word in words {
            let (name, value) =
                word.split_once('=').ok_or_else(|| format!("unexpected “{word}”; expected name=value"))?;
            if name == "material" {
                value.clone_into(&mut material);
                continue;
            }
            let numbers: Option<Vec<f32>> = value.split(',').map(|number| number.parse().ok()).collect();
            let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
            let vector = numbers.and_then(|numbers| <[f32; 3]>::try_from(numbers).ok());
            let vector = vector.ok_or_else(|| format!("{name}: expected three numbers, as in {name}=1,0,0"))?;
            if vectors.iter().any(|(known, _)| *known == name) {
                return Err(format!("{name}: repeated"));
            }
            vectors.push((name, Vec3::from(vector)));
        }
        let mut take = |name: &str| {
            let at = vectors.iter().position(|(known, _)| *known == name)?;
            Some(vectors.swap_remove(at).1)
        };
        let colour = take("color").unwrap_or(Vec3::ONE);
        let mut need = |name: &str| take(name).ok_or_else(|| format!("expected {name}=X,Y,Z"));
        let shape = match kind {
            "ambient" => LightShape::Ambient,
            "even" => LightShape::Even,
            "parallel" => LightShape::Parallel(direction("towards", need("towards")?)?),
            "point" => {
                let shape = (need("origin")?, need("radius")?);
                if shape.1.min_element() <= 0.0 {
                    return Err("radius: expected three numbers above 0".to_owned());
                }
                LightShape::Point { origin: shape.0, radius: shape.1 }
            }
            "projected" => {
                let origin = need("origin")?;
                let target = [need("target")?, need("right")?, need("up")?];
                for (name, vector) in ["target", "right", "up"].into_iter().zip(target) {
                    direction(name, vector)?;
                }
                let ends = [need("start").unwrap_or(target[0] / 8.0), need("end").unwrap_or(target[0])];
                LightShape::Projected { origin, target, ends }
            }
            _ => return Err(format!("expected ambient, even, parallel, point, projected or none, not “{kind}”")),
        };
        match vectors.first() {
            Some((name, _)) => Err(format!("unknown name “{name}” of a light “{kind}”")),
            None => Ok(Self { material, ..Self::new(shape, colour) }),
        }
    }
}

/// Returns the vector, which must have a length.
fn direction(name: &str, vector: Vec3) -> Result<Vec3, String> {
    if vector.length_squared() > 0.0 { Ok(vector) } else { Err(format!("{name}: expected a vector other than 0,0,0")) }
}
