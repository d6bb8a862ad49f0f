//! Inspector: one scroll area of sections that only the user opens and closes.

use egui::{Rect, Role, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette_assets::open::open_sample;
use maquette_core::model::{Clip, ClipSource, Format, ModelParts};
use maquette_scene::scene::ClipChoice;
use maquette_scene::session::{Action, ClockAction, SceneAction, Selection, SidePanel, WindowAction};

use crate::support::panels::{Bench, bench, click, session};

const SIZE: Vec2 = vec2(1280.0, 800.0);

fn is_open(harness: &Harness<'static, Bench>, title: &str) -> Option<bool> {
    let heading = harness.query_by_role_and_label(Role::DisclosureTriangle, title)?;
    heading.accesskit_node().data().is_expanded()
}

fn rect_of(harness: &Harness<'static, Bench>, role: Role, name: &str) -> Option<Rect> {
    harness.query_by_role_and_label(role, name).map(|node| node.rect())
}

fn select(harness: &mut Harness<'static, Bench>, selection: Selection) {
    harness.state_mut().session.apply(Action::Scene(SceneAction::Select(selection)));
    harness.run();
}

#[test]
fn section_state_is_kept_for_next_model() {
    let mut harness = bench(session(Format::Md5, |_| ()), SIZE);
    assert_eq!(is_open(&harness, "Joints"), Some(false));
    select(&mut harness, Selection::Joint(1));
    assert_eq!(is_open(&harness, "Joints"), Some(true), "what is selected opens its section");
    select(&mut harness, Selection::None);
    assert_eq!(is_open(&harness, "Joints"), Some(true), "and nothing closes it again");
    select(&mut harness, Selection::Surface(0));
    assert_eq!(is_open(&harness, "Joints"), Some(true));
    select(&mut harness, Selection::None);
    click(&mut harness, Role::DisclosureTriangle, "Model");
    harness.state_mut().session.show(open_sample(Format::Md5).unwrap());
    harness.run();
    assert_eq!((is_open(&harness, "Model"), is_open(&harness, "Joints")), (Some(false), Some(true)));
}

#[test]
fn playing_clip_scrolls_into_view_below_heading() {
    let clip = |number: u32| Clip::new(format!("clip_{number:06}"), 0, 1, 10.0, ClipSource::FrameNames);
    let many = |model: &mut ModelParts| model.clips = (0..100_000).map(clip).collect();
    let mut harness = bench(session(Format::Md2, many), SIZE);
    let made = |harness: &Harness<'static, Bench>| {
        let rows = harness.query_all_by_role(Role::ListItem);
        rows.filter(|row| row.accesskit_node().label().is_some_and(|name| name.starts_with("clip_"))).count()
    };
    assert!(made(&harness) < 60, "only rows in sight are made");
    let choice = ClipChoice::Clip(50_000);
    harness.state_mut().session.apply(Action::Clock(ClockAction::ChooseClip(choice)));
    harness.run();
    let row = rect_of(&harness, Role::ListItem, "clip_050000").unwrap();
    let heading = rect_of(&harness, Role::DisclosureTriangle, "Clips").unwrap();
    let timeline = harness.state().viewport.bottom();
    assert!(heading.bottom() <= row.top() && row.bottom() <= timeline, "{heading} {row} {timeline}");
    assert!(made(&harness) < 60);
    // Closing a scrolled section keeps its heading in view.
    click(&mut harness, Role::DisclosureTriangle, "Clips");
    assert_eq!(is_open(&harness, "Clips"), Some(false));
    assert!(rect_of(&harness, Role::DisclosureTriangle, "Clips").unwrap().bottom() <= timeline);
}

#[test]
fn vertex_column_shows_in_wide_panels_only() {
    for (width, expected) in [(300.0, false), (400.0, true)] {
        let mut session = session(Format::Md3, |_| {});
        session.apply(Action::Window(WindowAction::SetPanelWidth(SidePanel::Inspector, width)));
        let harness = bench(session, SIZE);
        let vertices = harness.query_by_role_and_label(Role::Button, "Sort by vertices");
        assert_eq!(vertices.is_some(), expected, "{width}");
        harness.get_by_role_and_label(Role::Button, "Sort by triangles");
    }
}
