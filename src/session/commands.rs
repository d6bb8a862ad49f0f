//! The one table of commands: menus, palette, tooltips, keys and the dialog of keys all read it.

use std::fmt;
use std::sync::LazyLock;

use super::{
    Action, CameraAction, ClockAction, Dialog, DisplayAction, FileAction, Purpose, SaveAction, SceneAction, Selection,
    Session, SidePanel, TimelineAction, WindowAction,
};
use crate::scene::{BackfaceDisplay, Entity, OVERLAYS, OverlayRow, StandardView};

/// A command: everything that menus, palette, tooltips, the dialog of keys and the keyboard know of it.
pub struct Command {
    /// Stable id, under which keys are saved; it does not change with the label.
    pub id: &'static str,
    /// Where it stands in menus and in the dialog of keys.
    pub group: Group,
    /// For people; "…" if it asks more.
    pub label: &'static str,
    /// Keys as written in the dialog of keys, `Ctrl+Shift+O`; several separated by a blank. Empty: none.
    pub keys: &'static str,
    /// What it does.
    pub action: Action,
    /// Whether it does anything now.
    pub enabled: fn(&Session) -> bool,
    checked: Option<fn(&Session) -> bool>,
    /// Whether a key held down does it again and again.
    pub repeats: bool,
    /// Whether a line stands before it in its menu.
    pub after_line: bool,
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl Command {
    fn when(mut self, enabled: fn(&Session) -> bool) -> Self {
        self.enabled = enabled;
        self
    }

    fn checked(mut self, checked: fn(&Session) -> bool) -> Self {
        self.checked = Some(checked);
        self
    }

    fn repeats(mut self) -> Self {
        self.repeats = true;
        self
    }

    fn after_line(mut self) -> Self {
        self.after_line = true;
        self
    }

    /// Whether what it turns on is on; none if it turns nothing on.
    #[must_use]
    pub fn is_checked(&self, session: &Session) -> Option<bool> {
        match self.action {
            Action::Display(DisplayAction::Toggle(kind)) => Some(session.view.display.shows(kind)),
            _ => self.checked.map(|checked| checked(session)),
        }
    }

    /// What it is called now: undoing says what.
    #[must_use]
    pub fn label_now(&self, session: &Session) -> String {
        let what = match self.action {
            Action::Scene(SceneAction::Undo) => session.document.history.undoable(),
            Action::Scene(SceneAction::Redo) => session.document.history.redoable(),
            _ => None,
        };
        what.map_or_else(|| self.label.to_owned(), |what| format!("{}: {}", self.label, lower(what)))
    }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
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

/// A command of a group is of use where there is something to do it to.
fn command(id: &'static str, group: Group, label: &'static str, keys: &'static str, action: Action) -> Command {
    let enabled = match group {
        Group::Help => always,
        Group::Animation => several_frames,
        Group::File | Group::Edit | Group::View | Group::Display => model_shown,
    };
    Command { id, group, label, keys, action, enabled, checked: None, repeats: false, after_line: false }
}

fn always(_: &Session) -> bool {
    true
}

fn model_shown(session: &Session) -> bool {
    session.asset().is_some()
}

fn several_listed(session: &Session) -> bool {
    session.asset().is_some() && session.model_list.len() > 1
}

fn surface_chosen(session: &Session) -> bool {
    session.asset().is_some() && matches!(session.document.selection, Selection::Surface(_))
}

fn several_frames(session: &Session) -> bool {
    session.track().is_some_and(|track| track.clip().count > 1)
}

fn several_clips(session: &Session) -> bool {
    session.track().is_some_and(|track| track.playback.clips(track.model()).len() > 1)
}

fn has_track(session: &Session) -> bool {
    session.track().is_some_and(Entity::has_track)
}

/// All commands, in the order of menus.
pub static COMMANDS: LazyLock<Vec<Command>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for command in table() {
        let is_wireframe = command.id == "display.wireframe";
        all.push(command);
        if is_wireframe {
            all.extend(OVERLAYS.iter().map(overlay_command));
        }
    }
    all
});

