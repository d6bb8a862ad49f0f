//! Single surface of an MD2 or MDL, made of all surfaces, with 8-bit vertices and frames named after their clips.

use std::collections::{BTreeSet, HashMap, HashSet};

use glam::{Vec2, Vec3};

use super::bake::Baked;
use super::names::{cut, report_renamed};
use super::unique_names::without_middle;
use super::{VertexOrigin, dropped_lods};
use crate::error::counted;
use crate::formats::frame_names::by_name;
use crate::model::packed_normal::nearest_table_normal;
use crate::model::{Bounds, ByteFrame, Clip, ClipSource, Format, FrameInfo, Model, Surface, u32_or_max};
use crate::pose::PosedSurface;

/// Largest number of steps of a coordinate across the frame's box.
pub(crate) const STEPS: f32 = 255.0;

/// Box whose steps meet the positions of its frames exactly if these were stored in bytes before.
pub(crate) struct Grid {
    bounds: Bounds,
    /// Numbers of steps, from the largest, that meet all positions so far, by axis.
    steps: [Vec<u8>; 3],
}

impl Grid {
    pub fn new(bounds: Bounds) -> Self {
        // A smaller number divides one of these.
        Self { bounds: bounds.or_origin(), steps: std::array::from_fn(|_| (128..=u8::MAX).rev().collect()) }
    }

    /// Largest distance from a step, in steps, that is due to rounding. Positions that Blender stored differ by more
    /// than a thousandth.
    const ROUNDING: f32 = 1e-2;

    pub fn add(&mut self, points: impl Iterator<Item = Vec3>) {
        let size = self.bounds.size().to_array();
        for point in points {
            let ways = (point - self.bounds.min).to_array().into_iter().zip(size);
            for ((way, size), steps) in ways.zip(&mut self.steps) {
                let share = if size > 0.0 { way / size } else { 0.0 };
                // Every number of steps meets both ends.
                if share == 0.0 || share == 1.0 {
                    continue;
                }
                let is_met = |at: f32| (at - at.round()).abs() < Self::ROUNDING;
                steps.retain(|count| is_met(share * f32::from(*count)));
            }
        }
    }

    pub fn frame(&self) -> ByteFrame {
        let steps = self.steps.each_ref().map(|steps| steps.first().map_or(STEPS, |count| f32::from(*count)));
        ByteFrame { scale: self.bounds.size() / Vec3::from_array(steps), translate: self.bounds.min }
    }
}

pub(super) fn report_losses(model: &Model, format: Format, baked: &Baked<'_>, losses: &mut Vec<String>) {
    let finest = model.surfaces().iter().filter(|surface| surface.lod == 0);
    let names: Vec<&str> = finest.map(|surface| surface.name.as_str()).filter(|name| !name.is_empty()).collect();
    match names.as_slice() {
        [] => {}
        [name] => losses.push(format!("the name of the surface was dropped: {name}")),
        _ => losses.push(format!("surfaces were merged into one; names dropped: {}", names.join(", "))),
    }
    if !baked.tags.is_empty() {
        losses.push(format!("{} has no tags; dropped: {}", format.title(), baked.tags.join(", ")));
    }
    let lods = model.lod_count();
    if lods > 1 {
        losses.push(dropped_lods(format, lods - 1));
    }
}

pub(super) fn uv(model: &Model, origin: VertexOrigin) -> Vec2 {
    let surface = model.surfaces().get(origin.surface as usize);
    surface.and_then(|surface| surface.uvs.get(origin.vertex as usize)).copied().unwrap_or_default()
}

/// Surfaces of the finest LOD merged into one, with vertices in order of first use.
pub(super) struct Merged {
    pub triangles: Vec<[u32; 3]>,
    from: Vec<(usize, usize)>,
    pub origin: Vec<VertexOrigin>,
}

impl Merged {
    pub fn from_baked(baked: &Baked<'_>) -> Self {
        let mut merged = Self { triangles: Vec::new(), from: Vec::new(), origin: Vec::new() };
        let surfaces = baked.surfaces.iter().zip(&baked.origin.surfaces).enumerate();
        for (index, (surface, origin)) in surfaces.filter(|(_, (surface, _))| surface.lod == 0) {
            let mut own: HashMap<u32, u32> = HashMap::new();
            for triangle in &surface.triangles {
                let corners = triangle.map(|vertex| {
                    *own.entry(vertex).or_insert_with(|| {
                        merged.from.push((index, vertex as usize));
                        merged.origin.extend(origin.get(vertex as usize));
                        u32_or_max(merged.from.len() - 1)
                    })
                });
                merged.triangles.push(corners);
            }
        }
        merged
    }

    pub fn vertices<'a>(&'a self, surfaces: &'a [PosedSurface]) -> impl Iterator<Item = (Vec3, Vec3)> + 'a {
        self.from.iter().filter_map(|(surface, vertex)| {
            let surface = surfaces.get(*surface)?;
            Some((*surface.positions.get(*vertex)?, *surface.normals.get(*vertex)?))
        })
    }
}

