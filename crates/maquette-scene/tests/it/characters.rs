//! Characters: assembly of parts, their transforms, and shared playback.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Affine3A, Vec3};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{Anchor, Assembly, OpenCause, Opener, Role, divide_levels, open_sample};
use maquette_core::model::Format;
use maquette_scene::scene::{Attachment, ClipChoice, Entity, EntityId, FrameRange, Shading};
use maquette_scene::session::{
    Action, COMMANDS, ClockAction, DisplayAction, DropAction, FileAction, SceneAction, Selection, Session,
};

use crate::support::loading::{act, answer, load_of};
use maquette_testing::{
    archives,
    files::{Md2, Md3},
    ghoul2_files::Glm,
    iqm::Iqm,
    player,
};

fn opener() -> Opener {
    Opener::new(Vec::new(), ImageLoading::LocateOnly)
}

/// Creates the player `box` in a temporary folder.
fn game() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let model_folder = folder.path().join("models/players/box");
    (folder, model_folder)
}

/// Creates a Quake II player with two weapons in a temporary folder.
fn quake_2_game() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let model_folder = folder.path().join("players/male");
    std::fs::create_dir_all(&model_folder).unwrap();
    for name in ["tris.md2", "weapon.md2", "w_shotgun.md2"] {
        std::fs::write(model_folder.join(name), Md2::typical().build()).unwrap();
    }
    (folder, model_folder)
}

fn showing(assembly: impl Into<Assembly>) -> Session {
    let mut session = Session::default();
    session.show(assembly);
    session
}

fn character() -> (tempfile::TempDir, Session) {
    let (folder, model_folder) = game();
    (folder, showing(opener().assembly(&model_folder.join("lower.md3")).unwrap()))
}

fn role(session: &Session, role: Role) -> &Entity {
    session.document.scene.with_role(role).unwrap_or_else(|| panic!("there is no {}", role.key()))
}

fn clip(session: &Session, of: Role) -> String {
    role(session, of).clip().name
}

fn choose(session: &mut Session, of: Role, name: &str) {
    let entity = role(session, of);
    let index = entity.model().clips().iter().position(|clip| clip.name == name).unwrap();
    let id = entity.id;
    session.apply(Action::Clock(ClockAction::ChooseClipOf(id.into(), ClipChoice::Clip(index))));
}

fn assert_placed_at(entity: &Entity, origin: [f32; 3], forward: [f32; 3]) {
    let transform: Affine3A = entity.world_from_model;
    assert!(Vec3::from(transform.translation).distance(origin.into()) < 1e-4, "{}: {transform:?}", entity.role.key());
    let axis = Vec3::from(transform.matrix3.x_axis);
    assert!(axis.distance(forward.into()) < 1e-4, "{}: {axis:?}", entity.role.key());
}

#[test]
fn any_part_or_folder_opens_whole_character_with_weapon() {
    let (_game, model_folder) = game();
    for path in [
        model_folder.join("lower.md3"),
        model_folder.join("upper.md3"),
        model_folder.join("head.md3"),
        model_folder.clone(),
    ] {
        let assembly = opener().assembly(&path).or_else(|_| opener().character(&path)).unwrap();
        let roles: Vec<Role> = assembly.members.iter().map(|member| member.role).collect();
        let whole = [Role::Legs, Role::Torso, Role::Head, Role::Weapon, Role::Barrel, Role::Flash];
        assert_eq!(roles, whole, "{}", path.display());
        assert_eq!(assembly.character.unwrap().name, "box");
    }
    let session = showing(opener().assembly(&model_folder.join("upper.md3")).unwrap());
    assert!(
        session.document.scene.entities().iter().all(|entity| entity
            .asset
            .warnings
            .iter()
            .all(|w| !w.message.contains("tag")))
    );
    // `model` opens exactly one part.
    assert_eq!(opener().model(&model_folder.join("upper.md3")).unwrap().name, "upper.md3");
}

