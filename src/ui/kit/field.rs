//! Text fields: filters, single lines, and editable numbers.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::{TextEditOutput, TextEditState};
use egui::{
    Align2, Color32, Context, Frame, Id, Key, LayerId, Margin, Modifiers, Pos2, Rect, Role, Sense, TextEdit, Ui,
    WidgetInfo, pos2, vec2,
};

use glam::Vec3;

use super::button::focus_ring;
use super::theme::{self, CORNER};
use super::{arrange, fonts, icons, list, paint};
use crate::ui::format;

pub const HEIGHT: f32 = 28.0;

/// Shows a filter field with `inset` points on both sides. Returns whether the text changed.
pub fn filter(ui: &mut Ui, id: Id, text: &mut String, hint: &str, inset: f32) -> bool {
    let tokens = theme::tokens(ui);
    let (_, outer) = ui.allocate_space(vec2(ui.available_width(), 28.0));
    let rect = outer.shrink2(vec2(inset, 0.0));
    let mut room = plate(ui, rect, icons::SEARCH);
    let clear = Rect::from_center_size(pos2(rect.right() - 14.0, rect.center().y), vec2(20.0, 20.0));
    if !text.is_empty() {
        room.max.x = clear.left();
    }
    let before = text.clone();
    if ui.data_mut(|data| data.remove_temp::<bool>(id.with("cleared"))).is_some() {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let edit = bare(text, id, fonts::body(), Align2::LEFT_CENTER, room);
    let response = ui.scope_builder(egui::UiBuilder::new().max_rect(room).id_salt("edit"), |ui| ui.add(edit)).inner;
    let shown = (ui.layer_id(), id, rect.min);
    ui.data_mut(|data| data.get_temp_mut_or_default::<Vec<(LayerId, Id, Pos2)>>(filters_id()).push(shown));
    response.widget_info(|| WidgetInfo {
        label: Some(hint.to_owned()),
        ..WidgetInfo::text_edit(true, &before, &before, hint)
    });
    if text.is_empty() {
        paint::text_in(ui.painter(), room, hint, fonts::body(), tokens.text2);
    }
    frame(ui, rect, response.has_focus());
    // egui has already taken the focus away on Escape.
    let typed_in = response.has_focus() || response.lost_focus();
    if typed_in && ui.input(|input| input.key_pressed(Key::Escape)) {
        text.clear();
    }
    if !text.is_empty() {
        let cross = ui.interact(clear, id.with("clear"), Sense::click());
        cross.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Clear filter"));
        focus_ring(ui, cross.has_focus(), clear, 0.0);
        let colour = if cross.hovered() { tokens.text } else { tokens.text2 };
        paint::icon(ui.painter(), clear, icons::CLOSE, 14.0, colour);
        if cross.clicked() {
            text.clear();
            // Focus the field in the next frame, when the click is over.
            ui.data_mut(|data| data.insert_temp(id.with("cleared"), true));
            ui.ctx().request_repaint();
        }
    }
    *text != before
}

fn filters_id() -> Id {
    Id::unique("filters of this frame")
}

/// Focuses a filter field on Ctrl+F and selects its text: the leftmost field, or the next one if Ctrl+F focused the
/// current one. While a dialog is open, only its fields count. Call it after all panels. Returns true if there is no
/// field.
pub fn take_find(ctx: &Context) -> bool {
    let mut shown: Vec<(LayerId, Id, Pos2)> = ctx.data_mut(|data| data.remove_temp(filters_id())).unwrap_or_default();
    let dialog = ctx.memory(egui::Memory::top_modal_layer);
    shown.retain(|(layer, ..)| dialog.is_none_or(|dialog| dialog == *layer));
    shown.sort_by(|(_, _, a), (_, _, b)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let found_id = Id::unique("field of the last Ctrl+F");
    let focused = ctx.memory(|memory| memory.focused());
    let found = ctx.data(|data| data.get_temp::<Id>(found_id)).filter(|found| Some(*found) == focused);
    let is_asked = ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::F));
    if is_asked {
        let after = shown.iter().skip_while(|(_, id, _)| found.is_some_and(|found| found != *id));
        if let Some((_, next, _)) = after.skip(usize::from(found.is_some())).chain(&shown).next() {
            let mut state = TextEditState::load(ctx, *next).unwrap_or_default();
            state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(0), CCursor::new(usize::MAX))));
            state.store(ctx, *next);
            ctx.data_mut(|data| data.insert_temp(found_id, *next));
            ctx.memory_mut(|memory| memory.request_focus(*next));
        }
    } else if found.is_none() {
        ctx.data_mut(|data| data.remove::<Id>(found_id));
    }
    is_asked && shown.is_empty() && dialog.is_none()
}

