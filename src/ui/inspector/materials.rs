//! Which picture a surface wears and how it was found, or why it is grey: every step of the search, in order.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{State, game, surfaces};
use crate::ui::button::{Button, Emphasis, focus_ring};
use crate::ui::{access, context, copy, fonts, format, icons, list, menu, paint, theme};
use maquette_assets::material::{InGame, Nearest, SKIN_STEP, SearchStep, Stage, SurfaceMaterial};
use maquette_assets::vfs::{name_of, split_extension};
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, EditAction, FileAction, FilePrompt, SceneAction, Selection, Session};

/// The section of the selected surface's material.
pub const MATERIAL: &str = "Material";

/// Missing pictures told here at most; the issues have them all.
const MATERIALS_LISTED: usize = 6;

/// Shows the material of the chosen surface, or of those that lack a picture.
pub fn show(ui: &mut Ui, session: &Session, entity: &Entity, memory: &mut State, actions: &mut Vec<Action>) {
    if let Selection::Surface(index) = session.document.selection {
        let Some(material) = surfaces::material_of(entity, index) else { return };
        let name = entity.surface_name(index);
        if memory.section(ui, MATERIAL, &name, true) {
            wardrobe(ui, session, entity, index, actions);
            details(ui, material, index, memory, actions);
            game::rows(ui, session, entity, actions);
            list::end_section(ui);
        }
        return;
    }
    let missing = missing(entity);
    let repaired = repaired(entity);
    if missing.is_empty() && repaired.is_empty() {
        game::show(ui, session, entity, memory, actions);
        return;
    }
    let count = format::count(missing.len());
    if memory.section(ui, "Missing textures", &count, true) {
        for index in missing.into_iter().take(MATERIALS_LISTED) {
            let Some(material) = surfaces::material_of(entity, index) else { continue };
            let what = if material.is_missing() { "no texture found" } else { "not all textures found" };
            subtitle(ui, &format!("{}: {what}", entity.surface_name(index)));
            details(ui, material, index, memory, actions);
            ui.add_space(4.0);
        }
        for index in repaired.into_iter().take(MATERIALS_LISTED) {
            repaired_row(ui, session, entity, index, actions);
        }
        game::rows(ui, session, entity, actions);
        list::end_section(ui);
    }
}

/// Surfaces that lack a picture by their skin and wear one that was tried on.
fn repaired(entity: &Entity) -> Vec<usize> {
    let skin = entity.asset.skins.get(entity.skin);
    let lacks =
        |index: &usize| skin.and_then(|skin| skin.materials.get(*index)).is_some_and(SurfaceMaterial::is_missing);
    entity.overrides.keys().copied().filter(lacks).collect()
}

