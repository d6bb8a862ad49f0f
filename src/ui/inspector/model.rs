//! *Model* section: sizes and the level of detail.

use egui::Ui;

use super::{Inspector, character};
use crate::ui::timeline::named_clips;
use crate::ui::{format, setting_rows, text};
use maquette_core::edit::MDL_EFFECTS;
use maquette_core::model::{Bounds, Clip, ClipSource, FrameNumbering};
use maquette_scene::scene::Entity;
use maquette_scene::session::Panel;

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let entity = panel.entity;
    let model = entity.model();
    text::fact(ui, "Frames", &frames(entity));
    let [triangles, vertices] = character::size(entity);
    text::fact(ui, "Triangles", &format::count(triangles));
    text::fact(ui, "Vertices", &format::count(vertices));
    // Show the size of the clip, because it does not change during playback. The tooltip has the size of the pose.
    let about = (entity.clip().count > 1)
        .then(|| format!("X × Y × Z of the whole clip; current pose: {}", size(entity.pose.bounds)));
    let label = if about.is_some() { "Size in clip" } else { "Size X × Y × Z" };
    text::fact_about(ui, label, &size(entity.clip_bounds()), about.as_deref());
    if !model.name().is_empty() && model.name() != entity.asset.game_path {
        text::fact(ui, "Stored name", model.name());
    }
    let flags = if model.data().seams.is_some() { model.data().flags } else { 0 };
    let effects = MDL_EFFECTS.iter().enumerate().filter(|(bit, _)| flags & 1 << bit != 0);
    let effects: Vec<&str> = effects.map(|(_, name)| *name).collect();
    if !effects.is_empty() {
        text::fact_about(ui, "Effects", &effects.join(", "), Some("Trails and rotation in the game; not shown"));
    }
    setting_rows::show(ui, panel.session, Panel::Model, panel.actions);
}

/// Formats a size: `34.5 × 20.0 × 56.1`.
pub fn size(bounds: Bounds) -> String {
    let size = bounds.size();
    let side = |side: f32| format::fixed(f64::from(side), 1);
    format!("{} × {} × {}", side(size.x), side(size.y), side(size.z))
}

/// Returns the number of frames and of clips. In files with a bind pose, it does not count as a frame of an animation.
pub fn frame_counts(entity: &Entity) -> (usize, usize) {
    let (frames, clips) = (entity.model().frames().len(), named_clips(entity));
    if entity.model().frame_numbering() != FrameNumbering::PerClip {
        return (frames, clips.len());
    }
    let is_named = |clip: &&Clip| !matches!(clip.source, ClipSource::BindPose | ClipSource::AllFrames);
    (frames - 1, clips.iter().filter(is_named).count())
}

/// Returns the number of frames and of clips: `198 in 20 clips`.
fn frames(entity: &Entity) -> String {
    match frame_counts(entity) {
        (0, _) => "bind pose".to_owned(),
        (frames, 0) => format::count(frames),
        (frames, number) => format!("{} in {}", format::count(frames), format::plural(number, "clip")),
    }
}
