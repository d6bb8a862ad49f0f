//! Check of all listed models: problems in the list, the filter, and the next problem.

use std::path::Path;

use egui::{Role, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use maquette_assets::lint::PROFILES;
use maquette_core::edit::Call;
use maquette_scene::session::{
    Action, DockTab, EditAction, Effect, FileAction, FileProblem, ModelFileChange, OutputKind, ProblemKind, Selection,
    Session, WindowAction,
};

use crate::support::loading::{act, answer, load_of, settle};
use crate::support::panels::{bench, click};
use maquette_testing::files::Md3;

/// Creates a folder of five models: one that lacks its texture, a damaged one, rubbish, and two without a fault.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let model = Md3::typical().build();
    put("bare.md3", &model);
    put("cut.md3", &model[..model.len() - 40]);
    put("rubbish.md3", b"IDP3");
    let still = Md3 { surfaces: 0, ..Md3::typical() };
    put("tags.md3", &still.build());
    put("tags2.md3", &still.build());
    folder
}

fn checked(folder: &Path) -> Session {
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.to_path_buf()])));
    act(&mut session, Action::File(FileAction::CheckFiles));
    assert!(!session.interface.folder_check.is_running());
    session
}

fn problems<'a>(session: &'a Session, file: &Path) -> &'a [FileProblem] {
    session.interface.folder_check.problems(file).unwrap()
}

/// Returns the kinds of faults that no rule of an engine found.
fn faults(session: &Session, file: &Path) -> Vec<ProblemKind> {
    let faults = problems(session, file).iter().filter(|problem| problem.is_fault);
    faults.map(|problem| problem.kind).filter(|kind| !matches!(kind, ProblemKind::Engine(_))).collect()
}

#[test]
fn check_finds_the_problems_of_each_model() {
    let folder = folder();
    let session = checked(folder.path());
    let faults = |name: &str| faults(&session, &folder.path().join(name));
    assert_eq!(faults("bare.md3"), [ProblemKind::MissingImage]);
    assert_eq!(faults("cut.md3")[..2], [ProblemKind::Unreadable, ProblemKind::Damaged]);
    assert_eq!(faults("rubbish.md3"), [ProblemKind::Unreadable]);
    assert_eq!(faults("tags.md3"), []);
}

#[test]
fn model_with_one_clip_of_all_frames_lacks_clips() {
    let folder = tempfile::tempdir().unwrap();
    let still = Md3 { frames: Md3::typical().frames[..1].to_vec(), ..Md3::typical() };
    for (name, model) in [("one.md3", still), ("two.md3", Md3::typical())] {
        std::fs::write(folder.path().join(name), model.build()).unwrap();
    }
    let session = checked(folder.path());
    let lacks = |name: &str| {
        let found = problems(&session, &folder.path().join(name));
        found.iter().any(|problem| problem.kind == ProblemKind::NoClips)
    };
    assert_eq!(["one.md3", "two.md3"].map(lacks), [false, true]);
}

#[test]
fn next_problem_goes_around_the_faulty_models() {
    let folder = folder();
    let mut session = checked(folder.path());
    let show = |name: &str| Action::File(FileAction::Show(folder.path().join(name)));
    act(&mut session, show("rubbish.md3"));
    act(&mut session, Action::File(FileAction::NextProblem));
    assert_eq!(session.requested_path, Some(folder.path().join("bare.md3")));
    act(&mut session, Action::File(FileAction::NextProblem));
    assert_eq!(session.requested_path, Some(folder.path().join("cut.md3")));
}

#[test]
fn changed_file_is_checked_with_the_next_check_only() {
    let folder = folder();
    let mut session = checked(folder.path());
    let file = folder.path().join("bare.md3");
    let reload = session.file_changed(&file);
    assert_eq!(session.interface.folder_check.count(), 4);
    assert_eq!(faults(&session, &file), [ProblemKind::MissingImage], "the result stays until then");
    settle(&mut session, reload);
    act(&mut session, Action::File(FileAction::CheckFiles));
    assert_eq!(session.interface.folder_check.count(), 5);
}

#[test]
fn model_that_changes_while_it_is_checked_is_checked_again() {
    let folder = folder();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().to_path_buf()])));
    let checks = answer(load_of(session.apply(Action::File(FileAction::CheckFiles))));
    let file = folder.path().join("tags.md3");
    std::fs::write(&file, b"IDP3").unwrap();
    session.models_found(&[ModelFileChange::read(file.clone(), true)]);
    let next = session.loaded(checks);
    settle(&mut session, next);
    assert_eq!(faults(&session, &file), [ProblemKind::Unreadable]);
    assert_eq!(session.interface.folder_check.count(), 5);
}

