//! Man pages and completions of the command line.

use std::fs;
use std::io;
use std::path::Path;

use clap::Command;
use clap_complete::{Shell, generate_to};

/// Writes `man/maquette.1`, a page for each command beside it, and `completions/` with a file for each shell, below
/// `folder`.
pub fn write(mut command: Command, folder: &Path) -> io::Result<()> {
    let completions = folder.join("completions");
    fs::create_dir_all(&completions)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        generate_to(shell, &mut command.clone(), "maquette", &completions)?;
    }
    let pages = folder.join("man");
    fs::create_dir_all(&pages)?;
    // No page for `maquette help`.
    command = command.disable_help_subcommand(true);
    clap_mangen::generate_to(command, &pages)
}
