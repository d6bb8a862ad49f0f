//! Models in a game's archives: overrides by later archives, and both search orders.

use std::path::{Path, PathBuf};

use egui::{Role, vec2};
use egui_kittest::kittest::Queryable as _;
use maquette_assets::material::{ImageLoading, SurfaceMaterial};
use maquette_assets::open::{ModelAsset, Opener};
use maquette_assets::vfs::SearchOrder;
use maquette_scene::scene::ColourTheme;
use maquette_scene::session::{Action, FileAction, Session};
use tempfile::TempDir;

use crate::support::command::{maquette, text};
use crate::support::loading::act;
use crate::support::panels::{bench, click};
use maquette_testing::archives::{folder, zip};
use maquette_testing::files::{Md3, TGA};

/// Creates two archives of a game. The later archive overrides the lid, which has one frame less there, and the script
/// of the box's material. Each archive has another script that defines `models/box/edge`.
fn game() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let whole = Md3::typical().build();
    let typical = Md3::typical();
    let single_frame = Md3 { tags: vec![], frames: typical.frames[..1].to_vec(), ..typical }.build();
    let edge = Md3 { shaders: vec!["models/box/edge"], ..Md3::typical() }.build();
    let stage = "{ map $whiteimage }";
    let pak0 = zip(&[
        ("models/box/box.md3", &whole),
        ("models/box/lid.md3", &whole),
        ("models/box/edge.md3", &edge),
        ("scripts/box.shader", format!("\nmodels/box/skin {{ {stage} }}").as_bytes()),
        ("scripts/zz.shader", format!("models/box/edge {{ {stage} }}").as_bytes()),
    ]);
    let pak1 = zip(&[
        ("models/box/lid.md3", &single_frame),
        ("models/box/rim.md3", &edge),
        ("scripts/BOX.shader", format!("models/other {{ {stage} }}").as_bytes()),
        ("scripts/aa.shader", format!("models/box/edge {{ {stage} {stage} }}").as_bytes()),
    ]);
    std::fs::create_dir(root.path().join("baseq3")).unwrap();
    std::fs::write(root.path().join("baseq3/pak0.pk3"), pak0).unwrap();
    std::fs::write(root.path().join("baseq3/pak1.pk3"), pak1).unwrap();
    root
}

fn path_in(root: &TempDir, path: &str) -> PathBuf {
    root.path().join("baseq3").join(path)
}

fn open(path: &Path, order: SearchOrder) -> ModelAsset {
    Opener::new(vec![], ImageLoading::Decode).in_order(order).model(path).unwrap()
}

fn first_material(asset: &ModelAsset) -> &SurfaceMaterial {
    &asset.skins[0].materials[0]
}

/// Returns the steps of a search as `what: note`.
fn notes(material: &SurfaceMaterial) -> Vec<String> {
    material.search_log.iter().map(|step| format!("{}: {}", step.what, step.note)).collect()
}

#[test]
fn overridden_script_definition_is_noted_but_unused() {
    let root = game();
    let model = path_in(&root, "pak0.pk3/models/box/box.md3");
    let in_game = open(&model, SearchOrder::Game);
    let material = first_material(&in_game);
    assert_eq!((material.script.as_ref(), material.is_missing()), (None, true));
    let lines = notes(material);
    assert!(lines.contains(&"In pak0.pk3: scripts/box.shader line 2, overridden by pak1.pk3".to_owned()), "{lines:?}");

    let alone = open(&model, SearchOrder::OwnArchive);
    let material = first_material(&alone);
    assert_eq!(material.script, Some(("scripts/box.shader".to_owned(), 2)));
    let lines = notes(material);
    assert!(lines.contains(&"In the game: pak1.pk3 overrides scripts/box.shader".to_owned()), "{lines:?}");
}