#[test]
fn deleted_models_are_neither_counted_nor_selected() {
    let folder = folder();
    let mut session = checked(folder.path());
    let [gone, kept] = ["cut.md3", "tags2.md3"].map(|name| folder.path().join(name));
    session.interface.selected_models = [gone.clone(), kept.clone()].into();
    session.models_found(&[ModelFileChange::read(gone, false)]);
    assert_eq!((session.interface.folder_check.count(), session.interface.folder_check.faulty()), (4, 2));
    assert_eq!(session.interface.selected_models, [kept].into());
    act(&mut session, Action::File(FileAction::Close));
    assert!(session.interface.selected_models.is_empty());
}

#[test]
fn gallery_follows_the_check_and_the_list() {
    let folder = folder();
    let mut session = checked(folder.path());
    session.interface.panels.files = false;
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::F3);
    harness.run();
    let tiles = |harness: &egui_kittest::Harness<'_, crate::support::panels::Bench>| -> Vec<String> {
        let dialog = harness.get_by_role_and_label(Role::Dialog, "Gallery");
        let tiles = dialog.query_all_by_role(Role::ListItem).filter_map(|tile| tile.accesskit_node().label());
        tiles.map(|tile| tile.split(',').next().unwrap_or_default().to_owned()).collect()
    };
    click(&mut harness, Role::Button, "Models to show");
    harness.run();
    click(&mut harness, Role::MenuItemCheckBox, "Damaged (1)");
    harness.run();
    assert_eq!(tiles(&harness), ["cut.md3"]);
    let changed = folder.path().join("tags.md3");
    std::fs::copy(folder.path().join("cut.md3"), &changed).unwrap();
    let session = &mut harness.state_mut().session;
    session.models_found(&[ModelFileChange::read(changed, true)]);
    act(session, Action::File(FileAction::CheckFiles));
    harness.run();
    assert_eq!(tiles(&harness), ["cut.md3", "tags.md3"]);
    click(&mut harness, Role::Button, "Models to show");
    harness.run();
    click(&mut harness, Role::MenuItemCheckBox, "All models");
    harness.run();
    let gone = ModelFileChange::read(folder.path().join("cut.md3"), false);
    harness.state_mut().session.models_found(&[gone]);
    harness.run();
    let left = tiles(&harness);
    assert!(left.len() < 5 && !left.contains(&"cut.md3".to_owned()), "{left:?}");
}

#[test]
fn list_shows_models_with_the_chosen_problem() {
    let folder = folder();
    let mut session = checked(folder.path());
    session.interface.panels.files = true;
    let mut harness = bench(session, vec2(1280.0, 800.0));
    click(&mut harness, Role::Button, "Models to show");
    harness.run();
    click(&mut harness, Role::MenuItemCheckBox, "Damaged (1)");
    harness.run();
    let rows = |name: &str| harness.query_by_label_contains(name).is_some();
    assert!(rows("cut.md3, Damaged: a part can be opened · Unreadable: MD3: the file is truncated"));
    assert!(!rows("tags2.md3"));
}

#[test]
fn models_of_new_list_are_unchecked() {
    let (folder, other) = (folder(), folder());
    let mut session = checked(folder.path());
    act(&mut session, Action::File(FileAction::Open(vec![other.path().to_path_buf()])));
    assert_eq!(session.interface.folder_check.count(), 0);
    act(&mut session, Action::File(FileAction::NextProblem));
    assert_eq!(session.interface.folder_check.count(), 5, "it is checked first");
}

#[test]
fn cancelled_check_can_begin_again() {
    let folder = folder();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().to_path_buf()])));
    let check = session.apply(Action::File(FileAction::CheckFiles));
    assert!(check.is_some() && session.jobs.loading.is_none(), "the window shows no progress of a load");
    // A model that is opened during the check is loaded next; its end ends the progress.
    let show = session.apply(Action::File(FileAction::Show(folder.path().join("tags.md3"))));
    assert!(show.is_none() || session.jobs.loading.is_some());
    session.apply(Action::File(FileAction::CancelLoading));
    assert!(!session.interface.folder_check.is_running());
    act(&mut session, Action::File(FileAction::CheckFiles));
    assert_eq!(session.interface.folder_check.count(), 5);
}

#[test]
fn kingpin_model_opens_by_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gun.mdx");
    std::fs::write(&file, &maquette_testing::files::typical(maquette_core::model::Format::Kmdx)[0]).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![file])));
    assert_eq!(session.name(), Some("gun.mdx"), "{:?}", session.interface.failure);
}

