//! Texture coordinates of a stage: `tcGen`, `tcMod` and their counterparts in Doom 3.

use glam::{Affine2, Mat2, Vec2, Vec3};

use super::expression::Expression;
use super::wave::Wave;

/// Source of a stage's texture coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Coordinates {
    /// The model's texture coordinates.
    #[default]
    Model,
    /// Environment mapping: s = ½ + ½ r.y, t = ½ − ½ r.z, with r the reflected view direction in model space.
    Environment,
    /// s = position · first, t = position · second, in model space.
    Vectors(Vec3, Vec3),
}

/// Transform of texture coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum TexMod {
    /// Multiplies the coordinates by a factor for each axis.
    Scale(Vec2),
    /// Scrolls by this many texture widths and heights per second.
    Scroll(Vec2),
    /// Rotates about the texture's centre, in degrees per second.
    Rotate(f32),
    /// Divides by the wave's value, about the texture's centre.
    Stretch(Wave),
    /// Applies a matrix.
    Transform(Affine2),
    /// Adds a sine wave that depends on the vertex's position.
    Turbulence {
        /// Amplitude in texture widths.
        amplitude: f32,
        /// Phase in periods.
        phase: f32,
        /// Frequency in periods per second.
        frequency: f32,
    },
    /// Doom 3's `scroll` and `translate`: adds a value for each axis.
    Shift(Expression, Expression),
    /// Doom 3's `scale`: multiplies by a value for each axis.
    Times(Expression, Expression),
    /// Doom 3's `centerScale`: like `scale`, about the texture's centre.
    TimesAboutMiddle(Expression, Expression),
    /// Doom 3's `rotate`: rotates about the texture's centre, in turns.
    Turn(Expression),
    /// Doom 3's `shear`: s += first · t, t += second · s, about the texture's centre.
    Shear(Expression, Expression),
}

/// Transform of texture coordinates: a matrix, then a sine wave. Must match `UvTransform` in `shaders/material.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    /// Matrix, applied first.
    pub matrix: Affine2,
    /// Amplitude of the wave: s += amplitude · sin 2π((x + z)/1024 + phase), t += amplitude · sin 2π(y/1024 + phase).
    pub amplitude: f32,
    /// Phase in periods, 0 to 1.
    pub phase: f32,
}

impl UvTransform {
    /// The identity.
    pub const NONE: Self = Self { matrix: Affine2::IDENTITY, amplitude: 0.0, phase: 0.0 };
}

/// Maximum number of transforms. Games allow four [`TexMod`]s; further ones are left out.
pub const WARPS: usize = 4;

const MIDDLE: Vec2 = Vec2::splat(0.5);

impl TexMod {
    /// Returns whether the transform changes with time.
    pub fn moves(&self) -> bool {
        match self {
            Self::Scale(_) | Self::Transform(_) => false,
            Self::Scroll(speed) => *speed != Vec2::ZERO,
            Self::Rotate(speed) => *speed != 0.0,
            Self::Stretch(wave) => wave.moves(),
            Self::Turbulence { amplitude, frequency, .. } => *amplitude != 0.0 && *frequency != 0.0,
            Self::Turn(a) => a.moves(),
            Self::Shift(a, b) | Self::Times(a, b) | Self::TimesAboutMiddle(a, b) | Self::Shear(a, b) => {
                a.moves() || b.moves()
            }
        }
    }

    /// Returns whether the transform at `seconds` reduces a texture to a line or a point, or is not finite.
    pub fn flattens(&self, seconds: f64) -> bool {
        self.matrix(seconds).is_some_and(|matrix| !matrix.is_finite() || matrix.matrix2.determinant() == 0.0)
    }

    fn matrix(&self, seconds: f64) -> Option<Affine2> {
        let pair = |a: &Expression, b: &Expression| Vec2::new(a.at(seconds), b.at(seconds));
        Some(match self {
            Self::Scale(times) => Affine2::from_scale(*times),
            Self::Scroll(speed) => {
                Affine2::from_translation(Vec2::new(passed(speed.x, seconds), passed(speed.y, seconds)))
            }
            Self::Rotate(speed) => {
                about_middle(Mat2::from_angle(-passed(speed / 360.0, seconds) * std::f32::consts::TAU))
            }
            Self::Stretch(wave) => {
                let size = wave.at(seconds);
                about_middle(Mat2::from_diagonal(Vec2::splat(if size == 0.0 { 0.0 } else { 1.0 / size })))
            }
            Self::Transform(matrix) => *matrix,
            Self::Turbulence { .. } => return None,
            Self::Shift(s, t) => Affine2::from_translation(pair(s, t)),
            Self::Times(s, t) => Affine2::from_scale(pair(s, t)),
            Self::TimesAboutMiddle(s, t) => about_middle(Mat2::from_diagonal(pair(s, t))),
            Self::Turn(turns) => about_middle(Mat2::from_angle(turns.at(seconds) * std::f32::consts::TAU)),
            Self::Shear(s, t) => {
                let Vec2 { x: s, y: t } = pair(s, t);
                about_middle(Mat2::from_cols(Vec2::new(1.0, t), Vec2::new(s, 1.0)))
            }
        })
    }
}

fn passed(per_second: f32, seconds: f64) -> f32 {
    let periods = f64::from(per_second) * seconds;
    (periods - periods.floor()) as f32
}

fn about_middle(matrix: Mat2) -> Affine2 {
    Affine2::from_mat2_translation(matrix, MIDDLE - matrix * MIDDLE)
}

/// Returns the number of transforms in [`warps`] that are in use.
pub fn warp_count(moves: &[TexMod]) -> u8 {
    let swings = moves.iter().filter(|step| matches!(step, TexMod::Turbulence { .. })).count();
    let ends_with_matrix = moves.last().is_some_and(|step| !matches!(step, TexMod::Turbulence { .. }));
    u8::try_from((swings + usize::from(ends_with_matrix)).min(WARPS)).unwrap_or(0)
}

/// Combines `moves` at `seconds`, in order, to at most [`WARPS`] transforms. Matrices that are not finite are left out.
pub fn warps(moves: &[TexMod], seconds: f64) -> [UvTransform; WARPS] {
    let mut warps = [UvTransform::NONE; WARPS];
    let mut slots = warps.iter_mut();
    let Some(mut warp) = slots.next() else { return [UvTransform::NONE; WARPS] };
    for step in moves {
        if let TexMod::Turbulence { amplitude, phase, frequency } = step {
            warp.amplitude = *amplitude;
            warp.phase = passed(1.0, f64::from(*phase) + seconds * f64::from(*frequency));
            match slots.next() {
                Some(next) => warp = next,
                None => break,
            }
        } else if let Some(matrix) = step.matrix(seconds).filter(|matrix| matrix.is_finite()) {
            let together = matrix * warp.matrix;
            if together.is_finite() {
                warp.matrix = together;
            }
        }
    }
    warps
}
