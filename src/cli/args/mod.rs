//! Command line arguments.

mod batch;
mod character;
mod check;
mod export;
mod image;
mod inspect;
mod numbers;
mod view;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use batch::BatchArguments;
pub use character::{CharacterArguments, FrameArguments};
pub use check::CheckArguments;
pub use export::{ConvertArguments, EditArguments, ExportArguments};
pub use image::{FilmArguments, ImageArguments, SheetArguments, SnapshotArguments};
pub use inspect::{DiffArguments, InfoArguments, StructureArguments};
pub use view::OverlayArgument;

/// View models of id Tech and related engines, textured and animated
#[derive(Parser)]
#[command(name = "maquette", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(
    after_help = "Without MODEL, the window lists recent files or shows a sample model. Exit status: 0 success, 1 a file failed, 2 usage error; diff: 0 identical, 1 different, 2 error."
)]
pub struct Arguments {
    /// Models, folders or archives to open in the window
    #[arg(value_name = "MODEL")]
    pub paths: Vec<PathBuf>,
    /// Add a folder or archive that is searched before the games of the models; repeatable, the last one is searched first
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// Open MODEL in a new window instead of an open window (Linux; other systems always open a new window)
    #[arg(long)]
    pub new_window: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Print the content of a model, a character or an archive
    Info(InfoArguments),
    /// Print every structure and field of a file with its offset, size and value
    #[command(alias = "anatomy")]
    Structure(StructureArguments),
    /// Compare two models: vertices, tags, joints, materials and clips. Exit status: 0 identical, 1 different, 2 error
    Diff(DiffArguments),
    /// Save an image of a model as PNG without opening a window
    Snapshot(SnapshotArguments),
    /// Export a clip or turntable as GIF, animated PNG or one PNG per frame
    #[command(alias = "film")]
    Animate(FilmArguments),
    /// Export a contact sheet: every clip on one image
    #[command(alias = "sheet")]
    ContactSheet(SheetArguments),
    /// Export a model or a character to glTF, OBJ, PLY or a game format
    Export(ExportArguments),
    /// Convert a model to another game format, or edit it
    Convert(ConvertArguments),
    /// Check all models in files, folders and archives, and list failures
    Check(CheckArguments),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;
    use clap::error::ErrorKind;

    #[test]
    fn message_about_a_wrong_value_states_what_is_expected() {
        for command in Arguments::command().get_subcommands() {
            let name = command.get_name();
            let options = command.get_arguments().filter_map(|argument| argument.get_long());
            for option in options.filter(|option| *option != "help") {
                let value = format!("--{option}=~");
                let Err(error) = Arguments::try_parse_from(["maquette", name, &value, "x", "-o", "x"]) else {
                    continue;
                };
                if matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
                    let text = error.to_string();
                    let is_clear = text.contains("expected") || text.contains("possible values");
                    assert!(is_clear && !text.contains("in string"), "{name} --{option}: {text}");
                }
            }
        }
    }

    #[test]
    fn negative_numbers_are_values() {
        let cases = [
            ("convert", "--frame", "-1", "a whole frame number from 0"),
            ("snapshot", "--lod", "-1", "a whole number from 0"),
            ("snapshot", "--samples", "0", "1 to 128 images"),
            ("check", "--jobs", "0", "1 or more models"),
        ];
        for (command, option, value, expected) in cases {
            let error = Arguments::try_parse_from(["maquette", command, "x", option, value]).err().unwrap().to_string();
            assert!(error.contains("expected ") && error.contains(expected), "{error}");
        }
    }
}
