//! Selected rows scroll fully into view, numbers are never truncated, and dialogs hide tooltips.

use egui::{Key, Modifiers, Rect, Role, Shape, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use glam::Vec2 as Uv;
use maquette_core::model::Format;
use maquette_scene::scene::OverlayKind;
use maquette_scene::session::{
    Action, CameraAction, Dialog, DisplayAction, DockTab, SceneAction, Selection, WindowAction,
};

use crate::support::panels::{Bench, bench, session, taken};

const SIZE: Vec2 = vec2(1280.0, 800.0);

fn select(harness: &mut Harness<'static, Bench>, selection: Selection) {
    harness.state_mut().session.apply(Action::Scene(SceneAction::Select(selection)));
    harness.run();
}

/// Returns painted texts with numbers that are truncated.
fn cut_numbers(harness: &Harness<'static, Bench>) -> Vec<String> {
    let texts = harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) if clipped.clip_rect.intersects(text.visual_bounding_rect()) => Some(&text.galley),
        _ => None,
    });
    let has_number = |text: &str| text.chars().any(|letter| letter.is_ascii_digit());
    let is_cut = |galley: &&std::sync::Arc<egui::Galley>| {
        let middle = galley.text().trim_end_matches('…');
        has_number(middle) && (galley.elided || middle.contains('…'))
    };
    texts.filter(is_cut).map(|galley| galley.text().to_owned()).collect()
}

#[test]
fn selected_joint_row_scrolls_fully_into_view() {
    let mut harness = bench(session(Format::Md5, |_| ()), SIZE);
    let joints: Vec<String> =
        harness.state().session.asset().unwrap().model.joints().iter().map(|joint| joint.name.clone()).collect();
    assert!(joints.len() > 8);
    for index in (0..joints.len()).rev().chain([joints.len() / 2]) {
        select(&mut harness, Selection::Joint(index));
        let row = harness.get_by_role_and_label(Role::ListItem, &joints[index]).rect();
        let heading = harness.get_by_role_and_label(Role::DisclosureTriangle, "Joints").rect();
        let bottom = harness.state().viewport.bottom();
        assert!(heading.bottom() <= row.top() && row.bottom() <= bottom, "{}: {heading} {row}", joints[index]);
    }
}

#[test]
fn element_numbers_are_never_truncated() {
    for format in maquette_assets::open::sample_formats() {
        let mut harness = bench(session(format, |_| ()), SIZE);
        harness.state_mut().session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Texture)));
        harness.run();
        // The inspector displays the texel under the pointer.
        harness.get_by_role_and_label(Role::Canvas, "UV layout").hover();
        for element in [7, 12, 60] {
            select(&mut harness, Selection::Vertex { surface: 0, vertex: element });
            assert_eq!(cut_numbers(&harness), [] as [String; 0], "vertex {element} of an {format:?}");
            select(&mut harness, Selection::Triangle { surface: 0, triangle: element });
            assert_eq!(cut_numbers(&harness), [] as [String; 0], "triangle {element} of an {format:?}");
        }
    }
}

#[test]
fn long_value_wraps_to_further_lines() {
    let mut harness = bench(session(Format::Md3, |_| ()), SIZE);
    // Find the vertex with the most triangles.
    let model = std::sync::Arc::clone(&harness.state().session.asset().unwrap().model);
    let surface = &model.surfaces()[0];
    let count = |vertex: usize| surface.triangles.iter().flatten().filter(|corner| **corner as usize == vertex).count();
    let vertex = (0..surface.vertex_count()).max_by_key(|vertex| count(*vertex)).unwrap();
    assert!(count(vertex) > 5);
    select(&mut harness, Selection::Vertex { surface: 0, vertex });
    let fact =
        harness.get_by(|node| node.value().is_some_and(|text| text.starts_with("Triangles: ") && text.contains(", ")));
    assert!(fact.rect().height() > 30.0, "{}", fact.rect());
}

#[test]
fn selected_triangle_is_centred_in_uv_layout() {
    let mut harness = bench(
        session(Format::Md3, |model| {
            // Point far outside the texture.
            let corners = model.surfaces[0].triangles[0];
            let is_apart = |other: &[u32; 3]| *other == corners || !other.iter().any(|corner| corners.contains(corner));
            model.surfaces[0].triangles.retain(is_apart);
            let positions = [Uv::new(9.0, 9.0), Uv::new(9.6, 9.0), Uv::new(9.0, 9.6)];
            for (corner, uv) in corners.into_iter().zip(positions) {
                model.surfaces[0].uvs[corner as usize] = uv;
            }
        }),
        vec2(1280.0, 900.0),
    );
    harness.state_mut().session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Texture)));
    harness.run();
    let far = Selection::Triangle { surface: 0, triangle: 0 };
    let click_middle = |harness: &mut Harness<'static, Bench>| {
        let canvas: Rect = harness.get_by_role_and_label(Role::Canvas, "UV layout").rect();
        select(harness, Selection::None);
        // Point slightly towards the right angle, because the centre of the triangle's bounds is on an edge.
        let at = canvas.center() - vec2(4.0, 4.0);
        harness.hover_at(at);
        harness.drag_at(at);
        harness.drop_at(at);
        taken(harness);
        harness.state().session.document.selection
    };
    assert_ne!(click_middle(&mut harness), far);
    select(&mut harness, far);
    assert_eq!(click_middle(&mut harness), far, "it lies in the middle now");
}

