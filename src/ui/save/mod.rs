//! Export dialogs for images, animations, contact sheets and models.

mod caption;
mod model;
pub mod preview;
mod rows;

use egui::{Align, Frame, Key, Layout, Margin, Modifiers, RichText, ScrollArea, Ui, vec2};

use super::{checkbox, dialog, format, list, theme};
use maquette_scene::scene::Choices as _;
use maquette_scene::session::{
    Action, ContactOptions, FileAction, FilePrompt, FilmKind, MAX_TILES, OutputKind, SaveAction, Session, TILES,
};

pub use caption::{caption, panel_colour, tokens};
pub use preview::ExportPreview;

const PREVIEW: f32 = preview::SIDE + dialog::EDGE;
/// Offered frame rates. Their frame delays are close to multiples of 1/100 s, the unit of GIF.
const RATES: [f64; 4] = [15.0, 25.0, 30.0, 50.0];
const MOMENTS: [u32; 4] = [1, 3, 5, 8];

/// Handles Escape, which closes the dialog before anything below it.
pub fn take(root: &Ui, session: &Session, actions: &mut Vec<Action>) {
    let is_open = session.jobs.saving.open.is_some() && is_on_top(session);
    let busy = root.ctx().text_edit_focused() || egui::Popup::is_any_open(root.ctx());
    if is_open && !busy && root.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        actions.push(Action::Save(SaveAction::CloseSaving));
    }
}

fn is_on_top(session: &Session) -> bool {
    session.interface.path_field.is_none() && session.interface.panels.dialog.is_none()
}

pub fn show(root: &Ui, session: &Session, product: OutputKind, preview: &preview::State, actions: &mut Vec<Action>) {
    // The dialog has a heading, rows of 36 points or the preview, and buttons.
    let rows: f32 = match product {
        OutputKind::Film | OutputKind::Model => 12.0,
        _ => 5.0,
    };
    let height = 48.0 + (36.0 * rows).max(preview::SIDE + 8.0) + dialog::FOOT;
    let close = dialog::show_sized(root, product.title(), vec2(560.0 + PREVIEW, height), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut result = Ok(String::new());
        ui.horizontal_top(|ui| {
            ui.set_height((ui.available_height() - dialog::FOOT).max(0.0));
            ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                // A narrow window has no room for the preview.
                if ui.available_width() >= 480.0 + PREVIEW {
                    ui.add_space(dialog::EDGE);
                    ui.spacing_mut().item_spacing.x = 0.0;
                    let margin = Margin { top: 4, ..Margin::ZERO };
                    Frame::new().inner_margin(margin).show(ui, |ui| preview::show(ui, preview));
                }
                // The rows end where the buttons end.
                ui.add_space(dialog::EDGE - list::EDGE);
                ui.vertical(|ui| {
                    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                        result = match product {
                            OutputKind::Image => image(ui, session, actions),
                            OutputKind::Film => film(ui, session, actions),
                            OutputKind::ContactSheet => contact(ui, session, actions),
                            OutputKind::Model => model::show(ui, session, preview, actions),
                            _ => Ok(String::new()),
                        };
                    });
                });
            });
        });
        let result = result.map(|text| {
            let texts = [Some(text).filter(|text| !text.is_empty()), preview.size()];
            texts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        });
        let is_measuring = product == OutputKind::Model && preview.is_pending();
        footer(ui, session, product, &result, is_measuring, actions);
    });
    actions.extend(close.then_some(Action::Save(SaveAction::CloseSaving)));
}

fn footer(
    ui: &mut Ui,
    session: &Session,
    product: OutputKind,
    result: &Result<String, String>,
    is_measuring: bool,
    actions: &mut Vec<Action>,
) {
    let tokens = theme::tokens(ui);
    let foot = ui.available_rect_before_wrap();
    ui.painter().hline(foot.x_range(), foot.top() + 0.5, (1.0, tokens.line));
    let why_not = match (result, &session.jobs.work) {
        (Err(why), _) => why.clone(),
        (_, Some(work)) => format!("An export is already running: {}", work.text()),
        _ if is_measuring => "The losses are not known yet".to_owned(),
        _ => String::new(),
    };
    let (text, colour) = match result {
        Ok(_) if !why_not.is_empty() => (&why_not, tokens.text2),
        Ok(text) => (text, tokens.text2),
        Err(text) => (text, tokens.warn),
    };
    let word = format!("{}…", product.verb());
    let save = dialog::confirm(product.verb(), &word).enabled(why_not.is_empty(), &why_not);
    let clicked = dialog::footer(ui, RichText::new(text).color(colour), &[save, dialog::other("Cancel")]);
    if clicked == Some(0) || (is_on_top(session) && why_not.is_empty() && dialog::is_entered(ui)) {
        actions.push(Action::File(FileAction::Ask(FilePrompt::Save(product))));
    } else if clicked.is_some() {
        actions.push(Action::Save(SaveAction::CloseSaving));
    }
}

