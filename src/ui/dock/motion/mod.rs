//! Motion panel: curves of position, angles or speed over the clip, and a table of all clips.

mod chart;
mod clips;
mod crossings;

pub use crossings::paint_lines;

use std::ops::Range;

use egui::{Color32, Panel, Role, Ui};
use glam::Vec3;

use crate::ui::button::Button;
use crate::ui::inspector::selection_name;
use crate::ui::kit::row::Row;
use crate::ui::{fonts, icons, list, segmented_control, theme};
use maquette_core::model::Clip;
use maquette_scene::scene::{Choice, Choices, Entity, EntityId, OverlayKind, TrackedPoint, Tracks};
use maquette_scene::session::{Action, DisplayAction, SceneAction, Selection, Session};

/// Widths of the list of points at the left, also while two models are compared, and of the list of clips at the right.
const NAMES: f32 = 112.0;
const COMPARED_NAMES: f32 = 168.0;
const CLIPS: f32 = 376.0;
/// Minimum width of a panel with both the curves and the list of clips. A narrower panel shows one of them.
const CLIPS_FROM: f32 = 720.0;
const ROW: f32 = 24.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Quantity {
    /// X, Y and Z, in units.
    #[default]
    Place,
    /// Pitch, yaw and roll, in degrees.
    Angles,
    /// Units per second.
    Speed,
}

impl Choices for Quantity {
    const CHOICES: &'static [Choice<Self>] =
        &[Choice::new(Self::Place, "Position"), Choice::new(Self::Angles, "Angles"), Choice::new(Self::Speed, "Speed")];
}

impl Quantity {
    fn unit(self) -> &'static str {
        match self {
            Self::Place => "units",
            Self::Angles => "degrees",
            Self::Speed => "units/s",
        }
    }
}

#[derive(Default)]
pub struct State {
    tracks: Tracks,
    quantity: Quantity,
    clips: clips::State,
    shows_clips: bool,
    shows_crossings: bool,
}

struct Curve {
    /// Values, one per frame of the clip.
    values: Vec<f32>,
    colour: Color32,
    /// Axis, for example `X` or `Pitch`; empty for the speed.
    name: &'static str,
}

pub fn show(ui: &mut Ui, head: &mut Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) {
    let selection = session.document.focus.map(|focus| (focus, session.document.selection));
    let scene = &session.document.scene;
    let followed = state.tracks.followed(scene, selection, &session.document.tracked_points());
    let is_narrow = ui.available_width() < CLIPS_FROM;
    self::head(head, session, is_narrow, state, actions);
    if state.shows_crossings {
        return crossings::show(ui, session, actions);
    }
    let first = followed.first().and_then(|first| scene.entity(first.entity));
    let Some(entity) = first else { return choices(ui, session, actions) };
    let side = |panel: Panel, width: f32| panel.exact_size(width).resizable(false).frame(egui::Frame::NONE);
    let names = if session.document.comparison.is_some() { COMPARED_NAMES } else { NAMES };
    // The inspector names the selection.
    let is_alone =
        |one: &TrackedPoint| selection == Some((one.entity, one.selection)) && pinned(session, one).is_none();
    if !matches!(followed.as_slice(), [one] if is_alone(one)) {
        side(Panel::left("followed"), names).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            list::scroll(ui, "followed", |ui| {
                ui.add_space(4.0);
                followed.iter().for_each(|one| row(ui, session, one, actions));
            });
        });
    }
    if is_narrow && state.shows_clips {
        return clips::show(ui, session, &followed, &mut state.clips, actions);
    }
    if !is_narrow {
        side(Panel::right("clips"), CLIPS).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            clips::show(ui, session, &followed, &mut state.clips, actions);
        });
    }
    let curves = curves(ui, session, entity, &followed, state.quantity);
    chart::show(ui, ui.available_rect_before_wrap(), entity, &curves, state.quantity, actions);
}

const COLUMN: f32 = 200.0;

