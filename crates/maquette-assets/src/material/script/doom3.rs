//! Parser for definitions of Doom 3 materials.
//!
//! Diffuse, bump and specular maps are combined into lit stages; other stages follow, unlit. Source: Doom 3
//! `Material.cpp` (`ParseMaterial`, `ParseStage`, `ParseBlend`, `SortInteractionStages`, `AddImplicitStages`,
//! `MultiplyTextureMatrix`). XreaL accepts the words of Quake III, too (`tr_shader.c`, `ParseShader`, `ParseStage`). A
//! word that no game knows rejects the material; the words of other games are objections of Doom 3. The implementation
//! is independent.

use super::quake3::GAME_DEFORMS;
use super::quake3::arguments::{self, DirectiveArgs};
use super::terms::{expression, image_program};
use super::{Definition, Notes, Objection, ReportedProblems, ScriptPart, Scripts, is_one_of, shortened};
use crate::limits::{MAX_DETAILS, MAX_STAGES};
use crate::material::TextureWrap;
use crate::material::coordinates::TexMod;
use crate::material::deform::Deform;
use crate::material::expression::Expression;
use crate::material::image::ImageProgram;
use crate::material::stage::{
    AlphaSource, AlphaTest, Blend, ColourSource, DrawnFaces, Factor, Map, Material, NormalSpecular, Stage,
};
use maquette_core::error::LoadError;
use maquette_core::text::{Lexer, Token};

#[rustfmt::skip]
const SORTS: [(&str, f32); 11] = [
    ("subview", -3.0), ("gui", -2.0), ("opaque", 0.0), ("portalsky", 1.0), ("decal", 2.0), ("far", 3.0),
    ("medium", 4.0), ("close", 5.0), ("almostnearest", 6.0), ("nearest", 7.0), ("postprocess", 100.0),
];
const OPAQUE: f32 = 0.0;
const DECAL: f32 = 2.0;
/// Sort number of translucent materials.
pub(in crate::material) const MEDIUM: f32 = 4.0;

/// Directives, whether Doom 3 has them, and their effect. The others are of other games with materials of this kind
/// (XreaL, The Dark Mod, Quake 4), and Doom 3 rejects them.
type Rows<Effect> = &'static [(&'static str, bool, Effect)];
type Outcome = Result<(), LoadError>;
type ShaderEffect = for<'a> fn(&mut Parser<'a, '_>, &Token<'a>) -> Outcome;
type StageEffect = for<'a> fn(&mut Parser<'a, '_>, &Token<'a>, &mut Stage, &mut Reads) -> Outcome;

