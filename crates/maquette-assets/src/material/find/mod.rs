//! Search for the material of a name: a definition in a script, else an image.

mod candidate_paths;
mod companion_maps;
mod images;
mod model_folder;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::image::{ImageProgram, TexelBudget};
use super::script::{
    FoundDefinition, Kind, OverriddenDefinition, OverriddenScripts, Scripts, has_stages_without_maps, images_named_in,
    plain_name,
};
use super::stage::{Blend, Map, Stage};
use super::{Image, ImageCache, ImageQueue, InGame, Limits, Origin, SearchStep, SurfaceMaterial, TextureWrap};
use crate::engines::{Engine, KnownEngine};
use crate::limits::{MAX_MATERIAL_NAMES, MAX_PROGRAM_WORK};
use crate::vfs::Vfs;
use maquette_core::budget::Budget;
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::model::{Format, ScriptOrder};

pub(crate) use candidate_paths::IMAGE_IN_MODEL_FOLDER;
use candidate_paths::TWIN_STEP;
pub(super) use candidate_paths::{is_empty_name, stem};
pub(super) use images::FoundImage;
pub(super) use images::{BROKEN, INSIDE, ImageFinder, missing_message};
pub(super) use model_folder::skin_order;

/// Whether the search decodes images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageLoading {
    /// Images are found and decoded.
    #[default]
    Decode,
    /// Images are found but not decoded; each is one grey texel.
    LocateOnly,
}

/// Result of the search for the image of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filled {
    Found,
    /// The image is where the game does not look.
    Guessed,
    Missing,
}

/// Result of the search for the images of all stages.
#[derive(Debug, Default)]
struct FilledStages {
    /// Name of the first missing image.
    missing: Option<String>,
    /// Whether the game does not find the image of a stage.
    stops: bool,
    is_guess: bool,
}

/// Last row of the palette that a player can choose. Higher numbers count as this one.
pub const MAX_PLAYER_COLOUR: u8 = 13;

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
    /// Rows of the palette for shirt and trousers of the skins in a model, up to [`MAX_PLAYER_COLOUR`].
    pub player_colours: [Option<u8>; 2],
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

/// Finder of the material of a name. Each definition is evaluated once.
pub(super) struct MaterialFinder<'a> {
    pub images: ImageFinder<'a>,
    known_engine: Option<KnownEngine>,
    kinds: Vec<Kind>,
    pub scripts: Arc<Scripts>,
    overridden: Arc<OverriddenScripts>,
    /// Path of the first input, and the image, by image program.
    programs: HashMap<String, (String, Option<Arc<Image>>)>,
    /// Materials by the names of their definitions. Names in a model may differ in case and extension.
    scripted: HashMap<(Kind, String), SurfaceMaterial>,
    undefined: HashSet<(Kind, String)>,
    program_bytes: Budget,
    program_texels: Budget,
    known: HashMap<String, SurfaceMaterial>,
}

impl<'a> MaterialFinder<'a> {
    pub(super) fn new(
        vfs: &'a Vfs,
        model_path: &str,
        format: Format,
        known_engine: Option<KnownEngine>,
        search: &ResolveContext,
    ) -> Self {
        let kinds = match format.traits().scripts {
            ScriptOrder::None => Vec::new(),
            ScriptOrder::Quake3First => vec![Kind::Quake3, Kind::Doom3],
            ScriptOrder::Doom3First => vec![Kind::Doom3, Kind::Quake3],
        };
        let engine = known_engine.as_ref().map(|known| known.engine);
        Self {
            images: ImageFinder::new(vfs, model_path, format, engine, search),
            known_engine,
            scripts: if kinds.is_empty() { Arc::default() } else { Scripts::shared(vfs) },
            overridden: if kinds.is_empty() { Arc::default() } else { OverriddenScripts::shared(vfs) },
            kinds,
            programs: HashMap::new(),
            scripted: HashMap::new(),
            undefined: HashSet::new(),
            program_bytes: Budget::new(MAX_PROGRAM_WORK),
            program_texels: Budget::new(MAX_PROGRAM_WORK),
            known: HashMap::new(),
        }
    }

