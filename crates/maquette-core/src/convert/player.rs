//! Division of a model into the three models of a Quake III player.
//!
//! The game attaches the upper body to `tag_torso` of the legs, and the head to `tag_head` of the upper body. Each part is
//! therefore stored in the space of its tag. `animation.cfg` lists the clips of `bg_public.h` in a fixed order; the number
//! of a leg clip's first frame is larger by the frames that only the torso has.
//!
//! A surface belongs to the node or collection `lower`, `upper` or `head` above it, else to the part that its name begins
//! with (`l_`, `u_`, `h_`). Surfaces attached to other tags, such as a weapon, are left out.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use glam::{Affine3A, Vec3};

use super::{ConvertError, build, clips};
use crate::formats::animation_cfg::{BodyPart, quake_three_clips, team_arena_clips};
use crate::model::{
    Binding, Clip, ClipSource, FloatVertex, FrameInfo, Joint, JointFrames, JointTrack, Model, ModelParts, MorphMotion,
    MorphTrack, Motion, PLAYER_PARTS, PackedVertices, SkeletalMotion, SkeletalTag, Surface, TagFrame, TagTrack, Wrap,
    is_tag_name, matrix_rows, u32_or_max,
};
use crate::pose::{FrameBlend, Pose, Sampling, sample, sample_joints};

/// Models of a player, in the format of the model, and the lists of the game.
#[derive(Clone, Debug)]
pub struct Player {
    /// Legs, upper body and head, in the order of [`PLAYER_PARTS`].
    pub parts: [Model; 3],
    /// Content of `animation.cfg` of Quake III.
    pub animation_config: String,
    /// Clips of the game that the model lacks. The player shows other clips of the model instead.
    pub missing_clips: Vec<&'static str>,
    /// Descriptions of data of the model that the player does not have, one sentence each.
    pub losses: Vec<String>,
}

impl Player {
    /// Returns whether the model has no clip of the game.
    pub fn has_no_clip(&self) -> bool {
        self.missing_clips.len() == quake_three_clips().count()
    }
}

/// Rules for one of the three parts.
struct Rules {
    /// Name of the part: one of [`PLAYER_PARTS`].
    name: &'static str,
    /// Start of the names of its surfaces.
    prefix: &'static str,
    /// Tag in whose space the part is stored.
    origin: Option<&'static str>,
    has_tag: fn(&str) -> bool,
}

const TORSO: &str = "tag_torso";
const HEAD: &str = "tag_head";
/// Tags of weapons (`cg_weapons.c`), which the game does not read from a player.
const WEAPON_TAGS: [&str; 2] = ["tag_barrel", "tag_flash"];

const RULES: [Rules; 3] = [
    Rules { name: PLAYER_PARTS[0], prefix: "l_", origin: None, has_tag: |tag| is(tag, TORSO) },
    Rules {
        name: PLAYER_PARTS[1],
        prefix: "u_",
        origin: Some(TORSO),
        has_tag: |tag| !WEAPON_TAGS.iter().any(|own| is(tag, own)),
    },
    Rules { name: PLAYER_PARTS[2], prefix: "h_", origin: Some(HEAD), has_tag: |tag| is(tag, HEAD) },
];

fn is(name: &str, other: &str) -> bool {
    name.eq_ignore_ascii_case(other)
}

/// Returns whether a surface is attached to a tag of a weapon or the like.
fn is_attached(surface: &Surface) -> bool {
    let below = &surface.data.parent;
    is_tag_name(below) && !is(below, TORSO) && !is(below, HEAD)
}

/// Returns the name of the part that a surface belongs to. `None` if no part is known, or the surface is left out.
fn part_of(surface: &Surface) -> Option<&'static str> {
    if is_attached(surface) {
        return None;
    }
    let has_prefix = |rules: &&Rules| surface.name.get(..2).is_some_and(|start| is(start, rules.prefix));
    let is_below = |rules: &&Rules| is(&surface.data.parent, rules.name);
    RULES.iter().find(is_below).or_else(|| RULES.iter().find(has_prefix)).map(|rules| rules.name)
}

