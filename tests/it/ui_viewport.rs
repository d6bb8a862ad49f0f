//! Clicks, drags and keys in the viewport and its menus; light, backfaces and vertices in pixels.

use std::cell::Cell;
use std::rc::Rc;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Role, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use image::RgbaImage;
use maquette::ui::{self, ViewportImage};
use maquette_assets::engines::LightRule;
use maquette_assets::material::{Origin, SurfaceMaterial};
use maquette_assets::open::open_sample;
use maquette_core::model::Format;
use maquette_scene::scene::{
    BackfaceDisplay, Background, Choices as _, Label, LabelKind, LightShape, LightingMode, OverlayKind, Shading,
    StandardView,
};
use maquette_scene::session::{
    Action, CameraAction, ClockAction, DisplayAction, Navigation, SceneAction, Selection, Session,
};

use crate::rendering::Stage;
use crate::support::panels::{Bench, bench, click, taken};
use maquette_testing::shapes::{ball, square};

fn desk() -> Harness<'static, Bench> {
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    bench(session, vec2(1280.0, 800.0))
}

fn pressed(harness: &mut Harness<'static, Bench>, at: Pos2, button: PointerButton, down: bool, modifiers: Modifiers) {
    harness.event(Event::PointerMoved(at));
    harness.event(Event::PointerButton { pos: at, button, pressed: down, modifiers });
    harness.run();
}

fn click_at(harness: &mut Harness<'static, Bench>, at: Pos2) -> Vec<Action> {
    // Each run may last a second, too long for a click.
    harness.event(Event::PointerMoved(at));
    harness.event(Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed: true,
        modifiers: Modifiers::NONE,
    });
    harness.step();
    pressed(harness, at, PointerButton::Primary, false, Modifiers::NONE);
    taken(harness)
}

fn drag(harness: &mut Harness<'static, Bench>, button: PointerButton, modifiers: Modifiers, way: Vec2) -> Vec<Action> {
    let from = harness.state().viewport.center();
    harness.event(Event::ModifiersChanged(modifiers));
    pressed(harness, from, button, true, modifiers);
    harness.event(Event::PointerMoved(from + way));
    harness.run();
    // The modifier key is released before the button.
    harness.event(Event::ModifiersChanged(Modifiers::NONE));
    pressed(harness, from + way, button, false, Modifiers::NONE);
    taken(harness)
}

#[test]
fn click_selects_surface_and_background_click_clears() {
    let mut harness = desk();
    let viewport = harness.state().viewport;
    // Click the chest, because the centre is between the legs.
    click_at(&mut harness, viewport.center() - vec2(0.0, viewport.height() * 0.12));
    assert!(matches!(harness.state().session.document.selection, Selection::Surface(_)));
    harness.event(Event::PointerMoved(viewport.center() + vec2(3.0, 3.0)));
    assert_eq!(taken(&mut harness), [], "hovering does nothing");
    let corner = viewport.left_bottom() + vec2(12.0, -12.0);
    click_at(&mut harness, corner);
    assert_eq!(harness.state().session.document.selection, Selection::None);
}

#[test]
fn joint_under_pointer_is_named_and_selected_first() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md5).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session.view.display.overlays.set(OverlayKind::Joints, true);
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let (viewport, session) = (harness.state().viewport, &harness.state().session);
    let entity = &session.document.scene.entities()[0];
    let (id, joint) = (entity.id, 3);
    let name = entity.model().joints()[joint].name.clone();
    let middle = entity.world_from_model.transform_point3(entity.pose.joints[joint].translation.into());
    let dot = session.view.camera.project(middle, viewport.width(), viewport.height()).unwrap();
    let at = viewport.min + vec2(dot.x, dot.y);
    assert!(harness.query_by_label(&name).is_none(), "only who is pointed at is named");
    harness.event(Event::PointerMoved(at));
    assert_eq!(taken(&mut harness), []);
    assert!(harness.query_by_role_and_label(Role::Button, &name).is_some(), "{name}");
    let done = click_at(&mut harness, at);
    assert_eq!(done, [Action::Scene(SceneAction::SelectIn(id, Selection::Joint(joint)))]);
    assert!(harness.query_by_role_and_label(Role::ListItem, &name).is_some(), "its row is in sight");
    // Without visible joints, the click hits the surface.
    harness.state_mut().session.view.display.overlays.set(OverlayKind::Joints, false);
    let done = click_at(&mut harness, at);
    assert!(matches!(done.as_slice(), [Action::Camera(CameraAction::PickAt(_))]), "{done:?}");
}

