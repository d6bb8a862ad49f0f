//! Timeline: loop ranges, zoom and onion skin, by calculation and through the panels.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton, Pos2, Rect, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{ModelAsset, Opener, open_sample};
use maquette_core::model::{Clip, ClipSource, Format, Model};
use maquette_core::pose::Repeat;
use maquette_scene::scene::{ClipChoice, ColourTheme, FrameRange, Ghost, Onion, Playback, update_ghosts};
use maquette_scene::session::{Action, ClockAction, DisplayAction, FrameWindow, Session, TimelineAction};

use crate::support::panels::{Bench, bench, click, taken};
use maquette_testing::files::{Md2, Md2Frame};

/// Returns an MD2 with clips of these names and lengths. In each frame, x of the first vertex is the frame number.
fn model(clips: &[(&str, usize)]) -> Vec<u8> {
    let names = clips.iter().flat_map(|(name, count)| (1..=*count).map(move |number| format!("{name}{number:02}")));
    let frames = names.enumerate().map(|(number, name)| Md2Frame {
        scale: [1.0; 3],
        translate: [number as f32, 0.0, 0.0],
        name,
        vertices: vec![[0, 0, 0, 5], [2, 0, 0, 5], [0, 2, 0, 5], [2, 3, 4, 52]],
    });
    Md2 { frames: frames.collect(), ..Md2::typical() }.build()
}

fn showing(clips: &[(&str, usize)]) -> Session {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.md2");
    std::fs::write(&path, model(clips)).unwrap();
    let mut session = Session::default();
    session.interface.theme = Some(ColourTheme::Dark);
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&path).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session
}

/// Returns a session with 24 frames in three clips at 10 frames per second: stand 0–7, flip 8–13, salute 14–23.
fn three() -> Session {
    showing(&[("stand", 8), ("flip", 6), ("salute", 10)])
}

/// Returns a session with 1,007 frames in 38 clips. Each clip has 27 frames, but the last has eight.
fn long() -> Session {
    let names: Vec<String> =
        (0..38_u8).map(|clip| format!("{}{}", char::from(b'a' + clip / 26), char::from(b'a' + clip % 26))).collect();
    let clips: Vec<(&str, usize)> =
        names.iter().enumerate().map(|(index, name)| (name.as_str(), if index < 37 { 27 } else { 8 })).collect();
    showing(&clips)
}

fn shown(session: &Session) -> f64 {
    session.playback().shown_frame(session.document.track().unwrap().model())
}

fn range(first: u32, last: u32) -> Action {
    Action::Clock(ClockAction::SetLoopRange(Some(FrameRange { first, last })))
}

fn advanced(session: &mut Session, seconds: f64) -> f64 {
    session.advance(seconds);
    session.refresh();
    shown(session)
}

#[track_caller]
fn close(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-6, "{one} is not {other}");
}

#[test]
fn loop_range_over_two_clips_repeats() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::Seek(10.0)));
    session.apply(range(10, 16));
    session.apply(Action::Clock(ClockAction::TogglePlay));
    // Seven frames, of which the last blends into the first, are seven intervals of 0.1 s.
    close(advanced(&mut session, 0.65), 16.5);
    close(advanced(&mut session, 0.10), 10.5);
    close(advanced(&mut session, 0.70), 10.5);
    let blend = session.playback().blend(session.document.track().unwrap().model());
    assert_eq!((blend.from, blend.to, blend.t), (10, 11, 0.5));
    close(advanced(&mut session, 0.60), 16.5);
    let blend = session.playback().blend(session.document.track().unwrap().model());
    assert_eq!((blend.from, blend.to), (16, 10), "the seam");
    // The chosen clip stays displayed and keeps its rate.
    assert_eq!(session.playback().choice, ClipChoice::Clip(1));
}

#[test]
fn loop_range_respects_repeat_mode() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::Seek(10.0)));
    session.apply(range(10, 16));
    session.apply(Action::Clock(ClockAction::SetRepeat(Repeat::Once)));
    session.apply(Action::Clock(ClockAction::TogglePlay));
    close(advanced(&mut session, 5.0), 16.0);
    assert!(!session.is_playing(), "once");
    session.apply(Action::Clock(ClockAction::TogglePlay));
    close(advanced(&mut session, 0.1), 11.0);
    session.apply(Action::Clock(ClockAction::SetRepeat(Repeat::PingPong)));
    // Six intervals forward, then back: nine intervals from the start are three before the end.
    close(advanced(&mut session, 0.8), 13.0);
    close(advanced(&mut session, 0.1), 12.0);
    assert!(session.is_playing());
}

