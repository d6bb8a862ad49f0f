//! Panels of the window. They read a [`Session`] and return the user's requests as [`Action`]s.
//!
//! The state of panels, such as filter texts and open sections, is in [`Ui`]. All other state belongs to the session.
//! Code in this module does not load, decode or block, and requests a repaint only for a reason.

#![forbid(unsafe_code)]

mod about;
mod context;
mod display_menus;
mod dock;
mod drop;
mod drop_alternative;
mod edit_dialog;
mod error_strip;
mod files;
mod first_steps;
pub mod format;
mod game_light_menu;
mod guide;
mod header;
mod held_input;
mod inspector;
mod keys;
mod kit;
mod layout;
mod left_panel;
mod light_menu;
mod log;
mod onboarding;
mod operation_dialog;
mod palette;
mod path_field;
mod save;
mod scene_tree;
mod setting_rows;
mod settings;
mod shortcuts;
mod start_screen;
mod status;
mod thumbnails;
mod timeline;
mod toasts;
mod top_bar;
mod unsaved;
mod view_menu;
mod viewport;

use std::path::{Path, PathBuf};

use egui::{CentralPanel, Frame, Margin, Panel, Rect, Role, ThemePreference};

use kit::button::{Button, Emphasis};
use kit::row::Row;
use kit::{
    access, arrange, button, card, checkbox, copy, dialog, field, fonts, icons, list, menu, paint, segmented_control,
    slider, text,
};
use layout::{DockPlace, WindowLayout, dock_size};
use maquette_scene::scene::{ColourTheme, Label};
use maquette_scene::session::{Action, Dialog, DocumentView, EditDialog, EditField, Session, SidePanel, WindowAction};

pub use files::Thumbnail;
pub use guide::{GUIDE_IMAGES, guide_pages};
pub use kit::theme;
pub use save::{ExportPreview, caption, panel_colour};

/// Rendered view, supplied by the window's owner.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewportImage<'a> {
    /// Texture of the view. `None` shows the background of an empty scene.
    pub texture: Option<egui::TextureId>,
    /// Labels to draw in the view.
    pub labels: &'a [Label],
}

/// Layout results for the owner of the render target.
#[derive(Clone, Debug)]
pub struct ViewportFeedback {
    /// Rectangle of the view in the window, in points. Its sides may be zero.
    pub rect: Rect,
    /// Pixels per point.
    pub pixels_per_point: f32,
    /// Theme of the window, for a rendered view that follows it.
    pub theme: ColourTheme,
    /// Visible models without thumbnails. [`Ui::add_thumbnail`] adds them.
    pub wanted: Vec<PathBuf>,
    /// Width of the timeline's frames in points; 0 while no timeline is shown.
    pub timeline: f32,
    /// Whether there was user input: a key, a button, the wheel or a drop.
    pub is_used: bool,
}

impl ViewportFeedback {
    /// Returns width and height of the view in pixels.
    pub fn size_in_pixels(&self) -> [u32; 2] {
        let size = self.rect.size() * self.pixels_per_point;
        [size.x.round().max(0.0) as u32, size.y.round().max(0.0) as u32]
    }

    /// Returns the aspect ratio of the view, or 1 if the view has no size.
    pub fn aspect(&self) -> f32 {
        let size = self.rect.size();
        if size.x > 0.0 && size.y > 0.0 { size.x / size.y } else { 1.0 }
    }
}

/// State of all panels.
#[derive(Default)]
pub struct Ui {
    /// Side panel that was requested last, for windows with room for only one.
    last_panel: Option<SidePanel>,
    /// Panel opened in a narrow window.
    narrow_panel: Option<SidePanel>,
    inspector: inspector::State,
    timeline: timeline::State,
    browser: left_panel::State,
    dock: dock::State,
    /// Dialog that was open in the last frame.
    dialog: Option<Dialog>,
    help: shortcuts::State,
    preview: save::preview::State,
    palette: palette::State,
    toasts: toasts::State,
    offer: drop_alternative::State,
    /// Preferred widths of files and inspector in the last frame.
    widths: [Option<f32>; 2],
    /// Displayed widths in the last frame, with the size of the window.
    shown: [Option<(f32, egui::Vec2)>; 2],
    loading_since: Option<f64>,
    path_field: path_field::State,
    grid: files::grid::State,
    edit_dialog: edit_dialog::State,
    operation_dialog: operation_dialog::State,
    thumbnails: thumbnails::Thumbnails,
}

