//! Command line. Exit status 0: success; 1: a file failed; 2: usage error. In `diff`, 1 means different, and a failed
//! file gives 2. Errors go to stderr. If the reader closes the pipe, output ends without an error.

mod args;
mod batch;
mod check;
mod convert;
mod diff;
mod edits;
mod export;
mod film;
mod frame_args;
mod image_args;
mod info;
mod open;
mod output;
mod player;
mod scene;
mod sheet;
mod signals;
mod snapshot;
mod structure;
mod textures;

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser};
use maquette::output::OutputError;
use maquette_assets::material::ImageLoading;
use maquette_assets::open::OpenError;
use maquette_assets::vfs::FileSystem;
use maquette_core::model::Format;

use args::{Arguments, Command};

/// Reason why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// Usage error: exit status 2.
    Usage(String),
    /// Usage error with the available choices.
    Choice(String, Vec<String>),
    /// A file failed: exit status 1.
    File(String),
    /// Files failed and were reported already: exit status 1.
    Reported,
    /// A file failed in `diff`, where 1 means different: exit status 2.
    Error(String),
    /// The compared models differ, and the differences were printed: exit status 1.
    Different,
    /// The reader of the output has closed the pipe: no message, exit status 0.
    ClosedPipe,
}

impl Failure {
    /// An option names a thing of a kind that does not exist.
    fn unknown<Name: AsRef<str>>(option: &str, kind: &str, known: impl IntoIterator<Item = Name>) -> Self {
        let mut list = String::new();
        for name in known {
            list += if list.is_empty() { "" } else { ", " };
            list += name.as_ref();
        }
        Self::Usage(if list.is_empty() {
            format!("{option}: unknown {kind}; the model has none")
        } else {
            format!("{option}: unknown {kind}; available: {list}")
        })
    }

    /// No writer has the extension of a file, perhaps because its format is only read.
    fn unwritten(file: &Path, option: &str, known: impl Iterator<Item = String>) -> Self {
        let extension = file.extension().unwrap_or_default();
        let read = Format::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()));
        let Some(format) = read else { return Self::unknown(option, "format", known) };
        let (name, known) = (format.title(), known.collect::<Vec<_>>().join(", "));
        Self::Usage(format!("{option}: {name} can be read, but not written; available: {known}"))
    }

    fn output(path: &Path, error: impl Into<OutputError>) -> Self {
        match error.into() {
            OutputError::File(error) if error.kind() == io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            OutputError::File(error) if is_about_path(error.kind()) => {
                Self::File(OutputError::File(error).reason_at(path))
            }
            error => Self::File(format!("{}: {error}", path.display())),
        }
    }
}

/// Whether an error means that no file can be written at the path.
fn is_about_path(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{InvalidFilename, IsADirectory, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem};
    matches!(kind, InvalidFilename | IsADirectory | NotADirectory | NotFound | PermissionDenied | ReadOnlyFilesystem)
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::File(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::File(format!("could not write to standard output: {error}")),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::File(message) | Self::Error(message) => f.write_str(message),
            Self::Choice(message, choices) => write!(f, "{message}{}", if choices.is_empty() { "" } else { ":" }),
            Self::Reported | Self::Different | Self::ClosedPipe => Ok(()),
        }
    }
}

fn single(models: &[PathBuf]) -> Result<&Path, Failure> {
    match models {
        [model] => Ok(model),
        _ => Err(Failure::Usage(format!(
            "{} models given, but -o takes one; use --output-dir for several",
            models.len()
        ))),
    }
}

/// Opens the window. A path that does not exist is an error, because it may be a mistyped command.
fn view(paths: Vec<PathBuf>, roots: Vec<PathBuf>, new_window: bool) -> Result<(), Failure> {
    if let Some(path) = paths.iter().find(|path| FileSystem::new(Vec::new()).locate(path).is_err()) {
        let name = path.display();
        let is_command = Arguments::command().get_subcommands().any(|command| path == Path::new(command.get_name()));
        return Err(match (is_command, roots.is_empty()) {
            (true, false) => {
                Failure::Usage(format!("--root belongs after the command: maquette {name} --root DIR MODEL"))
            }
            (true, true) => Failure::Usage(format!("the command {name} must be the first argument")),
            (false, _) => {
                let message = format!("no such file or command: {name}");
                match similar_command(path) {
                    Some(command) => Failure::Usage(format!("{message}; a similar command is {command}")),
                    None => Failure::File(message),
                }
            }
        });
    }
    open::opener_with(&roots, ImageLoading::LocateOnly)?;
    if let Some(image) = env::var_os(FALLBACK_IMAGE).filter(|_| !maquette::app::has_display()) {
        return draw_first(&paths, &roots, &image);
    }
    // Search folders from the command line apply only to a new window.
    if !new_window && !paths.is_empty() && roots.is_empty() && maquette::app::hand_over(&paths) {
        return Ok(());
    }
    maquette::app::run(paths, roots).map_err(Failure::File)
}

