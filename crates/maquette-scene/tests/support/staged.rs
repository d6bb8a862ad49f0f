//! Simple models in a session with a fixed camera.

use std::sync::Arc;

use glam::Vec3;
use maquette_assets::material::{Origin, SurfaceMaterial};
use maquette_assets::open::{ModelAsset, OutlineCache, Skin};
use maquette_scene::scene::Camera;
use maquette_scene::session::Session;

use maquette_testing::shapes::{Shape, model};

/// Returns a session with these shapes, seen from the front at 10 units with a field of view of 90 degrees: half the
/// view is 10 units high at the target.
pub fn showing(shapes: &[Shape]) -> Session {
    let (model, _) = model(shapes, &[("tag_far", Vec3::new(0.0, 0.0, 40.0))]);
    let materials: Arc<[SurfaceMaterial]> =
        shapes.iter().map(|_| SurfaceMaterial::missing("test", Origin::Model)).collect();
    let mut session = Session::default();
    session.show(ModelAsset {
        name: "shapes".to_owned(),
        game_path: "shapes".to_owned(),
        file: None,
        overridden_by: None,
        order_matters: false,
        edited: None,
        salvaged: false,
        of_character: false,
        engine: None,
        outlines: OutlineCache::default(),
        pending_images: None,
        model: Arc::new(model),
        added: vec![],
        first_skin: String::new(),
        skins: vec![Skin::plain("test", materials)],
        lookups: Arc::default(),
        warnings: vec![],
    });
    session.view.camera = Camera {
        yaw: 0.0,
        pitch: 0.0,
        distance: 10.0,
        field_of_view: std::f32::consts::FRAC_PI_2,
        ..Camera::default()
    };
    session
}
