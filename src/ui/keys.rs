//! Keyboard shortcuts: maps key events to [`COMMANDS`] with the user's keymap.

use egui::{Context, Event, Id, Key, KeyboardShortcut, Modifiers, Ui};

use super::files;
use super::paint;
use maquette_scene::session::{
    Action, COMMANDS, CameraAction, Command, EditAction, FileAction, Group, Keymap, SceneAction, Selection, Session,
    UnsavedAnswer, WindowAction, command_for,
};

/// Parses a shortcut such as `Ctrl+Shift+O`.
pub fn parse(text: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = text;
    while let Some((held, after)) = rest.split_once('+').filter(|(_, after)| !after.is_empty()) {
        match held {
            "Ctrl" => modifiers.command = true,
            "Shift" => modifiers.shift = true,
            "Alt" => modifiers.alt = true,
            _ => return None,
        }
        rest = after;
    }
    Some(KeyboardShortcut::new(modifiers, Key::from_name(rest)?))
}

/// Returns the text of a pressed key in the notation of commands; `None` for modifier keys.
pub fn text_of(key: Key, modifiers: Modifiers) -> Option<String> {
    let name = match key {
        Key::Minus => "-",
        Key::Quote => "'",
        key if is_sign(key) => key.symbol_or_name(),
        key => key.name(),
    };
    let is_modifier = ["Shift", "Control", "Alt", "Super", "Meta"].iter().any(|start| name.starts_with(start));
    let with = |held: bool, word: &'static str| if held { word } else { "" };
    let shift = modifiers.shift && !is_sign(key);
    (!is_modifier).then(|| {
        let command = with(modifiers.command || modifiers.ctrl, "Ctrl+");
        format!("{command}{}{}{name}", with(modifiers.alt, "Alt+"), with(shift, "Shift+"))
    })
}

/// Whether the key is a sign such as `?` or `=`. Shift is ignored for signs, because some keyboards need it to type
/// them.
fn is_sign(key: Key) -> bool {
    let mut letters = key.symbol_or_name().chars();
    letters.next().is_some_and(|c| !c.is_alphanumeric()) && letters.next().is_none() && !is_arrow(key)
}

fn keymap_id() -> Id {
    Id::unique("keymap")
}

/// Publishes the keymap to the buttons and menus of this frame.
pub fn publish(ctx: &Context, keymap: &Keymap) {
    ctx.data_mut(|data| {
        let known = data.get_temp_mut_or_default::<Keymap>(keymap_id());
        if known != keymap {
            known.clone_from(keymap);
        }
    });
}

/// Returns the first key of a command for display, or an empty string.
pub fn shown(ctx: &Context, command: &Command) -> String {
    ctx.data_mut(|data| {
        let keymap = data.get_temp_mut_or_default::<Keymap>(keymap_id());
        paint::first_keys(keymap.keys_of(command))
    })
}

/// Returns the first key of the command that applies `action`, for display, or an empty string.
pub fn of(ctx: &Context, action: &Action) -> String {
    command_for(action).map_or(String::new(), |command| shown(ctx, command))
}

fn matches(shortcut: KeyboardShortcut, key: Key, modifiers: Modifiers) -> bool {
    let own = shortcut.modifiers;
    shortcut.logical_key == key
        && own.command == (modifiers.command || modifiers.ctrl)
        && own.alt == modifiers.alt
        && (own.shift == modifiers.shift || is_sign(key))
}

fn is_arrow(key: Key) -> bool {
    matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown)
}

/// Takes the focus from a widget when the pointer is pressed elsewhere or files are dropped. egui only does so for
/// clicks, so that arrow keys would go to a list after a drag on the timeline.
fn release_focus(ctx: &Context) {
    let Some(focused) = ctx.memory(|memory| memory.focused()) else { return };
    let is_outside = |at| ctx.read_response(focused).is_some_and(|response| !response.rect.contains(at));
    let pressed = ctx.input(|input| input.pointer.interact_pos().filter(|_| input.pointer.any_pressed()));
    if pressed.is_some_and(is_outside) || ctx.input(|input| !input.raw.dropped_files.is_empty()) {
        ctx.memory_mut(|memory| memory.surrender_focus(focused));
    }
}

/// Consumes the keys of commands. A focused text field keeps all keys that edit text. Other focused widgets keep the
/// keys that navigate and activate.
pub fn take(ui: &Ui, session: &Session, actions: &mut Vec<Action>) {
    let ctx = ui.ctx();
    release_focus(ctx);
    let typing = ctx.text_edit_focused();
    let focused = ctx.memory(|memory| memory.focused());
    // The file list only needs the keys that step through it.
    let in_list = focused == Some(files::list_id());
    let popup = egui::Popup::is_any_open(ctx);
    let mut taken: Vec<Action> = Vec::new();
    // In a slow frame, a click on a field may precede further keys. These belong to the field, although it has no focus
    // yet.
    let mut clicked = false;
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            clicked |= matches!(event, Event::PointerButton { .. });
            if clicked {
                return true;
            }
            if let Event::Paste(text) = event
                && !typing
            {
                taken.push(Action::Camera(CameraAction::LookAs(text.clone())));
                return false;
            }
            let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return true };
            let moves = match key {
                Key::ArrowUp | Key::ArrowDown | Key::Enter | Key::Tab => true,
                Key::ArrowLeft | Key::ArrowRight => !in_list,
                // Space plays and pauses, whatever has the focus.
                Key::Space => session.asset().is_none(),
                _ => false,
            };
            let is_plain = !modifiers.command && !modifiers.ctrl;
            let types = (is_plain && !is_function_key(*key)) || is_for_text(*key);
            // Escape closes the dialog of the text field; elsewhere it clears the field.
            let closes = *key == Key::Escape && session.interface.has_sheet();
            let edits = typing && !closes && (types || is_arrow(*key) || *key == Key::Backspace);
            // In an open menu, letters are used for type-ahead.
            if edits || popup && types || ((focused.is_some() || popup) && moves && is_plain) {
                return true;
            }
            let Some((action, repeats)) = action_for(*key, *modifiers, session, popup) else { return true };
            if !repeat || repeats {
                taken.push(action);
            }
            false
        });
    });
    if popup && !taken.is_empty() {
        egui::Popup::close_all(ctx);
    }
    actions.extend(taken);
}

