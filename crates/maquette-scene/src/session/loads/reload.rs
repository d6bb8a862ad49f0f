//! Loads that read the files of the scene again.

use std::path::PathBuf;
use std::time::Duration;

use super::{LoadKind, QueuedLoad, fail, on_loader, then_update};
use crate::scene::EntityId;
use crate::session::{Effect, NotificationKind, Session};
use maquette_assets::open::{ModelAsset, OpenCause};
use maquette_assets::vfs::{FileLocation, ReadError};

/// Ratio of the sizes after and before a reload for which the camera stays.
const KEPT_SIZE: std::ops::RangeInclusive<f32> = 0.25..=4.0;

/// Appends a search folder. The last folder is searched first.
pub(super) fn add_root(search_folders: &mut Vec<PathBuf>, root: PathBuf) {
    search_folders.retain(|known| *known != root);
    search_folders.push(root);
}

fn reloaded_text(assets: &[(EntityId, ModelAsset)], elapsed: Duration) -> String {
    let names: Vec<&str> = assets.iter().map(|(_, asset)| asset.name.as_str()).collect();
    format!("Reloaded {} in {:.0} ms", names.join(", "), elapsed.as_secs_f64() * 1000.0)
}

impl Session {
    /// Reads the files of the scene again. Camera, playback and selection stay. `changed` is the name of the file that
    /// another program changed or deleted, and what happened; `None` if the user requested the reload.
    pub(crate) fn reload(&mut self, changed: Option<(String, &'static str)>) -> Option<Effect> {
        // A single reload reads all changes on disk.
        if self.jobs.loads.is_waiting(LoadKind::Reload) {
            return None;
        }
        self.read_again(LoadKind::Reload, move |session, assets, elapsed| {
            let text = reloaded_text(&assets, elapsed);
            session.document.keep_before_reload(&assets);
            let before = session.document.extent.radius();
            session.renew(assets);
            if !KEPT_SIZE.contains(&(session.document.extent.radius() / before)) {
                session.frame_model();
            }
            match changed {
                Some((file, change)) => session.notify_reloaded(&file, change),
                None => session.note(NotificationKind::Done, text),
            }
        })
    }

    /// Like [`Self::reload`], but without a report, because the cause was already reported.
    pub(crate) fn reload_quietly(&mut self) -> Option<Effect> {
        self.read_again(LoadKind::Reread, |session, assets, _| session.renew(assets))
    }

    fn read_again(
        &mut self,
        kind: LoadKind,
        apply: impl FnOnce(&mut Self, Vec<(EntityId, ModelAsset)>, Duration) + Send + 'static,
    ) -> Option<Effect> {
        let first = self.document.scene.sources().next()?.1.file;
        let load = QueuedLoad::new(first, |session| {
            let sources: Vec<_> = session.document.scene.sources().collect();
            if sources.is_empty() {
                return None;
            }
            on_loader(move |context| {
                let assets = context.reopen(&sources)?;
                let elapsed = context.elapsed();
                then_update(move |session| apply(session, assets, elapsed))
            })
        });
        self.load(load.of_kind(kind))
    }

    /// Adds a search folder or archive, and reads the files of the scene again.
    pub(crate) fn add_search_folder(&mut self, root: PathBuf) -> Option<Effect> {
        let added = root.clone();
        let mut load = QueuedLoad::new(root.clone(), move |session| {
            let sources = session.document.scene.sources().collect::<Vec<_>>();
            on_loader(move |context| {
                match context.opener.files().locate(&root) {
                    Ok(FileLocation::Folder(_) | FileLocation::Archive(_)) => {}
                    Ok(_) => return fail(&root, OpenCause::Read(ReadError::NotArchive)),
                    Err(error) => return fail(&root, OpenCause::Read(error)),
                }
                let assets = context.reopen(&sources)?;
                let elapsed = context.elapsed();
                then_update(move |session| {
                    add_root(&mut session.search_folders, root);
                    let is_empty = assets.is_empty();
                    let text =
                        if is_empty { "Search folder added".to_owned() } else { reloaded_text(&assets, elapsed) };
                    session.renew(assets);
                    session.note(NotificationKind::Done, text);
                })
            })
        });
        load.root = Some(added);
        self.load(load.of_kind(LoadKind::Reread))
    }

    fn renew(&mut self, assets: Vec<(EntityId, ModelAsset)>) {
        // The structure view may show outdated bytes.
        self.interface.structure = None;
        self.replace(assets);
        self.load_light_materials();
    }

    /// Replaces the assets of entities. Camera, playback and selection stay as far as they apply.
    pub fn replace(&mut self, mut assets: Vec<(EntityId, ModelAsset)>) {
        // Images of the previous models may have been decoded during the load.
        for (_, asset) in &mut assets {
            asset.finish_pending_images();
        }
        let chosen = self.document.selection_by_name();
        self.document.scene.replace(assets);
        self.document.renew_history();
        self.document.select_named(chosen);
        self.interface.failure = None;
        self.document.update_issues();
        self.document.update_extent();
        self.refresh();
    }
}
