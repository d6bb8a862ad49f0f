//! Vertex deforms of materials (`deformVertexes`), applied before light, colours and coordinates. Source: ioquake3
//! `tr_shade_calc.c` (`RB_DeformTessGeometry`); the implementation is independent.

use glam::{Vec2, Vec3};

use super::wave::{Wave, Waveform, noise};
use maquette_core::model::Surface;

/// Deform of vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deform {
    /// Moves vertices along their normals by a wave, with a phase that depends on position.
    Wave {
        /// Phase in periods per unit of x + y + z: 1 / the script's div.
        spread: f32,
        /// Distance in units.
        wave: Wave,
    },
    /// Moves vertices along their normals by a sine over the texture's width.
    Bulge {
        /// Radians per texture width.
        width: f32,
        /// Amplitude in units.
        height: f32,
        /// Radians per second.
        speed: f32,
    },
    /// Moves all vertices by the vector times the wave.
    Move(Vec3, Wave),
    /// Disturbs normals by noise.
    Normal {
        /// Weight of the noise.
        amplitude: f32,
        /// Speed of the noise, in steps per second.
        frequency: f32,
    },
    /// Turns every four vertices into a square that faces the eye.
    Sprite,
    /// Turns every four vertices, a strip, about the long axis towards the eye.
    Strip,
    /// Turns an image in the plane across X towards the eye, about the origin of the model (sprites of Quake). The top of an
    /// upright image stays up.
    Billboard {
        /// Whether the top stays up.
        is_upright: bool,
    },
}

/// Axes of the view in model space: unit vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// View direction.
    pub forward: Vec3,
    /// Left of the view.
    pub left: Vec3,
    /// Top of the view.
    pub up: Vec3,
}

/// Texture coordinates of a sprite's four corners.
pub const SPRITE_COORDINATES: [Vec2; 4] =
    [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(1.0, 1.0), Vec2::new(0.0, 1.0)];
/// Triangles of a sprite, clockwise, as indices into its four corners.
pub const SPRITE_TRIANGLES: [[u32; 3]; 2] = [[0, 1, 3], [3, 1, 2]];

impl Deform {
    /// Returns whether the deform changes with time.
    #[must_use]
    pub fn moves(&self) -> bool {
        match self {
            Self::Wave { wave, .. } | Self::Move(_, wave) => wave.moves(),
            Self::Bulge { height, speed, .. } => *height != 0.0 && *speed != 0.0,
            Self::Normal { amplitude, frequency } => *amplitude != 0.0 && *frequency != 0.0,
            Self::Sprite | Self::Strip | Self::Billboard { .. } => false,
        }
    }

    /// Returns whether the deform depends on the position of the eye.
    #[must_use]
    pub fn follows_the_eye(&self) -> bool {
        matches!(self, Self::Sprite | Self::Strip | Self::Billboard { .. })
    }