#[test]
fn parts_are_placed_on_their_parent_tags() {
    let (_game, session) = character();
    assert_placed_at(role(&session, Role::Legs), [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    // tag_torso of the legs: at (1, 2, 10), rotated by 90 degrees about Z.
    assert_placed_at(role(&session, Role::Torso), [1.0, 2.0, 10.0], [0.0, 1.0, 0.0]);
    // tag_head of the torso: (5, 0, 3) rotates to (0, 5, 3), relative to the torso.
    assert_placed_at(role(&session, Role::Head), [1.0, 7.0, 13.0], [0.0, 1.0, 0.0]);
    // tag_weapon: (0, 4, 1) rotates to (−4, 0, 1); two rotations by 90 degrees face backwards.
    assert_placed_at(role(&session, Role::Weapon), [-3.0, 2.0, 11.0], [-1.0, 0.0, 0.0]);
    // tag_barrel and tag_flash are 2 and 6 in front of the weapon.
    assert_placed_at(role(&session, Role::Barrel), [-5.0, 2.0, 11.0], [-1.0, 0.0, 0.0]);
    assert_placed_at(role(&session, Role::Flash), [-9.0, 2.0, 11.0], [-1.0, 0.0, 0.0]);
    assert!(!session.document.scene.shows(role(&session, Role::Flash)), "a flash is seen for a moment only");
    // The torso's triangle has corners (0, 1, 0) and (0, 0, 2) in its own space.
    let bounds = role(&session, Role::Torso).bounds();
    assert!(bounds.min.distance(Vec3::new(0.0, 2.0, 10.0)) < 1e-4, "{bounds:?}");
    assert!(bounds.max.distance(Vec3::new(1.0, 2.0, 12.0)) < 1e-4, "{bounds:?}");
}

#[test]
fn character_in_archive_equals_one_in_folder() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("pak0.pk3");
    let files = player::files();
    let entries: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    std::fs::write(&archive, archives::zip(&entries)).unwrap();
    for path in ["models/players/box/lower.md3", "Models/Players/BOX/Upper.MD3"] {
        let session = showing(opener().assembly(&archive.join(path)).unwrap());
        assert_eq!(session.document.scene.entities().len(), 6, "{path}");
        assert_placed_at(role(&session, Role::Head), [1.0, 7.0, 13.0], [0.0, 1.0, 0.0]);
        let file = role(&session, Role::Weapon).asset.file.clone().unwrap();
        assert!(file.starts_with(&archive), "{}", file.display());
        assert!(opener().model(&file).is_ok(), "a part is found again by its path");
    }
}

#[test]
fn incomplete_character_opens_single_part_only() {
    let (_game, model_folder) = game();
    std::fs::remove_file(model_folder.join("lower.md3")).unwrap();
    let error = opener().character(&model_folder.join("upper.md3")).unwrap_err();
    assert!(matches!(error.cause, OpenCause::NoCharacter(Some("lower"))));
    assert!(
        error
            .to_string()
            .ends_with("upper.md3: the character is incomplete: its folder has no lower.md3, .mdc, .mdr or .iqm")
    );
    assert_eq!(opener().assembly(&model_folder.join("upper.md3")).unwrap().members.len(), 1);
}

#[test]
fn broken_part_is_a_warning_and_remaining_parts_open() {
    let (_game, model_folder) = game();
    std::fs::write(model_folder.join("head.md3"), b"IDP3\x0f\0\0\0").unwrap();
    let assembly = opener().assembly(&model_folder.join("lower.md3")).unwrap();
    assert!(assembly.members.iter().all(|member| member.role != Role::Head));
    let warnings = &assembly.members[0].warnings;
    assert!(warnings.iter().any(|warning| warning.about == "head.md3"), "{warnings:?}");
    std::fs::write(model_folder.join("upper.md3"), b"IDP3\x0f\0\0\0").unwrap();
    let assembly = opener().assembly(&model_folder.join("lower.md3")).unwrap();
    assert_eq!(assembly.members.len(), 1);
    assert!(assembly.members[0].warnings.iter().any(|warning| warning.message.contains("upper.md3")));
}

#[test]
fn legs_and_torso_share_clips_for_both() {
    let (_game, mut session) = character();
    assert_eq!((clip(&session, Role::Legs), clip(&session, Role::Torso)), ("LEGS_IDLE".into(), "TORSO_STAND".into()));
    choose(&mut session, Role::Legs, "LEGS_RUN");
    choose(&mut session, Role::Torso, "TORSO_GESTURE");
    assert_eq!((clip(&session, Role::Legs), clip(&session, Role::Torso)), ("LEGS_RUN".into(), "TORSO_GESTURE".into()));
    // Both clips run at 10 frames per second, so 0.15 s are 1.5 frames. LEGS_RUN begins at 30 in the file, which is 30
    // − (26 − 12) in lower.md3. TORSO_GESTURE has frames 12 and 13 and holds its last frame.
    session.advance(0.15);
    session.refresh();
    let shown = |role_of| {
        let entity = role(&session, role_of);
        entity.playback.shown_frame(entity.model())
    };
    assert!((shown(Role::Legs) - 17.5).abs() < 1e-6, "{}", shown(Role::Legs));
    assert!((shown(Role::Torso) - 13.0).abs() < 1e-6, "{}", shown(Role::Torso));
    assert!(session.is_playing(), "the legs run on");

    choose(&mut session, Role::Torso, "BOTH_DEATH1");
    assert_eq!(clip(&session, Role::Legs), "BOTH_DEATH1");
    choose(&mut session, Role::Legs, "LEGS_WALK");
    assert_eq!(clip(&session, Role::Torso), "TORSO_STAND", "walking legs reset a dead torso");
    session.apply(Action::Clock(ClockAction::SetPaired(false)));
    choose(&mut session, Role::Torso, "BOTH_DEATH1");
    assert_eq!(clip(&session, Role::Legs), "LEGS_WALK", "apart if so wanted");
}

#[test]
fn playback_commands_are_available_if_any_part_moves() {
    let (_game, mut session) = character();
    let head = role(&session, Role::Head).id;
    session.apply(Action::Scene(SceneAction::SelectIn(head, Selection::None)));
    choose(&mut session, Role::Torso, "TORSO_STAND");
    assert_eq!(role(&session, Role::Torso).clip().count, 1);
    for id in ["animation.play-or-pause", "animation.next-clip", "animation.one-frame-on"] {
        let command = COMMANDS.iter().find(|command| command.id == id).unwrap();
        assert_eq!(command.reason(&session), None, "{id}");
    }
}

#[test]
fn seeking_in_shared_clip_moves_both_parts() {
    let (_game, mut session) = character();
    let shown = |session: &Session, role_of| {
        let entity = role(session, role_of);
        entity.playback.shown_frame(entity.model())
    };
    let torso = role(&session, Role::Torso).id;
    choose(&mut session, Role::Torso, "BOTH_DEATH1");
    let first = shown(&session, Role::Torso);
    session.apply(Action::Clock(ClockAction::SeekIn(torso.into(), first + 0.5)));
    assert!((shown(&session, Role::Legs) - shown(&session, Role::Torso)).abs() < 1e-9);
    assert!((shown(&session, Role::Torso) - first - 0.5).abs() < 1e-9 && !session.is_playing());
    // Leave the clip, then return with a seek alone.
    choose(&mut session, Role::Torso, "TORSO_GESTURE");
    assert_ne!(clip(&session, Role::Legs), "BOTH_DEATH1");
    session.apply(Action::Clock(ClockAction::SeekIn(torso.into(), first)));
    assert_eq!((clip(&session, Role::Legs), shown(&session, Role::Legs)), ("BOTH_DEATH1".into(), first));
    session.apply(Action::Clock(ClockAction::SetPaired(false)));
    session.apply(Action::Clock(ClockAction::SeekIn(torso.into(), first + 1.0)));
    assert!((shown(&session, Role::Legs) - first).abs() < 1e-9, "apart if so wanted");
}

#[test]
fn loop_range_in_shared_clip_applies_to_both_parts() {
    let (_game, mut session) = character();
    choose(&mut session, Role::Torso, "BOTH_DEATH1");
    let torso = role(&session, Role::Torso).id;
    session.apply(Action::Scene(SceneAction::SelectIn(torso, Selection::None)));
    let range = FrameRange::new(0, 1, 100);
    session.apply(Action::Clock(ClockAction::SetLoopRange(range)));
    assert_eq!([Role::Torso, Role::Legs].map(|half| role(&session, half).playback.range), [range; 2]);
    session.apply(Action::Clock(ClockAction::SetLoopRange(None)));
    assert_eq!([Role::Torso, Role::Legs].map(|half| role(&session, half).playback.range), [None; 2]);
}

#[test]
fn detach_command_removes_weapon_but_not_body_parts() {
    let (_game, mut session) = character();
    let torso = role(&session, Role::Torso).id;
    session.apply(Action::Scene(SceneAction::SelectIn(torso, Selection::None)));
    session.apply(Action::Scene(SceneAction::DetachFocused));
    assert!(session.document.scene.with_role(Role::Torso).is_some());
    let weapon = role(&session, Role::Weapon).id;
    session.apply(Action::Scene(SceneAction::SelectIn(weapon, Selection::None)));
    session.apply(Action::Scene(SceneAction::DetachFocused));
    assert!(session.document.scene.with_role(Role::Weapon).is_none());
    assert_eq!(session.document.history.undoable(), Some("Detach part"));
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(session.document.scene.with_role(Role::Weapon).is_some());
}

#[test]
fn restored_session_keeps_weapon_shading_and_speed() {
    let (_game, mut session) = character();
    let weapons = session.document.scene.character.clone().unwrap().weapons;
    act(&mut session, Action::Scene(SceneAction::ChooseWeapon(Some(weapons[1].clone()))));
    session.apply(Action::Display(DisplayAction::SetShading(Shading::Clay)));
    session.apply(Action::Clock(ClockAction::SetSpeed(0.5)));
    let mut next = Session::default();
    next.last_session = session.last();
    act(&mut next, Action::File(FileAction::RestoreLast));
    assert_eq!(role(&next, Role::Weapon).asset.name, "gauntlet.md3");
    assert_eq!(next.document.scene.entities().iter().filter(|entity| entity.role == Role::Weapon).count(), 1);
    assert_eq!((next.view.display.shading, next.playback().speed), (Shading::Clay, 0.5));
    // Repeat without a weapon.
    session.apply(Action::Scene(SceneAction::ChooseWeapon(None)));
    let mut next = Session::default();
    next.last_session = session.last();
    act(&mut next, Action::File(FileAction::RestoreLast));
    assert!(next.document.scene.with_role(Role::Weapon).is_none());
}

#[test]
fn chosen_skin_applies_to_all_parts_that_have_it() {
    let (_game, mut session) = character();
    assert_eq!(session.document.skin_names(), ["default", "red"]);
    session.apply(Action::Scene(SceneAction::ChooseSkinOfAll("red".to_owned())));
    for part in [Role::Legs, Role::Torso, Role::Head] {
        assert_eq!(role(&session, part).materials()[0].name, "models/players/box/red.png");
    }
    assert_eq!(session.document.common_skin().as_deref(), Some("red"));
    assert_eq!(role(&session, Role::Weapon).skin, 0);
    session.apply(Action::Scene(SceneAction::NextSkin));
    assert_eq!(session.document.common_skin().as_deref(), Some("default"));
}

#[test]
fn weapons_are_replaced_removed_and_attached_again() {
    let (_game, mut session) = character();
    let weapons = session.document.scene.character.clone().unwrap().weapons;
    let names: Vec<_> = weapons.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["machinegun.md3", "gauntlet.md3"], "what a player starts with comes first");
    act(&mut session, Action::Scene(SceneAction::ChooseWeapon(Some(weapons[1].clone()))));
    let to = role(&session, Role::Weapon).attachment.as_ref().expect("a weapon is attached to the hand");
    assert_eq!((to.to, to.anchor.name()), (role(&session, Role::Torso).id, "tag_weapon"));
    assert_eq!(session.document.scene.entities().iter().filter(|entity| entity.role == Role::Weapon).count(), 1);
    assert!(session.document.scene.with_role(Role::Barrel).is_none(), "the machine gun's barrel went with it");
    assert_eq!(role(&session, Role::Weapon).asset.name, "gauntlet.md3");
    assert!(session.apply(Action::Scene(SceneAction::ChooseWeapon(None))).is_none());
    assert!(session.document.scene.with_role(Role::Weapon).is_none());
    act(&mut session, Action::Scene(SceneAction::ChooseWeapon(Some(weapons[0].clone()))));
    assert_eq!(role(&session, Role::Weapon).asset.name, "machinegun.md3");
}

