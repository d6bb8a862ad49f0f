//! Palette entries other than commands: values of settings, and menus with names from files.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::find::Entry;
use crate::ui::{context, files, game_light_menu, icons, inspector};
use maquette_assets::open::sample_formats;
use maquette_scene::scene::{Attachment, Choices as _, Entity, MAX_GAME_LIGHTS};
use maquette_scene::session::{
    Action, CameraAction, ClockAction, Dialog, FileAction, FilePrompt, FilmKind, FilmOptions, SETTINGS, SaveAction,
    SceneAction, Selection, Session, Setting, WindowAction, attachment_points,
};

/// Entry and its search words, separated by spaces.
pub type Choice = (Entry, Cow<'static, str>);

fn entry(name: impl Into<String>, place: &str, keywords: &'static str, actions: Vec<Action>) -> Choice {
    let icon = actions.first().map_or(icons::CHECK, icons::of_action);
    let entry = Entry { name: name.into(), what: place.to_owned(), icon, actions, usable: true, ..Entry::default() };
    (entry, keywords.into())
}

/// Returns all entries that currently apply. `number` is a frame number from the query.
pub fn choices(session: &Session, number: Option<f64>) -> Vec<Choice> {
    let mut all = files(session);
    all.extend(SETTINGS.iter().filter(|setting| is_listed(setting, session)).flat_map(|setting| {
        // The current value has no action, because an action could be one that toggles.
        (setting.values)(session).into_iter().map(|value| {
            let actions = if value.is_current { Vec::new() } else { vec![value.action] };
            let (entry, _) = entry(format!("{}: {}", setting.label, value.label), setting.place, "", actions);
            (entry, format!("{} {}", setting.keywords, value.keywords).into())
        })
    }));
    if session.asset().is_some() {
        all.extend(inspector::sections(session).into_iter().map(|(title, keywords)| {
            entry(title, "Inspector", keywords, vec![Action::Window(WindowAction::ShowSection(title))])
        }));
        all.extend(exports(session));
        all.extend(skins_and_weapons(session));
        all.extend(materials(session));
        all.extend(attachment_points(&session.document.scene).into_iter().map(|(entity, anchor)| {
            let (name, to) = (format!("Attach model to {}…", anchor.name()), Attachment { to: entity.id, anchor });
            entry(name, "Scene", "weapon part", vec![Action::File(FileAction::Ask(FilePrompt::Attach(to)))])
        }));
        all.extend(session.preferences.views.iter().map(|(name, text)| {
            let look = Action::Camera(CameraAction::LookAs(text.clone()));
            entry(name, "Named views", "camera saved", vec![look])
        }));
        let new =
            (1..).map(|number| format!("View {number}")).find(|name| !session.preferences.views.contains_key(name));
        all.extend(new.map(|name| {
            let save = Action::Camera(CameraAction::SaveView(name.clone()));
            entry(format!("Save view as “{name}”"), "Named views", "bookmark camera keep position", vec![save])
        }));
        if session.has_game_lights() && session.view.display.game_lights.len() < MAX_GAME_LIGHTS {
            let add = |(word, add)| entry(word, "In-game light", "lamp", vec![Action::Display(add)]);
            all.extend(game_light_menu::ADDITIONS.map(add));
        }
        all.extend(number.map(|frame| {
            let seek = Action::Clock(ClockAction::Seek(frame));
            entry(format!("Go to frame {frame}"), "Animation", "jump seek", vec![seek])
        }));
    }
    all
}

fn is_listed(setting: &Setting, session: &Session) -> bool {
    let place_is_shown = match setting.place {
        "Settings" => true,
        "Animation" => session.document.track().is_some(),
        _ => session.asset().is_some(),
    };
    place_is_shown && (setting.applies)(session)
}

fn files(session: &Session) -> Vec<Choice> {
    let sample = |format: maquette_core::model::Format| {
        let name = format!("Sample model: {} — {}", format.title(), format.game());
        entry(name, "File", "example demo open test", vec![Action::File(FileAction::OpenSample(format))])
    };
    let mut all: Vec<Choice> = sample_formats().map(sample).collect();
    if !session.preferences.recent.is_empty() {
        let (keywords, clear) = ("history forget delete list", Action::File(FileAction::ForgetRecent));
        all.push(entry("Clear recent files", "File", keywords, vec![clear]));
    }
    for (name, keywords) in [
        ("Default frame rate…", "fps frames per second speed"),
        ("Image memory…", "texture limit megabytes large size"),
        ("Caches…", "cache size memory budget thumbnails undo"),
    ] {
        let open = Action::Window(WindowAction::ToggleDialog(Dialog::Settings));
        all.push(entry(name, "Settings", keywords, vec![open]));
    }
    let clear = Action::File(FileAction::ClearThumbnails);
    all.push(entry("Clear thumbnail cache", "Settings", "delete remove caches disk previews", vec![clear]));
    let selected = files::selection::commands(&session.interface.selected_models);
    all.extend(
        selected.into_iter().map(|(_, _, name, action)| entry(name, "Files", "batch convert selected", vec![action])),
    );
    if let Some(failure) = session.interface.failure.as_ref().filter(|failure| failure.is_damaged) {
        let open = Action::File(FileAction::Salvage(failure.file.clone()));
        all.push(entry("Open recoverable part", "File", "damaged broken salvage repair recover", vec![open]));
    }
    all
}

fn exports(session: &Session) -> Vec<Choice> {
    let now = session.jobs.saving.film;
    let export = |name: String, keywords, options: FilmOptions| {
        let actions = vec![Action::Save(SaveAction::SetFilm(options)), Action::Save(SaveAction::SaveFilm)];
        entry(name, "File", keywords, actions)
    };
    let keywords = "gif video movie film spin rotate save";
    let turntable = export("Export turntable…".to_owned(), keywords, FilmOptions { turns: true, ..now });
    let export = |kind: FilmKind| {
        let name = format!("Export animation as {}…", kind.label());
        let keywords = "video movie film apng sequence save record";
        export(name, keywords, FilmOptions { kind, turns: false, ..now })
    };
    FilmKind::all().map(export).chain([turntable]).collect()
}

/// Returns the shaders and images of the visible surfaces, each once for each model. An entry selects the first
/// surface.
fn materials(session: &Session) -> Vec<Choice> {
    let mut all = BTreeMap::new();
    for entity in session.document.scene.entities() {
        for surface in context::surfaces_shown(entity) {
            let Some(material) = entity.materials().get(surface) else { continue };
            let image = material.image.as_ref().map_or("", |_| material.path.as_str());
            let missing = material.missing_image.as_deref().unwrap_or_default();
            let names = [("Shader", material.name.as_str()), ("Image", image), ("Missing image", missing)];
            for (what, name) in names.into_iter().filter(|(_, name)| !name.is_empty()) {
                all.entry((name, entity.id, what)).or_insert((entity, surface));
            }
        }
    }
    let choice = |((name, id, what), (entity, surface)): ((&str, _, &str), (&Entity, usize))| {
        let select = Action::Scene(SceneAction::SelectIn(id, Selection::Surface(surface)));
        let show = Action::Window(WindowAction::ShowSection(inspector::MATERIAL));
        let place = format!("{what} of {}", entity.surface_name(surface));
        entry(name, &place, "texture material", vec![select, show])
    };
    all.into_iter().map(choice).collect()
}

fn skins_and_weapons(session: &Session) -> Vec<Choice> {
    let mut names = session.document.skin_names();
    let own = session.entity().map(|entity| &entity.asset.skins).filter(|skins| names.is_empty() && skins.len() > 1);
    names.extend(own.into_iter().flatten().map(|skin| skin.name.clone()));
    let skin = |name: String| {
        let choose = Action::Scene(SceneAction::ChooseSkinOfAll(name.clone()));
        entry(name, "Skin", "texture", vec![choose])
    };
    let weapons = session.document.scene.character.as_ref().map_or(&[][..], |character| &character.weapons);
    let weapon = |weapon: Option<&std::path::PathBuf>| {
        let stem = weapon.map_or("none".into(), |path| path.file_stem().unwrap_or_default().to_string_lossy());
        let choose = Action::Scene(SceneAction::ChooseWeapon(weapon.cloned()));
        entry(format!("Weapon: {stem}"), "Character", "gun hand", vec![choose])
    };
    let weapons = weapons.iter().map(Some).chain((!weapons.is_empty()).then_some(None)).map(weapon);
    names.into_iter().map(skin).chain(weapons).collect()
}
