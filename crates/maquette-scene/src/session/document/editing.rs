//! Edits of model files. Each edit changes bytes in memory, from which the model is read again.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::edit_labels::{undo_name, with_subject};
use crate::scene::{ClipChoice, Entity, EntityId};
use crate::session::loads::{LoadKind, QueuedLoad, on_loader, then_update};
use crate::session::{
    Document, EditSubject, Effect, Jobs, ModelFileChange, NotificationKind, OutputKind, Selection, Session,
};
use maquette_assets::lint;
use maquette_assets::open::{
    Anchor, ClipListToSave, EditedClipList, EditedPart, ModelAsset, OpenError, Role, Source, finest_level,
    is_part_of_player, is_same_path,
};
use maquette_core::convert::{animation_config, animation_config_losses, frame_groups, listed_clips};
use maquette_core::edit::{
    ADD_TAG, Call, ORDER_SKINS, Operation, REMOVE_TAG, RENAME_FRAME, RENAME_SURFACE, RENAME_TAG, Reach, SET_MATERIAL,
    lists_clips, stores_clips,
};
use maquette_core::model::{Clip, LodStorage, MaterialStorage};

/// The open edit dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditDialog {
    /// The entity; `None` for the selected models of the list.
    pub entity: Option<EntityId>,
    /// The value to edit.
    pub what: EditField,
}

/// Value that an edit dialog asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditField {
    /// Paths of materials, each as the indices of its surface and of the material.
    Materials(Vec<(usize, usize)>),
    /// Name of a surface.
    SurfaceName(usize),
    /// Name of a tag.
    TagName(usize),
    /// Name of a frame.
    FrameName(usize),
    /// Name and position of a new tag.
    NewTag,
    /// Arguments of an operation.
    Arguments(&'static Operation),
}

#[derive(Clone, Debug)]
pub(crate) struct FileToSave {
    entity: EntityId,
    path: PathBuf,
    /// Bytes of the model, if they are written.
    model: Option<Arc<Vec<u8>>>,
    /// List of clips, if it is written.
    clip_list: Option<ClipListToSave>,
}

const MAKE_PERMANENT: &str = "Write texture path to model";
const DISCARD: &str = "Discard changes";
const PLAYER_CLIPS: &str = "The animation.cfg of a player has the clips of all parts; edit it with a text editor";

fn unsaved_clip_list(entity: &Entity) -> Option<&EditedClipList> {
    entity.asset.edited.as_ref()?.unsaved_clip_list()
}

impl Document {
    /// Returns the parts with unsaved changes.
    pub fn unsaved(&self) -> impl Iterator<Item = &Entity> {
        self.scene.entities().iter().filter(|entity| entity.asset.is_unsaved())
    }

    /// Whether any part has unsaved changes.
    pub fn has_unsaved(&self) -> bool {
        self.unsaved().next().is_some()
    }

    pub(crate) fn unsaved_bytes(&self, file: &Path) -> Option<Arc<Vec<u8>>> {
        self.unsaved().find_map(|entity| Some(Arc::clone(entity.asset.edited_at(file)?.bytes())))
    }

    /// Returns the focused part if unsaved, or else another unsaved part, or else the focused part if edited.
    pub fn part_to_save(&self) -> Option<&Entity> {
        let focus = self.entity().filter(|entity| entity.asset.is_unsaved());
        let edited = || self.entity().filter(|entity| entity.asset.edited.is_some());
        focus.or_else(|| self.unsaved().next()).or_else(edited)
    }

    /// Returns the part of which a copy can be saved: [`Self::part_to_save`], or else the focused part if it has a file.
    pub fn part_to_copy(&self) -> Option<&Entity> {
        self.part_to_save().or_else(|| self.entity().filter(|entity| entity.asset.file.is_some()))
    }