#[test]
fn part_cannot_be_attached_to_its_own_child() {
    let (_game, mut session) = character();
    let (legs, head) = (role(&session, Role::Legs).id, role(&session, Role::Head).id);
    let to = |to: EntityId, tag: &str| Attachment { to, anchor: Anchor::Tag(tag.to_owned()) };
    session.apply(Action::Scene(SceneAction::Reattach(legs, to(head, "tag_none"))));
    assert!(session.document.scene.entity(legs).unwrap().attachment.is_none());
    // Attaching to another part works and moves the children along.
    let weapon = role(&session, Role::Weapon).id;
    session.apply(Action::Scene(SceneAction::Reattach(weapon, to(legs, "tag_torso"))));
    session.refresh();
    assert_placed_at(session.document.scene.entity(weapon).unwrap(), [1.0, 2.0, 10.0], [0.0, 1.0, 0.0]);
    assert_placed_at(role(&session, Role::Barrel), [1.0, 4.0, 10.0], [0.0, 1.0, 0.0]);
    session.apply(Action::Scene(SceneAction::Detach(weapon)));
    assert!(session.document.scene.with_role(Role::Barrel).is_none());
    assert_eq!(session.document.scene.entities().len(), 3);
}

#[test]
fn md5_attachments_follow_their_joint() {
    let mut session = showing(open_sample(Format::Md5).unwrap());
    let (_game, model_folder) = game();
    let entity = session.entity().unwrap();
    let (index, joint) = entity.model().joints().iter().enumerate().next_back().unwrap();
    let to = Attachment { to: entity.id, anchor: Anchor::Joint(joint.name.clone()) };
    act(&mut session, Action::Scene(SceneAction::Attach(model_folder.join("head.md3"), to)));
    session.apply(Action::Clock(ClockAction::Seek(3.5)));
    session.refresh();
    let (parent, child) = (&session.document.scene.entities()[0], &session.document.scene.entities()[1]);
    let model_folder = parent.world_from_model * parent.pose.joints[index];
    assert!(child.world_from_model.abs_diff_eq(model_folder, 1e-5));
}