#[test]
fn read_file_stays_checked_and_written_file_does_not() {
    let folder = folder();
    let mut session = checked(folder.path());
    let file = folder.path().join("tags.md3");
    let found = || [ModelFileChange::read(file.clone(), true)];
    session.models_found(&found());
    assert_eq!(session.interface.folder_check.count(), 5, "the watcher also reports files that are only read");
    let written = std::fs::File::options().append(true).open(&file).unwrap();
    written.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(10)).unwrap();
    session.models_found(&found());
    assert_eq!(session.interface.folder_check.count(), 4);
}

#[test]
fn problems_have_reasons() {
    let folder = folder();
    let session = checked(folder.path());
    let reasons = |name: &str| {
        let lines = problems(&session, &folder.path().join(name)).iter().map(|problem| problem.line.as_str());
        lines.collect::<Vec<_>>().join("\n")
    };
    assert!(reasons("bare.md3").contains("Missing images: u_torso: no image for"), "{}", reasons("bare.md3"));
    assert!(reasons("cut.md3").starts_with("Unreadable: MD3: the file is truncated"), "{}", reasons("cut.md3"));
}

#[test]
fn engine_of_the_check_applies_to_all_models() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("grid.md3"), Md3::grid(30, 2001).build()).unwrap();
    std::fs::write(folder.path().join("box.md3"), Md3::typical().build()).unwrap();
    let mut session = checked(folder.path());
    let has_error = |session: &Session| {
        let mut found = problems(session, &folder.path().join("grid.md3")).iter();
        found.any(|problem| problem.is_fault && problem.kind.label() == "Too many triangles")
    };
    assert!(has_error(&session), "Quake III accepts 2000 triangles");
    let any = PROFILES.iter().position(|profile| profile.name == "any");
    act(&mut session, Action::File(FileAction::CheckFilesFor(any)));
    assert!(!has_error(&session));
    assert_eq!(session.interface.folder_check.count(), 2);
}

#[test]
fn check_of_selection_skips_unselected_models() {
    let folder = folder();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().to_path_buf()])));
    // The second request comes while the first runs.
    session.interface.selected_models.insert(folder.path().join("bare.md3"));
    let check = session.apply(Action::File(FileAction::CheckSelected));
    session.interface.selected_models = [folder.path().join("tags.md3")].into();
    assert!(session.apply(Action::File(FileAction::CheckSelected)).is_none());
    settle(&mut session, check);
    assert_eq!(session.interface.folder_check.count(), 2);
    let last = &session.interface.notes.last().unwrap().text;
    assert_eq!(last, "Checked 2 models: 1 with problems");
}

#[test]
fn files_are_sorted_like_the_gallery() {
    let folder = tempfile::tempdir().unwrap();
    for (name, triangles) in [("a/small.md3", 3), ("b/large.md3", 40), ("b/middle.md3", 20)] {
        std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join(name), Md3::grid(30, triangles).build()).unwrap();
    }
    let newest = std::fs::File::options().append(true).open(folder.path().join("b/middle.md3")).unwrap();
    newest.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(10)).unwrap();
    let mut session = checked(folder.path());
    session.interface.panels.files = true;
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let order = |harness: &egui_kittest::Harness<'_, crate::support::panels::Bench>| {
        let rows = harness.query_all_by_role(Role::ListItem);
        let mut rows: Vec<(f32, String)> =
            rows.filter_map(|row| Some((row.rect().top(), row.accesskit_node().label()?))).collect();
        rows.sort_by(|one, other| one.0.total_cmp(&other.0));
        let names = rows.into_iter().map(|(_, name)| name.split(',').next().unwrap_or_default().to_owned());
        names.filter(|name| name.ends_with(".md3")).collect::<Vec<_>>()
    };
    assert_eq!(order(&harness), ["small.md3", "large.md3", "middle.md3"]);
    for (sorting, first) in [("Date", "middle.md3"), ("File size", "large.md3"), ("Triangles", "large.md3")] {
        click(&mut harness, Role::Button, "Sort by");
        harness.run();
        click(&mut harness, Role::MenuItemCheckBox, sorting);
        harness.run();
        assert_eq!(order(&harness)[0], first, "{sorting}");
    }
    assert_eq!(order(&harness), ["large.md3", "middle.md3", "small.md3"]);
    assert!(harness.query_by_label("b").is_none(), "the order has no folders");
}

