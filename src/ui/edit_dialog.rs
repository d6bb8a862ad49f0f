//! Dialog for edits that need text: shader paths, names and a new tag.

use std::sync::Arc;

use egui::{Frame, Id, Key, Label, Margin, RichText, Ui, vec2};
use glam::Vec3;

use super::{Row, checkbox, dialog, field, fonts, format, list, text, theme};
use maquette_assets::open::{MaterialName, fitting_names, names_beside};
use maquette_core::edit::{ADD_TAG, Call, RENAME_FRAME, RENAME_SURFACE, RENAME_TAG};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_scene::scene::{Entity, position_in};
use maquette_scene::session::{Action, EditAction, EditDialog, EditField, Selection, Session, set_material};

const SHOWN: usize = 6;
const NAMES_LISTED: usize = 500;

const FIRST_TAG: &str = "tag_";

#[derive(Debug, Default)]
pub struct State {
    open: Option<EditDialog>,
    text: String,
    before: String,
    /// X, Y and Z of a new tag, as typed.
    place: [String; 3],
    /// Selected vertex that a new tag may follow, and whether it does.
    vertex: Option<(usize, usize)>,
    follows: bool,
    /// Frame of the position. The clip may go on playing.
    frame: usize,
    to_end: bool,
    /// Whether a renamed surface is also renamed in `.skin` files, or a path is set in the `.skin` file that overrides
    /// it.
    in_skins: bool,
    fitting: Vec<MaterialName>,
    /// Text and names from which `fitting` was computed.
    fitting_of: Option<(String, Option<Arc<Vec<MaterialName>>>)>,
}

pub fn show(root: &Ui, session: &Session, wanted: &EditDialog, state: &mut State, actions: &mut Vec<Action>) {
    let Some(entity) = wanted.entity.and_then(|entity| session.document.scene.entity(entity)) else {
        actions.push(Action::Edit(EditAction::CloseDialog));
        return;
    };
    let is_new = state.open.as_ref() != Some(wanted);
    let frame = if is_new { entity.nearest_frame() } else { state.frame };
    let ([title, verb], about, text) = words(entity, frame, &wanted.what);
    if is_new {
        let open = Some(wanted.clone());
        *state = State { open, before: text.clone(), text, in_skins: true, ..State::default() };
        state.frame = frame;
        state.place = first_place(session, entity).map(|number| format::short(f64::from(number), 4));
        if let (EditField::NewTag, Selection::Vertex { surface, vertex }) = (&wanted.what, session.document.selection) {
            (state.vertex, state.follows) = (Some((surface, vertex)), true);
        }
    }
    let is_path = matches!(wanted.what, EditField::Materials(_));
    let is_tag = wanted.what == EditField::NewTag;
    let skin_file = overriding_skin(entity, &wanted.what);
    let surface = if let EditField::SurfaceName(surface) = wanted.what { Some(surface) } else { None };
    let skins = surface.map_or(0, |surface| entity.asset.skins_that_name(surface));
    let with_switch = is_tag || skins > 0 || skin_file.is_some();
    let rows = u8::from(with_switch) + u8::from(state.vertex.is_some());
    let more = if is_path { SHOWN as f32 * list::ROW + 8.0 } else { 0.0 } + 40.0 * f32::from(rows);
    let mut confirmed = false;
    let shown_trouble = why_invalid(entity, &wanted.what, state);
    let close = dialog::show_sized(root, title, vec2(if is_path { 560.0 } else { 440.0 }, 172.0 + more), |ui| {
        let tokens = theme::tokens(ui);
        Frame::new().inner_margin(Margin::symmetric(16, 0)).show(ui, |ui| {
            ui.add(Label::new(RichText::new(about).color(tokens.text2)).truncate());
            ui.add_space(4.0);
            confirmed |= text_field(ui, is_new, is_path, state);
            ui.add_space(4.0);
            if is_path {
                suggestions(ui, session, state);
                list::offer_focus(ui.ctx(), false);
                ui.add_space(4.0);
            }
            confirmed |= is_tag && place_fields(ui, state);
            switches(ui, skins, skin_file.as_deref(), state);
            let unseen = || {
                let file = skin_file.as_ref().filter(|_| !state.in_skins)?;
                Some(format!("{file} overrides this path; the change is visible only with another skin"))
            };
            let files = || format!("The textures in {} will be lost", format::plural(skins, ".skin file"));
            let lost = || (skins > 0 && !state.in_skins).then(files);
            let text = shown_trouble.clone().or_else(unseen).or_else(lost).unwrap_or_default();
            ui.add(Label::new(RichText::new(text).small().color(tokens.warn)).truncate());
        });
        let confirm =
            dialog::confirm(verb, verb).enabled(shown_trouble.is_none(), shown_trouble.as_deref().unwrap_or_default());
        let clicked = dialog::footer(ui, RichText::default(), &[confirm, dialog::other("Cancel")]);
        confirmed |= clicked == Some(0) || dialog::is_entered(ui);
        actions.extend((clicked == Some(1)).then_some(Action::Edit(EditAction::CloseDialog)));
    });
    // The frame of Enter may contain typed text, too.
    let trouble = why_invalid(entity, &wanted.what, state);
    if confirmed && trouble.is_none() {
        actions.push(match call(&wanted.what, state) {
            None => Action::Edit(EditAction::CloseDialog),
            _ if skins > 0 && state.in_skins => {
                let (surface, name) = (surface.unwrap_or_default(), state.text.trim().to_owned());
                Action::Edit(EditAction::RenameInSkins { surface, name })
            }
            _ if skin_file.is_some() && state.in_skins => {
                let path = state.text.trim().to_owned();
                Action::Edit(EditAction::SetInSkin { surfaces: path_surfaces(&wanted.what), path })
            }
            Some(call) => Action::Edit(EditAction::Change(vec![call])),
        });
    } else if close {
        actions.push(Action::Edit(EditAction::CloseDialog));
    } else if confirmed {
        // Focus the field, so that the text can be corrected.
        root.ctx().memory_mut(|memory| memory.request_focus(field_id()));
    }
}

