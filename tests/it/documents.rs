//! Commands in documents: they run, and print what the documents show.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::command::text;

/// Returns the fenced blocks of a language in a Markdown file of `docs`.
fn blocks(file: &str, language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
    let document = std::fs::read_to_string(path).unwrap();
    let starts = format!("```{language}\n");
    let blocks = document.split(&starts).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned());
    blocks.collect()
}

/// Creates a folder with the models that the documents use, and without the clips that accompany them.
fn folder_with_models() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let samples = std::fs::read_dir(root.join("assets/sample")).unwrap().map(|entry| entry.unwrap().path());
    for file in samples.chain([root.join("extras/blender/manikin.glb")]).filter(|file| !file.ends_with("animation.cfg"))
    {
        std::fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
    }
    folder
}

/// Runs lines of a shell in a folder. The program is `maquette` there.
fn run(folder: &Path, lines: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_maquette")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    Command::new("sh").args(["-euc", lines]).current_dir(folder).env("PATH", path).output().unwrap()
}

#[test]
fn recipes_for_games_run() {
    let folder = folder_with_models();
    let lines = blocks("into-a-game.md", "sh").join("\n");
    let output = run(folder.path(), &lines);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    for file in [
        "baseq3/models/players/manikin/upper.md3",
        "base/models/md5/manikin/LEGS_RUN.md5anim",
        "id1/models/manikin.iqm",
    ] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

#[test]
fn examples_print_what_documents_show() {
    let folder = folder_with_models();
    let shown = ["guide.md", "into-a-game.md", "lint.md"].map(|file| blocks(file, "text"));
    let sessions = shown.into_iter().flatten().filter(|block| block.starts_with("$ "));
    let mut runs = 0;
    for session in sessions {
        for example in session.split("$ ").skip(1) {
            let (command, expected) = example.split_once('\n').unwrap();
            let output = run(folder.path(), &format!("{command} 2>&1"));
            assert_eq!(text(&output.stdout), expected, "{command}");
            runs += 1;
        }
    }
    assert!(runs > 0);
}