    /// Returns the reason why the file of the focused part cannot be edited in this way, if any.
    pub fn why_no_edit(&self, operation: &Operation) -> Option<Cow<'static, str>> {
        let Some(asset) = self.asset() else { return Some("No model is open".into()) };
        if asset.file.is_none() {
            return Some("Sample models have no file to edit".into());
        }
        if asset.salvaged {
            return Some("The file is damaged; only the recoverable part is shown".into());
        }
        let is_listed = operation.reach == Reach::List && !stores_clips(&asset.model);
        if is_listed && is_part_of_player(asset) && lists_clips(&asset.model) {
            return Some(PLAYER_CLIPS.into());
        }
        operation.why_not(&asset.model).map(Cow::Owned)
    }

    /// Like [`Self::why_no_edit`], but also requires suitable selected surfaces.
    pub fn why_no_surface_edit(&self, operation: &Operation) -> Option<Cow<'static, str>> {
        if let Some(why) = self.why_no_edit(operation) {
            return Some(why);
        }
        let surfaces = self.surfaces_to_edit();
        let entity = self.entity()?;
        let lies_elsewhere = |index: &usize| {
            let surface = entity.model().surfaces().get(*index);
            entity.model().format().traits().lods != LodStorage::Inside
                && surface.is_some_and(|surface| surface.lod > 0)
        };
        if surfaces.is_empty() {
            Some("Select a surface first".into())
        } else if surfaces.iter().any(lies_elsewhere) {
            Some("This LOD is in a separate file; open that file to edit it".into())
        } else {
            None
        }
    }

    /// Like [`Self::why_no_edit`], but also requires a selected tag.
    pub fn why_no_tag_edit(&self, operation: &Operation) -> Option<Cow<'static, str>> {
        let chosen = matches!(self.selection, Selection::Tag(_));
        self.why_no_edit(operation).or_else(|| (!chosen).then(|| "Select a tag first".into()))
    }

    /// Like [`Self::why_no_edit`], but for renaming the selected element.
    pub fn why_no_rename(&self) -> Option<Cow<'static, str>> {
        match self.selection {
            Selection::Tag(_) => self.why_no_tag_edit(&RENAME_TAG),
            Selection::Joint(_) => Some("Joints cannot be renamed; animations refer to them by name".into()),
            _ if self.surfaces_to_edit().len() > 1 => Some("Several surfaces are selected".into()),
            _ if self.selection == Selection::None => {
                self.why_no_edit(&RENAME_SURFACE).or(Some("Select a surface or a tag first".into()))
            }
            _ => self.why_no_surface_edit(&RENAME_SURFACE),
        }
    }

    /// Returns the part whose clips are saved: `part` if it exists, or else the focused part.
    pub fn part_with_list(&self, part: Option<EntityId>) -> Option<&Entity> {
        part.and_then(|part| self.scene.entity(part)).or_else(|| self.entity())
    }

    /// Returns a list for `path` with the named clips of a part, by default the focused part, and what the list cannot
    /// store, or the reason why there is none. The list is an `animation.cfg`, or a `.framegroups` if the path has this
    /// extension.
    pub fn clip_list(&self, part: Option<EntityId>, path: &Path) -> Result<(Vec<u8>, Vec<String>), &'static str> {
        let entity = self.part_with_list(part).ok_or("No model is open")?;
        if matches!(entity.role, Role::Legs | Role::Torso) {
            return Err(PLAYER_CLIPS);
        }
        let clips = listed_clips(entity.model());
        let list = if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("framegroups")) {
            frame_groups(&clips)
        } else if let Some(list) = unsaved_clip_list(entity) {
            // The list keeps the layout of its file.
            return Ok((list.file.bytes().to_vec(), Vec::new()));
        } else {
            animation_config(&clips).map(|text| (text, animation_config_losses(&clips)))
        };
        let (text, losses) = list.ok_or("The model has no named clips")?;
        Ok((text.into_bytes(), losses))
    }

    /// Returns the reason why the chosen skin cannot be moved, if any.
    pub fn why_no_skin_move(&self, up: bool) -> Option<Cow<'static, str>> {
        if let Some(why) = self.why_no_edit(&ORDER_SKINS) {
            return Some(why);
        }
        match self.chosen_skin_path() {
            None => Some("This skin is not listed in the file".into()),
            Some((0, _)) if up => Some("Already the first skin".into()),
            Some((at, count)) if !up && at + 1 == count => Some("Already the last skin".into()),
            Some(_) => None,
        }
    }

    /// Returns the reason why no texture path can be written to the model, if any.
    pub fn why_not_permanent(&self) -> Option<Cow<'static, str>> {
        self.why_no_edit(&SET_MATERIAL).or_else(|| {
            self.overrides_to_keep().is_empty().then(|| "No other texture was set on the selected surfaces".into())
        })
    }

    /// Returns the selected surfaces, the surface of the selected triangle or vertex, or the only surface of the model.
    fn surfaces_to_edit(&self) -> Vec<usize> {
        let selected = self.selected_surfaces();
        if !selected.is_empty() {
            return selected;
        }
        let only = self.asset().filter(|asset| asset.model.surfaces().len() == 1).map(|_| 0);
        self.selection.surface().or(only).into_iter().collect()
    }

    /// Returns the index of the chosen skin in the skin list of an MD2, and the length of that list.
    fn chosen_skin_path(&self) -> Option<(usize, usize)> {
        let entity = self.entity()?;
        let skins = entity.model().skins();
        let material = entity.asset.skins.get(entity.skin)?.materials.first()?;
        let at = skins.iter().position(|skin| *skin == material.name || skin.eq_ignore_ascii_case(&material.path))?;
        Some((at, skins.len()))
    }

    fn overrides_to_keep(&self) -> Vec<(usize, String)> {
        let Some(entity) = self.entity() else { return Vec::new() };
        let selected = self.selected_surfaces();
        // Without a selection, keep all new textures. Otherwise include every surface that has the new
        // texture of a selected one.
        let paths: Vec<&String> = selected
            .iter()
            .filter_map(|surface| entity.overrides.get(surface))
            .map(|material| &material.path)
            .collect();
        let overrides = entity.overrides.iter();
        let overrides = overrides.filter(|(_, material)| selected.is_empty() || paths.contains(&&material.path));
        overrides.map(|(surface, material)| (*surface, material.path.clone())).collect()
    }

    /// Returns the index of the material to edit: the chosen skin if the file lists it, or else the first.
    fn material_to_edit(&self) -> usize {
        let materials = self.asset().map(|asset| asset.model.format().traits().materials);
        if materials == Some(MaterialStorage::Skins) { self.chosen_skin_path().map_or(0, |(at, _)| at) } else { 0 }
    }

    fn tags_of(&self, id: EntityId) -> Vec<String> {
        self.scene.entity(id).map_or_else(Vec::new, |entity| entity.model().tags().to_vec())
    }

    /// Updates the attachments of parts at a renamed tag.
    fn follow_tags(&mut self, id: EntityId, before: &[String]) {
        let now = self.tags_of(id);
        if now.len() != before.len() {
            return;
        }
        for (old, new) in before.iter().zip(&now).filter(|(old, new)| old != new) {
            let attached = self.scene.entities_mut().iter_mut().filter_map(|entity| entity.attachment.as_mut());
            for attachment in attached.filter(|attachment| attachment.to == id) {
                if matches!(&attachment.anchor, Anchor::Tag(name) if name.eq_ignore_ascii_case(old)) {
                    attachment.anchor = Anchor::Tag(new.clone());
                }
            }
        }
    }

    pub(crate) fn fit_selection(&mut self) {
        let Some(asset) = self.asset() else { return };
        let (tags, surfaces) = (asset.model.tags().len(), asset.model.surfaces());
        let fitting = match (self.selection, self.selection.surface().map(|index| surfaces.get(index))) {
            (Selection::Tag(tag), _) if tag >= tags => Selection::None,
            (_, Some(None)) => Selection::None,
            (Selection::Vertex { surface, vertex }, Some(Some(own))) if vertex >= own.vertex_count() => {
                Selection::Surface(surface)
            }
            (Selection::Triangle { surface, triangle }, Some(Some(own))) if triangle >= own.triangles.len() => {
                Selection::Surface(surface)
            }
            (fitting, _) => fitting,
        };
        let count = surfaces.len();
        self.selection = fitting;
        self.other_surfaces.retain(|surface| *surface < count);
    }

    fn discarded_sources(&self) -> Vec<(EntityId, Source)> {
        self.unsaved().filter_map(|entity| Some((entity.id, entity.discarded()?))).collect()
    }

    /// Marks the unsaved changes of a file as outdated, because the file has other bytes now. Returns false if the file
    /// has no unsaved changes. Several models may have changes of one list of clips.
    pub(crate) fn outdate(&mut self, path: &Path) -> bool {
        let files = self.scene.entities_mut().iter_mut().filter_map(|entity| entity.asset.edited_at_mut(path));
        files.filter(|edited| !edited.is_saved()).map(|edited| edited.outdate()).count() > 0
    }
}

