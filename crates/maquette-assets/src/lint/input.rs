//! Input of the rules: a model, its materials, and a few poses.

use crate::engines::Profile;
use crate::open::{ModelAsset, Skin};
use maquette_core::error::Warning;
use maquette_core::model::{Model, u32_or_max};
use maquette_core::pose::{FrameBlend, Pose, PosedSurface, Sampling, sample};

/// A model to check.
#[derive(Clone, Copy, Debug)]
pub struct LintInput<'a> {
    /// The model with its levels of detail and clips.
    pub model: &'a Model,
    /// Game path of the model, with forward slashes; empty if unknown.
    pub game_path: &'a str,
    /// Warnings of the loaders.
    pub warnings: &'a [Warning],
    /// Skins of the model; empty if they were not searched for.
    pub skins: &'a [Skin],
}

impl<'a> LintInput<'a> {
    /// Creates the input for a model and everything that was found for it.
    #[must_use]
    pub fn new(asset: &'a ModelAsset) -> Self {
        Self { model: &asset.model, game_path: &asset.game_path, warnings: &asset.warnings, skins: &asset.skins }
    }

    /// Creates the input for a model without materials.
    #[must_use]
    pub fn alone(model: &'a Model, warnings: &'a [Warning]) -> Self {
        Self { model, game_path: "", warnings, skins: &[] }
    }
}

pub(super) struct Context<'a> {
    pub subject: LintInput<'a>,
    pub profile: &'a Profile,
    /// All surfaces of all levels of detail in the first, middle and last frame.
    pub posed_frames: Vec<Vec<PosedSurface>>,
}

impl<'a> Context<'a> {
    pub fn new(subject: LintInput<'a>, profile: &'a Profile) -> Self {
        let last = last_frame(subject.model);
        let mut frames = vec![0, last / 2, last];
        frames.dedup();
        let posed_frames = frames.into_iter().map(|frame| posed(subject.model, frame)).collect();
        Self { subject, profile, posed_frames }
    }

    pub fn model(&self) -> &'a Model {
        self.subject.model
    }
}

pub(super) fn last_frame(model: &Model) -> u32 {
    u32_or_max(model.frames().len()).saturating_sub(1)
}

fn posed(model: &Model, frame: u32) -> Vec<PosedSurface> {
    let mut all: Vec<PosedSurface> = Vec::new();
    all.resize_with(model.surfaces().len(), PosedSurface::default);
    let mut pose = Pose::default();
    for lod in 0..model.lod_count() {
        sample(model, &Sampling { lod, ..Sampling::at(FrameBlend::single(frame)) }, &mut pose);
        for (frame_surface, posed) in all.iter_mut().zip(&mut pose.surfaces) {
            if !posed.positions.is_empty() {
                *frame_surface = std::mem::take(posed);
            }
        }
    }
    all
}