/// Opens a viewport with two labels at positions in points about its middle.
fn named(positions: Rc<Cell<[f32; 2]>>) -> Harness<'static, ui::Ui> {
    let mut session = Session::default();
    session.show(open_sample(Format::Md5).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    let show = move |root: &mut egui::Ui, panels: &mut ui::Ui| {
        let camera = &session.view.camera;
        let (right, _) = camera.right_up();
        // The viewport is lower than the window, but only the distance of the positions matters.
        let unit = camera.units_per_point(600.0);
        let label = |index: usize, text: &str| {
            let at = camera.target + right * (positions.get()[index] * unit);
            let entity = session.document.scene.entities()[0].id;
            Label { text: text.to_owned(), at, selected: false, entity, kind: LabelKind::Tag(index), origin: at }
        };
        let labels = [label(0, "tag_first"), label(1, "tag_second")];
        let viewport = ViewportImage { texture: None, labels: &labels };
        panels.show(root, &session, &viewport, &mut Vec::new());
    };
    let size = vec2(1280.0, 800.0);
    Harness::builder().with_size(size).with_context_setup(ui::install).build_ui_state(show, ui::Ui::default())
}

#[test]
fn label_keeps_its_side_after_conflict_ends() {
    let positions = Rc::new(Cell::new([0.0, 0.0]));
    let mut harness = named(Rc::clone(&positions));
    harness.run();
    let plate = |harness: &Harness<'static, ui::Ui>, name| harness.get_by_label(name).rect();
    let (first, second) = (plate(&harness, "tag_first"), plate(&harness, "tag_second"));
    assert!(first.left() > second.right(), "the first is at the right, the second where there is room: {second}");
    // The first label moves far to the right. The second could take its side, but stays.
    positions.set([300.0, 0.0]);
    harness.run();
    assert_eq!(plate(&harness, "tag_second"), second);
    assert!(plate(&harness, "tag_first").left() > first.left() + 200.0);
    // A label without a conflict is on the right.
    let mut fresh = named(positions);
    fresh.run();
    assert_eq!(plate(&fresh, "tag_second").min, first.min);
}

#[test]
fn clip_size_is_constant_during_playback() {
    let mut harness = desk();
    let size_labels = |harness: &Harness<'static, Bench>| {
        let facts = harness.query_all_by_role(Role::Label);
        let names = facts.filter_map(|fact| fact.accesskit_node().value());
        names.filter(|name| name.starts_with("Size in clip")).collect::<Vec<_>>()
    };
    let at_first = size_labels(&harness);
    assert_eq!(at_first.len(), 1);
    let entity = |harness: &Harness<'static, Bench>| harness.state().session.entity().unwrap().clone();
    let whole = entity(&harness).clip_bounds();
    let clip = entity(&harness).clip();
    assert!(clip.count > 1);
    let mut reached = maquette_core::model::Bounds::EMPTY;
    for frame in 0..clip.count {
        harness.state_mut().session.apply(Action::Clock(ClockAction::Seek(f64::from(clip.first + frame))));
        harness.run();
        assert_eq!(size_labels(&harness), at_first, "at frame {frame}");
        reached = reached.union(entity(&harness).pose.bounds);
    }
    assert_eq!((reached.min, reached.max), (whole.min, whole.max));
}

#[test]
fn drag_does_not_change_selection() {
    let mut harness = desk();
    let done = drag(&mut harness, PointerButton::Primary, Modifiers::NONE, vec2(40.0, 0.0));
    assert_eq!(done, [Action::Camera(CameraAction::Orbit(-16.0, 0.0))]);
    assert_eq!(harness.state().session.document.selection, Selection::None);
}

#[test]
fn ctrl_left_drag_turns_studio_light() {
    let mut harness = desk();
    let done = drag(&mut harness, PointerButton::Primary, Modifiers::COMMAND, vec2(50.0, -25.0));
    assert_eq!(done, [Action::Display(DisplayAction::TurnLight(20.0, 10.0))]);
    harness.state_mut().session.apply(Action::Display(DisplayAction::SetLighting(LightingMode::Game)));
    harness.state_mut().session.apply(Action::Display(DisplayAction::SetShading(Shading::Unlit)));
    assert_eq!(drag(&mut harness, PointerButton::Primary, Modifiers::COMMAND, vec2(50.0, 0.0)), []);
}

