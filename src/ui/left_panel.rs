//! The panel at the left: the models to go through, or the parts in the scene, as two tabs.

use egui::{Rect, Role, Ui, pos2, vec2};

use super::button::Button;
use super::{files, icons, scene_tree, segmented_control, theme};
use maquette_scene::session::{Action, FileAction, FilePrompt, Session};

/// Height of the bar with the tabs, as high as the one above the picture.
const BAR: f32 = 36.0;
const TABS: [(Tab, &str); 2] = [(Tab::Files, "Files"), (Tab::Scene, "Scene")];

/// What the panel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// The models to go through.
    #[default]
    Files,
    /// The parts in the scene.
    Scene,
}

/// What the panel remembers for itself.
#[derive(Default)]
pub struct State {
    /// Which tab is open.
    pub tab: Tab,
    /// The tab of files.
    pub files: files::State,
    /// What stood on the scene in the last frame: number of the first entity.
    cast: u64,
    /// Models to go through in the last frame.
    models: usize,
    /// Whether the panel was seen in the last frame.
    was_open: bool,
}

impl State {
    /// Told once per frame whether the panel is seen: a figure that comes while it is closed opens it at the scene.
    pub fn look(&mut self, session: &Session, open: bool) {
        let entities = session.document.scene.entities();
        let cast = entities.first().map_or(0, |entity| entity.number);
        if cast != self.cast && !self.was_open && entities.len() > 1 {
            self.tab = Tab::Scene;
        }
        // A folder or an archive was opened: what came is a list.
        let models = session.model_list.len();
        if cast != self.cast && models != self.models && models > 1 && entities.len() == 1 {
            self.tab = Tab::Files;
        }
        self.models = models;
        self.cast = cast;
        self.was_open = open;
        self.files.begin();
    }
}

/// Shows the panel.
pub fn show(ui: &mut Ui, session: &Session, memory: &mut State, actions: &mut Vec<Action>) {
    let area = ui.max_rect();
    ui.spacing_mut().item_spacing.y = 0.0;
    let (_, bar) = ui.allocate_space(vec2(ui.available_width(), BAR));
    let size = vec2(segmented_control::width(ui, &TABS), segmented_control::HEIGHT);
    let field = Rect::from_min_size(pos2(bar.left() + 8.0, bar.center().y - size.y / 2.0), size);
    if let Some(tab) = segmented_control::show(ui, field, "tabs", Role::Tab, &TABS, memory.tab) {
        memory.tab = tab;
        ui.ctx().request_repaint();
    }
    let open =
        Button::of("Open folder", &Action::File(FileAction::Ask(FilePrompt::OpenFolder))).icon(icons::FOLDER_OPEN);
    let place = Rect::from_center_size(pos2(bar.right() - 8.0 - 14.0, bar.center().y), vec2(28.0, 28.0));
    if open.show_at(ui, place, "open folder").clicked() {
        actions.push(Action::File(FileAction::Ask(FilePrompt::OpenFolder)));
    }
    ui.painter().hline(bar.x_range(), bar.bottom() - 0.5, (1.0, theme::tokens(ui).line));
    let rest = Rect::from_min_max(bar.left_bottom(), area.max);
    ui.scope_builder(egui::UiBuilder::new().max_rect(rest).id_salt(memory.tab), |ui| match memory.tab {
        Tab::Files => files::show(ui, session, &mut memory.files, actions),
        Tab::Scene => scene_tree::show(ui, session, actions),
    });
}
