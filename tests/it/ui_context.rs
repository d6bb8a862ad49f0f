//! Context menus, multiple selection, and confirmation of copies.

use egui::{Key, Modifiers, PointerButton, Pos2, Role, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette_assets::open::open_sample;
use maquette_core::model::Format;
use maquette_scene::session::{
    Action, CameraAction, ClockAction, Effect, FileAction, FilePrompt, SceneAction, Selection, Session, WindowAction,
};

use crate::support::loading::act;
use crate::support::panels::{Bench, bench, click, taken};

const SIZE: Vec2 = vec2(1280.0, 800.0);

fn session(format: Format) -> Session {
    let mut session = Session::default();
    session.show(open_sample(format).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session
}

fn name(session: &Session, surface: usize) -> String {
    session.entity().unwrap().surface_name(surface)
}

/// Clicks a row with modifier keys.
fn click_with(harness: &mut Harness<'static, Bench>, surface: usize, modifiers: Modifiers) -> Vec<Action> {
    let name = name(&harness.state().session, surface);
    harness.get_by_role_and_label(Role::ListItem, &name).click_modifiers(modifiers);
    taken(harness)
}

fn right_click(harness: &mut Harness<'static, Bench>, role: Role, name: &str) -> Vec<Action> {
    harness.get_by_role_and_label(role, name).click_secondary();
    taken(harness)
}

fn selected(harness: &Harness<'static, Bench>) -> Vec<usize> {
    harness.state().session.document.selected_surfaces()
}

fn last_note(harness: &Harness<'static, Bench>) -> String {
    harness.state().session.interface.notes.last().map(|note| note.text.clone()).unwrap_or_default()
}

fn copied(text: &str) -> Vec<Action> {
    vec![Action::Window(WindowAction::Copied(text.to_owned()))]
}

fn has(harness: &Harness<'static, Bench>, text: &str) -> bool {
    harness.query_all_by_label(text).next().is_some()
}

#[test]
fn copying_click_is_confirmed_in_tooltip_and_status() {
    let mut harness = bench(session(Format::Md3), SIZE);
    let surfaces = harness.state().session.asset().unwrap().model.clone();
    let shown = surfaces.surfaces().iter().filter(|surface| surface.lod == 0);
    let count: usize = shown.map(|surface| surface.triangles.len()).sum();
    let shown = maquette::ui::format::count(count);
    assert!(!has(&harness, "Copied"));
    assert_eq!(click(&mut harness, Role::Label, &format!("Triangles: {shown}")), copied(&shown));
    assert!(has(&harness, "Copied"), "the tooltip says so");
    assert_eq!(last_note(&harness), format!("Copied {shown}"));
    harness.state_mut().session.apply(Action::Window(WindowAction::Copied("a\nb\nc".to_owned())));
    assert_eq!(last_note(&harness), "Copied 3 lines");
}

#[test]
fn ctrl_and_shift_select_several_listed_surfaces() {
    let mut harness = bench(session(Format::Md3), SIZE);
    click_with(&mut harness, 1, Modifiers::NONE);
    click_with(&mut harness, 3, Modifiers::SHIFT);
    assert_eq!(selected(&harness), [1, 2, 3], "the one selected first comes first");
    click_with(&mut harness, 2, Modifiers::COMMAND);
    assert_eq!(selected(&harness), [1, 3]);
    click_with(&mut harness, 0, Modifiers::COMMAND);
    assert_eq!(selected(&harness), [0, 1, 3]);
    click_with(&mut harness, 3, Modifiers::NONE);
    assert_eq!(selected(&harness), [3], "a plain click selects one surface");
    click_with(&mut harness, 3, Modifiers::NONE);
    assert_eq!(selected(&harness), [0_usize; 0], "and then none");
    click_with(&mut harness, 2, Modifiers::SHIFT);
    assert_eq!(selected(&harness), [2], "Shift without a selection selects one surface");
}

#[test]
fn surface_commands_apply_to_selection_in_one_step() {
    let mut session = session(Format::Md3);
    let shown = |session: &Session| session.entity().unwrap().visible[..4].to_vec();
    session.apply(Action::Scene(SceneAction::SelectSurfaces(vec![2, 1])));
    session.apply(Action::Scene(SceneAction::ToggleChosenSurface));
    assert_eq!(shown(&session), [true, false, false, true]);
    assert_eq!(session.document.history.undoable(), Some("Toggle visibility of surfaces"));
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(shown(&session), [true; 4]);
    session.apply(Action::Scene(SceneAction::ShowOnlyChosen));
    assert_eq!(shown(&session), [false, true, true, false]);
    assert_eq!(session.document.history.undoable(), Some("Isolate surfaces"));
    session.apply(Action::Scene(SceneAction::ShowAllSurfaces));
    // If one of the surfaces is hidden, the action hides all of them first.
    session.apply(Action::Scene(SceneAction::ShowSurface(1, false)));
    session.apply(Action::Scene(SceneAction::ToggleChosenSurface));
    assert_eq!(shown(&session), [true, false, false, true]);
    let effect = session.apply(Action::Scene(SceneAction::TryTexture("x/red.tga".into())));
    assert!(matches!(effect, Some(Effect::Load(job)) if job.path.ends_with("x/red.tga")));
    assert_eq!(session.document.selected_surfaces(), [2, 1]);
    assert_eq!(session.document.chosen_surface_name().as_deref(), Some("2 surfaces"));
}

#[test]
fn texture_is_set_on_selected_surfaces_only() {
    let folder = tempfile::tempdir().unwrap();
    let red = folder.path().join("red.png");
    image::RgbaImage::from_pixel(4, 4, image::Rgba([255, 0, 0, 255])).save(&red).unwrap();
    let mut session = session(Format::Md3);
    session.apply(Action::Scene(SceneAction::SelectSurfaces(vec![0, 3])));
    act(&mut session, Action::Scene(SceneAction::TryTexture(red)));
    let tried: Vec<usize> = session.entity().unwrap().overrides.keys().copied().collect();
    assert_eq!(tried, [0, 3]);
    assert_eq!(session.document.history.undoable(), Some("Set textures"));
    assert_eq!(session.interface.notes.last().unwrap().text, "red.png applied to 2 surfaces");
}

#[test]
fn surface_selection_survives_reload() {
    let mut session = session(Format::Md3);
    session.apply(Action::Scene(SceneAction::SelectSurfaces(vec![3, 1])));
    let (id, part) = (session.entity().unwrap().id, session.asset().unwrap().clone());
    session.replace(vec![(id, part)]);
    assert_eq!(session.document.selected_surfaces(), [3, 1]);
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(2))));
    assert_eq!(session.document.selected_surfaces(), [2]);
}

