//! Runs the loads of a session on the test's own thread.

use maquette_assets::material::ImageLoading;
use maquette_assets::open::{OpenOptions, Opener};
use maquette_scene::loader::answer_to;
use maquette_scene::session::{Action, Effect, Load, LoadAnswer, Session, Ticket};

/// Returns the answer to a load.
pub fn answer(ticket: Ticket, load: &Load) -> LoadAnswer {
    let options = OpenOptions { order: ticket.order, import: ticket.import, ..OpenOptions::default() };
    answer_to(&Opener::new(Vec::new(), ImageLoading::Decode).with(options), ticket, load, &|| false)
}

/// Returns the load that an effect requests.
pub fn load_of(effect: Option<Effect>) -> (Ticket, Load) {
    match effect {
        Some(Effect::Load(ticket, load)) => (ticket, load),
        other => panic!("{other:?} instead of a load"),
    }
}

/// Applies an action and performs all loads that it causes.
pub fn act(session: &mut Session, action: Action) {
    let mut effect = session.apply(action);
    while let Some(Effect::Load(ticket, load)) = effect {
        effect = session.loaded(answer(ticket, &load));
    }
}
