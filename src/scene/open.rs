//! From one path to a model and everything that belongs to it: levels of detail and animations beside it, its pictures.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::figure::{Plan, extras_of, plan_of_folder, plan_of_part};
use super::{Anchor, Cast, Figure, Member, Part, Role, Skin};
use crate::error::{LoadError, Reason, Warning, Warnings};
use crate::formats::animation_cfg::{AnimationConfig, BodyPart};
use crate::formats::{self, doom_def};
use crate::material::{Depth, Finder, Picture, SkinFile, Step, SurfaceLook};
use crate::model::{Format, Model};
use crate::vfs::{Library, Place, ReadError, Vfs, folder_of, name_of, normalise, split_extension};

/// Folders searched below an MD5 mesh for its animations.
const ANIMATION_DEPTH: usize = 3;
/// Animations loaded at most for one mesh.
const MOST_ANIMATIONS: usize = 512;

/// Why a file was not opened.
#[derive(Debug)]
pub struct OpenError {
    /// The file, as it was asked for.
    pub path: PathBuf,
    /// What went wrong.
    pub cause: OpenCause,
}

/// What went wrong with a file.
#[derive(Debug)]
pub enum OpenCause {
    /// It could not be read.
    Read(ReadError),
    /// It could be read, but not understood.
    Load(Box<LoadError>),
    /// A folder or an archive without a model in it.
    NoModel,
    /// Nothing there makes up a figure.
    NoFigure,
    /// An animation for joints, and a model (its name) without them.
    NoSkeleton(String),
    /// A skin that names no surface of the model (its name).
    NoSurface(String),
    /// A picture that could not be decoded.
    Picture(String),
}

impl OpenCause {
    /// What went wrong, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Read(ReadError::NotFound(_)) => "there is no such file".to_owned(),
            Self::Read(error) => error.to_string(),
            Self::Load(error) => error.to_string(),
            Self::NoModel => "there is no model in it".to_owned(),
            Self::NoFigure => "it is no part of a figure: lower, upper and head, or a Quake II player".to_owned(),
            Self::NoSkeleton(model) => format!("an .md5anim moves an MD5, and {model} is none"),
            Self::NoSurface(model) => format!("it names no surface of {model}"),
            Self::Picture(error) => error.clone(),
        }
    }
}

impl OpenError {
    /// File name for a headline.
    #[must_use]
    pub fn name(&self) -> String {
        self.path
            .file_name()
            .map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// What went wrong, in a sentence, without the path.
    #[must_use]
    pub fn reason(&self) -> String {
        self.cause.sentence()
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason())
    }
}

impl std::error::Error for OpenError {}

/// Opens a model file with everything beside it.
pub fn open(path: &Path) -> Result<Part, OpenError> {
    Opener::new(Vec::new(), Depth::Decoded).part(path)
}

/// Opens a model file for its numbers: pictures are looked for, so that missing ones are told, but not decoded.
pub fn open_without_pictures(path: &Path) -> Result<Part, OpenError> {
    Opener::new(Vec::new(), Depth::Found).part(path)
}

/// Opens models, alone or as figures, from folders and archives.
#[derive(Debug)]
pub struct Opener {
    library: Library,
    depth: Depth,
}

impl Opener {
    /// An opener that searches `roots` (folders or archives, later ones first) before a model's own game, and looks into
    /// pictures as `depth` says.
    #[must_use]
    pub fn new(roots: Vec<PathBuf>, depth: Depth) -> Self {
        Self { library: Library::new(roots), depth }
    }

