//! *Import* section: interpretation of a model in other conventions than those of the games.

use egui::Ui;

use super::{Inspector, segments};
use maquette_assets::engines::may_be_mirrored;
use maquette_core::bytes::{Forward, LoadOptions};
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, FileAction, Session};

/// Lengths of a unit in metres.
pub const UNITS: [(f32, &str); 3] = [(LoadOptions::INCH, "1 inch"), (0.01, "1 cm"), (1.0, "1 m")];
/// Frames per second. `None` uses those in the file, else 24.
const RATES: [(Option<f32>, &str); 5] =
    [(None, "Auto"), (Some(10.0), "10"), (Some(15.0), "15"), (Some(24.0), "24"), (Some(30.0), "30")];

/// Interpretations of a file that some engines read as its mirror image.
const SIDES: [(Option<bool>, &str); 3] = [(None, "Game’s"), (Some(false), "As stored"), (Some(true), "Mirrored")];

/// Shows the section for files whose frames are sampled, and for those that engines read differently.
pub fn count(_: &Session, entity: &Entity) -> Option<String> {
    let format = entity.model().format();
    (format.traits().is_sampled || may_be_mirrored(format)).then(String::new)
}

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let options = panel.session.import;
    if may_be_mirrored(panel.entity.model().format()) {
        let chosen = segments(ui, "Handedness", &SIDES, options.mirrored);
        let chosen = chosen.map(|mirrored| FileAction::Import(LoadOptions { mirrored, ..options }));
        panel.actions.extend(chosen.map(Action::File));
        return;
    }
    let forwards = Forward::ALL.map(|(name, forward)| (forward, name.to_uppercase().replace('-', "−")));
    let forward = segments(ui, "Forward", &forwards, options.forward);
    let scale = segments(ui, "Unit", &UNITS, options.scale);
    let rate = segments(ui, "Frame rate", &RATES, options.rate);
    let chosen = [
        forward.map(|forward| LoadOptions { forward, ..options }),
        scale.map(|scale| LoadOptions { scale, ..options }),
        rate.map(|rate| LoadOptions { rate, ..options }),
    ];
    let actions = chosen.into_iter().flatten();
    panel.actions.extend(actions.map(|options| Action::File(FileAction::Import(options))));
}
