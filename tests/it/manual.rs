//! Man pages and shell completions.

use clap::CommandFactory as _;

#[path = "../../src/cli/args/mod.rs"]
#[allow(dead_code, unused_imports, reason = "only the options are asked for, not their values")]
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
        assert!(overview.contains(&format!("maquette\\-{name}(1)")), "{name} is not in the overview");
        for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
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
    let (_, values) = refused.lines().next().unwrap().split_once("<MODE>': ").unwrap();
    let values = values.trim_end_matches(" is wanted").replace(" or ", ", ");
    let snapshot = command.find_subcommand_mut("snapshot").unwrap();
    let help = |name: &str| {
        let argument = snapshot.get_arguments().find(|argument| argument.get_long() == Some(name)).unwrap();
        (argument.get_help().unwrap().to_string(), argument.is_hide_possible_values_set())
    };
    for value in values.split(", ") {
        assert!(help("shading").0.contains(value), "--shading lacks {value}");
    }
    // The values of `--show` come from the table of overlays.
    let (text, hides_values) = help("show");
    assert!(!hides_values && !text.contains("wireframe"), "{text}");
}
