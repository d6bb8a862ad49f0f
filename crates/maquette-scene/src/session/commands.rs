//! Table of commands for menus, palette, tooltips, shortcuts and the shortcut editor.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::LazyLock;

use super::interface::dock_tab;
use super::{
    Action, CameraAction, ClockAction, Dialog, DisplayAction, EditAction, EditSubject, FileAction, FilePrompt,
    SaveAction, SceneAction, Selection, Session, SidePanel, TimelineAction, WindowAction,
};
use crate::scene::{BackfaceDisplay, Entity, OVERLAYS, OverlayKind, OverlayRow, StandardView};
use maquette_core::edit::{
    ADD_TAG, NAMES_AND_REPAIRS, OPERATIONS, Operation, RECOMPUTE_BOUNDS, RECOMPUTE_NORMALS, REMOVE_DEGENERATE,
    REMOVE_TAG, RENAME_FRAME, SET_MATERIAL, TAGS,
};

/// Command of menus, palette and keyboard.
pub struct Command {
    /// Stable id, under which shortcuts are saved. It does not change with the label.
    pub id: &'static str,
    /// Group in menus and in the shortcut editor.
    pub group: Group,
    /// Display name. It ends in "…" if the command asks for more.
    pub label: &'static str,
    /// Default shortcuts in the notation of the shortcut editor (`Ctrl+Shift+O`), separated by spaces; empty if there
    /// are none.
    pub keys: &'static str,
    /// Action of the command.
    pub action: Action,
    /// Whether the command is available, apart from the reasons in [`Self::why_not`].
    pub enabled: fn(&Session) -> bool,
    why_not: Option<WhyNot>,
    /// Reason why `enabled` is false; empty for the usual reason of the group.
    lack: &'static str,
    checked: Option<fn(&Session) -> bool>,
    /// Search words, separated by spaces: `gif video` finds “Export animation…”.
    pub keywords: &'static str,
    /// Whether the command repeats while its key is held.
    pub repeats: bool,
    /// Whether a separator precedes the command in its menu.
    pub after_line: bool,
    /// Submenu that contains the command.
    pub submenu: Option<&'static str>,
}

type WhyNot = fn(&Session) -> Option<Cow<'static, str>>;

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl Command {
    pub(super) fn when(mut self, enabled: fn(&Session) -> bool) -> Self {
        self.enabled = enabled;
        self
    }

    pub(super) fn unless(mut self, why_not: WhyNot) -> Self {
        self.why_not = Some(why_not);
        self
    }

    fn lacking(mut self, reason: &'static str) -> Self {
        self.lack = reason;
        self
    }

    fn checked(mut self, checked: fn(&Session) -> bool) -> Self {
        self.checked = Some(checked);
        self
    }

    pub(super) fn found_by(mut self, keywords: &'static str) -> Self {
        self.keywords = keywords;
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

    fn within(mut self, submenu: &'static str) -> Self {
        self.submenu = Some(submenu);
        self
    }

    /// Returns whether the command's option is on; `None` if the command is not a switch.
    pub fn is_checked(&self, session: &Session) -> Option<bool> {
        match self.action {
            Action::Display(DisplayAction::Toggle(kind)) => {
                Some(session.view.display.shows(kind) && session.overlay_unavailable(kind).is_none())
            }
            Action::Window(WindowAction::ToggleDock(tab)) => Some(session.interface.panels.dock == Some(tab)),
            _ => self.checked.map(|checked| checked(session)),
        }
    }

    /// Whether the command is available.
    pub fn is_enabled(&self, session: &Session) -> bool {
        (self.enabled)(session) && self.why_not(session).is_none()
    }

    /// Returns the reason why the command is unavailable; `None` if it is available.
    pub fn reason(&self, session: &Session) -> Option<Cow<'static, str>> {
        if (self.enabled)(session) {
            return self.why_not(session);
        }
        Some(Cow::Borrowed(match self.group {
            _ if !self.lack.is_empty() => self.lack,
            _ if session.asset().is_none() => "Open a model first",
            Group::Animation if has_track(session) => "The clip has a single frame",
            Group::Animation => "The model has no animation",
            _ => "Not available for this model",
        }))
    }

    /// Returns the reason why the command is unavailable, for a message when its key is pressed; `None` if it is
    /// available or the reason is obvious.
    pub fn why_not(&self, session: &Session) -> Option<Cow<'static, str>> {
        match self.action {
            Action::Display(DisplayAction::Toggle(kind)) => session.overlay_unavailable(kind).map(Cow::Borrowed),
            Action::Edit(EditAction::Operate(operation)) => session.document.why_no_edit(operation),
            _ => self.why_not.and_then(|why_not| why_not(session)),
        }
    }

    /// Returns the current label. The labels of undo and redo include the step.
    pub fn label_now(&self, session: &Session) -> String {
        let what = match self.action {
            Action::Scene(SceneAction::Undo) => session.document.history.undoable(),
            Action::Scene(SceneAction::Redo) => session.document.history.redoable(),
            _ => None,
        };
        what.map_or_else(|| self.label.to_owned(), |what| format!("{}: {}", self.label, lower(what)))
    }
}