#[test]
fn right_click_selects_surface_and_menu_uses_selection() {
    let mut harness = bench(session(Format::Md3), SIZE);
    let row = name(&harness.state().session, 1);
    let select = right_click(&mut harness, Role::ListItem, &row);
    assert_eq!(select, [Action::Scene(SceneAction::Select(Selection::Surface(1)))]);
    assert_eq!(click(&mut harness, Role::MenuItem, "Copy name"), copied(&row));
    let path = harness.state().session.entity().unwrap().materials()[1].name.clone();
    right_click(&mut harness, Role::ListItem, &row);
    assert_eq!(click(&mut harness, Role::MenuItem, "Copy shader path"), copied(&path));
    right_click(&mut harness, Role::ListItem, &row);
    assert_eq!(
        click(&mut harness, Role::MenuItem, "Set texture…"),
        [Action::File(FileAction::Ask(FilePrompt::TryTexture))]
    );
    // The sample uses one texture on all surfaces.
    right_click(&mut harness, Role::ListItem, &row);
    click(&mut harness, Role::MenuItem, "Select same texture");
    let all = harness.state().session.asset().unwrap().model.surfaces().iter().filter(|one| one.lod == 0).count();
    assert_eq!((selected(&harness).len(), selected(&harness)[0]), (all, 1));
    let actions = right_click(&mut harness, Role::ListItem, &row);
    assert_eq!(actions, [], "one of those selected keeps the others");
    assert_eq!(click(&mut harness, Role::MenuItem, "Hide"), [Action::Scene(SceneAction::ToggleChosenSurface)]);
    assert!(!harness.state().session.entity().unwrap().visible[..all].contains(&true));
}

#[test]
fn viewport_right_click_opens_menu_and_right_drag_zooms() {
    let mut harness = bench(session(Format::Md3), SIZE);
    let viewport = harness.state().viewport;
    let corner = viewport.left_bottom() + vec2(20.0, -20.0);
    press(&mut harness, corner, corner);
    assert_eq!(taken(&mut harness), [], "nothing lies there");
    assert!(!has(&harness, "Isolate"));
    assert_eq!(click(&mut harness, Role::MenuItem, "Frame all"), [Action::Camera(CameraAction::FrameModel)]);
    press(&mut harness, viewport.center(), viewport.center());
    let picked = taken(&mut harness);
    assert!(matches!(picked.as_slice(), [Action::Camera(CameraAction::PickAt(_))]), "{picked:?}");
    assert_eq!(selected(&harness).len(), 1);
    assert_eq!(click(&mut harness, Role::MenuItem, "Isolate"), [Action::Scene(SceneAction::ShowOnlyChosen)]);
    press(&mut harness, corner, corner - vec2(0.0, 60.0));
    let zoomed = taken(&mut harness);
    assert!(zoomed.iter().all(|action| matches!(action, Action::Camera(CameraAction::Zoom(..)))), "{zoomed:?}");
    assert!(!zoomed.is_empty());
    assert!(harness.query_by_role_and_label(Role::MenuItem, "Frame all").is_none(), "a drag opens no menu");
}