#[test]
fn playback_outside_range_starts_at_range_start() {
    let mut session = three();
    session.apply(range(10, 16));
    session.apply(Action::Clock(ClockAction::Seek(3.0)));
    close(shown(&session), 3.0);
    assert_eq!(session.playback().range, Some(FrameRange { first: 10, last: 16 }), "seeking outside is allowed");
    session.apply(Action::Clock(ClockAction::TogglePlay));
    close(shown(&session), 10.0);
    close(advanced(&mut session, 0.25), 12.5);
}

#[test]
fn step_and_clip_end_stay_in_range() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::Seek(12.0)));
    session.apply(range(10, 16));
    session.apply(Action::Clock(ClockAction::ClipEnd));
    close(shown(&session), 16.0);
    session.apply(Action::Clock(ClockAction::Step(1)));
    close(shown(&session), 10.0);
    session.apply(Action::Clock(ClockAction::Step(-2)));
    close(shown(&session), 15.0);
}

#[test]
fn keys_set_range_ends_at_the_playhead() {
    let mut session = three();
    let set = |session: &mut Session, frame: f64, action: Action| {
        session.apply(Action::Clock(ClockAction::Seek(frame)));
        session.apply(action);
        session.playback().range.map(|range| (range.first, range.last))
    };
    assert_eq!(
        set(&mut session, 9.2, Action::Clock(ClockAction::LoopFromHere)),
        Some((9, 13)),
        "to the end of the clip"
    );
    assert_eq!(set(&mut session, 15.6, Action::Clock(ClockAction::LoopToHere)), Some((9, 16)));
    assert_eq!(
        set(&mut session, 20.0, Action::Clock(ClockAction::LoopFromHere)),
        Some((20, 23)),
        "behind its end a new one begins"
    );
    assert_eq!(
        set(&mut session, 23.0, Action::Clock(ClockAction::LoopFromHere)),
        Some((22, 23)),
        "one frame alone plays nothing"
    );
    assert_eq!(set(&mut session, 5.0, Action::Clock(ClockAction::LoopToHere)), Some((0, 5)));
    close(shown(&session), 5.0);
    session.apply(Action::Clock(ClockAction::SetLoopRange(None)));
    assert_eq!(session.playback().range, None);
    close(shown(&session), 5.0);
}

#[test]
fn range_is_cleared_with_clip_and_kept_by_reload() {
    let mut session = three();
    session.apply(range(10, 16));
    session.apply(Action::Clock(ClockAction::NextClip));
    assert_eq!(session.playback().range, None);
    session.apply(range(10, 16));
    let (entity, part) = (session.document.focus.unwrap(), session.asset().unwrap().clone());
    session.replace(vec![(entity, part)]);
    assert_eq!(session.playback().range, Some(FrameRange { first: 10, last: 16 }));
    // The file has fewer frames than before.
    let shorter = showing(&[("stand", 8), ("flip", 6)]).asset().unwrap().clone();
    session.replace(vec![(entity, shorter)]);
    assert_eq!(session.playback().range, None);
    session.apply(range(2, 5));
    session.show(open_sample(Format::Md2).unwrap());
    assert_eq!(session.playback().range, None);
}

#[test]
fn loop_range_is_clamped_to_its_animation() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md5).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    let clip = session.document.track().unwrap().clip();
    session.apply(range(2, 4));
    session.apply(Action::Clock(ClockAction::TogglePlay));
    let blend = session.playback().blend(session.document.track().unwrap().model());
    assert_eq!(blend.from, clip.first + 2, "people count the clip's frames from 0");
    // A range over the whole clip ends on its first frame, like the clip.
    session.apply(range(0, clip.count - 1));
    close(session.playback().length(session.document.track().unwrap().model()), f64::from(clip.count - 1));
    session.apply(range(0, 1_000_000));
    assert_eq!(session.playback().range.unwrap().last, clip.count - 1);
    session.apply(Action::Clock(ClockAction::NextClip));
    assert_eq!(session.playback().range, None);
}

