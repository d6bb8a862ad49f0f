//! Panel next to the view: file, texture coordinates, motion, lint, comparison.

mod compare;
mod file;
mod lint;
mod motion;
mod texture;

pub use texture::show_texture;

use std::path::Path;

use egui::{Align, Context, Layout, PointerButton, Rect, Role, Sense, Ui, Vec2, pos2, vec2};

use super::button::Button;
use super::layout::{DockPlace, WindowLayout};
use super::{access, fonts, icons, list, paint, segmented_control, theme};
use maquette_core::error::FilePosition;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, DockTab, FileAction, SceneAction, Selection, Session, WindowAction};

/// Height of the bar at the top, and of one next to the header of the view.
const BAR: f32 = 32.0;
const HEADER: f32 = 36.0;
/// Width of the buttons at the end of the bar.
const BUTTONS: f32 = 88.0;

/// Width that the head of a panel wants; where less is left beside the tabs it has a bar of its own.
fn head_width(tab: DockTab) -> f32 {
    match tab {
        DockTab::File => 240.0,
        DockTab::Lint => 300.0,
        // With the channels.
        DockTab::Texture => 560.0,
        DockTab::Motion => 390.0,
        DockTab::Compare => 500.0,
    }
}

/// Whether a panel that was opened with the keyboard still has to give it a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Focus {
    #[default]
    Settled,
    /// A key has just opened it.
    Asked,
    /// What it shows is not there yet.
    Awaited,
}

/// What a panel has in the bar above it, so far from each other.
fn head(ui: &mut Ui, bar: Rect, spacing: f32, content: impl FnOnce(&mut Ui)) {
    let left = egui::UiBuilder::new().max_rect(bar).layout(Layout::left_to_right(Align::Center)).id_salt("head");
    // Buttons without room must not widen the panel.
    let mut ui = ui.new_child(left);
    ui.shrink_clip_rect(bar);
    ui.spacing_mut().item_spacing.x = spacing;
    content(&mut ui);
}

/// What a panel says where it has nothing to show.
fn nothing(ui: &Ui, text: &str) {
    let place = ui.available_rect_before_wrap().shrink2(vec2(12.0, 8.0));
    let shown = paint::shortened(ui.painter(), text, &fonts::body(), place.width());
    paint::text(ui.painter(), place.min, egui::Align2::LEFT_TOP, &shown, fonts::body(), theme::tokens(ui).text2);
}

/// Opens the *File* panel at a place of a part's file.
pub fn show_place(ctx: &Context, session: &Session, entity: &Entity, place: FilePosition, actions: &mut Vec<Action>) {
    if let Some(file) = &entity.asset.file {
        show_place_in(ctx, session, entity, file, place, actions);
    }
}

/// Opens the *File* panel at a place of a file that belongs to a part.
pub fn show_place_in(
    ctx: &Context,
    session: &Session,
    entity: &Entity,
    file: &Path,
    place: FilePosition,
    actions: &mut Vec<Action>,
) {
    file::ask(ctx, file.to_path_buf(), place);
    if session.document.focus != Some(entity.id) {
        actions.push(Action::Scene(SceneAction::SelectIn(entity.id, Selection::None)));
    }
    let shown = session.interface.anatomy.as_ref();
    if shown.is_none_or(|view| view.file != file) {
        actions.push(Action::File(FileAction::TakeApart(file.to_path_buf())));
    }
    open_file_panel(session, actions);
}

/// Opens the *File* panel at a surface of a part.
pub fn show_surface(session: &Session, entity: &Entity, surface: usize, actions: &mut Vec<Action>) {
    actions.push(Action::Scene(SceneAction::SelectIn(entity.id, Selection::Surface(surface))));
    open_file_panel(session, actions);
}

fn open_file_panel(session: &Session, actions: &mut Vec<Action>) {
    if session.interface.panels.dock != Some(DockTab::File) {
        actions.push(Action::Window(WindowAction::ToggleDock(DockTab::File)));
    }
}

