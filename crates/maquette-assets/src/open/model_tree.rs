//! The models to go through as a tree: folders and archives are its branches, models its leaves.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::vfs::{is_archive_folder_name, is_archive_name};

/// A list of models as a tree. The order of the list is kept: stepping through the models is walking down the tree.
#[derive(Clone, Debug, Default)]
pub struct ModelTree {
    root: PathBuf,
    nodes: Vec<Node>,
}

/// A row of a tree that is unfolded as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A branch.
    Folder(Folder),
    /// A leaf.
    Model {
        /// Its place in the list.
        index: usize,
        /// How many branches it lies in.
        depth: usize,
    },
}

/// A folder or an archive. Folders that hold nothing but one folder are one branch with it: `models/turrets`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Name, or names with slashes between.
    pub name: String,
    /// Its path, through an archive if need be.
    pub path: PathBuf,
    /// Whether it is an archive, or a folder that games take for one.
    pub is_archive: bool,
    /// How many branches it lies in.
    pub depth: usize,
    /// How many models lie in it, however deep.
    pub models: usize,
    /// The first node after it and all it holds.
    end: usize,
}

impl ModelTree {
    /// The tree of a list of models, whose order is kept: best [`super::sort_models`]'s.
    #[must_use]
    pub fn of(models: &[PathBuf]) -> Self {
        let root = root_of(models);
        let nodes = joined(branches(models, &root));
        Self { root, nodes }
    }

    /// The folder that everything lies in or below. No archive: those are shown.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Branches and leaves, each branch before what it holds.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Nodes to be shown: models that have every word of `filter` in their path below the root, whatever the case, and
    /// the folders around them; without what lies in `folded` folders.
    #[must_use]
    pub fn rows(&self, models: &[PathBuf], filter: &str, folded: &HashSet<PathBuf>) -> Vec<usize> {
        let words: Vec<String> = filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let mut rows = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for (place, node) in self.nodes.iter().enumerate() {
            while open.last().is_some_and(|folder| folder.end <= place) {
                open.pop();
            }
            match node {
                Node::Folder(folder) => {
                    let folded = !folded.is_empty() && folded.contains(&folder.path);
                    open.push(Open { node: place, end: folder.end, folded, shown: false });
                }
                Node::Model { index, .. } => {
                    let found = models.get(*index).is_some_and(|path| self.has_words(path, &words));
                    if found && show_folders(&mut open, &mut rows) {
                        rows.push(place);
                    }
                }
            }
        }
        rows
    }

    fn has_words(&self, path: &Path, words: &[String]) -> bool {
        if words.is_empty() {
            return true;
        }
        let below = path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().to_lowercase();
        let below = if std::path::MAIN_SEPARATOR == '/' { below } else { below.replace('\\', "/") };
        words.iter().all(|word| below.contains(word.as_str()))
    }

    /// The branches that hold the model at this place of the list, outermost first.
    pub fn folders_of(&self, model: usize) -> impl Iterator<Item = &Folder> {
        let leaf = self.nodes.iter().position(|node| matches!(node, Node::Model { index, .. } if *index == model));
        let leaf = leaf.unwrap_or(0);
        self.nodes.iter().take(leaf).filter_map(move |node| match node {
            Node::Folder(folder) if folder.end > leaf => Some(folder),
            _ => None,
        })
    }
}

/// A branch on the way to the node that is looked at.
struct Open {
    node: usize,
    end: usize,
    folded: bool,
    shown: bool,
}

/// Adds the rows of folders that are to be seen; whether all of them are unfolded.
fn show_folders(open: &mut [Open], rows: &mut Vec<usize>) -> bool {
    for folder in open {
        if !folder.shown {
            folder.shown = true;
            rows.push(folder.node);
        }
        if folder.folded {
            return false;
        }
    }
    true
}

fn is_archive(name: &str) -> bool {
    is_archive_name(name) || is_archive_folder_name(name)
}

