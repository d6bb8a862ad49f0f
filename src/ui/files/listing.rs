//! Which rows the list of files has: worked out when list, filter or folding change, not in every frame.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::row;
use maquette_assets::open::{ModelTree, Node};

/// The list as it is shown.
#[derive(Debug, Default)]
pub struct Listing {
    models: Arc<[PathBuf]>,
    tree: ModelTree,
    filter: String,
    /// Folded folders of every list that was shown.
    folded: HashSet<PathBuf>,
    /// Folded folders among what the filter finds.
    folded_found: HashSet<PathBuf>,
    /// Nodes of the tree that are shown.
    rows: Vec<usize>,
    /// Where each row begins, and where the last one ends.
    tops: Vec<f32>,
    cursor: Option<PathBuf>,
    /// The cursor's place in the list.
    place: Option<usize>,
    /// The cursor's row, if it is shown.
    row: Option<usize>,
}

/// A list of which most is kept, and that has at most so many models more or fewer, is the same one: files came or went
/// in its folders.
const FEW: usize = 16;

impl Listing {
    /// Takes the list of models. Whether it is another one: then nothing is typed in the filter any more.
    pub fn take(&mut self, models: &Arc<[PathBuf]>) -> bool {
        if Arc::ptr_eq(&self.models, models) {
            return false;
        }
        let is_other = !is_amended(&self.models, models);
        self.models = Arc::clone(models);
        self.tree = ModelTree::of(models);
        if is_other {
            self.filter.clear();
            self.folded_found.clear();
        }
        self.place = None;
        self.cursor = None;
        self.fill();
        is_other
    }

    /// Moves the cursor, unfolding what is around it; whether it moved.
    pub fn point_at(&mut self, cursor: Option<&Path>) -> bool {
        if self.cursor.as_deref() == cursor {
            return false;
        }
        self.cursor = cursor.map(Path::to_path_buf);
        self.place = self.models.iter().position(|model| Some(model.as_path()) == cursor);
        let around: Vec<PathBuf> = self
            .place
            .iter()
            .flat_map(|place| self.tree.folders_of(*place))
            .map(|folder| folder.path.clone())
            .collect();
        let mut unfolded = false;
        for folder in around {
            unfolded |= self.folded.remove(&folder) | self.folded_found.remove(&folder);
        }
        if unfolded {
            self.fill()
        } else {
            self.find_row()
        }
        true
    }

    /// Shows what has the words of another filter; what was folded among the last is unfolded. Whether it is another filter.
    pub fn filter(&mut self, filter: &str) -> bool {
        let is_other = self.filter != filter;
        if is_other {
            filter.clone_into(&mut self.filter);
            self.folded_found.clear();
            self.fill();
        }
        is_other
    }

    /// The models that match the filter, in folded folders as well.
    #[must_use]
    pub fn matches(&self) -> Vec<usize> {
        let rows = self.tree.rows(&self.models, &self.filter, &HashSet::new());
        rows.into_iter().filter_map(|row| self.model_at(row)).collect()
    }

    /// Folds a folder, or unfolds it.
    pub fn fold(&mut self, folder: &Path) {
        let folded = if self.is_filtered() { &mut self.folded_found } else { &mut self.folded };
        if !folded.remove(folder) {
            folded.insert(folder.to_path_buf());
        }
        self.fill();
    }

    /// Whether a folder is folded.
    #[must_use]
    pub fn is_folded(&self, folder: &Path) -> bool {
        if self.is_filtered() { self.folded_found.contains(folder) } else { self.folded.contains(folder) }
    }

    /// Whether something is typed in the filter: a folder then holds more than is shown of it.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        !self.filter.trim().is_empty()
    }

    fn fill(&mut self) {
        let folded = if self.is_filtered() { &self.folded_found } else { &self.folded };
        self.rows = self.tree.rows(&self.models, &self.filter, folded);
        self.tops.clear();
        let mut top = 0.0;
        self.tops.push(top);
        for row in &self.rows {
            top += match self.tree.nodes().get(*row) {
                Some(Node::Model { .. }) => row::MODEL,
                _ => row::FOLDER,
            };
            self.tops.push(top);
        }
        self.find_row();
    }

    fn find_row(&mut self) {
        self.row = self.place.and_then(|place| {
            let is_cursor = |row: &usize| self.model_at(*row) == Some(place);
            self.rows.iter().position(is_cursor)
        });
    }

    /// The model that a row shows.
    #[must_use]
    pub fn model_of_row(&self, row: usize) -> Option<&Path> {
        self.model(self.model_at(*self.rows.get(row)?)?)
    }

    /// The model that a node of the tree is, as its place in the list.
    fn model_at(&self, node: usize) -> Option<usize> {
        match self.tree.nodes().get(node) {
            Some(Node::Model { index, .. }) => Some(*index),
            _ => None,
        }
    }

    /// Where each row begins, and where the last one ends.
    #[must_use]
    pub fn tops(&self) -> &[f32] {
        &self.tops
    }

    /// What a row shows.
    #[must_use]
    pub fn node(&self, row: usize) -> Option<&Node> {
        self.tree.nodes().get(*self.rows.get(row)?)
    }

    /// Where a row begins and ends.
    #[must_use]
    pub fn heights(&self, row: usize) -> (f32, f32) {
        let top = self.tops.get(row).copied().unwrap_or(0.0);
        (top, self.tops.get(row + 1).copied().unwrap_or(top))
    }

    /// Height of all rows.
    #[must_use]
    pub fn height(&self) -> f32 {
        self.tops.last().copied().unwrap_or(0.0)
    }

    /// Whether no row is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The model at a place of the list.
    #[must_use]
    pub fn model(&self, place: usize) -> Option<&Path> {
        self.models.get(place).map(PathBuf::as_path)
    }

    /// How many models the whole list has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.models.len()
    }

    /// The cursor's place in the list.
    #[must_use]
    pub fn place(&self) -> Option<usize> {
        self.place
    }

    /// The cursor's row, if it is shown.
    #[must_use]
    pub fn cursor_row(&self) -> Option<usize> {
        self.row
    }

    /// The first model that is shown.
    #[must_use]
    pub fn first(&self) -> Option<&Path> {
        self.rows.iter().find_map(|row| self.model_at(*row)).and_then(|place| self.model(place))
    }

    /// The model shown so many steps after the cursor, or before it; the last one on the way if there are not as many. None
    /// at the end.
    #[must_use]
    pub fn neighbour(&self, on: bool, steps: usize) -> Option<&Path> {
        let shown = self.rows.iter().filter_map(|row| self.model_at(*row));
        let next = match self.place {
            None => shown.take(1).last(),
            Some(place) if on => shown.filter(|model| *model > place).take(steps).last(),
            Some(place) => shown.rev().filter(|model| *model < place).take(steps).last(),
        };
        next.and_then(|place| self.model(place))
    }
}

/// Whether a list is an earlier one with a few models more or fewer.
fn is_amended(before: &[PathBuf], now: &[PathBuf]) -> bool {
    if before.len().abs_diff(now.len()) > FEW {
        return false;
    }
    let known: HashSet<&PathBuf> = before.iter().collect();
    let kept = now.iter().filter(|model| known.contains(model)).count();
    let longer = before.len().max(now.len());
    kept * 2 >= longer && kept + FEW >= longer
}
