//! Letters typed while a menu is open lead to the row that has them.

use egui::{Context, Id, Response};

/// Seconds after which the next letter begins another word.
const PAUSE: f64 = 1.0;

/// What has been typed.
#[derive(Clone, Debug, Default)]
struct Typed {
    text: String,
    until: f64,
    /// The frame in which the last letter came: the first row that matches takes it.
    frame: u64,
    is_taken: bool,
}

fn id() -> Id {
    Id::unique("type-ahead")
}

/// Takes the letters of this frame; to be called once for each menu that is shown.
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
    // A menu and a menu within it both call this. Letters typed into a field of a menu stay there.
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

/// Gives a row the focus, and brings it into sight, if it is the first that has what was typed: at its start, or at the
/// start of one of its words.
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
