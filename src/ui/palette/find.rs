//! Search of the palette. Candidates are compared without copying; only the results become rows.

use std::borrow::Cow;
use std::path::Path;

use super::choices;
use super::matching::{MATCH, Query};
use crate::ui::{context, icons, timeline};
use maquette_scene::scene::{ClipChoice, Entity};
use maquette_scene::session::{
    Action, COMMANDS, CameraAction, ClockAction, Command, Dialog, EditAction, EditSubject, FileAction, Group,
    SceneAction, Selection, Session, WindowAction, typed_path,
};

const ENTRIES_SHOWN: usize = 200;
/// Score bonus of entries that can be used now, among entries with equal matches.
const USABLE: u32 = MATCH / 2;
/// Score bonuses of commands, choices and parts of the scene, which rank above files with an equal match.
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
    /// Reason why the entry is unusable.
    pub why_not: Option<String>,
}

#[derive(Clone, Copy)]
enum Thing<'a> {
    Command(&'static Command),
    Choice(&'a Entry),
    Clip(&'a Entity, usize),
    /// Part of the scene, or an element of its model.
    Part(&'a Entity, Selection),
    /// Path, and whether it is a recent file rather than a listed model.
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

/// Candidate with its keywords, the text next to its name, and a bonus.
type Candidate<'a> = (Thing<'a>, &'a str, Cow<'a, str>, u32);

/// Returns the entries that match a query, best first. `used` contains the ids of used commands, the last one first.
pub fn find(session: &Session, typed: &str, used: &[&str]) -> Vec<Entry> {
    let typed = typed.trim();
    // Labels of commands with a dialog end in an ellipsis, which may be typed as dots.
    let text = typed.trim_end_matches(['.', '…']);
    let mut query = Query::new(text);
    let own = Action::Window(WindowAction::ToggleDialog(Dialog::Palette));
    let commands = COMMANDS.iter().filter(|command| command.action != own).map(|command| {
        let more = COMMAND + if command.is_enabled(session) { USABLE } else { 0 };
        (Thing::Command(command), command.keywords, command.group.label().into(), more)
    });
    let has_query = !query.is_empty();
    let choices = if has_query { choices::choices(session, query.number()) } else { Vec::new() };
    let choices = choices
        .iter()
        .map(|(entry, keywords)| (Thing::Choice(entry), &**keywords, entry.what.as_str().into(), CHOICE + USABLE));
    // Do not copy names, because the list can contain hundreds of thousands of models.
    let listed = session.model_list.iter().map(|path| (path, false));
    let files = listed.chain(session.preferences.recent.iter().map(|path| (path, true))).map(|(path, is_recent)| {
        let keywords = if is_recent { "recent open" } else { "" };
        (Thing::File(path, is_recent), keywords, folder_of(path), USABLE)
    });
    let others = of_scene(session).into_iter().chain(elements(session, text)).chain(files).filter(|_| has_query);
    // Score, insertion order and candidate.
    let mut all: Vec<(u32, usize, Thing<'_>)> = commands
        .chain(choices)
        .chain(others)
        .enumerate()
        .filter_map(|(index, (thing, keywords, beside, more))| {
            Some((query.fit(&thing.name(), keywords, &beside)?.saturating_add(more), index, thing))
        })
        .collect();
    if is_path(typed) {
        all.push((COMMAND + USABLE, usize::MAX, Thing::Path(typed)));
    }
    if query.is_empty() {
        // Without a query, unusable commands are last, and the rest is in the order of the menus.
        all.sort_by_key(|(fit, _, thing)| (std::cmp::Reverse(fit & USABLE), first_rank(session, *thing, used)));
    } else {
        let better = |one: &(u32, usize, Thing<'_>), other: &(u32, usize, Thing<'_>)| {
            other.0.cmp(&one.0).then(one.1.cmp(&other.1))
        };
        // Sort only the best matches.
        if all.len() > ENTRIES_SHOWN {
            all.select_nth_unstable_by(ENTRIES_SHOWN, better);
            all.truncate(ENTRIES_SHOWN);
        }
        all.sort_unstable_by(better);
    }
    let rows = all.into_iter().map(|(_, _, thing)| entry(session, thing));
    rows.map(|entry| Entry { marks: query.marks(&entry.name), ..entry }).collect()
}

/// Ranks used commands, then commands for the selection, then other commands. Commands that open or change files are
/// last.
fn first_rank(session: &Session, thing: Thing<'_>, used: &[&str]) -> usize {
    let Thing::Command(command) = thing else { return usize::MAX };
    let is_for_selection = session.document.selection != Selection::None
        && matches!(
            command.action,
            Action::Scene(
                SceneAction::ToggleChosenSurface
                    | SceneAction::ShowOnlyChosen
                    | SceneAction::MeasureFromSelection
                    | SceneAction::PinSelection
                    | SceneAction::DetachFocused
            ) | Action::Camera(CameraAction::FocusSelection)
                | Action::Edit(EditAction::Ask(EditSubject::Name | EditSubject::ShaderPath) | EditAction::RemoveTag)
        );
    let is_for_file = command.group == Group::File || matches!(command.action, Action::Edit(_));
    let other = if is_for_selection { 0 } else { 1 + usize::from(is_for_file) };
    used.iter().position(|id| *id == command.id).unwrap_or(used.len() + other)
}

/// Whether the query is a path from the root, from a drive or from the home folder.
fn is_path(typed: &str) -> bool {
    let has_drive = typed.get(1..3).is_some_and(|colon| matches!(colon, ":\\" | ":/"));
    typed.len() > 1 && (typed.starts_with(['/', '\\']) || typed.starts_with("~/") || has_drive)
}

fn folder_of(path: &Path) -> Cow<'_, str> {
    path.parent().map(Path::as_os_str).unwrap_or_default().to_string_lossy()
}

fn of_scene(session: &Session) -> Vec<Candidate<'_>> {
    let mut all = Vec::new();
    let is_several = session.document.scene.entities().len() > 1;
    for entity in session.document.scene.entities() {
        let (model, more) = (entity.model(), PART + USABLE);
        let part = |selection| Thing::Part(entity, selection);
        if is_several {
            all.push((part(Selection::None), entity.asset.name.as_str(), "Part".into(), more));
        }
        for index in 0..timeline::named_clips(entity).len() {
            all.push((Thing::Clip(entity, index), "animation", "Play clip".into(), more));
        }
        for index in 0..model.tags().len() {
            all.push((part(Selection::Tag(index)), "", "Tag".into(), more));
        }
        // Skip surfaces of other levels of detail, because they are not visible.
        for index in context::surfaces_shown(entity) {
            all.push((part(Selection::Surface(index)), "mesh", "Surface".into(), more));
        }
        for (index, _) in model.joints().iter().enumerate().filter(|(_, joint)| !joint.name.is_empty()) {
            all.push((part(Selection::Joint(index)), "bone", "Joint".into(), USABLE));
        }
    }
    all
}

/// Returns the vertex or triangle with a number, for example `vertex 12`, of every surface that has it. The one of the
/// selected surface has a higher bonus.
fn elements<'a>(session: &'a Session, text: &str) -> Vec<Candidate<'a>> {
    let Some((word, number)) = text.split_once(' ') else { return Vec::new() };
    let (word, Ok(number)) = (word.to_lowercase(), number.trim().parse::<usize>()) else { return Vec::new() };
    let Some(entity) = session.entity().filter(|_| word.len() > 2) else { return Vec::new() };
    let selected = session.document.selection.surface();
    let element = |index: usize| {
        let surface = entity.model().surfaces().get(index)?;
        let element = if "vertex".starts_with(&word) && number < surface.vertex_count() {
            Selection::Vertex { surface: index, vertex: number }
        } else if "triangle".starts_with(&word) && number < surface.triangles.len() {
            Selection::Triangle { surface: index, triangle: number }
        } else {
            return None;
        };
        let more = if selected == Some(index) { 2 * COMMAND } else { COMMAND };
        Some((Thing::Part(entity, element), "", "Surface".into(), more + USABLE))
    };
    context::surfaces_shown(entity).filter_map(element).collect()
}

fn entry(session: &Session, thing: Thing<'_>) -> Entry {
    let mut entry = Entry { name: thing.name().into_owned(), usable: true, ..Entry::default() };
    let (what, icon, action) = match thing {
        Thing::Command(command) => {
            entry.name = command.label_now(session);
            entry.command = Some(command);
            entry.why_not = command.reason(session).map(Cow::into_owned);
            entry.usable = entry.why_not.is_none();
            (command.group.label().to_owned(), icons::of_action(&command.action), command.action.clone())
        }
        Thing::Choice(choice) => return choice.clone(),
        Thing::Clip(entity, index) => {
            let play = ClockAction::ChooseClipOf(entity.id.into(), ClipChoice::Clip(index));
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
        // Surfaces with equal names are distinguished by their index.
        Selection::Surface(index) if entity.has_twin(index) => (format!("Surface {index} of {of}"), icons::TRIANGLE),
        Selection::Surface(_) => (format!("Surface of {of}"), icons::TRIANGLE),
        Selection::Vertex { surface, .. } | Selection::Triangle { surface, .. } => {
            (format!("Of {}", entity.distinct_surface_name(surface)), icons::TRIANGLE)
        }
        _ => (format!("Part, {}", entity.asset.name), icons::BOX),
    }
}
