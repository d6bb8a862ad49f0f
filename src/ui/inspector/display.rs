//! The section Display: the switches of the picture that are wanted more rarely than those above it.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{Memory, segments};
use crate::model::Format;
use crate::pose::BoneBlend;
use crate::scene::{Actor, Alpha, Sides};
use crate::session::{Action, Session, Switch, command_for};
use crate::ui::{button, fonts, icons, list, paint, slider, theme, words};

/// Shows the section.
pub fn show(ui: &mut Ui, session: &Session, actor: &Actor, memory: &mut Memory, actions: &mut Vec<Action>) {
    let part = &actor.part;
    if !memory.section(ui, "Display", "", false) {
        return;
    }
    let model = &part.model;
    let mut switch = |ui: &mut Ui, name: &str, switch: Switch| {
        if tick(ui, name, session.is_on(switch), &Action::Toggle(switch)) {
            actions.push(Action::Toggle(switch));
        }
    };
    switch(ui, "Ground shadow", Switch::Shadow);
    switch(ui, "Vertices", Switch::Vertices);
    switch(ui, "Overlays on top", Switch::OverlaysOnTop);
    if !model.joints().is_empty() {
        switch(ui, "Names of joints", Switch::JointNames);
    }
    switch(ui, "Vertex normals", Switch::VertexNormals);
    switch(ui, "Face normals", Switch::FaceNormals);
    normal_length(ui, session, actions);
    let sides = Sides::ALL.map(Sides::label);
    let current = Sides::ALL.iter().position(|sides| *sides == session.display.sides).unwrap_or(0);
    if let Some(sides) = segments(ui, "Inside faces", &sides, current).and_then(|index| Sides::ALL.get(index)) {
        actions.push(Action::SetSides(*sides));
    }
    let alphas = [Alpha::Material, Alpha::Test, Alpha::Blend];
    let current = alphas.iter().position(|alpha| *alpha == session.display.alpha).unwrap_or(0);
    if let Some(alpha) =
        segments(ui, "Alpha", &["Material", "Test", "Blend"], current).and_then(|index| alphas.get(index))
    {
        actions.push(Action::SetAlpha(*alpha));
    }
    if model.format == Format::Mdr {
        let blends = [BoneBlend::Slerp, BoneBlend::Engine];
        let current = usize::from(session.stage.bones == BoneBlend::Engine);
        if let Some(bones) =
            segments(ui, "Bones", &["Turned", "As the game"], current).and_then(|index| blends.get(index))
        {
            actions.push(Action::SetBoneBlend(*bones));
        }
    }
    if !model.alternative_clips.is_empty() {
        let table = actor.playback.player_table;
        let action = Action::SetPlayerTable(!table);
        if tick(ui, "Clips by the Quake II player table", table, &action) {
            actions.push(action);
        }
    }
    list::end_section(ui);
}

/// A tick box over the whole row. Gives whether it was clicked.
pub fn tick(ui: &mut Ui, name: &str, on: bool, action: &Action) -> bool {
    let tokens = theme::tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), list::ROW));
    let response = ui.interact(rect, ui.scope_id().with(("tick", name)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
    let painter = ui.painter();
    let inner = list::inside(rect, list::INSET, 12.0);
    let place = Rect::from_min_size(pos2(inner.left(), inner.center().y - 8.0), vec2(16.0, 16.0));
    if on {
        paint::fill(painter, place, 4, tokens.accent_fill);
        paint::icon(painter, place, icons::CHECK, 14.0, tokens.on_accent);
    } else {
        paint::outline(painter, place, 4, 1.0, if response.hovered() { tokens.text } else { tokens.text3 });
    }
    if response.has_focus() {
        button::focus_ring(ui, place.expand(1.0), 2.0);
    }
    let room = Rect::from_min_max(inner.min + vec2(24.0, 0.0), inner.max);
    paint::name_in(painter, room, name, fonts::body(), tokens.text);
    let clicked = response.clicked();
    let keys = command_for(action).map_or(String::new(), |command| paint::first_keys(command.keys));
    if !keys.is_empty() {
        response.on_hover_ui(|ui| button::tip(ui, name, &keys));
    }
    clicked
}

fn normal_length(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let length = f64::from(session.display.normal_length);
    let scale = slider::Scale {
        name: "Normal length",
        range: 0.005..=0.5,
        logarithmic: true,
        shown: format!("{} %", words::short(length * 100.0, 1)),
        note: "Share of the model’s radius",
        keys: "[ ]",
    };
    actions.extend(scale.row(ui, length).map(|length| Action::SetNormalLength(length as f32)));
}