impl Jobs {
    /// Ends saving after a failure.
    pub fn not_saved(&mut self) {
        self.file_to_save = None;
    }

    /// Whether a changed model is being saved.
    pub fn saves_changes(&self) -> bool {
        self.file_to_save.is_some()
    }
}

impl Session {
    pub(crate) fn ask_for_edit(&mut self, subject: EditSubject) -> Option<Effect> {
        let why_not = match subject {
            EditSubject::ShaderPath => self.document.why_no_surface_edit(&SET_MATERIAL),
            EditSubject::Name => self.document.why_no_rename(),
            EditSubject::FrameName => self.document.why_no_edit(&RENAME_FRAME),
            EditSubject::NewTag => self.document.why_no_edit(&ADD_TAG),
        };
        if let Some(why) = why_not {
            self.note(NotificationKind::Warning, why);
            return None;
        }
        let entity = self.entity()?;
        let what = match (subject, self.document.selection) {
            (EditSubject::ShaderPath, _) => {
                let material = self.document.material_to_edit();
                EditField::Materials(
                    self.document.surfaces_to_edit().into_iter().map(|surface| (surface, material)).collect(),
                )
            }
            (EditSubject::Name, Selection::Tag(tag)) => EditField::TagName(tag),
            (EditSubject::Name, _) => EditField::SurfaceName(self.document.surfaces_to_edit().first().copied()?),
            (EditSubject::FrameName, _) => EditField::FrameName(entity.nearest_frame()),
            (EditSubject::NewTag, _) => EditField::NewTag,
        };
        let (file, format) = (entity.asset.file.clone()?, entity.model().format());
        self.interface.edit_dialog = Some(EditDialog { entity: Some(entity.id), what });
        self.interface.panels.dialog = None;
        if subject != EditSubject::ShaderPath {
            return None;
        }
        self.interface.material_names = None;
        // Without the list of names, the user can still type a name.
        let load = QueuedLoad::of_path(file, move |context, file| {
            let names = Arc::new(context.opener.material_names(&file, format)?);
            then_update(move |session| session.interface.material_names = Some(names))
        });
        self.load(load.or_else(|_, _| {}))
    }

