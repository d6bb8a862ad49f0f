//! Filter of the file list by problems, and the progress of their check.

use std::collections::HashSet;
use std::path::Path;

use egui::{Ui, Vec2};

use super::listing::{BY_FOLDER, BY_TRIANGLES, Listing, SORTINGS, sorted_value};
use super::{Button, Gallery, Line, arrange, fonts, format, icons, menu, text, theme};
use crate::ui::paint;
use maquette_assets::lint::PROFILES;
use maquette_assets::open::format_by_name;
use maquette_scene::session::{Action, FileAction, FileProblem, FolderCheck, ProblemKind, Session};

const HEIGHT: f32 = 24.0;
/// Word for the choice that each model is checked for its own engine.
const OWN_ENGINE: &str = "Own engine";

/// Models that the list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ShownModels {
    #[default]
    All,
    WithFaults,
    With(ProblemKind),
}

impl ShownModels {
    fn shows(self, problems: &[FileProblem]) -> bool {
        match self {
            Self::All => true,
            Self::WithFaults => problems.iter().any(|problem| problem.is_fault),
            Self::With(wanted) => problems.iter().any(|problem| problem.kind == wanted),
        }
    }
}

#[derive(Default)]
pub struct State {
    shown: ShownModels,
    /// Choices with their counts.
    choices: Vec<(ShownModels, String)>,
    /// Number of models with faults among those that match the typed text.
    faulty: usize,
    /// Revision of the check and [`Listing::fills`] for which `choices` were counted.
    counted: (u64, u64),
}

/// Shows the filter by problems, the menu of the orders and the result of the check. Returns whether the list or its
/// order changed.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut State,
    listing: &mut Listing,
    actions: &mut Vec<Action>,
) -> bool {
    let check = &session.interface.folder_check;
    let is_checked = check.is_running() || check.count() > 0;
    let before = (state.shown, listing.sorting);
    let models = session.model_list.len();
    let is_outdated = state.choices.is_empty() || state.counted.0 != check.revision;
    if is_outdated || state.counted.1 != listing.fills {
        state.counted = (check.revision, listing.fills);
        count(state, listing, check, is_checked);
    }
    let row = |ui: &mut Ui, salt: &str, content: &mut dyn FnMut(&mut Ui)| {
        let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), HEIGHT));
        arrange::within(ui, row.shrink2(Vec2::X * 8.0), salt, content);
    };
    row(ui, "problems", &mut |ui| {
        let current = state.choices.iter().find(|(shown, _)| *shown == state.shown);
        // The filter below shows the count.
        let word = current.and_then(|(_, label)| label.split(" (").next()).unwrap_or("All models");
        // Three buttons, one with a word of 32 points, and the chevron follow.
        let room = ui.available_width() - 4.0 * (HEIGHT + ui.spacing().item_spacing.x) - 32.0;
        let word = paint::shortened(ui.painter(), word, &fonts::small(), room);
        let button = Button::new("Models to show").word(&word).menu().small().tight().height(HEIGHT).show(ui);
        let choices = state.choices.iter().map(|(shown, label)| (*shown, label.as_str()));
        state.shown = menu::choose_below(&button, choices, state.shown).unwrap_or(state.shown);
        arrange::at_end(ui, |ui| {
            buttons(ui, session, actions);
            let is_on = listing.sorting != BY_FOLDER;
            let button = Button::new("Sort by").icon(icons::LIST).height(HEIGHT).on(is_on).show(ui);
            let chosen = menu::choose_below(&button, SORTINGS.into_iter().enumerate(), listing.sorting);
            listing.sorting = chosen.unwrap_or(listing.sorting);
        });
    });
    let counts = &session.interface.triangle_counts;
    let is_new = is_outdated || listing.sorting != before.1;
    let is_counting = listing.sorting == BY_TRIANGLES && counts.count() < models && (is_new || !counts.is_cancelled());
    if is_checked || is_counting {
        row(ui, "result", &mut |ui| result(ui, session, state, is_counting, actions));
    }
    if is_counting && !counts.is_running() && !check.is_running() {
        actions.push(Action::File(FileAction::CountTriangles));
    }
    if state.shown != before.0 && state.shown != ShownModels::All && check.count() < models && !check.is_running() {
        actions.push(Action::File(FileAction::CheckFiles));
    }
    let is_sorted = listing.sort(session);
    if state.shown == before.0 && (state.shown == ShownModels::All || !is_outdated) {
        return is_sorted;
    }
    listing.kept = (state.shown != ShownModels::All).then(|| {
        let is_kept = |path: &&std::path::PathBuf| check.problems(path).is_some_and(|found| state.shown.shows(found));
        session.model_list.iter().filter(is_kept).cloned().collect::<HashSet<_>>()
    });
    listing.filter();
    is_sorted || state.shown != before.0
}

