//! Loads that attach models to the scene.

use std::path::PathBuf;

use super::{QueuedLoad, then_update};
use crate::scene::Attachment;
use crate::session::{DropAlternative, Effect, NotificationKind, Selection, Session};
use maquette_assets::open::{Assembly, AssemblyPart, Opener};

impl Session {
    /// Attaches a model, with the models that belong to it. `dropped` offers to open the model instead.
    pub(crate) fn load_attachment(&mut self, path: PathBuf, to: Attachment, dropped: bool) -> Option<Effect> {
        self.load(QueuedLoad::of_path(path, move |context, path| {
            let attachment =
                move |opener: &Opener| opener.attachment(&path).map(|members| Assembly { character: None, members });
            let members = context.models(attachment)?.members;
            then_update(move |session| session.attach(members, &to, dropped))
        }))
    }

    /// Attaches opened models to the scene. A weapon replaces the weapon at the same anchor.
    pub fn attach(&mut self, members: Vec<AssemblyPart>, to: &Attachment, dropped: bool) {
        let name = members.first().map(|member| member.asset.name.clone()).unwrap_or_default();
        let Some(parent) = self.document.scene.entity(to.to).map(|entity| entity.asset.name.clone()) else {
            return self.target_removed();
        };
        let before = self.document.undo_step("Attach model");
        let replaced = self.document.scene.weapon_at(to).map(|weapon| weapon.asset.name.clone());
        let clock = self.playback().clone();
        let file = members.first().and_then(|member| member.asset.file.clone());
        self.document.scene.attach_parts(members, to, &clock);
        if self.entity().is_none() {
            self.document.focus = Some(to.to);
            self.document.selection = Selection::None;
        }
        self.interface.failure = None;
        self.interface.alternative = file.filter(|_| dropped).map(DropAlternative::attached);
        self.document.update_issues();
        let replacing = replaced.map_or(String::new(), |old| format!(", replacing {old}"));
        let hidden = if self.document.comparison.is_some() { "; hidden during the comparison" } else { "" };
        let text = format!("Attached {name} to {} of {parent}{replacing}{hidden}", to.anchor.name());
        self.note(NotificationKind::Done, text);
        self.remember_if_changed(before);
        self.apply_default_rates();
        self.document.update_extent();
        self.refresh();
    }
}
