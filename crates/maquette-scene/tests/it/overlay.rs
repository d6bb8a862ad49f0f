//! Lines, dots and labels over the model, compared with hand calculations.

use glam::{Affine3A, Vec2, Vec3};
use maquette_assets::open::open_sample;
use maquette_core::model::Model;
use maquette_core::pose::Pose;
use maquette_scene::scene::{
    Camera, ColourTheme, Display, EntityId, LabelKind, Layer, Line, Overlay, OverlayKind, OverlayPart, OverlayView,
    Overlays, Projection, Selection,
};

use maquette_testing::memory::allocations_of;
use maquette_testing::shapes::{model, square};

const HEIGHT: f32 = 600.0;

fn nothing() -> Display {
    Display { overlays: Overlays::default(), ..Display::default() }
}

fn camera() -> Camera {
    Camera { yaw: 0.0, pitch: 0.0, distance: 10.0, projection: Projection::Orthographic, ..Camera::default() }
}

fn part<'a>(model: &'a Model, pose: &'a Pose) -> OverlayPart<'a> {
    OverlayPart {
        entity: EntityId(7),
        model,
        pose,
        lod: 0,
        visible: &[],
        selection: Selection::None,
        normals_of: None,
        world_from_model: Affine3A::IDENTITY,
    }
}

fn filled(part: &OverlayPart<'_>, display: &Display, camera: &Camera) -> Overlay {
    let mut overlay = Overlay::default();
    overlay.add(part, &OverlayView { camera, display, height: HEIGHT });
    overlay
}

#[track_caller]
fn near(got: [f32; 3], want: [f32; 3]) {
    assert!(Vec3::from(got).distance(want.into()) < 1e-3, "{got:?} should be {want:?}");
}

#[test]
fn empty_overlay_set_draws_nothing() {
    let (model, pose) = model(&[square(Vec3::ZERO)], &[("tag_a", Vec3::ZERO)]);
    let overlay = filled(&part(&model, &pose), &nothing(), &camera());
    assert!(Layer::ALL.into_iter().all(|layer| overlay.lines(layer).is_empty()));
    assert!(overlay.labels().is_empty());
}

#[test]
fn normals_start_at_vertices_and_face_centres() {
    let (model, pose) = model(&[square(Vec3::ZERO)], &[]);
    let display = Display {
        overlays: Overlays::from_kinds(&[OverlayKind::VertexNormals, OverlayKind::FaceNormals]),
        normal_length: 0.5,
        ..nothing()
    };
    let overlay = filled(&part(&model, &pose), &display, &camera());
    let lines = overlay.lines(Layer::Hidden);
    assert_eq!(lines.len(), 4 + 2);
    // Half the radius of a square of side 2.
    let length = std::f32::consts::FRAC_1_SQRT_2;
    near(lines[0].start, [0.0, -1.0, 1.0]);
    near(lines[0].end, [length, -1.0, 1.0]);
    near(lines[4].start, [0.0, 1.0 / 3.0, 1.0 / 3.0]);
    near(lines[4].end, [length, 1.0 / 3.0, 1.0 / 3.0]);
    assert_eq!((lines[0].width, lines[0].colour), (1.0, [0x4f, 0xd3, 0xd9, 255]));
    assert_eq!(lines[4].colour, [0xc3, 0x9b, 0xff, 255]);
}

#[test]
fn normals_skip_hidden_surfaces_and_follow_part_transform() {
    let (model, pose) = model(&[square(Vec3::ZERO), square(Vec3::X)], &[]);
    let display =
        Display { overlays: Overlays::from_kinds(&[OverlayKind::VertexNormals]), overlays_on_top: true, ..nothing() };
    let turned = Affine3A::from_rotation_translation(
        glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
        Vec3::new(0.0, 0.0, 10.0),
    );
    let part = OverlayPart { visible: &[false, true], world_from_model: turned, ..part(&model, &pose) };
    let overlay = filled(&part, &display, &camera());
    assert!(overlay.lines(Layer::Hidden).is_empty(), "they are to be on top");
    assert_eq!(overlay.lines(Layer::OnTop).len(), 4);
    // x becomes y, y becomes −x.
    near(overlay.lines(Layer::OnTop)[0].start, [1.0, 1.0, 11.0]);
}

