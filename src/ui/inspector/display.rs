//! The section Display: the switches of the picture that are wanted more rarely than those above it.

use egui::Ui;

use super::{State, segments};
use crate::ui::{checkbox, format, list, slider};
use maquette_core::model::JointStorage;
use maquette_core::pose::BoneBlend;
use maquette_scene::scene::{Alpha, BackfaceDisplay, Entity, OVERLAYS};
use maquette_scene::session::{Action, ClockAction, DisplayAction, SceneAction, Session};

/// Shows the section.
pub fn show(ui: &mut Ui, session: &Session, entity: &Entity, memory: &mut State, actions: &mut Vec<Action>) {
    let part = &entity.asset;
    if !memory.section(ui, "Display", "", false) {
        return;
    }
    let model = &part.model;
    let mut switch = |ui: &mut Ui, name: &str, on: bool, action: Action| {
        if checkbox::show(ui, name, on, &action, list::INSET) {
            actions.push(action);
        }
    };
    for row in OVERLAYS.iter().filter(|row| row.button.is_none() && (row.unavailable)(model).is_none()) {
        let action = Action::Display(DisplayAction::Toggle(row.kind));
        switch(ui, row.label, session.view.display.shows(row.kind), action);
    }
    let on_top = Action::Display(DisplayAction::ToggleOverlaysOnTop);
    switch(ui, "X-ray overlays", session.view.display.overlays_on_top, on_top);
    normal_length(ui, session, actions);
    let sides = BackfaceDisplay::ALL.map(|sides| (sides, sides.label()));
    let chosen = segments(ui, "Backfaces", &sides, session.view.display.sides);
    actions.extend(chosen.map(|sides| Action::Display(DisplayAction::SetSides(sides))));
    let alphas = Alpha::ALL.map(|alpha| (alpha, alpha.label()));
    let chosen = segments(ui, "Alpha", &alphas, session.view.display.alpha);
    actions.extend(chosen.map(|alpha| Action::Display(DisplayAction::SetAlpha(alpha))));
    if model.format().traits().joints == JointStorage::Bones {
        let blends = [(BoneBlend::Slerp, "Slerp"), (BoneBlend::Engine, "In-game")];
        let chosen = segments(ui, "Bones", &blends, session.document.scene.bones);
        actions.extend(chosen.map(|bones| Action::Scene(SceneAction::SetBoneBlend(bones))));
    }
    if !model.alternative_clips().is_empty() {
        let table = entity.playback.player_table;
        let action = Action::Clock(ClockAction::SetPlayerTable(!table));
        if checkbox::show(ui, "Use standard Quake II clips", table, &action, list::INSET) {
            actions.push(action);
        }
    }
    list::end_section(ui);
}

fn normal_length(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let length = f64::from(session.view.display.normal_length);
    let scale = slider::Scale {
        name: "Normal length",
        range: 0.005..=0.5,
        logarithmic: true,
        shown: format!("{} %", format::short(length * 100.0, 1)),
        note: "Share of the model’s radius",
        keys: "[ ]",
    };
    actions.extend(scale.row(ui, length).map(|length| Action::Display(DisplayAction::SetNormalLength(length as f32))));
}
