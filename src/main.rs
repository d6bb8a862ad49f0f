//! The program: reads the command line, then opens the window or does one thing without it.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Models and images come and go by the hundred megabytes: what is freed goes back to the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
