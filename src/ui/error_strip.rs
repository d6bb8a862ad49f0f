//! Strips for a file that failed to open, and for a file opened with losses.

use egui::{Frame, Margin, Panel, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo};

use super::{Button, Emphasis, card, fonts, format, icons, inspector, paint, theme};
use maquette_core::error::FilePosition;
use maquette_scene::session::{Action, DockTab, Failure, FileAction, IssueTarget, Session, WindowAction};

/// Shows the error above the following content.
pub fn show_above(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let Some(failure) = &session.interface.failure else { return };
    let frame = frame(ui);
    Panel::top("error").resizable(false).frame(frame).show(ui, |ui| strip(ui, session, failure, actions));
}

/// Shows the error over the top of `rect`, so that the view does not move.
pub fn show_over(ui: &mut Ui, session: &Session, rect: Rect, actions: &mut Vec<Action>) {
    let Some(failure) = &session.interface.failure else { return };
    // Block input to the view below the strip, using the height of the last frame.
    let id = ui.scope_id().with("error strip");
    let known: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.interact(rect.with_max_y(rect.top() + known), id, Sense::CLICK | Sense::DRAG);
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt("error"));
    let frame = frame(&ui).shadow(ui.visuals().popup_shadow);
    let shown = frame.show(&mut ui, |ui| {
        ui.set_width(ui.available_width());
        strip(ui, session, failure, actions);
    });
    let height = shown.response.rect.height();
    if (height - known).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(id, height));
        ui.ctx().request_repaint();
    }
}

fn frame(ui: &Ui) -> Frame {
    let tokens = theme::tokens(ui);
    let fill = theme::mix(tokens.panel, tokens.error, 0.10);
    Frame::new().fill(fill).inner_margin(Margin { left: 14, right: 8, top: 7, bottom: 12 })
}

fn close_button(ui: &mut Ui, action: FileAction, actions: &mut Vec<Action>) {
    Button::new("Close message").icon(icons::CLOSE).push(ui, Action::File(action), actions);
}

fn strip(ui: &mut Ui, session: &Session, failure: &Failure, actions: &mut Vec<Action>) {
    let mut asked = Vec::new();
    let close = |ui: &mut Ui| close_button(ui, FileAction::CloseError, &mut asked);
    let error = theme::tokens(ui).error;
    card::message(ui, icons::FAILED, error, close, |ui| body(ui, failure, session.interface.panels.dock, actions));
    actions.append(&mut asked);
}

/// Shows the losses of an opened model, with a button that leads to the first one. If they do not fit one line, the
/// reason moves to a second line.
pub fn losses(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let count = session.document.losses().count();
    let Some(first) = session.document.losses().next().filter(|_| count > session.interface.dismissed_losses) else {
        return;
    };
    let Some(entity) = session.document.scene.entity(first.entity) else { return };
    let tokens = theme::tokens(ui);
    let fill = theme::mix(tokens.panel, tokens.warn, 0.12);
    let frame = Frame::new().fill(fill).inner_margin(Margin { left: 12, right: 12, top: 4, bottom: 4 });
    let more = if count > 1 { format!(" (and {} more)", format::count(count - 1)) } else { String::new() };
    let title = format!("{} is damaged and incomplete{more}", entity.asset.name);
    let reason = format::sentence(&first.warning.to_string());
    Panel::top("losses").resizable(false).frame(frame).show(ui, |ui| {
        let buttons = |ui: &mut Ui| {
            close_button(ui, FileAction::CloseLosses, actions);
            let show = Button::new("Show in file").icon(icons::BINARY).word("Show in file").rank(Emphasis::Raised);
            if show.show(ui).clicked() {
                let target = first.target.clone().unwrap_or(IssueTarget::File(FilePosition::Whole));
                inspector::go_to_issue(ui, session, entity, &target, actions);
            }
        };
        let response = card::message(ui, icons::WARNING, tokens.warn, buttons, |ui| {
            let wide = paint::width_of(ui, &title, fonts::medium()) + 8.0 + paint::width_of(ui, &reason, fonts::body());
            let both = |ui: &mut Ui| {
                card::lines(ui, &title, fonts::medium(), tokens.text, 1);
                card::lines(ui, &reason, fonts::body(), tokens.text2, 1);
            };
            if wide.ceil() <= ui.available_width() { ui.horizontal_top(both).inner } else { both(ui) }
        });
        let text = format!("{title}: {}", first.warning);
        response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &text));
        response.on_hover_text(&text);
    });
}

pub fn body(ui: &mut Ui, failure: &Failure, dock: Option<DockTab>, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let strong = RichText::new(&failure.title).font(fonts::strong()).color(tokens.text);
    ui.add(egui::Label::new(strong).truncate());
    ScrollArea::vertical().max_height(72.0).id_salt("reason").show(ui, |ui| {
        ui.add(egui::Label::new(RichText::new(format::sentence(&failure.message)).color(tokens.text)).wrap());
    });
    if !failure.advice.is_empty() {
        ui.add(egui::Label::new(RichText::new(&failure.advice).color(tokens.text2)).wrap());
    }
    ui.add_space(2.0);
    let bytes = Action::Window(WindowAction::ToggleDock(DockTab::File));
    let show = Action::File(FileAction::ShowInFolder(failure.file.clone()));
    let add = Action::File(FileAction::AddRoot(failure.file.clone()));
    let salvage = Action::File(FileAction::Salvage(failure.file.clone()));
    let has_bytes = dock != Some(DockTab::File) && failure.has_bytes;
    // Buttons without an action copy the details.
    let buttons = [
        (failure.is_damaged, "Open recoverable part", icons::BOX, Some(salvage)),
        (failure.has_no_model, "Add as search folder", icons::FOLDER_OPEN, Some(add)),
        (true, "Copy details", icons::COPY, None),
        // The panel opens at the faulty byte.
        (has_bytes, "Show bytes", icons::BINARY, Some(bytes)),
        (true, "Show in folder", icons::FOLDER_OPEN, Some(show)),
    ];
    let shown = buttons.into_iter().filter(|(is_shown, ..)| *is_shown);
    let buttons: Vec<(Button<'_>, &str, Option<Action>)> = shown
        .map(|(_, word, icon, action)| (Button::new(word).icon(icon).rank(Emphasis::Raised), word, action))
        .collect();
    let details = format!("{}\n{}", failure.title, failure.message);
    // In a narrow window the buttons have no words, so that they fit one row.
    let gap = ui.spacing().item_spacing.x;
    let width: f32 = buttons.iter().map(|(button, word, _)| button.clone().word(word).width(ui) + gap).sum();
    let has_words = width - gap <= ui.available_width();
    ui.horizontal(|ui| {
        for (button, word, action) in buttons {
            let button = if has_words { button.word(word) } else { button };
            card::push_or_copy(ui, &button, action, &details, actions);
        }
    });
}
