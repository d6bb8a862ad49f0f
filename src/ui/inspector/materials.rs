//! Sections on materials: the texture of a surface, and the steps of the search for it.

use std::collections::BTreeSet;

use egui::{Color32, Role, Ui};

use super::{Inspector, controls, inset, issues};
use crate::ui::button::{Button, Emphasis};
use crate::ui::kit::row::Row;
use crate::ui::{arrange, context, fonts, format, icons, list, menu, segmented_control, text, theme};
use maquette_assets::material::{InGame, SKIN_STEP, SearchStep, Stage, Suggestion, SurfaceMaterial};
use maquette_assets::vfs::{SearchOrder, name_of, split_extension};
use maquette_scene::scene::Entity;
use maquette_scene::session::{
    Action, EditAction, FileAction, FilePrompt, Issue, IssueTarget, SceneAction, Selection, Session,
};

/// Title of the section with the selected surface's material.
pub const MATERIAL: &str = "Material";

/// Maximum number of materials listed here. The *Issues* section lists all.
const MATERIALS_LISTED: usize = 6;

pub fn selected_name(session: &Session, entity: &Entity) -> Option<String> {
    let Selection::Surface(index) = session.document.selection else { return None };
    entity.materials().get(index).map(|_| entity.surface_name(index))
}

pub fn selected(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let Selection::Surface(index) = panel.session.document.selection else { return };
    let Some(material) = panel.entity.materials().get(index) else { return };
    texture_menu(ui, panel, material, index);
    details(ui, panel, material, index);
    in_game(ui, panel);
}

pub fn missing_count(session: &Session, entity: &Entity) -> Option<String> {
    if let Selection::Surface(_) = session.document.selection {
        return None;
    }
    let missing = missing_of(entity).len() + lacking_skins(session, entity).count();
    (missing > 0 || repaired(entity).next().is_some()).then(|| format::count(missing))
}

/// Shows the materials whose textures were not found.
pub fn missing(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let entity = panel.entity;
    for index in missing_of(entity).into_iter().take(MATERIALS_LISTED) {
        let Some(material) = entity.materials().get(index) else { continue };
        let what = if material.is_missing() { "no texture found" } else { "not all textures found" };
        let title = format!("{}: {what}", entity.surface_name(index));
        let row = Row::label(&title).font(fonts::medium()).height(24.0).inset(list::INSET);
        row.show(ui, ("missing", index)).on_hover_text(title);
        details(ui, panel, material, index);
        ui.add_space(4.0);
    }
    let session = panel.session;
    for (number, issue) in lacking_skins(session, entity).take(MATERIALS_LISTED).enumerate() {
        let Some(target) = &issue.target else { continue };
        let row = Row::new(&issue.about).second(format::sentence(&issue.warning.text())).wraps().inset(list::INSET);
        let response = row.show(ui, ("lacking", number)).on_hover_text("Click to choose the skin");
        if response.clicked() {
            issues::go_to(ui, session, entity, target, panel.actions);
        }
    }
    for index in repaired(entity).take(MATERIALS_LISTED) {
        repaired_row(ui, panel, index);
    }
    in_game(ui, panel);
}

/// Returns the issues of other skins that lack a texture.
fn lacking_skins<'s>(session: &'s Session, entity: &Entity) -> impl Iterator<Item = &'s Issue> {
    let is_of_skin = |issue: &&Issue| matches!(issue.target, Some(IssueTarget::Skin(_)));
    let id = entity.id;
    session.document.issues.iter().filter(move |issue| issue.entity == id).filter(is_of_skin)
}

pub fn is_replaced(session: &Session, entity: &Entity) -> Option<String> {
    let has_rows = |count: super::Count| count(session, entity).is_some();
    let is_alone = entity.asset.overridden_by.is_some() && !has_rows(selected_name) && !has_rows(missing_count);
    is_alone.then(String::new)
}

/// Shows the archive that overrides the file in the game, and a choice of the search order.
pub fn in_game(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let asset = &panel.entity.asset;
    if let Some(by) = &asset.overridden_by {
        text::note(ui, &format!("The game uses the file from {by}"), theme::tokens(ui).warn);
    }
    if asset.order_matters {
        let orders = SearchOrder::ALL.map(|order| (order, order.label()));
        let current = panel.session.search_order;
        let choose = |ui: &mut Ui| segmented_control::choose_wide(ui, "Materials", Role::RadioButton, &orders, current);
        let chosen = controls(ui, choose);
        panel.actions.extend(chosen.map(|order| Action::File(FileAction::SearchIn(order))));
    }
}

