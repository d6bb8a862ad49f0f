//! Undo and redo: what is tedious to do again comes back, and time runs on.

use maquette::model::Format;
use maquette::scene::{Anchor, AssemblyPart, Attachment, EntityId, Role, open_sample};
use maquette::session::{Action, SceneAction, Session};

fn showing(format: Format) -> Session {
    let mut session = Session::default();
    session.show(open_sample(format).unwrap());
    session
}

fn visible(session: &Session) -> Vec<bool> {
    session.entity().unwrap().visible.clone()
}

#[test]
fn hidden_surfaces_come_back_one_step_at_a_time_and_go_again() {
    let mut session = showing(Format::Md3);
    let all = visible(&session);
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    let one = visible(&session);
    session.apply(Action::Scene(SceneAction::ShowOnly(0)));
    let only = visible(&session);
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(visible(&session), one);
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(visible(&session), all);
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(visible(&session), all, "there is nothing before the beginning");
    session.apply(Action::Scene(SceneAction::Redo));
    session.apply(Action::Scene(SceneAction::Redo));
    assert_eq!(visible(&session), only);
    session.apply(Action::Scene(SceneAction::Undo));
    session.apply(Action::Scene(SceneAction::ShowAllSurfaces));
    session.apply(Action::Scene(SceneAction::Redo));
    assert!(visible(&session).iter().all(|shown| *shown), "what was done since is not done over");
}

#[test]
fn what_changes_nothing_is_no_step() {
    let mut session = showing(Format::Md3);
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(visible(&session)[0]);
    assert!(session.document.history.undoable().is_none());
}

fn attach(session: &mut Session) -> EntityId {
    let to = session.document.focus.unwrap();
    let tag = session.asset().unwrap().model.tags()[0].clone();
    let asset = open_sample(Format::Md2).unwrap();
    let member = AssemblyPart {
        asset,
        role: Role::Attached,
        parent: None,
        hidden: false,
        follows_parent: false,
        worn_with: None,
    };
    session.attach(vec![member], &Attachment { to, anchor: Anchor::Tag(tag) }, false);
    session.document.scene.entities().last().unwrap().id
}

#[test]
fn attaching_and_taking_away_are_undone_and_time_runs_on() {
    let mut session = showing(Format::Md3);
    let attached = attach(&mut session);
    session.apply(Action::Scene(SceneAction::Detach(attached)));
    assert!(session.document.scene.entity(attached).is_none());
    session.advance(0.35);
    let position = session.playback().position;
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(session.document.scene.entity(attached).is_some());
    assert_eq!(session.playback().position, position);
    session.refresh();
    let hung = session.document.scene.entity(attached).unwrap();
    assert!(!hung.pose.surfaces[0].positions.is_empty(), "it is posed again");
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(session.document.scene.entity(attached).is_none(), "not yet attached");
    session.apply(Action::Scene(SceneAction::Redo));
    assert!(session.document.scene.entity(attached).is_some());
    // Whoever enters later is called like nobody before.
    let another = attach(&mut session);
    assert_ne!(another, attached);
}

#[test]
fn another_model_has_no_past() {
    let mut session = showing(Format::Md3);
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.show(open_sample(Format::Md3).unwrap());
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(visible(&session)[0]);
    assert!(session.document.history.undoable().is_none() && session.document.history.redoable().is_none());
}

#[test]
fn what_was_read_again_meanwhile_stays_read() {
    let mut session = showing(Format::Md3);
    let entity = session.document.focus.unwrap();
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.replace(vec![(entity, open_sample(Format::Md3).unwrap())]);
    let number = session.entity().unwrap().number;
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(visible(&session)[0]);
    assert_eq!(session.entity().unwrap().number, number);
}

#[test]
fn what_changes_nothing_leaves_what_was_undone() {
    let mut session = showing(Format::Md3);
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.apply(Action::Scene(SceneAction::Undo));
    session.apply(Action::Scene(SceneAction::ShowAllSurfaces));
    session.apply(Action::Scene(SceneAction::Redo));
    assert!(!visible(&session)[0]);
}
