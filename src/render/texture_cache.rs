//! Cache of uploaded textures, one per image. Images are uploaded at once or in slices.

use std::collections::HashMap;
use std::sync::Arc;

use super::gpu::Gpu;
use super::texture::{TextureUpload, UploadBudget};
use maquette_assets::material::Image;

/// Uploaded textures by the address of the image. The entry keeps the image alive, so that its address is not reused.
#[derive(Debug, Default)]
pub(super) struct TextureCache {
    held: HashMap<usize, CachedTexture>,
    round: u64,
}

#[derive(Debug)]
struct CachedTexture {
    image: Arc<Image>,
    view: wgpu::TextureView,
    upload: Option<TextureUpload>,
    round: u64,
}

fn key(image: &Arc<Image>) -> usize {
    Arc::as_ptr(image).addr()
}

impl TextureCache {
    fn held(&mut self, gpu: &Gpu, image: &Arc<Image>) -> &mut CachedTexture {
        let round = self.round;
        let held = self.held.entry(key(image)).or_insert_with(|| {
            let upload = TextureUpload::new(gpu, Arc::clone(image));
            CachedTexture { image: Arc::clone(image), view: upload.view(), upload: Some(upload), round }
        });
        held.round = round;
        held
    }

    /// Returns the texture of an image, after completing its upload.
    pub fn view(&mut self, gpu: &Gpu, image: &Arc<Image>) -> wgpu::TextureView {
        let held = self.held(gpu, image);
        if let Some(mut upload) = held.upload.take() {
            upload.continue_upload(gpu, &mut UploadBudget::whole());
        }
        held.view.clone()
    }

    /// Uploads an image within the budget. Returns whether the upload is complete.
    pub fn upload(&mut self, gpu: &Gpu, image: &Arc<Image>, budget: &mut UploadBudget) -> bool {
        let held = self.held(gpu, image);
        if let Some(upload) = &mut held.upload
            && upload.continue_upload(gpu, budget)
        {
            held.upload = None;
        }
        held.upload.is_none()
    }

    pub fn is_whole(&self, image: &Arc<Image>) -> bool {
        self.held.get(&key(image)).is_some_and(|held| held.upload.is_none())
    }

    /// Removes textures that were not requested since the last call, unless `uses` returns true for their image.
    pub fn keep(&mut self, uses: impl Fn(&Arc<Image>) -> bool) {
        let round = self.round;
        self.held.retain(|_, held| held.round == round || uses(&held.image));
        self.round += 1;
    }
}
