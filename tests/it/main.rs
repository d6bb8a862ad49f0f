//! One integration binary, one line per topic.

#[path = "../support/mod.rs"]
mod support;

// Poses, tags, joints and counts of real models, where they are at hand.
mod golden;
