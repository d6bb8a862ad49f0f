//! What fits a query: everything there is to find is compared as it lies there, and only what is shown is made into rows.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::choices::{self, Choice};
use super::matching::Query;
use crate::ui::{icons, timeline};
use maquette_scene::scene::{ClipChoice, Entity};
use maquette_scene::session::{
    Action, COMMANDS, ClockAction, Command, Dialog, FileAction, SceneAction, Selection, Session, WindowAction,
    typed_path,
};

/// Entries shown at most; one more letter finds the rest.
const ENTRIES_SHOWN: usize = 200;
/// How far up what can be done now stands.
const USABLE: u32 = 1 << 20;
/// How far commands are put before what else has the same words; what a scene has, before files.
const COMMAND: u32 = 20;
const CHOICE: u32 = 15;
const PART: u32 = 10;

/// Something that was found, as a row.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// Letters of the name that the query has, by their places.
    pub marks: Vec<u32>,
    /// What kind of thing, or where it is.
    pub what: String,
    /// Its icon.
    pub icon: &'static str,
    /// The command it is, for its keys.
    pub command: Option<&'static Command>,
    /// What Enter does.
    pub actions: Vec<Action>,
    /// Whether it does anything now.
    pub usable: bool,
    /// Why it does nothing now, where there is more to say.
    pub why_not: Option<String>,
}

