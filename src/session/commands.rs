//! The one table of commands: menus, tooltips, keys and the help sheet all read it.

use super::{Action, Panel, Purpose, Switch};
use crate::scene::StandardView;

/// A command that has a name and, mostly, keys.
#[derive(Debug)]
pub struct Command {
    /// Where it stands in menus and in the help sheet.
    pub group: Group,
    /// For people; "…" if it asks more.
    pub label: &'static str,
    /// Keys as written in the help sheet, `Ctrl+Shift+O`; several separated by a blank. Empty: none.
    pub keys: &'static str,
    /// What it does.
    pub action: Action,
}

/// Groups of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Opening, saving, leaving.
    File,
    /// Undoing, choosing, settings.
    Edit,
    /// Camera and panels.
    View,
    /// How the model is drawn.
    Display,
    /// Clips and time.
    Animation,
    /// Keys and log.
    Help,
}

impl Group {
    /// All of them, in the order of the menu bar.
    pub const ALL: [Self; 6] = [Self::File, Self::Edit, Self::View, Self::Display, Self::Animation, Self::Help];

    /// Name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Display => "Display",
            Self::Animation => "Animation",
            Self::Help => "Help",
        }
    }
}

const fn command(group: Group, label: &'static str, keys: &'static str, action: Action) -> Command {
    Command { group, label, keys, action }
}