    /// Opens the dialog of an operation, or applies an operation without parameters.
    pub(crate) fn ask_for_arguments(&mut self, operation: &'static Operation) -> Option<Effect> {
        if let Some(why) = self.document.why_no_edit(operation) {
            self.note(NotificationKind::Warning, why);
            return None;
        }
        if operation.parameters.is_empty() {
            return self.edit(vec![Call::with(operation, &[])]);
        }
        self.open_arguments(operation, self.document.focus);
        None
    }

    /// Opens the dialog of an operation for a part; `None` for the selected models of the list.
    pub(crate) fn open_arguments(&mut self, operation: &'static Operation, entity: Option<EntityId>) {
        self.interface.edit_dialog = Some(EditDialog { entity, what: EditField::Arguments(operation) });
        self.interface.panels.dialog = None;
    }

    /// Asks for the folder of the edited copies of the selected models and their LODs.
    pub(crate) fn edit_selected(&mut self, call: Call) -> Option<Effect> {
        self.interface.edit_dialog = None;
        let models = &self.interface.selected_models;
        let unsaved = self.document.discarded_sources().into_iter().any(|(_, source)| models.contains(&source.file));
        let is_level = |file: &&PathBuf| finest_level(file).is_some_and(|finest| models.contains(&finest));
        let levels = self.coarser_levels.iter().filter(is_level);
        self.jobs.saving.batch = models.iter().chain(levels).cloned().collect();
        self.jobs.saving.batch_edit = Some(call);
        if unsaved {
            self.note(NotificationKind::Warning, "The copies do not contain the unsaved changes of the open model");
        }
        self.ask_where(OutputKind::Models)
    }

    pub(crate) fn edit(&mut self, calls: Vec<Call>) -> Option<Effect> {
        let what = undo_name(&calls);
        self.edit_as(calls, what, false)
    }

    /// Renames a surface. Its entries in `.skin` files are renamed when the model is saved.
    pub(crate) fn rename_in_skins(&mut self, surface: usize, name: String) -> Option<Effect> {
        let call = Call::with(&RENAME_SURFACE, &[&format!("#{surface}"), &name]);
        self.edit_as(vec![call], RENAME_SURFACE.title, true)
    }