#[test]
fn zooming_keeps_the_frame_under_the_pointer() {
    let window = FrameWindow { start: 100.0, span: 200.0 };
    // Frame 150 is at a quarter of the window. With half as many frames, 125 to 225, it stays there.
    assert_eq!(window.zoomed(0.5, 150.0, 1007, 1000.0), FrameWindow { start: 125.0, span: 100.0 });
    // A frame has at most 40 points, so 1,000 points show 25 frames.
    let nearest = window.zoomed(0.001, 150.0, 1007, 1000.0);
    assert_eq!(nearest, FrameWindow { start: 143.75, span: 25.0 });
    // Zooming out stops at all frames.
    assert_eq!(window.zoomed(100.0, 150.0, 1007, 1000.0), FrameWindow { start: 0.0, span: 1007.0 });
    let hostile = window.zoomed(f64::NAN, f64::INFINITY, 1007, 1000.0);
    assert!(hostile.start.is_finite() && hostile.span > 0.0 && hostile.end() <= 1007.0, "{hostile:?}");
}

#[test]
fn timeline_follows_visible_playhead_by_pages() {
    let window = FrameWindow { start: 100.0, span: 100.0 };
    let after = |before, after| window.following(before, after, 1000).start;
    assert_eq!(after(150.0, 151.0), 100.0);
    // The playhead is at a twentieth of the new page.
    assert_eq!(after(199.5, 200.5), 195.5);
    assert_eq!(after(100.5, 99.5), 4.5, "backwards it stands as far from the other end");
    assert_eq!(after(199.5, 10.0), 5.0, "round to the start");
    assert_eq!(after(300.0, 301.0), 100.0, "it was out of sight before");
}

#[test]
fn long_timeline_opens_on_clip_and_short_one_whole() {
    let mut session = long();
    let window = session.frames_in_sight().unwrap();
    let clip = session.document.track().unwrap().clip();
    assert!(window.start <= f64::from(clip.first) && f64::from(clip.end()) <= window.end());
    assert!(window.span < 300.0, "{window:?}");
    assert_eq!(showing(&[("stand", 198)]).frames_in_sight(), None);
    // Seeking scrolls the frame into view.
    session.apply(Action::Clock(ClockAction::Seek(700.0)));
    assert!(session.frames_in_sight().unwrap().holds(700.0));
    session.apply(Action::Timeline(TimelineAction::ShowAllFrames));
    assert_eq!(session.frames_in_sight(), None);
    session.apply(range(300, 399));
    session.apply(Action::Timeline(TimelineAction::ShowClipFrames));
    assert_eq!(session.frames_in_sight(), Some(FrameWindow { start: 295.0, span: 110.0 }), "a twentieth at each side");
}

#[test]
fn neighbour_frames_follow_playback_order() {
    let mut session = three();
    let around = |session: &Session| {
        let track = session.document.track().unwrap();
        [-2, -1, 1, 2].map(|steps| track.playback.neighbour(track.model(), steps))
    };
    session.apply(Action::Clock(ClockAction::Seek(10.0)));
    assert_eq!(around(&session), [Some(8), Some(9), Some(11), Some(12)]);
    session.apply(Action::Clock(ClockAction::Seek(10.5)));
    assert_eq!(around(&session), [Some(9), Some(10), Some(11), Some(12)], "both frames of a blend are neighbours");
    // Frame 13 is the end of flip (8–13), which loops.
    session.apply(Action::Clock(ClockAction::Seek(13.0)));
    assert_eq!(around(&session), [Some(11), Some(12), Some(8), Some(9)]);
    session.apply(Action::Clock(ClockAction::SetRepeat(Repeat::Once)));
    assert_eq!(around(&session), [Some(11), Some(12), None, None]);
    session.apply(range(13, 14));
    assert_eq!(around(&session), [None, None, Some(14), None]);
    // Two looped frames are neighbours only once.
    session.apply(Action::Clock(ClockAction::SetRepeat(Repeat::Loop)));
    assert_eq!(around(&session), [None, Some(14), Some(14), None]);
}

fn ghosts(session: &Session) -> Vec<Ghost> {
    let mut ghosts = Vec::new();
    update_ghosts(&mut ghosts, &session.document.scene, &session.view.onion);
    ghosts
}