    /// Moves the vertices of `surface`. `positions` and `normals` have one element per vertex.
    pub fn apply(
        &self,
        seconds: f64,
        eye: &Viewpoint,
        surface: &Surface,
        positions: &mut [Vec3],
        normals: &mut [Vec3],
    ) {
        let vertices = positions.iter_mut().zip(normals.iter_mut());
        match self {
            Self::Wave { spread, wave } => {
                let same = wave.at(seconds);
                for (position, normal) in vertices {
                    let height = if wave.frequency == 0.0 {
                        same
                    } else {
                        wave.at_phase(seconds, position.element_sum() * spread)
                    };
                    *position += *normal * height;
                }
            }
            Self::Bulge { width, height, speed } => {
                let turned = seconds * f64::from(*speed);
                for ((position, normal), uv) in vertices.zip(&surface.uvs) {
                    let periods = (f64::from(uv.x * width) + turned) / std::f64::consts::TAU;
                    *position += *normal * (Waveform::Sine.at(periods) * height);
                }
            }
            Self::Move(way, wave) => {
                let step = *way * wave.at(seconds);
                positions.iter_mut().for_each(|position| *position += step);
            }
            Self::Normal { amplitude, frequency } => {
                let when = (seconds * f64::from(*frequency)) as f32;
                for (position, normal) in vertices {
                    let tremble = [0.0, 100.0, 200.0]
                        .map(|aside| noise([position.x * 0.98 + aside, position.y * 0.98, position.z * 0.98, when]));
                    *normal = (*normal + Vec3::from(tremble) * *amplitude).normalize_or(*normal);
                }
            }
            Self::Sprite => {
                for (corners, normals) in
                    positions.as_chunks_mut::<4>().0.iter_mut().zip(normals.as_chunks_mut::<4>().0)
                {
                    face_the_eye(eye, corners);
                    *normals = [-eye.forward; 4];
                }
            }
            Self::Billboard { is_upright } => {
                let level = Vec3::new(eye.left.x, eye.left.y, 0.0).normalize_or(Vec3::NEG_Y);
                let (left, up) = if *is_upright { (level, Vec3::Z) } else { (eye.left, eye.up) };
                let front = up.cross(left);
                for (position, normal) in vertices {
                    *position = front * position.x - left * position.y + up * position.z;
                    *normal = front;
                }
            }
            Self::Strip => {
                let pairs = surface.triangles.as_chunks::<2>().0;
                for ((corners, pair), first) in
                    positions.as_chunks_mut::<4>().0.iter_mut().zip(pairs).zip((0..).step_by(4))
                {
                    turn_to_the_eye(eye, corners, pair, first);
                }
            }
        }
    }
}

fn face_the_eye(eye: &Viewpoint, corners: &mut [Vec3; 4]) {
    let middle = corners.iter().sum::<Vec3>() / 4.0;
    let [first, ..] = *corners;
    // The distance of a corner from the centre times √½, as rounded by the games.
    let half = (first - middle).length() * 0.707;
    let (left, up) = (eye.left * half, eye.up * half);
    *corners = [middle + left + up, middle - left + up, middle - left - up, middle + left - up];
}

const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Turns a strip towards the eye: its two shortest edges become perpendicular to the view and to the line through their
/// middles. An edge's direction depends on the order in which `triangles` contain its corners.
fn turn_to_the_eye(eye: &Viewpoint, corners: &mut [Vec3; 4], triangles: &[[u32; 3]; 2], first: u32) {
    let corner_at = |index: usize| corners.get(index).copied().unwrap_or_default();
    let lengths = EDGES.map(|[a, b]| corner_at(a).distance_squared(corner_at(b)));
    let shortest = |but: Option<usize>| {
        let others = lengths.iter().enumerate().filter(|(index, _)| Some(*index) != but);
        others
            .fold((0, f32::INFINITY), |best, (index, length)| if *length < best.1 { (index, *length) } else { best })
            .0
    };
    let shortest_of_all = shortest(None);
    let second = shortest(Some(shortest_of_all));
    let edges = [shortest_of_all, second].map(|index| EDGES.get(index).copied().unwrap_or([0, 1]));
    let middles = edges.map(|[a, b]| (corner_at(a) + corner_at(b)) / 2.0);
    let halves = [shortest_of_all, second].map(|index| lengths.get(index).map_or(0.0, |length| length.sqrt() / 2.0));
    let [from, to] = middles;
    let across = (to - from).cross(eye.forward).normalize_or_zero();
    for (([a, b], middle), half) in edges.into_iter().zip(middles).zip(halves) {
        let is_named = triangles.as_flattened().windows(2).any(|two| {
            let names = |corner: Option<&u32>, index: usize| {
                corner.is_some_and(|corner| corner.wrapping_sub(first) as usize == index)
            };
            names(two.first(), a) && names(two.last(), b)
        });
        let half = if is_named { half } else { -half };
        for (index, side) in [(a, -half), (b, half)] {
            if let Some(corner) = corners.get_mut(index) {
                *corner = middle + across * side;
            }
        }
    }
}
