//! Conversion of a scene for exporters: parts, attachments, animations and materials.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use glam::{Affine3A, Vec3};

use super::atomic_file::{AtomicFile, PendingFile, hold_together, is_taken};
use super::export_materials::ExportMaterials;
use super::game_textures::{GameTextures, create_folders};
use maquette_assets::lint::Profile;
use maquette_assets::material::{ImageLoading, SurfaceMaterial, converted_skins};
use maquette_assets::open::{Anchor, Opener, Role, SkinSource};
use maquette_core::convert::{UniqueNames, takes_skin_image};
use maquette_core::error::system_reason;
use maquette_core::export::{
    Animation, ExportAnchor, ExportContent, ExportError, ExportFiles, ExportOptions, ExportParent, ExportPart,
    ExportScene, Exporter, Losses, TexturePlacement, Track,
};
use maquette_core::model::{Clip, ClipSource, FrameNumbering, Model, Surface, u32_or_max};
use maquette_scene::scene::{Entity, EntityId, Scene};
use maquette_scene::session::ModelMotion;

/// Motion of a scene to export.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ExportedMotion {
    /// All clips. For a player, each clip of legs or torso is combined with the current clip of the other half, and keeps
    /// its name.
    #[default]
    All,
    /// Clips with one of these names, ignoring case.
    Named(Vec<String>),
    /// The current clips.
    Current,
    /// The current frame.
    CurrentFrame,
}

impl From<ModelMotion> for ExportedMotion {
    fn from(motion: ModelMotion) -> Self {
        match motion {
            ModelMotion::AllClips => Self::All,
            ModelMotion::Clip => Self::Current,
            ModelMotion::CurrentFrame => Self::CurrentFrame,
        }
    }
}

fn pair_name(legs: &str, torso: &str) -> String {
    if legs.eq_ignore_ascii_case(torso) { legs.to_owned() } else { format!("{legs} + {torso}") }
}

const USUAL_RATE: f32 = 10.0;

/// Exports the visible parts of `scene` to `path` and companion files. Each file is written completely or not at all.
/// Existing companion files are replaced only if `path` existed or `is_own` returns true for them. Returns the losses
/// and the number of companion files.
///
/// Fails if a companion file exists and may not be replaced, or is a model of the scene. Also fails if a clip does not
/// exist, or if the model does not fit the format.
pub fn export_scene(
    scene: &Scene,
    exporter: &Exporter,
    motion: &ExportedMotion,
    options: &ExportOptions,
    path: &Path,
    is_own: &dyn Fn(&Path) -> bool,
) -> Result<(Losses, usize), ExportError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let exported = ExportScene { name: name.into_owned(), ..export_subject(scene, exporter, motion)? };
    let files = scene.entities().iter().filter_map(|entity| entity.asset.file.as_ref()?.canonicalize().ok());
    let mut files = Files {
        models: files.collect(),
        replaces: path.exists(),
        is_own,
        main: AtomicFile::create(path)?,
        path: path.to_path_buf(),
        companions: Vec::new(),
        names: HashSet::new(),
        renamed: HashMap::new(),
    };
    files.refuse_model(path)?;
    let mut losses = exporter.write(&exported, &within_limits(exporter, options), &mut files)?;
    losses.extend(omissions(scene, exporter));
    if writes_game_textures(exporter, options) {
        add_textures(scene, &mut files, &mut losses)?;
    }
    let (main, others) = (files.main.hold()?, files.companions.len());
    files.companions.into_iter().try_for_each(PendingFile::finish)?;
    main.finish()?;
    Ok((losses, others))
}

/// Whether the images of a glTF are written at the shader paths of a game.
fn writes_game_textures(exporter: &Exporter, options: &ExportOptions) -> bool {
    exporter.format().is_some() && options.textures == TexturePlacement::External
}

