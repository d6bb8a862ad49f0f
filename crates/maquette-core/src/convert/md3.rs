//! Conversion to MD3: frames of 16-bit vertices.

use glam::Vec3;

use super::bake::Baked;
use super::short_vertices::short_vertices;
use super::{Conversion, ConvertError, ConvertOptions, build};
use crate::model::{
    FrameInfo, Model, MorphMotion, MorphTrack, PackedVertices, ShortVertex, TagFrame, TagTrack, u32_or_max,
};

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    let baked = Baked::new(model, options, options.limits, &mut losses);
    let names = baked.all_frame_names(&mut losses);
    let mut frames: Vec<FrameInfo> = Vec::new();
    let mut tags: Vec<TagFrame> = Vec::new();
    let mut vertices: Vec<Vec<ShortVertex>> = baked.surfaces.iter().map(|_| Vec::new()).collect();
    baked.each_frame(|frame| {
        frames.push(baked.frame_info(frame, names.get(frame.frame as usize).cloned().unwrap_or_default()));
        tags.extend(frame.tags.iter().map(|tag| TagFrame {
            origin: tag.translation.into(),
            axes: [tag.matrix3.x_axis, tag.matrix3.y_axis, tag.matrix3.z_axis].map(Vec3::from),
        }));
        for (index, packed) in vertices.iter_mut().enumerate() {
            packed.extend(short_vertices(&baked, frame, index, options.format)?);
        }
        Ok(())
    })?;
    let count = u32_or_max(frames.len());
    let tracks = vertices.into_iter().zip(&baked.surfaces).map(|(vertices, surface)| MorphTrack {
        stored: u32_or_max(surface.vertex_count()),
        frame_count: count,
        remap: None,
        vertices: PackedVertices::Shorts(vertices),
    });
    let motion = MorphMotion { surfaces: tracks.collect(), tags: TagTrack::Axes(tags) };
    Ok(Conversion { model: build(baked.to_parts(frames, motion, options.format))?, losses, origin: baked.origin })
}
