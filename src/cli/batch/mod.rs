//! Many models at once: which (`inputs`), on all processors (`workers`), and a line for each in the order in which they were
//! given. Done again, only what is missing is made.

pub mod inputs;
pub mod workers;

use std::collections::HashSet;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use maquette::error::{counted, printable};
use maquette::vfs::FileSystem;
use serde_json::{Map, Value, json};

use super::Failure;
use super::args::BatchArguments;
use super::told::{self, Output};
use inputs::{Input, Inputs, collect, outputs};

/// What came of one model.
#[derive(Debug, Default)]
pub struct Done {
    /// What was lost or is odd, a sentence each.
    pub notes: Vec<String>,
    /// What is told on the standard output, for people.
    pub text: String,
    /// The same for programs, under its name.
    pub value: Option<(&'static str, Value)>,
}

/// Where the output of one model goes.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The file; `-` is the standard output.
    pub path: &'a Path,
    /// Those of all models of the run.
    all: Option<&'a HashSet<PathBuf>>,
}

impl<'a> Target<'a> {
    /// Of the only model.
    pub fn only(path: &'a Path) -> Self {
        Self { path, all: None }
    }

    /// Whether the run itself writes a file.
    pub fn is_of_run(&self, path: &Path) -> bool {
        self.all.is_some_and(|all| all.contains(path))
    }
}

/// How it ended.
enum Outcome {
    Done(Done),
    /// What would be made is there, and newer than its model.
    Skipped,
    Failed(String),
}

