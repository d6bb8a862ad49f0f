//! Icons by what they mean here: characters of the bundled part of the Lucide icon font, see `assets/fonts`.
//!
//! `assets/fonts/make_fonts.py` reads this file to know which icons the font needs.

use maquette_scene::scene::{OverlayKind, SelectionLevel};
use maquette_scene::session::{
    Action, CameraAction, ClockAction, Command, Dialog, DisplayAction, DockTab, FileAction, Purpose, SceneAction,
    SidePanel, TimelineAction, WindowAction,
};

/// Lucide `menu`.
pub const MENU: &str = "\u{e115}";
/// Lucide `folder-open`.
pub const FOLDER_OPEN: &str = "\u{e247}";
/// Lucide `box`.
pub const BOX: &str = "\u{e061}";
/// Lucide `package`.
pub const PACKAGE: &str = "\u{e129}";
/// Lucide `search`.
pub const SEARCH: &str = "\u{e151}";
/// Lucide `x`.
pub const CLOSE: &str = "\u{e1b2}";
/// Lucide `chevron-down`.
pub const CHEVRON_DOWN: &str = "\u{e06d}";
/// Lucide `chevron-right`.
pub const CHEVRON_RIGHT: &str = "\u{e06f}";
/// Lucide `chevron-left`.
pub const CHEVRON_LEFT: &str = "\u{e06e}";
/// Lucide `panel-left`.
pub const PANEL_LEFT: &str = "\u{e12a}";
/// Lucide `panel-right`.
pub const PANEL_RIGHT: &str = "\u{e431}";
/// Lucide `moon`.
pub const MOON: &str = "\u{e11e}";
/// Lucide `sun`.
pub const SUN: &str = "\u{e178}";
/// Lucide `lightbulb`.
pub const LIGHT: &str = "\u{e1c2}";
/// Lucide `gamepad-2`.
pub const GAME: &str = "\u{e0df}";
/// Lucide `sun-moon`.
pub const SUN_MOON: &str = "\u{e2b2}";
/// Lucide `palette`.
pub const PALETTE: &str = "\u{e1dd}";
/// Lucide `grid-3x3`.
pub const GRID: &str = "\u{e0e9}";
/// Lucide `triangle`.
pub const TRIANGLE: &str = "\u{e192}";
/// Lucide `move-up-right`.
pub const NORMALS: &str = "\u{e493}";
/// Lucide `move-up-right`: out of the window.
pub const OUTSIDE: &str = "\u{e493}";
/// Lucide `tag`.
pub const TAG: &str = "\u{e17f}";
/// Lucide `bone`.
pub const BONE: &str = "\u{e358}";
/// Lucide `maximize`.
pub const MAXIMIZE: &str = "\u{e112}";
/// Lucide `camera`.
pub const CAMERA: &str = "\u{e064}";
/// Lucide `eye`.
pub const EYE: &str = "\u{e0ba}";
/// Lucide `eye-off`.
pub const EYE_OFF: &str = "\u{e0bb}";
/// Lucide `check`.
pub const CHECK: &str = "\u{e06c}";
/// Lucide `play`.
pub const PLAY: &str = "\u{e13c}";
/// Lucide `pause`.
pub const PAUSE: &str = "\u{e12e}";
/// Lucide `skip-back`.
pub const FIRST: &str = "\u{e15f}";
/// Lucide `skip-forward`.
pub const LAST: &str = "\u{e160}";
/// Lucide `step-back`.
pub const BACK: &str = "\u{e3e9}";
/// Lucide `step-forward`.
pub const FORWARD: &str = "\u{e3ea}";
/// Lucide `repeat`.
pub const LOOP: &str = "\u{e146}";
/// Lucide `arrow-right-left`.
pub const TO_AND_FRO: &str = "\u{e417}";
/// Lucide `arrow-right-to-line`.
pub const ONCE: &str = "\u{e459}";
/// Lucide `spline`.
pub const SPLINE: &str = "\u{e38b}";
/// Lucide `gauge`.
pub const GAUGE: &str = "\u{e1bf}";
/// Lucide `triangle-alert`.
pub const WARNING: &str = "\u{e193}";
/// Lucide `circle-x`.
pub const FAILED: &str = "\u{e084}";
/// Lucide `circle-check`.
pub const DONE: &str = "\u{e226}";
/// Lucide `info`.
pub const INFO: &str = "\u{e0f9}";
/// Lucide `copy`.
pub const COPY: &str = "\u{e09e}";
/// Lucide `ellipsis`.
pub const MORE: &str = "\u{e0b6}";
/// Lucide `download`.
pub const DOWNLOAD: &str = "\u{e0b2}";
/// Lucide `keyboard`.
pub const KEYBOARD: &str = "\u{e284}";
/// Lucide `person-standing`.
pub const PERSON: &str = "\u{e21e}";
/// Lucide `image-off`.
pub const IMAGE_OFF: &str = "\u{e1c0}";
/// Lucide `minus`.
pub const MINUS: &str = "\u{e11c}";
/// Lucide `refresh-cw`.
pub const RELOAD: &str = "\u{e145}";
/// Lucide `list`.
pub const LIST: &str = "\u{e106}";
/// Lucide `layers`.
pub const LAYERS: &str = "\u{e529}";
/// Lucide `sliders-horizontal`.
pub const SLIDERS: &str = "\u{e29a}";
/// Lucide `blend`.
pub const SHADOW: &str = "\u{e59c}";
/// Lucide `scroll-text`.
pub const LOG: &str = "\u{e45f}";
/// Lucide `rotate-ccw`.
pub const RESET: &str = "\u{e148}";
/// Lucide `settings`.
pub const SETTINGS: &str = "\u{e154}";
/// Lucide `history`.
pub const HISTORY: &str = "\u{e1f5}";
/// Lucide `pencil`.
pub const PENCIL: &str = "\u{e1f9}";
/// Lucide `corner-down-left`.
pub const ENTER: &str = "\u{e0a1}";
/// Lucide `file-box`.
pub const FILE: &str = "\u{e310}";
/// Lucide `circle-dot`.
pub const VERTEX: &str = "\u{e345}";
/// Lucide `ruler`.
pub const RULER: &str = "\u{e14b}";
/// Lucide `binary`.
pub const BINARY: &str = "\u{e1f2}";
/// Lucide `image`.
pub const IMAGE: &str = "\u{e0f6}";
/// Lucide `chart-line`.
pub const CHART: &str = "\u{e2a5}";
/// Lucide `columns-2`.
pub const COMPARE: &str = "\u{e098}";
/// Lucide `shield-check`.
pub const LINT: &str = "\u{e1ff}";
/// Lucide `map`.
pub const UV: &str = "\u{e110}";
/// Lucide `panel-bottom`.
pub const PANEL_BOTTOM: &str = "\u{e42c}";

