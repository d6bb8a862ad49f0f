//! Conversion of triangles to strips and fans: the GL commands that Quake II draws instead of the triangle list.

use std::collections::HashMap;

pub(super) type Corner = (u16, u16);

pub(super) struct Group {
    pub is_strip: bool,
    pub corners: Vec<Corner>,
}

/// Returns strips and fans that contain each triangle once. Each is the longest of the three strips and three fans that
/// begin with the next remaining triangle.
pub(super) fn groups(triangles: &[[Corner; 3]]) -> Vec<Group> {
    let mut walker = Walker::new(triangles);
    let mut groups = Vec::new();
    for (index, triangle) in triangles.iter().enumerate() {
        if walker.is_drawn(index) {
            continue;
        }
        let [a, b, c] = *triangle;
        let starts = [[a, b, c], [b, c, a], [c, a, b]];
        let tries = starts.into_iter().flat_map(|start| [(true, start), (false, start)]);
        // On a tie the first wins.
        let longest = tries
            .map(|(is_strip, start)| (walker.walk(index, start, is_strip), is_strip))
            .reduce(|best, next| if next.0.1.len() > best.0.1.len() { next } else { best });
        if let Some(((corners, drawn), is_strip)) = longest {
            drawn.into_iter().for_each(|index| walker.draw(index));
            groups.push(Group { is_strip, corners });
        }
    }
    groups
}

struct Walker {
    beyond: HashMap<(Corner, Corner), Vec<(usize, Corner)>>,
    drawn: Vec<bool>,
    met: Vec<usize>,
    walks: usize,
}

impl Walker {
    fn new(triangles: &[[Corner; 3]]) -> Self {
        let mut beyond: HashMap<(Corner, Corner), Vec<(usize, Corner)>> = HashMap::with_capacity(triangles.len() * 3);
        for (index, [a, b, c]) in triangles.iter().enumerate() {
            for (from, to, third) in [(a, b, c), (b, c, a), (c, a, b)] {
                beyond.entry((*from, *to)).or_default().push((index, *third));
            }
        }
        Self { beyond, drawn: vec![false; triangles.len()], met: vec![0; triangles.len()], walks: 0 }
    }

    fn is_drawn(&self, index: usize) -> bool {
        self.drawn.get(index).copied().unwrap_or(true)
    }

    fn draw(&mut self, index: usize) {
        if let Some(drawn) = self.drawn.get_mut(index) {
            *drawn = true;
        }
    }

    fn walk(&mut self, index: usize, start: [Corner; 3], is_strip: bool) -> (Vec<Corner>, Vec<usize>) {
        self.walks += 1;
        self.meet(index);
        let (mut corners, mut triangles) = (start.to_vec(), vec![index]);
        let [centre, mut before, mut last] = start;
        loop {
            // Every other triangle of a strip is reversed; all triangles of a fan begin at its centre.
            let edge = match (is_strip, triangles.len() % 2 == 0) {
                (false, _) => (centre, last),
                (true, true) => (before, last),
                (true, false) => (last, before),
            };
            let Some((next, third)) = self.take(edge) else { return (corners, triangles) };
            self.meet(next);
            triangles.push(next);
            corners.push(third);
            (before, last) = (last, third);
        }
    }

    fn meet(&mut self, index: usize) {
        if let Some(met) = self.met.get_mut(index) {
            *met = self.walks;
        }
    }

    fn take(&mut self, edge: (Corner, Corner)) -> Option<(usize, Corner)> {
        let candidates = self.beyond.get_mut(&edge)?;
        while candidates.last().is_some_and(|(index, _)| self.drawn.get(*index).copied().unwrap_or(true)) {
            candidates.pop();
        }
        let (index, third) = *candidates.last()?;
        (self.met.get(index) != Some(&self.walks)).then_some((index, third))
    }
}
