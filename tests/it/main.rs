//! The only integration test binary of this package. Each module documents its topic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

#[path = "../support/mod.rs"]
mod support;

mod accessibility;
mod browser;
mod check;
mod cli;
mod dependencies;
mod desktop;
mod dialogs;
#[cfg(unix)]
mod documents;
mod effects;
mod environment;
mod folder_check;
mod frame_plans;
mod game_order;
mod game_textures;
mod gltf;
mod golden_images;
mod image_exports;
#[cfg(target_os = "linux")]
mod instance;
mod issues;
mod manual;
mod model_list;
mod outputs;
mod player_command;
mod prose;
mod rendering;
mod saving;
mod saving_clips;
mod settings;
mod shaders;
mod shared_contents;
mod texts;
mod texture_use;
mod thumbnails;
mod timeline;
mod ui;
mod ui_character;
mod ui_commands;
mod ui_compare;
mod ui_context;
mod ui_dock;
mod ui_editing;
mod ui_inspector;
mod ui_materials;
mod ui_salvage;
mod ui_viewport;
mod ui_visibility;
#[cfg(target_os = "linux")]
mod wayland;
