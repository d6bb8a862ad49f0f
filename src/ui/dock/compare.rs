//! Compare panel: the differences between two models. A click selects the differing element in model A.

use egui::{Role, Ui};

use crate::ui::button::{Button, Emphasis};
use crate::ui::kit::row::Row;
use crate::ui::{copy, fonts, format, icons, list, menu, paint, segmented_control, text, theme};
use maquette_core::compare::{Change, Difference, FramePosition, ModelSide, SurfaceChange, TransformDelta, Value};
use maquette_core::model::{FrameNumbering, Motion};
use maquette_scene::scene::{Choices as _, ClipChoice, Entity};
use maquette_scene::session::{
    Action, ClockAction, CompareMode, FileAction, FilePrompt, SceneAction, Selection, Session,
};

const ROW: f32 = 24.0;
/// Height of a row with two lines, in a panel narrower than [`ONE_LINE_FROM`].
const TWO_LINES: f32 = 42.0;
const ONE_LINE_FROM: f32 = 560.0;

#[derive(Clone, Default)]
struct Differing {
    what: String,
    /// Description of the difference; for two values, the name of the field.
    how: String,
    /// Values in A and B.
    sides: Option<[String; 2]>,
    selection: Option<Selection>,
    place: Option<FramePosition>,
}

pub fn show(ui: &mut Ui, head: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let comparison = session.document.comparison.as_ref();
    let found = comparison.and_then(|comparison| Some((comparison, session.document.scene.entity(comparison.a)?)));
    self::head(head, found.map(|(comparison, _)| comparison.mode), actions);
    let tokens = theme::tokens(ui);
    let Some((comparison, entity)) = found else {
        return choices(ui, session, actions);
    };
    let difference = &comparison.difference;
    let other = session.document.scene.entity(comparison.b);
    let rows = rows(entity, other, difference);
    let count = if difference.same { "identical".to_owned() } else { format::plural(rows.len(), "difference") };
    let exactness = if difference.tolerance > 0.0 {
        format!("within {} units", format::short(f64::from(difference.tolerance), 4))
    } else {
        "compared exactly".to_owned()
    };
    let summary = format::sentence(&format!("{count}, {exactness}"));
    let names = format!("A {}, B {}", difference.a.name, difference.b.name);
    ui.add_space(2.0);
    lines(ui, ": ", &[summary, names], |row| row.font(fonts::medium()));
    let sizes = other.map(|other| sizes(entity, other));
    let more: Vec<String> = differing(difference).into_iter().chain(sizes).collect();
    lines(ui, " · ", &more, |row| row.colour(tokens.text2));
    ui.add_space(2.0);
    list::scroll(ui, "differences", |ui| {
        let is_narrow = ui.available_width() < ONE_LINE_FROM;
        let height = if is_narrow { TWO_LINES } else { ROW };
        list::rows(ui, "differences", 0..rows.len(), height, None, |ui, index| {
            if let Some(one) = rows.get(index) {
                row(ui, entity, index, one, is_narrow, actions);
            }
        });
        for note in &difference.notes {
            text::note(ui, &format::sentence(note), tokens.text2);
        }
    });
}

fn lines<'a>(ui: &mut Ui, between: &str, texts: &'a [String], style: impl Fn(Row<'a>) -> Row<'a>) {
    let joined = texts.join(between);
    let has_room = paint::width_of(ui, &joined, fonts::medium()) <= ui.available_width() - 2.0 * list::EDGE;
    if has_room {
        style(Row::label(joined)).height(20.0).show(ui, between);
        return;
    }
    for text in texts {
        style(Row::label(text.as_str())).height(20.0).loses_end().show(ui, text);
    }
}

/// Lists models that are likely to be compared: LODs, copies and the state before the last reload.
fn choices(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let Some(file) = session.document.first_of_comparison().map(|entity| entity.asset.file.as_ref()) else { return };
    let known = session.interface.versions.as_ref().filter(|versions| Some(&versions.file) == file);
    // Request the list when the panel is first displayed.
    let is_sought = known.is_none() && file.is_some();
    if is_sought {
        actions.push(Action::File(FileAction::FindVersions));
    }
    let versions = known.and_then(|versions| versions.models.as_deref()).unwrap_or_default();
    let (name, has_before) = (session.document.compared_name(), session.document.before_reload().is_some());
    if versions.is_empty() && !has_before {
        let is_searched = !is_sought && known.is_none_or(|versions| versions.models.is_some());
        let line = if is_searched { "No LODs or similar models in the folder" } else { "" };
        let sign = (icons::COMPARE, theme::tokens(ui).text2);
        return list::empty(ui, sign, &format!("Compare {name} with another model"), line);
    }
    list::scroll(ui, "versions", |ui| {
        ui.add_space(6.0);
        Row::label(format!("Compare {name} with")).font(fonts::medium()).height(24.0).show(ui, "with");
        let choice = |name: &'_ str| Row::new(name.to_owned()).height(28.0);
        if has_before && choice("Before last reload").icon(icons::HISTORY).show(ui, "before").clicked() {
            actions.push(Action::File(FileAction::CompareBeforeReload));
        }
        for version in versions {
            let name = version.path.file_name().unwrap_or_default().to_string_lossy();
            let kind = version.kind.label();
            let row = choice(&name).icon(icons::FILE).value(kind).spoken(format!("{name}: {kind}"));
            let response = row.show(ui, &version.path);
            if response.clicked() {
                actions.push(Action::File(FileAction::Compare(version.path.clone())));
            }
            response.on_hover_text(version.path.display().to_string());
        }
    });
}