pub(super) fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

/// Groups of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Opening, saving, quitting.
    File,
    /// Undo, selection, settings.
    Edit,
    /// Operations on the model.
    Model,
    /// Camera and panels.
    View,
    /// Display of the model.
    Display,
    /// Clips and time.
    Animation,
    /// Shortcuts and log.
    Help,
}

impl Group {
    /// Groups in the order of the menu bar.
    pub const ALL: &[Self] =
        &[Self::File, Self::Edit, Self::Model, Self::View, Self::Display, Self::Animation, Self::Help];

    /// Returns the display name.
    pub fn label(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Model => "Model",
            Self::View => "View",
            Self::Display => "Display",
            Self::Animation => "Animation",
            Self::Help => "Help",
        }
    }
}

const MODEL_DATA: &str = "Model data";
const LOOP_RANGE: &str = "Loop range";
const TIMELINE_ZOOM: &str = "Timeline zoom";

/// Creates a command that is available when its group applies to the scene.
pub(super) fn command(
    id: &'static str,
    group: Group,
    label: &'static str,
    keys: &'static str,
    action: Action,
) -> Command {
    let enabled = match group {
        Group::Help => always,
        Group::Animation => several_frames,
        Group::File | Group::Edit | Group::Model | Group::View | Group::Display => model_shown,
    };
    Command {
        id,
        group,
        label,
        keys,
        action,
        enabled,
        why_not: None,
        lack: "",
        checked: None,
        keywords: "",
        repeats: false,
        after_line: false,
        submenu: None,
    }
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
    session.asset().is_some() && session.document.selection.surface().is_some()
}

const SELECT_SURFACE: &str = "Select a surface first";
const SELECT_POINT: &str = "Select a tag, a joint or a vertex first";
const NO_OTHER_MODEL: &str = "The list has no other model";
const NO_PANEL: &str = "Open a panel first";
const NOT_COMPARED: &str = "No models are compared";

/// Returns the reason why a command is unavailable, unless it is available.
fn why(is_available: bool, reason: &'static str) -> Option<Cow<'static, str>> {
    (!is_available).then_some(Cow::Borrowed(reason))
}

/// Whether the clip of any part has several frames: playback moves all parts.
fn several_frames(session: &Session) -> bool {
    session.document.tracks().iter().any(|track| track.clip().count > 1)
}

fn several_clips(session: &Session) -> bool {
    session.document.track().is_some_and(|track| track.playback.clips(track.model()).len() > 1)
}

pub(super) fn has_track(session: &Session) -> bool {
    session.document.track().is_some_and(Entity::has_track)
}

impl Session {
    /// Returns the reason why an overlay is unavailable for all parts of the scene; `None` if it is available for any
    /// part.
    pub fn overlay_unavailable(&self, kind: OverlayKind) -> Option<&'static str> {
        let row = OVERLAYS.iter().find(|row| row.kind == kind)?;
        let mut parts = self.document.scene.entities().iter().map(|entity| (row.unavailable)(entity.model()));
        parts.next().flatten().filter(|_| parts.all(|lacks| lacks.is_some()))
    }
}