/// Adds the textures inside the models of a scene to the companion files, unless their files exist.
fn add_textures(scene: &Scene, files: &mut Files<'_>, losses: &mut Losses) -> Result<(), ExportError> {
    let opener = Opener::new(Vec::new(), ImageLoading::Decode);
    let mut written: Vec<(PathBuf, Rc<Vec<u8>>)> = Vec::new();
    let shown = scene.entities().iter().filter(|entity| scene.shows(entity)).enumerate();
    for (part, entity) in shown.filter(|(_, entity)| entity.model().format().traits().has_textures) {
        let Some(file) = &entity.asset.file else { continue };
        let renamed = files.renamed.get(&part).cloned().unwrap_or_default();
        // A scene does not keep the encoded images.
        let textures = opener
            .load(file)
            .and_then(|loaded| GameTextures::new(&opener, file, &loaded.model, &files.path, &renamed))
            .map_err(|error| ExportError::Unfit(error.reason()))?;
        losses.extend(textures.notes);
        let is_new = |path: &Path| !is_taken(path) && !written.iter().any(|(known, _)| known == path);
        let (new, known): (Vec<_>, Vec<_>) = textures.files.into_iter().partition(|(path, _)| is_new(path));
        // Messages show the first loss.
        let kept = known.iter().map(|(path, _)| format!("{} already exists and was not replaced", path.display()));
        losses.splice(0..0, kept);
        written.extend(new);
    }
    create_folders(&written).map_err(|(_, error)| error)?;
    let contents = written.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()));
    let held = hold_together(contents).map_err(|(_, error)| error)?;
    files.companions.extend(held.into_iter().map(|(_, file)| file));
    Ok(())
}

/// Returns the size of an export in bytes, and the data it loses. Fails like [`export_scene`], but writes nothing.
pub fn measured_export(
    scene: &Scene,
    exporter: &Exporter,
    motion: &ExportedMotion,
    options: &ExportOptions,
) -> Result<(u64, Losses), ExportError> {
    let exported = export_subject(scene, exporter, motion)?;
    let mut files = ByteCounter::default();
    let mut losses = exporter.write(&exported, &within_limits(exporter, options), &mut files)?;
    losses.extend(omissions(scene, exporter));
    Ok((files.0, losses))
}

/// Reports levels of detail, skins, and images of sprites and skins that a scene (glTF) leaves out.
fn omissions(scene: &Scene, exporter: &Exporter) -> Vec<String> {
    let omissions = match exporter.content {
        ExportContent::Scene => &OMISSIONS[..],
        ExportContent::Model(_) if exporter.format().is_some() => &[SKIN_FILES],
        _ => return Vec::new(),
    };
    let sentence = |(what, is_meant): &Omission| {
        let shown = scene.entities().iter().filter(|entity| scene.shows(entity) && is_meant(entity));
        let names: Vec<&str> = shown.map(|entity| entity.asset.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
    };
    omissions.iter().filter_map(sentence).collect()
}

/// Message about data that is left out, and the test whether an entity has such data.
type Omission = (&'static str, fn(&Entity) -> bool);

/// A game format does not contain the materials of a `.skin` file.
const SKIN_FILES: Omission = (".skin files are not copied", |entity| {
    entity.asset.skins.iter().any(|skin| matches!(skin.source, SkinSource::SkinFile(_)))
});

const OMISSIONS: [Omission; 4] = [
    ("only one LOD is exported", |entity| entity.model().lod_count() > 1),
    ("sprites do not turn to the camera and show one image", |entity| entity.model().data().sprite.is_some()),
    ("only the first image of animated skins is exported", |entity| {
        let model = entity.model();
        model.data().sprite.is_none() && model.embedded_skins().iter().any(|skin| skin.images.len() > 1)
    }),
    ("only the selected skin is exported", |entity| {
        entity.asset.skins.len() > 1 && entity.asset.own_skins().is_empty()
    }),
];

fn within_limits(exporter: &Exporter, options: &ExportOptions) -> ExportOptions {
    let limits = exporter.format().map_or(options.limits, |format| Profile::for_format(format).surface_limits(format));
    ExportOptions { limits, ..*options }
}

#[derive(Default)]
struct ByteCounter(u64);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ExportFiles for ByteCounter {
    fn main(&mut self) -> &mut dyn Write {
        self
    }

    fn companion_name(&self, ending: &str) -> String {
        format!("model{ending}")
    }

    fn write_companion(&mut self, _: &str, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }
}

/// Returns the path in the game of a model file, without extension: what begins at the last folder `models`, in which
/// the games have their models. Elsewhere, it is the stem.
pub fn game_path(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).with_extension("");
    let parts: Vec<_> = whole.iter().map(|part| part.to_string_lossy()).collect();
    let (stem, folders) =
        parts.split_last().map_or((Cow::default(), &[][..]), |(stem, folders)| (stem.clone(), folders));
    let models = folders.iter().rposition(|part| part.eq_ignore_ascii_case("models"));
    models.and_then(|first| parts.get(first..)).map_or_else(|| stem.into_owned(), |parts| parts.join("/"))
}

struct Files<'a> {
    models: HashSet<PathBuf>,
    replaces: bool,
    is_own: &'a dyn Fn(&Path) -> bool,
    main: AtomicFile,
    path: PathBuf,
    companions: Vec<PendingFile>,
    /// Names of `companions`.
    names: HashSet<String>,
    /// Shader paths of renamed materials, by part.
    renamed: HashMap<usize, HashMap<String, String>>,
}

