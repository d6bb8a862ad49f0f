//! Rows of the file list, cached until list, filter or folding change.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::{format, row};
use maquette_assets::open::{ModelTree, Node, sorted_index};
use maquette_scene::session::Session;

/// Orders of the list. All but the first two sort by numbers, the largest first. All but the first hide the folders.
pub const SORTINGS: [&str; 5] = ["Folder", "Name", "Triangles", "File size", "Date"];
pub const BY_FOLDER: usize = 0;
const BY_NAME: usize = 1;
pub const BY_TRIANGLES: usize = 2;
const BY_SIZE: usize = 3;

#[derive(Debug, Default)]
pub struct Listing {
    pub models: Arc<[PathBuf]>,
    tree: ModelTree,
    /// Folder of each model that another model has the name of.
    folders: Vec<String>,
    /// Index of the first character in which each name differs from the most similar one in its folder.
    differences: Vec<usize>,
    /// Text typed into the filter field. Call [`Listing::filter`] after a change.
    pub filter: String,
    /// Models with the chosen problem; `None` shows all. Call [`Listing::filter`] after a change.
    pub kept: Option<HashSet<PathBuf>>,
    /// Folders that are folded, of all lists shown so far.
    folded: HashSet<PathBuf>,
    /// Folders that are folded in the filtered list.
    folded_found: HashSet<PathBuf>,
    rows: Vec<usize>,
    /// Indices of the matching models, including those in folded folders.
    matching: Vec<usize>,
    /// Files of formats that are not read. Without a filter, they follow the models.
    unread: Arc<[PathBuf]>,
    /// Top of each row, and the bottom of the last row.
    pub tops: Vec<f32>,
    /// Number of changes of the rows.
    pub fills: u64,
    cursor: Option<PathBuf>,
    /// Index into [`SORTINGS`]. Call [`Listing::sort`] in each frame.
    pub sorting: usize,
    /// Position of each model in the order, the order, and the revision of the numbers that it is based on.
    ranks: Vec<usize>,
    sorted: (usize, u64),
    /// Index of the cursor's model.
    pub place: Option<usize>,
    /// Index at which the cursor's model would be listed, unless it is listed.
    gap: Option<usize>,
    /// Row of the cursor's model, unless it is hidden.
    pub row: Option<usize>,
}

/// Revision of an order that an amended list needs again.
const STALE: u64 = u64::MAX;

/// Maximum number of added or removed models for a list to count as an update of the previous one.
const FEW: usize = 16;

impl Listing {
    /// Sets the models. Returns whether the list is a different one. In that case the filter is cleared.
    pub fn take(&mut self, models: &Arc<[PathBuf]>) -> bool {
        if Arc::ptr_eq(&self.models, models) {
            return false;
        }
        let is_other = !is_amended(&self.models, models);
        self.models = Arc::clone(models);
        self.tree = ModelTree::new(models);
        self.folders = differing_folders(models);
        self.differences = first_differences(models);
        if is_other {
            self.filter.clear();
            self.kept = None;
            self.folded_found.clear();
        }
        self.place = None;
        self.cursor = None;
        self.sorted = if is_other { (BY_FOLDER, 0) } else { (self.sorted.0, STALE) };
        self.fill();
        is_other
    }

    /// Applies a new order, or new numbers. Until all triangles are counted, the order stays; an amended list is sorted
    /// by the known numbers. Returns whether the order changed, apart from an amended list.
    pub fn sort(&mut self, session: &Session) -> bool {
        let (check, counts) = (&session.interface.folder_check, &session.interface.triangle_counts);
        let is_amended = self.sorted == (self.sorting, STALE);
        let (revision, is_incomplete) = match self.sorting {
            BY_FOLDER | BY_NAME => (0, false),
            BY_TRIANGLES => (counts.revision, counts.count() < self.models.len()),
            // A running check changes its revision often.
            _ => (check.revision, check.is_running() && self.sorted.0 == self.sorting),
        };
        let wanted = (self.sorting, revision);
        if self.sorted == wanted || is_incomplete && !is_amended {
            return false;
        }
        self.sorted = wanted;
        let mut order: Vec<usize> = (0..self.models.len()).collect();
        let models = &self.models;
        let path = |index: usize| models.get(index).map_or(Path::new(""), PathBuf::as_path);
        if self.sorting == BY_NAME {
            let name = |index: usize| path(index).file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            order.sort_by_cached_key(|index| name(*index));
        } else if self.sorting != BY_FOLDER {
            order.sort_by_cached_key(|index| std::cmp::Reverse(rank(session, self.sorting, path(*index))));
        }
        self.ranks = vec![0; order.len()];
        for (rank, index) in order.into_iter().enumerate() {
            self.ranks.get_mut(index).into_iter().for_each(|place| *place = rank);
        }
        self.fill();
        !is_amended
    }

