//! Paths of authors as paths in a game.

/// Returns what follows the folder of a game in a path of an author's machine, or, if the path is absolute or leads upwards,
/// what begins at the first of `folders`. `root` finds the folder of a game among those of the path. `None` if there is
/// neither.
pub fn path_in_game(path: &str, root: impl Fn(&[&str]) -> Option<usize>, folders: &[&str]) -> Option<String> {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    let (_, above) = parts.split_last()?;
    let is_outside = path.starts_with(['/', '\\']) || path.get(1..2) == Some(":") || above.contains(&"..");
    // The first part of such a path is a drive, a server or a step upwards.
    let below = || above.iter().skip(1).position(|part| folders.iter().any(|folder| part.eq_ignore_ascii_case(folder)));
    let start = root(above).or_else(|| is_outside.then(below)?)? + 1;
    Some(parts.get(start..)?.join("/"))
}