impl Files<'_> {
    fn refuse_model(&self, path: &Path) -> io::Result<()> {
        if path.canonicalize().is_ok_and(|resolved| self.models.contains(&resolved)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let message = format!("{name} is the exported model itself; choose another folder or name");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        Ok(())
    }
}

impl ExportFiles for Files<'_> {
    fn main(&mut self) -> &mut dyn Write {
        &mut self.main
    }

    fn companion_name(&self, ending: &str) -> String {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        format!("{stem}{ending}")
    }

    fn game_path(&self) -> String {
        game_path(&self.path)
    }

    fn materials_renamed(&mut self, part: usize, renamed: HashMap<String, String>) {
        self.renamed.insert(part, renamed);
    }

    fn is_there(&self, name: &str) -> bool {
        is_taken(&self.path.with_file_name(name))
    }

    fn write_companion(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.with_file_name(name);
        self.refuse_model(&path)?;
        if !self.replaces && is_taken(&path) && !(self.is_own)(&path) {
            let message = format!("companion file {name} already exists; remove it or choose another name");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        if !self.names.insert(name.to_owned()) {
            return Err(io::Error::other(format!("the export would write {name} twice")));
        }
        // The caller explains other errors, which concern the folder, without the name.
        let concerns_file = |kind: ErrorKind| {
            matches!(kind, ErrorKind::InvalidFilename | ErrorKind::IsADirectory | ErrorKind::PermissionDenied)
        };
        let with_name = |error: io::Error| match error.kind() {
            kind if concerns_file(kind) => io::Error::other(format!("{name}: {}", system_reason(&error))),
            _ => error,
        };
        let write = || {
            let mut file = AtomicFile::create(&path)?;
            file.write_all(bytes)?;
            file.hold()
        };
        self.companions.push(write().map_err(with_name)?);
        Ok(())
    }
}