#[test]
fn later_script_in_game_listing_wins() {
    let root = game();
    // The listing contains box and aa of pak1, then zz of pak0 (Quake III's FS_ListFiles). The last one has priority.
    for model in ["pak0.pk3/models/box/edge.md3", "pak1.pk3/models/box/rim.md3"] {
        let asset = open(&path_in(&root, model), SearchOrder::Game);
        assert_eq!(first_material(&asset).script, Some(("scripts/zz.shader".to_owned(), 1)), "{model}");
    }
    let asset = open(&path_in(&root, "pak0.pk3/models/box/edge.md3"), SearchOrder::OwnArchive);
    assert_eq!(first_material(&asset).script, Some(("scripts/aa.shader".to_owned(), 1)));
}

#[test]
fn overridden_model_opens_itself_and_is_noted() {
    let root = game();
    for order in SearchOrder::ALL {
        let lid = open(&path_in(&root, "pak0.pk3/models/box/lid.md3"), order);
        assert_eq!(lid.model.frames().len(), 2, "{order:?}: the one that was asked for");
        assert_eq!(lid.overridden_by.as_deref(), Some("pak1.pk3"));
        let lines = notes(first_material(&lid));
        assert_eq!(lines[0], "Model: overridden by pak1.pk3 in the game; this is the file from pak0.pk3");
    }
    let lid = open(&path_in(&root, "pak1.pk3/models/box/lid.md3"), SearchOrder::Game);
    assert_eq!((lid.model.frames().len(), lid.overridden_by.as_ref()), (1, None));
    let asset = open(&path_in(&root, "pak0.pk3/models/box/box.md3"), SearchOrder::Game);
    assert_eq!((asset.overridden_by.as_ref(), asset.order_matters), (None, true));
}

fn opened(path: PathBuf) -> Session {
    let mut session = Session::default();
    session.interface.theme = Some(ColourTheme::Dark);
    act(&mut session, Action::File(FileAction::Open(vec![path])));
    session
}

#[test]
fn search_order_switch_applies_to_following_models() {
    let root = game();
    let mut session = opened(path_in(&root, "pak0.pk3/models/box/box.md3"));
    let script = |session: &Session| session.entity().unwrap().materials()[0].script.clone();
    assert_eq!((session.search_order, script(&session)), (SearchOrder::Game, None));
    act(&mut session, Action::File(FileAction::SearchIn(SearchOrder::OwnArchive)));
    assert_eq!(script(&session), Some(("scripts/box.shader".to_owned(), 2)));
    act(&mut session, Action::File(FileAction::NextModel));
    assert_eq!(session.asset().unwrap().name, "edge.md3");
    assert_eq!(script(&session), Some(("scripts/aa.shader".to_owned(), 1)));
    act(&mut session, Action::File(FileAction::SearchIn(SearchOrder::Game)));
    assert_eq!(script(&session), Some(("scripts/zz.shader".to_owned(), 1)));
}

#[test]
fn model_list_marks_overridden_models() {
    let root = game();
    let session = opened(root.path().to_path_buf());
    assert_eq!(session.model_list.len(), 5);
    let replaced: Vec<_> = session.replaced_models.iter().collect();
    assert_eq!(replaced, [(&path_in(&root, "pak0.pk3/models/box/lid.md3"), &"pak1.pk3".to_owned())]);
}

