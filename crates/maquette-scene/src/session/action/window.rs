//! The window: panels, keys, settings.

use crate::scene::ColourTheme;
use crate::session::{Dialog, DockTab, Effect, NotificationKind, PanelPreferences, Preference, Session, SidePanel};

/// What a user wants of the window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowAction {
    /// Dark or light; `None` follows the system.
    SetTone(Option<ColourTheme>),
    /// Give the command of this id these keys.
    SetKeys(&'static str, String),
    /// Give all commands their usual keys.
    ResetKeys,
    /// Something that is remembered from start to start.
    Prefer(Preference),
    /// Show or hide a side panel.
    TogglePanel(SidePanel),
    /// Show this section of the inspector.
    ShowSection(&'static str),
    /// Show this tab of the dock, or close the dock if the tab is shown.
    ToggleDock(DockTab),
    /// The user dragged a dock below the view to this height, in points.
    SetDockHeight(f32),
    /// The user dragged a dock next to the view to this width, in points.
    SetDockWidth(f32),
    /// Move the open tab of the dock below the view or next to the view.
    ToggleDockSide,
    /// Show the dock in place of the view, or next to it again.
    ToggleDockMaximised,
    /// Open or close a dialog.
    ToggleDialog(Dialog),
    /// A side panel was made so many points wide.
    SetPanelWidth(SidePanel, f32),
    /// Side panels where and as wide as they are at first.
    ResetLayout,
    /// Hide all panels, or show them again.
    ToggleAllPanels,
    /// The whole screen, or a window.
    ToggleFullScreen,
    /// Put the field for a path away.
    ClosePathField,
    /// A text was put on the clipboard.
    Copied(String),
    /// Show the user guide in the browser.
    OpenGuideInBrowser,
    /// End the program.
    Quit,
}

/// The frame of the action, and the next one, which has the new layout.
const RESHAPING_FRAMES: u8 = 2;

impl Session {
    /// Whether a tab of the dock is next to the view where there is room: as the user chose, else if its content is as high
    /// as wide.
    #[must_use]
    pub fn prefers_beside(&self, tab: DockTab) -> bool {
        let chosen = self.preferences.panels.dock_beside.get(tab.label()).copied();
        chosen.unwrap_or(matches!(tab, DockTab::Texture | DockTab::Compare))
    }

    pub(super) fn apply_to_window(&mut self, action: WindowAction) -> Option<Effect> {
        match action {
            WindowAction::SetTone(tone) => self.interface.tone = tone,
            WindowAction::SetKeys(id, keys) => self.set_keys(id, &keys),
            WindowAction::ResetKeys => self.preferences.keys.reset(),
            WindowAction::Prefer(preference) => self.prefer(preference),
            WindowAction::TogglePanel(panel) => self.toggle_panel(panel),
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
                    self.interface.anatomy = None;
                }
                if self.interface.panels.dock != Some(DockTab::Lint) {
                    self.interface.lint = None;
                }
            }
            WindowAction::SetDockHeight(height) => self.preferences.panels.dock_height = Some(height),
            WindowAction::SetDockWidth(width) => self.preferences.panels.dock_width = Some(width),
            WindowAction::ToggleDockSide => {
                if let Some(tab) = self.interface.panels.dock {
                    let is_beside = self.prefers_beside(tab);
                    self.preferences.panels.dock_beside.insert(tab.label().to_owned(), !is_beside);
                    self.view.reshaping_frames = RESHAPING_FRAMES;
                }
            }
            WindowAction::ToggleDockMaximised => {
                let panels = &mut self.interface.panels;
                panels.dock_maximised = panels.dock.is_some() && !panels.dock_maximised;
            }
            WindowAction::SetPanelWidth(panel, width) => self.set_panel_width(panel, width),
            WindowAction::ResetLayout => {
                self.preferences.panels = PanelPreferences::default();
                (self.interface.panels.files, self.interface.panels.inspector) = (self.model_list.len() > 1, true);
                self.interface.panels.hidden = false;
                self.interface.panels.dock_maximised = false;
            }
            WindowAction::ToggleAllPanels => self.interface.panels.hidden = !self.interface.panels.hidden,
            WindowAction::ToggleFullScreen => return Some(Effect::ToggleFullScreen),
            WindowAction::ClosePathField => self.interface.path_field = None,
            WindowAction::Copied(text) => {
                let lines = text.lines().count();
                let told = if lines > 1 { format!("{lines} lines") } else { text };
                self.log(NotificationKind::Done, format!("Copied {told}"));
            }
            WindowAction::OpenGuideInBrowser => return Some(Effect::OpenGuideInBrowser),
            WindowAction::Quit => return Some(Effect::Quit),
        }
        None
    }
}
