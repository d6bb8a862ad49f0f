//! How what is followed moves: curves of its place, its angles or its speed over the clip, and what they come to in each
//! clip.

mod chart;
mod clips;

use egui::{Color32, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use glam::Vec3;

use crate::ui::button::Button;
use crate::ui::inspector::selection_name;
use crate::ui::{fonts, icons, list, paint, segmented_control, theme};
use maquette_scene::scene::{Entity, TrackedPoint, Tracks};
use maquette_scene::session::{Action, DisplayAction, SceneAction, Selection, Session};

/// Width of the names at the left and of the clips at the right.
const NAMES: f32 = 160.0;
const CLIPS: f32 = 360.0;
/// A narrower panel shows either the curves or the list of clips.
const CLIPS_FROM: f32 = 660.0;
const ROW: f32 = 24.0;

/// What the curves show.
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

impl Quantity {
    const ALL: [Self; 3] = [Self::Place, Self::Angles, Self::Speed];

    fn label(self) -> &'static str {
        match self {
            Self::Place => "Position",
            Self::Angles => "Angles",
            Self::Speed => "Speed",
        }
    }
}

/// What the panel remembers for itself.
#[derive(Default)]
pub struct State {
    tracks: Tracks,
    quantity: Quantity,
    sorting: clips::Sorting,
    /// In a panel that has no room for both, the clips are shown in place of the curves.
    shows_clips: bool,
}

/// One curve.
struct Curve {
    /// A number per frame of the clip.
    values: Vec<f32>,
    colour: Color32,
    /// `X`, `Pitch`; empty if there is but one.
    name: &'static str,
}

/// Shows it; `bar` is what is free of the bar above.
pub fn show(ui: &mut Ui, session: &Session, bar: Rect, memory: &mut State, actions: &mut Vec<Action>) {
    let selection = session.document.focus.map(|focus| (focus, session.document.selection));
    let scene = &session.document.scene;
    let followed = memory.tracks.followed(scene, selection, &session.document.pinned);
    let whole = ui.available_rect_before_wrap();
    let is_narrow = whole.width() < CLIPS_FROM;
    head(ui, session, bar, memory, actions);
    if followed.is_empty() {
        return choices(ui, session, actions);
    }
    let names = whole.left() + NAMES;
    let clips = match (is_narrow, memory.shows_clips) {
        (false, _) => whole.right() - CLIPS,
        (true, false) => whole.right(),
        (true, true) => names,
    };
    let line = theme::tokens(ui).line;
    ui.painter().vline(names, whole.y_range(), (1.0, line));
    ui.painter().vline(clips, whole.y_range(), (1.0, line));
    let part = |left: f32, right: f32| Rect::from_x_y_ranges(left..=right, whole.y_range());
    let side = |rect: Rect, salt: &str| egui::UiBuilder::new().max_rect(rect).id_salt(salt);
    ui.scope_builder(side(part(whole.left(), names - 1.0), "names"), |ui| {
        egui::ScrollArea::vertical().auto_shrink([false, false]).min_scrolled_height(0.0).show(ui, |ui| {
            ui.add_space(4.0);
            for one in &followed {
                row(ui, session, one, actions);
            }
        });
    });
    let Some(first) = followed.first() else { return };
    let Some(entity) = scene.entity(first.entity) else { return };
    if clips > names {
        let curves = curves(ui, session, entity, &followed, memory.quantity);
        chart::show(ui, part(names + 1.0, clips - 1.0), entity, &curves, memory.quantity, actions);
    }
    if clips < whole.right() {
        ui.scope_builder(side(part(clips + 1.0, whole.right()), "clips"), |ui| {
            clips::show(ui, entity, first, &mut memory.sorting, actions);
        });
    }
}

/// Least width of a column of tags or joints.
const COLUMN: f32 = 200.0;