/// Returns the surfaces with an override whose skin lacks the texture.
fn repaired(entity: &Entity) -> impl Iterator<Item = usize> {
    let skin = entity.asset.skins.get(entity.skin);
    let lacks =
        move |index: &usize| skin.and_then(|skin| skin.materials.get(*index)).is_some_and(SurfaceMaterial::is_missing);
    entity.overrides.keys().copied().filter(lacks)
}

/// Shows the override of a missing texture, with buttons that write it to the model or revert it.
fn repaired_row(ui: &mut Ui, panel: &mut Inspector<'_>, surface: usize) {
    let Some(material) = panel.entity.materials().get(surface) else { return };
    let text = format!("{} applied to {}", name_of(&material.path), panel.entity.surface_name(surface));
    let keep = Action::Edit(EditAction::MakePermanent);
    let why_not = panel.session.document.why_not_permanent().unwrap_or_default();
    let permanent =
        Button::of("Write texture path to model", &keep).icon(icons::PENCIL).rank(Emphasis::Raised).height(24.0);
    let permanent = permanent.note("Write the path into the model’s file").enabled(why_not.is_empty(), &why_not);
    let revert = Button::new("Revert").word("Revert").rank(Emphasis::Raised).height(24.0);
    // The buttons leave room for the name only.
    let row = Row::label(name_of(&material.path))
        .height(34.0)
        .inset(list::INSET)
        .end(permanent.width(ui) + 8.0 + revert.width(ui));
    let shown = row.show_parts(ui, ("repaired", surface));
    arrange::within(ui, shown.end, ("repaired buttons", surface), |ui| {
        panel.actions.extend(permanent.show(ui).clicked().then_some(keep));
        panel.actions.extend(revert.show(ui).clicked().then_some(Action::Scene(SceneAction::ClearOverride(surface))));
    });
    shown.response.on_hover_text(&text);
}

/// Returns the surfaces with a missing texture, but only one for each material name.
pub fn missing_of(entity: &Entity) -> Vec<usize> {
    let mut names: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for (index, (surface, material)) in entity.model().surfaces().iter().zip(entity.materials().iter()).enumerate() {
        let counts = surface.lod == entity.lod && !surface.triangles.is_empty() && material.problem().is_some();
        if counts && !names.contains(&material.name.as_str()) {
            names.push(&material.name);
            found.push(index);
        }
    }
    found
}

/// Shows a menu of textures for a surface: the texture in each skin, or an image file.
fn texture_menu(ui: &mut Ui, panel: &mut Inspector<'_>, material: &SurfaceMaterial, surface: usize) {
    let image_name = if material.path.is_empty() { "no texture" } else { name_of(&material.path) };
    let button = Button::new("Texture of this surface").word(image_name).rank(Emphasis::Raised).menu();
    let response = controls(ui, |ui| button.show_wide(ui));
    menu::below(&response, |ui| {
        let mut offered: Vec<&str> = Vec::new();
        for (index, skin) in panel.entity.asset.skins.iter().enumerate() {
            let Some(other) = skin.materials.get(surface).filter(|other| other.image.is_some()) else { continue };
            if offered.contains(&other.path.as_str()) {
                continue;
            }
            offered.push(&other.path);
            let row = menu::Row { word: name_of(&other.path), value: skin.name.clone(), ..menu::Row::default() };
            if row.on(other.path == material.path).show(ui).clicked() {
                panel.actions.push(Action::Scene(SceneAction::UseMaterialOfSkin(surface, index)));
            }
        }
        if !offered.is_empty() {
            menu::separator(ui);
        }
        let as_skin = menu::Row::new("Use skin’s texture");
        let as_skin = menu::Row { disabled: !panel.entity.overrides.contains_key(&surface), ..as_skin };
        panel.actions.extend(as_skin.show(ui).clicked().then_some(Action::Scene(SceneAction::ClearOverride(surface))));
        if menu::Row::new("Set texture…").show(ui).clicked() {
            panel.actions.push(Action::File(FileAction::Ask(FilePrompt::TryTexture)));
        }
        menu::separator(ui);
        context::paths(ui, panel.session, panel.actions);
    });
}