/// Switches an overlay.
fn overlay_command(row: &OverlayRow) -> Command {
    let action = Action::Display(DisplayAction::Toggle(row.kind));
    let command = command(row.id, Group::Display, row.label, row.keys, action);
    Command { after_line: row.after_line, ..command }
}

/// All but the overlays.
#[rustfmt::skip]
fn table() -> Vec<Command> {
    vec![
        command("file.open", Group::File, "Open…", "Ctrl+O", Action::File(FileAction::Ask(Purpose::Open))).when(always),
        command("file.open-folder", Group::File, "Open folder…", "Ctrl+Shift+O", Action::File(FileAction::Ask(Purpose::OpenFolder))).when(always),
        command("file.search-another-folder", Group::File, "Search another folder…", "", Action::File(FileAction::Ask(Purpose::AddRoot))).when(always),
        command("file.restore-the-last-session", Group::File, "Restore the last session", "", Action::File(FileAction::RestoreLast)).when(|session| session.last_session.is_some()),
        command("file.close", Group::File, "Close", "Ctrl+W", Action::File(FileAction::Close)).after_line(),
        command("file.reload", Group::File, "Reload", "F5", Action::File(FileAction::Reload)).when(|session| session.asset().is_some_and(|part| part.file.is_some())),
        command("file.next-model", Group::File, "Next model", "PageDown", Action::File(FileAction::NextModel)).when(several_listed).repeats().after_line(),
        command("file.previous-model", Group::File, "Previous model", "PageUp", Action::File(FileAction::PreviousModel)).when(several_listed).repeats(),
        command("file.save-picture", Group::File, "Save picture…", "F12", Action::Save(SaveAction::SavePicture)).after_line(),
        command("file.save-transparent-picture", Group::File, "Save transparent picture…", "Ctrl+F12", Action::Save(SaveAction::SaveTransparent)),
        command("file.copy-picture", Group::File, "Copy picture", "Shift+F12", Action::Save(SaveAction::CopyPicture)),
        command("file.save-film", Group::File, "Save film…", "", Action::Save(SaveAction::SaveFilm)),
        command("file.contact-sheet", Group::File, "Contact sheet…", "", Action::Save(SaveAction::SaveContactSheet)),
        command("file.quit", Group::File, "Quit", "Ctrl+Q", Action::Window(WindowAction::Quit)).when(always).after_line(),
        command("edit.undo", Group::Edit, "Undo", "Ctrl+Z", Action::Scene(SceneAction::Undo)).when(|session| session.asset().is_some() && session.document.history.undoable().is_some()).repeats(),
        command("edit.redo", Group::Edit, "Redo", "Ctrl+Shift+Z Ctrl+Y", Action::Scene(SceneAction::Redo)).when(|session| session.asset().is_some() && session.document.history.redoable().is_some()).repeats(),
        command("edit.next-skin", Group::Edit, "Next skin", "K", Action::Scene(SceneAction::NextSkin)).when(|session| session.asset().is_some_and(|part| part.skins.len() > 1)).after_line(),
        command("edit.hide-or-show-the-chosen-surface", Group::Edit, "Hide or show the chosen surface", "H", Action::Scene(SceneAction::ToggleChosenSurface)).when(surface_chosen),
        command("edit.show-the-chosen-surface-alone", Group::Edit, "Show the chosen surface alone", "Shift+H", Action::Scene(SceneAction::ShowOnlyChosen)).when(surface_chosen),
        command("edit.show-all-surfaces", Group::Edit, "Show all surfaces", "Alt+H", Action::Scene(SceneAction::ShowAllSurfaces)).when(|session| session.entity().is_some_and(|entity| entity.visible.contains(&false))),
        command("edit.show-all-parts", Group::Edit, "Show all parts", "Alt+Shift+H", Action::Scene(SceneAction::ShowAllEntities)).when(|session| session.asset().is_some() && session.document.scene.entities().len() > 1),
        command("edit.find-an-action", Group::Edit, "Find an action…", "Ctrl+K", Action::Window(WindowAction::ToggleDialog(Dialog::Palette))).when(always).after_line(),
        command("edit.settings", Group::Edit, "Settings…", "Ctrl+,", Action::Window(WindowAction::ToggleDialog(Dialog::Settings))).when(always),
        command("view.frame-the-model", Group::View, "Frame the model", "Home", Action::Camera(CameraAction::FrameModel)),
        command("view.focus-the-selection", Group::View, "Focus the selection", ".", Action::Camera(CameraAction::FocusSelection)),
        command("view.reset-view", Group::View, "Reset view", "Enter", Action::Camera(CameraAction::ResetView)),
        command("view.front", Group::View, "Front", "1", Action::Camera(CameraAction::LookFrom(StandardView::Front))).after_line(),
        command("view.back", Group::View, "Back", "Ctrl+1", Action::Camera(CameraAction::LookFrom(StandardView::Back))),
        command("view.left", Group::View, "Left", "3", Action::Camera(CameraAction::LookFrom(StandardView::Left))),
        command("view.right", Group::View, "Right", "Ctrl+3", Action::Camera(CameraAction::LookFrom(StandardView::Right))),
        command("view.top", Group::View, "Top", "7", Action::Camera(CameraAction::LookFrom(StandardView::Top))),
        command("view.bottom", Group::View, "Bottom", "Ctrl+7", Action::Camera(CameraAction::LookFrom(StandardView::Bottom))),
        command("view.isometric", Group::View, "Isometric", "9", Action::Camera(CameraAction::LookFrom(StandardView::Isometric))),
        command("view.perspective-or-orthographic", Group::View, "Perspective or orthographic", "5", Action::Camera(CameraAction::ToggleProjection)).after_line(),
        command("view.turntable", Group::View, "Turntable", "Y", Action::Camera(CameraAction::ToggleTurntable)).checked(|session| session.view.moves.turntable),
        command("view.inspector", Group::View, "Inspector", "F4", Action::Window(WindowAction::TogglePanel(SidePanel::Inspector))).checked(|session| session.interface.panels.inspector).after_line(),
        command("view.files", Group::View, "Files", "F3", Action::Window(WindowAction::TogglePanel(SidePanel::Files))).checked(|session| session.interface.panels.files),
        command("view.hide-panels", Group::View, "Hide panels", "F9", Action::Window(WindowAction::ToggleAllPanels)).checked(|session| session.interface.panels.hidden),
        command("view.reset-layout", Group::View, "Reset layout", "", Action::Window(WindowAction::ResetLayout)),
        command("view.full-screen", Group::View, "Full screen", "F11", Action::Window(WindowAction::ToggleFullScreen)).when(always),
        command("display.next-shading", Group::Display, "Next shading", "T", Action::Display(DisplayAction::CycleShading)),
        command("display.studio-game-or-plain", Group::Display, "Studio, game or plain", "Shift+T", Action::Display(DisplayAction::CycleLighting)),
        command("display.wireframe", Group::Display, "Wireframe", "W", Action::Display(DisplayAction::CycleWireframe)),
        command("display.shorter-normals", Group::Display, "Shorter normals", "[", Action::Display(DisplayAction::ScaleNormals(1.0 / 1.25))).repeats(),
        command("display.longer-normals", Group::Display, "Longer normals", "]", Action::Display(DisplayAction::ScaleNormals(1.25))).repeats(),
        command("display.inside-faces-hidden-shown-tinted", Group::Display, "Inside faces: hidden, shown, tinted", "C", Action::Display(DisplayAction::CycleSides)).checked(|session| session.view.display.sides != BackfaceDisplay::Front).after_line(),
        command("display.overlays-on-top", Group::Display, "Overlays on top", "Shift+X", Action::Display(DisplayAction::ToggleOverlaysOnTop)).checked(|session| session.view.display.overlays_on_top),
        command("display.reset-light", Group::Display, "Reset light", "", Action::Display(DisplayAction::ResetLight)),
        command("animation.play-or-pause", Group::Animation, "Play or pause", "Space", Action::Clock(ClockAction::TogglePlay)),
        command("animation.one-frame-back", Group::Animation, "One frame back", "Left", Action::Clock(ClockAction::Step(-1))).repeats().after_line(),
        command("animation.one-frame-on", Group::Animation, "One frame on", "Right", Action::Clock(ClockAction::Step(1))).repeats(),
        command("animation.ten-frames-back", Group::Animation, "Ten frames back", "Shift+Left", Action::Clock(ClockAction::Step(-10))).repeats(),
        command("animation.ten-frames-on", Group::Animation, "Ten frames on", "Shift+Right", Action::Clock(ClockAction::Step(10))).repeats(),
        command("animation.first-frame", Group::Animation, "First frame", "Ctrl+Left", Action::Clock(ClockAction::ClipStart)),
        command("animation.last-frame", Group::Animation, "Last frame", "Ctrl+Right", Action::Clock(ClockAction::ClipEnd)),
        command("animation.previous-clip", Group::Animation, "Previous clip", "Up", Action::Clock(ClockAction::PreviousClip)).when(several_clips).repeats().after_line(),
        command("animation.next-clip", Group::Animation, "Next clip", "Down", Action::Clock(ClockAction::NextClip)).when(several_clips).repeats(),
        command("animation.slower", Group::Animation, "Slower", "-", Action::Clock(ClockAction::Slower)).after_line(),
        command("animation.faster", Group::Animation, "Faster", "=", Action::Clock(ClockAction::Faster)),
        command("animation.normal-speed", Group::Animation, "Normal speed", "Backspace", Action::Clock(ClockAction::SetSpeed(1.0))).when(has_track),
        command("animation.loop-once-or-to-and-fro", Group::Animation, "Loop, once or to and fro", "L", Action::Clock(ClockAction::CycleRepeat)).when(has_track).after_line(),
        command("animation.loop-from-here", Group::Animation, "Loop from here", "I", Action::Clock(ClockAction::LoopFromHere)),
        command("animation.loop-to-here", Group::Animation, "Loop to here", "O", Action::Clock(ClockAction::LoopToHere)),
        command("animation.clear-loop-range", Group::Animation, "Clear loop range", "Shift+I", Action::Clock(ClockAction::SetLoopRange(None))),
        command("animation.onion-skin", Group::Animation, "Onion skin", "Shift+O", Action::Timeline(TimelineAction::ToggleOnion)).checked(|session| session.view.onion.on),
        command("animation.fewer-frames-wider", Group::Animation, "Fewer frames, wider", "Ctrl+=", Action::Timeline(TimelineAction::FewerFrames)),
        command("animation.more-frames", Group::Animation, "More frames", "Ctrl+-", Action::Timeline(TimelineAction::MoreFrames)),
        command("animation.clip-over-the-whole-timeline", Group::Animation, "Clip over the whole timeline", "Z", Action::Timeline(TimelineAction::ShowClipFrames)),
        command("animation.all-frames-on-the-timeline", Group::Animation, "All frames on the timeline", "Ctrl+0", Action::Timeline(TimelineAction::ShowAllFrames)),
        command("animation.run-or-pause-effects", Group::Animation, "Run or pause effects", "E", Action::Clock(ClockAction::ToggleEffects)).when(|session| session.asset().is_some() && session.has_effects()),
        command("animation.blend-between-frames", Group::Animation, "Blend between frames", ";", Action::Clock(ClockAction::ToggleInterpolation)).when(has_track).checked(|session| session.playback().interpolate),
        command("help.first-steps", Group::Help, "First steps", "", Action::Window(WindowAction::ToggleDialog(Dialog::Hints))),
        command("help.user-guide", Group::Help, "User guide", "Shift+F1", Action::Window(WindowAction::OpenGuide)),
        command("help.keys", Group::Help, "Keys", "F1 ?", Action::Window(WindowAction::ToggleDialog(Dialog::Help))).after_line(),
        command("help.log", Group::Help, "Log", "", Action::Window(WindowAction::ToggleDialog(Dialog::Log))),
    ]
}

/// The command that does `action`, for its label and keys.
#[must_use]
pub fn command_for(action: &Action) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.action == *action)
}