/// All commands, in the order of menus.
pub const COMMANDS: &[Command] = &[
    command(Group::File, "Open…", "Ctrl+O", Action::Ask(Purpose::Open)),
    command(Group::File, "Open folder…", "Ctrl+Shift+O", Action::Ask(Purpose::OpenFolder)),
    command(Group::File, "Search another folder…", "", Action::Ask(Purpose::AddRoot)),
    command(Group::File, "Restore the last session", "", Action::RestoreLast),
    command(Group::File, "Close", "Ctrl+W", Action::Close),
    command(Group::File, "Reload", "F5", Action::Reload),
    command(Group::File, "Next model", "PageDown", Action::NextModel),
    command(Group::File, "Previous model", "PageUp", Action::PreviousModel),
    command(Group::File, "Save picture…", "F12", Action::SavePicture),
    command(Group::File, "Save transparent picture…", "Ctrl+F12", Action::SaveTransparent),
    command(Group::File, "Copy picture", "Shift+F12", Action::CopyPicture),
    command(Group::File, "Save film…", "", Action::SaveFilm),
    command(Group::File, "Contact sheet…", "", Action::SaveContactSheet),
    command(Group::File, "Quit", "Ctrl+Q", Action::Quit),
    command(Group::Edit, "Undo", "Ctrl+Z", Action::Undo),
    command(Group::Edit, "Redo", "Ctrl+Shift+Z Ctrl+Y", Action::Redo),
    command(Group::Edit, "Next skin", "K", Action::NextSkin),
    command(Group::Edit, "Hide or show the chosen surface", "H", Action::ToggleChosenSurface),
    command(Group::Edit, "Show the chosen surface alone", "Shift+H", Action::ShowOnlyChosen),
    command(Group::Edit, "Show all surfaces", "Alt+H", Action::ShowAllSurfaces),
    command(Group::Edit, "Show all parts", "Alt+Shift+H", Action::ShowAllActors),
    command(Group::Edit, "Find an action…", "Ctrl+K", Action::TogglePanel(Panel::Palette)),
    command(Group::Edit, "Settings…", "Ctrl+,", Action::TogglePanel(Panel::Settings)),
    command(Group::View, "Frame the model", "Home", Action::FrameModel),
    command(Group::View, "Focus the selection", ".", Action::FocusSelection),
    command(Group::View, "Reset view", "Enter", Action::ResetView),
    command(Group::View, "Front", "1", Action::LookFrom(StandardView::Front)),
    command(Group::View, "Back", "Ctrl+1", Action::LookFrom(StandardView::Back)),
    command(Group::View, "Left", "3", Action::LookFrom(StandardView::Left)),
    command(Group::View, "Right", "Ctrl+3", Action::LookFrom(StandardView::Right)),
    command(Group::View, "Top", "7", Action::LookFrom(StandardView::Top)),
    command(Group::View, "Bottom", "Ctrl+7", Action::LookFrom(StandardView::Bottom)),
    command(Group::View, "Isometric", "9", Action::LookFrom(StandardView::Isometric)),
    command(Group::View, "Perspective or orthographic", "5", Action::ToggleProjection),
    command(Group::View, "Turntable", "Y", Action::ToggleTurntable),
    command(Group::View, "Inspector", "F4", Action::TogglePanel(Panel::Inspector)),
    command(Group::View, "Files", "F3", Action::TogglePanel(Panel::Files)),
    command(Group::View, "Hide panels", "F9", Action::ToggleAllPanels),
    command(Group::View, "Reset layout", "", Action::ResetLayout),
    command(Group::View, "Full screen", "F11", Action::ToggleFullScreen),
    command(Group::Display, "Next shading", "T", Action::CycleShading),
    command(Group::Display, "Studio, game or plain", "Shift+T", Action::CycleLook),
    command(Group::Display, "Wireframe", "W", Action::CycleWireframe),
    command(Group::Display, "Grid", "G", Action::Toggle(Switch::Grid)),
    command(Group::Display, "Shadow", "Shift+G", Action::Toggle(Switch::Shadow)),
    command(Group::Display, "Vertex normals", "N", Action::Toggle(Switch::VertexNormals)),
    command(Group::Display, "Face normals", "Shift+N", Action::Toggle(Switch::FaceNormals)),
    command(Group::Display, "Shorter normals", "[", Action::ScaleNormals(1.0 / 1.25)),
    command(Group::Display, "Longer normals", "]", Action::ScaleNormals(1.25)),
    command(Group::Display, "Tags", "A", Action::Toggle(Switch::Tags)),
    command(Group::Display, "Joints", "B", Action::Toggle(Switch::Joints)),
    command(Group::Display, "Joint names", "Shift+B", Action::Toggle(Switch::JointNames)),
    command(Group::Display, "Bounds", "X", Action::Toggle(Switch::Bounds)),
    command(Group::Display, "Vertices", "Shift+W", Action::Toggle(Switch::Vertices)),
    command(Group::Display, "Inside faces: hidden, shown, tinted", "C", Action::CycleSides),
    command(Group::Display, "Overlays on top", "Shift+X", Action::Toggle(Switch::OverlaysOnTop)),
    command(Group::Display, "Reset light", "", Action::ResetLight),
    command(Group::Animation, "Play or pause", "Space", Action::TogglePlay),
    command(Group::Animation, "One frame back", "Left", Action::Step(-1)),
    command(Group::Animation, "One frame on", "Right", Action::Step(1)),
    command(Group::Animation, "Ten frames back", "Shift+Left", Action::Step(-10)),
    command(Group::Animation, "Ten frames on", "Shift+Right", Action::Step(10)),
    command(Group::Animation, "First frame", "Ctrl+Left", Action::ClipStart),
    command(Group::Animation, "Last frame", "Ctrl+Right", Action::ClipEnd),
    command(Group::Animation, "Previous clip", "Up", Action::PreviousClip),
    command(Group::Animation, "Next clip", "Down", Action::NextClip),
    command(Group::Animation, "Slower", "-", Action::Slower),
    command(Group::Animation, "Faster", "=", Action::Faster),
    command(Group::Animation, "Normal speed", "Backspace", Action::SetSpeed(1.0)),
    command(Group::Animation, "Loop, once or to and fro", "L", Action::CycleRepeat),
    command(Group::Animation, "Loop from here", "I", Action::LoopFromHere),
    command(Group::Animation, "Loop to here", "O", Action::LoopToHere),
    command(Group::Animation, "Clear loop range", "Shift+I", Action::SetLoopRange(None)),
    command(Group::Animation, "Onion skin", "Shift+O", Action::Toggle(Switch::OnionSkin)),
    command(Group::Animation, "Fewer frames, wider", "Ctrl+=", Action::FewerFrames),
    command(Group::Animation, "More frames", "Ctrl+-", Action::MoreFrames),
    command(Group::Animation, "Clip over the whole timeline", "Z", Action::ShowClipFrames),
    command(Group::Animation, "All frames on the timeline", "Ctrl+0", Action::ShowAllFrames),
    command(Group::Animation, "Run or pause effects", "E", Action::ToggleEffects),
    command(Group::Animation, "Blend between frames", ";", Action::ToggleInterpolation),
    command(Group::Help, "First steps", "", Action::TogglePanel(Panel::Hints)),
    command(Group::Help, "User guide", "Shift+F1", Action::OpenGuide),
    command(Group::Help, "Keys", "F1 ?", Action::TogglePanel(Panel::Help)),
    command(Group::Help, "Log", "", Action::TogglePanel(Panel::Log)),
];

/// The command that does `action`, for its label and keys.
#[must_use]
pub fn command_for(action: &Action) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.action == *action)
}