#[test]
fn ghosts_have_poses_before_and_after() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::Seek(10.0)));
    session.refresh();
    assert!(ghosts(&session).is_empty(), "off, there are none");
    session.apply(Action::Timeline(TimelineAction::SetOnion(Onion { on: true, before: 2, after: 99, step: 1 })));
    assert_eq!(session.view.onion.after, 5);
    session.apply(Action::Timeline(TimelineAction::SetOnion(Onion { on: true, before: 2, after: 1, step: 2 })));
    let seen: Vec<(i32, f32, f32)> = ghosts(&session)
        .iter()
        .map(|ghost| {
            let first = ghost.entities().next().unwrap().pose.surfaces[0].positions[0];
            (ghost.steps, ghost.strength, first.x)
        })
        .collect();
    // Updated ghosts equal new ones.
    let mut updated = ghosts(&session);
    session.apply(Action::Clock(ClockAction::Seek(11.0)));
    session.refresh();
    update_ghosts(&mut updated, &session.document.scene, &session.view.onion);
    let positions = |ghosts: &[Ghost]| -> Vec<f32> {
        ghosts.iter().flat_map(Ghost::entities).map(|placed| placed.pose.surfaces[0].positions[0].x).collect()
    };
    assert_eq!(positions(&updated), positions(&ghosts(&session)));
    // In frame n, the first vertex is at x = n. Four steps before 10 is 6, which flip (8–13) wraps to 12.
    assert_eq!(seen, [(-4, 0.5, 12.0), (-2, 1.0, 8.0), (2, 1.0, 12.0)]);
}

#[test]
fn character_ghosts_skip_parts_that_do_not_move() {
    let folder = tempfile::tempdir().unwrap();
    maquette_testing::player::write(folder.path());
    let assembly = Opener::new(Vec::new(), ImageLoading::LocateOnly)
        .assembly(&folder.path().join("models/players/box/lower.md3"))
        .unwrap();
    let mut session = Session::default();
    session.show(assembly);
    session.apply(Action::Timeline(TimelineAction::SetOnion(Onion { on: true, before: 1, after: 1, step: 1 })));
    session.refresh();
    // The torso shows different frames, although they look alike. The head does not move and has no ghost.
    for ghost in ghosts(&session) {
        let roles: Vec<&str> =
            ghost.entities().map(|placed| session.document.scene.entity(placed.id).unwrap().role.label()).collect();
        assert!(!roles.contains(&"Head"), "{roles:?}");
    }
}

/// Returns the ruler's rectangle.
fn ruler(harness: &Harness<'static, Bench>) -> Rect {
    harness.get_by_role_and_label(Role::Slider, "Frame").rect()
}

fn point_at(ruler: Rect, frame: f32, frames: f32) -> Pos2 {
    pos2(ruler.left() + ruler.width() * frame / frames, ruler.bottom() - 3.0)
}

fn ctrl_drag(harness: &mut Harness<'static, Bench>, from: Pos2, to: Pos2) {
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::COMMAND,
    };
    harness.event_modifiers(egui::Event::PointerMoved(from), Modifiers::COMMAND);
    harness.event_modifiers(button(from, true), Modifiers::COMMAND);
    harness.event_modifiers(egui::Event::PointerMoved(to), Modifiers::COMMAND);
    harness.event_modifiers(button(to, false), Modifiers::COMMAND);
    harness.event(egui::Event::PointerGone);
}

#[test]
fn ruler_drags_create_move_and_clear_a_range() {
    let mut harness = bench(three(), vec2(1280.0, 800.0));
    let ruler = ruler(&harness);
    ctrl_drag(&mut harness, point_at(ruler, 10.5, 24.0), point_at(ruler, 16.5, 24.0));
    assert_eq!(taken(&mut harness).last(), Some(&range(10, 16)));
    ctrl_drag(&mut harness, point_at(ruler, 12.5, 24.0), point_at(ruler, 14.5, 24.0));
    assert_eq!(taken(&mut harness).last(), Some(&range(12, 18)));
    // Dragging the end needs no key: the end of frame 18 is the start of 19.
    harness.drag_at(point_at(ruler, 19.0, 24.0));
    harness.run();
    harness.hover_at(point_at(ruler, 21.1, 24.0));
    harness.drop_at(point_at(ruler, 21.1, 24.0));
    assert_eq!(taken(&mut harness).last(), Some(&range(12, 20)));
    // Elsewhere a drag seeks, even within the range.
    harness.drag_at(point_at(ruler, 15.25, 24.0));
    harness.drop_at(point_at(ruler, 15.25, 24.0));
    let actions = taken(&mut harness);
    assert!(
        actions.iter().all(|action| matches!(action, Action::Clock(ClockAction::Seek(_)))) && !actions.is_empty(),
        "{actions:?}"
    );
    harness.key_press_modifiers(Modifiers::SHIFT, Key::I);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::SetLoopRange(None))]);
}