/// All commands, in the order of menus.
pub static COMMANDS: LazyLock<Vec<Command>> = LazyLock::new(|| {
    let mut all = Vec::new();
    let operations = OPERATIONS.iter().filter(|operation| operation.group != NAMES_AND_REPAIRS);
    let operations = operations.map(operation_command).collect();
    let groups = [
        file_commands(),
        edit_commands(),
        operations,
        tag_commands(),
        view_commands(),
        display_commands(),
        animation_commands(),
        help_commands(),
    ];
    for command in groups.into_iter().flatten() {
        let id = command.id;
        all.push(command);
        match id {
            "view.gallery" => all.extend(dock_tab::commands()),
            "display.wireframe" => all.extend(OVERLAYS.iter().map(overlay_command)),
            _ => {}
        }
    }
    all
});

fn operation_command(operation: &'static Operation) -> Command {
    let asks = if operation.parameters.is_empty() { "" } else { "…" };
    // Commands exist until the program ends.
    let id = format!("model.{}", operation.name).leak();
    let label = format!("{}{asks}", operation.title).leak();
    let command = command(id, Group::Model, label, "", Action::Edit(EditAction::Operate(operation)));
    command.found_by(operation.help).within(operation.group)
}

/// Returns the commands with their own dialogs, which continue the submenu of the operations on tags.
fn tag_commands() -> Vec<Command> {
    let tag = |id, label, action| command(id, Group::Model, label, "", Action::Edit(action)).within(TAGS);
    vec![
        tag("edit.add-tag", "Add tag…", EditAction::Ask(EditSubject::NewTag))
            .found_by("new attachment point mend")
            .unless(|session| session.document.why_no_edit(&ADD_TAG)),
        tag("edit.remove-tag", "Remove tag", EditAction::RemoveTag)
            .found_by("delete attachment point mend")
            .unless(|session| session.document.why_no_tag_edit(&REMOVE_TAG)),
    ]
}

fn overlay_command(row: &OverlayRow) -> Command {
    let action = Action::Display(DisplayAction::Toggle(row.kind));
    let command = command(row.id, Group::Display, row.label, row.keys, action);
    Command { after_line: row.after_line, keywords: row.keywords, ..command }
}

