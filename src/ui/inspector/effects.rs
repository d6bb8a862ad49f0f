//! *Shader effects* section: the time of animated materials.

use egui::Ui;

use super::Inspector;
use crate::ui::button::Button;
use crate::ui::{arrange, field, format, icons, list, slider, theme};
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, ClockAction, Session};

/// Range of the slider in seconds. Most scripts repeat far sooner. The field accepts any time.
const SHOWN: f64 = 20.0;

pub fn count(session: &Session, _: &Entity) -> Option<String> {
    session.has_effects().then(String::new)
}

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let clock = &panel.session.view.material_clock;
    let (name, icon) =
        if clock.playing { ("Pause shader effects", icons::PAUSE) } else { ("Play shader effects", icons::PLAY) };
    let toggle = Action::Clock(ClockAction::ToggleEffects);
    let number = field::Number {
        name: "Seconds",
        shown: format::fixed(clock.seconds, 2),
        note: "Click to enter a time",
        framed: true,
        colour: theme::tokens(ui).text,
    };
    let scale = slider::Scale {
        name: "Time of shader effects",
        range: 0.0..=SHOWN,
        logarithmic: false,
        shown: String::new(),
        note: "Drag to scrub; pauses the effects",
        keys: "",
    };
    // Align the icon of the first button with the title of the section.
    arrange::form_row(ui, list::INSET - 6.0, 0.0, "", |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let play = Button::of(name, &toggle).icon(icon).note("Independent of the animation").show(ui);
        panel.actions.extend(play.clicked().then_some(toggle));
        let restart = Button::new("Restart shader effects").icon(icons::FIRST).show(ui);
        let seconds = arrange::at_end(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let typed = field::number_of(ui, ui.scope_id().with("effects seconds"), 60.0, &number);
            scale.show(ui, clock.seconds).or(typed)
        });
        let seconds = seconds.or(restart.clicked().then_some(0.0));
        panel.actions.extend(seconds.map(|seconds| Action::Clock(ClockAction::SeekEffects(seconds))));
    });
}