#[test]
fn mouse_buttons_follow_navigation_style() {
    let mut harness = desk();
    harness.state_mut().session.apply(Action::Camera(CameraAction::SetNavigation(Navigation::Blender)));
    let right = vec2(10.0, 0.0);
    assert_eq!(drag(&mut harness, PointerButton::Primary, Modifiers::NONE, right), []);
    assert_eq!(
        drag(&mut harness, PointerButton::Middle, Modifiers::NONE, right),
        [Action::Camera(CameraAction::Orbit(-4.0, 0.0))]
    );
    let moved = drag(&mut harness, PointerButton::Middle, Modifiers::SHIFT, right);
    assert!(
        matches!(moved.as_slice(), [Action::Camera(CameraAction::Pan(way, _))] if way.x == 10.0 && way.y == 0.0),
        "{moved:?}"
    );
    let zoomed = drag(&mut harness, PointerButton::Middle, Modifiers::COMMAND, vec2(0.0, 10.0));
    assert!(
        matches!(zoomed.as_slice(), [Action::Camera(CameraAction::Zoom(factor, _))] if *factor > 1.0),
        "{zoomed:?}"
    );
}

#[test]
fn shift_scroll_pans_and_wheel_zooms() {
    let mut harness = desk();
    let at = harness.state().viewport.center() + vec2(40.0, 0.0);
    harness.event(Event::PointerMoved(at));
    let scroll = |modifiers| Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(7.0, -5.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers,
    };
    harness.event(Event::ModifiersChanged(Modifiers::SHIFT));
    harness.event(scroll(Modifiers::SHIFT));
    let done = taken(&mut harness);
    assert!(
        matches!(done.as_slice(), [Action::Camera(CameraAction::Pan(way, _))] if way.x == 7.0 && way.y == -5.0),
        "{done:?}"
    );
    harness.event(Event::ModifiersChanged(Modifiers::NONE));
    harness.event(scroll(Modifiers::NONE));
    let done = taken(&mut harness);
    assert!(
        !done.is_empty()
            && done
                .iter()
                .all(|action| matches!(action, Action::Camera(CameraAction::Zoom(factor, _)) if *factor > 1.0))
    );
}

#[test]
fn click_that_closes_menu_selects_nothing() {
    let mut harness = desk();
    click(&mut harness, Role::Button, "Lighting and background");
    assert!(harness.query_by_label("Lock light to camera").is_some());
    let middle = harness.state().viewport.center() + vec2(0.0, 120.0);
    assert_eq!(click_at(&mut harness, middle), []);
    assert!(harness.query_by_label("Lock light to camera").is_none(), "the menu is gone");
}

#[test]
fn custom_background_is_picked_inside_the_menu() {
    let mut harness = desk();
    click(&mut harness, Role::Button, "Lighting and background");
    click(&mut harness, Role::MenuItem, "Custom colour");
    // egui draws the sign of its copy button, so the fonts must have it.
    let sign = harness.get_by_role_and_label(Role::Button, "📋").rect();
    let has_sign = harness.ctx.fonts_mut(|fonts| fonts.has_glyph(&egui::FontId::proportional(13.0), '📋'));
    assert!(has_sign);
    // The colours are below the numbers.
    let done = click_at(&mut harness, sign.center() + vec2(40.0, 120.0));
    assert!(matches!(done[..], [Action::Display(DisplayAction::SetBackground(Background::Colour(_))), ..]), "{done:?}");
    assert!(harness.query_by_label("📋").is_some() && harness.query_by_label("Brightness").is_some());
}

#[test]
fn light_menu_works_by_keyboard() {
    let mut harness = desk();
    harness.get_by_role_and_label(Role::Button, "Lighting and background").focus();
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert!(harness.query_by_label("Brightness").is_some());
    harness.key_press(Key::Tab);
    harness.run();
    harness.key_press(Key::ArrowRight);
    let done = taken(&mut harness);
    assert!(
        matches!(done.as_slice(), [Action::Display(DisplayAction::SetBrightness(brightness))] if *brightness > 1.0),
        "{done:?}"
    );
    for action in [DisplayAction::AutomaticBrightness(false), DisplayAction::LightFollows(false)] {
        harness.key_press(Key::Tab);
        harness.run();
        harness.key_press(Key::Enter);
        assert_eq!(taken(&mut harness), [Action::Display(action)]);
    }
    assert!(harness.query_by_label("Brightness").is_some(), "several things may be set");
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.query_by_label("Brightness").is_none());
    assert_eq!(harness.state().session.document.selection, Selection::None);
}