#[test]
fn sorting_by_triangles_checks_no_model_and_keeps_the_selection() {
    let folder = tempfile::tempdir().unwrap();
    for (name, triangles) in [("a.md3", 3), ("b.md3", 40), ("c.md3", 20)] {
        std::fs::write(folder.path().join(name), Md3::grid(30, triangles).build()).unwrap();
    }
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().to_path_buf()])));
    assert_eq!(session.requested_path, Some(folder.path().join("a.md3")));
    session.interface.panels.files = false;
    act(&mut session, Action::File(FileAction::CountTriangles));
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::F3);
    harness.run();
    harness.state_mut().actions.clear();
    click(&mut harness, Role::Button, "Sort by");
    harness.run();
    let actions = click(&mut harness, Role::MenuItemCheckBox, "Triangles");
    assert!(!actions.contains(&Action::File(FileAction::CheckFiles)), "{actions:?}");
    harness.run();
    let counts = &harness.state().session.interface.triangle_counts;
    let counts = ["a.md3", "b.md3", "c.md3"].map(|name| counts.of(&folder.path().join(name)));
    assert_eq!(counts, [Some(3), Some(40), Some(20)]);
    assert_eq!(harness.state().session.interface.folder_check.count(), 0);
    let dialog = harness.get_by_role_and_label(Role::Dialog, "Gallery");
    let tiles = dialog.query_all_by_role(Role::ListItem).map(|tile| tile.accesskit_node());
    let tiles: Vec<(String, Option<bool>)> =
        tiles.map(|tile| (tile.label().unwrap_or_default(), tile.is_selected())).collect();
    let expected = [("b.md3, 40 triangles", false), ("c.md3, 20 triangles", false), ("a.md3, 3 triangles", true)];
    assert_eq!(tiles.len(), expected.len());
    for ((label, is_selected), (start, is_expected)) in tiles.iter().zip(expected) {
        assert!(label.starts_with(start) && *is_selected == Some(is_expected), "{label}");
    }
}

/// Quake III `tr_image.c` (`R_LoadImage`) does not read PNG.
#[test]
fn engine_that_cannot_read_the_images_needs_its_base_folder() {
    let folder = tempfile::tempdir().unwrap();
    for (root, engine) in [("files", "any"), ("baseq3", "quake3")] {
        let models = folder.path().join(root).join("models/box");
        std::fs::create_dir_all(&models).unwrap();
        std::fs::write(models.join("box.md3"), Md3::typical().build()).unwrap();
        image::RgbaImage::new(2, 2).save(models.join("skin.png")).unwrap();
        let mut session = Session::default();
        act(&mut session, Action::File(FileAction::Open(vec![models.join("box.md3")])));
        assert_eq!(session.asset().unwrap().profile().name, engine, "{root}");
    }
}

/// Returns an MD3 with these tags in two frames.
fn with_tags(names: &[&'static str]) -> Vec<u8> {
    let frames = Md3::typical().tags.remove(0).1;
    Md3 { tags: names.iter().map(|name| (*name, frames.clone())).collect(), surfaces: 0, ..Md3::typical() }.build()
}

#[test]
fn wrong_and_repeated_tags_are_faults_and_rows_name_them() {
    let folder = tempfile::tempdir().unwrap();
    for (name, tags) in [("a.md3", &["tag_wepon"][..]), ("b.md3", &["tag_flash", "tag_flash"]), ("c.md3", &["tag_x"])] {
        std::fs::write(folder.path().join(name), with_tags(tags)).unwrap();
    }
    let mut session = checked(folder.path());
    assert_eq!(session.interface.folder_check.faulty(), 2);
    session.interface.panels.files = true;
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.get_by_label("a.md3, Unknown tag: tag_wepon");
    harness.get_by_label("b.md3, Repeated name: tag_flash");
    click(&mut harness, Role::Button, "Models to show");
    harness.run();
    click(&mut harness, Role::MenuItemCheckBox, "Tags (1)");
    harness.run();
    assert!(harness.query_by_label_contains("b.md3").is_none());
    // The gallery shows the chosen models, too.
    harness.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::F3);
    harness.run();
    let dialog = harness.get_by_role_and_label(Role::Dialog, "Gallery");
    assert_eq!(dialog.query_all_by_role(Role::ListItem).count(), 1);
}

/// Creates a folder of a model whose skin *red* lacks its image, and one whose image cannot be decoded.
fn broken_images() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    };
    put("a/box.md3", &Md3::typical().build());
    put("a/box_default.skin", b"u_torso,models/box/skin.tga\n");
    put("a/models/box/skin.tga", &[&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0][..], &[0; 3]].concat());
    put("a/box_red.skin", b"u_torso,models/box/redskim.tga\n");
    put("b/box.md3", &Md3::typical().build());
    put("b/models/box/skin.tga", b"rubbish");
    folder
}

