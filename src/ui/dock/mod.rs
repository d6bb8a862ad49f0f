//! Dock next to the view: file, texture, motion, lint and comparison panels.

mod compare;
mod file;
mod lint;
mod motion;
mod texture;

pub use lint::{MISSING_TEXTURE, go_to as go_to_finding, grouped, selection_of, severity_sign};
pub use motion::paint_lines;
pub use texture::show_texture;

use std::path::Path;

use egui::{Context, PointerButton, Role, Sense, Ui, Vec2};

use super::button::Button;
use super::layout::{DockPlace, WindowLayout};
use super::{access, arrange, icons, list, segmented_control};
use maquette_core::error::FilePosition;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, DockTab, FileAction, SceneAction, Selection, Session, WindowAction};

/// Height of the bar, and height of the bar if the dock is next to the view's header.
const BAR: f32 = 32.0;
const HEADER: f32 = 36.0;
const BUTTONS: f32 = 88.0;

/// Returns the minimum width of the head of a panel. If the tabs leave less room, the head gets its own bar.
fn head_width(tab: DockTab) -> f32 {
    match tab {
        DockTab::File => 240.0,
        DockTab::Lint => 300.0,
        // This width includes the channel buttons.
        DockTab::Texture => 560.0,
        DockTab::Motion => 470.0,
        DockTab::Compare => 500.0,
    }
}

/// Progress of giving the keyboard focus to a panel opened by a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Focus {
    #[default]
    Settled,
    /// The panel was opened by a key in this frame. Until the next frame, another panel may be shown.
    Asked(DockTab),
    /// The panel does not have the keyboard focus yet, because its content may still be loading.
    Awaited,
}

/// Opens the *File* panel at a position of the part's file.
pub fn show_place(ctx: &Context, session: &Session, entity: &Entity, place: FilePosition, actions: &mut Vec<Action>) {
    if let Some(file) = &entity.asset.file {
        show_place_in(ctx, session, entity, file, place, actions);
    }
}

/// Opens the *File* panel at a position of a file that belongs to the part.
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
    let shown = session.interface.structure.as_ref();
    if shown.is_none_or(|view| view.file != file) {
        actions.push(Action::File(FileAction::ShowStructure(file.to_path_buf())));
    }
    open_file_panel(session, actions);
}

pub fn show_surface(session: &Session, entity: &Entity, surface: usize, actions: &mut Vec<Action>) {
    actions.push(Action::Scene(SceneAction::SelectIn(entity.id, Selection::Surface(surface))));
    open_file_panel(session, actions);
}

fn open_file_panel(session: &Session, actions: &mut Vec<Action>) {
    if session.interface.panels.dock != Some(DockTab::File) {
        actions.push(Action::Window(WindowAction::ToggleDock(DockTab::File)));
    }
}

#[derive(Default)]
pub struct State {
    focus: Focus,
    file: file::State,
    texture: texture::State,
    motion: motion::State,
    lint: lint::State,
    /// Whether the next comparison takes the keyboard focus, because the user confirmed it in the path field.
    awaits_comparison: bool,
    /// Size of the dock in the last frame: its height below the view, or its width next to the view. Also its position,
    /// and the size that dock and view share.
    pub shown: Option<(f32, (DockPlace, Vec2))>,
}

impl State {
    pub fn closed(&mut self) {
        // `Asked` remains, because a panel opened by a key is not shown yet.
        if self.focus == Focus::Awaited {
            self.focus = Focus::Settled;
        }
        self.file = file::State::default();
        self.texture = self.texture.closed();
        self.motion = motion::State::default();
        self.lint = lint::State::default();
    }

    /// Records that a key opened a panel, which therefore takes the keyboard focus. `shown` is the current panel.
    pub fn follow_keys(&mut self, asked: &[Action], shown: Option<DockTab>) {
        let opened = |action: &Action| match action {
            Action::Window(WindowAction::ToggleDock(tab)) => (Some(*tab) != shown).then_some(*tab),
            _ => None,
        };
        self.focus = asked.iter().find_map(opened).map_or(self.focus, Focus::Asked);
    }

    /// Records that the user confirmed a comparison in the path field. The comparison takes the keyboard focus.
    pub fn follow_typed(&mut self, asked: &[Action]) {
        self.awaits_comparison |= asked.iter().any(|action| matches!(action, Action::File(FileAction::Compare(_))));
    }

    /// Offers the keyboard focus to the panel's first row, until the row takes it or the user focuses or clicks
    /// something else.
    fn offer_focus(&mut self, ctx: &Context, tab: DockTab) {
        let focused = ctx.memory(|memory| memory.focused());
        match (self.focus, focused) {
            (Focus::Settled, _) => {}
            (Focus::Asked(asked), _) if asked != tab => {}
            (Focus::Asked(_), Some(id)) => {
                ctx.memory_mut(|memory| memory.surrender_focus(id));
                self.focus = Focus::Awaited;
            }
            (Focus::Asked(_), None) => self.focus = Focus::Awaited,
            (Focus::Awaited, focused) => {
                if focused.is_some() || ctx.input(|input| input.pointer.any_pressed()) {
                    self.focus = Focus::Settled;
                }
            }
        }
        list::offer_focus(ctx, self.focus == Focus::Awaited);
    }