/// Installs fonts and themes in egui. Call it once, before the first frame.
pub fn install(ctx: &egui::Context) {
    fonts::install(ctx);
    theme::install(ctx);
    ctx.add_plugin(held_input::HeldInput::default());
    // Disable egui's zoom, because + and − control playback, and the system scales the window.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
}

/// Draws labels over a rendered image. `place` is the rectangle of the image.
pub fn names(root: &mut egui::Ui, shown: DocumentView<'_>, labels: &[Label], place: Rect) {
    // The theme of the image does not depend on the window.
    let theme = match shown.view.display.theme {
        ColourTheme::Dark => egui::Theme::Dark,
        ColourTheme::Light => egui::Theme::Light,
    };
    root.set_style(root.ctx().style_of(theme));
    viewport::labels::show(root, shown, labels, place, None);
}

impl Ui {
    /// Drops all textures, because egui's context or the GPU device was replaced.
    pub fn forget_images(&mut self) {
        self.thumbnails = thumbnails::Thumbnails::default();
        self.browser.files.gallery.forget_textures();
        self.preview = save::preview::State::default();
    }

    /// Frees the caches of a closed model.
    pub fn free_caches(&mut self) {
        self.thumbnails = thumbnails::Thumbnails::default();
        self.inspector.free_caches();
    }

    /// Sets whether the preview of the export is older than the options.
    pub fn outdate_preview(&mut self, is_outdated: bool) {
        self.preview.is_outdated = is_outdated;
    }

    /// Sets or clears the preview of an export.
    pub fn set_preview(&mut self, ctx: &egui::Context, preview: Option<&ExportPreview>) {
        self.preview.set(ctx, preview);
    }

    /// Adds the thumbnail of a model, or the reason for which it cannot be read.
    pub fn add_thumbnail(&mut self, ctx: &egui::Context, path: PathBuf, thumbnail: Result<&Thumbnail, String>) {
        self.browser.files.gallery.add(ctx, path, thumbnail);
    }

    /// Removes the thumbnail of a model whose file changed.
    pub fn forget_thumbnail(&mut self, path: &Path) {
        self.browser.files.gallery.forget(path);
    }