const SHADER_WORDS: Rows<ShaderEffect> = &[
    ("diffusemap bumpmap specularmap", true, |parser, token| parser.lit_map(token)),
    ("normalmap glowmap", false, |parser, token| parser.lit_map(token)),
    ("qer_editorimage", true, |parser, _| {
        let program = parser.image_program()?;
        let mut names = Vec::new();
        program.names(&mut names);
        set(&mut parser.material.editor_image, names.first().map(|name| (*name).to_owned()))
    }),
    ("twosided", true, |parser, _| set(&mut parser.material.sides, DrawnFaces::Both)),
    ("backsided", true, |parser, _| set(&mut parser.material.sides, DrawnFaces::Back)),
    ("cull", false, |parser, token| match arguments::sides(&parser.line(token)?.word()) {
        Ok(sides) => set(&mut parser.material.sides, sides),
        Err(message) => parser.report(token, message),
    }),
    ("translucent", true, |parser, _| set(&mut parser.is_translucent, true)),
    ("sort", true, |parser, _| {
        let text = parser.lexer.parse_text("sort")?.to_ascii_lowercase();
        let known = SORTS.into_iter().find(|(name, _)| *name == text).map(|(_, number)| number);
        set(&mut parser.sort, known.or_else(|| text.parse().ok().filter(|number: &f32| number.is_finite())))
    }),
    ("polygonoffset", true, |parser, token| {
        parser.material.is_decal = true;
        parser.lexer.skip_line(token)
    }),
    ("decal_macro", true, |parser, _| {
        parser.sort = Some(DECAL);
        set(&mut parser.material.is_decal, true)
    }),
    ("clamp zeroclamp alphazeroclamp", true, |parser, token| set(&mut parser.wrap, wrap_of(token))),
    ("noclamp edgeclamp", false, |parser, token| set(&mut parser.wrap, wrap_of(token))),
    ("deformvertexes", false, |parser, token| match arguments::deform(&mut parser.line(token)?) {
        Ok(deform) if parser.material.deforms.len() < GAME_DEFORMS => {
            parser.material.deforms.extend(deform);
            Ok(())
        }
        Ok(_) => parser.report(token, format!("the game reads only {GAME_DEFORMS} deforms; this one is skipped")),
        Err(message) => parser.report(token, message),
    }),
    (
        "noportalfog nofog forceshadows forceoverlays forceopaque nooverlays nonsolid solid \
         water playerclip monsterclip moveableclip ikclip blood trigger aassolid aasobstacle flashlight_trigger \
         nullnormal areaportal qer_nocarve discrete nodamage slick noimpact nosteps ladder metal stone flesh wood \
         cardboard liquid glass plastic ricochet surftype10 surftype11 surftype12 surftype13 surftype14 surftype15 \
         collision foglight blendlight ambientlight mirror nofragment suppressinsubview portalsky",
        true,
        |_, _| Ok(()),
    ),
    ("deform", true, |parser, token| parser.deform(token)),
    ("noshadows noselfshadow", true, |parser, _| set(&mut parser.material.lights_backs, true)),
    ("unsmoothedtangents", true, |parser, _| {
        if !parser.material.deforms.contains(&Deform::DominantNormals) {
            parser.material.deforms.push(Deform::DominantNormals);
        }
        Ok(())
    }),
    ("lightfalloffimage", true, |parser, _| {
        parser.image_program().map(|program| parser.material.falloff = Some(Map::new(program)))
    }),
    ("renderbump description decalinfo guisurf spectrum", true, |parser, token| parser.lexer.skip_line(token)),
    (
        "noframes fulllight highquality forcehighquality uncompressed nopicmip noshadow islightgemsurf nomipmaps \
         entitymergable volumetriclight forcesolid portal",
        false,
        |_, _| Ok(()),
    ),
    (
        "renderbumpflat remoterendermap materialtype sound surfacetype materialimage surfaceparm tesssize fogparms \
         skyparms light lightmap",
        false,
        |parser, token| parser.lexer.skip_line(token),
    ),
];

