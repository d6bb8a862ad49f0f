//! Compare panel: the differences between two models. A click selects the differing element in model A.

use egui::{Panel, Role, Ui};

use crate::ui::button::{Button, Emphasis};
use crate::ui::kit::row::Row;
use crate::ui::{context, copy, fonts, format, icons, inspector, list, menu, paint, segmented_control, text, theme};
use maquette_core::compare::{Change, Difference, FramePosition, ModelSide, SurfaceChange, TransformDelta, Value};
use maquette_core::model::{FrameNumbering, Motion};
use maquette_scene::scene::{Choices as _, ClipChoice, Entity, Shading};
use maquette_scene::session::{
    Action, ClockAction, CompareMode, Comparison, DisplayAction, FileAction, FilePrompt, SceneAction, Selection,
    Session,
};

const ROW: f32 = 24.0;
/// Height of a row with two lines, in a panel narrower than [`ONE_LINE_FROM`].
const TWO_LINES: f32 = 42.0;
const ONE_LINE_FROM: f32 = 560.0;
/// Width of the table of sizes next to the differences, and the minimum width of a panel with both.
const SIZES: f32 = 330.0;
const BESIDE_FROM: f32 = 880.0;
/// Width of a column for A, B or their difference; in a panel with two-line rows, it is a share of the width.
const COLUMN: f32 = 96.0;