    fn edit_as(&mut self, calls: Vec<Call>, what: &'static str, in_skins: bool) -> Option<Effect> {
        self.interface.edit_dialog = None;
        if let Some(why) = self.document.why_no_edit(calls.first()?.operation) {
            self.note(NotificationKind::Warning, why);
            return None;
        }
        if self.jobs.loads.will_replace() {
            self.note(NotificationKind::Warning, "Edit not applied: another model is being opened");
            return None;
        }
        let entity = self.entity()?;
        let (id, file) = (entity.id, entity.source()?.file);
        let label = with_subject(what, &calls, entity);
        let load = QueuedLoad::new(file, move |session| {
            let entity = session.document.scene.entity(id)?;
            let (asset, source) = (entity.asset.clone(), entity.source()?);
            on_loader(move |context| {
                let edited = context.opener.edited(&asset, &source, &calls, in_skins)?;
                context.prepare(edited.asset.clone());
                let paths = calls.iter().filter(|call| call.operation == &SET_MATERIAL);
                let surfaces: Vec<usize> =
                    paths.filter_map(|call| call.surfaces(&asset.model).ok()).flatten().collect();
                then_update(move |session| session.edited(id, what, &label, &surfaces, edited))
            })
        });
        self.load(load.of_kind(LoadKind::Edit).or_else(Self::report_failed_edit))
    }

    fn report_failed_edit(&mut self, error: &OpenError) {
        let text = format!("Could not change {}: {}", error.name(), error.reason());
        self.notify_of_model(NotificationKind::Failed, text, "");
    }

    /// Shows an edited part and adds an undo step. `surfaces` have a new shader path. Textures that were set on them
    /// are removed, because they would hide the new path's texture.
    fn edited(&mut self, id: EntityId, what: &'static str, subject: &str, surfaces: &[usize], part: EditedPart) {
        let EditedPart { before, asset, is_rewritten, notes } = part;
        let Some(entity) = self.document.scene.entity_mut(id) else { return self.target_removed() };
        match &entity.asset.edited {
            Some(now) if !now.is_same(&before) => {
                let text = format!("{subject} not applied: the file changed in the meantime");
                return self.notify_of_model(NotificationKind::Warning, text, "");
            }
            Some(_) => {}
            // Keep the original bytes with the first edit, also for the undo steps before it.
            None => {
                entity.asset.edited = Some(before.clone());
                self.document.history.begin_edits(id, &before);
            }
        }
        if asset.edited.as_ref().is_some_and(|now| now.is_same(&before)) {
            return self.note(NotificationKind::Done, format!("{subject}: nothing to change"));
        }
        let step = self.document.undo_step(what).with_title(subject);
        let old_tags = self.document.tags_of(id);
        let (chosen, count) = (self.document.selection_by_name(), asset.model.surfaces().len());
        let has_other_surfaces =
            self.document.scene.entity(id).map(|entity| entity.model().surfaces().len()) != Some(count);
        let triangles = |asset: &ModelAsset| -> usize {
            asset.model.surfaces().iter().map(|surface| surface.triangles.len()).sum()
        };
        let before = self.document.scene.entity(id).map_or(0, |entity| triangles(&entity.asset));
        let fewer = before.saturating_sub(triangles(&asset));
        let clips = self.document.scene.entity(id).map_or(&[][..], |entity| entity.model().clips());
        let is_new = |clip: &Clip| clips.iter().all(|known| known.name != clip.name);
        let new_clip = asset.model.clips().iter().position(|clip| clip.source.names_rates() && is_new(clip));
        self.document.scene.replace_edited(id, asset);
        if let Some(clip) = new_clip {
            self.document.choose(id, ClipChoice::Clip(clip));
        }
        self.document.follow_tags(id, &old_tags);
        if let Some(entity) = self.document.scene.entity_mut(id) {
            surfaces.iter().for_each(|surface| entity.clear_override(*surface));
        }
        self.remember_if_changed(step);
        if has_other_surfaces && self.document.focus == Some(id) {
            self.document.select_named(chosen);
        } else {
            self.keep_selection(id, old_tags.len());
        }
        self.document.fit_selection();
        self.interface.failure = None;
        // The structure view shows the old bytes.
        self.interface.structure = None;
        self.document.update_issues();
        self.document.update_extent();
        self.refresh();
        let done = match fewer {
            _ if !notes.results.is_empty() => format!(": {}", notes.results.join("; ")),
            0 => String::new(),
            1 => ": 1 triangle removed".to_owned(),
            several => format!(": {several} triangles removed"),
        };
        let how = if is_rewritten { "; the tables of the file were rewritten" } else { "" };
        let tags = self.document.tags_of(id);
        if let Some(lost) = old_tags.iter().find(|old| lint::is_known_tag(old) && !tags.contains(old)) {
            self.notify_of_model(
                NotificationKind::Warning,
                format!("No {lost} any more"),
                "Games find this tag by its name",
            );
        }
        let text = format!("{subject}{done}{how}");
        // A result, for example the largest deviation of *Simplify*, is only in this note.
        match notes.results.is_empty() {
            true => self.log(NotificationKind::Done, text),
            false => self.notify_of_model(NotificationKind::Done, text, ""),
        }
        notes.losses.into_iter().for_each(|note| self.notify_of_model(NotificationKind::Warning, note, ""));
    }