    /// Whether the list has no folders.
    pub fn is_flat(&self) -> bool {
        self.sorted.0 != BY_FOLDER
    }

    /// Sets the files of formats that are not read.
    pub fn take_unread(&mut self, unread: &Arc<[PathBuf]>) {
        if !Arc::ptr_eq(&self.unread, unread) {
            self.unread = Arc::clone(unread);
            self.fill();
        }
    }

    /// Returns the file of a format that is not read in a row; `None` for rows of the tree, and for the row above these
    /// files.
    pub fn unread(&self, row: usize) -> Option<&Path> {
        let index = row.checked_sub(self.rows.len())?.checked_sub(1)?;
        self.unread.get(index).map(PathBuf::as_path)
    }

    /// Returns whether a row is the one above the files of formats that are not read.
    pub fn is_above_unread(&self, row: usize) -> bool {
        row == self.rows.len()
    }

    /// Moves the cursor and unfolds its folders. Returns whether the cursor moved.
    pub fn point_at(&mut self, cursor: Option<&Path>) -> bool {
        if self.cursor.as_deref() == cursor {
            return false;
        }
        self.cursor = cursor.map(Path::to_path_buf);
        self.place = self.models.iter().position(|model| Some(model.as_path()) == cursor);
        self.gap = cursor.filter(|_| self.place.is_none()).map(|cursor| sorted_index(&self.models, cursor));
        let mut unfolded = false;
        for folder in self.place.into_iter().flat_map(|place| self.tree.folders_of(place)) {
            unfolded |= self.folded.remove(&folder.path) | self.folded_found.remove(&folder.path);
        }
        if unfolded {
            self.fill()
        } else {
            self.find_row()
        }
        true
    }

    /// Applies a new filter. All folders of the filtered list are unfolded.
    pub fn filter(&mut self) {
        self.folded_found.clear();
        self.fill();
    }

    /// Returns the indices of the matching models, including those in folded folders.
    pub fn matches(&self) -> &[usize] {
        &self.matching
    }

    /// Returns the number of matching models before the cursor's model; `None` if that does not match.
    pub fn position(&self) -> Option<usize> {
        let place = self.place?;
        self.matching.iter().position(|model| *model == place)
    }

    /// Returns the hint of the filter field.
    pub fn hint(&self) -> String {
        let kept = self.kept.as_ref().map_or(self.models.len(), HashSet::len);
        format!("Filter {}", format::plural(kept, "model"))
    }

    /// Returns the models that match the typed text.
    pub fn typed(&self) -> impl Iterator<Item = &Path> {
        let rows = self.tree.rows(&self.models, &self.filter, &HashSet::new(), |_| true);
        rows.into_iter().filter_map(|row| self.model(self.model_at(row)?))
    }

