//! Surfaces with vertex animation: one morph target per frame.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::buffer::{Builder, number};
use super::json::{Mesh, Node, Primitive, Target};
use super::tangent::tangents;
use super::{PartNodes, surface_name};
use crate::export::scene::{ExportPart, ExportScene};
use crate::export::{ExportError, ExportOptions, Losses};
use crate::limits::MAX_POSED_VERTICES;
use crate::model::{Precision, Surface};
use crate::pose::{FrameBlend, Pose, Sampling, cost_of_frame, sample};

pub(super) struct Targets {
    pub nodes: Vec<u32>,
    pub count: usize,
    pub of_frames: BTreeMap<u32, Option<usize>>,
}

pub(super) fn add(
    builder: &mut Builder,
    subject: &ExportScene<'_>,
    index: usize,
    own: u32,
    options: &ExportOptions,
    losses: &mut Losses,
) -> Result<Targets, ExportError> {
    let mut targets = Targets { nodes: Vec::new(), count: 0, of_frames: BTreeMap::new() };
    let Some(part) = subject.parts.get(index) else { return Ok(targets) };
    let surfaces: Vec<usize> = part.surfaces().collect();
    let frames = subject.shown_frames(index);
    if frames.len().saturating_mul(cost_of_frame(part.model)) > MAX_POSED_VERTICES {
        let frames = frames.len();
        return Err(ExportError::Unfit(format!(
            "{frames} frames are too many to export; export fewer animations or a single frame"
        )));
    }
    let grid = options.quantized.then(|| Grid::new(part, &surfaces, &frames));
    let mut all: Vec<Vec<Target>> = vec![Vec::new(); surfaces.len()];
    let mut pose = Pose::default();
    let (mut moved, mut turned) = (Vec::new(), Vec::new());
    for frame in frames {
        sample(part.model, &Sampling { lod: part.lod, ..Sampling::at(FrameBlend::single(frame)) }, &mut pose);
        let pairs =
            || surfaces.iter().filter_map(|index| Some((part.pose.surfaces.get(*index)?, pose.surfaces.get(*index)?)));
        let is_rest = |(rest, now): (&crate::pose::PosedSurface, &crate::pose::PosedSurface)| {
            rest.positions == now.positions && rest.normals == now.normals
        };
        if pairs().all(is_rest) {
            targets.of_frames.insert(frame, None);
            continue;
        }
        for ((rest, now), own) in pairs().zip(&mut all) {
            difference(&now.positions, &rest.positions, &mut moved);
            difference(&now.normals, &rest.normals, &mut turned);
            let position = match &grid {
                Some(grid) => builder.steps(&grid.moved(&now.positions, &rest.positions))?,
                None => builder.vec3s(&moved, true)?,
            };
            own.push(Target { position, normal: builder.vec3s(&turned, false)? });
        }
        targets.of_frames.insert(frame, Some(targets.count));
        targets.count += 1;
    }
    for (surface, own_targets) in surfaces.into_iter().zip(all) {
        let (Some(shape), Some(rest)) = (part.model.surfaces().get(surface), part.pose.surfaces.get(surface)) else {
            continue;
        };
        let position = match &grid {
            Some(grid) => builder.steps(&grid.steps(&rest.positions))?,
            None => builder.vec3s(&rest.positions, true)?,
        };
        let material = part.materials.get(surface).copied().flatten();
        let tangents = subject.has_normal_map(material).then(|| tangents(shape, &rest.positions, &rest.normals));
        let mut primitive = builder.primitive(shape, position, &rest.normals, tangents.as_deref())?;
        builder.set_material(&mut primitive, part, surface);
        primitive.targets = own_targets;
        let node = builder.mesh_node(&surface_name(part, surface), primitive);
        if let (Some(node), Some(grid)) = (builder.document.nodes.get_mut(node as usize), &grid) {
            node.scale = Some([grid.step; 3]);
        }
        builder.adopt(own, node);
        targets.nodes.push(node);
    }
    if let Some(grid) = grid {
        builder.needs("KHR_mesh_quantization");
        if grid.largest > 0.0 {
            losses.push(format!(
                "{}: positions are rounded to 1/{} of a unit and off by up to {:.4} units",
                part.name,
                1.0 / grid.step,
                grid.largest
            ));
        }
    }
    Ok(targets)
}

fn difference(now: &[Vec3], rest: &[Vec3], out: &mut Vec<Vec3>) {
    out.clear();
    out.extend(now.iter().zip(rest).map(|(now, rest)| *now - *rest));
}

