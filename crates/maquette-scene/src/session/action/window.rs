//! Window actions: panels, shortcuts, settings.

use crate::scene::ColourTheme;
use crate::session::{
    Dialog, DockTab, Effect, NotificationKind, PanelPreferences, Preference, Preferences, Session, SidePanel,
};

/// Window action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowAction {
    /// Set the theme; `None` follows the system.
    SetTheme(Option<ColourTheme>),
    /// Set the shortcut of the command with this id.
    SetKeys(&'static str, String),
    /// Reset all shortcuts.
    ResetKeys,
    /// Change a setting that is saved.
    Prefer(Preference),
    /// Show or hide a side panel.
    TogglePanel(SidePanel),
    /// Open a section of the inspector and scroll to it.
    ShowSection(&'static str),
    /// Show a tab of the dock, or close the dock if the tab is shown.
    ToggleDock(DockTab),
    /// Set the height of a dock below the view, in points.
    SetDockHeight(f32),
    /// Set the width of a dock next to the view, in points.
    SetDockWidth(f32),
    /// Move the open tab of the dock from below the view to next to it, or back.
    ToggleDockSide,
    /// Let the dock replace the view, or show both again.
    ToggleDockMaximised,
    /// Open or close a dialog.
    ToggleDialog(Dialog),
    /// Set the width of a side panel, in points.
    SetPanelWidth(SidePanel, f32),
    /// Reset the sizes and positions of panels.
    ResetLayout,
    /// Hide or show all panels.
    ToggleAllPanels,
    /// Switch full screen on or off.
    ToggleFullScreen,
    /// Close the path field.
    ClosePathField,
    /// Record that text was copied to the clipboard.
    Copied(String),
    /// Open the user guide in the browser.
    OpenGuideInBrowser,
    /// Quit the program.
    Quit,
}

/// Number of frames in which the dock may change the shape of the view: the frame of the action, and the next one,
/// which has the new layout.
const RESHAPING_FRAMES: u8 = 2;

impl Preferences {
    /// Whether a tab of the dock is placed next to the view if there is room, by the user's choice or by default.
    pub fn prefers_side(&self, tab: DockTab) -> bool {
        let chosen = self.panels.dock_at_side.get(tab.id()).copied();
        chosen.unwrap_or(matches!(tab, DockTab::Texture | DockTab::Compare))
    }
}

impl Session {
    pub(super) fn apply_to_window(&mut self, action: WindowAction) -> Option<Effect> {
        match action {
            WindowAction::SetTheme(theme) => self.interface.theme = theme,
            WindowAction::SetKeys(id, keys) => self.preferences.set_keys(id, &keys),
            WindowAction::ResetKeys => self.preferences.keys.reset(),
            WindowAction::Prefer(preference) => self.set_preference(preference),
            WindowAction::TogglePanel(panel) => self.interface.toggle_panel(panel),
            WindowAction::ShowSection(_) => {
                self.interface.panels.hidden = false;
                self.interface.panels.inspector = true;
            }
            WindowAction::ToggleDialog(dialog) => {
                self.toggle_dialog(dialog);
                let is_open = self.interface.panels.dialog == Some(Dialog::Settings);
                return is_open.then_some(Effect::MeasureThumbnails);
            }
            WindowAction::ToggleDock(tab) => {
                self.view.reshaping_frames = RESHAPING_FRAMES;
                let panels = &mut self.interface.panels;
                let was_hidden = std::mem::take(&mut panels.hidden);
                panels.dock = if panels.dock == Some(tab) && !was_hidden { None } else { Some(tab) };
                panels.dock_maximised &= panels.dock.is_some();
                if self.interface.panels.dock != Some(DockTab::File) {
                    self.interface.structure = None;
                }
            }
            WindowAction::SetDockHeight(height) => self.preferences.panels.dock_height = Some(height),
            WindowAction::SetDockWidth(width) => self.preferences.panels.dock_width = Some(width),
            WindowAction::ToggleDockSide => {
                if let Some(tab) = self.interface.panels.dock {
                    let is_at_side = self.preferences.prefers_side(tab);
                    self.preferences.panels.dock_at_side.insert(tab.id().to_owned(), !is_at_side);
                    self.view.reshaping_frames = RESHAPING_FRAMES;
                }
            }
            WindowAction::ToggleDockMaximised => {
                let panels = &mut self.interface.panels;
                panels.dock_maximised = panels.dock.is_some() && !panels.dock_maximised;
            }
            WindowAction::SetPanelWidth(panel, width) => self.preferences.set_panel_width(panel, width),
            WindowAction::ResetLayout => {
                self.preferences.panels = PanelPreferences::default();
                (self.interface.panels.files, self.interface.panels.inspector) = (self.model_list.len() > 1, true);
                self.interface.panels.hidden = false;
                self.interface.panels.dock_maximised = false;
            }
            WindowAction::ToggleAllPanels => self.interface.panels.hidden = !self.interface.panels.hidden,
            WindowAction::ToggleFullScreen => return Some(Effect::ToggleFullScreen),
            WindowAction::ClosePathField => (self.interface.path_field, self.jobs.saving.replace) = (None, None),
            WindowAction::Copied(text) => {
                let lines = text.lines().count();
                let copied = if lines > 1 { format!("{lines} lines") } else { text };
                self.log(NotificationKind::Done, format!("Copied {copied}"));
            }
            WindowAction::OpenGuideInBrowser => return Some(Effect::OpenGuideInBrowser),
            WindowAction::Quit => return Some(Effect::Quit),
        }
        None
    }
}