#[test]
fn zoom_keys_work_and_overview_shows_while_zoomed() {
    let mut harness = bench(long(), vec2(1280.0, 800.0));
    let strip =
        |harness: &Harness<'static, Bench>| harness.query_by_role_and_label(Role::Slider, "Visible frames").is_some();
    assert!(strip(&harness), "a long file opens on a part of it");
    for (modifiers, key, action) in [
        (Modifiers::COMMAND, Key::Num0, Action::Timeline(TimelineAction::ShowAllFrames)),
        (Modifiers::COMMAND, Key::Equals, Action::Timeline(TimelineAction::FewerFrames)),
        (Modifiers::COMMAND, Key::Minus, Action::Timeline(TimelineAction::MoreFrames)),
        (Modifiers::NONE, Key::Z, Action::Timeline(TimelineAction::ShowClipFrames)),
        (Modifiers::NONE, Key::I, Action::Clock(ClockAction::LoopFromHere)),
        (Modifiers::NONE, Key::O, Action::Clock(ClockAction::LoopToHere)),
        (Modifiers::SHIFT, Key::O, Action::Timeline(TimelineAction::ToggleOnion)),
        (Modifiers::SHIFT, Key::X, Action::Display(DisplayAction::ToggleOverlaysOnTop)),
    ] {
        harness.key_press_modifiers(modifiers, key);
        assert_eq!(taken(&mut harness), std::slice::from_ref(&action));
        if action == Action::Timeline(TimelineAction::ShowAllFrames) {
            assert!(!strip(&harness), "nothing is out of sight");
        }
    }
    assert!(strip(&harness));
    // Arrow keys move the visible range.
    harness.get_by_role_and_label(Role::Slider, "Visible frames").focus();
    harness.run();
    let before = harness.state().session.frames_in_sight().unwrap();
    harness.key_press(Key::ArrowRight);
    harness.run();
    let after = harness.state().session.frames_in_sight().unwrap();
    assert!((after.start - before.start - before.span / 10.0).abs() < 1e-6, "{before:?} {after:?}");
}

#[test]
fn ctrl_wheel_zooms_timeline_about_the_pointer() {
    let mut harness = bench(showing(&[("stand", 100)]), vec2(1280.0, 800.0));
    let ruler = ruler(&harness);
    let at = point_at(ruler, 25.0, 100.0);
    harness.hover_at(at);
    harness.run();
    harness.event(egui::Event::Zoom(1.5));
    harness.run();
    let window = harness.state().session.frames_in_sight().unwrap();
    // Frame 25 stays at a quarter of the window.
    assert!((window.start + window.span / 4.0 - 25.0).abs() < 1e-3, "{window:?}");
    assert!(window.span < 100.0);
}

#[test]
fn transport_offers_rates_speeds_and_onion_skin() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::Seek(10.0)));
    session.apply(range(10, 16));
    let mut harness = bench(session, vec2(1400.0, 800.0));
    assert_eq!(click(&mut harness, Role::Button, "Onion skin"), [Action::Timeline(TimelineAction::ToggleOnion)]);
    click(&mut harness, Role::Button, "Common rates");
    assert_eq!(
        click(&mut harness, Role::MenuItemCheckBox, "24 fps"),
        [Action::Clock(ClockAction::SetRate(Some(24.0)))]
    );
    click(&mut harness, Role::Button, "Common rates");
    assert_eq!(click(&mut harness, Role::MenuItemCheckBox, "From clip"), [Action::Clock(ClockAction::SetRate(None))]);
    click(&mut harness, Role::Button, "Speed");
    click(&mut harness, Role::MenuItem, "Custom…");
    harness.event(egui::Event::Text("0.75".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::SetSpeed(0.75))]);
    click(&mut harness, Role::Button, "Onion skin options");
    click(&mut harness, Role::MenuItem, "Ghosts before: 2");
    let wanted = Onion { on: true, before: 4, ..Onion::default() };
    assert_eq!(click(&mut harness, Role::MenuItemCheckBox, "4"), [Action::Timeline(TimelineAction::SetOnion(wanted))]);
}