#[test]
fn normals_are_limited_to_requested_surfaces() {
    let (model, pose) = model(&[square(Vec3::ZERO), square(Vec3::X)], &[]);
    for kind in [OverlayKind::VertexNormals, OverlayKind::FaceNormals] {
        let display = Display { overlays: Overlays::from_kinds(&[kind]), ..nothing() };
        let lines = |only| {
            let part = OverlayPart { normals_of: only, ..part(&model, &pose) };
            filled(&part, &display, &camera()).lines(Layer::Hidden).len()
        };
        assert_eq!(lines(Some(&[1][..])) * 2, lines(None));
        assert_eq!(lines(Some(&[][..])), 0);
    }
}

#[test]
fn bounding_box_has_twelve_axis_aligned_edges() {
    let (model, pose) = model(&[square(Vec3::ZERO), square(Vec3::X * 2.0)], &[]);
    let overlay = filled(
        &part(&model, &pose),
        &Display { overlays: Overlays::from_kinds(&[OverlayKind::Bounds]), theme: ColourTheme::Light, ..nothing() },
        &camera(),
    );
    let lines = overlay.lines(Layer::Faint);
    assert_eq!(lines.len(), 12);
    for line in lines {
        let along = Vec3::from(line.end) - Vec3::from(line.start);
        assert!(along.length() == 2.0 && along.max_element() == 2.0, "{along}");
        assert_eq!((line.width, line.colour), (1.5, [0x97, 0x33, 0x9a, 255]));
    }
}

#[test]
fn tag_axes_scale_with_model_but_have_minimum_size() {
    let (model, pose) = model(&[square(Vec3::ZERO)], &[("tag_a", Vec3::new(1.0, 2.0, 3.0))]);
    let display = Display { overlays: Overlays::from_kinds(&[OverlayKind::Tags]), ..nothing() };
    let overlay = filled(&part(&model, &pose), &display, &camera());
    let lines = overlay.lines(Layer::Dimmed);
    assert_eq!(lines.len(), 4);
    // At 10 units, 30 degrees are 5.359 units high: 24 of 600 points are 0.21436, less than 2 / 8.
    for (line, axis) in lines.iter().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
        near(line.start, [1.0, 2.0, 3.0]);
        near(line.end, (Vec3::new(1.0, 2.0, 3.0) + axis * 0.25).to_array());
        assert_eq!((line.width, line.end_width), (2.0, 2.0));
    }
    assert_eq!((lines[3].start, lines[3].end, lines[3].width), ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 4.0), "its origin");
    let far = Camera { distance: 100.0, ..camera() };
    let overlay = filled(&part(&model, &pose), &display, &far);
    near(overlay.lines(Layer::Dimmed)[0].end, [1.0 + 2.1436, 2.0, 3.0]);
    let label = &overlay.labels()[0];
    assert_eq!((label.text.as_str(), label.kind, label.entity), ("tag_a", LabelKind::Tag(0), EntityId(7)));
    assert_eq!((label.at, label.selected), (Vec3::new(1.0, 2.0, 3.0), false));
}

