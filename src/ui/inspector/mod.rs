//! What the model is made of: one scroll of sections at the right.

mod clips;
mod columns;
mod display;
mod effects;
mod element;
mod figure;
mod game;
mod issues;
mod joints;
mod materials;
mod measure;
mod model;
mod sections;
mod skins;
mod surfaces;
mod tags;
mod textures;

pub use issues::{counts as issue_counts, go_to as go_to_issue, summary as issue_summary};
pub use measure::name as selection_name;

use std::collections::{HashMap, HashSet};

use egui::{Rect, Response, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use sections::Sections;

use super::button::focus_ring;
use super::thumbnails::Thumbnails;
use super::{context, copy, field, fonts, list, menu, paint, theme};
use maquette_assets::game::game_of_format;
use maquette_assets::open::Anchor;
use maquette_scene::scene::{ClipChoice, Entity, EntityId};
use maquette_scene::session::{Action, Preference, Selection, Session, WindowAction};

/// What the inspector remembers for itself.
#[derive(Default)]
pub struct State {
    sections: Sections,
    sorting: columns::Sorting,
    textures: textures::Table,
    /// Trails that are unfolded, by surface and step.
    unfolded: HashSet<(usize, usize)>,
    /// What each long list is narrowed to, by what it lists.
    filters: HashMap<&'static str, String>,
    part: Option<EntityId>,
    selection: Selection,
    measured: Option<(EntityId, Selection)>,
    clip: Option<ClipChoice>,
    skin: Option<usize>,
    /// What was chosen since the last frame and comes into sight.
    brings_selection: bool,
    brings_clip: bool,
    brings_skin: bool,
}

/// Rows of a list from which on it has a filter.
const FILTERED_FROM: usize = 9;

impl State {
    /// Brings a section into sight, and gives it the keyboard if `enters`.
    pub fn show_section(&mut self, title: &'static str, enters: bool) {
        if enters { self.sections.enter(title) } else { self.sections.go_to(title) }
    }

    /// Nothing is open any more: what was made of the last part is given back.
    pub fn rest(&mut self) {
        self.textures.forget();
    }

    /// A section; `at_first` tells whether it is open until the user opens or closes it. Gives whether it is open.
    fn section(&mut self, ui: &mut Ui, title: &'static str, count: &str, at_first: bool) -> bool {
        self.sections.section(ui, title, count, at_first)
    }

    /// The filter of a list of so many things, if they are many. Gives what they are narrowed to, in lower case.
    fn filter(&mut self, ui: &mut Ui, thing: &'static str, count: usize) -> String {
        if count < FILTERED_FROM {
            return String::new();
        }
        let hint = format!("Filter {}", super::format::plural(count, thing));
        let filter = self.filters.entry(thing).or_default();
        field::filter(ui, ui.scope_id().with((thing, "filter")), filter, &hint, 12.0);
        ui.add_space(4.0);
        filter.to_lowercase()
    }

    /// Takes in what is shown; what was chosen since the last frame opens its section and comes into sight.
    fn follow(&mut self, session: &Session, entity: &Entity) {
        let is_other = self.part != Some(entity.id);
        if is_other {
            self.part = Some(entity.id);
            self.filters.clear();
            self.unfolded.clear();
            self.textures.forget();
        }
        let selection = session.document.selection;
        let (clip, skin) = (Some(entity.playback.choice), Some(entity.skin));
        // Another part is shown from its top, unless something of it is chosen.
        self.brings_selection = is_other || self.selection != selection;
        // Who looks at something else goes on with that.
        self.brings_clip = !is_other && self.clip.is_some() && self.clip != clip && selection == Selection::None;
        self.brings_skin = !is_other && self.skin != skin;
        (self.selection, self.clip, self.skin) = (selection, clip, skin);
        let measured = session.document.measured_from;
        let begins = self.measured != measured;
        self.measured = measured;
        if !self.brings_selection && !begins {
            return;
        }
        match selection {
            Selection::Surface(_) => self.sections.open("Surfaces"),
            Selection::Tag(_) => self.sections.open("Tags"),
            Selection::Joint(_) => self.sections.open("Joints"),
            Selection::Vertex { .. } => self.sections.go_to(element::VERTEX),
            Selection::Triangle { .. } => self.sections.go_to(element::TRIANGLE),
            Selection::None => {}
        }
        // Who measures looks for the distance, not for the row of what was selected.
        if measured.is_some() {
            self.sections.go_to(measure::DISTANCE);
            self.brings_selection = false;
        }
    }
}

/// Sections that can be gone to by name, and other words for what they tell.
#[must_use]
pub fn sections(session: &Session) -> Vec<(&'static str, &'static str)> {
    let Some(entity) = session.entity() else { return Vec::new() };
    let model = entity.model();
    let of_figure = session.document.selects_figure();
    let all = [
        ("Model", "facts frames triangles vertices size format version", !of_figure),
        ("Surfaces", "meshes list triangles", !of_figure && !model.surfaces().is_empty()),
        (textures::TEXTURES, "images size used share texels density larger oversized memory", true),
        ("Skins", "textures outfits", !of_figure && !model.surfaces().is_empty()),
        ("Clips", "animations sequences list", !of_figure && !model.clips().is_empty()),
        ("Tags", "attachment points list", !of_figure && !model.tags().is_empty()),
        ("Joints", "bones skeleton hierarchy weights list", !of_figure && !model.joints().is_empty()),
        ("Issues", "problems warnings errors list", true),
    ];
    all.into_iter().filter(|(.., is_there)| *is_there).map(|(title, words, _)| (title, words)).collect()
}

/// Shows the inspector of the part in the scene.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    memory: &mut State,
    thumbnails: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let Some(entity) = session.entity() else { return };
    memory.follow(session, entity);
    thumbnails.of_part(entity.number);
    ui.spacing_mut().item_spacing.y = 0.0;
    if session.document.scene.figure.is_some() {
        figure::head(ui, session, entity, actions);
    } else {
        head(ui, session, entity, actions);
    }
    // Another part is shown from its top.
    let salt = ("sections", (!session.document.selects_figure()).then_some(entity.id));
    let top = ui.cursor().top();
    memory.sections.recall(&session.preferences.sections);
    ScrollArea::vertical().id_salt(salt).auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        memory.sections.begin(ui, top);
        if session.document.selects_figure() {
            figure::parts(ui, session, memory, actions);
            textures::show_all(ui, session, memory, thumbnails, actions);
            figure::show(ui, session, memory, actions);
            effects::show(ui, session, memory, actions);
            display::show(ui, session, entity, memory, actions);
            issues::show(ui, session, memory, actions);
            ui.add_space(12.0);
            memory.sections.finish(ui);
            return;
        }
        figure::show(ui, session, memory, actions);
        if session.document.scene.entities().len() > 1 {
            memory.sections.end(ui);
            of_part(ui, session, entity);
        }
        element::show(ui, session, entity, memory, actions);
        measure::show(ui, session, memory, actions);
        model::show(ui, entity, memory, actions);
        surfaces::show(ui, session, entity, memory, thumbnails, actions);
        textures::show(ui, session, entity, memory, thumbnails, actions);
        materials::show(ui, session, entity, memory, actions);
        effects::show(ui, session, memory, actions);
        skins::show(ui, session, entity, memory, actions);
        clips::show(ui, entity, memory, actions);
        tags::show(ui, session, entity, memory, actions);
        joints::show(ui, session, entity, memory, actions);
        display::show(ui, session, entity, memory, actions);
        issues::show(ui, session, memory, actions);
        ui.add_space(12.0);
        memory.sections.finish(ui);
    });
    let turned = memory.sections.turned();
    actions.extend(turned.map(|(title, open)| Action::Window(WindowAction::Prefer(Preference::Section(title, open)))));
}