/// Returns the painted text and its rectangle.
fn painted(harness: &Harness<'static, Bench>, text: &str) -> Rect {
    let text = harness.output().shapes.iter().find_map(|clipped| match &clipped.shape {
        egui::Shape::Text(shape) if shape.galley.text() == text => Some(shape.visual_bounding_rect()),
        _ => None,
    });
    text.unwrap_or(Rect::NOTHING)
}

#[test]
fn names_of_a_clip_and_of_one_inside_it_are_apart() {
    let mut session = showing(&[("attack", 400)]);
    let entity = session.document.scene.entities()[0].id;
    let mut parts = (*session.asset().unwrap().model).clone().into_parts();
    let clip = |name: &str, first, count| Clip::new(name, first, count, 10.0, ClipSource::FrameNames);
    parts.clips = vec![clip("attack", 0, 400), clip("swing", 5, 60)];
    let asset = ModelAsset { model: Arc::new(Model::new(parts).unwrap()), ..session.asset().unwrap().clone() };
    session.document.scene.replace_edited(entity, asset);
    let harness = bench(session, vec2(1280.0, 800.0));
    let [outer, inner] = ["attack", "swing"].map(|name| painted(&harness, name));
    assert!(outer.is_positive() && inner.is_positive(), "{outer} {inner}");
    assert!(!outer.intersects(inner), "{outer} {inner}");
    assert!(outer.bottom() <= inner.top(), "the outer name is above");
}

#[test]
fn timeline_draws_at_every_size_and_zoom() {
    for mut session in [long(), three(), showing(&[("stand", 1)])] {
        session.apply(range(2, 9));
        for size in [[640.0, 480.0], [300.0, 300.0], [1280.0, 800.0]] {
            let mut harness = bench(std::mem::take(&mut session), egui::Vec2::from(size));
            for action in [
                Action::Timeline(TimelineAction::FewerFrames),
                Action::Timeline(TimelineAction::ShowClipFrames),
                Action::Clock(ClockAction::Seek(1e9)),
                Action::Timeline(TimelineAction::ZoomFrames(1e-9, 3.0)),
            ] {
                harness.state_mut().session.apply(action);
                harness.run();
            }
            harness.run();
            session = std::mem::take(&mut harness.state_mut().session);
        }
    }
}

#[test]
fn default_playback_has_no_range() {
    assert_eq!(Playback::default().range, None);
}

#[test]
fn reversed_clip_loops_through_its_start() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::ChooseClip(ClipChoice::Clip(1))));
    session.apply(Action::Clock(ClockAction::Seek(10.0)));
    session.apply(Action::Clock(ClockAction::Reverse));
    close(session.playback().speed, -1.0);
    assert!(!session.is_playing(), "what is paused stays paused");
    session.apply(Action::Clock(ClockAction::TogglePlay));
    close(advanced(&mut session, 0.15), 8.5);
    // In flip (8–13), half a frame before the start is between 13 and 8.
    advanced(&mut session, 0.1);
    let blend = session.playback().blend(session.document.track().unwrap().model());
    assert_eq!((blend.from, blend.to), (13, 8));
    close(advanced(&mut session, 0.15), 12.0);
    session.apply(Action::Clock(ClockAction::Faster));
    close(session.playback().speed, -1.5);
    session.apply(Action::Clock(ClockAction::Reverse));
    close(advanced(&mut session, 0.02), 12.3);
    for (typed, speed) in [(-1.0, -1.0), (-100.0, -8.0), (-0.001, -0.05), (f64::NAN, -0.05)] {
        session.apply(Action::Clock(ClockAction::SetSpeed(typed)));
        close(session.playback().speed, speed);
    }
}

