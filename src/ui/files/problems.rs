//! Filter of the file list by problems, and the progress of their check.

use std::collections::HashSet;
use std::path::Path;

use egui::{Ui, Vec2};

use super::listing::{BY_FOLDER, BY_TRIANGLES, Listing, SORTINGS};
use super::{Button, arrange, fonts, format, icons, menu, text, theme};
use maquette_assets::lint::PROFILES;
use maquette_scene::session::{Action, FileAction, FileProblem, FolderCheck, Session};

const HEIGHT: f32 = 24.0;
/// Word for the choice that each model is checked for its own engine.
const OWN_ENGINE: &str = "Own engine";

/// Models that the list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ShownModels {
    #[default]
    All,
    WithFaults,
    With(FileProblem),
}

impl ShownModels {
    fn shows(self, problems: &[FileProblem]) -> bool {
        match self {
            Self::All => true,
            Self::WithFaults => problems.iter().any(|problem| problem.is_fault()),
            Self::With(wanted) => problems.contains(&wanted),
        }
    }
}

#[derive(Default)]
pub struct State {
    shown: ShownModels,
    /// Choices with their counts, for [`State::revision`] and a list of this length.
    choices: Vec<(ShownModels, String)>,
    revision: u64,
    models: usize,
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
    let before = state.shown;
    let models = session.model_list.len();
    let is_outdated = state.choices.is_empty() || (state.revision, state.models) != (check.revision, models);
    if is_outdated {
        (state.revision, state.models) = (check.revision, models);
        state.choices = choices(session, check, is_checked);
    }
    let row = |ui: &mut Ui, salt: &str, content: &mut dyn FnMut(&mut Ui)| {
        let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), HEIGHT));
        arrange::within(ui, row.shrink2(Vec2::X * 8.0), salt, content);
    };
    row(ui, "problems", &mut |ui| {
        let current = state.choices.iter().find(|(shown, _)| *shown == state.shown);
        // The filter below shows the count.
        let word = current.and_then(|(_, label)| label.split(" (").next()).unwrap_or("All models");
        let button = Button::new("Models to show").word(word).menu().small().tight().height(HEIGHT).show(ui);
        let chosen = menu::choose_below(
            &button,
            state.choices.iter().map(|(shown, label)| (*shown, label.as_str())),
            state.shown,
        );
        state.shown = chosen.unwrap_or(state.shown);
        arrange::at_end(ui, |ui| {
            buttons(ui, session, actions);
            sort_menu(ui, session, listing, actions);
        });
    });
    if is_checked {
        row(ui, "result", &mut |ui| result(ui, session, state, actions));
    }
    if state.shown != before && state.shown != ShownModels::All && check.count() < models && !check.is_running() {
        actions.push(Action::File(FileAction::CheckFiles));
    }
    let is_sorted = listing.sort(session);
    if state.shown == before && (state.shown == ShownModels::All || !is_outdated) {
        return is_sorted;
    }
    listing.kept = (state.shown != ShownModels::All).then(|| {
        let is_kept = |path: &&std::path::PathBuf| check.problems(path).is_some_and(|found| state.shown.shows(found));
        session.model_list.iter().filter(is_kept).cloned().collect::<HashSet<_>>()
    });
    listing.filter();
    is_sorted || state.shown != before
}

/// Shows the buttons that start the check and lead to the next problem.
fn buttons(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let (check, models) = (&session.interface.folder_check, session.model_list.len());
    if check.is_running() {
        return;
    }
    let is_complete = check.count() >= models;
    let action = if is_complete { FileAction::NextProblem } else { FileAction::CheckFiles };
    let button = match action {
        FileAction::NextProblem => Button::new("Next model with a problem").icon(icons::WARNING),
        _ => Button::new("Check all listed models").icon(icons::LINT),
    };
    button.height(HEIGHT).push(ui, Action::File(action), actions);
    if is_complete {
        let again = Button::new("Check all listed models again").icon(icons::RELOAD).height(HEIGHT);
        again.push(ui, Action::File(FileAction::CheckFiles), actions);
    }
}

/// Shows the progress of the check, or the number of models with faults, which filters the list, and the engine.
fn result(ui: &mut Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) {
    let check = &session.interface.folder_check;
    if check.is_running() {
        let (done, models) = (check.count(), session.model_list.len());
        let done = format!("{} of {} checked", format::count(done.min(models)), format::count(models));
        text::line(ui, &done, fonts::small(), theme::tokens(ui).text2);
        return;
    }
    let faulty = check.faulty();
    let word = if faulty == 0 { "No problems".to_owned() } else { format!("{} with problems", format::count(faulty)) };
    let is_on = state.shown == ShownModels::WithFaults;
    let button = Button::new("Show models with problems only").word(&word).small().tight().on(is_on);
    let button = button.enabled(faulty > 0 || is_on, "No model has a problem").height(HEIGHT);
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

/// Shows the menu of the orders. The order by triangles needs the check, which counts them.
fn sort_menu(ui: &mut Ui, session: &Session, listing: &mut Listing, actions: &mut Vec<Action>) {
    let button = Button::new("Sort by").icon(icons::LIST).height(HEIGHT).on(listing.sorting != BY_FOLDER).show(ui);
    let Some(chosen) = menu::choose_below(&button, SORTINGS.into_iter().enumerate(), listing.sorting) else { return };
    listing.sorting = chosen;
    let check = &session.interface.folder_check;
    if chosen == BY_TRIANGLES && check.count() < session.model_list.len() && !check.is_running() {
        actions.push(Action::File(FileAction::CheckFiles));
    }
}

fn choices(session: &Session, check: &FolderCheck, is_checked: bool) -> Vec<(ShownModels, String)> {
    let faults = [(ShownModels::WithFaults, "With problems")];
    let kinds = FileProblem::ALL.map(|(problem, label)| (ShownModels::With(problem), label));
    let label = |(shown, label): (ShownModels, &str)| {
        let has = |path: &&std::path::PathBuf| check.problems(path).is_some_and(|found| shown.shows(found));
        let count = session.model_list.iter().filter(has).count();
        (shown, if is_checked { format!("{label} ({})", format::count(count)) } else { label.to_owned() })
    };
    let all = (ShownModels::All, "All models".to_owned());
    std::iter::once(all).chain(faults.into_iter().chain(kinds).map(label)).collect()
}

/// Returns the problems of a model as a line, and whether they are faults, which hide other problems. `None` if there
/// are none.
pub fn line(session: &Session, path: &Path) -> Option<(String, bool)> {
    let found = session.interface.folder_check.problems(path).filter(|found| !found.is_empty())?;
    let is_faulty = found.iter().any(|problem| problem.is_fault());
    let is_shown = |problem: &FileProblem| found.contains(problem) && problem.is_fault() == is_faulty;
    let labels = FileProblem::ALL.iter().filter(|(problem, _)| is_shown(problem)).map(|(_, label)| *label);
    Some((labels.collect::<Vec<&str>>().join(", "), is_faulty))
}

/// Returns the problems of a model with their reasons, in lines. `None` if there are none.
pub fn reasons(session: &Session, path: &Path) -> Option<String> {
    let reasons = session.interface.folder_check.reasons(path);
    (!reasons.is_empty()).then(|| reasons.join("\n"))
}
