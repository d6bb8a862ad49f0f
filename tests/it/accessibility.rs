//! Accessibility: every control has a name, Tab cycles through all controls, dialogs keep the focus.

use std::collections::BTreeSet;
use std::path::PathBuf;

use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers, Rect, Shape, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette::ui::theme::DARK;
use maquette_assets::open::sample_formats;
use maquette_core::model::Format;
use maquette_scene::session::{
    Action, ClockAction, Dialog, NotificationKind, OutputKind, SceneAction, Selection, Session, WindowAction,
};

use crate::support::panels::{self, Bench, bench};

const WIDE: Vec2 = Vec2::new(1280.0, 800.0);

fn showing(format: Format) -> Session {
    let mut session = panels::showing(format);
    session.interface.panels.files = true;
    session.model_list =
        ["one.md3", "two.md3", "deeper/three.md2"].map(|name| PathBuf::from("/models").join(name)).into();
    session
}

/// Whether a control can be clicked, typed into, selected or dragged.
fn is_interactive(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::CheckBox
            | Role::ColorWell
            | Role::DisclosureTriangle
            | Role::Link
            | Role::ListItem
            | Role::MenuItem
            | Role::MenuItemCheckBox
            | Role::RadioButton
            | Role::Slider
            | Role::SpinButton
            | Role::Tab
            | Role::TextInput
    )
}

/// Returns role, name and rectangle of every node.
fn nodes(harness: &Harness<'static, Bench>) -> Vec<(Role, String, Rect)> {
    let entry = |node: egui_kittest::Node<'_>| {
        let rect = node.accesskit_node().bounding_box().map_or(Rect::NOTHING, |_| node.rect());
        (node.accesskit_node().role(), node.accesskit_node().label().unwrap_or_default(), rect)
    };
    harness.root().children_recursive().map(entry).collect()
}

fn assert_named(harness: &Harness<'static, Bench>, state: &str) {
    let nodes = nodes(harness);
    let controls: Vec<_> = nodes.iter().filter(|(role, ..)| is_interactive(*role)).collect();
    assert!(controls.len() >= 8, "{state}: {}", controls.len());
    for (role, name, rect) in controls {
        assert!(!name.trim().is_empty(), "{state}: a {role:?} without name at {rect}");
    }
}

#[test]
fn every_control_has_a_name_in_every_state() {
    for format in sample_formats() {
        for size in [WIDE, vec2(640.0, 480.0)] {
            assert_named(&bench(showing(format), size), &format!("{format} {size}"));
        }
    }
    let mut empty = Session::default();
    empty.preferences.add_recent(&PathBuf::from("/games/baseq3/pak0.pk3"));
    assert_named(&bench(empty, WIDE), "empty");
    for sheet in [Dialog::Settings, Dialog::Help, Dialog::Palette, Dialog::Hints, Dialog::Log, Dialog::About] {
        let mut session = showing(Format::Md5);
        session.apply(Action::Window(WindowAction::ToggleDialog(sheet)));
        assert_named(&bench(session, WIDE), &format!("{sheet:?}"));
    }
    for product in [OutputKind::Image, OutputKind::Film, OutputKind::ContactSheet] {
        let mut session = showing(Format::Md2);
        session.jobs.saving.open = Some(product);
        assert_named(&bench(session, WIDE), &format!("{product:?}"));
    }
    let mut session = showing(Format::Md3);
    session.fail(&maquette_assets::open::open(&PathBuf::from("/nowhere/grunt.md3")).unwrap_err());
    session.notify(NotificationKind::Done, "upper.md3 reloaded", "Camera and frame kept");
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    assert_named(&bench(session, WIDE), "an error, a toast, a chosen surface");
    let mut harness = bench(showing(Format::Md5), WIDE);
    for (role, name) in [
        (Role::Button, "File"),
        (Role::Button, "Display"),
        (Role::Button, "Shading"),
        (Role::Button, "Lighting and background"),
        (Role::Button, "Clip"),
        (Role::Button, "Speed"),
        (Role::Button, "Common rates"),
        (Role::Button, "Onion skin options"),
    ] {
        harness.get_by_role_and_label(role, name).click();
        harness.run();
        assert_named(&harness, name);
        harness.key_press(Key::Escape);
        harness.run();
    }
    for (role, name) in [(Role::Slider, "Frame"), (Role::ListItem, "head"), (Role::Button, "Onion skin")] {
        harness.get_by_role_and_label(role, name).click_secondary();
        harness.run();
        assert_named(&harness, name);
        assert!(harness.query_all_by_role(Role::MenuItem).next().is_some(), "{name}");
        harness.key_press(Key::Escape);
        harness.run();
    }
}

