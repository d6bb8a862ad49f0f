//! Menu of clips, with a filter if there are many.

use egui::{Response, Ui};

use super::{View, clip_colour};
use crate::ui::{format, menu};
use maquette_scene::scene::ClipChoice;
use maquette_scene::session::{Action, ClockAction, Session};

const UNFILTERED_CLIPS: usize = 20;

pub fn above(button: &Response, session: &Session, view: &View<'_>, actions: &mut Vec<Action>) {
    if view.clips.len() <= UNFILTERED_CLIPS {
        menu::above(button, |ui| {
            choices(view, "").into_iter().for_each(|choice| row(ui, view, choice, actions));
            player_table(ui, session, view, actions);
        });
        return;
    }
    let hint = format!("Filter {}", format::plural(view.clips.len(), "clip"));
    menu::filtered_above(button, &hint, |ui, filter, is_entered| {
        let before = actions.len();
        let choices = choices(view, filter);
        actions.extend(choices.first().filter(|_| is_entered).map(|index| choose(*index)));
        menu::filtered_rows(ui, &choices, |ui, choice| row(ui, view, *choice, actions));
        if choices.is_empty() {
            let none = format!("No results for “{}”", filter.trim());
            menu::Row { word: &none, disabled: true, ..menu::Row::default() }.show(ui);
        }
        player_table(ui, session, view, actions);
        if actions.len() > before {
            ui.close();
        }
    });
}

/// Returns the indices of the clips whose names contain every word of the filter. `None` stands for all frames.
fn choices(view: &View<'_>, filter: &str) -> Vec<Option<usize>> {
    let filter = filter.to_lowercase();
    let fits = |name: &str| {
        let name = name.to_lowercase();
        filter.split_whitespace().all(|word| name.contains(word))
    };
    let named = view.clips.iter().enumerate().filter(|(_, clip)| fits(&clip.name)).map(|(index, _)| Some(index));
    fits(ALL).then_some(None).into_iter().chain(named).collect()
}

fn choose(index: Option<usize>) -> Action {
    Action::Clock(ClockAction::ChooseClip(index.map_or(ClipChoice::AllFrames, ClipChoice::Clip)))
}

fn row(ui: &mut Ui, view: &View<'_>, index: Option<usize>, actions: &mut Vec<Action>) {
    let clip = index.and_then(|index| view.clips.get(index));
    let count = clip.map_or(view.entity.model().frames().len(), |clip| clip.count as usize);
    let row = menu::Row {
        value: format::plural(count, "frame"),
        dot: Some(clip_colour(ui, index)),
        on: Some(view.current == index),
        ..menu::Row::new(clip.map_or(ALL, |clip| &clip.name))
    };
    row.push(ui, choose(index), actions);
}

const ALL: &str = "all frames";

/// Shows the switch between the model's own clips and the table of the game's players.
fn player_table(ui: &mut Ui, session: &Session, view: &View<'_>, actions: &mut Vec<Action>) {
    if !view.entity.model().alternative_clips().is_empty() {
        menu::separator(ui);
        let table = session.playback().player_table;
        let action = Action::Clock(ClockAction::SetPlayerTable(!table));
        menu::Row::new("Use standard player clips").on(table).push(ui, action, actions);
    }
}
