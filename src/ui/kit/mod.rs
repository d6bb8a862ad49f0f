//! Building blocks of the panels: theme, fonts, icons, rows, fields, buttons, menus and dialogs, with accessibility.
//!
//! The kit does not depend on panels or models. From the session it uses only commands and actions. It also computes
//! rectangles for the panels.

pub mod access;
pub mod arrange;
pub mod button;
pub mod card;
pub mod checkbox;
pub mod columns;
pub mod copy;
pub mod dialog;
pub mod field;
pub mod fonts;
pub mod icons;
pub mod list;
pub mod menu;
pub mod paint;
pub mod row;
pub mod segmented_control;
pub mod slider;
pub mod text;
pub mod theme;
mod type_ahead;
