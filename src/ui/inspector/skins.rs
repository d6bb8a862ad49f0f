//! *Skins* section: the model's sets of materials.

use egui::Ui;

use super::Inspector;
use crate::ui::kit::row::Row;
use crate::ui::{context, fonts, format, icons, list, menu, theme};
use maquette_assets::vfs::name_of;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, FileAction, FilePrompt, SceneAction, Session};

pub const LACKS_IMAGES: &str = "Some images of this skin are missing";

pub fn count(_: &Session, entity: &Entity) -> Option<String> {
    let skins = &entity.asset.skins;
    let only_default = skins.len() == 1 && skins.first().is_none_or(|skin| skin.name == "default");
    let count = if only_default { String::new() } else { format::count(skins.len()) };
    (!entity.model().surfaces().is_empty()).then_some(count)
}

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let entity = panel.entity;
    let tokens = theme::tokens(ui);
    let ticked = |name, on| {
        let row = Row::new(name).inset(list::INSET).icon_in(if on { icons::CHECK } else { "" }, tokens.accent);
        row.font(if on { fonts::medium() } else { fonts::body() })
    };
    let order = entity.skins_in_order();
    let current = || order.iter().position(|index| *index == entity.skin);
    let scroll_to = if panel.state.scrolls_to_skin { current() } else { None };
    list::rows(ui, "skins", 0..order.len(), list::ROW, scroll_to, |ui, row| {
        let Some(index) = order.get(row).copied() else { return };
        let Some(skin) = entity.asset.skins.get(index) else { return };
        let chosen = index == entity.skin && entity.overrides.is_empty();
        let lacks = entity.lacks_images(index);
        let material = skin.materials.iter().find(|material| material.image.is_some());
        let size = material.and_then(|material| material.image.as_ref()).map(|image| format::texture_size(image));
        let group = entity.model().embedded_skins().iter().find(|own| own.name == skin.name && own.images.len() > 1);
        let images = group.map(|own| format::plural(own.images.len(), "image"));
        let value = [images, size].into_iter().flatten().collect::<Vec<_>>().join(", ");
        let row = ticked(skin.name.clone(), chosen).small_value(value).warning(lacks);
        let response = row.show(ui, ("skin", index));
        if response.clicked() || response.secondary_clicked() && !chosen {
            panel.actions.push(Action::Scene(SceneAction::ChooseSkin(index)));
        }
        menu::context(&response, |ui| context::skin(ui, panel.session, panel.actions));
        response.on_hover_ui(|ui| {
            let path = material.map_or("", |material| material.path.as_str());
            ui.label(if path.is_empty() { &skin.name } else { path });
            if let Some(group) = group {
                let ends = group.end_times.iter().map(|end| format::short(f64::from(*end), 3)).collect::<Vec<_>>();
                ui.label(format!("The images end at {} s", ends.join(", ")));
            }
            if lacks {
                ui.label(LACKS_IMAGES);
            }
        });
    });
    if let Some(tried) = entity.overrides.values().next() {
        let response = ticked(format!("{} (override)", name_of(&tried.name)), true).show(ui, "tried");
        panel.actions.extend(response.clicked().then_some(Action::Scene(SceneAction::ChooseSkin(entity.skin))));
        response.on_hover_text("Click to revert");
    }
    // The image applies to the selected surfaces, or to all if none is selected.
    let name = match panel.session.document.selected_surfaces().len() {
        0 if entity.model().surfaces().len() > 1 => "Set texture of all surfaces…",
        0 | 1 => "Set texture…",
        _ => "Set texture of selected surfaces…",
    };
    let response = Row::new(name).inset(list::INSET).icon(icons::DOWNLOAD).colour(tokens.text2).show(ui, "try");
    panel.actions.extend(response.clicked().then_some(Action::File(FileAction::Ask(FilePrompt::TryTexture))));
    response.on_hover_text("For the selected surface, or for all; images and .skin files can also be dropped");
}