/// What a surface wears in place of what was not found, and a button that takes it off.
fn repaired_row(ui: &mut Ui, session: &Session, entity: &Entity, surface: usize, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let Some(material) = surfaces::material_of(entity, surface) else { return };
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 34.0));
    let inner = list::inside(rect, list::INSET, 12.0);
    let button = Button::new("Revert").word("Revert").rank(Emphasis::Raised);
    let width = button.width(ui);
    let place = Rect::from_min_size(pos2(inner.right() - width, rect.center().y - 12.0), vec2(width, 24.0));
    if button.show_at(ui, place, ("take off", surface)).clicked() {
        actions.push(Action::Scene(SceneAction::TakeOff(surface)));
    }
    let keep = Action::Edit(EditAction::MakePermanent);
    let why_not = session.why_not_permanent().unwrap_or_default();
    let button = Button::of("Make texture permanent", &keep).icon(icons::PENCIL).rank(Emphasis::Raised).height(24.0);
    let button = button.note("Writes the path into the model’s file").enabled(why_not.is_empty(), &why_not);
    let place = Rect::from_min_size(pos2(place.left() - 28.0, place.top()), vec2(24.0, 24.0));
    actions.extend(button.show_at(ui, place, ("keep", surface)).clicked().then_some(keep));
    let text = format!("{} applied to {}", name_of(&material.path), entity.surface_name(surface));
    let room = Rect::from_min_max(inner.min, pos2(place.left() - 8.0, inner.bottom()));
    let response = ui.interact(room, ui.scope_id().with(("repaired", surface)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    paint::name_in(ui.painter(), room, &text, fonts::body(), tokens.text);
    response.on_hover_text(&text);
}

/// Surfaces without picture, one for each name.
pub(super) fn missing(entity: &Entity) -> Vec<usize> {
    let part = &entity.asset;
    let mut names: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for (index, surface) in part.model.surfaces().iter().enumerate() {
        let Some(material) = surfaces::material_of(entity, index) else { continue };
        let counts = surface.lod == entity.lod && !surface.triangles.is_empty() && material.trouble().is_some();
        if counts && !names.contains(&material.name.as_str()) {
            names.push(&material.name);
            found.push(index);
        }
    }
    found
}

/// What a surface may wear: what it wears with each of the skins, or an image to be tried.
fn wardrobe(ui: &mut Ui, session: &Session, entity: &Entity, surface: usize, actions: &mut Vec<Action>) {
    let Some(material) = surfaces::material_of(entity, surface) else { return };
    let (_, rect) = ui.allocate_space(egui::vec2(ui.available_width(), 34.0));
    let place = list::inside(rect, list::INSET, 12.0).shrink2(egui::vec2(0.0, 3.0));
    let worn = if material.path.is_empty() { "no texture" } else { name_of(&material.path) };
    let word = paint::shortened(ui.painter(), worn, &fonts::body(), place.width() - 40.0);
    let button = Button::new("Texture of this surface").word(&word).rank(Emphasis::Raised).menu();
    let response = button.show_at(ui, place, "wardrobe");
    menu::below(&response, |ui| {
        let mut offered: Vec<&str> = Vec::new();
        for (index, skin) in entity.asset.skins.iter().enumerate() {
            let Some(other) = skin.materials.get(surface).filter(|other| other.image.is_some()) else { continue };
            if offered.contains(&other.path.as_str()) {
                continue;
            }
            offered.push(&other.path);
            let row = menu::Row { word: name_of(&other.path), value: skin.name.clone(), ..menu::Row::default() };
            if row.on(other.path == material.path).show(ui).clicked() {
                actions.push(Action::Scene(SceneAction::WearFrom(surface, index)));
            }
        }
        if !offered.is_empty() {
            menu::separator(ui);
        }
        let as_skin = menu::Row::new("Use skin’s texture");
        let as_skin = menu::Row { disabled: !entity.overrides.contains_key(&surface), ..as_skin };
        actions.extend(as_skin.show(ui).clicked().then_some(Action::Scene(SceneAction::TakeOff(surface))));
        if menu::Row::new("Choose image…").show(ui).clicked() {
            actions.push(Action::File(FileAction::Ask(FilePrompt::TryPicture)));
        }
        menu::separator(ui);
        context::paths(ui, session, actions);
    });
}

fn subtitle(ui: &mut Ui, text: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    paint::name_in(ui.painter(), list::inside(rect, list::INSET, 12.0), text, fonts::medium(), theme::tokens(ui).text);
    response.on_hover_text(text);
}

fn details(ui: &mut Ui, material: &SurfaceMaterial, surface: usize, memory: &mut State, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    if material.name.is_empty() {
        list::note(ui, "The file names no texture", tokens.text2);
    } else {
        path(ui, ("name", surface), &material.name, tokens.text);
    }
    if let Some(picture) = material.image.as_ref().filter(|_| material.script.is_none()) {
        if material.path != material.name {
            path(ui, ("path", surface), &material.path, tokens.text2);
        }
        list::note(ui, &format::texture_size(picture), tokens.text2);
    }
    if material.hidden {
        list::note(ui, "Not drawn in the game: the skin hides this surface", tokens.text2);
    } else if let Some((file, line)) = &material.script {
        path(ui, ("script", surface), &format!("{file} line {line}"), tokens.text2);
        match &material.missing_image {
            Some(absent) => warning(ui, &format!("“{absent}” not found")),
            None if material.definition.stages.is_empty() => {
                list::note(ui, "Not drawn in the game: the shader has no stages", tokens.text2);
            }
            None => {}
        }
    }
    match material.in_game {
        InGame::Whole => {}
        _ if material.hidden || material.script.is_some() && material.definition.stages.is_empty() => {}
        InGame::DefaultPicture => drop(list::note(ui, "In game: default (grid) texture", tokens.text2)),
        InGame::Stages(0) => drop(list::note(ui, "In game: not drawn", tokens.text2)),
        InGame::Stages(_) => {
            drop(list::note(ui, "In game: drawn up to the stage whose image is missing", tokens.text2))
        }
    }
    if material.script.is_some() {
        let whole = material.definition.words();
        if !whole.is_empty() {
            list::note(ui, &whole, tokens.text2);
        }
        for (number, stage) in material.definition.stages.iter().enumerate() {
            self::stage(ui, surface, number, stage);
        }
    }
    for (number, step) in material.trail.iter().enumerate() {
        let key = (surface, number);
        let unfolded = memory.unfolded.contains(&key);
        let clicked = trail_step(ui, step, surface, number, unfolded, material.is_missing());
        if clicked && !memory.unfolded.remove(&key) {
            memory.unfolded.insert(key);
        }
        if unfolded {
            for (stem, paths) in by_stem(&step.tried) {
                match paths.as_slice() {
                    [tried] => {
                        let colour = if step.found.as_ref() == Some(*tried) { tokens.ok } else { tokens.text2 };
                        path(ui, (tried.as_str(), key), tried, colour);
                    }
                    _ => tried_row(ui, key, stem, &paths, step.found.as_deref()),
                }
            }
        }
    }
    if let Some(nearest) = &material.nearest {
        self::nearest(ui, surface, nearest, material.script.is_none(), actions);
    }
}

/// Paths that were tried, those that differ in their extensions alone together under their stem, in the order in which each
/// stem was tried first.
fn by_stem(tried: &[String]) -> Vec<(&str, Vec<&String>)> {
    let mut groups: Vec<(&str, Vec<&String>)> = Vec::new();
    for path in tried {
        let stem = split_extension(path).0;
        match groups.iter_mut().find(|(known, _)| *known == stem) {
            Some((_, paths)) => paths.push(path),
            None => groups.push((stem, vec![path])),
        }
    }
    groups
}

/// A stem, and under it a chip for each extension it was tried with; a click copies all the paths.
fn tried_row(ui: &mut Ui, key: (usize, usize), stem: &str, paths: &[&String], found: Option<&str>) {
    let tokens = theme::tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 40.0));
    let response = ui.interact(rect, ui.scope_id().with(("tried", stem, key)), Sense::click());
    let ends: Vec<&str> = paths.iter().map(|path| path.strip_prefix(stem).unwrap_or(path)).collect();
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{} {}", stem, ends.join(" "))));
    focus_ring(ui, response.has_focus(), rect.shrink(1.0), 0.0);
    let inner = list::inside(rect, list::INSET, 12.0);
    let line = |top: f32| Rect::from_min_size(inner.min + vec2(0.0, top), vec2(inner.width(), 18.0));
    let painter = ui.painter();
    let shown = paint::shortened(painter, stem, &fonts::mono(), inner.width());
    paint::text_in(painter, line(1.0), &shown, fonts::mono(), tokens.text2);
    let mut left = inner.left();
    for (end, path) in ends.iter().zip(paths) {
        let width = paint::width_of(ui, end, fonts::small()).ceil() + 8.0;
        let chip = Rect::from_min_size(pos2(left, inner.top() + 20.0), vec2(width, 16.0));
        if chip.right() > inner.right() {
            break;
        }
        let is_found = found == Some(path.as_str());
        paint::outline(ui.painter(), chip, 4, 1.0, if is_found { tokens.ok } else { tokens.line });
        let ink = if is_found { tokens.ok } else { tokens.text2 };
        paint::text_in(ui.painter(), list::inside(chip, 4.0, 4.0), end, fonts::small(), ink);
        left = chip.right() + 4.0;
    }
    let all = paths.iter().map(|path| path.as_str()).collect::<Vec<_>>().join("\n");
    copy::copyable(&response, &all, true);
}

