//! *Tags* and *Joints* sections: attachment points, with position and axes of the selected point.

use egui::Ui;
use glam::{Affine3A, Vec3};

use super::{Inspector, controls, numbers, place_row, world_row};
use crate::ui::button::{Button, Emphasis};
use crate::ui::kit::row::Row;
use crate::ui::{context, fonts, format, icons, list, menu, text, theme};
use maquette_assets::open::Anchor;
use maquette_core::edit::{Call, MOVE_TAG};
use maquette_core::inspect::{self, JointSource};
use maquette_core::model::Joint;
use maquette_core::pose;
use maquette_scene::scene::{Entity, Shading};
use maquette_scene::session::{Action, DisplayAction, EditAction, SceneAction, Selection, Session};

pub fn tag_count(_: &Session, entity: &Entity) -> Option<String> {
    let count = entity.model().tags().len();
    (count > 0).then(|| format::count(count))
}

pub fn joint_count(_: &Session, entity: &Entity) -> Option<String> {
    let count = entity.model().joints().len();
    (count > 0).then(|| format::count(count))
}

pub fn tags(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let names: Vec<&str> = panel.entity.model().tags().iter().map(String::as_str).collect();
    show(ui, panel, "tag", &names, Selection::Tag);
}

pub fn joints(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let names: Vec<&str> = panel.entity.model().joints().iter().map(|joint| joint.name.as_str()).collect();
    show(ui, panel, "joint", &names, Selection::Joint);
}

fn show(ui: &mut Ui, panel: &mut Inspector<'_>, thing: &'static str, names: &[&str], select: fn(usize) -> Selection) {
    let (session, entity) = (panel.session, panel.entity);
    let mut shown = panel.filtered(ui, thing, names.iter());
    let joints = entity.model().joints();
    let mut depths = vec![0; names.len()];
    if shown.len() == names.len() && joints.len() == names.len() && matches!(select(0), Selection::Joint(_)) {
        (shown, depths) = tree(joints);
    }
    let open = shown.iter().position(|index| select(*index) == session.document.selection);
    let row = |ui: &mut Ui, row: usize| {
        let Some((index, name)) = shown.get(row).and_then(|index| Some((*index, *names.get(*index)?))) else { return };
        let selection = select(index);
        let selected = selection == session.document.selection;
        let frame = frame_of(entity, selection);
        let mut tooltip = name.to_owned();
        let mut row = Row::new(name).inset(list::INSET).selected(selected);
        if let Selection::Joint(_) = selection {
            let depth = depths.get(index).copied().unwrap_or(0);
            row = row.icon(icons::BONE).inset(list::INSET + list::indent(depth)).value(format::count(index));
            if let Some(parent) = parent_of(joints, index) {
                tooltip = format!("{name}, child of {}", parent.name);
            }
        } else {
            let warns = frame.is_some_and(is_mirrored);
            if warns {
                tooltip = format!("{name}\n{MIRRORED}");
            }
            row = row.icon(icons::TAG).warning(warns);
        }
        let response = row.show(ui, (thing, index)).on_hover_text(tooltip);
        menu::context(&response, |ui| {
            context::anchor(ui, entity, anchor_of(selection, name), frame, panel.actions);
            if let Selection::Tag(_) = selection {
                context::tag(ui, session, panel.actions);
            }
        });
        // A right-click selects the tag first, because menu commands act on the selection.
        let selects = response.secondary_clicked() && !selected && matches!(selection, Selection::Tag(_));
        if response.clicked() || selects {
            let selection = if selected { Selection::None } else { selection };
            panel.actions.push(Action::Scene(SceneAction::Select(selection)));
        }
    };
    let mut of_details = Vec::new();
    list::rows_around(ui, thing, shown.len(), open, panel.state.scrolls_to_selection, row, |ui| {
        let selection = session.document.selection;
        let name = open.and_then(|row| names.get(*shown.get(row)?)).copied().unwrap_or_default();
        details(ui, session, entity, anchor_of(selection, name), &mut of_details);
    });
    panel.actions.append(&mut of_details);
}

const MIRRORED: &str = "Mirrored axes: attached models are drawn inside out";

fn anchor_of(selection: Selection, name: &str) -> Anchor {
    match selection {
        Selection::Joint(_) => Anchor::Joint(name.to_owned()),
        _ => Anchor::Tag(name.to_owned()),
    }
}

fn frame_of(entity: &Entity, selection: Selection) -> Option<&Affine3A> {
    match selection {
        Selection::Tag(index) => entity.pose.tags.get(index),
        Selection::Joint(index) => entity.pose.joints.get(index),
        _ => None,
    }
}

fn is_mirrored(frame: &Affine3A) -> bool {
    frame.matrix3.determinant() < 0.0
}

fn parent_of(joints: &[Joint], index: usize) -> Option<&Joint> {
    joints.get(joints.get(index)?.parent? as usize)
}