#[test]
fn quake_2_weapon_follows_its_player_frame() {
    let (_game, model_folder) = quake_2_game();
    let mut session = showing(opener().assembly(&model_folder.join("tris.md2")).unwrap());
    let names: Vec<&str> = session.document.scene.entities().iter().map(|entity| entity.asset.name.as_str()).collect();
    assert_eq!(names, ["tris.md2", "weapon.md2"]);
    assert_eq!(session.document.scene.character.as_ref().unwrap().weapons.len(), 2);
    session.apply(Action::Clock(ClockAction::Seek(1.0)));
    session.refresh();
    let [body, weapon] = session.document.scene.entities() else { panic!() };
    assert_eq!(body.pose.surfaces[0].positions, weapon.pose.surfaces[0].positions, "frame 1 of both");
    assert!(!weapon.has_track(), "it has no clock of its own");
    assert_eq!(body.world_from_model, weapon.world_from_model);
}

/// Returns what a drop does. Checks that it requests a load of the file.
fn dropped(session: &mut Session, path: &Path) -> DropAction {
    let action = session.document.drop_action(&[path.to_path_buf()]);
    let job = load_of(session.apply(Action::File(FileAction::Drop(vec![path.to_path_buf()]))));
    session.apply(Action::File(FileAction::CancelLoading));
    assert_eq!((job.path.as_path(), job.replaces), (path, action == DropAction::Open));
    action
}

#[test]
fn dropped_file_type_decides_the_action() {
    let (folder, mut session) = character();
    let gun = folder.path().join("models/weapons2/gauntlet/gauntlet.md3");
    let torso = role(&session, Role::Torso).id;
    match dropped(&mut session, &gun) {
        DropAction::Attach(to) => assert_eq!(to.to, torso),
        other => panic!("a weapon goes into the hand: {other:?}"),
    }
    assert_eq!(dropped(&mut session, Path::new("x/skin.TGA")), DropAction::TryTexture);
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    assert_eq!(dropped(&mut session, Path::new("x/skin.tga")), DropAction::TryTexture);
    assert_eq!(dropped(&mut session, Path::new("x/lower_blue.skin")), DropAction::TrySkin);
    // A selected tag receives a weapon. Other models open, because the tag may have been selected to look at it.
    session.apply(Action::Scene(SceneAction::SelectIn(torso, Selection::Tag(0))));
    match dropped(&mut session, &gun) {
        DropAction::Attach(to) => assert_eq!(to.anchor.name(), "tag_head"),
        other => panic!("{other:?}"),
    }
    assert_eq!(dropped(&mut session, Path::new("x/hat.md3")), DropAction::Open);
    assert_eq!(dropped(&mut session, Path::new("x/pak0.pk3")), DropAction::Open);
    let mut session = showing(open_sample(Format::Md5).unwrap());
    assert_eq!(dropped(&mut session, Path::new("x/walk.md5anim")), DropAction::Animate);
}

#[test]
fn dropped_image_applies_to_selection_or_all_surfaces() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("red.png");
    image::RgbaImage::from_pixel(2, 2, image::Rgba([200, 40, 40, 255])).save(&image).unwrap();
    let mut session = showing(open_sample(Format::Md3).unwrap());
    let drop = |session: &mut Session| {
        act(session, Action::File(FileAction::Drop(vec![image.clone()])));
        let surfaces: Vec<usize> = session.entity().unwrap().overrides.keys().copied().collect();
        session.apply(Action::Scene(SceneAction::Undo));
        surfaces
    };
    let count = session.asset().unwrap().model.surfaces().len();
    assert!(count > 1);
    assert_eq!(drop(&mut session), (0..count).collect::<Vec<_>>());
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(1))));
    assert_eq!(drop(&mut session), [1]);
}

#[test]
fn dropped_animation_iqm_is_added_to_open_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let [mesh, wave, other] = ["mesh/box.iqm", "wave.iqm", "other.iqm"].map(|name| folder.path().join(name));
    std::fs::create_dir(folder.path().join("mesh")).unwrap();
    std::fs::write(&mesh, Iqm::typical().build()).unwrap();
    std::fs::write(&other, Iqm::typical().build()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Drop(vec![mesh])));
    // Written afterwards, because an IQM also has the animations in the folder above.
    std::fs::write(&wave, Iqm::animation().build()).unwrap();
    act(&mut session, Action::File(FileAction::Drop(vec![wave])));
    assert_eq!(session.name(), Some("box.iqm"));
    let names = |session: &Session| -> Vec<String> {
        session.entity().unwrap().model().clips().iter().map(|clip| clip.name.clone()).collect()
    };
    assert!(names(&session).ends_with(&["wave_2".to_owned()]), "{:?}", names(&session));
    act(&mut session, Action::File(FileAction::Drop(vec![other])));
    assert_eq!(session.name(), Some("other.iqm"));
}