    fn keep_selection(&mut self, id: EntityId, tags_before: usize) {
        if self.document.focus != Some(id) {
            return;
        }
        let tags = self.document.tags_of(id).len();
        match self.document.selection {
            _ if tags > tags_before => self.select(Selection::Tag(tags - 1)),
            Selection::Tag(_) if tags < tags_before => self.document.selection = Selection::None,
            // The triangle's index may have changed, because triangles were removed.
            Selection::Triangle { surface, .. } => self.document.selection = Selection::Surface(surface),
            _ => {}
        }
    }

    pub(crate) fn remove_tag(&mut self) -> Option<Effect> {
        let Selection::Tag(tag) = self.document.selection else { return None };
        self.edit(vec![Call::with(&REMOVE_TAG, &[&format!("#{tag}")])])
    }

    pub(crate) fn move_skin(&mut self, up: bool) -> Option<Effect> {
        if let Some(why) = self.document.why_no_skin_move(up) {
            self.note(NotificationKind::Warning, why);
            return None;
        }
        let (at, count) = self.document.chosen_skin_path()?;
        let mut order: Vec<String> = (0..count).map(|skin| skin.to_string()).collect();
        let other = if up { at.checked_sub(1)? } else { at + 1 };
        if other < count {
            order.swap(at, other);
        }
        self.edit(vec![Call::with(&ORDER_SKINS, &[&order.join(",")])])
    }

    pub(crate) fn make_permanent(&mut self) -> Option<Effect> {
        let material = self.document.material_to_edit();
        let paths = self.document.overrides_to_keep().into_iter();
        let calls = paths.map(|(surface, path)| set_material(&[surface], material, &path)).collect();
        self.edit_as(calls, MAKE_PERMANENT, false)
    }

    pub(crate) fn discard(&mut self) -> Option<Effect> {
        let file = self.document.discarded_sources().into_iter().next()?.1.file;
        let load = QueuedLoad::new(file, |session| {
            let sources = session.document.discarded_sources();
            on_loader(move |context| {
                let assets = context.reopen(&sources)?;
                then_update(move |session| session.discarded(assets))
            })
        });
        self.load(load.of_kind(LoadKind::Edit).or_else(Self::report_failed_edit))
    }

    fn discarded(&mut self, assets: Vec<(EntityId, ModelAsset)>) {
        let step = self.document.undo_step(DISCARD);
        let chosen = self.document.selection_by_name();
        for (id, mut asset) in assets {
            asset.finish_pending_images();
            let old_tags = self.document.tags_of(id);
            self.document.scene.replace_edited(id, asset);
            self.document.follow_tags(id, &old_tags);
        }
        self.document.select_named(chosen);
        self.interface.structure = None;
        self.remember_if_changed(step);
        self.document.update_issues();
        self.document.update_extent();
        self.refresh();
        self.log(NotificationKind::Done, "Changes discarded");
    }

    /// Saves the changes in the model's own file, after a question. Asks for a path if there is no such file.
    pub(in crate::session) fn save_model(&mut self) -> Option<Effect> {
        // Each save asks, also after the question of an earlier one was closed.
        self.jobs.saving.replace = None;
        let part = self.document.part_to_save()?;
        let own = part.asset.file.clone().filter(|file| file.is_file());
        // Only the list of clips changed.
        let list = part.asset.clip_list_file().filter(|_| unsaved_clip_list(part).is_some());
        let list = list.filter(|_| part.asset.edited.as_ref().is_some_and(|edited| edited.model.is_saved()));
        // A model in an archive is saved with its list.
        let list = list.filter(|_| own.is_some());
        self.jobs.saving.clip_list_of = list.is_some().then_some(part.id);
        let product = if list.is_some() { OutputKind::ClipList } else { OutputKind::File };
        match own.filter(|_| self.jobs.work.is_none()) {
            Some(path) => Some(Effect::Save { product, path: list.unwrap_or(path), replace: false }),
            None => self.ask_where(product),
        }
    }

