//! Model list: order, tree, filter, and navigation.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, Role, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use image::{Rgba, RgbaImage};
use maquette::ui::Thumbnail;
use maquette_assets::open::{ModelTree, Node, open_sample, sort_models};
use maquette_core::model::Format;
use maquette_scene::scene::ColourTheme;
use maquette_scene::session::{Action, ClockAction, FileAction, Session};

use crate::support::panels::{Bench, bench, taken};

fn sorted(paths: &[&str]) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    sort_models(&mut paths);
    paths
}

/// Formats rows as lines: dashes for the depth, `+` before folders, `*` before archives.
fn lines(models: &[PathBuf], filter: &str, folded: &[&str]) -> Vec<String> {
    let tree = ModelTree::new(models);
    let folded: HashSet<PathBuf> = folded.iter().map(PathBuf::from).collect();
    let line = |node: &Node| match node {
        Node::Folder(folder) => {
            let kind = if folder.is_archive { '*' } else { '+' };
            format!("{}{kind}{} {}", "-".repeat(folder.depth), folder.name, folder.models)
        }
        Node::Model { index, depth } => {
            format!("{}{}", "-".repeat(*depth), models[*index].file_name().unwrap().display())
        }
    };
    tree.rows(models, filter, &folded, |_| true).into_iter().map(|row| line(&tree.nodes()[row])).collect()
}

#[test]
fn model_paths_sort_in_natural_order() {
    let wanted = [
        "/x/A2.md3",
        "/x/a10.md3",
        "/x/B.md3",
        "/x/walker.md3",
        "/x/walker_1.md3",
        "/x/Sarge/head.md3",
        "/x/sarge/head.md3",
        "/x/sarge/lower.md3",
        "/x/sarge 2/head.md3",
        "/x/sarge 10/head.md3",
    ];
    let mut given = wanted;
    given.reverse();
    assert_eq!(sorted(&given), wanted.map(PathBuf::from));
    assert_eq!(sorted(&["/a.md3", "/a.md3"]).len(), 1, "each path once");
    assert_eq!(sorted(&["/a01.md3", "/a1.md3", "/a001.md3"]).len(), 3);
}

#[test]
fn folder_lists_own_models_before_subfolders() {
    let models = sorted(&["/g/b/y.md3", "/g/z.md3", "/g/b/c/deep.md3", "/g/a/x.md3"]);
    assert_eq!(lines(&models, "", &[]), ["z.md3", "+a 1", "-x.md3", "+b 2", "-y.md3", "-+c 1", "--deep.md3"]);
    assert_eq!(ModelTree::new(&models).root(), Path::new("/g"));
}

#[test]
fn single_folder_chain_collapses_into_one_row() {
    let models = sorted(&["/g/models/turrets/old/a.md3", "/g/models/turrets/old/b.md3", "/g/other/c.md3"]);
    assert_eq!(lines(&models, "", &[]), ["+models/turrets/old 2", "-a.md3", "-b.md3", "+other 1", "-c.md3"]);
}

#[test]
fn archive_always_gets_its_own_tree_row() {
    let models = sorted(&["/g/data.pk3/models/turrets/a.md3", "/g/data.pk3/models/ctf/flags/b.md3"]);
    assert_eq!(
        lines(&models, "", &[]),
        ["*data.pk3 2", "-+models 2", "--+ctf/flags 1", "---b.md3", "--+turrets 1", "---a.md3"]
    );
    assert_eq!(ModelTree::new(&models).root(), Path::new("/g"));
    let models = sorted(&["/g/base/pak.pk3dir/models/a.md3", "/g/sub/x.PAK/a.md2", "/g/sub/x.PAK/b.md2"]);
    assert_eq!(
        lines(&models, "", &[]),
        ["+base 1", "-*pak.pk3dir 1", "--+models 1", "---a.md3", "+sub 2", "-*x.PAK 2", "--a.md2", "--b.md2"]
    );
}

#[test]
fn single_folder_list_shows_no_folder_rows() {
    let models = sorted(&["/g/a.md3", "/g/b.md3"]);
    assert_eq!(lines(&models, "", &[]), ["a.md3", "b.md3"]);
    assert!(lines(&[], "", &[]).is_empty());
    assert_eq!(lines(&sorted(&["alone.md3"]), "", &[]), ["alone.md3"]);
}

#[test]
fn filter_requires_every_word_below_the_root() {
    let models =
        sorted(&["/games/q3/players/Sarge/head.md3", "/games/q3/players/major/head.md3", "/games/q3/items/sarge.md3"]);
    assert_eq!(lines(&models, "SARGE", &[]), ["+items 1", "-sarge.md3", "+players 2", "-+Sarge 1", "--head.md3"]);
    assert_eq!(lines(&models, " head  sar", &[]), ["+players 2", "-+Sarge 1", "--head.md3"]);
    assert_eq!(lines(&models, "players/major", &[]), ["+players 2", "-+major 1", "--head.md3"]);
    assert!(lines(&models, "games", &[]).is_empty(), "the root itself is not searched");
}