#[test]
fn view_menu_has_turntable_navigation_and_projection() {
    let mut harness = desk();
    click(&mut harness, Role::Button, "Projection");
    assert_eq!(
        click(&mut harness, Role::MenuItemCheckBox, "Blender"),
        [Action::Camera(CameraAction::SetNavigation(Navigation::Blender))]
    );
    assert_eq!(
        click(&mut harness, Role::MenuItemCheckBox, "Turntable"),
        [Action::Camera(CameraAction::ToggleTurntable)]
    );
    assert_eq!(
        click(&mut harness, Role::MenuItemCheckBox, "Orthographic"),
        [Action::Camera(CameraAction::ToggleProjection)]
    );
    assert!(harness.query_by_label("Field of view").is_none(), "it has none");
}

#[test]
fn named_views_are_saved_applied_and_removed() {
    let mut harness = desk();
    click(&mut harness, Role::Button, "Projection");
    click(&mut harness, Role::MenuItem, "Named views");
    assert_eq!(click(&mut harness, Role::Button, "Save view"), [], "a view needs a name");
    harness.get_by_role_and_label(Role::TextInput, "Name of this view").focus();
    harness.run();
    harness.event(egui::Event::Text("portrait".to_owned()));
    harness.run();
    let save = Action::Camera(CameraAction::SaveView("portrait".to_owned()));
    assert_eq!(click(&mut harness, Role::Button, "Save view"), [save]);
    let text = harness.state().session.preferences.views["portrait"].clone();
    assert_eq!(click(&mut harness, Role::MenuItem, "portrait"), [Action::Camera(CameraAction::LookAs(text))]);
    let remove = Action::Camera(CameraAction::RemoveView("portrait".to_owned()));
    assert_eq!(click(&mut harness, Role::Button, "Remove portrait"), [remove]);
    assert!(harness.state().session.preferences.views.is_empty());
    assert!(harness.query_by_role_and_label(Role::MenuItem, "portrait").is_none());
}

#[test]
fn second_click_on_axis_shows_opposite_view() {
    for view in StandardView::all().filter(|view| *view != StandardView::Isometric) {
        let mut harness = desk();
        // In this view none of the six ends overlap.
        harness.state_mut().session.apply(Action::Camera(CameraAction::LookFrom(StandardView::Isometric)));
        harness.run();
        let name = format!("{} view", view.label());
        assert_eq!(click(&mut harness, Role::Button, &name), [Action::Camera(CameraAction::LookFrom(view))]);
        assert_eq!(
            click(&mut harness, Role::Button, &name),
            [Action::Camera(CameraAction::LookFrom(view.opposite()))],
            "once more"
        );
    }
}

#[test]
fn drag_of_its_circle_moves_a_light() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session.apply(Action::Display(DisplayAction::SetLightRule(Some(&LightRule::DOOM_3))));
    session.apply(Action::Display(DisplayAction::AddPointLight));
    let mut harness = bench(session, vec2(1280.0, 800.0));
    assert!(harness.query_by_label("Point light 2").is_none(), "studio light has no handles");
    harness.state_mut().session.apply(Action::Display(DisplayAction::SetLighting(LightingMode::Game)));
    harness.run();
    let circle = |harness: &Harness<'static, Bench>| {
        harness.get_by_role_and_label(Role::Button, "Point light 2").rect().center()
    };
    let (from, way) = (circle(&harness), vec2(-60.0, 20.0));
    pressed(&mut harness, from, PointerButton::Primary, true, Modifiers::NONE);
    harness.event(Event::PointerMoved(from + way));
    harness.run();
    pressed(&mut harness, from + way, PointerButton::Primary, false, Modifiers::NONE);
    let done = taken(&mut harness);
    assert!(matches!(done[..], [Action::Display(DisplayAction::SetGameLight(1, _)), ..]), "{done:?}");
    assert!(circle(&harness).distance(from + way) < 1.0, "{:?}", circle(&harness));
    harness.get_by_role_and_label(Role::Button, "Point light 2").click_secondary();
    harness.run();
    let remove = Action::Display(DisplayAction::RemoveGameLight(1));
    assert_eq!(click(&mut harness, Role::MenuItem, "Remove light"), [remove]);
    assert!(harness.query_by_label("Point light 2").is_none());
    click(&mut harness, Role::Button, "Lighting and background");
    assert!(harness.query_by_label("Add a light to drag it").is_some());
    click(&mut harness, Role::MenuItem, "Add point light");
    assert!(harness.query_by_label("Lights can be dragged").is_some());
}