    /// Finds the material of a name. Warns about faulty scripts and broken images, but not about missing images: see
    /// [`SurfaceMaterial::problem`].
    pub(in crate::material) fn material(
        &mut self,
        name: &str,
        origin: Origin,
        warnings: &mut Warnings,
    ) -> SurfaceMaterial {
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
        material.overridden_script = self.overridden_definition(name).map(|definition| definition.words());
        self.known.insert(name.to_owned(), material.clone());
        material.named_in(origin)
    }

    pub(in crate::material) fn is_exhausted(&self) -> bool {
        self.known.len() >= MAX_MATERIAL_NAMES || self.images.is_exhausted()
    }

    pub(in crate::material) fn engine(&self) -> Option<&'static Engine> {
        self.known_engine.as_ref().map(|known| known.engine)
    }

    /// Makes a missing material invisible in the game if the game has no default texture.
    pub(in crate::material) fn hide_missing(&self, material: &mut SurfaceMaterial) {
        if material.in_game == InGame::DefaultTexture
            && self.engine().is_some_and(|engine| engine.textures.hides_missing)
        {
            material.in_game = InGame::Stages(0);
        }
    }

    pub(in crate::material) fn add_game_layers(&mut self, material: &mut SurfaceMaterial, warnings: &mut Warnings) {
        if let Some(endings) = self.engine().and_then(|engine| engine.textures.layers.as_ref()) {
            self.add_layers(material, endings, warnings);
        }
    }

    pub(in crate::material) fn game_step(&self) -> Option<SearchStep> {
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
        let image = self.images.find(name, "Image", &mut log, warnings);
        let Some(FoundImage { path, image, is_guess }) = image else {
            return SurfaceMaterial {
                suggestion: self.images.suggestion(name),
                unreadable: self.images.unreadable(name),
                search_log: log.into(),
                ..SurfaceMaterial::missing(name, Origin::Model)
            };
        };
        let mut material = SurfaceMaterial {
            search_log: log.into(),
            ..SurfaceMaterial::of_image(name, &path, image, TextureWrap::Repeat)
        };
        if is_guess {
            (material.is_guess, material.in_game) = (true, InGame::DefaultTexture);
        }
        if self.engine().is_some_and(|engine| engine.textures.is_unlit_without_script) {
            Arc::make_mut(&mut material.definition).draw_as_default();
        } else if self.kinds.first() == Some(&Kind::Doom3) {
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
            let found = if self.undefined.contains(&key) {
                None
            } else {
                scripts.find_shared(self.images.vfs, name, kind, self.engine(), warnings)
            };
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

    fn overridden_definition(&self, name: &str) -> Option<OverriddenDefinition> {
        self.kinds.iter().find_map(|kind| self.overridden.find(name, *kind))
    }

    /// Logs a definition that the game ignores because its script is overridden.
    fn add_override_step(&self, name: &str, found: Option<&FoundDefinition>, log: &mut Vec<SearchStep>) {
        let Some(definition) = self.overridden_definition(name) else { return };
        // If the model's own archive is searched first, its definition was found.
        let is_used = found.is_some_and(|found| found.file.eq_ignore_ascii_case(&definition.file))
            && self.images.vfs.entry(&definition.file).is_some_and(|entry| entry.is_own());
        let step = if is_used {
            let note = format!("{} overrides {}", definition.by, definition.file);
            SearchStep { what: "In the game".to_owned(), note, ..SearchStep::default() }
        } else {
            let what = format!("In {}", self.overridden.archive());
            SearchStep { what, note: definition.words(), ..SearchStep::default() }
        };
        log.push(step);
    }

    pub(in crate::material) fn define(
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
        let count = material.stages.len();
        let FilledStages { mut missing, stops, is_guess } = self.fill_stages(&mut material.stages, &mut log, warnings);
        if let Some(falloff) = &mut material.falloff {
            self.fill(falloff, "Falloff", &mut log, warnings);
        }
        // If no stage shows the surface with an image from a file, the editor image is better than none.
        let base = material.plain_map().filter(|_| material.shows_base());
        let mut plain = base.map(|(map, stage)| (map.path.clone(), map.image.clone(), stage.wrap));
        let mut lacks_stages = false;
        if material.stages.is_empty() && !material.no_draw {
            let (found, absent) = self.named_in_text(&text, kind, &mut log, warnings);
            lacks_stages =
                found.is_some() || absent.is_none() && kind == Kind::Quake3 && has_stages_without_maps(&text, kind);
            plain = found.map(|found| (found.path, Some(found.image), TextureWrap::Repeat));
            missing = if lacks_stages { None } else { absent };
        }
        if plain.is_none()
            && let Some(editor) = material.editor_image.clone()
        {
            let found = self.images.find(&editor, "Editor image", &mut log, warnings);
            plain = found.map(|found| (found.path, Some(found.image), TextureWrap::Repeat));
        }
        let (path, image, wrap) = plain.unwrap_or_default();
        // Quake III rejects a definition with a missing image. Doom 3 draws its default image in place of the missing
        // one (`Image_init.cpp`, `ImageFromFile`; `Image_load.cpp`, `MakeDefault`).
        let has_image = material.stages.iter().any(|stage| stage.maps.iter().any(|map| map.image.is_some()));
        let rejected = material.rejected_for.as_ref();
        if let Some((why, _)) = rejected {
            let what = if kind == Kind::Doom3 { "material" } else { "shader" };
            let note = format!("the game rejects the {what}: {why}");
            log.push(SearchStep { what: "In the game".to_owned(), note, ..SearchStep::default() });
        }
        let in_game = match kind {
            _ if rejected.is_some() => InGame::DefaultTexture,
            Kind::Doom3 if stops && has_image => InGame::DefaultMaps,
            Kind::Quake3 | Kind::Doom3 if stops => InGame::DefaultTexture,
            _ if count == 0 => InGame::Stages(0),
            _ => InGame::Whole,
        };
        let suggestion = missing.as_ref().and_then(|name| self.images.suggestion(name));
        let unreadable = missing.as_ref().and_then(|name| self.images.unreadable(name));
        let hidden = material.stages.is_empty() && material.no_draw;
        SurfaceMaterial {
            hidden,
            image,
            path,
            wrap,
            script: Some((file, line)),
            script_text: Some(Arc::from(text)),
            missing_image: missing,
            unreadable,
            lacks_stages,
            is_guess,
            in_game,
            suggestion,
            definition: Arc::new(material),
            search_log: log.into(),
            ..SurfaceMaterial::missing(name, Origin::Model)
        }
    }

    /// Finds the images of `stages`.
    fn fill_stages(
        &mut self,
        stages: &mut [Stage],
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> FilledStages {
        let mut filled = FilledStages::default();
        let count = stages.len();
        for (number, stage) in stages.iter_mut().enumerate() {
            let what = if count == 1 { "Stage image".to_owned() } else { format!("Stage {}", number + 1) };
            for map in &mut stage.maps {
                match self.fill(map, &what, log, warnings) {
                    Filled::Found => {}
                    Filled::Guessed => (filled.stops, filled.is_guess) = (true, true),
                    Filled::Missing => {
                        filled.stops = true;
                        filled.missing.get_or_insert_with(|| self.missing_name(map));
                    }
                }
            }
            if stage.prefers_alpha {
                let image = stage.maps.first().and_then(|map| map.image.as_ref());
                self.images.queue.iter().for_each(|queue| queue.count_alpha());
                stage.blend = if image.is_some_and(|image| image.has_alpha) { Some(Blend::ALPHA) } else { stage.blend };
            }
            for map in stage.relief.iter_mut().flat_map(|relief| relief.bump.iter_mut().chain(&mut relief.specular)) {
                if self.fill(map, &what, log, warnings) == Filled::Missing {
                    filled.missing.get_or_insert_with(|| self.missing_name(map));
                }
            }
        }
        filled
    }

    fn fill(&mut self, map: &mut Map, what: &str, log: &mut Vec<SearchStep>, warnings: &mut Warnings) -> Filled {
        if let ImageProgram::Named(name) = &map.program {
            let name = name.clone();
            let Some(found) = self.images.find(&name, what, log, warnings) else { return Filled::Missing };
            (map.path, map.image) = (found.path, Some(found.image));
            return if found.is_guess { Filled::Guessed } else { Filled::Found };
        }
        let key = format!("{:?}", map.program);
        if !self.programs.contains_key(&key) {
            let (path, made) = match self.images.queue.clone().filter(|_| map.program.is_file()) {
                Some(queue) => self.queue_program(&map.program, &queue, what, log, warnings),
                None => self.run_program(&map.program, what, log, warnings),
            };
            let twins = if made.is_none() { self.images.candidates.twins(&map.program.words()) } else { Vec::new() };
            let twin = if twins.is_empty() {
                None
            } else {
                self.images.find_in(&format!("{what}{TWIN_STEP}"), &twins, log, warnings)
            };
            let (path, made) = twin.map_or((path, made), |found| (Some(found.path), Some(found.image)));
            self.programs.insert(key.clone(), (path.unwrap_or_default(), made));
        }
        let (path, image) = self.programs.get(&key).cloned().unwrap_or_default();
        (map.path, map.image) = (path, image);
        if map.image.is_some() { Filled::Found } else { Filled::Missing }
    }

    /// Returns the first image that exists of those that the text of a definition names, or else the name of the first one.
    fn named_in_text(
        &mut self,
        text: &str,
        kind: Kind,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> (Option<FoundImage>, Option<String>) {
        let [names, paths] = images_named_in(text, kind);
        let mut found = None;
        for name in if names.is_empty() { &paths } else { &names } {
            found = self.images.find(name, "Image named in the script", log, warnings);
            if found.is_some() {
                break;
            }
        }
        (found, names.into_iter().next())
    }

    /// Returns the name of the first image of a map that was not found.
    fn missing_name(&self, map: &Map) -> String {
        let mut names = Vec::new();
        map.program.names(&mut names);
        let is_missing = |name: &&&str| self.images.is_missing(name);
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
            let found = self.images.find(name, what, log, warnings)?;
            first.get_or_insert(found.path);
            Some((name.to_owned(), found.image))
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
        let stop = self.images.limits.stop.clone();
        let mut load = |name: &str| {
            let FoundImage { path, image, .. } = self.images.find(name, what, log, warnings)?;
            first.get_or_insert(path);
            if bytes.take(image.rgba.len() as u64).is_err() {
                bytes.exhaust();
            }
            (bytes.left() > 0 && self.images.room() > 0).then(|| Image::clone(&image))
        };
        let made = program.run_within(&mut load, &TexelBudget { texels: &texels, stop: &|| stop.is_set() });
        self.program_bytes = bytes;
        self.program_texels = texels.into_inner().unwrap_or_else(PoisonError::into_inner);
        if bytes.left() == 0 || self.images.room() == 0 || self.program_texels.left() == 0 {
            warnings.add(
                WarningKind::Companion,
                BROKEN,
                format!("{}: skipped, because its images exceed the memory limit", program.words()),
            );
        }
        self.images.bytes += made.as_ref().map_or(0, |image| image.rgba.len());
        (first, made.map(Arc::new))
    }
}
