//! Conversion to MDL: frames of 8-bit vertices in one box, one surface, skins inside the file.

use std::collections::HashMap;
use std::convert::Infallible;

use glam::{Vec2, Vec3};

use super::bake::Baked;
use super::merged::{
    Grid, Merged, UniqueVertices, frame_names, packed, report_losses, report_skin_surface, skin_names, uv,
};
use super::{
    Conversion, ConvertError, ConvertOptions, Origin, SurfaceLimits, build, clips, kept_flags, takes_skin_image,
};
use crate::error::counted;
use crate::formats::mdl::CUTOUTS;
use crate::model::{
    Bounds, ByteFrame, Clip, EmbeddedSkin, FormatData, FrameInfo, Model, ModelParts, MorphMotion, MorphTrack, Motion,
    PackedVertices, PixelKind, Pixels, Surface, TagTrack, u32_or_max,
};

/// Colour of skins without an image: medium grey.
const GREY: u8 = 8;

/// Value of `onseam` in files of the game's tools.
const ON_SEAM: i32 = 0x20;

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    // The single surface has no limits, and no names that could be lost.
    let baked = Baked::new(model, options, SurfaceLimits::NONE, &mut Vec::new());
    let merged = Merged::from_baked(&baked);
    if merged.triangles.is_empty() {
        return Err(ConvertError::Empty("the model has no triangles; an MDL needs at least one".to_owned()));
    }
    report_losses(model, options.format, &baked, &mut losses);
    let PackedFrames { bounds, mean_area, scale, vertices } = PackedFrames::new(&baked, &merged);
    let skins = embedded_skins(model, options, &baked, &mut losses)?;
    let first = skins.first().and_then(|skin| skin.pixels().next());
    let (width, height) = first.map_or((1, 1), |pixels| (pixels.width, pixels.height));
    let size = Vec2::new(width as f32, height as f32);
    let texels: Vec<[i32; 2]> = merged.origin.iter().map(|origin| texel(uv(model, *origin), size)).collect();
    report_outside(&texels, [width, height], &mut losses);
    let classes = UniqueVertices::new(merged.origin.len(), &vertices).remap;
    let mesh = Mesh::new(&merged.triangles, &classes, &texels, i32::try_from(width / 2).unwrap_or(i32::MAX));

    let named: Vec<Clip> = clips::clips(model, &baked.frames);
    let names = frame_names(&named, baked.frame_names(&mut losses), &mut losses);
    let (mut frames, mut stored) = (Vec::new(), Vec::new());
    for (name, frame) in names.into_iter().zip(vertices.chunks_exact(merged.origin.len().max(1))) {
        let own = mesh.stored.iter().filter_map(|vertex| frame.get(*vertex as usize).copied());
        let position = |[x, y, z, _]: [u8; 4]| scale.translate + Vec3::new(x.into(), y.into(), z.into()) * scale.scale;
        let bounds = Some(Bounds::from_points(own.clone().map(position)));
        frames.push(FrameInfo { name, bounds, ..FrameInfo::default() });
        stored.extend(own);
    }
    let material_names: Vec<String> = skins.iter().map(|skin| skin.name.clone()).collect();
    let texels = mesh.vertices.iter().filter_map(|vertex| texels.get(*vertex as usize));
    let surface = Surface {
        materials: material_names.clone(),
        triangles: mesh.triangles,
        uvs: texels.map(|texel| centre(*texel, size)).collect(),
        ..Surface::default()
    };
    let track = MorphTrack {
        stored: u32_or_max(mesh.stored.len()),
        frame_count: u32_or_max(frames.len()),
        remap: Some(mesh.remap),
        vertices: PackedVertices::Bytes { frames: vec![scale; frames.len()], vertices: stored },
    };
    let vertex_origin = |vertex: &u32| merged.origin.get(*vertex as usize).copied();
    let origin = Origin {
        frames: baked.origin.frames,
        surfaces: vec![mesh.vertices.iter().filter_map(vertex_origin).collect()],
        tags: Vec::new(),
    };
    let clips = clips::named_or_all(model, &baked.frames, options.format.usual_rate());
    let data = own_data(model, options, &skins, &mut losses);
    let data = FormatData {
        flags: data.flags,
        eye_position: data.eye_position,
        sync_type: data.sync_type,
        radius: bounds.min.abs().max(bounds.max.abs()).length(),
        mean_area,
        skin_size: Some([width.cast_signed(), height.cast_signed()]),
        seams: Some(mesh.coordinates.into()),
        embedded_skins: skins,
        ..FormatData::default()
    };
    let parts = ModelParts {
        version: Some(options.format.traits().version),
        surfaces: vec![surface],
        frames,
        clips,
        skins: material_names,
        motion: Motion::Morph(MorphMotion { surfaces: vec![track], tags: TagTrack::Axes(Vec::new()) }),
        data,
        ..ModelParts::empty(options.format)
    };
    Ok(Conversion { model: build(parts)?, losses, origin })
}

