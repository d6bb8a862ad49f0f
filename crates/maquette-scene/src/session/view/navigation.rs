//! Mouse navigation, picking, and framing of the selection.

use glam::{Vec2, Vec3};

use crate::scene::{Choice, Choices, Hit, pick};
use crate::session::{Selection, Session};
use maquette_core::model::Bounds;

/// Mapping of mouse buttons, named after programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Navigation {
    /// Left orbits, middle or Shift and left pans, right zooms.
    #[default]
    Maquette,
    /// Middle orbits, Shift and middle pans, Ctrl and middle zooms; left only selects.
    Blender,
}

impl Choices for Navigation {
    const CHOICES: &'static [Choice<Self>] =
        &[Choice::new(Self::Maquette, "Maquette"), Choice::new(Self::Blender, "Blender")];
}

/// Half side of the framed box around a tag, as a share of the model's radius.
const TAG_SHARE: f32 = 1.0 / 6.0;
/// Half side of the framed box around a vertex or a joint without children.
const JOINT_SHARE: f32 = 1.0 / 10.0;

impl Session {
    /// Returns the hit at a position: an offset from the centre of the viewport in half its height, x right, y up.
    pub fn pick(&self, at: Vec2) -> Option<Hit> {
        pick(&self.document.scene, &self.view.display, &self.view.camera.ray(at))
    }

    /// Returns points of the selection in world space.
    pub fn selected_points(&self) -> Vec<Vec3> {
        let Some(entity) = self.entity() else { return Vec::new() };
        let world_from_model = entity.world_from_model;
        let radius = Bounds::from_points(self.points()).radius().max(1.0);
        let around = |middle: Vec3, reach: f32| {
            let reach = Vec3::splat(reach);
            Bounds { min: middle - reach, max: middle + reach }.corners().to_vec()
        };
        let joint = |index: usize| {
            let joint = entity.pose.joints.get(index)?;
            Some(world_from_model.transform_point3(joint.translation.into()))
        };
        let corner = |surface: usize, vertex: usize| {
            let position = entity.pose.surfaces.get(surface)?.positions.get(vertex)?;
            Some(world_from_model.transform_point3(*position))
        };
        match self.document.selection {
            Selection::None => Vec::new(),
            Selection::Triangle { surface, triangle } => {
                let triangles = entity.model().surfaces().get(surface).map(|surface| surface.triangles.as_slice());
                let corners = triangles.and_then(|triangles| triangles.get(triangle)).copied();
                corners.into_iter().flatten().filter_map(|vertex| corner(surface, vertex as usize)).collect()
            }
            Selection::Vertex { surface, vertex } => {
                corner(surface, vertex).map_or(Vec::new(), |middle| around(middle, radius * JOINT_SHARE))
            }
            Selection::Surface(_) => {
                let surfaces = self.document.selected_surfaces();
                let posed = surfaces.iter().filter_map(|index| entity.pose.surfaces.get(*index));
                posed
                    .flat_map(|surface| &surface.positions)
                    .map(|point| world_from_model.transform_point3(*point))
                    .collect()
            }
            Selection::Tag(index) => {
                let tag = entity.pose.tags.get(index);
                let origin = tag.map(|tag| world_from_model.transform_point3(tag.translation.into()));
                origin.map_or(Vec::new(), |origin| around(origin, radius * TAG_SHARE))
            }
            Selection::Joint(index) => {
                let Some(middle) = joint(index) else { return Vec::new() };
                let children = entity.model().joints().iter().enumerate();
                let children =
                    children.filter(|(_, child)| child.parent.is_some_and(|parent| parent as usize == index));
                let lengths = children.filter_map(|(child, _)| Some(joint(child)?.distance(middle)));
                around(middle, lengths.fold(radius * JOINT_SHARE, f32::max))
            }
        }
    }
}
