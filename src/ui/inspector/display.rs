//! *Display* section: display settings without a button above the view.

use egui::Ui;

use super::{Inspector, segments};
use crate::ui::{checkbox, format, list, slider};
use maquette_core::model::JointStorage;
use maquette_core::pose::BoneBlend;
use maquette_scene::scene::{Alpha, BackfaceDisplay, OVERLAYS, TextureFilter};
use maquette_scene::session::{Action, ClockAction, DisplayAction, FileAction, SceneAction};

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let (session, entity) = (panel.session, panel.entity);
    let (model, display) = (entity.model(), &session.view.display);
    let actions = &mut *panel.actions;
    let switch = |ui: &mut Ui, name: &str, on: bool, action: Action| {
        checkbox::show(ui, name, on, &action, list::INSET).then_some(action)
    };
    for row in OVERLAYS.iter().filter(|row| row.button.is_none() && (row.unavailable)(model).is_none()) {
        let action = Action::Display(DisplayAction::Toggle(row.kind));
        actions.extend(switch(ui, row.label, display.shows(row.kind), action));
    }
    let on_top = Action::Display(DisplayAction::ToggleOverlaysOnTop);
    actions.extend(switch(ui, "X-ray overlays", display.overlays_on_top, on_top));
    let length = f64::from(display.normal_length);
    let scale = slider::Scale {
        name: "Normal length",
        range: 0.005..=0.5,
        logarithmic: true,
        shown: format!("{} %", format::short(length * 100.0, 1)),
        note: "Length as a share of the model’s radius",
        keys: "[ ]",
    };
    actions.extend(scale.row(ui, length).map(|length| Action::Display(DisplayAction::SetNormalLength(length as f32))));
    let sides = BackfaceDisplay::ALL.map(|sides| (sides, sides.label()));
    let chosen = segments(ui, "Backfaces", &sides, display.sides);
    actions.extend(chosen.map(|sides| Action::Display(DisplayAction::SetSides(sides))));
    let alphas = Alpha::ALL.map(|alpha| (alpha, alpha.label()));
    let chosen = segments(ui, "Alpha", &alphas, display.alpha);
    actions.extend(chosen.map(|alpha| Action::Display(DisplayAction::SetAlpha(alpha))));
    let filters = TextureFilter::ALL.map(|filter| (filter, filter.label()));
    let chosen = segments(ui, "Texture filter", &filters, display.texture_filter);
    actions.extend(chosen.map(|filter| Action::Display(DisplayAction::SetTextureFilter(filter))));
    if model.format().traits().joints == JointStorage::Bones {
        let blends = [(BoneBlend::Slerp, "Slerp"), (BoneBlend::Engine, "In-game")];
        let chosen = segments(ui, "Bones", &blends, session.document.scene.bones);
        actions.extend(chosen.map(|bones| Action::Scene(SceneAction::SetBoneBlend(bones))));
    }
    if !model.embedded_skins().is_empty() {
        let lit = session.preferences.lit_fullbrights;
        actions.extend(switch(ui, "Light fullbright colours", lit, Action::File(FileAction::LightFullbrights(!lit))));
    }
    if !model.alternative_clips().is_empty() {
        let table = entity.playback.player_table;
        let action = Action::Clock(ClockAction::SetPlayerTable(!table));
        actions.extend(switch(ui, "Use standard player clips", table, action));
    }
}
