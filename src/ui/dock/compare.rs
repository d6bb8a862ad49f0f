//! How the model differs from another one: a row each, which leads to its place.

use egui::{Align, Layout, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::compare::{Change, Difference, FramePlace, Value, Which};
use crate::model::Motion;
use crate::scene::{ClipChoice, Entity};
use crate::session::{Action, ClockAction, CompareMode, FileAction, Purpose, SceneAction, Selection, Session};
use crate::ui::button::{Button, Rank};
use crate::ui::{copy, fonts, format, icons, list, menu, paint, segments, theme};

const ROW: f32 = 24.0;
/// Height of a line over the rows.
const LINE: f32 = 20.0;

/// Something that differs.
struct Row {
    /// What.
    what: String,
    /// How.
    how: String,
    /// Where, if it leads anywhere.
    selection: Option<Selection>,
    place: Option<FramePlace>,
}

/// Shows it; `bar` is what is free of the bar above.
pub fn show(ui: &mut Ui, session: &Session, bar: Rect, actions: &mut Vec<Action>) {
    let comparison = session.document.comparison.as_ref();
    let found = comparison.and_then(|comparison| Some((comparison, session.document.scene.entity(comparison.a)?)));
    head(ui, bar, found.map(|(comparison, _)| comparison.mode), actions);
    let tokens = theme::tokens(ui);
    let Some((comparison, entity)) = found else {
        let place = ui.available_rect_before_wrap().shrink2(vec2(12.0, 8.0));
        let text = "Compare the model with an edit of it, a coarser LOD, or the same model in another format";
        let shown = paint::shortened(ui.painter(), text, &fonts::body(), place.width());
        paint::text(ui.painter(), place.min, egui::Align2::LEFT_TOP, &shown, fonts::body(), tokens.text2);
        return;
    };
    let difference = &comparison.difference;
    let rows = rows(entity, difference);
    let summary = format!(
        "A {}, B {}: {}, {}",
        difference.a.name,
        difference.b.name,
        if difference.same { "alike".to_owned() } else { format::plural(rows.len(), "difference") },
        if difference.tolerance > 0.0 {
            format!("within {} units", format::short(f64::from(difference.tolerance), 4))
        } else {
            "compared exactly".to_owned()
        }
    );
    ui.add_space(2.0);
    line(ui, &summary, fonts::medium(), tokens.text);
    let sizes = session.document.scene.entity(comparison.b).map(|other| sizes(entity, other));
    let lines: Vec<String> = differing(difference).into_iter().chain(sizes).collect();
    let joined = lines.join(" · ");
    if paint::width_of(ui, &joined, fonts::body()) <= ui.available_width() - 24.0 {
        line(ui, &joined, fonts::body(), tokens.text2);
    } else {
        lines.iter().for_each(|text| line(ui, text, fonts::body(), tokens.text2));
    }
    ui.add_space(2.0);
    egui::ScrollArea::vertical().auto_shrink([false, false]).min_scrolled_height(0.0).show(ui, |ui| {
        list::rows(ui, "differences", 0..rows.len(), ROW, None, |ui, index| {
            if let Some(one) = rows.get(index) {
                row(ui, entity, index, one, actions);
            }
        });
        for note in &difference.notes {
            list::note(ui, &format::capital(note), tokens.text2);
        }
        list::follow_focus(ui);
    });
}

/// A line over the rows; where it is cut, its tooltip has the whole.
fn line(ui: &mut Ui, text: &str, font: egui::FontId, colour: egui::Color32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    let room = list::inside(rect, 12.0, 12.0);
    let shown = paint::shortened(ui.painter(), text, &font, room.width());
    paint::text_in(ui.painter(), room, &shown, font, colour);
    if shown != text {
        response.on_hover_text(text);
    }
}

/// How many of everything differ, and how far vertices stand apart at most; none if nothing does.
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

/// Triangles and vertices of both, at the level of detail that is shown of each.
fn sizes(a: &Entity, b: &Entity) -> String {
    let of = |entity: &Entity| {
        let shown = entity.model().surfaces().iter().filter(|surface| surface.lod == entity.lod);
        shown.fold((0, 0), |sum, surface| (sum.0 + surface.triangles.len(), sum.1 + surface.vertex_count()))
    };
    let ((triangles, vertices), (other_triangles, other_vertices)) = (of(a), of(b));
    let both = |of_a: usize, of_b: usize| format!("A {}, B {}", format::count(of_a), format::count(of_b));
    format!("Triangles: {} · Vertices: {}", both(triangles, other_triangles), both(vertices, other_vertices))
}

fn head(ui: &mut Ui, bar: Rect, mode: Option<CompareMode>, actions: &mut Vec<Action>) {
    let left = egui::UiBuilder::new().max_rect(bar).layout(Layout::left_to_right(Align::Center)).id_salt("head");
    ui.scope_builder(left, |ui| {
        ui.shrink_clip_rect(bar);
        ui.spacing_mut().item_spacing.x = 6.0;
        let ask = Action::File(FileAction::Ask(Purpose::Compare));
        let button = Button::of("Compare with…", &ask).icon(icons::COMPARE).word("Compare with…");
        let response = button.rank(Rank::Raised).height(26.0).show(ui);
        if response.clicked() {
            actions.push(ask);
        }
        let Some(mode) = mode else {
            // There are no rows yet.
            list::accept_focus(&response);
            return;
        };
        let labels = CompareMode::ALL.map(CompareMode::label);
        let (_, field) = ui.allocate_space(vec2(segments::width(ui, &labels), segments::HEIGHT));
        let current = CompareMode::ALL.iter().position(|other| *other == mode).unwrap_or(0);
        let called = |name: &str| (Role::RadioButton, format!("Compare: {name}"));
        if let Some(chosen) = segments::show(ui, field, "compare mode", &labels, current, called) {
            actions.extend(CompareMode::ALL.get(chosen).map(|mode| Action::File(FileAction::ShowCompared(*mode))));
        }
        if Button::new("Stop comparing").word("Stop").tight().show(ui).clicked() {
            actions.push(Action::File(FileAction::StopComparing));
        }
    });
}

fn row(ui: &mut Ui, entity: &Entity, index: usize, one: &Row, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let told = format!("{}: {}", one.what, one.how);
    let (rect, response) = list::row(ui, ui.scope_id().with(("difference", index)), &told, ROW, false);
    let inner = list::inside(rect, 12.0, 12.0);
    let width = (inner.width() * 0.32).min(240.0);
    let room = Rect::from_min_max(inner.min, pos2(inner.left() + width, inner.bottom()));
    paint::name_in(ui.painter(), room, &one.what, fonts::body(), tokens.text);
    let room = Rect::from_min_max(pos2(room.right() + 8.0, inner.top()), inner.max);
    let shown = paint::shortened(ui.painter(), &one.how, &fonts::body(), room.width());
    paint::text_in(ui.painter(), room, &shown, fonts::body(), tokens.text2);
    menu::context(&response, |ui| {
        if (menu::Row { word: "Copy", ..menu::Row::default() }).show(ui).clicked() {
            copy::put(ui.ctx(), told.clone());
        }
    });
    if response.clicked() {
        if let Some(place) = &one.place {
            let clips = entity.playback.clips(entity.model());
            let clip = place.clip.as_ref().and_then(|name| clips.iter().position(|clip| clip.name == *name));
            if let Some(clip) = clip {
                actions.push(Action::Clock(ClockAction::ChooseClipOf(entity.id, ClipChoice::Clip(clip))));
            }
            actions.push(Action::Clock(ClockAction::SeekIn(entity.id, f64::from(place.frame))));
        }
        if let Some(selection) = one.selection {
            actions.push(Action::Scene(SceneAction::SelectIn(entity.id, selection)));
        }
    }
    response.on_hover_text(told);
}

/// Everything that differs, the surfaces first.
fn rows(entity: &Entity, difference: &Difference) -> Vec<Row> {
    let mut rows = Vec::new();
    for surface in &difference.surfaces {
        let name = if surface.name.is_empty() { format!("Surface {}", surface.index) } else { surface.name.clone() };
        let own = surface.only != Some(Which::B);
        let selection = own.then_some(Selection::Surface(surface.index));
        let mut add = |how: String, selection: Option<Selection>, place: Option<FramePlace>| {
            rows.push(Row { what: name.clone(), how, selection, place });
        };
        if let Some(only) = surface.only {
            add(only_in(only), selection, None);
            continue;
        }
        if let Some(furthest) = &surface.furthest {
            let vertex = drawn(entity, surface.index, furthest.vertex);
            let how = format!(
                "{} moved, furthest vertex {} by {} units in frame {}",
                format::plural(surface.moved, "vertex"),
                furthest.vertex,
                format::short(f64::from(furthest.distance), 4),
                frame_words(&furthest.place)
            );
            let selection = Some(Selection::Vertex { surface: surface.index, vertex });
            add(how, selection, Some(furthest.place.clone()));
        }
        if let Some(sides) = &surface.vertices {
            let how = format!("{} → {}, held against the nearest", sides.a, format::plural(sides.b, "vertex"));
            add(how, selection, None);
        }
        if let Some(name) = &surface.renamed {
            add(format!("called {name} in B"), selection, None);
        }
        if let Some(sides) = &surface.materials {
            add(format!("materials {} → {}", sides.a.join(", "), sides.b.join(", ")), selection, None);
        }
        if let Some(triangles) = &surface.triangles {
            let how = match triangles.differing {
                Some(differing) if triangles.a == triangles.b => {
                    format!("{differing} of {} differ", format::plural(triangles.a, "triangle"))
                }
                _ => format!("{} → {}", triangles.a, format::plural(triangles.b, "triangle")),
            };
            add(how, selection, None);
        }
        if let Some(uvs) = &surface.uvs {
            let far = format::short(f64::from(uvs.distance), 4);
            add(format!("texture coordinates of {} differ, by up to {far}", uvs.differing), selection, None);
        }
        if let Some(normals) = &surface.normals {
            let turned = format::short(f64::from(normals.degrees), 1);
            let how = format!("normals of {} differ, by up to {turned}°", format::plural(normals.differing, "vertex"));
            add(how, selection, Some(normals.place.clone()));
        }
        if let Some(weights) = surface.weights {
            add(format!("weights of {} differ", format::plural(weights, "vertex")), selection, None);
        }
        surface.details.iter().for_each(|change| add(change_words(change), selection, None));
    }
    for tag in &difference.tags {
        let selection = (tag.only != Some(Which::B)).then_some(Selection::Tag(tag.index));
        let how = match (&tag.only, &tag.furthest) {
            (Some(only), _) => only_in(*only),
            (None, Some(furthest)) => moved(furthest.distance, furthest.degrees, &furthest.place),
            (None, None) => "stored otherwise".to_owned(),
        };
        let place = tag.furthest.as_ref().map(|furthest| furthest.place.clone());
        rows.push(Row { what: tag.name.clone(), how, selection, place });
    }
    for joint in &difference.joints {
        let selection = (joint.only != Some(Which::B)).then_some(Selection::Joint(joint.index));
        let how = match (&joint.only, &joint.furthest) {
            (Some(only), _) => only_in(*only),
            (None, Some(furthest)) => moved(furthest.distance, furthest.degrees, &furthest.place),
            (None, None) => "stored otherwise".to_owned(),
        };
        let place = joint.furthest.as_ref().map(|furthest| furthest.place.clone());
        rows.push(Row { what: joint.name.clone(), how, selection, place });
    }
    for clip in &difference.clips {
        let changes = || clip.changes.iter().map(change_words).collect::<Vec<_>>().join(", ");
        let how = clip.only.map_or_else(changes, only_in);
        rows.push(Row { what: format!("Clip {}", clip.name), how, selection: None, place: None });
    }
    for change in &difference.header {
        rows.push(Row { what: "Header".to_owned(), how: change_words(change), selection: None, place: None });
    }
    rows
}

fn only_in(only: Which) -> String {
    match only {
        Which::A => "only in A".to_owned(),
        Which::B => "only in B".to_owned(),
    }
}

fn moved(distance: f32, degrees: f32, place: &FramePlace) -> String {
    let (far, turned) = (format::short(f64::from(distance), 4), format::short(f64::from(degrees), 2));
    format!("{far} units away, turned by {turned}° in frame {}", frame_words(place))
}

fn frame_words(place: &FramePlace) -> String {
    match &place.clip {
        Some(clip) => format!("{} of {clip}", place.frame),
        None => place.frame.to_string(),
    }
}

fn change_words(change: &Change) -> String {
    let index = change.index.map_or(String::new(), |index| format!("[{index}]"));
    format!("{}{index}: {} → {}", change.field, value_words(&change.a), value_words(&change.b))
}

fn value_words(value: &Value) -> String {
    let place = |place: &[f32; 3]| place.map(|number| format::short(f64::from(number), 3)).join(" ");
    match value {
        Value::Place(at) => place(at),
        Value::Box { min, max } => format!("{} to {}", place(min), place(max)),
        Value::Number(number) => format::short(f64::from(*number), 6),
        _ => serde_json::to_string(value).unwrap_or_default(),
    }
}

/// The first vertex that shows a stored one, where the file keeps texture coordinates apart.
fn drawn(entity: &Entity, surface: usize, vertex: usize) -> usize {
    let Motion::Morph(motion) = entity.model().motion() else { return vertex };
    let remap = motion.surfaces.get(surface).and_then(|track| track.remap.as_ref());
    remap.and_then(|remap| remap.iter().position(|stored| *stored as usize == vertex)).unwrap_or(vertex)
}
