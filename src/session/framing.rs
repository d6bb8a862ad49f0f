//! Where the ground lies, and what the camera must hold.

use glam::Vec3;

use super::{DocumentView, Session};
use crate::model::Bounds;
use crate::scene::Entity;

impl DocumentView<'_> {
    /// What the camera should show: the visible vertices, else tags and joints; in the world's space.
    #[must_use]
    pub fn points(&self) -> Vec<Vec3> {
        let mut points = Vec::new();
        for entity in self.document.scene.entities().iter().filter(|entity| self.document.scene.shows(entity)) {
            let surfaces = entity.asset.model.surfaces().iter().zip(&entity.pose.surfaces).enumerate();
            let drawn = surfaces
                .filter(|(index, (surface, _))| entity.draws(*index) && !surface.triangles.is_empty())
                .flat_map(|(_, (_, posed))| posed.positions.iter());
            points.extend(drawn.map(|point| entity.world_from_model.transform_point3(*point)));
        }
        if points.is_empty() {
            for entity in self.document.scene.entities() {
                let frames = entity.pose.tags.iter().chain(&entity.pose.joints);
                points.extend(frames.map(|frame| Vec3::from((entity.world_from_model * *frame).translation)));
            }
            // A single tag has no size; its axes have.
            let bounds = Bounds::of(points.iter().copied());
            if !points.is_empty() && bounds.radius() < 8.0 {
                let side = Vec3::splat(8.0);
                points.extend(Bounds { min: bounds.centre() - side, max: bounds.centre() + side }.corners());
            }
        }
        points
    }
}

impl Session {
    /// See [`DocumentView::points`].
    #[must_use]
    pub fn points(&self) -> Vec<Vec3> {
        self.shown().points()
    }

    /// Frames what is shown, so that it stays in sight while the chosen clips play.
    pub fn frame_model(&mut self) {
        self.view.moves.stop();
        let mut points = self.points();
        let entities = self.document.scene.entities();
        let whole = entities.iter().all(|entity| entity.visible.iter().all(|visible| *visible));
        if whole && entities.iter().any(Entity::has_track) {
            // Other clips may have been chosen since the scene was put together.
            self.document.reach = self.document.scene.extent().points;
            points.extend_from_slice(&self.document.reach);
        }
        self.view.camera.frame(points.iter().copied(), self.view.aspect);
    }

    /// Frames what is shown as it stands, for a still picture.
    pub fn frame_moment(&mut self) {
        self.view.moves.stop();
        let points = self.points();
        self.view.camera.frame(points.iter().copied(), self.view.aspect);
    }

    /// Puts the ground under the lowest point of a few moments of the clips that are chosen, so that it does not move
    /// with them, and notes how far the scene reaches.
    pub fn update_extent(&mut self) {
        let extent = self.document.scene.extent();
        self.document.floor = if extent.bounds.is_empty() { 0.0 } else { extent.bounds.min.z };
        self.document.extent = extent.bounds;
        self.document.reach = extent.points;
    }
}