const STAGE_WORDS: Rows<StageEffect> = &[
    ("blend", true, |parser, token, stage, reads| parser.blend(token, stage, reads)),
    ("map", true, |parser, _, stage, _| parser.image_program().map(|program| stage.maps = vec![Map::new(program)])),
    ("clampmap", false, |parser, _, stage, _| {
        stage.maps = vec![Map::new(parser.image_program()?)];
        set(&mut stage.wrap, TextureWrap::Clamp)
    }),
    ("stage blendfunc rgbgen alphagen alphafunc tcgen tcmod depthfunc", false, |parser, token, stage, reads| {
        parser.quake3_directive(token, stage, reads)
    }),
    ("depthwrite", false, |_, _, _, reads| set(&mut reads.writes_depth, true)),
    ("alphatest", true, |parser, _, stage, _| {
        parser.number().map(|number| stage.alpha_test = AlphaTest::Above(number))
    }),
    ("clamp noclamp zeroclamp alphazeroclamp", true, |_, token, stage, _| set(&mut stage.wrap, wrap_of(token))),
    ("edgeclamp", false, |_, token, stage, _| set(&mut stage.wrap, wrap_of(token))),
    ("if", true, |parser, _, stage, _| parser.number().map(|number| stage.condition = Some(number))),
    ("red green blue", true, |parser, token, _, reads| {
        let [red, green, blue] = reads.colour.get_or_insert_with(|| grey(&Expression::Number(1.0)));
        let number = parser.number()?;
        set(
            if token.is("red") {
                red
            } else if token.is("green") {
                green
            } else {
                blue
            },
            number,
        )
    }),
    ("alpha", true, |parser, _, _, reads| parser.number().map(|number| reads.alpha = Some(number))),
    ("rgb", true, |parser, _, _, reads| parser.number().map(|number| reads.colour = Some(grey(&number)))),
    ("rgba", true, |parser, _, _, reads| {
        reads.alpha = Some(parser.number()?);
        set(&mut reads.colour, reads.alpha.as_ref().map(grey))
    }),
    ("color", true, |parser, _, _, reads| {
        reads.colour = Some([parser.number()?, parser.after_comma()?, parser.after_comma()?]);
        parser.after_comma().map(|alpha| reads.alpha = Some(alpha))
    }),
    // The colours of entities and vertices count as white.
    ("colored vertexcolor", true, |_, _, _, _| Ok(())),
    ("inversevertexcolor", true, |_, _, _, reads| set(&mut reads.colour, Some(grey(&Expression::Number(0.0))))),
    ("scroll translate", true, |parser, _, stage, _| parser.pair(stage, TexMod::Shift)),
    ("scale", true, |parser, _, stage, _| parser.pair(stage, TexMod::Times)),
    ("centerscale", true, |parser, _, stage, _| parser.pair(stage, TexMod::TimesAboutMiddle)),
    ("shear", true, |parser, _, stage, _| parser.pair(stage, TexMod::Shear)),
    ("rotate", true, |parser, _, stage, _| parser.number().map(|turns| stage.moves.push(TexMod::Turn(turns)))),
    ("texgen", true, |parser, token, _, reads| {
        let form = parser.known_word("texGen", "normal reflect skybox wobblesky")?;
        reads.not_drawn = Some((token.line, format!("texGen {}", shortened(&form))));
        parser.lexer.skip_line(token)
    }),
    ("invisible", false, |_, _, _, reads| set(&mut reads.is_invisible, true)),
    // Stages that do not show an image file are left out.
    (
        "cubemap cameracubemap videomap soundmap mirrorrendermap remoterendermap xrayrendermap screen screen2 glasswarp \
         program fragmentprogram vertexprogram megatexture vertexparm fragmentmap",
        true,
        |parser, token, _, reads| parser.leave_out(token, reads),
    ),
    ("glslprogram rendermap", false, |parser, token, _, reads| parser.leave_out(token, reads)),
    ("maskred maskgreen maskblue maskalpha maskcolor", true, |_, token, stage, _| {
        let is = |word: &str| token.is(word) || word != "maskalpha" && token.is("maskcolor");
        stage
            .masked
            .iter_mut()
            .zip(["maskred", "maskgreen", "maskblue", "maskalpha"])
            .for_each(|(masked, word)| *masked |= is(word));
        Ok(())
    }),
    (
        "highquality forcehighquality uncompressed nopicmip ignorealphatest maskdepth linear nearest ignoredepth",
        true,
        |_, _, _, _| Ok(()),
    ),
    ("privatepolygonoffset name", true, |parser, token, _, _| parser.lexer.skip_line(token)),
    ("detail wireframe", false, |_, _, _, _| Ok(())),
    (
        "refractionindex fresnelpower fresnelscale fresnelbias depthscale deformmagnitude blurmagnitude",
        false,
        |parser, token, _, _| parser.lexer.skip_line(token),
    ),
];

/// Purpose of a stage, in the order of the maps of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum StagePurpose {
    Bump,
    Diffuse,
    Specular,
    #[default]
    Ambient,
}

#[derive(Clone, Debug, Default)]
struct Lit {
    bump: Option<Stage>,
    diffuse: Option<Stage>,
    specular: Option<Stage>,
}

pub(super) fn parse(
    definition: &Definition<'_>,
    scripts: &Scripts,
    reported: &mut ReportedProblems,
) -> Result<Material, LoadError> {
    let mut parser = Parser {
        lexer: definition.lexer(),
        notes: definition.notes,
        scripts,
        reported,
        material: Material::default(),
        sort: None,
        is_translucent: false,
        wrap: TextureWrap::Repeat,
        lit: Vec::new(),
        ambient: Vec::new(),
        holes: Vec::new(),
    };
    if let Err(error) = parser.parse() {
        parser.reported.add(definition.line, error.to_string());
        parser.reject(error.reason.to_string());
    }
    Ok(parser.finish())
}