/// Vertices without those that equal another one in all frames.
pub(super) struct UniqueVertices {
    pub count: u32,
    pub remap: Vec<u32>,
    pub vertices: Vec<[u8; 4]>,
}

impl UniqueVertices {
    pub fn new(count: usize, all: &[[u8; 4]]) -> Self {
        // Vertices that are equal in all frames so far share a class; each frame splits the classes further.
        let mut classes = vec![0_u32; count];
        for frame in all.chunks_exact(count.max(1)) {
            let mut known: HashMap<(u32, [u8; 4]), u32> = HashMap::new();
            for (class, vertex) in classes.iter_mut().zip(frame) {
                let next = u32_or_max(known.len());
                *class = *known.entry((*class, *vertex)).or_insert(next);
            }
        }
        let mut first: Vec<usize> = Vec::new();
        for (vertex, class) in classes.iter().enumerate() {
            if *class as usize == first.len() {
                first.push(vertex);
            }
        }
        let frames = all.chunks_exact(count.max(1));
        let vertices = frames.flat_map(|frame| first.iter().filter_map(|vertex| frame.get(*vertex).copied()));
        Self { count: u32_or_max(first.len()), vertices: vertices.collect(), remap: classes }
    }
}

/// Returns a vertex in steps of a frame's box.
pub(crate) fn packed(position: Vec3, normal: Vec3, frame: ByteFrame) -> [u8; 4] {
    let step = |coordinate: f32, from: f32, scale: f32| {
        if scale > 0.0 { ((coordinate - from) / scale).round().clamp(0.0, STEPS) as u8 } else { 0 }
    };
    let [x, y, z] = position.to_array();
    let ([a, b, c], [i, j, k]) = (frame.translate.to_array(), frame.scale.to_array());
    [step(x, a, i), step(y, b, j), step(z, c, k), nearest_table_normal(normal)]
}

/// Returns frame names from which a reader derives the clips, because an MD2 stores clips in no other way. Names in
/// `own` remain if the clips come from them.
pub(super) fn frame_names(clips: &[Clip], own: Vec<String>, losses: &mut Vec<String>) -> Vec<String> {
    let gives_clips = clips.iter().all(|clip| matches!(clip.source, ClipSource::FrameNames | ClipSource::AllFrames));
    let (stems, reasons) = stems(clips);
    let given = |(index, own): (u32, &String)| {
        if gives_clips && !own.is_empty() { own.clone() } else { frame_name(clips, &stems, index, own) }
    };
    let names: Vec<String> = (0..).zip(&own).map(given).collect();
    let replaced = own.iter().zip(&names).filter(|(own, name)| !own.is_empty() && own != name).count();
    if replaced > 0 {
        losses.push(format!(
            "{} replaced by the names of their clips",
            counted(replaced, "name of a frame was", "names of frames were")
        ));
    }
    if !gives_clips {
        // Readers do not find a clip in the frames of another clip; such a clip is reported as dropped.
        let info = |name: &String| FrameInfo { name: name.clone(), ..FrameInfo::default() };
        let read = by_name(&names.iter().map(info).collect::<Vec<_>>(), 1.0).unwrap_or_default();
        let read: HashSet<_> = read.iter().map(|clip| (clip.first, clip.count)).collect();
        let kept = clips.iter().zip(&stems).filter(|(clip, _)| read.contains(&(clip.first, clip.count)));
        let changed = kept.filter(|(clip, stem)| clip.name != **stem);
        let changes: Vec<_> = changed.map(|(clip, stem)| (clip.name.clone(), stem.clone())).collect();
        let why = reasons.into_iter().collect::<Vec<_>>().join("; ");
        report_renamed(&changes, ["clip", "clips"], &why, losses);
    }
    names
}

/// Names the frames that have no name after their clips, as exporters of the games do.
pub(crate) fn name_unnamed(clips: &[Clip], names: &mut [String]) {
    let named: Vec<Clip> = clips.iter().filter(|clip| clip.source != ClipSource::AllFrames).cloned().collect();
    let (stems, _) = stems(&named);
    for (index, name) in (0..).zip(names).filter(|(_, name)| name.is_empty()) {
        *name = frame_name(&named, &stems, index, "");
    }
}

/// Maximum length of the clip name that begins a frame name (`run` in `run01`). Longer names are cut, with a loss
/// message.
const MAX_STEM_BYTES: usize = 12;

/// Maximum length of a frame name.
const MAX_NAME_BYTES: usize = 15;

/// Returns the number of digits of the last frame of a clip, and the maximum length of the clip's name before them.
fn room(clip: &Clip) -> (usize, usize) {
    let digits = clip.count.checked_ilog10().map_or(2, |digits| 2.max(digits as usize + 1));
    (digits, MAX_STEM_BYTES.min(MAX_NAME_BYTES - digits))
}

/// Number of frames from which the numbers of frames have three digits.
const MANY: u32 = 100;