    /// Shows the whole window and adds the user's requests to `actions`.
    pub fn show(
        &mut self,
        root: &mut egui::Ui,
        session: &Session,
        image: &ViewportImage<'_>,
        actions: &mut Vec<Action>,
    ) -> ViewportFeedback {
        apply_preferences(root, session);
        let layout = WindowLayout::of(root.available_size(), session, self.last_panel, self.narrow_panel);
        self.take_keys(root, session, actions);
        let waiting = self.waiting(root, session);
        access::window(root, "Maquette");
        drop::take(root, actions);
        // While the window is covered, take the pointer away from the content below, so that its tooltips do not
        // appear.
        let is_covered = session.has_dialog() || root.input(|input| !input.raw.hovered_files.is_empty());
        let pointer = is_covered.then(|| root.input_mut(|input| std::mem::take(&mut input.pointer)));
        self.browser.look(session, layout.files);
        self.bars(root, session, &layout, waiting, actions);
        let is_empty = session.asset().is_none();
        if !is_empty {
            let height =
                if layout.folded_timeline { timeline::TRANSPORT } else { timeline::height(session, layout.low) };
            let panel = theme::tokens(root).panel;
            strip(Panel::bottom("timeline"), height, panel, 0).show(root, |ui| {
                access::region(ui, Role::Group, "Timeline");
                timeline::show(ui, session, layout.low, &mut self.timeline, actions);
            });
            self.sides(root, session, &layout, actions);
        }
        self.dock(root, session, &layout, actions);
        let mut feedback = self.centre(root, session, &layout, image, actions);
        pointer.into_iter().for_each(|pointer| root.input_mut(|input| input.pointer = pointer));
        let area = if is_empty { root.ctx().content_rect().shrink2(egui::vec2(0.0, 24.0)) } else { feedback.rect };
        self.dialogs(root, session, &layout, actions);
        let above = drop_alternative::show(root, session, area, &mut self.offer, actions);
        toasts::show(root, session, above, &mut self.toasts, actions);
        onboarding::show(root, session, area);
        drop::show(root, session);
        feedback.wanted.extend_from_slice(self.browser.files.gallery.wanted());
        if !is_empty {
            feedback.timeline = self.timeline.room();
            if layout.files {
                self.browser.files.narrow(actions);
            }
            self.toggle_sides(session, &layout, actions);
        }
        self.show_section(&layout, actions, false);
        if field::take_find(root.ctx()) {
            actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Palette)));
        }
        copy::take(root.ctx(), actions);
        if layout.dock == Some(DockPlace::Maximised) && !is_empty {
            // The view is not visible behind a maximised dock.
            feedback.rect.max = feedback.rect.min;
        }
        feedback
    }

    /// Passes the pressed keys to the dialog that has them, or else to commands.
    fn take_keys(&mut self, root: &mut egui::Ui, session: &Session, actions: &mut Vec<Action>) {
        if session.interface.awaits_dialog && session.interface.path_field.is_none() {
            keys::drop_typed(root.ctx());
        }
        save::take(root, session, actions);
        if !self.help.take(root, session, actions) {
            keys::take(root, session, actions);
        }
        self.dock.follow_keys(actions, session.interface.panels.dock);
    }

    /// Shows the top bar and the status bar.
    fn bars(
        &mut self,
        root: &mut egui::Ui,
        session: &Session,
        layout: &WindowLayout,
        waiting: f64,
        actions: &mut Vec<Action>,
    ) {
        let bar = theme::tokens(root).bar;
        strip(Panel::top("top bar"), 40.0, bar, 0).show_separator_line(true).show(root, |ui| {
            access::region(ui, Role::Toolbar, "Top bar");
            top_bar::show(ui, session, layout, actions);
        });
        if layout.status {
            strip(Panel::bottom("status"), 24.0, bar, 12).show(root, |ui| {
                access::region(ui, Role::Group, "Status bar");
                status::show(ui, session, waiting, actions);
            });
        }
    }

    /// Shows the start screen, the view with its header, or a maximised dock.
    fn centre(
        &mut self,
        root: &mut egui::Ui,
        session: &Session,
        layout: &WindowLayout,
        image: &ViewportImage<'_>,
        actions: &mut Vec<Action>,
    ) -> ViewportFeedback {
        let panel = theme::tokens(root).panel;
        let maximised = session.interface.panels.dock.filter(|_| layout.dock == Some(DockPlace::Maximised));
        let shown = CentralPanel::no_frame().show(root, |ui| {
            if session.asset().is_none() {
                return start_screen::show(ui, session, &mut self.browser.files.gallery, actions);
            }
            if maximised.is_none() && !layout.folded {
                strip(Panel::top("header"), 36.0, panel, 8).show(ui, |ui| {
                    access::region(ui, Role::Toolbar, "View");
                    header::show(ui, session, actions);
                });
            }
            if maximised.is_some() {
                error_strip::show_above(ui, session, actions);
            }
            error_strip::losses(ui, session, actions);
            unsaved::strip(ui, session, actions);
            if let Some(tab) = maximised {
                let rect = ui.available_rect_before_wrap();
                ui.painter().rect_filled(rect, 0.0, panel);
                dock::show(ui, session, tab, layout, &mut self.dock, actions);
                return viewport::feedback(ui, rect);
            }
            let feedback = viewport::show(ui, session, image, actions);
            error_strip::show_over(ui, session, feedback.rect, actions);
            feedback
        });
        shown.inner
    }

    /// Adapts requests to toggle side panels, whatever their source, to the room in the window.
    fn toggle_sides(&mut self, session: &Session, layout: &WindowLayout, actions: &mut Vec<Action>) {
        let panels = &session.interface.panels;
        for action in std::mem::take(actions) {
            let Action::Window(WindowAction::TogglePanel(panel)) = action else {
                actions.push(action);
                continue;
            };
            let shown = layout.shows(panel);
            let open = if panel == SidePanel::Files { panels.files } else { panels.inspector };
            self.last_panel = Some(panel);
            if layout.narrow {
                self.narrow_panel = (!shown).then_some(panel);
            }
            if panels.hidden && (layout.narrow || open) {
                actions.push(Action::Window(WindowAction::ToggleAllPanels));
            } else if !layout.narrow && (shown || !open) {
                actions.push(action);
            }
        }
    }

    /// Returns the time since a file began to load, in seconds; 0 if none is loading.
    fn waiting(&mut self, root: &egui::Ui, session: &Session) -> f64 {
        let now = root.input(|input| input.time);
        self.loading_since = session.jobs.loading.as_ref().map(|_| self.loading_since.unwrap_or(now));
        self.loading_since.map_or(0.0, |since| now - since)
    }

    fn sides(&mut self, root: &mut egui::Ui, session: &Session, layout: &WindowLayout, actions: &mut Vec<Action>) {
        let frame = Frame::new().fill(theme::tokens(root).panel);
        let kept = &session.preferences.panels;
        let known = std::mem::replace(&mut self.widths, [kept.files_width, kept.inspector_width]);
        for (index, side, name, width, min, max) in [
            (0, SidePanel::Files, "files", layout.files_width, 180.0, 400.0_f32),
            (1, SidePanel::Inspector, "inspector", layout.inspector_width, 248.0, 440.0),
        ] {
            // After a reset, fix the panel at its default width for one frame.
            let is_forgotten = known[index].is_some() && self.widths[index].is_none();
            if is_forgotten {
                root.ctx().request_repaint();
            }
            if !layout.shows(side) {
                continue;
            }
            // Keep at least 320 points for the view.
            let max = max.min(root.available_width() - 320.0).max(min);
            let is_left = (side == SidePanel::Files) != kept.swapped;
            let panel = if is_left { Panel::left(name) } else { Panel::right(name) }.default_size(width).frame(frame);
            let panel = panel.size_range(if is_forgotten { width..=width } else { min..=max });
            let shown = panel.show(root, |ui| match side {
                SidePanel::Files => left_panel::show(ui, session, &mut self.browser, actions),
                SidePanel::Inspector => {
                    inspector::show(ui, session, &mut self.inspector, &mut self.thumbnails, actions);
                }
            });
            let now = (shown.response.rect.width(), root.ctx().content_rect().size());
            if is_dragged(root, self.shown[index].replace(now), now) {
                actions.push(Action::Window(WindowAction::SetPanelWidth(side, now.0)));
            }
        }
    }

    fn dock(&mut self, root: &mut egui::Ui, session: &Session, layout: &WindowLayout, actions: &mut Vec<Action>) {
        let Some((tab, place)) = session.interface.panels.dock.zip(layout.dock) else {
            self.dock.closed();
            return;
        };
        if place == DockPlace::Maximised {
            return;
        }
        let (is_beside, room) = (place == DockPlace::Beside, root.available_size());
        let frame = Frame::new().fill(theme::tokens(root).panel);
        let (wanted, range) = dock_size(place, room, root.ctx().content_rect().size(), &session.preferences.panels);
        // After the window was resized, restore the preferred size.
        let is_resized = self.dock.shown.is_some_and(|(_, known)| known != (place, room));
        let panel = if is_beside { Panel::right("dock at side") } else { Panel::bottom("dock") };
        let range = if is_resized { wanted..=wanted } else { range };
        let panel = panel.default_size(wanted).size_range(range).resizable(true).frame(frame);
        let shown = panel.show(root, |ui| dock::show(ui, session, tab, layout, &mut self.dock, actions));
        let shown = shown.response.rect.size();
        let length = if is_beside { shown.x } else { shown.y };
        let now = (length, (place, room));
        if is_dragged(root, self.dock.shown.replace(now), now) {
            let set = if is_beside { WindowAction::SetDockWidth } else { WindowAction::SetDockHeight };
            actions.push(Action::Window(set(length)));
        }
    }

    /// Scrolls to the inspector section requested in `asked`. With `enters`, the section gets the keyboard focus.
    fn show_section(&mut self, layout: &WindowLayout, asked: &[Action], enters: bool) {
        let section = |action: &Action| match action {
            Action::Window(WindowAction::ShowSection(title)) => Some(*title),
            _ => None,
        };
        if let Some(title) = asked.iter().find_map(section) {
            self.inspector.show_section(title, enters);
            self.last_panel = Some(SidePanel::Inspector);
            if layout.narrow {
                self.narrow_panel = Some(SidePanel::Inspector);
            }
        }
    }

    fn dialogs(&mut self, root: &mut egui::Ui, session: &Session, layout: &WindowLayout, actions: &mut Vec<Action>) {
        let dialog = session.interface.panels.dialog;
        // A dialog that closes forgets its state.
        match std::mem::replace(&mut self.dialog, dialog).filter(|before| dialog != Some(*before)) {
            Some(Dialog::Help) => self.help = shortcuts::State::default(),
            Some(Dialog::Gallery) => self.grid = files::grid::State::default(),
            Some(Dialog::Palette) => self.palette.close(),
            _ => {}
        }
        let close = match dialog {
            Some(Dialog::Help) => shortcuts::show(root, session, &mut self.help, actions),
            Some(Dialog::Log) => log::show(root, session),
            Some(Dialog::Palette) => {
                let before = actions.len();
                palette::show(root, session, &mut self.palette, actions);
                let asked = actions.get(before..).unwrap_or_default();
                self.dock.follow_keys(asked, session.interface.panels.dock);
                self.show_section(layout, asked, true);
                false
            }
            Some(Dialog::Settings) => {
                let loaded = self.browser.files.gallery.bytes() + self.thumbnails.bytes();
                settings::show(root, session, loaded, actions)
            }
            Some(Dialog::Hints) => first_steps::show(root, actions),
            Some(Dialog::About) => about::show(root, session),
            Some(Dialog::Gallery) => files::grid::show(root, session, &mut self.grid, &mut self.browser.files, actions),
            None => false,
        };
        let close = dialog.filter(|_| close).map(WindowAction::ToggleDialog);
        actions.extend(close.map(Action::Window));
        if let Some(product) = session.jobs.saving.open {
            save::show(root, session, product, &self.preview, actions);
        }
        match &session.interface.path_field {
            Some(wanted) => {
                let before = actions.len();
                path_field::show(root, session, wanted, &mut self.path_field, actions);
                self.dock.follow_typed(actions.get(before..).unwrap_or_default());
            }
            None => self.path_field = path_field::State::default(),
        }
        match &session.interface.edit_dialog {
            Some(EditDialog { entity, what: EditField::Arguments(operation) }) => {
                operation_dialog::show(root, session, *entity, operation, &mut self.operation_dialog, actions);
            }
            Some(wanted) => edit_dialog::show(root, session, wanted, &mut self.edit_dialog, actions),
            None => {
                self.edit_dialog = edit_dialog::State::default();
                self.operation_dialog = operation_dialog::State::default();
            }
        }
        unsaved::ask(root, session, actions);
    }
}

