//! The section Joints: the skeleton as an indented list; the chosen one tells its place and axes.

use egui::{Rect, Ui, vec2};

use super::{Memory, axes_rows, clips, place_row};
use crate::model::Joint;
use crate::scene::Entity;
use crate::session::{Action, SceneAction, Selection, Session};
use crate::ui::{field, fonts, format, icons, list, paint, theme};

/// Deeper joints stand no further to the right.
const DEEPEST: usize = 8;

/// Shows the section, if the model has joints.
pub fn show(ui: &mut Ui, session: &Session, entity: &Entity, memory: &mut Memory, actions: &mut Vec<Action>) {
    let part = &entity.asset;
    let joints = part.model.joints();
    let chosen = if let Selection::Joint(index) = session.document.selection { Some(index) } else { None };
    if joints.is_empty() || !memory.section(ui, "Joints", &format::count(joints.len()), chosen.is_some()) {
        return;
    }
    if joints.len() > 8 {
        let hint = format!("Filter {}", format::plural(joints.len(), "joint"));
        field::filter(ui, ui.scope_id().with("joint filter"), &mut memory.joint_filter, &hint, 12.0);
        ui.add_space(4.0);
    }
    let wanted = memory.joint_filter.to_lowercase();
    let shown: Vec<usize> = (0..joints.len())
        .filter(|index| joints.get(*index).is_some_and(|joint| joint.name.to_lowercase().contains(&wanted)))
        .collect();
    let place = shown.iter().position(|index| chosen == Some(*index));
    list::rows(ui, "joints", shown.len(), list::ROW, place, |ui, row| {
        if let Some(index) = shown.get(row).copied() {
            let depth = if wanted.is_empty() { depth_of(joints, index) } else { 0 };
            joint(ui, joints, index, depth, chosen == Some(index), actions);
        }
    });
    if shown.is_empty() {
        clips::nothing(ui, "No matching joints");
    }
    if let Some((index, frame)) = chosen.and_then(|index| Some((index, entity.pose.joints.get(index)?))) {
        let name = joints.get(index).map_or("", |joint| joint.name.as_str());
        ui.add_space(4.0);
        list::fact(ui, "Joint", name);
        let parent = joints.get(index).and_then(|joint| joint.parent).and_then(|parent| joints.get(parent as usize));
        list::fact(ui, "Parent", parent.map_or("none", |parent| parent.name.as_str()));
        place_row(ui, frame.translation.into());
        axes_rows(ui, frame);
    }
    list::end_section(ui);
}

/// How many joints stand above one; parents come before their children, so this ends.
fn depth_of(joints: &[Joint], index: usize) -> usize {
    let mut depth = 0;
    let mut at = index;
    while let Some(parent) = joints.get(at).and_then(|joint| joint.parent) {
        at = parent as usize;
        depth += 1;
        if depth >= DEEPEST {
            break;
        }
    }
    depth
}

fn joint(ui: &mut Ui, joints: &[Joint], index: usize, depth: usize, chosen: bool, actions: &mut Vec<Action>) {
    let Some(joint) = joints.get(index) else { return };
    let tokens = theme::tokens(ui);
    let (rect, response) = list::row(ui, ui.scope_id().with(("joint", index)), &joint.name, list::ROW, chosen);
    if response.clicked() {
        actions.push(Action::Scene(SceneAction::Select(if chosen {
            Selection::None
        } else {
            Selection::Joint(index)
        })));
    }
    let inner = list::inside(rect, list::INSET + depth as f32 * 10.0, 12.0);
    let colour = if chosen { tokens.accent } else { tokens.text2 };
    paint::icon(ui.painter(), Rect::from_min_size(inner.min, vec2(14.0, inner.height())), icons::BONE, 14.0, colour);
    let number = format::count(index);
    let right = paint::text_right(ui.painter(), inner, &number, fonts::body(), tokens.text2).left();
    let font = if chosen { fonts::medium() } else { fonts::body() };
    let room = Rect::from_min_max(inner.min + vec2(22.0, 0.0), egui::pos2(right - 8.0, inner.bottom()));
    paint::name_in(ui.painter(), room, &joint.name, font, tokens.text);
    let parent = joint.parent.and_then(|parent| joints.get(parent as usize));
    response.on_hover_text(
        parent.map_or_else(|| joint.name.clone(), |parent| format!("{}, child of {}", joint.name, parent.name)),
    );
}
