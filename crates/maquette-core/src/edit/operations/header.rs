//! Operations on data of the header, and on the list of skins.

use crate::edit::operation::{Operation, Parameter, ParameterKind, Reach};
use crate::model::{EmbeddedSkin, MaterialStorage, Model};

const fn row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation {
        name,
        title,
        group: "Header and skins",
        help,
        parameters: &[],
        reach: Reach::Mesh,
        refuses: needs_mdl,
        apply: |model, _, _| Ok(model.clone().into_parts()),
    }
}

fn needs_mdl(model: &Model) -> Option<String> {
    let why = || format!("Only an MDL stores this, not an {}", model.format().title());
    model.data().seams.is_none().then(why)
}

/// Flags of an MDL that games show as effects, with their bits (`modelgen.h` and the engine's `EF_…`).
const EFFECTS: [(&str, i32); 8] = [
    ("rocket", 1),
    ("grenade", 2),
    ("gib", 4),
    ("rotate", 8),
    ("tracer", 16),
    ("zombie-gib", 32),
    ("tracer2", 64),
    ("tracer3", 128),
];

pub(super) const EFFECT: Operation = Operation {
    parameters: &[
        Parameter {
            name: "effect",
            label: "Effect",
            kind: ParameterKind::Choice(&[
                EFFECTS[0].0,
                EFFECTS[1].0,
                EFFECTS[2].0,
                EFFECTS[3].0,
                EFFECTS[4].0,
                EFFECTS[5].0,
                EFFECTS[6].0,
                EFFECTS[7].0,
            ]),
            default: Some("rotate"),
        },
        Parameter { name: "on", label: "On", kind: ParameterKind::Switch, default: Some("yes") },
    ],
    apply: |model, call, _| {
        let bit = EFFECTS.iter().find(|(name, _)| *name == call.text("effect")).map_or(0, |(_, bit)| *bit);
        let mut parts = model.clone().into_parts();
        parts.data.flags = if call.switch("on") { parts.data.flags | bit } else { parts.data.flags & !bit };
        Ok(parts)
    },
    ..row("set-effect", "Set effect", "Turns a trail or the rotation of an MDL on or off")
};

pub(super) const FLAGS: Operation = Operation {
    parameters: &[Parameter {
        name: "value",
        label: "Flags",
        kind: ParameterKind::Whole { min: 0, max: i32::MAX },
        default: None,
    }],
    refuses: |model| {
        let has_flags = matches!(model.format().name(), "mdl" | "md3" | "mdc" | "iqm");
        (!has_flags).then(|| format!("An {} has no flags", model.format().title()))
    },
    apply: |model, call, _| {
        let mut parts = model.clone().into_parts();
        parts.data.flags = call.whole("value").unwrap_or(0);
        Ok(parts)
    },
    ..row("set-flags", "Set flags", "Sets all flags of the header as a number")
};

pub(super) const EYES: Operation = Operation {
    parameters: &[Parameter {
        name: "at",
        label: "Position X, Y, Z",
        kind: ParameterKind::Vector { unit: "units" },
        default: None,
    }],
    apply: |model, call, _| {
        let mut parts = model.clone().into_parts();
        parts.data.eye_position = call.vector("at").unwrap_or_default();
        Ok(parts)
    },
    ..row("set-eyes", "Set eye position", "Sets the position of the eyes of an MDL")
};

pub(super) const RADIUS: Operation = Operation {
    parameters: &[Parameter {
        name: "radius",
        label: "Radius",
        kind: ParameterKind::Number { min: 0.0, max: 100_000.0, unit: "units" },
        default: None,
    }],
    apply: |model, call, _| {
        let mut parts = model.clone().into_parts();
        parts.data.radius = call.number("radius").unwrap_or(0.0);
        Ok(parts)
    },
    ..row("set-radius", "Set bounding radius", "Sets the bounding radius of an MDL")
};

pub(super) const SYNC: Operation = Operation {
    parameters: &[Parameter {
        name: "type",
        label: "Copies move",
        kind: ParameterKind::Choice(&["together", "randomly"]),
        default: Some("together"),
    }],
    apply: |model, call, _| {
        let mut parts = model.clone().into_parts();
        parts.data.sync_type = i32::from(call.text("type") == "randomly");
        Ok(parts)
    },
    ..row("set-sync", "Set sync type", "Sets whether frame groups of all copies of an MDL move together")
};

const SKIN: Parameter = Parameter {
    name: "skin",
    label: "Skin, counted from 0",
    kind: ParameterKind::Whole { min: 0, max: 4096 },
    default: None,
};

fn needs_skins(model: &Model) -> Option<String> {
    let storage = model.format().traits().materials;
    let has_skins = matches!(storage, MaterialStorage::Skins | MaterialStorage::Inside);
    (!has_skins).then(|| format!("An {} has no list of skins", model.format().title()))
}

pub(super) const REMOVE_SKIN: Operation = Operation {
    parameters: &[SKIN],
    refuses: needs_skins,
    apply: |model, call, _| {
        let skin = call.whole("skin").unwrap_or(0).unsigned_abs() as usize;
        let count = model.skins().len();
        if skin >= count {
            return Err(format!("skin={skin}: the model has {count} skins, counted from 0"));
        }
        let mut parts = model.clone().into_parts();
        if skin < parts.data.embedded_skins.len() {
            parts.data.embedded_skins.remove(skin);
        }
        parts.skins.remove(skin);
        parts.surfaces.iter_mut().for_each(|surface| surface.materials.clone_from(&parts.skins));
        Ok(parts)
    },
    ..row("remove-skin", "Remove skin", "Removes a skin of an MD2 or MDL")
};

pub(super) const SET_SKIN: Operation = Operation {
    parameters: &[SKIN, Parameter { name: "image", label: "Image", kind: ParameterKind::Image, default: None }],
    apply: |model, call, _| {
        let skin = call.whole("skin").unwrap_or(0).unsigned_abs() as usize;
        let count = model.embedded_skins().len();
        let image = call.images().first().cloned().ok_or("the image was not read")?;
        if skin > count {
            return Err(format!("skin={skin}: expected 0 to {count}, where {count} adds a skin"));
        }
        let mut parts = model.clone().into_parts();
        let name = parts.skins.get(skin).cloned().unwrap_or_else(|| format!("skin {skin}"));
        let new = EmbeddedSkin { name: name.clone(), images: vec![image], end_times: Vec::new() };
        match parts.data.embedded_skins.get_mut(skin) {
            Some(own) => *own = new,
            None => {
                parts.data.embedded_skins.push(new);
                parts.skins.push(name);
            }
        }
        parts.surfaces.iter_mut().for_each(|surface| surface.materials.clone_from(&parts.skins));
        Ok(parts)
    },
    ..row(
        "set-skin",
        "Set skin image",
        "Replaces a skin of an MDL by an image in Quake’s colours, or adds one after the last",
    )
};

pub(super) const ADD_SKIN: Operation = Operation {
    parameters: &[Parameter { name: "path", label: "Path in the game", kind: ParameterKind::Text, default: None }],
    refuses: |model| {
        let is_listed = model.format().traits().materials == MaterialStorage::Skins;
        (!is_listed).then(|| "Only an MD2 lists paths of skins".to_owned())
    },
    apply: |model, call, _| {
        let mut parts = model.clone().into_parts();
        parts.skins.push(call.text("path").to_owned());
        parts.surfaces.iter_mut().for_each(|surface| surface.materials.clone_from(&parts.skins));
        Ok(parts)
    },
    ..row("add-skin", "Add skin", "Adds a path to the list of skins of an MD2")
};
