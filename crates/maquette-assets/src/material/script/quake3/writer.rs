//! Material that a definition describes, and the effects of directives on it.

use super::arguments::{
    DirectiveArgs, alpha, alpha_test, blend, change, colour, coordinates, deform as parse_deform, sides, sort_number,
    wrap as wrap_of,
};
use super::{GAME_DEFORMS, GAME_IMAGES, Objection, shortened};
use crate::limits::{MAX_DETAILS, MAX_STAGES};
use crate::material::TextureWrap;
use crate::material::image::ImageProgram;
use crate::material::stage::{AlphaTest, Blend, ColourSource, DrawnFaces, Factor, Map, Material, Stage, sort as sorts};

/// Kind of map that a whole stage is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StageRole {
    /// `diffuseMap`, …: a map of a lit surface.
    LitMap(&'static str),
    /// A map of an effect that is not drawn.
    Hidden,
}

/// Material of the definition that is being read. Effects of words change it.
#[derive(Debug)]
pub(crate) struct ScriptWriter<'a> {
    name: &'a str,
    pub material: Material,
    /// Stage that contains the directive. Unused outside stages.
    pub stage: Stage,
    role: Option<StageRole>,
    own_wrap: Option<TextureWrap>,
    sort: Option<f32>,
    implicit: Option<Stage>,
    /// Stages drawn over the current one.
    layers: Vec<Stage>,
    nomipmaps: bool,
    /// Wrap of all stages (Daemon).
    wrap: Option<TextureWrap>,
    /// Whether the text up to `endif` is to be skipped.
    pub skips_condition: bool,
    is_in_stage: bool,
}

impl<'a> ScriptWriter<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        Self {
            name,
            material: Material::default(),
            stage: Stage::default(),
            role: None,
            own_wrap: None,
            sort: None,
            implicit: None,
            layers: Vec::new(),
            nomipmaps: false,
            wrap: None,
            skips_condition: false,
            is_in_stage: false,
        }
    }

    pub(super) fn object(&mut self, objection: Objection) {
        if self.material.objections.len() < MAX_DETAILS {
            self.material.objections.push(objection);
        }
    }

    pub(super) fn begin_stage(&mut self) {
        self.stage = Stage { writes_depth: false, ..Stage::default() };
        (self.own_wrap, self.role, self.is_in_stage) = (None, None, true);
        self.layers.clear();
    }

    pub(super) fn end_stage(&mut self) {
        self.is_in_stage = false;
        let mut stage = std::mem::take(&mut self.stage);
        if let Some(role) = self.role.take() {
            let Some(map) = stage.maps.first().cloned().filter(|_| role != StageRole::Hidden) else { return };
            match role {
                StageRole::Hidden => {}
                StageRole::LitMap("diffusemap") => {
                    stage.colour = ColourSource::Light;
                    stage.relief.get_or_insert_default();
                }
                StageRole::LitMap(word) => {
                    self.set_lit_map(word, map);
                    return self.add_maps();
                }
            }
        }
        stage.writes_depth |= stage.blend.is_none();
        stage.mipmaps &= !self.nomipmaps;
        if let Some(wrap) = self.own_wrap.or(self.wrap) {
            stage.wrap = wrap;
        }
        // Both of the game's defaults for `rgbGen` are white in Maquette, which has no overbright.
        self.push(stage);
        self.push_layers();
    }

    fn push(&mut self, stage: Stage) {
        if self.material.stages.len() < MAX_STAGES {
            self.material.stages.push(stage);
        }
    }

    /// Adds a stage that is drawn over the current one.
    pub(crate) fn add_layer(&mut self, stage: Stage) {
        if self.layers.len() < MAX_STAGES {
            self.layers.push(stage);
        }
    }

    fn push_layers(&mut self) {
        for layer in std::mem::take(&mut self.layers) {
            self.push(layer);
        }
    }

    /// Adds maps given outside a stage, as in Unvanquished's scripts. The maps of a lit surface form one stage.
    fn add_maps(&mut self) {
        let stage = std::mem::take(&mut self.stage);
        if !stage.maps.is_empty() {
            self.push(stage);
        } else if let (Some(relief), Some(last)) = (stage.relief, self.material.stages.last_mut()) {
            let known = last.relief.get_or_insert_default();
            known.bump = relief.bump.or(known.bump.take());
            known.specular = relief.specular.or(known.specular.take());
        }
        self.push_layers();
    }

    /// Sets a map of a lit surface in the current stage, or adds it as a layer. `word` is in lower case.
    pub(crate) fn set_lit_map(&mut self, word: &str, map: Map) {
        match word {
            "diffusemap" | "albedomap" => {
                self.stage.maps = vec![map];
                self.stage.colour = ColourSource::Light;
                self.stage.relief.get_or_insert_default();
            }
            "specularmap" => self.stage.relief.get_or_insert_default().specular = Some(map),
            "glowmap" | "fullbrightmap" => self.add_layer(layer(map, Blend::ADD)),
            _ => self.stage.relief.get_or_insert_default().bump = Some(map),
        }
    }

    /// Leaves out the current stage, whose effect is not drawn.
    pub(crate) fn hide_stage(&mut self) {
        self.role = Some(StageRole::Hidden);
    }

    pub(super) fn finish(mut self) -> (Material, usize) {
        if self.material.stages.is_empty() {
            self.material.stages.extend(self.implicit.take());
        }
        let stages = &mut self.material.stages;
        // As in the game, a stage without an image ends the list.
        let end = stages.iter().position(|stage| stage.maps.is_empty()).unwrap_or(stages.len());
        stages.truncate(end);
        let count = stages.len();
        let first = stages.first();
        self.material.sort = self.sort.filter(|sort| *sort != 0.0).unwrap_or_else(|| match first {
            _ if self.material.is_decal => sorts::DECAL,
            Some(stage) if stage.blend.is_some() && stage.writes_depth => sorts::SEE_THROUGH,
            Some(stage) if stage.blend.is_some() => sorts::BLEND,
            _ => sorts::OPAQUE,
        });
        (self.material, count)
    }
}

