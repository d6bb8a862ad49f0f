//! Conversion to MD2: frames of 8-bit vertices, one surface, one skin.

use super::bake::Baked;
use super::merged::{
    Grid, Merged, UniqueVertices, frame_names, packed, report_losses, report_skin_surface, skin_names, uv,
};
use super::names::{FittedNames, NAME};
use super::{Conversion, ConvertError, ConvertOptions, Origin, SurfaceLimits, build, clips};
use crate::model::{
    Bounds, Clip, FormatData, FrameInfo, Model, ModelParts, MorphMotion, MorphTrack, Motion, PackedVertices, Surface,
    TagTrack, u32_or_max,
};

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    // The single surface has no limits, and no names that could be lost.
    let baked = Baked::new(model, options, SurfaceLimits::NONE, &mut Vec::new());
    let merged = Merged::from_baked(&baked);
    report_losses(model, options.format, &baked, &mut losses);
    let (mut frames, mut scales, mut vertices) = (Vec::new(), Vec::new(), Vec::new());
    let named: Vec<Clip> = clips::clips(model, &baked.frames);
    let names = frame_names(&named, baked.frame_names(&mut losses), &mut losses);
    baked.each_frame(|frame| {
        let positions = || merged.vertices(&frame.surfaces).map(|(position, _)| position);
        let bounds = Bounds::from_points(positions()).or_origin();
        let mut grid = Grid::new(bounds);
        grid.add(positions());
        let scale = grid.frame();
        vertices.extend(merged.vertices(&frame.surfaces).map(|(position, normal)| packed(position, normal, scale)));
        scales.push(scale);
        let name = names.get(frame.frame as usize).cloned().unwrap_or_default();
        frames.push(FrameInfo { name, bounds: Some(bounds), ..FrameInfo::default() });
        Ok(())
    })?;
    let stored = UniqueVertices::new(merged.origin.len(), &vertices);
    let skins = skins(model, options, &baked, &mut losses);
    let surface = Surface {
        materials: skins.clone(),
        triangles: merged.triangles,
        uvs: merged.origin.iter().map(|origin| uv(model, *origin)).collect(),
        ..Surface::default()
    };
    let track = MorphTrack {
        stored: stored.count,
        frame_count: u32_or_max(frames.len()),
        remap: Some(stored.remap),
        vertices: PackedVertices::Bytes { frames: scales, vertices: stored.vertices },
    };
    let origin = Origin { frames: baked.origin.frames, surfaces: vec![merged.origin], tags: Vec::new() };
    let clips = clips::named_or_all(model, &baked.frames, options.format.usual_rate());
    let parts = ModelParts {
        version: Some(options.format.traits().version),
        surfaces: vec![surface],
        frames,
        clips,
        skins,
        motion: Motion::Morph(MorphMotion { surfaces: vec![track], tags: TagTrack::Axes(Vec::new()) }),
        data: FormatData { skin_size: Some(options.skin.map(i32::from)), ..FormatData::default() },
        ..ModelParts::empty(options.format)
    };
    Ok(Conversion { model: build(parts)?, losses, origin })
}

fn skins(model: &Model, options: &ConvertOptions, baked: &Baked<'_>, losses: &mut Vec<String>) -> Vec<String> {
    let mut skins = skin_names(model, baked);
    if options.writes_textures {
        // Quake II adds no extension to the name of a skin (`GL_FindImage`).
        let is_whole = |name: &String| name.rsplit('/').next().is_some_and(|file| file.contains('.'));
        skins.iter_mut().filter(|name| !name.is_empty() && !is_whole(name)).for_each(|name| name.push_str(".tga"));
    }
    report_skin_surface(model, options.format, &skins, losses);
    let mut names = FittedNames::new(["skin", "skins"], NAME, model);
    let skins = skins.iter().map(|name| names.shared(name)).collect();
    names.report(losses);
    skins
}
