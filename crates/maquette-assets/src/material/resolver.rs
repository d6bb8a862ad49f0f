//! Search for the material of a name: a definition in a script, else an image.
//!
//! An image is searched for in this order, ignoring case and kind of slashes. Each path is tried with other extensions
//! too, and with the suffixes `_d` and `_diffuse` of Doom 3 and Unvanquished.
//!
//! 1. a name without a folder: in the game's folders for such images ([`crate::engines`]);
//! 2. the path, from the game root, then from each folder down to the model's;
//! 3. the compressed twin in the folder `dds` (Doom 3, Daemon, DarkPlaces);
//! 4. a path on the author's disk (`P:/Doom/base/models/…`): the part after the last game folder;
//! 5. the file name, in the model's folder.
//!
//! If no name leads to an image, an MD2 uses the images of its folder, other models a single candidate in it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::candidate_paths::{CandidatePaths, TWIN_STEP, spellings, stem};
use super::image_cache::ImageCache;
use super::image_program::{ImageProgram, TexelBudget};
use super::limits::Limits;
use super::script::{FoundDefinition, Kind, OverriddenDefinition, OverriddenScripts, Scripts, plain_name};
use super::stage::{Map, NormalSpecular};
use super::{DecodeError, Image, ImageQueue, InGame, Origin, SearchStep, Suggestion, SurfaceMaterial, TextureWrap};
use crate::engines::{Engine, KnownEngine, LMP};
use crate::limits::{
    MAX_COMPARED_NAMES, MAX_LOGGED_BYTES, MAX_MATERIAL_NAMES, MAX_PROGRAM_BYTES, MAX_PROGRAM_TEXELS, MAX_SEARCHED_BYTES,
};
use crate::vfs::{ReadLimit, Vfs, name_of, split_extension};
use maquette_core::budget::Budget;
use maquette_core::error::{WarningKind, Warnings, counted};
use maquette_core::formats::stand_in;
use maquette_core::limits::MAX_PATH_BYTES;
use maquette_core::model::{Format, ScriptOrder, Surface};

/// Extensions of images, in the order in which they are tried.
pub const IMAGE_EXTENSIONS: [&str; 9] = ["tga", "jpg", "jpeg", "png", "dds", "pcx", "bmp", "webp", "wal"];
/// Suffixes of normal and specular maps of Doom 3 and Unvanquished, for images without a script.
const BUMP_ENDINGS: [&str; 5] = ["_local", "_normal", "_n", "_nm", "_norm"];
const SPECULAR_ENDINGS: [&str; 3] = ["_s", "_specular", "_spec"];

/// Bytes that an image inside a model's file counts at least. A small file may contain many images of one texel.
const MIN_EMBEDDED_BYTES: usize = 1 << 10;

/// Bytes of an image file that are read if it is not decoded.
const IMAGE_HEAD: u64 = 64;

/// Whether the search decodes images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageLoading {
    /// Images are found and decoded.
    #[default]
    Decode,
    /// Images are found but not decoded; each is one grey texel.
    LocateOnly,
}

/// Options of the search for materials, and the cache of images that searches share.
#[derive(Clone, Debug, Default)]
pub struct ResolveContext {
    /// Whether images are decoded.
    pub depth: ImageLoading,
    /// Limits for one model.
    pub limits: Limits,
    /// Queue for images that are decoded later; if `None`, the search decodes every image.
    pub queue: Option<Arc<ImageQueue>>,
    /// Whether to skip the search for an image with a name similar to a missing one ([`SurfaceMaterial::suggestion`]).
    pub without_suggestions: bool,
    /// Whether light darkens the fullbright colours of the skins in a model (MDL), as in GLQuake.
    pub lit_fullbrights: bool,
    /// Names of surfaces in `.skin` files, by surface index, where they differ from the model's.
    pub skin_names: Arc<BTreeMap<usize, String>>,
    pub(crate) images: Arc<ImageCache>,
}

impl ResolveContext {
    /// Creates options with `depth` and defaults.
    #[must_use]
    pub fn new(depth: ImageLoading) -> Self {
        Self { depth, ..Self::default() }
    }

    /// Like `self`, but shares decoded images through `images`.
    #[must_use]
    pub fn sharing(self, images: Arc<ImageCache>) -> Self {
        Self { images, ..self }
    }
}