impl Builder {
    pub(super) fn mesh_node(&mut self, name: &str, primitive: Primitive) -> u32 {
        self.document.meshes.push(Mesh { name: name.to_owned(), primitives: [primitive], extras: None });
        let mesh = Some(number(self.document.meshes.len() - 1));
        self.node(Node { name: name.to_owned(), mesh, ..Node::default() })
    }

    pub(super) fn primitive(
        &mut self,
        surface: &Surface,
        positions: u32,
        normals: &[Vec3],
        tangents: Option<&[[f32; 4]]>,
    ) -> Result<Primitive, ExportError> {
        let mut attributes = BTreeMap::from([
            ("POSITION".to_owned(), positions),
            ("NORMAL".to_owned(), self.vec3s(normals, false)?),
            ("TEXCOORD_0".to_owned(), self.uvs(&surface.uvs)?),
        ]);
        if let Some(colours) = &surface.data.colours {
            attributes.insert("COLOR_0".to_owned(), self.colours(colours)?);
        }
        if let Some(tangents) = tangents {
            attributes.insert("TANGENT".to_owned(), self.vec4s(tangents)?);
        }
        // glTF front faces are counter-clockwise.
        let triangles = surface.triangles.iter().map(|[a, b, c]| [*a, *c, *b]);
        let indices = self.indices(triangles, surface.vertex_count())?;
        Ok(Primitive { attributes, indices, material: None, targets: Vec::new(), extensions: None })
    }

    pub(super) fn needs(&mut self, extension: &'static str) {
        self.uses(extension);
        if !self.document.extensions_required.contains(&extension) {
            self.document.extensions_required.push(extension);
        }
    }

    pub(super) fn uses(&mut self, extension: &'static str) {
        if !self.document.extensions_used.contains(&extension) {
            self.document.extensions_used.push(extension);
        }
    }
}

impl PartNodes {
    pub(super) fn target_of(&self, frame: u32) -> Option<usize> {
        self.morph.as_ref()?.of_frames.get(&frame).copied().flatten()
    }
}

struct Grid {
    /// Units per step, a power of two.
    step: f32,
    largest: f32,
}

impl Grid {
    /// Chooses the finest step for which positions and offsets fit 16 bits. For an MD3, that is its own 1/64 unit if
    /// possible.
    fn new(part: &ExportPart<'_>, surfaces: &[usize], frames: &BTreeSet<u32>) -> Self {
        let mut pose = Pose::default();
        let (mut reach, mut largest) = (0.0_f32, 0.0_f32);
        let each = |frame: Option<&u32>, pose: &mut Pose, visit: &mut dyn FnMut(Vec3, Vec3)| {
            if let Some(frame) = frame {
                sample(part.model, &Sampling { lod: part.lod, ..Sampling::at(FrameBlend::single(*frame)) }, pose);
            }
            for surface in surfaces {
                let rest = part.pose.surfaces.get(*surface).map_or(&[][..], |posed| &posed.positions);
                let now = if frame.is_some() {
                    pose.surfaces.get(*surface).map_or(&[][..], |posed| &posed.positions)
                } else {
                    rest
                };
                now.iter().zip(rest).for_each(|(now, rest)| visit(*now, *rest));
            }
        };
        let all = || std::iter::once(None).chain(frames.iter().map(Some));
        for frame in all() {
            each(frame, &mut pose, &mut |now, rest| {
                reach = reach.max(now.abs().max_element()).max((now - rest).abs().max_element());
            });
        }
        // Leave one step for rounding at both ends of an offset.
        let max = f32::from(i16::MAX) - 1.0;
        let finest = (reach / max).max(f32::MIN_POSITIVE).log2().ceil().exp2();
        let stored = 1.0 / 64.0;
        let step = if part.model.format().traits().precision == Precision::Shorts {
            finest.max(stored)
        } else {
            finest.max(1.0 / 65_536.0)
        };
        for frame in all() {
            each(frame, &mut pose, &mut |now, _| {
                largest = largest.max(((now / step).round() * step).distance(now));
            });
        }
        Self { step, largest }
    }

    fn step_of(&self, position: Vec3) -> [i32; 3] {
        let whole = |number: f32| (number / self.step).round() as i32;
        position.to_array().map(whole)
    }

    fn steps(&self, positions: &[Vec3]) -> Vec<[i16; 3]> {
        positions.iter().map(|position| self.step_of(*position).map(short)).collect()
    }

    fn moved(&self, now: &[Vec3], rest: &[Vec3]) -> Vec<[i16; 3]> {
        let pairs = now.iter().zip(rest).map(|(now, rest)| (self.step_of(*now), self.step_of(*rest)));
        pairs.map(|(now, rest)| [0, 1, 2].map(|axis| short(now[axis] - rest[axis]))).collect()
    }
}

fn short(number: i32) -> i16 {
    number.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}