/// Shows the buttons that start the check and lead to the next problem.
fn buttons(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let (check, models) = (&session.interface.folder_check, session.model_list.len());
    let is_complete = check.count() >= models;
    let check_all = match is_complete {
        true => Button::new("Check all listed models again").icon(icons::RELOAD),
        false => Button::new("Check all listed models").icon(icons::LINT),
    };
    let check_all = check_all.enabled(!check.is_running(), "The check is running").height(HEIGHT);
    check_all.push(ui, Action::File(FileAction::CheckFiles), actions);
    let next =
        Button::new("Next model with a problem").icon(icons::WARNING).word("Next").small().tight().height(HEIGHT);
    let next = next.enabled(check.faulty() > 0 || !is_complete, "No model has a problem");
    next.push(ui, Action::File(FileAction::NextProblem), actions);
}

/// Shows the progress of the check or of the count, or else the number of models with faults, which filters the list,
/// and the engine.
fn result(ui: &mut Ui, session: &Session, state: &mut State, is_counting: bool, actions: &mut Vec<Action>) {
    let check = &session.interface.folder_check;
    if check.is_running() || is_counting {
        let (done, what) = match check.is_running() {
            true => (check.count(), "checked"),
            false => (session.interface.triangle_counts.count(), "counted"),
        };
        let models = session.model_list.len();
        let done = format!("{} of {} {what}", format::count(done.min(models)), format::count(models));
        text::line(ui, &done, fonts::small(), theme::tokens(ui).text2);
        return;
    }
    let faulty = state.faulty;
    let has_none = check.faulty() == 0;
    let word = if has_none { "No problems".to_owned() } else { format!("{} with problems", format::count(faulty)) };
    let is_on = state.shown == ShownModels::WithFaults;
    let button = Button::new("Show models with problems only").word(&word).small().tight().on(is_on);
    let button = button.enabled(!has_none || is_on, "No model has a problem").height(HEIGHT);
    if button.show(ui).clicked() {
        state.shown = if is_on { ShownModels::All } else { ShownModels::WithFaults };
    }
    arrange::at_end(ui, |ui| {
        let titles = PROFILES.iter().enumerate().map(|(index, profile)| (Some(index), profile.title));
        let engines: Vec<(Option<usize>, &str)> = std::iter::once((None, OWN_ENGINE)).chain(titles).collect();
        let word = engines.iter().find(|(index, _)| *index == check.engine()).map_or(OWN_ENGINE, |(_, title)| title);
        let button = Button::new("Engine of the check").word(word).menu().small().tight().height(HEIGHT).show(ui);
        let chosen = menu::choose_below(&button, engines.iter().copied(), check.engine());
        let chosen = chosen.filter(|chosen| *chosen != check.engine());
        actions.extend(chosen.map(|engine| Action::File(FileAction::CheckFilesFor(engine))));
    });
}

/// Counts the models of each choice among those that match the typed text. Kinds without models are omitted.
fn count(state: &mut State, listing: &Listing, check: &FolderCheck, is_checked: bool) {
    let kinds = ProblemKind::all().into_iter().map(|kind| (ShownModels::With(kind), kind.label()));
    let found: Vec<&[FileProblem]> = listing.typed().filter_map(|path| check.problems(path)).collect();
    let number = |shown: ShownModels| found.iter().filter(|problems| shown.shows(problems)).count();
    state.faulty = number(ShownModels::WithFaults);
    state.choices = vec![(ShownModels::All, "All models".to_owned())];
    for (shown, label) in std::iter::once((ShownModels::WithFaults, "With problems")).chain(kinds) {
        let number = number(shown);
        let label = if is_checked { format!("{label} ({})", format::count(number)) } else { label.to_owned() };
        if number > 0 || !is_checked || shown == state.shown || shown == ShownModels::WithFaults {
            state.choices.push((shown, label));
        }
    }
}

/// Returns the problems of a model in a line, those of the chosen kind first, and whether the model has a fault. Faults
/// hide other problems. `None` if there are none.
fn line(session: &Session, path: &Path, state: &State) -> Option<Line> {
    let found = session.interface.folder_check.problems(path).filter(|found| !found.is_empty())?;
    let is_faulty = found.iter().any(|problem| problem.is_fault);
    let is_chosen = |problem: &FileProblem| state.shown == ShownModels::With(problem.kind);
    let mut shown: Vec<&FileProblem> =
        found.iter().filter(|problem| problem.is_fault == is_faulty || is_chosen(problem)).collect();
    shown.sort_by_key(|problem| !is_chosen(problem));
    let words: Vec<String> = shown.into_iter().map(|problem| format::sentence(&problem.short)).collect();
    Some((words.join(" · "), is_faulty))
}

/// Returns the line below a model's name, and whether it is a warning: the value by which the list is sorted, then the
/// problems. Without a value or problems, it is the description.
pub fn line_below(session: &Session, path: &Path, state: &State, sorting: usize, gallery: &Gallery) -> Line {
    let (line, warns) = line(session, path, state).unwrap_or_else(|| gallery.line(path, format_by_name(path)));
    match sorted_value(session, sorting, path) {
        Some(value) if warns => (format!("{value} · {line}"), warns),
        Some(value) => (value, warns),
        None => (line, warns),
    }
}

/// Returns the problems of a model with their reasons, in lines. `None` if there are none.
pub fn reasons(session: &Session, path: &Path) -> Option<String> {
    let found = session.interface.folder_check.problems(path).filter(|found| !found.is_empty())?;
    Some(found.iter().map(|problem| problem.line.as_str()).collect::<Vec<_>>().join("\n"))
}