/// Paints the background and the icon of a search field. Returns the room for the text.
pub fn plate(ui: &Ui, rect: Rect, icon: &str) -> Rect {
    let tokens = theme::tokens(ui);
    paint::fill(ui.painter(), rect, CORNER, tokens.field);
    let inner = rect.shrink2(vec2(8.0, 0.0));
    paint::icon(ui.painter(), inner.with_max_x(inner.left() + 14.0), icon, 14.0, tokens.text2);
    inner.with_min_x(inner.left() + 20.0)
}

/// Creates a text editor that fills `room`, without frame and margin.
pub fn bare(text: &mut String, id: Id, font: egui::FontId, align: Align2, room: Rect) -> TextEdit<'_> {
    TextEdit::singleline(text)
        .id(id)
        .frame(Frame::NONE)
        .margin(Margin::ZERO)
        .font(font)
        .align(align)
        .min_size(room.size())
        .desired_width(room.width())
}

pub fn frame(ui: &Ui, rect: Rect, focused: bool) {
    let tokens = theme::tokens(ui);
    let (width, colour) = if focused { (2.0, tokens.accent) } else { (1.0, tokens.line) };
    paint::outline(ui.painter(), rect, CORNER, width, colour);
}

/// Shows a single-line field at `rect`. Screen readers use `name`. Paths use the monospaced font.
pub fn line(ui: &mut Ui, id: Id, rect: Rect, text: &mut String, name: &str, is_path: bool) -> TextEditOutput {
    let inner = rect.shrink2(vec2(8.0, 0.0));
    paint::fill(ui.painter(), rect, CORNER, theme::tokens(ui).field);
    let before = text.clone();
    let font = if is_path { fonts::mono() } else { fonts::body() };
    let edit = bare(text, id, font, Align2::LEFT_CENTER, inner);
    let output = ui.scope_builder(egui::UiBuilder::new().max_rect(inner).id_salt(id), |ui| edit.show(ui)).inner;
    let response = &output.response.response;
    frame(ui, rect, response.has_focus());
    response.widget_info(|| WidgetInfo {
        label: Some(name.to_owned()),
        ..WidgetInfo::text_edit(true, &before, text.as_str(), "")
    });
    output
}

/// Shows a single-line field of this width in the layout. `hint` is its name and its placeholder.
pub fn line_of(ui: &mut Ui, id: Id, width: f32, text: &mut String, hint: &str) -> TextEditOutput {
    let (_, rect) = ui.allocate_space(vec2(width, HEIGHT));
    let output = line(ui, id, rect, text, hint, false);
    if text.is_empty() {
        let colour = theme::tokens(ui).text2;
        paint::text_in(ui.painter(), rect.shrink2(vec2(8.0, 0.0)), hint, fonts::body(), colour);
    }
    output
}

pub fn select(ui: &Ui, output: &TextEditOutput, characters: std::ops::Range<usize>) {
    let mut state = output.state.clone();
    let range = CCursorRange::two(CCursor::new(characters.start), CCursor::new(characters.end));
    state.cursor.set_char_range(Some(range));
    state.store(ui.ctx(), output.response.response.id);
}

/// On arrow down, offers the keyboard focus of the field `id` to the list below the field.
pub fn offer_focus_below(ui: &Ui, id: Id) {
    let is_down = ui.memory(|memory| memory.has_focus(id))
        && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::ArrowDown));
    list::offer_focus(ui.ctx(), is_down);
}

pub struct Number<'a> {
    /// Name for screen readers and the tooltip.
    pub name: &'a str,
    pub shown: String,
    pub note: &'a str,
    /// Whether the field has a background and an outline at rest. If not, it looks like text.
    pub framed: bool,
    pub colour: Color32,
}

/// Makes the number field `id` editable in the next frame, like a click.
pub fn edit(context: &egui::Context, id: Id, shown: String) {
    context.data_mut(|data| {
        data.insert_temp(id, Some(shown));
        data.insert_temp(id.with("edit"), true);
    });
    context.request_repaint();
}

