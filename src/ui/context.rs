//! Context menus of the view, surfaces, tags, joints, clips and files.

use std::path::Path;

use egui::Ui;
use glam::{Affine3A, Vec3};

use super::{copy, display_menus, light_menu, menu};
use maquette_assets::material::SurfaceMaterial;
use maquette_assets::open::Anchor;
use maquette_core::edit::{RECOMPUTE_BOUNDS, RECOMPUTE_NORMALS, REMOVE_DEGENERATE};
use maquette_scene::scene::{Attachment, ClipChoice, Entity};
use maquette_scene::session::{
    Action, CameraAction, ClockAction, EditAction, EditSubject, FileAction, FilePrompt, SaveAction, SceneAction,
    Selection, Session, attachment_points,
};

fn copying(ui: &mut Ui, word: &str, text: impl FnOnce() -> String) {
    if menu::Row::new(word).show(ui).clicked() {
        copy::put(ui.ctx(), text());
    }
}

/// Shows the rows for the view. `below_surface` omits the rows that the menu of a surface already contains.
pub fn view(ui: &mut Ui, session: &Session, below_surface: bool, actions: &mut Vec<Action>) {
    menu::item(ui, "Frame all", Action::Camera(CameraAction::FrameModel), actions);
    if !below_surface {
        let focus = Action::Camera(CameraAction::FocusSelection);
        let disabled = session.document.selection == Selection::None;
        menu::Row::new("Frame selected").disabled(disabled).push(ui, focus, actions);
    }
    display_menus::views(ui, actions);
    menu::separator(ui);
    menu::item(ui, "Copy image", Action::Save(SaveAction::CopyImage), actions);
    menu::settings_leading_on(ui, "Background", |ui| light_menu::backgrounds(ui, session, actions));
}

pub fn surfaces(ui: &mut Ui, session: &Session, entity: &Entity, actions: &mut Vec<Action>) {
    let selected = session.document.selected_surfaces();
    let Some(first) = selected.first().copied() else { return };
    let is_shown = selected.iter().any(|index| entity.visible.get(*index) == Some(&true));
    menu::item(ui, "Isolate", Action::Scene(SceneAction::ShowOnlyChosen), actions);
    let word = if is_shown { "Hide" } else { "Show" };
    menu::item(ui, word, Action::Scene(SceneAction::ToggleChosenSurface), actions);
    menu::item(ui, "Show all surfaces", Action::Scene(SceneAction::ShowAllSurfaces), actions);
    menu::item(ui, "Frame selected", Action::Camera(CameraAction::FocusSelection), actions);
    menu::separator(ui);
    menu::item(ui, "Set texture…", Action::File(FileAction::Ask(FilePrompt::TryTexture)), actions);
    let same = same_texture(entity, first);
    let is_alone = same.len() < 2;
    let select = Action::Scene(SceneAction::SelectSurfaces(same));
    menu::Row::new("Select same texture").disabled(is_alone).push(ui, select, actions);
    menu::separator(ui);
    paths(ui, session, actions);
    menu::command(ui, session, &Action::Edit(EditAction::Ask(EditSubject::Name)), actions);
    menu::separator(ui);
    let name = if selected.len() > 1 { "Copy names" } else { "Copy name" };
    copying(ui, name, || lines(selected.iter().map(|index| entity.surface_name(*index))));
    let path = if selected.len() > 1 { "Copy shader paths" } else { "Copy shader path" };
    let named = lines(selected.iter().filter_map(|index| path_of(entity, *index)));
    if menu::Row::new(path).disabled(named.is_empty()).show(ui).clicked() {
        copy::put(ui.ctx(), named);
    }
    copying(ui, "Copy all shader paths", || lines(surfaces_shown(entity).filter_map(|index| path_of(entity, index))));
}

fn lines(all: impl Iterator<Item = String>) -> String {
    let mut seen = std::collections::BTreeSet::new();
    all.filter(|line| seen.insert(line.clone())).collect::<Vec<_>>().join("\n")
}

fn path_of(entity: &Entity, index: usize) -> Option<String> {
    entity.materials().get(index).map(|material| material.name.clone()).filter(|name| !name.is_empty())
}

/// Returns the surfaces of the current level of detail.
pub fn surfaces_shown(entity: &Entity) -> impl Iterator<Item = usize> {
    let surfaces = entity.model().surfaces().iter().enumerate();
    surfaces.filter(|(_, surface)| surface.lod == entity.lod).map(|(index, _)| index)
}

/// Returns this surface, then the other surfaces with an equal material.
fn same_texture(entity: &Entity, surface: usize) -> Vec<usize> {
    let material_of = |index: usize| {
        let material: Option<&SurfaceMaterial> = entity.materials().get(index);
        material.map(|material| if material.path.is_empty() { &material.name } else { &material.path })
    };
    let own = material_of(surface);
    let others = surfaces_shown(entity).filter(|other| *other != surface && material_of(*other) == own);
    std::iter::once(surface).chain(others).collect()
}