/// Returns the number of differences of each kind, and the largest vertex distance; `None` without differences.
fn differing(difference: &Difference) -> Option<String> {
    let surfaces = &difference.surfaces;
    let moved: usize = surfaces.iter().map(|surface| surface.moved).sum();
    let furthest = surfaces.iter().filter_map(|surface| surface.furthest.as_ref()).map(|one| one.distance);
    let furthest = furthest.fold(0.0, f32::max);
    let mut parts = Vec::new();
    let mut add = |count: usize, one: &str| {
        if count > 0 {
            parts.push(format::plural(count, one));
        }
    };
    add(surfaces.len(), "surface");
    add(difference.tags.len(), "tag");
    add(difference.joints.len(), "joint");
    add(difference.clips.len(), "clip");
    add(difference.header.len(), "header field");
    if moved > 0 {
        let far = format::short(f64::from(furthest), 4);
        parts.insert(1, format!("{} moved by up to {far} units", format::plural(moved, "vertex")));
    }
    (!parts.is_empty()).then(|| format!("Differing: {}", parts.join(", ")))
}

/// Compares the numbers of triangles and vertices at the current level of detail of each model.
fn sizes(a: &Entity, b: &Entity) -> String {
    let of = |entity: &Entity| {
        let shown = entity.model().surfaces().iter().filter(|surface| surface.lod == entity.lod);
        shown.fold((0, 0), |sum, surface| (sum.0 + surface.triangles.len(), sum.1 + surface.vertex_count()))
    };
    let ((triangles, vertices), (other_triangles, other_vertices)) = (of(a), of(b));
    let both = |of_a: usize, of_b: usize| format!("A {}, B {}", format::count(of_a), format::count(of_b));
    format!("Triangles: {} · Vertices: {}", both(triangles, other_triangles), both(vertices, other_vertices))
}

fn head(ui: &mut Ui, mode: Option<CompareMode>, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 6.0;
    let ask = Action::File(FileAction::Ask(FilePrompt::Compare));
    let modes = CompareMode::labelled();
    let stop = Button::new("Stop comparing").word("Stop").tight();
    let button = Button::of("Compare with…", &ask).icon(icons::COMPARE).rank(Emphasis::Raised).height(26.0);
    let with_word = button.clone().word("Compare with…");
    let others = segmented_control::width(ui, &modes) + stop.width(ui) + 12.0;
    let has_room = mode.is_none() || with_word.width(ui) + others <= ui.available_width();
    let response = if has_room { with_word } else { button }.show(ui);
    actions.extend(response.clicked().then_some(ask));
    let Some(mode) = mode else {
        // Without rows, this button takes the offered keyboard focus.
        list::accept_focus(&response);
        return;
    };
    let chosen = segmented_control::choose(ui, "Compare", Role::RadioButton, &modes, mode);
    actions.extend(chosen.map(|mode| Action::File(FileAction::ShowCompared(mode))));
    actions.extend(stop.show(ui).clicked().then_some(Action::File(FileAction::StopComparing)));
}

impl Differing {
    fn text(&self) -> String {
        match &self.sides {
            Some([a, b]) => format!("{}: {}: {a} → {b}", self.what, self.how),
            None => format!("{}: {}", self.what, self.how),
        }
    }
}

