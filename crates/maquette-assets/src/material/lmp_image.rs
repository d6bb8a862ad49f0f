//! LMP images of Quake: width, height, and the index of a colour for each texel.

use std::sync::Arc;

use super::embedded_skin::{Palette, TRANSPARENT, decode};
use super::resolver::too_large_together;
use super::{Image, MaterialResolver};
use crate::vfs::{ReadLimit, name_of};

impl MaterialResolver<'_> {
    /// Decodes the LMP image at `path` with the palette of the game. The last colour is transparent (Ironwail
    /// `image.c`, `Image_LoadLMP`; `gl_model.c`, `Mod_LoadMD5Skins`).
    pub(super) fn decode_lmp(&self, path: &str) -> Result<Arc<Image>, String> {
        let limit = ReadLimit::Start(self.limits.image_file_bytes());
        let bytes = self.vfs.read(path, limit).map_err(|error| error.to_string())?;
        if bytes.len() as u64 * 4 > self.limits.image_bytes().min(self.room() as u64) {
            return Err(too_large_together(path));
        }
        let (mut palette, _) = self.palette();
        palette[TRANSPARENT][3] = 0;
        let image = parse(&bytes, &palette);
        image
            .map(Arc::new)
            .ok_or_else(|| format!("{}: width × height differs from the number of texels", name_of(path)))
    }
}

fn parse(bytes: &[u8], palette: &Palette) -> Option<Image> {
    let (size, indices) = bytes.split_first_chunk::<8>()?;
    let [width, height] = [0, 4].map(|at| u32::from_le_bytes([size[at], size[at + 1], size[at + 2], size[at + 3]]));
    let is_whole = u64::from(width) * u64::from(height) == indices.len() as u64 && !indices.is_empty();
    is_whole.then(|| decode(width, height, indices, palette))
}
