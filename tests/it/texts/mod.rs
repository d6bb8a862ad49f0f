//! List of all texts of the interface, kept with the tests, so that a review notices different words for one thing.
//!
//! The test compares `interface.txt` with the texts of commands, choices, panels, menus and dialogs. In the list,
//! `NAME` stands for names from files and `#` for numbers. `UPDATE_TEXTS=1 cargo test texts` rewrites the list.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Key, Modifiers, Role, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette_assets::material::{ImageLoading, ImageQueue};
use maquette_assets::open::{Opener, PendingImages, open_sample};
use maquette_core::edit::Call;
use maquette_core::model::Format;
use maquette_scene::scene::{Choices as _, ColourTheme, OVERLAYS, StandardView};
use maquette_scene::session::{
    Action, COMMANDS, ClockAction, Command, Dialog, DockTab, EditAction, EditSubject, FileAction, FilePrompt, FilmKind,
    Group, OutputKind, SETTINGS, SceneAction, Selection, Session, Setting, WindowAction,
};

use crate::prose::{literals, without_tests, without_values};
use crate::support::loading::act;
use crate::support::panels::{Bench, bench};
use maquette_testing::files::Md3;
use maquette_testing::optional::files_below;
use maquette_testing::player;

const WIDE: Vec2 = Vec2::new(1440.0, 1400.0);

/// Words that are not used in the field, or for which the interface has another word. They are compared in lower case,
/// with parts of texts.
const BANNED: [&str; 40] = [
    "again and again",
    "all keys",
    "as in the game",
    "as the game",
    "as the skin",
    "as usual",
    "begins again",
    "called like this",
    "chosen",
    "done again",
    "dress",
    "film",
    "find an action",
    "forget",
    "given up",
    "hang ",
    "hangs",
    "hung",
    "in the studio",
    "inside faces",
    "keys and mouse",
    "left drag turns",
    "let go",
    "makes room",
    "makes way",
    "none there",
    "not there",
    "on stage",
    "one turn",
    "open again",
    "picture",
    "put away",
    "take away",
    "take it off",
    "to and fro",
    "tried on",
    "try a ",
    "try another",
    "whole figure",
    "wears",
];

/// Whole words for which the interface has another term, and phrases for which there is a plainer one.
const BANNED_WORDS: [&str; 31] = [
    "alike",
    "anatomy",
    "anew",
    "are wanted",
    "beside",
    "brings",
    "carrier",
    "figure",
    "figures",
    "forthwith",
    "is no",
    "is wanted",
    "meanwhile",
    "mend",
    "mended",
    "moment",
    "moments",
    "outfit",
    "outfits",
    "passed over",
    "people",
    "shelf",
    "taken apart",
    "tell",
    "tells",
    "there is no",
    "told",
    "tone",
    "trouble",
    "what lies",
    "worn",
];

/// Words that are also names in the code, the log and the JSON. Only sentences are compared with these words.
const CODE: [&str; 12] = [
    "alike", "anatomy", "beside", "chosen", "figure", "film", "forget", "moment", "moments", "picture", "tone",
    "trouble",
];

fn showing(format: Format) -> Session {
    let mut session = Session::default();
    session.interface.theme = Some(ColourTheme::Dark);
    session.interface.panels.files = true;
    session.show(open_sample(format).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session.model_list = ["one.md3", "two.md3"].map(|name| PathBuf::from("/models").join(name)).into();
    session
}

fn character() -> Session {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let lower = folder.path().join("models/players/box/lower.md3");
    let mut session = Session::default();
    session.interface.theme = Some(ColourTheme::Dark);
    session.interface.panels.files = true;
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&lower).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session
}

