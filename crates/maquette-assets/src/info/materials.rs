//! What each surface looks like, and how that came about.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use crate::material::{AlphaTest, Blend, DrawnFaces, InGame, Map, SearchStep, Stage, SurfaceMaterial};

/// The material of one or more surfaces.
#[derive(Clone, Debug, Serialize)]
pub struct MaterialReport {
    /// The surfaces, by their places in the model, from 0.
    pub surfaces: Vec<usize>,
    /// Name of the material that was looked for.
    pub name: String,
    /// The script that defines it, and the line; none without one.
    pub script: Option<ScriptPlace>,
    /// A definition in a script of the model's own archive that the game takes from elsewhere, in words; none without one.
    pub replaced_script: Option<String>,
    /// The one picture that stands for it; none if there is none.
    #[serde(rename = "picture")]
    pub image: Option<String>,
    /// Not drawn: the skin says so.
    pub hidden: bool,
    /// What was not found, in a sentence; none if nothing is missing.
    pub missing: Option<String>,
    /// Its picture was taken because none that is named was there.
    pub guessed: bool,
    /// A picture that is called much like the missing one.
    pub nearest: Option<String>,
    /// What the game draws: `whole`, `default picture`, `nothing`, or `first stages`.
    pub in_game: &'static str,
    /// Sides that are drawn: `front`, `back`, `both`.
    pub sides: &'static str,
    /// When it is drawn: low numbers first.
    pub sort: f32,
    /// How many deforms move its vertices.
    pub deforms: usize,
    /// What was looked for, in order.
    pub steps: Vec<StepReport>,
    /// In the order in which they are drawn.
    pub stages: Vec<StageReport>,
}

/// Where a definition stands.
#[derive(Clone, Debug, Serialize)]
pub struct ScriptPlace {
    /// Path in the game.
    pub path: String,
    /// Line of its name, from 1.
    pub line: u32,
}

/// One step of the search.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// What was looked for, in words.
    pub what: String,
    /// Paths tried.
    pub tried: Vec<String>,
    /// What was found.
    pub found: Option<String>,
    /// Why nothing was.
    pub note: String,
}

/// One stage.
#[derive(Clone, Debug, Serialize)]
pub struct StageReport {
    /// Pictures asked for, and where they were found.
    pub maps: Vec<MapReport>,
    /// `add`, `filter`, `blend` or two factors; none hides what is there.
    pub blend: Option<String>,
    /// Whether only texels of some alpha are drawn.
    pub alpha_test: bool,
    /// Whether light falls on it.
    pub lit: bool,
    /// Whether it changes with time.
    pub moves: bool,
    /// What it does, in words.
    pub words: String,
    /// The normal map, if it has one.
    pub normal_map: Option<MapReport>,
    /// The specular map, if it has one.
    pub specular_map: Option<MapReport>,
}

/// A picture of a stage.
#[derive(Clone, Debug, Serialize)]
pub struct MapReport {
    /// As the script asks for it.
    pub image: String,
    /// Where it lies; none if it is not there. Empty for what is made without a file.
    pub path: Option<String>,
}

/// Reports on the materials of a model's surfaces, in the order in which these have them; surfaces that look the same share
/// one report. Each is made when it is read: together they can be many times as large as what they tell of.
#[derive(Clone, Debug, Default)]
pub struct MaterialReports<'a> {
    /// Each look, and the surfaces that have it.
    looks: Vec<(&'a SurfaceMaterial, Vec<usize>)>,
}

impl<'a> MaterialReports<'a> {
    /// Of surfaces with these materials.
    #[must_use]
    pub fn new(materials: &'a [SurfaceMaterial]) -> Self {
        let mut looks: Vec<(&SurfaceMaterial, Vec<usize>)> = Vec::new();
        // Of equal names the last that was met: surfaces that share a name share nearly always all of it.
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (surface, material) in materials.iter().enumerate() {
            let same = known.get(material.name.as_str()).and_then(|place| looks.get_mut(*place));
            match same.filter(|(other, _)| other.looks_like(material)) {
                Some((_, surfaces)) => surfaces.push(surface),
                None => {
                    known.insert(&material.name, looks.len());
                    looks.push((material, vec![surface]));
                }
            }
        }
        Self { looks }
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = MaterialReport> {
        self.looks.iter().map(|(material, surfaces)| report(surfaces.clone(), material))
    }

    /// What they tell of.
    pub(super) fn materials(&self) -> impl Iterator<Item = &'a SurfaceMaterial> {
        self.looks.iter().map(|(material, _)| *material)
    }
}

impl Serialize for MaterialReports<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

fn report(surfaces: Vec<usize>, material: &SurfaceMaterial) -> MaterialReport {
    let definition = &material.definition;
    MaterialReport {
        surfaces,
        name: material.name.clone(),
        script: material.script.as_ref().map(|(path, line)| ScriptPlace { path: path.clone(), line: *line }),
        replaced_script: material.replaced_script.clone(),
        image: material.image.as_ref().map(|_| material.path.clone()),
        hidden: material.hidden,
        missing: material.trouble(),
        guessed: material.is_guess,
        nearest: material.nearest.as_ref().map(|nearest| nearest.path.clone()),
        in_game: match material.in_game {
            InGame::Whole => "whole",
            InGame::DefaultPicture => "default picture",
            InGame::Stages(0) => "nothing",
            InGame::Stages(_) => "first stages",
        },
        sides: match definition.sides {
            DrawnFaces::Front => "front",
            DrawnFaces::Back => "back",
            DrawnFaces::Both => "both",
        },
        sort: definition.sort,
        deforms: definition.deforms.len(),
        steps: material.trail.iter().map(step_report).collect(),
        stages: definition.stages.iter().map(stage_report).collect(),
    }
}

fn step_report(step: &SearchStep) -> StepReport {
    let SearchStep { what, tried, found, note } = step.clone();
    StepReport { what, tried, found, note }
}

fn stage_report(stage: &Stage) -> StageReport {
    let relief = stage.relief.as_ref();
    StageReport {
        maps: stage.maps.iter().map(map_report).collect(),
        blend: stage.blend.map(Blend::words),
        alpha_test: stage.alpha_test != AlphaTest::None,
        lit: stage.is_lit(),
        moves: stage.moves(),
        words: stage.words(),
        normal_map: relief.and_then(|relief| relief.bump.as_ref()).map(map_report),
        specular_map: relief.and_then(|relief| relief.specular.as_ref()).map(map_report),
    }
}

fn map_report(map: &Map) -> MapReport {
    MapReport { image: map.program.words(), path: map.image.as_ref().map(|_| map.path.clone()) }
}
