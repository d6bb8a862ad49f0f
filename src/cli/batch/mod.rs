//! Commands on many models in parallel. They print a line for each model in input order.

pub mod inputs;
mod workers;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, IsTerminal as _, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};
use maquette_assets::open::count_unread;
use maquette_assets::vfs::FileSystem;
use maquette_core::error::{counted, printable};
use maquette_core::threads::processors;
use serde_json::{Map, Value, json};

use super::Failure;
use super::args::BatchArguments;
use super::output::{self, Output};
use inputs::{Input, Inputs, collect, outputs};

/// Result of the work on one model.
#[derive(Debug, Default)]
pub struct BatchOutcome {
    /// Losses and warnings, one sentence each.
    pub notes: Vec<String>,
    pub text: String,
    /// JSON counterpart of `text`, and its key.
    pub value: Option<(&'static str, Value)>,
}

/// Files that a run writes.
#[derive(Default)]
struct Written {
    outputs: HashSet<PathBuf>,
    /// Other files, such as animations and textures, with a hash of their contents.
    companions: Mutex<HashMap<PathBuf, u64>>,
}

/// Whether a run has written a file for another model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reserved {
    /// The file is new.
    New,
    /// The run has written this file with the same contents.
    Same,
    /// The run has written this file with other contents.
    Different,
}

#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The file; `-` is standard output.
    pub path: &'a Path,
    all: Option<&'a Written>,
}

impl<'a> Target<'a> {
    /// Creates the target of a run on a single model.
    pub fn only(path: &'a Path) -> Self {
        Self { path, all: None }
    }

    /// Whether the same run writes this file.
    pub fn is_of_run(&self, path: &Path) -> bool {
        self.all.is_some_and(|all| all.outputs.contains(path))
    }

    /// Reserves a file that belongs to the output.
    pub fn reserve(&self, path: &Path, bytes: &[u8]) -> Reserved {
        let Some(mut known) = self.all.and_then(|all| all.companions.lock().ok()) else { return Reserved::New };
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let hash = hasher.finish();
        match known.insert(path.to_owned(), hash) {
            None => Reserved::New,
            Some(first) if first == hash => Reserved::Same,
            Some(first) => {
                known.insert(path.to_owned(), first);
                Reserved::Different
            }
        }
    }
}

/// Calls `work` on every model, on at most `jobs` processors, and `report` with each result in input order.
///
/// No further model is started after `report` returns false. If stderr is a terminal, it shows the progress.
pub fn process<Made: Send>(
    models: &[Input],
    jobs: Option<NonZeroUsize>,
    output: &mut Output,
    work: impl Fn(&Input) -> Made + Sync,
    mut report: impl FnMut(&mut Output, &Input, Made) -> io::Result<bool> + Send,
) -> io::Result<()> {
    let progress = if io::stderr().is_terminal() && models.len() > 1 {
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}");
        ProgressBar::new(models.len() as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    } else {
        ProgressBar::hidden()
    };
    // More threads than processors would only take more memory.
    let threads = jobs.map_or(usize::MAX, usize::from).min(processors());
    output.flush()?;
    let mut result = Ok(());
    workers::map_in_order(models, threads, work, |model, made| {
        let goes_on: io::Result<bool> = progress.suspend(|| {
            let goes_on = report(output, model, made)?;
            output.flush()?;
            Ok(goes_on)
        });
        progress.inc(1);
        goes_on.unwrap_or_else(|error| {
            result = Err(error);
            false
        })
    });
    progress.finish_and_clear();
    result
}

