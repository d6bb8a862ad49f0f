//! Conversion to static meshes (ASE, OBJ): one frame of vertices with floats.

use super::bake::Baked;
use super::{Conversion, ConvertError, ConvertOptions, Origin, VertexOrigin, build, clips, dropped_lods};
use crate::error::counted;
use crate::model::{
    FloatVertex, Model, ModelParts, MorphMotion, MorphTrack, PackedVertices, Surface, SurfaceData, TagTrack, u32_or_max,
};

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    // Without a choice, the first frame: the bind pose of formats that have one.
    let chosen =
        options.frame.or_else(|| clips::frames(model, options).first().copied().filter(|_| options.clips.is_some()));
    let single = ConvertOptions { frame: Some(chosen.unwrap_or(0)), clips: None, ..*options };
    let baked = Baked::new(model, &single, options.limits, &mut losses);
    let title = options.format.title();
    let others = model.frames().len().saturating_sub(1);
    if options.frame.is_none() && others > 0 {
        let left = counted(others, "other frame was dropped", "other frames were dropped");
        losses.push(format!("{title} holds one frame; {left} (--frame F chooses)"));
    }
    if !baked.tags.is_empty() {
        losses.push(format!("{title} has no tags; dropped: {}", baked.tags.join(", ")));
    }
    if model.lod_count() > 1 {
        losses.push(dropped_lods(options.format, model.lod_count() - 1));
    }
    let (mut surfaces, mut tracks, mut origins) = (Vec::new(), Vec::new(), Vec::new());
    baked.each_frame(|frame| -> Result<(), ConvertError> {
        for ((surface, from), posed) in baked.surfaces.iter().zip(&baked.origin.surfaces).zip(&frame.surfaces) {
            if surface.lod > 0 || surface.triangles.is_empty() {
                continue;
            }
            let used = vertices_in_order(surface);
            let vertex = |index: &u32| FloatVertex {
                position: posed.positions.get(*index as usize).copied().unwrap_or_default(),
                normal: posed.normals.get(*index as usize).copied().unwrap_or_default(),
            };
            tracks.push(MorphTrack {
                stored: u32_or_max(used.len()),
                frame_count: 1,
                remap: None,
                vertices: PackedVertices::Floats(used.iter().map(vertex).collect()),
            });
            let origin: Vec<VertexOrigin> =
                used.iter().filter_map(|index| from.get(*index as usize)).copied().collect();
            surfaces.push(with_vertices(model, surface, &used, &origin));
            origins.push(origin);
        }
        Ok(())
    })?;
    if surfaces.is_empty() {
        return Err(ConvertError::Empty(format!("the model has no triangles; {title} needs at least one")));
    }
    let motion = MorphMotion { surfaces: tracks, tags: TagTrack::Axes(Vec::new()) };
    let infos = vec![Default::default()];
    let parts = ModelParts { surfaces, tags: Vec::new(), ..baked.to_parts(infos, motion, options.format) };
    let origin = Origin { frames: baked.origin.frames, surfaces: origins, tags: Vec::new() };
    Ok(Conversion { model: build(parts)?, losses, origin })
}

/// Returns the vertices of a surface in the order of their first use.
fn vertices_in_order(surface: &Surface) -> Vec<u32> {
    let mut seen = vec![false; surface.vertex_count()];
    let corners = surface.triangles.iter().flatten().copied();
    corners.filter(|corner| seen.get_mut(*corner as usize).is_some_and(|seen| !std::mem::replace(seen, true))).collect()
}

/// Returns the surface with these vertices, with the colours and the material of their origin.
fn with_vertices(model: &Model, surface: &Surface, used: &[u32], origin: &[VertexOrigin]) -> Surface {
    let mut number_of = vec![0; surface.vertex_count()];
    for (number, vertex) in (0..).zip(used) {
        if let Some(own) = number_of.get_mut(*vertex as usize) {
            *own = number;
        }
    }
    let number = |corner: u32| number_of.get(corner as usize).copied().unwrap_or(0);
    let colour = |origin: &VertexOrigin| -> Option<i32> {
        let colours = model.surfaces().get(origin.surface as usize)?.data.colours.as_ref()?;
        colours.get(origin.vertex as usize).copied()
    };
    let colours = origin.iter().map(colour).collect();
    let source = origin.first().and_then(|origin| model.surfaces().get(origin.surface as usize));
    Surface {
        triangles: surface.triangles.iter().map(|corners| corners.map(number)).collect(),
        uvs: used.iter().filter_map(|vertex| surface.uvs.get(*vertex as usize)).copied().collect(),
        data: SurfaceData {
            colours,
            embedded_material: source.and_then(|source| source.data.embedded_material.clone()),
            ..SurfaceData::default()
        }
        .into(),
        ..surface.clone()
    }
}