/// Returns all names that come from files. These names are not texts of the program.
fn names_in(session: &Session) -> Vec<String> {
    let mut names: Vec<String> = session.name().map(str::to_owned).into_iter().collect();
    for entity in session.document.scene.entities() {
        let model = entity.model();
        names.push(entity.asset.name.clone());
        names.extend(entity.asset.file.iter().map(|file| file.display().to_string()));
        names.push(entity.asset.game_path.clone());
        names.push(model.name().to_owned());
        names.extend(model.clips().iter().chain(model.alternative_clips()).map(|clip| clip.name.clone()));
        names.extend((0..model.surfaces().len()).map(|index| entity.surface_name(index)));
        names.extend(model.surfaces().iter().flat_map(|surface| surface.materials.iter().cloned()));
        names.extend(model.frames().iter().map(|frame| frame.name.clone()));
        names.extend(model.tags().iter().cloned());
        names.extend(model.joints().iter().map(|joint| joint.name.clone()));
        names.extend(entity.asset.skins.iter().map(|skin| skin.name.clone()));
        names.extend(entity.materials().iter().map(|material| material.path.clone()));
    }
    names.extend(session.model_list.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())));
    names.extend(["/models", "one.md3", "two.md3"].map(str::to_owned));
    // Words that occur both in files and in the interface.
    let shared = ["", "default", "bind pose", "all frames", "frame", "models", "image", "animation"];
    names.retain(|name| !shared.contains(&name.as_str()));
    // Sort the longest first, so that a path precedes the name in which it ends.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.dedup();
    names
}