#[test]
fn folded_folder_hides_its_children() {
    let models = sorted(&["/g/a/x.md3", "/g/a/b/y.md3", "/g/c/z.md3"]);
    assert_eq!(lines(&models, "", &["/g/a"]), ["+a 2", "+c 1", "-z.md3"]);
    assert_eq!(lines(&models, "y", &["/g/a/b"]), ["+a 2", "-+b 1"]);
}

#[test]
fn model_stepping_follows_tree_order() {
    let models = sorted(&["/g/b/y.md3", "/g/z.md3", "/g/b/c/deep.md3", "/g/a/x.md3", "/g/p.pk3/m/a.md3"]);
    let tree = ModelTree::new(&models);
    let order: Vec<usize> = tree
        .nodes()
        .iter()
        .filter_map(|node| if let Node::Model { index, .. } = node { Some(*index) } else { None })
        .collect();
    assert_eq!(order, [0, 1, 2, 3, 4]);
    // A list that is not in tree order keeps its order.
    let mixed: Vec<PathBuf> = ["/g/a/1.md3", "/g/b/2.md3", "/g/a/3.md3"].map(PathBuf::from).into();
    assert_eq!(lines(&mixed, "", &[]), ["+a 1", "-1.md3", "+b 1", "-2.md3", "+a 1", "-3.md3"]);
}

#[test]
fn tree_returns_ancestor_folders_of_a_model() {
    let models = sorted(&["/g/a/x.md3", "/g/b/y.md3", "/g/b/c/deep.md3"]);
    let tree = ModelTree::new(&models);
    let index = models.iter().position(|model| model.ends_with("deep.md3")).unwrap();
    let around: Vec<&str> = tree.folders_of(index).map(|folder| folder.name.as_str()).collect();
    assert_eq!(around, ["b", "c"]);
    assert_eq!(tree.folders_of(0).count(), 1);
}

fn browsing(models: &[&str], size: Vec2) -> Harness<'static, Bench> {
    let mut session = Session::default();
    session.interface.theme = Some(ColourTheme::Dark);
    session.show(open_sample(Format::Md3).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session.interface.panels.files = true;
    session.model_list = sorted(models).into();
    bench(session, size)
}

const LARGE: Vec2 = vec2(1280.0, 800.0);
const MODELS: [&str; 4] = ["/g/a/one.md3", "/g/a/two.md3", "/g/data.pk3/models/three.md2", "/g/zero.md5mesh"];

fn shown(harness: &Harness<'static, Bench>) -> Vec<String> {
    let models = harness.get_all_by_role(Role::ListItem).filter_map(|node| node.accesskit_node().label());
    models.filter(|name| name.contains(".md")).collect()
}

fn show(path: &str) -> Action {
    Action::File(FileAction::Show(PathBuf::from(path)))
}

#[test]
fn clicking_model_row_shows_it_and_folders_fold() {
    let mut harness = browsing(&MODELS, LARGE);
    assert_eq!(shown(&harness), ["zero.md5mesh", "one.md3", "two.md3", "three.md2"]);
    harness.get_by_role_and_label(Role::ListItem, "two.md3").click();
    assert_eq!(taken(&mut harness), [show("/g/a/two.md3")]);
    harness.get_by_role_and_label(Role::DisclosureTriangle, "data.pk3").click();
    harness.run();
    assert_eq!(shown(&harness), ["zero.md5mesh", "one.md3", "two.md3"]);
    // Opening the model in another way unfolds its folder.
    harness.state_mut().session.apply(Action::File(FileAction::Show(PathBuf::from("/g/data.pk3/models/three.md2"))));
    harness.run();
    harness.run();
    assert_eq!(shown(&harness).len(), 4);
    let row = harness.get_by_role_and_label(Role::ListItem, "three.md2");
    assert_eq!(row.accesskit_node().is_selected(), Some(true));
}

