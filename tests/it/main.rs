//! One integration binary, one line per topic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may stop where it stands")]

#[path = "../support/mod.rs"]
mod support;

// Costly files, and outputs that cannot be written.
mod limits;
// What entries share, counted as often as it is used.
mod shared_contents;
mod texture_use;
// Shader effects against the game's own pictures, where they are at hand.
mod golden_images;
// Files changed in the session: what is written, undone, asked for.
mod editing;
// The same by mouse and keyboard.
mod ui_editing;
// What is remembered from start to start.
mod settings;
// The picture's keys, clicks and drags, and what light and sides come to.
mod model_list;
mod ui_viewport;
// What differs between two models named, and nothing else.
mod diff;
// glTF, read back.
mod gltf;
// Rules of engines and mods, what breaks them, and what does not.
mod lint;
mod salvage;
// What is lost of a file, in the window.
mod issues;
// Crates, their licences and sources, the Rust they need; nothing unsafe.
mod dependencies;
// Files that change, full disks, odd names and clocks, no GPU, no display: what the world does to a program.
mod environment;
// The panels: names, clicks, keys, places at every size, contrast.
mod ui;
// Palette, keys, settings, toasts, recent files.
mod ui_commands;
mod ui_context;
// Every text of the interface, listed once.
mod texts;
// Names, states and the keyboard alone.
mod accessibility;
// The guide, paths that are typed, what other programs are asked to show.
mod dialogs;
// The panels of a whole figure.
mod ui_character;
mod ui_inspector;
mod ui_visibility;
// What stands under the picture.
mod ui_compare;
mod ui_dock;
// Loop ranges, zoom and onion skin of the timeline.
mod timeline;
// The panels of materials.
mod ui_materials;
// The list of models: order, tree, filter, thumbnails.
mod browser;
// Small pictures of models and where they are kept.
mod thumbnails;
// The program as a script sees it.
mod cli;
// Files that commands write, and what they tell.
mod outputs;
// What `check` lists.
mod check;
// What a game takes from which of its archives.
mod game_order;
// Every shader is valid, and its structs are as large as ours.
mod shaders;
// What is seen in small pictures of simple shapes.
mod rendering;
// Films, contact sheets, pictures of any size.
mod image_exports;
// A second start, and the window that is open.
#[cfg(target_os = "linux")]
mod instance;
// Types, menu entry and thumbnailer agree.
mod desktop;
// Man pages and completions, a page for each command.
mod manual;
// Drags and the clipboard of a Wayland session.
#[cfg(target_os = "linux")]
mod wayland;
// A page of what scripts come to.
mod effects;
// In whose light, by which clock, at what cost.
mod material_effects;