/// Returns the text without the parts that come from files: names and numbers.
fn plain(text: &str, names: &[String]) -> String {
    let mut text = text.to_owned();
    for name in names {
        let is_word = |at: usize, end: usize| {
            let before = text[..at].chars().next_back();
            let after = text[end..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        };
        let spots: Vec<usize> =
            text.match_indices(name.as_str()).map(|(at, _)| at).filter(|at| is_word(*at, at + name.len())).collect();
        for at in spots.into_iter().rev() {
            text.replace_range(at..at + name.len(), "NAME");
        }
    }
    let mut plain = String::new();
    for letter in text.chars() {
        let goes_on = plain.ends_with('#') && (letter.is_ascii_digit() || letter == ',' || letter == '.');
        if !goes_on {
            plain.push(if letter.is_ascii_digit() { '#' } else { letter });
        }
    }
    plain
}

/// Adds every accessible name that is shown to `texts`.
fn take(harness: &Harness<'static, Bench>, texts: &mut BTreeSet<String>) {
    let names = names_in(&harness.state().session);
    for node in harness.root().children_recursive() {
        let node = node.accesskit_node();
        for text in [node.label(), node.value().filter(|_| node.role() == Role::Label)].into_iter().flatten() {
            let text = plain(text.trim(), &names);
            // Skip texts that consist of a name, a number or an icon only.
            let words = text.replace("NAME", "");
            // The shortcut editor has this text for every command.
            let of_command = |label: &str| text.strip_prefix("Change shortcut of ") == Some(label);
            if COMMANDS.iter().any(|command| of_command(&plain(command.label, &[])) || is_row_of(command, &text)) {
                texts.insert("Change shortcut of COMMAND".to_owned());
                continue;
            }
            if words.chars().filter(|letter| letter.is_alphabetic() && *letter < '\u{e000}').count() > 1 {
                texts.insert(text);
            }
        }
    }
}

/// Whether `text` is the row of `command` in the palette.
fn is_row_of(command: &Command, text: &str) -> bool {
    text.strip_suffix(command.group.label()).and_then(|label| label.strip_suffix(", "))
        == Some(&plain(command.label, &[]))
}

/// Opens the menu of a button and its submenus, and adds their texts.
fn take_menu(harness: &mut Harness<'static, Bench>, role: Role, name: &str, texts: &mut BTreeSet<String>) {
    let Some(button) = harness.query_by_role_and_label(role, name) else { panic!("there is no {name}") };
    button.click();
    harness.run();
    take(harness, texts);
    let rows: Vec<String> =
        harness.query_all_by_role(Role::MenuItem).filter_map(|node| node.accesskit_node().label()).collect();
    for row in rows {
        let leads_on = harness.query_all_by_role(Role::MenuItem).any(|node| {
            node.accesskit_node().label().as_ref() == Some(&row) && node.accesskit_node().has_popup().is_some()
        });
        if leads_on && let Some(node) = harness.query_by_role_and_label(Role::MenuItem, &row) {
            node.hover();
            harness.run();
            take(harness, texts);
        }
    }
    for _ in 0..2 {
        harness.key_press(Key::Escape);
        harness.run();
    }
}

/// Returns every text of the interface.
fn texts() -> BTreeSet<String> {
    let mut texts: BTreeSet<String> = BTreeSet::new();
    let mut add =
        |words: &[&str]| texts.extend(words.iter().filter(|word| !word.is_empty()).map(|word| plain(word, &[])));
    for command in COMMANDS.iter() {
        add(&[command.label]);
    }
    Group::ALL.iter().for_each(|group| add(&[group.label()]));
    let session = Session::default();
    let has_named_values = |setting: &&Setting| {
        !setting.option.is_empty() || ["Wireframe", "Loop mode", "Navigation"].contains(&setting.label)
    };
    for setting in SETTINGS.iter().filter(has_named_values) {
        add(&(setting.values)(&session).iter().map(|value| &*value.label).collect::<Vec<_>>());
    }
    FilmKind::all().for_each(|kind| add(&[kind.label()]));
    StandardView::all().for_each(|view| add(&[view.label()]));
    for product in [OutputKind::Image, OutputKind::Film, OutputKind::ContactSheet, OutputKind::File] {
        add(&[product.title(), product.verb(), product.noun()]);
    }
    for row in OVERLAYS {
        add(&[row.label]);
        add(&row.button.as_ref().map_or(["", ""], |button| [button.word, button.note]));
    }

    let mut empty = Session::default();
    empty.preferences.add_recent(Path::new("/models/one.md3"));
    take(&bench(empty, WIDE), &mut texts);
    for format in maquette_assets::open::sample_formats() {
        take(&bench(showing(format), WIDE), &mut texts);
    }
    for sheet in [Dialog::Settings, Dialog::Help, Dialog::Palette, Dialog::Hints, Dialog::Log] {
        let mut session = showing(Format::Md5);
        session.apply(Action::Window(WindowAction::ToggleDialog(sheet)));
        take(&bench(session, WIDE), &mut texts);
    }
    for product in [OutputKind::Image, OutputKind::Film, OutputKind::ContactSheet] {
        for turns in [false, true] {
            let mut session = showing(Format::Md3);
            session.jobs.saving.open = Some(product);
            session.jobs.saving.film.turns = turns;
            take(&bench(session, WIDE), &mut texts);
        }
    }
    for purpose in [FilePrompt::Open, FilePrompt::OpenFolder, FilePrompt::TryTexture, FilePrompt::AddRoot] {
        let mut session = showing(Format::Md3);
        session.ask_in_window(purpose, "", String::new());
        take(&bench(session, WIDE), &mut texts);
    }
    for selection in [Selection::Surface(0), Selection::Tag(0), Selection::Joint(0)] {
        let mut session = showing(if matches!(selection, Selection::Joint(_)) { Format::Md5 } else { Format::Md3 });
        session.apply(Action::Scene(SceneAction::Select(selection)));
        take(&bench(session, WIDE), &mut texts);
    }
    let mut asset = open_sample(Format::Md3).unwrap();
    let queue = Arc::new(ImageQueue::default());
    queue.file(PathBuf::from("/models/one.tga"), "one.tga");
    asset.pending_images = Some(Arc::new(PendingImages::new(queue, Vec::new())));
    let mut early = showing(Format::Md3);
    early.show(asset);
    take(&bench(early, WIDE), &mut texts);
    let mut broken = showing(Format::Md3);
    broken.fail(&maquette_assets::open::open(Path::new("/models/one.md3")).unwrap_err());
    if let Some(failure) = &mut broken.interface.failure {
        failure.is_damaged = true;
    }
    take(&bench(broken, WIDE), &mut texts);

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.md3");
    std::fs::write(&file, Md3::typical().build()).unwrap();
    let changed = || {
        let mut session = Session::default();
        act(&mut session, Action::File(FileAction::Open(vec![file.clone()])));
        session.apply(Action::Clock(ClockAction::TogglePlay));
        let edit = Call::parse("rename-tag tag=#0 name=tag_one").unwrap();
        act(&mut session, Action::Edit(EditAction::Change(vec![edit])));
        session
    };
    for (selection, subject) in [
        (Selection::Surface(0), EditSubject::ShaderPath),
        (Selection::Surface(0), EditSubject::Name),
        (Selection::Tag(0), EditSubject::Name),
        (Selection::Tag(0), EditSubject::FrameName),
        (Selection::Tag(0), EditSubject::NewTag),
    ] {
        let mut session = changed();
        session.apply(Action::Scene(SceneAction::Select(selection)));
        act(&mut session, Action::Edit(EditAction::Ask(subject)));
        take(&bench(session, WIDE), &mut texts);
    }
    let mut session = changed();
    session.apply(Action::Window(WindowAction::Quit));
    take(&bench(session, WIDE), &mut texts);

    for (format, buttons) in [
        (Format::Md2, &["File", "Edit", "View", "Display", "Animation", "Help", "Clip"][..]),
        (
            Format::Md5,
            &["Shading", "Lighting and background", "Projection", "Speed", "Common rates", "Onion skin options"],
        ),
    ] {
        let mut harness = bench(showing(format), WIDE);
        for button in buttons {
            take_menu(&mut harness, Role::Button, button, &mut texts);
        }
        for section in ["Display", "Issues"] {
            if let Some(closed) = harness.query_by_role_and_label(Role::DisclosureTriangle, section) {
                closed.click();
                harness.run();
                take(&harness, &mut texts);
            }
        }
    }
    for tab in DockTab::ALL {
        let mut session = showing(Format::Md3);
        session.apply(Action::Window(WindowAction::ToggleDock(*tab)));
        session.apply(Action::Scene(SceneAction::Select(Selection::Tag(0))));
        let mut harness = bench(session, WIDE);
        harness.run();
        // The format defines the names and values of its fields.
        if *tab != DockTab::File {
            take(&harness, &mut texts);
        }
    }
    for selection in [Selection::Vertex { surface: 0, vertex: 0 }, Selection::Triangle { surface: 0, triangle: 0 }] {
        let mut session = showing(Format::Md5);
        session.apply(Action::Scene(SceneAction::Select(selection)));
        session.apply(Action::Scene(SceneAction::MeasureFromSelection));
        take(&bench(session, WIDE), &mut texts);
    }
    let mut session = showing(Format::Md3);
    session.apply(Action::Window(WindowAction::ToggleDialog(Dialog::Palette)));
    let mut harness = bench(session, WIDE);
    for query in [
        "theme",
        "inspector",
        "reduce",
        "disk",
        "startup",
        "default frame",
        "sample",
        "export",
        "shading",
        "lighting",
        "wireframe:",
        "backfaces",
        "alpha",
        "background",
        "lock",
        "brightness",
        "projection",
        "field of",
        "navigation",
        "lod",
        "speed:",
        "rate",
        "loop mode",
        "before",
        "after",
        "no such thing",
    ] {
        harness.event(egui::Event::Text(query.to_owned()));
        harness.run();
        take(&harness, &mut texts);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.run();
    }
    let mut harness = bench(character(), WIDE);
    if let Some(tab) = harness.query_by_role_and_label(Role::Tab, "Scene") {
        tab.click();
        harness.run();
    }
    take(&harness, &mut texts);
    harness.get_by_role_and_label(Role::ListItem, "Weapon").click_secondary();
    harness.run();
    take(&harness, &mut texts);
    texts
}

fn list() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/texts/interface.txt")
}

