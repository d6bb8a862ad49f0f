//! Sheets that save pictures, films and contact sheets.

mod caption;
mod model;
pub mod preview;
mod rows;

use egui::{Frame, Key, Margin, Modifiers, Rect, ScrollArea, Ui, pos2, vec2};

use super::button::{Button, Emphasis};
use super::{dialog, fonts, format, paint, theme};
use maquette_scene::session::{
    Action, ContactOptions, FileAction, FilePrompt, FilmKind, MAX_TILES, OutputKind, SaveAction, Session, TILES,
};

pub use caption::{caption, panel_colour};
pub use preview::ExportPreview;

/// Height of the line with the buttons.
const FOOT: f32 = 52.0;
/// Width of the preview and of the gap after it.
const PREVIEW: f32 = preview::SIDE + 16.0;
/// Frames per second that are offered: whole delays in 1/100 s, or near to it.
const RATES: [f64; 4] = [15.0, 25.0, 30.0, 50.0];
/// Moments of each clip that are offered.
const MOMENTS: [u32; 4] = [1, 3, 5, 8];

/// Escape puts the sheet away before anything below it.
pub fn take(root: &Ui, session: &Session, actions: &mut Vec<Action>) {
    let on_top = session.jobs.saving.open.is_some()
        && session.interface.path_field.is_none()
        && session.interface.panels.dialog.is_none();
    let busy = root.ctx().text_edit_focused() || egui::Popup::is_any_open(root.ctx());
    if on_top && !busy && root.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        actions.push(Action::Save(SaveAction::CloseSaving));
    }
}

/// Shows the sheet that is open.
pub fn show(root: &Ui, session: &Session, product: OutputKind, preview: &preview::State, actions: &mut Vec<Action>) {
    // Heading, rows of 36 points, buttons.
    let rows = match product {
        OutputKind::Film => 10.0,
        OutputKind::Model => 8.0,
        _ => 5.0,
    };
    let height = 48.0 + 36.0 * rows + FOOT;
    let close = dialog::show_sized(root, product.title(), vec2(560.0 + PREVIEW, height), |ui| {
        let card = ui.max_rect();
        // A narrow window has no room for it.
        let beside = if card.width() >= 480.0 + PREVIEW { PREVIEW } else { 0.0 };
        let inner = Rect::from_min_max(card.min, pos2(card.right() - beside, card.bottom() - FOOT));
        if beside > 0.0 {
            let place = Rect::from_min_size(pos2(inner.right(), card.top()), egui::Vec2::splat(preview::SIDE));
            preview::show(ui, place, preview);
        }
        let mut told = Ok(String::new());
        ui.scope_builder(egui::UiBuilder::new().max_rect(inner).id_salt("rows"), |ui| {
            ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 8.0;
                told = match product {
                    OutputKind::Picture => picture(ui, session, actions),
                    OutputKind::Film => film(ui, session, actions),
                    OutputKind::ContactSheet => contact(ui, session, actions),
                    OutputKind::Model => model::show(ui, session, preview, actions),
                    // They have no choices of their own.
                    OutputKind::Texture | OutputKind::Models | OutputKind::File => Ok(String::new()),
                };
            });
        });
        let foot = Rect::from_min_max(pos2(card.left(), inner.bottom()), card.max);
        let told = told.map(|told| {
            let size = preview.size();
            [Some(told).filter(|told| !told.is_empty()), size].into_iter().flatten().collect::<Vec<_>>().join(", ")
        });
        footer(ui, foot, session, product, &told, actions);
    });
    if close {
        actions.push(Action::Save(SaveAction::CloseSaving));
    }
}

/// What it will be, or why not; and the buttons.
fn footer(
    ui: &mut Ui,
    foot: Rect,
    session: &Session,
    product: OutputKind,
    told: &Result<String, String>,
    actions: &mut Vec<Action>,
) {
    let tokens = theme::tokens(ui);
    ui.painter().hline(foot.x_range(), foot.top() + 0.5, (1.0, tokens.line));
    let frame = Frame::new().inner_margin(Margin::symmetric(16, 12));
    let left = ui
        .scope_builder(egui::UiBuilder::new().max_rect(foot).id_salt("foot"), |ui| {
            frame
                .show(ui, |ui| {
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Min), |ui| {
                        let why_not = match (told, &session.jobs.work) {
                            (Err(why), _) => why.clone(),
                            (_, Some(work)) => format!("An export is already running: {}", work.text()),
                            _ => String::new(),
                        };
                        let verb = product.verb();
                        let word = format!("{verb}…");
                        let save =
                            Button::new(verb).word(&word).rank(Emphasis::Main).enabled(why_not.is_empty(), &why_not);
                        // Enter is for the button in colour, unless a control has the keyboard.
                        let free = ui.memory(|memory| memory.focused()).is_none()
                            && session.interface.path_field.is_none()
                            && session.interface.panels.dialog.is_none()
                            && !egui::Popup::is_any_open(ui.ctx());
                        let entered = free
                            && why_not.is_empty()
                            && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
                        if save.show(ui).clicked() || entered {
                            actions.push(Action::File(FileAction::Ask(FilePrompt::Save(product))));
                        }
                        if Button::new("Cancel").word("Cancel").rank(Emphasis::Raised).show(ui).clicked() {
                            actions.push(Action::Save(SaveAction::CloseSaving));
                        }
                        ui.min_rect().left()
                    })
                    .inner
                })
                .inner
        })
        .inner;
    let room = Rect::from_min_max(pos2(foot.left() + rows::EDGE, foot.top()), pos2(left - 12.0, foot.bottom()));
    let (text, colour) = match told {
        Ok(text) => (text, tokens.text2),
        Err(text) => (text, tokens.warn),
    };
    let galley = ui.painter().layout(text.clone(), fonts::body(), colour, room.width().max(0.0));
    let place = egui::Align2::LEFT_CENTER.anchor_size(room.left_center(), galley.size());
    ui.painter_at(foot).galley(paint::snapped(ui.painter(), place.min), galley, colour);
}