#[test]
fn panels_mark_overridden_model_and_offer_both_orders() {
    let root = game();
    let mut session = opened(root.path().to_path_buf());
    act(&mut session, Action::File(FileAction::Show(path_in(&root, "pak0.pk3/models/box/lid.md3"))));
    let mut harness = bench(session, vec2(1280.0, 1400.0));
    harness.get_by_role_and_label(Role::ListItem, "lid.md3, Overridden by pak1.pk3");
    harness.get_by_role_and_label(Role::ListItem, "lid.md3");
    harness.get_by_role_and_label(Role::Label, "The game uses the file from pak1.pk3");
    assert_eq!(
        click(&mut harness, Role::RadioButton, "Materials: In this archive"),
        [Action::File(FileAction::SearchIn(SearchOrder::OwnArchive))]
    );
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = maquette(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn info_reports_overrides_for_both_search_orders() {
    let root = game();
    let path = |path: &str| path_in(&root, path).display().to_string();
    let (lid, box_) = (path("pak0.pk3/models/box/lid.md3"), path("pak0.pk3/models/box/box.md3"));
    assert_eq!(json(&["info", &lid, "--json"])["replaced_by"], "pak1.pk3");
    assert_eq!(json(&["info", &box_, "--json"])["replaced_by"], serde_json::Value::Null);
    assert_eq!(json(&["info", &box_, "--json"])["materials"][0]["script"], serde_json::Value::Null);
    let alone = json(&["info", &box_, "--json", "--as", "archive"]);
    assert_eq!(alone["materials"][0]["script"]["path"], "scripts/box.shader");
    let overridden = json(&["info", &box_, "--json"])["materials"][0]["replaced_script"].clone();
    assert_eq!(overridden, "scripts/box.shader line 2, overridden by pak1.pk3");
    let text = String::from_utf8(maquette(&["info", &box_]).stdout).unwrap();
    assert!(text.contains("scripts/box.shader line 2, overridden by pak1.pk3"), "{text}");
    let text = String::from_utf8(maquette(&["info", &lid]).stdout).unwrap();
    assert!(text.contains("overridden by pak1.pk3"), "{text}");
    let models = json(&["info", &path("pak0.pk3"), "--json"])["models"].clone();
    let replaced: Vec<_> = models.as_array().unwrap().iter().map(|model| model["replaced_by"].clone()).collect();
    let none = serde_json::Value::Null;
    assert_eq!(replaced, [none.clone(), none, "pak1.pk3".into()], "box, edge, lid");
    assert_eq!(maquette(&["info", &lid, "--as", "mod"]).status.code(), Some(2));
}

#[test]
fn mods_share_only_base_game_scripts() {
    let definition = "models/box/skin\n{\n{\nmap textures/a.tga\n}\n}\n";
    let (model, own) = (Md3::typical().build(), format!("// Its own.\n\n{definition}"));
    let files: [(&str, &[u8]); 5] = [
        ("baseq3/scripts/a.shader", definition.as_bytes()),
        ("one/models/m.md3", &model),
        ("two/models/m.md3", &model),
        ("two/scripts/a.shader", own.as_bytes()),
        ("three/models/m.md3", &model),
    ];
    let root = folder(&files);
    let opener = Opener::new(vec![], ImageLoading::LocateOnly).unchanging();
    let line = |name: &str| {
        let asset = opener.model(&root.path().join(name).join("models/m.md3")).unwrap();
        asset.skins[0].materials[0].script.clone()
    };
    let (of_base, of_two) = (Some(("scripts/a.shader".to_owned(), 1)), Some(("scripts/a.shader".to_owned(), 3)));
    for (name, wanted) in
        [("one", &of_base), ("two", &of_two), ("three", &of_base), ("two", &of_two), ("one", &of_base)]
    {
        assert_eq!(line(name), *wanted, "{name}");
    }
}

#[test]
fn image_of_other_game_counts_as_guess() {
    let lines = |files: &[&str]| {
        let model = Md3 { shaders: vec!["textures/a.tga"], ..Md3::typical() }.build();
        let mut all: Vec<(&str, &[u8])> = vec![("mod/models/x.md3", &model)];
        all.extend(files.iter().map(|path| (*path, TGA)));
        let root = folder(&all);
        text(&maquette(&["check", "--textures", "-v", root.path().join("mod").to_str().unwrap()]).stdout)
    };
    // An MD3 is of Quake III, whose base game is `baseq3`.
    let (own, other) = ("baseq3/textures/b.tga", "etmain/textures/a.tga");
    let output = lines(&[own, other]);
    assert!(
        output.starts_with("textures/a.tga: guessed in 1 surface of 1 model; the game does not look there\n"),
        "{output}"
    );
    assert!(output.contains("in etmain, where the game of the model does not look"), "{output}");
    // A file of the own game is found first, also with another extension.
    assert_eq!(lines(&[own, other, "baseq3/textures/a.jpg"]), "");
    // With one base game, the model is of this game.
    assert_eq!(lines(&[other]), "");
}
