//! Lights of the in-game look, as text and as planes.

use glam::{Vec3, Vec4};
use maquette_scene::scene::{GameLight, LightShape};

fn light(text: &str) -> GameLight {
    text.parse().unwrap()
}

/// Returns s, t and the position along the depth of a point in the light's image.
fn position(light: &GameLight, point: Vec3) -> Vec3 {
    let [s, t, q, depth]: [f32; 4] = light.planes().map(|plane| plane.dot(point.extend(1.0)));
    Vec3::new(s / q, t / q, depth)
}

#[test]
fn texts_give_kind_and_values() {
    let round = light("point origin=1,2,3 radius=10,20,40 color=0.5,0.25,1 material=lights/round");
    assert_eq!(
        round.shape,
        LightShape::Point { origin: Vec3::new(1.0, 2.0, 3.0), radius: Vec3::new(10.0, 20.0, 40.0) }
    );
    assert_eq!((round.colour, round.material.as_str()), (Vec3::new(0.5, 0.25, 1.0), "lights/round"));
    assert_eq!(light("parallel towards=0,0,2").origin(), Vec4::Z);
    assert_eq!(light("ambient material=lights/even").material, "lights/even");
    let wrong = [
        "",
        "spot",
        "point origin=1,2,3",
        "point origin=0,0,0 radius=0,1,1",
        "ambient color=1",
        "ambient up=1,0,0",
        "ambient color=1,1,1 color=0,0,0",
        "parallel towards=0,0,0",
        "projected origin=0,0,0 target=0,0,9 right=0,0,0 up=0,1,0",
    ];
    for text in wrong {
        assert!(text.parse::<GameLight>().is_err(), "{text}");
    }
}

#[test]
fn texts_survive_a_round_trip() {
    let texts = "even color=0.5,0.25,1; parallel towards=0,0,1 color=1,1,1; point origin=1,2,3 radius=10,20,40 \
                 color=1,1,1 material=lights/round; projected origin=5,0,0 target=10,0,0 right=0,-2,0 up=0,0,4 \
                 start=5,0,0 end=20,0,0 color=1,1,1";
    assert_eq!(GameLight::texts(&GameLight::from_texts(texts).unwrap().unwrap()), texts);
    assert_eq!(GameLight::from_texts(""), Ok(None));
    assert!(GameLight::from_texts("ambient; spot").is_err() && GameLight::from_texts(&["even"; 9].join(";")).is_err());
}

#[test]
fn point_light_covers_box_of_its_radius() {
    let light = light("point origin=1,2,3 radius=10,20,40");
    let near = |point: Vec3, wanted: Vec3| assert!(position(&light, point).distance(wanted) < 1e-5, "{point}");
    near(Vec3::new(1.0, 2.0, 3.0), Vec3::splat(0.5));
    near(Vec3::new(11.0, -18.0, 43.0), Vec3::new(1.0, 0.0, 1.0));
}

#[test]
fn projected_light_covers_pyramid_from_its_origin() {
    // The target is the middle of the image, and right and up lead to its edges (dhewm3 `R_SetLightProject`).
    let light = light("projected origin=5,0,0 target=10,0,0 right=0,-2,0 up=0,0,4 start=5,0,0 end=20,0,0");
    let near = |point: Vec3, wanted: Vec3| assert!(position(&light, point).distance(wanted) < 1e-5, "{point}");
    near(Vec3::new(15.0, 0.0, 0.0), Vec3::new(0.5, 0.5, 1.0 / 3.0));
    near(Vec3::new(15.0, -2.0, 4.0), Vec3::new(1.0, 0.0, 1.0 / 3.0));
    // Twice as far from the origin, the image is twice as large.
    near(Vec3::new(25.0, -4.0, 8.0), Vec3::new(1.0, 0.0, 1.0));
}

#[test]
fn projected_light_keeps_its_size_when_it_is_aimed() {
    let mut light = GameLight::projected(Vec3::ZERO, Vec3::new(10.0, 0.0, 0.0), Vec3::Z, 2.0);
    light.aim_at(Vec3::new(0.0, 20.0, 0.0));
    let LightShape::Projected { target: [way, right, up], ends, .. } = light.shape else { panic!("projected") };
    let near = |is: Vec3, wanted: Vec3| assert!(is.distance(wanted) < 1e-4, "{is}");
    near(way, Vec3::new(0.0, 20.0, 0.0));
    // A quarter turn around Z turns right, −Y, into X.
    near(right, Vec3::new(2.0, 0.0, 0.0));
    near(up, Vec3::new(0.0, 0.0, 2.0));
    near(ends[1], Vec3::new(0.0, 40.0, 0.0));
    // The corner at the target's depth is the edge of the image.
    near(position(&light, Vec3::new(2.0, 20.0, 2.0)).with_z(0.0), Vec3::new(1.0, 0.0, 0.0));
    light.aim_at(Vec3::ZERO);
    assert!(light.check().is_err(), "a light is aimed away from its origin");
}
