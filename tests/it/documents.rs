//! Commands in documents: they run, and print what the documents show.

use std::path::Path;
use std::process::{Command, Output};

use maquette_testing::archives::zip;
use maquette_testing::optional::files_below;

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

/// Commands that need neither a window nor a GPU.
const COMMANDS: [&str; 6] = ["info", "structure", "diff", "check", "export", "convert"];

#[test]
fn recipes_and_examples_run() {
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

    let model = std::fs::read(folder.path().join("umber.md3")).unwrap();
    std::fs::write(folder.path().join("baseq3/pak0.pk3"), zip(&[("models/box.md3", &model)])).unwrap();
    std::fs::write(folder.path().join("mod.rules"), "no surface over 1000 vertices").unwrap();
    let lines = ["guide.md", "lint.md"].map(|file| blocks(file, "sh").join("\n").replace("\\\n", "")).join("\n");
    let needs_no_window = |line: &&str| {
        line.split("maquette ").nth(1).is_some_and(|rest| COMMANDS.iter().any(|name| rest.starts_with(name)))
    };
    let mut runs = 0;
    for line in lines.lines().filter(needs_no_window) {
        let output = run(folder.path(), line);
        let message = text(&output.stderr);
        // 1 stands for findings and differences.
        let is_done = matches!(output.status.code(), Some(0 | 1)) && !message.contains("no such file");
        assert!(is_done, "{line}: {message}");
        runs += 1;
    }
    assert!(runs > 10, "{runs}");
}

#[test]
fn examples_print_what_documents_show() {
    let folder = folder_with_models();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages =
        files_below(&root.join("docs")).into_iter().filter(|path| path.extension().is_some_and(|end| end == "md"));
    let shown = pages.flat_map(|page| blocks(page.file_name().unwrap().to_str().unwrap(), "text"));
    let mut runs = 0;
    for session in shown.filter(|block| block.starts_with("$ ")) {
        for example in session.split("$ ").skip(1) {
            let (command, expected) = example.split_once('\n').unwrap();
            let output = run(folder.path(), &format!("{command} 2>&1"));
            assert_eq!(text(&output.stdout), expected, "{command}");
            runs += 1;
        }
    }
    assert!(runs > 2, "{runs}");
}
