//! Tree of a list of models: folders and archives with their models.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::vfs::{is_archive_folder_name, is_archive_name};

/// A list of models as a tree, in the order of the list.
#[derive(Clone, Debug, Default)]
pub struct ModelTree {
    root: PathBuf,
    nodes: Vec<Node>,
}

/// A row of the fully expanded tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A folder or an archive.
    Folder(TreeFolder),
    /// A model.
    Model {
        /// Index in the list.
        index: usize,
        /// Number of enclosing folders.
        depth: usize,
    },
}

/// A folder or an archive. A folder that contains only another folder is merged with it: `models/turrets`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFolder {
    /// Name, or several names with slashes.
    pub name: String,
    /// Path, possibly through an archive.
    pub path: PathBuf,
    /// Whether this is an archive, or a folder that games treat as one.
    pub is_archive: bool,
    /// Number of enclosing folders.
    pub depth: usize,
    /// Number of models at any depth.
    pub models: usize,
    /// Index of the first node after the folder and its contents.
    end: usize,
}

impl ModelTree {
    /// Creates the tree of a list of models, which should have the order of [`super::sort_models`].
    #[must_use]
    pub fn new(models: &[PathBuf]) -> Self {
        let root = root_of(models);
        let nodes = joined(branches(models, &root));
        Self { root, nodes }
    }

    /// Returns the common folder of all models. Archives are not part of it, because the tree shows them.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns all nodes, each folder before its contents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the visible nodes: models that `shows` accepts, with every word of `filter` in their path, ignoring case,
    /// and their folders, without the contents of `folded` folders.
    pub fn rows(
        &self,
        models: &[PathBuf],
        filter: &str,
        folded: &HashSet<PathBuf>,
        shows: impl Fn(&Path) -> bool,
    ) -> Vec<usize> {
        let words: Vec<String> = filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let mut rows = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            while open.last().is_some_and(|folder| folder.end <= number) {
                open.pop();
            }
            match node {
                Node::Folder(folder) => {
                    let folded = !folded.is_empty() && folded.contains(&folder.path);
                    open.push(Open { node: number, end: folder.end, folded, shown: false });
                }
                Node::Model { index, .. } => {
                    let found = models.get(*index).is_some_and(|path| self.has_words(path, &words) && shows(path));
                    if found && show_folders(&mut open, &mut rows) {
                        rows.push(number);
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

    /// Returns the folders that contain the model of this index, outermost first.
    pub fn folders_of(&self, model: usize) -> impl Iterator<Item = &TreeFolder> {
        let leaf = self.nodes.iter().position(|node| matches!(node, Node::Model { index, .. } if *index == model));
        let leaf = leaf.unwrap_or(0);
        self.nodes.iter().take(leaf).filter_map(move |node| match node {
            Node::Folder(folder) if folder.end > leaf => Some(folder),
            _ => None,
        })
    }
}

struct Open {
    node: usize,
    end: usize,
    folded: bool,
    shown: bool,
}

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

fn root_of(models: &[PathBuf]) -> PathBuf {
    let mut parents = models.iter().filter_map(|path| path.parent());
    let Some(first) = parents.next() else { return PathBuf::new() };
    let mut common = first;
    let mut last = first;
    for parent in parents {
        // Consecutive models are usually in the same folder.
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
                let folder = TreeFolder { name, path: path.clone(), is_archive, depth: 0, models: 0, end: 0 };
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

fn close(nodes: &mut [Node], node: usize) {
    let after = nodes.len();
    if let Some(Node::Folder(folder)) = nodes.get_mut(node) {
        folder.end = after;
    }
}

fn joined(nodes: Vec<Node>) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::with_capacity(nodes.len());
    // Open folders: end among the old nodes, index of the new node, and number of models before.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let mut models = 0;
    let mut nodes = nodes.into_iter().enumerate().peekable();
    while let Some((number, node)) = nodes.next() {
        while let Some((_, folder, before)) = open.pop_if(|(end, ..)| *end <= number) {
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
