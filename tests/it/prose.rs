//! Wording of comments, literals, documents and test names.
//!
//! Every rule lists phrases that make a sentence hard to read.

use std::path::{Path, PathBuf};

use maquette_testing::optional::files_below;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Blocks of `//`, `///` or `//!` lines outside of tests.
    Comment,
    /// String literals of four or more words outside of tests.
    Literal,
    /// Paragraphs and table rows of Markdown outside of code fences.
    Markdown,
    /// Names of `#[test]` functions.
    TestName,
}

use Scope::{Comment, Literal, Markdown, TestName};

const PROSE: &[Scope] = &[Comment, Literal, Markdown];

/// Rule name, scopes and phrases. In a phrase `|` separates alternatives, `?` makes a word optional, `^` and `$` stand for
/// the start and the end of a text, and a word with `!` must not follow.
const RULES: &[(&str, &[Scope], &[&str])] = &[
    ("told", PROSE, &["told|tell|tells|telling !apart"]),
    (
        "there",
        PROSE,
        &["is|are|was|were not|already? there", "is|are|was|were no longer there", "that are there", "what is there"],
    ),
    ("no-noun", PROSE, &["is|are|was|were no|none|nobody|nothing !longer !such !more"]),
    ("another-is", PROSE, &["is|are another|others|other", "others|another than"]),
    (
        "wear-hang",
        &[Comment, Literal, Markdown, TestName],
        &["wear|wears|worn|wearing|wearer|dress|dresses|dressed|dressing|undressed|hung|hang|hangs"],
    ),
    ("the-same", &[Comment, Markdown], &["^ the same|other", "^ same"]),
    ("is-wanted", &[Literal], &["is|are wanted", "passed over"]),
    (
        "literary-test",
        &[TestName],
        &[
            "^ what|whatever",
            "told|tells|cost|costs|anew|worn|wears|hung|others|another",
            "is none",
            "is|are no",
            "there",
            "alone $",
            "come|comes to",
        ],
    ),
    ("tooltip-mood", &[Literal], &["^ applies|hides|hatches|keeps|opens|reads|saves|writes"]),
    (
        "one-word",
        &[Literal, Markdown],
        &["internal name|names", "level|levels of detail", "maximum displacement", "as in viewport", "rtcw model"],
    ),
    ("starts-what", &[Comment], &["^ what|where|which|who|how !to", "^ by|of|with what", "^ from where"]),
];

/// Good English that a rule matches: rule, a part of the text, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[("wear-hang", "no hang", "a program that hangs")];

struct Text {
    scope: Scope,
    line: usize,
    text: String,
}

/// A string literal, the line on which it starts, and the code before it on that line.
pub struct StringLiteral<'a> {
    pub line: usize,
    pub before: &'a str,
    pub text: String,
}

/// Returns the string literals of Rust code, without raw and byte strings. A line continuation is removed.
pub fn literals(source: &str) -> Vec<StringLiteral<'_>> {
    let bytes = source.as_bytes();
    let rest_is = |at: usize, text: &str| source.get(at..).is_some_and(|rest| rest.starts_with(text));
    let find = |from: usize, text: &str| source[from..].find(text).map_or(bytes.len(), |at| from + at + text.len());
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        at = match bytes[at] {
            b'/' if rest_is(at, "//") => find(at, "\n"),
            b'/' if rest_is(at, "/*") => find(at, "*/"),
            b'r' if rest_is(at, "r#\"") => find(at + 3, "\"#"),
            b'\'' if rest_is(at, "'\\") => find(at + 3, "'"),
            b'\'' if rest_is(at, "'\"'") => at + 3,
            b'"' => {
                let end = literal_end(bytes, at + 1);
                let start_of_line = source[..at].rfind('\n').map_or(0, |before| before + 1);
                let is_bytes = at > 0 && matches!(bytes[at - 1], b'b' | b'r');
                if !is_bytes {
                    found.push(StringLiteral {
                        line: source[..at].matches('\n').count() + 1,
                        before: &source[start_of_line..at],
                        text: joined(&source[at + 1..end]),
                    });
                }
                end + 1
            }
            _ => at + 1,
        };
    }
    found
}