/// Lists the tags and joints of all parts that are shown.
fn choices(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let scene = &session.document.scene;
    let shown: Vec<&Entity> = scene.entities().iter().filter(|entity| scene.shows(entity)).collect();
    egui::ScrollArea::vertical().auto_shrink([false, false]).min_scrolled_height(0.0).show(ui, |ui| {
        ui.add_space(4.0);
        heading(ui, "Select a tag, a joint or a vertex to see how it moves", fonts::body());
        for entity in &shown {
            let model = entity.model();
            let tags = model.tags().iter().enumerate().map(|(index, name)| (Selection::Tag(index), name.as_str()));
            let joints = model.joints().iter().enumerate();
            let joints = joints.map(|(index, joint)| (Selection::Joint(index), joint.name.as_str()));
            let title = |what: &str| match shown.len() {
                1 => what.to_owned(),
                _ => format!("{what} of {}", entity.label()),
            };
            choose_from(ui, entity, &title("Tags"), icons::TAG, &tags.collect::<Vec<_>>(), actions);
            choose_from(ui, entity, &title("Joints"), icons::BONE, &joints.collect::<Vec<_>>(), actions);
        }
        list::follow_focus(ui);
    });
}

/// A line over the rows.
fn heading(ui: &mut Ui, text: &str, font: egui::FontId) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    paint::text_in(ui.painter(), list::inside(rect, 12.0, 12.0), text, font, theme::tokens(ui).text2);
}

/// Rows in columns, from top to bottom; a click selects.
fn choose_from(
    ui: &mut Ui,
    entity: &Entity,
    title: &str,
    icon: &str,
    all: &[(Selection, &str)],
    actions: &mut Vec<Action>,
) {
    if all.is_empty() {
        return;
    }
    heading(ui, title, fonts::medium());
    let tokens = theme::tokens(ui);
    let columns = (ui.available_width() / COLUMN).floor().max(1.0);
    let width = (ui.available_width() / columns).floor();
    let per_column = (all.len() as f32 / columns).ceil().max(1.0);
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), per_column * ROW));
    // A few rows on either side of those in sight are found by Tab.
    let sight = ui.clip_rect().expand(2.0 * ROW);
    for (index, (selection, name)) in all.iter().enumerate() {
        let column = (index as f32 / per_column).floor();
        let corner = area.min + vec2(column * width, (index as f32 - column * per_column) * ROW);
        let cell = Rect::from_min_size(corner, vec2(width, ROW));
        if !cell.intersects(sight) {
            continue;
        }
        let salt = ("followable", entity.id, format!("{selection:?}"));
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(cell).id_salt(&salt));
        let id = inner.scope_id();
        let (rect, response) = list::row(&mut inner, id, name, ROW, false);
        let place = Rect::from_min_size(rect.min + vec2(12.0, 0.0), vec2(14.0, ROW));
        paint::icon(ui.painter(), place, icon, 14.0, tokens.text2);
        paint::name_in(ui.painter(), list::inside(rect, 34.0, 8.0), name, fonts::body(), tokens.text);
        actions.extend(response.clicked().then_some(Action::Scene(SceneAction::SelectIn(entity.id, *selection))));
        response.on_hover_text(*name);
    }
    ui.add_space(4.0);
}

/// What the curves show, and the ways to see more.
fn head(ui: &mut Ui, session: &Session, bar: Rect, memory: &mut State, actions: &mut Vec<Action>) {
    let is_narrow = ui.available_rect_before_wrap().width() < CLIPS_FROM;
    super::head(ui, bar, 4.0, |ui| {
        let quantities = Quantity::ALL.map(|quantity| (quantity, quantity.label()));
        let (_, field) = ui.allocate_space(vec2(segmented_control::width(ui, &quantities), segmented_control::HEIGHT));
        let chosen = segmented_control::show(ui, field, "Curves", Role::RadioButton, &quantities, memory.quantity);
        memory.quantity = chosen.unwrap_or(memory.quantity);
        let trails = Action::Display(DisplayAction::Toggle(maquette_scene::scene::OverlayKind::Trails));
        let on = session.view.display.shows(maquette_scene::scene::OverlayKind::Trails);
        let button = Button::of("Motion trails", &trails).icon(icons::SPLINE).word("Trails").tight().on(on);
        let response = button.show(ui);
        actions.extend(response.clicked().then_some(trails));
        let pin = Action::Scene(SceneAction::PinSelection);
        let selected = (session.document.focus, session.document.selection);
        let is_pinned = session.document.pinned.iter().any(|(entity, own)| (Some(*entity), *own) == selected);
        let button = Button::of("Pin selection for motion", &pin).word("Pin").tight().on(is_pinned);
        let button = button.enabled(selected.1.point().is_some(), "Select a tag, a joint or a vertex");
        if button.note("Its curve stays when something else is selected").show(ui).clicked() {
            actions.push(pin);
        }
        if is_narrow {
            let clips = Button::new("Show clips").word("Clips").tight().on(memory.shows_clips);
            if clips.note("How far it goes in each clip, in place of the curves").show(ui).clicked() {
                memory.shows_clips = !memory.shows_clips;
            }
        }
    });
}