    /// Returns the folder that distinguishes a model from others of its name, or that matches the typed text; empty if
    /// there is none.
    pub fn folder(&self, place: usize) -> Cow<'_, str> {
        let own = self.folders.get(place).map_or("", String::as_str);
        let Some(path) = self.model(place).filter(|_| !self.filter.is_empty()) else { return own.into() };
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let folder = path.parent().unwrap_or(Path::new(""));
        match self.filter.to_lowercase().split_whitespace().all(|word| name.contains(word)) {
            true => own.into(),
            false => folder.strip_prefix(self.tree.root()).unwrap_or(folder).to_string_lossy(),
        }
    }

    /// Returns the index of the first character in which a model's name differs from the most similar one.
    pub fn difference(&self, place: usize) -> usize {
        self.differences.get(place).copied().unwrap_or_default()
    }

    /// Returns the nodes that match the filter, in the order of the list.
    fn found(&self, folded: &HashSet<PathBuf>) -> Vec<usize> {
        let is_kept = |path: &Path| self.kept.as_ref().is_none_or(|kept| kept.contains(path));
        let mut rows = self.tree.rows(&self.models, &self.filter, folded, is_kept);
        if self.is_flat() {
            rows.retain(|row| self.model_at(*row).is_some());
            rows.sort_by_key(|row| self.ranks.get(self.model_at(*row)?).copied());
        }
        rows
    }

    pub fn fold(&mut self, folder: &Path) {
        let folded = if self.is_filtered() { &mut self.folded_found } else { &mut self.folded };
        if !folded.remove(folder) {
            folded.insert(folder.to_path_buf());
        }
        self.fill();
    }

    pub fn is_folded(&self, folder: &Path) -> bool {
        if self.is_filtered() { self.folded_found.contains(folder) } else { self.folded.contains(folder) }
    }

    /// Whether a filter is active. Folders then show only some of their models.
    pub fn is_filtered(&self) -> bool {
        !self.filter.trim().is_empty() || self.kept.is_some()
    }

    /// Whether “next” and “previous” follow the rows, without wrapping around.
    pub fn is_narrowed(&self) -> bool {
        self.is_filtered() || self.is_flat()
    }

    fn fill(&mut self) {
        self.fills += 1;
        let folded = if self.is_filtered() { &self.folded_found } else { &self.folded };
        let all = self.found(&HashSet::new());
        self.matching = all.iter().filter_map(|row| self.model_at(*row)).collect();
        self.rows = if self.is_flat() || folded.is_empty() { all } else { self.found(folded) };
        self.tops.clear();
        let mut top = 0.0;
        self.tops.push(top);
        for row in &self.rows {
            top += match self.tree.nodes().get(*row) {
                Some(Node::Model { index, .. }) if self.is_flat() && !self.folder(*index).is_empty() => {
                    row::MODEL_IN_FOLDER
                }
                Some(Node::Model { .. }) => row::MODEL,
                _ => row::FOLDER,
            };
            self.tops.push(top);
        }
        if !self.is_filtered() && !self.unread.is_empty() {
            top += row::FOLDER;
            self.tops.push(top);
            self.tops.extend((1..=self.unread.len()).map(|number| top + number as f32 * row::MODEL));
        }
        self.find_row();
    }

    fn find_row(&mut self) {
        self.row = self.place.and_then(|place| {
            let is_cursor = |row: &usize| self.model_at(*row) == Some(place);
            self.rows.iter().position(is_cursor)
        });
    }

    pub fn model_of_row(&self, row: usize) -> Option<&Path> {
        self.model(self.model_at(*self.rows.get(row)?)?)
    }

    fn model_at(&self, node: usize) -> Option<usize> {
        match self.tree.nodes().get(node) {
            Some(Node::Model { index, .. }) => Some(*index),
            _ => None,
        }
    }

    pub fn node(&self, row: usize) -> Option<&Node> {
        self.tree.nodes().get(*self.rows.get(row)?)
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn model(&self, place: usize) -> Option<&Path> {
        self.models.get(place).map(PathBuf::as_path)
    }

    pub fn first(&self) -> Option<&Path> {
        self.rows.iter().find_map(|row| self.model_at(*row)).and_then(|place| self.model(place))
    }

    /// Returns the visible model that is `steps` after or before the cursor, or the last one in that direction. `None`
    /// if the cursor is at the end.
    pub fn neighbour(&self, on: bool, steps: usize) -> Option<&Path> {
        let shown = self.rows.iter().filter_map(|row| self.model_at(*row));
        // Without a chosen order, the rank is the index.
        let rank = |model: usize| self.ranks.get(model).copied().filter(|_| self.is_flat()).unwrap_or(model);
        let next = match (self.place.map(rank), self.gap.filter(|_| !self.is_flat())) {
            (None, None) => shown.take(1).last(),
            (Some(place), _) if on => shown.filter(|model| rank(*model) > place).take(steps).last(),
            (None, Some(gap)) if on => shown.filter(|model| *model >= gap).take(steps).last(),
            (place, gap) => {
                let end = place.or(gap).unwrap_or_default();
                shown.rev().filter(|model| rank(*model) < end).take(steps).last()
            }
        };
        next.and_then(|place| self.model(place))
    }
}

/// Returns the values by which a model is sorted.
fn rank(session: &Session, sorting: usize, path: &Path) -> (u64, Option<SystemTime>) {
    let stamp = session.file_stamps.get(path).copied().unwrap_or_default();
    match sorting {
        BY_TRIANGLES => (session.interface.triangle_counts.of(path).unwrap_or(0) as u64, None),
        BY_SIZE => (stamp.bytes, None),
        _ => (0, stamp.written),
    }
}

/// Returns the value by which a model is sorted as text; `None` if the order has no values, or the value is not known.
pub fn sorted_value(session: &Session, sorting: usize, path: &Path) -> Option<String> {
    let stamp = session.file_stamps.get(path);
    match sorting {
        BY_FOLDER | BY_NAME => None,
        BY_TRIANGLES => Some(format::plural(session.interface.triangle_counts.of(path)?, "triangle")),
        BY_SIZE => stamp.map(|stamp| format::bytes(stamp.bytes)),
        _ => stamp?.written.map(format::date),
    }
}

/// Whether `now` is an update of `before`: at most [`FEW`] models were added or removed, and at least half were kept.
fn is_amended(before: &[PathBuf], now: &[PathBuf]) -> bool {
    if before.len().abs_diff(now.len()) > FEW {
        return false;
    }
    let known: HashSet<&PathBuf> = before.iter().collect();
    let kept = now.iter().filter(|model| known.contains(model)).count();
    let longer = before.len().max(now.len());
    kept * 2 >= longer && kept + FEW >= longer
}

