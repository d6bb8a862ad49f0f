//! Table of rules, in the order of findings.

use super::finding::{Severity, Sink};
use super::input::Context;
use super::profile::Quantity;
use super::{clips, files, frames, limits, tags, triangles, weights};

/// A check of every model.
pub struct Rule {
    /// Id: lower case with hyphens, must not change.
    pub id: &'static str,
    /// Highest severity of a finding.
    pub severity: Severity,
    /// Reason for the rule, in a sentence.
    pub reason: &'static str,
    find: fn(&Context, &mut Sink),
}

impl Rule {
    pub(super) fn run(&self, context: &Context, sink: &mut Sink) {
        sink.rule = self.id;
        (self.find)(context, sink);
    }
}

/// Id of the rule for files that do not load.
pub const BROKEN: &str = "broken-file";

/// Id of the rule for the requirements of a rules file.
pub const REQUIREMENT: &str = "rules-file";

const fn elsewhere(_: &Context, _: &mut Sink) {}

const fn rule(id: &'static str, severity: Severity, reason: &'static str, find: fn(&Context, &mut Sink)) -> Rule {
    Rule { id, severity, reason, find }
}

use Severity::{Error, Note, Warning};

/// All rules.
pub static RULES: [Rule; 42] = [
    rule(BROKEN, Error, "A file that does not load cannot be used.", elsewhere),
    rule("format-not-loaded", Error, "The engine does not load models of this format.", limits::format),
    rule("empty-md2", Error, "An MD2 without triangles shows nothing, and some engines refuse it.", limits::empty_md2),
    rule("no-surfaces", Error, "A model without triangles, tags and joints shows nothing.", limits::no_surfaces),
    rule("missing-line", Error, "Doom 3 expects every line of an MD5's head.", limits::missing_lines),
    rule("too-many-vertices", Error, "Engines have a fixed buffer for the vertices of a surface.", |context, sink| {
        limits::number(context, sink, Quantity::Vertices);
    }),
    rule(
        "too-many-triangles",
        Error,
        "Engines have a fixed buffer for the triangles of a surface.",
        |context, sink| {
            limits::number(context, sink, Quantity::Triangles);
        },
    ),
    rule("too-many-surfaces", Warning, "Tools of the game take no more surfaces.", |context, sink| {
        limits::number(context, sink, Quantity::Surfaces);
    }),
    rule("too-many-frames", Error, "The engine or the tools of the game take no more frames.", |context, sink| {
        limits::number(context, sink, Quantity::Frames);
    }),
    rule("too-many-tags", Warning, "Tools of the game take no more tags.", |context, sink| {
        limits::number(context, sink, Quantity::Tags);
    }),
    rule("too-many-joints", Error, "Engines have a fixed table for the joints of a frame.", |context, sink| {
        limits::number(context, sink, Quantity::Joints);
    }),
    rule("too-many-weights", Warning, "The engine keeps only the largest weights of a vertex.", |context, sink| {
        limits::number(context, sink, Quantity::Weights);
    }),
    rule("too-many-skins", Error, "Engines have a fixed table for the skins of a model.", |context, sink| {
        limits::number(context, sink, Quantity::Skins);
    }),
    rule("too-many-materials", Warning, "Tools of the game take no more materials on a surface.", |context, sink| {
        limits::number(context, sink, Quantity::Materials);
    }),
    rule("too-many-levels", Warning, "The engine switches between no more levels of detail.", |context, sink| {
        limits::number(context, sink, Quantity::Levels);
    }),
    rule("name-too-long", Warning, "A name that fills its field has no end, and engines read on.", |context, sink| {
        limits::number(context, sink, Quantity::NameLength);
    }),
    rule("skin-too-tall", Error, "The engine refuses a skin that is taller.", |context, sink| {
        limits::number(context, sink, Quantity::SkinHeight);
    }),
    rule("skin-too-wide", Error, "The engine refuses or cannot draw a skin that is wider.", |context, sink| {
        limits::number(context, sink, Quantity::SkinWidth);
    }),
    rule("missing-tag", Warning, "Without the tag, what the part carries is drawn at its origin.", tags::missing),
    rule("misnamed-tag", Warning, "Games ask for tags by their exact names.", tags::misnamed),
    rule("repeated-tag", Warning, "Of two tags with one name games find the first.", tags::repeated),
    rule(
        "tag-axes-length",
        Warning,
        "Axes that are not of unit length scale what is attached in some engines.",
        tags::length,
    ),
    rule("tag-axes-skewed", Warning, "Axes that are not at right angles skew what is attached.", tags::skewed),
    rule("tag-axes-mirrored", Warning, "Mirrored axes turn what is attached inside out.", tags::mirrored),
    rule(
        "wrong-bounds",
        Warning,
        "Engines that trust the boxes of frames cull what can still be seen.",
        frames::bounds,
    ),
    rule(
        "wrong-radius",
        Warning,
        "Engines that trust the spheres of frames cull what can still be seen.",
        frames::radii,
    ),
    rule("weight-sum", Warning, "Vertices whose weights do not sum to 1 drift away from the mesh.", weights::sums),
    rule("no-weights", Warning, "A vertex without weights stays at the origin.", weights::none),
    rule(
        "other-skeleton",
        Error,
        "Engines play the animation of a mesh only if both have the same joints.",
        clips::skeletons,
    ),
    rule("no-extension", Warning, "The engine loads no image for a name without an extension.", files::extensions),
    rule("missing-texture", Warning, "The game draws a placeholder, or nothing.", files::missing_textures),
    rule("guessed-texture", Note, "The game does not look where the texture was found.", files::guessed_textures),
    rule(
        "inside-out",
        Warning,
        "A surface that faces against its normals is culled from outside, or lit from the wrong side.",
        triangles::inside_out,
    ),
    rule("degenerate-triangle", Warning, "Triangles without area cost time and show nothing.", triangles::degenerate),
    rule("repeated-triangle", Warning, "A triangle that is there twice is drawn twice.", triangles::repeated),
    rule("unused-vertex", Note, "Vertices of no triangle are moved and never drawn.", triangles::unused),
    rule("crease", Note, "Light breaks where vertices of one place have different normals.", triangles::creases),
    rule("loop-jump", Note, "A clip that repeats should end near its beginning.", clips::jumps),
    rule(
        "clip-overlap",
        Note,
        "Clips that share some of their frames often have a wrong first frame or count.",
        clips::overlaps,
    ),
    rule("oddity", Warning, "The file contradicts itself, or a part of it cannot be used.", files::oddities),
    rule(REQUIREMENT, Error, "What a rules file asks for does not hold.", elsewhere),
    rule("companion", Note, "A file beside the model is odd or is not there.", files::companions),
];
