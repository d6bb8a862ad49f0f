//! How well a query fits a name: whole words and their starts first, other words for it next, then letters in their order
//! with others between them.

use maquette_core::model::u32_or_max;
use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// The name is the query.
const EXACT: u32 = 5000;
/// The name begins with a word of the query.
const START: u32 = 1000;
/// A word of the name does.
const WORD_START: u32 = 900;
/// It is one of the other words for it.
const KEYWORD: u32 = 850;
/// One of those begins with it.
const KEYWORD_START: u32 = 750;
/// It is within a word of the name.
const WITHIN: u32 = 600;
/// Its letters are in the name, in their order; up to [`LOOSE_GAIN`] more, the closer they stand.
const LOOSE: u32 = 200;
const LOOSE_GAIN: u32 = 250;
/// It is in what stands beside the name: a group of commands, a folder.
const BESIDE: u32 = 150;
/// What a name gains at most by having nothing besides the query.
const SHARE: usize = 9;
/// What each letter must be worth at least, so that letters scattered over a name are not taken for it.
const WORTH_PER_LETTER: u32 = 17;

/// A word of the query, prepared.
struct Word {
    text: String,
    letters: u32,
    within: Atom,
    loose: Atom,
}

/// A query, prepared to be compared with many names.
pub struct Query {
    words: Vec<Word>,
    whole: String,
    matcher: Matcher,
    letters: Vec<char>,
    indices: Vec<u32>,
}

impl Query {
    /// Prepares it.
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

    /// Whether nothing is asked for, which everything fits.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The first word that is a number.
    pub fn number(&self) -> Option<f64> {
        self.words.iter().find_map(|word| word.text.parse().ok()).filter(|number: &f64| number.is_finite())
    }

    /// How well it fits `name`, higher is better; none if one of its words is nowhere. `keywords` are other words for the
    /// name, `beside` is what stands beside it.
    pub fn fit(&mut self, name: &str, keywords: &str, beside: &str) -> Option<u32> {
        let Self { words, whole, matcher, letters, indices } = self;
        let mut sum = 0;
        for word in words.iter() {
            let best = word.fit(Utf32Str::new(name, letters), matcher, indices).max(keyword(&word.text, keywords));
            let mut is_beside = || word.within.score(Utf32Str::new(beside, letters), matcher).is_some();
            sum += best.or_else(|| is_beside().then_some(BESIDE))?;
        }
        // Of names that fit as well the one with the least besides.
        let share = whole.len().min(name.len()) * SHARE / name.len().max(1);
        sum += u32::try_from(share).unwrap_or(0);
        if !whole.is_empty() && name.chars().flat_map(char::to_lowercase).eq(whole.chars()) {
            sum += EXACT;
        }
        Some(sum)
    }

    /// Which letters of `name`, counted as characters, it was found by: in order, each once.
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
    /// Scores the word against a name. Puts the places of its letters into `indices`.
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

/// How well a word fits one of several.
fn keyword(word: &str, keywords: &str) -> Option<u32> {
    let fits = keywords.split_whitespace().map(str::to_lowercase).filter(|keyword| keyword.starts_with(word));
    fits.map(|keyword| if keyword == word { KEYWORD } else { KEYWORD_START }).max()
}
