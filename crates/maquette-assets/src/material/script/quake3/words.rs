//! Words of shader scripts: those of Quake III, and lookup in the tables of all engines.

use super::writer::{
    ScriptWriter, alpha_func, alpha_gen, anim_map, blend_func, clamp_map, clamp_time, cull, deform, depth_func,
    depth_write, editor_image, map, no_mipmaps, polygon_offset, rgb_gen, sort, surface_parm, tc_gen, tc_mod, video_map,
};
use crate::material::script::DirectiveArgs;

/// Words that begin a directive, with equal arguments and effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// Names in lower case, separated by spaces. A `*` at the end of a name stands for any ending.
    pub names: &'static str,
    /// Words of the line that belong to the directive.
    pub arguments: Arguments,
    /// Effect on the material. `None` if the word does not change how a model looks, or is not drawn.
    pub effect: Option<Effect>,
}

/// Words of a line that belong to a directive. The next word of the line begins another directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// A number of words. Fewer are allowed.
    Words(usize),
    /// The words that the effect reads.
    Parsed,
    /// The rest of the line.
    Line,
}

/// Effect of a directive. Returns a warning if the arguments are invalid.
pub(crate) type Effect = fn(&mut ScriptWriter<'_>, &mut DirectiveArgs<'_>) -> Option<String>;

/// Words of an engine, and what the engine does with unknown ones.
#[derive(Debug)]
pub struct ScriptRules {
    /// Words outside stages, in addition to those of Quake III.
    pub(crate) shader: &'static [&'static [Word]],
    /// Words within stages, in addition to those of Quake III.
    pub(crate) stage: &'static [&'static [Word]],
    /// Words with their first argument, in lower case, that Quake III does not know, although it knows the word.
    pub(crate) values: &'static [&'static str],
    /// Whether the engine skips unknown words. Quake III rejects the whole shader (`tr_shader.c`, `ParseShader`) and
    /// draws its default image.
    pub(crate) skips_unknown: bool,
    /// Whether the engine never rejects a shader, not even for a word without its argument.
    pub(crate) skips_errors: bool,
}

/// Part of a definition that contains a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptPart {
    /// Outside stages.
    Shader,
    /// Within a stage.
    Stage,
}

/// Directive for which an engine rejects a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Objection {
    /// Reason, for messages.
    pub(crate) why: String,
    /// The word, if only engines that do not know it object.
    word: Option<(String, ScriptPart)>,
    /// Number of stages before the directive.
    stages: usize,
}

impl Word {
    /// Words that do not change how a model looks, or that are not drawn.
    pub(crate) const fn hidden(names: &'static str, arguments: Arguments) -> Self {
        Self { names, arguments, effect: None }
    }

    /// Words with an effect.
    pub(crate) const fn shown(names: &'static str, arguments: Arguments, effect: Effect) -> Self {
        Self { names, arguments, effect: Some(effect) }
    }

    fn is(&self, word: &str) -> bool {
        self.names.split(' ').any(|name| match name.strip_suffix('*') {
            Some(start) => word.starts_with(start),
            None => word == name,
        })
    }
}

use Arguments::{Line, Parsed, Words};

/// Sources: ioquake3 `tr_shader.c` (`ParseShader`, `ParseStage`).
const SHADER: &[Word] = &[
    Word::shown("cull", Words(1), cull),
    Word::shown("deformvertexes", Parsed, deform),
    Word::shown("sort", Words(1), sort),
    Word::shown("polygonoffset", Words(0), polygon_offset),
    Word::shown("nomipmaps", Words(0), no_mipmaps),
    Word::shown("clamptime", Words(1), clamp_time),
    Word::shown("surfaceparm", Words(1), surface_parm),
    Word::shown("qer_editorimage", Line, editor_image),
    Word::hidden("nopicmip portal entitymergable", Words(0)),
    Word::hidden("skyparms", Words(3)),
    Word::hidden("fogparms tesssize qer* q3map*", Line),
    Word::hidden("light", Words(1)),
];