/// Moves the cursor in a list of `count` items, in rows of `columns` items, by the arrow keys. A page has `page` rows.
/// Returns whether the cursor moved.
pub fn move_cursor(ui: &Ui, cursor: &mut usize, count: usize, columns: usize, page: usize) -> bool {
    let before = *cursor;
    // A single row of a grid has no row below.
    let row = if columns > 1 && columns >= count { 0 } else { columns };
    let steps = |back, row_back, page_back| {
        let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        let aside = if columns > 1 { pressed(back) } else { 0 };
        aside + row * (pressed(row_back) + page * pressed(page_back))
    };
    let on = steps(Key::ArrowRight, Key::ArrowDown, Key::PageDown);
    let back = steps(Key::ArrowLeft, Key::ArrowUp, Key::PageUp);
    if let Some(last) = count.checked_sub(1) {
        *cursor = (before + on).min(last).saturating_sub(back);
    }
    *cursor != before
}

/// Drops keys and text typed while a file dialog is awaited, because they are meant for the dialog. Keys with Ctrl or
/// Alt still work: if the system never answers, a second request shows the path field.
pub fn drop_typed(ctx: &Context) {
    ctx.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Key { modifiers, pressed: true, .. } => modifiers.command || modifiers.ctrl || modifiers.alt,
            Event::Text(_) | Event::Paste(_) | Event::Ime(_) => false,
            _ => true,
        });
    });
}

/// Whether Ctrl with this key edits text.
fn is_for_text(key: Key) -> bool {
    use Key::{A, C, Delete, End, H, Home, U, V, W, X, Y, Z};
    matches!(key, A | C | Delete | End | H | Home | U | V | W | X | Y | Z)
}

pub fn is_function_key(key: Key) -> bool {
    (Key::F1 as u32..=Key::F35 as u32).contains(&(key as u32))
}

fn action_for(key: Key, modifiers: Modifiers, session: &Session, popup: bool) -> Option<(Action, bool)> {
    if modifiers.is_none() && key == Key::Escape {
        return if popup { None } else { escape(session).map(|action| (action, false)) };
    }
    let keymap = &session.preferences.keys;
    let has = |keys: &str| keys.split(' ').filter_map(parse).any(|shortcut| matches(shortcut, key, modifiers));
    let command = COMMANDS.iter().find(|command| has(keymap.keys_of(command)))?;
    // A dialog blocks commands, except those that open dialogs or quit.
    let is_above = match &command.action {
        Action::Window(WindowAction::ToggleDialog(_)) => session.interface.path_field.is_none(),
        action => matches!(action, Action::Window(WindowAction::Quit)),
    };
    // Alt and the first letter of a menu open it while the command of these keys is unavailable.
    let opens_menu =
        modifiers == Modifiers::ALT && Group::ALL.iter().any(|group| group.label().starts_with(key.name()));
    if opens_menu && !command.is_enabled(session) {
        return None;
    }
    // A held key reports only once why its command is unavailable.
    let repeats = command.repeats && (session.asset().is_none() || command.is_enabled(session));
    (!session.has_dialog() || is_above).then(|| (command.action.clone(), repeats))
}

/// Returns the action of Escape, which closes the topmost dialog or message, or clears the selection. Escape never
/// quits.
fn escape(session: &Session) -> Option<Action> {
    if session.interface.path_field.is_some() {
        Some(Action::Window(WindowAction::ClosePathField))
    } else if session.interface.unsaved_prompt.is_some() {
        Some(Action::Edit(EditAction::Answer(UnsavedAnswer::Cancel)))
    } else if session.interface.edit_dialog.is_some() {
        Some(Action::Edit(EditAction::CloseDialog))
    } else if let Some(sheet) = session.interface.panels.dialog {
        Some(Action::Window(WindowAction::ToggleDialog(sheet)))
    } else if session.interface.failure.is_some() {
        Some(Action::File(FileAction::CloseError))
    } else if session.document.selection != Selection::None {
        Some(Action::Scene(SceneAction::Select(Selection::None)))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shortcut_text_parses() {
        for command in COMMANDS.iter() {
            for text in command.keys.split(' ').filter(|text| !text.is_empty()) {
                assert!(parse(text).is_some(), "{}: {text}", command.label);
            }
        }
    }

    #[test]
    fn shift_is_ignored_for_punctuation_keys_only() {
        let help = parse("?");
        assert!(help.is_some_and(|help| matches(help, Key::Questionmark, Modifiers::SHIFT)));
        let grid = parse("G");
        assert!(
            grid.is_some_and(|grid| matches(grid, Key::G, Modifiers::NONE) && !matches(grid, Key::G, Modifiers::SHIFT))
        );
        let back = parse("Left");
        assert!(back.is_some_and(|back| !matches(back, Key::ArrowLeft, Modifiers::SHIFT)));
    }
}