#[test]
fn tooltips_below_a_dialog_are_hidden() {
    let mut harness = bench(session(Format::Md3, |_| ()), SIZE);
    let has =
        |harness: &Harness<'static, Bench>, text: &str| harness.query_all_by_label_contains(text).next().is_some();
    let has_tooltip = |harness: &Harness<'static, Bench>| has(harness, "S: next mode");
    for dialog in [Dialog::Palette, Dialog::Help, Dialog::Settings] {
        harness.get_by_role_and_label(Role::Button, "Select vertices").hover();
        harness.run_steps(60);
        assert!(has_tooltip(&harness), "before {dialog:?}");
        harness.state_mut().session.apply(Action::Window(WindowAction::ToggleDialog(dialog)));
        harness.run_steps(60);
        assert!(!has_tooltip(&harness), "under {dialog:?}");
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(harness.state().session.interface.panels.dialog, None);
    }
    // Tooltips of the dialog itself still appear.
    harness.key_press_modifiers(Modifiers::NONE, Key::F1);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Close").hover();
    harness.run_steps(60);
    assert!(has(&harness, "Escape"));
}

#[test]
fn selection_modes_fit_in_a_low_view() {
    let mut harness = bench(session(Format::Md3, |_| ()), vec2(800.0, 600.0));
    harness.state_mut().session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Motion)));
    harness.state_mut().session.apply(Action::Window(WindowAction::SetDockHeight(260.0)));
    harness.run();
    let view = harness.state().viewport;
    assert!(view.height() < 200.0, "{view}");
    let button = harness.get_by_role_and_label(Role::Button, "Select triangles");
    assert!(view.contains_rect(button.rect()) && !button.accesskit_node().is_disabled());
}

#[test]
fn model_without_triangles_shows_joints_or_offers_them() {
    let bare = |parts: &mut maquette_core::model::ModelParts| {
        parts.surfaces.iter_mut().for_each(|surface| surface.triangles.clear());
    };
    let mut harness = bench(session(Format::Md5, bare), SIZE);
    const NOTHING_DRAWN: &str = "Nothing is drawn: the model has no triangles";
    // The joints are visible when the model opens.
    assert!(harness.query_by_label(NOTHING_DRAWN).is_none());
    harness.state_mut().session.apply(Action::Display(DisplayAction::Toggle(OverlayKind::Joints)));
    harness.run();
    assert!(harness.query_by_label(NOTHING_DRAWN).is_some());
    harness.get_by_role_and_label(Role::Button, "Show joints").click();
    let done = taken(&mut harness);
    assert!(done.contains(&Action::Display(DisplayAction::Toggle(OverlayKind::Joints))), "{done:?}");
    assert!(harness.query_by_label(NOTHING_DRAWN).is_none());
}

/// Leaves only the first triangle of the first surface. Reverses its winding if `reversed`.
fn one_triangle(reversed: bool) -> impl FnOnce(&mut maquette_core::model::ModelParts) {
    move |parts| {
        for (index, surface) in parts.surfaces.iter_mut().enumerate() {
            surface.triangles.truncate(usize::from(index == 0));
            if reversed {
                surface.triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
            }
        }
    }
}

#[test]
fn triangle_facing_away_offers_backfaces() {
    const FACES_AWAY: &str = "Nothing is drawn: all triangles face away";
    let shown = [false, true].map(|reversed| {
        let mut harness = bench(session(Format::Md3, one_triangle(reversed)), SIZE);
        let faces_away = harness.query_by_label(FACES_AWAY).is_some();
        if faces_away {
            harness.get_by_role_and_label(Role::Button, "Show backfaces").click();
            harness.run();
            assert!(harness.query_by_label(FACES_AWAY).is_none());
        }
        faces_away
    });
    // Exactly one winding faces the camera.
    assert_ne!(shown[0], shown[1]);
}

#[test]
fn model_outside_of_the_view_offers_frame_all() {
    const OUTSIDE: &str = "Nothing is drawn: the model is outside the view";
    let mut harness = bench(session(Format::Md3, |_| ()), SIZE);
    assert!(harness.query_by_label(OUTSIDE).is_none());
    harness.state_mut().session.view.camera.target += glam::Vec3::splat(1e5);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Frame model").click();
    let done = taken(&mut harness);
    assert!(done.contains(&Action::Camera(CameraAction::FrameModel)), "{done:?}");
}
