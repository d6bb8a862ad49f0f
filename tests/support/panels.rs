//! All panels around a viewport that is never drawn. Actions are applied and recorded.

use std::path::PathBuf;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Rect, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use maquette::ui::{self, ViewportImage};
use maquette_assets::open::open_sample;
use maquette_core::model::{Format, Model, ModelParts};
use maquette_scene::scene::ColourTheme;
use maquette_scene::session::{Action, ClockAction, Effect, FileAction, Session};

use super::loading::answer;

/// The panels and their results.
pub struct Bench {
    pub ui: ui::Ui,
    pub session: Session,
    /// Actions since the last [`taken`].
    pub actions: Vec<Action>,
    /// Rectangle of the viewport.
    pub viewport: Rect,
    /// Models whose thumbnails are requested.
    pub wanted: Vec<PathBuf>,
}

/// Shows a session in a window of `size` points.
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
                // Loads that panels or edits request run immediately.
                let is_immediate = matches!(
                    action,
                    Action::Edit(_)
                        | Action::File(
                            FileAction::Compare(_)
                                | FileAction::CompareBeforeReload
                                | FileAction::FindCrossings(_)
                                | FileAction::FindVersions
                                | FileAction::Lint(_)
                                | FileAction::ShowStructure(_)
                        )
                );
                bench.actions.push(action);
                let mut next = effect.filter(|_| is_immediate);
                while let Some(Effect::Load(job)) = next
                    && !job.replaces
                {
                    next = bench.session.loaded(answer(job));
                }
            }
            bench.session.refresh();
        },
        state,
    );
    harness.run();
    harness
}

/// Returns the actions since the last call, after the panels have updated.
pub fn taken(harness: &mut Harness<'static, Bench>) -> Vec<Action> {
    harness.run();
    std::mem::take(&mut harness.state_mut().actions)
}

/// Clicks the control with this role and name. Returns its actions.
pub fn click(harness: &mut Harness<'static, Bench>, role: Role, name: &str) -> Vec<Action> {
    harness.get_by_role_and_label(role, name).click();
    taken(harness)
}

/// Opens the sample of a format in the dark theme, paused.
pub fn showing(format: Format) -> Session {
    let mut session = session(format, |_| ());
    session.interface.theme = Some(ColourTheme::Dark);
    session
}

/// Shows [`showing`] in a large window.
pub fn desk(format: Format) -> Harness<'static, Bench> {
    bench(showing(format), vec2(1280.0, 800.0))
}

/// Opens the sample of a format after `change`, paused.
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
