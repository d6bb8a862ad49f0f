//! Values per vertex that are shown as colours: joint weights, texel density, difference.

use glam::Vec3;

use super::{Entity, Selection, Shading};
use maquette_core::model::{Model, Motion};
use maquette_core::pose::{Pose, Sampling, sample};

/// Value of each vertex as a position on the scale, 0 to 1. Vertices are in the order of the model's surfaces.
pub type ScalarField = Vec<f32>;

/// Colours at equal distances along the scale, in sRGB, of increasing lightness up to the yellow.
pub const VALUE_COLOURS: [[u8; 3]; 5] = [[46, 52, 92], [38, 116, 150], [92, 176, 112], [238, 204, 86], [222, 72, 56]];

/// Ratio to the median at the end of the texel density scale. The scale starts at the inverse.
pub const DENSITY_REACH: f32 = 4.0;

/// Inputs of vertex values other than the model. If they are equal, the values are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSource {
    shading: Shading,
    joint: Option<usize>,
    lod: u32,
    materials: u64,
    poses: Option<(u64, u64)>,
}

impl ValueSource {
    /// Returns the inputs of `shading`; `None` if it shows no values. `other` is the compared entity.
    #[must_use]
    pub fn new(shading: Shading, entity: &Entity, selection: Selection, other: Option<&Entity>) -> Option<Self> {
        let joint = if let Selection::Joint(joint) = selection { Some(joint) } else { None };
        let source = Self { shading, joint: None, lod: entity.lod, materials: 0, poses: None };
        match shading {
            Shading::Weights => Some(Self { joint, ..source }),
            Shading::TexelDensity => Some(Self { materials: entity.material_revision(), ..source }),
            Shading::Difference => {
                let poses = other.map(|other| (entity.pose.revision(), other.pose.revision()));
                Some(Self { poses, ..source })
            }
            _ => None,
        }
    }

    /// Returns the values. `other` is the compared entity, and the distance in units at the end of the scale.
    pub fn values(&self, entity: &Entity, other: Option<(&Entity, f32)>) -> ScalarField {
        match self.shading {
            Shading::Difference => distances(entity, other),
            Shading::TexelDensity => densities(entity, self.lod),
            _ => weights(entity.model(), self.joint),
        }
    }
}

/// Maximum number of vertex pairs in a search for nearest vertices. Surfaces with more pairs get the value 0.
const MAX_PAIRS: usize = 4_000_000;

/// Returns the surface of equal name in the same LOD of another model, or in its coarsest; else the one of equal index.
fn counterpart(model: &Model, surface: usize, other: &Model) -> usize {
    let Some(own) = model.surfaces().get(surface) else { return surface };
    let lod = own.lod.min(other.lod_count() - 1);
    other.surfaces().iter().position(|other| other.name == own.name && other.lod == lod).unwrap_or(surface)
}

/// Returns the surface and the vertex of another model that correspond to a vertex, as in the values of a difference:
/// the same vertex of the [`counterpart`], or the nearest in the first frame if the vertex counts differ.
pub(crate) fn counterpart_vertex(
    model: &Model,
    (surface, vertex): (usize, usize),
    other: &Model,
) -> Option<(usize, usize)> {
    let number = counterpart(model, surface, other);
    let [own, their] = [(model, surface), (other, number)].map(|(model, index)| model.surfaces().get(index));
    let (own, their) = (own?, their?);
    if own.vertex_count() == their.vertex_count() {
        return Some((number, vertex));
    }
    let posed = |model: &Model, lod: u32, surface: usize| {
        let mut pose = Pose::default();
        sample(model, &Sampling { lod, ..Sampling::default() }, &mut pose);
        pose.surfaces.get_mut(surface).map(|posed| std::mem::take(&mut posed.positions))
    };
    let position = *posed(model, own.lod, surface)?.get(vertex)?;
    let distances = posed(other, their.lod, number)?.into_iter().map(|their| position.distance_squared(their));
    let (nearest, _) = distances.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some((number, nearest))
}

