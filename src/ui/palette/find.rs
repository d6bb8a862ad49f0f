//! Search of the palette. Candidates are compared without copies; only the results become rows.

use std::borrow::Cow;
use std::path::Path;

use super::choices::{self, Choice};
use super::matching::Query;
use crate::ui::{icons, timeline};
use maquette_scene::scene::{ClipChoice, Entity};
use maquette_scene::session::{
    Action, COMMANDS, ClockAction, Command, Dialog, FileAction, SceneAction, Selection, Session, WindowAction,
    typed_path,
};

const ENTRIES_SHOWN: usize = 200;
/// Score bonus of entries that are usable now.
const USABLE: u32 = 1 << 20;
/// Score bonuses of commands, choices and parts of the scene over files that match as well.
const COMMAND: u32 = 20;
const CHOICE: u32 = 15;
const PART: u32 = 10;

#[derive(Clone, Debug, Default)]
pub struct Entry {
    pub name: String,
    /// Indices of the matching characters of the name.
    pub marks: Vec<u32>,
    /// Kind or location.
    pub what: String,
    pub icon: &'static str,
    /// Command, for its keys.
    pub command: Option<&'static Command>,
    pub actions: Vec<Action>,
    pub usable: bool,
    /// Reason for being unusable, if there is more to say.
    pub why_not: Option<String>,
}

#[derive(Clone, Copy)]
enum Thing<'a> {
    Command(&'static Command),
    Choice(&'a Choice),
    Clip(&'a Entity, usize),
    /// Part of the scene, or an element of its model.
    Part(&'a Entity, Selection),
    /// Path, and whether it is a recent file instead of a listed model.
    File(&'a Path, bool),
    Path(&'a str),
}

impl<'a> Thing<'a> {
    fn name(self) -> Cow<'a, str> {
        match self {
            Thing::Command(command) => command.label.into(),
            Thing::Choice(choice) => choice.name.as_str().into(),
            Thing::Clip(entity, index) => {
                timeline::named_clips(entity).get(index).map_or("", |clip| clip.name.as_str()).into()
            }
            Thing::Part(entity, Selection::Surface(index)) => entity.surface_name(index).into(),
            Thing::Part(_, Selection::Vertex { vertex, .. }) => format!("Vertex {vertex}").into(),
            Thing::Part(_, Selection::Triangle { triangle, .. }) => format!("Triangle {triangle}").into(),
            Thing::Part(entity, Selection::Tag(index)) => {
                entity.model().tags().get(index).map_or("", String::as_str).into()
            }
            Thing::Part(entity, Selection::Joint(index)) => {
                entity.model().joints().get(index).map_or("", |joint| joint.name.as_str()).into()
            }
            Thing::Part(entity, _) => entity.label().into(),
            Thing::File(path, _) => path.file_name().unwrap_or_default().to_string_lossy(),
            Thing::Path(typed) => format!("Open {typed}").into(),
        }
    }
}

struct Found<'a> {
    query: Query,
    /// Score, insertion order and candidate.
    all: Vec<(u32, usize, Thing<'a>)>,
}

impl<'a> Found<'a> {
    /// Scores a candidate. `more` is a bonus, `beside` the text next to the name.
    fn compare(&mut self, thing: Thing<'a>, keywords: &str, beside: &str, more: u32) {
        if let Some(fit) = self.query.fit(&thing.name(), keywords, beside) {
            self.all.push((fit + more, self.all.len(), thing));
        }
    }
}

/// Returns the entries that match a query, best first.
pub fn find(session: &Session, typed: &str) -> Vec<Entry> {
    let typed = typed.trim();
    // Labels of commands with a dialog end in an ellipsis, which may be typed as dots.
    let text = typed.trim_end_matches(['.', '…']);
    let query = Query::new(text);
    let choices = if query.is_empty() { Vec::new() } else { choices::choices(session, query.number()) };
    let mut found = Found { query, all: Vec::new() };
    let own = Action::Window(WindowAction::ToggleDialog(Dialog::Palette));
    for command in COMMANDS.iter().filter(|command| command.action != own) {
        let more = COMMAND + if command.is_enabled(session) { USABLE } else { 0 };
        found.compare(Thing::Command(command), command.keywords, command.group.label(), more);
    }
    if !found.query.is_empty() {
        for choice in &choices {
            found.compare(Thing::Choice(choice), choice.keywords, choice.place, CHOICE + USABLE);
        }
        of_scene(session, &mut found);
        elements(session, text, &mut found);
        // Names are not copied, because the list can have hundreds of thousands of models.
        let listed = session.model_list.iter().map(|path| (path.as_path(), false));
        for (path, is_recent) in listed.chain(session.preferences.recent.iter().map(|path| (path.as_path(), true))) {
            let keywords = if is_recent { "recent open" } else { "" };
            found.compare(Thing::File(path, is_recent), keywords, &folder_of(path), USABLE);
        }
        if is_path(typed) {
            found.all.push((COMMAND + USABLE, found.all.len(), Thing::Path(typed)));
        }
    }
    let Found { mut query, mut all } = found;
    if query.is_empty() {
        // Without a query: the order of the menus, unusable commands last.
        all.sort_by_key(|(fit, ..)| std::cmp::Reverse(fit & USABLE));
    } else {
        let better = |one: &(u32, usize, Thing<'_>), other: &(u32, usize, Thing<'_>)| {
            other.0.cmp(&one.0).then(one.1.cmp(&other.1))
        };
        // Sort only the best.
        if all.len() > ENTRIES_SHOWN {
            all.select_nth_unstable_by(ENTRIES_SHOWN, better);
            all.truncate(ENTRIES_SHOWN);
        }
        all.sort_unstable_by(better);
    }
    let rows = all.into_iter().map(|(_, _, thing)| entry(session, thing));
    rows.map(|entry| Entry { marks: query.marks(&entry.name), ..entry }).collect()
}

/// Whether the query is a path from the root, a drive or the home folder.
fn is_path(typed: &str) -> bool {
    let has_drive = typed.get(1..3).is_some_and(|colon| matches!(colon, ":\\" | ":/"));
    typed.len() > 1 && (typed.starts_with(['/', '\\']) || typed.starts_with("~/") || has_drive)
}

fn folder_of(path: &Path) -> Cow<'_, str> {
    path.parent().map(Path::as_os_str).unwrap_or_default().to_string_lossy()
}

fn of_scene<'a>(session: &'a Session, found: &mut Found<'a>) {
    let is_several = session.document.scene.entities().len() > 1;
    for entity in session.document.scene.entities() {
        let model = entity.model();
        let part = |selection| Thing::Part(entity, selection);
        if is_several {
            found.compare(part(Selection::None), &entity.asset.name, "Part", PART + USABLE);
        }
        for index in 0..timeline::named_clips(entity).len() {
            found.compare(Thing::Clip(entity, index), "animation", "Play clip", PART + USABLE);
        }
        for index in 0..model.tags().len() {
            found.compare(part(Selection::Tag(index)), "", "Tag", PART + USABLE);
        }
        // Surfaces of other levels of detail are skipped, because they are not visible.
        for (index, _) in model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == entity.lod) {
            found.compare(part(Selection::Surface(index)), "mesh", "Surface", PART + USABLE);
        }
        for (index, _) in model.joints().iter().enumerate().filter(|(_, joint)| !joint.name.is_empty()) {
            found.compare(part(Selection::Joint(index)), "bone", "Joint", USABLE);
        }
    }
}

/// Compares a vertex or triangle by number, as in `vertex 12`, in every surface that has it. The selected surface has a
/// higher bonus.
fn elements<'a>(session: &'a Session, text: &str, found: &mut Found<'a>) {
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
        found.compare(Thing::Part(entity, element), "", "Surface", more + USABLE);
    }
}