#[test]
fn reversed_once_clip_stops_on_first_frame() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::Seek(10.0)));
    session.apply(Action::Clock(ClockAction::SetRepeat(Repeat::Once)));
    session.apply(Action::Clock(ClockAction::SetSpeed(-2.0)));
    session.apply(Action::Clock(ClockAction::TogglePlay));
    close(advanced(&mut session, 5.0), 8.0);
    assert!(!session.is_playing());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    close(shown(&session), 13.0);
    close(advanced(&mut session, 5.0), 8.0);
    // Reversed at its end, playback continues in the other direction.
    session.apply(Action::Clock(ClockAction::Reverse));
    assert!(session.is_playing());
    close(advanced(&mut session, 0.1), 10.0);
}

#[test]
fn reversed_ping_pong_stays_within_range() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::Seek(12.0)));
    session.apply(range(10, 16));
    session.apply(Action::Clock(ClockAction::SetSpeed(-1.0)));
    session.apply(Action::Clock(ClockAction::TogglePlay));
    close(advanced(&mut session, 0.2), 10.0);
    close(advanced(&mut session, 0.1), 16.0);
    session.apply(Action::Clock(ClockAction::SetRepeat(Repeat::PingPong)));
    for _ in 0..50 {
        let frame = advanced(&mut session, 0.13);
        assert!((10.0..=16.0).contains(&frame), "{frame}");
    }
}

#[test]
fn clip_change_keeps_paused_or_playing_state() {
    let mut session = three();
    assert!(!session.is_playing());
    session.apply(Action::Clock(ClockAction::ChooseClip(ClipChoice::Clip(2))));
    session.apply(Action::Clock(ClockAction::NextClip));
    session.apply(Action::Clock(ClockAction::Seek(9.0)));
    assert!(!session.is_playing());
    let entity = session.document.track().unwrap().id;
    session.apply(Action::Clock(ClockAction::PlayClip(entity.into(), ClipChoice::Clip(1))));
    assert!(session.is_playing());
    session.apply(Action::Clock(ClockAction::NextClip));
    assert!(session.is_playing());
    // A clip that reached its end does not count as paused.
    session.apply(Action::Clock(ClockAction::SetRepeat(Repeat::Once)));
    advanced(&mut session, 10.0);
    assert!(!session.is_playing());
    session.apply(Action::Clock(ClockAction::PreviousClip));
    assert!(session.is_playing());
}

#[test]
fn scrubbing_snaps_to_frames_unless_shift_is_held() {
    let mut harness = bench(three(), vec2(1280.0, 800.0));
    let ruler = ruler(&harness);
    let seeks = |harness: &mut Harness<'static, Bench>| -> Vec<f64> {
        let frame = |action| match action {
            Action::Clock(ClockAction::Seek(frame)) => Some(frame),
            _ => None,
        };
        taken(harness).into_iter().filter_map(frame).collect()
    };
    harness.drag_at(point_at(ruler, 10.4, 24.0));
    harness.run();
    harness.hover_at(point_at(ruler, 15.6, 24.0));
    harness.drop_at(point_at(ruler, 15.6, 24.0));
    let frames = seeks(&mut harness);
    assert!(!frames.is_empty() && frames.iter().all(|frame| frame.fract() == 0.0), "{frames:?}");
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::SHIFT,
    };
    harness.event_modifiers(egui::Event::PointerMoved(point_at(ruler, 10.0, 24.0)), Modifiers::SHIFT);
    harness.event_modifiers(button(point_at(ruler, 10.0, 24.0), true), Modifiers::SHIFT);
    harness.event_modifiers(egui::Event::PointerMoved(point_at(ruler, 18.5, 24.0)), Modifiers::SHIFT);
    harness.event_modifiers(button(point_at(ruler, 18.5, 24.0), false), Modifiers::SHIFT);
    let last = *seeks(&mut harness).last().unwrap();
    assert!(last.fract() > 0.1 && (last - 18.5).abs() < 1.0, "{last}");
}

#[test]
fn quick_drag_ends_at_release_position() {
    let mut harness = bench(three(), vec2(1280.0, 800.0));
    let ruler = ruler(&harness);
    let track = harness.get_by_role_and_label(Role::Group, "Clips").rect();
    for height in [ruler.bottom() - 3.0, track.center().y] {
        let at = |frame: f32| pos2(point_at(ruler, frame, 24.0).x, height);
        let button = |pos, pressed| egui::Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        harness.hover_at(at(3.5));
        harness.event(button(at(3.5), true));
        harness.step();
        // Move and release arrive in one frame, and the pointer leaves before the next.
        harness.input_mut().events.extend([
            egui::Event::PointerMoved(at(19.2)),
            button(at(19.2), false),
            egui::Event::PointerGone,
        ]);
        harness.step();
        harness.run();
        close(shown(&harness.state().session), 19.0);
    }
}

