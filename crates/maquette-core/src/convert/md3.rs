//! Conversion to MD3: frames of 16-bit vertices.

use glam::Vec3;

use super::bake::{Baked, BakedFrame};
use super::{Conversion, ConvertError, ConvertOptions, build, clips};
use crate::model::packed_normal::nearest_zenith_azimuth;
use crate::model::{
    Format, FormatData, FrameInfo, Model, ModelParts, MorphMotion, MorphTrack, Motion, PackedVertices, ShortVertex,
    TagFrame, TagTrack, u32_or_max,
};

const STEPS: f32 = 64.0;

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    let baked = Baked::new(model, options, options.limits, &mut losses);
    let names = baked.frame_names(&mut losses);
    let mut frames: Vec<FrameInfo> = Vec::new();
    let mut tags: Vec<TagFrame> = Vec::new();
    let mut vertices: Vec<Vec<ShortVertex>> = baked.surfaces.iter().map(|_| Vec::new()).collect();
    baked.each_frame(|frame| {
        frames.push(baked.frame_info(frame, names.get(frame.index).cloned().unwrap_or_default()));
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
    Ok(Conversion { model: build(parts(model, &baked, frames, motion, options.format))?, losses, origin: baked.origin })
}

pub(super) fn parts(
    model: &Model,
    baked: &Baked<'_>,
    frames: Vec<FrameInfo>,
    motion: MorphMotion,
    format: Format,
) -> ModelParts {
    ModelParts {
        format,
        version: Some(format.traits().version),
        name: model.name().chars().take(super::names::NAME).collect(),
        surfaces: baked.surfaces.clone(),
        frames,
        tags: baked.tags.clone(),
        clips: clips::named_or_all(model, &baked.frames, format.usual_rate()),
        alternative_clips: Vec::new(),
        skins: Vec::new(),
        motion: Motion::Morph(motion),
        data: FormatData { flags: model.data().flags, skin_count: model.data().skin_count, ..FormatData::default() },
        details: Vec::new(),
    }
}

pub(super) fn short_vertices(
    baked: &Baked<'_>,
    frame: &BakedFrame,
    surface: usize,
    format: Format,
) -> Result<Vec<ShortVertex>, ConvertError> {
    let Some(posed) = frame.surfaces.get(surface) else { return Ok(Vec::new()) };
    let vertices = posed.positions.iter().zip(&posed.normals).enumerate();
    let short = vertices.map(|(index, (position, normal))| {
        let position = sixty_fourths(*position).ok_or_else(|| {
            let name = baked.surfaces.get(surface).map_or("", |surface| &surface.name);
            let Vec3 { x, y, z } = *position;
            let format = format.title();
            ConvertError::OutOfRange(format!(
                "vertex {index} of surface “{name}” is at {x} {y} {z} in frame {}; {format} stores positions up to 512 units from the origin",
                frame.index
            ))
        })?;
        Ok(ShortVertex { position, normal: nearest_zenith_azimuth(*normal) })
    });
    short.collect()
}

pub(super) fn sixty_fourths(position: Vec3) -> Option<[i16; 3]> {
    let steps = (position * STEPS).round().to_array();
    let inside = |number: &f32| (f32::from(i16::MIN)..=f32::from(i16::MAX)).contains(number);
    steps.iter().all(inside).then(|| steps.map(|number| number as i16))
}