/// Returns the data that an MDL keeps, or that of a new one.
fn own_data(model: &Model, options: &ConvertOptions, skins: &[EmbeddedSkin], losses: &mut Vec<String>) -> FormatData {
    if model.format() == options.format {
        return model.data().clone();
    }
    let mut data = if model.format().traits().is_sampled { model.data().clone() } else { FormatData::default() };
    data.flags = kept_flags(model, options.format);
    if skins.iter().any(EmbeddedSkin::has_cutouts) {
        losses.push("only QuakeSpasm and Mark V hide the transparent texels of the skin".to_owned());
        data.flags |= CUTOUTS;
    }
    data
}

/// Vertices of all frames in steps of their common box.
struct PackedFrames {
    bounds: Bounds,
    /// Mean area of the triangles in the first frame.
    mean_area: f32,
    scale: ByteFrame,
    vertices: Vec<[u8; 4]>,
}

impl PackedFrames {
    fn new(baked: &Baked<'_>, merged: &Merged) -> Self {
        let (mut bounds, mut mean_area) = (Bounds::EMPTY, None);
        let Ok(()) = baked.each_frame(|frame| {
            let positions: Vec<Vec3> = merged.vertices(&frame.surfaces).map(|(position, _)| position).collect();
            bounds = bounds.union(Bounds::from_points(positions.iter().copied()));
            mean_area.get_or_insert_with(|| self::mean_area(&merged.triangles, &positions));
            Ok::<_, Infallible>(())
        });
        let bounds = bounds.or_origin();
        let mut grid = Grid::new(bounds);
        let Ok(()) = baked.each_frame(|frame| {
            grid.add(merged.vertices(&frame.surfaces).map(|(position, _)| position));
            Ok::<_, Infallible>(())
        });
        let scale = grid.frame();
        let mut vertices: Vec<[u8; 4]> = Vec::new();
        let Ok(()) = baked.each_frame(|frame| {
            vertices.extend(merged.vertices(&frame.surfaces).map(|(position, normal)| packed(position, normal, scale)));
            Ok::<_, Infallible>(())
        });
        Self { bounds, mean_area: mean_area.unwrap_or(0.0), scale, vertices }
    }
}

fn report_outside(texels: &[[i32; 2]], size: [u32; 2], losses: &mut Vec<String>) {
    let is_inside =
        |texel: &[i32; 2]| texel.iter().zip(size).all(|(at, side)| (0..i64::from(side)).contains(&i64::from(*at)));
    let count = texels.iter().filter(|texel| !is_inside(texel)).count();
    if count > 0 {
        let coordinates = counted(count, "texture coordinate is", "texture coordinates are");
        losses.push(format!("{coordinates} outside the skin, which the game does not repeat"));
    }
}