fn choices(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let scene = &session.document.scene;
    let shown: Vec<&Entity> = scene.entities().iter().filter(|entity| scene.shows(entity)).collect();
    let quiet = theme::tokens(ui).text2;
    list::scroll(ui, "choices", |ui| {
        ui.add_space(4.0);
        let text = "Select a tag, a joint or a vertex to see how it moves";
        Row::label(text).colour(quiet).height(ROW).show(ui, "hint");
        for entity in &shown {
            let model = entity.model();
            let tags = model.tags().iter().enumerate().map(|(index, name)| (Selection::Tag(index), name.as_str()));
            let joints = model.joints().iter().enumerate();
            let joints = joints.map(|(index, joint)| (Selection::Joint(index), joint.name.as_str()));
            let groups = [("Tags", icons::TAG, tags.collect::<Vec<_>>()), ("Joints", icons::BONE, joints.collect())];
            for (what, icon, all) in groups.into_iter().filter(|(.., all)| !all.is_empty()) {
                let title = if shown.len() == 1 {
                    what.to_owned()
                } else {
                    format!("{what} of {}", scene.distinct_label(entity))
                };
                let heading = Row::label(title).font(fonts::medium()).colour(quiet).height(ROW);
                heading.show(ui, (what, entity.id));
                ui.push_id((what, entity.id), |ui| choose_from(ui, entity, icon, &all, actions));
                ui.add_space(4.0);
            }
        }
    });
}

/// Lists elements in columns, filled from top to bottom. A click selects one.
fn choose_from(ui: &mut Ui, entity: &Entity, icon: &str, all: &[(Selection, &str)], actions: &mut Vec<Action>) {
    let columns = (ui.available_width() / COLUMN).floor().max(1.0) as usize;
    let per_column = all.len().div_ceil(columns);
    list::rows(ui, "choices", 0..per_column, ROW, None, |ui, row| {
        ui.columns(columns, |columns| {
            for (ui, index) in columns.iter_mut().zip((row..all.len()).step_by(per_column)) {
                let Some((selection, name)) = all.get(index) else { continue };
                let response = Row::new(*name).icon(icon).height(ROW).show(ui, index);
                if response.clicked() {
                    actions.push(Action::Scene(SceneAction::SelectIn(entity.id, *selection)));
                }
                response.on_hover_text(*name);
            }
        });
    });
}

fn head(ui: &mut Ui, session: &Session, is_narrow: bool, state: &mut State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let quantities = Quantity::labelled();
    let chosen = segmented_control::choose(ui, "Curves", Role::RadioButton, &quantities, state.quantity);
    state.quantity = chosen.unwrap_or(state.quantity);
    let trails = Action::Display(DisplayAction::Toggle(OverlayKind::Trails));
    let on = session.view.display.shows(OverlayKind::Trails);
    let button = Button::of("Motion trails", &trails).icon(icons::SPLINE).word("Trails").tight().on(on);
    actions.extend(button.show(ui).clicked().then_some(trails));
    let pin = Action::Scene(SceneAction::PinSelection);
    let selected = (session.document.focus, session.document.selection);
    let is_pinned = session.document.pinned.iter().any(|(entity, own)| (Some(*entity), *own) == selected);
    let button = Button::of("Pin selection for motion", &pin).word("Pin").tight().on(is_pinned);
    let button = button.enabled(selected.1.point().is_some(), "Select a tag, a joint or a vertex");
    let button = button.note("Keep the curve when the selection changes");
    actions.extend(button.show(ui).clicked().then_some(pin));
    let crossings = Button::new("Crossings").word("Crossings").tight().on(state.shows_crossings);
    if crossings.note("Find frames in which surfaces cross").show(ui).clicked() {
        state.shows_crossings = !state.shows_crossings;
    }
    if is_narrow && !state.shows_crossings {
        let clips = Button::new("Show clips").word("Clips").tight().on(state.shows_clips);
        if clips.note("Show offset and speed of each clip instead of curves").show(ui).clicked() {
            state.shows_clips = !state.shows_clips;
        }
    }
}

/// Returns the index of a point among the pinned ones.
fn pinned(session: &Session, one: &TrackedPoint) -> Option<usize> {
    session.document.pinned.iter().position(|known| *known == (one.entity, one.selection))
}