#[rustfmt::skip]
fn file_commands() -> Vec<Command> {
    let file = |id, label, keys, action| command(id, Group::File, label, keys, action);
    vec![
        file("file.open", "Open…", "Ctrl+O", Action::File(FileAction::Ask(FilePrompt::Open))).found_by("load import file model browse").when(always),
        file("file.open-folder", "Open folder…", "Ctrl+Shift+O", Action::File(FileAction::Ask(FilePrompt::OpenFolder))).found_by("directory archive pk3 pak pk4 load game browse").when(always),
        file("file.search-another-folder", "Add search folder…", "", Action::File(FileAction::Ask(FilePrompt::AddRoot))).found_by("search path root texture directory missing base game").when(always),
        file("file.restore-the-last-session", "Restore last session", "", Action::File(FileAction::RestoreLast)).found_by("reopen previous resume continue").when(|session| session.last_session.is_some()).lacking("No saved session"),
        file("file.close", "Close", "Ctrl+W", Action::File(FileAction::Close)).found_by("unload").after_line(),
        file("file.reload", "Reload", "F5", Action::File(FileAction::Reload)).found_by("refresh revert disk again update").when(|session| session.asset().is_some_and(|asset| asset.file.is_some())).lacking("No file is open"),
        file("file.next-model", "Next model", "PageDown", Action::File(FileAction::NextModel)).found_by("forward following file").unless(|session| why(several_listed(session), NO_OTHER_MODEL)).repeats().after_line(),
        file("file.previous-model", "Previous model", "PageUp", Action::File(FileAction::PreviousModel)).found_by("backward file").unless(|session| why(several_listed(session), NO_OTHER_MODEL)).repeats(),
        file("file.next-problem", "Next model with a problem", "Shift+PageDown", Action::File(FileAction::NextProblem)).found_by("check broken missing texture error folder triage").when(always).unless(|session| why(session.model_list.len() > 1, NO_OTHER_MODEL)),
        file("file.check-files", "Check all listed models", "", Action::File(FileAction::CheckFiles)).found_by("folder problems missing textures lint batch").when(|session| !session.model_list.is_empty()).lacking("Open a folder first"),
        file("file.save-picture", "Save image…", "F12", Action::Save(SaveAction::SaveImage)).found_by("screenshot screen shot picture png render snapshot export capture still photo").after_line(),
        file("file.save-transparent-picture", "Save image (transparent)…", "Ctrl+F12", Action::Save(SaveAction::SaveTransparent)).found_by("screenshot screen shot picture png alpha background cutout export render"),
        file("file.copy-picture", "Copy image", "Shift+F12", Action::Save(SaveAction::CopyImage)).found_by("screenshot screen shot picture clipboard capture"),
        file("file.save-film", "Export animation…", "", Action::Save(SaveAction::SaveFilm)).found_by("gif apng video movie film record capture turntable frames sequence save render mp4"),
        file("file.export-model", "Export model…", "Ctrl+E", Action::Save(SaveAction::SaveModel)).found_by("gltf glb obj blender convert save mesh 3d").after_line(),
        file("file.contact-sheet", "Export contact sheet…", "", Action::Save(SaveAction::SaveContactSheet)).found_by("overview thumbnails grid sprite clips film save images"),
        file("file.compare", "Compare with…", "", Action::File(FileAction::Ask(FilePrompt::Compare))).found_by("diff difference two models versus"),
        file("file.stop-comparing", "Stop comparing", "", Action::File(FileAction::StopComparing)).found_by("end close comparison difference").when(|session| session.document.comparison.is_some()).lacking(NOT_COMPARED),
        file("file.save-model", "Save model", "Ctrl+S", Action::Edit(EditAction::Save)).found_by("write store file changes edits md3 disk").unless(|session| why(session.document.part_to_save().is_some(), "No changes to save")).after_line(),
        file("file.save-model-as", "Save model as…", "Ctrl+Shift+S", Action::Edit(EditAction::SaveAs)).found_by("write store file changes edits md3 disk").unless(|session| why(session.document.part_to_copy().is_some(), "Sample models have no file")),
        file("file.save-clip-list", "Save clip list…", "", Action::Save(SaveAction::SaveClipList)).found_by("animation.cfg framegroups clips animations write export store").unless(|session| session.document.clip_list(None, Path::new("")).err().map(Cow::Borrowed)),
        file("file.discard-changes", "Discard changes", "", Action::Edit(EditAction::Discard)).found_by("revert undo all reset edits").unless(|session| why(session.document.has_unsaved(), "No unsaved changes")),
        file("file.quit", "Quit", "Ctrl+Q", Action::Window(WindowAction::Quit)).found_by("exit close end").when(always).after_line(),
    ]
}

