//! The section Skins: the pictures a model may wear.

use egui::{Rect, Ui, vec2};

use super::State;
use crate::ui::{context, fonts, format, icons, list, menu, paint, theme};
use maquette_assets::vfs::name_of;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, FileAction, FilePrompt, SceneAction, Session};

/// Says why a skin has a warning sign.
pub const LACKS_IMAGES: &str = "Some images of this skin are missing";

/// Shows the section, if there is anything to say.
pub fn show(ui: &mut Ui, session: &Session, entity: &Entity, memory: &mut State, actions: &mut Vec<Action>) {
    let part = &entity.asset;
    if part.model.surfaces().is_empty() {
        return;
    }
    let only_default = part.skins.len() == 1 && part.skins.first().is_none_or(|skin| skin.name == "default");
    let count = if only_default { String::new() } else { format::count(part.skins.len()) };
    if !memory.section(ui, "Skins", &count, true) {
        return;
    }
    let tokens = theme::tokens(ui);
    let order = entity.skins_in_order();
    let worn = || order.iter().position(|index| *index == entity.skin);
    let bring = if memory.brings_skin { worn() } else { None };
    list::rows(ui, "skins", 0..order.len(), list::ROW, bring, |ui, row| {
        let Some(index) = order.get(row).copied() else { return };
        let Some(skin) = part.skins.get(index) else { return };
        let chosen = index == entity.skin && entity.overrides.is_empty();
        let (rect, response) = list::row(ui, ui.scope_id().with(("skin", index)), &skin.name, list::ROW, false);
        if response.clicked() || response.secondary_clicked() && !chosen {
            actions.push(Action::Scene(SceneAction::ChooseSkin(index)));
        }
        menu::context(&response, |ui| context::skin(ui, session, actions));
        let inner = list::inside(rect, list::INSET, 12.0);
        if chosen {
            let place = Rect::from_min_size(inner.min, vec2(14.0, inner.height()));
            paint::icon(ui.painter(), place, icons::CHECK, 14.0, tokens.accent);
        }
        let picture = skin.materials.iter().find_map(|material| material.image.as_ref());
        let size = picture.map_or(String::new(), |picture| format::texture_size(picture));
        let mut right = paint::text_right(ui.painter(), inner, &size, fonts::small(), tokens.text2).left();
        let lacks = entity.lacks_images(index);
        if lacks {
            let place = Rect::from_min_size(egui::pos2(right - 20.0, inner.top()), vec2(14.0, inner.height()));
            paint::icon(ui.painter(), place, icons::WARNING, 14.0, tokens.warn);
            right -= 20.0;
        }
        let room = Rect::from_min_max(inner.min + vec2(22.0, 0.0), egui::pos2(right - 8.0, inner.bottom()));
        let font = if chosen { fonts::medium() } else { fonts::body() };
        paint::name_in(ui.painter(), room, &skin.name, font, tokens.text);
        let path = skin
            .materials
            .iter()
            .find(|material| material.image.is_some())
            .map_or("", |material| material.path.as_str());
        response.on_hover_ui(|ui| {
            ui.label(if path.is_empty() { &skin.name } else { path });
            if lacks {
                ui.label(LACKS_IMAGES);
            }
        });
    });
    if let Some(tried) = entity.overrides.values().next() {
        let name = format!("{} (override)", name_of(&tried.name));
        let (rect, response) = list::row(ui, ui.scope_id().with("tried"), &name, list::ROW, false);
        let inner = list::inside(rect, list::INSET, 12.0);
        let place = Rect::from_min_size(inner.min, vec2(14.0, inner.height()));
        paint::icon(ui.painter(), place, icons::CHECK, 14.0, tokens.accent);
        let room = Rect::from_min_max(inner.min + vec2(22.0, 0.0), inner.max);
        paint::name_in(ui.painter(), room, &name, fonts::medium(), tokens.text);
        actions.extend(response.clicked().then_some(Action::Scene(SceneAction::ChooseSkin(entity.skin))));
        response.on_hover_text("Click to revert");
    }
    // What is selected decides what it is put on; with nothing selected that is everything.
    let name = match session.document.selected_surfaces().len() {
        0 if part.model.surfaces().len() > 1 => "Set image of all surfaces…",
        0 | 1 => "Choose image…",
        _ => "Set image of selected surfaces…",
    };
    let (rect, response) = list::row(ui, ui.scope_id().with("try"), name, list::ROW, false);
    let inner = list::inside(rect, list::INSET, 12.0);
    paint::icon(
        ui.painter(),
        Rect::from_min_size(inner.min, vec2(14.0, inner.height())),
        icons::DOWNLOAD,
        14.0,
        tokens.text2,
    );
    let room = Rect::from_min_max(inner.min + vec2(22.0, 0.0), inner.max);
    paint::text_in(ui.painter(), room, name, fonts::body(), tokens.text2);
    actions.extend(response.clicked().then_some(Action::File(FileAction::Ask(FilePrompt::TryPicture))));
    response.on_hover_text("For the selected surface, or all; images and .skin files can also be dropped");
    list::end_section(ui);
}
