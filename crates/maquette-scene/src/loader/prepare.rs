//! Data for the first frame, computed on the loader thread: bounds, first pose, mip levels.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::scene::{Playback, Scene};
use maquette_assets::material::Image;
use maquette_assets::open::{Assembly, ModelAsset, Skin};
use maquette_core::threads;

#[derive(Default)]
pub(super) struct PreparedImages {
    now: Vec<Arc<Image>>,
    later: Vec<Arc<Image>>,
    known: HashSet<usize>,
}

impl PreparedImages {
    /// Computes bounds, first poses and mip levels. [`Self::finish`] handles images of other skins.
    pub fn prepare(&mut self, assembly: Assembly) {
        assembly.members.iter().for_each(|member| self.add(&member.asset));
        Scene::from_assembly(assembly, &Playback::default(), &Scene::default()).prepare();
        make_levels(&std::mem::take(&mut self.now));
    }

    fn add(&mut self, asset: &ModelAsset) {
        if let Some((first, others)) = asset.skins.split_first() {
            self.add_skin(first, true);
            others.iter().for_each(|skin| self.add_skin(skin, false));
        }
    }

    fn add_skin(&mut self, skin: &Skin, is_shown: bool) {
        for image in skin.materials.iter().flat_map(|material| material.images()) {
            if self.known.insert(Arc::as_ptr(image).addr()) {
                let list = if is_shown { &mut self.now } else { &mut self.later };
                list.push(Arc::clone(image));
            }
        }
    }

    /// Computes the mip levels of images that only other skins use, until `stop` returns true.
    pub fn finish(&self, stop: impl Fn() -> bool) {
        for image in &self.later {
            if stop() {
                return;
            }
            image.mip_levels();
        }
    }
}

pub(super) fn make_levels(images: &[Arc<Image>]) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(image) = images.get(next.fetch_add(1, Ordering::Relaxed)) {
            image.mip_levels();
        }
    };
    threads::with_others(threads::processors().min(images.len()).saturating_sub(1), work);
}