struct Parser<'a, 't> {
    lexer: Lexer<'a>,
    notes: Notes<'a>,
    scripts: &'t Scripts,
    reported: &'t mut ReportedProblems,
    material: Material,
    sort: Option<f32>,
    is_translucent: bool,
    /// Wrap of stages that set none (XreaL).
    wrap: TextureWrap,
    /// Lit stages in the order of the file.
    lit: Vec<(StagePurpose, Stage)>,
    ambient: Vec<Stage>,
    /// Stages that only discard texels (`blend none`).
    holes: Vec<Stage>,
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
            if let Err(error) = self.directive(&token) {
                self.unreadable(&token, &error)?;
            }
            self.notes.end(&self.lexer, &token);
        }
        Ok(())
    }

    /// Skips a directive that no known game has. Doom 3 then draws its default material (`Material.cpp`,
    /// `ParseMaterial` and `ParseStage`: `MF_DEFAULTED`).
    fn unknown(&mut self, token: &Token<'a>) -> Result<(), LoadError> {
        let why = format!("unknown directive “{}”", shortened(&token.text().to_ascii_lowercase()));
        self.reported.add(token.line, format!("{why} skipped"));
        let stages = self.stages_so_far();
        self.material.rejected_for.get_or_insert((why, stages));
        self.lexer.skip_line(token)
    }

    /// Skips a directive with arguments that the game cannot read: it draws its default material (`ParseTerm`).
    fn unreadable(&mut self, token: &Token<'a>, error: &LoadError) -> Outcome {
        self.reported.add(token.line, error.to_string());
        self.reject(error.reason.to_string());
        self.lexer.skip_line(token)
    }

    /// Reads the first word of `directive`. The game rejects words that are not among `known`.
    fn known_word(&mut self, directive: &str, known: &str) -> Result<String, LoadError> {
        let word = self.lexer.parse_text(directive)?.to_ascii_lowercase();
        if !is_one_of(known, &word) {
            self.reject(format!("unknown “{directive} {}”", shortened(&word)));
        }
        Ok(word)
    }

    fn reject(&mut self, why: String) {
        let stages = self.stages_so_far();
        self.object(Objection::new(why.clone(), stages));
        self.material.rejected_for.get_or_insert((why, stages));
    }

    fn object(&mut self, objection: Objection) {
        if self.material.objections.len() < MAX_DETAILS {
            self.material.objections.push(objection);
        }
    }

    fn stages_so_far(&self) -> usize {
        self.lit.len() + self.ambient.len()
    }

    /// Returns the effect of a word. Notes a word that Doom 3 does not know, for which it rejects the material.
    fn effect<Effect: Copy>(&mut self, rows: Rows<Effect>, token: &Token<'a>, part: ScriptPart) -> Option<Effect> {
        let word = token.text().to_ascii_lowercase();
        let row = rows.iter().find(|(words, ..)| is_one_of(words, &word));
        if row.is_none_or(|(_, is_own, _)| !is_own) {
            self.object(Objection::to_word(&word, part, self.stages_so_far()));
        }
        row.map(|(.., effect)| *effect)
    }

    fn image_program(&mut self) -> Result<ImageProgram, LoadError> {
        let mut split = None;
        let line = self.lexer.peek()?.map_or(0, |token| token.line);
        let program = image_program(&mut self.lexer, &mut split, 0)?;
        if let Some((name, mark)) = split {
            let name = shortened(&name);
            self.reported.add(line, format!("the game ends the name “{name}” at “{mark}”; put it in quotes"));
            self.reject(format!("the name “{name}” has a “{mark}”, but no quotes"));
        }
        Ok(program)
    }

    fn directive(&mut self, token: &Token<'a>) -> Outcome {
        match self.effect(SHADER_WORDS, token, ScriptPart::Shader) {
            Some(effect) => effect(self, token),
            None => self.unknown(token),
        }
    }

    fn report(&mut self, token: &Token<'a>, message: String) -> Outcome {
        self.reported.add(token.line, message);
        Ok(())
    }

    fn lit_map(&mut self, token: &Token<'a>) -> Outcome {
        let map = Map::new(self.image_program()?);
        let stage = Stage { maps: vec![map], wrap: self.wrap, ..Stage::default() };
        match purpose_of(&token.text().to_ascii_lowercase()) {
            Some(purpose) => self.add(purpose, Stage { colour: ColourSource::Light, ..stage }),
            None => {
                let blend = Some(Blend::ADD);
                self.add(StagePurpose::Ambient, Stage { blend, writes_depth: false, ..stage });
            }
        }
        Ok(())
    }

    /// Takes the rest of a line, for directives in the syntax of Quake III.
    fn line(&mut self, word: &Token<'a>) -> Result<DirectiveArgs<'a>, LoadError> {
        let rest = self.lexer.rest_of_line(word)?;
        self.lexer.skip_line(word)?;
        Ok(DirectiveArgs { word: *word, rest: rest.into_iter() })
    }

    fn stage(&mut self) -> Result<(), LoadError> {
        let mut stage = Stage { writes_depth: true, wrap: self.wrap, ..Stage::default() };
        let mut reads = Reads::default();
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
            if let Err(error) = self.stage_directive(&token, &mut stage, &mut reads) {
                self.unreadable(&token, &error)?;
            }
            self.notes.end(&self.lexer, &token);
        }
        if let Some((line, what)) = &reads.not_drawn {
            self.reported.add(*line, format!("stage with “{what}” skipped"));
            return Ok(());
        }
        // The game applies the last transform to the vertex first.
        stage.moves.reverse();
        stage.colour = match (reads.colour, reads.purpose) {
            // `stage.colour` may hold the colour of `rgbGen`.
            (None, StagePurpose::Ambient) => stage.colour,
            (None, _) => ColourSource::Light,
            (Some(numbers), StagePurpose::Ambient) => ColourSource::Numbers(Box::new(numbers)),
            (Some(numbers), _) => ColourSource::LightTimes(Box::new(numbers)),
        };
        if let Some(alpha) = reads.alpha {
            stage.alpha = AlphaSource::Number(alpha);
        }
        stage.writes_depth = stage.blend.is_none() || reads.writes_depth;
        if stage.maps.is_empty() {
            return Ok(());
        }
        if reads.is_invisible {
            let room = MAX_STAGES.saturating_sub(self.holes.len());
            self.holes.extend(Some(stage).filter(|stage| room > 0 && stage.alpha_test != AlphaTest::None));
            return Ok(());
        }
        self.add(reads.purpose, stage);
        Ok(())
    }

    fn add(&mut self, purpose: StagePurpose, stage: Stage) {
        if self.lit.len() + self.ambient.len() >= MAX_STAGES {
            return;
        }
        if purpose == StagePurpose::Ambient {
            self.ambient.push(stage);
        } else {
            self.lit.push((purpose, stage));
        }
    }

    fn stage_directive(&mut self, token: &Token<'a>, stage: &mut Stage, reads: &mut Reads) -> Outcome {
        match self.effect(STAGE_WORDS, token, ScriptPart::Stage) {
            Some(effect) => effect(self, token, stage, reads),
            None => self.unknown(token),
        }
    }

    fn leave_out(&mut self, token: &Token<'a>, reads: &mut Reads) -> Outcome {
        reads.not_drawn = Some((token.line, token.text().to_ascii_lowercase()));
        self.lexer.skip_line(token)
    }

    /// Reads a directive with the arguments of Quake III's scripts.
    fn quake3_directive(&mut self, token: &Token<'a>, stage: &mut Stage, reads: &mut Reads) -> Outcome {
        let mut line = self.line(token)?;
        let trouble = match token.text().to_ascii_lowercase().as_str() {
            "stage" => self.stage_type(&mut line, reads),
            "blendfunc" => arguments::blend(&mut line, stage),
            "rgbgen" => {
                let trouble = arguments::colour(&mut line, stage);
                // XreaL treats a stage with `lightingDiffuse` as the diffuse map.
                if stage.colour == ColourSource::Light && reads.purpose == StagePurpose::Ambient {
                    reads.purpose = StagePurpose::Diffuse;
                }
                trouble
            }
            "alphagen" => arguments::alpha(&mut line, stage),
            "alphafunc" => arguments::alpha_test(&mut line, stage),
            "tcgen" => arguments::coordinates(&mut line, stage),
            "tcmod" => arguments::change(&mut line, stage),
            _ => {
                stage.at_equal_depth = line.word() == "equal";
                None
            }
        };
        if let Some(trouble) = trouble {
            self.reported.add(token.line, trouble);
        }
        Ok(())
    }

    /// Sets the purpose of a stage as XreaL's directive `stage` does.
    fn stage_type(&self, line: &mut DirectiveArgs<'a>, reads: &mut Reads) -> Option<String> {
        let word = line.word();
        match (word.as_str(), purpose_of(&word)) {
            (_, Some(purpose)) => reads.purpose = purpose,
            ("colormap", _) => {}
            _ => reads.not_drawn = Some((line.word.line, format!("stage {}", shortened(&word)))),
        }
        None
    }

    fn number(&mut self) -> Result<Expression, LoadError> {
        expression(self.scripts, &mut self.lexer)
    }

    fn after_comma(&mut self) -> Result<Expression, LoadError> {
        self.lexer.check(",")?;
        self.number()
    }

    fn pair(&mut self, stage: &mut Stage, of: impl Fn(Expression, Expression) -> TexMod) -> Outcome {
        let first = self.number()?;
        let second = self.after_comma()?;
        stage.moves.push(of(first, second));
        Ok(())
    }

    fn blend(&mut self, token: &Token<'a>, stage: &mut Stage, reads: &mut Reads) -> Outcome {
        let first = self.lexer.parse_text("blend")?.to_ascii_lowercase();
        stage.blend = match first.as_str() {
            "diffusemap" | "bumpmap" | "specularmap" => {
                reads.purpose = purpose_of(&first).unwrap_or(reads.purpose);
                None
            }
            "blend" => Some(Blend::ALPHA),
            "add" => Some(Blend::ADD),
            "filter" | "modulate" => Some(Blend::FILTER),
            "none" => {
                // The stage is drawn only into the depth buffer, if at all.
                reads.is_invisible = true;
                None
            }
            _ => {
                self.lexer.check(",")?;
                let second = self.lexer.parse_text("blend")?.to_ascii_lowercase();
                match (factor(&first), factor(&second)) {
                    (Some(source), Some(destination)) => Blend::from_factors(source, destination),
                    _ => {
                        let (first, second) = (shortened(&first), shortened(&second));
                        self.reported.add(token.line, format!("unknown “blend {first}, {second}” skipped"));
                        self.reject(format!("unknown “blend {first}, {second}”"));
                        None
                    }
                }
            }
        };
        Ok(())
    }

    /// Parses the arguments of `deform` (`Material.cpp`, `ParseDeform`). `expand` does not change skeletal models,
    /// because the engine derives no normals for unlit meshes (`tr_light.cpp`, `R_CreateAmbientCache`).
    fn deform(&mut self, token: &Token<'a>) -> Outcome {
        let forms = "sprite tube flare expand move turbulent eyeball particle particle2";
        let form = self.known_word("deform", forms)?;
        let deform = match form.as_str() {
            "sprite" => Deform::Sprite,
            "tube" => Deform::Tube,
            "move" => Deform::Shift(self.number()?),
            "expand" => return self.number().map(drop),
            "flare" => {
                self.number()?;
                return self.report(token, "“deform flare” is not drawn; the surface stays in its place".to_owned());
            }
            "eyeball" => return Ok(()),
            "particle" | "particle2" => return self.lexer.parse_text("deform").map(drop),
            "turbulent" => {
                let name = self.lexer.parse_text("deform")?.to_ascii_lowercase();
                let numbers = Box::new([self.number()?, self.number()?, self.number()?]);
                match self.scripts.table(&name) {
                    Some(table) => Deform::Turbulent(table, numbers),
                    None => return self.report(token, format!("unknown table “{}” skipped", shortened(&name))),
                }
            }
            _ => return self.lexer.skip_line(token),
        };
        if matches!(deform, Deform::Sprite | Deform::Tube) {
            self.material.sides = DrawnFaces::Both;
        }
        // A material has one deform, the last.
        self.material.deforms.retain(|known| *known == Deform::DominantNormals);
        self.material.deforms.push(deform);
        Ok(())
    }

    fn finish(self) -> Material {
        let Self { mut material, lit, ambient, holes, is_translucent, sort, .. } = self;
        let lit: Vec<Stage> = lit_stages(lit).into_iter().map(Lit::stage).collect();
        let tests = |stage: &&Stage| stage.alpha_test != AlphaTest::None;
        let testers: Vec<Stage> = lit.iter().chain(&ambient).filter(tests).chain(&holes).cloned().collect();
        let is_blended = lit.is_empty() && ambient.first().is_some_and(|first| first.blend.is_some());
        let is_opaque = !testers.is_empty() || !is_translucent && !is_blended;
        let is_lit = !lit.is_empty();
        material.stages = lit;
        material.stages.extend(ambient);
        if is_opaque {
            fill_depth(&mut material.stages, testers);
        } else {
            for stage in &mut material.stages {
                if stage.relief.is_some() {
                    (stage.blend, stage.writes_depth) = (Some(Blend::ADD), false);
                }
                stage.writes_depth &= !is_lit && !is_translucent;
            }
        }
        material.is_by_surface = true;
        // Translucent materials cast no shadows (`Material.h`, `ReceivesLightingOnBackSides`).
        material.lights_backs |= !is_opaque;
        material.stages.truncate(MAX_STAGES);
        let by_itself = match (material.is_decal, is_opaque) {
            (true, _) => DECAL,
            (false, true) => OPAQUE,
            (false, false) => MEDIUM,
        };
        material.sort = sort.unwrap_or(by_itself);
        material
    }
}