#[test]
fn no_two_buttons_have_the_same_name() {
    for format in [Format::Md2, Format::Md3, Format::Md5] {
        for size in [WIDE, vec2(640.0, 480.0)] {
            let mut seen = BTreeSet::new();
            for (_, name, rect) in
                nodes(&bench(showing(format), size)).into_iter().filter(|(role, ..)| *role == Role::Button)
            {
                assert!(seen.insert(name.clone()), "{format} {size}: another {name} at {rect}");
            }
        }
    }
}

#[test]
fn accessibility_nodes_expose_states_and_ranges() {
    let mut session = showing(Format::Md2);
    session.apply(Action::Clock(ClockAction::Seek(12.0)));
    let mut harness = bench(session, WIDE);
    let frames = harness.state().session.asset().unwrap().model.frames().len();
    let ruler = harness.get_by_role_and_label(Role::Slider, "Frame");
    let ruler = ruler.accesskit_node();
    assert_eq!(ruler.numeric_value(), Some(12.0));
    assert_eq!((ruler.min_numeric_value(), ruler.max_numeric_value()), (Some(0.0), Some(frames as f64 - 1.0)));
    assert_eq!(harness.get_by_role_and_label(Role::SpinButton, "Frame").accesskit_node().numeric_value(), Some(12.0));
    let tab = |name| harness.get_by_role_and_label(Role::Tab, name).accesskit_node().is_selected();
    assert_eq!((tab("Files"), tab("Scene")), (Some(true), Some(false)));
    // The checkbox is checked while the surface is visible.
    for (shown, toggled) in [(true, Toggled::True), (false, Toggled::False)] {
        harness.state_mut().session.apply(Action::Scene(SceneAction::ShowSurface(0, shown)));
        harness.run();
        let eye = harness.get_by_role_and_label(Role::CheckBox, "Show Mesh");
        assert_eq!(eye.accesskit_node().toggled(), Some(toggled));
    }
    let unfolded = |harness: &Harness<'static, Bench>| {
        harness.get_by_role_and_label(Role::DisclosureTriangle, "Model").accesskit_node().data().is_expanded()
    };
    assert_eq!(unfolded(&harness), Some(true));
    harness.get_by_role_and_label(Role::DisclosureTriangle, "Model").click();
    harness.run();
    harness.step();
    assert_eq!(unfolded(&harness), Some(false));
}

/// Returns role, name and rectangle of the focused node.
fn focused(harness: &Harness<'static, Bench>) -> Option<(Role, String, Rect)> {
    let node = harness.root().children_recursive().find(|node| node.accesskit_node().is_focused())?;
    let rect = node.accesskit_node().bounding_box().map_or(Rect::NOTHING, |_| node.rect());
    // The text of a label is its value.
    let node = node.accesskit_node();
    Some((node.role(), node.label().or(node.value()).unwrap_or_default(), rect))
}

/// Whether a line in the accent colour surrounds `rect` or a part of it.
fn has_ring(harness: &Harness<'static, Bench>, rect: Rect) -> bool {
    let near = |ring: Rect, clip: Rect| {
        rect.expand2(vec2(48.0, 8.0)).contains_rect(ring) && ring.area() > 60.0 && clip.intersect(ring).is_positive()
    };
    harness.output().shapes.iter().any(|clipped| match &clipped.shape {
        Shape::Rect(shape) => {
            shape.stroke.color == DARK.accent && shape.stroke.width >= 1.5 && near(shape.rect, clipped.clip_rect)
        }
        Shape::Circle(shape) => {
            let rect = Rect::from_center_size(shape.center, Vec2::splat(shape.radius * 2.0));
            shape.stroke.color == DARK.accent && shape.stroke.width >= 1.5 && near(rect, clipped.clip_rect)
        }
        _ => false,
    })
}

