//! Table of rules, in the order of findings.

use super::finding::{Severity, Sink};
use super::input::Context;
use super::{clips, files, frames, limits, refusals, tags, triangles, weights};
use crate::engines::Quantity;
use maquette_core::edit::{Operation, RECOMPUTE_BOUNDS, RECOMPUTE_NORMALS, REMOVE_DEGENERATE};

/// Subject of rules, by which lists of models are filtered.
#[derive(Debug, PartialEq, Eq)]
pub struct Topic {
    /// Title, at most four words.
    pub title: &'static str,
    /// Whether a game draws the model wrongly because of a warning. Errors are always faults.
    pub breaks: bool,
}

const fn topic(title: &'static str) -> Topic {
    Topic { title, breaks: false }
}

const fn breaking(title: &'static str) -> Topic {
    Topic { title, breaks: true }
}

static REJECTED: Topic = topic("Rejected files");
static INCONSISTENT: Topic = topic("Inconsistent data");
static SIZE: Topic = topic("Too many triangles");
static LIMITS: Topic = topic("Other limits");
static TAGS: Topic = breaking("Tags");
static NAMES: Topic = breaking("Repeated names");
static AXES: Topic = topic("Tag axes");
static BOUNDS: Topic = topic("Bounds");
static WEIGHTS: Topic = topic("Weights");
static CLIPS: Topic = topic("Clips");
static SHADERS: Topic = breaking("Shaders");
static TEXTURES: Topic = breaking("Textures");
static NORMALS: Topic = topic("Normals");
static GEOMETRY: Topic = topic("Triangles");

/// A check of every model.
pub struct Rule {
    /// Id: lower case with hyphens, must not change.
    pub id: &'static str,
    /// Highest severity of a finding.
    pub severity: Severity,
    /// Subject of the rule.
    pub topic: &'static Topic,
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

const fn rule(
    id: &'static str,
    severity: Severity,
    topic: &'static Topic,
    reason: &'static str,
    find: fn(&Context, &mut Sink),
) -> Rule {
    Rule { id, severity, topic, reason, find }
}

use Severity::{Error, Note, Warning};

/// Returns the operation that repairs the findings of a rule without a further decision of the user.
pub fn repair_of(rule: &str) -> Option<&'static Operation> {
    match rule {
        "degenerate-triangle" => Some(&REMOVE_DEGENERATE),
        "wrong-bounds" | "wrong-radius" => Some(&RECOMPUTE_BOUNDS),
        "inside-out" | "crease" => Some(&RECOMPUTE_NORMALS),
        _ => None,
    }
}

