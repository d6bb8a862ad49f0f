//! A file that was not opened: a strip over the top of the view. A file opened with losses: a strip above the view.

use egui::{Frame, Margin, Panel, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, Emphasis};
use super::{fonts, format, icons, inspector, paint, theme};
use maquette_core::error::FilePosition;
use maquette_scene::session::{Action, DockTab, Failure, FileAction, IssueTarget, Session, WindowAction};

/// Shows the strip above what follows, if something failed.
pub fn show_above(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let Some(failure) = &session.interface.failure else { return };
    let frame = frame(ui);
    Panel::top("error").resizable(false).frame(frame).show(ui, |ui| strip(ui, session, failure, actions));
}

/// Shows the strip over the top of the view `rect`, if something failed: the model stays where it is.
pub fn show_over(ui: &mut Ui, session: &Session, rect: Rect, actions: &mut Vec<Action>) {
    let Some(failure) = &session.interface.failure else { return };
    // The view below answers to nothing where the strip lies, as high as it was in the last frame.
    let id = ui.scope_id().with("error strip");
    let known: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.interact(Rect::from_min_size(rect.min, vec2(rect.width(), known)), id, Sense::CLICK | Sense::DRAG);
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
    Frame::new().fill(fill).inner_margin(Margin { left: 44, right: 44, top: 10, bottom: 12 })
}

fn strip(ui: &mut Ui, session: &Session, failure: &Failure, actions: &mut Vec<Action>) {
    let strip = ui.max_rect();
    let icon = Rect::from_min_size(pos2(strip.left() - 30.0, strip.top()), vec2(18.0, 18.0));
    paint::icon(ui.painter(), icon, icons::FAILED, 16.0, theme::tokens(ui).error);
    let close = Rect::from_min_size(pos2(strip.right() + 8.0, strip.top() - 4.0), vec2(28.0, 28.0));
    if Button::new("Close message").icon(icons::CLOSE).show_at(ui, close, "close").clicked() {
        actions.push(Action::File(FileAction::CloseError));
    }
    body(ui, failure, session.interface.panels.dock, actions);
}

/// What of an opened model could not be read: a strip that leads to the place in the file. The reason has a line of its own
/// where one is too short for both.
pub fn losses(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let count = session.losses().count();
    let Some(first) = session.losses().next().filter(|_| count > session.interface.dismissed_losses) else { return };
    let Some(entity) = session.document.scene.entity(first.entity) else { return };
    let tokens = theme::tokens(ui);
    let fill = theme::mix(tokens.panel, tokens.warn, 0.12);
    let frame = Frame::new().fill(fill).inner_margin(Margin::symmetric(12, 0));
    let more = if count > 1 { format!(" (and {} more)", format::count(count - 1)) } else { String::new() };
    let title = format!("{} is damaged, a part of it is missing{more}", entity.asset.name);
    let reason = format::capital(&first.warning.to_string());
    let button = Button::new("Show in file").icon(icons::BINARY).word("Show in file").rank(Emphasis::Raised);
    let width = button.width(ui);
    let room = ui.available_width() - 2.0 * 12.0 - 24.0 - (28.0 + 6.0 + width + 8.0);
    let wide = paint::width_of(ui, &title, fonts::medium()) + 8.0 + paint::width_of(ui, &reason, fonts::body());
    let fits = wide.ceil() <= room;
    Panel::top("losses").exact_size(if fits { 36.0 } else { 54.0 }).resizable(false).frame(frame).show(ui, |ui| {
        let strip = ui.max_rect();
        let icon = Rect::from_min_size(strip.min, vec2(16.0, strip.height()));
        paint::icon(ui.painter(), icon, icons::WARNING, 16.0, tokens.warn);
        let close = Rect::from_min_size(pos2(strip.right() - 28.0, strip.top() + 4.0), vec2(28.0, 28.0));
        if Button::new("Close message").icon(icons::CLOSE).show_at(ui, close, "close losses").clicked() {
            actions.push(Action::File(FileAction::CloseLosses));
        }
        let place = Rect::from_min_size(pos2(close.left() - 6.0 - width, strip.top() + 4.0), vec2(width, 28.0));
        if button.show_at(ui, place, "show loss").clicked() {
            let target = first.target(entity).unwrap_or(IssueTarget::File(FilePosition::Whole));
            inspector::go_to_issue(ui, session, entity, &target, actions);
        }
        let text = format!("{title}: {}", first.warning);
        let room = Rect::from_min_max(pos2(icon.right() + 8.0, strip.top()), pos2(place.left() - 8.0, strip.bottom()));
        let response = ui.interact(room, ui.scope_id().with("losses text"), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &text));
        let (first, second) = if fits {
            let after = paint::width_of(ui, &title, fonts::medium()) + 8.0;
            (room, Rect::from_min_max(pos2(room.left() + after, room.top()), room.max))
        } else {
            let line = |top: f32| Rect::from_min_size(pos2(room.left(), top), vec2(room.width(), 20.0));
            (line(room.top() + 7.0), line(room.top() + 27.0))
        };
        paint::text_in(ui.painter(), first, &title, fonts::medium(), tokens.text);
        paint::text_in(ui.painter(), second, &reason, fonts::body(), tokens.text2);
        response.on_hover_text(&text);
    });
}

