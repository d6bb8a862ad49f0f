//! Where the ground lies, and what the camera must hold.

use glam::Vec3;

use super::{DocumentView, Session};
use crate::scene::{Camera, Entity};
use maquette_core::model::Bounds;

/// Vertices that tell the silhouette of a model together with its outermost ones.
const ENOUGH: usize = 1 << 16;

impl DocumentView<'_> {
    /// What the camera should show: the visible vertices, else tags and joints; in the world's space.
    #[must_use]
    pub fn points(&self) -> Vec<Vec3> {
        let mut points: Vec<Vec3> = self.drawn_points(1).collect();
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

    /// Every `step`-th of the visible vertices, in the world's space.
    fn drawn_points(&self, step: usize) -> impl Iterator<Item = Vec3> + Clone + use<'_> {
        let scene = &self.document.scene;
        scene.entities().iter().filter(|entity| scene.shows(entity)).flat_map(move |entity| {
            let surfaces = entity.asset.model.surfaces().iter().zip(&entity.pose.surfaces).enumerate();
            surfaces
                .filter(|(index, (surface, _))| entity.draws(*index) && !surface.triangles.is_empty())
                .flat_map(move |(_, (_, posed))| posed.positions.iter().step_by(step))
                .map(|point| entity.world_from_model.transform_point3(*point))
        })
    }
}

impl Session {
    /// See [`DocumentView::points`].
    #[must_use]
    pub fn points(&self) -> Vec<Vec3> {
        self.shown().points()
    }

    /// Changes the camera's distance so that a view of this aspect shows as much of the model as the view did before.
    pub(super) fn fit_to_aspect(&mut self, aspect: f32) {
        let points = if self.document.reach.is_empty() { self.points() } else { self.document.reach.clone() };
        let distance = |aspect: f32| {
            let mut camera = self.view.camera.clone();
            camera.frame(points.iter().copied(), aspect);
            camera.distance
        };
        let factor = distance(aspect) / distance(self.view.aspect);
        self.view.reshaping_frames = 0;
        if factor.is_finite() && factor > 0.0 {
            self.view.camera.distance *= factor;
        }
    }

    /// Frames what is shown, so that it stays in sight while the chosen clips play.
    pub fn frame_model(&mut self) {
        self.view.moves.stop();
        let entities = self.document.scene.entities();
        let whole = entities.iter().all(|entity| entity.visible.iter().all(|visible| *visible));
        let moves = whole && entities.iter().any(Entity::has_track);
        // What stands still is framed as it is drawn: the outermost vertices are those of all surfaces.
        let is_drawn = |entity: &Entity| {
            let mut surfaces = entity.asset.model.surfaces().iter().enumerate();
            self.document.scene.shows(entity)
                && surfaces.all(|(index, surface)| entity.draws(index) && !surface.triangles.is_empty())
        };
        let is_known = moves || entities.iter().all(is_drawn);
        if is_known {
            // Other clips may have been chosen since the scene was put together.
            self.document.reach = self.document.scene.extent().points;
        }
        let reach = if is_known { self.document.reach.as_slice() } else { &[] };
        self.view.camera = framed(self.shown(), reach);
    }

    /// Frames what is shown as it stands, for a still picture.
    pub fn frame_moment(&mut self) {
        self.view.moves.stop();
        let points = self.points();
        self.view.frame(&points);
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

/// The camera, so that the visible vertices and `reach` fill the picture.
fn framed(shown: DocumentView<'_>, reach: &[Vec3]) -> Camera {
    let mut camera = shown.view.camera.clone();
    // Where the outermost are known, not all of many vertices are looked at.
    let scene = &shown.document.scene;
    let entities = scene.entities().iter().filter(|entity| scene.shows(entity));
    let count: usize = entities.flat_map(|entity| &entity.pose.surfaces).map(|posed| posed.positions.len()).sum();
    let drawn = shown.drawn_points(if reach.is_empty() { 1 } else { count / ENOUGH + 1 });
    // Millions of vertices are not copied for this.
    if drawn.clone().next().is_some() {
        camera.frame(drawn.chain(reach.iter().copied()), shown.view.aspect);
    } else {
        camera.frame(shown.points().into_iter().chain(reach.iter().copied()), shown.view.aspect);
    }
    camera
}
