//! Scene of a command: applies attachments, skins and frames from the arguments.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use maquette_assets::open::{Anchor, Opener, Role, Skin};
use maquette_assets::vfs::{FileLocation, ReadError, name_of};
use maquette_scene::scene::{Attachment, ClipChoice, Entity, Playback, Scene};

use super::args::{CharacterArguments, FrameArguments};
use super::{Failure, frame_args, open};

pub fn scene(
    opener: &Opener,
    model: &Path,
    arguments: &CharacterArguments,
    frame_args: &FrameArguments,
) -> Result<Scene, Failure> {
    let mut scene =
        Scene::from_assembly(open::assembly(opener, model, arguments)?, &Playback::default(), &Scene::default());
    arrange(&mut scene, opener, arguments, frame_args)?;
    Ok(scene)
}

/// Attaches models, assigns skins and poses the scene.
pub fn arrange(
    scene: &mut Scene,
    opener: &Opener,
    arguments: &CharacterArguments,
    frame_args: &FrameArguments,
) -> Result<(), Failure> {
    for (model, tag) in &arguments.attach {
        let to = attachment_for(scene, tag)?;
        let members = opener.attachment(model)?;
        scene.attach_parts(members, &to, &Playback::default());
    }
    for entity in scene.entities_mut() {
        entity.playback.playing = false;
    }
    if let Some(skin) = &arguments.skin {
        set_skin_by_name(scene, opener, skin)?;
    }
    if let Some(legs) = &arguments.legs {
        play(scene, Role::Legs, "--legs", &legs.0, legs.1)?;
    }
    if let Some(torso) = &arguments.torso {
        play(scene, Role::Torso, "--torso", &torso.0, torso.1)?;
    }
    let halves = arguments.legs.is_some() || arguments.torso.is_some();
    if scene.with_role(Role::Legs).is_none() && !halves {
        pose_frame(scene, frame_args)?;
    } else if let Some(name) = &frame_args.animation {
        pose_clip(scene, name, frame_args.frame.unwrap_or(0.0))?;
    } else if frame_args.frame.is_some() {
        return Err(Failure::Usage("--frame: for a character, use --legs NAME@STEP".to_owned()));
    }
    scene.refresh();
    Ok(())
}

/// Returns the first tag of this name, or else the first joint. `origin` stands for the origin of the first part.
fn attachment_for(scene: &Scene, name: &str) -> Result<Attachment, Failure> {
    let anchors = [Anchor::Tag(name.to_owned()), Anchor::Joint(name.to_owned())];
    for anchor in anchors {
        if let Some(parent) = scene.entities().iter().find(|entity| entity.has(&anchor)) {
            return Ok(Attachment { to: parent.id, anchor });
        }
    }
    if let Some(first) = scene.entities().first().filter(|_| name.eq_ignore_ascii_case("origin")) {
        return Ok(Attachment { to: first.id, anchor: Anchor::Origin });
    }
    let names = scene.entities().iter().flat_map(|entity| {
        let joints = entity.model().joints().iter().map(|joint| joint.name.as_str());
        entity.model().tags().iter().map(String::as_str).chain(joints)
    });
    Err(Failure::unknown(&format!("--attach …@{name}"), "tag or joint", names))
}

