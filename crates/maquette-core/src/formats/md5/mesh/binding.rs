//! Conversion of a mesh block to a surface and its weights, with valid indices.

use glam::{Quat, Vec3};

use super::{MeshBlock, RawVertex, RawWeight};
use crate::budget::Budget;
use crate::error::{Fault, Reason, WarningKind, Warnings};
use crate::model::{Binding, Detail, Joint, Surface, SurfaceData, Weight, smooth_normals, u32_or_max};

#[derive(Default)]
struct Oddities {
    clamped: usize,
    without_weights: usize,
    unknown_joints: usize,
    uneven: usize,
    dropped: usize,
    misnumbered: usize,
}

/// Builds a surface and its weights. Weights that vertices share are duplicated; `budget` limits the total of all
/// meshes.
pub(super) fn build(
    mut block: MeshBlock,
    index: usize,
    joints: &[Joint],
    budget: &mut Budget,
    warnings: &mut Warnings,
) -> Result<(Surface, Binding), Reason> {
    let mut odd = Oddities { misnumbered: block.misnumbered, ..Oddities::default() };
    odd.unknown_joints = block.weights.iter().filter(|weight| known(weight, joints).is_none()).count();
    let mut binding = Binding::default();
    binding.vertices.reserve_exact(block.vertices.len());
    binding.weights.reserve_exact(block.weights.len());
    for vertex in &block.vertices {
        let weights = weights_of(vertex, &block.weights, &mut odd);
        budget.take((weights.len() as u64).saturating_mul(size_of::<Weight>() as u64)).map_err(|bytes| {
            Reason::Broken(format!("the vertices share weights so often that they would take {bytes} bytes"))
        })?;
        let first = binding.weights.len();
        binding.weights.extend(weights.iter().filter_map(|weight| {
            let joint = known(weight, joints)?;
            Some(Weight { joint, bias: weight.bias, offset: weight.offset, normal: Vec3::Z })
        }));
        let own = binding.weights.get(first..).unwrap_or_default();
        let sum: f32 = own.iter().map(|weight| weight.bias).sum();
        odd.uneven += usize::from(!own.is_empty() && (sum - 1.0).abs() > 0.05);
        binding.vertices.push((u32_or_max(first), u32_or_max(own.len())));
    }
    let stored_weights = std::mem::take(&mut block.weights).len();
    let mut triangles = block.triangles;
    let stored = triangles.len();
    triangles.retain(|corners| corners.iter().all(|index| (*index as usize) < block.vertices.len()));
    odd.dropped = stored - triangles.len();
    bind_normals(&mut binding, &triangles, joints);

    let about = format!("mesh {index}");
    if block.shader.is_none() {
        let message = "shader: the line is missing";
        warnings.add_fault(Fault::MissingShader, WarningKind::Substituted, &about, message);
    }
    odd.report(&about, warnings);
    let mut details = vec![Detail::text("numweights", stored_weights)];
    if !block.exported_name.is_empty() {
        details.push(Detail::text("meshes", &block.exported_name));
    }
    let surface = Surface {
        name: block.name,
        lod: 0,
        materials: block.shader.filter(|shader| !shader.is_empty()).into_iter().collect(),
        triangles,
        uvs: block.vertices.iter().map(|vertex| vertex.uv).collect(),
        hidden: false,
        data: SurfaceData { stored_weights, exported_name: block.exported_name, ..SurfaceData::default() }.into(),
        details,
    };
    Ok((surface, binding))
}

fn known(weight: &RawWeight, joints: &[Joint]) -> Option<u32> {
    Some(weight.joint).filter(|joint| (*joint as usize) < joints.len())
}

fn weights_of<'a>(vertex: &RawVertex, weights: &'a [RawWeight], odd: &mut Oddities) -> &'a [RawWeight] {
    if vertex.count <= 0 {
        odd.without_weights += 1;
        return &[];
    }
    let first = usize::try_from(vertex.first).ok();
    let end = first.and_then(|first| first.checked_add(usize::try_from(vertex.count).ok()?));
    let from = |first: usize| weights.get(first..);
    match (first.and_then(from), first.zip(end).and_then(|(first, end)| weights.get(first..end))) {
        (_, Some(all)) => all,
        (rest, None) => {
            odd.clamped += 1;
            rest.unwrap_or_default()
        }
    }
}

/// Computes smooth normals and stores them in the space of every joint of a vertex, so that they turn with the joints.
fn bind_normals(binding: &mut Binding, triangles: &[[u32; 3]], joints: &[Joint]) {
    let bind = |joint: u32| joints.get(joint as usize).map(|joint| joint.bind);
    let weights_of = |(first, count): &(u32, u32)| *first as usize..*first as usize + *count as usize;
    let position = |vertex: &(u32, u32)| {
        let weights = binding.weights.get(weights_of(vertex)).unwrap_or_default();
        weights.iter().fold(Vec3::ZERO, |sum, weight| {
            let at = |bind: crate::model::JointTransform| bind.rotation * weight.offset + bind.translation;
            sum + bind(weight.joint).map_or(Vec3::ZERO, at) * weight.bias
        })
    };
    let positions: Vec<Vec3> = binding.vertices.iter().map(position).collect();
    let normals = smooth_normals(&positions, triangles);
    for (vertex, normal) in binding.vertices.iter().zip(normals) {
        for weight in binding.weights.get_mut(weights_of(vertex)).unwrap_or_default() {
            weight.normal = bind(weight.joint).map_or(Quat::IDENTITY, |bind| bind.rotation.conjugate()) * normal;
        }
    }
}

impl Oddities {
    fn report(&self, about: &str, warnings: &mut Warnings) {
        warnings.add_counted(
            WarningKind::Inconsistent,
            about,
            self.misnumbered,
            [
                "index of vert, tri or weight does not match its order; the order in the file is used",
                "indices of vert, tri or weight do not match their order; the order in the file is used",
            ],
        );
        warnings.add_counted_fault(
            Fault::UnknownVertex,
            WarningKind::LeftOut,
            about,
            self.dropped,
            [
                "triangle names vertices that do not exist; skipped",
                "triangles name vertices that do not exist; skipped",
            ],
        );
        warnings.add_counted_fault(
            Fault::UnknownJoint,
            WarningKind::LeftOut,
            about,
            self.unknown_joints,
            ["weight names a joint that does not exist; skipped", "weights name joints that do not exist; skipped"],
        );
        warnings.add_counted_fault(
            Fault::UnknownWeight,
            WarningKind::Substituted,
            about,
            self.clamped,
            [
                "vertex names weights that do not exist; the existing weights are used",
                "vertices name weights that do not exist; the existing weights are used",
            ],
        );
        warnings.add_counted_fault(
            Fault::VertexWithoutWeights,
            WarningKind::Substituted,
            about,
            self.without_weights,
            ["vertex has no weight; it stays at the origin", "vertices have no weight; they stay at the origin"],
        );
        warnings.add_counted(
            WarningKind::Inconsistent,
            about,
            self.uneven,
            [
                "vertex has weights that do not sum to 1; they are used as stored",
                "vertices have weights that do not sum to 1; they are used as stored",
            ],
        );
    }
}
