//! Framing: the points that the camera must show, and the ground.

use glam::Vec3;

use crate::scene::{Camera, Entity};
use crate::session::{Document, DocumentView, Session};
use maquette_core::model::Bounds;

/// Number of vertices sampled for the silhouette if the outermost vertices are known.
const ENOUGH: usize = 1 << 16;

impl DocumentView<'_> {
    /// Returns the world-space points that the camera should show: the visible vertices, or else the tags and joints.
    pub fn points(&self) -> Vec<Vec3> {
        let mut points: Vec<Vec3> = self.drawn_points(1).collect();
        if points.is_empty() {
            for entity in self.document.scene.entities() {
                let frames = entity.pose.tags.iter().chain(&entity.pose.joints);
                points.extend(frames.map(|frame| Vec3::from((entity.world_from_model * *frame).translation)));
            }
            // A single tag has no size, but its drawn axes do.
            let bounds = Bounds::from_points(points.iter().copied());
            if !points.is_empty() && bounds.radius() < 8.0 {
                let side = Vec3::splat(8.0);
                points.extend(Bounds { min: bounds.centre() - side, max: bounds.centre() + side }.corners());
            }
        }
        points
    }

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

impl Document {
    /// Updates the bounds and the ground. The ground is at the lowest point of the clips, so that it does not move
    /// during playback.
    pub fn update_extent(&mut self) {
        let extent = self.scene.extent();
        self.floor = if extent.bounds.is_empty() { 0.0 } else { extent.bounds.min.z };
        self.extent = extent.bounds;
        self.reach = extent.points;
    }
}

impl Session {
    /// Like [`DocumentView::points`].
    pub fn points(&self) -> Vec<Vec3> {
        self.document_view().points()
    }

    /// Scales the camera's distance so that a viewport of this aspect shows as much of the model as before.
    pub(crate) fn fit_to_aspect(&mut self, aspect: f32) {
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

    /// Frames the shown parts, so that they stay in view while the chosen clips play.
    pub fn frame_model(&mut self) {
        self.view.moves.stop();
        let entities = self.document.scene.entities();
        let whole = entities.iter().all(|entity| entity.visible.iter().all(|visible| *visible));
        let moves = whole && entities.iter().any(Entity::has_track);
        // The known points include hidden surfaces, so they apply only if every surface is drawn.
        let is_drawn = |entity: &Entity| {
            let mut surfaces = entity.asset.model.surfaces().iter().enumerate();
            self.document.scene.shows(entity)
                && surfaces.all(|(index, surface)| entity.draws(index) && !surface.triangles.is_empty())
        };
        let is_known = moves || entities.iter().all(is_drawn);
        if is_known {
            // The clips may have changed since the points were computed.
            self.document.reach = self.document.scene.extent().points;
        }
        let reach = if is_known { self.document.reach.as_slice() } else { &[] };
        self.view.camera = framed(self.document_view(), reach);
    }

    /// Returns half of the view's height in units, at the distance at which Quake III changes to the current LOD. Fails
    /// with a reason. Source: ioquake3 `tr_mesh.c` (`R_ComputeLOD`), with `r_lodscale` 5.
    pub(crate) fn half_height_of_lod(&self) -> Result<f32, &'static str> {
        const LOD_SCALE: f32 = 5.0;
        let entity = self.entity().ok_or("No model is open")?;
        let (lod, count) = (entity.lod, entity.model().lod_count());
        if count < 2 {
            return Err("The model has one LOD");
        }
        if lod == 0 {
            return Err("Show a coarser LOD first");
        }
        let bounds = entity.model().frames().get(entity.pose.frame as usize).and_then(|frame| frame.bounds);
        let corners = bounds.unwrap_or(entity.pose.bounds).corners();
        let radius = corners.iter().map(|corner| corner.length()).fold(0.0, f32::max);
        let half_height = radius * LOD_SCALE / (1.0 - lod as f32 / count as f32);
        if half_height > 0.0 { Ok(half_height) } else { Err("The model has no size") }
    }

    /// Frames the current pose, for an image.
    pub fn frame_pose(&mut self) {
        self.view.moves.stop();
        let points = self.points();
        self.view.frame(&points);
    }
}

fn framed(shown: DocumentView<'_>, reach: &[Vec3]) -> Camera {
    let mut camera = shown.view.camera.clone();
    // If the outermost vertices are known, only sample the other vertices.
    let scene = &shown.document.scene;
    let entities = scene.entities().iter().filter(|entity| scene.shows(entity));
    let count: usize = entities.flat_map(|entity| &entity.pose.surfaces).map(|posed| posed.positions.len()).sum();
    let drawn = shown.drawn_points(if reach.is_empty() { 1 } else { count / ENOUGH + 1 });
    // Avoid a copy of millions of vertices.
    if drawn.clone().next().is_some() {
        camera.frame(drawn.chain(reach.iter().copied()), shown.view.aspect);
    } else {
        camera.frame(shown.points().into_iter().chain(reach.iter().copied()), shown.view.aspect);
    }
    camera
}
