//! Parser for definitions of Quake III scripts.
//!
//! Unknown directives are skipped with a warning, although the game rejects the whole definition. Directives of later
//! games (Return to Castle Wolfenstein, Enemy Territory, Jedi Academy, Unvanquished, Warsow) without visible effect are
//! skipped silently. Sources: ioquake3 `tr_shader.c` (`ParseShader`, `ParseStage`, `ParseTexMod`, `ParseDeform`,
//! `FinishShader`), ET: Legacy for implicit maps, Daemon for maps of lit surfaces, qfusion `r_shader.c` for conditions and
//! `material`; the implementation is independent.

pub(super) mod arguments;

use arguments::{
    DirectiveArgs, alpha, alpha_test, blend, change, colour, condition, coordinates, deform, sides, sort_number, wrap,
};

use super::{Definition, Notes, ReportedProblems, is_one_of, shortened};
use crate::limits::MAX_STAGES;
use crate::material::TextureWrap;
use crate::material::image::ImageProgram;
use crate::material::stage::{AlphaTest, Blend, ColourSource, DrawnFaces, Factor, Map, Material, Stage, sort};
use maquette_core::error::LoadError;
use maquette_core::text::{Lexer, Token};

/// Maximum numbers of stages, deforms and images of a stage that the game reads.
const GAME_STAGES: usize = 8;
pub(super) const GAME_DEFORMS: usize = 3;
const GAME_IMAGES: usize = 8;

/// Directives that do not change how a model looks. All `q3map_…` and `qer_…` are skipped too.
const IGNORED: &str = "\
    nopicmip tesssize light lightning fogparms fogvars skyfogvars waterfogvars skyparms portal mirror \
    entitymergable surfaceparm noshadows nofog nocompress allowcompress imageminmipmap imagemindimension \
    imagemaxdimension distancecull diffuseexponent lightgridmulamb lightgridmuldir sun sunshader surfacelight \
    cloudparms glowmap_scale material hitmaterial hitlocation specularexponent heightmapscale \
    description renderbump guisurf translucent forceopaque solid nofragment fitscreen parallax dpoffsetmapping \
    foggradient physicalmap heightmap reflectionmap reflectionmapblended dpreflectcube when noselfshadow nomarks \
    template endif skip softparticle nofiltering offsetmappingscale glossexponent glossintensity smallestmipmapsize";
/// Like [`IGNORED`], within a stage.
const IGNORED_IN_STAGES: &str = "\
    detail glow surfacesprites sssize ssvariance sswind sswindidle sshangdown ssfade ssfxduration ssfademax fog \
    nopicmip nocompress allowcompress imageminmipmap noscopeview \
    nearest linear uncompressed highquality forcehighquality maskred maskgreen maskblue maskalpha maskcolor \
    maskcoloralpha maskdepth wireframe fitscreen depthfade physicalmap heightmap normalformat normalscale \
    normalintensity specularexponentmin specularexponentmax refractionindex fresnelpower fresnelscale fresnelbias \
    fogdensity depthscale deformmagnitude rawrgbgen linearrgbgen rawcolormap linearcolormap rawspecularmap \
    linearspecularmap colored vertexcolor";

pub(super) fn parse(definition: &Definition<'_>, reported: &mut ReportedProblems) -> Result<Material, LoadError> {
    let mut parser = Parser {
        lexer: definition.lexer(),
        notes: definition.notes,
        name: definition.name,
        reported,
        material: Material::default(),
        sort: None,
        implicit: None,
        glow: None,
        nomipmaps: false,
        wrap: None,
    };
    parser.parse()?;
    Ok(parser.finish())
}

struct Parser<'a, 't> {
    lexer: Lexer<'a>,
    notes: Notes<'a>,
    name: &'a str,
    reported: &'t mut ReportedProblems,
    material: Material,
    sort: Option<f32>,
    implicit: Option<Stage>,
    glow: Option<Stage>,
    nomipmaps: bool,
    /// Wrap of all stages (Daemon).
    wrap: Option<TextureWrap>,
}

