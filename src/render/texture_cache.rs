//! Pictures on the device, each once however many parts show it, uploaded whole or in slices.

use std::collections::HashMap;
use std::sync::Arc;

use super::gpu::Gpu;
use super::texture::{Slice, TextureUpload};
use maquette_assets::material::Image;

/// Pictures on the device, by where they are in memory; held, so that no other can come to lie there.
#[derive(Debug, Default)]
pub(super) struct TextureCache {
    held: HashMap<usize, Held>,
    /// Counts the times at which it was asked what is to stay.
    round: u64,
}

#[derive(Debug)]
struct Held {
    image: Arc<Image>,
    view: wgpu::TextureView,
    /// What is not on the device yet.
    upload: Option<TextureUpload>,
    /// When it was asked for last.
    round: u64,
}

fn key(picture: &Arc<Image>) -> usize {
    Arc::as_ptr(picture).addr()
}

impl TextureCache {
    fn held(&mut self, gpu: &Gpu, picture: &Arc<Image>) -> &mut Held {
        let round = self.round;
        let held = self.held.entry(key(picture)).or_insert_with(|| {
            let upload = TextureUpload::new(gpu, Arc::clone(picture));
            Held { image: Arc::clone(picture), view: upload.view(), upload: Some(upload), round }
        });
        held.round = round;
        held
    }

    /// The picture on the device, all of it.
    pub fn view(&mut self, gpu: &Gpu, picture: &Arc<Image>) -> wgpu::TextureView {
        let held = self.held(gpu, picture);
        if let Some(mut upload) = held.upload.take() {
            upload.go_on(gpu, &mut Slice::whole());
        }
        held.view.clone()
    }

    /// Brings as much more of it onto the device as there is room for; true if it is there.
    pub fn bring(&mut self, gpu: &Gpu, picture: &Arc<Image>, room: &mut Slice) -> bool {
        let held = self.held(gpu, picture);
        if let Some(upload) = &mut held.upload
            && upload.go_on(gpu, room)
        {
            held.upload = None;
        }
        held.upload.is_none()
    }

    /// Whether it is on the device, all of it.
    pub fn is_whole(&self, picture: &Arc<Image>) -> bool {
        self.held.get(&key(picture)).is_some_and(|held| held.upload.is_none())
    }

    /// Forgets what `uses` does not name and what was not asked for since the last time.
    pub fn keep(&mut self, uses: impl Fn(&Arc<Image>) -> bool) {
        let round = self.round;
        self.held.retain(|_, held| held.round == round || uses(&held.image));
        self.round += 1;
    }
}
