//! Writes what packages need: man pages, completions for bash, fish and zsh, and desktop files:
//! `cargo run --example make-manual -- FOLDER`.

#![forbid(unsafe_code)]

#[path = "../../src/cli/args/mod.rs"]
#[allow(dead_code, unused_imports, reason = "only the options are used, not their values")]
mod args;
mod manual;
mod types;

use std::io;

use clap::CommandFactory as _;

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: make-manual FOLDER"))?;
    manual::write(args::Arguments::command(), folder.as_ref())?;
    types::write(folder.as_ref())
}