const STAGE: &[Word] = &[
    Word::shown("map", Words(1), map),
    Word::shown("clampmap", Words(1), clamp_map),
    Word::shown("animmap", Line, anim_map),
    Word::shown("videomap", Words(1), video_map),
    Word::shown("alphafunc", Words(1), alpha_func),
    Word::shown("depthfunc", Words(1), depth_func),
    Word::shown("depthwrite", Words(0), depth_write),
    Word::shown("blendfunc", Parsed, blend_func),
    Word::shown("rgbgen", Parsed, rgb_gen),
    Word::shown("alphagen", Parsed, alpha_gen),
    Word::shown("tcgen texgen", Parsed, tc_gen),
    Word::shown("tcmod", Line, tc_mod),
    Word::hidden("detail", Words(0)),
];

impl ScriptRules {
    /// Rules of Quake III.
    pub(crate) const QUAKE_3: Self =
        Self { shader: &[], stage: &[], values: &[], skips_unknown: false, skips_errors: false };

    fn own(&self, word: &str, part: ScriptPart) -> Option<&'static Word> {
        let tables = match part {
            ScriptPart::Shader => self.shader,
            ScriptPart::Stage => self.stage,
        };
        tables.iter().copied().flatten().find(|known| known.is(word))
    }

    /// Returns whether the engine has a word, or a word with its first argument, that Quake III does not know.
    fn knows(&self, word: &str, part: ScriptPart) -> bool {
        self.values.contains(&word) || self.own(word, part).is_some()
    }

    /// Returns the reason for which an engine with these rules rejects a definition with `objections`, and the number of
    /// stages before it.
    pub(crate) fn rejection(&self, objections: &[Objection]) -> Option<(String, usize)> {
        let counts = |objection: &&Objection| match &objection.word {
            Some((word, part)) => !self.skips_unknown && !self.knows(word, *part),
            None => !self.skips_errors,
        };
        objections.iter().find(counts).map(|objection| (objection.why.clone(), objection.stages))
    }
}

impl Objection {
    /// Returns the objection of engines that do not know `word`.
    pub(in crate::material::script) fn to_word(word: &str, part: ScriptPart, stages: usize) -> Self {
        let why = format!("unknown directive “{}”", super::shortened(word));
        Self { why, word: Some((word.to_owned(), part)), stages }
    }

    pub(in crate::material::script) fn new(why: String, stages: usize) -> Self {
        Self { why, word: None, stages }
    }
}

/// Returns the row of a word in the tables: those of `own` rules, of Quake III, then of `all` engines. The second value
/// is `true` if Quake III knows the word.
pub(super) fn find(
    word: &str,
    part: ScriptPart,
    own: Option<&'static ScriptRules>,
    all: &[&'static ScriptRules],
) -> (Option<&'static Word>, bool) {
    let base = match part {
        ScriptPart::Shader => SHADER,
        ScriptPart::Stage => STAGE,
    };
    let base = base.iter().find(|known| known.is(word));
    let own = own.and_then(|rules| rules.own(word, part));
    let any = || all.iter().find_map(|rules| rules.own(word, part));
    (own.or(base).or_else(any), base.is_some())
}

/// Returns whether `value`, a word with its first argument, is only known to others of `all` engines than the one with
/// `own` rules, and whether Quake III does not know it.
pub(super) fn is_foreign_value(
    value: &str,
    own: Option<&'static ScriptRules>,
    all: &[&'static ScriptRules],
) -> (bool, bool) {
    let is_special = all.iter().any(|rules| rules.values.contains(&value));
    (is_special && own.is_some_and(|rules| !rules.values.contains(&value)), is_special)
}

/// Returns the rules for which a definition was written: the first of `all` that have most of the words that Quake III
/// does not know. `None` if none have any.
pub(super) fn rules_of(objections: &[Objection], all: &[&'static ScriptRules]) -> Option<&'static ScriptRules> {
    let words = || objections.iter().filter_map(|objection| objection.word.as_ref());
    let known = |rules: &ScriptRules| words().filter(|(word, part)| rules.knows(word, *part)).count();
    let mut best: (usize, Option<&'static ScriptRules>) = (0, None);
    for rules in all.iter().copied() {
        let count = known(rules);
        if count > best.0 {
            best = (count, Some(rules));
        }
    }
    best.1
}
