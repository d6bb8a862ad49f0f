//! `check --profile` and `check --rules`: checks models against the rules of an engine and of a rules file.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use maquette_assets::lint::{
    Findings, LintInput, PROFILES, RULES, RulesFile, Severity, broken, check, to_json, to_text,
};
use maquette_assets::open::Opener;
use maquette_assets::vfs::{FileSystem, ReadLimit};
use maquette_core::error::counted;
use serde_json::{Map, json};

use crate::cli::args::CheckArguments;
use crate::cli::batch::inputs::Inputs;
use crate::cli::{Failure, batch, output};

/// Number of findings, and of files with findings, by severity.
type Total = BTreeMap<Severity, (u64, u64)>;

pub fn run(
    arguments: &CheckArguments,
    requirements: Option<&RulesFile>,
    opener: &Opener,
    inputs: &Inputs,
) -> Result<(), Failure> {
    let mut output = output::output_as(arguments.json);
    let mut total = Total::default();
    for (archive, error) in &inputs.unread {
        write_findings(&mut total, archive, None, &broken(error), arguments.json, &mut output)?;
    }
    batch::process(
        &inputs.models,
        arguments.jobs,
        &mut output,
        |model| match opener.model(&model.path) {
            Ok(asset) => {
                let found = check(LintInput::new(&asset), arguments.profile, requirements);
                (Some(asset.model.format().name()), found)
            }
            Err(error) => (None, broken(&error.reason())),
        },
        |output, model, (format, findings)| {
            write_findings(&mut total, &model.path, format, &findings, arguments.json, output)?;
            Ok(true)
        },
    )?;
    let models = counted(inputs.models.len(), "model", "models");
    let of_profile = arguments.profile.map(|profile| format!(" for {}", profile.title)).unwrap_or_default();
    // Ignore errors, because standard error may be closed.
    let _ = writeln!(io::stderr(), "{models} checked{of_profile}: {}", summary(&total));
    let errors = total.get(&Severity::Error).is_some_and(|(count, _)| *count > 0);
    if errors { Err(Failure::Reported) } else { Ok(()) }
}

fn write_findings(
    total: &mut Total,
    path: &Path,
    format: Option<&str>,
    findings: &Findings,
    as_json: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    for severity in Severity::ALL {
        let count = findings.count(severity);
        let (all, files) = total.entry(severity).or_default();
        *all += count;
        *files += u64::from(count > 0);
    }
    if as_json {
        let mut object = Map::new();
        object.insert("file".to_owned(), json!(path.display().to_string()));
        object.insert("format".to_owned(), json!(format));
        object.extend(to_json(findings));
        return writeln!(output, "{}", serde_json::Value::Object(object));
    }
    if findings.list.is_empty() {
        return Ok(());
    }
    output::line(output, &path.display().to_string())?;
    to_text(findings, output)
}

/// Formats the total: `2 errors in 1 file, no warnings, 3 notes in 3 files`.
fn summary(total: &Total) -> String {
    let describe = |severity: &Severity| {
        let (count, files) = total.get(severity).copied().unwrap_or_default();
        let word = severity.label();
        match (count, files) {
            (0, _) => format!("no {word}s"),
            (1, _) => format!("1 {word}"),
            (_, 1) => format!("{count} {word}s in 1 file"),
            _ => format!("{count} {word}s in {files} files"),
        }
    };
    Severity::ALL.iter().map(describe).collect::<Vec<_>>().join(", ")
}

/// Reads a rules file. A failure is a usage error.
pub fn read_rules(path: &Path) -> Result<RulesFile, Failure> {
    let fail = |why: String| Failure::Usage(format!("--rules {}: {why}", path.display()));
    let bytes = FileSystem::new(Vec::new()).read(path, ReadLimit::TEXT);
    let bytes = bytes.map_err(|error| fail(error.reason()))?;
    RulesFile::parse(&bytes).map_err(|error| fail(error.to_string()))
}

pub fn list(output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "Rules, with the highest severity of each:")?;
    for rule in RULES {
        writeln!(output, "  {:<20} {:<8} {}", rule.id, rule.severity.label(), rule.reason)?;
    }
    writeln!(output, "Profiles:")?;
    for profile in PROFILES {
        let formats: Vec<&str> = profile.formats.iter().map(|format| format.title()).collect();
        writeln!(output, "  {:<20} {}: {}", profile.name, profile.title, formats.join(", "))?;
    }
    Ok(())
}