fn listed() -> BTreeSet<String> {
    std::fs::read_to_string(list()).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[test]
fn every_interface_text_is_listed_once() {
    let now = texts();
    if std::env::var_os("UPDATE_TEXTS").is_some() {
        let lines: String = now.iter().map(|text| format!("{}\n", text.replace('\n', " "))).collect();
        std::fs::write(list(), lines).unwrap();
    }
    let listed = listed();
    let now: BTreeSet<String> = now.into_iter().map(|text| text.replace('\n', " ")).collect();
    let (new, gone): (Vec<_>, Vec<_>) = (now.difference(&listed).collect(), listed.difference(&now).collect());
    assert!(
        new.is_empty() && gone.is_empty(),
        "texts that are not in interface.txt: {new:#?}\nthat are no longer shown: {gone:#?}\n\
         If each thing still has one word, write the list with UPDATE_TEXTS=1 cargo test texts"
    );
}

#[test]
fn interface_texts_contain_no_banned_words() {
    // The test above compares the list with the window, so the list suffices here.
    for text in listed() {
        assert_eq!(banned_in(&text), None, "“{text}”");
    }
}

/// A value in the JSON of `maquette info`, which keeps its spelling.
const JSON_VALUE: &str = "default picture";

fn banned_in(text: &str) -> Option<&'static str> {
    if text == JSON_VALUE {
        return None;
    }
    let lower = text.to_lowercase();
    let is_code = |banned: &str| CODE.contains(&banned) && !lower.contains(' ');
    let has_word = |word: &str| {
        lower.match_indices(word).any(|(at, _)| {
            let (before, after) = (lower[..at].chars().next_back(), lower[at + word.len()..].chars().next());
            !before.into_iter().chain(after).any(char::is_alphanumeric)
        })
    };
    let part = BANNED.into_iter().find(|banned| lower.contains(banned) && !is_code(banned));
    part.or_else(|| BANNED_WORDS.into_iter().find(|banned| has_word(banned) && !is_code(banned)))
}