/// Applies theme, scale, shortcuts and animations.
fn apply_preferences(root: &egui::Ui, session: &Session) {
    root.ctx().set_theme(match session.interface.theme {
        None => ThemePreference::System,
        Some(ColourTheme::Dark) => ThemePreference::Dark,
        Some(ColourTheme::Light) => ThemePreference::Light,
    });
    let scale = session.preferences.scale;
    if (root.ctx().zoom_factor() - scale).abs() > 1e-3 {
        root.ctx().set_zoom_factor(scale);
    }
    keys::publish(root.ctx(), &session.preferences.keys);
    theme::animate(root.ctx(), !session.preferences.reduced_motion);
}

/// Gives a panel a fixed height, and a margin of `edge` points at the left and right.
fn strip(panel: Panel, height: f32, fill: egui::Color32, edge: i8) -> Panel {
    let frame = Frame::new().fill(fill).inner_margin(Margin::symmetric(edge, 0));
    panel.exact_size(height).resizable(false).frame(frame)
}

/// Converts an image with straight alpha.
fn colour_image(image: &image::RgbaImage) -> egui::ColorImage {
    egui::ColorImage::from_rgba_unmultiplied([image.width() as usize, image.height() as usize], image)
}

/// Whether the user dragged a panel's edge: the panel's length changed with a pressed pointer and equal surroundings.
fn is_dragged<T: PartialEq>(root: &egui::Ui, before: Option<(f32, T)>, (length, around): (f32, T)) -> bool {
    before.is_some_and(|(known, of)| (known - length).abs() > 0.1 && of == around)
        && root.input(|input| input.pointer.any_down() || input.pointer.any_released())
}