fn row(ui: &mut Ui, entity: &Entity, index: usize, one: &Differing, is_narrow: bool, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let text = one.text();
    let mut row = Row::new(one.what.as_str()).then(one.how.as_str()).spoken(text.as_str()).loses_end();
    row = row.height(if is_narrow { TWO_LINES } else { ROW });
    if let Some([a, b]) = &one.sides {
        let width = ((ui.available_width() - 2.0 * list::EDGE) * if is_narrow { 0.46 } else { 0.26 }).floor();
        row = row.cell(a.as_str(), width).value_colour(tokens.text).cell("→", 24.0);
        row = row.cell(b.as_str(), width).value_colour(tokens.text);
    }
    let response = if is_narrow { row.values_below() } else { row }.show(ui, ("difference", index));
    menu::context(&response, |ui| {
        if menu::Row::new("Copy").show(ui).clicked() {
            copy::put(ui.ctx(), text.clone());
        }
    });
    if response.clicked() {
        if let Some(place) = &one.place {
            let clips = entity.playback.clips(entity.model());
            let clip = place.clip.as_ref().and_then(|name| clips.iter().position(|clip| clip.name == *name));
            let choice = clip.map(ClipChoice::Clip);
            actions.push(Action::Clock(ClockAction::GoTo(entity.id, choice, f64::from(place.frame))));
        }
        if let Some(selection) = one.selection {
            actions.push(Action::Scene(SceneAction::SelectIn(entity.id, selection)));
        }
    }
    response.on_hover_text(text);
}

fn rows(entity: &Entity, other: Option<&Entity>, difference: &Difference) -> Vec<Differing> {
    let mut rows: Vec<Differing> =
        difference.surfaces.iter().flat_map(|surface| surface_rows(entity, other, surface)).collect();
    let mut placed = |name: &str, only: Option<ModelSide>, furthest: Option<&TransformDelta>, own: Selection| {
        let how = match (only, furthest) {
            (Some(only), _) => only_in(only),
            (None, Some(furthest)) => moved(furthest.distance, furthest.degrees, &furthest.frame),
            (None, None) => "stored differently".to_owned(),
        };
        let (selection, place) = ((only != Some(ModelSide::B)).then_some(own), furthest.map(|one| one.frame.clone()));
        rows.push(Differing { what: name.to_owned(), how, selection, place, sides: None });
    };
    for tag in &difference.tags {
        placed(&tag.name, tag.only, tag.furthest.as_ref(), Selection::Tag(tag.index));
    }
    for joint in &difference.joints {
        placed(&joint.name, joint.only, joint.furthest.as_ref(), Selection::Joint(joint.index));
    }
    for clip in &difference.clips {
        let of_clip = Differing { what: format!("Clip {}", clip.name), ..Differing::default() };
        match clip.only {
            Some(only) => rows.push(Differing { how: only_in(only), ..of_clip }),
            None => rows.extend(clip.changes.iter().flat_map(|change| changes(change, &of_clip))),
        }
    }
    for change in &difference.header {
        let place = change.frame_field().and_then(|(frame, _)| shown_frame(entity, frame));
        rows.extend(changes(change, &Differing { what: "Header".to_owned(), place, ..Differing::default() }));
    }
    rows
}

fn surface_rows(entity: &Entity, other: Option<&Entity>, surface: &SurfaceChange) -> Vec<Differing> {
    let owner = if surface.only == Some(ModelSide::B) { other } else { Some(entity) };
    let what = owner.map_or_else(|| surface.name.clone(), |owner| owner.surface_name(surface.index));
    let selection = (surface.only != Some(ModelSide::B)).then_some(Selection::Surface(surface.index));
    let of_surface = Differing { what, selection, ..Differing::default() };
    if let Some(only) = surface.only {
        return vec![Differing { how: only_in(only), ..of_surface }];
    }
    let mut rows = Vec::new();
    if let Some(furthest) = &surface.furthest {
        let how = format!(
            "{} moved, furthest vertex {} by {} units in {}",
            format::plural(surface.moved, "vertex"),
            furthest.vertex,
            format::short(f64::from(furthest.distance), 4),
            frame_words(&furthest.frame)
        );
        let vertex = drawn(entity, surface.index, furthest.vertex);
        let selection = Some(Selection::Vertex { surface: surface.index, vertex });
        rows.push(Differing { how, selection, place: Some(furthest.frame.clone()), ..of_surface.clone() });
    }
    let mut add = |how: String| rows.push(Differing { how, ..of_surface.clone() });
    if let Some(sides) = &surface.vertices {
        add(format!("{} → {}, compared by nearest vertex", sides.a, format::plural(sides.b, "vertex")));
    }
    if surface.reordered {
        add("vertices in another order".to_owned());
    }
    if let Some(name) = &surface.renamed {
        add(format!("named {name} in B"));
    }
    if let Some(triangles) = surface.triangles.as_ref().filter(|triangles| triangles.a == triangles.b)
        && let Some(differing) = triangles.differing
    {
        add(format!("{differing} of {} differ", format::plural(triangles.a, "triangle")));
    }
    if let Some(uvs) = &surface.uvs {
        let far = format::short(f64::from(uvs.distance), 4);
        add(format!("texture coordinates of {} differ by up to {far}", uvs.differing));
    }
    if let Some(weights) = surface.weights {
        add(format!("weights of {} differ", format::plural(weights, "vertex")));
    }
    if let Some(normals) = &surface.normals {
        let turned = format::short(f64::from(normals.degrees), 1);
        let how = format!("normals of {} differ by up to {turned}°", format::plural(normals.differing, "vertex"));
        rows.push(Differing { how, place: Some(normals.frame.clone()), ..of_surface.clone() });
    }
    let mut add_both = |how: &str, sides: [String; 2]| {
        rows.push(Differing { how: how.to_owned(), sides: Some(sides), ..of_surface.clone() });
    };
    if let Some(sides) = &surface.materials {
        add_both("Materials", [sides.a.join(", "), sides.b.join(", ")]);
    }
    if let Some(triangles) = surface.triangles.as_ref().filter(|it| it.differing.is_none() || it.a != it.b) {
        add_both("Triangles", [format::count(triangles.a), format::count(triangles.b)]);
    }
    rows.extend(surface.details.iter().flat_map(|change| changes(change, &of_surface)));
    rows
}

