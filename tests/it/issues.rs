//! Issues of the scene's files: data loss is listed first, and each row leads to its location.

use std::path::Path;

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use maquette_assets::lint;
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_core::error::{FilePosition, WarningKind};
use maquette_scene::session::{Action, DockTab, FileAction, IssueTarget, SceneAction, Selection, Session, Severity};

use crate::support::loading::act;
use crate::support::panels::{Bench, bench, click, taken};
use maquette_testing::bytes::with_i32;
use maquette_testing::files::Md3;

/// Opens a file in a folder without its texture.
fn opened(folder: &Path, bytes: &[u8]) -> Session {
    let path = folder.join("box.md3");
    std::fs::write(&path, bytes).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path])));
    assert_eq!(session.interface.failure, None);
    session
}

/// Returns a file of two surfaces, the second of which is truncated.
fn half() -> Vec<u8> {
    let mut bytes = Md3 { surfaces: 2, ..Md3::typical() }.build();
    bytes.truncate(bytes.len() - 100);
    bytes
}

#[test]
fn data_loss_issues_sort_before_missing_textures() {
    let folder = tempfile::tempdir().unwrap();
    let session = opened(folder.path(), &half());
    let issues = &session.document.issues;
    let severities: Vec<Severity> = issues.iter().map(maquette_scene::session::Issue::severity).collect();
    assert_eq!(severities[0], Severity::Lost, "{issues:?}");
    assert!(severities.is_sorted_by(|one, other| one >= other), "{severities:?}");
    let index_of = |severity| severities.iter().position(|own| *own == severity);
    assert!(index_of(Severity::Companion) > index_of(Severity::Lost), "{issues:?}");
    assert!(
        index_of(Severity::Note) > index_of(Severity::Companion),
        "ofsEnd is another number; nothing is lost by that"
    );
    // The invalid field belongs to the second surface, which begins at 444 + 260.
    let lost = &issues[0];
    assert!(lost.to_string().contains("surface 1: "), "{lost}");
    assert!(matches!(lost.target, Some(IssueTarget::File(FilePosition::Byte(704..=812)))), "{lost:?}");
}

#[test]
fn damaged_file_strip_leads_to_faulty_field() {
    let folder = tempfile::tempdir().unwrap();
    // The tags are beyond the end of the file, so the model opens without them.
    let session = opened(folder.path(), &with_i32(&Md3::typical().build(), 96, 1 << 20));
    assert_eq!(session.document.losses().count(), 1);
    let mut harness = bench(session, vec2(1280.0, 900.0));
    let is_damage_message =
        |name: &str| name.starts_with("box.md3 is damaged and incomplete: ofsTags: the tags are skipped");
    harness.get_by(|node| node.label().is_some_and(|name| is_damage_message(&name)));
    click(&mut harness, Role::Button, "Show in file");
    taken(&mut harness);
    assert_eq!(harness.state().session.interface.panels.dock, Some(DockTab::File));
    let row = harness.get_by_label("ofsTags at 0x60: 1048576");
    assert!(row.accesskit_node().is_selected() == Some(true), "the field itself is selected");
    // A dismissed strip stays hidden until another file is opened.
    click(&mut harness, Role::Button, "Close message");
    assert!(harness.query_by_label("Show in file").is_none());
    let path = folder.path().join("box.md3");
    let session = &mut harness.state_mut().session;
    act(session, Action::File(FileAction::Open(vec![path])));
    assert_eq!(session.interface.dismissed_losses, 0);
}

#[test]
fn sound_file_with_missing_texture_shows_no_strip() {
    let folder = tempfile::tempdir().unwrap();
    let session = opened(folder.path(), &Md3::typical().build());
    assert!(session.document.issues.iter().any(|issue| issue.warning.kind == WarningKind::Companion));
    let harness = bench(session, vec2(1280.0, 800.0));
    assert!(harness.query_by_label("Show in file").is_none());
}