fn literal_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// Removes the continuations of lines.
fn joined(literal: &str) -> String {
    let mut parts = literal.split("\\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.trim_start())
}

/// Returns the part of a source file before its unit tests.
pub fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod ").next().unwrap_or_default()
}

/// Returns the text without the values in braces.
pub fn without_values(text: &str) -> String {
    let mut depth = 0_u32;
    text.chars()
        .filter(|letter| {
            depth += u32::from(*letter == '{');
            let is_text = depth == 0;
            depth -= u32::from(*letter == '}' && depth > 0);
            is_text
        })
        .collect()
}

/// Replaces code between backticks by a word.
fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(number, part)| if number % 2 == 0 { part } else { "CODE" }).collect()
}

fn comments(source: &str) -> Vec<Text> {
    let mut found: Vec<Text> = Vec::new();
    let mut last = (0, "");
    for (line, text) in (1..).zip(source.lines().map(str::trim)) {
        let Some(mark) = ["///", "//!", "//"].into_iter().find(|mark| text.starts_with(mark)) else { continue };
        let text = without_code(text[mark.len()..].trim());
        match found.last_mut() {
            Some(block) if last == (line - 1, mark) => block.text += &format!(" {text}"),
            _ => found.push(Text { scope: Comment, line, text }),
        }
        last = (line, mark);
    }
    found
}

fn test_names(source: &str) -> Vec<Text> {
    let mut is_test = false;
    let mut found = Vec::new();
    for (line, text) in (1..).zip(source.lines().map(str::trim)) {
        is_test |= text == "#[test]";
        if let Some(name) = text.strip_prefix("fn ").filter(|_| is_test) {
            let name = name.split('(').next().unwrap_or_default();
            found.push(Text { scope: TestName, line, text: name.replace('_', " ") });
            is_test = false;
        }
    }
    found
}

fn markdown(source: &str) -> Vec<Text> {
    let mut found: Vec<Text> = Vec::new();
    let (mut is_code, mut goes_on) = (false, false);
    for (line, text) in (1..).zip(source.lines().map(str::trim)) {
        is_code ^= text.starts_with("```");
        let is_start = text.starts_with(['-', '|', '#', '>']) || text.starts_with(|first: char| first.is_ascii_digit());
        match found.last_mut() {
            _ if is_code || text.is_empty() || text.starts_with("```") => {}
            Some(paragraph) if goes_on && !is_start => paragraph.text += &format!(" {text}"),
            _ => found.push(Text { scope: Markdown, line, text: text.to_owned() }),
        }
        goes_on = !is_code && !text.is_empty();
    }
    found.into_iter().map(|text| Text { text: without_code(&text.text), ..text }).collect()
}

fn texts_of(path: &Path, source: &str) -> Vec<Text> {
    if path.extension().is_some_and(|extension| extension == "md") {
        return markdown(source);
    }
    let mut texts = test_names(source);
    if !path.components().any(|folder| folder.as_os_str() == "tests") {
        let source = without_tests(source);
        texts.extend(comments(source));
        let literals =
            literals(source).into_iter().map(|StringLiteral { line, text, .. }| (line, without_values(&text)));
        let sentences = literals.filter(|(_, text)| words_of(text).len() >= 4);
        texts.extend(sentences.map(|(line, text)| Text { scope: Literal, line, text }));
    }
    texts
}

fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '’');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether `words` from `at` on match the words of a phrase.
fn matches_at(words: &[String], at: usize, phrase: &[&str]) -> bool {
    let Some((first, rest)) = phrase.split_first() else { return true };
    let word = words.get(at).map(String::as_str);
    if let Some(not) = first.strip_prefix('!') {
        return word != Some(not) && matches_at(words, at, rest);
    }
    match *first {
        "^" => at == 0 && matches_at(words, at, rest),
        "$" => at == words.len(),
        _ => {
            let choices = first.trim_end_matches('?');
            let is_it = word.is_some_and(|word| choices.split('|').any(|choice| choice == word));
            is_it && matches_at(words, at + 1, rest) || first.ends_with('?') && matches_at(words, at, rest)
        }
    }
}

fn breaks(text: &Text, (name, scopes, phrases): &(&str, &[Scope], &[&str])) -> bool {
    let is_exception = || EXCEPTIONS.iter().any(|(rule, part, _)| rule == name && text.text.contains(part));
    // “There is no …” is good English.
    let skips = |words: &[String], at: usize| *name == "no-noun" && at > 0 && words[at - 1] == "there";
    scopes.contains(&text.scope) && !is_exception() && {
        let words = words_of(&text.text);
        phrases.iter().any(|phrase| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            (0..words.len()).any(|at| !skips(&words, at) && matches_at(&words, at, &phrase))
        })
    }
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "crates", "tests", "benches", "assets", "docs"].map(|folder| files_below(&root.join(folder)));
    let top = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let has_text = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs" || extension == "md");
    folders.into_iter().flatten().chain(top).filter(has_text).collect()
}

#[test]
fn prose_follows_the_rules() {
    let mut hits = Vec::new();
    let mut seen = 0;
    for path in files() {
        let source = std::fs::read_to_string(&path).unwrap();
        // Folders above the repository may have any name.
        let path = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
        for text in texts_of(path, &source) {
            seen += 1;
            let broken = RULES.iter().filter(|rule| breaks(&text, rule));
            hits.extend(broken.map(|(rule, ..)| format!("{rule}: {}:{}: {}", path.display(), text.line, text.text)));
        }
    }
    assert!(seen > 5000, "only {seen} texts");
    assert!(hits.is_empty(), "{} hits:\n{}", hits.len(), hits.join("\n"));
}

#[test]
fn each_rule_finds_its_phrases() {
    for (rule, scope, bad, good) in [
        ("told", Literal, "the number is told here", "they cannot be told apart"),
        ("there", Comment, "Whether a file is already there.", "Whether there is a file."),
        ("no-noun", Comment, "A folder is no file.", "The file is no longer used."),
        ("no-noun", Comment, "The joints are none of these.", "Whether there is no file."),
        ("another-is", Comment, "The name is another now.", "Another name is used."),
        ("wear-hang", TestName, "models wear skins", "models use skins"),
        ("the-same", Comment, "The same, for files.", "Like the same function."),
        ("is-wanted", Literal, "the number 1 is wanted", "expected the number 1"),
        ("literary-test", TestName, "what is lost is reported", "losses are reported"),
        ("literary-test", TestName, "model is alone", "model alone is shown"),
        ("tooltip-mood", Literal, "Saves the texture as PNG", "Save the texture as PNG"),
        ("one-word", Markdown, "The model has levels of detail.", "The model has LODs."),
        ("starts-what", Comment, "How often it runs.", "How to run."),
    ] {
        let found = |text: &str| {
            let rule = RULES.iter().find(|(name, ..)| *name == rule).unwrap();
            breaks(&Text { scope, line: 1, text: text.to_owned() }, rule)
        };
        assert!(found(bad) && !found(good), "{rule}: “{bad}” or “{good}”");
    }
}

#[test]
fn literals_are_found_between_comments_and_characters() {
    let source = "// \"no\"\nlet a = ('\"', \"one \\\"1\\\"\"); /* \"no\" */ let b = \"two \\\n    lines\"; let c: &'static str = \"three\";";
    let found = literals(source);
    let texts: Vec<&str> = found.iter().map(|literal| literal.text.as_str()).collect();
    assert_eq!(texts, ["one \\\"1\\\"", "two lines", "three"]);
    assert_eq!((found[1].line, found[2].line), (2, 3));
}