    /// The files it opens from.
    #[must_use]
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Exactly the model at `path`, with everything beside it.
    pub fn part(&self, path: &Path) -> Result<Part, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let bytes = self.library.read(path).map_err(|error| fail(OpenCause::Read(error)))?;
        let (vfs, game_path) = self.library.around(path).map_err(|error| fail(OpenCause::Read(error)))?;
        let part = open_in(&vfs, &game_path, &bytes, self.depth);
        let mut part = part.map_err(|error| fail(OpenCause::Load(Box::new(error))))?;
        part.file = Some(path.to_path_buf());
        Ok(part)
    }

    /// What is meant by `path`: the whole figure where it is a figure's folder or one of the parts that stand for it,
    /// else exactly that model.
    pub fn cast(&self, path: &Path) -> Result<Cast, OpenError> {
        match self.figure(path) {
            Err(OpenError { cause: OpenCause::NoFigure, .. }) => self.part(path).map(Cast::from),
            Err(error) if matches!(error.cause, OpenCause::Load(_)) => {
                // Where the figure is broken, a sound part of it is shown by itself.
                let mut part = self.part(path)?;
                part.warnings.push(Warning { about: "figure".to_owned(), message: error.to_string() });
                Ok(Cast::from(part))
            }
            result => result,
        }
    }

    /// The whole figure that `path` is the folder or a part of.
    pub fn figure(&self, path: &Path) -> Result<Cast, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let read = |error| fail(OpenCause::Read(error));
        let place = self.library.locate(path).map_err(read)?;
        let (vfs, game_path) = self.library.around(path).map_err(read)?;
        let plan = match place {
            Place::File(_) | Place::FileInArchive { .. } => plan_of_part(&vfs, &game_path),
            Place::Folder(_) | Place::FolderInArchive { .. } => plan_of_folder(&vfs, &game_path, ""),
            Place::Archive(_) => None,
        };
        let plan = plan.ok_or_else(|| fail(OpenCause::NoFigure))?;
        let cast = assemble(&vfs, &plan, self.depth).map_err(|(part, cause)| OpenError {
            path: vfs.place_of(&part).unwrap_or_else(|| PathBuf::from(part)),
            cause,
        });
        let mut cast = cast?;
        // What was asked for keeps the name it was asked by.
        for member in cast.members.iter_mut().filter(|member| member.part.game_path.eq_ignore_ascii_case(&game_path)) {
            member.part.file = Some(path.to_path_buf());
        }
        Ok(cast)
    }

    /// A model that is to be hung on another, with what it brings: a weapon has a barrel and a flash.
    pub fn attachment(&self, path: &Path) -> Result<Vec<Member>, OpenError> {
        let part = self.part(path)?;
        let read = |error| OpenError { path: path.to_path_buf(), cause: OpenCause::Read(error) };
        let (vfs, game_path) = self.library.around(path).map_err(read)?;
        let mut members = vec![Member::new(part, Role::Attached)];
        add_extras(&vfs, &game_path, self.depth, &mut members);
        Ok(members)
    }

    /// `part` with the `.md5anim` at `path` added to its clips, joints matched by name.
    pub fn with_animation(&self, part: &Part, path: &Path) -> Result<Part, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let broken = |error: LoadError| fail(OpenCause::Load(Box::new(error)));
        let bytes = self.library.read(path).map_err(|error| fail(OpenCause::Read(error)))?;
        if part.model.format != Format::Md5 {
            return Err(fail(OpenCause::NoSkeleton(part.name.clone())));
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = split_extension(&file).0.to_owned();
        let mut own = Warnings::default();
        let mut model = Model::clone(&part.model);
        let (clip, channels, frames) = formats::md5::load_animation(&bytes, &name, &model, &mut own).map_err(broken)?;
        model.add_track(clip, channels, frames).map_err(broken)?;
        let mut warnings = part.warnings.clone();
        warnings
            .extend(own.into_vec().iter().map(|warning| Warning { about: file.clone(), message: warning.to_string() }));
        Ok(Part { model: Arc::new(model), warnings, ..part.clone() })
    }

    /// A picture file, decoded, as a look to try on.
    pub fn picture(&self, path: &Path) -> Result<SurfaceLook, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let bytes = self.library.read(path).map_err(|error| fail(OpenCause::Read(error)))?;
        let name = path.display().to_string();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let picture = Picture::decode(&bytes, &file).map_err(|error| fail(OpenCause::Picture(error.to_string())))?;
        let trail = vec![Step { what: "Tried on".to_owned(), tried: vec![name.clone()], found: Some(name.clone()) }];
        let look = SurfaceLook::missing(&file);
        Ok(SurfaceLook { picture: Some(Arc::new(picture)), path: name, trail: trail.into(), ..look })
    }

    /// `part` with the skin in the `.skin` file at `path` put after its own.
    pub fn with_skin(&self, part: &Part, path: &Path) -> Result<Part, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let bytes = self.library.read(path).map_err(|error| fail(OpenCause::Read(error)))?;
        // Its pictures lie in the model's game, or in its own.
        let (own_world, _) = self.library.around(path).map_err(|error| fail(OpenCause::Read(error)))?;
        let world = part.file.as_ref().and_then(|file| self.library.around(file).ok()).map(|(world, _)| world);
        let plain = part.skins.last().map_or_else(Arc::default, |skin| Arc::clone(&skin.looks));
        let read = SkinFile::parse(&bytes);
        let matches = part.model.surfaces.iter().any(|surface| read.path_of(&surface.name).is_some());
        if !matches {
            return Err(fail(OpenCause::NoSurface(part.name.clone())));
        }
        let dress = |vfs: &Vfs| Finder::new(vfs, &part.game_path, self.depth).dressed(&part.model, &plain, &read);
        let found = |looks: &[SurfaceLook]| looks.iter().filter(|look| look.picture.is_some()).count();
        let mut looks = dress(&own_world);
        if let Some(world) = world {
            let others = dress(&world);
            if found(&others) > found(&looks) {
                looks = others;
            }
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut part = part.clone();
        part.skins.retain(|skin| skin.name != name);
        part.skins.push(Skin { name, looks: looks.into(), accessories: read.accessories, scale: read.scale });
        Ok(part)
    }
}