#[test]
fn values_of_a_light_are_edited_in_its_menu() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session.apply(Action::Display(DisplayAction::SetLightRule(Some(&LightRule::DOOM_3))));
    session.apply(Action::Display(DisplayAction::SetLighting(LightingMode::Game)));
    session.apply(Action::Display(DisplayAction::AddProjectedLight));
    session.interface.light_materials = vec!["lights/round".to_owned()];
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let light = |harness: &Harness<'static, Bench>| harness.state().session.view.display.game_lights[1].clone();
    let handle = |harness: &Harness<'static, Bench>, name: &str| {
        harness.get_by_role_and_label(Role::Button, name).rect().center()
    };
    // A drag of the target turns the beam and leaves the light.
    let (from, way) = (handle(&harness, "Target of projected light 2"), vec2(30.0, 20.0));
    pressed(&mut harness, from, PointerButton::Primary, true, Modifiers::NONE);
    harness.event(Event::PointerMoved(from + way));
    harness.run();
    pressed(&mut harness, from + way, PointerButton::Primary, false, Modifiers::NONE);
    let before = light(&harness);
    assert!(handle(&harness, "Target of projected light 2").distance(from + way) < 1.0);
    taken(&mut harness);
    harness.get_by_role_and_label(Role::Button, "Projected light 2").click_secondary();
    harness.run();
    harness.get_by_role_and_label(Role::SpinButton, "Right Y").click();
    harness.run();
    harness.event(Event::Text("7".to_owned()));
    harness.key_press(Key::Enter);
    harness.run();
    let LightShape::Projected { target: [_, right, _], .. } = light(&harness).shape else { panic!("projected") };
    assert!(right.y == 7.0 && light(&harness).position() == before.position(), "{right}");
    click(&mut harness, Role::MenuItem, "Material: none");
    click(&mut harness, Role::MenuItemCheckBox, "lights/round");
    assert_eq!(light(&harness).material, "lights/round");
}

#[test]
fn drag_on_axes_orbits_from_any_point() {
    for offset in [vec2(0.0, 0.0), vec2(0.0, -24.0)] {
        let mut harness = desk();
        harness.state_mut().session.apply(Action::Camera(CameraAction::LookFrom(StandardView::Front)));
        harness.run();
        let viewport = harness.state().viewport;
        let from = Pos2::new(viewport.right() - 44.0, viewport.top() + 44.0) + offset;
        pressed(&mut harness, from, PointerButton::Primary, true, Modifiers::NONE);
        harness.event(Event::PointerMoved(from + vec2(10.0, 0.0)));
        harness.run();
        harness.event(Event::PointerMoved(from + vec2(20.0, 0.0)));
        harness.run();
        pressed(&mut harness, from + vec2(20.0, 0.0), PointerButton::Primary, false, Modifiers::NONE);
        let done = taken(&mut harness);
        assert!(
            done.iter().any(|action| matches!(action, Action::Camera(CameraAction::Orbit(yaw, _)) if *yaw < 0.0)),
            "{offset}: {done:?}"
        );
        assert!(
            !done.iter().any(|action| matches!(action, Action::Camera(CameraAction::LookFrom(_)))),
            "{offset}: {done:?}"
        );
    }
}

#[test]
fn backgrounds_are_chosen_by_name() {
    let mut harness = desk();
    click(&mut harness, Role::Button, "Lighting and background");
    assert_eq!(
        click(&mut harness, Role::RadioButton, "White"),
        [Action::Display(DisplayAction::SetBackground(Background::Colour([255; 3])))]
    );
    assert_eq!(
        click(&mut harness, Role::MenuItemCheckBox, "Studio"),
        [Action::Display(DisplayAction::SetBackground(Background::Studio))]
    );
    assert_eq!(
        click(&mut harness, Role::MenuItemCheckBox, "Shadows"),
        [Action::Display(DisplayAction::Toggle(OverlayKind::Shadow))]
    );
}

const TINT: [u8; 4] = [217, 22, 139, 255];

fn missing() -> Vec<SurfaceMaterial> {
    vec![SurfaceMaterial::missing("test", Origin::Model)]
}

