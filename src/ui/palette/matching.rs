//! Scores of a query against names: whole words, starts of words, keywords, then scattered letters.

use maquette_core::model::u32_or_max;
use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// Score if the name equals the query.
const EXACT: u32 = 5000;
/// Score if the name begins with the word.
const START: u32 = 1000;
/// Score if a word of the name begins with the word.
const WORD_START: u32 = 900;
/// Score if the word is a keyword.
const KEYWORD: u32 = 850;
/// Score if a keyword begins with the word.
const KEYWORD_START: u32 = 750;
/// Score if the word is inside a word of the name.
const WITHIN: u32 = 600;
/// Score if the name contains the letters in order. Adjacent letters add up to [`LOOSE_GAIN`].
const LOOSE: u32 = 200;
const LOOSE_GAIN: u32 = 250;
/// Score if the word is in the text next to the name: a command group or a folder.
const BESIDE: u32 = 150;
/// Bonus if no word matches only scattered letters.
const WHOLE: u32 = 1 << 21;
/// Maximum bonus for a name with few letters that the query lacks.
const SHARE: usize = 9;
/// Factor of the score of a match. Bonuses below it only rank entries with equal matches.
pub const MATCH: u32 = 128;
/// Minimum score per letter, which rejects letters that are scattered over a name.
const WORTH_PER_LETTER: u32 = 17;

struct Word {
    text: String,
    letters: u32,
    within: Atom,
    loose: Atom,
}

pub struct Query {
    words: Vec<Word>,
    whole: String,
    matcher: Matcher,
    letters: Vec<char>,
    indices: Vec<u32>,
}

impl Query {
    pub fn new(text: &str) -> Self {
        let atom = |word: &str, kind| Atom::new(word, CaseMatching::Ignore, Normalization::Smart, kind, false);
        let words = text.split_whitespace().map(|word| Word {
            text: word.to_lowercase(),
            letters: u32_or_max(word.chars().count()),
            within: atom(word, AtomKind::Substring),
            loose: atom(word, AtomKind::Fuzzy),
        });
        Self {
            words: words.collect(),
            whole: text.trim().to_lowercase(),
            matcher: Matcher::new(Config::DEFAULT),
            letters: Vec::new(),
            indices: Vec::new(),
        }
    }

    /// Whether the query is empty, which matches everything.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the first word that is a number.
    pub fn number(&self) -> Option<f64> {
        self.words.iter().find_map(|word| word.text.parse().ok()).filter(|number: &f64| number.is_finite())
    }

    /// Scores the query against `name`, as a multiple of [`MATCH`] plus at most [`SHARE`]. Higher is better, and `None`
    /// means that a word matches nothing. `keywords` are alternative words, and `beside` is the text next to the name.
    pub fn fit(&mut self, name: &str, keywords: &str, beside: &str) -> Option<u32> {
        let Self { words, whole, matcher, letters, indices } = self;
        let mut sum = WHOLE;
        for word in words.iter() {
            let best = word.fit(Utf32Str::new(name, letters), matcher, indices).max(keyword(&word.text, keywords));
            let mut is_beside = || word.within.score(Utf32Str::new(beside, letters), matcher).is_some();
            let whole = best.filter(|best| *best >= WITHIN).or_else(|| is_beside().then_some(BESIDE));
            sum = if whole.is_some() { sum } else { sum & !WHOLE } + whole.or(best)?;
        }
        let label = name.trim_end_matches('…');
        if !whole.is_empty() && label.chars().flat_map(char::to_lowercase).eq(whole.chars()) {
            sum += EXACT;
        }
        // The shortest of equal matches is first.
        let share = whole.len().min(name.len()) * SHARE / name.len().max(1);
        Some(sum.saturating_mul(MATCH).saturating_add(u32_or_max(share)))
    }

    /// Returns the indices of the characters that match, sorted and unique.
    pub fn marks(&mut self, name: &str) -> Vec<u32> {
        let Self { words, matcher, letters, indices, .. } = self;
        let mut marks = Vec::new();
        for word in words.iter() {
            if word.fit(Utf32Str::new(name, letters), matcher, indices).is_some() {
                marks.extend_from_slice(indices);
            }
        }
        marks.sort_unstable();
        marks.dedup();
        marks
    }
}

impl Word {
    /// Scores the word against a name and stores the indices of the matching characters in `indices`.
    fn fit(&self, name: Utf32Str<'_>, matcher: &mut Matcher, indices: &mut Vec<u32>) -> Option<u32> {
        indices.clear();
        if self.within.indices(name, matcher, indices).is_some() {
            let before = indices.first().and_then(|first| first.checked_sub(1)).map(|before| name.get(before));
            return Some(match before {
                None => START,
                Some(before) if !before.is_alphanumeric() => WORD_START,
                Some(_) => WITHIN,
            });
        }
        indices.clear();
        let score = u32::from(self.loose.indices(name, matcher, indices)?);
        (self.letters > 1 && score >= WORTH_PER_LETTER * self.letters).then(|| LOOSE + score.min(LOOSE_GAIN))
    }
}

fn keyword(word: &str, keywords: &str) -> Option<u32> {
    let fits = keywords.split_whitespace().map(str::to_lowercase).filter(|keyword| keyword.starts_with(word));
    fits.map(|keyword| if keyword == word { KEYWORD } else { KEYWORD_START }).max()
}
