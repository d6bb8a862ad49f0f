//! Save actions: images, animations, contact sheets and exports.

use std::path::PathBuf;
use std::sync::Arc;

use crate::scene::{Background, RATE_RANGE, TURN_RANGE};
use crate::session::{ContactOptions, Effect, FilmOptions, ImageOptions, ModelOptions, OutputKind, Session};
use maquette_assets::material::Image;
use maquette_core::export::EXPORTERS;

/// Save action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum SaveAction {
    /// Open the image dialog.
    SaveImage,
    /// Open the *Export animation* dialog.
    SaveFilm,
    /// Open the contact sheet dialog.
    SaveContactSheet,
    /// Open the export dialog.
    SaveModel,
    /// Export the selected models to a folder that the user is asked for, with the exporter of this index in
    /// [`EXPORTERS`].
    SaveModels(usize),
    /// Open the image dialog with a transparent background.
    SaveTransparent,
    /// Reopen the dialog of an output that could not be saved.
    SaveElsewhere(OutputKind),
    /// Close the dialog.
    CloseSaving,
    /// Set the image options.
    SetImage(ImageOptions),
    /// Set the animation options.
    SetFilm(FilmOptions),
    /// Set the contact sheet options.
    SetContactSheet(ContactOptions),
    /// Set the export options.
    SetModel(ModelOptions),
    /// Save the output with the options of its dialog.
    SaveTo {
        /// Kind of output.
        product: OutputKind,
        /// Path of the file.
        path: PathBuf,
        /// Whether the user confirmed replacing an existing file.
        replace: bool,
    },
    /// Save the named clips of the focused part as `animation.cfg`.
    SaveClipList,
    /// Save a texture with this game path as PNG.
    SaveTexture(String, Arc<Image>),
    /// Copy an image of the view to the clipboard.
    CopyImage,
    /// Cancel the running export.
    CancelWork,
}

impl Session {
    pub(super) fn apply_to_saving(&mut self, action: SaveAction) -> Option<Effect> {
        match action {
            SaveAction::SaveImage => {
                if let Some(own) = self.jobs.saving.own_background.take() {
                    let extras = &mut self.jobs.saving.image.extras;
                    (extras.background, extras.shadow) = own;
                }
                self.open_saving(OutputKind::Image);
            }
            SaveAction::SaveFilm => self.open_saving(OutputKind::Film),
            SaveAction::SaveContactSheet => self.open_saving(OutputKind::ContactSheet),
            SaveAction::SaveModel => self.open_saving(OutputKind::Model),
            SaveAction::SaveModels(format) => {
                (self.jobs.saving.batch, self.jobs.saving.batch_edit) =
                    (self.interface.selected_models.iter().cloned().collect(), None);
                // The options of the dialog are not visible here, so they do not apply.
                self.jobs.saving.batch_options =
                    ModelOptions { format: format.min(EXPORTERS.len() - 1), ..ModelOptions::default() };
                return self.ask_where(OutputKind::Models);
            }
            SaveAction::SetModel(options) => self.jobs.saving.model = options,
            SaveAction::SaveTransparent => {
                self.open_saving(OutputKind::Image);
                let saving = &mut self.jobs.saving;
                let extras = &mut saving.image.extras;
                let before = extras.background.replace(Background::Transparent);
                saving.own_background.get_or_insert((before, extras.shadow));
                // A cutout has no shadows, unless the user adds them.
                extras.shadow &= saving.is_image_chosen && before == Some(Background::Transparent);
            }
            SaveAction::SaveElsewhere(product) if product.has_options() => self.open_saving(product),
            SaveAction::SaveElsewhere(product) => return self.ask_where(product),
            SaveAction::CloseSaving => self.jobs.saving.open = None,
            SaveAction::SetImage(options) => {
                if options.extras.background != self.jobs.saving.image.extras.background {
                    self.jobs.saving.own_background = None;
                }
                self.jobs.saving.image = options;
                self.jobs.saving.is_image_chosen = true;
            }
            SaveAction::SetFilm(options) => {
                self.jobs.saving.film = FilmOptions {
                    turn_seconds: options.turn_seconds.clamp(TURN_RANGE.0, TURN_RANGE.1),
                    rate: options.rate.map(|rate| rate.clamp(RATE_RANGE.0, options.kind.max_rate())),
                    ..options
                };
            }
            SaveAction::SetContactSheet(options) => {
                let frames_per_clip = options.frames_per_clip.clamp(1, ContactOptions::MAX_FRAMES_PER_CLIP);
                self.jobs.saving.contact =
                    ContactOptions { frames_per_clip, tile: options.tile.clamp(32, 1024), ..options };
            }
            SaveAction::SaveTo { product, path, replace } => {
                self.interface.path_field = None;
                // The path of several models is their folder.
                let folder = if product == OutputKind::Models { Some(&*path) } else { path.parent() };
                folder.into_iter().for_each(|folder| self.remember_folder(folder));
                return Some(Effect::Save { product, path, replace });
            }
            SaveAction::SaveClipList => {
                self.jobs.saving.clip_list_of = None;
                return self.ask_where(OutputKind::ClipList);
            }
            SaveAction::SaveTexture(path, image) => {
                self.jobs.saving.texture = Some((path, image));
                return self.ask_where(OutputKind::Texture);
            }
            SaveAction::CopyImage => {
                return (!self.document.scene.entities().is_empty()).then_some(Effect::CopyImage);
            }
            SaveAction::CancelWork => {
                let work = self.jobs.work.as_mut()?;
                work.is_cancelled = true;
                return Some(Effect::CancelWork);
            }
        }
        None
    }
}