/// Shows position, angles and axes of the selected tag or joint, and the attached models.
fn details(ui: &mut Ui, session: &Session, entity: &Entity, anchor: Anchor, actions: &mut Vec<Action>) {
    let selection = session.document.selection;
    let Some(frame) = frame_of(entity, selection) else { return };
    let joint = if let Selection::Joint(index) = selection { Some(index) } else { None };
    let parent = joint.and_then(|index| parent_of(entity.model().joints(), index));
    let facts = joint.and_then(|index| inspect::joint(entity.model(), &entity.pose, index, entity.nearest_frame()));
    if joint.is_some() {
        text::fact(ui, "Parent", parent.map_or("none", |parent| parent.name.as_str()));
    }
    if let Some(facts) = &facts {
        text::fact(ui, "Vertices", &format::count(facts.vertices));
        text::fact(ui, "Animated", &animated(facts.source));
    }
    let place: Vec3 = frame.translation.into();
    let movable = match selection {
        Selection::Tag(tag) if session.document.why_no_tag_edit(&MOVE_TAG).is_none() => Some(tag),
        _ => None,
    };
    let moved = place_row(ui, place, movable.map(|tag| ui.scope_id().with(("tag place", entity.id, tag))));
    let call = movable
        .zip(moved)
        .map(|(tag, Vec3 { x, y, z })| Call::with(&MOVE_TAG, &[&format!("#{tag}"), &format!("{x},{y},{z}")]));
    actions.extend(call.map(|call| Action::Edit(EditAction::Change(vec![call]))));
    world_row(ui, entity, place);
    let about = "Pitch, yaw and roll in degrees; a positive pitch looks down";
    text::fact_about(ui, "Pitch, yaw, roll", &numbers(pose::angles(&frame.matrix3), 1, "°"), Some(about));
    let axes = [frame.matrix3.x_axis, frame.matrix3.y_axis, frame.matrix3.z_axis];
    for (name, axis) in ["Forward (X)", "Left (Y)", "Up (Z)"].into_iter().zip(axes) {
        text::fact(ui, name, &numbers(axis.into(), 3, ""));
    }
    if let Some(facts) = facts.filter(|_| parent.is_some()) {
        text::fact(ui, "From parent", &numbers(facts.local.translation.into(), 2, ""));
        text::fact(ui, "Rotation", &numbers(pose::angles(&facts.local.matrix3), 1, "°"));
    }
    let is_here = |other: &&Entity| {
        other.attachment.as_ref().is_some_and(|attachment| {
            attachment.to == entity.id
                && std::mem::discriminant(&attachment.anchor) == std::mem::discriminant(&anchor)
                && attachment.anchor.name().eq_ignore_ascii_case(anchor.name())
        })
    };
    let attached = session.document.scene.entities().iter().filter(is_here);
    let attached: Vec<&str> = attached.map(|other| other.asset.name.as_str()).collect();
    if !attached.is_empty() {
        text::fact(ui, "Attached", &attached.join(", "));
    }
    if joint.is_some() {
        let on = session.view.display.shading == Shading::Weights;
        let button = Button::new("Show weights").word("Show weights").rank(Emphasis::Raised).height(24.0).on(on);
        let button = button.note("Show the weights of this joint as colours");
        if controls(ui, |ui| button.show(ui)).clicked() {
            let shading = if on { Shading::Textured } else { Shading::Weights };
            actions.push(Action::Display(DisplayAction::SetShading(shading)));
        }
    } else if is_mirrored(frame) {
        let ink = theme::tokens(ui).warn;
        let warning = Row::label(MIRRORED).font(fonts::small()).colour(ink).icon_in(icons::WARNING, ink);
        warning.height(20.0).inset(list::INSET).show(ui, "mirrored").on_hover_text(MIRRORED);
    }
    ui.add_space(6.0);
}

/// Returns a description of the source of the joint's transform in the current frame.
fn animated(source: JointSource) -> String {
    match source {
        JointSource::Bind => "no (bind pose)".to_owned(),
        JointSource::Matrix => "matrix in model space".to_owned(),
        JointSource::PackedMatrix => "compressed matrix".to_owned(),
        JointSource::Angles => "angles in model space".to_owned(),
        JointSource::Pool(index) => format!("compressed matrix {index}"),
        JointSource::NotAnimated => "no (not in the animation)".to_owned(),
        JointSource::Channels(0) | JointSource::Local(0) => "no (base frame)".to_owned(),
        JointSource::Channels(_) | JointSource::Local(_) => source.channels().collect::<Vec<_>>().join(" "),
    }
}

/// Returns the joints in the order of their tree, each before its children, and the number of ancestors of each joint.
fn tree(joints: &[Joint]) -> (Vec<usize>, Vec<usize>) {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); joints.len()];
    let mut left = Vec::new();
    for (index, joint) in joints.iter().enumerate().rev() {
        let own = joint.parent.and_then(|parent| children.get_mut(parent as usize));
        own.unwrap_or(&mut left).push(index);
    }
    let (mut order, mut depths) = (Vec::new(), vec![0; joints.len()]);
    while let Some(index) = left.pop() {
        order.push(index);
        let depth = depths.get(index).map_or(0, |depth| depth + 1);
        for child in children.get(index).into_iter().flatten() {
            depths.get_mut(*child).into_iter().for_each(|own| *own = depth);
            left.push(*child);
        }
    }
    (order, depths)
}