impl Lit {
    fn stage(self) -> Stage {
        // Without a diffuse map the game uses white, but black if there is a specular map.
        let nothing = if self.specular.is_some() { ImageProgram::Black } else { ImageProgram::White };
        let plain = || Stage { maps: vec![Map::new(nothing)], ..Stage::default() };
        let mut stage = self.diffuse.unwrap_or_else(plain);
        if !matches!(stage.colour, ColourSource::LightTimes(_)) {
            stage.colour = ColourSource::Light;
        }
        let mut own = [self.bump, self.specular].map(Option::unwrap_or_default);
        let [bump, specular] = own.each_mut().map(|stage| std::mem::take(&mut stage.maps).into_iter().next());
        stage.relief = Some(Box::new(NormalSpecular { bump, specular, own: Some(Box::new(own)) }));
        stage
    }
}

/// Draws `stages` of an opaque surface at the depth that is drawn first: all stages with an alpha test (`testers`), in
/// black, or else the whole surface (`tr_render.cpp`, `RB_STD_FillDepthBuffer`, `RB_STD_T_RenderShaderPasses`). The
/// first stage draws the depth itself if the result is equal.
fn fill_depth(stages: &mut Vec<Stage>, mut testers: Vec<Stage>) {
    let is_lit = |stage: &Stage| stage.relief.is_some();
    let tests = |stage: &Stage| stage.alpha_test != AlphaTest::None;
    // The depth is not drawn either if the conditions of all stages are false.
    let is_alone = stages.len() == 1;
    let is_whole = |stage: &Stage| {
        stage.blend.is_none()
            && stage.masked == [false; 4]
            && (is_alone || stage.condition.is_none())
            && tests(stage) == (testers.len() == 1)
    };
    let draws_depth = testers.len() <= 1 && stages.first().is_some_and(is_whole);
    for (number, stage) in stages.iter_mut().enumerate() {
        if number > 0 && is_lit(stage) {
            stage.blend = Some(Blend::ADD);
        }
        if number > 0 || !draws_depth {
            stage.alpha_test = AlphaTest::None;
            (stage.writes_depth, stage.at_equal_depth) = (false, true);
        }
    }
    if !draws_depth && !stages.is_empty() {
        if testers.is_empty() {
            testers.push(Stage { maps: vec![Map::new(ImageProgram::White)], ..Stage::default() });
        }
        let black = |stage: Stage| Stage {
            colour: ColourSource::Black,
            blend: None,
            relief: None,
            masked: [false; 4],
            writes_depth: true,
            ..stage
        };
        stages.splice(..0, testers.into_iter().map(black));
    }
}