/// Does `work` on every model that the paths name, with its output below the output folder if there is one.
///
/// Exit status: 0 all done, 1 some failed, 2 wrong use.
pub fn run<State>(
    paths: &[PathBuf],
    arguments: &BatchArguments,
    (extension, json): (&str, bool),
    state: impl Fn() -> Result<State, Failure> + Sync,
    work: impl Fn(&mut State, &Path, Target<'_>) -> Result<Done, Failure> + Sync,
) -> Result<(), Failure> {
    // Two models of one shard or of two must not go to one file: all of them are looked at.
    let Inputs { models: all, unread, .. } = collect(&FileSystem::new(Vec::new()), paths)?;
    let targets: Vec<Option<PathBuf>> = match &arguments.output_dir {
        Some(folder) => outputs(&all, folder, extension)?.into_iter().map(Some).collect(),
        None => vec![None; all.len()],
    };
    let written: HashSet<PathBuf> = targets.iter().flatten().cloned().collect();
    let is_ours = |input: &Input| arguments.shard.is_none_or(|shard| shard.has(&input.below));
    let jobs: Vec<(Input, Option<PathBuf>)> =
        all.into_iter().zip(targets).filter(|(input, _)| is_ours(input)).collect();
    // Wrong use is told before anything is begun.
    drop(state()?);
    let mut teller = Teller::new(json, jobs.len());
    for (path, why) in unread {
        let path = path.display().to_string();
        teller.failed += 1;
        teller.line(&json!({"file": path, "status": "failed", "error": why}), &printable(&format!("{path}: {why}")))?;
    }
    if teller.failed > 0 && !arguments.keep_going {
        return teller.finish(jobs.len());
    }
    let threads = workers::threads_for(arguments.jobs);
    let one = |state: &mut Option<State>, (input, output): &(Input, Option<PathBuf>)| {
        let output = output.as_deref();
        if arguments.newer && output.is_some_and(|output| is_newer(output, &input.path)) {
            return Outcome::Skipped;
        }
        let made = match (state, output.and_then(Path::parent).map(fs::create_dir_all)) {
            (_, Some(Err(error))) => Err(Failure::File(format!("its folder could not be created: {error}"))),
            (Some(state), _) => {
                let path = output.unwrap_or(Path::new("-"));
                work(state, &input.path, Target { path, all: Some(&written) })
            }
            (None, _) => Err(Failure::File("the work could not be begun".to_owned())),
        };
        match made {
            Ok(done) => Outcome::Done(done),
            Err(failure) => Outcome::Failed(failure.to_string()),
        }
    };
    let mut result = Ok(());
    workers::each(
        &jobs,
        threads,
        || state().ok(),
        one,
        |(input, output), outcome| {
            result = teller.tell(input, output.as_deref(), outcome);
            result.is_ok() && (teller.failed == 0 || arguments.keep_going)
        },
    );
    result?;
    teller.finish(jobs.len())
}

/// Whether a file was written after the model, or the archive that holds it.
fn is_newer(output: &Path, model: &Path) -> bool {
    let written = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let model = model.ancestors().find_map(written);
    written(output).zip(model).is_some_and(|(output, model)| output >= model)
}

/// A bar for so many models, where a terminal shows it.
pub fn progress(count: usize) -> ProgressBar {
    if io::stderr().is_terminal() && count > 1 {
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}");
        ProgressBar::new(count as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    } else {
        ProgressBar::hidden()
    }
}

/// Tells of each model as it is done.
struct Teller {
    json: bool,
    output: Output,
    progress: ProgressBar,
    done: usize,
    skipped: usize,
    failed: usize,
}

impl Teller {
    fn new(json: bool, count: usize) -> Self {
        Self { json, output: told::output_as(json), progress: progress(count), done: 0, skipped: 0, failed: 0 }
    }

    fn tell(&mut self, input: &Input, output: Option<&Path>, outcome: Outcome) -> Result<(), Failure> {
        let file = input.path.display().to_string();
        let mut told = Map::new();
        told.insert("file".to_owned(), json!(file));
        if let Some(output) = output {
            told.insert("output".to_owned(), json!(output.display().to_string()));
        }
        let text = match outcome {
            Outcome::Done(done) => {
                self.done += 1;
                told.insert("status".to_owned(), json!("done"));
                if !done.notes.is_empty() {
                    told.insert("notes".to_owned(), json!(done.notes));
                }
                if let Some((name, value)) = done.value {
                    told.insert(name.to_owned(), value);
                }
                match (output, done.text.is_empty()) {
                    (_, false) => done.text.trim_end().to_owned(),
                    (Some(output), true) => printable(&format!("{file}: {}", output.display())),
                    (None, true) => printable(&file),
                }
            }
            Outcome::Skipped => {
                self.skipped += 1;
                told.insert("status".to_owned(), json!("skipped"));
                printable(&format!("{file}: is there already"))
            }
            Outcome::Failed(why) => {
                self.failed += 1;
                told.insert("status".to_owned(), json!("failed"));
                told.insert("error".to_owned(), json!(why));
                printable(&if why.starts_with(&file) { why } else { format!("{file}: {why}") })
            }
        };
        self.progress.inc(1);
        self.line(&Value::Object(told), &text)
    }

    fn line(&mut self, told: &Value, text: &str) -> Result<(), Failure> {
        let Self { json, output, progress, .. } = self;
        progress.suspend(|| {
            if *json { writeln!(output, "{told}") } else { writeln!(output, "{text}") }?;
            output.flush()
        })?;
        Ok(())
    }

    fn finish(self, count: usize) -> Result<(), Failure> {
        self.progress.finish_and_clear();
        let left = count.saturating_sub(self.done + self.skipped + self.failed);
        let left = if left > 0 { format!(", {left} not begun (--keep-going goes on)") } else { String::new() };
        let (done, skipped, failed) = (self.done, self.skipped, self.failed);
        let skipped = if skipped > 0 { format!(", {skipped} there already") } else { String::new() };
        let _ = writeln!(
            io::stderr(),
            "{}: {done} done{skipped}, {failed} failed{left}",
            counted(count, "model", "models")
        );
        if failed > 0 { Err(Failure::Told) } else { Ok(()) }
    }
}
