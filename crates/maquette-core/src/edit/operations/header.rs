//! Operations on data of the header, and on the list of skins.

use std::sync::Arc;

use glam::Vec2;

use super::changed;
use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind, Reach};
use crate::model::{EmbeddedImage, EmbeddedSkin, MaterialStorage, Model, ModelParts, Pixels, are_usable};

const fn row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation { refuses: needs_mdl, ..Operation::plain("Header and skins", Reach::Mesh, [name, title, help]) }
}

fn needs_mdl(model: &Model) -> Option<String> {
    let why = || format!("Only an MDL stores this, not an {}", model.format().title());
    model.data().seams.is_none().then(why)
}

/// Effects of the flags of an MDL, from the lowest bit (`modelgen.h` and the engine's `EF_…`).
pub const MDL_EFFECTS: &[&str] = &["rocket", "grenade", "gib", "rotate", "tracer", "zombie-gib", "tracer2", "tracer3"];

pub(super) const EFFECT: Operation = Operation {
    parameters: &[
        Parameter::new("effect", "Effect", ParameterKind::Choice(MDL_EFFECTS)).or("rotate"),
        Parameter::new("on", "On", ParameterKind::Switch).or("yes"),
    ],
    apply: |model, call, _| {
        let bit = MDL_EFFECTS.iter().position(|name| *name == call.text("effect")).map_or(0, |bit| 1 << bit);
        let is_on = call.switch("on");
        changed(model, |parts| parts.data.flags = if is_on { parts.data.flags | bit } else { parts.data.flags & !bit })
    },
    ..row("set-effect", "Set effect", "Turns a trail or the rotation of an MDL on or off")
};

pub(super) const FLAGS: Operation = Operation {
    parameters: &[Parameter::new("value", "Flags", ParameterKind::Whole { min: 0, max: i32::MAX })],
    refuses: |model| {
        let has_flags = matches!(model.format().name(), "mdl" | "md3" | "mdc" | "iqm");
        (!has_flags).then(|| format!("An {} has no flags", model.format().title()))
    },
    apply: |model, call, _| changed(model, |parts| parts.data.flags = call.whole("value").unwrap_or(0)),
    ..row("set-flags", "Set flags", "Sets all flags of the header as a number")
};

pub(super) const EYES: Operation = Operation {
    parameters: &[Parameter::new("at", "Position X, Y, Z", ParameterKind::Vector { unit: "units" })],
    apply: |model, call, _| {
        let at = call.vector("at").unwrap_or_default();
        if !are_usable(&at.to_array()) {
            return Err("the eyes would be too far from the origin".to_owned());
        }
        changed(model, |parts| parts.data.eye_position = at)
    },
    ..row("set-eyes", "Set eye position", "Sets the position of the eyes of an MDL")
};

pub(super) const RADIUS: Operation = Operation {
    parameters: &[Parameter::new(
        "radius",
        "Radius",
        ParameterKind::Number { min: 0.0, max: 100_000.0, unit: "units" },
    )],
    apply: |model, call, _| changed(model, |parts| parts.data.radius = call.number("radius").unwrap_or(0.0)),
    ..row("set-radius", "Set bounding radius", "Sets the bounding radius of an MDL")
};

pub(super) const SYNC: Operation = Operation {
    parameters: &[
        Parameter::new("type", "Copies move", ParameterKind::Choice(&["together", "randomly"])).or("together")
    ],
    apply: |model, call, _| changed(model, |parts| parts.data.sync_type = i32::from(call.text("type") == "randomly")),
    ..row("set-sync", "Set sync type", "Sets whether frame groups of all copies of an MDL move together")
};

const SKIN: Parameter = Parameter::new("skin", "Skin, counted from 0", ParameterKind::Whole { min: 0, max: 4096 });

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
        if count == 1 && model.data().seams.is_some() {
            return Err("games do not load an MDL without skins".to_owned());
        }
        let mut parts = model.clone().into_parts();
        if skin < parts.data.embedded_skins.len() {
            parts.data.embedded_skins.remove(skin);
        }
        parts.skins.remove(skin);
        Ok(with_skins(parts))
    },
    ..row("remove-skin", "Remove skin", "Removes a skin of an MD2 or MDL")
};

/// Gives all skins to the surfaces.
pub(super) fn with_skins(mut parts: ModelParts) -> ModelParts {
    parts.surfaces.iter_mut().for_each(|surface| surface.materials.clone_from(&parts.skins));
    parts
}

/// Refuses more skins than games load: `MAX_SKINS` and `MAX_MD2SKINS`.
fn refuse_full(count: usize) -> Result<(), String> {
    if count >= 32 { Err("games load 32 skins at most".to_owned()) } else { Ok(()) }
}