/// Returns a stage for [`ScriptWriter::add_layer`].
pub(crate) fn layer(map: Map, blend: Blend) -> Stage {
    Stage { maps: vec![map], blend: Some(blend), writes_depth: false, ..Stage::default() }
}

/// Returns the map of an image's name.
pub(crate) fn named(name: &str) -> Map {
    Map { is_lightmap: name.eq_ignore_ascii_case("$lightmap"), ..Map::new(ImageProgram::named(name)) }
}

pub(crate) fn cull(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    match sides(&line.word()) {
        Ok(sides) => to.material.sides = sides,
        Err(message) => {
            to.material.sides = DrawnFaces::Front;
            return Some(message);
        }
    }
    None
}

pub(crate) fn two_sided(to: &mut ScriptWriter, _: &mut DirectiveArgs) -> Option<String> {
    to.material.sides = DrawnFaces::Both;
    None
}

pub(crate) fn back_sided(to: &mut ScriptWriter, _: &mut DirectiveArgs) -> Option<String> {
    to.material.sides = DrawnFaces::Back;
    None
}

pub(crate) fn deform(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    match parse_deform(line) {
        Ok(None) => {}
        Ok(Some(_)) if to.material.deforms.len() >= GAME_DEFORMS => {
            return Some(format!("more than {GAME_DEFORMS} deforms; this one is skipped"));
        }
        Ok(Some(deform)) => to.material.deforms.push(deform),
        Err(message) => return Some(message),
    }
    None
}

pub(crate) fn sort(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    to.sort = Some(sort_number(&line.word()));
    None
}

pub(crate) fn polygon_offset(to: &mut ScriptWriter, _: &mut DirectiveArgs) -> Option<String> {
    to.material.is_decal = true;
    None
}

pub(crate) fn no_mipmaps(to: &mut ScriptWriter, _: &mut DirectiveArgs) -> Option<String> {
    if to.is_in_stage {
        to.stage.mipmaps = false;
    } else {
        to.nomipmaps = true;
    }
    None
}

pub(crate) fn clamp_time(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    to.material.stops_after = Some(line.number().max(0.0));
    None
}

pub(crate) fn surface_parm(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    to.material.no_draw |= line.word() == "nodraw";
    None
}

pub(crate) fn editor_image(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    to.material.editor_image = line.text();
    None
}

/// `implicitMap`, `implicitMask`, `implicitBlend`: the only stage, if the definition has no other (Enemy Territory).
pub(crate) fn implicit(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let name = line.text().filter(|name| name != "-").unwrap_or_else(|| to.name.to_owned());
    let mut stage = Stage { maps: vec![Map::new(ImageProgram::named(&name))], ..Stage::default() };
    if line.word.is("implicitblend") {
        stage.blend = Some(Blend::ALPHA);
        to.material.sides = DrawnFaces::Both;
    } else if line.word.is("implicitmask") {
        stage.alpha_test = AlphaTest::Half;
        to.material.sides = DrawnFaces::Both;
    }
    stage.colour = ColourSource::Light;
    to.implicit = Some(stage);
    None
}

/// `clamp`, `noClamp`, …: wrap of the stage, or of all stages (Daemon).
pub(crate) fn wrap(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let wrap = wrap_of(&line.word.text().to_ascii_lowercase());
    if to.is_in_stage {
        to.own_wrap = wrap;
    } else {
        to.wrap = wrap;
    }
    None
}

pub(crate) fn map(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    to.stage.wrap = TextureWrap::Repeat;
    to.stage.maps = line.text().iter().map(|name| named(name)).collect();
    let lacks_image = to.stage.maps.is_empty().then(|| {
        let word = shortened(&line.word.text().to_ascii_lowercase());
        format!("“{word}” names no image")
    });
    if let Some(why) = &lacks_image {
        to.object(Objection::new(why.clone(), to.material.stages.len()));
    }
    lacks_image
}

pub(crate) fn clamp_map(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let trouble = map(to, line);
    to.stage.wrap = TextureWrap::Clamp;
    trouble
}