fn only_in(only: ModelSide) -> String {
    match only {
        ModelSide::A => "only in A".to_owned(),
        ModelSide::B => "only in B".to_owned(),
    }
}

fn moved(distance: f32, degrees: f32, place: &FramePosition) -> String {
    let (far, turned) = (format::short(f64::from(distance), 4), format::short(f64::from(degrees), 2));
    format!("moved by {far} units, turned by {turned}° in {}", frame_words(place))
}

fn frame_words(place: &FramePosition) -> String {
    match &place.clip {
        Some(clip) if clip == BIND_POSE => "the bind pose".to_owned(),
        Some(clip) => format!("frame {} of {clip}", place.frame),
        None => format!("frame {}", place.frame),
    }
}

/// Name of the bind pose's clip in all loaders.
const BIND_POSE: &str = "bind pose";

/// Converts an index of the model's frames to the clip and frame number that are displayed.
fn shown_frame(entity: &Entity, frame: usize) -> Option<FramePosition> {
    let frame = u32::try_from(frame).ok()?;
    let clip = match entity.model().frame_numbering() {
        FrameNumbering::Shared => None,
        FrameNumbering::PerClip => Some(entity.model().clips().iter().find(|clip| clip.contains(frame))?),
    };
    Some(FramePosition {
        clip: clip.map(|clip| clip.name.clone()),
        frame: clip.map_or(frame, |clip| frame - clip.first),
    })
}

/// Returns a change as rows based on `of`. For a box, each corner that differs has a row.
fn changes(change: &Change, of: &Differing) -> Vec<Differing> {
    let field = match (change.frame_field(), change.index) {
        (Some((frame, field)), _) => format!("frame {frame} {field}"),
        (None, Some(index)) => format!("{}[{index}]", change.field),
        (None, None) => change.field.clone(),
    };
    let more = change.differing.map_or(0, |count| count.saturating_sub(1));
    let field = if more > 0 { format!("{field} (and {} more)", format::count(more)) } else { field };
    if let (Value::Box { min, max }, Value::Box { min: other_min, max: other_max }) = (&change.a, &change.b) {
        let corners = [("min", min, other_min), ("max", max, other_max)];
        let corners = corners.into_iter().filter(|(_, a, b)| a != b);
        let row = |(name, a, b)| Differing {
            how: format!("{field} {name}"),
            sides: Some([place_words(a), place_words(b)]),
            ..of.clone()
        };
        return corners.map(row).collect();
    }
    vec![Differing { how: field, sides: Some([value_words(&change.a), value_words(&change.b)]), ..of.clone() }]
}

fn place_words(place: &[f32; 3]) -> String {
    place.map(|number| format::short(f64::from(number), 3)).join(" ")
}

fn value_words(value: &Value) -> String {
    match value {
        Value::None => "none".to_owned(),
        Value::Position(at) => place_words(at),
        Value::Box { min, max } => format!("{} to {}", place_words(min), place_words(max)),
        Value::Number(number) => format::short(f64::from(*number), 6),
        _ => serde_json::to_string(value).unwrap_or_default(),
    }
}

/// Returns the first render vertex of a stored vertex. They differ if the format stores texture coordinates separately.
pub fn drawn(entity: &Entity, surface: usize, vertex: usize) -> usize {
    let Motion::Morph(motion) = entity.model().motion() else { return vertex };
    let remap = motion.surfaces.get(surface).and_then(|track| track.remap.as_ref());
    remap.and_then(|remap| remap.iter().position(|stored| *stored as usize == vertex)).unwrap_or(vertex)
}