pub fn anchor(ui: &mut Ui, entity: &Entity, anchor: Anchor, frame: Option<&Affine3A>, actions: &mut Vec<Action>) {
    let to = Attachment { to: entity.id, anchor };
    menu::item(ui, "Attach model…", Action::File(FileAction::Ask(FilePrompt::Attach(to))), actions);
    let Some(frame) = frame else { return };
    menu::separator(ui);
    copying(ui, "Copy position", || place(frame.translation.into()));
    copying(ui, "Copy position and angles", || place_and_angles(frame));
}

fn edits<const N: usize>(ui: &mut Ui, session: &Session, edits: [EditAction; N], actions: &mut Vec<Action>) {
    for edit in edits {
        menu::command(ui, session, &Action::Edit(edit), actions);
    }
}

pub fn paths(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    edits(ui, session, [EditAction::Ask(EditSubject::ShaderPath), EditAction::MakePermanent], actions);
}

/// Shows additional rows for the selected tag.
pub fn tag(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    menu::separator(ui);
    let [name, new] = [EditSubject::Name, EditSubject::NewTag].map(EditAction::Ask);
    edits(ui, session, [name, new, EditAction::RemoveTag], actions);
}

pub fn skin(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    edits(ui, session, [true, false].map(|up| EditAction::MoveSkin { up }), actions);
    menu::separator(ui);
    edits(ui, session, [EditAction::Ask(EditSubject::ShaderPath)], actions);
}

pub fn model(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    menu::separator(ui);
    let repairs = [&RECOMPUTE_NORMALS, &RECOMPUTE_BOUNDS, &REMOVE_DEGENERATE];
    edits(ui, session, repairs.map(EditAction::Operate), actions);
    edits(ui, session, [EditAction::Ask(EditSubject::NewTag)], actions);
    menu::separator(ui);
    edits(ui, session, [EditAction::Save, EditAction::SaveAs, EditAction::Discard], actions);
}

pub fn clip(ui: &mut Ui, entity: &Entity, index: usize, name: &str, actions: &mut Vec<Action>) {
    menu::item(
        ui,
        "Play clip",
        Action::Clock(ClockAction::PlayClip(entity.id.into(), ClipChoice::Clip(index))),
        actions,
    );
    copying(ui, "Copy name", || name.to_owned());
}

/// Formats a position for engine files.
pub fn place(at: Vec3) -> String {
    format!("{} {} {}", at.x, at.y, at.z)
}

/// Formats a position, then pitch, yaw and roll.
pub fn place_and_angles(frame: &Affine3A) -> String {
    // Adding 0 turns -0 into 0.
    let angles =
        maquette_core::pose::angles(&frame.matrix3).to_array().map(|angle| (angle * 1000.0).round() / 1000.0 + 0.0);
    let [pitch, yaw, roll] = angles;
    format!("{} {pitch} {yaw} {roll}", place(frame.translation.into()))
}

/// Shows the anchors to which models can be attached, with a mark at the `current` one. Returns the clicked anchor.
pub fn attach_rows(ui: &mut Ui, places: Vec<(&Entity, Anchor)>, current: Option<&Attachment>) -> Option<Attachment> {
    let mut chosen = None;
    for (parent, anchor) in places {
        let to = Attachment { to: parent.id, anchor };
        let on = current.map(|current| *current == to);
        let row = menu::Row { value: parent.label().to_owned(), on, ..menu::Row::new(to.anchor.name()) };
        if row.show(ui).clicked() {
            chosen = Some(to);
        }
    }
    chosen
}

/// Shows the rows for a model in the file list.
pub fn listed(ui: &mut Ui, session: &Session, path: &Path, actions: &mut Vec<Action>) {
    menu::item(ui, "Open", Action::File(FileAction::Show(path.to_path_buf())), actions);
    let places = attachment_points(&session.document.scene);
    if !places.is_empty() {
        menu::leading_on(ui, "Attach to", |ui| {
            let to = attach_rows(ui, places, None);
            actions.extend(to.map(|to| Action::Scene(SceneAction::Attach(path.to_path_buf(), to))));
        });
    }
    let open = session.document.first_of_comparison();
    let is_other = open.is_some_and(|open| open.asset.file.as_deref() != Some(path));
    let compare = Action::File(FileAction::Compare(path.to_path_buf()));
    menu::Row::new("Compare with open model").disabled(!is_other).push(ui, compare, actions);
    menu::separator(ui);
    file(ui, path, actions);
}

/// Shows the rows for the open file or its folder.
pub fn opened(ui: &mut Ui, path: &Path, actions: &mut Vec<Action>) {
    file(ui, path, actions);
    menu::item(ui, "List folder in Files", Action::File(FileAction::ListFolder(path.to_path_buf())), actions);
}

pub fn file(ui: &mut Ui, path: &Path, actions: &mut Vec<Action>) {
    menu::item(ui, "Show in folder", Action::File(FileAction::ShowInFolder(path.to_path_buf())), actions);
    copying(ui, "Copy path", || path.display().to_string());
}