/// Returns the distance of each vertex to its counterpart in the surface of equal name, or else equal index. If the
/// vertex counts differ, the counterpart is the nearest vertex. Without a counterpart the value is 0.
fn distances(entity: &Entity, other: Option<(&Entity, f32)>) -> ScalarField {
    let mut values = ScalarField::new();
    for (number, (surface, posed)) in entity.model().surfaces().iter().zip(&entity.pose.surfaces).enumerate() {
        let first = values.len();
        let own = &posed.positions;
        if let Some((other, reach)) = other {
            let counterpart = other.pose.surfaces.get(counterpart(entity.model(), number, other.model()));
            let theirs = counterpart.map_or(&[][..], |posed| posed.positions.as_slice());
            let scaled = |distance: f32| (distance / reach).clamp(0.0, 1.0);
            if own.len() == theirs.len() {
                values.extend(own.iter().zip(theirs).map(|(own, their)| scaled(own.distance(*their))));
            } else if !theirs.is_empty() && own.len().saturating_mul(theirs.len()) <= MAX_PAIRS {
                let nearest = |own: &Vec3| {
                    let squares = theirs.iter().map(|their| own.distance_squared(*their));
                    squares.fold(f32::INFINITY, f32::min).sqrt()
                };
                values.extend(own.iter().map(|own| scaled(nearest(own))));
            }
        }
        values.resize(first + surface.vertex_count(), 0.0);
    }
    values
}

fn weights(model: &Model, joint: Option<usize>) -> ScalarField {
    let vertices = model.surfaces().iter().map(|surface| surface.vertex_count()).sum();
    let (Motion::Skeletal(motion), Some(joint)) = (model.motion(), joint) else { return vec![0.0; vertices] };
    let of_vertex = |(binding, vertex): (&maquette_core::model::Binding, &(u32, u32))| {
        let own = binding.weights_of(*vertex);
        let share: f32 = own.iter().filter(|weight| weight.joint as usize == joint).map(|weight| weight.bias).sum();
        share.clamp(0.0, 1.0)
    };
    let bindings = motion.bindings.iter();
    bindings.flat_map(|binding| binding.vertices.iter().map(move |range| (binding, range))).map(of_vertex).collect()
}

/// Returns the texel density of each vertex relative to the median, which is the middle of the scale. The density of a
/// vertex is the mean of its triangles.
fn densities(entity: &Entity, lod: u32) -> ScalarField {
    let model = entity.model();
    let mut pose = Pose::default();
    sample(model, &Sampling { lod, ..Sampling::default() }, &mut pose);
    let mut all: Vec<f32> = Vec::new();
    // Sum of the binary logarithms of the triangles' densities, and number of triangles, for each vertex.
    let mut sums: Vec<(f32, f32)> = Vec::new();
    for (number, (surface, posed)) in model.surfaces().iter().zip(&pose.surfaces).enumerate() {
        let first = sums.len();
        sums.resize(first + surface.vertex_count(), (0.0, 0.0));
        let image = entity.materials().get(number).and_then(|material| material.image.as_ref());
        let texels = image.map_or(1.0, |image| image.width as f32 * image.height as f32);
        for corners in &surface.triangles {
            let corner = |index: u32| Some((*posed.positions.get(index as usize)?, *surface.uvs.get(index as usize)?));
            let [Some(a), Some(b), Some(c)] = corners.map(corner) else { continue };
            let area = (b.0 - a.0).cross(c.0 - a.0).length();
            let uv_area = (b.1 - a.1).perp_dot(c.1 - a.1).abs();
            let density = (uv_area * texels / area).sqrt().log2();
            if !density.is_finite() {
                continue;
            }
            all.push(density);
            for vertex in corners {
                if let Some((sum, count)) = sums.get_mut(first + *vertex as usize) {
                    *sum += density;
                    *count += 1.0;
                }
            }
        }
    }
    let middle = all.len() / 2;
    let median = if all.is_empty() { 0.0 } else { *all.select_nth_unstable_by(middle, f32::total_cmp).1 };
    let reach = 2.0 * DENSITY_REACH.log2();
    let average = |(sum, count): (f32, f32)| {
        let density = if count > 0.0 { sum / count } else { median };
        ((density - median) / reach + 0.5).clamp(0.0, 1.0)
    };
    sums.into_iter().map(average).collect()
}