/// What it remembers for itself.
#[derive(Default)]
pub struct State {
    focus: Focus,
    file: file::State,
    texture: texture::State,
    motion: motion::State,
    lint: lint::State,
    /// A comparison that was asked for with the keyboard is still to come.
    awaits_comparison: bool,
    /// Height of a dock below the view, or width of a dock next to the view, in the last frame; and the dock's position and
    /// the room that it shares with the view.
    pub shown: Option<(f32, (DockPlace, Vec2))>,
}

impl State {
    /// It was closed: what it made of the file is given back.
    pub fn closed(&mut self) {
        // One that a key has just opened is not shown yet.
        if self.focus == Focus::Awaited {
            self.focus = Focus::Settled;
        }
        self.file = file::State::default();
        self.texture = self.texture.closed();
        self.motion = motion::State::default();
        self.lint = lint::State::default();
    }

    /// Takes in what keys ask for: a panel that they open, while `shown` is, gets the keyboard.
    pub fn follow_keys(&mut self, asked: &[Action], shown: Option<DockTab>) {
        let opens =
            |action: &Action| matches!(action, Action::Window(WindowAction::ToggleDock(tab)) if Some(*tab) != shown);
        if asked.iter().any(opens) {
            self.focus = Focus::Asked;
        }
    }

    /// Takes in what is confirmed in the path field: what a comparison comes to gets the keyboard.
    pub fn follow_typed(&mut self, asked: &[Action]) {
        self.awaits_comparison |= asked.iter().any(|action| matches!(action, Action::File(FileAction::Compare(_))));
    }

    /// Offers the keyboard to the panel's first row, until one takes it or the user goes elsewhere.
    fn offer_focus(&mut self, ctx: &Context) {
        let focused = ctx.memory(|memory| memory.focused());
        match (self.focus, focused) {
            (Focus::Settled, _) => {}
            (Focus::Asked, Some(id)) => {
                ctx.memory_mut(|memory| memory.surrender_focus(id));
                self.focus = Focus::Awaited;
            }
            (Focus::Asked, None) => self.focus = Focus::Awaited,
            (Focus::Awaited, focused) => {
                if focused.is_some() || ctx.input(|input| input.pointer.any_pressed()) {
                    self.focus = Focus::Settled;
                }
            }
        }
        list::offer_focus(ctx, self.focus == Focus::Awaited);
    }

    fn end_offer(&mut self, ctx: &Context) {
        if !list::offer_focus(ctx, false) {
            self.focus = Focus::Settled;
        }
    }
}

