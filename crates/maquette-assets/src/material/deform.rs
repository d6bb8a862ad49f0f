//! Vertices that move by their material: `deformVertexes`.
//!
//! Deforms come before light, colours and coordinates, which all see the moved vertices. Source: ioquake3
//! `tr_shade_calc.c` (`RB_DeformTessGeometry`); facts in words, the code is our own.

use glam::{Vec2, Vec3};

use super::wave::{Wave, Waveform, noise};
use maquette_core::model::Surface;

/// One way in which vertices move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deform {
    /// Along the normal, as the wave goes; `spread` periods ahead for each unit of x + y + z.
    Wave {
        /// 1 / the script's div.
        spread: f32,
        /// How far, in units.
        wave: Wave,
    },
    /// Along the normal, as a sine runs over the texture's width.
    Bulge {
        /// Radians per picture.
        width: f32,
        /// How far, in units.
        height: f32,
        /// Radians per second.
        speed: f32,
    },
    /// All alike.
    TexMod(Vec3, Wave),
    /// Normals tremble.
    Normal {
        /// How much.
        amplitude: f32,
        /// How fast.
        frequency: f32,
    },
    /// Every four vertices are a square that faces the eye.
    Sprite,
    /// Every four vertices are a strip that turns about its long axis towards the eye.
    Strip,
}

/// From where the vertices are seen, in model space: unit vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// Into the picture.
    pub forward: Vec3,
    /// To the picture's left.
    pub left: Vec3,
    /// To its top.
    pub up: Vec3,
}

/// Texture coordinates of a sprite's four corners, and its triangles among them.
pub const SPRITE_COORDINATES: [Vec2; 4] =
    [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(1.0, 1.0), Vec2::new(0.0, 1.0)];
/// Triangles of a sprite, clockwise.
pub const SPRITE_TRIANGLES: [[u32; 3]; 2] = [[0, 1, 3], [3, 1, 2]];

impl Deform {
    /// Whether it changes with time.
    #[must_use]
    pub fn moves(&self) -> bool {
        match self {
            Self::Wave { wave, .. } | Self::TexMod(_, wave) => wave.moves(),
            Self::Bulge { height, speed, .. } => *height != 0.0 && *speed != 0.0,
            Self::Normal { amplitude, frequency } => *amplitude != 0.0 && *frequency != 0.0,
            Self::Sprite | Self::Strip => false,
        }
    }

    /// Whether it hangs on where the eye is.
    #[must_use]
    pub fn follows_the_eye(&self) -> bool {
        matches!(self, Self::Sprite | Self::Strip)
    }

    /// Moves the vertices of `surface`, one position and one normal each.
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
            Self::TexMod(way, wave) => {
                let step = *way * wave.at(seconds);
                positions.iter_mut().for_each(|position| *position += step);
            }
            Self::Normal { amplitude, frequency } => {
                #[expect(clippy::cast_possible_truncation, reason = "a place in the noise")]
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

/// Four corners become a square parallel to the picture.
fn face_the_eye(eye: &Viewpoint, corners: &mut [Vec3; 4]) {
    let middle = corners.iter().sum::<Vec3>() / 4.0;
    let [first, ..] = *corners;
    // Half a side is the distance of a corner times the root of one half, as the games round it.
    let half = (first - middle).length() * 0.707;
    let (left, up) = (eye.left * half, eye.up * half);
    *corners = [middle + left + up, middle - left + up, middle - left - up, middle + left - up];
}

/// Pairs of corners that an edge of a strip may join.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// The two shortest edges of four corners, the `first` of which is so numbered, are laid across the way one looks, about
/// the line through their middles. Which end goes to which side is said by whether the two triangles name the edge's
/// corners one after the other.
fn turn_to_the_eye(eye: &Viewpoint, corners: &mut [Vec3; 4], triangles: &[[u32; 3]; 2], first: u32) {
    let place = |index: usize| corners.get(index).copied().unwrap_or_default();
    let lengths = EDGES.map(|[a, b]| place(a).distance_squared(place(b)));
    let shortest = |but: Option<usize>| {
        let others = lengths.iter().enumerate().filter(|(index, _)| Some(*index) != but);
        // Of equal edges the first counts.
        others
            .fold((0, f32::INFINITY), |best, (index, length)| if *length < best.1 { (index, *length) } else { best })
            .0
    };
    let shortest_of_all = shortest(None);
    let second = shortest(Some(shortest_of_all));
    let edges = [shortest_of_all, second].map(|index| EDGES.get(index).copied().unwrap_or([0, 1]));
    let middles = edges.map(|[a, b]| (place(a) + place(b)) / 2.0);
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
