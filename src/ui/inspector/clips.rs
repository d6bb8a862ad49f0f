//! *Clips* section: named clips. A click plays a clip.

use egui::Ui;

use super::{Inspector, frame_counts};
use crate::ui::kit::row::Row;
use crate::ui::timeline::{clip_colour, named_clips};
use crate::ui::{context, fonts, format, list, menu, paint};
use maquette_core::model::FrameNumbering;
use maquette_scene::scene::{ClipChoice, Entity};
use maquette_scene::session::{Action, ClockAction, Session};

pub fn count(_: &Session, entity: &Entity) -> Option<String> {
    (!named_clips(entity).is_empty()).then(|| format::count(frame_counts(entity).1))
}

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let entity = panel.entity;
    let model = entity.model();
    let clips = named_clips(entity);
    let shown = panel.filtered(ui, "clip", clips.iter().map(|clip| &clip.name));
    let own_files = model.frame_numbering() == FrameNumbering::PerClip;
    let rate_of = |rate: f32| format!("{} fps", format::short(f64::from(rate), 2));
    let widest = clips.iter().map(|clip| rate_of(clip.frames_per_second)).max_by_key(String::len).unwrap_or_default();
    let rate_width = paint::width_of(ui, &widest, fonts::body()) + 16.0;
    let is_chosen = |index: usize| entity.playback.choice == ClipChoice::Clip(index);
    let scroll_to = if panel.state.scrolls_to_clip { shown.iter().position(|index| is_chosen(*index)) } else { None };
    list::rows(ui, "clips", 0..shown.len(), list::ROW, scroll_to, |ui, row| {
        let Some((index, clip)) = shown.get(row).and_then(|index| Some((*index, clips.get(*index)?))) else { return };
        let played = is_chosen(index).then(|| entity.playback.clip(model).frames_per_second);
        let rate = rate_of(played.unwrap_or(clip.frames_per_second));
        let count = format::plural(clip.count as usize, "frame");
        let (range, facts) = if own_files {
            (count.clone(), format!("{count}, {rate}"))
        } else {
            let range = format!("{}–{}", clip.first, clip.end().saturating_sub(1));
            (range.clone(), format!("{count}, {range}, {rate}"))
        };
        let row = Row::new(&clip.name).dot(clip_colour(ui, Some(index))).inset(list::INSET).selected(is_chosen(index));
        let response = row.value(range).cell(rate, rate_width).show(ui, ("clip", index));
        menu::context(&response, |ui| context::clip(ui, entity, index, &clip.name, panel.actions));
        let choose = Action::Clock(ClockAction::ChooseClip(ClipChoice::Clip(index)));
        panel.actions.extend(response.clicked().then_some(choose));
        response.on_hover_ui(|ui| {
            ui.label(egui::RichText::new(&clip.name).font(fonts::medium()));
            ui.label(egui::RichText::new(facts).small().weak());
        });
    });
}
