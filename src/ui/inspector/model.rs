//! The section Model: how much there is of everything, and the level of detail.

use egui::Ui;

use super::{State, segments};
use crate::ui::timeline::named_clips;
use crate::ui::{format, list};
use maquette_core::model::{Bounds, ClipSource, FrameNumbering};
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, SceneAction};

/// Shows the section.
pub fn show(ui: &mut Ui, entity: &Entity, memory: &mut State, actions: &mut Vec<Action>) {
    let part = &entity.asset;
    if !memory.section(ui, "Model", "", true) {
        return;
    }
    let model = &part.model;
    list::fact(ui, "Frames", &frames(entity));
    let shown = || model.surfaces().iter().filter(|surface| surface.lod == entity.lod);
    let triangles: usize = shown().map(|surface| surface.triangles.len()).sum();
    let of_lod = model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == entity.lod);
    let vertices: usize = of_lod.map(|(index, _)| model.stored_vertices(index)).sum();
    list::fact(ui, "Triangles", &format::count(triangles));
    list::fact(ui, "Vertices", &format::count(vertices));
    let clip = entity.clip();
    // The clip's, which stands still while it plays; the pose's own is in the tooltip.
    let about = (clip.count > 1).then(|| format!("Of the whole clip; current pose {}", size(entity.pose.bounds)));
    list::fact_about(ui, "Size X × Y × Z", &size(entity.clip_bounds()), about.as_deref());
    if !model.name().is_empty() && model.name() != part.game_path {
        list::fact(ui, "Internal name", model.name());
    }
    if model.lod_count() > 1 {
        let levels: Vec<(u32, String)> = (0..model.lod_count()).map(|level| (level, level.to_string())).collect();
        let chosen = segments(ui, "LOD", &levels, entity.lod);
        actions.extend(chosen.map(|level| Action::Scene(SceneAction::SetLod(level))));
    }
    list::end_section(ui);
}

/// `34.5 × 20.0 × 56.1`
pub(super) fn size(bounds: Bounds) -> String {
    let size = bounds.size();
    let side = |side: f32| format::fixed(f64::from(side), 1);
    format!("{} × {} × {}", side(size.x), side(size.y), side(size.z))
}

/// `198 in 20 clips`
fn frames(entity: &Entity) -> String {
    let part = &entity.asset;
    let model = &part.model;
    let clips = named_clips(entity);
    if model.frame_numbering() == FrameNumbering::PerClip {
        // The bind pose is a pose of the mesh, not a frame of an animation.
        let animations = clips.iter().filter(|clip| clip.source == ClipSource::AnimationFile);
        let (number, frames) =
            animations.fold((0, 0), |(number, frames), clip| (number + 1, frames + clip.count as usize));
        let frames = format::count(frames);
        return match number {
            0 => "bind pose".to_owned(),
            number => format!("{frames} in {}", format::plural(number, "animation")),
        };
    }
    let frames = format::count(model.frames().len());
    match clips.len() {
        0 => frames,
        number => format!("{frames} in {}", format::plural(number, "clip")),
    }
}