#[rustfmt::skip]
fn edit_commands() -> Vec<Command> {
    let edit = |id, label, keys, action| command(id, Group::Edit, label, keys, action);
    vec![
        edit("edit.undo", "Undo", "Ctrl+Z", Action::Scene(SceneAction::Undo)).found_by("revert back").when(|session| session.asset().is_some() && session.document.history.undoable().is_some()).lacking("Nothing to undo").repeats(),
        edit("edit.redo", "Redo", "Ctrl+Shift+Z Ctrl+Y", Action::Scene(SceneAction::Redo)).found_by("repeat again").when(|session| session.asset().is_some() && session.document.history.redoable().is_some()).lacking("Nothing to redo").repeats(),
        edit("edit.next-skin", "Next skin", "K", Action::Scene(SceneAction::NextSkin)).found_by("cycle texture change").unless(|session| why(session.asset().is_some() && session.document.skin_names().len() > 1, "The model has no other skin")).after_line(),
        edit("edit.hide-or-show-the-chosen-surface", "Toggle surface visibility", "H", Action::Scene(SceneAction::ToggleChosenSurface)).found_by("hide show mesh").unless(|session| why(surface_chosen(session), SELECT_SURFACE)),
        edit("edit.show-the-chosen-surface-alone", "Isolate selected surface", "Shift+H", Action::Scene(SceneAction::ShowOnlyChosen)).found_by("solo only local view hide others mesh").unless(|session| why(surface_chosen(session), SELECT_SURFACE)),
        edit("edit.show-all-surfaces", "Show all surfaces", "Alt+H", Action::Scene(SceneAction::ShowAllSurfaces)).found_by("unhide reveal mesh").unless(|session| why(session.entity().is_some_and(|entity| entity.visible.contains(&false)), "No surface is hidden")),
        edit("edit.show-all-parts", "Show all parts", "Alt+Shift+H", Action::Scene(SceneAction::ShowAllEntities)).found_by("unhide reveal character full").unless(|session| why(session.document.scene.entities().iter().any(|entity| entity.hidden), "No part is hidden")),
        edit("edit.detach", "Detach selected part", "Delete", Action::Scene(SceneAction::DetachFocused)).found_by("remove delete weapon attachment take off unattach").unless(|session| why(session.document.detachable().is_some(), "Select an attached part first")),
        edit("edit.set-texture", "Set texture…", "", Action::File(FileAction::Ask(FilePrompt::TryTexture))).found_by("image skin material assign apply replace other").after_line(),
        edit("edit.shader-path", "Edit shader path…", "Ctrl+P", Action::Edit(EditAction::Ask(EditSubject::ShaderPath))).found_by("material texture path change fix skin rename mend").unless(|session| session.document.why_no_surface_edit(&SET_MATERIAL)),
        edit("edit.make-permanent", "Write texture path to model", "", Action::Edit(EditAction::MakePermanent)).found_by("use it keep override shader path write file mend").unless(|session| session.document.why_not_permanent()),
        edit("edit.rename", "Rename…", "Shift+F2", Action::Edit(EditAction::Ask(EditSubject::Name))).found_by("name surface tag mesh change mend").unless(|session| session.document.why_no_rename()),
        edit("edit.rename-frame", "Rename frame…", "", Action::Edit(EditAction::Ask(EditSubject::FrameName))).found_by("name change mend").unless(|session| session.document.why_no_edit(&RENAME_FRAME)).within(MODEL_DATA),
        edit("edit.move-skin-up", "Move skin up", "", Action::Edit(EditAction::MoveSkin { up: true })).found_by("order reorder first mend").unless(|session| session.document.why_no_skin_move(true)).after_line().within(MODEL_DATA),
        edit("edit.move-skin-down", "Move skin down", "", Action::Edit(EditAction::MoveSkin { up: false })).found_by("order reorder last mend").unless(|session| session.document.why_no_skin_move(false)).within(MODEL_DATA),
        edit("edit.recompute-normals", "Recompute normals", "", Action::Edit(EditAction::Operate(&RECOMPUTE_NORMALS))).found_by("shading smooth fix calculate mend").after_line().within(MODEL_DATA),
        edit("edit.recompute-bounds", "Recompute bounds and radii", "", Action::Edit(EditAction::Operate(&RECOMPUTE_BOUNDS))).found_by("box bounding culling radius fix calculate mend").within(MODEL_DATA),
        edit("edit.remove-degenerate-triangles", "Remove degenerate triangles", "", Action::Edit(EditAction::Operate(&REMOVE_DEGENERATE))).found_by("zero area clean drop delete fix mend").within(MODEL_DATA),
        edit("edit.cycle-selection-level", "Cycle selection mode (surfaces / triangles / vertices)", "S", Action::Scene(SceneAction::CycleSelectionLevel)).found_by("pick click choose face polygon vertex point element").after_line(),
        edit("edit.measure-from-selection", "Measure from selection", "M", Action::Scene(SceneAction::MeasureFromSelection)).found_by("distance ruler length between units").unless(|session| why(session.document.selection != Selection::None || session.document.measured_from.is_some(), "Select a point to measure from first")).checked(|session| session.document.measured_from.is_some()),
        edit("edit.pin-selection", "Pin selection for motion", "", Action::Scene(SceneAction::PinSelection)).found_by("follow track trail curve keep compare").unless(|session| why(session.document.selection.point().is_some(), SELECT_POINT)),
        edit("edit.find-an-action", "Command palette…", "Ctrl+K", Action::Window(WindowAction::ToggleDialog(Dialog::Palette))).found_by("search find action").when(always).after_line(),
        edit("edit.settings", "Settings…", "Ctrl+,", Action::Window(WindowAction::ToggleDialog(Dialog::Settings))).found_by("preferences options configuration").when(always),
    ]
}

