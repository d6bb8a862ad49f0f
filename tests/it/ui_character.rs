//! Panels of a character: tracks, clips of legs and torso, skins, and the tree of parts.

use egui::{Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{Opener, Role as Part};
use maquette_core::model::Bounds;
use maquette_scene::scene::{ClipChoice, ColourTheme, EntityId, TrackId};
use maquette_scene::session::{Action, ClockAction, FileAction, FilePrompt, SceneAction, Selection, Session};

use crate::support::panels::{Bench, bench, click};
use maquette_testing::player;
use maquette_testing::wolfenstein_files::Wolf;

fn character() -> Harness<'static, Bench> {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let assembly = Opener::new(Vec::new(), ImageLoading::LocateOnly)
        .assembly(&folder.path().join("models/players/box/lower.md3"))
        .unwrap();
    let mut session = Session::default();
    session.interface.theme = Some(ColourTheme::Dark);
    session.interface.panels.files = true;
    session.show(assembly);
    session.apply(Action::Clock(ClockAction::TogglePlay));
    bench(session, vec2(1280.0, 800.0))
}

fn id(harness: &Harness<'static, Bench>, part: Part) -> EntityId {
    harness.state().session.document.scene.with_role(part).unwrap().id
}

#[test]
fn each_moving_part_has_a_selectable_track() {
    let mut harness = character();
    let torso = id(&harness, Part::Torso);
    let done = click(&mut harness, Role::Button, "Torso track");
    assert_eq!(done, [Action::Scene(SceneAction::SelectIn(torso, Selection::None))]);
    assert_eq!(harness.state().session.document.focus, Some(torso));
    harness.get_by_role_and_label(Role::Button, "Legs track");
    assert!(harness.query_by_role_and_label(Role::Button, "Head track").is_none(), "one frame is no track");
}

#[test]
fn legs_and_torso_choose_clips_independently() {
    let mut harness = character();
    let legs = id(&harness, Part::Legs);
    click(&mut harness, Role::Button, "Legs");
    let done = click(&mut harness, Role::MenuItemCheckBox, "LEGS_RUN");
    assert!(
        matches!(done.as_slice(), [Action::Clock(ClockAction::ChooseClipOf(track, ClipChoice::Clip(_)))] if *track == legs.into())
    );
    harness.get_by_role_and_label(Role::Label, "Legs: RUN");
    let done = click(&mut harness, Role::CheckBox, "Pair torso and legs");
    assert_eq!(done, [Action::Clock(ClockAction::SetPaired(false))]);
}

#[test]
fn skin_menu_applies_to_whole_character() {
    let mut harness = character();
    click(&mut harness, Role::Button, "Skin");
    let done = click(&mut harness, Role::MenuItemCheckBox, "red");
    assert_eq!(done, [Action::Scene(SceneAction::ChooseSkinOfAll("red".to_owned()))]);
    harness.get_by_role_and_label(Role::Label, "Skin: red");
}

#[test]
fn scene_tree_selects_hides_and_replaces_parts() {
    let mut harness = character();
    if let Some(tab) = harness.query_by_role_and_label(Role::Tab, "Scene") {
        tab.click();
        harness.run();
    }
    for name in ["box", "Legs", "Torso", "Head", "Weapon", "Barrel", "Flash"] {
        harness.get_by_role_and_label(Role::ListItem, name);
    }
    let head = id(&harness, Part::Head);
    assert_eq!(click(&mut harness, Role::CheckBox, "Show Head"), [Action::Scene(SceneAction::ShowEntity(head, false))]);
    assert_eq!(click(&mut harness, Role::CheckBox, "Show Head"), [Action::Scene(SceneAction::ShowEntity(head, true))]);
    assert_eq!(
        click(&mut harness, Role::ListItem, "Head"),
        [Action::Scene(SceneAction::SelectIn(head, Selection::None))]
    );
    assert_eq!(click(&mut harness, Role::Button, "Isolate head.md3"), [Action::Scene(SceneAction::ShowAlone(head))]);
    click(&mut harness, Role::Button, "Weapon");
    assert_eq!(click(&mut harness, Role::MenuItemCheckBox, "none"), [Action::Scene(SceneAction::ChooseWeapon(None))]);
    assert!(harness.state().session.document.scene.with_role(Part::Weapon).is_none());
    click(&mut harness, Role::Button, "Attach model…");
    let done = click(&mut harness, Role::MenuItem, "tag_weapon");
    assert!(
        matches!(done.as_slice(), [Action::File(FileAction::Ask(FilePrompt::Attach(to)))] if to.to == id(&harness, Part::Torso))
    );
}

#[test]
fn arrow_keys_stay_in_open_menu() {
    let mut harness = character();
    click(&mut harness, Role::Button, "Skin");
    harness.key_press(egui::Key::ArrowDown);
    harness.run();
    assert_eq!(std::mem::take(&mut harness.state_mut().actions), [], "the legs keep their clip");
}