/// All rules.
pub static RULES: &[Rule] = &[
    rule(BROKEN, Error, &REJECTED, "A file that does not load cannot be used.", elsewhere),
    rule("format-not-loaded", Error, &REJECTED, "The engine does not load models of this format.", limits::format),
    rule(
        "empty-md2",
        Error,
        &REJECTED,
        "An MD2 without triangles is invisible, and some engines reject it.",
        limits::empty_md2,
    ),
    rule(
        "no-surfaces",
        Error,
        &REJECTED,
        "A model without triangles, tags or joints is invisible.",
        limits::no_surfaces,
    ),
    rule("missing-line", Error, &REJECTED, "Engines require the header lines of an MD5.", refusals::missing_lines),
    rule(
        "refused",
        Error,
        &REJECTED,
        "The engine refuses files with this fault, or reads past their data.",
        refusals::others,
    ),
    rule(
        "too-many-vertices",
        Error,
        &SIZE,
        "Engines have a fixed buffer for the vertices of a surface.",
        |context, sink| {
            limits::number(context, sink, Quantity::Vertices);
        },
    ),
    rule(
        "too-many-triangles",
        Error,
        &SIZE,
        "Engines have a fixed buffer for the triangles of a surface.",
        |context, sink| {
            limits::number(context, sink, Quantity::Triangles);
        },
    ),
    rule(
        "too-many-surfaces",
        Error,
        &LIMITS,
        "The engine or the game's tools have a fixed limit on surfaces.",
        |context, sink| {
            limits::number(context, sink, Quantity::Surfaces);
        },
    ),
    rule(
        "too-many-frames",
        Error,
        &LIMITS,
        "The engine or the game's tools have a fixed limit on frames.",
        |context, sink| {
            limits::number(context, sink, Quantity::Frames);
        },
    ),
    rule("too-many-tags", Warning, &LIMITS, "The game's tools have a fixed limit on tags.", |context, sink| {
        limits::number(context, sink, Quantity::Tags);
    }),
    rule(
        "too-many-joints",
        Error,
        &LIMITS,
        "Engines have a fixed table for the joints of a frame.",
        |context, sink| {
            limits::number(context, sink, Quantity::Joints);
        },
    ),
    rule(
        "too-many-weights",
        Error,
        &LIMITS,
        "The engine keeps only the largest weights of a vertex, or limits the weights of a mesh.",
        |context, sink| {
            limits::number(context, sink, Quantity::Weights);
            limits::number(context, sink, Quantity::StoredWeights);
        },
    ),
    rule("too-many-skins", Error, &LIMITS, "Engines have a fixed table for the skins of a model.", |context, sink| {
        limits::number(context, sink, Quantity::Skins);
    }),
    rule(
        "too-many-materials",
        Error,
        &LIMITS,
        "The engine or the game's tools have a fixed limit on the materials of a surface.",
        |context, sink| {
            limits::number(context, sink, Quantity::Materials);
        },
    ),
    rule("too-many-levels", Warning, &LIMITS, "The engine has a fixed limit on LODs.", |context, sink| {
        limits::number(context, sink, Quantity::Levels);
    }),
    rule(
        "name-too-long",
        Warning,
        &LIMITS,
        "A name that fills its field is not terminated, and engines read past its end.",
        |context, sink| {
            limits::number(context, sink, Quantity::NameLength);
        },
    ),
    rule("path-too-long", Error, &LIMITS, "Engines have a fixed buffer for game paths.", limits::paths),
    rule("skin-too-tall", Error, &LIMITS, "The engine rejects taller skins.", |context, sink| {
        limits::number(context, sink, Quantity::SkinHeight);
    }),
    rule("skin-too-wide", Error, &LIMITS, "The engine rejects or cannot draw wider skins.", |context, sink| {
        limits::number(context, sink, Quantity::SkinWidth);
    }),
    rule(
        "missing-tag",
        Warning,
        &TAGS,
        "Without the tag, models attached to it are drawn at the origin of the part.",
        tags::missing,
    ),
    rule("misnamed-tag", Warning, &TAGS, "Games look up tags by their exact names.", tags::misnamed),
    rule("repeated-tag", Warning, &NAMES, "If two tags have the same name, games find only the first.", tags::repeated),
    rule(
        "repeated-surface",
        Warning,
        &NAMES,
        "A line of a .skin file sets the material of all surfaces with its name.",
        files::repeated_surfaces,
    ),
    rule(
        "tag-axes-length",
        Warning,
        &AXES,
        "In some engines, axes that are not of unit length scale attached models.",
        tags::length,
    ),
    rule("tag-axes-skewed", Warning, &AXES, "Axes that are not perpendicular skew attached models.", tags::skewed),
    rule("tag-axes-mirrored", Warning, &AXES, "Mirrored axes turn attached models inside out.", tags::mirrored),
    rule(
        "wrong-bounds",
        Warning,
        &BOUNDS,
        "Engines that cull by the bounding box hide visible models if it is wrong.",
        frames::bounds,
    ),
    rule(
        "wrong-radius",
        Warning,
        &BOUNDS,
        "Engines that cull by the bounding sphere hide visible models if it is wrong.",
        frames::radii,
    ),
    rule(
        "weight-sum",
        Warning,
        &WEIGHTS,
        "Vertices whose weights do not sum to 1 drift away from the mesh.",
        weights::sums,
    ),
    rule(
        "no-weights",
        Warning,
        &WEIGHTS,
        "A vertex without weights, or whose weights sum to 0, stays at the origin.",
        weights::none,
    ),
    rule(
        "other-skeleton",
        Error,
        &CLIPS,
        "Engines play the animation of a mesh only if both have the same joints.",
        clips::skeletons,
    ),
    rule(
        "unknown-directive",
        Warning,
        &SHADERS,
        "The engine rejects a definition with a directive that it does not know, or that names no image.",
        files::directives,
    ),
    rule(
        "no-extension",
        Warning,
        &TEXTURES,
        "The engine loads no image for a name without an extension.",
        files::extensions,
    ),
    rule("missing-texture", Warning, &TEXTURES, "The game draws a placeholder, or nothing.", files::missing_textures),
    rule(
        "unreadable-image",
        Warning,
        &TEXTURES,
        "The engine does not read images of this format.",
        files::unreadable_images,
    ),
    rule(
        "guessed-texture",
        Note,
        &TEXTURES,
        "The game does not search the path where the texture was found.",
        files::guessed_textures,
    ),
    rule(
        "inside-out",
        Warning,
        &NORMALS,
        "A surface whose triangles face against their normals is culled from outside or lit from the wrong side.",
        triangles::inside_out,
    ),
    rule(
        "degenerate-triangle",
        Warning,
        &GEOMETRY,
        "Triangles without area in all frames are processed but invisible.",
        triangles::degenerate,
    ),
    rule("repeated-triangle", Warning, &GEOMETRY, "Duplicate triangles are drawn twice.", triangles::repeated),
    rule(
        "gl-commands",
        Warning,
        &GEOMETRY,
        "Quake II's GL renderers draw the GL commands, its software renderer and q2pro draw the list of triangles.",
        triangles::gl_commands,
    ),
    rule(
        "unused-vertex",
        Note,
        &GEOMETRY,
        "Vertices not used by any triangle are still transformed.",
        triangles::unused,
    ),
    rule(
        "crease",
        Note,
        &NORMALS,
        "Lighting shows an edge where vertices at one position have different normals.",
        triangles::creases,
    ),
    rule("loop-jump", Note, &CLIPS, "A looping clip should end close to its first frame.", clips::jumps),
    rule(
        "clip-overlap",
        Note,
        &CLIPS,
        "Clips that overlap in part often have a wrong first frame or frame count.",
        clips::overlaps,
    ),
    rule("unlisted-clips", Error, &CLIPS, "The game rejects a player without `animation.cfg`.", clips::unlisted),
    rule(
        "truncated",
        Error,
        &REJECTED,
        "The file ends before its data, and engines read past its end.",
        files::truncated,
    ),
    rule(
        "oddity",
        Warning,
        &INCONSISTENT,
        "The file is inconsistent, or a part of it cannot be used.",
        files::oddities,
    ),
    rule(REQUIREMENT, Error, &REJECTED, "The model violates a rule of the rules file.", elsewhere),
    rule("companion", Note, &INCONSISTENT, "A companion file is damaged, inconsistent or missing.", files::companions),
];
