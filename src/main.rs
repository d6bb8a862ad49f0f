//! The program: reads the command line, then opens the window or runs a command without a window.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Memory allocator. It returns freed memory to the system, because models and images take hundreds of megabytes.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