/// Returns the command that a mistyped name may mean. clap suggests commands only where it expects no paths.
fn similar_command(name: &Path) -> Option<String> {
    let commands = Arguments::command();
    let commands = clap::Command::new("maquette").subcommands(commands.get_subcommands().cloned());
    let error = commands.try_get_matches_from([OsStr::new("maquette"), name.as_os_str()]).err()?;
    match error.get(ContextKind::SuggestedSubcommand)? {
        ContextValue::Strings(names) => names.last().cloned(),
        _ => None,
    }
}

/// Returns a message about a mistyped command before options or after `help`. clap then only reports the options.
fn mistyped_command(error: &clap::Error) -> Option<String> {
    let is_about_word = matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand);
    let name = env::args_os().skip(1).find(|word| is_about_word && word != "help")?;
    let command = similar_command(Path::new(&name)).filter(|_| !Path::new(&name).exists())?;
    Some(format!("maquette: unknown command: {}; a similar command is {command}", name.display()))
}

/// Environment variable with the path of an image. The program writes it instead of opening a window if there is no
/// display. The script `run` sets it.
const FALLBACK_IMAGE: &str = "MAQUETTE_FALLBACK_IMAGE";

/// Draws the first model of `paths` as `maquette snapshot` does.
fn draw_first(paths: &[PathBuf], roots: &[PathBuf], image: &OsStr) -> Result<(), Failure> {
    let found = batch::inputs::collect(&FileSystem::new(Vec::new()), paths)?;
    let Some(model) = found.models.first() else {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::File(format!("no model found: {}", names.join(", "))));
    };
    output::error_line(format_args!("no display found; writing an image instead: {}", image.display()));
    let roots = roots.iter().flat_map(|root| [OsStr::new("--root"), root.as_os_str()]);
    let words = [OsStr::new("maquette"), OsStr::new("snapshot"), OsStr::new("-o"), image].into_iter().chain(roots);
    let words = words.chain([OsStr::new("--"), model.path.as_os_str()]);
    match Arguments::try_parse_from(words).map(|arguments| arguments.command) {
        Ok(Some(Command::Snapshot(arguments))) => snapshot::run(&arguments),
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Usage(error.to_string())),
    }
}

pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are not errors. A closed pipe is not one here, either.
            if error.use_stderr() {
                let message = mistyped_command(&error).unwrap_or_else(|| error.render().to_string());
                message.lines().for_each(output::error_line);
            } else {
                let _ = error.print();
            }
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    signals::handle_file_size_limit();
    let writes = !matches!(
        arguments.command,
        Some(Command::Info(_) | Command::Structure(_) | Command::Diff(_) | Command::Check(_))
    );
    if writes {
        signals::handle_termination();
    }
    let result = match arguments.command {
        None => view(arguments.paths, arguments.root, arguments.new_window),
        Some(Command::Info(arguments)) => info::run(&arguments),
        Some(Command::Structure(arguments)) => structure::run(&arguments),
        Some(Command::Diff(arguments)) => diff::run(&arguments),
        Some(Command::Snapshot(arguments)) => snapshot::run(&arguments),
        Some(Command::Animate(arguments)) => film::run(&arguments),
        Some(Command::ContactSheet(arguments)) => sheet::run(&arguments),
        Some(Command::Export(arguments)) => export::run(&arguments),
        Some(Command::Convert(arguments)) => convert::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
    };
    match result {
        Ok(()) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Reported | Failure::Different) => ExitCode::from(1),
        Err(failure) => {
            output::error_line(format_args!("maquette: {failure}"));
            if let Failure::Choice(_, choices) = &failure {
                choices.iter().for_each(|choice| output::error_line(format_args!("  {choice}")));
            }
            ExitCode::from(if matches!(failure, Failure::Usage(_) | Failure::Choice(..) | Failure::Error(_)) {
                2
            } else {
                1
            })
        }
    }
}