#[test]
fn issue_list_groups_all_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let session = opened(folder.path(), &half());
    let mut harness = bench(session, vec2(1280.0, 1400.0));
    let counts = |harness: &Harness<'static, Bench>| {
        let all = harness.query_all_by_role(Role::Heading).filter_map(|node| node.accesskit_node().label());
        all.filter(|name| name.ends_with(')')).collect::<Vec<String>>()
    };
    assert_eq!(counts(&harness), ["Load issues (2)", "Missing textures (1)"]);
    harness.get_by_role_and_label(Role::Button, "1 error, 2 warnings");
    // Lint findings are added to the list.
    click(&mut harness, Role::ListItem, "Check for an engine…");
    assert_eq!(harness.state().session.interface.panels.dock, Some(DockTab::Lint));
    harness.run();
    let found = harness.state().session.lint_findings().first().map(|(_, findings)| {
        let counts = |finding: &&maquette_assets::lint::Finding| {
            // Missing textures and load issues are listed above.
            let is_repeated = ["missing-texture", "truncated", "oddity", "companion"].contains(&finding.rule);
            !is_repeated
        };
        findings.list.iter().filter(counts).count()
    });
    let lint = counts(&harness).into_iter().filter(|name| name.starts_with("Engine check")).collect::<Vec<String>>();
    assert!(found.unwrap() > 0);
    assert_eq!(lint, [format!("Engine check ({})", found.unwrap())]);
}

/// The engine check calls a loss a warning if the engine accepts the file.
#[test]
fn status_bar_and_check_show_equal_counts_of_a_single_model() {
    let folder = tempfile::tempdir().unwrap();
    // numShaders of the first surface is negative.
    let surface = 108 + 2 * 56 + 2 * 112;
    let session = opened(folder.path(), &with_i32(&Md3::typical().build(), surface + 76, -5));
    assert_eq!(session.document.losses().count(), 1);
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.key_press(egui::Key::F10);
    taken(&mut harness);
    let (_, findings) = harness.state().session.lint_findings()[0];
    assert_eq!(findings.count(lint::Severity::Error), 0, "{findings:?}");
    let warnings = format!("{} warnings", findings.count(lint::Severity::Warning));
    harness.get_by_role_and_label(Role::Button, &warnings);
    let is_head = |label: String| label == warnings || label.starts_with(&format!("{warnings}, "));
    let labels = harness.query_all_by_role(Role::Label).filter_map(|node| node.accesskit_node().value());
    assert_eq!(labels.filter(|label| is_head(label.clone())).count(), 1);
}

#[test]
fn status_bar_says_that_it_counts_all_parts() {
    let folder = tempfile::tempdir().unwrap();
    maquette_testing::player::write(folder.path());
    let mut session = Session::default();
    let lower = folder.path().join("models/players/box/lower.md3");
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&lower).unwrap());
    let mut harness = bench(session, vec2(1280.0, 2400.0));
    harness.get_by(|node| node.label().is_some_and(|label| label.ends_with(" in all parts")));
    // The check covers every part at once and lists the findings by part.
    harness.key_press(egui::Key::F10);
    taken(&mut harness);
    let session = &harness.state().session;
    let checked = session.lint_findings();
    assert_eq!(checked.len(), session.document.scene.entities().len());
    let faulty = checked.iter().filter(|(_, findings)| !findings.list.is_empty());
    let faulty: Vec<String> = faulty.map(|(entity, _)| entity.label().to_owned()).collect();
    assert!(faulty.len() > 1, "{faulty:?}");
    for part in faulty {
        harness.get_by_role_and_label(Role::Heading, &part);
    }
}

#[test]
fn clicking_issue_selects_surface_or_field() {
    let folder = tempfile::tempdir().unwrap();
    let session = opened(folder.path(), &half());
    let missing = session.document.issues.iter().find(|issue| issue.severity() == Severity::Companion).unwrap();
    let texture = missing.to_string();
    let lost = session.document.issues[0].to_string();
    let mut harness = bench(session, vec2(1280.0, 1400.0));
    click(&mut harness, Role::ListItem, &texture);
    let session = &harness.state().session;
    assert_eq!(session.document.selection, Selection::Surface(0), "the surface that wears it");
    assert_eq!(session.interface.panels.dock, None);
    click(&mut harness, Role::ListItem, &lost);
    taken(&mut harness);
    let session = &harness.state().session;
    assert_eq!(session.interface.panels.dock, Some(DockTab::File));
    let view = session.interface.structure.as_ref().unwrap();
    assert_eq!(view.file.file_name().unwrap(), "box.md3");
    // The row of the field is selected in the structure view.
    let mut fields = harness.query_all_by_label_contains(" at 0x");
    assert!(fields.any(|node| node.accesskit_node().is_selected() == Some(true)));
}

