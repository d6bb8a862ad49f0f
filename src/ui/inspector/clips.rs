//! The section Clips: every named range of frames; a click plays it.

use egui::{Rect, Ui, pos2, vec2};

use super::State;
use crate::ui::button::dot;
use crate::ui::timeline::{clip_colour, named_clips};
use crate::ui::{context, fonts, format, list, menu, paint, theme};
use maquette_core::model::FrameNumbering;
use maquette_scene::scene::ClipChoice;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, ClockAction};

/// Shows the section, if the model has clips.
pub fn show(ui: &mut Ui, entity: &Entity, memory: &mut State, actions: &mut Vec<Action>) {
    let part = &entity.asset;
    let model = &part.model;
    let clips = named_clips(entity);
    if clips.is_empty() || !memory.section(ui, "Clips", &format::count(clips.len()), true) {
        return;
    }
    let wanted = memory.filter(ui, "clip", clips.len());
    let shown: Vec<usize> = (0..clips.len())
        .filter(|index| clips.get(*index).is_some_and(|clip| clip.name.to_lowercase().contains(&wanted)))
        .collect();
    let tokens = theme::tokens(ui);
    let own_files = model.frame_numbering() == FrameNumbering::PerClip;
    let rate_of = |rate: f32| format!("{} fps", format::short(f64::from(rate), 2));
    let widest = clips.iter().map(|clip| rate_of(clip.frames_per_second)).max_by_key(String::len).unwrap_or_default();
    let rate_width = paint::width_of(ui, &widest, fonts::body());
    let chosen = || shown.iter().position(|index| entity.playback.choice == ClipChoice::Clip(*index));
    let bring = if memory.brings_clip { chosen() } else { None };
    list::rows(ui, "clips", 0..shown.len(), list::ROW, bring, |ui, row| {
        let Some((index, clip)) = shown.get(row).and_then(|index| Some((*index, clips.get(*index)?))) else { return };
        let chosen = entity.playback.choice == ClipChoice::Clip(index);
        let (rect, response) = list::row(ui, ui.scope_id().with(("clip", index)), &clip.name, list::ROW, chosen);
        let choose = Action::Clock(ClockAction::ChooseClip(ClipChoice::Clip(index)));
        menu::context(&response, |ui| context::clip(ui, entity, index, &clip.name, actions));
        actions.extend(response.clicked().then_some(choose));
        dot(ui, pos2(rect.left() + list::INSET + 5.0, rect.center().y), clip_colour(ui, Some(index)));
        let painter = ui.painter();
        let inner = list::inside(rect, list::INSET + 18.0, 12.0);
        let rate = rate_of(if chosen { entity.playback.clip(model).frames_per_second } else { clip.frames_per_second });
        paint::text_right(painter, inner, &rate, fonts::body(), tokens.text2);
        let range = if own_files {
            format::plural(clip.count as usize, "frame")
        } else {
            format!("{}–{}", clip.first, clip.end().saturating_sub(1))
        };
        let middle = Rect::from_min_max(inner.min, pos2(inner.right() - rate_width - 16.0, inner.bottom()));
        let right = paint::text_right(painter, middle, &range, fonts::body(), tokens.text2).left();
        let font = if chosen { fonts::medium() } else { fonts::body() };
        let room = Rect::from_min_max(inner.min, pos2(right - 8.0, inner.bottom()));
        paint::name_in(painter, room, &clip.name, font, tokens.text);
        response.on_hover_ui(|ui| {
            ui.label(egui::RichText::new(&clip.name).font(fonts::medium()));
            let text = format!("{}, {range}, {rate}", format::plural(clip.count as usize, "frame"));
            ui.label(egui::RichText::new(if own_files { format!("{range}, {rate}") } else { text }).small().weak());
        });
    });
    if shown.is_empty() {
        nothing(ui, "No matching clips");
    }
    list::end_section(ui);
}

/// A row that says that a filter leaves nothing.
pub fn nothing(ui: &mut Ui, text: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), list::ROW), egui::Sense::hover());
    let room = list::inside(rect, list::INSET, 12.0);
    paint::text_in(ui.painter(), room, text, fonts::body(), theme::tokens(ui).text2);
}