#[test]
fn finding_in_a_skin_assigns_the_skin() {
    let folder = broken_images();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().join("a/box.md3")])));
    assert_eq!(session.entity().unwrap().skin_name(), "default");
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Lint)));
    let mut harness = bench(session, vec2(1280.0, 900.0));
    harness.run();
    harness
        .get_by(|node| node.label().is_some_and(|name| name.starts_with("warning: ") && name.contains("skin red")))
        .click();
    harness.run();
    let session = &harness.state().session;
    assert_eq!(session.entity().unwrap().skin_name(), "red");
    assert_eq!(session.document.selection, Selection::Surface(0));
}

#[test]
fn missing_images_are_divided_by_cause() {
    let folder = broken_images();
    let session = checked(folder.path());
    let shorts = |file: &str| -> Vec<String> {
        let all = problems(&session, &folder.path().join(file)).iter().filter(|problem| problem.is_fault);
        all.map(|problem| format!("{}: {}", problem.kind.label(), problem.short)).collect()
    };
    assert_eq!(
        shorts("a/box.md3"),
        ["Wrong paths in .skin: no redskim.tga (skin red)", "Only in some skins: only in skin red"]
    );
    assert_eq!(shorts("b/box.md3"), ["Undecodable images: undecodable: skin.tga"]);
}

#[test]
fn saved_model_is_checked_again_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.md3");
    std::fs::write(&file, with_tags(&["tag_wepon"])).unwrap();
    std::fs::write(folder.path().join("b.md3"), with_tags(&["tag_x"])).unwrap();
    let mut session = checked(folder.path());
    act(&mut session, Action::File(FileAction::Show(file.clone())));
    let rename = Call::parse("rename-tag tag=tag_wepon name=tag_weapon").unwrap();
    act(&mut session, Action::Edit(EditAction::Change(vec![rename])));
    let save = session.apply(Action::Edit(EditAction::Save));
    let Some(Effect::Save { product: OutputKind::File, path, replace: false }) = save else { panic!("{save:?}") };
    assert_eq!(path, file, "the file of the model needs no path dialog");
    let bytes = session.begin_saving(OutputKind::File, &path).unwrap();
    std::fs::write(&path, &*bytes).unwrap();
    let saved = session.saved();
    settle(&mut session, saved);
    assert_eq!(session.interface.folder_check.faulty(), 0);
    assert_eq!(session.interface.folder_check.count(), 2);
}

#[test]
fn models_of_one_name_show_their_folders_in_a_list_without_folders() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        let file = folder.path().join(name).join("models/upper.md3");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, with_tags(&["tag_x"])).unwrap();
    }
    let mut session = checked(folder.path());
    session.interface.panels.files = true;
    let mut harness = bench(session, vec2(1280.0, 800.0));
    click(&mut harness, Role::Button, "Sort by");
    harness.run();
    click(&mut harness, Role::MenuItemCheckBox, "Name");
    harness.run();
    for name in ["one", "two"] {
        harness.get_by_label(&format!("upper.md3, {name}"));
    }
}

#[test]
fn menu_of_the_gallery_is_above_it_after_a_press_and_a_release_in_one_frame() {
    let mut harness = bench(checked(folder().path()), vec2(1280.0, 800.0));
    harness.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::F3);
    harness.run();
    let dialog = harness.get_by_role_and_label(Role::Dialog, "Gallery");
    let pos = dialog.query_all_by_label("Models to show").next().unwrap().rect().center();
    harness.event(egui::Event::PointerMoved(pos));
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
    }
    harness.run();
    let row = harness.get_by_role_and_label(Role::MenuItemCheckBox, "All models").rect().center();
    let top = harness.ctx.layer_id_at(row);
    assert!(top.is_some() && top != harness.ctx.memory(|memory| memory.top_modal_layer()), "{top:?}");
}

#[test]
fn image_that_cannot_be_decoded_does_not_change_the_engine() {
    let folder = folder();
    let image = folder.path().join("skin.png");
    image::RgbaImage::new(64, 64).save(&image).unwrap();
    let bytes = std::fs::read(&image).unwrap();
    std::fs::write(&image, &bytes[..bytes.len() - 40]).unwrap();
    let file = folder.path().join("bare.md3");
    let mut session = checked(folder.path());
    act(&mut session, Action::File(FileAction::Show(file.clone())));
    let asset = session.asset().unwrap();
    assert!(asset.skins[0].materials[0].unreadable.is_some());
    let alone = PROFILES[session.interface.folder_check.engine_of(asset)].title;
    let problems = session.interface.folder_check.problems(&file).unwrap();
    assert!(problems.iter().any(|problem| problem.line.contains(&format!("({alone})"))), "{alone}: {problems:?}");
}
