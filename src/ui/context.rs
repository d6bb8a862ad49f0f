//! What a right click offers: on the picture, on surfaces, on tags and joints, on files.

use std::path::Path;

use egui::Ui;
use glam::{Affine3A, Vec3};

use super::{copy, display_menus, light_menu, menu};
use maquette_assets::material::SurfaceMaterial;
use maquette_assets::open::Anchor;
use maquette_core::edit::Edit;
use maquette_scene::scene::{Attachment, ClipChoice, Entity};
use maquette_scene::session::{
    Action, CameraAction, ClockAction, EditAction, EditSubject, FileAction, FilePrompt, SaveAction, SceneAction,
    Selection, Session, command_for, places,
};

fn row(ui: &mut Ui, word: &str, action: Action, actions: &mut Vec<Action>) {
    actions.extend(menu::Row::of(word, &action).show(ui).clicked().then_some(action));
}

/// A row of a command, faint with the reason in its tooltip where it does nothing.
fn command(ui: &mut Ui, session: &Session, action: &Action, actions: &mut Vec<Action>) {
    let Some(command) = command_for(action) else { return };
    let row = menu::Row { disabled: !command.is_enabled(session), ..menu::Row::command(command) };
    let response = row.show(ui);
    actions.extend(response.clicked().then(|| action.clone()));
    if let Some(why) = command.why_not(session) {
        response.on_disabled_hover_text(why);
    }
}

fn copying(ui: &mut Ui, word: &str, text: impl FnOnce() -> String) {
    if menu::Row::new(word).show(ui).clicked() {
        copy::put(ui.ctx(), text());
    }
}

/// Of the picture: views, and what stands behind the model; below the rows of a surface, or alone.
pub fn picture(ui: &mut Ui, session: &Session, below_surface: bool, actions: &mut Vec<Action>) {
    row(ui, "Frame all", Action::Camera(CameraAction::FrameModel), actions);
    let focus = Action::Camera(CameraAction::FocusSelection);
    let disabled = session.document.selection == Selection::None;
    if !below_surface && (menu::Row { disabled, ..menu::Row::of("Frame selected", &focus) }).show(ui).clicked() {
        actions.push(focus);
    }
    display_menus::views(ui, actions);
    menu::separator(ui);
    row(ui, "Copy image", Action::Save(SaveAction::CopyPicture), actions);
    menu::settings_leading_on(ui, "Background", |ui| light_menu::backgrounds(ui, session, actions));
}

/// Of the selected surfaces of a part.
pub fn surfaces(ui: &mut Ui, session: &Session, entity: &Entity, actions: &mut Vec<Action>) {
    let selected = session.document.selected_surfaces();
    let Some(first) = selected.first().copied() else { return };
    let is_shown = selected.iter().any(|index| entity.visible.get(*index) == Some(&true));
    row(ui, "Isolate", Action::Scene(SceneAction::ShowOnlyChosen), actions);
    let word = if is_shown { "Hide" } else { "Show" };
    row(ui, word, Action::Scene(SceneAction::ToggleChosenSurface), actions);
    row(ui, "Show all surfaces", Action::Scene(SceneAction::ShowAllSurfaces), actions);
    row(ui, "Frame selected", Action::Camera(CameraAction::FocusSelection), actions);
    menu::separator(ui);
    row(ui, "Set texture…", Action::File(FileAction::Ask(FilePrompt::TryPicture)), actions);
    let same = same_texture(entity, first);
    let action = Action::Scene(SceneAction::SelectSurfaces(same.clone()));
    if (menu::Row { disabled: same.len() < 2, ..menu::Row::of("Select same texture", &action) }).show(ui).clicked() {
        actions.push(action);
    }
    menu::separator(ui);
    paths(ui, session, actions);
    command(ui, session, &Action::Edit(EditAction::Ask(EditSubject::Name)), actions);
    menu::separator(ui);
    let name = if selected.len() > 1 { "Copy names" } else { "Copy name" };
    copying(ui, name, || lines(selected.iter().map(|index| entity.surface_name(*index))));
    let path = if selected.len() > 1 { "Copy shader paths" } else { "Copy shader path" };
    let named = lines(selected.iter().filter_map(|index| path_of(entity, *index)));
    if (menu::Row { word: path, disabled: named.is_empty(), ..menu::Row::default() }).show(ui).clicked() {
        copy::put(ui.ctx(), named);
    }
    copying(ui, "Copy all shader paths", || lines(surfaces_shown(entity).filter_map(|index| path_of(entity, index))));
}

/// One a line, each once.
fn lines(all: impl Iterator<Item = String>) -> String {
    let mut once: Vec<String> = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once.join("\n")
}

/// What the file or the skin calls the texture or the script of a surface.
fn path_of(entity: &Entity, index: usize) -> Option<String> {
    entity.materials().get(index).map(|material| material.name.clone()).filter(|name| !name.is_empty())
}

fn surfaces_shown(entity: &Entity) -> impl Iterator<Item = usize> {
    let surfaces = entity.model().surfaces().iter().enumerate();
    surfaces.filter(|(_, surface)| surface.lod == entity.lod).map(|(index, _)| index)
}

