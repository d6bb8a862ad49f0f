//! Labels of edits, for the undo list and for the status bar.

use crate::scene::Entity;
use maquette_core::edit::{Call, NAMES_AND_REPAIRS, SET_MATERIAL};

pub(crate) fn undo_name(calls: &[Call]) -> &'static str {
    match calls {
        [first, ..] if first.operation == &SET_MATERIAL && first.text("surfaces").contains(',') => "Edit shader paths",
        [first, ..] => first.operation.title,
        [] => "Edit model",
    }
}

/// Returns the label with its subject before the edit: `Rename surface h_head to h_skull`.
pub(crate) fn with_subject(what: &str, calls: &[Call], entity: &Entity) -> String {
    let model = entity.model();
    let Some(call) = calls.first().filter(|call| call.operation.group == NAMES_AND_REPAIRS) else {
        return what.to_owned();
    };
    let subject = match call.operation.parameters.first().map_or("", |parameter| parameter.name) {
        "surfaces" => {
            let all = calls.iter().filter_map(|call| call.surfaces(model).ok()).flatten();
            match all.collect::<Vec<usize>>().as_slice() {
                [surface] => entity.surface_name(*surface),
                several => format!("{} surfaces", several.len()),
            }
        }
        "tag" => {
            let tag = call.tag(model, "tag").ok().flatten().and_then(|tag| model.tags().get(tag));
            tag.cloned().unwrap_or_default()
        }
        "frames" => {
            let frame = call.frames(model, "frames").ok().and_then(|frames| frames.first().copied());
            frame.and_then(|frame| model.frames().get(frame as usize)).map_or("", |frame| &frame.name).to_owned()
        }
        _ => String::new(),
    };
    let name = call.text("name");
    match (subject.as_str(), name) {
        ("", "") => what.to_owned(),
        ("", only) => format!("{what} {only}"),
        // The words differ: “Edit shader path of x”, but “Write texture path to model on x”.
        (subject, "") if call.operation == &SET_MATERIAL => {
            format!("{what} {} {subject}", if what.starts_with("Edit") { "of" } else { "on" })
        }
        (subject, "") => format!("{what} {subject}"),
        (subject, name) => format!("{what} {subject} to {name}"),
    }
}