/// A row of something that is followed: a click selects it, the cross at its end unpins it.
fn row(ui: &mut Ui, session: &Session, one: &TrackedPoint, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let name = selection_name(session, one.entity, one.selection);
    let is_selected = session.document.focus == Some(one.entity) && session.document.selection == one.selection;
    let id = ui.scope_id().with(("followed", one.entity, format!("{:?}", one.selection)));
    let (rect, response) = list::row(ui, id, &name, ROW, is_selected);
    let [red, green, blue] = one.colour;
    let dot = Rect::from_center_size(pos2(rect.left() + 16.0, rect.center().y), vec2(10.0, 10.0));
    paint::fill(ui.painter(), dot, 3, Color32::from_rgb(red, green, blue));
    let pinned = session.document.pinned.iter().position(|known| *known == (one.entity, one.selection));
    let mut right = rect.right() - 8.0;
    if let Some(index) = pinned {
        let cross = Rect::from_center_size(pos2(rect.right() - 16.0, rect.center().y), vec2(20.0, 20.0));
        let close = ui.interact(cross, id.with("unpin"), Sense::click());
        close.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Unpin {name}")));
        let colour = if close.hovered() || close.has_focus() { tokens.text } else { tokens.text2 };
        paint::icon(ui.painter(), cross, icons::CLOSE, 12.0, colour);
        actions.extend(close.clicked().then_some(Action::Scene(SceneAction::Unpin(index))));
        right = cross.left() - 4.0;
    }
    let room = Rect::from_min_max(pos2(rect.left() + 28.0, rect.top()), pos2(right, rect.bottom()));
    paint::text_in(ui.painter(), room, &name, fonts::body(), tokens.text);
    actions.extend(response.clicked().then_some(Action::Scene(SceneAction::SelectIn(one.entity, one.selection))));
    response.on_hover_text(name);
}

/// The curves of what is followed, over the clip that plays: of one alone an axis each in the axes' colours, of several
/// each by its own colour.
fn curves(ui: &Ui, session: &Session, shown: &Entity, followed: &[TrackedPoint], quantity: Quantity) -> Vec<Curve> {
    let axes = theme::tokens(ui).axes;
    let clip = shown.clip();
    let rate = clip.frames_per_second;
    let alone = followed.len() == 1;
    let mut curves = Vec::new();
    for one in followed {
        let Some(entity) = session.document.scene.entity(one.entity) else { continue };
        let own = if one.entity == shown.id { clip.clone() } else { entity.clip() };
        let range = own.first as usize..own.end() as usize;
        let [red, green, blue] = one.colour;
        let colour = Color32::from_rgb(red, green, blue);
        let vectors = match quantity {
            Quantity::Place => &one.track.places,
            Quantity::Angles => &one.track.angles,
            Quantity::Speed => {
                let places = one.track.places.get(range).unwrap_or_default();
                let steps = places.windows(2).map(|pair| pair[0].distance(pair[1]) * rate);
                // The first frame has no step of its own.
                let values = steps.clone().take(1).chain(steps).collect();
                curves.push(Curve { values, colour, name: "" });
                continue;
            }
        };
        let vectors: &[Vec3] = vectors.get(range).unwrap_or_default();
        let names = if quantity == Quantity::Place { ["X", "Y", "Z"] } else { ["Pitch", "Yaw", "Roll"] };
        for (axis, name) in names.into_iter().enumerate() {
            let values = vectors.iter().map(|vector| vector[axis]).collect();
            // Of several, the axes are told by their strength.
            let share = [1.0, 0.75, 0.5][axis];
            let colour = if alone { axes[axis] } else { colour.gamma_multiply(share) };
            curves.push(Curve { values, colour, name });
        }
    }
    curves.retain(|curve| !curve.values.is_empty());
    curves
}