/// A sentence about what is not as it should be.
fn warning(ui: &mut Ui, text: &str) {
    let tokens = theme::tokens(ui);
    list::note(ui, text, tokens.warn);
}

/// One stage of a script: its picture, and what it does.
fn stage(ui: &mut Ui, surface: usize, number: usize, stage: &Stage) {
    let tokens = theme::tokens(ui);
    let images: Vec<String> = stage.maps.iter().map(|map| map.program.words()).collect();
    let images = images.join(" ");
    let words = stage.words();
    let height = if words.is_empty() { 22.0 } else { 38.0 };
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), height));
    let response = ui.interact(rect, ui.scope_id().with(("stage", surface, number)), Sense::click());
    let told = format!("Stage {}: {images}{}{words}", number + 1, if words.is_empty() { "" } else { ", " });
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &told));
    focus_ring(ui, response.has_focus(), rect.shrink(1.0), 0.0);
    let inner = list::inside(rect, list::INSET, 12.0);
    let row = |top: f32, height: f32| Rect::from_min_size(inner.min + vec2(0.0, top), vec2(inner.width(), height));
    let is_there = stage.maps.iter().all(|map| map.image.is_some());
    let painter = ui.painter();
    paint::text_in(painter, row(2.0, 18.0), &format!("{}", number + 1), fonts::small_strong(), tokens.text2);
    let room = list::inside(row(2.0, 18.0), 22.0, 0.0);
    paint::name_in(painter, room, &images, fonts::mono(), if is_there { tokens.text } else { tokens.warn });
    if !words.is_empty() {
        paint::name_in(painter, list::inside(row(20.0, 14.0), 22.0, 0.0), &words, fonts::small(), tokens.text2);
    }
    if copy::on_click(&response, || images.clone()) {
        return;
    }
    response.on_hover_ui(|ui| {
        ui.label(egui::RichText::new(&images).monospace());
        for line in stage.explanations() {
            ui.label(line);
        }
        copy::hint(ui);
    });
}