    fn end_offer(&mut self, ctx: &Context) {
        if !list::offer_focus(ctx, false) && self.focus == Focus::Awaited {
            self.focus = Focus::Settled;
        }
    }
}

pub fn show(
    ui: &mut Ui,
    session: &Session,
    tab: DockTab,
    layout: &WindowLayout,
    state: &mut State,
    actions: &mut Vec<Action>,
) {
    access::region(ui, Role::Group, "Dock");
    ui.spacing_mut().item_spacing = Vec2::ZERO;
    // Fill the size to which the user dragged the dock, whatever the content is.
    ui.set_min_size(ui.available_size());
    // Next to the view's header, the bar has the header's height.
    let height = if layout.dock == Some(DockPlace::Below) { BAR } else { HEADER };
    let beside = arrange::bar(ui, height, 8.0, |ui| bar(ui, session, tab, layout, actions));
    // A head that does not fit next to the tabs gets its own bar.
    let mut head = beside.unwrap_or_else(|| arrange::bar(ui, BAR, 8.0, arrange::rest));
    if tab == DockTab::Compare && session.document.comparison.is_some() && std::mem::take(&mut state.awaits_comparison)
    {
        state.focus = Focus::Asked(tab);
    }
    state.offer_focus(ui.ctx(), tab);
    match tab {
        DockTab::File => file::show(ui, &mut head, session, &mut state.file, actions),
        DockTab::Compare => compare::show(ui, &mut head, session, actions),
        DockTab::Lint => lint::show(ui, &mut head, session, &mut state.lint, actions),
        DockTab::Motion => motion::show(ui, &mut head, session, &mut state.motion, actions),
        DockTab::Texture => texture::show(ui, &mut head, session, &mut state.texture, actions),
    }
    state.end_offer(ui.ctx());
}

/// Shows tabs and buttons. Returns the room between them if the head of the panel fits there.
fn bar(ui: &mut Ui, session: &Session, tab: DockTab, layout: &WindowLayout, actions: &mut Vec<Action>) -> Option<Ui> {
    ui.spacing_mut().item_spacing.x = 0.0;
    let free = ui.interact(ui.max_rect(), ui.scope_id().with("bar"), Sense::click());
    let tabs: Vec<(DockTab, &str)> = DockTab::ALL.iter().map(|tab| (*tab, tab.label())).collect();
    let is_apart = ui.available_width() - segmented_control::width(ui, &tabs) - BUTTONS - 12.0 < head_width(tab);
    let shown = ui.scope(|ui| {
        ui.set_max_width(ui.available_width() - BUTTONS);
        segmented_control::choose(ui, "dock", Role::Tab, &tabs, tab)
    });
    actions.extend(shown.inner.map(|tab| Action::Window(WindowAction::ToggleDock(tab))));
    let field = shown.response.rect;
    let is_on_tabs = ui.input(|input| {
        let pressed = input.pointer.button_double_clicked(PointerButton::Primary);
        pressed && input.pointer.interact_pos().is_some_and(|at| field.contains(at))
    });
    if session.asset().is_some() && (free.double_clicked() || is_on_tabs && ui.rect_contains_pointer(field)) {
        actions.push(Action::Window(WindowAction::ToggleDockMaximised));
    }
    ui.add_space(12.0);
    arrange::at_end(ui, |ui| {
        let close = Action::Window(WindowAction::ToggleDock(tab));
        actions.extend(Button::new("Close panel").icon(icons::CLOSE).show(ui).clicked().then_some(close));
        place_buttons(ui, session, layout.dock.unwrap_or(DockPlace::Below), layout, actions);
        (!is_apart).then(|| arrange::rest(ui))
    })
}

fn place_buttons(ui: &mut Ui, session: &Session, place: DockPlace, layout: &WindowLayout, actions: &mut Vec<Action>) {
    let maximise = Action::Window(WindowAction::ToggleDockMaximised);
    // The chevron points in the direction in which the dock grows or shrinks.
    let (name, icon, is_turned) = match place {
        DockPlace::Maximised => ("Restore panel", icons::CHEVRON_DOWN, false),
        DockPlace::Beside => ("Maximise panel", icons::CHEVRON_LEFT, false),
        DockPlace::Below => ("Maximise panel", icons::CHEVRON_DOWN, true),
    };
    let button = Button::of(name, &maximise).icon(icon).enabled(session.asset().is_some(), "Open a model first");
    let button = if is_turned { button.turned() } else { button };
    actions.extend(button.show(ui).clicked().then_some(maximise));
    let (name, can_move) = match place {
        DockPlace::Maximised => return,
        DockPlace::Beside => ("Move below view", true),
        DockPlace::Below => ("Move next to view", layout.has_room_beside),
    };
    let side = Action::Window(WindowAction::ToggleDockSide);
    let button = Button::of(name, &side).icon(icons::PANEL_RIGHT).enabled(can_move, "No room next to the view");
    let button = if place == DockPlace::Beside { button.quarter_turned() } else { button };
    actions.extend(button.show(ui).clicked().then_some(side));
}