/// Search for the materials and images of one model. Each image file is decoded once.
pub struct MaterialResolver<'a> {
    pub(super) vfs: &'a Vfs,
    pub(super) depth: ImageLoading,
    pub(super) limits: Limits,
    pub(super) queue: Option<Arc<ImageQueue>>,
    without_suggestions: bool,
    pub(super) lit_fullbrights: bool,
    skin_names: Arc<BTreeMap<usize, String>>,
    known_engine: Option<KnownEngine>,
    pub(super) bytes: usize,
    pub(super) candidates: CandidatePaths<'a>,
    kinds: Vec<Kind>,
    scripts: Arc<Scripts>,
    replaced: Arc<OverriddenScripts>,
    pub(super) decoded: HashMap<String, Option<Arc<Image>>>,
    image_cache: Arc<ImageCache>,
    /// Path of the first input, and the image, by image program.
    made: HashMap<String, (String, Option<Arc<Image>>)>,
    images: HashMap<String, Option<(String, Arc<Image>)>>,
    /// Materials by the names of their definitions. Names in a model may differ in case and extension.
    scripted: HashMap<(Kind, String), SurfaceMaterial>,
    undefined: HashSet<(Kind, String)>,
    program_bytes: Budget,
    program_texels: Budget,
    listable: Budget,
    searchable: Budget,
    comparable: Budget,
    known: HashMap<String, SurfaceMaterial>,
    /// Materials by the address of the definition in the model's file.
    pub(super) embedded: HashMap<usize, SurfaceMaterial>,
}

impl MaterialResolver<'_> {
    pub(super) fn name_in_skins<'m>(&'m self, index: usize, surface: &'m Surface) -> &'m str {
        self.skin_names.get(&index).unwrap_or(&surface.name)
    }
}

impl<'a> MaterialResolver<'a> {
    /// Creates a resolver for the model of `format` at `model_path`.
    #[must_use]
    pub fn new(vfs: &'a Vfs, model_path: &str, format: Format, search: &ResolveContext) -> Self {
        let kinds = match format.traits().scripts {
            ScriptOrder::None => Vec::new(),
            ScriptOrder::Quake3First => vec![Kind::Quake3, Kind::Doom3],
            ScriptOrder::Doom3First => vec![Kind::Doom3, Kind::Quake3],
        };
        let known_engine = KnownEngine::for_model(vfs, model_path, format);
        let bare_name_folders = known_engine.as_ref().map_or(&[][..], |known| known.engine.textures.bare_name_folders);
        Self {
            vfs,
            depth: search.depth,
            limits: search.limits.clone(),
            queue: search.queue.clone(),
            without_suggestions: search.without_suggestions,
            lit_fullbrights: search.lit_fullbrights,
            skin_names: Arc::clone(&search.skin_names),
            known_engine,
            bytes: 0,
            candidates: CandidatePaths::new(vfs, model_path, format, bare_name_folders),
            scripts: if kinds.is_empty() { Arc::default() } else { Scripts::shared(vfs) },
            replaced: if kinds.is_empty() { Arc::default() } else { OverriddenScripts::shared(vfs) },
            kinds,
            decoded: HashMap::new(),
            image_cache: Arc::clone(&search.images),
            made: HashMap::new(),
            images: HashMap::new(),
            scripted: HashMap::new(),
            undefined: HashSet::new(),
            program_bytes: Budget::new(MAX_PROGRAM_BYTES),
            program_texels: Budget::new(MAX_PROGRAM_TEXELS),
            listable: Budget::new(MAX_LOGGED_BYTES),
            searchable: Budget::new(MAX_SEARCHED_BYTES),
            comparable: Budget::new(MAX_COMPARED_NAMES),
            known: HashMap::new(),
            embedded: HashMap::new(),
        }
    }

    /// Finds the material of a name. Warns about faulty scripts and broken images, but not about missing images: see
    /// [`SurfaceMaterial::problem`].
    pub fn material(&mut self, name: &str, origin: Origin, warnings: &mut Warnings) -> SurfaceMaterial {
        if let Some(known) = self.known.get(name) {
            return known.clone().named_in(origin);
        }
        if name.trim().is_empty() || self.is_exhausted() {
            let mut material = SurfaceMaterial::missing(name, origin);
            self.hide_missing(&mut material);
            return material;
        }
        let mut material = self.look_for(name, warnings);
        if self.engine().is_some_and(|engine| engine.textures.alpha_without_script) {
            material = material.with_image_transparency();
        }
        self.add_game_layers(&mut material, warnings);
        self.hide_missing(&mut material);
        material.replaced_script = self.replaced_definition(name).map(|definition| definition.words());
        self.known.insert(name.to_owned(), material.clone());
        material.named_in(origin)
    }