/// Returns the skins of the model, or a skin with the image of the options, or a grey one.
fn embedded_skins(
    model: &Model,
    options: &ConvertOptions,
    baked: &Baked<'_>,
    losses: &mut Vec<String>,
) -> Result<Vec<EmbeddedSkin>, ConvertError> {
    let mut skins = model.embedded_skins().to_vec();
    if takes_skin_image(model, options.format) {
        let names = skin_names(model, baked);
        let images = options.skin_images;
        if let ([Some(EmbeddedSkin { name, .. })], [_, _, ..]) = (images, names.as_slice()) {
            let others: Vec<&str> = names.iter().map(String::as_str).filter(|other| other != name).collect();
            losses.push(format!("the skin has the image of {name}; dropped: {}", others.join(", ")));
        }
        if images.len() > 1 {
            report_skin_surface(model, options.format, &names, losses);
        }
        let first = images.iter().position(Option::is_some);
        let shown = first.and_then(|first| images.get(first)?.as_ref());
        skins = images.iter().filter_map(|image| image.as_ref().or(shown)).cloned().collect();
        let missing =
            (0..).zip(images).filter(|(_, image)| image.is_none()).map(|(index, _): (u32, _)| index.to_string());
        let missing: Vec<String> = missing.collect();
        if let Some(first) = first.filter(|_| !missing.is_empty()) {
            losses.push(format!("skins without an image show that of skin {first}: {}", missing.join(", ")));
        }
        if skins.is_empty() {
            losses.push("the skin is grey: no image was found".to_owned());
            let [width, height] = options.skin.map(u32::from);
            let bytes = vec![GREY; width as usize * height as usize];
            let kind = PixelKind::GamePalette { has_cutouts: false };
            skins.push(EmbeddedSkin::of_pixels("", Pixels { width, height, kind, bytes }));
        }
    }
    let size = skins.first().and_then(|skin| skin.pixels().next()).map(|pixels| [pixels.width, pixels.height]);
    for (index, skin) in skins.iter_mut().enumerate() {
        skin.name = format!("skin {index}");
        let fits = |pixels: &Pixels| pixels.is_whole() && Some([pixels.width, pixels.height]) == size;
        if !skin.is_in_game_palette() || !skin.pixels().all(fits) {
            return Err(ConvertError::Options("the image of the skin does not have the size of the skin".to_owned()));
        }
    }
    Ok(skins)
}

/// Returns the mean area of the triangles, which the game's tools store as `size`.
fn mean_area(triangles: &[[u32; 3]], positions: &[Vec3]) -> f32 {
    let at = |vertex: u32| positions.get(vertex as usize).copied().unwrap_or_default();
    let area = |[a, b, c]: &[u32; 3]| (at(*b) - at(*a)).cross(at(*c) - at(*a)).length() / 2.0;
    triangles.iter().map(area).sum::<f32>() / triangles.len().max(1) as f32
}

/// Returns the texel that contains a texture coordinate. The right and lower edges belong to the last texel.
fn texel(uv: Vec2, size: Vec2) -> [i32; 2] {
    let on_edge = |texel: f32, side: f32| if texel == side { side - 1.0 } else { texel.floor() };
    let at = uv * size;
    [on_edge(at.x, size.x) as i32, on_edge(at.y, size.y) as i32]
}

fn centre([s, t]: [i32; 2], size: Vec2) -> Vec2 {
    (Vec2::new(s as f32, t as f32) + 0.5) / size
}

/// Vertices and triangles of an MDL. Indices in `vertices` and `stored` refer to the merged surface.
#[derive(Default)]
struct Mesh {
    /// Vertices of the surface, without those that equal another one.
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Stored vertex of each vertex. Two vertices half a skin apart share one on the seam.
    remap: Vec<u32>,
    /// Vertices that are stored.
    stored: Vec<u32>,
    coordinates: Vec<i32>,
}