/// Divides a model into the parts of a player. Clips are found by the names of the game (`LEGS_RUN`). Fails if a surface
/// belongs to no part, a part has no surface, or `tag_torso` or `tag_head` is missing.
pub fn player(model: &Model) -> Result<Player, ConvertError> {
    let (mut strays, mut attached, mut losses) = (Vec::new(), Vec::new(), Vec::new());
    for surface in model.surfaces().iter().filter(|surface| surface.lod == 0 && part_of(surface).is_none()) {
        let list = if is_attached(surface) { &mut attached } else { &mut strays };
        list.push(surface.name.as_str());
    }
    if !strays.is_empty() {
        let names = strays.join(", ");
        return Err(ConvertError::Player(format!(
            "surfaces that belong to no part of the player: {names}; begin their names with l_ (legs), u_ (upper body) \
             or h_ (head), or put them in collections called lower, upper and head (Blender: tick Full Collection \
             Hierarchy in the glTF export)"
        )));
    }
    if !attached.is_empty() {
        losses.push(format!("surfaces attached to tags are left out: {}", attached.join(", ")));
    }
    let clips = PlayerClips::of(model, &mut losses);
    let [legs, torso] = [BodyPart::Legs, BodyPart::Torso].map(|part| clips.frames_of(part));
    let [lower, upper, head] = &RULES;
    let parts = [
        part(model, lower, &legs, clips.listed(BodyPart::Legs))?,
        part(model, upper, &torso, clips.listed(BodyPart::Torso))?,
        part(model, head, &[clips.rest], Vec::new())?,
    ];
    if !model.tags().iter().any(|tag| tag.eq_ignore_ascii_case("tag_weapon")) {
        losses.push("the model has no tag_weapon, so the game shows no weapon".to_owned());
    }
    Ok(Player { parts, animation_config: clips.text(), missing_clips: clips.missing, losses })
}

/// Clip of the game, and the frames of the model that it shows.
struct Row {
    name: &'static str,
    part: BodyPart,
    /// Position of the first frame in the frames of [`Self::part`].
    first: usize,
    count: usize,
    loop_frames: usize,
    rate: f32,
}

/// Clips of the game in their order. The frames of the clips of both halves come first in each model.
struct PlayerClips {
    /// Frame of the model that shows its rest pose.
    rest: u32,
    rows: Vec<Row>,
    both: Vec<u32>,
    torso: Vec<u32>,
    legs: Vec<u32>,
    missing: Vec<&'static str>,
}

impl PlayerClips {
    fn of(model: &Model, losses: &mut Vec<String>) -> Self {
        let own = |clip: &&Clip| !matches!(clip.source, ClipSource::BindPose | ClipSource::AllFrames);
        let mut found = Self {
            rest: 0,
            rows: Vec::new(),
            both: Vec::new(),
            torso: Vec::new(),
            legs: Vec::new(),
            missing: Vec::new(),
        };
        let all: Vec<u32> = (0..u32_or_max(model.frames().len())).collect();
        let clips = clips::blending(model, &all, model.format().usual_rate());
        let poses = Poses::of(model);
        let named = |name: &str| clips.iter().filter(own).find(|clip| clip.name.eq_ignore_ascii_case(name));
        for (part, name) in quake_three_clips() {
            let death = name.strip_prefix("BOTH_DEAD").map(|number| format!("BOTH_DEATH{number}"));
            if named(name).or_else(|| named(death.as_ref()?)).is_none() {
                found.missing.push(name);
            }
            let dead = death.and_then(|death| named(&death).or_else(|| named("BOTH_DEATH1")));
            let substitute = || {
                let names = substitutes(name).iter().copied();
                let same_part = quake_three_clips().filter(|(of, _)| *of == part).map(|(_, name)| name);
                names.chain(same_part).find_map(named)
            };
            let (frames, rate, loop_frames) = match (named(name), dead) {
                (Some(clip), _) => played(clip, name),
                // A dead player shows the last frame of the death.
                (None, Some(death)) => (vec![death.end().saturating_sub(1)], death.frames_per_second, 0),
                (None, None) => substitute().map_or((vec![found.rest], 15.0, 0), |clip| played(clip, name)),
            };
            // Other programs state no loops, so that all clips repeat all frames.
            let loop_frames = if is_played_once(name) && loop_frames == frames.len() { 0 } else { loop_frames };
            let frames_of_part = found.frames_mut(part);
            let known = poses.position(frames_of_part, &frames);
            let first = known.unwrap_or(frames_of_part.len());
            if known.is_none() {
                frames_of_part.extend_from_slice(&frames);
            }
            found.rows.push(Row { name, part, first, count: frames.len(), loop_frames, rate });
        }
        let is_known = |clip: &&Clip| quake_three_clips().any(|(_, name)| clip.name.eq_ignore_ascii_case(name));
        let others = clips.iter().filter(own).filter(|clip| !is_known(clip)).map(|clip| clip.name.as_str());
        let (mut gestures, others): (Vec<&str>, Vec<&str>) =
            others.partition(|name| team_arena_clips().any(|own| is(name, own)));
        // Quake III plays the gesture for the gestures that an animation.cfg lacks, so imported players have them all.
        gestures.retain(|name| {
            let frames = named(name).map(|clip| played(clip, name).0).unwrap_or_default();
            poses.position(&found.torso, &frames).is_none()
        });
        if !gestures.is_empty() {
            losses.push(format!("clips that only Team Arena plays are left out: {}", gestures.join(", ")));
        }
        if !others.is_empty() {
            losses.push(format!("the game knows no clip named {}", others.join(", ")));
        }
        found
    }