/// The folder that all models lie in or below, and that is neither an archive nor in one.
fn root_of(models: &[PathBuf]) -> PathBuf {
    let mut parents = models.iter().filter_map(|path| path.parent());
    let Some(first) = parents.next() else { return PathBuf::new() };
    let mut common = first;
    let mut last = first;
    for parent in parents {
        // Neighbours mostly lie in the same folder.
        if parent.as_os_str() == last.as_os_str() {
            continue;
        }
        last = parent;
        while !parent.starts_with(common) {
            let Some(above) = common.parent() else { return PathBuf::new() };
            common = above;
        }
    }
    let mut root = PathBuf::new();
    for part in common.components() {
        if is_archive(&part.as_os_str().to_string_lossy()) {
            break;
        }
        root.push(part);
    }
    root
}

/// One branch per folder, and the leaves.
fn branches(models: &[PathBuf], root: &Path) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(models.len() + models.len() / 8);
    let mut open: Vec<(usize, PathBuf)> = Vec::new();
    let mut last: Option<&Path> = None;
    for (index, model) in models.iter().enumerate() {
        let parent = model.parent().unwrap_or(Path::new(""));
        if last.is_none_or(|last| last.as_os_str() != parent.as_os_str()) {
            last = Some(parent);
            while let Some((node, _)) = open.pop_if(|(_, folder)| !parent.starts_with(folder)) {
                close(&mut nodes, node);
            }
            let mut path = open.last().map_or(root, |(_, folder)| folder).to_path_buf();
            let below = parent.strip_prefix(&path).unwrap_or(Path::new("")).to_path_buf();
            for part in below.components() {
                path.push(part);
                let name = part.as_os_str().to_string_lossy().into_owned();
                open.push((nodes.len(), path.clone()));
                let is_archive = is_archive(&name);
                let folder = Folder { name, path: path.clone(), is_archive, depth: 0, models: 0, end: 0 };
                nodes.push(Node::Folder(folder));
            }
        }
        nodes.push(Node::Model { index, depth: 0 });
    }
    while let Some((node, _)) = open.pop() {
        close(&mut nodes, node);
    }
    nodes
}

/// Ends the folder that is this node: what comes next is outside.
fn close(nodes: &mut [Node], node: usize) {
    let after = nodes.len();
    if let Some(Node::Folder(folder)) = nodes.get_mut(node) {
        folder.end = after;
    }
}

/// The same nodes with chains of folders joined, and their depths.
fn joined(nodes: Vec<Node>) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::with_capacity(nodes.len());
    // Branches that are open: their end among the old nodes, their own place, models before them.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let mut models = 0;
    let mut nodes = nodes.into_iter().enumerate().peekable();
    while let Some((place, node)) = nodes.next() {
        while let Some((_, folder, before)) = open.pop_if(|(end, ..)| *end <= place) {
            finish(&mut out, folder, models - before);
        }
        match node {
            Node::Model { index, .. } => {
                models += 1;
                out.push(Node::Model { index, depth: open.len() });
            }
            Node::Folder(mut folder) => {
                let end = folder.end;
                let is_alone =
                    |node: &(usize, Node)| matches!(&node.1, Node::Folder(only) if only.end == end && !only.is_archive);
                while !folder.is_archive
                    && let Some((_, Node::Folder(only))) = nodes.next_if(is_alone)
                {
                    folder.name = format!("{}/{}", folder.name, only.name);
                    folder.path = only.path;
                }
                folder.depth = open.len();
                open.push((end, out.len(), models));
                out.push(Node::Folder(folder));
            }
        }
    }
    while let Some((_, folder, before)) = open.pop() {
        finish(&mut out, folder, models - before);
    }
    out
}

fn finish(nodes: &mut [Node], node: usize, models: usize) {
    close(nodes, node);
    if let Some(Node::Folder(folder)) = nodes.get_mut(node) {
        folder.models = models;
    }
}