#[rustfmt::skip]
fn view_commands() -> Vec<Command> {
    let view = |id, label, keys, action| command(id, Group::View, label, keys, action);
    vec![
        view("view.frame-the-model", "Frame all", "Home", Action::Camera(CameraAction::FrameModel)).found_by("zoom fit centre center focus"),
        view("view.focus-the-selection", "Frame selected", ".", Action::Camera(CameraAction::FocusSelection)).found_by("zoom fit centre center focus selection"),
        view("view.lod-distance", "View from LOD distance", "", Action::Camera(CameraAction::ViewFromLodDistance)).found_by("level detail switch preview far small").unless(|session| session.half_height_of_lod().err().map(Cow::Borrowed)),
        view("view.reset-view", "Reset view", "Enter", Action::Camera(CameraAction::ResetView)).found_by("camera home default"),
        view("view.front", "Front", "1", Action::Camera(CameraAction::LookFrom(StandardView::Front))).found_by("camera axis numpad").after_line(),
        view("view.back", "Back", "Ctrl+1", Action::Camera(CameraAction::LookFrom(StandardView::Back))).found_by("camera axis rear"),
        view("view.left", "Left", "3", Action::Camera(CameraAction::LookFrom(StandardView::Left))).found_by("camera axis side"),
        view("view.right", "Right", "Ctrl+3", Action::Camera(CameraAction::LookFrom(StandardView::Right))).found_by("camera axis side"),
        view("view.top", "Top", "7", Action::Camera(CameraAction::LookFrom(StandardView::Top))).found_by("camera axis above"),
        view("view.bottom", "Bottom", "Ctrl+7", Action::Camera(CameraAction::LookFrom(StandardView::Bottom))).found_by("camera axis below"),
        view("view.isometric", "Isometric", "9", Action::Camera(CameraAction::LookFrom(StandardView::Isometric))).found_by("camera axis corner"),
        view("view.perspective-or-orthographic", "Toggle perspective/orthographic", "5", Action::Camera(CameraAction::ToggleProjection)).found_by("projection camera ortho parallel").after_line(),
        view("view.turntable", "Turntable", "Y", Action::Camera(CameraAction::ToggleTurntable)).found_by("rotate spin auto orbit turn").checked(|session| session.view.moves.turntable),
        view("view.copy-view", "Copy view", "", Action::Camera(CameraAction::CopyView)).found_by("camera position clipboard text snapshot command line").after_line(),
        view("view.paste-view", "Paste view", "", Action::Camera(CameraAction::PasteView)).found_by("camera position clipboard text"),
        view("view.folder-view", "Use view for whole folder", "", Action::Camera(CameraAction::ToggleFolderView)).found_by("camera first front direction remember default models").when(|session| session.folder_view().is_some()).checked(|session| session.folder_view().is_some_and(|(_, is_kept)| is_kept)),
        view("view.inspector", "Inspector", "F4", Action::Window(WindowAction::TogglePanel(SidePanel::Inspector))).found_by("properties sidebar panel details right").checked(|session| session.interface.panels.inspector).after_line(),
        view("view.files", "Files", "F3", Action::Window(WindowAction::TogglePanel(SidePanel::Files))).found_by("browser scene sidebar panel list tree left").checked(|session| session.interface.panels.files),
        view("view.gallery", "Gallery…", "Shift+F3", Action::Window(WindowAction::ToggleDialog(Dialog::Gallery))).found_by("thumbnails grid large images browse folder models overview sort order triangles").when(always).unless(|session| why(session.model_list.len() > 1, "Open a folder to see its models")),
        view("view.swap-compared", "Swap compared models", "D", Action::File(FileAction::SwapCompared)).found_by("diff flip blink toggle other").unless(|session| why(session.document.comparison.is_some(), NOT_COMPARED)),
        view("view.move-panel", "Panel below or next to view", "", Action::Window(WindowAction::ToggleDockSide)).found_by("dock move side bottom right position place layout uv compare").when(|session| session.interface.panels.dock.is_some()).lacking(NO_PANEL).after_line(),
        view("view.maximise-panel", "Maximise panel", "", Action::Window(WindowAction::ToggleDockMaximised)).found_by("dock maximize enlarge full size restore uv texture compare").unless(|session| why(session.interface.panels.dock.is_some(), NO_PANEL)).checked(|session| session.interface.panels.dock_maximised),
        view("view.hide-panels", "Toggle panels", "F9", Action::Window(WindowAction::ToggleAllPanels)).found_by("hide sidebars interface clean distraction"),
        view("view.reset-layout", "Reset layout", "", Action::Window(WindowAction::ResetLayout)).found_by("panels default window"),
        view("view.full-screen", "Full screen", "F11", Action::Window(WindowAction::ToggleFullScreen)).found_by("fullscreen maximise maximize").when(always),
    ]
}