/// Shows a tracked point. A click selects the point. The button at the end unpins it.
fn row(ui: &mut Ui, session: &Session, one: &TrackedPoint, actions: &mut Vec<Action>) {
    let name = selection_name(session, one.entity, one.selection);
    let name = letter(session, one.entity).map_or(name.clone(), |letter| format!("{letter} · {name}"));
    let is_selected = session.document.focus == Some(one.entity) && session.document.selection == one.selection;
    let [red, green, blue] = one.colour;
    let pinned = pinned(session, one);
    let row = Row::new(name.as_str()).dot(Color32::from_rgb(red, green, blue)).height(ROW).selected(is_selected);
    let row = row.margin(6.0).end(if pinned.is_some() { 20.0 } else { 0.0 }).loses_end();
    let salt = ("followed", one.entity, format!("{:?}", one.selection));
    let shown = row.show_parts(ui, &salt);
    if let Some(index) = pinned {
        let unpin = format!("Unpin {name}");
        let button = Button::new(&unpin).icon(icons::CLOSE).height(20.0);
        let is_clicked = button.show_at(ui, shown.end, ("unpin", &salt)).clicked();
        actions.extend(is_clicked.then_some(Action::Scene(SceneAction::Unpin(index))));
    }
    let select = Action::Scene(SceneAction::SelectIn(one.entity, one.selection));
    actions.extend(shown.response.clicked().then_some(select));
    shown.response.on_hover_text(name);
}

/// Returns the letter of a compared model.
fn letter(session: &Session, entity: EntityId) -> Option<char> {
    let comparison = session.document.comparison.as_ref()?;
    comparison.other(entity).map(|_| if entity == comparison.a { 'A' } else { 'B' })
}

/// Returns the frames that `entity` shows during a clip of another entity.
fn frames_of(entity: &Entity, clip: &Clip) -> Range<usize> {
    let at = |frame: u32| entity.frame_with(frame) as usize;
    let first = at(clip.first);
    first..at(clip.end().saturating_sub(1)).max(first) + 1
}

/// Computes the curves of the tracked points. The curves of a single point have the colours of the axes; several points
/// have their own colours.
fn curves(ui: &Ui, session: &Session, shown: &Entity, followed: &[TrackedPoint], quantity: Quantity) -> Vec<Curve> {
    let axes = theme::tokens(ui).axes;
    let clip = shown.clip();
    let rate = clip.frames_per_second;
    let alone = followed.len() == 1;
    let mut curves = Vec::new();
    for one in followed {
        let Some(entity) = session.document.scene.entity(one.entity) else { continue };
        let follows = one.entity == shown.id || letter(session, one.entity).is_some();
        let own = if follows { clip.clone() } else { entity.clip() };
        let frames = (own.first..own.end()).map(|frame| entity.frame_with(frame) as usize);
        let during = |vectors: &[Vec3]| frames.filter_map(|frame| vectors.get(frame).copied()).collect::<Vec<Vec3>>();
        let [red, green, blue] = one.colour;
        let colour = Color32::from_rgb(red, green, blue);
        let vectors = match quantity {
            Quantity::Place => &one.track.positions,
            Quantity::Angles => &one.track.angles,
            Quantity::Speed => {
                let places = during(&one.track.positions);
                let steps = places.windows(2).map(|pair| pair[0].distance(pair[1]) * rate);
                // The first frame has no step, so it repeats the step of the second frame.
                let values = steps.clone().take(1).chain(steps).collect();
                curves.push(Curve { values, colour, name: "" });
                continue;
            }
        };
        let vectors = during(vectors);
        let names = if quantity == Quantity::Place { ["X", "Y", "Z"] } else { ["Pitch", "Yaw", "Roll"] };
        for (axis, name) in names.into_iter().enumerate() {
            let values = vectors.iter().map(|vector| vector[axis]).collect();
            // Opacity distinguishes the axes of a point.
            let share = [1.0, 0.75, 0.5][axis];
            let colour = if alone { axes[axis] } else { colour.gamma_multiply(share) };
            curves.push(Curve { values, colour, name });
        }
    }
    curves.retain(|curve| !curve.values.is_empty());
    curves
}