/// Opens a model of the world, by its game path.
fn open_there(vfs: &Vfs, game_path: &str, depth: Depth) -> Result<Part, OpenCause> {
    let bytes = vfs.read(game_path).map_err(OpenCause::Read)?;
    let mut part = open_in(vfs, game_path, &bytes, depth).map_err(|error| OpenCause::Load(Box::new(error)))?;
    part.file = vfs.place_of(game_path);
    Ok(part)
}

/// Opens the parts of a figure and hangs them on each other. An error names the part that must not be missing.
fn assemble(vfs: &Vfs, plan: &Plan, depth: Depth) -> Result<Cast, (String, OpenCause)> {
    let open = |path: &String| open_there(vfs, path, depth).map_err(|cause| (path.clone(), cause));
    let mut members = match plan {
        Plan::ThreeParts { lower, upper, .. } => vec![
            Member::new(open(lower)?, Role::Legs),
            Member::new(open(upper)?, Role::Torso).on(0, Anchor::Tag("tag_torso".to_owned())),
        ],
        Plan::Quake2 { body, .. } => vec![Member::new(open(body)?, Role::Body)],
    };
    let first = match plan {
        Plan::ThreeParts { head, lower, .. } => {
            match head.as_ref().map(open) {
                Some(Ok(head)) => {
                    members.push(Member::new(head, Role::Head).on(1, Anchor::Tag("tag_head".to_owned())));
                }
                Some(Err((path, cause))) => warn(&mut members, &path, &cause),
                None => {}
            }
            lower
        }
        Plan::Quake2 { body, .. } => body,
    };
    if let Some(weapon) = plan.weapons().first() {
        let start = members.len();
        match open(weapon) {
            Ok(part) => {
                let member = Member::new(part, Role::Weapon);
                members.push(match plan {
                    Plan::ThreeParts { .. } => member.on(1, Anchor::Tag("tag_weapon".to_owned())),
                    Plan::Quake2 { .. } => Member { in_step: true, ..member.on(0, Anchor::Origin) },
                });
                let mut extras = members.split_off(start);
                add_extras(vfs, weapon, depth, &mut extras);
                members.extend(extras.into_iter().enumerate().map(|(index, mut member)| {
                    if let (true, Some((carrier, _))) = (index > 0, &mut member.carrier) {
                        *carrier += start;
                    }
                    member
                }));
            }
            Err((path, cause)) => warn(&mut members, &path, &cause),
        }
    }
    add_accessories(vfs, depth, &mut members);
    tell_missing_tags(&mut members);
    let folder = folder_of(first);
    let weapons = plan.weapons().iter().filter_map(|weapon| vfs.place_of(weapon)).collect();
    let figure = Figure { name: name_of(folder).to_owned(), place: vfs.place_of(folder), weapons };
    Ok(Cast { figure: Some(figure), members })
}