#[rustfmt::skip]
fn display_commands() -> Vec<Command> {
    let display = |id, label, keys, action| command(id, Group::Display, label, keys, action);
    vec![
        display("display.next-shading", "Cycle shading mode", "T", Action::Display(DisplayAction::CycleShading)).found_by("clay unlit normals checker textured render mode matcap"),
        display("display.studio-game-or-plain", "Cycle lighting (studio / in-game / ignore shaders)", "Shift+T", Action::Display(DisplayAction::CycleLighting)).found_by("light in-game studio plain look shader fullbright"),
        display("display.wireframe", "Wireframe", "W", Action::Display(DisplayAction::CycleWireframe)).found_by("edges triangles polygons mesh topology"),
        display("display.shorter-normals", "Shorter normals", "[", Action::Display(DisplayAction::ScaleNormals(1.0 / 1.25))).found_by("length").repeats(),
        display("display.longer-normals", "Longer normals", "]", Action::Display(DisplayAction::ScaleNormals(1.25))).found_by("length").repeats(),
        display("display.inside-faces-hidden-shown-tinted", "Backfaces (cull / show / tint)", "C", Action::Display(DisplayAction::CycleSides)).found_by("culling cull two-sided double-sided inside winding back face").checked(|session| session.view.display.sides != BackfaceDisplay::Front).after_line(),
        display("display.overlays-on-top", "X-ray overlays", "Shift+X", Action::Display(DisplayAction::ToggleOverlaysOnTop)).found_by("xray see through depth occluded on top always").checked(|session| session.view.display.overlays_on_top),
        display("display.reset-light", "Reset lighting", "", Action::Display(DisplayAction::ResetLight)).found_by("lamp default"),
    ]
}

