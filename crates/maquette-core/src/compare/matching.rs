//! Matching of surfaces, tags, clips and joints by name. Duplicate names match in order.

use std::collections::{HashMap, HashSet};

use super::report::Pair;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Matching {
    pub pairs: Vec<(usize, usize)>,
    pub only_a: Vec<usize>,
    pub only_b: Vec<usize>,
}

impl Matching {
    pub(super) fn by_name<'a>(a: impl IntoIterator<Item = &'a str>, b: impl IntoIterator<Item = &'a str>) -> Self {
        let mut indices: HashMap<(&str, usize), usize> = HashMap::new();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut count_b = 0;
        for (index, name) in b.into_iter().enumerate() {
            indices.insert((name, nth(&mut seen, name)), index);
            count_b = index + 1;
        }
        let mut matching = Self::default();
        let mut is_matched = vec![false; count_b];
        seen.clear();
        for (index, name) in a.into_iter().enumerate() {
            match indices.get(&(name, nth(&mut seen, name))) {
                Some(other) => {
                    is_matched[*other] = true;
                    matching.pairs.push((index, *other));
                }
                None => matching.only_a.push(index),
            }
        }
        matching.only_b = (0..count_b).filter(|index| !is_matched[*index]).collect();
        matching
    }

    pub(super) fn match_rest_by_name<'a>(&mut self, a: impl Fn(usize) -> &'a str, b: impl Fn(usize) -> &'a str) {
        let named = |list: &[usize], name: &dyn Fn(usize) -> &'a str| -> Vec<usize> {
            list.iter().copied().filter(|index| !name(*index).is_empty()).collect()
        };
        let (rest_a, rest_b) = (named(&self.only_a, &a), named(&self.only_b, &b));
        let found = Self::by_name(rest_a.iter().map(|index| a(*index)), rest_b.iter().map(|index| b(*index)));
        let found: Vec<(usize, usize)> =
            found.pairs.iter().map(|(one, other)| (rest_a[*one], rest_b[*other])).collect();
        let (of_a, of_b): (HashSet<usize>, HashSet<usize>) = found.iter().copied().unzip();
        self.only_a.retain(|index| !of_a.contains(index));
        self.only_b.retain(|index| !of_b.contains(index));
        self.pairs.extend(found);
        self.pairs.sort_unstable();
    }

    pub(super) fn match_rest(&mut self, fits: impl Fn(usize, usize) -> bool) {
        let rest = self.only_a.iter().copied().zip(self.only_b.iter().copied());
        let found: Vec<(usize, usize)> = rest.filter(|(a, b)| fits(*a, *b)).collect();
        self.only_a.retain(|index| found.binary_search_by_key(index, |(a, _)| *a).is_err());
        self.only_b.retain(|index| found.binary_search_by_key(index, |(_, b)| *b).is_err());
        self.pairs.extend(found);
        self.pairs.sort_unstable();
    }

    pub(super) fn orders(&self) -> Vec<Option<Pair<usize>>> {
        let mut sorted: Vec<usize> = self.pairs.iter().map(|(_, b)| *b).collect();
        sorted.sort_unstable();
        let rank = |b: &usize| sorted.binary_search(b).unwrap_or(0);
        self.pairs.iter().enumerate().map(|(own, (_, b))| Pair::if_different(own, rank(b))).collect()
    }
}

fn nth<'a>(seen: &mut HashMap<&'a str, usize>, name: &'a str) -> usize {
    let count = seen.entry(name).or_default();
    *count += 1;
    *count - 1
}