#[test]
fn skeletons_are_dropped_on_meshes_of_their_format() {
    let mut session = showing(open_sample(Format::Md5).unwrap());
    assert_eq!(dropped(&mut session, Path::new("x/body.mdx")), DropAction::Open);
    assert_eq!(dropped(&mut session, Path::new("x/box.gla")), DropAction::Open);
}

#[test]
fn dropped_model_can_be_attached_to_previous_scene() {
    let (folder, mut session) = character();
    let before: Vec<EntityId> = session.document.scene.entities().iter().map(|entity| entity.id).collect();
    let hat = folder.path().join("hat.md3");
    std::fs::write(&hat, player::md3(1, &[])).unwrap();
    act(&mut session, Action::File(FileAction::Drop(vec![hat])));
    assert_eq!(session.name(), Some("hat.md3"));
    let attachment = {
        let offer = session.interface.alternative.as_ref().unwrap();
        let (entity, anchor) =
            offer.attachment_points().into_iter().find(|(_, anchor)| anchor.name() == "tag_head").unwrap();
        Attachment { to: entity.id, anchor }
    };
    act(&mut session, Action::File(FileAction::AttachInstead(attachment)));
    assert_eq!(session.name(), Some("box"));
    let now: Vec<EntityId> = session.document.scene.entities().iter().map(|entity| entity.id).collect();
    assert_eq!(now[..before.len()], before[..]);
    assert!(!before.contains(now.last().unwrap()), "newcomers are called like nobody before");
    assert_placed_at(session.document.scene.entities().last().unwrap(), [1.0, 7.0, 13.0], [0.0, 1.0, 0.0]);
}

#[test]
fn model_dropped_again_is_not_offered_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let [stand, other] = ["stand.md3", "other.md3"].map(|name| folder.path().join(name));
    let tag = [("tag_top", [0.0, 0.0, 9.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])];
    for path in [&stand, &other] {
        std::fs::write(path, player::md3(1, &tag)).unwrap();
    }
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Drop(vec![stand.clone()])));
    act(&mut session, Action::File(FileAction::Drop(vec![stand])));
    assert!(session.interface.alternative.is_none());
    act(&mut session, Action::File(FileAction::Drop(vec![other])));
    assert!(session.interface.alternative.is_some(), "both have the tag");
}

#[test]
fn model_dropped_while_a_tag_is_selected_is_offered_to_the_scene() {
    for is_selected in [false, true] {
        let (folder, mut session) = character();
        let wall = folder.path().join("wall.md3");
        // As large as the character, and without tags.
        let corner = |x: i16, y: i16, z: i16| ([x * 64, y * 64, z * 64], [0, 0]);
        let frames = vec![vec![corner(-400, 0, 0), corner(400, 0, 0), corner(0, 400, 0)]];
        std::fs::write(&wall, Md3 { tags: vec![], frames, ..Md3::typical() }.build()).unwrap();
        let torso = role(&session, Role::Torso).id;
        if is_selected {
            session.apply(Action::Scene(SceneAction::SelectIn(torso, Selection::Tag(0))));
        }
        act(&mut session, Action::File(FileAction::Drop(vec![wall])));
        assert_eq!(session.name(), Some("wall.md3"));
        assert_eq!(session.interface.alternative.is_some(), is_selected);
    }
}

#[test]
fn animation_from_any_folder_is_matched_by_joint_names() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample");
    let elsewhere = folder.path().join("stroll.md5anim");
    std::fs::copy(sample.join("run.md5anim"), &elsewhere).unwrap();
    let part = opener().model(&sample.join("umber.md5mesh")).unwrap();
    let more = opener().with_animation(&part, &elsewhere).unwrap();
    assert_eq!(more.model.clips().len(), part.model.clips().len() + 1);
    assert_eq!(more.model.clips().last().unwrap().name, "stroll");
    // Animations of other models and other files are rejected with a reason.
    let rename = |line: &str| if line.trim().starts_with('"') { line.replacen('"', "\"z", 1) } else { line.to_owned() };
    let own = std::fs::read_to_string(&elsewhere).unwrap();
    std::fs::write(&elsewhere, own.lines().map(rename).collect::<Vec<_>>().join("\n")).unwrap();
    let error = opener().with_animation(&part, &elsewhere).unwrap_err().to_string();
    assert!(error.contains("belongs to another model"), "{error}");
    let md3 = opener().model(&sample.join("umber.md3")).unwrap();
    assert!(matches!(opener().with_animation(&md3, &elsewhere).unwrap_err().cause, OpenCause::NoSkeleton(_)));
}

#[test]
fn one_surface_can_use_material_of_second_skin() {
    let (_game, mut session) = character();
    let name = |session: &Session| session.entity().unwrap().materials()[0].name.clone();
    session.apply(Action::Scene(SceneAction::UseMaterialOfSkin(0, 1)));
    assert_eq!(name(&session), "models/players/box/red.png");
    assert_eq!(session.entity().unwrap().skin, 0);
    session.apply(Action::Scene(SceneAction::ClearOverride(0)));
    assert_eq!(name(&session), "models/players/box/default.png");
}

