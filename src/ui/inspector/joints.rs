//! The section Joints: the skeleton as an indented list; the chosen one tells its place and axes.

use egui::{Rect, Response, Ui, vec2};

use super::{State, angles_row, attached_row, axes_rows, clips, place_row, world_row};
use crate::ui::button::{Button, Emphasis};
use crate::ui::{context, fonts, format, icons, list, menu, paint, theme};
use maquette_assets::open::Anchor;
use maquette_core::inspect::{self, JointSource};
use maquette_core::model::Joint;
use maquette_core::pose;
use maquette_scene::scene::{Entity, Shading};
use maquette_scene::session::{Action, DisplayAction, SceneAction, Selection, Session};

/// Deeper joints stand no further to the right.
const INDENTED_LEVELS: usize = 8;

/// Shows the section, if the model has joints.
pub fn show(ui: &mut Ui, session: &Session, entity: &Entity, memory: &mut State, actions: &mut Vec<Action>) {
    let part = &entity.asset;
    let joints = part.model.joints();
    let chosen = if let Selection::Joint(index) = session.document.selection { Some(index) } else { None };
    if joints.is_empty() || !memory.section(ui, "Joints", &format::count(joints.len()), false) {
        return;
    }
    let wanted = memory.filter(ui, "joint", joints.len());
    let fits = |index: &usize| joints.get(*index).is_some_and(|joint| joint.name.to_lowercase().contains(&wanted));
    let shown: Vec<usize> = (0..joints.len()).filter(|index| wanted.is_empty() || fits(index)).collect();
    let place = shown.iter().position(|index| chosen == Some(*index));
    let row = |ui: &mut Ui, row: usize| {
        if let Some(index) = shown.get(row).copied() {
            let depth = if wanted.is_empty() { depth_of(joints, index) } else { 0 };
            let Some(response) = joint(ui, joints, index, depth, chosen == Some(index), actions) else { return };
            let name = joints.get(index).map(|joint| joint.name.clone()).unwrap_or_default();
            menu::context(&response, |ui| {
                context::anchor(ui, entity, Anchor::Joint(name), entity.pose.joints.get(index), actions);
            });
        }
    };
    // What the chosen one tells stands under it.
    let mut of_details = Vec::new();
    list::rows_around(ui, "joints", shown.len(), place, memory.brings_selection, row, |ui| {
        if let Some(index) = chosen {
            ui.push_id("joint details", |ui| details(ui, session, entity, index, &mut of_details));
        }
    });
    actions.append(&mut of_details);
    if shown.is_empty() {
        clips::nothing(ui, "No matching joints");
    }
    list::end_section(ui);
}

/// Parent, place and axes of a joint.
fn details(ui: &mut Ui, session: &Session, entity: &Entity, index: usize, actions: &mut Vec<Action>) {
    let (Some(frame), joints) = (entity.pose.joints.get(index), entity.model().joints()) else { return };
    let parent = joints.get(index).and_then(|joint| joint.parent).and_then(|parent| joints.get(parent as usize));
    list::fact(ui, "Parent", parent.map_or("none", |parent| parent.name.as_str()));
    let facts = inspect::joint(entity.model(), &entity.pose, index, entity.nearest_frame());
    if let Some(facts) = &facts {
        list::fact(ui, "Vertices", &format::count(facts.vertices));
        list::fact(ui, "Animated", &animated(facts.source));
    }
    place_row(ui, frame.translation.into());
    world_row(ui, entity, frame.translation.into());
    angles_row(ui, frame);
    axes_rows(ui, frame);
    if let Some(facts) = facts.filter(|_| parent.is_some()) {
        let word = |number: f32| format::fixed(f64::from(number), 2);
        let place: [f32; 3] = facts.local.translation.into();
        list::fact(ui, "From parent", &place.map(word).join("  "));
        let turned = pose::angles(&facts.local.matrix3).to_array();
        list::fact(ui, "Turned by", &turned.map(|angle| format!("{}°", format::fixed(f64::from(angle), 1))).join("  "));
    }
    let name = joints.get(index).map(|joint| joint.name.clone()).unwrap_or_default();
    attached_row(ui, session, entity, &Anchor::Joint(name));
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.add_space(list::INSET);
        let on = session.view.display.shading == Shading::Weights;
        let button = Button::new("Show weights").word("Show weights").rank(Emphasis::Raised).height(24.0).on(on);
        let button = button.note("The weight of the joint in each vertex, as colours");
        if button.show(ui).clicked() {
            let shading = if on { Shading::Textured } else { Shading::Weights };
            actions.push(Action::Display(DisplayAction::SetShading(shading)));
        }
    });
    ui.add_space(6.0);
}

/// Where the joint's place in the frame comes from.
fn animated(source: JointSource) -> String {
    match source {
        JointSource::Bind => "no: bind pose".to_owned(),
        JointSource::Matrix => "matrix in model space".to_owned(),
        JointSource::PackedMatrix => "compressed matrix".to_owned(),
        JointSource::NotAnimated => "no: not in the animation".to_owned(),
        JointSource::Channels(0) => "no: base frame".to_owned(),
        JointSource::Channels(_) => source.channels().collect::<Vec<_>>().join(" "),
    }
}

/// How many joints stand above one; parents come before their children, so this ends.
fn depth_of(joints: &[Joint], index: usize) -> usize {
    let mut depth = 0;
    let mut at = index;
    while let Some(parent) = joints.get(at).and_then(|joint| joint.parent) {
        at = parent as usize;
        depth += 1;
        if depth >= INDENTED_LEVELS {
            break;
        }
    }
    depth
}

fn joint(
    ui: &mut Ui,
    joints: &[Joint],
    index: usize,
    depth: usize,
    chosen: bool,
    actions: &mut Vec<Action>,
) -> Option<Response> {
    let joint = joints.get(index)?;
    let tokens = theme::tokens(ui);
    let (rect, response) = list::row(ui, ui.scope_id().with(("joint", index)), &joint.name, list::ROW, chosen);
    let selection = if chosen { Selection::None } else { Selection::Joint(index) };
    actions.extend(response.clicked().then_some(Action::Scene(SceneAction::Select(selection))));
    let inner = list::inside(rect, list::INSET + depth as f32 * 10.0, 12.0);
    let colour = if chosen { tokens.accent } else { tokens.text2 };
    paint::icon(ui.painter(), Rect::from_min_size(inner.min, vec2(14.0, inner.height())), icons::BONE, 14.0, colour);
    let number = format::count(index);
    let right = paint::text_right(ui.painter(), inner, &number, fonts::body(), tokens.text2).left();
    let font = if chosen { fonts::medium() } else { fonts::body() };
    let room = Rect::from_min_max(inner.min + vec2(22.0, 0.0), egui::pos2(right - 8.0, inner.bottom()));
    paint::name_in(ui.painter(), room, &joint.name, font, tokens.text);
    let parent = joint.parent.and_then(|parent| joints.get(parent as usize));
    let told = parent.map_or_else(|| joint.name.clone(), |parent| format!("{}, child of {}", joint.name, parent.name));
    Some(response.on_hover_text(told))
}