#[test]
fn filter_typing_narrows_list_and_arrows_step_matches() {
    let mut harness = browsing(&MODELS, LARGE);
    harness.get_by_role_and_label(Role::TextInput, "Filter 4 models").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Filter 4 models").type_text("T MD");
    harness.run();
    assert_eq!(shown(&harness), ["two.md3", "three.md2"]);
    harness.key_press(Key::Enter);
    assert_eq!(taken(&mut harness), [show("/g/a/two.md3")]);
    harness.get_by_role_and_label(Role::TextInput, "Filter 4 models").focus();
    harness.run();
    harness.key_press(Key::ArrowDown);
    assert_eq!(taken(&mut harness), [show("/g/data.pk3/models/three.md2")]);
    harness.key_press(Key::ArrowDown);
    assert_eq!(taken(&mut harness), [], "the end is the end");
    harness.key_press(Key::ArrowUp);
    assert_eq!(taken(&mut harness), [show("/g/a/two.md3")]);
    // Outside text fields, the keys for the next and previous model also step.
    harness.key_press(Key::Tab);
    harness.run();
    harness.key_press(Key::PageDown);
    assert_eq!(taken(&mut harness), [show("/g/data.pk3/models/three.md2")]);
    harness.key_press(Key::PageDown);
    assert_eq!(taken(&mut harness), []);
    // A new list starts with an empty filter.
    harness.state_mut().session.model_list = sorted(&["/h/a.md2", "/h/b.md2"]).into();
    harness.run();
    assert_eq!(shown(&harness), ["a.md2", "b.md2"]);
}

#[test]
fn clicked_list_takes_arrow_up_and_down_only() {
    let mut harness = browsing(&MODELS, LARGE);
    harness.key_press(Key::ArrowDown);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::NextClip)], "at first they are the clock's");
    harness.get_by_role_and_label(Role::ListItem, "one.md3").click();
    harness.run();
    harness.state_mut().actions.clear();
    harness.key_press(Key::ArrowDown);
    assert_eq!(taken(&mut harness), [show("/g/a/two.md3")]);
    harness.key_press(Key::Space);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::TogglePlay)]);
    harness.key_press(Key::ArrowRight);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::Step(1))]);
    harness.key_press(Key::PageDown);
    assert_eq!(taken(&mut harness), [Action::File(FileAction::NextModel)]);
    harness.key_press(Key::ArrowUp);
    assert_eq!(taken(&mut harness), [show("/g/a/two.md3")]);
}

#[test]
fn list_loses_its_keys_after_a_drag_on_the_timeline() {
    let mut harness = browsing(&MODELS, LARGE);
    harness.get_by_role_and_label(Role::ListItem, "one.md3").click();
    harness.run();
    let ruler = harness.get_by_role_and_label(Role::Slider, "Frame").rect().center();
    harness.drag_at(ruler);
    harness.run();
    harness.hover_at(ruler + vec2(40.0, 0.0));
    harness.run();
    harness.drop_at(ruler + vec2(40.0, 0.0));
    harness.run();
    harness.state_mut().actions.clear();
    harness.key_press(Key::ArrowDown);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::NextClip)]);
}

