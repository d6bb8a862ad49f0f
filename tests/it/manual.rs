//! Man pages and shell completions.

use clap::{CommandFactory as _, Parser as _};
use maquette_testing::optional::files_below;

#[path = "../../src/cli/args/mod.rs"]
#[allow(dead_code, unused_imports, reason = "only the options are used, not their values")]
mod args;
#[path = "../../assets/desktop/manual.rs"]
mod pages;

#[test]
fn every_command_has_man_page_and_completions() {
    let folder = tempfile::tempdir().unwrap();
    pages::write(args::Arguments::command(), folder.path()).unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();

    let command = args::Arguments::command();
    let overview = read("man/maquette.1");
    let shells = ["maquette.bash", "maquette.fish", "_maquette"].map(|name| read(&format!("completions/{name}")));
    let commands: Vec<_> = command.get_subcommands().collect();
    assert!(commands.len() >= 8);
    for command in commands {
        let name = command.get_name();
        let page = read(&format!("man/maquette-{name}.1"));
        assert!(page.contains(&format!(".TH maquette-{name} 1")), "{page}");
        let written = name.replace('-', "\\-");
        assert!(overview.contains(&format!("maquette\\-{written}(1)")), "{name} is not in the overview");
        let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
        for option in shown.filter_map(|argument| argument.get_long()) {
            // roff requires an escaped hyphen.
            let written = format!("\\-\\-{}", option.replace('-', "\\-"));
            assert!(page.contains(&written), "maquette-{name}.1 lacks --{option}");
        }
        for completions in &shells {
            assert!(completions.contains(name), "{name} is not completed");
        }
    }
    let count = std::fs::read_dir(folder.path().join("man")).unwrap().count();
    assert_eq!(count, command.get_subcommands().count() + 1);
}

#[test]
fn option_help_names_all_values() {
    let mut command = args::Arguments::command();
    let arguments = ["maquette", "snapshot", "a.md3", "-o", "a.png", "--shading", "?"];
    let refused = command.try_get_matches_from_mut(arguments).unwrap_err().to_string();
    let snapshot = command.find_subcommand_mut("snapshot").unwrap();
    let argument = |name: &str| snapshot.get_arguments().find(|argument| argument.get_long() == Some(name)).unwrap();
    let listed: Vec<_> = argument("shading").get_possible_values();
    let listed: Vec<_> = listed.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
    assert_eq!(
        listed,
        ["textured", "clay", "unlit", "normals", "checker", "weights", "texel-density", "vertex-colours"]
    );
    assert!(!argument("shading").is_hide_possible_values_set());
    assert!(listed.iter().all(|value| refused.contains(value)), "{refused}");
    let help =
        |name: &str| (argument(name).get_help().unwrap().to_string(), argument(name).is_hide_possible_values_set());
    // The values of `--show` come from the table of overlays.
    let (text, hides_values) = help("show");
    assert!(!hides_values && !text.contains("wireframe"), "{text}");
}

#[test]
fn former_spellings_still_work_but_are_hidden() {
    let parse = |line: &str| {
        args::Arguments::command()
            .try_get_matches_from(line.split(' '))
            .unwrap_or_else(|error| panic!("{line}: {error}"))
    };
    let helps: Vec<String> = args::Arguments::command()
        .get_subcommands_mut()
        .map(|command| command.render_long_help().to_string())
        .collect();
    for (former, now, name) in [
        ("maquette anatomy a", "maquette structure a", "anatomy"),
        ("maquette film a -o b.gif", "maquette animate a -o b.gif", "film"),
        ("maquette sheet a -o b.png", "maquette contact-sheet a -o b.png", "sheet"),
        ("maquette sheet a -o b.png --moments 2", "maquette sheet a -o b.png --frames-per-clip 2", "--moments"),
        ("maquette info a --as archive", "maquette info a --search-order archive", "--as"),
        ("maquette check a --as archive", "maquette check a --search-order archive", "--as"),
        ("maquette info a --each", "maquette info a --recursive", "--each"),
        ("maquette snapshot a -o b.png --tone light", "maquette snapshot a -o b.png --theme light", "--tone"),
        (
            "maquette film a -o b.gif --turntable 2 --still",
            "maquette film a -o b.gif --turntable 2 --no-clip",
            "--still",
        ),
        ("maquette convert a -o b.mdr --plain", "maquette convert a -o b.mdr --uncompressed", "--plain"),
        ("maquette convert a -o b.mdr --whole", "maquette convert a -o b.mdr --no-split", "--whole"),
        (
            "maquette convert a -o b.mdr --drop-degenerate",
            "maquette convert a -o b.mdr --remove-degenerate",
            "--drop-degenerate",
        ),
        ("maquette export a --output-dir b --newer", "maquette export a --output-dir b --skip-up-to-date", "--newer"),
    ] {
        assert_eq!(parse(former), parse(now), "{former}");
        let is_word = |word: &str| word.trim_end_matches([',', '.']) == name;
        assert!(!helps.iter().any(|help| help.split_whitespace().any(is_word)), "{name} is not hidden");
    }

    let parsed = |line: &str| args::Arguments::try_parse_from(line.split(' ')).unwrap().command;
    let Some(args::Command::Export(export)) = parsed("maquette export a -o b.glb --textures beside") else { panic!() };
    assert_eq!(export.textures, maquette_core::export::TexturePlacement::External);
    for (former, sides) in [("--two-sided", [true, false]), ("--inside", [false, true])] {
        let line = format!("maquette snapshot a -o b.png {former}");
        let Some(args::Command::Snapshot(snapshot)) = parsed(&line) else { panic!("{line}") };
        assert_eq!([snapshot.image.two_sided, snapshot.image.inside], sides, "{line}");
        assert!(!helps.iter().any(|help| help.contains(former)), "{former} is not hidden");
    }
}

/// Splits a line of a shell into words. Quotes enclose words; a comment, a pipe or a redirection ends the command.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        let last = words.last_mut().unwrap();
        match letter {
            _ if quote == Some(letter) => quote = None,
            '\'' | '"' if quote.is_none() => quote = Some(letter),
            ' ' if quote.is_none() && last.is_empty() => {}
            ' ' if quote.is_none() => words.push(String::new()),
            '#' | '|' | '>' | '<' | ')' if quote.is_none() && last.is_empty() => break,
            _ => last.push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn commands_in_documents_have_known_options() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = ["docs", "extras"].into_iter().flat_map(|folder| files_below(&root.join(folder)));
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut count = 0;
    for page in pages.chain([root.join("README.md")]) {
        let text = std::fs::read_to_string(&page).unwrap().replace("\\\n", "");
        // Every other part is between fences.
        for block in
            text.split("```").skip(1).step_by(2).filter(|block| block.starts_with("sh") || block.starts_with("text"))
        {
            for line in block.lines().map(|line| line.trim_start_matches("$ ")) {
                let is_template = line.contains("{}") || line.contains("$SLURM");
                let command = line.rsplit_once("| ").map_or(line, |(_, last)| last);
                if is_template || !command.starts_with("maquette ") {
                    continue;
                }
                let parsed = args::Arguments::try_parse_from(words(command));
                assert!(parsed.is_ok(), "{}: {line}: {}", page.display(), parsed.err().unwrap());
                count += 1;
            }
        }
    }
    assert!(count > 50, "only {count} commands");
}