fn picture(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> Result<String, String> {
    let before = session.jobs.saving.image;
    let mut options = before;
    rows::size(ui, &session.jobs.saving, &[1024, 2048, 4096], &mut options.size);
    rows::scenery(ui, session.view.display.background, &mut options.scenery);
    if options != before {
        actions.push(Action::Save(SaveAction::SetPicture(options)));
    }
    Ok(String::new())
}

fn film(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> Result<String, String> {
    let before = session.jobs.saving.film;
    let mut options = before;
    let kinds = FilmKind::ALL.map(|kind| (kind, kind.label()));
    options.kind = rows::choice(ui, "Format", &kinds, options.kind).unwrap_or(options.kind);
    let contents = [(false, "Clip"), (true, "Turntable")];
    options.turns = rows::choice(ui, "Content", &contents, options.turns).unwrap_or(options.turns);
    if options.turns {
        let shown = format!("{} s", format::short(options.turn_seconds, 2));
        let (typed, rest) = rows::number(ui, "Duration", shown, "Rounded to whole loops while the clip plays");
        options.turn_seconds = typed.unwrap_or(options.turn_seconds);
        rows::tick_beside(ui, rest, "Play clip", &mut options.turn_plays);
    } else {
        let seconds = session.plan_film(&options).map_or(0.0, |film| film.seconds());
        rows::told(ui, "Duration", &format!("{} s", format::fixed(seconds, 2)));
    }
    let rates = RATES.into_iter().map(|rate| (Some(rate), format!("{rate} fps")));
    let rates: Vec<_> = std::iter::once((None, "Every frame once".to_owned())).chain(rates).collect();
    let nearest = |rate: f64| RATES.into_iter().find(|one| (one - rate).abs() < 1e-6).unwrap_or(rate);
    options.rate = rows::choice(ui, "Frame rate", &rates, options.rate.map(nearest)).unwrap_or(options.rate);
    rows::size(ui, &session.jobs.saving, &[256, 512, 1024], &mut options.size);
    rows::scenery(ui, session.view.display.background, &mut options.scenery);
    if options.kind != FilmKind::Frames {
        rows::ticks(ui, "Playback", &["Loop"], &mut [&mut options.repeats]);
    } else {
        rows::told(ui, "Playback", "One file for each frame");
    }
    if options != before {
        actions.push(Action::Save(SaveAction::SetFilm(options)));
    }
    let film = session.plan_film(&before).map_err(|error| error.to_string())?;
    let name = match session.track() {
        Some(track) if !before.turns => format!("{}: ", track.clip().name),
        _ => String::new(),
    };
    let (frames, seconds) = (format::plural(film.frames as usize, "frame"), format::fixed(film.seconds(), 2));
    Ok(format!("{name}{frames} in {seconds} s"))
}

fn contact(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> Result<String, String> {
    let before = session.jobs.saving.contact;
    let mut options: ContactOptions = before;
    let sides = TILES.map(|side| (side, format!("{side} × {side}")));
    options.tile = rows::choice(ui, "Tile size", &sides, options.tile).unwrap_or(options.tile);
    let word = |moments: u32| if moments == 1 { "1 (middle)".to_owned() } else { moments.to_string() };
    let moments = MOMENTS.map(|moments| (moments, word(moments)));
    options.moments = rows::choice(ui, "Frames per clip", &moments, options.moments).unwrap_or(options.moments);
    rows::scenery(ui, session.view.display.background, &mut options.scenery);
    if options != before {
        actions.push(Action::Save(SaveAction::SetContactSheet(options)));
    }
    let count = session.sheet_clips().len();
    if count == 0 {
        return Ok(String::new());
    }
    let most = (MAX_TILES / before.moments.max(1)) as usize;
    let text = format::plural(count.min(most), "clip");
    Ok(if count > most { format!("The first {text} of {}", format::count(count)) } else { text })
}
