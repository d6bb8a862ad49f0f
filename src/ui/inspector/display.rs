//! The section Display: the switches of the picture that are wanted more rarely than those above it.

use egui::{Rect, Slider, Ui, WidgetInfo, pos2, vec2};

use super::{Memory, segments};
use crate::model::Format;
use crate::pose::BoneBlend;
use crate::scene::{Actor, Alpha};
use crate::session::{Action, Session, Switch};
use crate::ui::{button, fonts, list, paint, theme, tick, words};

/// Shows the section.
pub fn show(ui: &mut Ui, session: &Session, actor: &Actor, memory: &mut Memory, actions: &mut Vec<Action>) {
    let part = &actor.part;
    if !memory.section(ui, "Display", "", false) {
        return;
    }
    let model = &part.model;
    let mut switch = |ui: &mut Ui, name: &str, switch: Switch| {
        if tick::show(ui, name, session.is_on(switch), &Action::Toggle(switch), list::INSET) {
            actions.push(Action::Toggle(switch));
        }
    };
    switch(ui, "Ground shadow", Switch::Shadow);
    switch(ui, "Both sides of triangles", Switch::TwoSided);
    switch(ui, "Overlays on top", Switch::OverlaysOnTop);
    if !model.joints().is_empty() {
        switch(ui, "Names of joints", Switch::JointNames);
    }
    switch(ui, "Vertex normals", Switch::VertexNormals);
    switch(ui, "Face normals", Switch::FaceNormals);
    normal_length(ui, session, actions);
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
        if tick::show(ui, "Clips by the Quake II player table", table, &action, list::INSET) {
            actions.push(action);
        }
    }
    list::end_section(ui);
}

fn normal_length(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 28.0));
    paint::text_in(ui.painter(), list::inside(row, list::INSET, 12.0), "Normal length", fonts::body(), tokens.text2);
    let mut length = session.display.normal_length;
    let shown = format!("{} %", words::short(f64::from(length) * 100.0, 1));
    let right = list::inside(row, list::INSET, 12.0);
    paint::text_right(ui.painter(), right, &shown, fonts::body(), tokens.text);
    let room = Rect::from_min_max(
        pos2(row.left() + list::INSET + 96.0, row.top()),
        pos2(row.right() - 12.0 - 52.0, row.bottom()),
    );
    ui.scope_builder(egui::UiBuilder::new().max_rect(room).id_salt("length"), |ui| {
        // The rail takes the colour of selections and the handle that of buttons.
        ui.visuals_mut().selection.bg_fill = tokens.accent_fill;
        ui.visuals_mut().widgets.inactive.bg_fill = tokens.line;
        ui.visuals_mut().handle_shape = egui::style::HandleShape::Circle;
        ui.spacing_mut().slider_width = room.width();
        let slider = Slider::new(&mut length, 0.005..=0.5).logarithmic(true).show_value(false).trailing_fill(true);
        let response = ui.add(slider);
        response.widget_info(|| WidgetInfo::slider(true, f64::from(session.display.normal_length), "Normal length"));
        if response.changed() {
            actions.push(Action::SetNormalLength(length));
        }
        response.on_hover_ui(|ui| button::tip(ui, "Share of the model’s radius", "[ ]"));
    });
}
