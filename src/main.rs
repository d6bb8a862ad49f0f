//! The program: command line and window.
fn main() {}