    fn frames_mut(&mut self, part: BodyPart) -> &mut Vec<u32> {
        match part {
            BodyPart::Legs => &mut self.legs,
            BodyPart::Torso => &mut self.torso,
            _ => &mut self.both,
        }
    }

    fn frames_of(&self, part: BodyPart) -> Vec<u32> {
        let own = if part == BodyPart::Legs { &self.legs } else { &self.torso };
        [self.both.as_slice(), own].concat()
    }

    /// Returns the number of the row's first frame in the model of `part`.
    fn first(&self, row: &Row) -> usize {
        let both = if matches!(row.part, BodyPart::Legs | BodyPart::Torso) { self.both.len() } else { 0 };
        both + row.first
    }

    fn listed(&self, part: BodyPart) -> Vec<Clip> {
        let rows =
            self.rows.iter().filter(|row| row.part == part || !matches!(row.part, BodyPart::Legs | BodyPart::Torso));
        // Frames are named after the first clip that contains them, and not after a missing clip.
        let (missing, own): (Vec<&Row>, Vec<&Row>) = rows.partition(|row| self.missing.contains(&row.name));
        let clip = |row: &Row| Clip {
            loop_frames: u32_or_max(row.loop_frames),
            ..Clip::new(
                row.name,
                u32_or_max(self.first(row)),
                u32_or_max(row.count),
                row.rate,
                ClipSource::AnimationConfig,
            )
        };
        own.into_iter().chain(missing).map(clip).collect()
    }

    fn text(&self) -> String {
        let mut text = "// first frame, number of frames, looping frames, frames per second\nsex\tm\n\n".to_owned();
        for row in &self.rows {
            // The game subtracts the frames that only the torso has: the difference between the first leg clip and the
            // first torso clip.
            let shift = if row.part == BodyPart::Legs { self.torso.len() } else { 0 };
            let (first, rate) = (self.first(row) + shift, row.rate);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{first}\t{}\t{}\t{rate}\t// {}", row.count, row.loop_frames, row.name);
        }
        text
    }
}

/// Largest distance of equal positions in units: less than half a step of an MD3.
const EQUAL: f32 = 0.005;
/// Largest difference of equal axes.
const EQUAL_AXES: f32 = 1e-4;

/// Poses of all frames of a model. Ranges of animation.cfg share frames, which are equal clips in other programs.
struct Poses(Vec<Pose>);

impl Poses {
    fn of(model: &Model) -> Self {
        let pose = |frame| {
            let mut pose = Pose::default();
            match model.motion() {
                Motion::Skeletal(_) => sample_joints(model, FrameBlend::single(frame), &mut pose),
                Motion::Morph(_) => sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose),
            }
            pose
        };
        Self((0..u32_or_max(model.frames().len())).map(pose).collect())
    }

    /// Returns the position of equal frames in a list.
    fn position(&self, known: &[u32], frames: &[u32]) -> Option<usize> {
        let mut ranges = known.windows(frames.len().max(1));
        ranges.position(|range| range.iter().zip(frames).all(|(a, b)| self.are_equal(*a, *b)))
    }

    fn are_equal(&self, a: u32, b: u32) -> bool {
        let (Some(own), Some(other)) = (self.0.get(a as usize), self.0.get(b as usize)) else { return false };
        let is_near = |(a, b): (&Affine3A, &Affine3A)| {
            a.translation.abs_diff_eq(b.translation, EQUAL) && a.matrix3.abs_diff_eq(b.matrix3, EQUAL_AXES)
        };
        let mut surfaces = own.surfaces.iter().zip(&other.surfaces);
        a == b
            || own.tags.iter().zip(&other.tags).all(is_near)
                && own.joints.iter().zip(&other.joints).all(is_near)
                && surfaces.all(|(a, b)| a.positions.iter().zip(&b.positions).all(|(a, b)| a.abs_diff_eq(*b, EQUAL)))
    }
}

