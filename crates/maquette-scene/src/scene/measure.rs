//! Distances between two selections.

use glam::Vec3;

use super::{Entity, EntityId, Scene, Selection};
use maquette_core::model::{Bounds, Model};
use maquette_core::pose::Pose;

/// Two measured points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Start, in world space.
    pub from: Vec3,
    /// End, in world space.
    pub to: Vec3,
}

impl Measure {
    /// Measures between two selections. Returns `None` if they are equal or one of them is not in the scene.
    #[must_use]
    pub fn between(scene: &Scene, from: (EntityId, Selection), to: (EntityId, Selection)) -> Option<Self> {
        let position = |(entity, selection)| position_of(scene.entity(entity)?, selection);
        (from != to).then_some(Self { from: position(from)?, to: position(to)? })
    }

    /// Returns the distance in units.
    pub fn distance(&self) -> f32 {
        self.from.distance(self.to)
    }

    /// Returns the distance along each world axis, in units.
    pub fn offset(&self) -> Vec3 {
        self.to - self.from
    }
}

/// Returns the world-space position of a selection: a vertex, the origin of a tag or joint, the centroid of a triangle,
/// the centre of a surface's bounds. `None` if the entity does not show it.
pub fn position_of(entity: &Entity, selection: Selection) -> Option<Vec3> {
    let position = position_in(entity.model(), &entity.pose, selection)?;
    Some(entity.world_from_model.transform_point3(position)).filter(|position| position.is_finite())
}

/// Like [`position_of`], but in the coordinates of the model in a pose.
pub fn position_in(model: &Model, pose: &Pose, selection: Selection) -> Option<Vec3> {
    let posed = |surface: usize| pose.surfaces.get(surface).map(|posed| posed.positions.as_slice());
    match selection {
        Selection::None => None,
        Selection::Surface(surface) => {
            let bounds = Bounds::from_points(posed(surface)?.iter().copied());
            (!bounds.is_empty()).then(|| bounds.centre())
        }
        Selection::Triangle { surface, triangle } => {
            let corners = model.surfaces().get(surface)?.triangles.get(triangle)?;
            let positions = posed(surface)?;
            let [Some(a), Some(b), Some(c)] = corners.map(|corner| positions.get(corner as usize).copied()) else {
                return None;
            };
            Some((a + b + c) / 3.0)
        }
        Selection::Vertex { surface, vertex } => posed(surface)?.get(vertex).copied(),
        Selection::Tag(tag) => pose.tags.get(tag).map(|frame| frame.translation.into()),
        Selection::Joint(joint) => pose.joints.get(joint).map(|frame| frame.translation.into()),
    }
}