fn export_subject<'a>(
    scene: &'a Scene,
    exporter: &Exporter,
    motion: &ExportedMotion,
) -> Result<ExportScene<'a>, ExportError> {
    if exporter.format().is_some() && matches!(motion, ExportedMotion::Named(_)) {
        let label = exporter.label;
        return Err(ExportError::Unfit(format!(
            "{label} is written with all clips; maquette convert --animation CLIP writes one"
        )));
    }
    let shown: Vec<&Entity> = scene.entities().iter().filter(|entity| scene.shows(entity)).collect();
    let numbers: HashMap<EntityId, usize> =
        shown.iter().enumerate().map(|(index, entity)| (entity.id, index)).collect();
    let whole = scene.entities().len() > 1;
    let mut exported = ExportMaterials::default();
    let stores_image = |model| exporter.format().is_some_and(|format| takes_skin_image(model, format));
    let parts = shown.iter().map(|entity| {
        let parent = entity.attachment.as_ref().and_then(|to| scene.entity(to.to));
        let sampling = entity.sampling(parent, scene.bones);
        let surfaces = entity.model().surfaces();
        // On a character, a skin can hide surfaces. A single model is exported with all surfaces.
        let drawn: Vec<bool> = (0..surfaces.len()).map(|surface| !whole || entity.draws(surface)).collect();
        let skins = entity.asset.own_skins();
        let mut names = UniqueNames::default();
        let variants = skins.iter().filter(|_| exporter.content == ExportContent::Scene).map(|skin| {
            let materials = skin.materials.iter().zip(surfaces).enumerate();
            let add = |(index, (material, surface)): (usize, (&SurfaceMaterial, &Surface))| {
                exported.add(material, &entity.surface_name(index), &stored_names(entity, material, surface))
            };
            // Skins in different folders may have one file name.
            (names.claim(skin.name.clone(), str::to_owned, " "), materials.map(add).collect())
        });
        let variants: Vec<(String, Vec<usize>)> = variants.collect();
        // A shader has a script, and an image that was found may have another path than its name.
        let shown_path = |material: &SurfaceMaterial| {
            let is_image = !material.hidden && material.script.is_none() && !material.path.is_empty();
            match (is_image, material.hidden && material.name.is_empty()) {
                (true, _) => material.path.clone(),
                // A skin hides a surface with this shader, or without a path.
                (false, true) => "nodraw".to_owned(),
                (false, false) => material.name.clone(),
            }
        };
        let materials = entity.materials().iter().zip(surfaces).enumerate();
        let add = |(index, (material, surface)): (usize, (_, &Surface))| {
            let is_written = drawn.get(index).copied().unwrap_or(true) && surface.lod == entity.lod;
            (exporter.content == ExportContent::Scene && is_written)
                .then(|| exported.add(material, &entity.surface_name(index), &stored_names(entity, material, surface)))
        };
        let skins = entity.asset.skin_materials(entity.materials());
        let (skin, skin_images) = converted_skins(&skins, None, stores_image(entity.model()));
        ExportPart {
            model: entity.model(),
            pose: &entity.pose,
            blend: sampling.blend,
            torso: sampling.torso,
            world_from_model: entity.world_from_model,
            group: whole.then(|| entity.role.key()),
            name: name_of(entity),
            lod: entity.lod,
            attached: attached(scene, entity, &numbers),
            materials: materials.map(add).collect(),
            shown_paths: entity.materials().iter().map(shown_path).collect(),
            skin: Some(skin),
            skin_images,
            variants,
            drawn,
        }
    });
    let parts: Vec<ExportPart<'a>> = parts.collect();
    let animations = match exporter.content {
        ExportContent::Pose => Vec::new(),
        ExportContent::Scene | ExportContent::Model(_) => animations(&shown, &numbers, motion)?,
    };
    Ok(ExportScene { name: String::new(), parts, animations, materials: exported.materials, images: exported.images })
}