/// A map for cards without another kind of map, which counts only if the stage has none yet.
pub(crate) fn other_map(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    if to.stage.maps.is_empty() { map(to, line) } else { None }
}

pub(crate) fn anim_map(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    to.stage.rate = line.number().clamp(0.0, 1000.0);
    let names: Vec<String> = line.rest.by_ref().map(|token| token.text()).collect();
    to.stage.maps = names.iter().take(GAME_IMAGES).map(|name| Map::new(ImageProgram::named(name))).collect();
    (names.len() > GAME_IMAGES).then(|| format!("more than {GAME_IMAGES} images; the rest are skipped"))
}

pub(crate) fn clamp_anim_map(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let trouble = anim_map(to, line);
    to.stage.wrap = TextureWrap::Clamp;
    trouble
}

/// Like [`other_map`], for an animation.
pub(crate) fn other_anim_map(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    if to.stage.maps.is_empty() { anim_map(to, line) } else { None }
}

pub(crate) fn video_map(to: &mut ScriptWriter, _: &mut DirectiveArgs) -> Option<String> {
    to.stage.maps = vec![Map::new(ImageProgram::White)];
    None
}

/// `diffuseMap`, `normalMap`, …: a map of a lit surface, in a stage or outside (Daemon).
pub(crate) fn lit_map(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let word = line.word.text().to_ascii_lowercase();
    let name = line.text()?;
    to.set_lit_map(&word, Map::new(ImageProgram::named(&name)));
    if !to.is_in_stage {
        to.add_maps();
    }
    None
}

/// `stage ROLE` of Daemon: states what the map of the stage is for.
pub(crate) fn stage_role(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let word = line.word();
    to.role = role(&word);
    to.role.is_none().then(|| format!("unknown “stage {}” skipped", shortened(&word)))
}

fn role(word: &str) -> Option<StageRole> {
    const LIT: [&str; 5] = ["diffusemap", "normalmap", "bumpmap", "specularmap", "glowmap"];
    const HIDDEN: [&str; 6] = ["physicalmap", "reflectionmap", "skyboxmap", "screenmap", "heathazemap", "liquidmap"];
    let lit = LIT.into_iter().find(|known| *known == word).map(StageRole::LitMap);
    lit.or_else(|| HIDDEN.contains(&word).then_some(StageRole::Hidden))
}

pub(crate) fn alpha_func(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    alpha_test(line, &mut to.stage)
}

/// `alphaTest` of Daemon and Doom 3: draws texels from half the alpha on.
pub(crate) fn half_alpha(to: &mut ScriptWriter, _: &mut DirectiveArgs) -> Option<String> {
    to.stage.alpha_test = AlphaTest::Half;
    None
}

pub(crate) fn depth_func(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let test = line.word();
    to.stage.at_equal_depth = test == "equal";
    (!matches!(test.as_str(), "equal" | "lequal" | "disable"))
        .then(|| format!("unknown “depthFunc {}” skipped", shortened(&test)))
}

pub(crate) fn depth_write(to: &mut ScriptWriter, _: &mut DirectiveArgs) -> Option<String> {
    to.stage.writes_depth = true;
    None
}

pub(crate) fn blend_func(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    blend(line, &mut to.stage)
}

/// `blend` and `blendFunc` of Daemon, which also name the role of a stage, as in Doom 3.
pub(crate) fn blend_or_role(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let word = line.peek();
    match (role(&word), word.as_str()) {
        (Some(role), _) => to.role = Some(role),
        (None, "none") => to.stage.blend = Some(Blend { source: Factor::Zero, destination: Factor::One }),
        (None, "modulate") => to.stage.blend = Some(Blend::FILTER),
        _ => return blend(line, &mut to.stage),
    }
    line.word();
    None
}

pub(crate) fn rgb_gen(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    // Materials with maps for lighting are lit, whatever the colour.
    let is_lit = to.stage.relief.is_some() && to.stage.colour == ColourSource::Light;
    let trouble = colour(line, &mut to.stage);
    if is_lit && to.stage.colour == ColourSource::White {
        to.stage.colour = ColourSource::Light;
    }
    trouble
}

/// `color RED, GREEN, BLUE, ALPHA` and `rgb GREY` of Daemon, if the values are numbers.
pub(crate) fn constant_colour(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let text: String = line.rest.by_ref().map(|token| token.text() + " ").collect();
    let numbers: Option<Vec<f32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some([grey]) => to.stage.colour = ColourSource::Constant([grey.clamp(0.0, 1.0); 3]),
        Some([red, green, blue, ..]) => {
            to.stage.colour = ColourSource::Constant([*red, *green, *blue].map(|value| value.clamp(0.0, 1.0)));
        }
        _ => {}
    }
    None
}

pub(crate) fn alpha_gen(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    alpha(line, &mut to.stage)
}

pub(crate) fn tc_gen(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    coordinates(line, &mut to.stage)
}

pub(crate) fn tc_mod(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    change(line, &mut to.stage)
}