/// The icon of an overlay.
#[must_use]
pub fn of_overlay(kind: OverlayKind) -> &'static str {
    match kind {
        OverlayKind::Grid => GRID,
        OverlayKind::Shadow => LIGHT,
        OverlayKind::VertexNormals | OverlayKind::FaceNormals => NORMALS,
        OverlayKind::Tags => TAG,
        OverlayKind::Joints | OverlayKind::JointNames => BONE,
        OverlayKind::Bounds => BOX,
        OverlayKind::Vertices => VERTEX,
        OverlayKind::Trails => SPLINE,
    }
}

/// The icon of what a click selects.
#[must_use]
pub fn of_level(level: SelectionLevel) -> &'static str {
    match level {
        SelectionLevel::Surface => BOX,
        SelectionLevel::Triangle => TRIANGLE,
        SelectionLevel::Vertex => VERTEX,
    }
}

/// The icon of a command in the palette: the one of its button, if it has one.
#[must_use]
pub fn of_command(command: &Command) -> &'static str {
    match &command.action {
        Action::Display(DisplayAction::Toggle(kind)) => of_overlay(*kind),
        Action::Display(DisplayAction::CycleWireframe) => TRIANGLE,
        Action::Display(DisplayAction::CycleLighting | DisplayAction::ResetLight) => LIGHT,
        Action::Display(DisplayAction::ScaleNormals(_)) => NORMALS,
        Action::Display(_) => PALETTE,
        Action::Camera(CameraAction::FrameModel | CameraAction::FocusSelection) => MAXIMIZE,
        Action::Camera(CameraAction::ResetView) => RESET,
        Action::Camera(_) | Action::Save(_) => CAMERA,
        Action::File(FileAction::Ask(Purpose::Open)) => FILE,
        Action::Window(WindowAction::ToggleDock(DockTab::Compare))
        | Action::File(FileAction::SwapCompared | FileAction::Ask(Purpose::Compare)) => COMPARE,
        Action::File(FileAction::Ask(_)) => FOLDER_OPEN,
        Action::File(FileAction::Reload) => RELOAD,
        Action::File(FileAction::RestoreLast) => HISTORY,
        Action::Scene(SceneAction::Undo | SceneAction::Redo) => HISTORY,
        Action::Scene(SceneAction::NextSkin) => PALETTE,
        Action::Scene(SceneAction::ToggleChosenSurface) => EYE_OFF,
        Action::Scene(SceneAction::CycleSelectionLevel) => VERTEX,
        Action::Scene(SceneAction::MeasureFromSelection) => RULER,
        Action::Scene(_) => EYE,
        Action::Clock(ClockAction::TogglePlay) => PLAY,
        Action::Clock(ClockAction::ClipStart) => FIRST,
        Action::Clock(ClockAction::ClipEnd) => LAST,
        Action::Clock(ClockAction::Step(steps)) => {
            if *steps < 0 {
                BACK
            } else {
                FORWARD
            }
        }
        Action::Clock(ClockAction::Faster | ClockAction::Slower | ClockAction::SetSpeed(_) | ClockAction::Reverse) => {
            GAUGE
        }
        Action::Clock(ClockAction::ToggleInterpolation) => SPLINE,
        Action::Clock(
            ClockAction::CycleRepeat
            | ClockAction::LoopFromHere
            | ClockAction::LoopToHere
            | ClockAction::SetLoopRange(_),
        ) => LOOP,
        Action::Timeline(TimelineAction::ToggleOnion) => LAYERS,
        Action::Window(WindowAction::TogglePanel(SidePanel::Inspector)) => PANEL_RIGHT,
        Action::Window(WindowAction::TogglePanel(SidePanel::Files)) => PANEL_LEFT,
        Action::Window(WindowAction::ToggleDock(DockTab::File)) => BINARY,
        Action::Window(WindowAction::ToggleDock(DockTab::Texture)) => UV,
        Action::Window(WindowAction::ToggleDock(DockTab::Motion)) => CHART,
        Action::Window(WindowAction::ToggleDock(DockTab::Lint)) => LINT,
        Action::Window(WindowAction::ToggleDialog(Dialog::Settings)) => SETTINGS,
        Action::Window(WindowAction::ToggleDialog(Dialog::Help)) => KEYBOARD,
        Action::Window(WindowAction::ToggleDialog(Dialog::Log | Dialog::Guide)) => LOG,
        _ => ENTER,
    }
}