/// Combines maps into lit stages. A bump map begins a new group, except the first one, which joins the maps before it.
/// A second map of a kind in a group begins another stage with the group's other maps. A specular map after such a
/// stage does, too: the game has replaced the earlier specular map by the black image then (`tr_render.cpp`,
/// `RB_CreateSingleDrawInteractions`, `RB_SubmittInteraction`).
fn lit_stages(maps: Vec<(StagePurpose, Stage)>) -> Vec<Lit> {
    let mut groups: Vec<Vec<(StagePurpose, Stage)>> = Vec::new();
    for (purpose, stage) in maps {
        let begins = |group: &Vec<(StagePurpose, Stage)>| {
            purpose == StagePurpose::Bump && group.iter().any(|(other, _)| *other == StagePurpose::Bump)
        };
        let is_first_group = groups.len() < 2;
        match groups.last_mut() {
            Some(group) if !begins(group) && (is_first_group || purpose != StagePurpose::Bump) => {
                group.push((purpose, stage))
            }
            _ => groups.push(vec![(purpose, stage)]),
        }
    }
    let mut stages = Vec::new();
    for mut group in groups {
        group.sort_by_key(|(purpose, _)| *purpose);
        let mut lit = Lit::default();
        let first = stages.len();
        for (purpose, stage) in group {
            let is_taken = match purpose {
                StagePurpose::Diffuse => lit.diffuse.is_some(),
                StagePurpose::Specular => lit.specular.is_some() || stages.len() > first,
                StagePurpose::Bump | StagePurpose::Ambient => lit.bump.is_some(),
            };
            if is_taken {
                stages.push(lit.clone());
            }
            match purpose {
                StagePurpose::Diffuse => lit.diffuse = Some(stage),
                StagePurpose::Specular => lit.specular = Some(stage),
                StagePurpose::Bump | StagePurpose::Ambient => lit.bump = Some(stage),
            }
        }
        stages.push(lit);
    }
    stages
}