/// Calls `work` on every model below the paths and reports one line for each. If there is an output folder, each model
/// has an output in it. With `--skip-up-to-date`, models whose output is newer are skipped.
///
/// Exit status: 0 if all succeeded, 1 if any model failed, 2 after a usage error.
pub fn run(
    paths: &[PathBuf],
    arguments: &BatchArguments,
    extension: &str,
    json: bool,
    work: impl Fn(&Path, Target<'_>) -> Result<BatchOutcome, Failure> + Sync,
) -> Result<(), Failure> {
    let Inputs { mut models, unread, left_out, .. } = collect(&FileSystem::new(Vec::new()), paths)?;
    // Compare outputs before selecting the shard, because two shards must not write the same file.
    if let Some(folder) = &arguments.output_dir {
        let outputs = outputs(&models, folder, extension)?;
        models.iter_mut().zip(outputs).for_each(|(model, output)| model.output = Some(output));
    }
    let outputs = models.iter().filter_map(|model| model.output.clone()).collect();
    let written = Written { outputs, ..Written::default() };
    models.retain(|model| arguments.shard.is_none_or(|shard| shard.has(&model.below)));
    let (mut done, mut skipped, mut failed) = (0, 0, 0);
    let mut report =
        |output: &mut Output, input: &Input, made: Result<Option<BatchOutcome>, String>| -> io::Result<bool> {
            *match &made {
                Ok(Some(_)) => &mut done,
                Ok(None) => &mut skipped,
                Err(_) => &mut failed,
            } += 1;
            if let (Ok(Some(done)), false) = (&made, json) {
                let path = input.path.display();
                done.notes.iter().for_each(|note| output::error_line(format_args!("{path}: {note}")));
            }
            writeln!(output, "{}", line(input, made, json))?;
            Ok(failed == 0 || arguments.keep_going)
        };
    let mut output = output::output_as(json);
    let mut goes_on = true;
    for (path, why) in unread {
        goes_on = report(&mut output, &Input { path, ..Input::default() }, Err(why))?;
    }
    let count = models.len();
    let begun = if goes_on { models.as_slice() } else { &[] };
    let work = |model: &Input| -> Result<Option<BatchOutcome>, String> {
        let path = model.output.as_deref().unwrap_or(Path::new("-"));
        if arguments.skip_up_to_date && is_newer(path, &model.path) {
            return Ok(None);
        }
        if let Some(folder) = model.output.as_deref().and_then(Path::parent) {
            fs::create_dir_all(folder).map_err(|error| format!("could not create the output folder: {error}"))?;
        }
        work(&model.path, Target { path, all: Some(&written) }).map(Some).map_err(|failure| failure.to_string())
    };
    process(begun, arguments.jobs, &mut output, work, report)?;
    let left = count.saturating_sub(done + skipped + failed);
    let left = if left > 0 {
        format!(", {left} not started (pass --keep-going to continue after failures)")
    } else {
        String::new()
    };
    let skipped = if skipped > 0 { format!(", {skipped} up to date") } else { String::new() };
    let models = counted(count, "model", "models");
    let unsupported = if left_out.is_empty() { String::new() } else { format!("; {}", count_unread(&left_out)) };
    let _ = writeln!(io::stderr(), "{models}: {done} done{skipped}, {failed} failed{left}{unsupported}");
    if failed > 0 { Err(Failure::Reported) } else { Ok(()) }
}

/// Whether the output was written after the model or its archive.
fn is_newer(output: &Path, model: &Path) -> bool {
    let written = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let model = model.ancestors().find_map(written);
    written(output).zip(model).is_some_and(|(output, model)| output >= model)
}

fn line(input: &Input, made: Result<Option<BatchOutcome>, String>, json: bool) -> String {
    let file = input.path.display().to_string();
    let output = input.output.as_ref().map(|output| output.display().to_string());
    let mut object = Map::new();
    object.insert("file".to_owned(), json!(file));
    object.extend(output.iter().map(|output| ("output".to_owned(), json!(output))));
    let (status, text) = match made {
        Ok(Some(done)) => {
            object.extend((!done.notes.is_empty()).then(|| ("notes".to_owned(), json!(done.notes))));
            object.extend(done.value.map(|(name, value)| (name.to_owned(), value)));
            let text = match output {
                _ if !done.text.is_empty() => done.text.trim_end().to_owned(),
                Some(output) => printable(&format!("{file}: {output}")),
                None => printable(&file),
            };
            ("done", text)
        }
        Ok(None) => ("skipped", printable(&format!("{file}: up to date"))),
        Err(why) => {
            object.insert("error".to_owned(), json!(why));
            ("failed", printable(&if why.starts_with(&file) { why } else { format!("{file}: {why}") }))
        }
    };
    object.insert("status".to_owned(), json!(status));
    if json { Value::Object(object).to_string() } else { text }
}
