//! One integration binary, one line per topic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may stop where it stands")]

#[path = "../support/mod.rs"]
mod support;

// What every loader makes of sound, odd and broken files, and how it says so.
mod formats;
// The text report, the JSON and the OBJ.
mod reports;
// Cut, patched and garbled files: never a panic, never more memory than the file accounts for.
mod hostile;
// Costly files, and outputs that cannot be written.
mod faults;
// What entries share, counted as often as it is used.
mod shared_contents;
// What is fuzzed, on sound files and on everything that was ever found.
mod convert;
mod corpus;
// Moments between frames, by hand calculation.
mod poses;
// Poses of many vertices, by the formulas and on any number of threads.
mod large_poses;
// Words, numbers, places of text formats.
mod text;
mod texture_use;
// Poses, tags, joints and counts of real models, where they are at hand.
mod golden;
// Which frames are which animation.
mod animation_files;
// What Doom 3's declarations say of a mesh.
mod declarations;
// Which picture goes on which surface, by the files beside a model.
mod skin_files;
// Shader effects against the game's own pictures, where they are at hand.
mod golden_pictures;
// Real players and archives against reference data, where they are at hand.
mod golden_figures;
// From one path to everything that belongs to it.
mod scenes;
// Whole figures: who belongs together, where they stand, what plays with what.
mod figures;
// Lists of actions and what comes of them.
mod session;
// From what is asked for to what stands there: the order of loads, and what each is for.
mod loads;
// Files changed in the session: what is written, undone, asked for.
mod editing;
// The same by mouse and keyboard.
mod ui_editing;
// Undo and redo.
mod history;
// What is remembered from start to start.
mod settings;
// Camera, light and picking by hand calculation.
mod viewing;
// The picture's keys, clicks and drags, and what light and sides come to.
mod viewing_window;
// What is said of one vertex, triangle or joint, and distances.
mod inspect;
// What is followed from frame to frame.
mod mend;
mod model_list;
mod motion;
// Every byte of a file told of, and where it breaks.
mod anatomy;
// The same of files beside a model, and of archives.
mod anatomy_companions;
// What differs between two models named, and nothing else.
mod diff;
// glTF, read back.
mod gltf;
// Its lines, and how they lead to the model.
mod anatomy_outline;
// Rules of engines and mods, what breaks them, and what does not.
mod lint;
mod salvage;
// What is lost of a file, in the window.
mod issues;
// Paths and lookups of the file world.
mod vfs;
// Games with rules of their own, and their files.
mod games;
// Archives: paths through them, what is searched first, and what broken or hostile ones do.
mod archives;
// The search for pictures, and the pictures themselves.
mod material;
// What Quake III's scripts say, and what they come to.
mod shader_scripts;
// What Doom 3's materials say, and what they come to.
mod doom_materials;
// Models that are shown before their textures are decoded.
mod dressing;
// Crates, their licences and sources, the Rust they need; nothing unsafe.
mod supply;
// Files that change, full disks, odd names and clocks, no GPU, no display: what the world does to a program.
mod world;
mod written;
// The panels: names, clicks, keys, places at every size, contrast.
mod ui;
// Palette, keys, settings, toasts, recent files.
mod ui_companions;
mod ui_context;
// Every text of the interface, listed once.
mod texts;
// Names, states and the keyboard alone.
mod accessibility;
// The guide, paths that are typed, what other programs are asked to show.
mod dialogs;
// The panels of a whole figure.
mod ui_figure;
mod ui_inspector;
mod ui_sight;
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
// The built-in figure is what its maker makes.
mod sample;
// Lines, dots and labels over the model.
mod overlay;
// Every shader is valid, and its structs are as large as ours.
mod shaders;
// In whose light, by which clock, at what cost.
mod looks;
// A page of what scripts come to.
mod effects;
// What is seen in small pictures of simple shapes.
mod pictures;
// Films, contact sheets, pictures of any size.
mod films;
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
