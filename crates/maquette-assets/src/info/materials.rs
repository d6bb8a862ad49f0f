//! Report on the materials of surfaces.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use crate::material::{AlphaTest, Blend, DrawnFaces, InGame, Map, SearchStep, Stage, SurfaceMaterial, UnreadableImage};

/// Report on the material of one or more surfaces.
#[derive(Clone, Debug, Serialize)]
pub struct MaterialReport {
    /// Indices of the surfaces.
    pub surfaces: Vec<usize>,
    /// Name of the material.
    pub name: String,
    /// Script that defines the material, if any.
    pub script: Option<ScriptLocation>,
    /// Description of a definition in an overridden script of the model's own archive, if any.
    pub replaced_script: Option<String>,
    /// Path of the image that represents the material, if there is one.
    #[serde(rename = "picture")]
    pub image: Option<String>,
    /// Whether the skin hides the surface.
    pub hidden: bool,
    /// Description of a missing or unreadable image; `None` if nothing is missing.
    pub missing: Option<String>,
    /// File of the missing image, if it exists but cannot be decoded.
    pub unreadable: Option<UnreadableImage>,
    /// Whether an image was found where the game does not look.
    pub guessed: bool,
    /// Image with a similar name, if the image is missing.
    pub nearest: Option<String>,
    /// Part that the game draws: `whole`, `default picture`, `nothing` or `first stages`.
    pub in_game: &'static str,
    /// Drawn sides: `front`, `back` or `both`.
    pub sides: &'static str,
    /// Sort number; low numbers are drawn first.
    pub sort: f32,
    /// Number of deforms.
    pub deforms: usize,
    /// Steps of the search.
    pub steps: Vec<SearchStep>,
    /// Stages in drawing order.
    pub stages: Vec<StageReport>,
}

/// Position of a definition.
#[derive(Clone, Debug, Serialize)]
pub struct ScriptLocation {
    /// Game path of the script.
    pub path: String,
    /// Line of the name, from 1.
    pub line: u32,
}

/// Report on a stage.
#[derive(Clone, Debug, Serialize)]
pub struct StageReport {
    /// Images of the stage.
    pub maps: Vec<MapReport>,
    /// `add`, `filter`, `blend` or two factors; `None` for an opaque stage.
    pub blend: Option<String>,
    /// Whether the stage has an alpha test.
    pub alpha_test: bool,
    /// Whether the stage is lit.
    pub lit: bool,
    /// Whether the stage changes with time.
    pub moves: bool,
    /// Short description.
    pub words: String,
    /// Normal map, if there is one.
    pub normal_map: Option<MapReport>,
    /// Specular map, if there is one.
    pub specular_map: Option<MapReport>,
}

/// An image of a stage.
#[derive(Clone, Debug, Serialize)]
pub struct MapReport {
    /// Requested image, in the syntax of scripts.
    pub image: String,
    /// Path of the image; `None` if it is missing, empty if it is generated.
    pub path: Option<String>,
}

/// Reports on the materials of a model's surfaces. Surfaces with equal materials share a report. Reports are created on
/// iteration, to save memory.
#[derive(Clone, Debug, Default)]
pub struct MaterialReports<'a> {
    looks: Vec<(&'a SurfaceMaterial, Vec<usize>)>,
}

impl<'a> MaterialReports<'a> {
    /// Creates the reports for surfaces with these materials.
    #[must_use]
    pub fn new(materials: impl IntoIterator<Item = &'a SurfaceMaterial>) -> Self {
        let mut looks: Vec<(&SurfaceMaterial, Vec<usize>)> = Vec::new();
        // Index of the last material of each name. Surfaces with equal names nearly always have equal materials.
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (surface, material) in materials.into_iter().enumerate() {
            let same = known.get(material.name.as_str()).and_then(|index| looks.get_mut(*index));
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

    /// Iterates over the reports.
    pub fn iter(&self) -> impl Iterator<Item = MaterialReport> {
        self.looks.iter().map(|(material, surfaces)| report(surfaces.clone(), material))
    }

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
        script: material.script.as_ref().map(|(path, line)| ScriptLocation { path: path.clone(), line: *line }),
        replaced_script: material.overridden_script.clone(),
        image: material.image.as_ref().map(|_| material.path.clone()),
        hidden: material.hidden,
        missing: material.problem(),
        unreadable: material.unreadable.as_deref().cloned(),
        guessed: material.is_guess,
        nearest: material.suggestion.as_ref().map(|nearest| nearest.path.clone()),
        in_game: match material.in_game {
            InGame::Whole => "whole",
            InGame::DefaultTexture | InGame::DefaultMaps => "default picture",
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
        steps: material.search_log.iter().cloned().collect(),
        stages: definition.stages.iter().map(stage_report).collect(),
    }
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
