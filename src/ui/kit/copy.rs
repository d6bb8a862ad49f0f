//! Copies text on a click and confirms it in the tooltip and the status bar.

use egui::{Context, Id, Response, RichText, Tooltip};

use maquette_scene::session::{Action, WindowAction};

const SECONDS: f64 = 1.5;

fn texts_id() -> Id {
    Id::unique("copied texts")
}

fn click_id() -> Id {
    Id::unique("value copied by a click")
}

pub fn put(ctx: &Context, text: impl Into<String>) {
    let text = text.into();
    ctx.copy_text(text.clone());
    ctx.data_mut(|data| data.get_temp_mut_or_default::<Vec<String>>(texts_id()).push(text));
}

/// Reports the texts that were copied since the last call, for the status bar.
pub fn take(ctx: &Context, actions: &mut Vec<Action>) {
    let texts = ctx.data_mut(|data| data.remove_temp::<Vec<String>>(texts_id()));
    actions.extend(texts.into_iter().flatten().map(|text| Action::Window(WindowAction::Copied(text))));
}

/// Copies the text on a click. Returns whether the confirmation is visible, because another tooltip would cover it.
pub fn on_click(response: &Response, text: impl FnOnce() -> String) -> bool {
    let ctx = &response.ctx;
    let now = ctx.input(|input| input.time);
    if response.clicked() {
        put(ctx, text());
        ctx.data_mut(|data| data.insert_temp(click_id(), (response.id, now)));
    }
    let last = ctx.data(|data| data.get_temp::<(Id, f64)>(click_id()));
    let Some((_, since)) = last.filter(|(id, since)| *id == response.id && now - since < SECONDS) else {
        return false;
    };
    ctx.request_repaint_after_secs((SECONDS - (now - since)) as f32);
    Tooltip::for_widget(response).show(|ui| ui.label("Copied"));
    true
}

/// Shows the tooltip line about copying.
pub fn hint(ui: &mut egui::Ui) {
    ui.label(RichText::new("Click to copy").small().weak());
}

/// Makes a click copy `text`. The tooltip shows the full text if it is `cut`.
pub fn copyable(response: &Response, text: &str, cut: bool) {
    if on_click(response, || text.to_owned()) {
        return;
    }
    response.clone().on_hover_ui(|ui| {
        if cut {
            ui.label(text);
        }
        hint(ui);
    });
}