#[derive(Clone, Default)]
struct Differing {
    what: String,
    /// Description of the difference; for two values, the name of the field.
    how: String,
    /// Values in A and B, and their difference if they are numbers.
    sides: Option<[String; 3]>,
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
    let has_nearest = difference.surfaces.iter().any(|surface| surface.matched.is_some());
    let of_a = difference.surfaces.iter().filter(|surface| surface.only == Some(ModelSide::A)).count();
    let exactness = match difference.tolerance {
        _ if of_a > 0 && of_a == entity.model().surfaces().len() => "no surface is in both".to_owned(),
        _ if has_nearest => "vertices compared with the nearest".to_owned(),
        tolerance if tolerance > 0.0 => format!("within {} units", format::short(f64::from(tolerance), 4)),
        _ => "compared exactly".to_owned(),
    };
    let summary = format::sentence(&format!("{count}, {exactness}"));
    let scene = &session.document.scene;
    let name_of_b = other.map_or(difference.b.name.as_str().into(), |other| scene.distinct_label(other));
    let names = format!("A {}, B {name_of_b}", scene.distinct_label(entity));
    ui.add_space(2.0);
    lines(ui, ": ", &[summary, names], |row| row.font(fonts::medium()));
    let headers = rows.iter().filter(|row| row.what == "Header").count();
    let has_lods = [Some(entity), other].into_iter().flatten().any(|entity| entity.model().lod_count() > 1);
    if let Some(differing) = differing(difference, headers, has_lods) {
        Row::label("")
            .second_in(differing.as_str(), tokens.text2)
            .wraps()
            .spoken(differing.as_str())
            .show(ui, "differing");
    }
    options(ui, session, comparison, actions);
    ui.add_space(2.0);
    let sizes = other.map(|other| sizes(entity, other)).unwrap_or_default();
    let is_beside = ui.available_width() >= BESIDE_FROM;
    if is_beside {
        Panel::left("sizes").exact_size(SIZES).resizable(false).frame(egui::Frame::NONE).show(ui, |ui| {
            list::scroll(ui, "sizes", |ui| size_rows(ui, entity, &sizes, actions));
        });
    }
    // Each comparison starts at the top.
    list::scroll(ui, ("differences", comparison.b), |ui| {
        if !is_beside {
            size_rows(ui, entity, &sizes, actions);
        }
        let is_narrow = ui.available_width() < ONE_LINE_FROM;
        let height = if is_narrow { TWO_LINES } else { ROW };
        if !rows.is_empty() {
            headings(ui, "Differences", is_narrow);
        }
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

fn size_rows(ui: &mut Ui, entity: &Entity, sizes: &[Differing], actions: &mut Vec<Action>) {
    headings(ui, "Size", false);
    for (index, one) in sizes.iter().enumerate() {
        row(ui, entity, usize::MAX - index, one, false, actions);
    }
}

/// Width of the columns of A, B and the difference.
fn column(ui: &Ui, is_narrow: bool) -> f32 {
    let width = ui.available_width() - 2.0 * list::EDGE;
    if is_narrow { (width / 3.0).floor() } else { COLUMN.min((width * 0.24).floor()) }
}

fn headings(ui: &mut Ui, name: &str, is_narrow: bool) {
    let (quiet, width) = (theme::tokens(ui).text2, column(ui, is_narrow));
    let row = Row::label(if is_narrow { "" } else { name }).font(fonts::small()).colour(quiet).height(ROW);
    let row = ["A", "B", "Difference"].into_iter().fold(row, |row, word| row.cell(word, width));
    row.value_font(&fonts::small()).spoken(format!("{name}: A, B, difference")).show(ui, ("headings", name));
}

/// Shows how the compared models look: with equal heights, and with textures instead of the colours of differences.
fn options(ui: &mut Ui, session: &Session, comparison: &Comparison, actions: &mut Vec<Action>) {
    let shading = session.view.display.shading;
    let next = if shading == Shading::Difference { Shading::Textured } else { Shading::Difference };
    let choices = [
        ("Equal height", comparison.equal_height, Action::File(FileAction::EqualHeight(!comparison.equal_height))),
        ("Textured", shading == Shading::Textured, Action::Display(DisplayAction::SetShading(next))),
    ];
    ui.horizontal(|ui| {
        ui.add_space(list::EDGE);
        ui.spacing_mut().item_spacing.x = 6.0;
        for (name, on, action) in choices {
            let button = Button::new(name).word(name).tight().height(24.0).on(on);
            actions.extend(button.show(ui).clicked().then_some(action));
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
/// `headers` is the number of rows about the header.
fn differing(difference: &Difference, headers: usize, has_lods: bool) -> Option<String> {
    let surfaces = &difference.surfaces;
    let moved: usize = surfaces.iter().map(|surface| surface.moved).sum();
    let how = if surfaces.iter().any(|surface| surface.matched.is_some()) { "off" } else { "moved" };
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
    add(headers, "header field");
    if let Some(first) = parts.first_mut().filter(|_| has_lods && !surfaces.is_empty()) {
        first.push_str(" in all LODs");
    }
    if moved > 0 {
        let far = format::short(f64::from(furthest), 4);
        parts.insert(1, format!("{} {how} by up to {far} units", format::plural(moved, "vertex")));
    }
    (!parts.is_empty()).then(|| format!("Differing: {}", parts.join(", ")))
}

/// Compares counts and the size of the pose at the current level of detail of each model, without what both lack.
fn sizes(a: &Entity, b: &Entity) -> Vec<Differing> {
    let of = |entity: &Entity| {
        let (model, size) = (entity.model(), entity.pose.bounds.size());
        let (frames, clips) = inspector::frame_counts(entity);
        let [triangles, vertices] = inspector::size(entity);
        let counts = [
            ("Surfaces", context::surfaces_shown(entity).count()),
            ("Vertices", vertices),
            ("Triangles", triangles),
            ("LODs", model.lod_count() as usize),
            ("Frames", frames),
            ("Clips", clips),
            ("Tags", model.tags().len()),
            ("Joints", model.joints().len()),
            ("Skins", entity.asset.skins.len()),
        ];
        let sides = [("Size X", size.x), ("Size Y", size.y), ("Size Z", size.z)];
        let counts = counts.map(|(name, count)| (name, count as f64));
        counts.into_iter().chain(sides.map(|(name, side)| (name, f64::from(side)))).collect::<Vec<_>>()
    };
    let both = of(a).into_iter().zip(of(b)).filter(|((_, a), (_, b))| (*a, *b) != (0.0, 0.0));
    let row = |((name, a), (_, b))| Differing {
        what: String::new(),
        sides: Some(numbers(a, b, 2)),
        how: String::from(name),
        ..Differing::default()
    };
    both.map(row).collect()
}

/// Returns two numbers and their signed difference as text; without a difference, the text is a dash.
fn numbers(a: f64, b: f64, decimals: usize) -> [String; 3] {
    let is_whole = a.fract() == 0.0 && b.fract() == 0.0;
    let text = |number: f64| match number {
        number if is_whole && number >= 1000.0 => format::count(number as usize),
        number if is_whole || decimals > 3 => format::short(number, decimals),
        number => format::fixed(number, decimals),
    };
    let [of_a, of_b, by] = [a, b, (b - a).abs()].map(text);
    let by = match by.as_str() {
        zero if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => "–".to_owned(),
        _ if b > a => format!("+{by}"),
        _ => format!("−{by}"),
    };
    [of_a, of_b, by]
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
        let what = [self.what.as_str(), &self.how].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        match &self.sides {
            Some([a, b, by]) if by.is_empty() => format!("{}: {a} → {b}", what.join(": ")),
            Some([a, b, by]) => format!("{}: {a} → {b} ({by})", what.join(": ")),
            None => what.join(": "),
        }
    }
}

fn row(ui: &mut Ui, entity: &Entity, index: usize, one: &Differing, is_narrow: bool, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let text = one.text();
    let is_fact = one.what.is_empty();
    let row = if is_fact { Row::label(one.how.as_str()) } else { Row::new(one.what.as_str()) };
    let mut row = row.spoken(text.as_str()).loses_end().height(if is_narrow { TWO_LINES } else { ROW });
    if let Some([a, b, by]) = &one.sides {
        let (width, is_same) = (column(ui, is_narrow), by == "–");
        let strong = if is_same { tokens.text2 } else { tokens.text };
        row = row.cell(a.as_str(), width).value_colour(strong).cell(b.as_str(), width).value_colour(strong);
        row = row.cell(by.as_str(), width).value_colour(if is_same { tokens.text3 } else { tokens.text });
    }
    let response = match (is_fact, is_narrow, &one.sides) {
        (true, ..) => row,
        (_, false, _) => row.then(one.how.as_str()),
        (_, true, None) => row.second(one.how.as_str()),
        (_, true, Some(_)) => row.then(one.how.as_str()).values_below(),
    };
    let response = response.show(ui, ("difference", index));
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
            "{} {}, furthest vertex {} by {} units in {}",
            format::plural(surface.moved, "vertex"),
            if surface.matched.is_some() { "not at a vertex of B" } else { "moved" },
            furthest.vertex,
            format::short(f64::from(furthest.distance), 4),
            frame_words(&furthest.frame)
        );
        let vertex = drawn(entity, surface.index, furthest.vertex);
        let selection = Some(Selection::Vertex { surface: surface.index, vertex });
        rows.push(Differing { how, selection, place: Some(furthest.frame.clone()), ..of_surface.clone() });
    }
    let mut add = |how: String| rows.push(Differing { how, ..of_surface.clone() });
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
    let mut add_both = |how: &str, sides: [String; 3]| {
        rows.push(Differing { how: how.to_owned(), sides: Some(sides), ..of_surface.clone() });
    };
    if let Some(sides) = &surface.vertices {
        add_both("Vertices", numbers(sides.a as f64, sides.b as f64, 0));
    }
    if let Some(sides) = &surface.materials {
        add_both("Materials", [sides.a.join(", "), sides.b.join(", "), String::new()]);
    }
    if let Some(triangles) = surface.triangles.as_ref().filter(|it| it.differing.is_none() || it.a != it.b) {
        add_both("Triangles", numbers(triangles.a as f64, triangles.b as f64, 0));
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

/// Returns a change as rows based on `of`.
fn changes(change: &Change, of: &Differing) -> Vec<Differing> {
    let field = match (change.frame_field(), change.index) {
        (Some((frame, field)), _) => format!("frame {frame} {field}"),
        (None, Some(index)) => format!("{}[{index}]", change.field),
        (None, None) => change.field.clone(),
    };
    let more = change.differing.map_or(0, |count| count.saturating_sub(1));
    let field = if more > 0 { format!("{field} (and {} more)", format::count(more)) } else { field };
    // Each axis with a difference has a row, so that the columns contain numbers.
    let axes = |name: &str, a: &[f32; 3], b: &[f32; 3]| {
        let axes = ["X", "Y", "Z"].into_iter().zip(a.iter().zip(b)).filter(|(_, (a, b))| a != b);
        let row = |(axis, (a, b)): (&str, (&f32, &f32))| Differing {
            how: format!("{field}{name} {axis}"),
            sides: Some(numbers(f64::from(*a), f64::from(*b), 3)),
            ..of.clone()
        };
        axes.map(row).collect::<Vec<_>>()
    };
    match (&change.a, &change.b) {
        (Value::Box { min, max }, Value::Box { min: other_min, max: other_max }) => {
            [axes(" min", min, other_min), axes(" max", max, other_max)].concat()
        }
        (Value::Position(a), Value::Position(b)) => axes("", a, b),
        (Value::Number(a), Value::Number(b)) => {
            let sides = numbers(f64::from(*a), f64::from(*b), 6);
            vec![Differing { how: field, sides: Some(sides), ..of.clone() }]
        }
        (a, b) => {
            let sides = [value_words(a), value_words(b), String::new()];
            vec![Differing { how: field, sides: Some(sides), ..of.clone() }]
        }
    }
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