/// Returns whether the game plays a clip once.
fn is_played_once(name: &str) -> bool {
    let starts = ["BOTH_", "TORSO_GESTURE", "TORSO_ATTACK", "TORSO_DROP", "TORSO_RAISE", "LEGS_JUMP", "LEGS_LAND"];
    starts.iter().any(|start| name.starts_with(start))
}

/// Returns the frames of a clip in the order of playback as `name`, its rate and its looping frames.
fn played(clip: &Clip, name: &str) -> (Vec<u32>, f32, usize) {
    // The game blends from the last frame of a loop to the first, so a last frame that repeats the first is left out.
    let closes = clip.wrap == Wrap::LastIsFirst && clip.loops() && clip.count > 1 && !is_played_once(name);
    let count = if closes { clip.count - 1 } else { clip.count };
    let mut frames: Vec<u32> = (clip.first..clip.first.saturating_add(count)).collect();
    if clip.reversed {
        frames.reverse();
    }
    (frames, clip.frames_per_second, clip.loop_frames.min(count) as usize)
}

/// Returns the clips that replace a missing one, best first. The others of the same part follow.
fn substitutes(name: &str) -> &'static [&'static str] {
    match name {
        "TORSO_ATTACK2" => &["TORSO_ATTACK"],
        "LEGS_WALKCR" | "LEGS_BACK" | "LEGS_TURN" => &["LEGS_WALK", "LEGS_RUN"],
        "LEGS_WALK" => &["LEGS_RUN"],
        "LEGS_RUN" | "LEGS_SWIM" => &["LEGS_RUN", "LEGS_WALK"],
        _ if name.starts_with("LEGS_") => &["LEGS_IDLE"],
        _ if name.starts_with("TORSO_") => &["TORSO_STAND"],
        _ => &["BOTH_DEATH1"],
    }
}

fn part(model: &Model, rules: &Rules, frames: &[u32], clips: Vec<Clip>) -> Result<Model, ConvertError> {
    let tag_named = |name: &str| model.tags().iter().position(|tag| tag.eq_ignore_ascii_case(name));
    let origin = match rules.origin {
        Some(name) => Some(tag_named(name).ok_or_else(|| {
            ConvertError::Player(format!("the model has no {name}; {} is attached to it", rules.name))
        })?),
        None => None,
    };
    let kept = |index: &usize| {
        model.surfaces().get(*index).is_some_and(|surface| part_of(surface) == Some(rules.name) && surface.lod == 0)
    };
    let surfaces: Vec<usize> = (0..model.surfaces().len()).filter(kept).collect();
    if surfaces.is_empty() {
        let (prefix, name) = (rules.prefix, rules.name);
        return Err(ConvertError::Player(format!(
            "no surface begins with {prefix} or is in a collection called {name}, so {name} would be empty"
        )));
    }
    let has_tag = |index: &usize| model.tags().get(*index).is_some_and(|tag| (rules.has_tag)(tag));
    let tags: Vec<usize> = (0..model.tags().len()).filter(has_tag).collect();
    let division = Division { model, surfaces, tags, frames, origin };
    let motion = match model.motion() {
        Motion::Skeletal(motion) => Motion::Skeletal(division.bones(motion)),
        Motion::Morph(_) => Motion::Morph(division.vertices()),
    };
    let pick = |index: &usize| {
        let mut surface = model.surfaces().get(*index)?.clone();
        // The material that the player shows; a player's materials are in `.skin` files.
        let skin = surface.data.skin_material.clone();
        if !skin.is_empty() {
            surface.materials = vec![skin];
        }
        Some(surface)
    };
    let parts = ModelParts {
        surfaces: division.surfaces.iter().filter_map(pick).collect(),
        frames: vec![FrameInfo::default(); frames.len()],
        tags: division.tags.iter().filter_map(|index| model.tags().get(*index).cloned()).collect(),
        clips,
        alternative_clips: Vec::new(),
        motion,
        ..model.clone().into_parts()
    };
    build(parts)
}

/// Surfaces, tags and frames of one part.
struct Division<'a> {
    model: &'a Model,
    surfaces: Vec<usize>,
    tags: Vec<usize>,
    frames: &'a [u32],
    origin: Option<usize>,
}