pub(super) const SET_SKIN: Operation = Operation {
    parameters: &[
        SKIN,
        Parameter::new("image", "Image", ParameterKind::Image),
        Parameter::new("dither", "Dither", ParameterKind::Switch).or("no"),
        Parameter::new("bright", "Fullbright colours", ParameterKind::Choice(&["keep", "avoid"])).or("keep"),
    ],
    apply: |model, call, notes| {
        let skin = call.whole("skin").unwrap_or(0).unsigned_abs() as usize;
        let count = model.embedded_skins().len();
        if skin == count {
            refuse_full(count)?;
        }
        let image = call.images().first().cloned().ok_or("the image was not read")?;
        if skin > count {
            return Err(format!("skin={skin}: expected 0 to {count}, where {count} adds a skin"));
        }
        let mut parts = model.clone().into_parts();
        let name = parts.skins.get(skin).cloned().unwrap_or_else(|| format!("skin {skin}"));
        let new = EmbeddedSkin { name: name.clone(), images: vec![image], end_times: Vec::new() };
        match parts.data.embedded_skins.get_mut(skin) {
            Some(own) => {
                if own.images.len() > 1 {
                    notes.losses.push(format!("skin {skin} was a group of {} images", own.images.len()));
                }
                *own = new;
            }
            None => {
                parts.data.embedded_skins.push(new);
                parts.skins.push(name);
            }
        }
        Ok(with_skins(parts))
    },
    ..row(
        "set-skin",
        "Set skin image",
        "Replaces a skin of an MDL by an image in Quake’s colours, or adds one after the last",
    )
};

pub(super) const ADD_SKIN: Operation = Operation {
    parameters: &[Parameter::new("path", "Path in the game", ParameterKind::Material)],
    refuses: |model| {
        let is_listed = model.format().traits().materials == MaterialStorage::Skins;
        (!is_listed).then(|| "Only an MD2 lists paths of skins".to_owned())
    },
    apply: |model, call, _| {
        refuse_full(model.skins().len())?;
        let mut parts = model.clone().into_parts();
        parts.skins.push(call.text("path").to_owned());
        Ok(with_skins(parts))
    },
    ..row("add-skin", "Add skin", "Adds a path to the list of skins of an MD2")
};

pub(super) const GROUP_SKINS: Operation = Operation {
    parameters: &[
        Parameter::new("skins", "Skins, counted from 0", ParameterKind::Skins).or("all"),
        Parameter::new("times", "Image durations", ParameterKind::Durations).or(""),
    ],
    apply: |model, call, _| {
        let mut parts = model.clone().into_parts();
        let all = std::mem::take(&mut parts.data.embedded_skins);
        let mut chosen = call.indices("skins", all.len())?.unwrap_or(vec![true; all.len()]).into_iter();
        let place = chosen.clone().position(|is_chosen| is_chosen).unwrap_or(0);
        let (group, mut left): (Vec<_>, Vec<_>) = all.into_iter().partition(|_| chosen.next().unwrap_or(false));
        // The images of a group keep their durations.
        let mut end = 0.0;
        let mut known = Vec::new();
        for skin in &group {
            let durations = skin.images.iter().enumerate().map(|(index, _)| duration(&skin.end_times, index));
            known.extend(durations.map(|seconds| {
                end += seconds;
                end
            }));
        }
        let images: Vec<EmbeddedImage> = group.into_iter().flat_map(|skin| skin.images).collect();
        if images.len() < 2 {
            return Err("a group needs at least two skins".to_owned());
        }
        let mut end_times = call.end_times("times", images.len())?;
        if end_times.is_empty() {
            end_times = known;
        }
        left.insert(place, EmbeddedSkin { name: String::new(), images, end_times });
        Ok(with_embedded_skins(parts, left))
    },
    ..row(
        "group-skins",
        "Group skins",
        "Makes one animated skin of skins of an MDL; each is shown for 0.1 seconds or as in its group, or by times",
    )
};

/// Returns how long an image of a group is shown, in seconds; 0.1 for an image of no group.
fn duration(end_times: &[f32], index: usize) -> f32 {
    let start = index.checked_sub(1).and_then(|before| end_times.get(before)).copied().unwrap_or(0.0);
    end_times.get(index).map_or(0.1, |end| end - start)
}

pub(super) const UNGROUP_SKIN: Operation = Operation {
    parameters: &[SKIN],
    refuses: |model| {
        let has_group = model.embedded_skins().iter().any(|skin| skin.images.len() > 1);
        needs_mdl(model).or_else(|| (!has_group).then(|| "The model has no group of skins".to_owned()))
    },
    apply: |model, call, _| {
        let skin = call.whole("skin").unwrap_or(0).unsigned_abs() as usize;
        let mut parts = model.clone().into_parts();
        let mut all = std::mem::take(&mut parts.data.embedded_skins);
        let images = all.get(skin).map_or(&[][..], |skin| &skin.images);
        if images.len() < 2 {
            return Err(format!("skin={skin} is not a group of skins"));
        }
        refuse_full(all.len() + images.len() - 2)?;
        let single = |image: &EmbeddedImage| EmbeddedSkin {
            name: String::new(),
            images: vec![image.clone()],
            end_times: Vec::new(),
        };
        let singles: Vec<EmbeddedSkin> = images.iter().map(single).collect();
        all.splice(skin..=skin, singles);
        Ok(with_embedded_skins(parts, all))
    },
    ..row("ungroup-skin", "Ungroup skin", "Makes a skin of each image of an animated skin of an MDL")
};