impl<'a> Parser<'a, '_> {
    fn parse(&mut self) -> Result<(), LoadError> {
        let mut stages = 0;
        while let Some(token) = self.lexer.next()? {
            if token.is("}") {
                self.notes.end(&self.lexer, &token);
                break;
            }
            if token.is("{") {
                let _group = self.notes.stage(&self.lexer, &token, stages);
                stages += 1;
                self.stage()?;
                continue;
            }
            let mut line = self.line(token)?;
            if line.word.is("if") && !condition(&mut line) {
                self.skip_conditional()?;
                self.notes.end(&self.lexer, &line.word);
            } else {
                self.directive(line);
            }
        }
        Ok(())
    }

    /// Skips to the end of an `if` whose condition is false.
    fn skip_conditional(&mut self) -> Result<(), LoadError> {
        let mut depth = 1;
        while depth > 0
            && let Some(token) = self.lexer.next()?
        {
            depth += i32::from(token.is("if"));
            depth -= i32::from(token.is("endif"));
        }
        Ok(())
    }

    fn line(&mut self, word: Token<'a>) -> Result<DirectiveArgs<'a>, LoadError> {
        let rest = self.lexer.rest_of_line(&word)?;
        self.lexer.skip_line(&word)?;
        self.notes.end(&self.lexer, &word);
        Ok(DirectiveArgs { word, rest: rest.into_iter() })
    }

    fn warn(&mut self, token: &Token, message: impl Into<String>) {
        self.reported.add(token.line, message);
    }

    fn unknown(&mut self, line: &DirectiveArgs) {
        let word = shortened(&line.word.text()).to_string();
        self.warn(&line.word, format!("unknown directive “{word}” skipped"));
        self.reject(format!("unknown directive “{word}”"));
    }

    fn reject(&mut self, why: String) {
        self.material.rejected_for.get_or_insert((why, self.material.stages.len()));
    }

    fn directive(&mut self, mut line: DirectiveArgs<'a>) {
        let word = line.word.text().to_ascii_lowercase();
        match word.as_str() {
            "cull" => match sides(&line.word()) {
                Ok(sides) => self.material.sides = sides,
                Err(message) => {
                    self.material.sides = DrawnFaces::Front;
                    self.warn(&line.word, message);
                }
            },
            "twosided" => self.material.sides = DrawnFaces::Both,
            "backsided" => self.material.sides = DrawnFaces::Back,
            "deformvertexes" => self.deform(line),
            "sort" => self.sort = Some(sort_number(&line.word())),
            "polygonoffset" => self.material.is_decal = true,
            "nomipmaps" => self.nomipmaps = true,
            "clamptime" => self.material.stops_after = Some(line.number().max(0.0)),
            "qer_editorimage" => self.material.editor_image = line.text(),
            "surfaceparm" => self.material.no_draw |= line.word() == "nodraw",
            "implicitmap" | "implicitblend" | "implicitmask" => self.implicit(&word, &mut line),
            "diffusemap" | "normalmap" | "bumpmap" | "normalheightmap" | "specularmap" | "glowmap" => {
                let mut stage = Stage::default();
                if let Some(name) = line.text() {
                    self.lit_map(&word, &name, &mut stage);
                }
                self.add_maps(stage);
            }
            // Skipped by `parse` if its condition is false.
            "if" => {}
            known if wrap(known).is_some() => self.wrap = wrap(known),
            known if is_one_of(IGNORED, known) || known.starts_with("q3map_") || known.starts_with("qer_") => {}
            _ => self.unknown(&line),
        }
    }

    /// Adds maps given outside a stage, as in Unvanquished's scripts. The maps of a lit surface form one stage.
    fn add_maps(&mut self, stage: Stage) {
        if !stage.maps.is_empty() {
            self.push(stage);
        } else if let (Some(relief), Some(last)) = (stage.relief, self.material.stages.last_mut()) {
            let known = last.relief.get_or_insert_default();
            known.bump = relief.bump.or(known.bump.take());
            known.specular = relief.specular.or(known.specular.take());
        }
        if let Some(glow) = self.glow.take() {
            self.push(glow);
        }
    }

    fn implicit(&mut self, word: &str, line: &mut DirectiveArgs<'a>) {
        let name = line.text().filter(|name| name != "-").unwrap_or_else(|| self.name.to_owned());
        let mut stage = Stage { maps: vec![Map::new(ImageProgram::named(&name))], ..Stage::default() };
        match word {
            "implicitblend" => {
                stage.blend = Some(Blend::ALPHA);
                self.material.sides = DrawnFaces::Both;
            }
            "implicitmask" => {
                stage.alpha_test = AlphaTest::Half;
                self.material.sides = DrawnFaces::Both;
            }
            _ => {}
        }
        stage.colour = ColourSource::Light;
        self.implicit = Some(stage);
    }

    fn deform(&mut self, mut line: DirectiveArgs<'a>) {
        match deform(&mut line) {
            Ok(None) => {}
            Ok(Some(_)) if self.material.deforms.len() >= GAME_DEFORMS => {
                self.warn(&line.word, format!("more than {GAME_DEFORMS} deforms; this one is skipped"));
            }
            Ok(Some(deform)) => self.material.deforms.push(deform),
            Err(message) => self.warn(&line.word, message),
        }
    }

    fn stage(&mut self) -> Result<(), LoadError> {
        let mut stage = Stage { writes_depth: false, ..Stage::default() };
        let mut own_wrap = None;
        while let Some(token) = self.lexer.next()? {
            if token.is("}") {
                self.notes.end(&self.lexer, &token);
                break;
            }
            if token.is("{") {
                self.lexer.skip_block("stage")?;
                self.notes.end(&self.lexer, &token);
                continue;
            }
            let line = self.line(token)?;
            // `ParseStage` reads the whole line of a `tcMod`, with its brackets, so that the stage does not end there.
            if let Some(bracket) =
                self.lexer.peek()?.filter(|next| line.word.is("tcMod") && next.line == line.word.line)
            {
                let word = bracket.text();
                self.warn(&line.word, format!("the game reads the “{word}” after “tcMod” as part of the directive"));
                self.reject(format!("unknown directive “{word}”"));
            }
            self.stage_directive(line, &mut stage, &mut own_wrap);
        }
        stage.writes_depth |= stage.blend.is_none();
        stage.mipmaps = !self.nomipmaps;
        if let Some(wrap) = own_wrap.or(self.wrap) {
            stage.wrap = wrap;
        }
        // Both of the game's defaults for `rgbGen` are white in Maquette, which has no overbright.
        self.push(stage);
        if let Some(glow) = self.glow.take() {
            self.push(glow);
        }
        Ok(())
    }

    fn push(&mut self, stage: Stage) {
        if self.material.stages.len() < MAX_STAGES {
            self.material.stages.push(stage);
        }
    }

    fn stage_directive(&mut self, mut line: DirectiveArgs<'a>, stage: &mut Stage, own_wrap: &mut Option<TextureWrap>) {
        let word = line.word.text().to_ascii_lowercase();
        let trouble = match word.as_str() {
            // Return to Castle Wolfenstein and Enemy Territory choose maps by the colour depth and the compression of
            // textures (RTCW `tr_shader.c`, `ParseStage`). Assume a depth above 16 bits and no compression.
            "map16" => None,
            "mapcomp" | "animmapcomp" if !stage.maps.is_empty() => None,
            "map" | "clampmap" | "map32" | "mapnocomp" | "mapcomp" => self.map(&word, &mut line, stage),
            "animmap" | "clampanimmap" | "oneshotanimmap" | "oneshotclampanimmap" | "animmapcomp" | "animmapnocomp" => {
                stage.rate = line.number().clamp(0.0, 1000.0);
                if word.contains("clamp") {
                    stage.wrap = TextureWrap::Clamp;
                }
                let names: Vec<String> = line.rest.by_ref().map(|token| token.text()).collect();
                stage.maps = names.iter().take(GAME_IMAGES).map(|name| Map::new(ImageProgram::named(name))).collect();
                (names.len() > GAME_IMAGES).then(|| format!("more than {GAME_IMAGES} images; the rest are skipped"))
            }
            "videomap" => {
                stage.maps = vec![Map::new(ImageProgram::White)];
                None
            }
            "diffusemap" | "normalmap" | "bumpmap" | "normalheightmap" | "specularmap" | "glowmap" => {
                if let Some(name) = line.text() {
                    self.lit_map(&word, &name, stage);
                }
                None
            }
            "blendfunc" => blend(&mut line, stage),
            "alphafunc" => alpha_test(&mut line, stage),
            "depthfunc" => {
                let test = line.word();
                stage.at_equal_depth = test == "equal";
                (!matches!(test.as_str(), "equal" | "lequal" | "disable"))
                    .then(|| format!("unknown “depthFunc {}” skipped", shortened(&test)))
            }
            "depthwrite" => {
                stage.writes_depth = true;
                None
            }
            "material" => {
                self.lit_maps(&mut line, stage);
                None
            }
            // Materials with maps for lighting are lit, whatever the colour.
            "rgbgen" => {
                let is_lit = stage.relief.is_some() && stage.colour == ColourSource::Light;
                let trouble = colour(&mut line, stage);
                if is_lit && stage.colour == ColourSource::White {
                    stage.colour = ColourSource::Light;
                }
                trouble
            }
            "alphagen" => alpha(&mut line, stage),
            "tcgen" | "texgen" => coordinates(&mut line, stage),
            "tcmod" => change(&mut line, stage),
            "nomipmaps" => {
                stage.mipmaps = false;
                None
            }
            known if wrap(known).is_some() => {
                *own_wrap = wrap(known);
                None
            }
            known if is_one_of(IGNORED_IN_STAGES, known) => None,
            "nextbundle" | "alphatest" => Some(format!("“{word}” belongs to another game; skipped")),
            _ => return self.unknown(&line),
        };
        if let Some(trouble) = trouble {
            self.warn(&line.word, trouble);
        }
    }

    fn map(&mut self, word: &str, line: &mut DirectiveArgs<'a>, stage: &mut Stage) -> Option<String> {
        stage.wrap = if word == "clampmap" { TextureWrap::Clamp } else { TextureWrap::Repeat };
        let map = |name: &String| Map {
            is_lightmap: name.eq_ignore_ascii_case("$lightmap"),
            ..Map::new(ImageProgram::named(name))
        };
        stage.maps = line.text().iter().map(map).collect();
        let lacks_image = stage.maps.is_empty().then(|| format!("“{word}” names no image"));
        lacks_image.iter().for_each(|why| self.reject(why.clone()));
        lacks_image
    }

    /// Reads base, normal and gloss maps, then a map drawn at full brightness. `-` stands for no map.
    fn lit_maps(&mut self, line: &mut DirectiveArgs<'a>, stage: &mut Stage) {
        const WORDS: [&str; 4] = ["diffusemap", "normalmap", "specularmap", "glowmap"];
        // A number is the height of the next map's relief.
        let names = line.rest.by_ref().map(|token| token.text()).filter(|name| name.parse::<f32>().is_err());
        let is_map = |name: &str| name != "-" && !name.eq_ignore_ascii_case("$blankbumpimage");
        for (word, name) in WORDS.iter().zip(names).filter(|(_, name)| is_map(name)) {
            self.lit_map(word, &name, stage);
        }
        if let Some(glow) = &mut self.glow {
            // The engine adds maps without alpha and mixes the others by their alpha.
            glow.blend = Some(Blend { source: Factor::SourceAlpha, destination: Factor::One });
        }
    }

    fn lit_map(&mut self, word: &str, name: &str, stage: &mut Stage) {
        let map = Map::new(ImageProgram::named(name));
        match word {
            "diffusemap" => {
                stage.maps = vec![map];
                stage.colour = ColourSource::Light;
                stage.relief.get_or_insert_default();
            }
            "specularmap" => stage.relief.get_or_insert_default().specular = Some(map),
            "glowmap" => {
                let blend = Some(Blend::ADD);
                self.glow = Some(Stage { maps: vec![map], blend, writes_depth: false, ..Stage::default() });
            }
            _ => stage.relief.get_or_insert_default().bump = Some(map),
        }
    }

    fn finish(mut self) -> Material {
        if self.material.stages.is_empty() {
            self.material.stages.extend(self.implicit.take());
        }
        let stages = &mut self.material.stages;
        // As in the game, a stage without an image ends the list.
        let end = stages.iter().position(|stage| stage.maps.is_empty()).unwrap_or(stages.len());
        stages.truncate(end);
        if stages.len() > GAME_STAGES {
            self.reported.add(0, format!("{} stages; the game reads only {GAME_STAGES}", stages.len()));
        }
        let first = stages.first();
        self.material.sort = self.sort.filter(|sort| *sort != 0.0).unwrap_or_else(|| match first {
            _ if self.material.is_decal => sort::DECAL,
            Some(stage) if stage.blend.is_some() && stage.writes_depth => sort::SEE_THROUGH,
            Some(stage) if stage.blend.is_some() => sort::BLEND,
            _ => sort::OPAQUE,
        });
        self.material
    }
}
