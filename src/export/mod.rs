//! Models written for other programs.

pub mod obj;
