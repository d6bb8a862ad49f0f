//! Left panel with two tabs: model files, and parts of the scene.

use egui::{Role, Ui};

use super::{Button, arrange, files, icons, scene_tree, segmented_control};
use maquette_scene::session::{Action, Dialog, FileAction, FilePrompt, Session, WindowAction};

const BAR: f32 = 36.0;
const TABS: [(Tab, &str); 2] = [(Tab::Files, "Files"), (Tab::Scene, "Scene")];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    #[default]
    Files,
    Scene,
}

#[derive(Default)]
pub struct State {
    pub tab: Tab,
    pub files: files::State,
    /// Number of the scene's first entity in the last frame.
    cast: u64,
    /// Number of listed models in the last frame.
    models: usize,
    was_open: bool,
}

impl State {
    /// Updates the tab once per frame. If a character is opened while the panel is closed, the scene tab is selected.
    pub fn look(&mut self, session: &Session, open: bool) {
        let entities = session.document.scene.entities();
        let cast = entities.first().map_or(0, |entity| entity.number);
        if cast != self.cast && !self.was_open && entities.len() > 1 {
            self.tab = Tab::Scene;
        }
        // A folder or an archive was opened, so show its list.
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

pub fn show(ui: &mut Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    arrange::bar(ui, BAR, 8.0, |ui| {
        if let Some(tab) = segmented_control::choose(ui, "tabs", Role::Tab, &TABS, state.tab) {
            state.tab = tab;
            ui.ctx().request_repaint();
        }
        arrange::at_end(ui, |ui| {
            let ask = Action::File(FileAction::Ask(FilePrompt::OpenFolder));
            Button::new("Open folder").icon(icons::FOLDER_OPEN).push(ui, ask, actions);
            let gallery = Action::Window(WindowAction::ToggleDialog(Dialog::Gallery));
            let button = Button::new("Gallery").icon(icons::GRID);
            let has_models = session.model_list.len() > 1;
            button.enabled(has_models, "Open a folder to see its models").push(ui, gallery, actions);
        });
    });
    ui.push_id(state.tab, |ui| match state.tab {
        Tab::Files => files::show(ui, session, &mut state.files, actions),
        Tab::Scene => scene_tree::show(ui, session, actions),
    });
}