/// Returns the title, the label of the confirming button, an explanation and the initial text.
fn words(entity: &Entity, frame: usize, what: &EditField) -> ([&'static str; 2], String, String) {
    let model = entity.model();
    let new_name = |of: &str| format!("New name of {of}");
    let (title, about, text) = match what {
        EditField::Materials(surfaces) => {
            let (surface, material) = surfaces.first().copied().unwrap_or_default();
            let worn = entity.asset.skins.get(entity.skin).and_then(|skin| skin.materials.get(surface));
            let worn = worn.filter(|_| entity.asset.skin_file_of(entity.skin, surface).is_some());
            let own = model.surfaces().get(surface).and_then(|surface| surface.materials.get(material));
            let text = worn.map(|material| &material.name).or(own);
            let (title, of) = match surfaces.len() {
                0 | 1 => ("Edit shader path", entity.surface_name(surface)),
                several => ("Edit shader paths", format::plural(several, "surface")),
            };
            ([title, "Apply"], format!("Shader or texture of {of}"), text)
        }
        EditField::SurfaceName(surface) => {
            let text = model.surfaces().get(*surface).map(|surface| &surface.name);
            (["Rename surface", "Rename"], new_name(&entity.surface_name(*surface)), text)
        }
        EditField::TagName(tag) => {
            let text = model.tags().get(*tag);
            (["Rename tag", "Rename"], new_name(text.map_or("", String::as_str)), text)
        }
        EditField::FrameName(frame) => {
            let text = model.frames().get(*frame).map(|frame| &frame.name);
            (["Rename frame", "Rename"], new_name(&format!("frame {frame}")), text)
        }
        EditField::NewTag => {
            let about = format!("Name, and position in frame {frame}");
            return (["Add tag", "Add"], about, FIRST_TAG.to_owned());
        }
        EditField::Arguments(operation) => ([operation.title, "Apply"], operation.help.to_owned(), None),
    };
    (title, about, text.cloned().unwrap_or_default())
}

/// Returns the initial position of a new tag: the position of the selection in the nearest frame, or the origin.
fn first_place(session: &Session, entity: &Entity) -> [f32; 3] {
    let blend = FrameBlend::single(u32::try_from(entity.nearest_frame()).unwrap_or(0));
    let mut pose = Pose::default();
    sample(entity.model(), &Sampling { lod: entity.lod, ..Sampling::at(blend) }, &mut pose);
    position_in(entity.model(), &pose, session.document.selection).unwrap_or(Vec3::ZERO).to_array()
}

/// Returns the reason why the input cannot be stored, if any.
fn why_invalid(entity: &Entity, what: &EditField, state: &State) -> Option<String> {
    let text = state.text.trim();
    let length = text.len();
    let limits = entity.model().format().traits().name_limits;
    let longest = match what {
        EditField::FrameName(_) => limits.frame,
        EditField::TagName(_) | EditField::NewTag => limits.tag,
        EditField::Materials(_) | EditField::SurfaceName(_) => limits.surface,
        EditField::Arguments(_) => None,
    };
    if let Some(longest) = longest.filter(|longest| length > *longest) {
        return Some(format!("{length} bytes; expected at most {longest}"));
    }
    if let Some(odd) = text.chars().find(|letter| letter.is_control()) {
        return Some(format!("The format cannot store “{odd}”"));
    }
    let is_other = *what == EditField::NewTag || text != state.before;
    let is_named = |tags: &[String]| tags.iter().any(|tag| tag.eq_ignore_ascii_case(text));
    match what {
        EditField::Materials(_) | EditField::FrameName(_) => None,
        _ if text.is_empty() => Some("Enter a name".to_owned()),
        EditField::NewTag if state.place.iter().any(|number| format::parse(number).is_none()) => {
            Some("Enter a number for X, Y and Z".to_owned())
        }
        EditField::NewTag | EditField::TagName(_) if is_other && is_named(entity.model().tags()) => {
            Some(format!("Tag {text} already exists"))
        }
        _ => None,
    }
}

/// Returns the name of the `.skin` file that overrides all edited paths, if any.
fn overriding_skin(entity: &Entity, what: &EditField) -> Option<String> {
    let mut files = path_surfaces(what).into_iter().map(|surface| entity.asset.skin_file_of(entity.skin, surface));
    let file = files.next()??;
    // An edit changes a single file. Surfaces with a path in another file, or in the model, need another edit.
    if !files.all(|other| other == Some(file)) {
        return None;
    }
    Some(file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned())
}

fn path_surfaces(what: &EditField) -> Vec<usize> {
    let EditField::Materials(surfaces) = what else { return Vec::new() };
    surfaces.iter().map(|(surface, _)| *surface).collect()
}

/// Returns the call for the entered values; `None` if nothing changes.
fn call(what: &EditField, state: &State) -> Option<Call> {
    let name = state.text.trim();
    let is_same = name == state.before;
    let rename = |operation, element: String| Call::with(operation, &[&element, name]);
    Some(match what {
        // Several surfaces may have different paths, so change them all.
        EditField::Materials(surfaces) if !is_same || surfaces.len() > 1 => {
            let material = surfaces.first().map_or(0, |(_, material)| *material);
            set_material(&path_surfaces(what), material, name)
        }
        EditField::NewTag => {
            let number = |text: &String| (format::parse(text).unwrap_or(0.0) as f32).to_string();
            let vertex = state.vertex.filter(|_| state.follows).map(|(surface, vertex)| format!("#{surface}:{vertex}"));
            let place = state.place.each_ref().map(number).join(",");
            Call::with(&ADD_TAG, &[name, &place, "", &vertex.unwrap_or_default(), &state.frame.to_string()])
        }
        _ if is_same => return None,
        EditField::SurfaceName(surface) => rename(&RENAME_SURFACE, format!("#{surface}")),
        EditField::TagName(tag) => rename(&RENAME_TAG, format!("#{tag}")),
        EditField::FrameName(frame) => rename(&RENAME_FRAME, frame.to_string()),
        EditField::Materials(_) | EditField::Arguments(_) => return None,
    })
}

/// Shows the choices of the edit.
fn switches(ui: &mut Ui, skins: usize, skin_file: Option<&str>, state: &mut State) {
    let mut show = |text: &str, on: &mut bool| {
        checkbox::switch(ui, text, on, None);
        ui.add_space(8.0);
    };
    if state.vertex.is_some() {
        show("Follow the selected vertex in all frames", &mut state.follows);
    }
    if skins > 0 {
        show(&format!("Also rename in {}", format::plural(skins, ".skin file")), &mut state.in_skins);
    }
    if let Some(file) = skin_file {
        show(&format!("Change the line in {file}"), &mut state.in_skins);
    }
}

fn field_id() -> Id {
    Id::unique("edit text")
}

/// Shows the text field. Returns whether Enter was pressed in it.
fn text_field(ui: &mut Ui, is_new: bool, is_path: bool, state: &mut State) -> bool {
    let id = field_id();
    if is_path {
        field::offer_focus_below(ui, id);
    }
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), field::HEIGHT));
    let name = if is_path { "Shader path" } else { "Name" };
    let output = field::line(ui, id, rect, &mut state.text, name, is_path);
    let response = &output.response.response;
    if is_new || state.to_end {
        let end = state.text.chars().count();
        // Select the text, so that typing replaces it. A path or the tag prefix is continued at its end.
        let goes_on = state.to_end || is_path || state.text == FIRST_TAG;
        field::select(ui, &output, if goes_on { end } else { 0 }..end);
        state.to_end = false;
    }
    if is_new {
        response.request_focus();
    }
    (response.has_focus() || response.lost_focus()) && ui.input(|input| input.key_pressed(Key::Enter))
}