    pub(super) fn script_warnings(&self) -> &Warnings {
        self.scripts.warnings()
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.known.len() >= MAX_MATERIAL_NAMES || self.searchable.left() < MAX_PATH_BYTES as u64
    }

    pub(super) fn engine(&self) -> Option<&'static Engine> {
        self.known_engine.as_ref().map(|known| known.engine)
    }

    /// Makes a missing material invisible in the game if the game has no default texture.
    pub(super) fn hide_missing(&self, material: &mut SurfaceMaterial) {
        if material.in_game == InGame::DefaultTexture
            && self.engine().is_some_and(|engine| engine.textures.hides_missing)
        {
            material.in_game = InGame::Stages(0);
        }
    }

    pub(super) fn add_game_layers(&mut self, material: &mut SurfaceMaterial, warnings: &mut Warnings) {
        if let Some(endings) = self.engine().and_then(|engine| engine.textures.layers.as_ref()) {
            self.add_layers(material, endings, warnings);
        }
    }

    pub(super) fn game_step(&self) -> Option<SearchStep> {
        let KnownEngine { engine, by } = self.known_engine.as_ref()?;
        let found = Some(format!("{}, by {by}", engine.name));
        Some(SearchStep { what: "Rules of the game".to_owned(), found, ..SearchStep::default() })
    }

    fn look_for(&mut self, name: &str, warnings: &mut Warnings) -> SurfaceMaterial {
        if let Some(known) = self.known_definition(name) {
            return SurfaceMaterial { name: name.to_owned(), ..known.clone() };
        }
        let mut log: Vec<SearchStep> = self.game_step().into_iter().collect();
        let found = self.definition(name, &mut log, warnings);
        self.add_override_step(name, found.as_ref(), &mut log);
        if let Some(found) = found {
            let key = (found.kind, plain_name(found.kind, name));
            let material = self.define(name, found, log, warnings);
            self.scripted.insert(key, material.clone());
            return material;
        }
        let image = self.image(name, "Image", &mut log, warnings);
        let Some((path, image)) = image else {
            let nearest = self.suggestion(name);
            return SurfaceMaterial {
                suggestion: nearest,
                search_log: log.into(),
                ..SurfaceMaterial::missing(name, Origin::Model)
            };
        };
        let mut material = SurfaceMaterial {
            search_log: log.into(),
            ..SurfaceMaterial::of_image(name, &path, image, TextureWrap::Repeat)
        };
        if self.kinds.first() == Some(&Kind::Doom3) {
            self.add_relief(&mut material, warnings);
            // In Doom 3, opaque materials have the sort number 0.
            Arc::make_mut(&mut material.definition).sort = 0.0;
        }
        material
    }

    /// Returns the material of a definition that was found before by another spelling of its name.
    fn known_definition(&self, name: &str) -> Option<&SurfaceMaterial> {
        let keys = self.kinds.iter().map(|kind| (*kind, plain_name(*kind, name)));
        let mut defined = keys.skip_while(|key| self.undefined.contains(key));
        self.scripted.get(&defined.next()?)
    }

    fn definition(
        &mut self,
        name: &str,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> Option<FoundDefinition> {
        let scripts = Arc::clone(&self.scripts);
        for kind in self.kinds.iter().copied() {
            let files = scripts.file_count(kind);
            let key = (kind, plain_name(kind, name));
            let found =
                if self.undefined.contains(&key) { None } else { scripts.find_shared(self.vfs, name, kind, warnings) };
            if found.is_none() {
                self.undefined.insert(key);
            }
            // Mention the scripts of the other family only if there are any.
            if found.is_none() && files == 0 && self.kinds.first() != Some(&kind) {
                continue;
            }
            let note = match (&found, files, scripts.only_file(kind)) {
                (Some(_), ..) => String::new(),
                (None, 0, _) => "no shader scripts found".to_owned(),
                (None, _, Some(only)) => format!("not in {only}"),
                (None, files, None) => format!("not in any of {files} script files"),
            };
            let source = found.as_ref().map(|found| format!("{} line {}", found.file, found.line));
            log.push(SearchStep { what: kind.label().to_owned(), tried: Vec::new(), found: source, note });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn replaced_definition(&self, name: &str) -> Option<OverriddenDefinition> {
        self.kinds.iter().find_map(|kind| self.replaced.find(name, *kind))
    }

    /// Logs a definition that the game ignores because its script is overridden.
    fn add_override_step(&self, name: &str, found: Option<&FoundDefinition>, log: &mut Vec<SearchStep>) {
        let Some(definition) = self.replaced_definition(name) else { return };
        // If the model's own archive is searched first, its definition was found.
        let is_used = found.is_some_and(|found| found.file.eq_ignore_ascii_case(&definition.file))
            && self.vfs.entry(&definition.file).is_some_and(|entry| entry.is_own());
        let step = if is_used {
            let note = format!("{} overrides {}", definition.by, definition.file);
            SearchStep { what: "In the game".to_owned(), note, ..SearchStep::default() }
        } else {
            let what = format!("In {}", self.replaced.archive());
            SearchStep { what, note: definition.words(), ..SearchStep::default() }
        };
        log.push(step);
    }

    pub(super) fn define(
        &mut self,
        name: &str,
        found: FoundDefinition,
        mut log: Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> SurfaceMaterial {
        let FoundDefinition { mut material, file, line, kind, text } = found;
        if self.engine().is_some_and(|engine| engine.textures.ignores_lightmaps) {
            material.leave_out_lightmaps();
        }
        let mut missing: Option<String> = None;
        let mut stops = false;
        let count = material.stages.len();
        for (number, stage) in material.stages.iter_mut().enumerate() {
            let what = if count == 1 { "Stage image".to_owned() } else { format!("Stage {}", number + 1) };
            for map in &mut stage.maps {
                if !self.fill(map, &what, &mut log, warnings) {
                    stops = true;
                    missing.get_or_insert_with(|| self.missing_name(map));
                }
            }
            for map in stage.relief.iter_mut().flat_map(|relief| relief.bump.iter_mut().chain(&mut relief.specular)) {
                if !self.fill(map, &what, &mut log, warnings) {
                    missing.get_or_insert_with(|| self.missing_name(map));
                }
            }
        }
        // If no stage shows the surface with an image from a file, the editor image is better than none.
        let base = material.plain_map().filter(|_| material.shows_base());
        let mut plain = base.map(|(map, stage)| (map.path.clone(), map.image.clone(), stage.wrap));
        if plain.is_none()
            && let Some(editor) = material.editor_image.clone()
        {
            let found = self.image(&editor, "Editor image", &mut log, warnings);
            plain = found.map(|(path, image)| (path, Some(image), TextureWrap::Repeat));
        }
        let (path, image, wrap) = plain.unwrap_or_default();
        // Quake III rejects a definition with a missing image. Doom 3 draws its default image in place of the missing
        // one (`Image_init.cpp`, `ImageFromFile`; `Image_load.cpp`, `MakeDefault`).
        let has_image = material.stages.iter().any(|stage| stage.maps.iter().any(|map| map.image.is_some()));
        let rejected = material.rejected_for.as_ref().filter(|_| {
            kind == Kind::Quake3 && self.engine().is_none_or(|engine| !engine.textures.skips_unknown_words)
        });
        if let Some((why, _)) = rejected {
            let note = format!("the game rejects the shader: {why}");
            log.push(SearchStep { what: "In the game".to_owned(), note, ..SearchStep::default() });
        }
        let in_game = match kind {
            Kind::Quake3 if rejected.is_some() => InGame::DefaultTexture,
            Kind::Doom3 if stops && has_image => InGame::DefaultMaps,
            Kind::Quake3 | Kind::Doom3 if stops => InGame::DefaultTexture,
            _ if count == 0 => InGame::Stages(0),
            _ => InGame::Whole,
        };
        let nearest = missing.as_ref().and_then(|name| self.suggestion(name));
        let hidden = material.stages.is_empty() && material.no_draw;
        SurfaceMaterial {
            hidden,
            image,
            path,
            wrap,
            script: Some((file, line)),
            script_text: Some(Arc::from(text)),
            missing_image: missing,
            in_game,
            suggestion: nearest,
            definition: Arc::new(material),
            search_log: log.into(),
            ..SurfaceMaterial::missing(name, Origin::Model)
        }
    }

    fn fill(&mut self, map: &mut Map, what: &str, log: &mut Vec<SearchStep>, warnings: &mut Warnings) -> bool {
        if let ImageProgram::Named(name) = &map.program {
            let name = name.clone();
            if let Some((path, image)) = self.image(&name, what, log, warnings) {
                (map.path, map.image) = (path, Some(image));
            }
            return map.image.is_some();
        }
        let key = format!("{:?}", map.program);
        if !self.made.contains_key(&key) {
            let (path, made) = match self.queue.clone().filter(|_| map.program.is_file()) {
                Some(queue) => self.queue_program(&map.program, &queue, what, log, warnings),
                None => self.run_program(&map.program, what, log, warnings),
            };
            let twins = if made.is_none() { self.candidates.twins(&map.program.words()) } else { Vec::new() };
            let twin = if twins.is_empty() {
                None
            } else {
                self.image_in(&format!("{what}{TWIN_STEP}"), &twins, log, warnings)
            };
            let (path, made) = twin.map_or((path, made), |(path, image)| (Some(path), Some(image)));
            self.made.insert(key.clone(), (path.unwrap_or_default(), made));
        }
        let (path, image) = self.made.get(&key).cloned().unwrap_or_default();
        (map.path, map.image) = (path, image);
        map.image.is_some()
    }

    /// Returns the name of the first image of a map that was not found.
    fn missing_name(&self, map: &Map) -> String {
        let mut names = Vec::new();
        map.program.names(&mut names);
        let is_missing = |name: &&&str| self.images.get(**name).is_some_and(Option::is_none);
        let missing = names.iter().find(is_missing).or(names.first());
        missing.map(|name| (*name).to_owned()).unwrap_or_default()
    }

    fn queue_program(
        &mut self,
        program: &ImageProgram,
        queue: &ImageQueue,
        what: &str,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> (Option<String>, Option<Arc<Image>>) {
        let mut names = Vec::new();
        program.names(&mut names);
        let mut first = None;
        let mut find = |name: &str| {
            let (path, input) = self.image(name, what, log, warnings)?;
            first.get_or_insert(path);
            Some((name.to_owned(), input))
        };
        let inputs: Option<Vec<_>> = names.into_iter().map(&mut find).collect();
        (first, inputs.map(|inputs| queue.program(program.clone(), inputs)))
    }

    fn run_program(
        &mut self,
        program: &ImageProgram,
        what: &str,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> (Option<String>, Option<Arc<Image>>) {
        let mut first = None;
        let mut bytes = self.program_bytes;
        let texels = Mutex::new(self.program_texels);
        let stop = self.limits.stop.clone();
        let mut load = |name: &str| {
            let (path, image) = self.image(name, what, log, warnings)?;
            first.get_or_insert(path);
            if bytes.take(image.rgba.len() as u64).is_err() {
                bytes.exhaust();
            }
            (bytes.left() > 0 && self.room() > 0).then(|| Image::clone(&image))
        };
        let made = program.run_within(&mut load, &TexelBudget { texels: &texels, stop: &|| stop.is_set() });
        self.program_bytes = bytes;
        self.program_texels = texels.into_inner().unwrap_or_else(PoisonError::into_inner);
        if bytes.left() == 0 || self.room() == 0 || self.program_texels.left() == 0 {
            warnings.add(
                WarningKind::Companion,
                BROKEN,
                format!("{}: skipped, because its images exceed the memory limit", program.words()),
            );
        }
        self.bytes += made.as_ref().map_or(0, |image| image.rgba.len());
        (first, made.map(Arc::new))
    }

    fn add_relief(&mut self, material: &mut SurfaceMaterial, warnings: &mut Warnings) {
        let stem = split_extension(&material.path).0;
        let stem = stem.strip_suffix("_d").or_else(|| stem.strip_suffix("_diffuse")).unwrap_or(stem).to_owned();
        let mut found = |endings: &[&str]| {
            let paths = endings
                .iter()
                .flat_map(|ending| IMAGE_EXTENSIONS.map(|extension| format!("{stem}{ending}.{extension}")));
            let path = paths.filter(|path| !path.ends_with("wal")).find_map(|path| self.vfs.find(&path))?;
            let image = self.load_image(&path, warnings)?;
            Some(Map { image: Some(image), path: path.clone(), ..Map::new(ImageProgram::Named(path)) })
        };
        let relief = NormalSpecular { bump: found(&BUMP_ENDINGS), specular: found(&SPECULAR_ENDINGS) };
        let maps = [("Normal map", &relief.bump), ("Specular map", &relief.specular)];
        let steps: Vec<SearchStep> = maps
            .into_iter()
            .filter_map(|(what, map)| {
                let path = map.as_ref()?.path.clone();
                Some(SearchStep {
                    what: what.to_owned(),
                    tried: vec![path.clone()],
                    found: Some(path),
                    note: String::new(),
                })
            })
            .collect();
        if steps.is_empty() {
            return;
        }
        material.search_log = material.search_log.then(steps);
        if let Some(stage) = Arc::make_mut(&mut material.definition).stages.first_mut() {
            stage.relief = Some(Box::new(relief));
        }
    }

    pub(super) fn image(
        &mut self,
        name: &str,
        what: &str,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> Option<(String, Arc<Image>)> {
        if let Some(known) = self.images.get(name) {
            let found = known.as_ref().map(|(path, _)| path.clone());
            let note = if found.is_some() { "" } else { "not found in an earlier search" };
            log.push(SearchStep { what: what.to_owned(), tried: Vec::new(), found, note: note.to_owned() });
            return known.clone();
        }
        let found = self.decode_image(name, what, log, warnings);
        self.images.insert(name.to_owned(), found.clone());
        found
    }

    fn decode_image(
        &mut self,
        name: &str,
        what: &str,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> Option<(String, Arc<Image>)> {
        if name.len() > MAX_PATH_BYTES {
            let note = too_long(name);
            log.push(SearchStep { what: what.to_owned(), note, ..SearchStep::default() });
            return None;
        }
        let mut steps = self.candidates.for_name(name).into_iter();
        steps.find_map(|(step, paths)| self.image_in(&format!("{what}{step}"), &paths, log, warnings))
    }

    /// Returns the first image at `paths`, with the extensions and suffixes of [`spellings`].
    pub(super) fn image_in(
        &mut self,
        what: &str,
        paths: &[String],
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> Option<(String, Arc<Image>)> {
        let mut tried = Vec::new();
        let mut stored = None;
        let mut note = "";
        let extensions = self.engine().map_or(&[][..], |engine| engine.textures.image_extensions);
        let spelled = paths.iter().flat_map(|path| {
            let may_be_there = self.vfs.may_contain_prefix(stem(path));
            let spelled = spellings(path);
            let first = spelled.first;
            let more = extensions.iter().map(move |extension| format!("{first}.{extension}"));
            spelled.chain(more).map(move |path| (path, may_be_there))
        });
        for (path, may_be_there) in spelled {
            if self.searchable.take(path.len() as u64).is_err() {
                break;
            }
            stored = if may_be_there { self.vfs.find(&path) } else { None };
            match self.listable.take(path.len() as u64) {
                Ok(()) => tried.push(path),
                Err(_) => note = "not found",
            }
            if stored.is_some() {
                break;
            }
        }
        log.push(SearchStep { what: what.to_owned(), tried, found: stored.clone(), note: note.to_owned() });
        let path = stored?;
        let image = self.load_image(&path, warnings)?;
        Some((path, image))
    }

    pub(super) fn suggestion(&mut self, name: &str) -> Option<Suggestion> {
        if self.without_suggestions { None } else { self.candidates.suggestion(name, &mut self.comparable) }
    }

    /// Returns the image at `path`, which is decoded or queued on first use. `None` if decoding fails or the search is
    /// cancelled.
    pub fn load_image(&mut self, path: &str, warnings: &mut Warnings) -> Option<Arc<Image>> {
        if let Some(known) = self.decoded.get(path) {
            return known.clone();
        }
        if self.limits.stop.is_set() {
            return None;
        }
        let image = if self.depth == ImageLoading::LocateOnly {
            // Other unreadable files are found only by decoding them.
            let start = self.vfs.read(path, ReadLimit::Start(IMAGE_HEAD)).unwrap_or_default();
            let problem = if start.is_empty() { Some("the file is empty") } else { stand_in(&start) };
            if let Some(problem) = problem {
                warnings.add(WarningKind::Companion, BROKEN, format!("{}: {problem}", name_of(path)));
            }
            problem.is_none().then(|| Arc::new(Image::of_colour([128, 128, 128, 255])))
        } else {
            let location = self.vfs.location_of(path);
            let known =
                location.as_ref().and_then(|location| self.image_cache.known(location, self.limits.image_bytes()));
            let decoded = match (known, self.queue.as_ref().zip(location.as_ref())) {
                (Some(known), _) => Ok(known),
                _ if split_extension(path).1.eq_ignore_ascii_case(LMP) => self.decode_lmp(path),
                (None, Some((queue, location))) => Ok(queue.file(location.clone(), name_of(path))),
                (None, None) => self.decode(path),
            };
            let decoded = decoded.and_then(|image| {
                let has_room = image.rgba.len() <= self.room();
                has_room.then_some(image).ok_or_else(|| too_large_together(path))
            });
            if let (Ok(image), Some(location)) = (&decoded, location)
                && !image.is_pending()
            {
                self.image_cache.keep(&location, image);
                self.queue.iter().for_each(|queue| queue.count_bytes(image.rgba.len()));
            }
            decoded.map_err(|message| warnings.add(WarningKind::Companion, BROKEN, message)).ok()
        };
        self.bytes += image.as_ref().map_or(0, |image| image.rgba.len());
        self.decoded.insert(path.to_owned(), image.clone());
        image
    }

    /// Returns an image of `bytes` that `decode` makes of the model's file. `None` if the images of the model exceed the
    /// memory limit.
    pub(super) fn embedded_image(&mut self, bytes: usize, decode: impl FnOnce() -> Image) -> Option<Arc<Image>> {
        if self.depth == ImageLoading::LocateOnly {
            return Some(Arc::new(Image::of_colour([128, 128, 128, 255])));
        }
        let bytes = bytes.max(MIN_EMBEDDED_BYTES);
        if bytes as u64 > self.limits.image_bytes().min(self.room() as u64) {
            return None;
        }
        self.bytes += bytes;
        Some(Arc::new(decode()))
    }

    pub(super) fn room(&self) -> usize {
        self.limits.decoded().saturating_sub(self.bytes)
    }

    fn decode(&mut self, path: &str) -> Result<Arc<Image>, String> {
        let room = self.room();
        if room == 0 {
            return Err(too_large_together(path));
        }
        let bytes =
            self.vfs.read(path, ReadLimit::Start(self.limits.image_file_bytes())).map_err(|error| error.to_string())?;
        let max = self.limits.image_bytes().min(room as u64);
        let decoded = Image::decode_within(&bytes, name_of(path), max);
        // Bytes after the image are read too, so they count.
        self.bytes += decoded.as_ref().map_or(0, |image| bytes.len().saturating_sub(image.rgba.len()));
        decoded.map(Arc::new).map_err(|error| {
            let message = self.failed(&error);
            if error.lacks_room(&self.limits) { too_large_together(path) } else { message }
        })
    }

    /// Counts the bytes of an image that failed to decode, because decoding many such images would take hours.
    pub(super) fn failed(&mut self, error: &DecodeError) -> String {
        self.bytes = self.bytes.saturating_add(error.wasted());
        error.to_string()
    }
}

pub(super) fn too_large_together(path: &str) -> String {
    format!("{}: skipped, because the images of this model exceed the memory limit", name_of(path))
}

fn too_long(name: &str) -> String {
    format!("the name has {} bytes; names longer than {MAX_PATH_BYTES} bytes are skipped", name.len())
}

pub(super) const BROKEN: &str = "image";

pub(super) fn missing_message<'a>(name: &str, log: impl Iterator<Item = &'a SearchStep>) -> String {
    let tried: usize = log.map(|step| step.tried.len()).sum();
    match tried {
        _ if name.trim().is_empty() => "the file names no texture".to_owned(),
        _ if name.len() > MAX_PATH_BYTES => too_long(name),
        1.. => format!("no image for “{name}” ({} tried)", counted(tried, "path", "paths")),
        0 => format!("no image for “{name}”"),
    }
}