fn details(ui: &mut Ui, panel: &mut Inspector<'_>, material: &SurfaceMaterial, surface: usize) {
    ui.push_id(("material", surface), |ui| {
        facts(ui, material);
        for (number, step) in material.search_log.iter().enumerate() {
            let key = (surface, number);
            let unfolded = panel.state.unfolded.contains(&key);
            if trail_step(ui, step, number, unfolded, material.is_missing()) && !panel.state.unfolded.remove(&key) {
                panel.state.unfolded.insert(key);
            }
        }
        if let Some(nearest) = &material.suggestion {
            self::nearest(ui, panel, surface, nearest, material.script.is_none());
        }
    });
}

fn facts(ui: &mut Ui, material: &SurfaceMaterial) {
    let tokens = theme::tokens(ui);
    let note = |ui: &mut Ui, text: &str| drop(text::note(ui, text, tokens.text2));
    let stages = &material.definition.stages;
    if material.name.is_empty() {
        note(ui, "The file names no texture");
    } else {
        path(ui, ("name", 0), &material.name, tokens.text);
    }
    if let Some(image) = material.image.as_ref().filter(|_| material.script.is_none()) {
        if material.path != material.name {
            path(ui, ("path", 0), &material.path, tokens.text2);
        }
        note(ui, &format::texture_size(image));
    }
    if material.is_guess {
        note(ui, "Guessed: the game does not look for the texture there");
    }
    if material.unreadable.is_some() && material.script.is_none() {
        material.problem().iter().for_each(|problem| drop(text::note(ui, problem, tokens.warn)));
    }
    if material.hidden {
        note(ui, "Not drawn in the game: the skin hides this surface");
    } else if let Some((file, line)) = &material.script {
        path(ui, ("script", 0), &format!("{file} line {line}"), tokens.text2);
        if material.unreadable.is_some() || material.lacks_stages {
            material.problem().iter().for_each(|problem| drop(text::note(ui, problem, tokens.warn)));
        } else if let Some(absent) = &material.missing_image {
            text::note(ui, &format!("“{absent}” not found"), tokens.warn);
        } else if stages.is_empty() {
            note(ui, "Not drawn in the game: the shader has no stages");
        }
    }
    let is_undrawn = material.hidden || material.script.is_some() && stages.is_empty();
    match material.in_game {
        _ if is_undrawn => {}
        InGame::Whole => {}
        InGame::DefaultTexture => note(ui, "In game: default texture of the engine"),
        InGame::DefaultMaps => note(ui, "In game: default texture for missing maps"),
        InGame::Stages(0) => note(ui, "In game: not drawn"),
        InGame::Stages(_) => note(ui, "In game: drawn up to the stage whose image is missing"),
    }
    if material.script.is_some() {
        let whole = material.definition.words();
        if !whole.is_empty() {
            note(ui, &whole);
        }
        stages.iter().enumerate().for_each(|(number, stage)| self::stage(ui, number, stage));
    }
}

fn stage(ui: &mut Ui, number: usize, stage: &Stage) {
    let tokens = theme::tokens(ui);
    let images = stage.maps.iter().map(|map| map.program.words()).collect::<Vec<_>>().join(" ");
    let words = stage.words();
    let has_all = stage.maps.iter().all(|map| map.image.is_some());
    let about: Vec<String> = std::iter::once(images.clone()).chain(stage.explanations()).collect();
    let comma = if words.is_empty() { "" } else { ", " };
    let letter = (number + 1).to_string();
    let row = Row::label(&images).spoken(format!("Stage {letter}: {images}{comma}{words}")).letter(&letter);
    let row = row.font(fonts::mono()).colour(if has_all { tokens.text } else { tokens.warn }).inset(list::INSET);
    let row = row.height(if words.is_empty() { 22.0 } else { 38.0 }).copies(&images, about.join("\n"));
    if words.is_empty() { row } else { row.second(words) }.show(ui, ("stage", number));
}

/// Shows the image that was probably intended. `usable` adds a button that applies it, for materials without a script.
fn nearest(ui: &mut Ui, panel: &mut Inspector<'_>, surface: usize, nearest: &Suggestion, usable: bool) {
    let button = Button::new("Use it").word("Use it").rank(Emphasis::Raised).height(24.0);
    let button = button.note("Apply the image to every surface with this missing texture");
    let button = button.enabled(nearest.location.is_some(), "Not available as a file");
    let row = Row::label(format!("Similar: {}", name_of(&nearest.path))).spoken(format!("Similar: {}", nearest.path));
    let row = row.icon(icons::SEARCH).height(34.0).inset(list::INSET).copies(&nearest.path, &nearest.path);
    let shown = row.end(if usable { button.width(ui) } else { 0.0 }).show_parts(ui, "nearest");
    if usable && arrange::within(ui, shown.end, "use", |ui| button.show(ui)).clicked() {
        panel.actions.push(Action::Scene(SceneAction::UseNearest(surface)));
    }
}