#[test]
fn selected_tag_shows_axis_letters_while_tags_are_off() {
    let (model, pose) = model(&[square(Vec3::ZERO)], &[("tag_a", Vec3::ZERO), ("tag_b", Vec3::Y)]);
    let selection = Selection::Tag(1);
    let part = OverlayPart { selection, ..part(&model, &pose) };
    let overlay = filled(&part, &nothing(), &camera());
    let (dots, axes): (Vec<&Line>, Vec<&Line>) =
        overlay.lines(Layer::OnTop).iter().partition(|line| line.start == line.end);
    assert!(axes.len() == 3 && axes.iter().all(|line| line.width == 3.0), "nothing hides it: {axes:?}");
    assert!(dots.len() == 1 && dots[0].width == 6.0 && dots[0].colour == [0xf0, 0x93, 0x5a, 255]);
    assert!(overlay.lines(Layer::Dimmed).is_empty());
    let labels: Vec<_> = overlay.labels().iter().map(|label| (label.text.as_str(), label.kind)).collect();
    let axis = LabelKind::Axis;
    assert_eq!(labels, [("X", axis(0)), ("Y", axis(1)), ("Z", axis(2)), ("tag_b", LabelKind::Tag(1))]);
    assert!(overlay.labels()[0].at.distance(Vec3::new(0.25, 1.0, 0.0)) < 1e-3);
}

#[test]
fn bones_connect_joints_drawn_as_dots() {
    let part_on_stage = open_sample(maquette_core::model::Format::Md5).unwrap();
    let model = &part_on_stage.model;
    let mut pose = Pose::default();
    maquette_core::pose::sample(model, &maquette_core::pose::Sampling::default(), &mut pose);
    let selection = Selection::Joint(1);
    let part = OverlayPart { selection, ..part(model, &pose) };
    let overlay =
        filled(&part, &Display { overlays: Overlays::from_kinds(&[OverlayKind::Joints]), ..nothing() }, &camera());
    let lines = overlay.lines(Layer::OnTop);
    let children = model.joints().iter().filter(|joint| joint.parent.is_some()).count();
    let (dots, bones): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.start == line.end);
    assert!(bones.len() <= children && bones.len() + dots.len() == children + model.joints().len());
    assert_eq!(
        dots.iter()
            .filter(|dot: &&&maquette_scene::scene::Line| dot.width == 8.0 && dot.colour == [0xf0, 0x93, 0x5a, 255])
            .count(),
        1
    );
    // Only the selected joint has a label.
    let labels: Vec<_> = overlay.labels().iter().map(|label| (label.text.as_str(), label.selected)).collect();
    assert_eq!(labels, [(model.joints()[1].name.as_str(), true)]);
    let named = filled(
        &part,
        &Display { overlays: Overlays::from_kinds(&[OverlayKind::Joints, OverlayKind::JointNames]), ..nothing() },
        &camera(),
    );
    assert_eq!(named.labels().len(), model.joints().len());
}

#[test]
fn bones_taper_from_parent_to_child() {
    let part_on_stage = open_sample(maquette_core::model::Format::Md5).unwrap();
    let model = &part_on_stage.model;
    let mut pose = Pose::default();
    maquette_core::pose::sample(model, &maquette_core::pose::Sampling::default(), &mut pose);
    let (index, parent) =
        model.joints().iter().enumerate().find_map(|(index, joint)| Some((index, joint.parent? as usize))).unwrap();
    let part = OverlayPart { selection: Selection::Joint(parent), ..part(model, &pose) };
    let display = Display { overlays: Overlays::from_kinds(&[OverlayKind::Joints]), ..nothing() };
    let ends = [parent, index].map(|joint| Vec3::from(pose.joints[joint].translation));
    // Points per unit: 5.3590 units are 600 points high at a distance of 10.
    let per_unit = 600.0 / (2.0 * 10.0 * 15.0_f32.to_radians().tan());
    // A bone of 30 points starts with 0.14 of its length as width, clamped for very short and very long bones.
    for (points, width) in [(30.0, 4.2), (2.0, 2.0), (200.0, 7.0)] {
        let distance = 10.0 * ends[0].distance(ends[1]) * per_unit / points;
        let overlay = filled(&part, &display, &Camera { distance, ..camera() });
        let bones: Vec<_> = overlay.lines(Layer::OnTop).iter().filter(|line| line.start != line.end).collect();
        let bone = bones.iter().find(|bone| bone.end == ends[1].to_array()).unwrap();
        near(bone.start, ends[0].to_array());
        assert!((bone.width - width).abs() < 0.01 && bone.end_width == 1.0, "{points} points: {bone:?}");
        // Bones that the selected joint rotates are highlighted.
        assert_eq!(bone.colour, [0xf0, 0x93, 0x5a, 255]);
        assert!(bones.iter().any(|bone| bone.colour == [0xf2, 0xef, 0xe6, 255]), "others are not");
    }
}

