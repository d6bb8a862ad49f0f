//! Edits of a model in a session.

use std::path::{Path, PathBuf};

use maquette_core::edit::Call;
use maquette_scene::session::{Action, EditAction, FileAction, SceneAction, Session};

use super::loading::act;

/// Folder with a model in a game of its own.
pub struct Folder {
    pub folder: tempfile::TempDir,
}

impl Folder {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("models/box")).unwrap();
        Self { folder }
    }

    pub fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join("models/box").join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

pub fn opened(path: &Path) -> Session {
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path.to_path_buf()])));
    assert!(session.asset().is_some());
    session
}

pub fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}

pub fn edit(session: &mut Session, calls: Vec<Call>) {
    act(session, Action::Edit(EditAction::Change(calls)));
}

pub fn path_of(session: &Session) -> String {
    session.asset().unwrap().model.surfaces()[0].materials[0].clone()
}

pub fn set_path(session: &mut Session, name: &str) {
    edit(session, vec![call(&format!("set-material surfaces=#0 path={name}"))]);
}

pub fn undo(session: &mut Session) {
    act(session, Action::Scene(SceneAction::Undo));
}

pub fn redo(session: &mut Session) {
    act(session, Action::Scene(SceneAction::Redo));
}

/// Returns the bytes that saving would write.
pub fn bytes(session: &Session) -> Vec<u8> {
    session.asset().unwrap().edited.as_ref().unwrap().model.bytes().to_vec()
}