fn path(ui: &mut Ui, salt: (&str, usize), text: &str, colour: Color32) {
    Row::label(text).font(fonts::mono()).colour(colour).height(20.0).inset(list::INSET).copied().show(ui, salt);
}

/// Shows a search step, and the paths it tried if `unfolded`. A failure is an error only if it `matters`, because no
/// other step found the texture. Returns whether the row was clicked.
fn trail_step(ui: &mut Ui, step: &SearchStep, number: usize, unfolded: bool, matters: bool) -> bool {
    let tokens = theme::tokens(ui);
    let (icon, colour, result) = match (&step.found, step.tried.len()) {
        (Some(found), _) => (icons::CHECK, tokens.ok, found.clone()),
        // A missing skin file is not an error.
        (None, 0) if !matters || step.what == SKIN_STEP => (icons::MINUS, tokens.text2, step.note.clone()),
        (None, 0) => (icons::CLOSE, tokens.error, step.note.clone()),
        (None, 1) => (icons::CLOSE, tokens.error, "not found".to_owned()),
        (None, tried) => (icons::CLOSE, tokens.error, format!("none found ({} tried)", format::plural(tried, "path"))),
    };
    let name = format!("{}: {result}", step.what);
    let row = Row::label(&step.what).spoken(&name).icon_in(icon, colour).second(result).height(38.0);
    let row = if step.tried.is_empty() { row.fold(None) } else { row.unfolds(unfolded) };
    let clicked = row.inset(list::EDGE - 2.0).show(ui, ("step", number)).on_hover_text(&name).clicked();
    if unfolded {
        let groups = by_stem(&step.tried);
        for (index, (stem, paths)) in groups.iter().enumerate() {
            let next = groups.get(index + 1).map(|(stem, paths)| extensions(stem, paths));
            // Paths with equal extensions share a line of extensions.
            let ends_block = next != Some(extensions(stem, paths));
            tried_path(ui, number, stem, paths, step.found.as_deref(), ends_block);
        }
    }
    clicked
}

/// Groups paths by stem. Groups are in the order of their first paths.
fn by_stem(tried: &[String]) -> Vec<(&str, Vec<&str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for path in tried {
        let stem = split_extension(path).0;
        match groups.iter_mut().find(|(known, _)| *known == stem) {
            Some((_, paths)) => paths.push(path),
            None => groups.push((stem, vec![path])),
        }
    }
    groups
}

fn extensions<'a>(stem: &str, paths: &[&'a str]) -> BTreeSet<&'a str> {
    paths.iter().map(|path| path.strip_prefix(stem).unwrap_or(path)).collect()
}

/// Shows a tried path, or a stem, with its extensions at the end of a block. A click copies all the paths.
fn tried_path(ui: &mut Ui, number: usize, stem: &str, paths: &[&str], found: Option<&str>, ends_block: bool) {
    let tokens = theme::tokens(ui);
    let ink = |path: &str| if found == Some(path) { tokens.ok } else { tokens.text2 };
    if let [alone] = paths {
        return path(ui, (alone, number), alone, ink(alone));
    }
    let ends: Vec<&str> = paths.iter().map(|path| path.strip_prefix(stem).unwrap_or(path)).collect();
    let row = Row::label(stem).spoken(format!("{stem} {}", ends.join(" "))).font(fonts::mono()).colour(tokens.text2);
    let all = paths.join("\n");
    row.height(20.0).inset(list::INSET).copies(&all, &all).show(ui, ("tried", stem, number));
    if !ends_block && !paths.iter().any(|path| found == Some(path)) {
        return;
    }
    inset(ui, 0, |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(6.0, 2.0);
        ui.spacing_mut().interact_size.y = 0.0;
        ui.horizontal_wrapped(|ui| {
            for (end, path) in ends.iter().zip(paths) {
                ui.label(egui::RichText::new(*end).font(fonts::small()).color(ink(path)));
            }
        });
    });
    ui.add_space(4.0);
}