/// The picture that may be meant, and a button that puts it on; a script must be mended where it stands (`usable`: not
/// one).
fn nearest(ui: &mut Ui, surface: usize, nearest: &Nearest, usable: bool, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 34.0));
    let inner = list::inside(rect, list::INSET, 12.0);
    let button = Button::new("Use it")
        .word("Use it")
        .rank(Emphasis::Raised)
        .note("Applies to every surface missing this texture");
    let button = button.enabled(nearest.place.is_some(), "Not available as a file");
    let width = button.width(ui);
    let width = if usable { width } else { 0.0 };
    let place = Rect::from_min_size(pos2(inner.right() - width, rect.center().y - 12.0), vec2(width, 24.0));
    if usable && button.show_at(ui, place, ("use", surface)).clicked() {
        actions.push(Action::Scene(SceneAction::UseNearest(surface)));
    }
    let painter = ui.painter();
    let icon = Rect::from_min_size(inner.min, vec2(14.0, inner.height()));
    paint::icon(painter, icon, icons::SEARCH, 14.0, tokens.text2);
    let label = Rect::from_min_max(pos2(inner.left() + 22.0, inner.top()), pos2(place.left() - 8.0, inner.bottom()));
    let word = paint::text_in(painter, label, "Nearest:", fonts::body(), tokens.text2);
    let room = Rect::from_min_max(pos2(word.right() + 6.0, label.top()), label.max);
    paint::name_in(painter, room, name_of(&nearest.path), fonts::mono(), tokens.text);
    let response = ui.interact(label, ui.scope_id().with(("nearest", surface)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Nearest: {}", nearest.path)));
    focus_ring(ui, response.has_focus(), label, 0.0);
    copy::copyable(&response, &nearest.path, true);
}

/// A path in the typeface of paths; a click copies it.
fn path(ui: &mut Ui, salt: impl std::hash::Hash + std::fmt::Debug, text: &str, colour: egui::Color32) {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 20.0));
    let response = ui.interact(rect, ui.scope_id().with(("path", salt)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    let room = list::inside(rect, list::INSET, 12.0);
    let shown = paint::shortened(ui.painter(), text, &fonts::mono(), room.width());
    paint::text_in(ui.painter(), room, &shown, fonts::mono(), colour);
    focus_ring(ui, response.has_focus(), rect.shrink(1.0), 0.0);
    copy::copyable(&response, text, shown != text);
}

/// One step: what was looked for, and whether it was there; `matters` if nothing else was found either. Gives whether it
/// was clicked.
fn trail_step(ui: &mut Ui, step: &SearchStep, surface: usize, number: usize, unfolded: bool, matters: bool) -> bool {
    let tokens = theme::tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 38.0));
    let response = ui.interact(rect, ui.scope_id().with(("step", surface, number)), Sense::click());
    let (icon, colour, result) = match (&step.found, step.tried.len()) {
        (Some(found), _) => (icons::CHECK, tokens.ok, found.clone()),
        // That there is no skin is no fault.
        (None, 0) if !matters || step.what == SKIN_STEP => (icons::MINUS, tokens.text2, step.note.clone()),
        (None, 0) => (icons::CLOSE, tokens.error, step.note.clone()),
        (None, 1) => (icons::CLOSE, tokens.error, "not found".to_owned()),
        (None, tried) => (icons::CLOSE, tokens.error, format!("{} tried, none exist", format::plural(tried, "path"))),
    };
    let name = format!("{}: {result}", step.what);
    if step.tried.is_empty() {
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    } else {
        access::unfolds(&response, unfolded, &name);
    }
    let painter = ui.painter();
    if response.hovered() {
        painter.rect_filled(rect, 0.0, tokens.raised);
    }
    focus_ring(ui, response.has_focus(), rect.shrink(1.0), 0.0);
    let inner = list::inside(rect, list::INSET, 12.0);
    let row = |top: f32, height: f32| Rect::from_min_size(inner.min + vec2(0.0, top), vec2(inner.width(), height));
    paint::icon(painter, Rect::from_min_size(row(2.0, 18.0).min, vec2(14.0, 18.0)), icon, 14.0, colour);
    paint::text_in(painter, list::inside(row(2.0, 18.0), 22.0, 16.0), &step.what, fonts::body(), tokens.text);
    paint::name_in(painter, list::inside(row(20.0, 14.0), 22.0, 16.0), &result, fonts::small(), tokens.text2);
    if !step.tried.is_empty() {
        let chevron = if unfolded { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
        let place = Rect::from_min_size(pos2(inner.right() - 14.0, inner.top()), vec2(14.0, inner.height()));
        paint::icon(painter, place, chevron, 14.0, tokens.text2);
    }
    let clicked = response.clicked();
    response.on_hover_text(format!("{}: {result}", step.what));
    clicked
}
