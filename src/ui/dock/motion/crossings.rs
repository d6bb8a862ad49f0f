//! List of the frames in which surfaces cross. A click goes to the frame, and marks and frames the crossing.

use egui::{Color32, Rect, Stroke, Ui};

use crate::ui::button::{Button, Emphasis};
use crate::ui::kit::row::Row;
use crate::ui::{fonts, format, icons, list, text, theme, viewport::labels};
use maquette_scene::session::{Action, CrossingSearch, CrossingSpan, FileAction, SearchedSurface, Session};

const ROW: f32 = 24.0;
/// Widths of the columns after the names.
const COLUMNS: [(&str, f32); 4] = [("Frames", 84.0), ("Most in", 60.0), ("Triangles", 68.0), ("Length", 60.0)];

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let quiet = theme::tokens(ui).text2;
    let search = session.interface.crossings.as_ref();
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.add_space(list::EDGE);
        ui.spacing_mut().item_spacing.x = 8.0;
        let is_running = search.is_some_and(|search| search.is_running);
        let name = if is_running { "Cancel search" } else { "Search clip" };
        let button = Button::new(name).word(name).tight().height(24.0).rank(Emphasis::Raised);
        button.push(ui, Action::File(FileAction::FindCrossings(!is_running)), actions);
        text::line(ui, &summary(search), fonts::body(), quiet);
    });
    let Some(search) = search.filter(|search| !search.is_running || !search.spans.is_empty()) else {
        let what = "Select surfaces to search only among them";
        return list::empty(ui, (icons::SEARCH, quiet), "Find frames in which surfaces cross", what);
    };
    let heading = Row::label("Surfaces").font(fonts::small()).colour(quiet).height(ROW);
    COLUMNS
        .iter()
        .fold(heading, |row, (word, width)| row.cell(*word, *width))
        .value_font(&fonts::small())
        .show(ui, "headings");
    list::scroll(ui, "crossings", |ui| {
        list::rows(ui, "crossings", 0..search.spans.len(), ROW, None, |ui, index| {
            let Some(span) = search.spans.get(index) else { return };
            let name = pair(session, span);
            let cells = cells(span);
            let spoken = format!(
                "{name}: frames {}, most in {}, {} triangles, {} units",
                cells[0], cells[1], cells[2], cells[3]
            );
            let row = Row::new(name.as_str()).height(ROW).loses_end().spoken(spoken.as_str());
            let row = row.colour(if span.is_always { quiet } else { theme::tokens(ui).text });
            let row = cells.into_iter().zip(COLUMNS).fold(row, |row, (cell, (_, width))| row.cell(cell, width));
            let response = row.show(ui, index);
            actions.extend(response.clicked().then_some(Action::File(FileAction::ShowCrossing(index))));
            response.on_hover_text(name);
        });
    });
}

fn summary(search: Option<&CrossingSearch>) -> String {
    let Some(search) = search else { return String::new() };
    let (done, all) = search.progress();
    match search.spans.len() {
        _ if search.is_running => format!("{}: frame {done} of {all}", search.clip),
        0 => format!("{}: no surfaces cross in {}", search.clip, format::plural(all, "frame")),
        spans => format!("{}: {} in {}", search.clip, format::plural(spans, "crossing"), format::plural(all, "frame")),
    }
}

fn cells(span: &CrossingSpan) -> [String; 4] {
    let [first, last] = span.frames;
    let frames = match (span.is_always, first == last) {
        (true, _) => "all".to_owned(),
        (_, true) => format!("{first}"),
        _ => format!("{first}–{last}"),
    };
    [frames, format!("{}", span.most), format::count(span.triangles), format::short(f64::from(span.length), 1)]
}

fn pair(session: &Session, span: &CrossingSpan) -> String {
    let scene = &session.document.scene;
    let is_one = span.surfaces[0].entity == span.surfaces[1].entity;
    let name = |one: &SearchedSurface| {
        let entity = scene.entity(one.entity);
        let of = |entity: &maquette_scene::scene::Entity| {
            let name = entity.distinct_surface_name(one.surface);
            if is_one { name } else { format!("{} {name}", scene.distinct_label(entity)) }
        };
        entity.map(of).unwrap_or_default()
    };
    let [a, b] = &span.surfaces;
    match span.numbers {
        Some([first, second]) if a == b && first != second => format!("{}: parts {first} and {second}", name(a)),
        _ if a == b => format!("{} and itself", name(a)),
        _ => format!("{} and {}", name(a), name(b)),
    }
}

/// Paints the lines of the chosen crossing over the view.
pub fn paint_lines(ui: &Ui, session: &Session, viewport: Rect) {
    let Some(search) = &session.interface.crossings else { return };
    let painter = ui.painter_at(viewport);
    let colour = theme::tokens(ui).error;
    for line in search.lines(&session.document.scene) {
        let [Some(from), Some(to)] = line.map(|end| labels::project(session.document_view(), viewport, end)) else {
            continue;
        };
        painter.line_segment([from, to], Stroke::new(7.0, Color32::from_black_alpha(140)));
        painter.line_segment([from, to], Stroke::new(4.0, colour));
    }
}