/// Name, format, game and version, path: always in sight.
fn head(ui: &mut Ui, session: &Session, entity: &Entity, actions: &mut Vec<Action>) {
    let part = &entity.asset;
    let model = &part.model;
    let version = model.version().map_or(String::new(), |version| format!(", version {version}"));
    let game = format!("{} model{version}", game_of_format(model.format()).short_name);
    let whole = part.file.as_ref().map_or_else(|| part.game_path.clone(), |file| file.display().to_string());
    let response = head_lines(ui, entity, &part.starred_name(), &game, &part.game_path, &whole);
    if let Some(file) = &part.file {
        menu::context(&response, |ui| {
            context::opened(ui, file, actions);
            context::model(ui, session, actions);
        });
    }
}

/// Which part of several the sections below tell of.
fn of_part(ui: &mut Ui, session: &Session, entity: &Entity) {
    let tokens = theme::tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 33.0), Sense::hover());
    let name = entity.asset.starred_name();
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, &name));
    ui.painter().rect_filled(rect, 0.0, tokens.bar);
    ui.painter().hline(rect.x_range(), rect.top() + 0.5, (1.0, tokens.line));
    let at = entity.attachment.as_ref().filter(|attachment| session.document.scene.entity(attachment.to).is_some());
    let place = at.map_or(String::new(), |attachment| match &attachment.anchor {
        maquette_assets::open::Anchor::Origin => "at origin".to_owned(),
        anchor => format!("on {}", anchor.name()),
    });
    let inner = list::inside(rect, 12.0, 12.0);
    let right = paint::text_right(ui.painter(), inner, &place, fonts::small(), tokens.text2).left();
    let room = Rect::from_min_max(inner.min, pos2(right - 8.0, inner.bottom()));
    paint::name_in(ui.painter(), room, &name, fonts::strong(), tokens.text);
}

