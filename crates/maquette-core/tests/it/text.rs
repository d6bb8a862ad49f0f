//! Lexer of the text formats: words, numbers and positions.

use maquette_core::error::FilePosition;
use maquette_core::text::{Dialect, Lexer, Token};
use proptest::prelude::*;

fn words(text: &[u8]) -> Vec<String> {
    let mut lexer = Lexer::new("test", text);
    std::iter::from_fn(|| lexer.next().unwrap().map(|token| token.text())).collect()
}

#[test]
fn brackets_are_separate_words_without_spaces() {
    assert_eq!(words(b"mesh{(1,2);}"), ["mesh", "{", "(", "1", ",", "2", ")", ";", "}"]);
}

#[test]
fn comments_are_white_space_except_inside_paths() {
    assert_eq!(words(b"a // b\nc /* d\ne */ f"), ["a", "c", "f"]);
    assert_eq!(words(b"textures//wall 3//three"), ["textures//wall", "3"]);
}

#[test]
fn quoted_text_is_one_word_without_escapes() {
    assert_eq!(words(br#""two words" "c:\dir" """#), ["two words", r"c:\dir", ""]);
    let mut lexer = Lexer::new("test", br#""{""#);
    assert!(!lexer.check("{").unwrap(), "a bracket in quotes is text");
}

#[test]
fn hexen_words_end_at_comments_and_semicolons() {
    // GZDoom `sc_man_scanner.re`, the classic scanner: `TOK1`, `TOK2`, comments and strings.
    let text =
        b"Frame &(!$ [\\] A,B ; Skin 0\nSkin 0 a/b.png//c\n#region one {\nScale 1/*x*/2{x|y=z}\n#include -1.5;6\n\
        \"a\\\"b;c\" /models/x #endregion";
    let mut lexer = Lexer::with("test", Dialect::Hexen, text);
    let words: Vec<String> = std::iter::from_fn(|| lexer.next().unwrap().map(|token| token.text())).collect();
    let expected = [
        "Frame",
        "&(!$",
        "[\\]",
        "A,B",
        "Skin",
        "0",
        "a/b.png",
        "Scale",
        "1",
        "2",
        "{",
        "x",
        "|",
        "y",
        "=",
        "z",
        "}",
        "#include",
        "-1.5",
        "a\\\"b;c",
        "/models/x",
    ];
    assert_eq!(words, expected);
    let mut lexer = Lexer::with("test", Dialect::Hexen, b"; {\n }");
    assert!(!lexer.check("{").unwrap() && lexer.check("}").unwrap());
}

#[test]
fn high_bytes_are_latin_1_and_nul_is_space() {
    assert_eq!(words(b"caf\xe9\0au\0lait"), ["café", "au", "lait"]);
}

#[test]
fn byte_order_mark_is_skipped() {
    assert_eq!(words(b"\xef\xbb\xbfMD5Version"), ["MD5Version"]);
}

#[test]
fn lf_crlf_and_cr_end_lines() {
    for text in ["a\nb\n  c", "a\r\nb\r\n  c", "a\rb\r  c"] {
        let mut lexer = Lexer::new("test", text.as_bytes());
        let last = [lexer.next(), lexer.next(), lexer.next()].map(|token| token.unwrap().unwrap())[2];
        assert_eq!(last.position(), FilePosition::Line { line: 3, column: 3 }, "{text:?}");
    }
}

#[test]
fn numbers_accept_signs_exponents_and_nan_of_c_libraries() {
    let mut lexer = Lexer::new("test", b"-1.5e2 +.5 3. 0x10");
    assert!((lexer.parse_number("n").unwrap() + 150.0).abs() < f32::EPSILON);
    assert!((lexer.parse_number("n").unwrap() - 0.5).abs() < f32::EPSILON);
    assert!((lexer.parse_number("n").unwrap() - 3.0).abs() < f32::EPSILON);
    assert!(lexer.parse_number("n").is_err());
    // Microsoft until 2013 and since, glibc with a payload, AIX.
    let all = "1.#INF 1.#INF00 -1.#IND 1.#QNAN nan -NaN -nan(ind) nan(snan) nan(0x7ff) NaNQ -inf Infinity";
    for word in all.split(' ') {
        let bracketed = format!("({word} 2)");
        let mut lexer = Lexer::new("test", bracketed.as_bytes());
        let vector: [f32; 2] = lexer.parse_vector("v").unwrap();
        assert!(!vector[0].is_finite() && vector[1] > 1.0, "{word}");
        let token = Token { bytes: word.as_bytes(), quoted: false, line: 1, column: 1 };
        assert!(!token.number().unwrap().is_finite(), "{word}");
    }
    for word in ["nan(", "nan(ind", "nano", "#IND", "1#INF", ".#", "1.2#IND"] {
        assert!(Lexer::new("test", word.as_bytes()).parse_vector::<1>("v").is_err(), "{word}");
        let token = Token { bytes: word.as_bytes(), quoted: false, line: 1, column: 1 };
        assert_eq!(token.number(), None, "{word}");
    }
}

#[test]
fn errors_state_expected_and_found_text_with_position() {
    let mut lexer = Lexer::new("test", b"joints\n  ( 1 two )");
    lexer.expect("joints", "").unwrap();
    let error = lexer.parse_vector::<2>("position").unwrap_err();
    assert_eq!(error.to_string(), "test: position at line 2, column 7: expected a number, found “two”");
    let error = Lexer::new("test", b"a").parse_count("count", 5).unwrap_err();
    assert_eq!(error.to_string(), "test: count at line 1, column 1: expected a whole number, found “a”");
    let error = Lexer::new("test", b" 6").parse_count("count", 5).unwrap_err();
    assert_eq!(error.to_string(), "test: count at line 1, column 2: the count 6 is outside 0 to 5");
    let error = Lexer::new("test", b"").parse_text("name").unwrap_err();
    assert_eq!(error.to_string(), "test: name at line 1, column 1: expected a text, found the end of the file");
}

#[test]
fn unclosed_constructs_are_reported_at_their_start() {
    for (text, message) in [
        ("a \"b", "test: line 1, column 3: unclosed quoted text"),
        ("a\n/* b", "test: line 2, column 1: unclosed comment"),
    ] {
        let mut lexer = Lexer::new("test", text.as_bytes());
        lexer.next().unwrap();
        assert_eq!(lexer.next().unwrap_err().to_string(), message);
    }
    let mut lexer = Lexer::new("test", b"{ { }");
    lexer.expect("{", "").unwrap();
    let message = "test: stage at line 1, column 2: unclosed block";
    assert_eq!(lexer.skip_block("stage").unwrap_err().to_string(), message);
}

#[test]
fn skipped_blocks_include_nested_blocks() {
    let mut lexer = Lexer::new("test", b"{ a { b \"}\" } c } d");
    lexer.expect("{", "").unwrap();
    lexer.skip_block("").unwrap();
    assert!(lexer.check("d").unwrap());
}

/// Generates numbers in every notation, and text that only resembles a number.
fn written_numbers() -> impl Strategy<Value = String> {
    let digits = |most| proptest::collection::vec(proptest::char::range('0', '9'), 0..most);
    let digits = move |most| digits(most).prop_map(|digits| digits.into_iter().collect::<String>());
    let sign = || prop_oneof![4 => Just(""), 2 => Just("-"), 1 => Just("+")];
    let exponent = prop_oneof![
        4 => Just(String::new()),
        1 => (prop_oneof![Just("e"), Just("E")], sign(), digits(4)).prop_map(|(e, sign, digits)| format!("{e}{sign}{digits}")),
    ];
    let decimal = (sign(), digits(22), prop_oneof![1 => Just(""), 4 => Just(".")], digits(22), exponent)
        .prop_map(|(sign, whole, point, places, exponent)| format!("{sign}{whole}{point}{places}{exponent}"));
    // Midpoints between two adjacent floats, and their neighbours.
    let middle = (any::<f32>(), -2_i64..=2).prop_filter_map("finite", |(number, away)| {
        let middle = (f64::from(number) + f64::from(number.next_up())) / 2.0;
        let neighbour = f64::from_bits(middle.to_bits().checked_add_signed(away)?);
        (neighbour.is_finite() && neighbour.abs() < 1e18).then(|| format!("{neighbour}"))
    });
    let single = any::<f32>().prop_map(|number| format!("{number}"));
    let places = (any::<f32>(), 0_usize..12).prop_map(|(number, places)| format!("{number:.places$}"));
    prop_oneof![4 => decimal, 3 => middle, 2 => single, 2 => places, 1 => "[-+0-9.einfaN_x]{0,9}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn numbers_equal_those_of_the_standard_library(text in written_numbers()) {
        let parsed = text.parse::<f32>().ok();
        let token = Token { bytes: text.as_bytes(), quoted: false, line: 1, column: 1 };
        prop_assert_eq!(token.number().map(f32::to_bits), parsed.map(f32::to_bits));
        prop_assert_eq!(token.integer(), text.parse::<i64>().ok());
        for (before, after) in [("", ""), (" \n", " "), ("\t", ")"), ("// 1\n", "\r\n7"), ("", "\"a\"")] {
            let whole = format!("{before}{text}{after}");
            let mut lexer = Lexer::new("test", whole.as_bytes());
            let first = Lexer::new("test", whole.as_bytes()).next().unwrap();
            let first = first.filter(|first| first.bytes == text.as_bytes());
            if first.is_some() {
                let read = lexer.parse_number("n").ok();
                prop_assert_eq!(read.map(f32::to_bits), parsed.map(f32::to_bits));
                // The next token starts at the position after the word.
                let mut words = Lexer::new("test", whole.as_bytes());
                words.next().unwrap();
                if read.is_some() {
                    prop_assert_eq!(lexer.position(), words.position());
                    prop_assert_eq!(lexer.next().unwrap(), words.next().unwrap());
                }
            }
        }
    }
}

#[test]
fn number_inside_a_word_is_rejected() {
    for text in ["12abc", "1.5.2", "1/2", "0x10", "1e", "--1", "1_0"] {
        assert!(Lexer::new("test", text.as_bytes()).parse_number("n").is_err(), "{text}");
        assert!(Lexer::new("test", text.as_bytes()).parse_integer("n").is_err(), "{text}");
    }
    // The number ends without white space.
    for text in ["12(", "12\"a\"", "12//", "12/*a*/", "12;"] {
        assert_eq!(Lexer::new("test", text.as_bytes()).parse_integer("n").unwrap(), 12, "{text}");
    }
}

#[test]
fn check_consumes_only_the_matching_token() {
    let mut lexer = Lexer::new("test", b" /* a */ { \n \"open");
    assert!(!lexer.check("}").unwrap());
    assert_eq!(lexer.position(), FilePosition::Line { line: 1, column: 1 });
    assert!(lexer.check("{").unwrap());
    // An unclosed quote is an error whatever token is expected.
    let message = "test: line 2, column 2: unclosed quoted text";
    assert_eq!(lexer.check("}").unwrap_err().to_string(), message);
}