#[test]
fn accessories_appear_with_their_skin() {
    let (_game, model_folder) = game();
    let skin = "u_torso,models/players/box/red.png\nmd3_hat,models/players/box/hat.mdc\nplayerscale,2\n";
    std::fs::write(model_folder.join("head_red.skin"), skin).unwrap();
    // The skin refers to an .mdc, but the folder contains an .md3. The game accepts either.
    std::fs::write(model_folder.join("hat.md3"), player::md3(1, &[])).unwrap();
    std::fs::write(model_folder.join("head.md3"), player::md3(1, &[("tag_mouth", player::straight([0.0, 0.0, 2.0]))]))
        .unwrap();
    let mut session = showing(opener().assembly(&model_folder.join("lower.md3")).unwrap());
    assert!(!session.document.scene.shows(role(&session, Role::Accessory)));
    session.apply(Action::Scene(SceneAction::ChooseSkinOfAll("red".to_owned())));
    session.refresh();
    assert!(session.document.scene.shows(role(&session, Role::Accessory)));
    // Scaled by two: the head at 2 · (1, 7, 13), the hat 2 · 2 above it.
    assert_scaled_at(role(&session, Role::Accessory), [2.0, 14.0, 30.0]);
}

#[test]
fn accessory_in_many_slots_is_opened_once() {
    let (_game, model_folder) = game();
    let slots: String = (0..80).map(|slot| format!("md3_a{slot},models/players/box/hat.md3\n")).collect();
    std::fs::write(model_folder.join("head_red.skin"), format!("u_torso,models/players/box/red.png\n{slots}")).unwrap();
    std::fs::write(model_folder.join("hat.md3"), player::md3(1, &[])).unwrap();
    let character = opener().assembly(&model_folder.join("lower.md3")).unwrap();
    let hats: Vec<_> = character.members.iter().filter(|member| member.role == Role::Accessory).collect();
    // The limit applies to all skins together; games have seven slots.
    assert_eq!(hats.len(), 64);
    assert!(hats.iter().all(|hat| Arc::ptr_eq(&hat.asset.model, &hats[0].asset.model)));
    let head = character.members.iter().find(|member| member.role == Role::Head).unwrap();
    let is_reported = |warning: &maquette_core::error::Warning| {
        warning.to_string().contains("the skins add 80 models; only 64 are opened")
    };
    assert!(head.warnings.iter().any(is_reported), "{:?}", head.warnings);
}

#[test]
fn characters_share_the_same_weapon_model() {
    let (game, model_folder) = game();
    let other = model_folder.with_file_name("other");
    std::fs::create_dir(&other).unwrap();
    for name in ["lower.md3", "upper.md3", "head.md3"] {
        std::fs::copy(model_folder.join(name), other.join(name)).unwrap();
    }
    let opener = opener().unchanging();
    let weapon_of = |model_folder: &Path| {
        let character = opener.assembly(&model_folder.join("lower.md3")).unwrap();
        character.members.into_iter().find(|member| member.role == Role::Weapon).unwrap().asset
    };
    let (one, two) = (weapon_of(&model_folder), weapon_of(&other));
    assert!(Arc::ptr_eq(&one.model, &two.model), "of {}", game.path().display());
    assert!(Arc::ptr_eq(&one.skins[0].materials, &two.skins[0].materials));
}

fn assert_scaled_at(entity: &Entity, origin: [f32; 3]) {
    let position = Vec3::from(entity.world_from_model.translation);
    assert!(position.distance(origin.into()) < 1e-4, "{position:?}");
    let length = entity.world_from_model.matrix3.x_axis.length();
    assert!((length - 2.0).abs() < 1e-4, "{length}");
}

#[test]
fn loose_character_is_named_after_folder_or_archive() {
    let folder = tempfile::tempdir().unwrap();
    let model_folder = folder.path().join("ranger");
    std::fs::create_dir(&model_folder).unwrap();
    let parts: Vec<(String, Vec<u8>)> = player::files()
        .into_iter()
        .filter_map(|(path, bytes)| Some((path.strip_prefix("models/players/box/")?.to_owned(), bytes)))
        .collect();
    for (name, bytes) in &parts {
        std::fs::write(model_folder.join(name), bytes).unwrap();
    }
    assert_eq!(opener().assembly(&model_folder.join("lower.md3")).unwrap().character.unwrap().name, "ranger");
    let entries: Vec<(&str, &[u8])> = parts.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let archive = model_folder.join("Scout.pk3");
    std::fs::write(&archive, archives::zip(&entries)).unwrap();
    assert_eq!(opener().assembly(&archive.join("upper.md3")).unwrap().character.unwrap().name, "Scout");
}

#[test]
fn playback_stops_when_all_clips_have_ended() {
    let (_game, model_folder) = quake_2_game();
    let mut session = showing(opener().assembly(&model_folder.join("tris.md2")).unwrap());
    session.apply(Action::Clock(ClockAction::SetRepeat(maquette_core::pose::Repeat::Once)));
    session.advance(1000.0);
    assert!(!session.is_playing(), "a weapon in step has no clock that could run on");
    // A dropped weapon goes into the hand and does not start playback.
    let gun = model_folder.join("w_shotgun.md2");
    let DropAction::Attach(to) = dropped(&mut session, &gun) else { panic!() };
    assert_eq!(to.anchor, Anchor::Origin);
    act(&mut session, Action::File(FileAction::Drop(vec![gun])));
    assert!(!session.is_playing());
    assert_eq!(session.document.scene.entities().len(), 2);
    assert!(session.document.scene.with_role(Role::Weapon).unwrap().follows_parent);
    assert!(session.interface.alternative.as_ref().is_some_and(maquette_scene::session::DropAlternative::was_attached));
}

#[test]
fn weapon_pieces_are_hidden_with_the_weapon() {
    let (_game, mut session) = character();
    let weapon = role(&session, Role::Weapon).id;
    session.apply(Action::Scene(SceneAction::ShowEntity(weapon, false)));
    assert!(!session.document.scene.shows(role(&session, Role::Barrel)));
    assert!(session.document.scene.shows(role(&session, Role::Head)), "a hidden torso takes nobody along");
}

