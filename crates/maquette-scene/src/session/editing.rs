//! Changes of models' files: each goes into the bytes in memory, which are read as any file is.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::edit_labels::{undo_name, with_subject};
use super::{EditSubject, Effect, FoundModel, Load, NotificationKind, Selection, Session};
use crate::scene::{Entity, EntityId};
use maquette_assets::open::{Anchor, EditedPart, ModelAsset, Source};
use maquette_core::edit::{self, Edit, EditKind};
use maquette_core::model::{LodStorage, MaterialStorage};

/// What is typed in the dialog that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditDialog {
    /// Of which entity.
    pub entity: EntityId,
    /// What.
    pub what: EditField,
}

/// What a dialog asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditField {
    /// The shader path of these surfaces, each with the number of its material.
    ShaderPath(Vec<(usize, usize)>),
    /// The name of a surface.
    SurfaceName(usize),
    /// The name of a tag.
    TagName(usize),
    /// The name of a frame.
    FrameName(usize),
    /// The name and place of a new tag.
    NewTag,
}

/// A file on its way to the disk.
#[derive(Clone, Debug)]
pub(super) struct FileToSave {
    entity: EntityId,
    path: PathBuf,
    bytes: Arc<Vec<u8>>,
}

const MAKE_PERMANENT: &str = "Make texture permanent";
const DISCARD: &str = "Discard changes";

impl Session {
    /// Parts with changes that are not saved.
    pub fn unsaved(&self) -> impl Iterator<Item = &Entity> {
        self.document.scene.entities().iter().filter(|entity| entity.asset.is_unsaved())
    }

    /// Whether anything is not saved.
    #[must_use]
    pub fn has_unsaved(&self) -> bool {
        self.unsaved().next().is_some()
    }

    /// What a file would be saved as, if it has changes that are not saved.
    pub(super) fn unsaved_bytes(&self, file: &Path) -> Option<Arc<Vec<u8>>> {
        let part = self.unsaved().find(|part| part.asset.file.as_deref() == Some(file))?;
        part.asset.edited.as_ref().map(|edited| Arc::clone(edited.bytes()))
    }

    /// The part that is saved next: the one in focus if it has unsaved changes, else another that has.
    #[must_use]
    pub fn part_to_save(&self) -> Option<&Entity> {
        let focus = self.entity().filter(|entity| entity.asset.is_unsaved());
        let edited = || self.entity().filter(|entity| entity.asset.edited.is_some());
        focus.or_else(|| self.unsaved().next()).or_else(edited)
    }

