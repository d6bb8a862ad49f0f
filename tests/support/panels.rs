//! A window without a window: all panels around a picture that is never drawn. Actions are done and kept.

use std::path::PathBuf;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Rect, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use maquette::ui::{self, ViewportImage};
use maquette_assets::open::open_sample;
use maquette_core::model::{Format, Model, ModelParts};
use maquette_scene::session::{Action, ClockAction, Effect, Load, Session};

use super::loading::answer;

/// The panels, and what came of the last time they were shown.
pub struct Bench {
    pub ui: ui::Ui,
    pub session: Session,
    /// What was done since [`taken`].
    pub actions: Vec<Action>,
    /// Where the picture would stand.
    pub viewport: Rect,
    /// Models whose thumbnails were asked for.
    pub wanted: Vec<PathBuf>,
}

/// Shows a session in a window of this size, in points.
pub fn bench(session: Session, size: Vec2) -> Harness<'static, Bench> {
    let state =
        Bench { ui: ui::Ui::default(), session, actions: Vec::new(), viewport: Rect::NOTHING, wanted: Vec::new() };
    let mut harness = Harness::builder().with_size(size).with_context_setup(ui::install).build_ui_state(
        |root, bench: &mut Bench| {
            let mut actions = Vec::new();
            let shown = bench.ui.show(root, &bench.session, &ViewportImage::default(), &mut actions);
            (bench.viewport, bench.wanted) = (shown.rect, shown.wanted);
            bench.session.interface.timeline.room = shown.timeline;
            for action in actions {
                let effect = bench.session.apply(action.clone());
                bench.actions.push(action);
                // What panels ask for by themselves is read at once.
                // So is what changes the model's file.
                if let Some(Effect::Load(
                    ticket,
                    load @ (Load::Structure(..)
                    | Load::Compare { .. }
                    | Load::CompareParts { .. }
                    | Load::Versions(_)
                    | Load::Lint { .. }
                    | Load::Edit { .. }
                    | Load::Discard(_)
                    | Load::MaterialNames(..)),
                )) = effect
                {
                    bench.session.loaded(answer(ticket, &load));
                }
            }
            bench.session.refresh();
        },
        state,
    );
    harness.run();
    harness
}

/// What was done since the last time, after the panels have answered.
pub fn taken(harness: &mut Harness<'static, Bench>) -> Vec<Action> {
    harness.run();
    std::mem::take(&mut harness.state_mut().actions)
}

/// Clicks what has this role and name; what that did.
pub fn click(harness: &mut Harness<'static, Bench>, role: Role, name: &str) -> Vec<Action> {
    harness.get_by_role_and_label(role, name).click();
    taken(harness)
}

/// The sample of a format, changed, and paused.
pub fn session(format: Format, change: impl FnOnce(&mut ModelParts)) -> Session {
    let mut part = open_sample(format).unwrap();
    let mut model = Model::clone(&part.model).into_parts();
    change(&mut model);
    part.model = Arc::new(Model::new(model).unwrap());
    let mut session = Session::default();
    session.show(part);
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session
}
