//! Type-ahead for open menus: typed letters select the matching row.

use egui::{Context, Id, Response};

/// Pause in seconds after which typing starts a new word.
const PAUSE: f64 = 1.0;

#[derive(Clone, Debug, Default)]
struct Typed {
    text: String,
    until: f64,
    /// Frame of the last letter. The first row that matches in this frame takes the focus.
    frame: u64,
    is_taken: bool,
}

fn id() -> Id {
    Id::unique("type-ahead")
}

/// Reads the letters of this frame. Call it once for each menu that is shown.
pub fn read(ctx: &Context) {
    let (now, letters) = ctx.input(|input| {
        let letters = input.events.iter().filter_map(|event| match event {
            egui::Event::Text(text) => Some(text.as_str()),
            _ => None,
        });
        (input.time, letters.collect::<String>())
    });
    let frame = ctx.cumulative_frame_nr();
    let mut typed: Typed = ctx.data(|data| data.get_temp(id())).unwrap_or_default();
    // A menu and its submenu both call this. Letters typed into a field of a menu belong to the field.
    if letters.trim().is_empty() || typed.frame == frame || ctx.text_edit_focused() {
        return;
    }
    if now > typed.until {
        typed.text.clear();
    }
    typed.text.push_str(&letters.to_lowercase());
    (typed.until, typed.frame, typed.is_taken) = (now + PAUSE, frame, false);
    ctx.data_mut(|data| data.insert_temp(id(), typed));
}

/// Focuses a row and scrolls to it, if it is the first whose name, or a word in it, starts with the typed letters.
pub fn offer(response: &Response, word: &str) {
    let ctx = &response.ctx;
    let Some(mut typed) = ctx.data(|data| data.get_temp::<Typed>(id())) else { return };
    if typed.is_taken || typed.frame != ctx.cumulative_frame_nr() {
        return;
    }
    let word = word.to_lowercase();
    let starts = |text: &str| text.starts_with(&typed.text);
    let has = starts(&word) || word.split(['_', ' ', '-', '/', '.']).any(starts);
    if has {
        response.request_focus();
        response.scroll_to_me(None);
        typed.is_taken = true;
        ctx.data_mut(|data| data.insert_temp(id(), typed));
    }
}