/// Returns for each path the folders that distinguish it from other paths of the same file name: the folder that only
/// this path has, nearest to the file, or else as many of the last folders as needed. Empty for names that occur once.
fn differing_folders(paths: &[PathBuf]) -> Vec<String> {
    let mut names: HashMap<&OsStr, Vec<usize>> = HashMap::new();
    for (index, path) in paths.iter().enumerate() {
        names.entry(path.file_name().unwrap_or_default()).or_default().push(index);
    }
    let mut differing = vec![String::new(); paths.len()];
    for equal in names.into_values().filter(|equal| equal.len() > 1) {
        let mut counts: HashMap<&Path, usize> = HashMap::new();
        let folders =
            |index: usize| paths.get(index).into_iter().flat_map(|path| folders_of(path).chain(ends_of(path)));
        for index in &equal {
            for folder in folders(*index).collect::<HashSet<_>>() {
                *counts.entry(folder).or_default() += 1;
            }
        }
        for index in equal {
            let own = folders(index).find(|folder| counts.get(folder) == Some(&1));
            if let (Some(own), Some(differing)) = (own, differing.get_mut(index)) {
                *differing = own.display().to_string();
            }
        }
    }
    differing
}

/// Returns the folders of a file, the nearest first.
fn folders_of(path: &Path) -> impl Iterator<Item = &Path> {
    path.parent().into_iter().flat_map(|folder| folder.iter().rev().map(Path::new))
}

/// Returns the ends of a file's folder that have several folders, the shortest first.
fn ends_of(path: &Path) -> impl Iterator<Item = &Path> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let starts: Vec<&Path> = folder.ancestors().skip(2).collect();
    starts.into_iter().filter_map(move |start| folder.strip_prefix(start).ok())
}

/// Returns for each path the index of the first character in which its name differs from the most similar name in the
/// same folder.
fn first_differences(paths: &[PathBuf]) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..paths.len()).collect();
    sorted.sort_by_key(|index| paths.get(*index));
    let mut differences = vec![0; paths.len()];
    for pair in sorted.windows(2) {
        let &[a, b] = pair else { continue };
        let (Some(one), Some(other)) = (paths.get(a), paths.get(b)) else { continue };
        if one.parent() != other.parent() {
            continue;
        }
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let common = name(one).chars().zip(name(other).chars()).take_while(|(a, b)| a == b).count();
        for index in [a, b] {
            differences.get_mut(index).into_iter().for_each(|known| *known = common.max(*known));
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlisted_model_is_between_its_neighbours() {
        let models: Arc<[PathBuf]> = ["/g/a.md3", "/g/gun.md3", "/g/h.md3"].map(PathBuf::from).into();
        let mut listing = Listing::default();
        listing.take(&models);
        listing.filter = "md3".to_owned();
        listing.filter();
        for (cursor, before, after) in [
            ("/g/gun_1.md3", Some("/g/gun.md3"), Some("/g/h.md3")),
            ("/g/gun.md3", Some("/g/a.md3"), Some("/g/h.md3")),
            ("/g/z.md3", Some("/g/h.md3"), None),
        ] {
            listing.point_at(Some(Path::new(cursor)));
            let neighbours = [false, true].map(|on| listing.neighbour(on, 1));
            assert_eq!(neighbours, [before, after].map(|path| path.map(Path::new)), "{cursor}");
        }
        // The filter hides the open model.
        listing.filter = "gun".to_owned();
        listing.filter();
        listing.point_at(Some(Path::new("/g/h.md3")));
        assert_eq!([false, true].map(|on| listing.neighbour(on, 1)), [Some(Path::new("/g/gun.md3")), None]);
    }

    #[test]
    fn equal_names_of_tiles_get_the_folder_in_which_they_differ() {
        let paths = ["/g/a/tris.md2", "/g/b/tris.md2", "/g/b/w.md2", "/g/x/c/t.md3", "/g/y/c/t.md3"].map(PathBuf::from);
        assert_eq!(differing_folders(&paths), ["a", "b", "", "x", "y"]);
        // No folder is in one path only.
        let paths = ["/g/a/x/t.md2", "/g/b/x/t.md2", "/g/a/y/t.md2", "/g/b/y/t.md2"].map(PathBuf::from);
        assert_eq!(differing_folders(&paths), ["a/x", "b/x", "a/y", "b/y"]);
    }

    #[test]
    fn similar_names_know_where_they_differ() {
        let paths = ["/g/gun_left_1.md3", "/g/gun_right_1.md3", "/g/box.md3", "/h/gun_left_2.md3"].map(PathBuf::from);
        assert_eq!(first_differences(&paths), [4, 4, 0, 0]);
    }
}