#[test]
fn long_list_builds_visible_rows_and_scrolls_to_current() {
    let names: Vec<String> = (0..20_000).map(|number| format!("/g/{}/{number}.md3", number % 50)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut harness = browsing(&names, LARGE);
    assert!((5..30).contains(&shown(&harness).len()), "{:?}", shown(&harness));
    harness.state_mut().session.apply(show("/g/30/10030.md3"));
    harness.run();
    harness.run();
    let row = harness.get_by_role_and_label(Role::ListItem, "10030.md3");
    assert!(row.rect().top() > 100.0 && row.rect().bottom() < 700.0, "{}", row.rect());
    let before = row.rect();
    // For a row nearby, the list scrolls no further than needed.
    harness.key_press(Key::PageDown);
    taken(&mut harness);
    harness.run();
    let next = harness.get_by_role_and_label(Role::ListItem, "10080.md3").rect();
    assert!((next.top() - before.bottom()).abs() < 1.0, "{next} after {before}");
}

#[test]
fn visible_rows_request_thumbnails_once() {
    let names: Vec<String> = (0..1000).map(|number| format!("/g/{number}.md3")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut harness = browsing(&names, LARGE);
    let wanted = harness.state().wanted.clone();
    assert_eq!(wanted.len(), shown(&harness).len());
    let thumbnail = Thumbnail {
        image: RgbaImage::from_pixel(96, 96, Rgba([200, 90, 40, 255])),
        format: Format::Md2,
        frames: 7,
        damaged: false,
    };
    let context = harness.ctx.clone();
    for (number, path) in wanted.into_iter().enumerate() {
        // Mark every third model as one that cannot be read.
        let made = if number % 3 == 0 { Err("the file is empty".to_owned()) } else { Ok(&thumbnail) };
        harness.state_mut().ui.add_thumbnail(&context, path, made);
    }
    harness.run();
    assert!(harness.state().wanted.is_empty(), "{:?}", harness.state().wanted);
    // Rows of broken models report the problem.
    harness.get_by_role_and_label(Role::ListItem, "0.md3, Unreadable");
    harness.get_by_role_and_label(Role::ListItem, "1.md3");
    let damaged = Thumbnail { damaged: true, ..thumbnail };
    harness.state_mut().ui.add_thumbnail(&context, PathBuf::from("/g/1.md3"), Ok(&damaged));
    harness.run();
    harness.get_by_role_and_label(Role::ListItem, "1.md3, Damaged · MD2 · 7 frames");
    harness.state_mut().ui.forget_thumbnail(Path::new("/g/1.md3"));
    harness.run();
    assert_eq!(harness.state().wanted, [PathBuf::from("/g/1.md3")]);
    harness.state_mut().session.interface.panels.files = false;
    harness.run();
    assert!(harness.state().wanted.is_empty(), "a closed panel wants nothing");
}

#[test]
fn showing_character_selects_scene_tab_of_closed_panel() {
    let mut harness = browsing(&MODELS, LARGE);
    let is_scene = |harness: &Harness<'static, Bench>| {
        harness.get_by_role_and_label(Role::Tab, "Scene").accesskit_node().is_selected() == Some(true)
    };
    assert!(!is_scene(&harness));
    harness.get_by_role_and_label(Role::Tab, "Scene").click();
    harness.run();
    assert!(is_scene(&harness));
    harness.get_by_role_and_label(Role::Tab, "Files").click();
    harness.run();
    let character = || {
        let part = open_sample(Format::Md3).unwrap();
        let members = [maquette_assets::open::Role::Legs, maquette_assets::open::Role::Torso];
        let members = members.map(|role| maquette_assets::open::AssemblyPart::new(part.clone(), role)).into();
        maquette_assets::open::Assembly { character: None, members }
    };
    harness.state_mut().session.show(character());
    harness.run();
    assert!(!is_scene(&harness), "an open panel stays as it is");
    harness.state_mut().session.interface.panels.files = false;
    harness.run();
    harness.state_mut().session.show(character());
    harness.state_mut().session.interface.panels.files = true;
    harness.run();
    assert!(is_scene(&harness));
}

#[test]
fn tab_key_moves_focus_from_filter_to_list() {
    let mut harness = browsing(&MODELS, LARGE);
    harness.get_by_role_and_label(Role::TextInput, "Filter 4 models").focus();
    harness.run();
    harness.key_press(Key::Tab);
    harness.run();
    harness.key_press(Key::ArrowDown);
    assert_eq!(taken(&mut harness), [show("/g/zero.md5mesh")]);
    harness.key_press(Key::ArrowDown);
    assert_eq!(taken(&mut harness), [show("/g/a/one.md3")]);
    harness.key_press(Key::Escape);
    harness.run();
    harness.key_press(Key::ArrowDown);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::NextClip)]);
}

#[test]
fn escape_clears_the_filter() {
    let mut harness = browsing(&MODELS, LARGE);
    harness.get_by_role_and_label(Role::TextInput, "Filter 4 models").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Filter 4 models").type_text("one");
    harness.run();
    assert_eq!(shown(&harness), ["one.md3"]);
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(shown(&harness).len(), 4);
}

#[test]
fn ctrl_f_goes_to_the_filter_of_files_and_replaces_its_text() {
    let mut harness = browsing(&MODELS, LARGE);
    let focused = |harness: &Harness<'static, Bench>| {
        harness.get_by(|node| node.is_focused()).accesskit_node().label().unwrap_or_default()
    };
    let find = |harness: &mut Harness<'static, Bench>| {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
        harness.run();
        harness.run();
    };
    find(&mut harness);
    harness.event(egui::Event::Text("one".to_owned()));
    harness.run();
    assert_eq!(shown(&harness), ["one.md3"]);
    // The search field of the File panel has the focus now.
    harness.key_press(Key::F6);
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Find name, value, 0x…").focus();
    harness.run();
    find(&mut harness);
    assert_eq!(focused(&harness), "Filter 4 models");
    harness.event(egui::Event::Text("two".to_owned()));
    harness.run();
    assert_eq!(shown(&harness), ["two.md3"], "the old text was selected");
    // Pressed again, it goes on to the next field.
    find(&mut harness);
    assert_eq!(focused(&harness), "Find name, value, 0x…");
}

#[test]
fn footer_counts_the_filtered_models() {
    let mut harness = browsing(&MODELS, LARGE);
    harness.state_mut().session.apply(show("/g/data.pk3/models/three.md2"));
    harness.run();
    harness.run();
    let says = |harness: &Harness<'static, Bench>, text: &str| {
        harness.query_by(|node| node.role() == Role::Label && node.value().as_deref() == Some(text)).is_some()
    };
    assert!(says(&harness, "4 of 4"));
    harness.get_by_role_and_label(Role::TextInput, "Filter 4 models").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Filter 4 models").type_text("T MD");
    harness.run();
    assert!(says(&harness, "2 of 2"));
    harness.get_by_role_and_label(Role::TextInput, "Filter 4 models").type_text("3");
    harness.run();
    assert!(says(&harness, "1 model"), "the open model does not match");
}
