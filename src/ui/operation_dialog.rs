//! Dialog for the arguments of an operation, with a field for each parameter.

use egui::{Frame, Id, Key, Label, Margin, RichText, Role, Ui, vec2};

use super::{checkbox, dialog, field, format, paint, segmented_control, text, theme};
use super::{fonts, kit::arrange};
use maquette_assets::lint::{PROFILES, size_limit};
use maquette_core::edit::{Call, Operation, Parameter, ParameterKind};
use maquette_core::model::Motion;
use maquette_scene::scene::{Entity, EntityId, FrameRange};
use maquette_scene::session::{Action, EditAction, Selection, Session};

/// Height of a field with the gap below.
const ROW: f32 = field::HEIGHT + 8.0;
const LABEL: f32 = 132.0;

#[derive(Debug, Default)]
pub struct State {
    /// Operation whose texts are entered.
    open: Option<&'static Operation>,
    /// Text of each parameter.
    texts: Vec<String>,
}

pub fn show(
    root: &Ui,
    session: &Session,
    entity: Option<EntityId>,
    operation: &'static Operation,
    state: &mut State,
    actions: &mut Vec<Action>,
) {
    let is_of_selected = entity.is_none();
    let entity = entity.and_then(|entity| session.document.scene.entity(entity));
    if entity.is_none() && (!is_of_selected || session.interface.selected_models.is_empty()) {
        actions.push(Action::Edit(EditAction::CloseDialog));
        return;
    }
    let is_new = state.open != Some(operation);
    if is_new {
        let texts = operation.parameters.iter().map(|parameter| first_text(session, entity, parameter)).collect();
        *state = State { open: Some(operation), texts };
    }
    let call = Call::from_dialog(operation, &state.texts);
    let why = call.as_ref().err().map_or(String::new(), |fault| format::sentence(&fault.text));
    // A field that still waits for its text is not an error.
    let is_wrong = call.as_ref().is_err_and(|fault| !fault.is_missing);
    let mut confirmed = false;
    let size = vec2(480.0, 150.0 + ROW * operation.parameters.len() as f32);
    let models = format::plural(session.interface.selected_models.len(), "model");
    let (title, verb) = match entity {
        Some(_) => (operation.title.to_owned(), "Apply"),
        None => (format!("{}: {models}", operation.title), "Save copies…"),
    };
    let mut close = dialog::show_sized(root, &title, size, |ui| {
        let tokens = theme::tokens(ui);
        Frame::new().inner_margin(Margin::symmetric(16, 0)).show(ui, |ui| {
            ui.add(Label::new(RichText::new(operation.help).color(tokens.text2)).wrap());
            ui.add_space(8.0);
            for (index, (parameter, text)) in operation.parameters.iter().zip(&mut state.texts).enumerate() {
                let why_not = entity.and_then(|entity| (parameter.why_not)(entity.model()));
                confirmed |= parameter_row(ui, parameter, text, is_new && index == 0, why_not.as_deref());
            }
            let shown = if is_wrong { why.as_str() } else { "" };
            ui.add(Label::new(RichText::new(shown).small().color(tokens.warn)).wrap());
        });
        let confirm = dialog::confirm(verb, verb).enabled(call.is_ok(), &why);
        let clicked = dialog::footer(ui, RichText::default(), &[confirm, dialog::other("Cancel")]);
        confirmed |= clicked == Some(0) || dialog::is_entered(ui);
        actions.extend((clicked == Some(1)).then_some(Action::Edit(EditAction::CloseDialog)));
    });
    // The frame of Enter may contain typed text, too.
    if let (true, Ok(call)) = (confirmed, Call::from_dialog(operation, &state.texts)) {
        let change = if is_of_selected { EditAction::ChangeSelected(call) } else { EditAction::Change(vec![call]) };
        actions.push(Action::Edit(change));
        close = false;
    }
    actions.extend(close.then_some(Action::Edit(EditAction::CloseDialog)));
}

/// Returns the value of a parameter of *Simplify* with which the model fits its engine; `None` if the model fits already.
fn fitting_text(session: &Session, entity: &Entity, parameter: &Parameter) -> Option<String> {
    let engine = session.interface.folder_check.engine_of(&entity.asset);
    let profile = PROFILES.get(engine).copied().unwrap_or_else(|| entity.asset.profile());
    let limit = |name| size_limit(entity.model(), profile, name);
    match parameter.name {
        "percent" => limit("triangles").or(limit("vertices")).map(|_| String::new()),
        name => limit(name).map(|max| max.to_string()),
    }
}