#[test]
fn clicking_clip_outside_range_clears_the_range() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::Seek(9.0)));
    session.apply(range(9, 12));
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let ruler = ruler(&harness);
    let track = harness.get_by_role_and_label(Role::Group, "Clips").rect();
    let mut click_at = |frame: f32| {
        let at = pos2(point_at(ruler, frame, 24.0).x, track.center().y);
        harness.drag_at(at);
        harness.run();
        harness.drop_at(at);
        harness.run();
        harness.state().session.playback().range
    };
    assert!(click_at(13.5).is_some(), "flip holds the range");
    assert_eq!(click_at(2.5), None);
}

#[test]
fn framing_covers_whole_chosen_clip_while_paused() {
    let mut session = three();
    let distance = |session: &mut Session, clip: usize| {
        session.apply(Action::Clock(ClockAction::ChooseClip(ClipChoice::Clip(clip))));
        session.refresh();
        session.frame_model();
        let frames = session.view.camera.clip_from_view(1.0, 100.0) * session.view.camera.view_from_world();
        let clip = session.document.track().unwrap().clip();
        for frame in clip.first..clip.end() {
            session.apply(Action::Clock(ClockAction::Seek(f64::from(frame))));
            session.refresh();
            for point in session.points() {
                let projected = frames.project_point3(point);
                assert!(projected.x.abs() <= 1.0 && projected.y.abs() <= 1.0, "{frame}: {projected}");
            }
        }
        session.view.camera.distance
    };
    // Flip moves five units, salute nine.
    let (flip, salute) = (distance(&mut session, 1), distance(&mut session, 2));
    assert!(salute > flip, "{salute} {flip}");
}

#[test]
fn range_ends_can_be_typed() {
    let mut session = three();
    session.apply(range(10, 16));
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let mut typed = |name: &str, text: &str| {
        click(&mut harness, Role::SpinButton, name);
        harness.event(egui::Event::Text(text.to_owned()));
        harness.run();
        harness.key_press(Key::Enter);
        taken(&mut harness)
    };
    assert_eq!(typed("Loop start", "3"), [range(3, 16)]);
    assert_eq!(typed("Loop end", "500"), [range(3, 23)], "the file's last frame");
    assert_eq!(typed("Loop end", "1"), [range(1, 3)], "in either order");
}

#[test]
fn frame_label_counts_within_clip() {
    let mut harness = bench(three(), vec2(1600.0, 800.0));
    let mut shows_at = |frame: f64, text: &str| {
        harness.state_mut().session.apply(Action::Clock(ClockAction::Seek(frame)));
        harness.run();
        harness.query_by_role_and_label(Role::Label, text).is_some()
    };
    assert!(shows_at(18.0, "loop (from clip) · 5 of 10 in clip"), "salute begins at 14");
    assert!(!shows_at(3.0, "loop (from clip) · 4 of 8 in clip"), "both count alike");
}

#[test]
fn frame_counter_rounds_down_between_frames() {
    let mut session = three();
    session.apply(Action::Clock(ClockAction::Seek(14.97)));
    session.refresh();
    let mut harness = bench(session, vec2(1600.0, 800.0));
    let counter = |harness: &Harness<'static, Bench>| harness.get_by_role_and_label(Role::SpinButton, "Frame").value();
    assert_eq!(counter(&harness), Some("14.9".to_owned()));
    harness.state_mut().session.apply(Action::Clock(ClockAction::TogglePlay));
    harness.step();
    assert_eq!(counter(&harness), Some("14".to_owned()), "whole while it plays");
}

#[test]
fn single_frame_clip_shows_no_end_behaviour() {
    let mut harness = bench(showing(&[("stand", 8), ("point", 1)]), vec2(1600.0, 800.0));
    harness.state_mut().session.apply(Action::Clock(ClockAction::ChooseClip(ClipChoice::Clip(1))));
    harness.run();
    assert!(harness.query_by_label_contains("in clip").is_none());
    assert!(harness.query_by_label_contains("holds last frame").is_none());
}
