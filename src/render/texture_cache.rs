//! Cache of uploaded textures, one per image. Images are uploaded at once or in slices.

use std::collections::HashMap;
use std::sync::Arc;

use super::gpu::Gpu;
use super::texture::{TextureUpload, UploadBudget};
use maquette_assets::material::Image;

/// Uploaded textures by the address of the image. The entry keeps the image alive, so that its address is not reused.
#[derive(Debug, Default)]
pub(super) struct TextureCache {
    textures: HashMap<usize, CachedTexture>,
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
    fn entry(&mut self, gpu: &Gpu, image: &Arc<Image>) -> &mut CachedTexture {
        let round = self.round;
        let texture = self.textures.entry(key(image)).or_insert_with(|| {
            let upload = TextureUpload::new(gpu, Arc::clone(image));
            CachedTexture { image: Arc::clone(image), view: upload.view(), upload: Some(upload), round }
        });
        texture.round = round;
        texture
    }

    /// Returns the texture of an image, after completing its upload.
    pub fn view(&mut self, gpu: &Gpu, image: &Arc<Image>) -> wgpu::TextureView {
        let texture = self.entry(gpu, image);
        if let Some(mut upload) = texture.upload.take() {
            upload.continue_upload(gpu, &mut UploadBudget::whole());
        }
        texture.view.clone()
    }

    /// Uploads an image within the budget. Returns whether the upload is complete.
    pub fn upload(&mut self, gpu: &Gpu, image: &Arc<Image>, budget: &mut UploadBudget) -> bool {
        let texture = self.entry(gpu, image);
        if let Some(upload) = &mut texture.upload
            && upload.continue_upload(gpu, budget)
        {
            texture.upload = None;
        }
        texture.upload.is_none()
    }

    pub fn is_uploaded(&self, image: &Arc<Image>) -> bool {
        self.textures.get(&key(image)).is_some_and(|texture| texture.upload.is_none())
    }

    /// Removes textures that were not requested since the last call, unless `uses` returns true for their image.
    pub fn keep(&mut self, uses: impl Fn(&Arc<Image>) -> bool) {
        let round = self.round;
        self.textures.retain(|_, texture| texture.round == round || uses(&texture.image));
        self.round += 1;
    }
}
