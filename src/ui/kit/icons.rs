//! Icons by their meaning: characters of a bundled subset of the Lucide font, with their Lucide names.
//!
//! `assets/fonts/make_fonts.py` reads this file to know which icons the font needs.

use maquette_scene::scene::{OverlayKind, SelectionLevel};
use maquette_scene::session::{
    Action, CameraAction, ClockAction, Dialog, DisplayAction, DockTab, FileAction, FilePrompt, Preference, SceneAction,
    SidePanel, TimelineAction, WindowAction,
};

pub const MENU: &str = "\u{e115}"; // menu
pub const FOLDER_OPEN: &str = "\u{e247}"; // folder-open
pub const BOX: &str = "\u{e061}"; // box
pub const PACKAGE: &str = "\u{e129}"; // package
pub const SEARCH: &str = "\u{e151}"; // search
pub const CLOSE: &str = "\u{e1b2}"; // x
pub const CHEVRON_DOWN: &str = "\u{e06d}"; // chevron-down
pub const CHEVRON_RIGHT: &str = "\u{e06f}"; // chevron-right
pub const CHEVRON_LEFT: &str = "\u{e06e}"; // chevron-left
pub const PANEL_LEFT: &str = "\u{e12a}"; // panel-left
pub const PANEL_RIGHT: &str = "\u{e431}"; // panel-right
pub const MOON: &str = "\u{e11e}"; // moon
pub const SUN: &str = "\u{e178}"; // sun
pub const LIGHT: &str = "\u{e1c2}"; // lightbulb
pub const GAME: &str = "\u{e0df}"; // gamepad-2
pub const SUN_MOON: &str = "\u{e2b2}"; // sun-moon
pub const PALETTE: &str = "\u{e1dd}"; // palette
pub const GRID: &str = "\u{e0e9}"; // grid-3x3
pub const TRIANGLE: &str = "\u{e192}"; // triangle
pub const NORMALS: &str = "\u{e493}"; // move-up-right
/// Lucide `move-up-right`, for links that leave the window.
pub const OUTSIDE: &str = "\u{e493}";
pub const TAG: &str = "\u{e17f}"; // tag
pub const BONE: &str = "\u{e358}"; // bone
pub const MAXIMIZE: &str = "\u{e112}"; // maximize
pub const CAMERA: &str = "\u{e064}"; // camera
pub const EYE: &str = "\u{e0ba}"; // eye
pub const EYE_OFF: &str = "\u{e0bb}"; // eye-off
pub const CHECK: &str = "\u{e06c}"; // check
pub const PLAY: &str = "\u{e13c}"; // play
pub const PAUSE: &str = "\u{e12e}"; // pause
pub const FIRST: &str = "\u{e15f}"; // skip-back
pub const LAST: &str = "\u{e160}"; // skip-forward
pub const BACK: &str = "\u{e3e9}"; // step-back
pub const FORWARD: &str = "\u{e3ea}"; // step-forward
pub const LOOP: &str = "\u{e146}"; // repeat
pub const TO_AND_FRO: &str = "\u{e417}"; // arrow-right-left
pub const ONCE: &str = "\u{e459}"; // arrow-right-to-line
pub const SPLINE: &str = "\u{e38b}"; // spline
pub const GAUGE: &str = "\u{e1bf}"; // gauge
pub const WARNING: &str = "\u{e193}"; // triangle-alert
pub const FAILED: &str = "\u{e084}"; // circle-x
pub const DONE: &str = "\u{e226}"; // circle-check
pub const INFO: &str = "\u{e0f9}"; // info
pub const COPY: &str = "\u{e09e}"; // copy
pub const MORE: &str = "\u{e0b6}"; // ellipsis
pub const DOWNLOAD: &str = "\u{e0b2}"; // download
pub const KEYBOARD: &str = "\u{e284}"; // keyboard
pub const PERSON: &str = "\u{e21e}"; // person-standing
pub const IMAGE_OFF: &str = "\u{e1c0}"; // image-off
pub const MINUS: &str = "\u{e11c}"; // minus
pub const RELOAD: &str = "\u{e145}"; // refresh-cw
pub const LIST: &str = "\u{e106}"; // list
pub const LAYERS: &str = "\u{e529}"; // layers
pub const LOG: &str = "\u{e45f}"; // scroll-text
pub const RESET: &str = "\u{e148}"; // rotate-ccw
pub const SETTINGS: &str = "\u{e154}"; // settings
pub const HISTORY: &str = "\u{e1f5}"; // history
pub const PENCIL: &str = "\u{e1f9}"; // pencil
pub const ENTER: &str = "\u{e0a1}"; // corner-down-left
pub const FILE: &str = "\u{e310}"; // file-box
pub const VERTEX: &str = "\u{e345}"; // circle-dot
pub const RULER: &str = "\u{e14b}"; // ruler
pub const BINARY: &str = "\u{e1f2}"; // binary
pub const CHART: &str = "\u{e2a5}"; // chart-line
pub const COMPARE: &str = "\u{e098}"; // columns-2
pub const LINT: &str = "\u{e1ff}"; // shield-check
pub const UV: &str = "\u{e110}"; // map

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

