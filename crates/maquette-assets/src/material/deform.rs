//! Vertex deforms of materials (`deformVertexes`), applied before light, colours and coordinates. Source: ioquake3
//! `tr_shade_calc.c` (`RB_DeformTessGeometry`), dhewm3 `tr_deform.cpp`; the implementation is independent.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::expression::{Expression, LookupTable};
use super::wave::{Wave, Waveform, noise};
use maquette_core::model::Surface;

/// Deform of vertices.
#[derive(Clone, Debug, PartialEq)]
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
    /// Moves all vertices along X (Doom 3 `R_MoveDeform`).
    Shift(Expression),
    /// Shakes the texture coordinates by a table, with range, time and domain (Doom 3 `R_TurbulentDeform`).
    Turbulent(Arc<LookupTable>, Box<[Expression; 3]>),
    /// Gives each vertex the normal of its largest triangle (Doom 3 `R_BuildDominantTris`, `R_DeriveUnsmoothedTangents`).
    DominantNormals,
    /// Turns every four vertices into a square that faces the eye.
    Sprite,
    /// Turns every four vertices, a strip, about the long axis towards the eye.
    Strip,
    /// Like [`Self::Strip`], but towards the position of the eye (Doom 3 `R_TubeDeform`).
    Tube,
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
    /// Position of the eye.
    pub position: Vec3,
}

/// Texture coordinates of a sprite's four corners.
pub const SPRITE_COORDINATES: [Vec2; 4] =
    [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(1.0, 1.0), Vec2::new(0.0, 1.0)];
/// Triangles of a sprite, clockwise, as indices into its four corners.
pub const SPRITE_TRIANGLES: [[u32; 3]; 2] = [[0, 1, 3], [3, 1, 2]];

impl Deform {
    /// Returns whether the deform changes with time.
    pub fn moves(&self) -> bool {
        match self {
            Self::Wave { wave, .. } | Self::Move(_, wave) => wave.moves(),
            Self::Bulge { height, speed, .. } => *height != 0.0 && *speed != 0.0,
            Self::Normal { amplitude, frequency } => *amplitude != 0.0 && *frequency != 0.0,
            Self::Shift(way) => way.moves(),
            Self::Turbulent(_, numbers) => numbers.iter().any(Expression::moves),
            Self::DominantNormals | Self::Sprite | Self::Strip | Self::Tube | Self::Billboard { .. } => false,
        }
    }

    /// Returns whether the deform depends on the position of the eye.
    pub fn follows_the_eye(&self) -> bool {
        matches!(self, Self::Sprite | Self::Strip | Self::Tube | Self::Billboard { .. })
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
            Self::Shift(way) => {
                let step = way.at(seconds);
                positions.iter_mut().for_each(|position| position.x += step);
            }
            Self::Turbulent(..) => {}
            Self::DominantNormals => set_dominant_normals(surface, positions, normals),
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
            Self::Strip | Self::Tube => {
                let turn = if *self == Self::Tube { turn_tube } else { turn_to_the_eye };
                let pairs = surface.triangles.as_chunks::<2>().0;
                for ((corners, pair), first) in
                    positions.as_chunks_mut::<4>().0.iter_mut().zip(pairs).zip((0..).step_by(4))
                {
                    turn(eye, corners, pair, first);
                }
            }
        }
    }
}

impl Deform {
    /// Returns the texture coordinates at `seconds` of vertices at `positions`; `None` if the deform does not change them.
    pub fn coordinates(&self, seconds: f64, surface: &Surface, positions: &[Vec3]) -> Option<Vec<Vec2>> {
        let Self::Turbulent(table, numbers) = self else { return None };
        let [range, time, domain] = numbers.each_ref().map(|number| number.at(seconds));
        let shaken = |(uv, position): (&Vec2, &Vec3)| {
            let phase = 2.0 * time + domain * position.dot(Vec3::new(0.003, 0.007, 0.011));
            *uv + range * Vec2::new(table.at(phase), table.at(phase + 0.5))
        };
        Some(surface.uvs.iter().zip(positions).map(shaken).collect())
    }
}

fn set_dominant_normals(surface: &Surface, positions: &[Vec3], normals: &mut [Vec3]) {
    let mut largest = vec![0.0_f32; positions.len()];
    for triangle in &surface.triangles {
        let corners = triangle.map(|index| positions.get(index as usize).copied().unwrap_or_default());
        // Front faces are clockwise. The length is twice the area.
        let normal = (corners[2] - corners[0]).cross(corners[1] - corners[0]);
        for index in triangle.map(|index| index as usize) {
            if let (Some(known), Some(own)) = (largest.get_mut(index), normals.get_mut(index))
                && normal.length() >= *known
            {
                (*known, *own) = (normal.length(), normal.normalize_or(*own));
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

/// Turns a tube: its two shortest edges become perpendicular to the line through their middles and to the line of sight.
fn turn_tube(eye: &Viewpoint, corners: &mut [Vec3; 4], triangles: &[[u32; 3]; 2], first: u32) {
    let at = |index: usize| corners.get(index).copied().unwrap_or_default();
    let mut edges: Vec<[usize; 2]> = triangles
        .iter()
        .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|edge| edge.map(|corner| corner.wrapping_sub(first) as usize))
        .collect();
    edges.sort_by(|one, other| {
        let [one, other] = [one, other].map(|[a, b]| at(*a).distance_squared(at(*b)));
        one.total_cmp(&other)
    });
    let Some(shortest) = edges.first_chunk::<2>().copied() else { return };
    let ends = shortest.map(|[a, b]| ((at(a) + at(b)) / 2.0, at(a).distance(at(b)) / 2.0));
    let major = ends[1].0 - ends[0].0;
    for (([a, b], (middle, half)), side) in shortest.into_iter().zip(ends).zip([1.0, -1.0]) {
        let minor = major.cross(middle - eye.position).normalize_or_zero() * (half * side);
        for (index, moved) in [(a, middle + minor), (b, middle - minor)] {
            if let Some(corner) = corners.get_mut(index) {
                *corner = moved;
            }
        }
    }
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