/// Gives the model these skins, with names as in its file.
fn with_embedded_skins(mut parts: ModelParts, mut skins: Vec<EmbeddedSkin>) -> ModelParts {
    skins.iter_mut().enumerate().for_each(|(index, skin)| skin.name = format!("skin {index}"));
    parts.skins = skins.iter().map(|skin| skin.name.clone()).collect();
    parts.data.embedded_skins = skins;
    with_skins(parts)
}

/// Texels of all resized images.
const SKIN_TEXELS: usize = 1 << 26;
const SIDE: ParameterKind = ParameterKind::Whole { min: 1, max: 4096 };

pub(super) const RESIZE_SKIN: Operation = Operation {
    parameters: &[
        Parameter::new("width", "Width", SIDE),
        Parameter::new("height", "Height", SIDE),
        Parameter::new("pad", "Pad instead of scaling", ParameterKind::Switch).or("no"),
    ],
    refuses: needs_skins,
    apply: resize_skin,
    ..row(
        "resize-skin",
        "Resize skin",
        "Changes the size of the skins of an MD2 or MDL with the texture coordinates; padding adds texels right and below",
    )
};

/// Returns the middle of a texel multiplied by `new` / `old`.
fn scaled(at: i32, new: i32, old: i32) -> i32 {
    let scaled = (2 * i64::from(at) + 1) * i64::from(new) / (2 * i64::from(old));
    i32::try_from(scaled).unwrap_or(if at < 0 { i32::MIN } else { i32::MAX })
}

fn resize_skin(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    let side = |name: &str| call.whole(name).unwrap_or(1);
    let (new, pads) = ([side("width"), side("height")], call.switch("pad"));
    let old = model.data().skin_size.filter(|size| size.iter().all(|side| *side > 0));
    let old = old.ok_or("the model has no size of its skins")?;
    if pads && (new[0] < old[0] || new[1] < old[1]) {
        return Err(format!("padding cannot shrink the skin of {} × {} texels", old[0], old[1]));
    }
    if pads && new[0] != old[0] && model.data().seams.is_some() {
        return Err("the skin of an MDL has halves of equal width; pad only its height".to_owned());
    }
    let images = model.data().embedded_skins.iter().map(|skin| skin.images.len()).sum::<usize>();
    if images.saturating_mul(new.map(|side| side.unsigned_abs() as usize).iter().product()) > SKIN_TEXELS {
        return Err("the skins would be too large".to_owned());
    }
    if model.data().seams.is_none() {
        notes.losses.push("resize the image files, too".to_owned());
    }
    // Nearest old texel of a new one.
    let source = |at: i32, axis: usize| match pads {
        true => at.min(old[axis] - 1),
        false => scaled(at, old[axis], new[axis]),
    };
    let target = |at: i32, axis: usize| match pads {
        true => at,
        false => scaled(at, new[axis], old[axis]),
    };
    let mut parts = model.clone().into_parts();
    parts.data.skin_size = Some(new);
    if let Some(seams) = &parts.data.seams {
        let moved = |all: &[i32; 3]| [all[0], target(all[1], 0), target(all[2], 1)];
        parts.data.seams = Some(seams.as_chunks::<3>().0.iter().flat_map(moved).collect());
    }
    for image in parts.data.embedded_skins.iter_mut().flat_map(|skin| &mut skin.images) {
        let EmbeddedImage::Pixels(pixels) = image else { continue };
        let size = pixels.bytes.len() / (pixels.width * pixels.height).max(1) as usize;
        let texels = (0..new[1]).flat_map(|y| (0..new[0]).map(move |x| [x, y]));
        let texel = |[x, y]: [i32; 2]| {
            let [x, y] = [source(x, 0), source(y, 1)].map(|side| side.unsigned_abs() as usize);
            let at = (y * pixels.width as usize + x) * size;
            pixels.bytes.get(at..at + size).unwrap_or_default()
        };
        let bytes = texels.flat_map(texel).copied().collect();
        let [width, height] = new.map(i32::unsigned_abs);
        *pixels = Arc::new(Pixels { width, height, kind: pixels.kind.clone(), bytes });
    }
    let [old, size] = [old, new].map(|[width, height]| Vec2::new(width as f32, height as f32));
    for uv in parts.surfaces.iter_mut().flat_map(|surface| &mut surface.uvs).filter(|_| pads) {
        *uv = *uv * old / size;
    }
    parts.data.gl_commands = None;
    Ok(parts)
}