fn entry(session: &Session, thing: Thing<'_>) -> Entry {
    let mut entry = Entry { name: thing.name().into_owned(), usable: true, ..Entry::default() };
    let (what, icon, action) = match thing {
        Thing::Command(command) => {
            entry.name = command.label_now(session);
            entry.command = Some(command);
            entry.usable = command.is_enabled(session);
            entry.why_not = command.why_not(session).map(Cow::into_owned);
            (command.group.label().to_owned(), icons::of_command(command), command.action.clone())
        }
        Thing::Choice(choice) => {
            let icon = if choice.on { icons::CHECK } else { choice.icon };
            let (what, actions) = (choice.place.to_owned(), choice.actions.clone());
            return Entry { what, icon, actions, ..entry };
        }
        Thing::Clip(entity, index) => {
            let play = ClockAction::ChooseClipOf(entity.id, ClipChoice::Clip(index));
            (format!("Play clip of {}", entity.label()), icons::PLAY, Action::Clock(play))
        }
        Thing::Part(entity, selection) => {
            let (what, icon) = part_place(entity, selection);
            (what, icon, Action::Scene(SceneAction::SelectIn(entity.id, selection)))
        }
        Thing::File(path, is_recent) => {
            let (what, action) = if is_recent {
                ("Recent", FileAction::Open(vec![path.to_path_buf()]))
            } else {
                ("Model", FileAction::Show(path.to_path_buf()))
            };
            (format!("{what} · {}", folder_of(path)), icons::FILE, Action::File(action))
        }
        Thing::Path(typed) => {
            let open = Action::File(FileAction::Open(vec![typed_path(typed)]));
            ("File".to_owned(), icons::FOLDER_OPEN, open)
        }
    };
    Entry { what, icon, actions: vec![action], ..entry }
}

/// Returns kind and location of a selection, and its icon.
fn part_place(entity: &Entity, selection: Selection) -> (String, &'static str) {
    let of = entity.label();
    match selection {
        Selection::Tag(_) => (format!("Tag of {of}"), icons::TAG),
        Selection::Joint(_) => (format!("Joint of {of}"), icons::BONE),
        // Surfaces with equal names differ by their index.
        Selection::Surface(index) if entity.has_twin(index) => (format!("Surface {index} of {of}"), icons::TRIANGLE),
        Selection::Surface(_) => (format!("Surface of {of}"), icons::TRIANGLE),
        Selection::Vertex { surface, .. } | Selection::Triangle { surface, .. } => {
            (format!("Of {}", entity.distinct_surface_name(surface)), icons::TRIANGLE)
        }
        _ => (format!("Part, {}", entity.asset.name), icons::BOX),
    }
}