#[test]
fn failed_attachment_offers_no_alternative() {
    let (folder, mut session) = character();
    let gun = folder.path().join("models/weapons2/broken/broken.md3");
    assert!(matches!(session.document.drop_action(std::slice::from_ref(&gun)), DropAction::Attach(_)));
    let job = load_of(session.apply(Action::File(FileAction::Drop(vec![gun]))));
    assert!(session.interface.alternative.is_none(), "nothing is attached yet");
    session.loaded(answer(job));
    assert!(session.interface.alternative.is_none() && session.interface.failure.is_some());
    // A result for a removed part is reported, and the load ends.
    let missing = Attachment { to: EntityId(u64::MAX), anchor: Anchor::Origin };
    let hat = folder.path().join("hat.md3");
    std::fs::write(&hat, player::md3(1, &[])).unwrap();
    act(&mut session, Action::Scene(SceneAction::Attach(hat, missing)));
    assert_eq!(session.interface.notes.last().unwrap().text, "The target part was removed");
    assert!(session.jobs.loading.is_none());
}

#[test]
fn attaching_instead_restores_previous_model_list() {
    let (folder, mut session) = character();
    session.model_list = ["a.md3", "b.md3"].map(PathBuf::from).into();
    let hat = folder.path().join("hat.md3");
    std::fs::write(&hat, player::md3(1, &[])).unwrap();
    act(&mut session, Action::File(FileAction::Drop(vec![hat.clone()])));
    assert_eq!(*session.model_list, [hat]);
    let to = session
        .interface
        .alternative
        .as_ref()
        .unwrap()
        .attachment_points()
        .first()
        .map(|(entity, anchor)| (entity.id, anchor.clone()));
    let (to, anchor) = to.unwrap();
    session.apply(Action::File(FileAction::AttachInstead(Attachment { to, anchor })));
    assert_eq!(session.model_list.len(), 2);
}

#[test]
fn reload_keeps_skins_clips_and_added_files() {
    let (folder, mut session) = character();
    let extra = folder.path().join("blue.skin");
    std::fs::write(&extra, "u_torso,models/players/box/blue.png\n").unwrap();
    act(&mut session, Action::File(FileAction::Drop(vec![extra])));
    assert_eq!(role(&session, Role::Legs).skin_name(), "blue.skin");
    choose(&mut session, Role::Legs, "LEGS_RUN");
    let job = load_of(session.apply(Action::File(FileAction::Reload)));
    assert_eq!(session.document.scene.sources().count(), 6);
    // The new skin file becomes the first skin of the list.
    std::fs::write(folder.path().join("models/players/box/lower_aaa.skin"), "u_torso,x.png\n").unwrap();
    session.loaded(answer(job));
    assert_eq!(role(&session, Role::Legs).skin_name(), "blue.skin");
    assert_eq!(role(&session, Role::Legs).materials()[0].name, "models/players/box/blue.png");
    assert_eq!(clip(&session, Role::Legs), "LEGS_RUN");
    assert_eq!(role(&session, Role::Weapon).asset.name, "machinegun.md3");
}

#[test]
fn search_folder_overrides_parts_but_not_the_requested_file() {
    let (_game, model_folder) = game();
    let mod_folder = tempfile::tempdir().unwrap();
    player::write(mod_folder.path());
    let elsewhere = mod_folder.path().join("models/players/box");
    // The mod overrides the head, and its legs are higher.
    std::fs::write(elsewhere.join("head.md3"), player::md3(2, &[])).unwrap();
    let legs = player::md3(player::FRAMES, &[("tag_torso", player::turned([0.0, 0.0, 99.0]))]);
    std::fs::write(elsewhere.join("lower.md3"), legs).unwrap();
    let opener = Opener::new(vec![mod_folder.path().to_path_buf()], ImageLoading::LocateOnly);
    let session = showing(opener.assembly(&model_folder.join("lower.md3")).unwrap());
    assert_eq!(role(&session, Role::Head).model().frames().len(), 2, "from the root");
    assert_placed_at(role(&session, Role::Torso), [1.0, 2.0, 10.0], [0.0, 1.0, 0.0]);
}

#[test]
fn accessory_follows_skin_of_its_owner_part() {
    let (_game, model_folder) = game();
    // Skins of the legs with belts on a tag of the torso.
    let skin = |word: &str| format!("u_torso,x.png\nmd3_belt,models/players/box/belt_{word}.md3\n");
    for word in ["default", "red"] {
        std::fs::write(model_folder.join(format!("lower_{word}.skin")), skin(word)).unwrap();
        std::fs::write(model_folder.join(format!("belt_{word}.md3")), player::md3(1, &[])).unwrap();
    }
    let tags = [("tag_head", player::straight([0.0; 3])), ("tag_ubelt", player::straight([0.0, 0.0, 7.0]))];
    std::fs::write(model_folder.join("upper.md3"), player::md3(player::FRAMES, &tags)).unwrap();
    let mut session = showing(opener().assembly(&model_folder.join("lower.md3")).unwrap());
    let shown = |session: &Session| -> Vec<String> {
        let belts = session.document.scene.entities().iter().filter(|entity| entity.role == Role::Accessory);
        belts.filter(|entity| session.document.scene.shows(entity)).map(|entity| entity.asset.name.clone()).collect()
    };
    assert_eq!(shown(&session), ["belt_default.md3"]);
    session.apply(Action::Scene(SceneAction::ChooseSkinOfAll("red".to_owned())));
    assert_eq!(shown(&session), ["belt_red.md3"]);
}