/// Returns the names in the model's file of a material: those of its surface, or the one of its skin.
fn stored_names<'a>(entity: &'a Entity, material: &'a SurfaceMaterial, surface: &'a Surface) -> Cow<'a, [String]> {
    let is_varied = !entity.model().data().variants.is_empty();
    if entity.asset.own_skins().is_empty() || is_varied && surface.materials.contains(&material.name) {
        return Cow::Borrowed(&surface.materials);
    }
    if is_varied {
        return Cow::Owned(vec![material.name.clone()]);
    }
    let stem = |path: &str| {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_lowercase()
    };
    let mut names = entity.model().skins().iter();
    let own = names.clone().find(|name| **name == material.name && stem(name) == stem(&material.path));
    let own = own.or_else(|| names.find(|name| stem(name) == stem(&material.path)));
    let fallback = if material.path.is_empty() || !entity.model().embedded_skins().is_empty() {
        &material.name
    } else {
        &material.path
    };
    Cow::Owned(vec![own.unwrap_or(fallback).clone()])
}

fn name_of(entity: &Entity) -> &str {
    let name = entity.asset.name.as_str();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn attached(scene: &Scene, entity: &Entity, numbers: &HashMap<EntityId, usize>) -> Option<ExportParent> {
    let attachment = entity.attachment.as_ref()?;
    let (to, holder) = (*numbers.get(&attachment.to)?, scene.entity(attachment.to)?);
    let parent = holder.model();
    let at = match &attachment.anchor {
        Anchor::Origin => ExportAnchor::Origin,
        Anchor::Tag(name) => ExportAnchor::Tag(parent.tags().iter().position(|tag| tag.eq_ignore_ascii_case(name))?),
        Anchor::Joint(name) => {
            ExportAnchor::Joint(parent.joints().iter().position(|joint| joint.name.eq_ignore_ascii_case(name))?)
        }
    };
    let anchor = holder.anchor_transform(&attachment.anchor).unwrap_or(Affine3A::IDENTITY);
    let offset = (holder.world_from_model * anchor).inverse().transform_vector3(entity.offset);
    Some(ExportParent { to, at, offset: if entity.offset == Vec3::ZERO { Vec3::ZERO } else { offset } })
}

fn clips(entity: &Entity) -> Vec<Clip> {
    let model = entity.model();
    let own = entity.playback.clips(model).iter().filter(|clip| clip.source != ClipSource::BindPose);
    let mut clips: Vec<Clip> = own.cloned().collect();
    if clips.is_empty() && model.frames().len() > 1 && model.clips().is_empty() {
        let mut playback = entity.playback.clone();
        playback.choice = maquette_scene::scene::ClipChoice::AllFrames;
        return vec![playback.clip(model)];
    }
    if !clips.is_empty() {
        clips.extend(unlisted(model, &clips));
    }
    clips
}

/// Returns a clip for each range of frames that no clip contains, so that an export keeps them.
fn unlisted(model: &Model, clips: &[Clip]) -> Vec<Clip> {
    let bind_pose = model.clips().iter().filter(|clip| clip.source == ClipSource::BindPose);
    let mut ranges: Vec<(u32, u32)> = clips.iter().chain(bind_pose).map(|clip| (clip.first, clip.end())).collect();
    ranges.sort_unstable();
    let frames = u32_or_max(model.frames().len());
    let mut next = 0;
    let mut unlisted = Vec::new();
    for (first, end) in ranges.into_iter().chain([(frames, frames)]) {
        if first > next {
            let last = first - 1;
            let name = if next == last { format!("frame {next}") } else { format!("frames {next}-{last}") };
            unlisted.push(Clip {
                loop_frames: 0,
                ..Clip::new(name, next, first - next, USUAL_RATE, ClipSource::AllFrames)
            });
        }
        next = next.max(end);
    }
    unlisted
}

fn animations(
    shown: &[&Entity],
    numbers: &HashMap<EntityId, usize>,
    motion: &ExportedMotion,
) -> Result<Vec<Animation>, ExportError> {
    let names = match motion {
        ExportedMotion::CurrentFrame => return Ok(Vec::new()),
        ExportedMotion::All | ExportedMotion::Current => None,
        ExportedMotion::Named(names) => Some(names.as_slice()),
    };
    let with_role = |role: Role| shown.iter().position(|entity| entity.role == role && entity.has_track());
    let legs_and_torso = with_role(Role::Legs).zip(with_role(Role::Torso));
    let mut chosen = ChosenClips { names, shown, animations: Vec::new(), available: Vec::new(), keys: 0 };
    match legs_and_torso {
        Some((legs, torso)) => add_combined_clips(&mut chosen, legs, torso, *motion == ExportedMotion::Current)?,
        None => {
            for (index, entity) in shown.iter().enumerate().filter(|(_, entity)| entity.has_track()) {
                // Parts that move independently get separate animations.
                let current = || vec![entity.clip()].into_iter().filter(|clip| clip.source != ClipSource::BindPose);
                let clips = if *motion == ExportedMotion::Current { current().collect() } else { clips(entity) };
                for clip in clips {
                    chosen.add(vec![clip.name.clone()], || {
                        animation(entity.model(), &clip, vec![Track::new(index, &clip, rate_of(&clip))])
                    })?;
                }
            }
        }
    }
    let mut animations = chosen.into_animations()?;
    for animation in &mut animations {
        add_following_tracks(animation, shown, numbers);
    }
    Ok(animations)
}

struct ChosenClips<'a> {
    names: Option<&'a [String]>,
    shown: &'a [&'a Entity],
    animations: Vec<Animation>,
    available: Vec<Vec<String>>,
    keys: usize,
}