fn warn(members: &mut [Member], path: &str, cause: &OpenCause) {
    if let Some(first) = members.first_mut() {
        let message = format!("it is left out: {}", cause.sentence());
        first.part.warnings.push(Warning { about: name_of(path).to_owned(), message });
    }
}

/// Barrel and flash of the weapon that is the first of `members`; carriers count from it.
fn add_extras(vfs: &Vfs, weapon: &str, depth: Depth, members: &mut Vec<Member>) {
    let extras = extras_of(vfs, weapon).into_iter().zip([(Role::Barrel, "tag_barrel"), (Role::Flash, "tag_flash")]);
    for (path, (role, tag)) in extras {
        let Some(path) = path else { continue };
        match open_there(vfs, &path, depth) {
            Ok(part) => members.push(Member {
                // Seen for a moment when the weapon fires.
                hidden: role == Role::Flash,
                ..Member::new(part, role).on(0, Anchor::Tag(tag.to_owned()))
            }),
            Err(cause) => warn(members, &path, &cause),
        }
    }
}

/// Tags that a skin's accessories go to (iortcw cg_players.c); others go to the tag of their own name.
const ACCESSORY_TAGS: [(&str, &str); 6] = [
    ("hat", "tag_mouth"),
    ("belt", "tag_ubelt"),
    ("beltl", "tag_bleft"),
    ("beltr", "tag_bright"),
    ("back", "tag_back"),
    ("weapon2", "tag_weapon2"),
];
/// Accessories opened for one figure.
const MOST_ACCESSORIES: usize = 64;

/// The models that skins add to their wearers.
fn add_accessories(vfs: &Vfs, depth: Depth, members: &mut Vec<Member>) {
    let mut added = 0;
    for wearer in 0..members.len() {
        let Some(member) = members.get(wearer) else { continue };
        let skins = member.part.skins.iter().enumerate();
        let wanted: Vec<(usize, String, String)> = skins
            .flat_map(|(skin, worn)| {
                worn.accessories.iter().map(move |(slot, path)| (skin, slot.clone(), path.clone()))
            })
            .collect();
        for (skin, slot, path) in wanted {
            if added == MOST_ACCESSORIES {
                return;
            }
            added += 1;
            let known = ACCESSORY_TAGS.iter().find(|(name, _)| *name == slot).map(|(_, tag)| (*tag).to_owned());
            let names = [format!("tag_{slot}"), known.unwrap_or_default()];
            let tags = |member: &Member| {
                let has = |name: &&String| member.part.model.tags.iter().any(|tag| tag.eq_ignore_ascii_case(name));
                names.iter().find(has).cloned()
            };
            // On the wearer itself, else on whoever has the tag.
            let on = members.get(wearer).and_then(&tags).map(|tag| (wearer, tag));
            let on = on.or_else(|| {
                let mut others = members.iter().enumerate();
                others.find_map(|(index, member)| Some((index, tags(member)?)))
            });
            // The game takes .mdc and .md3 for each other.
            let stem = split_extension(&path).0;
            let found = std::iter::once(path.clone())
                .chain(["mdc", "md3", "mdr"].map(|kind| format!("{stem}.{kind}")))
                .find_map(|path| vfs.find(&path));
            let opened = match &found {
                Some(found) => open_there(vfs, found, depth),
                None => Err(OpenCause::Read(ReadError::NotFound(path.clone()))),
            };
            match opened {
                Ok(part) => {
                    let (carrier, anchor) = on.map_or((wearer, Anchor::Origin), |(to, tag)| (to, Anchor::Tag(tag)));
                    // Of a skin of another carrier there is nothing to compare with.
                    let worn_with = (carrier == wearer).then_some(skin);
                    let member = Member::new(part, Role::Accessory).on(carrier, anchor);
                    members.push(Member { worn_with, ..member });
                }
                Err(cause) => warn(members, &path, &cause),
            }
        }
    }
}