/// The head's three lines: name and format, what it is, where it lies.
fn head_lines(ui: &mut Ui, entity: &Entity, title: &str, what: &str, place: &str, whole: &str) -> Response {
    let tokens = theme::tokens(ui);
    let model = entity.model();
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 84.0), Sense::hover());
    let line = |top: f32, height: f32| {
        Rect::from_min_max(
            pos2(rect.left() + 12.0, rect.top() + top),
            pos2(rect.right() - 12.0, rect.top() + top + height),
        )
    };
    let painter = ui.painter();
    let badge = model.format().name().to_uppercase();
    let first = line(10.0, 24.0);
    let badge_width = paint::width_of(ui, &badge, fonts::small_medium()) + 12.0;
    let name_room = Rect::from_min_max(first.min, pos2(first.right() - badge_width - 8.0, first.bottom()));
    let name = paint::name_in(painter, name_room, title, fonts::heading(), tokens.text);
    list::badge(ui, pos2(name.right() + 8.0, first.center().y), &badge);
    paint::text_in(painter, line(34.0, 20.0), what, fonts::body(), tokens.text2);
    paint::name_in(painter, line(54.0, 18.0), place, fonts::mono(), tokens.text2);
    let response = ui.interact(rect, ui.scope_id().with("head"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, title));
    focus_ring(ui, response.has_focus(), rect.shrink(2.0), 0.0);
    copy::copyable(&response, whole, true);
    response
}

/// A row of numbers on the axes' colours: x, y and z of a place.
fn place_row(ui: &mut Ui, place: glam::Vec3) {
    let tokens = theme::tokens(ui);
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 32.0));
    let inner = list::inside(row, list::INSET, 12.0);
    let width = (inner.width() - 8.0) / 3.0;
    for (index, ((letter, colour), value)) in
        ["X", "Y", "Z"].into_iter().zip(tokens.axes).zip(place.to_array()).enumerate()
    {
        let left = inner.left() + index as f32 * (width + 4.0);
        let rect = Rect::from_min_size(pos2(left, row.top() + 4.0), vec2(width, 24.0));
        paint::fill(ui.painter(), rect, theme::CORNER, tokens.field);
        paint::outline(ui.painter(), rect, theme::CORNER, 1.0, tokens.line);
        let inside = rect.shrink2(vec2(8.0, 0.0));
        paint::text_in(ui.painter(), inside, letter, fonts::small_strong(), colour);
        let text = super::format::fixed(f64::from(value), 2);
        paint::text_right(ui.painter(), inside, &text, fonts::body(), tokens.text);
        let response = ui.interact(rect, ui.scope_id().with(("place", index)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{letter} {text}")));
        focus_ring(ui, response.has_focus(), rect, 0.0);
        copy::copyable(&response, &context::place(place), false);
    }
}

/// Shows the world position of a point of an attached part.
fn world_row(ui: &mut Ui, entity: &Entity, place: glam::Vec3) {
    if entity.attachment.is_some() {
        let place = entity.world_from_model.transform_point3(place).to_array();
        let text = place.map(|number| super::format::fixed(f64::from(number), 2)).join("  ");
        list::fact_about(ui, "In the scene", &text, Some("World position: the one above is in the space of the part"));
    }
}

/// Pitch, yaw and roll as the engines write them; a click copies them after the place.
fn angles_row(ui: &mut Ui, frame: &glam::Affine3A) {
    let angles = maquette_core::pose::angles(&frame.matrix3);
    let tokens = theme::tokens(ui);
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 24.0));
    let inner = list::inside(row, list::INSET, 12.0);
    let word = |angle: f32| format!("{}°", super::format::fixed(f64::from(angle), 1));
    let [pitch, yaw, roll] = angles.to_array().map(word);
    let text = format!("P {pitch}   Y {yaw}   R {roll}");
    paint::text_in(ui.painter(), inner, "Angles", fonts::small(), tokens.text2);
    paint::text_right(ui.painter(), inner, &text, fonts::small(), tokens.text);
    let response = ui.interact(row, ui.scope_id().with("angles"), Sense::click());
    let told = format!("Pitch {pitch}, yaw {yaw}, roll {roll}");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &told));
    focus_ring(ui, response.has_focus(), row.shrink(1.0), 0.0);
    if copy::on_click(&response, || context::place_and_angles(frame)) {
        return;
    }
    response.on_hover_ui(|ui| {
        ui.label("Pitch, yaw and roll in degrees; a positive pitch looks down");
        if frame.matrix3.determinant() < 0.0 {
            ui.label("The axes are mirrored: the angles are those of forward and up");
        }
        ui.label(egui::RichText::new("Click to copy origin and angles").small().weak());
    });
}