#[test]
fn joints_without_parents_have_short_axes() {
    let part_on_stage = open_sample(maquette_core::model::Format::Mdr).unwrap();
    let model = &part_on_stage.model;
    let mut pose = Pose::default();
    maquette_core::pose::sample(model, &maquette_core::pose::Sampling::default(), &mut pose);
    let overlay = filled(
        &part(model, &pose),
        &Display { overlays: Overlays::from_kinds(&[OverlayKind::Joints]), ..nothing() },
        &camera(),
    );
    assert_eq!(overlay.lines(Layer::OnTop).len(), model.joints().len() * 4);
}

#[test]
fn refilling_overlay_allocates_nothing() {
    let part_on_stage = open_sample(maquette_core::model::Format::Md5).unwrap();
    let model = &part_on_stage.model;
    let mut pose = Pose::default();
    maquette_core::pose::sample(model, &maquette_core::pose::Sampling::default(), &mut pose);
    let display = Display {
        overlays: Overlays::from_kinds(&[
            OverlayKind::VertexNormals,
            OverlayKind::FaceNormals,
            OverlayKind::Tags,
            OverlayKind::Joints,
            OverlayKind::JointNames,
            OverlayKind::Bounds,
        ]),
        ..nothing()
    };
    let camera = camera();
    let view = OverlayView { camera: &camera, display: &display, height: HEIGHT };
    let part = part(model, &pose);
    let mut overlay = Overlay::default();
    overlay.add(&part, &view);
    let again = allocations_of(|| {
        overlay.clear();
        overlay.add(&part, &view);
    });
    assert_eq!(again, 0);
}

#[test]
fn projection_matches_rendered_position() {
    for projection in [Projection::Perspective, Projection::Orthographic] {
        let camera = Camera {
            projection,
            distance: 10.0,
            yaw: 30.0,
            pitch: 20.0,
            target: Vec3::new(1.0, 2.0, 3.0),
            ..Camera::default()
        };
        assert_eq!(camera.project(camera.target, 800.0, 600.0), Some(Vec2::new(400.0, 300.0)));
        let (right, up) = camera.right_up();
        let half = camera.half_height();
        let corner = camera.project(camera.target + (right + up) * half, 800.0, 600.0).unwrap();
        assert!(corner.distance(Vec2::new(700.0, 0.0)) < 1e-2, "{corner}");
        // The rendering matrices give the same position.
        let point = Vec3::new(2.0, 1.0, 4.0);
        let clip = camera.clip_from_view(800.0 / 600.0, 5.0) * camera.view_from_world() * point.extend(1.0);
        let drawn = (Vec2::new(clip.x, -clip.y) / clip.w + 1.0) / 2.0 * Vec2::new(800.0, 600.0);
        assert!(camera.project(point, 800.0, 600.0).unwrap().distance(drawn) < 1e-2);
    }
    let camera = Camera { distance: 10.0, yaw: 0.0, pitch: 0.0, ..Camera::default() };
    assert_eq!(camera.project(Vec3::X * 11.0, 800.0, 600.0), None, "behind the eye");
    // Twice the distance gives twice the units per point.
    let (near, far) = (camera.units_per_point_at(Vec3::ZERO, 600.0), camera.units_per_point_at(Vec3::X * -10.0, 600.0));
    assert!((far / near - 2.0).abs() < 1e-4);
}
