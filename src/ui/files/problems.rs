//! Filter of the file list by problems, and the progress of their check.

use std::collections::HashSet;
use std::path::Path;

use egui::{Ui, Vec2};

use super::listing::Listing;
use super::{Button, arrange, fonts, format, icons, menu, text, theme};
use maquette_scene::session::{Action, FileAction, FileProblem, FolderCheck, Session};

const HEIGHT: f32 = 24.0;

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

/// Shows the row. Returns whether the list changed.
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
    let width = ui.available_width() - 16.0;
    let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), HEIGHT));
    let row = egui::Rect::from_min_size(row.min + Vec2::X * 8.0, Vec2::new(width, HEIGHT));
    arrange::within(ui, row, "problems", |ui| {
        let current = state.choices.iter().find(|(shown, _)| *shown == state.shown);
        let word = current.map_or("All models", |(_, label)| label.as_str());
        let button = Button::new("Models to show").word(word).menu().tight().show(ui);
        let chosen = menu::choose_below(
            &button,
            state.choices.iter().map(|(shown, label)| (*shown, label.as_str())),
            state.shown,
        );
        state.shown = chosen.unwrap_or(state.shown);
        arrange::at_end(ui, |ui| {
            if check.is_running() {
                let done = format!("{} of {} checked", format::count(check.count().min(models)), format::count(models));
                text::line(ui, &done, fonts::small(), theme::tokens(ui).text2);
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
        });
    });
    if state.shown != before && state.shown != ShownModels::All && check.count() < models && !check.is_running() {
        actions.push(Action::File(FileAction::CheckFiles));
    }
    if state.shown == before && (state.shown == ShownModels::All || !is_outdated) {
        return false;
    }
    listing.kept = (state.shown != ShownModels::All).then(|| {
        let is_kept = |path: &&std::path::PathBuf| check.problems(path).is_some_and(|found| state.shown.shows(found));
        session.model_list.iter().filter(is_kept).cloned().collect::<HashSet<_>>()
    });
    listing.filter();
    state.shown != before
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

/// Returns the problems of a model as a line, and whether they are faults. `None` if there are none.
pub fn line(session: &Session, path: &Path) -> Option<(String, bool)> {
    let found = session.interface.folder_check.problems(path).filter(|found| !found.is_empty())?;
    let labels = FileProblem::ALL.iter().filter(|(problem, _)| found.contains(problem)).map(|(_, label)| *label);
    let labels: Vec<&str> = labels.collect();
    Some((labels.join(", "), found.iter().any(|problem| problem.is_fault())))
}