/// Returns the initial text of a parameter: the selected element of the part, or the default.
fn first_text(session: &Session, entity: Option<&Entity>, parameter: &Parameter) -> String {
    let Some(entity) = entity else {
        let is_list = matches!(parameter.kind, ParameterKind::Surfaces | ParameterKind::Frames);
        return parameter.default.unwrap_or(if is_list { "all" } else { "" }).to_owned();
    };
    let selected = session.document.selected_surfaces();
    match parameter.kind {
        ParameterKind::Surfaces if !selected.is_empty() => {
            selected.iter().map(|surface| format!("#{surface}")).collect::<Vec<_>>().join(",")
        }
        ParameterKind::Tag => match session.document.selection {
            Selection::Tag(tag) => entity.model().tags().get(tag).cloned().unwrap_or_default(),
            _ => String::new(),
        },
        ParameterKind::Clip if parameter.default.is_none() => entity.clip().name,
        ParameterKind::Vertex => match session.document.selection {
            Selection::Vertex { surface, vertex } => format!("#{surface}:{vertex}"),
            _ => String::new(),
        },
        ParameterKind::Frames if parameter.default.is_none() => match entity.playback.range {
            Some(FrameRange { first, last }) => format!("{first}-{last}"),
            None => entity.nearest_frame().to_string(),
        },
        ParameterKind::Vertices | ParameterKind::Triangles => match (parameter.kind, session.document.selection) {
            (ParameterKind::Vertices, Selection::Vertex { vertex: index, .. })
                if matches!(entity.model().motion(), Motion::Morph(_)) =>
            {
                index.to_string()
            }
            (ParameterKind::Triangles, Selection::Triangle { triangle: index, .. }) => index.to_string(),
            _ => parameter.default.unwrap_or_default().to_owned(),
        },
        _ => {
            fitting_text(session, entity, parameter).unwrap_or_else(|| parameter.default.unwrap_or_default().to_owned())
        }
    }
}

/// Shows the field of a parameter. With a reason `why_not`, a switch is off and disabled. Returns whether Enter was
/// pressed in it.
fn parameter_row(
    ui: &mut Ui,
    parameter: &Parameter,
    value: &mut String,
    is_first: bool,
    why_not: Option<&str>,
) -> bool {
    let mut confirmed = false;
    ui.horizontal(|ui| {
        let label_rect = ui.allocate_space(vec2(LABEL, field::HEIGHT)).1;
        // A switch has the label at its box.
        let label = if parameter.kind == ParameterKind::Switch { "" } else { parameter.label };
        arrange::within(ui, label_rect, parameter.name, |ui| {
            text::line(ui, label, fonts::body(), theme::tokens(ui).text2);
        });
        match parameter.kind {
            ParameterKind::Choice(words) => {
                let words: Vec<(&str, &str)> = words.iter().map(|word| (*word, *word)).collect();
                let name = parameter.label;
                let chosen = segmented_control::choose(ui, name, Role::RadioButton, &words, value.as_str());
                if let Some(word) = chosen.map(str::to_owned) {
                    *value = word;
                }
            }
            ParameterKind::Switch => {
                let mut on = value == "yes";
                checkbox::switch(ui, parameter.label, &mut on, why_not);
                *value = if on { "yes" } else { "no" }.to_owned();
            }
            kind => {
                let id = Id::unique(("argument", parameter.name));
                let (_, rect) = ui.allocate_space(vec2(ui.available_width(), field::HEIGHT));
                let is_path = matches!(kind, ParameterKind::Models | ParameterKind::Image);
                let output = field::line(ui, id, rect, value, parameter.label, is_path);
                let response = &output.response.response;
                let unit_rect = rect.shrink2(vec2(8.0, 0.0));
                paint::text_right(ui.painter(), unit_rect, kind.unit(), fonts::body(), theme::tokens(ui).text2);
                if is_first {
                    field::select(ui, &output, 0..value.chars().count());
                    response.request_focus();
                }
                confirmed = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                response.clone().on_hover_text(kind.form());
            }
        }
    });
    ui.add_space(8.0 - ui.spacing().item_spacing.y.min(8.0));
    confirmed
}