/// Shows the position of a new tag. Returns whether Enter was pressed in a field.
fn place_fields(ui: &mut Ui, state: &mut State) -> bool {
    let axes = ["X", "Y", "Z"].into_iter().zip(theme::tokens(ui).axes);
    // A letter and the gap after it are as wide as two gaps.
    const GAP: f32 = 8.0;
    let width = (ui.available_width() - 2.0 * GAP) / 3.0 - 2.0 * GAP;
    let mut confirmed = false;
    ui.horizontal(|ui| {
        for ((letter, colour), text) in axes.zip(&mut state.place) {
            ui.spacing_mut().item_spacing.x = GAP;
            ui.add_space(if letter == "X" { 0.0 } else { GAP });
            text::line(ui, letter, fonts::small_strong(), colour);
            let (_, rect) = ui.allocate_space(vec2(width, field::HEIGHT));
            let response = field::line(ui, field_id().with(letter), rect, text, letter, false).response.response;
            confirmed |= response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        }
    });
    ui.add_space(8.0);
    confirmed
}

/// Shows matching shaders and images. A click enters the name into the field.
fn suggestions(ui: &mut Ui, session: &Session, state: &mut State) {
    let names = session.interface.material_names.clone();
    let is_known = state.fitting_of.as_ref().is_some_and(|(text, known)| {
        *text == state.text && known.as_ref().map(Arc::as_ptr) == names.as_ref().map(Arc::as_ptr)
    });
    if !is_known {
        state.fitting = names.as_ref().map_or_else(Vec::new, |names| fitting(names, state));
        state.fitting_of = Some((state.text.clone(), names.clone()));
    }
    let fitting = &state.fitting;
    let chosen = list::suggestions(ui, SHOWN, fitting.len().max(1), |ui, index| {
        let Some(known) = fitting.get(index) else {
            let is_known = names.is_some();
            let text = if is_known { "No shader or image contains this" } else { "Looking for shaders and images…" };
            Row::label(text).inset(8.0).colour(theme::tokens(ui).text2).show(ui, "none");
            return None;
        };
        let kind = if known.is_shader { "shader" } else { "image" };
        let row = Row::new(&known.name).inset(8.0).font(fonts::mono()).small_value(kind);
        let shown = row.show_parts(ui, ("name", index));
        let clicked = shown.response.clicked();
        if shown.is_cut {
            shown.response.on_hover_text(&known.name);
        }
        clicked.then(|| known.name.clone())
    });
    if let Some(name) = chosen {
        state.text = name;
        state.to_end = true;
        ui.memory_mut(|memory| memory.request_focus(field_id()));
    }
}

/// Returns the matching names. An unchanged path matches all names in its folder, or all names if the folder has none.
fn fitting(names: &[MaterialName], state: &State) -> Vec<MaterialName> {
    let own = |typed: &str| fitting_names(names, typed, NAMES_LISTED).into_iter().cloned().collect::<Vec<_>>();
    if state.text != state.before {
        return own(state.text.trim());
    }
    names_beside(names, &state.text, NAMES_LISTED).into_iter().cloned().collect()
}