fn middle(image: &RgbaImage) -> [u8; 4] {
    image.get_pixel(image.width() / 2, image.height() / 2).0
}

#[test]
fn backfaces_are_tinted_in_every_lighting_mode() {
    for (shading, look) in [
        (Shading::Textured, LightingMode::Studio),
        (Shading::Textured, LightingMode::Game),
        (Shading::Clay, LightingMode::Studio),
    ] {
        let mut stage = Stage::new(&[square(Vec3::ZERO)], missing());
        (stage.display.shading, stage.display.lighting, stage.display.sides) = (shading, look, BackfaceDisplay::Tinted);
        let Some(front) = stage.draw() else { return };
        assert_ne!(middle(&front), TINT, "{shading:?} {look:?}");
        stage.camera.yaw = 180.0;
        assert_eq!(stage.draw().map(|back| middle(&back)), Some(TINT), "{shading:?} {look:?}");
    }
}

#[test]
fn coincident_two_sided_faces_are_not_tinted() {
    let mut shape = square(Vec3::ZERO);
    shape.triangles.extend([[0, 2, 1], [0, 3, 2]]);
    let mut stage = Stage::new(&[shape], missing());
    (stage.display.shading, stage.display.sides) = (Shading::Clay, BackfaceDisplay::Tinted);
    for yaw in [0.0, 60.0, 180.0] {
        stage.camera.yaw = yaw;
        let Some(image) = stage.draw() else { return };
        assert!(image.pixels().all(|pixel| pixel.0 != TINT), "at {yaw}");
    }
}

#[test]
fn vertex_dots_are_drawn_over_any_shading() {
    // The upper left corner is 16 pixels from the middle of an image of 64.
    let mut stage = Stage::new(&[square(Vec3::ZERO)], missing());
    stage.camera.field_of_view = 2.0 * (2.0_f32 / 8.0).atan();
    stage.display.shading = Shading::Normals;
    let Some(without) = stage.draw() else { return };
    stage.display.overlays.set(OverlayKind::Vertices, true);
    let Some(with) = stage.draw() else { return };
    let brightest = |image: &RgbaImage, x: u32, y: u32| {
        let near = (x - 2..x + 2).flat_map(|x| (y - 2..y + 2).map(move |y| (x, y)));
        near.map(|(x, y)| image.get_pixel(x, y).0[..3].iter().copied().min().unwrap_or(0)).max().unwrap_or(0)
    };
    for (x, y) in [(16, 16), (48, 16), (16, 48), (48, 48)] {
        assert!(brightest(&with, x, y) > 200 && brightest(&without, x, y) < 160, "at {x}, {y}");
    }
    assert_eq!(middle(&with), middle(&without), "no vertex, no dot");
}

#[test]
fn turning_light_moves_the_lit_side() {
    let mut stage = Stage::new(&[ball(1.0)], missing());
    stage.display.shading = Shading::Clay;
    let sides = |stage: &Stage| {
        let image = stage.draw()?;
        let sum =
            |columns: std::ops::Range<u32>| -> u32 { columns.map(|x| u32::from(image.get_pixel(x, 26).0[1])).sum() };
        Some((sum(20..32), sum(32..44)))
    };
    // The key light is 42 degrees to the left. A turn by 84 degrees moves it to the right.
    let Some((left, right)) = sides(&stage) else { return };
    assert!(left > right, "{left} {right}");
    stage.display.light.turn(84.0, 0.0);
    assert!(sides(&stage).is_some_and(|(left, right)| right > left));
    let Some((dim, _)) = sides(&stage) else { return };
    stage.display.light.brightness = 2.0;
    assert!(sides(&stage).is_some_and(|(bright, _)| bright > dim));
}

#[test]
fn legend_leaves_the_middle_of_a_narrow_view_to_the_model() {
    for width in [360.0, 512.0, 800.0] {
        let mut session = Session::default();
        session.show(open_sample(Format::Md5).unwrap());
        session.apply(Action::Display(DisplayAction::SetShading(Shading::Weights)));
        let harness = bench(session, vec2(width, 600.0));
        let view = harness.get_by_role_and_label(Role::Canvas, "Model").rect();
        let mut named = harness.query_all_by_label_contains("Joint weights: ").map(|node| node.rect());
        let legend = named.find(|rect| view.contains_rect(*rect)).unwrap();
        assert!(legend.right() < view.center().x - view.width() / 12.0, "{width}: {legend} in {view}");
    }
}