/// Assigns a skin by name to every part that has one, or a `.skin` file, or an image to all surfaces.
fn set_skin_by_name(scene: &mut Scene, opener: &Opener, wanted: &str) -> Result<(), Failure> {
    let stem = |name: &str| maquette_assets::vfs::split_extension(name).0.to_lowercase();
    let mut found = false;
    for entity in scene.entities_mut() {
        // `info` lists the skins of an MD2 by path.
        let is_listed = entity.asset.model.skins().iter().any(|name| name == wanted);
        let wanted = if is_listed { stem(name_of(wanted)) } else { wanted.to_lowercase() };
        let same = |skin: &Skin| skin.is_called(&wanted) || stem(&skin.name) == wanted;
        if let Some(skin) = entity.asset.skins.iter().position(&same) {
            entity.set_skin(skin);
            found = true;
        }
    }
    let path = Path::new(wanted);
    if found {
        return Ok(());
    }
    let location = opener.files().locate(path);
    if let Err(error) = &location
        && !matches!(error, ReadError::NotFound(_))
    {
        return Err(Failure::File(format!("--skin {wanted}: {error}")));
    }
    if !matches!(location, Ok(FileLocation::File(_) | FileLocation::FileInArchive { .. })) {
        let mut names: Vec<&str> =
            scene.entities().iter().flat_map(|entity| &entity.asset.skins).map(|skin| skin.name.as_str()).collect();
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(*name));
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(Failure::Usage(format!("--skin {wanted}: no such skin or file; available skins: {there}")));
    }
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("skin")) {
        let mut refused = None;
        let mut parts = Vec::new();
        for entity in scene.entities() {
            match opener.with_skin(&entity.asset, path) {
                Ok(part) => parts.push((entity.id, part)),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        if let (true, Some(error)) = (parts.is_empty(), refused) {
            return Err(error.into());
        }
        let assigned: Vec<_> = parts.iter().map(|(id, part)| (*id, part.skins.len() - 1)).collect();
        scene.replace(parts);
        for (id, skin) in assigned {
            if let Some(entity) = scene.entity_mut(id) {
                entity.set_skin(skin);
            }
        }
        return Ok(());
    }
    let material = opener.image(path)?;
    for entity in scene.entities_mut() {
        (0..entity.model().surfaces().len()).for_each(|surface| entity.override_texture(surface, &material));
    }
    Ok(())
}

fn find_clip(entity: &Entity, name: &str) -> Option<usize> {
    entity.model().clips().iter().position(|clip| clip.name.eq_ignore_ascii_case(name))
}

fn play(scene: &mut Scene, role: Role, option: &str, clip: &str, step: f64) -> Result<(), Failure> {
    let halved = || scene.entities().iter().find(|entity| entity.model().has_torso());
    let Some(id) = scene.with_role(role).or_else(halved).map(|entity| entity.id) else {
        let part = role.label().to_lowercase();
        return Err(Failure::Usage(format!("{option} {clip}: the character has no {part}")));
    };
    let Some(entity) = scene.entity_mut(id) else { return Ok(()) };
    let Some(index) = find_clip(entity, clip) else {
        let names = entity.model().clips().iter().map(|clip| &clip.name);
        return Err(Failure::unknown(&format!("{option} {clip}"), "clip", names));
    };
    let playback = match role {
        Role::Torso if entity.role != role => entity.torso.get_or_insert_with(|| entity.playback.clone()),
        _ => &mut entity.playback,
    };
    playback.choice = ClipChoice::Clip(index);
    playback.position = step;
    Ok(())
}

fn pose_clip(scene: &mut Scene, name: &str, step: f64) -> Result<(), Failure> {
    let mut found = false;
    for entity in scene.entities_mut() {
        if let Some(index) = find_clip(entity, name) {
            entity.playback.choice = ClipChoice::Clip(index);
            entity.playback.position = step;
            found = true;
        }
    }
    if found {
        Ok(())
    } else {
        Err(Failure::Usage(format!("--animation {name}: no part of the character has this clip")))
    }
}

/// Seeks the frame of the arguments in the first entity. Chooses the clip that contains the frame, so that the ground
/// is at the same height as in the window.
fn pose_frame(scene: &mut Scene, arguments: &FrameArguments) -> Result<(), Failure> {
    let Some(entity) = scene.entities_mut().first_mut() else { return Ok(()) };
    let model = Arc::clone(&entity.asset.model);
    let blend = frame_args::blend(&model, arguments)?;
    let playback = &mut entity.playback;
    let holds =
        |clip: &maquette_core::model::Clip| clip.contains(blend.from) && clip.contains(blend.to) && !clip.reversed;
    playback.choice = playback.clips(&model).iter().position(holds).map_or(ClipChoice::AllFrames, ClipChoice::Clip);
    let first = playback.clip(&model).first;
    playback.position = f64::from(blend.from - first) + f64::from(blend.t);
    Ok(())
}