#[rustfmt::skip]
fn animation_commands() -> Vec<Command> {
    let animation = |id, label, keys, action| command(id, Group::Animation, label, keys, action);
    vec![
        animation("animation.play-or-pause", "Play or pause", "Space", Action::Clock(ClockAction::TogglePlay)).found_by("stop start animation"),
        animation("animation.one-frame-back", "Previous frame", "Left", Action::Clock(ClockAction::Step(-1))).found_by("step back one").repeats().after_line(),
        animation("animation.one-frame-on", "Next frame", "Right", Action::Clock(ClockAction::Step(1))).found_by("step forward one").repeats(),
        animation("animation.ten-frames-back", "Back 10 frames", "Shift+Left", Action::Clock(ClockAction::Step(-10))).found_by("step skip jump ten").repeats(),
        animation("animation.ten-frames-on", "Forward 10 frames", "Shift+Right", Action::Clock(ClockAction::Step(10))).found_by("step skip jump ten").repeats(),
        animation("animation.first-frame", "First frame", "Ctrl+Left", Action::Clock(ClockAction::ClipStart)).found_by("start begin rewind"),
        animation("animation.last-frame", "Last frame", "Ctrl+Right", Action::Clock(ClockAction::ClipEnd)).found_by("end"),
        animation("animation.go-to-frame", "Go to frame…", "Ctrl+G", Action::Timeline(TimelineAction::EnterFrame)).found_by("jump seek number type").when(has_track),
        animation("animation.furthest-frame", "Go to frame of largest offset", "End", Action::Clock(ClockAction::FurthestFrame)).found_by("displacement motion reach extreme maximum moves most tag joint vertex").when(has_track).unless(|session| why(session.document.selection.point().is_some(), SELECT_POINT)),
        animation("animation.previous-clip", "Previous clip", "Up", Action::Clock(ClockAction::PreviousClip)).found_by("animation sequence").when(has_track).unless(|session| why(several_clips(session), "The model has no other clip")).repeats().after_line(),
        animation("animation.next-clip", "Next clip", "Down", Action::Clock(ClockAction::NextClip)).found_by("animation sequence").when(has_track).unless(|session| why(several_clips(session), "The model has no other clip")).repeats(),
        animation("animation.slower", "Slower", "-", Action::Clock(ClockAction::Slower)).found_by("speed slow motion").after_line(),
        animation("animation.faster", "Faster", "=", Action::Clock(ClockAction::Faster)).found_by("speed fast"),
        animation("animation.normal-speed", "Reset speed to 1×", "Backspace", Action::Clock(ClockAction::SetSpeed(1.0))).found_by("normal 100%").when(has_track),
        animation("animation.reverse-playback", "Reverse playback", "J", Action::Clock(ClockAction::Reverse)).found_by("reverse backwards rewind direction negative speed").when(has_track).checked(|session| session.playback().speed < 0.0),
        animation("animation.loop-once-or-to-and-fro", "Cycle loop mode", "L", Action::Clock(ClockAction::CycleRepeat)).found_by("repeat once ping-pong pingpong reverse back and forth").when(has_track).after_line(),
        animation("animation.loop-from-here", "Set loop start", "I", Action::Clock(ClockAction::LoopFromHere)).found_by("in point range begin").within(LOOP_RANGE),
        animation("animation.loop-to-here", "Set loop end", "O", Action::Clock(ClockAction::LoopToHere)).found_by("out point range").within(LOOP_RANGE),
        animation("animation.clear-loop-range", "Clear loop range", "Shift+I", Action::Clock(ClockAction::SetLoopRange(None))).found_by("in out point remove reset").within(LOOP_RANGE),
        animation("animation.fewer-frames-wider", "Zoom timeline in", "Ctrl+=", Action::Timeline(TimelineAction::FewerFrames)).found_by("ruler magnify").within(TIMELINE_ZOOM),
        animation("animation.more-frames", "Zoom timeline out", "Ctrl+-", Action::Timeline(TimelineAction::MoreFrames)).found_by("ruler").within(TIMELINE_ZOOM),
        animation("animation.clip-over-the-whole-timeline", "Zoom to clip", "Z", Action::Timeline(TimelineAction::ShowClipFrames)).found_by("timeline fit range").after_line().within(TIMELINE_ZOOM),
        animation("animation.all-frames-on-the-timeline", "Zoom to all frames", "Ctrl+0", Action::Timeline(TimelineAction::ShowAllFrames)).found_by("timeline fit whole").within(TIMELINE_ZOOM),
        animation("animation.onion-skin", "Onion skin", "Shift+O", Action::Timeline(TimelineAction::ToggleOnion)).found_by("ghosts neighbouring frames trail").checked(|session| session.view.onion.on).after_line(),
        animation("animation.blend-between-frames", "Interpolate frames", ";", Action::Clock(ClockAction::ToggleInterpolation)).found_by("blend smooth lerp interpolation tween").when(has_track).checked(|session| session.playback().interpolate),
        animation("animation.run-or-pause-effects", "Pause shader effects", "E", Action::Clock(ClockAction::ToggleEffects)).found_by("play run stop materials scroll glow animated texture time").when(model_shown).unless(|session| why(session.has_effects(), "The model has no shader effects")).checked(|session| session.has_effects() && !session.view.material_clock.playing),
    ]
}

#[rustfmt::skip]
fn help_commands() -> Vec<Command> {
    let help = |id, label, keys, action| command(id, Group::Help, label, keys, action);
    vec![
        help("help.first-steps", "First steps", "", Action::Window(WindowAction::ToggleDialog(Dialog::Hints))).found_by("welcome tutorial intro tour getting started"),
        help("help.user-guide", "User guide", "Shift+F1", Action::Window(WindowAction::OpenGuideInBrowser)).found_by("manual documentation help"),
        help("help.keys", "Keyboard shortcuts", "F1 ?", Action::Window(WindowAction::ToggleDialog(Dialog::Help))).found_by("keys hotkeys keymap bindings keybindings mouse controls").after_line(),
        help("help.about", "About Maquette", "", Action::Window(WindowAction::ToggleDialog(Dialog::About))).found_by("version graphics adapter driver system bug report licence"),
        help("help.log", "Log", "", Action::Window(WindowAction::ToggleDialog(Dialog::Log))).found_by("messages console errors history warnings"),
    ]
}

/// Returns the command that applies `action`, for its label and shortcut.
pub fn command_for(action: &Action) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.action == *action)
}