#[test]
fn isolating_part_changes_no_state_of_remaining_parts() {
    let (_game, mut session) = character();
    session.apply(Action::Scene(SceneAction::ChooseSkinOfAll("red".to_owned())));
    choose(&mut session, Role::Legs, "LEGS_RUN");
    let (torso, head) = (role(&session, Role::Torso).id, role(&session, Role::Head).id);
    session.apply(Action::Scene(SceneAction::ShowEntity(head, false)));
    session.apply(Action::Scene(SceneAction::ShowAlone(torso)));
    let shown = |session: &Session| -> Vec<EntityId> {
        session
            .document
            .scene
            .entities()
            .iter()
            .filter(|entity| session.document.scene.shows(entity))
            .map(|entity| entity.id)
            .collect()
    };
    assert_eq!(shown(&session), [torso]);
    assert!(session.apply(Action::Scene(SceneAction::ShowCharacter)).is_none(), "nothing is opened anew");
    assert!(shown(&session).len() > 1 && !shown(&session).contains(&head), "the head stays hidden");
    assert_eq!(
        (session.document.common_skin().as_deref(), clip(&session, Role::Legs).as_str()),
        (Some("red"), "LEGS_RUN")
    );
}

#[test]
fn repeat_whole_loops_clip_that_holds_its_end() {
    let (_game, mut session) = character();
    choose(&mut session, Role::Torso, "TORSO_ATTACK");
    session.apply(Action::Clock(ClockAction::SetRepeat(maquette_core::pose::Repeat::Whole)));
    // Two frames at 20 per second: 0.125 s are 2.5 frames, half a frame into the second repetition.
    session.advance(0.125);
    session.refresh();
    let torso = role(&session, Role::Torso);
    assert!((torso.playback.shown_frame(torso.model()) - 14.5).abs() < 1e-6);
    assert!(session.is_playing());
}

#[test]
fn seeking_outside_clips_shows_all_frames() {
    let (_game, mut session) = character();
    let torso = role(&session, Role::Torso).id;
    session.apply(Action::Clock(ClockAction::SeekIn(torso.into(), 55.25)));
    let entity = role(&session, Role::Torso);
    assert!((entity.playback.shown_frame(entity.model()) - 55.25).abs() < 1e-6);
    assert_eq!(entity.playback.choice, ClipChoice::AllFrames);
}

#[test]
fn lod_files_are_not_listed_as_models() {
    let list = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
    let all = list(&["a/lower.md3", "a/lower_1.md3", "a/lower_2.md3", "a/area_1.md3", "b/lower_1.md3"]);
    let shown = divide_levels(all).models;
    assert_eq!(shown, list(&["a/lower.md3", "a/area_1.md3", "b/lower_1.md3"]));
    // MD2, MDR and MD5 have no LOD files, so such names are models.
    let others =
        list(&["h/seats.md2", "h/seats_2.md2", "m/lower.mdr", "m/lower_1.mdr", "d/a.md5mesh", "d/a_1.md5mesh"]);
    assert_eq!(divide_levels(others.clone()).models, others);
    let mdc = divide_levels(list(&["w/body.mdc", "w/body_1.mdc"])).models;
    assert_eq!(mdc, list(&["w/body.mdc"]));
}

#[test]
fn skin_shows_surfaces_that_the_model_hides() {
    let folder = tempfile::tempdir().unwrap();
    let player = folder.path().join("base/models/players/box");
    std::fs::create_dir_all(&player).unwrap();
    std::fs::write(player.join("model.glm"), Glm::typical().build()).unwrap();
    for (name, text) in [("full", "body,a\n"), ("bare", "body,a\n")] {
        std::fs::write(player.join(format!("model_{name}.skin")), text).unwrap();
    }
    std::fs::write(player.join("model_bare.surf"), "surfOn cap\n").unwrap();
    let mut session = showing(opener().assembly(&player.join("model.glm")).unwrap());
    let cap = |session: &Session| {
        let entity = session.entity().unwrap();
        let index = entity.model().surfaces().iter().position(|surface| surface.name == "cap").unwrap();
        entity.draws(index)
    };
    let skin = |session: &Session, name: &str| {
        session.entity().unwrap().asset.skins.iter().position(|skin| skin.name == name).unwrap()
    };
    for (name, is_drawn) in [("full", false), ("bare", true), ("full", false)] {
        let skin = skin(&session, name);
        session.apply(Action::Scene(SceneAction::ChooseSkin(skin)));
        assert_eq!(cap(&session), is_drawn, "{name}");
    }
}

#[test]
fn reload_keeps_warnings_about_the_assembly() {
    let (_folder, model_folder) = game();
    // The torso is named like no tag of the legs, and the head cannot be read.
    std::fs::write(model_folder.join("lower.md3"), player::md3(player::FRAMES, &[])).unwrap();
    std::fs::write(model_folder.join("head.md3"), b"IDP3").unwrap();
    let mut session = showing(opener().assembly(&model_folder.join("lower.md3")).unwrap());
    let issues = |session: &Session| {
        let issues = session.document.issues.iter().filter(|issue| !issue.warning.message.contains("image"));
        issues.map(ToString::to_string).collect::<Vec<_>>()
    };
    let before = issues(&session);
    assert!(before.iter().any(|issue| issue.contains("no tag_torso; upper.md3 is placed at the origin")), "{before:?}");
    assert!(before.iter().any(|issue| issue.contains("head.md3: skipped")), "{before:?}");
    act(&mut session, Action::File(FileAction::Reload));
    assert_eq!(issues(&session), before);
    std::fs::write(
        model_folder.join("lower.md3"),
        player::md3(player::FRAMES, &[("tag_torso", player::straight([0.0; 3]))]),
    )
    .unwrap();
    act(&mut session, Action::File(FileAction::Reload));
    assert!(!issues(&session).iter().any(|issue| issue.contains("tag_torso")), "the tag exists now");
}