pub fn is_edited(context: &egui::Context, id: Id) -> bool {
    context.data(|data| data.get_temp::<Option<String>>(id).flatten()).is_some()
}

pub fn number_of(ui: &mut Ui, id: Id, width: f32, field: &Number<'_>) -> Option<f64> {
    let (_, rect) = ui.allocate_space(vec2(width, HEIGHT));
    number(ui, id, rect, field)
}

/// Shows the coordinates of a position or vector as numbers over the available width. Returns the vector with a typed
/// one.
pub fn vector(ui: &mut Ui, id: Id, name: &str, note: &str, vector: Vec3) -> Option<Vec3> {
    let tokens = theme::tokens(ui);
    let mut changed = None;
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.columns(3, |columns| {
        let axes = ["X", "Y", "Z"].into_iter().zip(tokens.axes).enumerate();
        for (ui, (axis, (letter, colour))) in columns.iter_mut().zip(axes) {
            let (id, name, shown) =
                (id.with(letter), format!("{name} {letter}"), format::fixed(vector[axis].into(), 2));
            let number = Number { name: &name, shown, note, framed: true, colour: tokens.text };
            if let Some(typed) = number_of(ui, id, ui.available_width(), &number) {
                let mut new = vector;
                new[axis] = typed as f32;
                changed = Some(new).filter(|new| *new != vector);
            }
            if !is_edited(ui.ctx(), id) {
                let room = arrange::inside(ui.min_rect(), 8.0, 8.0);
                paint::text_in(ui.painter(), room, letter, fonts::small_strong(), colour);
            }
        }
    });
    changed
}

/// Shows a number at `rect`, which a click makes editable. Enter, or leaving the field, returns the value. Escape
/// cancels.
pub fn number(ui: &mut Ui, id: Id, rect: Rect, number: &Number<'_>) -> Option<f64> {
    let tokens = theme::tokens(ui);
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let typed = ui.data_mut(|data| data.get_temp::<Option<String>>(id).flatten());
    if let Some(mut text) = typed.filter(|_| ui.is_enabled()) {
        paint::fill(ui.painter(), rect, CORNER, tokens.field);
        let edit_id = id.with("edit");
        let line = bare(&mut text, edit_id, fonts::body(), Align2::RIGHT_CENTER, inner);
        let output = ui.scope_builder(egui::UiBuilder::new().max_rect(inner).id_salt("edit"), |ui| line.show(ui)).inner;
        let response = &output.response.response;
        frame(ui, rect, true);
        response.widget_info(|| WidgetInfo {
            label: Some(number.name.to_owned()),
            ..WidgetInfo::text_edit(true, &text, &text, number.name)
        });
        let first = ui.data_mut(|data| data.remove_temp::<bool>(edit_id)).unwrap_or(false);
        if first {
            response.request_focus();
            select(ui, &output, 0..text.chars().count());
        }
        // The second press of a double-click still goes to the number, which the first press replaced by this field.
        let is_pressed = ui.input(|input| {
            let pointer = &input.pointer;
            (pointer.any_pressed() || pointer.any_released())
                && pointer.interact_pos().is_some_and(|at| rect.contains(at))
        });
        if is_pressed && !response.has_focus() {
            response.request_focus();
        }
        let cancelled = ui.input(|input| input.key_pressed(Key::Escape));
        let left = !first && !is_pressed && (response.lost_focus() || !response.has_focus());
        ui.data_mut(|data| data.insert_temp(id, if left { None } else { Some(text.clone()) }));
        return if left && !cancelled && text != number.shown { format::parse(&text) } else { None };
    }
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::SpinButton, ui.is_enabled(), number.name);
        info.current_text_value = Some(number.shown.clone());
        info.value = format::parse(&number.shown);
        info
    });
    if number.framed {
        paint::fill(ui.painter(), rect, CORNER, tokens.field);
    } else if response.hovered() {
        paint::fill(ui.painter(), rect, CORNER, tokens.hover);
    }
    if number.framed || response.has_focus() {
        frame(ui, rect, response.has_focus());
    }
    paint::text_right(ui.painter(), inner, &number.shown, fonts::body(), number.colour);
    if response.clicked() {
        edit(ui.ctx(), id, number.shown.clone());
    }
    response.on_hover_ui(|ui| {
        ui.label(number.name);
        ui.label(egui::RichText::new(number.note).small().weak());
    });
    None
}