/// Something that can be found, by where it lies.
#[derive(Clone, Copy)]
enum Thing<'s> {
    Command(&'static Command),
    Choice(usize),
    Frame(f64),
    Clip(&'s Entity, usize),
    Tag(&'s Entity, usize),
    Surface(&'s Entity, usize),
    Part(&'s Entity),
    Joint(&'s Entity, usize),
    Element(&'s Entity, Selection),
    Skin(usize),
    Weapon(Option<&'s Path>),
    Model(&'s Path),
    Recent(&'s Path),
    Path(&'s str),
}

/// What was found so far, and how well it fits.
struct Found<'s> {
    query: Query,
    /// How well it fits, after how many others it was found, and what it is.
    all: Vec<(u32, usize, Thing<'s>)>,
}

impl<'s> Found<'s> {
    /// Compares one thing with the query; `more` puts it before others that fit as well.
    fn compare(&mut self, name: &str, keywords: &str, beside: &str, more: u32, thing: Thing<'s>) {
        if let Some(fit) = self.query.fit(name, keywords, beside) {
            self.all.push((fit + more, self.all.len(), thing));
        }
    }
}

/// Everything that fits a query, the best first.
pub fn find<'s>(session: &'s Session, typed: &'s str) -> Vec<Entry> {
    let typed = typed.trim();
    // Names of dialogs end in dots, which one may type in any way.
    let text = typed.trim_end_matches(['.', '…']);
    let mut found = Found { query: Query::new(text), all: Vec::new() };
    let own = Action::Window(WindowAction::ToggleDialog(Dialog::Palette));
    for command in COMMANDS.iter().filter(|command| command.action != own) {
        let more = COMMAND + if command.is_enabled(session) { USABLE } else { 0 };
        found.compare(command.label, command.keywords, command.group.label(), more, Thing::Command(command));
    }
    let mut choices = Vec::new();
    let mut skins = Vec::new();
    if !found.query.is_empty() {
        choices = choices::choices(session);
        for (index, choice) in choices.iter().enumerate() {
            found.compare(&choice.name, choice.keywords, choice.place, CHOICE + USABLE, Thing::Choice(index));
        }
        if let Some(frame) = found.query.number().filter(|_| session.asset().is_some()) {
            found.compare(&go_to(frame), "jump seek", "Animation", CHOICE + USABLE, Thing::Frame(frame));
        }
        skins = skin_names(session);
        for (index, name) in skins.iter().enumerate() {
            found.compare(name, "texture", "Skin", PART + USABLE, Thing::Skin(index));
        }
        of_scene(session, &mut found);
        elements(session, text, &mut found);
        of_files(session, &mut found);
        if is_path(typed) {
            found.all.push((COMMAND + USABLE, found.all.len(), Thing::Path(typed)));
        }
    }
    let Found { mut query, mut all } = found;
    if query.is_empty() {
        // In the order of menus, what cannot be done now last.
        all.sort_by_key(|(fit, ..)| std::cmp::Reverse(fit & USABLE));
    } else {
        let better = |one: &(u32, usize, Thing<'_>), other: &(u32, usize, Thing<'_>)| {
            other.0.cmp(&one.0).then(one.1.cmp(&other.1))
        };
        // Only the best are put in order.
        if all.len() > ENTRIES_SHOWN {
            all.select_nth_unstable_by(ENTRIES_SHOWN, better);
            all.truncate(ENTRIES_SHOWN);
        }
        all.sort_unstable_by(better);
    }
    let rows = all.into_iter().map(|(_, _, thing)| entry(session, thing, &choices, &skins));
    rows.map(|entry| Entry { marks: query.marks(&entry.name), ..entry }).collect()
}

/// Whether what is typed can only be meant as a path from the root, a drive or the user's folder.
fn is_path(typed: &str) -> bool {
    let has_drive = typed.get(1..3).is_some_and(|colon| matches!(colon, ":\\" | ":/"));
    typed.len() > 1 && (typed.starts_with(['/', '\\']) || typed.starts_with("~/") || has_drive)
}

fn go_to(frame: f64) -> String {
    format!("Go to frame {frame}")
}

/// Skins of the character, or of the part in focus.
fn skin_names(session: &Session) -> Vec<String> {
    let names = session.skin_names();
    match session.entity().filter(|entity| names.is_empty() && entity.asset.skins.len() > 1) {
        Some(entity) => entity.asset.skins.iter().map(|skin| skin.name.clone()).collect(),
        None => names,
    }
}

/// What the entities in the scene have.
fn of_scene<'s>(session: &'s Session, found: &mut Found<'s>) {
    let is_several = session.document.scene.entities().len() > 1;
    for entity in session.document.scene.entities() {
        let model = entity.model();
        if is_several {
            found.compare(entity.label(), &entity.asset.name, "Part", PART + USABLE, Thing::Part(entity));
        }
        for (index, clip) in timeline::named_clips(entity).iter().enumerate() {
            found.compare(&clip.name, "animation", "Play clip", PART + USABLE, Thing::Clip(entity, index));
        }
        for (index, tag) in model.tags().iter().enumerate() {
            found.compare(tag, "", "Tag", PART + USABLE, Thing::Tag(entity, index));
        }
        // Surfaces of levels that are not shown are left out: selecting one would show nothing.
        let of_level = |index: &usize| model.surfaces().get(*index).is_some_and(|surface| surface.lod == entity.lod);
        for index in (0..model.surfaces().len()).filter(of_level) {
            found.compare(&entity.surface_name(index), "mesh", "Surface", PART + USABLE, Thing::Surface(entity, index));
        }
        for (index, joint) in model.joints().iter().enumerate().filter(|(_, joint)| !joint.name.is_empty()) {
            found.compare(&joint.name, "bone", "Joint", USABLE, Thing::Joint(entity, index));
        }
    }
    let weapons = session.document.scene.figure.iter().flat_map(|figure| &figure.weapons);
    for weapon in weapons.map(|weapon| Some(weapon.as_path())) {
        found.compare(&weapon_name(weapon), "gun hand", "Character", PART + USABLE, Thing::Weapon(weapon));
    }
    if session.document.scene.figure.as_ref().is_some_and(|figure| !figure.weapons.is_empty()) {
        found.compare(&weapon_name(None), "gun hand", "Character", PART + USABLE, Thing::Weapon(None));
    }
}

/// A vertex or a triangle by its number, `vertex 12`, in every surface that has so many; the selected surface first.
fn elements<'s>(session: &'s Session, text: &str, found: &mut Found<'s>) {
    let Some((word, number)) = text.split_once(' ') else { return };
    let (word, Ok(number)) = (word.to_lowercase(), number.trim().parse::<usize>()) else { return };
    let Some(entity) = session.entity().filter(|_| word.len() > 2) else { return };
    let selected = session.document.selection.surface();
    let surfaces = entity.model().surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == entity.lod);
    for (index, surface) in surfaces {
        let more = if selected == Some(index) { 2 * COMMAND } else { COMMAND };
        let element = if "vertex".starts_with(&word) && number < surface.vertex_count() {
            Selection::Vertex { surface: index, vertex: number }
        } else if "triangle".starts_with(&word) && number < surface.triangles.len() {
            Selection::Triangle { surface: index, triangle: number }
        } else {
            continue;
        };
        found.compare(&element_name(element), "", "Surface", more + USABLE, Thing::Element(entity, element));
    }
}

fn element_name(element: Selection) -> String {
    match element {
        Selection::Vertex { vertex, .. } => format!("Vertex {vertex}"),
        Selection::Triangle { triangle, .. } => format!("Triangle {triangle}"),
        _ => String::new(),
    }
}

/// `Surface of Head`; with its index where that alone tells it from another one: `Surface 2 of Head`.
fn surface_place(entity: &Entity, index: usize) -> String {
    let number = if entity.has_twin(index) { format!(" {index}") } else { String::new() };
    format!("Surface{number} of {}", entity.label())
}

fn weapon_name(weapon: Option<&Path>) -> String {
    let stem = weapon.map_or(Cow::Borrowed("none"), |weapon| weapon.file_stem().unwrap_or_default().to_string_lossy());
    format!("Weapon: {stem}")
}

/// Models of the list and what was opened before: there may be hundreds of thousands, so their names are read where they
/// stand.
fn of_files<'s>(session: &'s Session, found: &mut Found<'s>) {
    let parts = |path: &'s Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name, path.parent().map(Path::as_os_str).unwrap_or_default().to_string_lossy())
    };
    for path in session.model_list.iter() {
        let (name, folder) = parts(path);
        found.compare(&name, "", &folder, USABLE, Thing::Model(path));
    }
    for path in &session.preferences.recent {
        let (name, folder) = parts(path);
        found.compare(&name, "recent open", &folder, USABLE, Thing::Recent(path));
    }
}

/// The row of something that was found.
fn entry(session: &Session, thing: Thing<'_>, choices: &[Choice], skins: &[String]) -> Entry {
    let row = |name: String, what: String, icon, actions| Entry {
        name,
        marks: Vec::new(),
        what,
        icon,
        command: None,
        actions,
        usable: true,
        why_not: None,
    };
    let select = |entity: &Entity, selection| vec![Action::Scene(SceneAction::SelectIn(entity.id, selection))];
    match thing {
        Thing::Command(command) => Entry {
            command: Some(command),
            usable: command.is_enabled(session),
            why_not: command.why_not(session).map(Cow::into_owned),
            ..row(
                command.label_now(session),
                command.group.label().to_owned(),
                icons::of_command(command),
                vec![command.action.clone()],
            )
        },
        Thing::Choice(index) => match choices.get(index) {
            Some(choice) => {
                let icon = if choice.on { icons::CHECK } else { choice.icon };
                row(choice.name.clone(), choice.place.to_owned(), icon, choice.actions.clone())
            }
            None => row(String::new(), String::new(), icons::ENTER, Vec::new()),
        },
        Thing::Frame(frame) => {
            let seek = vec![Action::Clock(ClockAction::Seek(frame))];
            row(go_to(frame), "Animation".to_owned(), icons::FORWARD, seek)
        }
        Thing::Clip(entity, index) => {
            let name = timeline::named_clips(entity).get(index).map_or_else(String::new, |clip| clip.name.clone());
            let play = vec![Action::Clock(ClockAction::ChooseClipOf(entity.id, ClipChoice::Clip(index)))];
            row(name, format!("Play clip of {}", entity.label()), icons::PLAY, play)
        }
        Thing::Tag(entity, index) => {
            let name = entity.model().tags().get(index).cloned().unwrap_or_default();
            row(name, format!("Tag of {}", entity.label()), icons::TAG, select(entity, Selection::Tag(index)))
        }
        Thing::Surface(entity, index) => row(
            entity.surface_name(index),
            surface_place(entity, index),
            icons::TRIANGLE,
            select(entity, Selection::Surface(index)),
        ),
        Thing::Part(entity) => {
            let place = format!("Part, {}", entity.asset.name);
            row(entity.label().to_owned(), place, icons::BOX, select(entity, Selection::None))
        }
        Thing::Joint(entity, index) => {
            let name = entity.model().joints().get(index).map_or_else(String::new, |joint| joint.name.clone());
            row(name, format!("Joint of {}", entity.label()), icons::BONE, select(entity, Selection::Joint(index)))
        }
        Thing::Element(entity, element) => {
            let surface = element.surface().map(|surface| entity.distinct_surface_name(surface)).unwrap_or_default();
            row(element_name(element), format!("Of {surface}"), icons::TRIANGLE, select(entity, element))
        }
        Thing::Skin(index) => {
            let name = skins.get(index).cloned().unwrap_or_default();
            let choose = vec![Action::Scene(SceneAction::ChooseSkinOfAll(name.clone()))];
            row(name, "Skin".to_owned(), icons::PALETTE, choose)
        }
        Thing::Weapon(weapon) => {
            let choose = vec![Action::Scene(SceneAction::ChooseWeapon(weapon.map(Path::to_path_buf)))];
            row(weapon_name(weapon), "Character".to_owned(), icons::PERSON, choose)
        }
        Thing::Model(path) => {
            let show = vec![Action::File(FileAction::Show(path.to_path_buf()))];
            file_row(path, "Model", show, row)
        }
        Thing::Path(typed) => {
            let path = typed_path(typed);
            let open = vec![Action::File(FileAction::Open(vec![path]))];
            row(format!("Open {typed}"), "File".to_owned(), icons::FOLDER_OPEN, open)
        }
        Thing::Recent(path) => {
            let open = vec![Action::File(FileAction::Open(vec![PathBuf::from(path)]))];
            file_row(path, "Recent", open, row)
        }
    }
}

/// `lower.md3`, `Model · …/players/sarge`
fn file_row(
    path: &Path,
    what: &str,
    actions: Vec<Action>,
    row: impl Fn(String, String, &'static str, Vec<Action>) -> Entry,
) -> Entry {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().map(|folder| folder.to_string_lossy()).unwrap_or_default();
    row(name, format!("{what} · {folder}"), icons::FILE, actions)
}