pub fn of_level(level: SelectionLevel) -> &'static str {
    match level {
        SelectionLevel::Surface => BOX,
        SelectionLevel::Triangle => TRIANGLE,
        SelectionLevel::Vertex => VERTEX,
    }
}

/// Returns the icon of an action in the palette: the icon of its button, or a default.
pub fn of_action(action: &Action) -> &'static str {
    match action {
        Action::Display(DisplayAction::Toggle(kind)) => of_overlay(*kind),
        Action::Display(DisplayAction::CycleWireframe | DisplayAction::SetWireframe(_)) => TRIANGLE,
        Action::Display(
            DisplayAction::CycleLighting
            | DisplayAction::SetLighting(_)
            | DisplayAction::ResetLight
            | DisplayAction::LightFollows(_)
            | DisplayAction::SetBrightness(_)
            | DisplayAction::AutomaticBrightness(_),
        ) => LIGHT,
        Action::Display(
            DisplayAction::SetSides(_) | DisplayAction::SetAlpha(_) | DisplayAction::SetTextureFilter(_),
        ) => LAYERS,
        Action::Display(DisplayAction::ScaleNormals(_)) => NORMALS,
        Action::Display(_) => PALETTE,
        Action::Camera(CameraAction::FrameModel | CameraAction::FocusSelection) => MAXIMIZE,
        Action::Camera(CameraAction::ResetView) => RESET,
        Action::Camera(_) | Action::Save(_) => CAMERA,
        Action::File(FileAction::Ask(FilePrompt::Open)) => FILE,
        Action::Window(WindowAction::ToggleDock(DockTab::Compare))
        | Action::File(FileAction::SwapCompared | FileAction::Ask(FilePrompt::Compare)) => COMPARE,
        Action::File(FileAction::Ask(_)) => FOLDER_OPEN,
        Action::File(FileAction::OpenSample(_)) => PERSON,
        Action::File(FileAction::LightFullbrights(_)) => PALETTE,
        Action::File(FileAction::Reload) => RELOAD,
        Action::File(FileAction::Close) => CLOSE,
        Action::File(FileAction::NextModel | FileAction::NextProblem) => CHEVRON_RIGHT,
        Action::File(FileAction::PreviousModel) => CHEVRON_LEFT,
        Action::File(FileAction::CheckFiles) => LINT,
        Action::File(FileAction::RestoreLast) => HISTORY,
        Action::Scene(SceneAction::Undo | SceneAction::Redo) => HISTORY,
        Action::Scene(SceneAction::NextSkin | SceneAction::ChooseSkinOfAll(_)) => PALETTE,
        Action::Scene(SceneAction::ChooseWeapon(_)) => PERSON,
        Action::Scene(SceneAction::SetSelectionLevel(level)) => of_level(*level),
        Action::Scene(SceneAction::SetLod(_)) => LAYERS,
        Action::Scene(SceneAction::SetBoneBlend(_)) => BONE,
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
        Action::Clock(ClockAction::Seek(_)) => FORWARD,
        Action::Clock(
            ClockAction::Faster
            | ClockAction::Slower
            | ClockAction::SetSpeed(_)
            | ClockAction::SetRate(_)
            | ClockAction::Reverse,
        ) => GAUGE,
        Action::Clock(ClockAction::ToggleInterpolation) => SPLINE,
        Action::Clock(
            ClockAction::CycleRepeat
            | ClockAction::SetRepeat(_)
            | ClockAction::LoopFromHere
            | ClockAction::LoopToHere
            | ClockAction::SetLoopRange(_),
        ) => LOOP,
        Action::Clock(ClockAction::SetPlayerTable(_)) => LIST,
        Action::Clock(ClockAction::SetPaired(_)) => PERSON,
        Action::Timeline(TimelineAction::ToggleOnion | TimelineAction::SetOnion(_)) => LAYERS,
        Action::Window(WindowAction::SetTheme(_)) => SUN_MOON,
        Action::Window(WindowAction::Prefer(Preference::SwapPanels(_))) => PANEL_RIGHT,
        Action::Window(WindowAction::Prefer(_)) => SETTINGS,
        Action::Window(WindowAction::TogglePanel(SidePanel::Inspector)) => PANEL_RIGHT,
        Action::Window(WindowAction::TogglePanel(SidePanel::Files)) => PANEL_LEFT,
        Action::Window(WindowAction::ToggleDock(DockTab::File)) => BINARY,
        Action::Window(WindowAction::ToggleDock(DockTab::Texture)) => UV,
        Action::Window(WindowAction::ToggleDock(DockTab::Motion)) => CHART,
        Action::Window(WindowAction::ToggleDock(DockTab::Lint)) => LINT,
        Action::Window(WindowAction::ToggleDialog(Dialog::Settings)) => SETTINGS,
        Action::Window(WindowAction::ToggleDialog(Dialog::Help)) => KEYBOARD,
        Action::Window(WindowAction::ToggleDialog(Dialog::Log)) => LOG,
        Action::Window(WindowAction::OpenGuideInBrowser) => OUTSIDE,
        Action::Window(WindowAction::ToggleDialog(Dialog::About)) => INFO,
        Action::Window(WindowAction::ToggleDialog(Dialog::Gallery)) => GRID,
        _ => ENTER,
    }
}