    /// Starts saving at `path` and returns the bytes to write. `product` is the model or its list of clips.
    pub fn begin_saving(&mut self, product: OutputKind, path: &Path) -> Option<Arc<Vec<u8>>> {
        let is_model = product == OutputKind::File;
        let list_of = self.jobs.saving.clip_list_of;
        let part = if is_model { self.document.part_to_save() } else { self.document.part_with_list(list_of) }?;
        let edited = part.asset.edited.as_ref()?;
        let is_meant = is_model || is_same_path(part.asset.clip_list_file().as_deref(), path);
        let clip_list = part.asset.clip_list_to_save(path).filter(|_| is_meant);
        let model = is_model.then(|| Arc::clone(edited.model.bytes()));
        let bytes = model.clone().or_else(|| Some(Arc::clone(&clip_list.as_ref()?.bytes)))?;
        self.jobs.file_to_save = Some(FileToSave { entity: part.id, path: path.to_path_buf(), model, clip_list });
        Some(bytes)
    }

    /// Ends saving after success. Returns the reload, or the effect of the action that waited for saving.
    pub fn saved(&mut self) -> Option<Effect> {
        let FileToSave { entity, path, model, clip_list } = self.jobs.file_to_save.take()?;
        let path = std::path::absolute(&path).unwrap_or(path);
        self.document.scene.entity(entity)?;
        // Resolve the next or previous model before the position in the list changes.
        let waits = self.interface.unsaved_prompt.take().map(|action| self.resolve_sibling(*action));
        // Other parts may have changes of this list.
        if let Some(list) = &clip_list {
            self.document.outdate(&list.path);
        }
        let entity = self.document.scene.entity_mut(entity)?;
        let path = if model.is_some() { path } else { entity.asset.file.clone()? };
        let before = entity.asset.file.replace(path.clone());
        let renames = if model.is_some() && is_same_path(before.as_deref(), &path) {
            entity.asset.skin_renames()
        } else {
            Vec::new()
        };
        if let Some(edited) = &mut entity.asset.edited {
            if let Some(bytes) = &model {
                edited.model.saved(bytes);
                // Entries of `.skin` files were renamed only if the model was saved under its old path.
                edited.set_skin_names(renames.into_iter().map(|(surface, rename)| (surface, rename.new)).collect());
            }
            if let (Some(list), Some(saved)) = (&mut edited.clip_list, &clip_list) {
                list.file.saved(&saved.bytes);
                list.read_from = Some(saved.path.clone()).filter(|_| !saved.bytes.is_empty());
            }
        }
        let mut is_unlisted = false;
        if before.as_ref() != Some(&path) {
            entity.asset.name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            entity.asset.overridden_by = None;
            self.preferences.add_recent(&path);
            if self.requested_path == before {
                is_unlisted = self.move_in_list(&path);
            } else {
                self.models_found(&[ModelFileChange::read(path.clone(), true)]);
            }
        }
        match waits {
            Some(action) if self.document.has_unsaved() => self.interface.unsaved_prompt = Some(Box::new(action)),
            Some(action) => {
                let effect = self.perform(action);
                // The check waits for a load that the action starts.
                let check = self.check_saved([path]);
                return effect.or(check);
            }
            None => {}
        }
        let reload = self.reload_quietly();
        // Request the list in any case. It waits until the reload is done.
        let listing = if is_unlisted { self.list_folder_of(path.clone()) } else { None };
        let check = self.check_saved([path]);
        reload.or(listing).or(check)
    }
}

/// Returns the call that sets a material of surfaces.
pub fn set_material(surfaces: &[usize], material: usize, path: &str) -> Call {
    let surfaces: Vec<String> = surfaces.iter().map(|surface| format!("#{surface}")).collect();
    Call::with(&SET_MATERIAL, &[&surfaces.join(","), path, &material.to_string()])
}