/// Maximum number of exported keys, or four keys per joint and tag in each stored frame if that is more. Larger exports
/// fail; they are possible because clips may share frames.
const MAX_EXPORTED_KEYS: usize = 1 << 24;

impl ChosenClips<'_> {
    fn add(&mut self, own_names: Vec<String>, make: impl FnOnce() -> Animation) -> Result<(), ExportError> {
        let is_wanted = |names: &[String]| names.iter().any(|name| is_called(&own_names, name));
        let wanted = self.names.is_none_or(is_wanted);
        self.available.push(own_names);
        if !wanted {
            return Ok(());
        }
        let animation = make();
        let nodes_of = |model: &Model| model.joints().len() + model.tags().len() + 1;
        let nodes = |model: &Model| nodes_of(model) + model.surfaces().len();
        let models = || animation.tracks.iter().filter_map(|track| Some((track, self.shown.get(track.part)?.model())));
        self.keys =
            models().fold(self.keys, |keys, (track, model)| keys.saturating_add(track.keys.len() * nodes(model)));
        let frames: usize =
            self.shown.iter().map(|entity| entity.model().frames().len() * nodes_of(entity.model())).sum();
        if self.keys > MAX_EXPORTED_KEYS.max(frames.saturating_mul(4)) {
            return Err(ExportError::Unfit(
                "the animations have too many frames in total; export fewer animations".to_owned(),
            ));
        }
        self.animations.push(animation);
        Ok(())
    }

    fn into_animations(self) -> Result<Vec<Animation>, ExportError> {
        let is_missing = |name: &&String| !self.available.iter().any(|own| is_called(own, name));
        if let Some(missing) = self.names.unwrap_or_default().iter().find(is_missing) {
            let known: Vec<&str> = self.available.iter().filter_map(|own| own.first()).map(String::as_str).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(ExportError::Unfit(format!("unknown clip {missing}; available: {known}")));
        }
        Ok(self.animations)
    }
}

fn is_called(own: &[String], name: &str) -> bool {
    own.iter().any(|own| own.eq_ignore_ascii_case(name))
}

fn animation(model: &Model, clip: &Clip, tracks: Vec<Track>) -> Animation {
    let counts_within = model.frame_numbering() == FrameNumbering::PerClip;
    let first = if counts_within { 0 } else { clip.first };
    Animation { first, ..Animation::new(clip, rate_of(clip), tracks) }
}

fn rate_of(clip: &Clip) -> f32 {
    if clip.frames_per_second > 0.0 { clip.frames_per_second } else { USUAL_RATE }
}