/// A part whose carrier lacks the tag stands at the carrier's origin; that is told.
fn tell_missing_tags(members: &mut [Member]) {
    let mut missing = Vec::new();
    for member in members.iter() {
        let Some((carrier, Anchor::Tag(tag))) = &member.carrier else { continue };
        let Some(carrier) = members.get(*carrier) else { continue };
        if !carrier.part.model.tags.iter().any(|name| name.eq_ignore_ascii_case(tag)) {
            let message = format!("there is no {tag}; {} stands at its origin", member.part.name);
            missing.push(Warning { about: carrier.part.name.clone(), message });
        }
    }
    if let Some(first) = members.first_mut() {
        first.part.warnings.extend(missing);
    }
}

/// Opens the bytes of the model at `game_path` with everything beside it in `vfs`.
pub fn open_in(vfs: &Vfs, game_path: &str, bytes: &[u8], depth: Depth) -> Result<Part, LoadError> {
    let (mut model, own_warnings) = formats::load(bytes)?;
    let mut warnings = Warnings::default();
    let (_, extension) = split_extension(game_path);
    let usual = formats::FORMATS.iter().find(|entry| entry.format == model.format).map_or("", |entry| entry.extension);
    if !extension.eq_ignore_ascii_case(usual) {
        let called =
            if extension.is_empty() { "has no extension".to_owned() } else { format!("is called .{extension}") };
        warnings.add(name_of(game_path), format!("it {called} but holds an {}", model.format.name().to_uppercase()));
    }
    warnings.append(own_warnings);
    match model.format {
        Format::Md3 | Format::Mdc => add_lods(vfs, game_path, &mut model, &mut warnings),
        Format::Md5 => add_animations(vfs, game_path, &mut model, &mut warnings),
        Format::Md2 | Format::Mdr => {}
    }
    if matches!(model.format, Format::Md3 | Format::Mdc | Format::Mdr) {
        add_clips(vfs, game_path, &mut model, &mut warnings);
    }
    let skins = find_skins(vfs, game_path, &model, depth, &mut warnings);
    for remark in vfs.remarks() {
        warnings.add("", remark);
    }
    Ok(Part {
        name: name_of(game_path).to_owned(),
        game_path: game_path.to_owned(),
        file: None,
        of_figure: plan_of_part(vfs, game_path).is_some(),
        model: Arc::new(model),
        skins,
        warnings: warnings.into_vec(),
    })
}