/// Presses Tab until the focus returns to the first control. Returns the focused controls in order.
fn round(harness: &mut Harness<'static, Bench>, modifiers: Modifiers, window: Rect) -> Vec<(Role, String)> {
    let mut way: Vec<(Role, String)> = Vec::new();
    let mut rects: Vec<Rect> = Vec::new();
    for _ in 0..400 {
        harness.key_press_modifiers(modifiers, Key::Tab);
        harness.run();
        let Some((role, name, place)) = focused(harness) else {
            // Between the last and the first control, the focus may be empty.
            assert!(way.is_empty() || way.len() > 2, "nothing has the keyboard after {:?}", way.last());
            continue;
        };
        assert!(!name.trim().is_empty(), "a {role:?} without name at {place} after {:?}", way.last());
        assert!(window.expand(1.0).contains_rect(place), "{role:?} {name} at {place}");
        // egui itself highlights the edge of a focused panel.
        let shown = role == Role::Splitter || has_ring(harness, place);
        assert!(shown, "no ring around {role:?} {name} at {place}");
        if way.first() == Some(&(role, name.clone())) && rects.first() == Some(&place) {
            return way;
        }
        way.push((role, name));
        rects.push(place);
    }
    panic!("Tab does not come round: {way:?}");
}

#[test]
fn tab_key_cycles_through_all_bars_and_panels() {
    for format in [Format::Md3, Format::Md5] {
        let window = Rect::from_min_size(pos2(0.0, 0.0), WIDE);
        let mut harness = bench(showing(format), WIDE);
        let forward = round(&mut harness, Modifiers::NONE, window);
        for (role, name) in [
            (Role::Button, "File"),
            (Role::Button, "Help"),
            (Role::Button, "Settings"),
            (Role::Tab, "Scene"),
            (Role::List, "Models"),
            (Role::Button, "Shading"),
            (Role::Button, "Save image"),
            (Role::DisclosureTriangle, "Surfaces"),
            (Role::DisclosureTriangle, "Issues"),
            (Role::Button, "Play"),
            (Role::SpinButton, "Frame"),
            (Role::Slider, "Frame"),
            (Role::Button, "No load issues"),
        ] {
            assert!(forward.contains(&(role, name.to_owned())), "{format}: {role:?} {name} is not among {forward:?}");
        }
        let back = round(&mut harness, Modifiers::SHIFT, window);
        let (forward, back): (BTreeSet<_>, BTreeSet<_>) = (
            forward.iter().map(|(role, name)| format!("{role:?} {name}")).collect(),
            back.iter().map(|(role, name)| format!("{role:?} {name}")).collect(),
        );
        assert_eq!(forward, back, "{format}");
    }
}

#[test]
fn dialogs_trap_keyboard_focus() {
    for sheet in [Dialog::Settings, Dialog::Help, Dialog::Palette, Dialog::Hints, Dialog::Log, Dialog::About] {
        let mut session = showing(Format::Md5);
        session.apply(Action::Window(WindowAction::ToggleDialog(sheet)));
        within_dialog(session, &format!("{sheet:?}"));
    }
    for product in [OutputKind::Image, OutputKind::Film, OutputKind::ContactSheet] {
        let mut session = showing(Format::Md5);
        session.jobs.saving.open = Some(product);
        within_dialog(session, &format!("{product:?}"));
    }
}

fn within_dialog(session: Session, state: &str) {
    let mut harness = bench(session, WIDE);
    let card = harness.get_by_role(Role::Dialog).rect();
    assert!(harness.get_by_role(Role::Dialog).accesskit_node().is_modal(), "{state}");
    for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
        let mut seen = 0;
        for _ in 0..10 {
            harness.key_press_modifiers(modifiers, Key::Tab);
            harness.run();
            let Some((role, name, place)) = focused(&harness) else { continue };
            seen += 1;
            assert!(card.expand(1.0).contains_rect(place), "{state}: {role:?} {name} at {place} of {card}");
            assert!(has_ring(&harness, place), "{state}: no ring around {role:?} {name} at {place}");
        }
        assert!(seen > 0, "{state}");
    }
}