/// Shows the dock in all of `ui`.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    tab: DockTab,
    form: &WindowLayout,
    memory: &mut State,
    actions: &mut Vec<Action>,
) {
    access::region(ui, Role::Group, "Dock");
    ui.spacing_mut().item_spacing = Vec2::ZERO;
    // As high as it was dragged, whatever it holds.
    ui.set_min_size(ui.available_size());
    let tokens = theme::tokens(ui);
    let place = form.dock.unwrap_or(DockPlace::Below);
    // A bar next to the header of the view is as high as the header.
    let height = if place == DockPlace::Below { BAR } else { HEADER };
    let (_, bar) = ui.allocate_space(vec2(ui.available_width(), height));
    ui.painter().hline(bar.x_range(), bar.bottom() - 0.5, (1.0, tokens.line));
    let free = ui.interact(bar, ui.scope_id().with("bar"), Sense::click());
    // What stands here is chosen in its bar, too.
    let tabs = DockTab::ALL.map(|tab| (tab, tab.label()));
    let wanted = segmented_control::width(ui, &tabs);
    let is_apart = bar.width() - wanted - BUTTONS - 28.0 < head_width(tab);
    let width = wanted.min(bar.width() - BUTTONS - 20.0);
    let top = bar.top() + (height - segmented_control::HEIGHT) / 2.0;
    let field = Rect::from_min_size(pos2(bar.left() + 8.0, top), vec2(width, segmented_control::HEIGHT));
    let chosen = segmented_control::show(ui, field, "dock", Role::Tab, &tabs, tab);
    actions.extend(chosen.map(|tab| Action::Window(WindowAction::ToggleDock(tab))));
    let is_on_tabs = ui.input(|input| {
        let pressed = input.pointer.button_double_clicked(PointerButton::Primary);
        pressed && input.pointer.interact_pos().is_some_and(|at| field.contains(at))
    });
    if session.asset().is_some() && (free.double_clicked() || is_on_tabs && ui.rect_contains_pointer(field)) {
        actions.push(Action::Window(WindowAction::ToggleDockMaximised));
    }
    let rest = Rect::from_min_max(pos2(field.right() + 12.0, bar.top()), pos2(bar.right() - 4.0, bar.bottom()));
    let right = egui::UiBuilder::new().max_rect(rest).layout(Layout::right_to_left(Align::Center)).id_salt("bar");
    let room = ui
        .scope_builder(right, |ui| {
            let close = Action::Window(WindowAction::ToggleDock(tab));
            actions.extend(Button::new("Close panel").icon(icons::CLOSE).show(ui).clicked().then_some(close));
            place_buttons(ui, session, place, form, actions);
            ui.available_rect_before_wrap()
        })
        .inner;
    let room = if is_apart { own_bar(ui) } else { room };
    if tab == DockTab::Compare && session.document.comparison.is_some() && std::mem::take(&mut memory.awaits_comparison)
    {
        memory.focus = Focus::Asked;
    }
    memory.offer_focus(ui.ctx());
    match tab {
        DockTab::File => file::show(ui, session, room, &mut memory.file, actions),
        DockTab::Compare => compare::show(ui, session, room, actions),
        DockTab::Lint => lint::show(ui, session, room, &mut memory.lint, actions),
        DockTab::Motion => motion::show(ui, session, room, &mut memory.motion, actions),
        DockTab::Texture => texture::show(ui, session, room, &mut memory.texture, actions),
    }
    memory.end_offer(ui.ctx());
}

/// Shows the buttons that maximise the dock and move it.
fn place_buttons(ui: &mut Ui, session: &Session, place: DockPlace, form: &WindowLayout, actions: &mut Vec<Action>) {
    let maximise = Action::Window(WindowAction::ToggleDockMaximised);
    // The chevron points to where the edge will move.
    let (name, icon, is_turned) = match place {
        DockPlace::Maximised => ("Restore panel", icons::CHEVRON_DOWN, false),
        DockPlace::Beside => ("Maximise panel", icons::CHEVRON_LEFT, false),
        DockPlace::Below => ("Maximise panel", icons::CHEVRON_DOWN, true),
    };
    let button = Button::of(name, &maximise).icon(icon).enabled(session.asset().is_some(), "No view to replace");
    let button = if is_turned { button.turned() } else { button };
    actions.extend(button.show(ui).clicked().then_some(maximise));
    let (name, can_move) = match place {
        DockPlace::Maximised => return,
        DockPlace::Beside => ("Move below view", true),
        DockPlace::Below => ("Move next to view", form.has_room_beside),
    };
    let side = Action::Window(WindowAction::ToggleDockSide);
    let button = Button::of(name, &side).icon(icons::PANEL_RIGHT).enabled(can_move, "No room next to the view");
    let button = if place == DockPlace::Beside { button.quarter_turned() } else { button };
    actions.extend(button.show(ui).clicked().then_some(side));
}

/// A second bar, for a head that has no room beside the tabs. Gives what of it can be used.
fn own_bar(ui: &mut Ui) -> Rect {
    let (_, bar) = ui.allocate_space(vec2(ui.available_width(), BAR));
    ui.painter().hline(bar.x_range(), bar.bottom() - 0.5, (1.0, theme::tokens(ui).line));
    bar.shrink2(vec2(8.0, 0.0))
}