fn image(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> Result<String, String> {
    let before = session.jobs.saving.image;
    let mut options = before;
    rows::size(ui, &session.jobs.saving, &[1024, 2048, 4096], &mut options.size);
    rows::extras(ui, &session.view.display, &mut options.extras);
    if options != before {
        actions.push(Action::Save(SaveAction::SetImage(options)));
    }
    Ok(String::new())
}

fn film(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> Result<String, String> {
    let before = session.jobs.saving.film;
    let mut options = before;
    let kinds = FilmKind::labelled();
    rows::choice(ui, "Format", &kinds, &mut options.kind);
    let contents = [(false, "Clip"), (true, "Turntable")];
    rows::choice(ui, "Content", &contents, &mut options.turns);
    if options.turns {
        let shown = format!("{} s", format::short(options.turn_seconds, 2));
        rows::row(ui, "Duration", |ui| {
            let typed = rows::number(ui, "Duration", shown, "Rounded to whole loops if the clip plays");
            options.turn_seconds = typed.unwrap_or(options.turn_seconds);
            checkbox::switch(ui, "Play clip", &mut options.turn_plays, None);
        });
    } else {
        let seconds = session.document.plan_film(&options).map_or(0.0, |film| film.seconds());
        rows::fact(ui, "Duration", &format!("{} s", format::fixed(seconds, 2)));
    }
    let rates = RATES.into_iter().map(|rate| (Some(rate), format!("{rate} fps")));
    let rates: Vec<_> = std::iter::once((None, "Every frame once".to_owned())).chain(rates).collect();
    let nearest = |rate: f64| RATES.into_iter().find(|one| (one - rate).abs() < 1e-6).unwrap_or(rate);
    options.rate = options.rate.map(nearest);
    rows::choice(ui, "Frame rate", &rates, &mut options.rate);
    rows::size(ui, &session.jobs.saving, &[256, 512, 1024], &mut options.size);
    rows::extras(ui, &session.view.display, &mut options.extras);
    if options.kind != FilmKind::Frames {
        rows::ticks(ui, "Playback", &mut [("Loop", &mut options.repeats, None)]);
    } else {
        rows::fact(ui, "Playback", "One file for each frame");
    }
    if options != before {
        actions.push(Action::Save(SaveAction::SetFilm(options)));
    }
    let film = session.document.plan_film(&before).map_err(|error| error.to_string())?;
    let names = session.document.clip_names().filter(|_| !before.turns);
    let name = names.map_or(String::new(), |names| format!("{names}: "));
    let (frames, seconds) = (format::plural(film.frames as usize, "frame"), format::fixed(film.seconds(), 2));
    Ok(format!("{name}{frames} in {seconds} s"))
}

fn contact(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> Result<String, String> {
    let before = session.jobs.saving.contact;
    let mut options: ContactOptions = before;
    let sides = TILES.map(|side| (side, format!("{side}²")));
    rows::choice(ui, "Tile size", &sides, &mut options.tile);
    let word = |moments: u32| if moments == 1 { "1 (middle)".to_owned() } else { moments.to_string() };
    let moments = MOMENTS.map(|moments| (moments, word(moments)));
    rows::choice(ui, "Frames per clip", &moments, &mut options.frames_per_clip);
    rows::extras(ui, &session.view.display, &mut options.extras);
    if options != before {
        actions.push(Action::Save(SaveAction::SetContactSheet(options)));
    }
    let count = session.document.sheet_clips().len();
    if count == 0 {
        return Ok(String::new());
    }
    let max = (MAX_TILES / before.frames_per_clip.max(1)) as usize;
    let text = format::plural(count.min(max), "clip");
    Ok(if count > max { format!("The first {text} of {}", format::count(count)) } else { text })
}