    /// Why the file of the part in focus cannot be changed in this way; none if it can.
    #[must_use]
    pub fn why_no_edit(&self, kind: EditKind) -> Option<Cow<'static, str>> {
        let Some(asset) = self.asset() else { return Some("No model is open".into()) };
        if asset.file.is_none() {
            return Some("A sample model has no file".into());
        }
        if asset.salvaged {
            return Some("The file is damaged; only its intact part is shown".into());
        }
        edit::why_not(&asset.model, kind)
    }

    /// The same for the selected surfaces.
    #[must_use]
    pub fn why_no_surface_edit(&self, kind: EditKind) -> Option<Cow<'static, str>> {
        if let Some(why) = self.why_no_edit(kind) {
            return Some(why);
        }
        let surfaces = self.surfaces_to_edit();
        let entity = self.entity()?;
        let lies_elsewhere = |index: &usize| {
            let surface = entity.model().surfaces().get(*index);
            entity.model().format().traits().lods == LodStorage::Files && surface.is_some_and(|surface| surface.lod > 0)
        };
        if surfaces.is_empty() {
            Some("Select a surface first".into())
        } else if surfaces.iter().any(lies_elsewhere) {
            Some("This LOD is in a file of its own; open that file to edit it".into())
        } else {
            None
        }
    }

    /// The same for the selected tag.
    #[must_use]
    pub fn why_no_tag_edit(&self, kind: EditKind) -> Option<Cow<'static, str>> {
        let chosen = matches!(self.document.selection, Selection::Tag(_));
        self.why_no_edit(kind).or_else(|| (!chosen).then(|| "Select a tag first".into()))
    }

    /// The same for the name of what is selected.
    #[must_use]
    pub fn why_no_rename(&self) -> Option<Cow<'static, str>> {
        match self.document.selection {
            Selection::Tag(_) => self.why_no_tag_edit(EditKind::RenameTag),
            Selection::Joint(_) => Some("Animations find joints by their names; they cannot be renamed".into()),
            _ if self.surfaces_to_edit().len() > 1 => Some("Several surfaces are selected".into()),
            _ if self.document.selection == Selection::None => {
                self.why_no_edit(EditKind::RenameSurface).or(Some("Select a surface or a tag first".into()))
            }
            _ => self.why_no_surface_edit(EditKind::RenameSurface),
        }
    }

    /// Why the worn skin cannot be moved.
    #[must_use]
    pub fn why_no_skin_move(&self, up: bool) -> Option<Cow<'static, str>> {
        if let Some(why) = self.why_no_edit(EditKind::ReorderSkins) {
            return Some(why);
        }
        match self.worn_skin_path() {
            None => Some("This skin is not listed in the file".into()),
            Some((0, _)) if up => Some("It is the first skin".into()),
            Some((at, count)) if !up && at + 1 == count => Some("It is the last skin".into()),
            Some(_) => None,
        }
    }

    /// Why no texture can be made permanent.
    #[must_use]
    pub fn why_not_permanent(&self) -> Option<Cow<'static, str>> {
        self.why_no_edit(EditKind::SetMaterial).or_else(|| {
            self.overrides_to_keep().is_empty().then(|| "No other texture was set on the selected surfaces".into())
        })
    }

    /// Surfaces that an edit is for: those selected, or that of the selected triangle or vertex; the only one of a model.
    fn surfaces_to_edit(&self) -> Vec<usize> {
        let selected = self.document.selected_surfaces();
        if !selected.is_empty() {
            return selected;
        }
        let only = self.asset().filter(|asset| asset.model.surfaces().len() == 1).map(|_| 0);
        self.document.selection.surface().or(only).into_iter().collect()
    }

    /// Where the skin that is worn stands among those that an MD2 lists, and how many these are.
    fn worn_skin_path(&self) -> Option<(usize, usize)> {
        let entity = self.entity()?;
        let skins = entity.model().skins();
        let worn = entity.asset.skins.get(entity.skin)?.materials.first()?;
        let at = skins.iter().position(|skin| *skin == worn.name || skin.eq_ignore_ascii_case(&worn.path))?;
        Some((at, skins.len()))
    }

    /// Surfaces that wear what was set on them by hand, and its path in the game: of those selected, or of all.
    fn overrides_to_keep(&self) -> Vec<(usize, String)> {
        let Some(entity) = self.entity() else { return Vec::new() };
        let selected = self.document.selected_surfaces();
        // What repairs one surface repairs all that lack the same.
        let paths: Vec<&String> = selected
            .iter()
            .filter_map(|surface| entity.overrides.get(surface))
            .map(|material| &material.path)
            .collect();
        let overrides = entity.overrides.iter();
        let overrides = overrides.filter(|(_, material)| selected.is_empty() || paths.contains(&&material.path));
        overrides.map(|(surface, material)| (*surface, material.path.clone())).collect()
    }

    /// Which of a surface's materials an edit is for: the skin that is worn of those in the file, else the first.
    fn material_to_edit(&self) -> usize {
        let materials = self.asset().map(|asset| asset.model.format().traits().materials);
        if materials == Some(MaterialStorage::Skins) { self.worn_skin_path().map_or(0, |(at, _)| at) } else { 0 }
    }

    /// Opens a dialog for what is selected.
    pub(super) fn ask_for_edit(&mut self, subject: EditSubject) -> Option<Effect> {
        let why_not = match subject {
            EditSubject::ShaderPath => self.why_no_surface_edit(EditKind::SetMaterial),
            EditSubject::Name => self.why_no_rename(),
            EditSubject::FrameName => self.why_no_edit(EditKind::RenameFrame),
            EditSubject::NewTag => self.why_no_edit(EditKind::AddTag),
        };
        if let Some(why) = why_not {
            self.note(NotificationKind::Warning, why);
            return None;
        }
        let entity = self.entity()?;
        let what = match (subject, self.document.selection) {
            (EditSubject::ShaderPath, _) => {
                let material = self.material_to_edit();
                EditField::ShaderPath(self.surfaces_to_edit().into_iter().map(|surface| (surface, material)).collect())
            }
            (EditSubject::Name, Selection::Tag(tag)) => EditField::TagName(tag),
            (EditSubject::Name, _) => EditField::SurfaceName(self.surfaces_to_edit().first().copied()?),
            (EditSubject::FrameName, _) => EditField::FrameName(entity.nearest_frame()),
            (EditSubject::NewTag, _) => EditField::NewTag,
        };
        let (file, format) = (entity.asset.file.clone()?, entity.model().format());
        self.interface.edit_dialog = Some(EditDialog { entity: entity.id, what });
        self.interface.panels.dialog = None;
        if subject != EditSubject::ShaderPath {
            return None;
        }
        self.interface.material_names = None;
        self.load(Load::MaterialNames(file, format))
    }

    /// Changes the file of the part in focus.
    pub(super) fn edit(&mut self, edits: Vec<Edit>) -> Option<Effect> {
        let what = undo_name(&edits);
        self.edit_as(edits, what, false)
    }

    /// Renames a surface, and its entries in `.skin` files once the model is saved.
    pub(super) fn rename_in_skins(&mut self, surface: usize, name: String) -> Option<Effect> {
        let edits = vec![Edit::RenameSurface { surface, name }];
        let what = undo_name(&edits);
        self.edit_as(edits, what, true)
    }

    fn edit_as(&mut self, edits: Vec<Edit>, what: &'static str, in_skins: bool) -> Option<Effect> {
        self.interface.edit_dialog = None;
        let kind = edits.first()?.kind();
        if let Some(why) = self.why_no_edit(kind) {
            self.note(NotificationKind::Warning, why);
            return None;
        }
        if self.jobs.loads.will_replace() {
            self.note(NotificationKind::Warning, "Another model is being opened; nothing was changed");
            return None;
        }
        let entity = self.entity()?;
        let part = Box::new((entity.asset.clone(), entity.source()?));
        let label = with_subject(what, &edits, entity);
        let entity = entity.id;
        self.load(Load::Edit { entity, part, edits, in_skins, what, label })
    }

    /// Shows an entity whose file was changed in memory. `surfaces` get another shader path: a texture that was set on
    /// them is removed, because it would hide the path.
    pub(super) fn edited(
        &mut self,
        id: EntityId,
        what: &'static str,
        told: &str,
        surfaces: &[usize],
        part: EditedPart,
    ) {
        let EditedPart { before, asset, is_rewritten } = part;
        let Some(entity) = self.document.scene.entity_mut(id) else { return self.gone() };
        match &entity.asset.edited {
            Some(now) if !now.is_same(&before) => {
                return self
                    .note(NotificationKind::Warning, format!("{told}: not done, the file was changed meanwhile"));
            }
            Some(_) => {}
            // From now on it is known what the file was like at first, also to what was remembered before.
            None => {
                entity.asset.edited = Some(before.clone());
                self.document.history.begin_edits(id, &before);
            }
        }
        if asset.edited.as_ref().is_some_and(|now| now.is_same(&before)) {
            return self.note(NotificationKind::Done, format!("{told}: nothing to change"));
        }
        let step = self.undo_step(what).told(told);
        let old_tags = self.tags_of(id);
        let triangles = |asset: &ModelAsset| -> usize {
            asset.model.surfaces().iter().map(|surface| surface.triangles.len()).sum()
        };
        let fewer = self.document.scene.entity(id).map_or(0, |entity| triangles(&entity.asset)) - triangles(&asset);
        self.document.scene.replace_edited(id, asset);
        self.follow_tags(id, &old_tags);
        if let Some(entity) = self.document.scene.entity_mut(id) {
            surfaces.iter().for_each(|surface| entity.clear_override(*surface));
        }
        self.remember_if_changed(step);
        self.keep_selection(id, old_tags.len());
        self.interface.failure = None;
        // Its bytes are others now.
        self.interface.anatomy = None;
        self.update_issues();
        self.update_extent();
        self.refresh();
        let removed = match fewer {
            0 => String::new(),
            1 => ": 1 triangle removed".to_owned(),
            several => format!(": {several} triangles removed"),
        };
        let how = if is_rewritten { "; the file’s tables are written anew" } else { "" };
        self.log(NotificationKind::Done, format!("{told}{removed}{how}"));
    }

    fn tags_of(&self, id: EntityId) -> Vec<String> {
        self.document.scene.entity(id).map_or_else(Vec::new, |entity| entity.model().tags().to_vec())
    }

    /// What is attached to a tag stays there under the tag's new name.
    fn follow_tags(&mut self, id: EntityId, before: &[String]) {
        let now = self.tags_of(id);
        if now.len() != before.len() {
            return;
        }
        for (old, new) in before.iter().zip(&now).filter(|(old, new)| old != new) {
            let attached =
                self.document.scene.entities_mut().iter_mut().filter_map(|entity| entity.attachment.as_mut());
            for attachment in attached.filter(|attachment| attachment.to == id) {
                if matches!(&attachment.anchor, Anchor::Tag(name) if name.eq_ignore_ascii_case(old)) {
                    attachment.anchor = Anchor::Tag(new.clone());
                }
            }
        }
    }

    /// What is selected stays so by its place; a new tag is selected.
    fn keep_selection(&mut self, id: EntityId, tags_before: usize) {
        if self.document.focus != Some(id) {
            return;
        }
        let tags = self.tags_of(id).len();
        match self.document.selection {
            _ if tags > tags_before => self.select(Selection::Tag(tags - 1)),
            Selection::Tag(_) if tags < tags_before => self.document.selection = Selection::None,
            // Their numbers are others where triangles are gone.
            Selection::Triangle { surface, .. } => self.document.selection = Selection::Surface(surface),
            _ => {}
        }
    }

    /// What is selected and not there any more is not selected.
    pub(super) fn fit_selection(&mut self) {
        let tags = self.asset().map_or(0, |asset| asset.model.tags().len());
        if matches!(self.document.selection, Selection::Tag(tag) if tag >= tags) {
            self.document.selection = Selection::None;
        }
    }

    pub(super) fn remove_tag(&mut self) -> Option<Effect> {
        let Selection::Tag(tag) = self.document.selection else { return None };
        self.edit(vec![Edit::RemoveTag { tag }])
    }

    pub(super) fn move_skin(&mut self, up: bool) -> Option<Effect> {
        if let Some(why) = self.why_no_skin_move(up) {
            self.note(NotificationKind::Warning, why);
            return None;
        }
        let (at, count) = self.worn_skin_path()?;
        let mut order: Vec<usize> = (0..count).collect();
        let other = if up { at.checked_sub(1)? } else { at + 1 };
        if other < count {
            order.swap(at, other);
        }
        self.edit(vec![Edit::ReorderSkins { order }])
    }

    pub(super) fn make_permanent(&mut self) -> Option<Effect> {
        let material = self.material_to_edit();
        let edit = |(surface, name): (usize, String)| Edit::SetMaterial { surface, material, name };
        let edits: Vec<Edit> = self.overrides_to_keep().into_iter().map(edit).collect();
        self.edit_as(edits, MAKE_PERMANENT, false)
    }

    pub(super) fn discard(&mut self) -> Option<Effect> {
        let sources = self.discarded_sources();
        if sources.is_empty() { None } else { self.load(Load::Discard(sources)) }
    }

    /// Returns where the parts with unsaved changes come from, without these changes.
    pub(super) fn discarded_sources(&self) -> Vec<(EntityId, Source)> {
        self.unsaved().filter_map(|entity| Some((entity.id, entity.discarded()?))).collect()
    }

    /// The files were read from disk, without the changes.
    pub(super) fn discarded(&mut self, parts: Vec<(EntityId, ModelAsset)>) {
        let step = self.undo_step(DISCARD);
        let chosen = self.chosen_name();
        for (id, mut asset) in parts {
            asset.finish_pending_images();
            let old_tags = self.tags_of(id);
            self.document.scene.replace_edited(id, asset);
            self.follow_tags(id, &old_tags);
        }
        self.select_named(chosen);
        self.interface.anatomy = None;
        self.remember_if_changed(step);
        self.update_issues();
        self.update_extent();
        self.refresh();
        self.log(NotificationKind::Done, "Changes discarded");
    }

    /// Reads what is shown again, where what happened was told already.
    pub(super) fn reload_quietly(&mut self) -> Option<Effect> {
        let sources: Vec<_> = self.document.scene.sources().collect();
        if sources.is_empty() { None } else { self.load(Load::ReloadQuietly(sources)) }
    }

    /// Another program changed a file that has unsaved changes: they stay. False if it is not such a file.
    pub(super) fn outdate(&mut self, path: &Path) -> bool {
        let mut entities = self.document.scene.entities_mut().iter_mut();
        let entity = entities.find(|entity| entity.asset.is_unsaved() && entity.asset.file.as_deref() == Some(path));
        let Some(edited) = entity.and_then(|entity| entity.asset.edited.as_mut()) else { return false };
        edited.outdate();
        true
    }

    /// The bytes that are to be saved at `path` from now on.
    pub fn begin_saving(&mut self, path: &Path) -> Option<Arc<Vec<u8>>> {
        let part = self.part_to_save()?;
        let (entity, bytes) = (part.id, Arc::clone(part.asset.edited.as_ref()?.bytes()));
        self.jobs.file_to_save = Some(FileToSave { entity, path: path.to_path_buf(), bytes: Arc::clone(&bytes) });
        Some(bytes)
    }

    /// The file was not saved.
    pub fn not_saved(&mut self) {
        self.jobs.file_to_save = None;
    }

    /// Whether what is being written are the changes of a part.
    #[must_use]
    pub fn saves_changes(&self) -> bool {
        self.jobs.file_to_save.is_some()
    }

    /// The file was saved: it is what is open from now on. Gives what is to be read, or what waited for this.
    pub fn saved(&mut self) -> Option<Effect> {
        let FileToSave { entity, path, bytes } = self.jobs.file_to_save.take()?;
        let path = std::path::absolute(&path).unwrap_or(path);
        self.document.scene.entity(entity)?;
        // What waits for this was meant from where one was.
        let waits = self.interface.unsaved_prompt.take().map(|action| self.as_meant_now(*action));
        let entity = self.document.scene.entity_mut(entity)?;
        let before = entity.asset.file.replace(path.clone());
        let renames = if is_same_path(before.as_deref(), &path) { entity.asset.skin_renames() } else { Vec::new() };
        if let Some(edited) = &mut entity.asset.edited {
            edited.saved(&bytes);
            // Elsewhere no entry was renamed.
            edited.set_skin_names(renames.into_iter().map(|(surface, rename)| (surface, rename.new)).collect());
        }
        let mut is_unlisted = false;
        if before.as_ref() != Some(&path) {
            entity.asset.name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            entity.asset.replaced_by = None;
            self.preferences.opened(&path);
            if self.requested_path == before {
                is_unlisted = self.move_in_list(&path);
            } else {
                self.models_found(&[FoundModel { path: path.clone(), exists: true }]);
            }
        }
        match waits {
            // The next file is asked for.
            Some(action) if self.has_unsaved() => self.interface.unsaved_prompt = Some(Box::new(action)),
            Some(action) => return self.perform(action),
            None => {}
        }
        let reading = self.reload_quietly();
        // Asked for in any case: it waits while the other is read.
        let listing = if is_unlisted { self.load(Load::Beside(path)) } else { None };
        reading.or(listing)
    }
}

/// Whether a model that is saved at `path` stays in its place.
pub fn is_same_path(file: Option<&Path>, path: &Path) -> bool {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    file.is_some_and(|file| absolute(file) == absolute(path))
}
