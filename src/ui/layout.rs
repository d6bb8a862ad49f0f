//! Window layout: rules that remove panels, words and bars as the window shrinks.

use std::ops::RangeInclusive;

use egui::Vec2;

use maquette_scene::session::{PanelPreferences, Session, SidePanel};

/// Window width in points below which side panels are shown only on request.
const NO_SIDE_PANELS_BELOW: f32 = 820.0;
/// Window width in points below which only one side panel is shown.
const ONE_SIDE_PANEL_BELOW: f32 = 1100.0;
/// Window width in points below which the menus are folded, and the header moves into the top bar.
const FOLDED_BELOW: f32 = 720.0;
/// Window height in points below which there is no status bar, and the timeline is compact.
const LOW_BELOW: f32 = 560.0;
/// Minimum window height in points for a dock.
const DOCK_FROM: f32 = 400.0;
/// Window height in points below which the timeline is folded if a dock is below the view.
const FOLDED_TIMELINE_BELOW: f32 = 900.0;
/// Minimum width in points of view and dock together for a dock next to the view.
const BESIDE_FROM: f32 = 700.0;
/// Minimum window width in points for a dock between view and inspector while *Files* is open, too.
const FOUR_COLUMNS_FROM: f32 = 1400.0;
/// Minimum and default width in points of a dock next to the view.
const DOCK_WIDTH: f32 = 340.0;
const USUAL_DOCK_WIDTH: f32 = 400.0;
/// Minimum height in points of a dock below the view.
const DOCK_HEIGHT: f32 = 120.0;
/// Minimum window width in points for wide side panels.
const WIDE_FROM: f32 = 1600.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DockPlace {
    /// Right of the view.
    Beside,
    /// Under the view.
    Below,
    /// In place of the view.
    Maximised,
}

/// Returns the default size of the dock and its range, in points along the direction in which the dock is resized. Dock
/// and view share `room`.
pub fn dock_size(place: DockPlace, room: Vec2, window: Vec2, panels: &PanelPreferences) -> (f32, RangeInclusive<f32>) {
    let (kept, usual, min, max) = if place == DockPlace::Beside {
        // Wide windows have room for a larger texture.
        (panels.dock_width, (room.x * 0.4).round().max(USUAL_DOCK_WIDTH), DOCK_WIDTH, (room.x / 2.0).floor())
    } else {
        (panels.dock_height, (window.y * 0.38).round(), DOCK_HEIGHT, room.y - 160.0)
    };
    let max = max.max(min);
    (kept.unwrap_or(usual).clamp(min, max), min..=max)
}

#[derive(Clone, Copy, Debug)]
pub struct WindowLayout {
    /// Whether the menus are behind one button, and the header is in the top bar.
    pub folded: bool,
    /// Whether side panels are shown only on request.
    pub narrow: bool,
    /// Whether there is no status bar, and the timeline is compact.
    pub low: bool,
    pub files: bool,
    pub inspector: bool,
    pub status: bool,
    /// Position of the dock; `None` while there is no dock.
    pub dock: Option<DockPlace>,
    pub has_room_beside: bool,
    /// Whether the timeline consists of its transport row only.
    pub folded_timeline: bool,
    pub files_width: f32,
    pub inspector_width: f32,
}

impl WindowLayout {
    /// Computes the layout of a window. `last` is the side panel that was requested last, and `opened` the panel that
    /// was opened in a narrow window.
    pub fn of(size: Vec2, session: &Session, last: Option<SidePanel>, opened: Option<SidePanel>) -> Self {
        let (panels, kept) = (&session.interface.panels, &session.preferences.panels);
        let narrow = size.x < NO_SIDE_PANELS_BELOW;
        let low = size.y < LOW_BELOW;
        let shown = !panels.hidden && session.asset().is_some();
        let (mut files, mut inspector) = (panels.files, panels.inspector);
        if narrow {
            files = opened == Some(SidePanel::Files);
            inspector = opened == Some(SidePanel::Inspector);
        } else if size.x < ONE_SIDE_PANEL_BELOW && files && inspector {
            files = last == Some(SidePanel::Files);
            inspector = !files;
        }
        let wide = size.x >= WIDE_FROM;
        let (files, inspector) = (files && shown, inspector && shown);
        let files_width = kept.files_width.unwrap_or(if wide { 280.0 } else { 232.0 });
        let inspector_width = kept.inspector_width.unwrap_or(if wide { 336.0 } else { 288.0 });
        let sides = if files { files_width } else { 0.0 } + if inspector { inspector_width } else { 0.0 };
        let has_room = size.x - sides >= BESIDE_FROM && (size.x >= FOUR_COLUMNS_FROM || !(files && inspector));
        let has_room_beside = session.asset().is_some() && has_room;
        let tab = panels.dock.filter(|_| !panels.hidden && size.y >= DOCK_FROM);
        let is_beside = tab.is_some_and(|tab| has_room_beside && session.preferences.prefers_side(tab));
        let is_maximised = panels.dock_maximised && session.asset().is_some();
        let dock = tab.map(|_| match (is_maximised, is_beside) {
            (true, _) => DockPlace::Maximised,
            (false, true) => DockPlace::Beside,
            (false, false) => DockPlace::Below,
        });
        Self {
            folded: size.x < FOLDED_BELOW,
            narrow,
            low,
            files,
            inspector,
            status: !low && !panels.hidden,
            dock,
            has_room_beside,
            folded_timeline: dock == Some(DockPlace::Below) && size.y < FOLDED_TIMELINE_BELOW,
            files_width,
            inspector_width,
        }
    }

    pub fn shows(&self, side: SidePanel) -> bool {
        match side {
            SidePanel::Files => self.files,
            SidePanel::Inspector => self.inspector,
        }
    }
}