/// Combines clips that exist in only one half with the current clip of the other half. They keep their names.
fn add_combined_clips(
    chosen: &mut ChosenClips,
    legs: usize,
    torso: usize,
    only_current: bool,
) -> Result<(), ExportError> {
    let shown = chosen.shown;
    let (Some(lower), Some(upper)) = (shown.get(legs), shown.get(torso)) else { return Ok(()) };
    let (leg_clips, torso_clips) = (clips(lower), clips(upper));
    let named = |clips: &[Clip], name: &str| clips.iter().find(|clip| clip.name.eq_ignore_ascii_case(name)).cloned();
    // `lead` has the frames of the animation, which lasts as long as this clip.
    let mut add = |leg: &Clip, torso_clip: &Clip, lead: (&Model, &Clip), own_names: Vec<String>| {
        let name = own_names.first().cloned().unwrap_or_default();
        chosen.add(own_names, || {
            let tracks = vec![Track::new(legs, leg, rate_of(leg)), Track::new(torso, torso_clip, rate_of(torso_clip))];
            let length = Track::new(0, lead.1, rate_of(lead.1)).length();
            Animation { name, ..animation(lead.0, lead.1, fit_to_length(tracks, [leg, torso_clip], length)) }
        })
    };
    let (current_legs, current_torso) = (lower.clip(), upper.clip());
    if only_current {
        let (leg, torso_clip) = (&current_legs, &current_torso);
        let own_names = vec![pair_name(&leg.name, &torso_clip.name), leg.name.clone(), torso_clip.name.clone()];
        let length = |clip: &Clip| f64::from(clip.count) / f64::from(rate_of(clip));
        let is_torso_longer = length(torso_clip) > length(leg);
        let lead = if is_torso_longer { (upper.model(), torso_clip) } else { (lower.model(), leg) };
        return add(leg, torso_clip, lead, own_names);
    }
    for clip in &leg_clips {
        let torso_clip = named(&torso_clips, &clip.name).unwrap_or_else(|| current_torso.clone());
        add(clip, &torso_clip, (lower.model(), clip), vec![clip.name.clone()])?;
    }
    for clip in torso_clips.iter().filter(|clip| named(&leg_clips, &clip.name).is_none()) {
        add(&current_legs, clip, (upper.model(), clip), vec![clip.name.clone()])?;
    }
    Ok(())
}

/// Repeats looping tracks up to a time in seconds, and ends all there.
fn fit_to_length(mut tracks: Vec<Track>, clips: [&Clip; 2], length: f32) -> Vec<Track> {
    for (track, clip) in tracks.iter_mut().zip(clips) {
        let length_once = track.length();
        track.keys.retain(|key| key.time < length + 1e-4);
        if !clip.loops() || length_once <= 0.0 {
            continue;
        }
        let once = track.keys.clone();
        let mut start = length_once;
        // The tolerance prevents an additional repetition due to rounding errors.
        while start < length - 1e-4 && track.keys.len() < MAX_TRACK_KEYS {
            // The last key of a repetition is the first key of the next one.
            let next = once.iter().skip(1).map(|key| maquette_core::export::Key { time: key.time + start, ..*key });
            track.keys.extend(next.take_while(|key| key.time < length + 1e-4));
            start += length_once;
        }
    }
    tracks
}

const MAX_TRACK_KEYS: usize = 1 << 16;

fn add_following_tracks(animation: &mut Animation, shown: &[&Entity], numbers: &HashMap<EntityId, usize>) {
    for (index, entity) in shown.iter().enumerate().filter(|(_, entity)| entity.follows_parent) {
        let parent = entity.attachment.as_ref().and_then(|attachment| numbers.get(&attachment.to)).copied();
        let track = animation.tracks.iter().find(|track| Some(track.part) == parent);
        if let Some(followed) = track.map(|track| track.followed_by(index, |frame| entity.frame_with(frame))) {
            animation.tracks.push(followed);
        }
    }
}