/// `<stem>_1` and `<stem>_2` beside a model are its coarser levels of detail.
fn add_lods(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    let (stem, extension) = split_extension(game_path);
    for lod in 1..=2_u32 {
        let Some(path) = vfs.find(&format!("{stem}_{lod}.{extension}")) else { continue };
        let about = |warning: &Warning| Warning { about: name_of(&path).to_owned(), message: warning.to_string() };
        let bytes = match vfs.read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                warnings.add(name_of(&path), format!("this level of detail was not read: {error}"));
                continue;
            }
        };
        match formats::load(&bytes) {
            Ok((coarser, own)) if coarser.format == model.format => {
                warnings.append(own.iter().map(about).collect());
                let (own, other) = (model.frames.len(), coarser.frames.len());
                if own != other {
                    warnings.add(name_of(&path), format!("this level of detail has {other} frames, the model {own}"));
                }
                let level = model.lod_count();
                model.add_lod(coarser, level);
            }
            Ok(_) => warnings.add(name_of(&path), "this level of detail has another format; left out"),
            Err(error) => warnings.add(name_of(&path), format!("this level of detail was not read: {error}")),
        }
    }
}

/// Files that name the clips of the models beside them.
const CLIP_FILES: [&str; 2] = ["animation.cfg", "wolfanim.cfg"];

/// Clips from the animation file beside a model, for the part of a body that its name says it is.
fn add_clips(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    let place = |name: &&str| vfs.find(&format!("{}/{name}", folder_of(game_path)));
    let Some(path) = CLIP_FILES.iter().find_map(place) else { return };
    let mut own = Warnings::default();
    match vfs.read(&path) {
        Ok(bytes) => {
            let config = AnimationConfig::parse(&bytes, &mut own);
            let part = BodyPart::of_stem(split_extension(name_of(game_path)).0);
            let frames = u32::try_from(model.frames.len()).unwrap_or(u32::MAX);
            let clips = config.clips(part, frames, &mut own);
            if !clips.is_empty() {
                model.set_clips(clips);
            } else if part == BodyPart::Head || frames == 1 {
                // Heads mostly stand still, and other models beside a player are not meant: nothing to tell.
                return;
            }
        }
        Err(error) => own.add("", format!("it was not read: {error}")),
    }
    let about = |warning: Warning| Warning { about: name_of(&path).to_owned(), message: warning.to_string() };
    warnings.append(own.into_vec().into_iter().map(about).collect());
}

/// Definitions read in search of a mesh's animations, in bytes.
const MOST_DEFINITIONS: usize = 64 << 20;

/// What the game's `def/*.def` files say of the animations of a mesh: their names, and where they lie.
fn declared_animations(vfs: &Vfs, game_path: &str) -> Vec<(String, String)> {
    let is_definition = |name: &String| split_extension(name).1.eq_ignore_ascii_case("def");
    let mut declarations = Vec::new();
    let mut read = 0;
    for name in vfs.files_in("def").into_iter().filter(is_definition) {
        let Ok(bytes) = vfs.read(&format!("def/{name}")) else { continue };
        read += bytes.len();
        if read > MOST_DEFINITIONS {
            break;
        }
        declarations.extend(doom_def::parse(&bytes, &mut Warnings::default()));
    }
    let animations = doom_def::animations_of(&declarations, game_path).unwrap_or_default();
    let numbered = animations.into_iter().flat_map(|(name, paths)| {
        let many = paths.len() > 1;
        paths
            .into_iter()
            .enumerate()
            .map(move |(index, path)| (if many { format!("{name} {}", index + 1) } else { name.clone() }, path))
    });
    numbered.collect()
}