/// What failed, why, what that means, and what can be done.
pub fn body(ui: &mut Ui, failure: &Failure, dock: Option<DockTab>, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let strong = RichText::new(&failure.title).font(fonts::strong()).color(tokens.text);
    ui.add(egui::Label::new(strong).truncate());
    ScrollArea::vertical().max_height(72.0).id_salt("reason").show(ui, |ui| {
        ui.add(egui::Label::new(RichText::new(format::capital(&failure.message)).color(tokens.text)).wrap());
    });
    if !failure.advice.is_empty() {
        ui.add(egui::Label::new(RichText::new(&failure.advice).color(tokens.text2)).wrap());
    }
    ui.add_space(2.0);
    let bytes = Action::Window(WindowAction::ToggleDock(DockTab::File));
    let show = Action::File(FileAction::ShowInFolder(failure.file.clone()));
    let salvage = Action::File(FileAction::Salvage(failure.file.clone()));
    let has_bytes = dock != Some(DockTab::File) && !failure.is_folder;
    // An action is missing where the button copies.
    let all = [
        (failure.is_damaged, "Open intact part", icons::BOX, Some(salvage)),
        (true, "Copy details", icons::COPY, None),
        // The panel opens on the byte that is wrong.
        (has_bytes, "Show bytes", icons::BINARY, Some(bytes)),
        (true, "Show in folder", icons::FOLDER_OPEN, Some(show)),
    ];
    let buttons: Vec<(Button<'_>, &str, &Option<Action>)> = all
        .iter()
        .filter(|(is_shown, ..)| *is_shown)
        .map(|(_, word, icon, action)| {
            let button = action.as_ref().map_or_else(|| Button::new(word), |action| Button::of(word, action));
            (button.icon(icon).rank(Emphasis::Raised), *word, action)
        })
        .collect();
    // The buttons fit one row: in a narrow window they have no words.
    let gap = ui.spacing().item_spacing.x;
    let width: f32 = buttons.iter().map(|(button, word, _)| button.clone().word(word).width(ui) + gap).sum();
    let has_words = width - gap <= ui.available_width();
    ui.horizontal(|ui| {
        for (button, word, action) in buttons {
            let button = if has_words { button.word(word) } else { button };
            if !button.show(ui).clicked() {
                continue;
            }
            match action {
                Some(action) => actions.push(action.clone()),
                None => super::copy::put(ui.ctx(), format!("{}\n{}", failure.title, failure.message)),
            }
        }
    });
}