/// Presses the right button at `from` and releases it at `to`.
fn press(harness: &mut Harness<'static, Bench>, from: Pos2, to: Pos2) {
    harness.hover_at(from);
    harness.run();
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: PointerButton::Secondary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    harness.event(button(from, true));
    harness.run();
    if from != to {
        harness.hover_at(to);
        harness.run();
    }
    harness.event(button(to, false));
    harness.run();
}

#[test]
fn ctrl_click_in_viewport_toggles_surface_selection() {
    let mut session = session(Format::Md3);
    session.view.aspect = 1.0;
    session.apply(Action::Camera(CameraAction::FrameModel));
    let hit = session.pick(glam::Vec2::ZERO).unwrap().surface;
    let other = (0..4).find(|other| *other != hit).unwrap();
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(other))));
    session.apply(Action::Camera(CameraAction::PickMore(glam::Vec2::ZERO)));
    assert_eq!(session.document.selected_surfaces(), [hit, other]);
    session.apply(Action::Camera(CameraAction::PickMore(glam::vec2(0.0, 5.0))));
    assert_eq!(session.document.selected_surfaces(), [hit, other], "nothing lies there");
    session.apply(Action::Camera(CameraAction::PickMore(glam::Vec2::ZERO)));
    assert_eq!(session.document.selected_surfaces(), [other]);
}

#[test]
fn tag_menu_copies_position_and_attaches_models() {
    let mut harness = bench(session(Format::Md3), SIZE);
    let (tag, frame) = {
        let entity = harness.state().session.entity().unwrap();
        (entity.model().tags()[0].clone(), entity.pose.tags[0])
    };
    harness.get_by_role_and_label(Role::ListItem, &tag).scroll_to_me();
    harness.run();
    right_click(&mut harness, Role::ListItem, &tag);
    let asked = click(&mut harness, Role::MenuItem, "Attach model…");
    assert!(matches!(asked.as_slice(), [Action::File(FileAction::Ask(FilePrompt::Attach(_)))]), "{asked:?}");
    right_click(&mut harness, Role::ListItem, &tag);
    let at = frame.translation;
    let position = format!("{} {} {}", at.x, at.y, at.z);
    assert_eq!(click(&mut harness, Role::MenuItem, "Copy position"), copied(&position));
    right_click(&mut harness, Role::ListItem, &tag);
    match click(&mut harness, Role::MenuItem, "Copy position and angles").as_slice() {
        [Action::Window(WindowAction::Copied(text))] => {
            assert!(text.starts_with(&format!("{position} ")) && text.split(' ').count() == 6, "{text}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_opening_listed_file_keeps_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, std::fs::read("assets/sample/umber.md3").unwrap()).unwrap();
        path
    };
    let (a, b) = (write("list/one/a.md3"), write("list/two/b.md3"));
    let (c, d, e) = (write("other/c.md3"), write("more/d.md3"), write("more/e.md3"));
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().join("list")])));
    assert_eq!(*session.model_list, [a.clone(), b.clone()]);
    act(&mut session, Action::File(FileAction::Drop(vec![b.clone()])));
    assert_eq!(*session.model_list, [a.clone(), b.clone()]);
    assert_eq!(session.requested_path.as_ref(), Some(&b), "it is the one selected there");
    act(&mut session, Action::File(FileAction::Open(vec![c.clone()])));
    assert_eq!(*session.model_list, *std::slice::from_ref(&c), "the list is that of its folder");
    assert_eq!(session.asset().unwrap().file.as_ref(), Some(&c));
    act(&mut session, Action::File(FileAction::Open(vec![d.clone()])));
    assert_eq!(*session.model_list, [d.clone(), e.clone()]);
    // A list that came with a file is replaced when another file opens.
    act(&mut session, Action::File(FileAction::Open(vec![c.clone()])));
    assert_eq!(*session.model_list, *std::slice::from_ref(&c));
    session.interface.panels.files = false;
    act(&mut session, Action::File(FileAction::ListFolder(d.clone())));
    assert_eq!((&*session.model_list, session.interface.panels.files), ([d, e].as_slice(), true));
    assert_eq!(session.asset().unwrap().file.as_ref(), Some(&c), "what is shown stays");
}

#[test]
fn empty_file_list_offers_open_folder() {
    let mut start = session(Format::Md3);
    start.interface.panels.files = true;
    let mut harness = bench(start, SIZE);
    if harness.query_by_role_and_label(Role::Button, "Open folder…").is_none() {
        harness.get_by_role_and_label(Role::Tab, "Files").click();
        harness.run();
    }
    let asked = click(&mut harness, Role::Button, "Open folder…");
    assert_eq!(asked, [Action::File(FileAction::Ask(FilePrompt::OpenFolder))]);
}

