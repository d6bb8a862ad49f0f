//! Runs the loads of a session on the test's own thread.

use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_scene::loader::LoaderContext;
use maquette_scene::session::{Action, Effect, LoadAnswer, LoadJob, Session};

/// Returns the answer to a load.
pub fn answer(job: LoadJob) -> LoadAnswer {
    let opener = Opener::new(Vec::new(), ImageLoading::Decode).with(job.options.clone());
    job.run(&mut LoaderContext::new(&opener, &|| false))
}

/// Returns the load that an effect requests.
pub fn load_of(effect: Option<Effect>) -> LoadJob {
    match effect {
        Some(Effect::Load(job)) => job,
        other => panic!("{other:?} instead of a load"),
    }
}

/// Applies an action and performs all loads that it causes.
pub fn act(session: &mut Session, action: Action) {
    let effect = session.apply(action);
    settle(session, effect);
}

/// Performs the loads that `effect` starts, until none is left.
pub fn settle(session: &mut Session, effect: Option<Effect>) {
    let mut effect = effect;
    while let Some(Effect::Load(job)) = effect {
        effect = session.loaded(answer(job));
    }
}