/// What is attached to a tag or a joint of this name.
fn attached_row(ui: &mut Ui, session: &Session, entity: &Entity, anchor: &Anchor) {
    let is_here = |other: &&Entity| {
        other.attachment.as_ref().is_some_and(|attachment| {
            attachment.to == entity.id
                && std::mem::discriminant(&attachment.anchor) == std::mem::discriminant(anchor)
                && attachment.anchor.name().eq_ignore_ascii_case(anchor.name())
        })
    };
    let entities = session.document.scene.entities();
    let names: Vec<&str> = entities.iter().filter(is_here).map(|other| other.asset.name.as_str()).collect();
    if !names.is_empty() {
        list::fact(ui, "Attached", &names.join(", "));
    }
}

/// The axes of a frame, a row each: forward, left and up.
fn axes_rows(ui: &mut Ui, frame: &glam::Affine3A) {
    let tokens = theme::tokens(ui);
    let columns = [frame.matrix3.x_axis, frame.matrix3.y_axis, frame.matrix3.z_axis];
    for (((letter, name), colour), axis) in
        [("X", "Forward"), ("Y", "Left"), ("Z", "Up")].into_iter().zip(tokens.axes).zip(columns)
    {
        let (_, row) = ui.allocate_space(vec2(ui.available_width(), 20.0));
        let inner = list::inside(row, list::INSET, 12.0);
        let painter = ui.painter();
        let letter = paint::text_in(painter, inner, letter, fonts::small_strong(), colour);
        let rest = Rect::from_min_max(pos2(letter.right() + 4.0, inner.top()), inner.max);
        paint::text_in(painter, rest, name, fonts::small(), tokens.text2);
        let step = ((inner.width() - 56.0) / 3.0).min(64.0);
        for (index, value) in axis.to_array().into_iter().enumerate() {
            let right = inner.right() - (2 - index) as f32 * step;
            let cell = Rect::from_min_max(pos2(inner.left(), inner.top()), pos2(right, inner.bottom()));
            let text = super::format::fixed(f64::from(value), 3);
            paint::text_right(painter, cell, &text, fonts::small(), tokens.text);
        }
    }
}

/// A choice of few, side by side in a field. Gives what was chosen anew.
fn segments<T: Copy + PartialEq>(ui: &mut Ui, name: &str, values: &[(T, impl AsRef<str>)], current: T) -> Option<T> {
    let tokens = theme::tokens(ui);
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 32.0));
    let label = list::inside(row, list::INSET, 12.0);
    paint::text_in(ui.painter(), label, name, fonts::body(), tokens.text2);
    let field = Rect::from_min_max(
        pos2(row.left() + list::INSET + 96.0, row.top() + 2.0),
        pos2(row.right() - 12.0, row.top() + 30.0),
    );
    super::segmented_control::show(ui, field, name, Role::RadioButton, values, current)
}
