//! What the window has room for: the rules by which panels, words and bars give way as it shrinks.

use egui::Vec2;

use maquette_scene::session::{Session, SidePanel};

/// Narrower windows show their side panels only when asked.
const NO_SIDE_PANELS_BELOW: f32 = 820.0;
/// Narrower windows show one side panel at a time.
const ONE_SIDE_PANEL_BELOW: f32 = 1100.0;
/// Narrower windows fold their menus, and the header goes into the top bar.
const FOLDED_BELOW: f32 = 720.0;
/// Lower windows have no status bar and a compact timeline.
const LOW_BELOW: f32 = 560.0;
/// Lower windows have nothing under the picture.
const DOCK_FROM: f32 = 400.0;
/// Wider windows have wide side panels.
const WIDE_FROM: f32 = 1600.0;

/// Which of the side panels was wanted last, for windows that have room for one.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestedPanel {
    /// The last one opened.
    pub last: Option<SidePanel>,
    /// The one opened although the window is narrow.
    pub narrow: Option<SidePanel>,
}

/// What there is room for.
#[derive(Clone, Copy, Debug)]
pub struct WindowLayout {
    /// Menus behind one button, the header in the top bar.
    pub folded: bool,
    /// SidePanel panels only when asked.
    pub narrow: bool,
    /// No status bar, compact timeline.
    pub low: bool,
    /// Files at the left.
    pub files: bool,
    /// Inspector at the right.
    pub inspector: bool,
    /// Status bar at the bottom.
    pub status: bool,
    /// Room under the picture for what can stand there.
    pub dock: bool,
    /// Its height at first.
    pub dock_height: f32,
    /// Width of the files at first.
    pub files_width: f32,
    /// Width of the inspector at first.
    pub inspector_width: f32,
}

impl WindowLayout {
    /// The form of a window of `size` points.
    #[must_use]
    pub fn of(size: Vec2, session: &Session, wanted: &RequestedPanel) -> Self {
        let (panels, kept) = (&session.interface.panels, &session.preferences.panels);
        let narrow = size.x < NO_SIDE_PANELS_BELOW;
        let low = size.y < LOW_BELOW;
        let shown = !panels.hidden && session.asset().is_some();
        let (mut files, mut inspector) = (panels.files, panels.inspector);
        if narrow {
            files = wanted.narrow == Some(SidePanel::Files);
            inspector = wanted.narrow == Some(SidePanel::Inspector);
        } else if size.x < ONE_SIDE_PANEL_BELOW && files && inspector {
            files = wanted.last == Some(SidePanel::Files);
            inspector = !files;
        }
        let wide = size.x >= WIDE_FROM;
        Self {
            folded: size.x < FOLDED_BELOW,
            narrow,
            low,
            files: files && shown,
            inspector: inspector && shown,
            status: !low && !panels.hidden,
            dock: !panels.hidden && size.y >= DOCK_FROM,
            dock_height: (size.y * 0.38).round(),
            files_width: kept.files_width.unwrap_or(if wide { 280.0 } else { 232.0 }),
            inspector_width: kept.inspector_width.unwrap_or(if wide { 336.0 } else { 288.0 }),
        }
    }

    /// Whether a side panel is shown.
    #[must_use]
    pub fn shows(&self, side: SidePanel) -> bool {
        match side {
            SidePanel::Files => self.files,
            SidePanel::Inspector => self.inspector,
        }
    }
}