#[test]
fn clicking_companion_issue_opens_companion_file() {
    let folder = tempfile::tempdir().unwrap();
    maquette_testing::player::write(folder.path());
    let model_folder = folder.path().join("models/players/box");
    let config = model_folder.join("animation.cfg");
    // Make the third line an unknown statement.
    let text = std::fs::read_to_string(&config).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(2, "hums softly");
    std::fs::write(&config, lines.join("\n")).unwrap();
    let mut session = Session::default();
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&model_folder.join("lower.md3")).unwrap());
    let issue = session.document.issues.iter().find(|issue| issue.about.contains("animation.cfg"));
    let issue = issue.unwrap_or_else(|| panic!("{:?}", session.document.issues));
    let Some(IssueTarget::Companion(file, model_folder)) = issue.target.clone() else { panic!("{:?}", issue.target) };
    assert_eq!(file, config);
    assert!(matches!(model_folder, FilePosition::Line { line: 3, .. }), "{model_folder:?}");
    let message = issue.to_string();
    let mut harness = bench(session, vec2(1280.0, 2600.0));
    click(&mut harness, Role::ListItem, &message);
    taken(&mut harness);
    let session = &harness.state().session;
    assert_eq!(session.interface.panels.dock, Some(DockTab::File));
    assert_eq!(session.interface.structure.as_ref().map(|view| view.file.clone()), Some(config));
}

#[test]
fn character_issues_name_their_part() {
    let folder = tempfile::tempdir().unwrap();
    maquette_testing::player::write(folder.path());
    let head = folder.path().join("models/players/box/head.md3");
    let bytes = std::fs::read(&head).unwrap();
    std::fs::write(&head, with_i32(&bytes, 92, 1 << 20)).unwrap();
    let lower = folder.path().join("models/players/box/lower.md3");
    let mut session = Session::default();
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&lower).unwrap());
    let first = &session.document.issues[0];
    let entity = session.document.scene.entity(first.entity).unwrap();
    assert_eq!((entity.asset.name.as_str(), first.warning.position), ("head.md3", FilePosition::Byte(92)));
    assert!(first.to_string().starts_with("head.md3: ofsFrames: bounds and names"), "{first}");
}

#[test]
fn missing_images_of_other_skins_are_issues() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("baseq3");
    let file = base.join("models/box/box.md3");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, Md3::typical().build()).unwrap();
    let surface =
        Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&file).unwrap().model.surfaces()[0].name.clone();
    image::RgbaImage::from_pixel(2, 2, image::Rgba([255, 0, 0, 255])).save(base.join("models/box/red.tga")).unwrap();
    for (skin, image) in [("default", "red"), ("blue", "blue")] {
        let line = format!("{surface},models/box/{image}.tga\n");
        std::fs::write(file.with_file_name(format!("box_{skin}.skin")), line).unwrap();
    }
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![file])));
    let issues = &session.document.issues;
    assert_eq!(issues.len(), 1, "{issues:?}");
    assert_eq!(issues[0].about, format!("{surface}, skin blue"));
    let mut harness = bench(session, vec2(1280.0, 1400.0));
    harness.run();
    let issue = harness.state().session.document.issues[0].to_string();
    let chosen = click(&mut harness, Role::ListItem, &issue);
    assert_eq!(chosen.last(), Some(&Action::Scene(SceneAction::ChooseSkin(1))));
    harness.run();
    let entity = harness.state().session.entity().unwrap();
    assert_eq!(entity.skin_name(), "blue");
    // Now the current skin lacks the image.
    let issues = &harness.state().session.document.issues;
    assert_eq!(
        issues.iter().map(|issue| (issue.about.as_str(), issue.skin)).collect::<Vec<_>>(),
        [(surface.as_str(), None)]
    );
}