#[test]
fn selected_character_lists_parts_and_missing_textures() {
    let mut harness = character();
    click(&mut harness, Role::Tab, "Scene");
    let done = click(&mut harness, Role::ListItem, "box");
    assert_eq!(done, [Action::Scene(SceneAction::SelectCharacter)]);
    assert!(harness.state().session.document.selects_character());
    // Legs, torso, head, weapon and barrel have one triangle and three vertices each; the flash is hidden.
    harness.get_by_role_and_label(Role::ListItem, "Head: 1 triangle, 3 vertices");
    harness.get_by_role_and_label(Role::Label, "Total: 5 triangles, 15 vertices");
    // No part has a texture, so the list contains every missing texture with its part.
    let missing = |part: &str| format!("default.png: no texture found, u_torso of {part}");
    for part in ["Legs", "Torso", "Head"] {
        harness.get_by_role_and_label(Role::ListItem, &missing(part));
    }
    // A row selects its part.
    let head = id(&harness, Part::Head);
    click(&mut harness, Role::ListItem, &missing("Head"));
    let document = &harness.state().session.document;
    assert_eq!((document.focus, document.selection), (Some(head), Selection::Surface(0)));
    assert!(!document.selects_character());
}

#[test]
fn detached_part_is_reported_and_undo_restores_it() {
    let mut harness = character();
    let head = id(&harness, Part::Head);
    harness.state_mut().session.apply(Action::Scene(SceneAction::Detach(head)));
    harness.run();
    harness.get_by_role_and_label(Role::Alert, "Detached head.md3");
    harness.get_by_role_and_label(Role::Status, "Detached head.md3");
    assert_eq!(click(&mut harness, Role::Button, "Undo"), [Action::Scene(SceneAction::Undo)]);
    assert_eq!(id(&harness, Part::Head), head);
    assert!(harness.query_by_role(Role::Alert).is_none());
}

#[test]
fn selected_character_shows_size_and_feet() {
    let mut harness = character();
    harness.state_mut().session.apply(Action::Scene(SceneAction::SelectCharacter));
    harness.run();
    let scene = &harness.state().session.document.scene;
    let shown = scene.entities().iter().filter(|entity| scene.shows(entity));
    let bounds = shown.fold(Bounds::EMPTY, |whole, entity| whole.union(entity.bounds()));
    let fixed = |number: f32| maquette::ui::format::fixed(f64::from(number), 1);
    let [x, y, z] = bounds.size().to_array().map(fixed);
    harness.get_by_role_and_label(Role::Label, &format!("Size X × Y × Z: {x} × {y} × {z}"));
    harness.get_by_role_and_label(Role::Label, &format!("Lowest Z: {}", fixed(bounds.min.z)));
}

#[test]
fn tag_of_attached_part_shows_world_position() {
    let mut harness = character();
    let (torso, legs) = (id(&harness, Part::Torso), id(&harness, Part::Legs));
    let mut shows_position = |part| {
        harness.state_mut().session.apply(Action::Scene(SceneAction::SelectIn(part, Selection::Tag(0))));
        harness.run();
        harness.query_by_label_contains("In the scene: ").is_some()
    };
    assert!(shows_position(torso));
    assert!(!shows_position(legs), "what is attached to nothing has one place");
}

#[test]
fn skins_without_images_are_listed_last() {
    let mut harness = character();
    let names = harness.state().session.document.skin_names();
    assert!(names.len() > 1);
    // Only the last skin has all its images.
    let last = names.last().cloned().unwrap();
    let image = std::sync::Arc::new(maquette_assets::material::Image::new(1, 1, vec![255; 4]));
    for entity in harness.state_mut().session.document.scene.entities_mut() {
        for skin in entity.asset.skins.iter_mut().filter(|skin| skin.is_called(&last)) {
            let mut materials = skin.materials.to_vec();
            for material in &mut materials {
                material.image = Some(std::sync::Arc::clone(&image));
                material.missing_image = None;
            }
            skin.materials = materials.into();
        }
    }
    let session = &harness.state().session;
    assert_eq!(session.document.skin_names().first(), Some(&last));
    assert!(!session.document.skin_lacks_images(&last) && session.document.skin_lacks_images(&names[0]));
}

/// Shows an MDS whose clips are `idle` and `turned`.
fn halved() -> Harness<'static, Bench> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("body.mds");
    std::fs::write(&path, Wolf::typical().mds()).unwrap();
    let clips = "version 3\nskeletal\nSTARTANIMS\nidle 0 2 2 10 0 100\nturned 0 1 0 10 0 100\nENDANIMS\n";
    std::fs::write(folder.path().join("wolfanim.cfg"), clips).unwrap();
    let mut session = Session::default();
    session.interface.theme = Some(ColourTheme::Dark);
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&path).unwrap());
    bench(session, vec2(1280.0, 800.0))
}

#[test]
fn torso_of_one_model_has_a_selectable_track() {
    let mut harness = halved();
    let entity = harness.state().session.document.focus.unwrap();
    let done = click(&mut harness, Role::Button, "Torso track");
    let torso = TrackId { entity, is_torso: true };
    let select = Action::Scene(SceneAction::SelectIn(entity, Selection::None));
    assert_eq!(done, [select, Action::Clock(ClockAction::Lead(torso))]);
    assert_eq!(harness.state().session.document.led_track().unwrap().id, torso);
    click(&mut harness, Role::Button, "Legs track");
    assert_eq!(harness.state().session.document.led_track().unwrap().id, entity.into());
}

#[test]
fn unlinked_torso_of_one_model_chooses_its_own_clip() {
    let mut harness = halved();
    let done = click(&mut harness, Role::CheckBox, "Pair torso and legs");
    assert_eq!(done, [Action::Clock(ClockAction::SetPaired(false))]);
    click(&mut harness, Role::Button, "Torso");
    click(&mut harness, Role::MenuItemCheckBox, "turned");
    harness.get_by_role_and_label(Role::Label, "Torso: turned");
    harness.get_by_role_and_label(Role::Label, "Legs: idle");
}
