//! Operations that change names and paths.

use super::surfaces::CHOSEN;
use super::tags::TAG;
use std::collections::HashSet;

use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind, Reach, tag_named};
use crate::formats::glm;
use crate::model::{
    JointFrames, JointStorage, JointTrack, MaterialStorage, Model, ModelParts, Motion, SkeletalTag, SurfaceStorage,
    TagStorage,
};

/// Group of operations that have their own commands in the window.
pub const NAMES_AND_REPAIRS: &str = "Names, tags and repairs";

pub(super) const fn row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation::plain(NAMES_AND_REPAIRS, Reach::Mesh, [name, title, help])
}

pub(super) const NAME: Parameter = Parameter::new("name", "Name", ParameterKind::Text);

/// Sets a material of surfaces. The number of materials as `material` adds one.
pub const SET_MATERIAL: Operation = Operation {
    parameters: &[
        CHOSEN,
        Parameter::new("path", "Shader path", ParameterKind::Material),
        Parameter::new("material", "Material, counted from 0", ParameterKind::Whole { min: 0, max: 4096 }).or("0"),
    ],
    why_not_stored: lacks_paths,
    apply: |model, call, _| {
        let material = call.whole("material").unwrap_or(0).unsigned_abs() as usize;
        let mut parts = model.clone().into_parts();
        for index in call.surfaces(model)? {
            let Some(surface) = parts.surfaces.get_mut(index) else { continue };
            if material == surface.materials.len() {
                surface.materials.push(String::new());
            }
            let path = surface.materials.get_mut(material).ok_or_else(|| format!("no material {material}"))?;
            call.text("path").clone_into(path);
            if parts.format.traits().materials == MaterialStorage::Skins {
                parts.skins.clone_from(&surface.materials);
            }
        }
        Ok(parts)
    },
    ..row("set-material", "Edit shader path", "Sets the path of a shader or texture of surfaces")
};

fn lacks_paths(model: &Model) -> Option<String> {
    let is_inside = model.format().traits().materials == MaterialStorage::Inside;
    is_inside.then(|| format!("Skins of an {} are inside the file and have no names", model.format().title()))
}

/// Replaces a part of all paths of shaders and textures, as games compare paths: ignoring case.
pub(super) const REPLACE_PATH: Operation = Operation {
    parameters: &[
        Parameter::new("find", "Find", ParameterKind::Text),
        Parameter::new("with", "Replace with", ParameterKind::Text).or(""),
    ],
    why_not_stored: lacks_paths,
    apply: |model, call, _| {
        let (find, with) = (call.text("find"), call.text("with"));
        let (wanted, mut parts) = (find.to_ascii_lowercase(), model.clone().into_parts());
        let materials = parts.surfaces.iter_mut().flat_map(|surface| &mut surface.materials);
        let mut is_found = false;
        for path in materials.chain(&mut parts.skins) {
            let (mut new, mut end) = (String::new(), 0);
            for (at, _) in path.to_ascii_lowercase().match_indices(&wanted) {
                new += path.get(end..at).unwrap_or_default();
                new += with;
                end = at + wanted.len();
                is_found = true;
            }
            new += path.get(end..).unwrap_or_default();
            *path = new;
        }
        if is_found { Ok(parts) } else { Err(format!("no path contains “{find}”")) }
    },
    ..Operation::plain(
        "Surfaces",
        Reach::Mesh,
        ["replace-path", "Replace in paths", "Replaces a part of the paths of shaders and textures, ignoring case"],
    )
};

/// Renames surfaces.
pub const RENAME_SURFACE: Operation = Operation {
    parameters: &[CHOSEN, NAME],
    why_not_stored: |model| {
        let name = model.format().title();
        match model.format().traits().surfaces {
            SurfaceStorage::One => Some(format!("The only mesh of an {name} has no name")),
            SurfaceStorage::Unnamed => Some(format!("{name} meshes have no names, only shader paths")),
            _ => None,
        }
    },
    apply: |model, call, _| {
        refuse_hiding(model, call.text("name"))?;
        let mut parts = model.clone().into_parts();
        // An entry of the hierarchy names its surfaces of all LODs.
        let entries = glm::entries(&model.data().hierarchy, model.surfaces().iter().map(glm::name_and_lod));
        let chosen: HashSet<usize> = call.surfaces(model)?.into_iter().collect();
        let named: HashSet<usize> = chosen.iter().filter_map(|index| entries.get(*index).copied()).collect();
        let hierarchy = parts.data.hierarchy.iter_mut().enumerate();
        let stored = hierarchy.len();
        for (_, node) in hierarchy.filter(|(entry, _)| named.contains(entry)) {
            call.text("name").clone_into(&mut node.name);
        }
        for (index, (surface, entry)) in parts.surfaces.iter_mut().zip(&entries).enumerate() {
            if chosen.contains(&index) || *entry < stored && named.contains(entry) {
                call.text("name").clone_into(&mut surface.name);
            }
        }
        Ok(parts)
    },
    ..row("rename-surface", "Rename surface", "Renames surfaces")
};

