//! Umber, the sample figure: a young fox on the road. All parts put together, as a skinned model and its texture.

use glam::{DAffine3, DVec3};

use super::atlas::{Chart, pack};
use super::model::{Clip, Rigged, Surface, Tag, Vertex};
use super::occlusion::Occluder;
use super::part::Part;
use super::sheet::Sheet;
use super::skeleton::{self, Pose};
use super::{arm, head, leg, motion, paint, scarf, tail, torso};

/// File name and model name.
pub const NAME: &str = "umber";

/// The texture's path from the game's root.
pub const MATERIAL: &str = "models/umber/umber.png";

/// Height of the floor under the figure: players in Quake stand 24 units below their origin.
const FLOOR: f64 = -24.0;

/// The surfaces in the order they are stored and drawn.
const SURFACES: [&str; 6] = ["head", "eyes", "fur", "clothes", "scarf", "leather"];

/// The figure's parts and their places in the texture.
pub struct Figure {
    parts: Vec<Part>,
    charts: Vec<Chart>,
}

impl Figure {
    pub fn new() -> Self {
        let parts: Vec<Part> =
            [head::parts(), tail::parts(), torso::parts(), arm::parts(), leg::parts(), scarf::parts()]
                .into_iter()
                .flatten()
                .collect();
        let charts = pack(&parts);
        Self { parts, charts }
    }

    /// The skinned model.
    pub fn model(&self) -> Rigged {
        self.cut(Sheet::clone)
    }

    /// Model with about half the triangles, for the coarser LOD.
    pub fn coarse_model(&self) -> Rigged {
        self.cut(Sheet::coarse)
    }

    /// The texture as rows of red, green, blue bytes.
    pub fn texture(&self) -> Vec<u8> {
        let mut triangles = Vec::new();
        for part in &self.parts {
            let grid = part.sheet.cut();
            triangles.extend(grid.triangles.iter().map(|triangle| triangle.map(|i| grid.vertices[i].position)));
        }
        paint::texture(&self.parts, &self.charts, &Occluder::new(triangles))
    }

    fn cut(&self, detail: impl Fn(&Sheet) -> Sheet) -> Rigged {
        let mut joints = skeleton::joints();
        joints.iter_mut().for_each(|joint| joint.bind.translation.z += FLOOR);
        let tag = |name: &str, joint| Tag { name: name.to_owned(), joint };
        Rigged {
            name: NAME.to_owned(),
            surfaces: SURFACES.iter().map(|name| self.surface(name, &detail)).collect(),
            joints,
            tags: vec![
                tag("tag_head", skeleton::HEAD),
                tag("tag_weapon", skeleton::GRIP),
                tag("tag_torso", skeleton::CHEST),
                tag("tag_floor", skeleton::ORIGIN),
            ],
        }
    }

    fn surface(&self, name: &str, detail: impl Fn(&Sheet) -> Sheet) -> Surface {
        let mut surface = Surface {
            name: name.to_owned(),
            material: MATERIAL.to_owned(),
            vertices: Vec::new(),
            triangles: Vec::new(),
        };
        for part in self.parts.iter().filter(|part| part.surface == name) {
            let chart = self.charts.iter().find(|chart| chart.name == part.chart).expect("every part has a chart");
            let grid = detail(&part.sheet).cut();
            let first = surface.vertices.len();
            surface.vertices.extend(grid.vertices.iter().map(|vertex| Vertex {
                position: vertex.position + DVec3::Z * FLOOR,
                normal: vertex.normal,
                uv: chart.uv(vertex.chart),
                weights: (part.skin)(vertex.position, vertex.along),
            }));
            surface.triangles.extend(grid.triangles.iter().map(|triangle| triangle.map(|i| i + first)));
        }
        surface
    }
}

/// A clip of `count` frames: the motion's poses at even steps of its phase, which runs from 0 to 1. With `closed` the last
/// frame is the first again, as MD5 wants it; without, the step after the last frame leads back to the first.
pub fn clip(motion: &motion::Motion, count: usize, rate: u32, closed: bool) -> Clip {
    let steps = if closed { count - 1 } else { count };
    let floor = DAffine3::from_translation(DVec3::Z * FLOOR);
    let frame = |index: usize| {
        let pose: Pose = (motion.pose)((index % steps) as f64 / steps as f64);
        pose.matrices().iter().map(|matrix| floor * *matrix).collect()
    };
    Clip { rate, frames: (0..count).map(frame).collect() }
}
