//! Pictures, films and contact sheets.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::scene::{Background, RATE_RANGE, TURN_RANGE};
use crate::session::{ContactOptions, Effect, FilmOptions, ImageOptions, ModelOptions, OutputKind, Session};
use maquette_assets::material::Image;
use maquette_core::export::EXPORTERS;

/// What a user wants of pictures that are saved.
#[derive(Clone, Debug, PartialEq)]
pub enum SaveAction {
    /// Open the dialog that saves pictures.
    SavePicture,
    /// Open the dialog that saves films.
    SaveFilm,
    /// Open the dialog that saves contact sheets.
    SaveContactSheet,
    /// Open the dialog that exports the model.
    SaveModel,
    /// Export models of the list with an exporter, by its index in [`EXPORTERS`], to a folder that is asked for.
    SaveModels(Vec<PathBuf>, usize),
    /// Open the dialog that saves pictures, set to nothing behind the model.
    SaveTransparent,
    /// Open the dialog for a file that was not saved again, with its choices.
    SaveElsewhere(OutputKind),
    /// Put the dialog that saves away.
    CloseSaving,
    /// How pictures are saved.
    SetPicture(ImageOptions),
    /// How films are saved.
    SetFilm(FilmOptions),
    /// How contact sheets are saved.
    SetContactSheet(ContactOptions),
    /// How models are exported.
    SetModel(ModelOptions),
    /// Save what the dialog describes.
    SaveTo {
        /// What.
        product: OutputKind,
        /// Where.
        path: PathBuf,
        /// A file of this name may be replaced: the user has confirmed it.
        replace: bool,
    },
    /// Save this texture, which has this path in the game, as PNG.
    SaveTexture(String, Arc<Image>),
    /// Put the picture on the clipboard.
    CopyPicture,
    /// Stop what is being made.
    CancelWork,
}

impl Session {
    pub(super) fn apply_to_saving(&mut self, action: SaveAction) -> Option<Effect> {
        match action {
            SaveAction::SavePicture => self.open_saving(OutputKind::Picture),
            SaveAction::SaveFilm => self.open_saving(OutputKind::Film),
            SaveAction::SaveContactSheet => self.open_saving(OutputKind::ContactSheet),
            SaveAction::SaveModel => self.open_saving(OutputKind::Model),
            SaveAction::SaveModels(models, format) => {
                self.jobs.saving.batch = models;
                self.jobs.saving.model.format = format.min(EXPORTERS.len() - 1);
                return self.ask_where(OutputKind::Models);
            }
            SaveAction::SetModel(options) => self.jobs.saving.model = options,
            SaveAction::SaveTransparent => {
                self.jobs.saving.image.scenery.background = Some(Background::Transparent);
                self.open_saving(OutputKind::Picture);
            }
            SaveAction::SaveElsewhere(product @ (OutputKind::Texture | OutputKind::File | OutputKind::Models)) => {
                return self.ask_where(product);
            }
            SaveAction::SaveElsewhere(product) => self.open_saving(product),
            SaveAction::CloseSaving => self.jobs.saving.open = None,
            SaveAction::SetPicture(options) => {
                self.jobs.saving.image = options;
                self.jobs.saving.is_image_chosen = true;
            }
            SaveAction::SetFilm(options) => {
                self.jobs.saving.film = FilmOptions {
                    turn_seconds: options.turn_seconds.clamp(TURN_RANGE.0, TURN_RANGE.1),
                    rate: options.rate.map(|rate| rate.clamp(RATE_RANGE.0, options.kind.most_rate())),
                    ..options
                };
            }
            SaveAction::SetContactSheet(options) => {
                let moments = options.moments.clamp(1, ContactOptions::MAX_MOMENTS);
                self.jobs.saving.contact = ContactOptions { moments, tile: options.tile.clamp(32, 1024), ..options };
            }
            SaveAction::SaveTo { product, path, replace } => {
                self.interface.path_field = None;
                self.jobs.saving.folder = path.parent().map(Path::to_path_buf).filter(|folder| folder.is_dir());
                return Some(Effect::Save { product, path, replace });
            }
            SaveAction::SaveTexture(path, picture) => {
                self.jobs.saving.texture = Some((path, picture));
                return self.ask_where(OutputKind::Texture);
            }
            SaveAction::CopyPicture => {
                return (!self.document.scene.entities().is_empty()).then_some(Effect::CopyPicture);
            }
            SaveAction::CancelWork => return self.jobs.work.is_some().then_some(Effect::CancelWork),
        }
        None
    }
}