/// Renames a tag.
pub const RENAME_TAG: Operation = Operation {
    parameters: &[TAG, NAME],
    why_not_stored: lacks_tags,
    apply: |model, call, _| {
        let (tag, name) = (tag_named(model, call.text("tag"))?, call.text("name"));
        refuse_known_tag(model, name, Some(tag))?;
        let mut parts = model.clone().into_parts();
        let entries = glm::entries(&model.data().hierarchy, model.tags().iter().map(|tag| (tag.as_str(), None)));
        let node = entries.get(tag).and_then(|entry| parts.data.hierarchy.get_mut(*entry));
        let names = node.map(|node| &mut node.name).into_iter().chain(parts.tags.get_mut(tag));
        names.for_each(|own| name.clone_into(own));
        // Bones of an MDR have the names of their tags.
        if let Motion::Skeletal(motion) = &mut parts.motion
            && let Some(SkeletalTag::Joint(joint)) = motion.tags.get(tag)
            && let Some(joint) = motion.joints.get_mut(*joint as usize)
        {
            name.clone_into(&mut joint.name);
        }
        Ok(parts)
    },
    ..row("rename-tag", "Rename tag", "Renames a tag")
};

/// Returns why the format has no tags.
pub(super) fn lacks_tags(model: &Model) -> Option<String> {
    let traits = model.format().traits();
    let has_skeleton = traits.joints == JointStorage::Skeleton;
    let what = if has_skeleton { "has joints instead of tags" } else { "has no tags" };
    (traits.tags == TagStorage::None).then(|| format!("An {} {what}", model.format().title()))
}

/// Refuses the ending with which a GLM hides surfaces.
fn refuse_hiding(model: &Model, name: &str) -> Result<(), String> {
    let hides = model.format().traits().surfaces == SurfaceStorage::Switched && glm::shown_name(name).is_some();
    if hides { Err(glm::HIDES.to_owned()) } else { Ok(()) }
}

/// Refuses the name of a tag other than `renamed`, and one that hides. Games find a tag by its name, ignoring case.
pub(super) fn refuse_known_tag(model: &Model, name: &str, renamed: Option<usize>) -> Result<(), String> {
    refuse_hiding(model, name)?;
    let mut others = model.tags().iter().enumerate().filter(|(index, _)| Some(*index) != renamed);
    if others.any(|(_, tag)| tag.eq_ignore_ascii_case(name)) {
        return Err(format!("the model already has a tag “{name}”"));
    }
    Ok(())
}

/// Renames frames.
pub const RENAME_FRAME: Operation = Operation {
    parameters: &[Parameter::new("frames", "Frames", ParameterKind::Frames), NAME],
    why_not_stored: |model| {
        let is_compressed = matches!(model.motion(), Motion::Skeletal(motion) if matches!(motion.tracks.as_slice(),
            [JointTrack { frames: JointFrames::PackedMatrices(_), .. }, ..]));
        let name = model.format().title();
        match model.format().traits().names_frames {
            false => Some(format!("Frames of an {name} have no names")),
            true => is_compressed.then(|| format!("Frames of a compressed {name} have no names")),
        }
    },
    apply: |model, call, _| {
        let (frames, name) = (call.frames(model, "frames")?, call.text("name"));
        let mut parts = model.clone().into_parts();
        for (number, frame) in (1..).zip(&frames) {
            let number = if frames.len() > 1 { format!("{number}") } else { String::new() };
            let found = parts.frames.get_mut(*frame as usize);
            found.into_iter().for_each(|frame| frame.name = format!("{name}{number}"));
        }
        Ok(parts)
    },
    ..row("rename-frames", "Rename frame", "Renames a frame; the names of several frames get numbers from 1")
};

/// Reorders the skins of an MD2. `order` has the old index of each.
pub const ORDER_SKINS: Operation = Operation {
    parameters: &[Parameter::new("order", "Old numbers, such as 1,0", ParameterKind::Text)],
    why_not_stored: |model| {
        let is_listed = model.format().traits().materials == MaterialStorage::Skins;
        (!is_listed).then(|| "Only an MD2 lists its skins".to_owned())
    },
    apply: order_skins,
    ..row("order-skins", "Move skin", "Reorders the skins of an MD2, counted from 0")
};

fn order_skins(model: &Model, call: &Call, _: &mut Notes) -> Result<ModelParts, String> {
    let order = call.text("order").split(',').map(|number| number.trim().parse::<usize>().unwrap_or(usize::MAX));
    let order: Vec<usize> = order.collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted.into_iter().ne(0..model.skins().len()) {
        return Err(format!("expected each of the {} skins once", model.skins().len()));
    }
    let mut parts = model.clone().into_parts();
    parts.skins = order.iter().filter_map(|skin| model.skins().get(*skin).cloned()).collect();
    Ok(super::header::with_skins(parts))
}