#[derive(Debug, Default)]
struct Reads {
    purpose: StagePurpose,
    colour: Option<[Expression; 3]>,
    alpha: Option<Expression>,
    is_invisible: bool,
    writes_depth: bool,
    not_drawn: Option<(u32, String)>,
}

#[allow(clippy::unnecessary_wraps, reason = "the effect of a row")]
fn set<T>(slot: &mut T, value: T) -> Outcome {
    *slot = value;
    Ok(())
}

fn wrap_of(token: &Token) -> TextureWrap {
    arguments::wrap(&token.text().to_ascii_lowercase()).unwrap_or_default()
}

fn grey(number: &Expression) -> [Expression; 3] {
    [number.clone(), number.clone(), number.clone()]
}

/// Returns the purpose that a directive gives to a map of a lit surface.
fn purpose_of(word: &str) -> Option<StagePurpose> {
    match word {
        "diffusemap" => Some(StagePurpose::Diffuse),
        "bumpmap" | "normalmap" => Some(StagePurpose::Bump),
        "specularmap" => Some(StagePurpose::Specular),
        _ => None,
    }
}

fn factor(word: &str) -> Option<Factor> {
    Some(match word.strip_prefix("gl_")? {
        "one" | "dst_alpha" => Factor::One,
        "zero" | "one_minus_dst_alpha" => Factor::Zero,
        "dst_color" => Factor::DestinationColour,
        "one_minus_dst_color" => Factor::OneMinusDestinationColour,
        "src_color" => Factor::SourceColour,
        "one_minus_src_color" => Factor::OneMinusSourceColour,
        "src_alpha" => Factor::SourceAlpha,
        "one_minus_src_alpha" => Factor::OneMinusSourceAlpha,
        "src_alpha_saturate" => Factor::SourceAlphaSaturate,
        _ => return None,
    })
}