/// Tooltips, messages and help texts are searched in the source, because no test shows all of them.
#[test]
fn source_literals_contain_no_banned_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "crates/maquette-core/src", "crates/maquette-assets/src", "crates/maquette-scene/src"];
    let mut seen = 0;
    let mut hits = Vec::new();
    for file in folders.into_iter().flat_map(|folder| files_below(&root.join(folder))) {
        if file.extension().is_none_or(|end| end != "rs") {
            continue;
        }
        let source = std::fs::read_to_string(&file).unwrap();
        let source = without_tests(&source);
        let literals = literals(source).into_iter().filter(|literal| !is_no_text(literal.before));
        // The doc comments of options become their help texts.
        let is_help = file.parent().is_some_and(|folder| folder.ends_with("cli/args"));
        let helps = source.lines().filter_map(|line| line.trim().strip_prefix("/// ")).filter(|_| is_help);
        for text in literals.map(|literal| without_values(&literal.text)).chain(helps.map(str::to_owned)) {
            seen += 1;
            hits.extend(banned_in(&text).map(|banned| format!("{banned}: {}: “{text}”", file.display())));
        }
    }
    assert!(seen > 2500, "{seen} texts");
    assert!(hits.is_empty(), "{} hits:\n{}", hits.len(), hits.join("\n"));
}

/// Whether the code before a literal makes it a lint reason, a search word of the palette or the name of a field.
fn is_no_text(before: &str) -> bool {
    ["reason = ", "keywords", "found_by(", "serde", "const FORMER", "label: Some(", ".words("]
        .iter()
        .any(|sign| before.contains(sign))
}