impl Mesh {
    /// Merges vertices with equal class and texel, and finds the seam. `classes` numbers the vertices; those of one class
    /// are equal in all frames.
    fn new(triangles: &[[u32; 3]], classes: &[u32], texels: &[[i32; 2]], half_width: i32) -> Self {
        let mut mesh = Self::default();
        let key = |vertex: u32| {
            let at = vertex as usize;
            (classes.get(at).copied().unwrap_or_default(), texels.get(at).copied().unwrap_or_default())
        };
        let mut known: HashMap<(u32, [i32; 2]), u32> = HashMap::new();
        for triangle in triangles {
            let corners = triangle.map(|vertex| {
                *known.entry(key(vertex)).or_insert_with(|| {
                    mesh.vertices.push(vertex);
                    u32_or_max(mesh.vertices.len() - 1)
                })
            });
            mesh.triangles.push(corners);
        }
        let shifted = |vertex: u32| {
            let (class, [s, t]) = key(vertex);
            let is_on_front = (0..half_width).contains(&s);
            is_on_front.then(|| known.get(&(class, [s + half_width, t])).copied()).flatten()
        };
        let seam = Seam::new(&mesh.triangles, mesh.vertices.iter().map(|vertex| shifted(*vertex)).collect());
        let mut of_vertex: Vec<Option<u32>> = vec![None; mesh.vertices.len()];
        for index in 0..mesh.vertices.len() {
            let front = seam.front_of(index);
            let stored = of_vertex.get(front).copied().flatten().unwrap_or_else(|| {
                let vertex = mesh.vertices.get(front).copied().unwrap_or_default();
                let (_, [s, t]) = key(vertex);
                mesh.coordinates.extend([if seam.has_back(front) { ON_SEAM } else { 0 }, s, t]);
                mesh.stored.push(vertex);
                u32_or_max(mesh.stored.len() - 1)
            });
            if let Some(slot) = of_vertex.get_mut(front) {
                *slot = Some(stored);
            }
            mesh.remap.push(stored);
        }
        mesh
    }
}

/// Pairs of vertices on the seam: one on the front, and one on the back half a skin further right.
struct Seam {
    back: Vec<Option<u32>>,
    front: Vec<Option<u32>>,
}

impl Seam {
    /// Pairs vertices with their shifted ones. A triangle has vertices of one side only.
    fn new(triangles: &[[u32; 3]], shifted: Vec<Option<u32>>) -> Self {
        let mut seam = Self { back: vec![None; shifted.len()], front: vec![None; shifted.len()] };
        for (vertex, back) in (0_u32..).zip(shifted) {
            let Some(back) = back.filter(|back| *back != vertex) else { continue };
            let is_free =
                |vertex: u32| !seam.has_back(vertex as usize) && seam.front_of(vertex as usize) == vertex as usize;
            if is_free(vertex) && is_free(back) {
                seam.set(vertex, back, true);
            }
        }
        for triangle in triangles {
            let pairs = triangle.map(|vertex| {
                let front = u32_or_max(seam.front_of(vertex as usize));
                let back = seam.back.get(front as usize).copied().flatten()?;
                Some((front, back, vertex == back))
            });
            let on = |side: bool| pairs.iter().flatten().any(|(.., is_back)| *is_back == side);
            if on(true) && on(false) {
                pairs.into_iter().flatten().for_each(|(front, back, _)| seam.set(front, back, false));
            }
        }
        seam
    }

    fn set(&mut self, front: u32, back: u32, is_pair: bool) {
        if let (Some(of_front), Some(of_back)) = (self.back.get_mut(front as usize), self.front.get_mut(back as usize))
        {
            (*of_front, *of_back) = (is_pair.then_some(back), is_pair.then_some(front));
        }
    }

    fn has_back(&self, vertex: usize) -> bool {
        self.back.get(vertex).copied().flatten().is_some()
    }

    /// Returns the vertex on the front of which this one is the back, or the vertex itself.
    fn front_of(&self, vertex: usize) -> usize {
        self.front.get(vertex).copied().flatten().map_or(vertex, |front| front as usize)
    }
}
