//! Skins, clips and tags of the uses of a model that [`Engine::setups`](crate::engines::Engine) returns.

use std::collections::HashMap;

use glam::Affine3A;

use crate::engines::{ModelSetup, SurfaceState};
use crate::limits::{MAX_SETUP_LINES, MAX_SKINS};
use crate::material::{MaterialResolver, ScriptAlpha, SurfaceMaterial, SurfaceTextures};
use crate::open::{Skin, SkinSource};
use crate::vfs::Vfs;
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats::clip_list::{self, NamedRange};
use maquette_core::model::{Clip, ClipSource, Model, Surface};

impl ModelSetup {
    fn textures_of<'s>(
        &'s self,
        index: usize,
        surface: &Surface,
        mut path_of: impl FnMut(&'s Vec<String>) -> String,
    ) -> Option<SurfaceTextures> {
        let own = || self.textures.iter().rev().filter(|entry| entry.surfaces.includes(index, surface));
        let entry = own().find(|entry| entry.image.is_some())?;
        let (mut is_two_sided, mut alpha) = (false, None);
        for (_, state) in self.states.iter().filter(|(surfaces, _)| surfaces.includes(index, surface)) {
            let usual = ScriptAlpha { cutoff: 0.9, blends: true };
            match state {
                SurfaceState::Culls(culls) => is_two_sided = !culls,
                SurfaceState::AlphaTest(cutoff) => alpha.get_or_insert(usual).cutoff = *cutoff,
                SurfaceState::Blends(blends) => alpha.get_or_insert(usual).blends = *blends,
            }
        }
        Some(SurfaceTextures {
            is_two_sided,
            alpha,
            image: path_of(entry.image.as_ref()?),
            mask: entry.mask.as_ref().map(&mut path_of),
            normal_map: own().find_map(|entry| entry.normal_map.as_ref()).map(&mut path_of),
            decal: own().find_map(|entry| entry.decal.as_ref()).map(path_of),
        })
    }
}

/// Returns the first path that exists, else the first path.
fn first_existing(vfs: &Vfs, paths: &[String]) -> String {
    let found = paths.iter().find_map(|path| vfs.find(path));
    found.or_else(|| paths.first().cloned()).unwrap_or_default()
}

/// Returns the skins of the setups, without repetitions.
pub(crate) fn skins(
    vfs: &Vfs,
    setups: &[ModelSetup],
    resolver: &mut MaterialResolver,
    model: &Model,
    plain: &[SurfaceMaterial],
    warnings: &mut Warnings,
) -> Vec<Skin> {
    let mut skins: Vec<Skin> = Vec::new();
    // A use without textures may still differ in size or direction.
    let is_visible = |setup: &&ModelSetup| !setup.textures.is_empty() || setup.placement != Affine3A::IDENTITY;
    for setup in setups.iter().filter(is_visible).take(MAX_SKINS) {
        // Many surfaces may share few paths, so resolve each path once.
        let mut resolved: HashMap<&Vec<String>, String> = HashMap::new();
        let mut path_of = |paths| resolved.entry(paths).or_insert_with(|| first_existing(vfs, paths)).clone();
        let textures = |index: usize, surface: &Surface| setup.textures_of(index, surface, &mut path_of);
        let materials = resolver.assign_from_script(model, plain, &setup.source, textures, warnings);
        let same = |skin: &Skin| {
            let images = |materials: &[SurfaceMaterial]| -> Vec<(String, bool)> {
                materials.iter().map(|material| (material.path.clone(), material.is_missing())).collect()
            };
            skin.placement == setup.placement && images(&skin.materials) == images(&materials)
        };
        if !skins.iter().any(same) {
            let is_taken = |name: &str| skins.iter().any(|skin| skin.is_called(name));
            let numbered = (2..).map(|number| format!("{} ({number})", setup.name));
            let name = std::iter::once(setup.name.clone()).chain(numbered).find(|name| !is_taken(name));
            let skin = Skin::plain(&name.unwrap_or_default(), materials.into());
            let source = SkinSource::GameFile(setup.source.clone());
            skins.push(Skin { placement: setup.placement, source, ..skin });
        }
    }
    skins
}

/// Replaces the clips of a model by those of its setups, if there are any.
pub(crate) fn add_clips(setups: &[ModelSetup], model: &mut Model, warnings: &mut Warnings) {
    let mut ranges: Vec<NamedRange> = Vec::new();
    for range in setups.iter().flat_map(|setup| &setup.clips).take(MAX_SETUP_LINES) {
        if !ranges.contains(range) {
            ranges.push(range.clone());
        }
    }
    let mut frames = u32::try_from(model.frames().len()).unwrap_or(u32::MAX);
    let mut start = 0;
    if let Some(name) = setups.iter().find_map(|setup| setup.clips_within.as_ref()) {
        let Some(within) = model.clip(name) else { return };
        (start, frames) = (within.first, within.count);
    }
    let mut clips = clip_list::clips(&ranges, frames, model.format().usual_rate(), warnings);
    clips.iter_mut().for_each(|clip| clip.first += start);
    if !clips.is_empty() {
        let keeps = setups.iter().any(|setup| setup.keeps_named_clips);
        let is_named = |clip: &&Clip| !matches!(clip.source, ClipSource::AllFrames | ClipSource::FrameNames);
        let mut all: Vec<Clip> = model.clips().iter().filter(|clip| keeps && is_named(clip)).cloned().collect();
        let has_named = !all.is_empty();
        all.append(&mut clips);
        if has_named { model.set_clips(all) } else { model.replace_clips(all) }
    }
}

/// Adds the tags of the setups to a skeletal model.
pub(crate) fn add_tags(setups: &[ModelSetup], model: &mut Model, warnings: &mut Warnings) {
    for (joint, tag) in setups.iter().flat_map(|setup| &setup.tags).take(MAX_SETUP_LINES) {
        if model.tags().contains(tag) {
            continue;
        }
        let joint_index = model.joints().iter().position(|known| known.name == *joint);
        match joint_index.and_then(|index| u32::try_from(index).ok()) {
            Some(index) => drop(model.add_joint_tag(tag, index)),
            None => warnings.add(WarningKind::Companion, tag, format!("unknown joint “{joint}”; tag skipped")),
        }
    }
}