#[test]
fn shortcut_conflict_is_reported_and_undoable() {
    let mut harness = bench(session(Format::Md3), SIZE);
    harness.key_press(Key::F1);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Change shortcut of Bounds").scroll_to_me();
    harness.run();
    click(&mut harness, Role::Button, "Change shortcut of Bounds");
    harness.key_press(Key::N);
    taken(&mut harness);
    assert!(has(&harness, "N was Vertex normals, which now has no shortcut"));
    assert_eq!(
        click(&mut harness, Role::Button, "Undo"),
        [
            Action::Window(WindowAction::SetKeys("display.bounds", "X".to_owned())),
            Action::Window(WindowAction::SetKeys("display.vertex-normals", "N".to_owned()))
        ]
    );
    assert!(!harness.state().session.preferences.keys.has_own());
    assert!(!has(&harness, "N was Vertex normals, which now has no shortcut"));
}

#[test]
fn clearing_shortcut_filter_keeps_focus() {
    let mut harness = bench(session(Format::Md3), SIZE);
    harness.key_press(Key::F1);
    harness.run();
    harness.get_by_role_and_label(Role::MenuItem, "Command palette…").scroll_to_me();
    harness.run();
    let field = |harness: &Harness<'static, Bench>| {
        let field = harness.get_by_role_and_label(Role::TextInput, "Search commands and keys");
        (field.is_focused(), field.value())
    };
    harness.get_by_role_and_label(Role::TextInput, "Search commands and keys").type_text("frame");
    harness.run();
    let first = harness.get_by_role_and_label(Role::Heading, "View").rect().top();
    let input = harness.get_by_role_and_label(Role::TextInput, "Search commands and keys").rect().bottom();
    assert!(first >= input, "{first} {input}");
    click(&mut harness, Role::Button, "Clear filter");
    assert_eq!(field(&harness), (true, Some(String::new())));
}

#[test]
fn viewport_buttons_keep_labels_between_both_panels() {
    let mut start = session(Format::Md3);
    start.interface.panels.files = true;
    // The harness has a margin of 8 on each side.
    let harness = bench(start, SIZE + vec2(16.0, 16.0));
    let wide = |name: &str| harness.get_by_role_and_label(Role::Button, name).rect().width() > 40.0;
    // The last button loses its label first.
    for switch in ["Grid", "Wireframe", "Vertex normals", "Tags", "Joints"] {
        assert!(wide(switch), "{switch}");
    }
    // The width fits “Textured” with icon and arrow.
    assert!(harness.get_by_role_and_label(Role::Button, "Shading").rect().width() > 80.0);
    assert!(harness.state().viewport.width() < 800.0);
}

#[test]
fn section_state_is_restored_in_next_session() {
    let is_open = |harness: &Harness<'static, Bench>, title: &str| {
        let heading = harness.get_by_role_and_label(Role::DisclosureTriangle, title);
        heading.accesskit_node().data().is_expanded()
    };
    let mut harness = bench(session(Format::Md5), SIZE);
    assert_eq!((is_open(&harness, "Model"), is_open(&harness, "Joints")), (Some(true), Some(false)));
    click(&mut harness, Role::DisclosureTriangle, "Model");
    // A section opened by a selection is not saved.
    harness.state_mut().session.apply(Action::Scene(SceneAction::Select(Selection::Joint(1))));
    harness.run();
    assert_eq!(is_open(&harness, "Joints"), Some(true));
    let mut next = session(Format::Md5);
    next.apply_preferences(harness.state().session.current_preferences());
    let harness = bench(next, SIZE);
    assert_eq!((is_open(&harness, "Model"), is_open(&harness, "Joints")), (Some(false), Some(false)));
}

#[test]
fn unsupported_files_are_listed_and_counted_below_the_models() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = std::fs::read("assets/sample/umber.md3").unwrap();
    for name in ["a.md3", "b.md3", "x.skd", "y.SKD", "z.md4", "notes.txt"] {
        std::fs::write(folder.path().join(name), &bytes).unwrap();
    }
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().to_path_buf()])));
    let mut harness = bench(session, SIZE);
    assert!(has(&harness, "3 files of 2 formats are not supported: 1 MD4, 2 SKD"));
    assert!(has(&harness, "x.skd, Medal of Honor mesh") && has(&harness, "z.md4, MD4 model"));
    // A filter applies only to listed models.
    harness.get_by_role_and_label(Role::TextInput, "Filter 2 models").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Filter 2 models").type_text("a.md3");
    harness.run();
    assert!(!has(&harness, "x.skd, Medal of Honor mesh"));
}