/// The animations that the game declares for a mesh, and every `.md5anim` beside it or below it that has a joint in
/// common with it.
fn add_animations(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    let mut named = declared_animations(vfs, game_path);
    let declared = named.len();
    for path in animations_below(vfs, folder_of(game_path), ANIMATION_DEPTH) {
        let known = |(_, other): &(String, String)| normalise(other).is_some_and(|o| o.eq_ignore_ascii_case(&path));
        if !named.iter().any(known) {
            named.push((split_extension(name_of(&path)).0.to_owned(), path));
        }
    }
    if named.len() > MOST_ANIMATIONS {
        let count = named.len();
        warnings.add("animations", format!("there are {count}; the first {MOST_ANIMATIONS} are read"));
        named.truncate(MOST_ANIMATIONS);
    }
    let mut foreign = 0;
    for (index, (name, path)) in named.into_iter().enumerate() {
        let bytes = match vfs.read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let who = if index < declared { "declared in a .def: " } else { "" };
                warnings.add(name_of(&path), format!("{who}the animation could not be read: {error}"));
                continue;
            }
        };
        let mut own = Warnings::default();
        let added = formats::md5::load_animation(&bytes, &name, model, &mut own)
            .and_then(|(clip, channels, frames)| model.add_track(clip, channels, frames));
        let about = |warning: Warning| Warning { about: name_of(&path).to_owned(), message: warning.to_string() };
        match added {
            Ok(()) => warnings.append(own.into_vec().into_iter().map(about).collect()),
            Err(error) if error.reason == Reason::OtherModel => foreign += 1,
            Err(error) => warnings.add(name_of(&path), format!("the animation was not read: {error}")),
        }
    }
    if foreign > 0 {
        let are = if foreign == 1 {
            "1 animation beside it belongs"
        } else {
            &format!("{foreign} animations beside it belong")
        };
        warnings.add("animations", format!("{are} to other models"));
    }
}

/// Paths of the `.md5anim` files in a folder, then in the folders below it; sorted.
fn animations_below(vfs: &Vfs, folder: &str, depth: usize) -> Vec<String> {
    let join = |name: &String| if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
    let is_animation = |name: &String| split_extension(name).1.eq_ignore_ascii_case("md5anim");
    let mut paths: Vec<String> = vfs.files_in(folder).iter().filter(|name| is_animation(name)).map(join).collect();
    if depth > 0 {
        for below in vfs.folders_in(folder).iter().map(join) {
            if paths.len() > MOST_ANIMATIONS {
                break;
            }
            paths.extend(animations_below(vfs, &below, depth - 1));
        }
    }
    paths
}

/// The choices of pictures: one per skin of an MD2, one per `.skin` file beside an MD3, MDC or MDR, else the names in the
/// file alone.
fn find_skins(vfs: &Vfs, game_path: &str, model: &Model, depth: Depth, warnings: &mut Warnings) -> Vec<Skin> {
    let mut finder = Finder::new(vfs, game_path, depth);
    let mut by_names = Warnings::default();
    let looks: Arc<[SurfaceLook]> = finder.looks(model, &mut by_names).into();
    if model.format == Format::Md2 {
        warnings.append(by_names.into_vec());
        return md2_skins(&mut finder, model, &looks, warnings);
    }
    let files = finder.skin_files(model, &looks, warnings);
    let mut skins: Vec<Skin> = files
        .into_iter()
        .map(|(name, file, looks)| Skin { name, looks: looks.into(), accessories: file.accessories, scale: file.scale })
        .collect();
    if let Some(first) = skins.first() {
        Finder::tell_missing(model, &first.looks, warnings);
        if looks.iter().any(|look| look.picture.is_some()) {
            skins.push(Skin::plain("names in the file", looks));
        }
    } else {
        warnings.append(by_names.into_vec());
        skins.push(Skin::plain("default", looks));
    }
    skins
}

fn md2_skins(finder: &mut Finder, model: &Model, looks: &Arc<[SurfaceLook]>, warnings: &mut Warnings) -> Vec<Skin> {
    let chosen = looks.first().map_or("", |look| &look.path).to_owned();
    let name = if chosen.is_empty() { "default" } else { name_of(&chosen) };
    let first = Skin::plain(name, Arc::clone(looks));
    let others =
        finder.skins(model, warnings).into_iter().filter(|(path, _)| *path != chosen).map(|(path, picture)| {
            let wear = |look: &SurfaceLook| SurfaceLook {
                picture: Some(Arc::clone(&picture)),
                path: path.clone(),
                ..look.clone()
            };
            Skin::plain(name_of(&path), looks.iter().map(wear).collect())
        });
    std::iter::once(first).chain(others).collect()
}
