//! What the window would otherwise have to work out before it can show what was read: how far the scene reaches, its
//! first pose, and the pictures' smaller forms.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::scene::{Playback, Scene};
use crate::session::Loaded;
use maquette_assets::material::Picture;
use maquette_assets::open::{Assembly, ModelAsset, Skin};
use maquette_core::threads;

/// Pictures by the time at which they are needed.
#[derive(Default)]
pub(super) struct Pictures {
    now: Vec<Arc<Picture>>,
    later: Vec<Arc<Picture>>,
    known: HashSet<usize>,
}

impl Pictures {
    fn add(&mut self, asset: &ModelAsset) {
        if let Some((first, others)) = asset.skins.split_first() {
            self.add_skin(first, true);
            others.iter().for_each(|skin| self.add_skin(skin, false));
        }
    }

    fn add_skin(&mut self, skin: &Skin, is_shown: bool) {
        for picture in skin.materials.iter().flat_map(|material| material.pictures()) {
            if self.known.insert(Arc::as_ptr(picture).addr()) {
                let list = if is_shown { &mut self.now } else { &mut self.later };
                list.push(Arc::clone(picture));
            }
        }
    }

    /// Makes the smaller forms of what only other skins show, one picture after another, until `stop`.
    pub fn finish(&self, stop: impl Fn() -> bool) {
        for picture in &self.later {
            if stop() {
                return;
            }
            picture.mip_levels();
        }
    }
}

/// Works out what `loaded` is shown with, until `stop`. The pictures that come back are left for later.
pub(super) fn prepare(loaded: &Loaded, stop: &dyn Fn() -> bool) -> Pictures {
    let mut pictures = Pictures::default();
    if stop() {
        return pictures;
    }
    match loaded {
        Loaded::Assembly(assembly) => {
            warm(assembly.clone());
            assembly.members.iter().for_each(|member| pictures.add(&member.asset));
        }
        Loaded::Members(members) => {
            warm(Assembly { figure: None, members: members.clone() });
            members.iter().for_each(|member| pictures.add(&member.asset));
        }
        Loaded::Parts(parts) => {
            for (_, asset) in parts {
                warm(Assembly::from(asset.clone()));
                pictures.add(asset);
            }
        }
        Loaded::Animations(asset, _) => {
            warm(Assembly::from(ModelAsset::clone(asset)));
            pictures.add(asset);
        }
        Loaded::Difference(asset, _) => pictures.add(asset),
        Loaded::Edited(part) => {
            warm(Assembly::from(part.asset.clone()));
            pictures.add(&part.asset);
        }
        Loaded::Listed | Loaded::Anatomy(_) | Loaded::Findings(_) | Loaded::MaterialNames(_) => {}
        Loaded::Picture(material) => pictures.now.extend(material.pictures().cloned()),
    }
    if !stop() {
        make_levels(&pictures.now);
    }
    pictures
}

/// Works out how far the scene reaches and how it stands first: that stays in [`ModelAsset::outlines`].
fn warm(assembly: Assembly) {
    Scene::of(assembly, &Playback::default(), &Scene::default()).prepare();
}

/// Makes the smaller forms of pictures on all cores.
pub(super) fn make_levels(pictures: &[Arc<Picture>]) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(picture) = pictures.get(next.fetch_add(1, Ordering::Relaxed)) {
            picture.mip_levels();
        }
    };
    threads::with_others(threads::processors().min(pictures.len()).saturating_sub(1), work);
}