/// Surfaces that wear the same as this one; this one first.
fn same_texture(entity: &Entity, surface: usize) -> Vec<usize> {
    let worn = |index: usize| {
        let material: Option<&SurfaceMaterial> = entity.materials().get(index);
        material.map(|material| if material.path.is_empty() { &material.name } else { &material.path })
    };
    let own = worn(surface);
    let others = surfaces_shown(entity).filter(|other| *other != surface && worn(*other) == own);
    std::iter::once(surface).chain(others).collect()
}

/// Of a tag or a joint.
pub fn anchor(ui: &mut Ui, entity: &Entity, anchor: Anchor, frame: Option<&Affine3A>, actions: &mut Vec<Action>) {
    let to = Attachment { to: entity.id, anchor };
    row(ui, "Attach model…", Action::File(FileAction::Ask(FilePrompt::Attach(to))), actions);
    let Some(frame) = frame else { return };
    menu::separator(ui);
    copying(ui, "Copy position", || place(frame.translation.into()));
    copying(ui, "Copy position and angles", || place_and_angles(frame));
}

/// Of the shader paths of the selected surfaces.
pub fn paths(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    command(ui, session, &Action::Edit(EditAction::Ask(EditSubject::ShaderPath)), actions);
    command(ui, session, &Action::Edit(EditAction::MakePermanent), actions);
}

/// Of the selected tag, besides what is offered of any place to attach to.
pub fn tag(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    menu::separator(ui);
    command(ui, session, &Action::Edit(EditAction::Ask(EditSubject::Name)), actions);
    command(ui, session, &Action::Edit(EditAction::Ask(EditSubject::NewTag)), actions);
    command(ui, session, &Action::Edit(EditAction::RemoveTag), actions);
}

/// Of the skin that is worn.
pub fn skin(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    command(ui, session, &Action::Edit(EditAction::MoveSkin { up: true }), actions);
    command(ui, session, &Action::Edit(EditAction::MoveSkin { up: false }), actions);
    menu::separator(ui);
    command(ui, session, &Action::Edit(EditAction::Ask(EditSubject::ShaderPath)), actions);
}

/// Of the model as a whole.
pub fn model(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    menu::separator(ui);
    for edit in [Edit::RecomputeNormals, Edit::RecomputeBounds, Edit::DropDegenerateTriangles] {
        command(ui, session, &Action::Edit(EditAction::Change(vec![edit])), actions);
    }
    command(ui, session, &Action::Edit(EditAction::Ask(EditSubject::NewTag)), actions);
    menu::separator(ui);
    command(ui, session, &Action::Edit(EditAction::SaveAs), actions);
    command(ui, session, &Action::Edit(EditAction::Discard), actions);
}

/// Of the frame that is shown.
pub fn frame(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    menu::separator(ui);
    command(ui, session, &Action::Edit(EditAction::Ask(EditSubject::FrameName)), actions);
}

/// Of a clip.
pub fn clip(ui: &mut Ui, entity: &Entity, index: usize, name: &str, actions: &mut Vec<Action>) {
    row(ui, "Play clip", Action::Clock(ClockAction::PlayClip(entity.id, ClipChoice::Clip(index))), actions);
    copying(ui, "Copy name", || name.to_owned());
}

/// A place as engines read it.
#[must_use]
pub fn place(at: Vec3) -> String {
    format!("{} {} {}", at.x, at.y, at.z)
}

/// A place, then pitch, yaw and roll.
#[must_use]
pub fn place_and_angles(frame: &Affine3A) -> String {
    // No "-0" for those who paste it.
    let angles =
        maquette_core::pose::angles(&frame.matrix3).to_array().map(|angle| (angle * 1000.0).round() / 1000.0 + 0.0);
    let [pitch, yaw, roll] = angles;
    format!("{} {pitch} {yaw} {roll}", place(frame.translation.into()))
}

/// Rows of places where models attach. Gives the one that was chosen.
pub fn attach_rows(ui: &mut Ui, places: Vec<(&Entity, Anchor)>) -> Option<Attachment> {
    let mut chosen = None;
    for (parent, anchor) in places {
        let row = menu::Row { word: anchor.name(), value: parent.label().to_owned(), ..menu::Row::default() };
        if row.show(ui).clicked() {
            chosen = Some(Attachment { to: parent.id, anchor });
        }
    }
    chosen
}

/// Of a model in the list of files.
pub fn listed(ui: &mut Ui, session: &Session, path: &Path, actions: &mut Vec<Action>) {
    if menu::Row::new("Open").show(ui).clicked() {
        actions.push(Action::File(FileAction::Show(path.to_path_buf())));
    }
    let places = places(&session.document.scene);
    if !places.is_empty() {
        menu::leading_on(ui, "Attach to", |ui| {
            let to = attach_rows(ui, places);
            actions.extend(to.map(|to| Action::Scene(SceneAction::Attach(path.to_path_buf(), to))));
        });
    }
    menu::separator(ui);
    file(ui, path, actions);
}

/// Of what is open: its file, or its folder.
pub fn opened(ui: &mut Ui, path: &Path, actions: &mut Vec<Action>) {
    file(ui, path, actions);
    let word = menu::Row::new("List folder in Files");
    actions.extend(word.show(ui).clicked().then(|| Action::File(FileAction::ListFolder(path.to_path_buf()))));
}

/// Of any file or folder.
pub fn file(ui: &mut Ui, path: &Path, actions: &mut Vec<Action>) {
    row(ui, "Show in folder", Action::File(FileAction::ShowInFolder(path.to_path_buf())), actions);
    copying(ui, "Copy path", || path.display().to_string());
}