/// Returns the start of the frame names of each clip, and the reasons for which some differ from the clips' names. Names
/// that are equal where they are cut lose their middle instead. Stems that are still equal get a letter, because digits
/// belong to the number.
fn stems(clips: &[Clip]) -> (Vec<String>, BTreeSet<&'static str>) {
    let mut taken: HashSet<String> = HashSet::new();
    let mut reasons = BTreeSet::new();
    let own: Vec<String> = clips.iter().map(|clip| stem(clip, fitting_start, &mut BTreeSet::new())).collect();
    let mut uses: HashMap<String, u32> = HashMap::new();
    own.iter().for_each(|own| *uses.entry(own.to_lowercase()).or_default() += 1);
    let stem = |(clip, own): (&Clip, &String)| {
        let is_shared = uses.get(&own.to_lowercase()).is_some_and(|uses| *uses > 1);
        let own = stem(clip, if is_shared { fitting_ends } else { fitting_start }, &mut reasons);
        let letters = (b'b'..=b'z').map(char::from);
        let endings = letters.clone().map(|letter| format!("_{letter}"));
        let pairs = letters.clone().flat_map(|a| letters.clone().map(move |b| format!("_{a}{b}")));
        let numbered = |ending: String| format!("{}{ending}", cut(&own, room(clip).1 - ending.len(), false));
        let mut candidates = std::iter::once(own.clone()).chain(endings.chain(pairs).map(numbered));
        // Readers ignore case.
        let free = candidates.find(|stem| taken.insert(stem.to_lowercase())).unwrap_or_else(|| own.clone());
        if free != own {
            reasons.insert("names must differ");
        }
        free
    };
    (clips.iter().zip(&own).map(stem).collect(), reasons)
}

fn fitting_start(name: &str, max: usize) -> String {
    cut(name, max, false).to_owned()
}

fn fitting_ends(name: &str, max: usize) -> String {
    without_middle(name, max, str::floor_char_boundary)
}

/// Returns the part of a clip's name that its frame names have room for, and that a reader finds again: zeros at the
/// end are lost, and so are the digits of clips with [`MANY`] frames, because they would belong to the number.
fn stem(clip: &Clip, fit: fn(&str, usize) -> String, reasons: &mut BTreeSet<&'static str>) -> String {
    let graphic = |c: char| if matches!(c, '/' | '\\') || c.is_whitespace() { '_' } else { c };
    let name: String = clip.name.chars().filter(|c| !c.is_control()).map(graphic).collect();
    if name != clip.name {
        reasons.insert("frame names have no spaces, slashes and control characters");
    }
    let fitting = fit(&name, room(clip).1);
    if fitting != name {
        reasons.insert("frame names have room for 12 bytes of a clip");
    }
    let (letters, digits) = fitting.split_at(fitting.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    let digits = if clip.count >= MANY || digits.bytes().all(|digit| digit == b'0') { "" } else { digits };
    let letters = if digits.is_empty() { letters.trim_end_matches(['_', '-', '.', ' ']) } else { letters };
    let stem = format!("{letters}{digits}");
    if stem != fitting {
        reasons.insert("digits and marks at the end would belong to the numbers of the frames");
    }
    if stem.is_empty() { "clip".to_owned() } else { stem }
}

/// Returns the clip's name and the frame's number in the clip: `pain101` is the first frame of `pain1`.
fn frame_name(clips: &[Clip], stems: &[String], index: u32, own: &str) -> String {
    match clips.iter().zip(stems).find(|(clip, _)| clip.contains(index)) {
        Some((clip, stem)) => {
            let (digits, _) = room(clip);
            format!("{stem}{:0digits$}", index - clip.first + 1)
        }
        None if own.is_empty() => format!("frame{:03}", index + 1),
        None => own.to_owned(),
    }
}

/// Reports that the skins are the materials of one of several surfaces.
pub(super) fn report_skin_surface(model: &Model, format: Format, skins: &[String], losses: &mut Vec<String>) {
    let surfaces = model.surfaces().iter().filter(|surface| surface.lod == 0).count();
    let Some(surface) = model.surfaces().get(model.skin_surface()).filter(|_| surfaces > 1 && skins.len() > 1) else {
        return;
    };
    let name = format.title();
    if model.material_variants().len() > 1 {
        losses.push(format!("{name} has skins for one surface: those of “{}” were stored", surface.script_name()));
    } else if model.skins().is_empty() {
        losses.push(format!("{name} shows one skin at a time; the surfaces have {}", skins.join(", ")));
    }
}

/// Returns the skins of the file, those of the variants, or the materials of the surfaces.
pub(super) fn skin_names(model: &Model, baked: &Baked<'_>) -> Vec<String> {
    if !model.skins().is_empty() {
        return model.skins().to_vec();
    }
    let finest: Vec<&Surface> = baked.surfaces.iter().filter(|surface| surface.lod == 0).collect();
    let variants = model.material_variants();
    if let ([_, _, ..], Some(surface)) = (variants.as_slice(), model.surfaces().get(model.skin_surface())) {
        return variants.iter().map(|variant| surface.material_in(*variant).0.to_owned()).collect();
    }
    if let [only] = finest.as_slice() {
        return only.materials.clone();
    }
    let mut known: HashSet<&str> = HashSet::from([""]);
    let first = finest.into_iter().filter_map(|surface| surface.materials.first());
    first.filter(|material| known.insert(material)).cloned().collect()
}