impl Division<'_> {
    /// Visits the pose of each frame, and the transform from model space to the part's space.
    fn each_pose(&self, sample: impl Fn(&Model, FrameBlend, &mut Pose), mut visit: impl FnMut(&Pose, Affine3A)) {
        let mut pose = Pose::default();
        for frame in self.frames {
            sample(self.model, FrameBlend::single(*frame), &mut pose);
            let origin = self.origin.and_then(|tag| pose.tags.get(tag)).copied().unwrap_or_default();
            let inverse = origin.inverse();
            visit(&pose, if inverse.is_finite() { inverse } else { Affine3A::IDENTITY });
        }
    }

    /// Returns the motion of the joints that move the part.
    fn bones(&self, motion: &SkeletalMotion) -> SkeletalMotion {
        let mut bindings: Vec<Binding> =
            self.surfaces.iter().filter_map(|index| motion.bindings.get(*index).cloned()).collect();
        let mut tags: Vec<SkeletalTag> =
            self.tags.iter().filter_map(|index| motion.tags.get(*index).cloned()).collect();
        let mut used = BTreeSet::new();
        each_joint(&mut bindings, &mut tags, |joint| {
            used.insert(*joint);
        });
        let used: Vec<u32> = used.into_iter().collect();
        let number = |joint: u32| u32_or_max(used.partition_point(|own| *own < joint));
        each_joint(&mut bindings, &mut tags, |joint| *joint = number(*joint));
        let above = |joint: &Joint| {
            let parent = |joint: u32| motion.joints.get(joint as usize)?.parent;
            std::iter::successors(joint.parent, |joint| parent(*joint)).find(|joint| used.binary_search(joint).is_ok())
        };
        let own = used.iter().filter_map(|joint| motion.joints.get(*joint as usize));
        let joints = own.map(|joint| Joint { parent: above(joint).map(number), ..joint.clone() }).collect();
        let mut matrices = Vec::new();
        self.each_pose(sample_joints, |pose, part_from_model| {
            let posed = used.iter().filter_map(|joint| pose.joints.get(*joint as usize));
            matrices.extend(posed.map(|joint| matrix_rows(&(part_from_model * *joint))));
        });
        let frames = JointFrames::Matrices(matrices);
        let track = JointTrack { first: 0, frame_count: u32_or_max(self.frames.len()), frames };
        SkeletalMotion { joints, bindings, tracks: vec![track], tags }
    }

    fn vertices(&self) -> MorphMotion {
        let mut tracks: Vec<Vec<FloatVertex>> = vec![Vec::new(); self.surfaces.len()];
        let mut tags = Vec::new();
        let sample = |model: &Model, blend, pose: &mut Pose| sample(model, &Sampling::at(blend), pose);
        self.each_pose(sample, |pose, part_from_model| {
            for (track, surface) in tracks.iter_mut().zip(&self.surfaces) {
                let Some(posed) = pose.surfaces.get(*surface) else { continue };
                track.extend(posed.positions.iter().zip(&posed.normals).map(|(position, normal)| FloatVertex {
                    position: part_from_model.transform_point3(*position),
                    normal: part_from_model.transform_vector3(*normal).normalize_or(Vec3::Z),
                }));
            }
            tags.extend(self.tags.iter().filter_map(|tag| pose.tags.get(*tag)).map(|tag| {
                let tag = part_from_model * *tag;
                let matrix = tag.matrix3;
                TagFrame {
                    origin: tag.translation.into(),
                    axes: [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3::from),
                }
            }));
        });
        let frame_count = u32_or_max(self.frames.len());
        let surfaces = tracks.into_iter().zip(&self.surfaces).map(|(track, surface)| MorphTrack {
            stored: u32_or_max(self.model.surfaces().get(*surface).map_or(0, Surface::vertex_count)),
            frame_count,
            remap: None,
            vertices: PackedVertices::Floats(track),
        });
        MorphMotion { surfaces: surfaces.collect(), tags: TagTrack::Axes(tags) }
    }
}

/// Visits the joint of each weight and tag.
fn each_joint(bindings: &mut [Binding], tags: &mut [SkeletalTag], mut visit: impl FnMut(&mut u32)) {
    let mut bindings: Vec<&mut Binding> = bindings.iter_mut().collect();
    for tag in tags {
        match tag {
            SkeletalTag::Joint(joint) | SkeletalTag::Offset(joint, _) => visit(joint),
            SkeletalTag::Triangle(binding) => bindings.push(binding),
        }
    }
    bindings.into_iter().flat_map(|binding| &mut binding.weights).for_each(|weight| visit(&mut weight.joint));
}
